//! Files of basic operators → the declarations that a scheme needs: of phrases that it uses and nothing in it defines.
//!
//! A file is found among those that are named, in the folder `operators` beside the scheme, and in the library; the first
//! that declares a phrase counts. What declarations say of effects and meanings is taken from all of them. Their code is
//! taken only from files that are named and from the library: a scheme that somebody sends, with a folder beside it, can
//! compute, but not act.

use super::rule_files::files_below;
use super::source::text_of_file;
use super::{Failure, Session, Source};
use crate::algebra::{Construct, definitions, phrases_of, phrases_used};
use crate::derive::library::OPERATORS;
use crate::diagnostic::Diagnostic;
use crate::syntax::print::phrase_as_written;
use crate::syntax::text::read_operators;
use crate::term::{Id, Sources, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};

/// A file of operators.
struct File {
    name: String,
    text: String,
    /// Whether its code may be built and run.
    is_trusted: bool,
    /// Whether somebody named it.
    is_named: bool,
    /// Whether it could be read.
    is_wrong: bool,
    /// The phrases that it declares, in all their wordings.
    phrases: Vec<Symbol>,
}

/// Adds to a scheme the declarations that it needs.
///
/// # Errors
///
/// A file that is named and cannot be read, and what is wrong with one that is needed.
pub(super) fn with_operators(
    source: Source<'_>,
    named: &[PathBuf],
    root: Id,
    terms: &mut Terms,
    errors: &mut Vec<Diagnostic>,
    session: &mut Session,
) -> Result<Id, Failure> {
    if undeclared(terms, root).is_empty() && named.is_empty() {
        return Ok(root);
    }
    let mut root = root;
    let files = files(source, named, session)?;
    let mut taken: FxHashSet<usize> = FxHashSet::default();
    // Whoever names a file wants to know what is wrong with it, whether or not it is needed.
    for (k, file) in files.iter().enumerate().filter(|(_, file)| file.is_named) {
        if file.is_wrong {
            let number = session.sources.add(file.name.clone(), file.text.clone());
            errors.extend(read_operators(&session.sources, number, terms).1);
            taken.insert(k);
        } else if file.phrases.is_empty() {
            errors.push(nothing_declared(&file.name));
        }
    }
    loop {
        let wanted = undeclared(terms, root);
        let declares = |file: &File| file.phrases.iter().any(|p| wanted.contains(p));
        let next = files.iter().enumerate();
        let next = next
            .filter(|(k, _)| !taken.contains(k))
            .find(|(_, file)| declares(file));
        let Some((k, file)) = next else {
            return Ok(root);
        };
        taken.insert(k);
        let number = session.sources.add(file.name.clone(), file.text.clone());
        root = with_file(number, file.is_trusted, root, terms, errors, session);
    }
}

/// The same with the texts of files that were read before.
pub(super) fn with_recorded(
    files: &[u32],
    root: Id,
    terms: &mut Terms,
    errors: &mut Vec<Diagnostic>,
    session: &mut Session,
) -> Id {
    let add = |root: Id, &file: &u32| with_file(file, true, root, terms, errors, session);
    files.iter().fold(root, add)
}

/// Adds what a file declares of what the scheme uses.
fn with_file(
    file: u32,
    is_trusted: bool,
    root: Id,
    terms: &mut Terms,
    errors: &mut Vec<Diagnostic>,
    session: &mut Session,
) -> Id {
    let (declared, wrong) = read_operators(&session.sources, file, terms);
    errors.extend(wrong);
    errors.extend(declared_twice(terms, &declared));
    let mut all = definitions(terms, root).to_vec();
    let mut code_left_out = false;
    // What is taken up may use more of the file.
    loop {
        let wanted = undeclared_in(terms, terms.arg(root, 2), &all);
        let next = declared.iter().copied().find(|&d| {
            let own = phrases_of(terms, d);
            own.iter().any(|p| wanted.contains(p))
        });
        let Some(next) = next else { break };
        let next = match is_trusted {
            true => next,
            false => {
                let (without, had_code) = without_code(terms, next);
                code_left_out |= had_code;
                without
            }
        };
        all.push(next);
    }
    if code_left_out {
        let name = session.sources.get(file).map_or("", |s| s.name.as_str());
        let line = format!(
            "note: the code in {name} is not used, as nobody named the file: --operators {name}"
        );
        session.say(&line);
    }
    let all = terms.apply(Construct::Where.symbol(), &all);
    let mut parts = terms.args(root).to_vec();
    parts.truncate(3);
    parts.push(all);
    terms.with_args(root, &parts)
}

