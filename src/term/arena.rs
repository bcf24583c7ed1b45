//! The arena of terms.

use super::{Span, Symbol};
use std::hash::Hasher;

/// A term in an arena of [`Terms`]: one occurrence, not a value. Ids grow with creation, and
/// children are always older than their parent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(pub u32);

impl Id {
    /// The id as an index, for tables beside the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What stands at the root of a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Head {
    /// A functor applied to the term's arguments; without arguments, an atom.
    Functor(Symbol),
    /// A rule variable `$x`.
    Variable(Symbol),
    /// A rule's sequence variable `$x..`, which stands for any number of arguments.
    Sequence(Symbol),
    /// An integer literal.
    Int(i64),
    /// A real literal (finite).
    Real(f64),
    /// A text literal.
    Text(Symbol),
}

impl Head {
    fn hash(self) -> u64 {
        let (tag, value) = match self {
            Head::Functor(s) => (1, s.index() as u64),
            Head::Variable(s) => (2, s.index() as u64),
            Head::Sequence(s) => (3, s.index() as u64),
            Head::Int(i) => (4, i as u64),
            Head::Real(x) => (5, x.to_bits()),
            Head::Text(s) => (6, s.index() as u64),
        };
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write_u64(tag);
        hasher.write_u64(value);
        hasher.finish()
    }

    /// Equality of literals by bits, so that it is an equivalence.
    pub(crate) fn same(self, other: Head) -> bool {
        match (self, other) {
            (Head::Real(a), Head::Real(b)) => a.to_bits() == b.to_bits(),
            _ => self == other,
        }
    }
}

/// Where a term comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The text it was read from.
    pub span: Option<Span>,
    /// The phrase whose definition it was expanded from, with its arguments filled in.
    pub phrase: Option<Symbol>,
    /// The derivation step that made it, from 1.
    pub step: Option<u32>,
}

#[derive(Clone, Copy)]
struct Node {
    head: Head,
    first: u32,
    count: u32,
    hash: u64,
    origin: u32,
    /// Nodes of the term, counted as a tree, as far as they can be counted.
    size: u32,
}

/// An arena of immutable terms. It knows nothing of any algebra.
///
/// Equal terms may stand at different ids; [`Terms::equal`] compares them by structure.
#[derive(Clone)]
pub struct Terms {
    nodes: Vec<Node>,
    arguments: Vec<Id>,
    origins: Vec<Origin>,
    words: Option<Words>,
}

/// Whether the argument of a functor at an index is a word, and no name that stands for something else.
pub type Words = fn(Symbol, usize) -> bool;

