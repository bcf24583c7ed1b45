//! Files of facts → a fact base: terms, or CSV.

use super::{Failure, Session, Source};
use crate::diagnostic::Diagnostic;
use crate::rewrite::{FactBase, read_facts};
use crate::term::{Symbol, Terms};
use std::path::Path;

/// How files of facts end.
const ENDINGS: [&str; 2] = ["facts", "csv"];

/// Adds the facts of a file. One that ends in `.csv` has a fact in each row, named like the file;
/// rows that begin with `#` are comments. Another one has terms in the syntax of rules, each ended
/// by `;`.
///
/// # Errors
///
/// What cannot be read (E0002, E0003, E0007), is no CSV (E0373), no term, or no fact.
pub fn read_fact_file(
    path: &str,
    base: &mut FactBase,
    session: &mut Session,
) -> Result<(), Failure> {
    let file = Source::Path(path).read(session)?;
    let text = session.sources.get(file).map_or("", |s| s.text.as_str());
    match Path::new(path).extension().is_some_and(|end| end == "csv") {
        true => read_rows(path, text, base),
        false => Ok(read_facts(base, file, text)?),
    }
}

/// Adds the facts of the files of a name that stand beside a file of rules, if there are any.
///
/// # Errors
///
/// As [`read_fact_file`].
pub fn read_facts_beside(
    source: Source<'_>,
    name: Symbol,
    base: &mut FactBase,
    session: &mut Session,
) -> Result<(), Failure> {
    let Source::Path(rules) = source else {
        return Ok(());
    };
    let folder = Path::new(rules).parent().unwrap_or(Path::new(""));
    for ending in ENDINGS {
        let file = folder.join(name.as_str()).with_extension(ending);
        if file.is_file() {
            read_fact_file(&file.to_string_lossy(), base, session)?;
        }
    }
    Ok(())
}

fn read_rows(path: &str, text: &str, base: &mut FactBase) -> Result<(), Failure> {
    let refused = |why: String| Diagnostic::error("E0373", format!("{path}: {why}"));
    let stem = Path::new(path).file_stem().unwrap_or_default();
    let name = stem.to_string_lossy();
    if !is_name(&name) {
        let hint = "facts of a CSV file are named like the file: give it the name of a functor";
        return Err(refused(format!("`{name}` is no name of a fact"))
            .hint(hint)
            .into());
    }
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    for row in rows.records() {
        let row = row.map_err(|error| refused(error.to_string()))?;
        let mut terms = Terms::new();
        let cells: Vec<_> = row.iter().map(|cell| value(&mut terms, cell)).collect();
        let fact = terms.apply(Symbol::new(&name), &cells);
        base.assert(&terms, fact)
            .map_err(|why| refused(why.to_owned()))?;
    }
    Ok(())
}

/// A cell as a term: a number, `true` or `false`, a name, else a text.
fn value(terms: &mut Terms, cell: &str) -> crate::term::Id {
    if let Ok(number) = cell.parse() {
        return terms.int(number);
    }
    let begins = cell.trim_start_matches(['-', '+']);
    if begins.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && let Ok(number) = cell.parse()
    {
        return terms.real(number);
    }
    match cell {
        "true" => terms.atom(Symbol::new("True")),
        "false" => terms.atom(Symbol::new("False")),
        name if is_name(name) => terms.atom(Symbol::new(name)),
        text => terms.text(Symbol::new(text)),
    }
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}