fn nothing_declared(name: &str) -> Diagnostic {
    let message = format!("{name} declares no basic operator");
    Diagnostic::error("E0224", message)
        .hint("a declaration is: \"phrase (x)\" ==== BASIC … END OF BASIC")
}

/// What a file declares and has declared before.
fn declared_twice(terms: &Terms, declared: &[Id]) -> Vec<Diagnostic> {
    let mut known: FxHashMap<Symbol, Id> = FxHashMap::default();
    let mut found = Vec::new();
    for &declaration in declared {
        let Some(&name) = terms.args(declaration).first() else {
            continue;
        };
        let phrase = terms.as_text(name);
        if let Some(before) = phrase.and_then(|phrase| known.insert(phrase, name)) {
            let shown = phrase_as_written(terms, name, terms.arg(declaration, 1));
            found.push(
                Diagnostic::error("E0215", format!("\"{shown}\" is declared twice"))
                    .at(terms.span(name))
                    .also(terms.span(before), "declared here before")
                    .hint("delete one of the declarations, or change its words"),
            );
        }
    }
    found
}

/// The texts of files of operators, with their names: those that are named, then those of the library.
///
/// # Errors
///
/// A file that is named and cannot be read.
pub(super) fn texts(named: &[PathBuf]) -> Result<Vec<(String, String)>, Failure> {
    let all = files(Source::Input, named, &mut Session::new())?.into_iter();
    Ok(all.map(|file| (file.name, file.text)).collect())
}

/// The files of operators, those first that come before others.
fn files(
    source: Source<'_>,
    named: &[PathBuf],
    session: &mut Session,
) -> Result<Vec<File>, Failure> {
    let mut all = Vec::new();
    let mut add = |path: &Path, is_named: bool| -> Result<usize, Failure> {
        let found = files_below(path, &["ops"])?;
        for path in &found {
            let text = text_of_file(path)?;
            all.push(File {
                is_named,
                ..File::of(path.display().to_string(), text, is_named)
            });
        }
        Ok(found.len())
    };
    for path in named {
        if add(path, true)? == 0 {
            return Err(nothing_declared(&path.display().to_string()).into());
        }
    }
    if let Source::Path(path) | Source::Open { path, .. } = source
        && Path::new(path).is_file()
    {
        let beside = Path::new(path).parent().unwrap_or(Path::new(""));
        let beside = beside.join("operators");
        // Nobody asked for these, so that what cannot be read there is only told of.
        if beside.is_dir()
            && let Err(failure) = add(&beside, false)
        {
            for wrong in failure.diagnostics {
                session.say_once(&format!("note: {}", wrong.message));
            }
        }
    }
    let library = OPERATORS
        .iter()
        .map(|&(name, text)| File::of(name.to_owned(), text.to_owned(), true));
    all.extend(library);
    Ok(all)
}

impl File {
    fn of(name: String, text: String, is_trusted: bool) -> File {
        let mut sources = Sources::default();
        let file = sources.add(name.clone(), text.clone());
        let mut terms = Terms::new();
        let (declared, wrong) = read_operators(&sources, file, &mut terms);
        let phrases = declared.iter().flat_map(|&d| phrases_of(&terms, d));
        File {
            phrases: phrases.collect(),
            is_named: false,
            is_wrong: !wrong.is_empty(),
            name,
            text,
            is_trusted,
        }
    }
}

/// The phrases and predicates that a scheme uses and does not define.
fn undeclared(terms: &Terms, root: Id) -> FxHashSet<Symbol> {
    match terms.arity(root) {
        0..3 => FxHashSet::default(),
        _ => undeclared_in(terms, terms.arg(root, 2), definitions(terms, root)),
    }
}

fn undeclared_in(terms: &Terms, body: Id, definitions: &[Id]) -> FxHashSet<Symbol> {
    let parts = std::iter::once(body).chain(definitions.iter().copied());
    let mut used: FxHashSet<Symbol> = parts.flat_map(|part| phrases_used(terms, part)).collect();
    for &definition in definitions {
        for phrase in phrases_of(terms, definition) {
            used.remove(&phrase);
        }
    }
    used
}

/// A declaration without its code, and whether it had some.
fn without_code(terms: &mut Terms, definition: Id) -> (Id, bool) {
    let parts = terms.args(definition).to_vec();
    let is_code = |&part: &Id| terms.functor(part) == Some(Construct::Code.symbol());
    let left: Vec<Id> = parts.iter().copied().filter(|p| !is_code(p)).collect();
    match left.len() == parts.len() {
        true => (definition, false),
        false => (terms.with_args(definition, &left), true),
    }
}
