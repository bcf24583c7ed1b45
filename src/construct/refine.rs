//! A scheme's text and a definition → the text with it, and back: `refined` puts one in, `folded` takes one out.
//!
//! Definitions are put behind the last one and taken from anywhere, so that `folded` takes out what `refined` put in, byte
//! for byte.

use super::made::Made;
use super::nested::Placed;
use super::regions::{Region, Regions, Wanted};
use crate::algebra::Construct;
use crate::diagnostic::Diagnostic;
use crate::syntax::LexemeKind;
use crate::syntax::format::{Kind, format};
use crate::syntax::text::{Holed, holed, lexemes, read_expression, read_file, read_operator};
use crate::term::{Id, Sources, Span, Symbol, Terms};
use std::ops::Range;

/// A scheme without a definition.
#[derive(Clone, Debug)]
pub struct Folded {
    /// The text of its file.
    pub made: Made,
    /// What the phrase was defined by, with its comments.
    pub body: String,
}

/// A text in which a phrase of a scheme, the first one or that of a name, has a definition: operators, or a condition for
/// a predicate, as `body` has them. The names of its arguments are those in the parentheses of `phrase`.
///
/// # Errors
///
/// A text that cannot be read, a phrase that the scheme does not use, one that has a definition, unless that is to be
/// replaced, or several, and one whose words need the index of a part that is GIVEN.
pub fn refined(
    sources: &Sources,
    file: u32,
    scheme: Option<&str>,
    phrase: &str,
    body: u32,
    replace: bool,
) -> Result<Made, Vec<Diagnostic>> {
    let wanted = Wanted::read(phrase)?;
    let regions = Regions::of(sources, file, scheme)?;
    let defined = regions.definition(&wanted)?;
    let is_test = match &defined {
        Some(defined) => regions.is_predicate(defined),
        None => used(&regions, &wanted)?,
    };
    if let Some(defined) = defined.as_ref().filter(|_| !replace) {
        let message = format!("{} is defined", wanted.quoted(is_test));
        let diagnostic = Diagnostic::error("E0367", message)
            .at(name_of(&regions, defined))
            .hint("--replace puts the new definition in its place");
        return Err(vec![diagnostic]);
    }
    let (body_text, range) = body_in(sources, body, is_test)?;
    let block = block(&wanted.quoted(is_test), &body_text[range.clone()])?;
    let text = regions.text;
    let mut made = Made::default();
    if let Some(old) = &defined {
        let region = region(&regions, old)?;
        let from = regions.items[region.first].from;
        let line = text[..from].rfind('\n').map_or(0, |at| at + 1);
        let before = Some(&text[line..from]).filter(|before| before.trim().is_empty());
        let block = moved_right(&block, before.map_or(0, str::len).saturating_sub(INDENT));
        made.copy(file, text, 0..from);
        made.push_tokens(block.trim_start(), HEAD, (body, body_text, range));
        made.copy(file, text, regions.items[region.last].to..text.len());
        return Ok(made);
    }
    without_index(&regions, &wanted, is_test)?;
    let last = regions.definitions().last().copied();
    let (at, between) = match (last, regions.word_where()) {
        (Some(last), _) => {
            let last = Placed {
                definition: last,
                around: Vec::new(),
            };
            (region(&regions, &last)?.last, "\n\n".to_owned())
        }
        (None, Some(word)) => (regions.with_comment_behind(word), "\n".to_owned()),
        (None, None) => {
            let end = regions.end_of_body().ok_or_else(nowhere)?;
            (end, format!("\n{}\n", regions.where_text()))
        }
    };
    let at = regions.items[at].to;
    let rest = &text[at..];
    made.copy(file, text, 0..at);
    made.push(&between);
    made.push_tokens(&block, HEAD, (body, body_text, range));
    if !rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
        made.push("\n");
    }
    made.copy(file, text, at..text.len());
    Ok(made)
}

/// A text in which a phrase of a scheme has no definition any more, and what it was.
///
/// # Errors
///
/// A text that cannot be read, and a phrase that nothing defines, or more than one definition.
pub fn folded(
    sources: &Sources,
    file: u32,
    scheme: Option<&str>,
    phrase: &str,
) -> Result<Folded, Vec<Diagnostic>> {
    let wanted = Wanted::read(phrase)?;
    let regions = Regions::of(sources, file, scheme)?;
    let Some(placed) = regions.definition(&wanted)? else {
        let message = format!("nothing among the definitions defines \"{}\"", wanted.inner);
        return Err(vec![regions.unknown(&wanted, message, true)]);
    };
    let construct = regions.construct(placed.definition);
    if matches!(construct, Some(Construct::Basic | Construct::BasicTest)) {
        let message = format!(
            "\"{}\" is declared, and not defined by operators",
            wanted.inner
        );
        let span = name_of(&regions, &placed);
        return Err(vec![Diagnostic::error("E0367", message).at(span)]);
    }
    let region = region(&regions, &placed)?;
    let (made, mut body) = regions.without(&placed).ok_or_else(nowhere)?;
    if region.first < region.head {
        body.push_str(&regions.moved_left(region.first, region.head - 1));
    }
    body.push_str(&regions.moved_left(region.head + HEAD, region.last));
    Ok(Folded { made, body })
}

