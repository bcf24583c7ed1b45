//! Inputs that have values in DATA: from a file where there is one, else these values.

use crate::run::Job;
use glushkov::data::{Array, Values, read_npy, write_npy};
use glushkov::machine::{Limits, Machine, Value, compile};
use std::path::Path;
use std::process::Output;

/// Runs the program of the case `inputs` with and without files; says where it does not do what it
/// should.
pub fn come_from_files_or_data(job: &Job) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let run = |input: Option<&Path>, set: &[&str]| {
        let mut command = job.command();
        command.arg("--out").arg(root.join("out"));
        command.args(input.iter().flat_map(|i| ["--in".as_ref(), i.as_os_str()]));
        command.args(set.iter().flat_map(|s| ["--set", s]));
        command.output().unwrap()
    };
    let mut wrong = Vec::new();
    let mut expect = |what: &str, holds: bool, done: &Output| {
        if !holds {
            let said = String::from_utf8_lossy(&done.stderr);
            let name = job.runner.name();
            wrong.push(format!("inputs on {name}: {what}: {said}"));
        }
    };
    let y = || read_npy(&root.join("out/y.npy")).unwrap();

    let done = run(None, &["step=0.1"]);
    let fits = done.status.success() && y().values() == &wanted(job, None);
    expect("without a folder", fits, &done);
    // A parameter of 32 bits is printed with the digits that tell it from others of 32 bits.
    let line = String::from_utf8_lossy(&done.stdout).into_owned();
    expect("its parameters", line.contains("\"step\": 0.1}"), &done);

    let x = [4.0, 3.0, 2.0, 1.0];
    let array = |shape: &[usize]| Array::new(shape.to_vec(), Values::F64(x.to_vec())).unwrap();
    write_npy(&root.join("x.npy"), &array(&[4])).unwrap();
    let done = run(Some(root), &[]);
    let fits = done.status.success() && y().values() == &wanted(job, Some(&x));
    expect("with a file", fits, &done);

    write_npy(&root.join("x.npy"), &array(&[2, 2])).unwrap();
    let done = run(Some(root), &[]);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    let fits = done.status.code() == Some(2) && said.contains("its shape is [2, 2]");
    expect("with a wrong file", fits, &done);

    let done = run(Some(&root.join("nowhere")), &[]);
    expect("without the folder", done.status.code() == Some(2), &done);
    wrong
}

/// What the reference machine makes of DATA's values, or of others for x, whose number is N.
fn wanted(job: &Job, x: Option<&[f64]>) -> Values {
    let scheme = job.case.written(job.precision);
    let code = compile(&scheme).unwrap();
    let mut machine = Machine::new(&scheme, &code, Limits::default());
    let real = job.precision.real();
    let given: Vec<_> = x
        .iter()
        .map(|x| ("N".into(), Value::Int(x.len() as i64)))
        .collect();
    machine.start(&given).unwrap();
    if let Some(x) = x {
        let cells = x.iter().map(|&x| Value::Real(x).bits(real).unwrap());
        assert!(machine.set("x".into(), &cells.collect::<Vec<u64>>()));
    }
    machine.run().unwrap();
    let y = machine.get("y".into()).unwrap().into_iter();
    match real.bytes() {
        4 => Values::F32(y.map(|y| f32::from_bits(y as u32)).collect()),
        _ => Values::F64(y.map(f64::from_bits).collect()),
    }
}
