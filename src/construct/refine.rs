//! A scheme's text and a definition → the text with it, and back: `refined` puts one in, `folded` takes one out.
//!
//! Definitions are put behind the last one and taken from anywhere, so that `folded` takes out what `refined` put in, byte
//! for byte.

use super::regions::{Region, Regions, Wanted};
use crate::algebra::Construct;
use crate::diagnostic::Diagnostic;
use crate::syntax::LexemeKind;
use crate::syntax::format::{Kind, format};
use crate::syntax::text::{lexemes, read_expression, read_file, read_operator};
use crate::term::{Id, Sources, Span, Terms};

/// A scheme without a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Folded {
    /// The text of its file.
    pub text: String,
    /// What the phrase was defined by, with its comments.
    pub body: String,
}

/// A text in which a phrase of a scheme, the first one or that of a name, has a definition: operators, or a condition for
/// a predicate, as `body` has them. The names of its arguments are those in the parentheses of `phrase`.
///
/// # Errors
///
/// A text that cannot be read, a phrase that the scheme does not use, and one that has a definition, unless that is to
/// be replaced.
pub fn refined(
    sources: &Sources,
    file: u32,
    scheme: Option<&str>,
    phrase: &str,
    body: u32,
    replace: bool,
) -> Result<String, Vec<Diagnostic>> {
    let wanted = Wanted::read(phrase)?;
    let (is_test, body) = {
        let regions = Regions::of(sources, file, scheme)?;
        let is_test = used(&regions, &wanted)?;
        let defined = regions.definition(&wanted);
        if let Some(defined) = defined.filter(|_| !replace) {
            let message = format!("{} is defined", wanted.quoted(is_test));
            let diagnostic = Diagnostic::error("E0367", message)
                .at(regions.terms.span(regions.terms.arg(defined, 0)))
                .hint("--replace puts the new definition in its place");
            return Err(vec![diagnostic]);
        }
        (is_test, body_in(sources, body, is_test)?)
    };
    let block = block(&wanted.quoted(is_test), &body)?;
    let regions = Regions::of(sources, file, scheme)?;
    let text = regions.text;
    let old = regions.definition(&wanted);
    if let Some(old) = old {
        let region = region(&regions, old)?;
        let (from, to) = (
            regions.items[region.first].from,
            regions.items[region.last].to,
        );
        return Ok(format!(
            "{}{}{}",
            &text[..from],
            block.trim_start(),
            &text[to..]
        ));
    }
    let last = regions.definitions().last().copied();
    let (at, between) = match (last, regions.word_where()) {
        (Some(last), _) => {
            let region = region(&regions, last)?;
            (region.last, "\n\n".to_owned())
        }
        (None, Some(word)) => (regions.with_comment_behind(word), "\n".to_owned()),
        (None, None) => {
            let end = regions.end_of_body().ok_or_else(nowhere)?;
            (end, format!("\n{}\n", regions.where_text()))
        }
    };
    let at = regions.items[at].to;
    let rest = &text[at..];
    let after = match rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
        true => "",
        false => "\n",
    };
    Ok(format!("{}{between}{block}{after}{rest}", &text[..at]))
}

