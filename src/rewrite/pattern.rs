//! Patterns: terms with variables, made ready for matching.

use super::among::Among;
use super::operators::Operators;
use crate::syntax::rules::{ANY_ARITY, CONS, NIL, SET, SET_PATTERN};
use crate::term::{Head, Id, Symbol, Terms};
use std::rc::Rc;

/// What a variable of a rule stands for.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    Term(Id),
    /// Consecutive arguments of a term.
    Slice {
        of: Id,
        from: u32,
        to: u32,
    },
    List(Rc<[Id]>),
}

impl Bound {
    /// The terms it stands for.
    pub(super) fn elements<'a>(&'a self, terms: &'a Terms) -> &'a [Id] {
        match self {
            Bound::Term(id) => std::slice::from_ref(id),
            Bound::Slice { of, from, to } => &terms.args(*of)[*from as usize..*to as usize],
            Bound::List(list) => list,
        }
    }
}

/// The variables of a rule and what they stand for.
pub(super) type Slots = Vec<Option<Bound>>;

/// A node of a pattern; variables are numbered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    Variable(u32),
    Sequence(u32),
    Leaf(Head),
    /// A functor with patterns `from..to`; `rigid` if there is no sequence variable among them.
    Apply {
        functor: Symbol,
        from: u32,
        to: u32,
        rigid: bool,
    },
    /// `f..($args)`: patterns of the functor as an atom and of the arguments as a list.
    AnyArity {
        functor: u32,
        list: u32,
    },
    /// `{p, q : $rest}`: patterns of elements and, last, of the rest.
    SetPattern {
        from: u32,
        to: u32,
    },
    /// A commutative operator with patterns of its arguments, in the order in which they are matched.
    Among {
        from: u32,
        to: u32,
        how: Among,
    },
}

/// A pattern, ready for matching.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) nodes: Vec<Node>,
    /// Arguments of nodes, as indices into `nodes`.
    pub(super) arguments: Vec<u32>,
    pub(super) root: u32,
}

impl Pattern {
    /// Prepares a pattern; `slot` numbers its variables.
    pub(super) fn new(terms: &Terms, id: Id, slot: &mut dyn FnMut(Symbol) -> usize) -> Pattern {
        Pattern::modulo(terms, id, &Operators::default(), slot)
    }

    /// Prepares a pattern that is in the form in which terms of some operators are kept.
    pub(super) fn modulo(
        terms: &Terms,
        id: Id,
        operators: &Operators,
        slot: &mut dyn FnMut(Symbol) -> usize,
    ) -> Pattern {
        let mut pattern = Pattern {
            nodes: Vec::new(),
            arguments: Vec::new(),
            root: 0,
        };
        // Bottom-up, so that long lists in patterns need no recursion.
        let mut work = vec![(id, false)];
        let mut done: Vec<u32> = Vec::new();
        while let Some((id, visited)) = work.pop() {
            if !visited && terms.arity(id) > 0 {
                work.push((id, true));
                work.extend(terms.args(id).iter().rev().map(|&a| (a, false)));
                continue;
            }
            let node = match terms.head(id) {
                Head::Variable(v) => Node::Variable(slot(v) as u32),
                Head::Sequence(v) => Node::Sequence(slot(v) as u32),
                Head::Functor(functor) => {
                    let mut parts = done.split_off(done.len() - terms.arity(id));
                    let laws = operators.laws(functor).filter(|_| !parts.is_empty());
                    if laws.is_some() {
                        pattern.order(&mut parts);
                    }
                    let rigid = !parts
                        .iter()
                        .any(|&p| matches!(pattern.nodes[p as usize], Node::Sequence(_)));
                    let from = pattern.arguments.len() as u32;
                    pattern.arguments.extend(&parts);
                    let to = pattern.arguments.len() as u32;
                    match (functor.as_str(), &parts[..]) {
                        _ if let Some(laws) = laws => Node::Among {
                            from,
                            to,
                            how: Among {
                                functor,
                                laws,
                                single: !rigid,
                                rest: false,
                            },
                        },
                        (ANY_ARITY, &[functor, list]) => Node::AnyArity { functor, list },
                        (SET_PATTERN, [_, ..]) => Node::SetPattern { from, to },
                        _ => Node::Apply {
                            functor,
                            from,
                            to,
                            rigid,
                        },
                    }
                }
                head => Node::Leaf(head),
            };
            pattern.nodes.push(node);
            done.push((pattern.nodes.len() - 1) as u32);
        }
        pattern.root = done.pop().unwrap_or(0);
        pattern
    }

