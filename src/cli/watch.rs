//! `glushkov watch`: a scheme checked, and run if asked, at each save.

use super::output::{Done, Output, Stop, Talk};
use crate::diagnostic::Diagnostic;
use crate::pipeline::used_paths;
use crate::toolchain::Running;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// How often files are looked at. They are asked for their state rather than the system for news of them: editors
/// that save by renaming, links and network folders are all alike then.
const EACH: Duration = Duration::from_millis(100);

/// Arguments of `watch`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov watch heat.saa\n          glushkov watch heat.saa --run -- --set N=4096 --target rust\nFiles that the scheme uses, and files named after --, are watched, too. Saving one of them ends what is still running and starts again. Ctrl-C ends watching. Of the options after --, a check before a run or a test takes --scheme, --precision and --assume."
)]
pub struct Args {
    /// The scheme's file
    file: String,
    /// Run the scheme if the check finds no error
    #[arg(long)]
    run: bool,
    /// Test the scheme by what its comments expect if the check finds no error
    #[arg(long, conflicts_with = "run")]
    test: bool,
    /// Clear the terminal before each check
    #[arg(long)]
    clear: bool,
    /// Options for check; with --run or --test, for run or test
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// With `no_config`, the commands read no file of settings either.
pub fn run(args: &Args, no_config: bool, output: &mut Output) -> Done {
    if !Path::new(&args.file).is_file() {
        return Err(no_file(&args.file));
    }
    let tool = std::env::current_exe().map_err(|e| {
        let message = format!("the tool's own file is not found: {e}");
        Diagnostic::error("E0001", message)
    })?;
    let mut seen: Vec<(PathBuf, Option<State>)> = Vec::new();
    loop {
        // Which files are used may have changed, too.
        seen = watched(args)
            .into_iter()
            .map(|path| {
                let state = state(&path, known(&seen, &path));
                (path, state)
            })
            .collect();
        if args.clear {
            output.verbatim("\x1b[2J\x1b[H")?;
        }
        let mut turn = Turn::new(args, no_config, &tool);
        turn.next(output)?;
        while !has_changed(&mut seen) {
            turn.go_on(output)?;
            std::thread::sleep(EACH);
        }
        turn.end();
    }
}

fn no_file(file: &str) -> Stop {
    let error = Diagnostic::error("E0002", format!("there is no file {file}"));
    match crate::pipeline::is_scheme(file) && !file.contains('.') {
        true => error.hint(format!(
            "it is a scheme of the library: glushkov show {file} > {file}.saa makes a file of it"
        )),
        false => error.hint("glushkov new FILE writes one to start from"),
    }
    .into()
}

/// The files that are watched: the scheme, what it uses, and what options name.
fn watched(args: &Args) -> Vec<PathBuf> {
    let file = PathBuf::from(&args.file);
    // One that is not there may come.
    let used = used_paths(&file);
    let named = args.options.iter();
    let named = named.map(|o| PathBuf::from(o.split_once('=').map_or(o.as_str(), |(_, v)| v)));
    let named = named.filter(|path| path.is_file());
    let mut all = vec![file];
    for path in used.into_iter().chain(named) {
        if !all.contains(&path) {
            all.push(path);
        }
    }
    all
}

/// Of the options of a run or of a test, those that say what is checked before it. Sizes are not among them: a check
/// takes those of CHECK.
fn for_check(options: &[String]) -> Vec<&str> {
    const THESE: [&str; 4] = ["--scheme", "--given", "--precision", "--assume"];
    let mut found = Vec::new();
    let mut words = options.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        if !THESE.contains(&name) {
            continue;
        }
        found.push(word);
        if name == word {
            found.extend(words.next());
        }
    }
    found
}

/// What a file was like.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    time: Option<SystemTime>,
    bytes: u64,
    digest: u64,
}