/// A text in which a phrase of a scheme has no definition any more, and what it was.
///
/// # Errors
///
/// A text that cannot be read, and a phrase that nothing defines.
pub fn folded(
    sources: &Sources,
    file: u32,
    scheme: Option<&str>,
    phrase: &str,
) -> Result<Folded, Vec<Diagnostic>> {
    let wanted = Wanted::read(phrase)?;
    let regions = Regions::of(sources, file, scheme)?;
    let Some(definition) = regions.definition(&wanted) else {
        let message = format!("nothing among the definitions defines \"{}\"", wanted.inner);
        return Err(vec![regions.unknown(&wanted, message, true)]);
    };
    let construct = regions.terms.functor(definition).and_then(Construct::of);
    if matches!(construct, Some(Construct::Basic | Construct::BasicTest)) {
        let message = format!(
            "\"{}\" is declared, and not defined by operators",
            wanted.inner
        );
        let span = regions.terms.span(regions.terms.arg(definition, 0));
        return Err(vec![Diagnostic::error("E0367", message).at(span)]);
    }
    let region = region(&regions, definition)?;
    let mut body = String::new();
    if region.first < region.head {
        body.push_str(&regions.moved_left(region.first, region.head - 1));
    }
    // Behind the phrase stands ====.
    body.push_str(&regions.moved_left(region.head + 2, region.last));
    Ok(Folded {
        text: without(&regions, region),
        body,
    })
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
) -> Result<String, Vec<Diagnostic>> {
    let wanted = Wanted::read(phrase)?;
    let (name, with_call, body) = {
        let regions = Regions::of(sources, file, scheme)?;
        let is_known = regions.used_as_test(&wanted).is_some();
        if is_known || regions.definition(&wanted).is_some() {
            let message = format!("the scheme has \"{}\"", wanted.inner);
            let hint = "choose other words for the new phrase";
            return Err(vec![Diagnostic::error("E0367", message).hint(hint)]);
        }
        let (first, last) = operators_of(&regions, file, lines)?;
        let (from, to) = (regions.items[first].from, regions.items[last].to);
        let call = wanted.quoted(false);
        let text = regions.text;
        let name = sources.get(file).map_or("", |s| s.name.as_str()).to_owned();
        (
            name,
            format!("{}{call}{}", &text[..from], &text[to..]),
            regions.moved_left(first, last),
        )
    };
    let file = sources.add(name, with_call);
    let body = sources.add("<lines>", body);
    refined(sources, file, scheme, &wanted.quoted(false), body, false)
}

/// Whether a scheme uses a phrase as a predicate.
fn used(regions: &Regions<'_>, wanted: &Wanted) -> Result<bool, Vec<Diagnostic>> {
    regions.used_as_test(wanted).ok_or_else(|| {
        let message = format!("the scheme does not use \"{}\"", wanted.inner);
        vec![regions.unknown(wanted, message, false)]
    })
}

fn region(regions: &Regions<'_>, definition: Id) -> Result<Region, Vec<Diagnostic>> {
    regions.region(definition).ok_or_else(nowhere)
}

fn nowhere() -> Vec<Diagnostic> {
    let message = "the place of the definition cannot be told in this text";
    vec![Diagnostic::error("E0367", message)]
}

/// The text without a region.
fn without(regions: &Regions<'_>, region: Region) -> String {
    let (text, items) = (regions.text, &regions.items);
    let (from, to) = (items[region.first].from, items[region.last].to);
    let before = |item: usize| item.checked_sub(1).map_or(0, |b| items[b].to);
    let all = regions.definitions();
    let starts: Vec<usize> = all
        .iter()
        .filter_map(|&d| regions.terms.span(d))
        .map(|s| s.from as usize)
        .collect();
    let head = items[region.head].from;
    if starts.iter().any(|&at| at > head) {
        // What follows takes its place.
        let next = items.get(region.last + 1).map_or(to, |l| l.from);
        return format!("{}{}", &text[..from], &text[next..]);
    }
    let word = regions.word_where().filter(|_| starts.len() == 1);
    match word {
        Some(word) if word + 1 == region.first => {
            format!("{}{}", &text[..before(word)], &text[to..])
        }
        Some(word) => format!(
            "{}{}{}",
            &text[..before(word)],
            &text[items[word].to..before(region.first)],
            &text[to..]
        ),
        None => format!("{}{}", &text[..before(region.first)], &text[to..]),
    }
}

/// The text of operators, or of a condition: all of a file, or the body of its scheme.
fn body_in(sources: &Sources, file: u32, is_test: bool) -> Result<String, Vec<Diagnostic>> {
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
            Some(Span { from, to, .. }) => Ok(text[from as usize..to as usize].to_owned()),
            None => Err(nowhere()),
        };
    }
    match is_test {
        true => read_expression(sources, file, &mut terms)?,
        false => read_operator(sources, file, &mut terms)?,
    };
    Ok(text.to_owned())
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
