//! What supplies INPUT arrays: a folder, what DATA says where the folder lacks one; and options that
//! are numbers.

use super::glushkov;

const SCHEME: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 4\n  h : REAL := 1\n  \
    a, b : REAL [N] INPUT\n  c : REAL [N] INPUT := [1, 2, 3, 4]\n  z : REAL [N] OUTPUT\n  \
    DEFAULT INPUT \"random\" (x := a)\n  DEFAULT INPUT \"random\" (x := b, seed := 2)\nEND OF DATA\n  \
    FOR (i FROM 0 TO N - 1) LOOP z[i] := h * a[i] + b[i] END OF LOOP\nEND OF SCHEME \"s\"\n";

fn interpreted(more: &[&str], text: &str) -> super::Ran {
    let mut arguments = vec!["run", "-", "--target", "interpreter", "--no-compare"];
    arguments.extend(more);
    glushkov(&arguments, text)
}

#[test]
fn what_a_folder_lacks_is_made_as_data_says() {
    let text = SCHEME.replace("  c : REAL [N] INPUT := [1, 2, 3, 4]\n", "");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let made = glushkov(&["data", "random", "--set", "n=4", "-o", &path("made")], "");
    assert_eq!(made.code, Some(0), "{}", made.err);
    std::fs::create_dir(path("in")).expect("a folder");
    for has in [&["a"][..], &["b"], &["a", "b"], &[]] {
        for name in ["a", "b"] {
            let _ = std::fs::remove_file(path(&format!("in/{name}.npy")));
        }
        for name in has {
            std::fs::copy(path("made/x.npy"), path(&format!("in/{name}.npy"))).expect("a copy");
        }
        let ran = interpreted(&["--in", &path("in")], &text);
        assert_eq!(ran.code, Some(0), "{has:?}\n{}", ran.err);
    }
    // Without a DEFAULT INPUT for it, an array is still asked for.
    let text = text.replace("  DEFAULT INPUT \"random\" (x := b, seed := 2)\n", "");
    let ran = interpreted(&["--in", &path("in")], &text);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(
        ran.err.contains("E0412") && ran.err.contains("`b`"),
        "{}",
        ran.err
    );
    // A link that leads nowhere is a file that cannot be read, not one that is not there.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", path("in/b.npy")).expect("a link");
        let ran = interpreted(&["--in", &path("in")], SCHEME);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("b.npy"), "{}", ran.err);
    }
}

#[test]
fn a_folder_of_inputs_that_is_none_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("a file");
    let none = folder.path().join("nosuch");
    for path in [&file, &none] {
        let path = path.to_str().expect("UTF-8");
        for command in ["run", "bench", "tune"] {
            let mut arguments = vec![command, "-", "--in", path];
            if command != "tune" {
                arguments.extend(["--target", "interpreter"]);
            }
            // One that reads nothing is told so, too.
            for text in [
                SCHEME,
                "SCHEME \"s\" ==== DATA x : REAL OUTPUT END OF DATA x := 1 END OF SCHEME \"s\"",
            ] {
                let ran = glushkov(&arguments, text);
                assert_eq!(ran.code, Some(2), "{command}\n{}", ran.err);
                assert!(
                    ran.err.contains("E0002") && ran.err.contains(path),
                    "{command}\n{}",
                    ran.err
                );
            }
        }
    }
}

#[test]
fn options_that_are_numbers_are_usable_ones() {
    for command in ["run", "bench", "tune"] {
        for value in [
            "NaN", "nan", "inf", "-inf", "infinity", "1e999", "-1", "-0.5", "", "x",
        ] {
            let tolerance = format!("--tolerance={value}");
            let ran = glushkov(&[command, "-", &tolerance], SCHEME);
            assert_eq!(ran.code, Some(2), "{command} {value}\n{}", ran.err);
            assert!(
                ran.err.contains("--tolerance"),
                "{command} {value}\n{}",
                ran.err
            );
        }
        // As an argument of its own, it is no other option.
        let ran = glushkov(&[command, "-", "--tolerance", "-1"], SCHEME);
        assert!(ran.err.contains("from 0 upwards"), "{command}\n{}", ran.err);
    }
    for value in ["NaN", "inf", "1e39", "-1e39", "1e999", "0x1p3", "", "TRUE"] {
        let ran = glushkov(&["check", "-", "--set", &format!("h={value}")], SCHEME);
        assert_eq!(ran.code, Some(2), "{value}\n{}", ran.err);
        assert!(ran.err.contains("E0006"), "{value}\n{}", ran.err);
    }
}