/// What a file is like; it is read where something has changed. None while it is not there.
fn state(path: &Path, known: Option<State>) -> Option<State> {
    let about = std::fs::metadata(path)
        .ok()
        .filter(|about| about.is_file())?;
    let (time, bytes) = (about.modified().ok(), about.len());
    if let Some(known) = known.filter(|k| (k.time, k.bytes) == (time, bytes)) {
        return Some(known);
    }
    let mut hasher = DefaultHasher::new();
    std::fs::read(path).ok()?.hash(&mut hasher);
    Some(State {
        time,
        bytes,
        digest: hasher.finish(),
    })
}

fn known(seen: &[(PathBuf, Option<State>)], path: &Path) -> Option<State> {
    let known = seen.iter().find(|(other, _)| other == path);
    known.and_then(|(_, state)| *state)
}

/// Whether a file has another text than it had, and is not being written any more.
fn has_changed(seen: &mut [(PathBuf, Option<State>)]) -> bool {
    let mut changed = false;
    for (path, last) in seen {
        loop {
            let now = state(path, *last);
            // One that is being replaced is waited for.
            let Some(now) = now else { break };
            let text = |state: &Option<State>| state.map(|s| (s.bytes, s.digest));
            changed |= text(last) != text(&Some(now));
            if *last == Some(now) {
                break;
            }
            *last = Some(now);
            std::thread::sleep(EACH / 2);
        }
    }
    changed
}

/// The commands that follow a save.
struct Turn<'a> {
    tool: &'a Path,
    no_config: bool,
    /// Those still to come, each with its options.
    later: Vec<Vec<&'a str>>,
    running: Option<Running>,
}

impl<'a> Turn<'a> {
    fn new(args: &'a Args, no_config: bool, tool: &'a Path) -> Turn<'a> {
        let options = args.options.iter().map(String::as_str);
        let command = |name, options: &mut dyn Iterator<Item = &'a str>| {
            let mut words = vec![name, args.file.as_str()];
            words.extend(options);
            words
        };
        let mut options = options;
        let mut common = for_check(&args.options).into_iter();
        let second = match (args.run, args.test) {
            (true, _) => Some("run"),
            (_, true) => Some("test"),
            _ => None,
        };
        let later = match second {
            Some(name) => vec![command(name, &mut options), command("check", &mut common)],
            None => vec![command("check", &mut options)],
        };
        Turn {
            tool,
            no_config,
            later,
            running: None,
        }
    }

    /// Starts the next command, or says that a save is waited for.
    fn next(&mut self, output: &Output) -> Done {
        let Some(words) = self.later.pop() else {
            output.say("waiting for a change; Ctrl-C ends");
            return Ok(());
        };
        output.say(&format!("-- glushkov {}", words.join(" ")));
        let mut command = Command::new(self.tool);
        command.args(match output.talk() {
            Talk::Quiet => Some("--quiet"),
            Talk::Usual => None,
            Talk::Verbose => Some("--verbose"),
        });
        let colour = if output.has_colour() {
            "always"
        } else {
            "never"
        };
        command.args(["--color", colour]);
        command.args(self.no_config.then_some("--no-config"));
        command.args(&words);
        let running = Running::start(&mut command);
        let running = running.map_err(|e| {
            Diagnostic::error("E0001", format!("the tool cannot be started again: {e}"))
        })?;
        self.running = Some(running);
        Ok(())
    }

    /// Sees to it that the next command follows one that has ended well.
    fn go_on(&mut self, output: &Output) -> Done {
        let Some(running) = &mut self.running else {
            return Ok(());
        };
        match running.poll() {
            Ok(None) => return Ok(()),
            Ok(Some(status)) if status.success() => {}
            // What went wrong was said by the command.
            Ok(Some(_)) | Err(_) => self.later.clear(),
        }
        self.running = None;
        self.next(output)
    }

    /// Ends what goes on.
    fn end(&mut self) {
        self.running = None;
    }
}
