//! Arrays that a caller of C has on the device, and states that have theirs there: programs of C++ call
//! libraries of target `cuda` on the processor.

use crate::cuda::Programs;
use glushkov::pipeline::{Options, Session, Source, Target, Tuning, emit};
use glushkov::term::with_deep_stack;
use glushkov::toolchain::{Project, cxx};
use std::path::Path;
use std::process::Command;

fn project(text: &str) -> Project {
    with_deep_stack(|| {
        let source = Source::Text { name: "text", text };
        let (options, mut session) = (Options::default(), Session::new());
        let emission = emit(
            source,
            Target::Cuda,
            None,
            &Tuning::Off,
            &options,
            &mut session,
        );
        emission.unwrap().project
    })
}

/// What a program says that calls the library of a scheme.
fn said(name: &str, scheme: &str, program: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("targets")
        .join(name);
    let projects = vec![(name.to_owned(), project(scheme))];
    let program = Programs::of_projects(projects).compile_with(program, &folder);
    let done = Command::new(program).output().unwrap();
    String::from_utf8_lossy(&done.stdout).into_owned()
}

#[test]
fn arrays_on_the_device_are_used_where_they_are() {
    if cxx().is_err() {
        return;
    }
    let (scheme, program) = (include_str!("lent/lent.saa"), include_str!("lent/lent.cpp"));
    assert_eq!(said("lent", scheme, program), "well\n");
}

#[test]
fn without_a_part_of_the_host_nothing_is_copied() {
    if cxx().is_err() {
        return;
    }
    let (scheme, program) = (
        include_str!("lent/scaled.saa"),
        include_str!("lent/scaled.cpp"),
    );
    assert_eq!(said("scaled", scheme, program), "well\n");
}
