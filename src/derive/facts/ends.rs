//! What follows from a condition about one iteration or thread for all of them, or for any: the ends of what it compares.

use super::super::parts::type_of;
use crate::algebra::{
    Binary, Comparison, Construct, Expr, Extreme, Kind, Logic, Signature, build, expr, signature,
};
use crate::analysis::{Varying, names_in};
use crate::check::Scheme;
use crate::term::{Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which threads meet.
#[derive(Clone, Copy, Default)]
pub(super) enum Meeting {
    /// None, or nobody knows how many.
    #[default]
    None,
    /// Those of a warp.
    Warp,
    /// So many of a block.
    Block(i64),
}

/// Makes conditions about all iterations of a nest, or about some thread of a warp, out of one about a single iteration or
/// thread.
///
/// The ends of an expression are put together from those of its parts. As each loop's variable
/// occurs once at most, and the loops' ranges do not depend on each other, some iteration, perhaps of another
/// of the threads that meet, takes just these ends: no sum leaves its range that would not have
/// left it anyway.
pub(super) struct Reader<'a> {
    pub(super) scheme: &'a Scheme,
    /// Where conditions are made.
    pub(super) terms: &'a mut Terms,
    pub(super) ranges: FxHashMap<Symbol, (i64, i64)>,
    pub(super) locals: FxHashMap<Symbol, Id>,
    /// LOCALs of outside that keep their first value.
    pub(super) outside: FxHashMap<Symbol, Id>,
    /// The variables of loops around the place that begin at 0 or above.
    pub(super) around: FxHashSet<Symbol>,
    pub(super) varying: Varying,
    pub(super) threads: Meeting,
    /// What has been put at one of its ends in the expression that is read.
    pub(super) used: Vec<Symbol>,
}

