//! What must not follow from a declaration: schemes in which more than the lists say, or other than they say, would be
//! taken for granted.

use super::told;
use glushkov::check::author_names;
use glushkov::pipeline::{
    Form, Options, Run, Session, Show, Source, Target, derive, emit, load, load_declared,
};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::term::with_deep_stack;
use glushkov::toolchain::testing::openmp_or_skip;

/// A scheme, and operators in a file that is named.
struct Given {
    folder: tempfile::TempDir,
    options: Options,
}

impl Given {
    fn new(scheme: &str, operators: &str) -> Given {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("s.saa"), scheme).expect("a file");
        let file = folder.path().join("own.ops");
        let named = !operators.is_empty();
        if named {
            std::fs::write(&file, operators).expect("a file");
        }
        let options = Options {
            operators: named.then_some(file).into_iter().collect(),
            ..Options::default()
        };
        Given { folder, options }
    }

    fn path(&self) -> String {
        let path = self.folder.path().join("s.saa");
        path.to_string_lossy().into_owned()
    }

    /// What a strategy makes of it, as text.
    fn derived(&self, strategy: &str) -> String {
        with_deep_stack(|| {
            let mut session = Session::new();
            let scheme = load(Source::Path(&self.path()), &self.options, &mut session);
            let scheme = scheme.unwrap_or_else(|f| panic!("{}", told(&f, &session)));
            let base = derive::rules(&self.options, &mut session).expect("the rules");
            let derived = derive::derive(&base, &scheme, strategy, &self.options);
            let derived = derived.unwrap_or_else(|f| panic!("{}", told(&f, &session)));
            let mut terms = derived.scheme.terms.clone();
            let root = author_names(&mut terms, derived.scheme.root);
            let style = Style {
                notation: Notation::Text,
                language: Default::default(),
                comments: false,
            };
            print(&terms, root, style)
        })
    }

    /// What is told of it when it is read.
    fn refused(&self) -> String {
        with_deep_stack(|| {
            let mut session = Session::new();
            let read = load_declared(Source::Path(&self.path()), &self.options, &mut session);
            told(&read.err().expect("it is refused"), &session)
        })
    }

    /// Runs it on a target, and compares with the machine's sequential run.
    fn runs(&self, target: Target, strategy: &str) {
        let run = Run {
            target,
            strategy: Some(strategy.to_owned()),
            reference: Some(Target::Interpreter),
            options: self.options.clone(),
            ..Run::default()
        };
        let mut session = Session::new();
        let outcome = with_deep_stack(|| run.run(Source::Path(&self.path()), &mut session));
        let outcome = outcome.unwrap_or_else(|f| panic!("{}", told(&f, &session)));
        let compared = outcome.compared.expect("it was asked for");
        assert!(compared.passed, "{} {strategy}", target.name());
    }

    /// The text of all files of a program.
    fn emitted(&self, target: Target, strategy: &str) -> String {
        let mut session = Session::new();
        let emission = with_deep_stack(|| {
            emit(
                Source::Path(&self.path()),
                target,
                Some(strategy),
                &Default::default(),
                &self.options,
                &mut session,
            )
        });
        let emission = emission.unwrap_or_else(|f| panic!("{}", told(&f, &session)));
        let files = emission.project.files.into_iter();
        files.map(|(_, text)| text).collect()
    }
}

#[test]
fn what_is_read_does_not_excuse_what_is_written() {
    let scheme = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 8\n  x : REAL [N] INPUT OUTPUT\nEND OF DATA\n  \
        FOR (i FROM 0 TO N - 1) LOOP \"Back (x) at (i)\" END OF LOOP\nEND OF SCHEME \"s\"\n";
    let shown = |list: &str| {
        let given = Given::new(
            scheme,
            &format!(
                "\"Back (x) at (k)\" ==== BASIC (x : REAL [n]; k : INTEGER)\n  {list}\n  \
                 MEANS x[max(k - 1, 0)] := 7\n  CODE rust ``` act($x, $k); ```\nEND OF BASIC\n"
            ),
        );
        with_deep_stack(|| {
            let mut session = Session::new();
            let scheme = load(Source::Path(&given.path()), &given.options, &mut session);
            scheme.expect("a scheme").basics[0].is_shown
        })
    };
    assert!(!shown("READS x WRITES x[k]"));
    assert!(shown("READS k WRITES x"));
    // A value that is written is read as well, where the meaning says so.
    let bump = "\"Back (x) at (k)\" ==== BASIC (x : REAL [n]; k : INTEGER) WRITES x[k], k\n  \
        MEANS k := k + 1; x[k] := 0\nEND OF BASIC\n";
    let refused = Given::new(scheme, bump).refused();
    assert!(
        refused.contains("reads `k`, which its READS does not list"),
        "{refused}"
    );
}

