//! A program that answers what rules ask, by lines of JSON.
//!
//! The program first says what it knows, `{"answers": ["edge/2"], "acts": ["note/1"]}`. To
//! `{"ask": "edge(a, $x)"}` it says `{"answer": true}`, `false`, or `null` where it does not know,
//! or `{"facts": ["edge(a, b)", "edge(a, c)"]}`; to `{"act": "note(a)"}` it says `{"done": true}`.
//! To both it may say `{"error": "why not"}`.

use super::Failure;
use crate::diagnostic::Diagnostic;
use crate::rewrite::{Oracle, Reply};
use crate::term::Symbol;
use crate::toolchain::Conversation;
use serde::Deserialize;
use std::collections::HashMap;
use std::process::Command;
use std::time::Duration;

/// A program that says nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a program says first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Knows {
    #[serde(default)]
    answers: Vec<String>,
    #[serde(default)]
    acts: Vec<String>,
}

/// What a program says to a question or an action.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Said {
    /// The outer one is for whether it is there: `null` is an answer.
    #[serde(deserialize_with = "there")]
    answer: Option<Option<bool>>,
    facts: Option<Vec<String>>,
    done: Option<bool>,
    error: Option<String>,
}

fn there<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<bool>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// A running program that answers.
struct Program {
    name: String,
    talk: Conversation,
    answers: Vec<(Symbol, usize)>,
    acts: Vec<(Symbol, usize)>,
    /// Its answers since it last did something.
    known: HashMap<String, Reply>,
}

/// Starts a command of the shell that answers what rules ask.
///
/// # Errors
///
/// E0372: it does not start, or does not say what it knows.
pub fn start_oracle(command: &str) -> Result<Box<dyn Oracle>, Failure> {
    let trouble = |why: String| Diagnostic::error("E0372", cannot(command, &why));
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command);
    let mut talk = Conversation::start(&mut shell).map_err(trouble)?;
    let line = talk.hear(PATIENCE).map_err(trouble)?;
    let knows: Knows = serde_json::from_str(&line).map_err(|error| {
        trouble(format!(
            "its first line is not like {{\"answers\": [\"edge/2\"], \"acts\": []}}: {error}"
        ))
    })?;
    Ok(Box::new(Program {
        name: command.to_owned(),
        answers: signatures(&knows.answers).map_err(trouble)?,
        acts: signatures(&knows.acts).map_err(trouble)?,
        talk,
        known: HashMap::new(),
    }))
}

/// Names with numbers of arguments, such as `edge/2`.
fn signatures(names: &[String]) -> Result<Vec<(Symbol, usize)>, String> {
    let of = |name: &String| {
        let parts = name.rsplit_once('/');
        let known = parts.and_then(|(name, n)| Some((Symbol::new(name), n.parse().ok()?)));
        known.ok_or_else(|| {
            format!("`{name}` is not a name and a number of arguments, such as `edge/2`")
        })
    };
    names.iter().map(of).collect()
}

fn cannot(program: &str, why: &str) -> String {
    format!("the program `{program}` cannot be asked: {why}")
}

impl Program {
    fn talk(&mut self, request: &serde_json::Value) -> Result<Said, String> {
        let said = self.talk.say(&request.to_string());
        let line = said.and_then(|()| self.talk.hear(PATIENCE));
        let line = line.map_err(|why| cannot(&self.name, &why))?;
        let said: Said = serde_json::from_str(&line).map_err(|error| {
            let why = format!("to {request} it says `{}`: {error}", line.trim_end());
            cannot(&self.name, &why)
        })?;
        match said.error {
            Some(why) => Err(cannot(&self.name, &format!("to {request} it says: {why}"))),
            None => Ok(said),
        }
    }
}

impl Oracle for Program {
    fn answers(&self, functor: Symbol, arity: usize) -> bool {
        self.answers.contains(&(functor, arity))
    }

    fn acts(&self, functor: Symbol, arity: usize) -> bool {
        self.acts.contains(&(functor, arity))
    }

    fn ask(&mut self, question: &str) -> Result<Reply, String> {
        if let Some(reply) = self.known.get(question) {
            return Ok(reply.clone());
        }
        let request = serde_json::json!({ "ask": question });
        let said = self.talk(&request)?;
        let reply = match (said.answer, said.facts) {
            (Some(truth), None) => Reply::Truth(truth),
            (None, Some(facts)) => Reply::Facts(facts),
            _ => {
                let why = format!("to {request} it says neither `answer` nor `facts`");
                return Err(cannot(&self.name, &why));
            }
        };
        self.known.insert(question.to_owned(), reply.clone());
        Ok(reply)
    }

    fn act(&mut self, action: &str) -> Result<(), String> {
        self.known.clear();
        let request = serde_json::json!({ "act": action });
        match self.talk(&request)?.done {
            Some(true) => Ok(()),
            _ => {
                let why = format!("to {request} it does not say `{{\"done\": true}}`");
                Err(cannot(&self.name, &why))
            }
        }
    }
}
