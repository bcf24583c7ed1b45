//! Tuning of a family: each member that is left to it is tuned, and the fastest at each size is remembered.

use super::{Found, Tune};
use crate::data::{Array, tolerance};
use crate::diagnostic::Diagnostic;
use crate::family::Choice;
use crate::pipeline::freely::Open;
use crate::pipeline::{Compared, Failure, Options, Run, Session, Source, Tuning};

/// The most members that are tuned.
const MOST: usize = 64;

/// The medians of one member: its choice, and for each size the seconds of its fastest program.
struct Member {
    choice: Choice,
    seconds: Vec<(i64, Option<f64>)>,
}

impl Tune {
    /// Tunes every member of a family that nobody chose among, and keeps each one's settings; gives what is told of it.
    /// None of a scheme that leaves nothing to tuning.
    ///
    /// # Errors
    ///
    /// As [`Tune::search`]; members whose results differ, though the author says that any will do (E0335).
    pub fn search_members(
        &self,
        source: Source<'_>,
        session: &mut Session,
    ) -> Result<Option<String>, Failure> {
        let Some(open) = Open::of(source, &self.options) else {
            return Ok(None);
        };
        let choices = open.members()?;
        let wrong = |message: String, hint: &str| Diagnostic::error("E0006", message).hint(hint);
        if choices.len() > MOST {
            let message = format!(
                "{} members are left to tuning, and {MOST} are the most",
                choices.len()
            );
            return Err(wrong(message, "fix some of what is given: --given NAME=VALUE").into());
        }
        if self.out.is_some() {
            let message = "--out writes the tuning of one member, and several are left to tuning";
            return Err(wrong(message.to_owned(), "choose one: --given NAME=VALUE").into());
        }
        let mut text = String::new();
        let mut members: Vec<Member> = Vec::new();
        let mut parameter = None;
        let mut first: Option<Vec<(String, Array)>> = None;
        let many = u32::try_from(choices.len()).unwrap_or(u32::MAX).max(1);
        for choice in choices {
            session.say(&format!("tuning {}", choice.shown()));
            let of_member = Tune {
                options: Options {
                    given: choice.texts(),
                    ..self.options.clone()
                },
                // All members together take as long as one scheme.
                within: self.within.map(|within| within / many),
                ..self.clone()
            };
            let found: Found = of_member.search(source, session)?;
            text.push_str(&format!("# {}\n\n{}\n\n", choice.shown(), found.table));
            if self.dry {
                continue;
            }
            parameter.clone_from(&found.parameter);
            let seconds = found.best.clone();
            found.keep()?;
            // Any of them must do what the first one does.
            let arrays = of_member.results(source, session)?;
            match &first {
                None => first = Some(arrays),
                Some(first) => self.expect_same(&choice, first, &arrays)?,
            }
            members.push(Member { choice, seconds });
        }
        if self.dry {
            return Ok(Some(text.trim_end().to_owned()));
        }
        let sizes: Vec<i64> = members[0].seconds.iter().map(|&(size, _)| size).collect();
        let mut best = Vec::new();
        for (k, &size) in sizes.iter().enumerate() {
            let of_size = members.iter().filter_map(|m| Some((m, m.seconds[k].1?)));
            let fastest = of_size.min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((member, seconds)) = fastest else {
                continue;
            };
            let at = match &parameter {
                Some(name) => format!("{name} = {size}: "),
                None => String::new(),
            };
            text.push_str(&format!(
                "{at}{} is the fastest, {seconds:.3e} s\n",
                member.choice.shown()
            ));
            best.push((size, member.choice.texts(), seconds));
        }
        let strategy = self.strategy.as_deref().unwrap_or(self.target.strategy());
        let path = open.keep(self.target, strategy, &self.options, parameter, &best)?;
        text.push_str(&format!("kept in {}", path.display()));
        Ok(Some(text))
    }

    /// The results of the defaults at the first size.
    fn results(
        &self,
        source: Source<'_>,
        session: &mut Session,
    ) -> Result<Vec<(String, Array)>, Failure> {
        let set = self.options.set.iter();
        let set = set.map(|text| text.split(',').next().unwrap_or(text).to_owned());
        let run = Run {
            target: self.target,
            strategy: self.strategy.clone(),
            options: Options {
                set: set.collect(),
                ..self.options.clone()
            },
            inputs: self.inputs.clone(),
            tuning: Tuning::Off,
            reference: None,
            without_notes: true,
            ..Run::default()
        };
        Ok(run.run(source, session)?.arrays)
    }

    fn expect_same(
        &self,
        choice: &Choice,
        first: &[(String, Array)],
        other: &[(String, Array)],
    ) -> Result<(), Failure> {
        let most = self.tolerance.unwrap_or(tolerance(self.options.precision));
        let compared = Compared::of(other, first, false, most)?;
        if compared.passed {
            return Ok(());
        }
        let message = format!(
            "the results of {} differ from those of the first member",
            choice.shown()
        );
        Err(Failure::no(vec![Diagnostic::error("E0335", message).hint(
            "FREELY says that any member gives the same results: take it away, or mend the member",
        )]))
    }
}