#[test]
fn what_no_list_tells_is_not_meant() {
    let scheme = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 8\n  x : REAL [N] OUTPUT\nEND OF DATA\n  \
        FOR (i FROM 0 TO N - 1) LOOP \"Tell (i) to (x[i])\" END OF LOOP\nEND OF SCHEME \"s\"\n";
    let operator = |meaning: &str| {
        let text = "\"Tell (v) to (y)\" ==== BASIC (v : REAL; y : REAL) WRITES y\n  MEANS";
        format!("{text} {meaning}\n  CODE rust ``` *$y = $v; ```\nEND OF BASIC\n")
    };
    let given = Given::new(scheme, &operator("REPORT \"v\" (v); y := v"));
    assert!(
        given
            .refused()
            .contains("has Report, of which no list tells")
    );
    // What a kernel cannot do is not put into one.
    let given = Given::new(scheme, &operator("PARALLEL (j FROM 0 TO 0) ( y := v )"));
    assert!(!given.derived("gpu").contains("RunKernel"));
    given.runs(Target::Rust, "cpu");
}

#[test]
fn outlines_keep_the_order_of_their_scalars() {
    let outline = |body: &str, operators: &str| {
        let text = format!("SCHEME \"s\" ====\n{body}\nWHERE\n{operators}\nEND OF SCHEME \"s\"\n");
        Given::new(&text, "")
    };
    let body = "FOR (k FROM 0 TO N - 1) LOOP \"Do it\"; \"And (k)\" END OF LOOP";
    let operators = "\"Do it\" ==== BASIC READS t WRITES t END OF BASIC\n\
        \"And (j)\" ==== BASIC READS t WRITES y[j] END OF BASIC\n";
    for strategy in ["parallel", "cpu", "gpu", "gpu_fast"] {
        let derived = outline(body, operators).derived(strategy);
        assert!(
            derived.contains("FOR (k FROM 0 TO N - 1) LOOP"),
            "{derived}"
        );
    }
    // A name of a loop is none of an operator's.
    let captured = outline(body, "\"Do it\" ==== BASIC WRITES x[k] END OF BASIC\n");
    let refused = captured.refused();
    assert!(
        refused.contains("names `k`, which is no argument"),
        "{refused}"
    );
}

