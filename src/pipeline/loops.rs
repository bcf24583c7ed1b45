//! `Scheme` + its derivation → what became of each loop that its author wrote.

use super::Change;
use super::notes::stayed;
use crate::algebra::{Operator, operator};
use crate::check::{Scheme, author_name};
use crate::derive::Derived;
use crate::rewrite::Place;
use crate::term::{Id, Span};
use rustc_hash::FxHashMap;
use std::fmt;

/// What became of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Becomes {
    /// Its iterations, or parts of them, are threads of the processor.
    Threads,
    /// Its iterations are done side by side in vector registers.
    Lanes,
    /// Its iterations are threads of the device.
    Launch,
    /// It stays sequential.
    Stays {
        /// Why.
        why: String,
        /// What would change that, if that is known.
        change: Option<Change>,
    },
    /// It goes on in order around something that runs at once.
    Around,
    /// It goes on in order inside of something that runs at once.
    Inside,
    /// It goes on in order.
    InOrder,
    /// Nothing is left of it.
    Merged,
}

impl fmt::Display for Becomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Becomes::Threads => "its iterations are shared out among threads",
            Becomes::Lanes => "its iterations are done side by side in vector registers",
            Becomes::Launch => "its iterations are threads of a launch",
            Becomes::Around => "it goes on in order around what runs at once",
            Becomes::Inside => "it goes on in order within what runs at once",
            Becomes::InOrder => "it goes on in order",
            Becomes::Merged => "it was made a part of something else",
            Becomes::Stays { why, .. } => return write!(f, "it stays sequential: {why}"),
        })
    }
}

/// A loop of the text, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopFate {
    /// Where the loop stands; a loop of a phrase that is called several times has several fates.
    pub span: Span,
    /// Its variable.
    pub variable: &'static str,
    /// What became of it.
    pub becomes: Becomes,
}

/// What became of the loops of a scheme, in the order of the text, each once.
pub fn loop_fates(scheme: &Scheme, derived: &Derived) -> Vec<LoopFate> {
    let left = stayed(derived);
    let made = made(&derived.scheme);
    let mut fates: Vec<LoopFate> = Vec::new();
    // Each with whether a loop around it runs at once.
    let mut work = vec![(scheme.body, false)];
    while let Some((id, inside)) = work.pop() {
        let span = scheme.terms.span(id);
        let known = span.and_then(|span| made.get(&span));
        let known = known.map_or(&[][..], |known| known);
        let runs = known.iter().any(is_at_once);
        let parts = scheme.terms.args(id).iter().rev();
        work.extend(parts.map(|&part| (part, inside || runs)));
        let Some(Operator::For { var, .. }) = operator(&scheme.terms, id) else {
            continue;
        };
        let Some(span) = span else { continue };
        if fates.iter().any(|fate| fate.span == span) {
            continue;
        }
        let stays = left.iter().filter(|left| left.place == Place::from(span));
        let mut all: Vec<Becomes> = stays
            .map(|left| Becomes::Stays {
                why: left.why.clone(),
                change: left.change.clone(),
            })
            .collect();
        all.extend(known.iter().filter(|b| is_at_once(b)).cloned());
        if all.is_empty() {
            let is = |becomes| known.contains(&becomes);
            all.push(match () {
                _ if is(Becomes::Around) => Becomes::Around,
                _ if inside || is(Becomes::Inside) => Becomes::Inside,
                _ if is(Becomes::InOrder) => Becomes::InOrder,
                _ => Becomes::Merged,
            });
        }
        fates.extend(all.into_iter().map(|becomes| LoopFate {
            span,
            variable: author_name(var),
            becomes,
        }));
    }
    fates.sort_by_key(|fate| (fate.span.file, fate.span.from));
    fates
}

/// Whether iterations run at once.
fn is_at_once(becomes: &Becomes) -> bool {
    matches!(becomes, Becomes::Threads | Becomes::Lanes | Becomes::Launch)
}

/// What stands in a derived scheme where a loop of the text stood, each kind of it once.
fn made(derived: &Scheme) -> FxHashMap<Span, Vec<Becomes>> {
    let terms = &derived.terms;
    let at_once = |id: Id| match operator(terms, id) {
        Some(Operator::Parallel { lanes: None, .. }) => Some(Becomes::Threads),
        Some(Operator::Parallel { .. }) => Some(Becomes::Lanes),
        Some(Operator::Launch { .. }) => Some(Becomes::Launch),
        _ => None,
    };
    let mut made: FxHashMap<Span, Vec<Becomes>> = FxHashMap::default();
    // Each with whether something around it runs at once.
    let mut work = vec![(derived.body, false)];
    while let Some((id, inside)) = work.pop() {
        let own = at_once(id);
        let becomes = match operator(terms, id) {
            _ if own.is_some() => own.clone(),
            Some(Operator::For { .. }) if inside => Some(Becomes::Inside),
            Some(Operator::For { .. }) => {
                let around = terms.subterms(id).any(|part| at_once(part).is_some());
                Some(if around {
                    Becomes::Around
                } else {
                    Becomes::InOrder
                })
            }
            _ => None,
        };
        if let (Some(becomes), Some(span)) = (becomes, terms.span(id)) {
            let known = made.entry(span).or_default();
            if !known.contains(&becomes) {
                known.push(becomes);
            }
        }
        let inside = inside || own.is_some();
        work.extend(terms.args(id).iter().rev().map(|&part| (part, inside)));
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{Options, Session, Source, derive, load};

    fn fates(scheme: &str, strategy: &str) -> Vec<String> {
        let mut session = Session::new();
        let options = Options::default();
        let scheme = load(Source::Path(scheme), &options, &mut session).expect("a scheme");
        let base = derive::rules(&options, &mut session).expect("rules");
        let derived = derive::derive(&base, &scheme, strategy, &options).expect("derived");
        let line = |span: Span| session.sources.line_column(span.file, span.from).0;
        let fates = loop_fates(&scheme, &derived);
        let told = fates.iter().map(|fate| {
            let becomes = match &fate.becomes {
                Becomes::Stays { why, .. } => format!("stays: {why}"),
                other => format!("{other:?}"),
            };
            format!("{} {}: {becomes}", line(fate.span), fate.variable)
        });
        told.collect()
    }

    #[test]
    fn loops_of_hermite() {
        crate::term::with_deep_stack(|| {
            let bodies = ["25 i", "28 i", "31 i", "34 i"];
            let all = |kinds: &[&str], sums: &[&str]| {
                let mut all = vec!["24 k: Around".to_owned()];
                for body in bodies {
                    all.extend(kinds.iter().map(|kind| format!("{body}: {kind}")));
                }
                all.push("43 s: Inside".to_owned());
                all.extend(sums.iter().map(|&sum| sum.to_owned()));
                all
            };
            let stays =
                "67 i: stays: its sums are kept in order, since another order rounds otherwise";
            let cases: [(&str, &[&str], &[&str]); 3] = [
                ("parallel", &["Threads"], &[stays, "69 s: InOrder"]),
                (
                    "cpu",
                    &["Threads", "Lanes"],
                    &["67 i: Threads", "69 s: Inside"],
                ),
                ("gpu", &["Launch"], &["67 i: Launch", "69 s: Inside"]),
            ];
            for (strategy, kinds, sums) in cases {
                assert_eq!(fates("hermite", strategy), all(kinds, sums), "{strategy}");
            }
        });
    }
}
