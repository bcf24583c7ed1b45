//! Where the lines of emitted programs come from.

use super::{Ran, glushkov};
use glushkov::trace::{Found, Trace, look_up};
use serde_json::{Value, json};
use std::path::PathBuf;

/// An emitted project.
struct Emitted {
    folder: tempfile::TempDir,
    /// The file with its kernels.
    file: &'static str,
}

impl Emitted {
    fn new(strategy: &str, target: &str, file: &'static str) -> Emitted {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("p");
        let place = place.to_str().expect("UTF-8");
        let target = ["--target", target, "--strategy", strategy, "-o", place];
        // One kind of step is enough to look at.
        let with: &[&str] = match strategy {
            "gpu" | "cpu" => &["--with", "reports=0"],
            _ => &[],
        };
        let ran = glushkov(&[&["emit", "hermite"][..], &target, with].concat(), "");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        Emitted { folder, file }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join("p").join(file)
    }

    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.path(file)).expect("an emitted file")
    }

    fn trace(&self) -> Trace {
        Trace::read(&self.text("trace.json")).expect("a trace")
    }

    /// The number of the first line that has a text.
    fn line(&self, file: &str, part: &str) -> usize {
        let text = self.text(file);
        let at = text.lines().position(|line| line.contains(part));
        1 + at.unwrap_or_else(|| panic!("no line of {file} has {part}\n{text}"))
    }

    fn explain(&self, file: &str, line: impl std::fmt::Display, more: &[&str]) -> Ran {
        let what = format!("{}:{line}", self.path(file).display());
        glushkov(&[&["explain", what.as_str()][..], more].concat(), "")
    }

    /// What is said of the first line that has a text.
    fn told(&self, part: &str) -> String {
        let ran = self.explain(self.file, self.line(self.file, part), &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out
    }
}

const CUDA: &str = "n_body_fourth_order_hermite.cu";

fn all() -> [Emitted; 4] {
    [
        Emitted::new("gpu", "cuda", CUDA),
        Emitted::new("gpu", "rust", "src/lib.rs"),
        Emitted::new("gpu", "rust-cuda", "src/kernels.cu"),
        Emitted::new("paper", "cuda", CUDA),
    ]
}

/// A line of a program in C++ comes from a step or from its template.
#[test]
fn lines_in_cpp_are_explained() {
    let cpp = Emitted::new("cpu", "cpp", "n_body_fourth_order_hermite.cpp");
    let told = cpp.told("parallel<int>(");
    assert!(told.contains("parallel_loop"), "{told}");
    let told = cpp.told("#include \"support.hpp\"");
    assert!(told.contains("cuda/program.cu.tera"), "{told}");
}

/// The lines of the functions that are kernels: numbers from 1, signatures and braces too.
fn kernel_lines(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut inside = false;
    for (line, number) in text.lines().zip(1..) {
        let is_head = line.starts_with("__global__") || line.starts_with("extern \"C\"");
        let is_function = line.starts_with("fn ") && !line.starts_with("fn run(");
        inside |= is_head || is_function;
        if inside {
            found.push(number);
        }
        inside &= line != "}";
    }
    found
}

#[test]
fn every_line_of_a_kernel_has_a_phrase_and_a_rule() {
    for emitted in all() {
        let (trace, text) = (emitted.trace(), emitted.text(emitted.file));
        let lines = kernel_lines(&text);
        assert!(lines.len() > 60, "{}: {}", emitted.file, lines.len());
        for number in lines {
            let told = look_up(&trace, emitted.file, &text, number).expect("an answer");
            let Found::Scheme {
                origin,
                place,
                steps,
                around,
            } = told.found
            else {
                panic!("{}:{number}: {}", emitted.file, told.text);
            };
            assert!(
                origin.phrase.is_some() || origin.near.is_some(),
                "{}",
                told.text
            );
            let (source, line) = place.expect("a place in the scheme");
            assert!(
                source.name.ends_with("hermite.saa") && line > 20,
                "{}",
                told.text
            );
            let mut rules = steps.iter().chain(&around);
            assert!(rules.any(|s| s.rule == "kernel"), "{}", told.text);
        }
    }
}