/// A text in which the operators of some lines are a call of a new phrase, and the phrase is defined by them.
///
/// # Errors
///
/// A text that cannot be read, lines that hold no whole operators, and a phrase that the scheme has.
pub fn folded_lines(
    sources: &mut Sources,
    file: u32,
    scheme: Option<&str>,
    lines: (usize, usize),
    phrase: &str,
) -> Result<Made, Vec<Diagnostic>> {
    let wanted = Wanted::read(phrase)?;
    let (name, with_call, body) = {
        let regions = Regions::of(sources, file, scheme)?;
        let is_known = regions.used_as_test(&wanted).is_some();
        if is_known || regions.definition(&wanted)?.is_some() {
            let message = format!("the scheme has \"{}\"", wanted.inner);
            let hint = "choose other words for the new phrase";
            return Err(vec![Diagnostic::error("E0367", message).hint(hint)]);
        }
        let (first, last) = operators_of(&regions, file, lines)?;
        let (from, to) = (regions.items[first].from, regions.items[last].to);
        let text = regions.text;
        let mut with_call = Made::default();
        with_call.copy(file, text, 0..from);
        with_call.push(&wanted.quoted(false));
        with_call.copy(file, text, to..text.len());
        let mut body = Made::default();
        let moved = regions.moved_left(first, last);
        body.push_tokens(&moved, 0, (file, text, from..to));
        let name = sources.get(file).map_or("", |s| s.name.as_str()).to_owned();
        (name, with_call, body)
    };
    let call_file = sources.add(name, with_call.text.clone());
    let body_file = sources.add("<lines>", body.text.clone());
    let phrase = wanted.quoted(false);
    let made = refined(sources, call_file, scheme, &phrase, body_file, false)?;
    Ok(made
        .through(call_file, &with_call)
        .through(body_file, &body))
}

/// The tokens before what defines a phrase: its words, and ====.
const HEAD: usize = 2;

/// How far a definition stands to the right as it is laid out.
const INDENT: usize = 2;

/// Where the words of a definition stand.
fn name_of(regions: &Regions<'_>, placed: &Placed) -> Option<Span> {
    regions.terms.span(regions.terms.arg(placed.definition, 0))
}

/// Refuses a phrase in whose words an index of GIVEN FOR stands: behind the last definition, none is known.
fn without_index(
    regions: &Regions<'_>,
    wanted: &Wanted,
    is_test: bool,
) -> Result<(), Vec<Diagnostic>> {
    let terms = &regions.terms;
    let parts = terms.subterms(regions.root);
    let parts = parts.filter(|&id| regions.construct(id) == Some(Construct::GivenFor));
    let indices: Vec<Symbol> = parts
        .filter_map(|id| terms.args(id).first().and_then(|&n| terms.as_atom(n)))
        .collect();
    let is_index = |name: &&str| indices.iter().any(|index| index.as_str() == *name);
    let names = holed(wanted.name.as_str())
        .into_iter()
        .filter_map(|piece| match piece {
            Holed::Hole(sum) => Some(sum.into_iter().map(|(_, name)| name)),
            Holed::Plain(_) => None,
        });
    let Some(index) = names.flatten().find(is_index) else {
        return Ok(());
    };
    let message = format!(
        "in the words of {} stands `{index}`, which GIVEN FOR alone knows",
        wanted.quoted(is_test)
    );
    let hint = "write the definition within GIVEN FOR behind WHERE: --replace can change it there";
    Err(vec![Diagnostic::error("E0367", message).hint(hint)])
}

/// A text whose lines, but those that begin in quotes, stand so many places further to the right.
fn moved_right(text: &str, by: usize) -> String {
    if by == 0 {
        return text.to_owned();
    }
    let items = lexemes(text);
    let mut out = String::new();
    let mut at = 0;
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        if !line.is_empty() && !items.iter().any(|l| l.from < at && at < l.to) {
            out.push_str(&" ".repeat(by));
        }
        out.push_str(line);
        at += line.len() + 1;
    }
    out
}

/// Whether a scheme uses a phrase as a predicate.
fn used(regions: &Regions<'_>, wanted: &Wanted) -> Result<bool, Vec<Diagnostic>> {
    regions.used_as_test(wanted).ok_or_else(|| {
        let message = format!("the scheme does not use \"{}\"", wanted.inner);
        vec![regions.unknown(wanted, message, false)]
    })
}

fn region(regions: &Regions<'_>, placed: &Placed) -> Result<Region, Vec<Diagnostic>> {
    regions.region(placed).ok_or_else(nowhere)
}

