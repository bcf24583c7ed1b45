//! `glushkov new --interactive`: a scheme built by choices, from a terminal or a pipe.

mod save;
mod shown;

use super::output::{Done, Output, Stop};
use crate::algebra::Language;
use crate::construct::{Choice, Constructor, Form, Offer, Wants};
use crate::diagnostic::Diagnostic;
use crate::pipeline::database;
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

/// A line is no longer than this.
const MOST_BYTES: u64 = 1 << 20;

const HELP: &str = "\
What is put at the place after `>`:
3                      the third of the offers that were listed; `:3` where a number is a value
FOR, ForLoop, sqrt     what begins so, or is called so in the table of constructs
x := x + 1             a text: operators, an expression, a name, items of DATA
.                      nothing more, where there may be several
basic                  the phrase stays a basic operator, which nothing here defines
Commands:
:offers [TEXT]         list all that fits here, or what has a text in it
:places                list the open places
:go N                  go to an open place
:names                 list what can be named here
:remove N              take out what was put at a place
:undo, :redo           go back a choice, and forth again
:show                  show the scheme so far
:form text             show it as text, formula, graph, latex or term
:lang uk               with keywords in a language: en, uk or ru
:check                 say whether it is finished, and what is left undefined
:save [FILE] [--force] write the finished scheme; .saaf for a formula, .saag for a graph;
                       with --force in place of a file that is there
:help, :quit
";

/// A scheme at the prompt.
struct Prompt<'o> {
    scheme: Constructor,
    /// The place where choices go.
    place: u32,
    /// The offers that were listed last.
    listed: Vec<Offer>,
    form: Form,
    language: Language,
    folder: &'o Path,
    operators: &'o [PathBuf],
    force: bool,
    /// The file that was written, which may be written again.
    file: Option<PathBuf>,
    /// Whether something was chosen that is not written.
    is_unsaved: bool,
    /// Whether it could not be written when that was last asked for.
    save_failed: bool,
    output: &'o mut Output,
}

/// Whether the prompt goes on.
type Going = Result<bool, Stop>;

/// Reads choices and commands until the input ends; errors are told, and do not end it.
///
/// # Errors
///
/// A file of operators cannot be read, or nobody reads the output any more. Exit code 1: the input ends before the
/// scheme is written, or `:quit` comes over a pipe when it could not be.
pub fn run(
    name: &str,
    language: Language,
    operators: &[PathBuf],
    folder: &Path,
    force: bool,
    output: &mut Output,
) -> Done {
    let name = name.strip_suffix(".saa").unwrap_or(name);
    let is_title = |c: char| !c.is_control() && !matches!(c, '"' | '\\' | '…');
    if name.trim().is_empty() || name.len() > 200 || !name.chars().all(is_title) {
        let message = format!("`{name}` is not a name for a scheme");
        let hint = "it stands in quotes, and holds none";
        return Err(Diagnostic::error("E0006", message).hint(hint).into());
    }
    let mut prompt = Prompt {
        scheme: Constructor::new(name, &database(operators)?),
        place: 1,
        listed: Vec::new(),
        form: Form::Text,
        language,
        folder,
        operators,
        force,
        file: None,
        is_unsaved: false,
        save_failed: false,
        output,
    };
    let mut input = std::io::stdin().lock();
    let is_terminal = input.is_terminal();
    if is_terminal {
        prompt.output.say("`:help` lists the commands");
    }
    prompt.shown()?;
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
        let line = line.trim();
        if !is_terminal && !line.is_empty() {
            // What is read from a pipe is seen in what is written.
            prompt.output.print(&format!("> {line}"))?;
        }
        match prompt.line(line) {
            Ok(true) => {}
            Ok(false) => return prompt.quit(is_terminal),
            Err(Stop::Failed(failure)) => prompt.output.tell_all(&failure.diagnostics),
            Err(stop) => return Err(stop),
        }
    }
    prompt.ended()
}

