//! A smaller scheme that still has a property: parts are dropped as long as it has.

use glushkov::algebra::{Construct, Language, Sort};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::text::read_file;
use glushkov::term::{Id, Path, Sources, Terms};

/// The scheme of a text; nothing if it has syntax errors.
fn read(text: &str) -> Option<(Terms, Id)> {
    let mut sources = Sources::default();
    let file = sources.add("smaller", text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    (errors.is_empty() && items.len() == 1).then(|| (terms, items[0]))
}

fn text(terms: &Terms, root: Id) -> String {
    let style = Style {
        notation: Notation::Text,
        language: Language::English,
        comments: false,
    };
    print(terms, root, style)
}

/// Positions in a term, from the top.
fn positions(terms: &Terms, root: Id) -> Vec<Path> {
    let mut all = vec![Path::default()];
    let mut at = 0;
    while at < all.len() {
        let path = all[at].clone();
        let id = path.get(terms, root).expect("a position of it");
        for i in 0..terms.arity(id) {
            let mut inner = path.clone();
            inner.0.push(i as u32);
            all.push(inner);
        }
        at += 1;
    }
    all
}

/// What may stand in the place of a term: fewer arguments, one of its arguments, or next to nothing.
fn instead(terms: &mut Terms, id: Id) -> Vec<Id> {
    let arguments = terms.args(id).to_vec();
    let construct = terms.functor(id).and_then(Construct::of);
    let mut all = Vec::new();
    let many = matches!(
        construct,
        Some(
            Construct::Then
                | Construct::Data
                | Construct::Where
                | Construct::Async
                | Construct::Report
        )
    );
    if many {
        for i in 0..arguments.len() {
            let mut fewer = arguments.clone();
            fewer.remove(i);
            all.push(terms.with_args(id, &fewer));
        }
    }
    match construct.map(|c| c.info().sort) {
        Some(Sort::Operator) if !many || construct == Some(Construct::Async) => {
            all.push(terms.atom(Construct::Empty.symbol()));
            all.extend(arguments);
        }
        Some(Sort::Expression | Sort::Condition) if !arguments.is_empty() => {
            all.extend(arguments);
        }
        _ => {}
    }
    all.retain(|&new| !terms.equal(new, id));
    all
}

/// The smallest found. `has` is asked at most so many times.
pub fn smaller(scheme: &str, mut tries: usize, has: &dyn Fn(&str) -> bool) -> String {
    let Some((mut terms, mut root)) = read(scheme) else {
        return scheme.to_owned();
    };
    let mut best = scheme.to_owned();
    let mut at = 0;
    loop {
        let all = positions(&terms, root);
        let Some(path) = all.get(at) else {
            return best;
        };
        let id = path.get(&terms, root).expect("a position of it");
        let mut found = false;
        for new in instead(&mut terms, id) {
            if tries == 0 {
                return best;
            }
            let candidate = path
                .replace(&mut terms, root, new)
                .expect("a position of it");
            let candidate = text(&terms, candidate);
            tries -= 1;
            if has(&candidate)
                && let Some(read) = read(&candidate)
            {
                (terms, root) = read;
                best = candidate;
                found = true;
                break;
            }
        }
        // What came into the place may be made smaller, too.
        at += usize::from(!found);
    }
}
