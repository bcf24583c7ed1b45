//! `glushkov rewrite --prompt`: commands on a term, from a terminal or a pipe.

use super::arguments::source;
use super::knowledge::FactArgs;
use super::output::{Done, Output, Stop};
use crate::diagnostic::Diagnostic;
use crate::pipeline::read_systems;
use crate::rewrite::{
    Bench, DEFAULT_STEPS, Knowledge, RuleBase, Seen, TRACED_STEPS, name_of_facts, strategy_text,
};
use crate::term::Path;
use std::io::{BufRead, IsTerminal, Read, Write};

/// A line is no longer than this.
const MOST_BYTES: u64 = 1 << 20;

const HELP: &str = "\
term T                 take a term
load FILE              take the rules of a file
step [N]               take a step, or N
step at PATH [by RULE] take a step at a position, such as `root` or `0.1`
run [N]                take all steps, N at most
undo, redo             go back a step, and forth again
where [RULE]           list the positions where rules fire, or one does
why RULE [at PATH]     tell what keeps a rule from firing
rules                  list the rules in the order in which they are tried
system NAME            take a system of the file
strategy S             take an order, a strategy of the file, or one such as `topdown(try(a))`
print                  print the term
help, quit
";

/// A command of the prompt.
struct Prompt<'o> {
    bench: Bench,
    /// The file of the rules.
    file: String,
    facts: &'o FactArgs,
    output: &'o mut Output,
}

/// Whether the prompt goes on.
type Going = Result<bool, Stop>;

/// Reads commands and does them until the input ends; errors are told, and do not end it.
///
/// # Errors
///
/// The rules cannot be read, or nobody reads the output any more.
pub fn run(
    rules: &str,
    term: Option<u32>,
    system: Option<&str>,
    strategy: Option<&str>,
    facts: &FactArgs,
    output: &mut Output,
) -> Done {
    let base = base(rules, None, output)?;
    let mut prompt = Prompt {
        bench: Bench::new(base, system.map(str::to_owned), Knowledge::default()),
        file: rules.to_owned(),
        facts,
        output,
    };
    prompt.learn()?;
    if let Some(term) = term {
        prompt
            .bench
            .set_term(&prompt.output.session.sources, term)?;
    }
    if let Some(strategy) = strategy {
        prompt.strategy(strategy)?;
    }
    let mut input = std::io::stdin().lock();
    let is_terminal = input.is_terminal();
    if is_terminal {
        prompt.output.say("`help` lists the commands");
    }
    loop {
        if is_terminal {
            let _ = write!(std::io::stderr(), "> ");
        }
        let mut line = Vec::new();
        let read = (&mut input).take(MOST_BYTES).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            break;
        }
        let line = String::from_utf8_lossy(&line);
        let done = prompt.command(line.trim());
        for line in prompt.bench.printed() {
            prompt.output.print(&format!("{line}\n"))?;
        }
        match done {
            Ok(true) => {}
            Ok(false) => break,
            Err(Stop::Failed(failure)) => prompt.output.tell_all(&failure.diagnostics),
            Err(stop) => return Err(stop),
        }
    }
    facts.keep(&prompt.bench.into_known())
}

/// The rules of a file with what they import, and a strategy beside them.
fn base(file: &str, strategy: Option<String>, output: &mut Output) -> Result<RuleBase, Stop> {
    let session = &mut output.session;
    let rules = source(file).read(session)?;
    let beside = read_systems(source(file), rules, session)?;
    let mut files = vec![rules];
    files.extend(strategy.map(|text| session.sources.add("<strategy>", text)));
    Ok(RuleBase::load_beside(&session.sources, &files, &beside)?)
}

