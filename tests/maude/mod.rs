//! Maude, which random systems are held against where it is installed.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What Maude prints for a text; none where it is not installed.
pub fn maude(text: &str) -> Option<String> {
    let mut child = Command::new("maude")
        .args(["-no-banner", "-no-wrap", "-no-advise"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .inspect_err(|_| println!("skipped: no maude"))
        .ok()?;
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("Maude ends");
    writer.join().expect("the writer ends").expect("a text");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