    /// Puts elements in the order in which they are matched: those that are no variables first, then
    /// variables, the ones that stand most often first, then sequences.
    fn order(&self, elements: &mut [u32]) {
        let slots = elements
            .iter()
            .filter_map(|&e| match self.nodes[e as usize] {
                Node::Variable(slot) => Some(slot),
                _ => None,
            });
        let slots: Vec<u32> = slots.collect();
        let times = |slot: u32| slots.iter().filter(|&&other| other == slot).count();
        elements.sort_by_key(|&e| match self.nodes[e as usize] {
            Node::Sequence(_) => (2, 0, 0),
            Node::Variable(slot) => (1, usize::MAX - times(slot), slot),
            _ => (0, 0, 0),
        });
    }

    /// Lets a rule fire on some of the arguments of its operator: the others are the rest, which
    /// gets this slot. Not where a sequence takes them; whether it is so.
    pub(super) fn with_rest(&mut self, slot: u32) -> bool {
        let root = self.root as usize;
        let Node::Among { from, to, how } = self.nodes[root] else {
            return false;
        };
        if !how.laws.associative || how.single {
            return false;
        }
        // The rest goes before the root among the nodes, which come after their arguments.
        self.nodes[root] = Node::Sequence(slot);
        let end = self.arguments.len() as u32;
        let elements = self.arguments[from as usize..to as usize].to_vec();
        self.arguments.extend(elements);
        self.arguments.push(self.root);
        self.nodes.push(Node::Among {
            from: end,
            to: end + (to - from) + 1,
            how: Among { rest: true, ..how },
        });
        self.root = root as u32 + 1;
        true
    }

    /// Number of levels, the pattern itself the first.
    pub(super) fn depth(&self) -> usize {
        // Nodes come after their arguments.
        let mut depths: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let below = match *node {
                Node::Apply { from, to, .. }
                | Node::SetPattern { from, to }
                | Node::Among { from, to, .. } => {
                    let arguments = &self.arguments[from as usize..to as usize];
                    arguments
                        .iter()
                        .map(|&a| depths[a as usize])
                        .max()
                        .unwrap_or(0)
                }
                Node::AnyArity { functor, list } => {
                    depths[functor as usize].max(depths[list as usize])
                }
                Node::Variable(_) | Node::Sequence(_) | Node::Leaf(_) => 0,
            };
            depths.push(below + 1);
        }
        depths.last().copied().unwrap_or(1)
    }

    /// Whether every variable stands once.
    pub(super) fn is_linear(&self) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        self.nodes.iter().all(|node| match node {
            Node::Variable(slot) | Node::Sequence(slot) => seen.insert(*slot),
            _ => true,
        })
    }

    /// The functor that a matching term must have; none if any term may match.
    pub(super) fn functor(&self) -> Option<Symbol> {
        match self.nodes[self.root as usize] {
            Node::Apply { functor, .. } => Some(functor),
            Node::SetPattern { .. } => Some(SET.into()),
            // With an identity, any term is one of the operator.
            Node::Among { how, .. } if how.laws.identity.is_none() => Some(how.functor),
            _ => None,
        }
    }
}

/// The list of some terms.
pub(super) fn make_list(terms: &mut Terms, elements: &[Id]) -> Id {
    let mut list = terms.atom(NIL.into());
    for &element in elements.iter().rev() {
        list = terms.apply(CONS.into(), &[element, list]);
    }
    list
}
