//! The page of the targets, made from the table.

use super::{
    Absence, Event, LOWERINGS, Note, Place, Response, Runner, Support, function_support, response,
    support, type_support,
};
use crate::algebra::{FUNCTIONS, Precision, Sort, TABLE, TYPE_NAMES, Type, text_of};
use std::fmt::Write;

/// The page, in Markdown. `cases` names the files that hold the cells of a construct (by its
/// functor), of a function (`name()`), of a type, or of an event.
pub fn targets_page(cases: &dyn Fn(&str) -> Vec<String>) -> String {
    let mut page = Page {
        cases,
        absences: Vec::new(),
    };
    let mut out = String::from(
        "# What each target has of the language\n\n\
         This page is made from the table of targets, which the emitter reads, too; a test says when it\n\
         is out of date. The last column names the files of `tests/targets` that hold a row: each is run\n\
         by all five in both precisions, and what they leave is compared with the interpreter's, bit by\n\
         bit where the arithmetic is exact. There kernels run on the processor, block by block; what\n\
         `cuda` emits is compiled by nvcc, too.\n\n\
         - **yes**: it does what [the language](language.md) says; a number names a note below.\n\
         - **no**: it is refused, with the code of a diagnostic and the reason under the letter below.\n\n\
         `interpreter` is the reference machine, which says what a scheme means.\n",
    );
    for (sort, title) in [
        (Sort::Operator, "Operators"),
        (Sort::Condition, "Predicates"),
        (Sort::Expression, "Expressions"),
    ] {
        head(&mut out, title, "construct");
        for info in TABLE.iter().filter(|i| i.sort == sort) {
            let name = format!("`{}`", text_of(info.construct));
            page.row(&mut out, &name, info.functor, |runner| {
                support(info.construct, runner)
            });
        }
    }
    head(&mut out, "Functions", "function");
    for function in FUNCTIONS.iter() {
        let key = format!("{}()", function.name);
        page.row(&mut out, &format!("`{}`", function.name), &key, |runner| {
            function_support(function, runner)
        });
    }
    head(&mut out, "Types", "type");
    for name in TYPE_NAMES {
        let ty = Type::named(name.name.into(), Precision::F32).unwrap_or(Type::Unknown);
        page.row(&mut out, &format!("`{}`", name.name), name.name, |runner| {
            type_support(ty, runner)
        });
    }
    out.push_str("\n## Notes\n\n");
    for (number, note) in (1..).zip(Note::ALL) {
        let code = note.code().map(|c| format!(" ({c})")).unwrap_or_default();
        let _ = writeln!(out, "{number}. {}{code}", note.text());
    }
    out.push('\n');
    for (letter, absence) in ('a'..).zip(&page.absences) {
        let _ = writeln!(
            out,
            "- **{letter}** ({}): {}. Instead: {}.",
            absence.code, absence.reason, absence.hint
        );
    }
    page.events(&mut out);
    lowerings(&mut out);
    out
}

fn lowerings(out: &mut String) {
    out.push_str(
        "\n## What emitters change\n\n\
         What changes an algorithm is a rule, and a step of the derivation. The rest is this:\n\n\
         | what | targets | does | keeps | case |\n|---|---|---|---|---|\n",
    );
    for l in LOWERINGS {
        let targets: Vec<&str> = l.runners.iter().map(|r| r.name()).collect();
        let (targets, case) = (targets.join(", "), l.case);
        let _ = writeln!(
            out,
            "| {} | {targets} | {} | {} | {case} |",
            l.name, l.does, l.keeps
        );
    }
}

fn head(out: &mut String, title: &str, first: &str) {
    let _ = write!(out, "\n## {title}\n\n| {first} |");
    for runner in Runner::ALL {
        let _ = write!(out, " {} |", runner.name());
    }
    out.push_str(" cases |\n|---|---|---|---|---|---|---|\n");
}

struct Page<'a> {
    cases: &'a dyn Fn(&str) -> Vec<String>,
    /// The absences that were named so far, in the order of their letters.
    absences: Vec<Absence>,
}

impl Page<'_> {
    fn row(&mut self, out: &mut String, name: &str, key: &str, of: impl Fn(Runner) -> Support) {
        let _ = write!(out, "| {name} |");
        for runner in Runner::ALL {
            let _ = write!(out, " {} |", self.cell(of(runner)));
        }
        let _ = writeln!(out, " {} |", (self.cases)(key).join(", "));
    }

    fn cell(&mut self, support: Support) -> String {
        match support {
            Support::Declared => String::new(),
            Support::Yes(notes) => {
                let numbers = notes.iter().map(|note| {
                    let at = Note::ALL.iter().position(|n| n == note).unwrap_or(0);
                    (at + 1).to_string()
                });
                let numbers = numbers.collect::<Vec<_>>().join(", ");
                format!("yes {numbers}").trim_end().to_owned()
            }
            Support::No(absence) => {
                let known = self.absences.iter().position(|a| *a == absence);
                let at = known.unwrap_or_else(|| {
                    self.absences.push(absence);
                    self.absences.len() - 1
                });
                format!("**no** {}", ('a'..).nth(at).unwrap_or('?'))
            }
        }
    }

    fn events(&self, out: &mut String) {
        out.push_str(
            "\n## What goes wrong\n\n\
             What ends a run without a result, and who notices. A number is the exit code of the program,\n\
             which says on standard error what it met; *checked* is exit code 1 if the program was emitted\n\
             with `--checked`, and otherwise unnoticed: results, if any, mean nothing then. What a kernel\n\
             meets is told at the next wait or copy from the device. Code 2 is also that of a standard\n\
             output that cannot be written, and of a crate that was built without overflow checks.\n\n\
             | what | where |",
        );
        for runner in Runner::ALL {
            let _ = write!(out, " {} |", runner.name());
        }
        out.push_str(" cases |\n|---|---|---|---|---|---|---|---|\n");
        for event in Event::ALL {
            for &place in event.places() {
                let (place_name, key) = match place {
                    Place::Host => ("host", format!("! {}", event.name())),
                    Place::Kernel => ("kernel", format!("! {} in kernel", event.name())),
                };
                let _ = write!(out, "| {} | {place_name} |", event.meaning());
                for runner in Runner::ALL {
                    let cell = match response(event, runner, place) {
                        Response::Error(code) => code.to_string(),
                        Response::ErrorIfChecked => "checked".into(),
                        Response::Unnoticed(what) => format!("unnoticed: {what}"),
                        Response::Never(why) => format!("never: {why}"),
                    };
                    let _ = write!(out, " {cell} |");
                }
                let _ = writeln!(out, " {} |", (self.cases)(&key).join(", "));
            }
        }
    }
}