#[test]
fn lines_are_told_by_what_they_are() {
    let all = all();
    let phrase = "Compute acceleration (a0) and jerk (j0) of body (i) from (r) and (v)";
    for (emitted, guard, from_author, copy) in [
        (
            &all[0],
            "if (i <= N - 1) {",
            "const vec3 d = r[s] - r[i];",
            "m_on_device.copy_from(m)",
        ),
        (
            &all[1],
            "if i <= n - 1 {",
            "let w = v[s as usize] - v[i as usize];",
            "m_on_device.cells().copy_from_slice(m)",
        ),
    ] {
        // The guard is made by the rule, with its condition's answers.
        let told = emitted.told(guard);
        assert!(told.contains(guard), "{told}");
        assert!(told.contains(&format!("near \"{phrase}\"")), "{told}");
        assert!(
            told.contains("made by    step 1, kernel (rules/gpu/kernel.rules), exact"),
            "{told}"
        );
        assert!(
            told.contains("on_host: yes, decided: it stands at the host's level"),
            "{told}"
        );
        assert!(
            told.contains("independent($i, $a, $b, $A): yes, proved: "),
            "{told}"
        );
        assert!(told.contains("threads = 256"), "{told}");
        // What the author wrote, where the author wrote it.
        let told = emitted.told(from_author);
        assert!(told.contains(&format!("phrase     \"{phrase}\"")), "{told}");
        assert!(
            told.contains("no rule: it stands as the author wrote it"),
            "{told}"
        );
        assert!(told.contains("stands in  step 1, kernel"), "{told}");
        let scheme = include_str!("../../schemes/nbody/hermite.saa");
        let line = match emitted.file {
            CUDA => "LOCAL d : VECTOR := x[s] - x[i]",
            _ => "LOCAL w : VECTOR := u[s] - u[i]",
        };
        let written = scheme.lines().position(|l| l.contains(line));
        let place = format!(
            "hermite.saa:{}\n",
            1 + written.expect("a line of the scheme")
        );
        assert!(told.contains(&place), "{told}\n{place}");
        // A copy that a rule placed; the head of the file, which a template has.
        let told = emitted.told(copy);
        assert!(
            told.contains("made by    step ") && told.contains(", copy_in ("),
            "{told}"
        );
        let told = emitted.explain(emitted.file, 1, &[]).out;
        assert!(told.contains("from the template "), "{told}");
    }
    let cuda = &all[0];
    for (file, template) in [
        ("npy.hpp", "cuda/npy.hpp"),
        ("main.cpp", "cuda/main.cpp.tera"),
        ("CMakeLists.txt", "cuda/CMakeLists.txt.tera"),
    ] {
        let told = cuda.explain(file, 3, &[]).out;
        assert!(
            told.contains(&format!("from the template {template}: no rule")),
            "{told}"
        );
    }
    let told = all[1].explain("Cargo.lock", 1, &[]).out;
    assert!(told.contains("written for every project"), "{told}");
    // The published route: the sum in its cell is another rule's, in loops of others.
    let told = all[3].told("a0[i] += g * d;");
    assert!(
        told.contains("made by    step 1, in_place (rules/refine/in_place.rules)"),
        "{told}"
    );
    for rule in ["strip_mine", "interchange", "kernel"] {
        let found = told
            .lines()
            .any(|l| l.starts_with("stands in") && l.contains(rule));
        assert!(found, "{told}\n{rule}");
    }
}

#[test]
fn machines_are_told_the_same() {
    let cuda = &Emitted::new("gpu", "cuda", CUDA);
    let line = cuda.line(CUDA, "if (i <= N - 1) {");
    let ran = cuda.explain(CUDA, line, &["--json"]);
    let value: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        (&value["line"], &value["text"]),
        (&json!(line), &json!("if (i <= N - 1) {"))
    );
    assert_eq!(
        (&value["edited"], &value["float"]),
        (&json!(false), &json!("exact"))
    );
    assert_eq!(value["steps"][0]["rule"], json!("kernel"));
    assert_eq!(value["steps"][0]["asked"][0]["status"], json!("decided"));
    assert_eq!(value["scheme"]["line"], json!(25));
    let value: Value = serde_json::from_str(&cuda.explain(CUDA, 1, &["--json"]).out).expect("JSON");
    assert_eq!(value["template"], json!("cuda/program.cu.tera"));
    let page = glushkov(&["explain", "E0008", "--json"], "").out;
    let value: Value = serde_json::from_str(&page).expect("JSON");
    assert_eq!(value["code"], json!("E0008"));
}

