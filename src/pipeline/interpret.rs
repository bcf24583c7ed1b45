//! A derived scheme on the reference machine: it leaves in its folder what a program would leave.

use super::check::{limits, undefined};
use super::files::write_whole;
use super::inputs::{array, cells};
use super::job::{Job, Ran};
use super::sizes::machine_memory;
use super::{Class, Failure, Session};
use crate::check::{Expand, Scheme, author_name, with_meanings};
use crate::data::write_npy;
use crate::emit::{SeriesFile, series_files};
use crate::machine::{Kind, Limits, Machine, MachineError, compile};
use crate::term::Symbol;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

impl From<MachineError> for Failure {
    fn from(error: MachineError) -> Failure {
        Failure {
            diagnostics: vec![error.diagnostic()],
            class: match error.kind {
                // Sizes that cannot be used are not an answer about the scheme.
                Kind::Data | Kind::Memory => Class::Wrong,
                _ => Class::No,
            },
        }
    }
}

/// Runs a scheme; OUTPUT arrays, series and reports go to a folder, if one is given. None where it is
/// bounded and takes more steps than a check may.
pub(super) fn interpret(
    scheme: &Scheme,
    job: &Job<'_>,
    results: Option<&Path>,
    bounded: bool,
    what: &str,
    session: &mut Session,
) -> Result<Option<Ran>, Failure> {
    if !scheme.basics.is_empty() && scheme.is_meant() {
        let meant = with_meanings(scheme, Expand::All)?;
        return interpret(&meant, job, results, bounded, what, session);
    }
    let code = compile(scheme).ok_or_else(|| undefined(scheme))?;
    let limits = match bounded {
        true => limits(),
        false => Limits {
            bytes: machine_memory(),
            ..Limits::default()
        },
    };
    let mut machine = Machine::new(scheme, &code, limits);
    machine.start(&job.values)?;
    for (name, array) in &job.arrays {
        machine.set(*name, &cells(array));
    }
    let start = Instant::now();
    match session.during(what, |_| machine.run()) {
        Err(error) if bounded && matches!(error.kind, Kind::Steps | Kind::Memory) => {
            return Ok(None);
        }
        ran => ran?,
    }
    let seconds = start.elapsed().as_secs_f64();
    if let Some(folder) = results {
        for (name, variable) in scheme.data().filter(|(_, v)| v.is_output()) {
            let shape = machine.dims(name).unwrap_or_default().to_vec();
            let array = array(variable.ty, &shape, &machine.get(name).unwrap_or_default())?;
            write_npy(&folder.join(format!("{name}.npy")), &array)?;
        }
        for series in series_files(scheme) {
            write_series(scheme, &machine, &series, folder)?;
        }
        let rows = &machine.outcome().reports;
        write_whole(&folder.join("reports.csv"), &csv(rows), true)?;
    }
    let reports: Vec<serde_json::Value> = machine
        .outcome()
        .reports
        .iter()
        .map(|(label, values)| serde_json::json!({"label": label.as_str(), "values": values}))
        .collect();
    Ok(Some(Ran {
        json: serde_json::json!({"seconds": {"body": seconds}, "reports": reports}),
        seconds,
    }))
}

/// Writes the snapshots of one series, time first.
fn write_series(
    scheme: &Scheme,
    machine: &Machine<'_>,
    series: &SeriesFile,
    folder: &Path,
) -> Result<(), Failure> {
    let mut times = 0;
    let mut all: Vec<u64> = Vec::new();
    let mut name = None;
    for (label, array, cells) in &machine.outcome().saves {
        if label.as_str() == series.label && author_name(*array) == series.array {
            times += 1;
            all.extend_from_slice(cells);
            name = Some(*array);
        }
    }
    // A series that was never reached has no snapshots, but its array is known.
    let name = name.unwrap_or(Symbol::new(&series.array));
    let Some(variable) = scheme.variable(name) else {
        return Ok(());
    };
    let shape = match machine.dims(name) {
        Some(dims) => std::iter::once(times).chain(dims.iter().copied()).collect(),
        // An array of a scope may have another size each time: its snapshots follow each other.
        None => vec![(all.len() / variable.ty.components()) as i64],
    };
    let array = array(variable.ty, &shape, &all)?;
    let path = folder.join(format!("{}.npy", series.file));
    Ok(write_npy(&path, &array)?)
}

/// The text of `reports.csv`: a label, quoted where RFC 4180 has it so, and the shortest texts that
/// read back as the values.
fn csv(rows: &[(Symbol, Vec<f64>)]) -> String {
    let mut text = String::new();
    for (label, values) in rows {
        let label = label.as_str();
        match label.is_empty() || label.contains(['"', ',', '\r', '\n']) {
            true => {
                let _ = write!(text, "\"{}\"", label.replace('"', "\"\""));
            }
            false => text.push_str(label),
        }
        for value in values {
            let _ = write!(text, ",{value:?}");
        }
        text.push('\n');
    }
    text
}
