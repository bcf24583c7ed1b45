//! Basic operators and predicates that have a meaning → whether that reads and writes what is declared, on random arguments.
//!
//! What is declared marks cells: those that may be read, and those that may be written. A run of the meaning must leave
//! all others as they were; and where cells that are not read hold something else, it must write the same.

mod cells;
mod code;
mod reached;
mod trial;

use super::{Failure, Options, Session};
use crate::check::{Basic, Expand, Scheme, with_meanings};
use crate::diagnostic::Diagnostic;
use crate::toolchain::{cargo, rustc};
use cells::{Inputs, run};
use code::code_as_meant;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use serde_json::{Value as Json, json};
use trial::Trial;

/// So many calls are tried, and so many of them are enough.
const TRIES: usize = 200;
const ENOUGH: usize = 20;

/// What the parameters that are sizes begin with.
const SIZE: &str = "size_";

/// What the trial of a basic operator or predicate showed.
pub struct TriedBasic {
    /// Its phrase.
    pub title: String,
    /// Whether it is a predicate.
    pub is_test: bool,
    /// In how many calls its meaning reached what is declared.
    pub calls: usize,
    /// Why there was no call, if there was none.
    pub not_tried: Option<String>,
    /// What is wrong with the declaration.
    pub wrong: Option<Diagnostic>,
    /// The targets whose code gave what the operator means.
    pub as_meant: Vec<&'static str>,
}

impl TriedBasic {
    /// The object that `check --json` has of it.
    pub fn json(&self) -> Json {
        json!({
            "operator": self.title,
            "calls": self.calls,
            "not_tried": self.not_tried,
            "wrong": self.wrong.as_ref().map(|w| w.message.clone()),
            "as_meant": self.as_meant,
        })
    }

    /// It in a line.
    pub fn line(&self) -> String {
        let title = self.quoted();
        if let Some(why) = &self.not_tried {
            return format!("{title}: not tried, as {why}");
        }
        let code = match self.as_meant.is_empty() {
            true => String::new(),
            false => format!(
                "; the code for {} does what it means",
                self.as_meant.join(" and ")
            ),
        };
        let calls = self.calls;
        let does = match self.is_test {
            true => "reads",
            false => "reads and writes",
        };
        format!("{title}: {does} what is declared, in {calls} random calls{code}")
    }

    /// Its phrase in quotes.
    fn quoted(&self) -> String {
        quoted(&self.title, self.is_test)
    }
}

/// Tries the basic operators and predicates of a scheme, and the code of those whose files were named.
///
/// # Errors
///
/// What stops the code from being built and run.
pub fn try_basics(
    scheme: &Scheme,
    options: &Options,
    session: &mut Session,
) -> Result<Vec<TriedBasic>, Failure> {
    let mut all = Vec::new();
    for basic in scheme.basics.values() {
        let mut tried = try_basic(scheme, basic);
        let can_build = cargo().is_ok() && rustc().is_ok();
        let is_named = !options.operators.is_empty() && basic.code("rust").is_some();
        if tried.calls > 0 && tried.wrong.is_none() && is_named && can_build {
            match code_as_meant(scheme, basic, options, session)? {
                None => tried.as_meant.push("rust"),
                Some(wrong) => tried.wrong = Some(wrong),
            }
        }
        all.push(tried);
    }
    Ok(all)
}

fn try_basic(scheme: &Scheme, basic: &Basic) -> TriedBasic {
    let mut tried = TriedBasic {
        title: basic.title(),
        is_test: basic.is_test,
        calls: 0,
        not_tried: None,
        wrong: None,
        as_meant: Vec::new(),
    };
    let made = match () {
        () if !basic.has_meaning => Err("it has no meaning".to_owned()),
        () => Trial::of(scheme, basic),
    };
    let made = made.and_then(|trial| {
        let calls = with_meanings(&trial.calls(scheme)?, Expand::All).map_err(|e| first(&e))?;
        Ok((calls, trial.marks(scheme)?, trial))
    });
    let (calls, marks, trial) = match made {
        Ok(made) => made,
        Err(why) => {
            tried.not_tried = Some(why);
            return tried;
        }
    };
    let mut random = Pcg64::seed_from_u64(7);
    for _ in 0..TRIES {
        if tried.calls == ENOUGH {
            break;
        }
        let inputs = Inputs::random(&calls, &mut random);
        let Some(marks) = run(&marks, &inputs) else {
            continue;
        };
        let Some(left) = run(&calls, &inputs) else {
            continue;
        };
        tried.calls += 1;
        if let Some(wrong) = trial.undeclared_effect(&inputs, &marks, &left, &calls, &mut random) {
            let message = format!("{} {wrong}", tried.quoted());
            tried.wrong = Some(
                Diagnostic::error("E0226", message)
                    .at(basic.span)
                    .hint("what is derived rests on READS and WRITES, so they must be whole"),
            );
            return tried;
        }
    }
    if tried.calls == 0 {
        tried.not_tried = Some("no arguments were found on which what it means runs".to_owned());
    }
    tried
}

/// A phrase or a predicate in its quotes.
fn quoted(title: &str, is_test: bool) -> String {
    match is_test {
        true => format!("'{title}'"),
        false => format!("\"{title}\""),
    }
}

fn first(errors: &[Diagnostic]) -> String {
    errors.first().map_or(String::new(), |e| e.message.clone())
}
