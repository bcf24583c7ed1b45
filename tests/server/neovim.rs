//! A real editor, where it is installed: Neovim with the settings of `editors/neovim`.

use std::process::Command;

#[test]
fn neovim_is_told_and_changes_its_text() {
    let is_there = Command::new("nvim").arg("--version").output();
    if is_there.is_err() {
        println!("nvim is not installed");
        return;
    }
    let done = Command::new("nvim")
        .args([
            "--headless",
            "--clean",
            "-c",
            "luafile editors/neovim/try.lua",
        ])
        .env("GLUSHKOV", env!("CARGO_BIN_EXE_glushkov"))
        .env("NVIM_LOG_FILE", "/dev/null")
        .output()
        .expect("nvim starts");
    let told = String::from_utf8_lossy(&done.stderr).replace('\r', "");
    assert!(done.status.success(), "{told}");
    let line = |begins: &str| {
        let found = told.lines().find_map(|l| l.strip_prefix(begins));
        found.unwrap_or_else(|| panic!("no {begins} in {told}"))
    };
    assert_eq!(line("diagnostic: "), "9:47 `b` is not declared");
    assert!(line("hover: ").contains("sum : REAL OUTPUT"), "{told}");
    let offered: Vec<&str> = line("completion: ").split(", ").collect();
    assert!(offered.contains(&"sum") && offered.contains(&"WHILE … LOOP"));
    let renamed = "  FOR (i FROM 0 TO N - 1) LOOP   total := total + a[i] END OF LOOP";
    assert_eq!(line("renamed: "), renamed);
    assert_eq!(line("laid out: "), renamed.replace("LOOP   ", "LOOP "));
}
