//! A line of a scheme → the loops around it, and why each became what it did.

use super::derive::{derive, rules};
use super::facts::{LoopFacts, of_loop};
use super::look::schemes_of;
use super::{Becomes, Failure, Options, Session, Source, load_declared, loop_fates, meant};
use crate::algebra::{Expr, Operator, expr, operator};
use crate::analysis::text;
use crate::check::Scheme;
use crate::diagnostic::Diagnostic;
use crate::rewrite::Place;
use crate::term::{Id, Path, Sources, Span};

/// A line of a scheme.
#[derive(Clone, Debug)]
pub struct Why {
    /// The file, by the name that messages have.
    pub file: String,
    /// The line's number, from 1.
    pub line: usize,
    /// Its text, without blanks at its ends.
    pub text: String,
    /// The loops that the line stands in or begins, the innermost first. A line of a phrase has the loops around
    /// every place where the phrase is used.
    pub loops: Vec<WhyLoop>,
    /// What is known of the basic operators and predicates that are used in the line, in sentences.
    pub operators: Vec<String>,
}

/// A loop, and what became of it.
#[derive(Clone, Debug)]
pub struct WhyLoop {
    /// Its variable, as its author calls it.
    pub variable: &'static str,
    /// The file that it stands in.
    pub file: String,
    /// The line that it begins in.
    pub line: usize,
    /// What the analyses know of it.
    pub facts: Vec<String>,
    /// What became of it, strategy by strategy.
    pub under: Vec<Under>,
}

/// What became of a loop under a strategy.
#[derive(Clone, Debug)]
pub struct Under {
    /// The strategy.
    pub strategy: String,
    /// What became of it; several, where parts of it became different things.
    pub becomes: Vec<Becomes>,
    /// The rules that were applied to the loop, in their order, each once.
    pub rules: Vec<String>,
}

/// Why the loops around a line are as they are under some strategies.
///
/// # Errors
///
/// E0008: no such line, or no loop around it. A scheme that does not check, and a strategy that fails.
pub fn why(
    source: Source<'_>,
    line: usize,
    strategies: &[String],
    options: &Options,
    session: &mut Session,
) -> Result<Why, Failure> {
    let options = &Options {
        scheme: match &options.scheme {
            Some(name) => Some(name.clone()),
            None => scheme_at(source, line, session)?,
        },
        ..options.clone()
    };
    let file = (0..)
        .take_while(|&n| session.sources.get(n).is_some())
        .count() as u32;
    let declared = load_declared(source, options, session)?;
    let (name, bytes, text) = of_line(file, line, &session.sources)?;
    let operators = basics_in(&declared, file, &bytes, &session.sources);
    let scheme = meant(declared, options.meanings)?;
    let loops = loops_around(&scheme, file, bytes);
    if loops.is_empty() && operators.is_empty() {
        return Err(no_loop(&scheme, &name, line, file, &session.sources));
    }
    let mut all: Vec<WhyLoop> = loops
        .iter()
        .map(|of| WhyLoop {
            variable: of.variable,
            file: session
                .sources
                .get(of.span.file)
                .map_or_else(String::new, |s| s.name.clone()),
            line: session.sources.line_column(of.span.file, of.span.from).0,
            facts: of.facts.clone(),
            under: Vec::new(),
        })
        .collect();
    let base = rules(options, session)?;
    for strategy in strategies {
        let derived = derive(&base, &scheme, strategy, options)?;
        let fates = loop_fates(&scheme, &derived);
        for (of, told) in loops.iter().zip(&mut all) {
            let own = fates.iter().filter(|fate| fate.span == of.span);
            let mut applied: Vec<String> = Vec::new();
            for step in &derived.derivation.steps {
                let is_there = step.place == Some(Place::from(of.span));
                if is_there && !applied.contains(&step.rule) {
                    applied.push(step.rule.clone());
                }
            }
            told.under.push(Under {
                strategy: strategy.clone(),
                becomes: own.map(|fate| fate.becomes.clone()).collect(),
                rules: applied,
            });
        }
    }
    Ok(Why {
        file: name,
        line,
        text,
        loops: all,
        operators,
    })
}