fn nowhere() -> Vec<Diagnostic> {
    let message = "the place of the definition cannot be told in this text";
    vec![Diagnostic::error("E0367", message)]
}

/// The text of a file, and where operators or a condition stand in it: all of it, or the body of its scheme.
fn body_in(
    sources: &Sources,
    file: u32,
    is_test: bool,
) -> Result<(&str, Range<usize>), Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    use crate::algebra::Keyword::{Scheme, Use};
    let first = lexemes(text)
        .into_iter()
        .find(|l| l.kind != LexemeKind::Comment);
    let is_scheme = first.is_some_and(|l| {
        l.kind == LexemeKind::Keyword(Scheme) || l.kind == LexemeKind::Keyword(Use)
    });
    let mut terms = Terms::new();
    if is_scheme {
        let (items, errors) = read_file(sources, file, &mut terms);
        if !errors.is_empty() {
            return Err(errors);
        }
        let is_scheme = |&&id: &&Id| terms.functor(id) == Some(Construct::Scheme.symbol());
        let body = items.iter().find(is_scheme).map(|&s| terms.arg(s, 2));
        let span = body.and_then(|body| terms.span(body));
        return match span {
            Some(Span { from, to, .. }) => Ok((text, from as usize..to as usize)),
            None => Err(nowhere()),
        };
    }
    match is_test {
        true => read_expression(sources, file, &mut terms)?,
        false => read_operator(sources, file, &mut terms)?,
    };
    Ok((text, 0..text.len()))
}

/// A definition as it stands among others, laid out: comments that the body begins with, the phrase, the body.
fn block(phrase: &str, body: &str) -> Result<String, Vec<Diagnostic>> {
    let mut comments = String::new();
    let mut rest = body.trim();
    for lexeme in lexemes(body) {
        if lexeme.kind != LexemeKind::Comment {
            rest = body[lexeme.from..].trim_end();
            break;
        }
        comments.push_str(&format!("  {}\n", lexeme.text(body).trim_end()));
    }
    let text = format!(
        "SCHEME \"s\" ====\n  EMPTY\nWHERE\n{comments}  {phrase} ====\n    {rest}\nEND OF SCHEME \"s\"\n"
    );
    let mut sources = Sources::default();
    let file = sources.add("definition.saa", text);
    let laid = format(&sources, file, Kind::Schemes)?;
    let inside = laid.split_once("WHERE\n").map_or("", |(_, rest)| rest);
    let inside = inside.rsplit_once("\nEND OF SCHEME");
    Ok(inside.map_or("", |(inside, _)| inside).to_owned())
}

/// The first and the last item of the operators of some lines, counted from 1: whole operators of one sequence.
fn operators_of(
    regions: &Regions<'_>,
    file: u32,
    (first, last): (usize, usize),
) -> Result<(usize, usize), Vec<Diagnostic>> {
    let text = regions.text;
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let refused = |message: String| {
        let hint = "give the lines of whole operators that follow each other in one sequence";
        vec![Diagnostic::error("E0367", message).hint(hint)]
    };
    let Some(&from) = first.checked_sub(1).and_then(|line| starts.get(line)) else {
        return Err(refused(format!("there is no line {first}")));
    };
    if last < first || last > starts.len() {
        return Err(refused(format!("there are no lines {first}-{last}")));
    }
    let to = starts.get(last).copied().unwrap_or(text.len());
    let is_word = |l: &crate::syntax::Lexeme| {
        l.kind != LexemeKind::Comment && l.text(text) != ";" && from <= l.from && l.to <= to
    };
    let (Some(a), Some(b)) = (
        regions.items.iter().position(is_word),
        regions.items.iter().rposition(is_word),
    ) else {
        return Err(refused(format!("lines {first}-{last} hold no operators")));
    };
    let (start, end) = (regions.items[a].from as u32, regions.items[b].to as u32);
    let terms = &regions.terms;
    let span = |id: Id| terms.span(id).filter(|s| s.file == file);
    let begins = |id: Id| span(id).is_some_and(|s| s.from == start);
    let ends = |id: Id| span(id).is_some_and(|s| s.to == end);
    let is_operator = |id: Id| crate::algebra::operator(terms, id).is_some();
    for id in terms.subterms(regions.root) {
        if is_operator(id) && begins(id) && ends(id) {
            return Ok((a, b));
        }
        if terms.functor(id) == Some(Construct::Then.symbol()) {
            let args = terms.args(id);
            let i = args.iter().position(|&arg| begins(arg));
            let j = args.iter().rposition(|&arg| ends(arg));
            if i.zip(j).is_some_and(|(i, j)| i <= j) {
                return Ok((a, b));
            }
        }
    }
    Err(refused(format!(
        "lines {first}-{last} do not hold whole operators of one sequence"
    )))
}
