//! Drives the pieces of emitted Rust programs: `driver npy TYPE IN OUT` copies an array through a
//! type, `driver cli REPORTS ARGUMENTS…` reads arguments and writes reports, `driver together
//! FOLDER` makes a file appear in a folder.

use std::path::Path;

#[path = "../../templates/rust/cli.rs"]
mod cli;
#[path = "../../templates/rust/files.rs"]
mod files;
#[path = "../../templates/rust/npy.rs"]
mod npy;

fn main() {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    let name = |i: usize| args[i].to_str().expect("the tests' names are UTF-8");
    let result = match name(0) {
        "npy" => copy(name(1), Path::new(name(2)), Path::new(name(3))),
        "together" => together(Path::new(name(1))),
        "shown" => {
            print!("{}\n{}", cli::shown(name(1)), cli::json_string(name(1)));
            Ok(())
        }
        _ => arguments(Path::new(name(1)), &args[2..]),
    };
    if let Err(why) = result {
        eprintln!("{why}");
        std::process::exit(2);
    }
}

fn copy(kind: &str, from: &Path, to: &Path) -> Result<(), String> {
    let array = npy::read(from)?;
    match kind {
        "bool" => array
            .into_bool()
            .and_then(|(shape, v)| npy::write_bool(to, &shape, &v)),
        "int32" => array
            .into_i32()
            .and_then(|(shape, v)| npy::write_i32(to, &shape, &v)),
        "int64" => array
            .into_i64()
            .and_then(|(shape, v)| npy::write_i64(to, &shape, &v)),
        "float32" => array
            .into_f32()
            .and_then(|(shape, v)| npy::write_f32(to, &shape, &v)),
        _ => array.into_f64().and_then(|(shape, v)| {
            let vectors: Vec<[f64; 3]> = npy::vectors(&v);
            match vectors.len() * 3 == v.len() {
                true => npy::write_f64(to, &shape, vectors.as_flattened()),
                false => npy::write_f64(to, &shape, &v),
            }
        }),
    }
}

fn together(folder: &Path) -> Result<(), String> {
    let outputs = files::Together::begin(folder)?;
    files::replace_file(&outputs.path().join("x"), |to| to.write_all(b"x"))?;
    outputs.appear()
}

fn arguments(reports: &Path, args: &[std::ffi::OsString]) -> Result<(), String> {
    let arguments = cli::parse(args.iter().cloned())?;
    arguments.check(&["N", "dt", "flag", "big"])?;
    let folder = |folder: &Option<std::path::PathBuf>| match folder {
        Some(folder) => cli::json_string(&folder.display().to_string()),
        None => "null".into(),
    };
    let n: Option<i32> = arguments.number("N", "an integer")?;
    let big: Option<i64> = arguments.number("big", "an integer")?;
    let dt: Option<f64> = arguments.number("dt", "a number")?;
    println!(
        "{{\"in\": {}, \"out\": {}, \"help\": {}, \"N\": {}, \"big\": {}, \"dt\": {}, \"flag\": {}}}",
        folder(&arguments.input),
        folder(&arguments.output),
        arguments.help,
        n.unwrap_or(0),
        big.unwrap_or(0),
        cli::json_number(dt.unwrap_or(f64::NAN)),
        arguments.truth("flag")?.unwrap_or(false),
    );
    let rows: [(&str, &[f64]); 4] = [
        ("energy", &[-0.25, 0.1, 1e-300]),
        (
            "a \"b\", c\n",
            &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY],
        ),
        ("", &[1.0]),
        ("none", &[]),
    ];
    cli::write_reports(reports, rows)
}
