//! `compile!`: schemes as modules of somebody's crates.

use crate::building::{CHAIN, write};
use glushkov::pipeline::{Options, Run, Session, Source, Target, Tuning, module};
use glushkov::term::with_deep_stack;
use glushkov::toolchain::cargo;
use std::path::Path;
use std::process::{Command, Output};

const COUNTS: &str = include_str!("counts.saa");

/// No profile has overflow checked.
const ROOT: &str = "[workspace]\nresolver = \"3\"\nmembers = [\"app\", \"old\"]\n\
                    [profile.dev]\noverflow-checks = false\n";

/// A crate that would refuse most of what emitted code does.
const MAIN: &str = r#"
#![deny(warnings, missing_docs, unused, unsafe_code, unreachable_pub, rust_2018_idioms)]
//! Two schemes in one crate, and one of them by two strategies.

mod counts {
    include!(concat!(env!("OUT_DIR"), "/counts.rs"));
}
mod fast {
    include!(concat!(env!("OUT_DIR"), "/fast.rs"));
}
mod chain {
    include!(concat!(env!("OUT_DIR"), "/chain.rs"));
}

macro_rules! outputs {
    ($module:ident, $k:expr, $wide:expr) => {{
        let sizes = $module::Sizes::new(100).expect("sizes");
        let (mut c, mut w) = (vec![0; sizes.c[0]], vec![0; sizes.w[0]]);
        let (mut x, mut v) = (vec![0.0; sizes.x[0]], vec![[0.0; 3]; sizes.v[0]]);
        let (mut best, mut sum) = (0, 0);
        let done = $module::counted_powers(
            100, $k, $wide, &mut c, &mut w, &mut x, &mut v, &mut best, &mut sum,
        );
        done.map(|reports| {
            assert_eq!(reports.rows[0].values, [f64::from(best), sum as f64]);
            assert_eq!(reports.x, x);
            let bytes = |x: f32| x.to_le_bytes();
            let all: [(&str, Vec<u8>); 4] = [
                ("c", c.iter().flat_map(|x: &i32| x.to_le_bytes()).collect()),
                ("w", w.iter().flat_map(|x: &i64| x.to_le_bytes()).collect()),
                ("x", x.iter().copied().flat_map(bytes).collect()),
                ("v", v.iter().flatten().copied().flat_map(bytes).collect()),
            ];
            all
        })
    }};
}

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let put = |of: &str, files: [(&str, Vec<u8>); 4]| {
        for (name, bytes) in files {
            std::fs::write(format!("{folder}/{of}_{name}"), bytes).expect("a file");
        }
    };
    put("counts", outputs!(counts, 3, 7).expect("a result"));
    put("fast", outputs!(fast, 3, 7).expect("a result"));
    // Out of range, in a crate that does not check.
    let large = i32::MAX / 50;
    let said = [
        outputs!(counts, large, 7).map(drop).map_err(|e| e.to_string()),
        outputs!(fast, large, 7).map(drop).map_err(|e| e.to_string()),
        outputs!(counts, 3, i64::MIN).map(drop).map_err(|e| e.to_string()),
        outputs!(fast, 3, i64::MAX / 50).map(drop).map_err(|e| e.to_string()),
    ];
    for said in said {
        println!("{}", said.expect_err("an overflow"));
    }
    assert!(matches!(chain::Sizes::new(-1), Err(chain::Error::Input(_))));
    println!("{}", chain::values_of_weights().expect("values")[1]);
}
"#;

const APP_BUILD: &str = r#"fn main() {
    glushkov::compile!("src/counts.saa", strategy = "sequential");
    glushkov::compile!("src/counts.saa", module = "fast", strategy = "cpu-fast", untested = false);
    glushkov::compile!("src/chain.saa", set = "N=5", set = "dt=0.25");
}
"#;

fn manifest(name: &str, edition: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n")
}

/// The library that these tests are linked with, for build scripts: as a dependency it would be compiled
/// once more, for minutes.
fn own_library() -> String {
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().unwrap();
    let libraries = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .filter(|entry| {
            let name = entry.file_name().into_string().unwrap_or_default();
            name.starts_with("libglushkov-") && name.ends_with(".rlib")
        });
    let newest = libraries.max_by_key(|entry| entry.metadata().unwrap().modified().unwrap());
    let newest = newest.unwrap().path();
    format!(
        "--extern glushkov={} -L dependency={}",
        newest.display(),
        folder.display()
    )
}

/// What cargo says of a build.
fn built(root: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(cargo().unwrap().path);
    command.args(words).args(["--offline", "--color=never"]);
    command
        .env("RUSTFLAGS", own_library())
        .env("CARGO_TARGET_DIR", root.join("target"));
    command.current_dir(root).output().unwrap()
}

fn said(output: &Output) -> String {
    let texts = [&output.stdout, &output.stderr];
    texts.map(|text| String::from_utf8_lossy(text)).concat()
}

#[track_caller]
fn succeeds(root: &Path, words: &[&str]) -> String {
    let output = built(root, words);
    assert!(output.status.success(), "{}", said(&output));
    said(&output)
}

/// What `glushkov run` leaves of a scheme.
fn run(strategy: &str, out: &Path) {
    with_deep_stack(|| {
        let run = Run {
            target: Target::Rust,
            strategy: Some(strategy.to_owned()),
            options: Options::default(),
            out: Some(out.to_owned()),
            tuning: Tuning::Off,
            reference: None,
            ..Run::default()
        };
        let source = Source::Text {
            name: "counts.saa",
            text: COUNTS,
        };
        run.run(source, &mut Session::new()).unwrap();
    });
}

