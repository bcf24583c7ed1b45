//! The pipeline as a library user calls it: schemes in, outcomes and failures as values, and nothing
//! on standard output or standard error.

use glushkov::data::{Array, Values};
use glushkov::diagnostic::render;
use glushkov::emit::Target as Emitted;
use glushkov::pipeline::{
    Bench, Class, Event, Failure, Inputs, Job, Options, Outcome, Pick, Run, Session, Source,
    Target, Tuning, derive, emit, equal, load, program, values,
};
use glushkov::term::{Sources, with_deep_stack};
use std::process::Command;
use std::sync::{Arc, Mutex};

/// A scheme with a parameter, an INPUT and an OUTPUT.
const DOUBLED: &str = "SCHEME \"Doubled\" ====
DATA
  N : INTEGER := 4
  x : REAL [N] INPUT
  y : REAL [N] OUTPUT
  DEFAULT INPUT \"random\"
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP y[i] := x[i] + x[i] END OF LOOP
END OF SCHEME \"Doubled\"
";

fn text(text: &str) -> Source<'_> {
    Source::Text { name: "text", text }
}

fn set(settings: &[&str]) -> Options {
    Options {
        set: settings.iter().map(|s| (*s).to_owned()).collect(),
        ..Options::default()
    }
}

/// A run on the reference machine, compared with the sequential scheme there.
fn interpreted(strategy: &str, options: Options) -> Run {
    Run {
        target: Target::Interpreter,
        strategy: Some(strategy.to_owned()),
        reference: Some(Target::Interpreter),
        options,
        ..Run::default()
    }
}

fn done(run: &Run, source: Source<'_>) -> Result<Outcome, Failure> {
    with_deep_stack(|| run.run(source, &mut Session::new()))
}

fn codes(failure: &Failure) -> Vec<&'static str> {
    failure.diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn schemes_of_the_library_run_as_their_sequential_forms_do() {
    for (name, strategy, settings) in [
        ("heat", "gpu", ["N=12", "STEPS=3"].as_slice()),
        ("matrix_product", "parallel", &["N=6"]),
        ("prefix_sum", "parallel", &["N=40"]),
        ("rank_sort", "gpu", &["N=20"]),
    ] {
        let outcome = done(&interpreted(strategy, set(settings)), Source::Path(name));
        let outcome = outcome.unwrap_or_else(|failure| panic!("{name}: {failure}"));
        let compared = outcome.compared.as_ref().expect("it was asked for");
        assert!(compared.passed, "{name}: {:?}", compared.arrays);
        assert!(!outcome.arrays.is_empty(), "{name} has results");
        assert!(outcome.text().contains(&format!("strategy {strategy}")));
        assert_eq!(outcome.json()["target"], "interpreter");
    }
}

#[test]
fn stages_can_be_taken_one_by_one() {
    let mut session = Session::new();
    let options = set(&["N=3"]);
    let inputs = Inputs {
        seeded: true,
        ..Inputs::default()
    };
    let scheme = load(text(DOUBLED), &options, &mut session).expect("a scheme");
    let base = derive::rules(&options, &mut session).expect("the rules");
    let derived = derive::derive(&base, &scheme, "gpu", &options).expect("a derivation");
    assert!(!derived.derivation.steps.is_empty());
    let values = values(&scheme, &options, &inputs, &[]).expect("values");
    let job = Job::new(&scheme, values, &inputs).expect("inputs");
    let folder = job.folder("results");
    let program = program(&scheme, Target::Interpreter, "gpu", &options, &mut session);
    let program = program.expect("the reference machine needs no compiler");
    job.run(&program, Some(&folder), "running", &mut session)
        .expect("it runs");
    let outputs: Vec<(String, Array)> = job.outputs(&folder).expect("OUTPUT arrays");
    assert_eq!(
        (outputs[0].0.as_str(), outputs[0].1.shape()),
        ("y", &[3][..])
    );
    assert!(matches!(outputs[0].1.values(), Values::F32(y) if y.len() == 3));
}