impl Prompt<'_> {
    fn line(&mut self, line: &str) -> Going {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("", _) => {}
            (comment, _) if comment.starts_with('#') => {}
            (":quit" | ":exit", "") => return Ok(false),
            (":help", "") => self.output.print(HELP)?,
            (":show", "") => self.shown()?,
            (":places", "") => self.places()?,
            (":names", "") => self.names()?,
            (":offers", text) => self.offers(Some(text).filter(|t| !t.is_empty()), usize::MAX)?,
            (":go", number) => {
                let number = number.strip_prefix('…').unwrap_or(number);
                let place = number
                    .parse()
                    .ok()
                    .filter(|&n| self.scheme.place(n).is_some());
                self.place = place.ok_or_else(|| {
                    wrong(format!("`{number}` is no open place"), ":places lists them")
                })?;
                self.here()?;
            }
            (":remove", number) => {
                let text = number.strip_prefix('…').unwrap_or(number);
                let place = text.parse().map_err(|_| unknown(line))?;
                self.scheme.remove(place)?;
                self.is_unsaved = true;
                self.place = place;
                self.moved()?;
            }
            (":undo", "") => match self.scheme.undo() {
                true => self.moved()?,
                false => self.output.print("nothing was chosen yet")?,
            },
            (":redo", "") => match self.scheme.redo() {
                true => self.moved()?,
                false => self.output.print("nothing was taken back")?,
            },
            (":form", form) => {
                self.form = form_of(form).ok_or_else(|| unknown(line))?;
                self.shown()?;
            }
            (":lang", language) => {
                let found = Language::ALL.into_iter().find(|l| l.code() == language);
                self.language = found.ok_or_else(|| unknown(line))?;
                self.shown()?;
            }
            (":check", "") => self.check()?,
            (":save", file) => self.save(file)?,
            (command, "") if number_after_colon(command).is_some() => {
                self.chosen(number_after_colon(command).unwrap_or_default())?;
            }
            (command, _) if command.starts_with(':') => return Err(unknown(line)),
            _ => self.choice(line)?,
        }
        Ok(true)
    }

    /// What a line without a colon chooses.
    fn choice(&mut self, line: &str) -> Done {
        let Some(place) = self.scheme.place(self.place).cloned() else {
            return Err(wrong(
                "no place is open".to_owned(),
                ":save FILE writes the scheme",
            ));
        };
        let is_value = place.wants == Wants::Expression;
        if let (Ok(number), false) = (line.parse::<usize>(), is_value) {
            return self.chosen(number);
        }
        match line {
            "." => return self.put(&Choice::Nothing),
            "basic" => return self.put(&Choice::Basic),
            _ => {}
        }
        let sources = &mut self.output.session.sources;
        let refused = match self.scheme.typed(place.number, line, sources) {
            Ok(choice) => match self.put(&choice) {
                Err(Stop::Failed(failure)) => failure,
                done => return done,
            },
            Err(errors) => errors.into(),
        };
        // A word that is nothing by itself may be the name of something.
        let is_word = line.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_word {
            let called = self.scheme.offers_called(place.number, line, self.language);
            match &called[..] {
                [] => {}
                [one] => return self.put(&one.choice.clone()),
                _ => {
                    self.listed = called;
                    self.output.print(&format!("{line} may be:"))?;
                    return self.list(false);
                }
            }
        }
        Err(Stop::Failed(refused))
    }

    /// Chooses one of the offers that were listed.
    fn chosen(&mut self, number: usize) -> Done {
        let offer = number.checked_sub(1).and_then(|n| self.listed.get(n));
        let Some(offer) = offer else {
            let message = format!("offer {number} was not listed");
            return Err(wrong(message, ":offers lists all that fits"));
        };
        let choice = offer.choice.clone();
        self.put(&choice)
    }

    fn put(&mut self, choice: &Choice) -> Done {
        let before: Vec<u32> = self.scheme.places().iter().map(|p| p.number).collect();
        self.scheme.apply(self.place, choice)?;
        self.is_unsaved = true;
        // What a new phrase means is refined when its scheme is there.
        let of_phrase = |parent| {
            use crate::algebra::Construct::{Define, DefineTest, Formals};
            matches!(parent, Define | DefineTest | Formals)
        };
        let now = self.scheme.places().iter();
        let new = now.filter(|p| !before.contains(&p.number) && !of_phrase(p.parent));
        let new = new.map(|p| p.number);
        let here = before.iter().position(|&n| n == self.place).unwrap_or(0);
        let mut after = before[here..].iter().chain(&before[..here]);
        let next = new.min();
        let next = next.or_else(|| after.find(|&&n| self.scheme.place(n).is_some()).copied());
        self.place = next.unwrap_or_default();
        self.moved()
    }

    /// Shows the scheme after a change, and goes to an open place if there is none here any more.
    fn moved(&mut self) -> Done {
        if self.scheme.place(self.place).is_none() {
            self.place = self.scheme.places().first().map_or(0, |p| p.number);
        }
        self.shown()
    }
}

fn form_of(word: &str) -> Option<Form> {
    Some(match word {
        "text" => Form::Text,
        "formula" => Form::Formula,
        "graph" => Form::Graph,
        "latex" => Form::Latex,
        "term" => Form::Term,
        _ => return None,
    })
}

fn number_after_colon(word: &str) -> Option<usize> {
    word.strip_prefix(':')?.parse().ok()
}

fn wrong(message: String, hint: &str) -> Stop {
    Diagnostic::error("E0366", message).hint(hint).into()
}

fn unknown(line: &str) -> Stop {
    let line: String = line.chars().take(60).collect();
    let message = format!("`{line}` is no command");
    Diagnostic::error("E0363", message)
        .hint("`:help` lists the commands")
        .into()
}