impl Reader<'_> {
    /// What holds before the nest only if a condition holds throughout.
    pub(super) fn throughout(&mut self, condition: Id) -> Option<Id> {
        let Some(Expr::Binary { op, left, right }) = expr(&self.scheme.terms, condition) else {
            return self.free(condition);
        };
        match op.kind() {
            Kind::Logic(logic) => {
                // Where the first of two alternatives holds throughout, the second is not asked.
                if logic == Logic::Or {
                    return self.throughout(left);
                }
                let left = self.throughout(left)?;
                let right = self.throughout(right)?;
                Some(build(self.terms, op.construct().symbol(), &[left, right]))
            }
            Kind::Comparison(comparison) => {
                let above = match comparison {
                    Comparison::Less | Comparison::LessOrEqual => true,
                    Comparison::Greater | Comparison::GreaterOrEqual => false,
                    Comparison::Equal | Comparison::NotEqual => return self.free(condition),
                };
                if self.is_free(condition) {
                    return self.free(condition);
                }
                let left = self.end_alone(left, above)?;
                let right = self.end_alone(right, !above)?;
                Some(build(self.terms, op.construct().symbol(), &[left, right]))
            }
            Kind::Arithmetic(_) => None,
        }
    }

    /// What is the same for all threads and holds where a condition holds for one of them, if there is more to say than that
    /// this may be so. It is made of comparisons whose sides are `safe` to compute, or the ends of LOCALs, which are values
    /// that one of the threads has computed.
    pub(super) fn for_some(&mut self, condition: Id, safe: &dyn Fn(Id) -> bool) -> Option<Id> {
        let Some(Expr::Binary { op, left, right }) = expr(&self.scheme.terms, condition) else {
            return self.free(condition).filter(|_| safe(condition));
        };
        match op.kind() {
            Kind::Logic(Logic::And) => {
                let sides = [self.for_some(left, safe), self.for_some(right, safe)];
                match sides {
                    [Some(left), Some(right)] => {
                        Some(build(self.terms, op.construct().symbol(), &[left, right]))
                    }
                    [one, other] => one.or(other),
                }
            }
            Kind::Logic(Logic::Or) => {
                let sides = [self.for_some(left, safe)?, self.for_some(right, safe)?];
                Some(build(self.terms, op.construct().symbol(), &sides))
            }
            Kind::Comparison(comparison) => {
                if self.is_free(condition) {
                    return self.free(condition).filter(|_| safe(left) && safe(right));
                }
                let least_first = match comparison {
                    Comparison::Less | Comparison::LessOrEqual => true,
                    Comparison::Greater | Comparison::GreaterOrEqual => false,
                    Comparison::Equal | Comparison::NotEqual => return None,
                };
                let left = self.end_of_local(left, !least_first, safe)?;
                let right = self.end_of_local(right, least_first, safe)?;
                let numbers = self.terms.as_int(left).zip(self.terms.as_int(right));
                // Between numbers it holds for some thread or for none; the latter is left to whoever asks each of them.
                match numbers {
                    Some(_) => None,
                    None => Some(build(self.terms, op.construct().symbol(), &[left, right])),
                }
            }
            Kind::Arithmetic(_) => None,
        }
    }

    /// The end of a side of a comparison that is a LOCAL, or that is the same for all threads and safe to compute.
    fn end_of_local(&mut self, e: Id, greatest: bool, safe: &dyn Fn(Id) -> bool) -> Option<Id> {
        let is_local = matches!(expr(&self.scheme.terms, e), Some(Expr::Name(_)));
        let is_safe = is_local || self.is_free(e) && safe(e);
        is_safe.then(|| self.end_alone(e, greatest)).flatten()
    }

    /// Whether an expression has one value before the nest and throughout it, for all that meet there.
    fn is_free(&self, e: Id) -> bool {
        let (scheme, terms) = (self.scheme, &self.scheme.terms);
        let reads = [Construct::Index, Construct::Holds].map(Construct::symbol);
        let cells = terms.subterms(e).any(|t| {
            terms
                .functor(t)
                .is_some_and(|functor| reads.contains(&functor))
        });
        let keeps = |name: &Symbol| {
            let inside = self.ranges.contains_key(name) || self.locals.contains_key(name);
            !inside && !scheme.assigned.contains(name)
        };
        !cells && names_in(scheme, e).iter().all(keeps) && !self.varying.differs(scheme, e)
    }

    fn free(&mut self, e: Id) -> Option<Id> {
        self.is_free(e)
            .then(|| self.terms.import(&self.scheme.terms, e))
    }

    /// The greatest or the least value that a whole side of a comparison takes.
    fn end_alone(&mut self, e: Id, greatest: bool) -> Option<Id> {
        self.used.clear();
        let integer = type_of(self.scheme, e).is_some_and(|ty| ty.is_integer());
        integer.then(|| self.end(e, greatest)).flatten()
    }

    fn end(&mut self, e: Id, greatest: bool) -> Option<Id> {
        if self.is_free(e) {
            return self.free(e);
        }
        let terms = &self.scheme.terms;
        match expr(terms, e)? {
            Expr::Name(name) => match self.ranges.get(&name) {
                Some(&(first, last)) => {
                    self.use_once(name)?;
                    Some(self.terms.int(if greatest { last } else { first }))
                }
                None => self.end(self.value(name)?, greatest),
            },
            Expr::ThreadIndex => {
                let Meeting::Block(threads) = self.threads else {
                    return None;
                };
                self.use_once(Construct::ThreadIndex.symbol())?;
                Some(self.terms.int(if greatest { threads - 1 } else { 0 }))
            }
            Expr::Negate(a) => {
                let a = self.end(a, !greatest)?;
                Some(build(self.terms, Construct::Negate.symbol(), &[a]))
            }
            Expr::Binary { op, left, right } => match op {
                Binary::Plus => {
                    let left = self.end(left, greatest)?;
                    let right = self.end(right, greatest)?;
                    Some(self.plus(left, right))
                }
                Binary::Minus => {
                    let left = self.end(left, greatest)?;
                    let right = self.end(right, !greatest)?;
                    Some(build(self.terms, Construct::Minus.symbol(), &[left, right]))
                }
                Binary::Times => {
                    let (of, factor) = match (terms.as_int(left), terms.as_int(right)) {
                        (None, Some(k)) => (left, k),
                        (Some(k), None) => (right, k),
                        _ => return None,
                    };
                    let of = self.end(of, greatest == (factor >= 0))?;
                    if let Some(product) = self.terms.as_int(of).and_then(|n| n.checked_mul(factor))
                    {
                        return Some(self.terms.int(product));
                    }
                    let factor = self.terms.int(factor);
                    Some(build(self.terms, Construct::Times.symbol(), &[of, factor]))
                }
                Binary::Mod => {
                    let by = terms.as_int(right).filter(|&by| by > 0)?;
                    let name = self.takes_all(left, by)?;
                    self.use_once(name)?;
                    Some(self.terms.int(if greatest { by - 1 } else { 0 }))
                }
                _ => None,
            },
            Expr::Apply {
                function,
                arguments: &[a, b],
            } if matches!(
                signature(function),
                Some(Signature::Join(Extreme::Min | Extreme::Max))
            ) =>
            {
                let (a, b) = (self.end(a, greatest)?, self.end(b, greatest)?);
                let name = self.terms.atom(function);
                Some(build(self.terms, Construct::Apply.symbol(), &[name, a, b]))
            }
            _ => None,
        }
    }

    /// The value of a LOCAL that keeps it, and its type.
    fn value(&self, name: Symbol) -> Option<Id> {
        let scheme = self.scheme;
        let value = self.locals.get(&name).or_else(|| self.outside.get(&name));
        let &value = value.filter(|_| !scheme.assigned.contains(&name))?;
        let same = type_of(scheme, value) == Some(scheme.variable(name)?.ty);
        same.then_some(value)
    }

    /// Takes note that a name is put at one of its ends; nothing if it has been already.
    fn use_once(&mut self, name: Symbol) -> Option<()> {
        let new = !self.used.contains(&name);
        self.used.push(name);
        new.then_some(())
    }

    /// A sum; numbers at its end are added up if they have one sign.
    fn plus(&mut self, left: Id, right: Id) -> Id {
        let terms = &mut *self.terms;
        if let Some(b) = terms.as_int(right) {
            if let Some(sum) = terms.as_int(left).and_then(|a| a.checked_add(b)) {
                return terms.int(sum);
            }
            if b == 0 {
                return left;
            }
            if let Some(Expr::Binary {
                op: Binary::Plus,
                left: first,
                right: number,
            }) = expr(terms, left)
                && let Some(a) = terms.as_int(number)
                && (a >= 0) == (b >= 0)
                && let Some(sum) = a.checked_add(b)
            {
                let sum = terms.int(sum);
                return build(terms, Construct::Plus.symbol(), &[first, sum]);
            }
        }
        build(terms, Construct::Plus.symbol(), &[left, right])
    }

    /// A name in an expression that is not negative, by which it takes all remainders of a division by
    /// `by`, whatever the other names are: a variable of at least so many values that is added, or the
    /// number of a thread.
    fn takes_all(&self, e: Id, by: i64) -> Option<Symbol> {
        let terms = &self.scheme.terms;
        if !self.is_not_negative(e) {
            return None;
        }
        let takes_all = |e: Id| match expr(terms, e)? {
            Expr::ThreadIndex => {
                let enough = match self.threads {
                    Meeting::None => false,
                    Meeting::Warp => by <= 32,
                    Meeting::Block(threads) => by <= threads,
                };
                enough.then_some(Construct::ThreadIndex.symbol())
            }
            Expr::Name(name) => match self.ranges.get(&name) {
                Some(&(first, last)) => (last - first >= by - 1).then_some(name),
                None => self.is_place_among(self.value(name)?, by),
            },
            _ => None,
        };
        takes_all(e).or_else(|| match expr(terms, e) {
            Some(Expr::Binary {
                op: Binary::Plus,
                left,
                right,
            }) => takes_all(left).or_else(|| takes_all(right)),
            _ => None,
        })
    }

    /// The number of a thread, if an expression is its remainder by so many threads that meet, at least `by`.
    fn is_place_among(&self, e: Id, by: i64) -> Option<Symbol> {
        let terms = &self.scheme.terms;
        let Some(Expr::Binary {
            op: Binary::Mod,
            left,
            right,
        }) = expr(terms, e)
        else {
            return None;
        };
        let most = match self.threads {
            Meeting::None => 0,
            Meeting::Warp => 32,
            Meeting::Block(threads) => threads,
        };
        let enough = terms
            .as_int(right)
            .is_some_and(|of| (by..=most).contains(&of));
        let is_thread = matches!(expr(terms, left), Some(Expr::ThreadIndex));
        (is_thread && enough).then_some(Construct::ThreadIndex.symbol())
    }

    fn is_not_negative(&self, e: Id) -> bool {
        is_not_negative(
            &self.scheme.terms,
            e,
            &|name| match self.ranges.get(&name) {
                _ if self.around.contains(&name) => Leaf::Known(true),
                Some(&(first, _)) => Leaf::Known(first >= 0),
                None => self.value(name).map_or(Leaf::Known(false), Leaf::Value),
            },
        )
    }
}