#[test]
fn names_in_subscripts_are_not_replaced() {
    let scheme = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 4\n  p : INTEGER [N] INPUT\n  \
        y, z : REAL [N] INPUT OUTPUT\n  k : INTEGER\nEND OF DATA\n  FOR (i FROM 1 TO 3) LOOP\n    k := p[i];\n    \
        RunKernel (1, 4) ( y[thread] := y[thread] + k; IF thread = 0 THEN \"Do it\" END IF );\n    \
        WAIT 'done'\n  END OF LOOP\nWHERE\n  \"Do it\" ==== BASIC WRITES z[k] END OF BASIC\n\
        END OF SCHEME \"s\"\n";
    let given = Given::new(scheme, "");
    let with_argument = scheme
        .replace("\"Do it\" ====", "\"Do it to (j)\" ====")
        .replace("z[k]", "z[j]")
        .replace("\"Do it\"", "\"Do it to (k)\"");
    let passed = Given::new(&with_argument, "");
    assert!(
        passed.derived("in_cell_alone").contains("z[cell_k[0]]") || {
            passed
                .derived("in_cell_alone")
                .contains("\"Do it to (cell_k[0])\"")
        }
    );
    let refused = with_deep_stack(|| {
        let mut session = Session::new();
        let scheme = load(Source::Path(&given.path()), &given.options, &mut session);
        let base = derive::rules(&given.options, &mut session).expect("the rules");
        let scheme = scheme.expect("a scheme");
        let derived = derive::derive(&base, &scheme, "in_cell_alone", &given.options);
        told(&derived.err().expect("it is stopped"), &session)
    });
    assert!(
        refused.contains("names what would be replaced"),
        "{refused}"
    );
}

/// An operator that the host has the device do.
const SCALE: &str = "\"Scale (x) by (f)\" ==== BASIC (x : REAL [n]; f : REAL)\n  READS x\n  WRITES x\n  \
    MEANS FOR (i FROM 0 TO n - 1) LOOP x[i] := x[i] * f END OF LOOP\n  \
    CODE launch ``` scale($x, $n, $f, $stream); ```\nEND OF BASIC\n";

#[test]
fn code_for_launches_is_passed_what_the_host_has() {
    let scheme = |argument: &str| {
        let text = format!(
            "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 1000\n  x, y : REAL [N] OUTPUT\n  s : REAL\nEND OF DATA\n  \
             FOR (i FROM 0 TO N - 1) LOOP y[i] := i + 2; x[i] := i END OF LOOP;\n  \
             FOR (t FROM 1 TO 5) LOOP\n    s := 2 * y[t];\n    \"Scale (x) by ({argument})\";\n    \
             FOR (i FROM 0 TO N - 1) LOOP x[i] := x[i] + 1; y[i] := y[i] + x[i] END OF LOOP\n  \
             END OF LOOP\nEND OF SCHEME \"s\"\n"
        );
        Given::new(&text, SCALE)
    };
    for strategy in ["gpu", "gpu_fast"] {
        // A scalar of the host stays one.
        let by_scalar = scheme("s");
        let derived = by_scalar.derived(strategy);
        assert!(
            derived.contains("RunKernel (1, 1) (\n      \"Scale (x) by (s)\""),
            "{derived}"
        );
        let emitted = by_scalar.emitted(Target::Cuda, strategy);
        assert!(
            emitted.contains("scale_by(x_on_device.cells(), s, N, stream);"),
            "{emitted}"
        );
        by_scalar.runs(Target::Interpreter, strategy);
        // A cell that kernels write is not the host's to pass.
        let by_cell = scheme("y[0]");
        let emitted = by_cell.emitted(Target::Cuda, strategy);
        assert!(!emitted.contains("scale_by("), "{emitted}");
        by_cell.runs(Target::Interpreter, strategy);
    }
}

#[test]
fn code_for_launches_is_for_one_launch() {
    let scheme = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 1000\n  B : INTEGER := 2\n  \
        x : REAL [N] INPUT OUTPUT\nEND OF DATA\n  \"Allocate memory for (x) on the device\";\n  \
        \"Copy (x) to the device\";\n  RunKernel (B, 1) (\"Scale (x) by (thread + 2)\");\n  \
        WAIT 'all threads are done';\n  \"Copy (x) from the device\";\n  \
        \"Free memory of (x) on the device\"\nEND OF SCHEME \"s\"\n";
    // Two threads do what their meaning says.
    let emitted = Given::new(scheme, SCALE).emitted(Target::Cuda, "sequential");
    assert!(!emitted.contains("scale(x"), "{emitted}");
    // Nothing of the host is recorded.
    let repeated = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 1000\n  x : REAL [N] INPUT OUTPUT\n  \
        y : REAL [1] INPUT OUTPUT\nEND OF DATA\n  WHILE y[0] < 30 LOOP\n    \
        FOR (i FROM 0 TO N - 1) LOOP x[i] := x[i] * 3 END OF LOOP;\n    \"Scale (x) by (2)\";\n    \
        FOR (i FROM 0 TO 0) LOOP y[i] := y[i] + x[0] END OF LOOP\n  END OF LOOP\nEND OF SCHEME \"s\"\n";
    let mut given = Given::new(repeated, SCALE);
    given.options.with = vec!["graphs=1".to_owned()];
    let derived = given.derived("gpu_fast");
    assert!(derived.contains("RunKernel (1, 1)"), "{derived}");
    assert!(!derived.contains("RECORDED"), "{derived}");
}

#[test]
fn a_target_without_code_for_launches_leaves_an_operator_to_the_host() {
    let scheme = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 1000\n  x : REAL [N] INPUT OUTPUT\nEND OF DATA\n  \
        \"Sort (x)\"\nEND OF SCHEME \"s\"\n";
    let given = Given::new(scheme, "");
    let cuda = given.emitted(Target::Cuda, "gpu");
    assert!(
        cuda.contains("cudaStream_t stream = Work::now().stream();"),
        "{cuda}"
    );
    let rust = given.emitted(Target::RustCuda, "gpu");
    assert!(rust.contains(".sort_by(order);"), "{rust}");
    // Values of parameters that are given keep the operators.
    let mut other = given;
    other.options.set = vec!["N=7".to_owned()];
    assert!(other.emitted(Target::Cuda, "gpu").contains("thrust::sort"));
}

#[test]
fn meanings_are_passed_what_code_is() {
    let scheme = "SCHEME \"s\" ====\nDATA\n  k : INTEGER\n  s, u, w, z : REAL OUTPUT\n  v : VECTOR OUTPUT\n  \
        d : REAL64 OUTPUT\nEND OF DATA\n  k := 3;\n  \"Set (s) to half of (k)\";\n  \
        \"Set (u) to half of (3)\";\n  \"Set (w) to half of (k + 2)\";\n  \
        IF 'Half of (k) is small' THEN z := 1 ELSE z := 2 END IF;\n  \"Double (0) into (v)\";\n  \
        \"Third of (0.1) into (d)\"\nEND OF SCHEME \"s\"\n";
    let operators = "\"Set (s) to half of (v)\" ==== BASIC (s : REAL; v : REAL) WRITES s MEANS s := v / 2\n\
        CODE rust ``` *$s = $v / 2.0; ```\nCODE cpp ``` $s = $v / 2; ```\nEND OF BASIC\n\
        'Half of (v) is small' ==== BASIC (v : REAL) MEANS v / 2 < 1.25\n\
        CODE rust ``` $v / 2.0 < 1.25 ```\nCODE cpp ``` return $v / 2 < 1.25; ```\nEND OF BASIC\n\
        \"Double (a) into (b)\" ==== BASIC (a, b : VECTOR) WRITES b MEANS b := 2 * a\n\
        CODE rust ``` $b.x = 2.0 * $a.x; $b.y = 2.0 * $a.y; $b.z = 2.0 * $a.z; ```\nEND OF BASIC\n\
        \"Third of (a) into (b)\" ==== BASIC (a, b : REAL64) WRITES b MEANS b := a / 3\n\
        CODE rust ``` *$b = $a / 3.0; ```\nEND OF BASIC\n";
    let given = Given::new(scheme, operators);
    given.runs(Target::Rust, "sequential");
    if openmp_or_skip().is_some() {
        given.runs(Target::Cpp, "sequential");
    }
}

#[test]
fn predicates_see_what_the_device_wrote() {
    let operators = "'Any of (x) is above (t)' ==== BASIC (x : REAL [n]; t : REAL) READS x MEANS x[0] > t\n\
        CODE rust ``` $x[0] > $t ```\nCODE cuda ``` return $x[0] > $t; ```\nEND OF BASIC\n";
    let scheme = |body: &str| {
        let text = format!(
            "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 4\n  x, y : REAL [N] OUTPUT\nEND OF DATA\n  \
             FOR (i FROM 0 TO N - 1) LOOP x[i] := i; y[i] := 0 END OF LOOP;\n{body}\nEND OF SCHEME \"s\"\n"
        );
        Given::new(&text, operators)
    };
    let grow = "FOR (i FROM 0 TO N - 1) LOOP x[i] := x[i] + 1 END OF LOOP";
    let mark = "FOR (i FROM 0 TO N - 1) LOOP y[i] := y[i] + 1 END OF LOOP";
    let bodies = [
        format!(
            "FOR (t FROM 1 TO 6) LOOP {grow}; IF 'Any of (x) is above (3)' THEN {mark} END IF END OF LOOP"
        ),
        format!("WHILE NOT 'Any of (x) is above (5)' LOOP {grow}; {mark} END OF LOOP"),
        format!(
            "{grow}; FOR (i FROM 0 TO select('Any of (x) is above (0)', 3, 1)) LOOP y[i] := 5 END OF LOOP"
        ),
    ];
    for body in &bodies {
        let mut given = scheme(body);
        for strategy in ["gpu", "gpu_fast", "cpu"] {
            given.runs(Target::Interpreter, strategy);
        }
        given.options.with = vec!["graphs=1".to_owned()];
        given.runs(Target::Interpreter, "gpu_fast");
    }
}

#[test]
fn a_family_leaves_latex_as_it_is() {
    let text = "SCHEME \"s\" ====\nGIVEN k IN {1, 2}\nDATA\n  N : INTEGER := 8\n  x, y : VECTOR2 [N] INPUT OUTPUT\n\
        END OF DATA\n  \"Turn (x) into (y)\"\nWHERE\n  \"Turn (x) into (y)\" ==== BASIC (x, y : VECTOR2 [n])\n    \
        READS x\n    WRITES y\n    LATEX \"$y \\\\gets \\\\mathcal{F}_{k}\\\\,$x\"\n  END OF BASIC\n\
        END OF SCHEME \"s\"\n";
    let show = Show {
        form: Form::Latex,
        ..Show::default()
    };
    let source = Source::Text {
        name: "s.saa",
        text,
    };
    let shown = with_deep_stack(|| show.show(source, &mut Session::new()));
    let shown = shown.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    assert!(shown.contains("y \\gets \\mathcal{F}_{k}\\,x"), "{shown}");
}

#[test]
fn a_scheme_that_is_used_holds_no_code() {
    let used = "SCHEME \"u\" ====\n  EMPTY\nWHERE\n  \"Op (x)\" ==== BASIC (x : REAL [n])\n    WRITES x\n    \
        MEANS x[0] := 1\n    CODE rust ``` act($x); ```\n  END OF BASIC\nEND OF SCHEME \"u\"\n";
    let scheme = "USE \"u.saa\"\nSCHEME \"s\" ====\nDATA\n  x : REAL [4] OUTPUT\nEND OF DATA\n  \"Op (x)\"\n\
        END OF SCHEME \"s\"\n";
    let given = Given::new(scheme, "");
    std::fs::write(given.folder.path().join("u.saa"), used).expect("a file");
    let refused = given.refused();
    assert!(
        refused.contains("error[E0227]") && refused.contains("u.saa"),
        "{refused}"
    );
}

#[test]
fn code_that_fails_in_parallel_is_an_error() {
    let operator = |head: &str| {
        format!(
            "\"Try (y)\" ==== BASIC (y : REAL)\n  WRITES y\n  MEANS y := 1\n  CODE cpp ```\n    \
             #include <stdexcept>\n    {head}\n    if ($y == $y) throw std::runtime_error(\"it failed\");\n  \
             ```\nEND OF BASIC\n"
        )
    };
    let scheme = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 100\n  y : REAL [N] OUTPUT\nEND OF DATA\n  \
        FOR (i FROM 0 TO N - 1) LOOP \"Try (y[i])\" END OF LOOP\nEND OF SCHEME \"s\"\n";
    let emitted = Given::new(scheme, &operator("#link z")).emitted(Target::Cpp, "cpu");
    assert!(emitted.contains("_library PUBLIC z)"), "{emitted}");
    if openmp_or_skip().is_none() {
        return;
    }
    let given = Given::new(scheme, &operator(""));
    let run = Run {
        target: Target::Cpp,
        strategy: Some("cpu".to_owned()),
        options: given.options.clone(),
        ..Run::default()
    };
    let mut session = Session::new();
    let ran = with_deep_stack(|| run.run(Source::Path(&given.path()), &mut session));
    let said = told(&ran.expect_err("it fails"), &session);
    assert!(said.contains("it failed"), "{said}");
}

#[test]
fn meanings_in_circles_are_told() {
    let text = "SCHEME \"s\" ====\n  FOR (i FROM 0 TO N - 1) LOOP \"A (i)\"; \"B (i)\" END OF LOOP\nWHERE\n  \
        \"A (i)\" ==== \"A (i)\"\n  \"B (i)\" ==== BASIC\n    READS x[i]\n    WRITES x[i]\n    \
        MEANS \"A (i)\"; \"B (i)\"\n  END OF BASIC\nEND OF SCHEME \"s\"\n";
    let refused = Given::new(text, "").refused();
    assert_eq!(refused.matches("error[E0206]").count(), 2, "{refused}");
}