impl Prompt<'_> {
    fn command(&mut self, line: &str) -> Going {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("", _) => {}
            (comment, _) if comment.starts_with('#') => {}
            ("quit" | "exit", "") => return Ok(false),
            ("help", "") => self.output.print(HELP)?,
            ("print", "") => self.print()?,
            ("rules", "") => {
                let text = self.bench.rules()?;
                self.output.print(&text)?;
            }
            ("term", text) if !text.is_empty() => {
                let file = self.output.session.sources.add("<term>", text.to_owned());
                self.bench.set_term(&self.output.session.sources, file)?;
                self.print()?;
            }
            ("load", file) if !file.is_empty() => {
                let base = base(file, None, self.output)?;
                self.bench.set_rules(base, None);
                self.file = file.to_owned();
                self.learn()?;
            }
            ("system", name) if !name.is_empty() => {
                self.bench.set_system(name)?;
                self.learn()?;
            }
            ("strategy", text) if !text.is_empty() => self.strategy(text)?,
            ("undo", "") => {
                let done = self.bench.undo();
                self.moved(done, "this is the first term")?;
            }
            ("redo", "") => {
                let done = self.bench.redo();
                self.moved(done, "this is the last term")?;
            }
            ("step", rest) if rest.starts_with("at ") => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let (path, rule) = match words[..] {
                    ["at", path] => (path, None),
                    ["at", path, "by", rule] => (path, Some(rule)),
                    _ => return Err(unknown(line)),
                };
                let step = self.bench.step_at(&position(path)?, rule)?;
                self.steps(&[step])?;
            }
            ("step", rest) => {
                let steps = self.bench.step(count(rest, 1)?.min(TRACED_STEPS))?;
                self.steps(&steps)?;
            }
            ("run", rest) => {
                let rewrites = self.bench.run(count(rest, DEFAULT_STEPS)?)?;
                let text = format!("rewrites: {rewrites}\n{}", self.bench.term()?);
                self.output.print(&text)?;
            }
            ("where", rule) => {
                let text = self.bench.places((!rule.is_empty()).then_some(rule))?;
                self.output.print(&text)?;
            }
            ("why", rest) => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let text = match words[..] {
                    [rule] => self.bench.why(rule, None)?,
                    [rule, "at", path] => self.bench.why(rule, Some(&position(path)?))?,
                    _ => return Err(unknown(line)),
                };
                self.output.print(&text)?;
            }
            _ => return Err(unknown(line)),
        }
        Ok(true)
    }

    /// Takes the facts of the system, anew; tells what nothing answers. Where there are several
    /// systems, that waits for one to be chosen.
    fn learn(&mut self) -> Done {
        let system = self.bench.system().map(str::to_owned);
        if name_of_facts(self.bench.rule_base(), system.as_deref()).is_err() {
            return Ok(());
        }
        let base = self.bench.rule_base();
        let known = (self.facts).knowledge(&self.file, base, system.as_deref(), self.output)?;
        self.bench.set_known(known);
        self.output.tell_all(&self.bench.unanswered()?);
        Ok(())
    }

    fn print(&mut self) -> Done {
        let text = self.bench.term()?;
        self.output.print(&text)
    }

    fn moved(&mut self, done: bool, otherwise: &str) -> Done {
        match done {
            true => self.print(),
            false => self.output.print(otherwise),
        }
    }

    /// Prints steps and the term that they lead to.
    fn steps(&mut self, steps: &[Seen]) -> Done {
        if steps.is_empty() {
            return self.output.print("no rule fires");
        }
        let shown: String = steps.iter().map(Seen::text).collect();
        let text = format!("{shown}{}", self.bench.term()?);
        self.output.print(&text)
    }

    fn strategy(&mut self, text: &str) -> Done {
        let Some((text, name)) = strategy_text(text) else {
            return Ok(self.bench.set_strategy(text)?);
        };
        let base = base(&self.file, Some(text), self.output)?;
        let system = self.bench.system().map(str::to_owned);
        self.bench.set_rules(base, system);
        Ok(self.bench.set_strategy(name)?)
    }
}

fn unknown(line: &str) -> Stop {
    let line: String = line.chars().take(60).collect();
    let message = format!("`{line}` is no command");
    Diagnostic::error("E0363", message)
        .hint("`help` lists the commands")
        .into()
}

/// A number of steps.
fn count(text: &str, otherwise: u64) -> Result<u64, Stop> {
    match text {
        "" => Ok(otherwise),
        text => text.parse().map_err(|_| unknown(text)),
    }
}

/// A position: `root`, or numbers of arguments with dots between them.
fn position(text: &str) -> Result<Path, Stop> {
    if text == "root" {
        return Ok(Path::default());
    }
    let steps: Result<Vec<u32>, _> = text.split('.').map(str::parse).collect();
    steps.map(Path).map_err(|_| {
        let message = format!("`{text}` is no position");
        let hint =
            "positions are `root`, or numbers such as `0.1`: the second argument of the first";
        Diagnostic::error("E0363", message).hint(hint).into()
    })
}