/// What is known of the basic operators and predicates whose uses stand in some bytes of a file.
fn basics_in(
    scheme: &Scheme,
    file: u32,
    bytes: &std::ops::Range<u32>,
    sources: &Sources,
) -> Vec<String> {
    let terms = &scheme.terms;
    let mut told: Vec<String> = Vec::new();
    for id in terms.subterms(scheme.body) {
        let phrase = match (operator(terms, id), expr(terms, id)) {
            (Some(Operator::Perform { phrase, .. }), _) | (_, Some(Expr::Holds { phrase, .. })) => {
                phrase
            }
            _ => continue,
        };
        let span = terms.span(id).filter(|span| span.file == file);
        let is_there =
            span.is_some_and(|s| s.from < bytes.end.max(bytes.start + 1) && bytes.start < s.to);
        let basic = scheme.basics.get(&phrase).filter(|_| is_there);
        let Some(basic) = basic else { continue };
        let place = basic.span.and_then(|s| Some((sources.get(s.file)?, s)));
        let place = place.map_or(String::new(), |(source, span)| {
            let (line, _) = sources.line_column(span.file, span.from);
            format!(" of {}:{line}", source.name)
        });
        let parts = |k: usize| -> Vec<String> {
            let parts = terms
                .args(id)
                .get(k)
                .map_or(&[][..], |&list| terms.args(list));
            parts.iter().map(|&part| text(scheme, part)).collect()
        };
        let listed = |word: &str, parts: Vec<String>| match parts.is_empty() {
            true => format!("{word} nothing"),
            false => format!("{word} {}", parts.join(", ")),
        };
        let trust = match (basic.has_meaning, basic.is_shown) {
            (false, _) => "it has no meaning: that it reaches nothing else is assumed",
            (true, true) => "its meaning shows that it reaches nothing else",
            (true, false) => {
                "that its meaning reaches nothing else is assumed in derivations; `check` tries it"
            }
        };
        let codes: Vec<&str> = basic
            .codes
            .iter()
            .map(|code| code.target.as_str())
            .collect();
        let code = match codes.is_empty() {
            true => String::new(),
            false => format!("; it has code for {}", codes.join(", ")),
        };
        let line = format!(
            "\"{}\", a basic operator{place}: {}, {}; {trust}{code}",
            basic.title(),
            listed("reads", parts(2)),
            listed("writes", parts(3)),
        );
        if !told.contains(&line) {
            told.push(line);
        }
    }
    told
}

/// The scheme that a line stands in, where a text holds several.
fn scheme_at(
    source: Source<'_>,
    line: usize,
    session: &mut Session,
) -> Result<Option<String>, Failure> {
    let file = source.read(session)?;
    let schemes = schemes_of(session, file);
    if schemes.len() < 2 {
        return Ok(None);
    }
    let (_, bytes, _) = of_line(file, line, &session.sources)?;
    let holds = |span: Option<Span>| {
        span.is_some_and(|s| s.from < bytes.end.max(bytes.start + 1) && bytes.start < s.to)
    };
    let found = schemes.into_iter().find(|(_, span)| holds(*span));
    Ok(found.map(|(name, _)| name))
}

/// The name of a file, the bytes of a line of it, and the line's text.
fn of_line(
    file: u32,
    line: usize,
    sources: &Sources,
) -> Result<(String, std::ops::Range<u32>, String), Failure> {
    let source = sources.get(file);
    let (name, text) = source.map_or(("", ""), |s| (s.name.as_str(), s.text.as_str()));
    let mut from = 0;
    for (number, own) in text.split_inclusive('\n').enumerate() {
        if number + 1 == line {
            let indent = own.len() - own.trim_start().len();
            let (begin, end) = (from + indent, from + own.trim_end().len());
            let bytes = begin as u32..end.max(begin) as u32;
            return Ok((name.to_owned(), bytes, own.trim().to_owned()));
        }
        from += own.len();
    }
    let message = format!("{name} has {} lines", text.lines().count());
    Err(Diagnostic::error("E0008", message)
        .hint(format!("lines are counted from 1: {name}:1"))
        .into())
}