#[test]
fn an_edited_file_is_told_as_such() {
    let cuda = &Emitted::new("gpu", "cuda", CUDA);
    let (guard, own) = (cuda.line(CUDA, "if (i <= N - 1) {"), "    i_am_new();");
    let text = cuda.text(CUDA);
    let write = |lines: Vec<&str>| {
        std::fs::write(cuda.path(CUDA), lines.join("\n") + "\n").expect("a writable file");
    };
    // Two lines more before the guard, and another one changed far below.
    let mut lines: Vec<&str> = text.lines().collect();
    lines.splice(guard - 1..guard - 1, [own, own]);
    let changed = lines.len() - 20;
    lines[changed] = "changed";
    write(lines);
    let ran = cuda.explain(CUDA, guard - 2, &[]);
    assert!(
        ran.err.contains("N0009") && ran.err.contains("as it was"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("step 1, kernel"), "{}", ran.out);
    for line in [guard, guard + 1, changed + 1] {
        let ran = cuda.explain(CUDA, line, &[]);
        assert_eq!(ran.code, Some(2), "{}", ran.out);
        assert!(
            ran.err.contains("E0008") && ran.err.contains("emit the project anew"),
            "{}",
            ran.err
        );
    }
    let moved = cuda.line(CUDA, "const vec3 d = r[s] - r[i];");
    let ran = cuda.explain(CUDA, moved, &["--json"]);
    let value: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        (&value["edited"], &value["emitted_as"]),
        (&json!(true), &json!(moved - 2))
    );
    assert!(value["phrase"].is_string(), "{value}");
    let end = text.lines().count() + 2;
    let value: Value =
        serde_json::from_str(&cuda.explain(CUDA, end, &["--json"]).out).expect("JSON");
    assert_eq!(value["emitted_as"], json!(end - 2));
}

#[test]
fn what_cannot_be_explained_is_told_with_a_hint() {
    let cuda = &Emitted::new("gpu", "cuda", CUDA);
    let refused = |ran: Ran, code: &str, words: &str| {
        assert_eq!(ran.code, Some(2), "{}", ran.out);
        assert!(
            ran.err.contains(code) && ran.err.contains(words),
            "{}",
            ran.err
        );
        assert!(ran.err.contains("help"), "{}", ran.err);
    };
    let count = cuda.text(CUDA).lines().count();
    refused(
        cuda.explain(CUDA, 0, &[]),
        "E0008",
        &format!("has {count} lines"),
    );
    refused(
        cuda.explain(CUDA, count + 1, &[]),
        "E0008",
        "lines are counted from 1",
    );
    refused(
        cuda.explain(CUDA, "x", &[]),
        "E0006",
        "`x` is not a line number",
    );
    refused(
        cuda.explain("nothing.cu", 1, &[]),
        "E0002",
        "there is no file",
    );
    refused(
        glushkov(&["explain", "Cargo.toml:1"], ""),
        "E0008",
        "no trace.json beside it",
    );
    refused(
        glushkov(&["explain", "Cargo.toml"], ""),
        "E0006",
        "name a line",
    );
    std::fs::write(cuda.path("mine.txt"), "mine\n").expect("a writable file");
    refused(
        cuda.explain("mine.txt", 1, &[]),
        "E0008",
        "knows no file mine.txt",
    );
    for (text, words) in [
        ("{}", "format"),
        ("no JSON", "JSON"),
        (r#"{"format": "glushkov trace", "version": 2}"#, "version"),
    ] {
        std::fs::write(cuda.path("trace.json"), text).expect("a writable file");
        refused(cuda.explain(CUDA, 1, &[]), "E0008", words);
    }
}
