//! Running a command to its end: both outputs kept, lines of standard error shown as they come,
//! a limit on the time.

use super::cleanup;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How much of each output is kept; the rest is read and dropped.
const KEPT: usize = 16 << 20;

/// How long a process that has ended may keep its pipes open through children of its own.
const GRACE: Duration = Duration::from_millis(500);

/// What a command did.
#[derive(Debug)]
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// Standard output, as UTF-8 as far as it is.
    pub stdout: String,
    /// Standard error, as UTF-8 as far as it is.
    pub stderr: String,
}

enum Event {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

/// Runs a command with nothing on its standard input. `on_line` gets each line of standard error.
///
/// # Errors
///
/// In words: why it could not start, or that it was ended after `limit`, with all it had started.
pub fn run(
    command: &mut Command,
    limit: Option<Duration>,
    on_line: &mut dyn FnMut(&str),
) -> Result<Finished, String> {
    let start = Instant::now();
    let done = run_within(command, limit, on_line)?;
    done.ok_or_else(|| {
        let seconds = start.elapsed().as_secs();
        format!("it was ended after {seconds} seconds")
    })
}

/// The same; none where it was ended after `limit`, with all it had started.
///
/// # Errors
///
/// In words: why it could not start.
pub fn run_within(
    command: &mut Command,
    limit: Option<Duration>,
    on_line: &mut dyn FnMut(&str),
) -> Result<Option<Finished>, String> {
    let start = Instant::now();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = cleanup::spawn(command).map_err(|e| format!("it does not start ({e})"))?;
    let events = listen(&mut child);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut ended: Option<(ExitStatus, Instant)> = None;
    loop {
        let open = match events.recv_timeout(Duration::from_millis(20)) {
            Ok(Event::Out(bytes)) => {
                keep(&mut stdout, &bytes);
                true
            }
            Ok(Event::Err(bytes)) => {
                keep(&mut stderr, &bytes);
                on_line(String::from_utf8_lossy(&bytes).trim_end());
                true
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        };
        if ended.is_none() {
            // Once the pipes are closed there is nothing to do but wait, unless time is limited.
            let status = match (open, limit) {
                (false, None) => child.wait().map(Some),
                (false, Some(_)) => {
                    thread::sleep(Duration::from_millis(2));
                    child.try_wait()
                }
                (true, _) => child.try_wait(),
            };
            let status = status.map_err(|e| format!("its end is not known ({e})"))?;
            if status.is_some() {
                cleanup::ended(&child);
            }
            ended = status.map(|status| (status, Instant::now()));
        }
        match ended {
            Some((status, at)) if !open || at.elapsed() > GRACE => {
                return Ok(Some(Finished {
                    status,
                    stdout: String::from_utf8_lossy(&stdout).into_owned(),
                    stderr: String::from_utf8_lossy(&stderr).into_owned(),
                }));
            }
            None if limit.is_some_and(|limit| start.elapsed() > limit) => {
                cleanup::end_group(&mut child);
                cleanup::ended(&child);
                return Ok(None);
            }
            _ => {}
        }
    }
}

/// Starts a thread on each of the child's outputs.
fn listen(child: &mut Child) -> Receiver<Event> {
    let (sender, events) = channel();
    if let Some(stdout) = child.stdout.take() {
        let sender = sender.clone();
        thread::spawn(move || forward_blocks(stdout, &sender));
    }
    if let Some(stderr) = child.stderr.take() {
        thread::spawn(move || forward_lines(stderr, &sender));
    }
    events
}

fn forward_blocks(mut stdout: impl Read, sender: &Sender<Event>) {
    let mut block = vec![0; 1 << 16];
    while let Ok(n) = stdout.read(&mut block) {
        if n == 0 || sender.send(Event::Out(block[..n].to_vec())).is_err() {
            return;
        }
    }
}

fn forward_lines(stderr: impl Read, sender: &Sender<Event>) {
    let mut reader = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        // A line without an end must not fill the memory.
        match reader.by_ref().take(1 << 16).read_until(b'\n', &mut line) {
            Ok(n) if n > 0 && sender.send(Event::Err(line)).is_ok() => {}
            _ => return,
        }
    }
}

fn keep(kept: &mut Vec<u8>, bytes: &[u8]) {
    let room = KEPT.saturating_sub(kept.len());
    kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(text: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        command
    }

    #[test]
    fn outputs_and_status_are_kept() {
        let mut lines = Vec::new();
        let text = "echo out; echo one >&2; echo two >&2; exit 3";
        let done = run(&mut shell(text), None, &mut |l| lines.push(l.to_string())).unwrap();
        assert_eq!(done.status.code(), Some(3));
        assert_eq!(
            (done.stdout.as_str(), done.stderr.as_str()),
            ("out\n", "one\ntwo\n")
        );
        assert_eq!(lines, ["one", "two"]);
    }

    #[test]
    fn a_limit_holds_whatever_the_pipes_do() {
        let limit = Some(Duration::from_millis(200));
        for text in ["sleep 30", "exec >&- 2>&-; sleep 30", "yes"] {
            let error = run(&mut shell(text), limit, &mut |_| {}).unwrap_err();
            assert!(error.starts_with("it was ended"), "{error}");
        }
        let start = Instant::now();
        let done = run(&mut shell("sleep 30 & echo done"), limit, &mut |_| {}).unwrap();
        assert_eq!(done.stdout, "done\n");
        assert!(start.elapsed() < Duration::from_secs(10));
        assert!(run(&mut Command::new("no-such-program"), None, &mut |_| {}).is_err());
    }
}
