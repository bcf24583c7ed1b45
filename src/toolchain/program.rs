//! An executable → what its run printed.

use super::ToolError;
use super::conversation::Conversation;
use super::process::run_within;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A run that ended well.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramRun {
    /// The line of JSON that the program printed.
    pub json: serde_json::Value,
    /// What it wrote on standard error.
    pub stderr: String,
}

/// Runs an emitted program in the folder `folder`; `on_line` gets each line of its standard error.
///
/// # Errors
///
/// Where it does not start, ends with a code other than 0 (then with its standard error: code 1 is a
/// question answered no, 2 wrong use or input), or prints anything but one line of JSON.
pub fn run_program<S: AsRef<OsStr>>(
    executable: &Path,
    args: &[S],
    folder: &Path,
    on_line: &mut dyn FnMut(&str),
) -> Result<ProgramRun, ToolError> {
    let ran = run_program_within(executable, args, folder, None, on_line)?;
    // Without a limit it is never ended.
    ran.ok_or_else(|| ToolError::Output {
        found: "nothing".into(),
    })
}

/// An emitted program that stands by: each line to it is a run. So it starts once for many runs, and has the
/// device and its threads ready from the second one on. It ends with this value.
pub struct Standby {
    talk: Conversation,
}

/// The longest that a run is waited for, where nothing else bounds it.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

impl Standby {
    /// Starts a program in the folder `folder`.
    ///
    /// # Errors
    ///
    /// In words: why it does not start.
    pub fn start(executable: &Path, folder: &Path) -> Result<Standby, String> {
        let mut command = Command::new(executable);
        command.arg("--lines").current_dir(folder);
        command.stderr(Stdio::null());
        let talk = Conversation::start(&mut command)?;
        Ok(Standby { talk })
    }

    /// A run with these arguments: the line of JSON that the program printed. None where it takes longer
    /// than `limit`; then, as after an error, the program is of no further use.
    ///
    /// # Errors
    ///
    /// In words: arguments that no line holds, a program that has ended, and a line that is no JSON. What a
    /// program says of its errors is told by [`run_program`].
    pub fn run(
        &mut self,
        arguments: &[String],
        limit: Option<Duration>,
    ) -> Result<Option<serde_json::Value>, String> {
        if arguments.iter().any(|a| a.contains(['\t', '\n', '\r'])) {
            return Err("an argument holds a tab or ends a line".to_owned());
        }
        let (start, limit) = (Instant::now(), limit.unwrap_or(LONGEST));
        self.talk.say(&arguments.join("\t"))?;
        match self.talk.hear(limit) {
            Ok(line) => {
                let json = serde_json::from_str(line.trim()).map_err(|e| e.to_string())?;
                Ok(Some(json))
            }
            Err(_) if start.elapsed() >= limit => Ok(None),
            Err(why) => Err(why),
        }
    }
}

/// The same; none where it takes longer than `limit` and was ended.
///
/// # Errors
///
/// As those of [`run_program`].
pub fn run_program_within<S: AsRef<OsStr>>(
    executable: &Path,
    args: &[S],
    folder: &Path,
    limit: Option<Duration>,
    on_line: &mut dyn FnMut(&str),
) -> Result<Option<ProgramRun>, ToolError> {
    let mut command = Command::new(executable);
    command.args(args).current_dir(folder);
    let done = run_within(&mut command, limit, on_line).map_err(|why| ToolError::Failed {
        tool: executable.display().to_string(),
        why,
    })?;
    let Some(done) = done else {
        return Ok(None);
    };
    if !done.status.success() {
        let said = done.stderr.trim();
        return Err(ToolError::Program {
            code: done.status.code(),
            message: match done.status.code() {
                Some(_) if !said.is_empty() => said.to_string(),
                Some(_) => "it says nothing more".into(),
                // Such as "signal: 11 (SIGSEGV)".
                None => format!("{} {said}", done.status).trim().to_string(),
            },
        });
    }
    let line = done.stdout.trim();
    let bad = |what: &str| ToolError::Output { found: what.into() };
    if line.is_empty() {
        return Err(bad("nothing"));
    }
    let first = line.lines().next().unwrap_or_default();
    let shown: String = first.chars().take(200).collect();
    if first != line {
        return Err(bad(&format!("several lines, the first being `{shown}`")));
    }
    let json = serde_json::from_str(line).map_err(|e| bad(&format!("`{shown}` ({e})")))?;
    Ok(Some(ProgramRun {
        json,
        stderr: done.stderr,
    }))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(text: &str) -> Result<ProgramRun, ToolError> {
        let folder = tempfile::tempdir().unwrap();
        run_program(
            Path::new("/bin/sh"),
            &["-c", text],
            folder.path(),
            &mut |_| {},
        )
    }

    fn within(
        text: &str,
        limit: Option<Duration>,
        folder: &Path,
    ) -> Result<Option<ProgramRun>, ToolError> {
        let (shell, arguments) = (Path::new("/bin/sh"), ["-c", text]);
        run_program_within(shell, &arguments, folder, limit, &mut |_| {})
    }

    #[test]
    fn a_program_beyond_its_limit_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let limit = Some(Duration::from_millis(300));
        assert_eq!(within("sleep 30; echo 1", limit, folder.path()), Ok(None));
        let ran = within("echo 1", Some(Duration::from_secs(60)), folder.path());
        assert_eq!(ran.unwrap().unwrap().json, 1);
    }

    #[test]
    fn a_program_that_stands_by_runs_for_each_line() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        let text = "#!/bin/sh\nwhile read a b; do case $a in end) exit 1;; wait) sleep 30;; \
                    *) echo \"[\\\"$a\\\", \\\"$1\\\"]\";; esac; done\n";
        std::fs::write(&program, text).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&program, mode).unwrap();
        let start = || Standby::start(&program, folder.path()).unwrap();
        let run = |standby: &mut Standby, text: &str, limit| standby.run(&[text.to_owned()], limit);
        let mut standby = start();
        for name in ["one", "two"] {
            let json = run(&mut standby, name, None).unwrap().unwrap();
            assert_eq!(json, serde_json::json!([name, "--lines"]));
        }
        assert!(run(&mut standby, "a\tb", None).is_err());
        let limit = Some(Duration::from_millis(200));
        assert_eq!(run(&mut standby, "wait", limit), Ok(None));
        assert!(run(&mut start(), "end", None).is_err());
    }

    #[test]
    fn one_line_of_json_is_wanted() {
        let run = shell("echo '{\"a\": [1, null]}'; echo note >&2").unwrap();
        assert_eq!(run.json["a"][0], 1);
        assert_eq!(run.stderr, "note\n");
        for text in ["true", "echo hello", "echo 1; echo 2", "echo '{'"] {
            let error = shell(text).unwrap_err();
            assert!(matches!(error, ToolError::Output { .. }), "{error}");
        }
    }

    #[test]
    fn errors_of_programs_are_passed_on() {
        let error = shell("echo 'm.npy is missing' >&2; exit 2").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(
            error.to_string().ends_with("code 2: m.npy is missing"),
            "{error}"
        );
        assert_eq!(shell("exit 1").unwrap_err().exit_code(), 1);
        let error = shell("kill -11 $$").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("signal: 11"), "{error}");
    }
}