/// What is known of a name.
pub(super) enum Leaf {
    /// Whether it is not below 0.
    Known(bool),
    /// What it stands for.
    Value(Id),
}

/// Whether an integer expression is not below 0, where it has a value, by what its parts are.
pub(super) fn is_not_negative(terms: &Terms, e: Id, leaf: &dyn Fn(Symbol) -> Leaf) -> bool {
    let at_least_0 = |e| is_not_negative(terms, e, leaf);
    match expr(terms, e) {
        Some(Expr::Int(n)) => n >= 0,
        Some(Expr::BlockIndex | Expr::ThreadIndex) => true,
        Some(Expr::Name(name)) => match leaf(name) {
            Leaf::Known(known) => known,
            Leaf::Value(value) => at_least_0(value),
        },
        Some(Expr::Binary {
            op: Binary::Plus | Binary::Times | Binary::Div,
            left,
            right,
        }) => at_least_0(left) && at_least_0(right),
        Some(Expr::Binary {
            op: Binary::Mod,
            left,
            ..
        }) => at_least_0(left),
        Some(Expr::Apply {
            function,
            arguments,
        }) => match signature(function) {
            Some(Signature::Join(Extreme::Max)) => arguments.iter().any(|&a| at_least_0(a)),
            Some(Signature::Join(Extreme::Min)) => arguments.iter().all(|&a| at_least_0(a)),
            _ => false,
        },
        _ => false,
    }
}