#[test]
fn what_is_wrong_is_a_value() {
    let mut session = Session::new();
    let broken = DOUBLED.replace("x[i] + x[i]", "x[i] + z[i]");
    let failure = load(text(&broken), &Options::default(), &mut session)
        .err()
        .expect("z is not declared");
    assert_eq!(
        (codes(&failure), failure.class),
        (vec!["E0201"], Class::Wrong)
    );
    let shown = render(&failure.diagnostics[0], &session.sources, false);
    assert!(shown.contains("text:8"), "{shown}");

    let failure = |run: &Run, source| done(run, source).expect_err("it fails");
    let sequential = |settings| interpreted("sequential", set(settings));
    let missing = failure(&sequential(&[]), Source::Path("no-such-scheme"));
    assert_eq!(codes(&missing), ["E0002"]);
    let unknown = failure(&sequential(&["M=1"]), text(DOUBLED));
    assert_eq!((codes(&unknown), unknown.exit_code()), (vec!["E0006"], 2));
    // Of what runs badly the answer is no.
    let beyond = DOUBLED.replace("y[i] :=", "y[i + 1] :=");
    let bounds = failure(&sequential(&[]), text(&beyond));
    assert_eq!((bounds.class, bounds.exit_code()), (Class::No, 1));
    let paper = failure(&interpreted("paper", set(&[])), text(DOUBLED));
    assert_eq!(paper.class, Class::No, "{paper}");
    let nothing = emit(
        text(DOUBLED),
        Target::Interpreter,
        None,
        &Tuning::Off,
        &Options::default(),
        &mut session,
    );
    assert_eq!(codes(&nothing.err().expect("no target")), ["E0006"]);
}

#[test]
fn projects_are_emitted_without_being_written() {
    let mut session = Session::new();
    let (options, tuning) = (Options::default(), Tuning::Off);
    let emission = emit(
        Source::Path("heat"),
        Target::Cuda,
        None,
        &tuning,
        &options,
        &mut session,
    );
    let files = emission.expect("a project").project.files;
    assert!(files.iter().any(|(path, _)| path.ends_with(".cu")));
    assert!(files.iter().any(|(path, _)| path == "trace.json"));
    assert_eq!(Target::Cuda.emitted(), Some(Emitted::Cuda));
}

#[test]
fn schemes_are_compared_and_measured() {
    let mut session = Session::new();
    let other = DOUBLED.replace("x[i] + x[i]", "2.0 * x[i]");
    let picks = [Pick::default(); 2];
    let same = equal([text(DOUBLED), text(DOUBLED)], picks, &mut session).expect("an answer");
    let differs = equal([text(DOUBLED), text(&other)], picks, &mut session).expect("an answer");
    assert!(same.is_equal() && !differs.is_equal());
    let bench = Bench {
        targets: vec![Target::Interpreter],
        strategies: vec!["sequential".to_owned(), "parallel".to_owned()],
        options: set(&["N=2,3"]),
        inputs: Inputs::default(),
        runs: 2,
        warmup: 0,
        compare: true,
        tolerance: None,
        pairs: Vec::new(),
        ablate: false,
        groups: Vec::new(),
        instructions: false,
        clock: Default::default(),
        plot: false,
    };
    let measured = bench.measure(text(DOUBLED), &mut session).expect("times");
    assert_eq!(measured.rows.len(), 4);
    assert!(measured.differences().is_empty());
    assert!(measured.rows.iter().all(|row| row.samples.len() == 2));
}

/// What an observer was told, in words.
fn observed(told: &Arc<Mutex<Vec<String>>>) -> Session {
    let told = Arc::clone(told);
    Session::observed(Box::new(move |event: Event<'_>, _: &Sources| {
        let event = match event {
            Event::Left(notes) => format!("left {}", notes.rules.len()),
            Event::Said(line) => format!("said {line}"),
            Event::Begins(what) => format!("begins {what}"),
            Event::GoesOn(_) | Event::Part { .. } => return,
            Event::Ends => "ends".to_owned(),
        };
        told.lock().expect("one thread at a time").push(event);
    }))
}

#[test]
fn an_observer_is_told_of_work_and_its_end() {
    let told = Arc::default();
    let mut session = observed(&told);
    let run = interpreted("gpu", Options::default());
    with_deep_stack(|| run.run(text(DOUBLED), &mut session)).expect("it runs");
    assert_eq!(
        *told.lock().expect("work has ended"),
        [
            "begins running Doubled (interpreter)",
            "ends",
            "begins comparing: the sequential program on one core",
            "ends"
        ]
    );
}

/// The tests of this file, run by a process whose output is looked at.
#[test]
fn nothing_is_printed() {
    const INSIDE: &str = "GLUSHKOV_TEST_INSIDE";
    if std::env::var_os(INSIDE).is_some() {
        return;
    }
    let tests = Command::new(std::env::current_exe().expect("this test"))
        .args(["--nocapture", "--test-threads=1"])
        .env(INSIDE, "1")
        .output()
        .expect("it starts");
    assert!(tests.status.success());
    assert_eq!(String::from_utf8_lossy(&tests.stderr), "");
    let out = String::from_utf8_lossy(&tests.stdout).into_owned();
    let of_the_harness =
        |line: &&str| line.is_empty() || line.starts_with("running ") || line.starts_with("test ");
    let others: Vec<&str> = out.lines().filter(|line| !of_the_harness(line)).collect();
    assert!(others.is_empty(), "{others:?}");
}