fn no_loop(scheme: &Scheme, name: &str, line: usize, file: u32, sources: &Sources) -> Failure {
    let terms = &scheme.terms;
    let is_loop = |&id: &Id| matches!(operator(terms, id), Some(Operator::For { .. }));
    let loops = terms.subterms(scheme.body).filter(is_loop);
    let spans = loops.filter_map(|id| terms.span(id).filter(|s| s.file == file));
    let mut lines: Vec<usize> = spans
        .map(|span| sources.line_column(span.file, span.from).0)
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let hint = match lines.is_empty() {
        true => "no loop of the scheme begins in this file; those of a phrase count where the phrase is used"
            .to_owned(),
        false => {
            let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
            format!("loops begin in these lines: {}", lines.join(", "))
        }
    };
    Diagnostic::error("E0008", format!("line {line} of {name} is in no loop"))
        .hint(hint)
        .into()
}

/// A loop around a line.
struct Around {
    span: Span,
    variable: &'static str,
    facts: Vec<String>,
}

/// A place of a term, with the number of the place around it.
struct Visited {
    id: Id,
    parent: Option<usize>,
    argument: u32,
}

/// The loops around what stands in some bytes of a file, the innermost first, each once.
fn loops_around(scheme: &Scheme, file: u32, bytes: std::ops::Range<u32>) -> Vec<Around> {
    let terms = &scheme.terms;
    let mut visited: Vec<Visited> = Vec::new();
    let mut work: Vec<(Id, Option<usize>, u32)> = vec![(scheme.body, None, 2)];
    while let Some((id, parent, argument)) = work.pop() {
        if operator(terms, id).is_none() {
            continue;
        }
        let number = visited.len();
        visited.push(Visited {
            id,
            parent,
            argument,
        });
        let parts = terms.args(id).iter().enumerate().rev();
        work.extend(parts.map(|(k, &part)| (part, Some(number), k as u32)));
    }
    let covers = |id: Id| {
        let span = terms.span(id).filter(|span| span.file == file);
        span.is_some_and(|s| s.from < bytes.end.max(bytes.start + 1) && bytes.start < s.to)
    };
    // What a phrase brings stands elsewhere in the text than the place where the phrase is used.
    let mut holds = vec![false; visited.len()];
    let mut innermost: Vec<usize> = Vec::new();
    for (number, at) in visited.iter().enumerate().rev() {
        let is_there = covers(at.id);
        if is_there && !holds[number] {
            innermost.push(number);
        }
        if let (true, Some(parent)) = (is_there || holds[number], at.parent) {
            holds[parent] = true;
        }
    }
    let mut all: Vec<Around> = Vec::new();
    for number in innermost.into_iter().rev() {
        let mut at = Some(number);
        while let Some(place) = at {
            let id = visited[place].id;
            at = visited[place].parent;
            let Some(Operator::For { .. }) = operator(terms, id) else {
                continue;
            };
            let Some(span) = terms.span(id) else { continue };
            let Some(known) = of_loop(scheme, id, &path_to(&visited, place)) else {
                continue;
            };
            let (variable, facts) = (known.variable, facts(known));
            match all.iter_mut().find(|around| around.span == span) {
                // Where a phrase is used again, more or less may be known.
                Some(known) => {
                    for fact in facts {
                        if !known.facts.contains(&fact) {
                            known.facts.push(fact);
                        }
                    }
                }
                None => all.push(Around {
                    span,
                    variable,
                    facts,
                }),
            }
        }
    }
    all
}

/// What is known of a loop in lines, with a single one for the dependences between its iterations.
fn facts(known: LoopFacts) -> Vec<String> {
    let mut carried: Vec<(&str, Vec<&str>)> = Vec::new();
    for dependence in known.dependences.iter().filter(|d| d.is_carried()) {
        let (name, kind) = (dependence.name, dependence.kind);
        match carried.iter_mut().find(|(n, _)| *n == name) {
            Some((_, kinds)) if kinds.contains(&kind) => {}
            Some((_, kinds)) => kinds.push(kind),
            None => carried.push((name, vec![kind])),
        }
    }
    let mut lines = known.told;
    if !carried.is_empty() {
        let each = carried.iter();
        let each = each.map(|(name, kinds)| format!("{name} ({})", kinds.join(", ")));
        let all = each.collect::<Vec<_>>().join(", ");
        lines.push(format!("dependences between iterations: {all}"));
    }
    lines
}

fn path_to(visited: &[Visited], place: usize) -> Path {
    let mut path = Vec::new();
    let mut at = Some(place);
    while let Some(number) = at {
        path.push(visited[number].argument);
        at = visited[number].parent;
    }
    path.reverse();
    Path(path)
}
