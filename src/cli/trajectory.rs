//! `glushkov trajectory`: snapshots of positions for viewers of atoms.

use super::output::{Done, Output};
use crate::data::{Atoms, read_npy, xyz};
use crate::pipeline::files::write_whole;
use std::path::{Path, PathBuf};

/// Arguments of `trajectory`.
#[derive(clap::Args)]
#[command(
    after_help = "Example: glushkov run clusters --out results\n         glushkov trajectory results/trajectory.npy --kinds results/kind.npy --symbols U,O -o clusters.xyz"
)]
pub struct Args {
    /// Snapshots that SAVE made, (frames, atoms, 3), or positions, (atoms, 3), as .npy
    positions: PathBuf,
    /// The kind of each atom, a number from 0, as .npy (all 0, if not given)
    #[arg(long, value_name = "FILE")]
    kinds: Option<PathBuf>,
    /// The symbol of each kind
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "X")]
    symbols: Vec<String>,
    /// Ångström in the positions' unit of length: 10 for nanometres
    #[arg(
        long,
        value_name = "X",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    scale: f64,
    /// The file to write, or `-` for standard output
    #[arg(short = 'o', long = "out", value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let positions = read_npy(&args.positions)?;
    let kinds = args.kinds.as_deref().map(read_npy).transpose()?;
    let atoms = Atoms {
        kinds: kinds.as_ref(),
        symbols: &args.symbols,
        scale: args.scale,
    };
    let text = xyz(&positions, &atoms)?;
    if args.out == Path::new("-") {
        return output.print(text.trim_end());
    }
    write_whole(&args.out, &text, true)?;
    output.say(&format!("{}", args.out.display()));
    Ok(())
}
