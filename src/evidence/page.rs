//! The code of a rule's page → a scheme: what it names is declared as its use and its letters say.

use super::shown;
use crate::algebra::{Construct, Precision, Sort};
use crate::check::{Scheme, check};
use crate::syntax::text::read_file;
use crate::term::{Id, Sources, Symbol, Terms};
use std::collections::{BTreeMap, HashSet};

/// How a name is used.
#[derive(Clone, Copy, Default)]
struct Use {
    dimensions: usize,
    vector: bool,
}

/// The schemes of a page's codes, which share their declarations.
///
/// Code that begins with DATA declares itself what it names, and the others use that. Otherwise a
/// name in capitals is an INTEGER parameter; one that begins with i to n is an INTEGER, any other
/// a REAL, or a VECTOR where a field of it is taken or it is an array `u` or `v`; it is an array as its
/// subscripts say. A capital A to D alone is an operator.
///
/// # Errors
///
/// What is wrong with the code, as it is shown.
pub fn schemes(codes: &[&str], sources: &mut Sources) -> Result<Vec<Scheme>, String> {
    let mut data = None;
    let mut uses = BTreeMap::new();
    let bodies: Vec<String> = codes.iter().map(|c| phrases(c)).collect();
    let mut rest: Vec<&str> = Vec::new();
    for body in &bodies {
        match body.split_once("END OF DATA") {
            Some((own, body)) => {
                data = Some(format!("{own}END OF DATA"));
                rest.push(body);
            }
            None => rest.push(body),
        }
    }
    for body in &rest {
        let (terms, root) = read(&format!("{HEAD}{body}{END}"), sources)?;
        note(&terms, root, &mut uses);
    }
    let data = data.unwrap_or_else(|| declared(&uses));
    rest.iter()
        .map(|body| {
            let text = format!("{HEAD}{data}\n{body}{END}");
            let (terms, root) = read(&text, sources)?;
            check(&terms, root, Precision::F32).map_err(|e| shown(&e, sources))
        })
        .collect()
}

const HEAD: &str = "SCHEME \"page\" ====\n";
const END: &str = "\nEND OF SCHEME \"page\"\n";

/// Whether code is a term, for rules that no scheme is as it stands.
pub fn is_term(code: &str) -> bool {
    let functor = code.split('(').next().unwrap_or_default();
    Construct::of(Symbol::new(functor)).is_some()
}

fn read(text: &str, sources: &mut Sources) -> Result<(Terms, Id), String> {
    let file = sources.add("page", text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(sources, file, &mut terms);
    match items.first() {
        Some(&root) if errors.is_empty() => Ok((terms, root)),
        _ => Err(shown(&errors, sources)),
    }
}

/// The code with letters for operators as phrases.
fn phrases(code: &str) -> String {
    let chars: Vec<char> = code.chars().collect();
    let mut out = String::new();
    for (i, &c) in chars.iter().enumerate() {
        let beside = |at: Option<&char>| at.is_some_and(|c| c.is_alphanumeric() || *c == '"');
        let before = i.checked_sub(1).and_then(|i| chars.get(i));
        let alone = !beside(before) && !beside(chars.get(i + 1));
        match c {
            'A'..='D' if alone => out.push_str(&format!("\"{c}\"")),
            _ => out.push(c),
        }
    }
    out
}

/// Notes the names that a term uses and does not bind.
fn note(terms: &Terms, root: Id, uses: &mut BTreeMap<&'static str, Use>) {
    let binds = |id: Id| {
        let construct = terms.functor(id).and_then(Construct::of)?;
        construct.info().binds()?;
        terms.as_atom(*terms.args(id).first()?)
    };
    let bound: HashSet<Symbol> = terms.subterms(root).filter_map(binds).collect();
    let mut add = |name: Symbol, dimensions: usize, vector: bool| {
        if bound.contains(&name) {
            return;
        }
        let known = uses.entry(name.as_str()).or_default();
        known.dimensions = known.dimensions.max(dimensions);
        known.vector |= vector;
    };
    for id in terms.subterms(root) {
        let Some(construct) = terms.functor(id).and_then(Construct::of) else {
            continue;
        };
        let args = terms.args(id);
        match construct {
            Construct::Index => {
                if let Some(name) = terms.as_atom(args[0]) {
                    add(name, args.len() - 1, false);
                }
            }
            Construct::Field => {
                let of = args[0];
                match terms.functor(of).and_then(Construct::of) {
                    Some(Construct::Index) if terms.arity(of) > 1 => {
                        if let Some(name) = terms.as_atom(terms.arg(of, 0)) {
                            add(name, terms.arity(of) - 1, true);
                        }
                    }
                    _ => {
                        if let Some(name) = terms.as_atom(of) {
                            add(name, 0, true);
                        }
                    }
                }
            }
            Construct::Allocate
            | Construct::CopyToDevice
            | Construct::CopyFromDevice
            | Construct::Free => {
                if let Some(name) = terms.as_atom(args[0]) {
                    add(name, 1, false);
                }
            }
            _ => {}
        }
        for (i, &argument) in args.iter().enumerate() {
            let name = terms.as_atom(argument);
            let known = name.and_then(Construct::of).is_some();
            if let (Some(name), false) = (name, known)
                && construct.info().argument(i) == Some(Sort::Expression)
            {
                add(name, 0, false);
            }
        }
    }
}

/// DATA for names as they are used.
fn declared(uses: &BTreeMap<&'static str, Use>) -> String {
    let mut text = String::from("DATA\n");
    for (name, used) in uses {
        let integer = name.starts_with(|c| ('i'..='n').contains(&c));
        let vector = used.vector || used.dimensions > 0 && matches!(*name, "u" | "v");
        let kind = match (vector, integer) {
            (true, _) => "VECTOR",
            (_, true) => "INTEGER",
            _ => "REAL",
        };
        let sizes = ["", " [64]", " [12, 12]", " [6, 6, 6]"][used.dimensions];
        match is_parameter(name) {
            true => text.push_str(&format!("  {name} : INTEGER := 5\n")),
            false => text.push_str(&format!("  {name} : {kind}{sizes} INPUT OUTPUT\n")),
        }
    }
    // Bounds of loops are mostly extents of arrays.
    let bounds: Vec<&str> = uses.keys().copied().filter(|n| is_parameter(n)).collect();
    if !bounds.is_empty() {
        text.push_str(&format!("  extents : BOOLEAN [{}]\n", bounds.join(", ")));
    }
    text.push_str("END OF DATA");
    text
}

/// Whether a name of a page is that of a parameter.
fn is_parameter(name: &str) -> bool {
    name.chars().all(|c| c.is_uppercase())
}