#[test]
fn schemes_are_modules_of_a_crate() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(&root.join("Cargo.toml"), ROOT);
    write(&root.join("app/Cargo.toml"), &manifest("app", "2024"));
    write(&root.join("app/build.rs"), APP_BUILD);
    write(&root.join("app/src/main.rs"), MAIN);
    write(&root.join("app/src/counts.saa"), COUNTS);
    write(&root.join("app/src/chain.saa"), CHAIN);
    // A library by a scheme that the tool carries.
    write(&root.join("old/Cargo.toml"), &manifest("old", "2021"));
    let build = "fn main() { glushkov::compile!(\"hermite\", strategy = \"cpu-fast\"); }\n";
    write(&root.join("old/build.rs"), build);
    let lib = "include!(concat!(env!(\"OUT_DIR\"), \"/hermite.rs\"));\n";
    write(&root.join("old/src/lib.rs"), lib);

    let results = root.join("results");
    std::fs::create_dir(&results).unwrap();
    let place = results.to_str().unwrap();
    succeeds(root, &["build", "--package", "old"]);
    let output = built(root, &["build", "--package", "app"]);
    assert!(output.status.success(), "{}", said(&output));
    let mut command = Command::new(root.join("target/debug/app"));
    let output = command.arg(place).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "attempt to multiply with overflow\nattempt to multiply with overflow\n\
         attempt to negate with overflow\nattempt to subtract with overflow\n0.25\n"
    );
    for (module, strategy) in [("counts", "sequential"), ("fast", "cpu_fast")] {
        let out = root.join(strategy);
        run(strategy, &out);
        for name in ["c", "w", "x", "v"] {
            let whole = std::fs::read(out.join(format!("{name}.npy"))).unwrap();
            let bytes = std::fs::read(results.join(format!("{module}_{name}"))).unwrap();
            assert!(
                bytes.len() >= 400 && whole.ends_with(&bytes),
                "{module} {name}"
            );
        }
    }

    // Nothing is done again.
    let again = succeeds(root, &["build", "--verbose", "--package", "app"]);
    assert!(
        again.contains("Fresh app") && !again.contains("Running `"),
        "{again}"
    );

    // A scheme that has changed is compiled again.
    let changed = CHAIN.replace("0.25]", "0.75]");
    write(&root.join("app/src/chain.saa"), &changed);
    succeeds(root, &["build", "--package", "app"]);
    let output = Command::new(root.join("target/debug/app"))
        .arg(place)
        .output()
        .unwrap();
    assert!(said(&output).ends_with("0.75\n"), "{}", said(&output));

    // One that is wrong ends the build, and says where.
    let wrong = CHAIN.replace("total := 0;", "total := m;");
    write(&root.join("app/src/chain.saa"), &wrong);
    let output = built(root, &["build", "--package", "app"]);
    let told = said(&output);
    assert!(!output.status.success());
    assert!(
        told.contains("src/chain.saa:18:") && told.contains("total := m;"),
        "{told}"
    );

    // So do options that there are not, and two modules of one name.
    for (build, why) in [
        ("\"src/counts.saa\", stratagem = \"cpu\"", "--strategy"),
        (
            "\"src/counts.saa\", target = \"cuda\"",
            "nothing is emitted",
        ),
        ("\"src/none.saa\"", "src/none.saa"),
        ("\"hermite\"); glushkov::compile!(\"hermite\"", "`module`"),
    ] {
        let build = format!("fn main() {{ glushkov::compile!({build}); }}\n");
        write(&root.join("app/build.rs"), &build);
        let output = built(root, &["build", "--package", "app"]);
        let told = said(&output);
        assert!(!output.status.success() && told.contains(why), "{told}");
    }
}

/// The schemes in a folder and in those in it.
fn schemes(folder: &Path, into: &mut Vec<String>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for path in entries.iter().map(std::fs::DirEntry::path) {
        match path.extension().and_then(|e| e.to_str()) {
            None if path.is_dir() => schemes(&path, into),
            Some("saa") => into.push(path.to_str().unwrap().to_owned()),
            _ => {}
        }
    }
}

/// The library as the rules for processors leave it, and every construct as it stands.
#[test]
fn all_schemes_compile_as_modules() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let (mut lib, mut count) = ("#![deny(warnings)]\n".to_owned(), 0);
    for (place, strategy) in [("schemes", "cpu_fast"), ("tests/targets", "sequential")] {
        let mut files = Vec::new();
        schemes(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(place),
            &mut files,
        );
        for file in &files {
            let made = with_deep_stack(|| {
                let (options, mut session) = (Options::default(), Session::new());
                let source = Source::Path(file);
                module(source, Some(strategy), &Tuning::Off, &options, &mut session)
            });
            // What target rust does not have is refused: docs/targets.md.
            let Ok(made) = made else { continue };
            count += 1;
            write(&root.join(format!("src/m{count}.rs")), &made.text);
            lib += &format!("pub mod m{count} {{ include!(\"m{count}.rs\"); }} // {file}\n");
        }
    }
    assert!(count > 45, "{count} schemes are modules");
    let manifest = manifest("all", "2024") + "[workspace]\n";
    write(&root.join("Cargo.toml"), &manifest);
    write(&root.join("src/lib.rs"), &lib);
    succeeds(root, &["check"]);
}
