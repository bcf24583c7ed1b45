//! Schemes to start from.

use super::glushkov;

#[test]
fn a_new_scheme_runs_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("deep").join("folder");
    let out = out.to_str().expect("UTF-8");
    for (lang, name) in [("en", "average"), ("uk", "середнє"), ("ru", "среднее 2")] {
        let ran = glushkov(&["new", name, "-o", out, "--lang", lang], "");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.contains("glushkov check"), "{}", ran.err);
        let file = format!("{out}/{name}.saa");
        let ran = glushkov(&["check", &file], "");
        assert_eq!(ran.code, Some(0), "{lang}\n{}", ran.err);
        assert!(ran.err.contains("no error"), "{lang}\n{}", ran.err);
        let arguments = ["run", &file, "--target", "interpreter", "--set", "N=50"];
        let ran = glushkov(&arguments, "");
        assert_eq!(ran.code, Some(0), "{lang}\n{}", ran.err);
        for (strategy, keyword, count) in [("parallel", "PARALLEL", 2), ("gpu", "RunKernel", 3)] {
            let ran = glushkov(&["derive", &file, "--strategy", strategy], "");
            assert_eq!(ran.code, Some(0), "{lang} {strategy}\n{}", ran.err);
            let fired = ran.out.matches(keyword).count();
            assert_eq!(fired, count, "{lang} {strategy}\n{}", ran.out);
        }
    }
    // What the comment says about INPUT holds.
    let text = std::fs::read_to_string(format!("{out}/average.saa")).expect("a scheme");
    let input = "x : REAL [N] INPUT DEFAULT INPUT \"uniform\" (m := x) ";
    let text = text
        .replace("x : REAL [N]  ", input)
        .replace("x[i] := real(i MOD 97) / 97", "EMPTY");
    let ran = glushkov(
        &["run", "-", "--target", "interpreter", "--set", "N=50"],
        &text,
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("mean: 0.01999"), "{}", ran.out);
}

#[test]
fn a_file_is_never_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let file = folder.path().join("mine.saa");
    std::fs::write(&file, "mine").expect("a file");
    let ran = glushkov(&["new", "mine", "-o", out], "");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("--force"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "mine");
    let ran = glushkov(&["new", "mine.saa", "-o", out, "--force"], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_ne!(std::fs::read_to_string(&file).expect("a file"), "mine");
    let entries = std::fs::read_dir(folder.path())
        .expect("the folder")
        .count();
    assert_eq!(entries, 1, "nothing half-written");
    std::fs::create_dir(folder.path().join("folder.saa")).expect("a folder");
    for name in [
        "folder", "", ".", "../up", "a/b", "-x", ".hidden", "a\"b", "1", "a ", "a\nb",
    ] {
        let ran = glushkov(&["new", "-o", out, "--", name], "");
        assert_eq!(ran.code, Some(2), "{name:?}\n{}", ran.err);
    }
    let ran = glushkov(&["new", "a", "-o", file.to_str().expect("UTF-8")], "");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}
