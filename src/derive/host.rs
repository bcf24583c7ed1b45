//! What the rule engine may ask about schemes.

use super::facts::{self, Call};
use super::parts::Unsettled;
use super::simplify::simplify;
use crate::algebra::{Construct, Sort, build};
use crate::analysis::{Copies, Placement, Tile};
use crate::check::{Scheme, author_name, check, unique_name};
use crate::diagnostic::Diagnostic;
use crate::rewrite::{Answer, Evidence, FloatClass, Host, Redex, Status, evaluate};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The facts of one scheme, as it stands between two steps.
pub struct SchemeHost {
    pub(super) scheme: Scheme,
    /// The scheme's nodes for those of the engine, from the first that the last check made.
    own: Vec<Option<Id>>,
    first: usize,
    pub(super) fresh: u32,
    /// Names that were made for this step, each by the two that it is made from.
    pub(super) named: FxHashMap<(Symbol, Symbol), Symbol>,
    /// Where the values of arrays are, as many rules ask about one place.
    copies: Copies,
    /// The tiles of the loops that were asked about, by body and variable.
    pub(super) tiles: FxHashMap<(Id, Symbol), Rc<[Tile]>>,
    /// What of the scheme depends on where and when it runs.
    unsettled: Unsettled,
    /// What the last step was at least.
    class: FloatClass,
}

impl SchemeHost {
    /// A host for a scheme. The engine checks it anew before the first step.
    pub fn new(scheme: Scheme) -> SchemeHost {
        SchemeHost {
            unsettled: Unsettled::of(&scheme),
            scheme,
            own: Vec::new(),
            first: 0,
            fresh: 0,
            named: FxHashMap::default(),
            copies: Copies::default(),
            tiles: FxHashMap::default(),
            class: FloatClass::Exact,
        }
    }

    /// A term of the engine's arena in the scheme's.
    pub(super) fn own(&mut self, terms: &Terms, id: Id) -> Id {
        match self.known(id) {
            Some(own) => own,
            None => self.scheme.terms.import(terms, id),
        }
    }

    /// The scheme's node for a node of the engine, if it stands in the scheme.
    pub(super) fn known(&self, id: Id) -> Option<Id> {
        let at = id.index().checked_sub(self.first)?;
        self.own.get(at).copied().flatten()
    }

    /// Where the values of the scheme's arrays are.
    pub(super) fn copies(&mut self) -> (&Scheme, &mut Copies) {
        (&self.scheme, &mut self.copies)
    }

    /// Transfers that are needed at a place.
    pub(super) fn placement(&mut self, at: Redex<'_>) -> &Placement {
        self.copies.placement(&self.scheme, at.path)
    }

    /// A name made from another one that no variable has.
    pub(super) fn unused_name(&mut self, base: Symbol) -> Symbol {
        loop {
            self.fresh += 1;
            let candidate = unique_name(base, 1000 + self.fresh);
            if self.scheme.variable(candidate).is_none() {
                return candidate;
            }
        }
    }

    /// A name made from a text that no variable has: for the same two in one step the same, for
    /// others another one.
    pub(super) fn name_for(&mut self, of: (Symbol, Symbol), text: &str) -> Symbol {
        if let Some(&made) = self.named.get(&of) {
            return made;
        }
        let made = self.unused_name(Symbol::new(text));
        self.named.insert(of, made);
        made
    }

    /// A name made from a variable's and a word.
    pub(super) fn beside(&mut self, name: Symbol, word: Symbol) -> Symbol {
        let base = format!("{}_{word}", author_name(name));
        self.name_for((name, word), &base)
    }
}

/// Yes or no by looking.
pub(super) fn decided(holds: bool, yes: impl Into<String>, no: impl Into<String>) -> Answer {
    if holds {
        Answer::Yes(Evidence::new(Status::Decided, yes))
    } else {
        Answer::No(Evidence::new(Status::Decided, no))
    }
}

impl Host for SchemeHost {
    fn begin(&mut self) {
        self.fresh = 0;
        self.named.clear();
    }

    fn ask(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Answer> {
        let fact = facts::find(&facts::FACTS, name.as_str(), args.len())?;
        let mut call = Call {
            host: self,
            terms,
            at,
        };
        fact.call(&mut call, args)
    }

    fn compute(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Result<Vec<Id>, String>> {
        let function = facts::find(&facts::FUNCTIONS, name.as_str(), args.len())?;
        let mut call = Call {
            host: self,
            terms,
            at,
        };
        Some(function.call(&mut call, args))
    }

    fn build(&mut self, terms: &mut Terms, functor: Symbol, args: &[Id]) -> Id {
        build(terms, functor, args)
    }

    fn simplify(&mut self, terms: &mut Terms, _at: Redex<'_>, id: Id) -> Id {
        let id = evaluate(terms, id);
        simplify(&self.scheme, terms, id)
    }

    fn recheck(&mut self, terms: &mut Terms, root: Id) -> Result<Id, Vec<Diagnostic>> {
        self.scheme = check(terms, root, self.scheme.precision)?;
        self.copies = Copies::default();
        self.tiles.clear();
        let before = std::mem::replace(&mut self.unsettled, Unsettled::of(&self.scheme));
        self.class = Unsettled::class(before, self.unsettled);
        self.first = terms.len();
        let new = terms.import(&self.scheme.terms, self.scheme.root);
        self.own.clear();
        self.own.resize(terms.len() - self.first, None);
        let own = self.scheme.terms.subterms(self.scheme.root);
        for (theirs, own) in terms.subterms(new).zip(own) {
            self.own[theirs.index() - self.first] = Some(own);
        }
        Ok(new)
    }

    fn float_class(&self) -> FloatClass {
        self.class
    }

    /// Strategies visit operators: they do not go into DATA, and into expressions on request.
    fn descend(&self, terms: &Terms, parent: Id, i: usize, expressions: bool) -> bool {
        let Some(construct) = terms.functor(parent).and_then(Construct::of) else {
            return false;
        };
        match construct.info().argument(i) {
            Some(Sort::Operator) => true,
            Some(Sort::Expression | Sort::Condition) => expressions,
            _ => false,
        }
    }
}