/// So many arguments take about as much memory as a term.
const ARGUMENTS_OF_TERM: usize = 8;

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// An empty arena.
    pub fn new() -> Terms {
        Terms {
            nodes: Vec::new(),
            arguments: Vec::new(),
            origins: vec![Origin::default()],
            words: None,
        }
    }

    /// The arena, told where words stand, which keep their place where a name is replaced.
    #[must_use]
    pub fn with_words(mut self, words: Words) -> Terms {
        self.words = Some(words);
        self
    }

    /// Whether an argument of a term is a word.
    pub fn is_word(&self, id: Id, argument: usize) -> bool {
        let is_word = self.words.zip(self.functor(id));
        is_word.is_some_and(|(words, functor)| words(functor, argument))
    }

    /// Number of terms made so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What it takes in memory, as a number of terms: those of many arguments count as several.
    pub fn weight(&self) -> usize {
        self.nodes.len() + self.arguments.len() / ARGUMENTS_OF_TERM
    }

    /// Whether no term was made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Makes room for so many terms more, and so many arguments of them.
    pub(crate) fn reserve(&mut self, terms: usize, arguments: usize) {
        self.nodes.reserve(terms);
        self.arguments.reserve(arguments);
    }

    /// Makes a term. A `head` that is not a functor takes no arguments.
    pub fn make(&mut self, head: Head, arguments: &[Id]) -> Id {
        debug_assert!(arguments.is_empty() || matches!(head, Head::Functor(_)));
        let (mut hash, mut size) = (head.hash(), 1u32);
        for argument in arguments {
            let node = &self.nodes[argument.index()];
            hash = (hash.rotate_left(23) ^ node.hash).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            size = size.saturating_add(node.size);
        }
        let first = self.arguments.len() as u32;
        self.arguments.extend_from_slice(arguments);
        let id = Id(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        self.nodes.push(Node {
            head,
            first,
            count: arguments.len() as u32,
            hash,
            origin: 0,
            size,
        });
        id
    }

    /// A functor applied to arguments.
    pub fn apply(&mut self, functor: Symbol, arguments: &[Id]) -> Id {
        self.make(Head::Functor(functor), arguments)
    }

    /// A functor without arguments.
    pub fn atom(&mut self, name: Symbol) -> Id {
        self.make(Head::Functor(name), &[])
    }

    /// An integer literal.
    pub fn int(&mut self, value: i64) -> Id {
        self.make(Head::Int(value), &[])
    }

    /// A real literal.
    pub fn real(&mut self, value: f64) -> Id {
        self.make(Head::Real(value), &[])
    }

    /// A text literal.
    pub fn text(&mut self, value: Symbol) -> Id {
        self.make(Head::Text(value), &[])
    }

    /// The head of a term.
    pub fn head(&self, id: Id) -> Head {
        self.nodes[id.index()].head
    }

    /// The functor of a term, if its head is one.
    pub fn functor(&self, id: Id) -> Option<Symbol> {
        match self.head(id) {
            Head::Functor(s) => Some(s),
            _ => None,
        }
    }

    /// The name of an atom: a functor without arguments.
    pub fn as_atom(&self, id: Id) -> Option<Symbol> {
        match self.head(id) {
            Head::Functor(s) if self.arity(id) == 0 => Some(s),
            _ => None,
        }
    }

    /// The value of an integer literal.
    pub fn as_int(&self, id: Id) -> Option<i64> {
        match self.head(id) {
            Head::Int(i) => Some(i),
            _ => None,
        }
    }

    /// The value of a real literal.
    pub fn as_real(&self, id: Id) -> Option<f64> {
        match self.head(id) {
            Head::Real(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a text literal.
    pub fn as_text(&self, id: Id) -> Option<Symbol> {
        match self.head(id) {
            Head::Text(s) => Some(s),
            _ => None,
        }
    }

    /// The arguments of a term.
    pub fn args(&self, id: Id) -> &[Id] {
        let node = &self.nodes[id.index()];
        &self.arguments[node.first as usize..(node.first + node.count) as usize]
    }

    /// The `i`-th argument of a term. Panics if there is none.
    pub fn arg(&self, id: Id, i: usize) -> Id {
        self.args(id)[i]
    }

    /// Number of arguments.
    pub fn arity(&self, id: Id) -> usize {
        self.nodes[id.index()].count as usize
    }

    /// A hash of the term's structure: equal terms have equal hashes.
    pub fn hash(&self, id: Id) -> u64 {
        self.nodes[id.index()].hash
    }

    /// Where the term comes from.
    pub fn origin(&self, id: Id) -> Origin {
        self.origins[self.nodes[id.index()].origin as usize]
    }

    /// The text the term was read from, if any.
    pub fn span(&self, id: Id) -> Option<Span> {
        self.origin(id).span
    }

    /// Records where a term comes from.
    pub fn set_origin(&mut self, id: Id, origin: Origin) {
        if self.origins.last() != Some(&origin) {
            self.origins.push(origin);
        }
        self.nodes[id.index()].origin = (self.origins.len() - 1) as u32;
    }

    /// Records the text a term was read from.
    pub fn set_span(&mut self, id: Id, span: Span) {
        let origin = Origin {
            span: Some(span),
            ..self.origin(id)
        };
        self.set_origin(id, origin);
    }

    /// Gives `to` the origin of `from`.
    pub fn copy_origin(&mut self, from: Id, to: Id) {
        self.nodes[to.index()].origin = self.nodes[from.index()].origin;
    }

    /// A term like `id` with other arguments: a new occurrence with the same head and origin.
    pub fn with_args(&mut self, id: Id, arguments: &[Id]) -> Id {
        let new = self.make(self.head(id), arguments);
        self.copy_origin(id, new);
        new
    }

    /// Whether two terms of this arena have the same structure.
    pub fn equal(&self, a: Id, b: Id) -> bool {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            if a == b {
                continue;
            }
            let (x, y) = (&self.nodes[a.index()], &self.nodes[b.index()]);
            if x.hash != y.hash || x.count != y.count || !x.head.same(y.head) {
                return false;
            }
            work.extend(
                self.args(a)
                    .iter()
                    .copied()
                    .zip(self.args(b).iter().copied()),
            );
        }
        true
    }

    /// Whether a term of this arena and one of another have the same structure.
    pub fn equal_across(&self, a: Id, other: &Terms, b: Id) -> bool {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (x, y) = (&self.nodes[a.index()], &other.nodes[b.index()]);
            if x.hash != y.hash || x.count != y.count || !x.head.same(y.head) {
                return false;
            }
            work.extend(
                self.args(a)
                    .iter()
                    .copied()
                    .zip(other.args(b).iter().copied()),
            );
        }
        true
    }

    /// Number of nodes of a term, counted as a tree; 2<sup>32</sup> - 1 where there are more.
    pub fn size(&self, id: Id) -> usize {
        self.nodes[id.index()].size as usize
    }

    /// All subterms of a term with the term itself, parents before children, left to right.
    pub fn subterms(&self, id: Id) -> Subterms<'_> {
        Subterms {
            terms: self,
            work: vec![id],
        }
    }

    /// Copies a term of another arena into this one, with its origins, and where words stand there. Does not
    /// recurse.
    pub fn import(&mut self, from: &Terms, id: Id) -> Id {
        self.import_around(from, id, |_| None)
    }

    /// The same around subterms that have a copy here.
    pub fn import_around(&mut self, from: &Terms, id: Id, known: impl Fn(Id) -> Option<Id>) -> Id {
        self.words = self.words.or(from.words);
        enum Work {
            Visit(Id),
            Make(Id),
        }
        let mut work = vec![Work::Visit(id)];
        let mut done: Vec<Id> = Vec::new();
        while let Some(item) = work.pop() {
            match item {
                Work::Visit(id) => match known(id) {
                    Some(copy) => done.push(copy),
                    None => {
                        work.push(Work::Make(id));
                        work.extend(from.args(id).iter().rev().map(|&a| Work::Visit(a)));
                    }
                },
                Work::Make(id) => {
                    let start = done.len() - from.arity(id);
                    let arguments: Vec<Id> = done.drain(start..).collect();
                    let new = self.make(from.head(id), &arguments);
                    let origin = from.origin(id);
                    if origin != Origin::default() {
                        self.set_origin(new, origin);
                    }
                    done.push(new);
                }
            }
        }
        done.pop().expect("one term was copied")
    }

    /// An arena that holds just one term, every occurrence a node of its own, and its id there.
    pub fn compact(&self, root: Id) -> (Terms, Id) {
        let mut new = Terms::new();
        let id = new.import(self, root);
        (new, id)
    }
}

/// Iterator over subterms; see [`Terms::subterms`].
pub struct Subterms<'a> {
    terms: &'a Terms,
    work: Vec<Id>,
}

impl Iterator for Subterms<'_> {
    type Item = Id;

    fn next(&mut self) -> Option<Id> {
        let id = self.work.pop()?;
        // Most terms are leaves.
        let args = self.terms.args(id);
        if !args.is_empty() {
            self.work.extend(args.iter().rev());
        }
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What has a copy in the other arena is not copied again, and the rest is, around it.
    #[test]
    fn terms_are_imported_around_known_parts() {
        let (mut here, mut there) = (Terms::new(), Terms::new());
        let [f, g] = ["f", "g"].map(Symbol::new);
        let x = there.atom(Symbol::new("x"));
        let known = there.apply(g, &[x]);
        let one = there.int(1);
        let whole = there.apply(f, &[known, one, known]);
        let copy = here.import(&there, known);
        let before = here.len();
        let new = here.import_around(&there, whole, |id| (id == known).then_some(copy));
        assert!(here.equal_across(new, &there, whole));
        assert_eq!(here.args(new)[0], copy);
        assert_eq!(here.args(new)[2], copy);
        assert_eq!(here.len(), before + 2);
    }
}
