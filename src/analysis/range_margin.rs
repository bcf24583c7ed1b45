//! Margins at the ends of integer ranges: whether what a rule computes from a loop's bounds (the number
//! of its iterations, the first iteration of a block or a chunk, the number of a thread beyond the
//! last iteration) stays in the type that the loop counts in.

use super::affine::{Reader, Variables};
use super::context::{Context, Outer};
use super::form::{Linear, Var};
use super::linear::System;
use super::order::{is_in_order, is_negated, parts, terms_of};
use super::{Answer, Basis};
use crate::algebra::{Binary, Expr, LARGEST_EXTENT, MARGIN, Signature, Type, expr, signature};
use crate::check::Scheme;
use crate::term::Id;
use rustc_hash::FxHashSet;

/// A bound of many arguments of `min` and `max` is looked at as a whole.
const MOST_ALTERNATIVES: usize = 8;

/// Whether a loop keeps [`MARGIN`] away from the ends of its type: both bounds do, so does their
/// difference, and so does every sum of a number from 0 to the difference and some of the terms of a
/// bound. Whatever a rule makes of the bounds by counting up to a margin beyond them, in any order of
/// its terms, is then in range.
pub fn has_margin(scheme: &Scheme, context: &Context, ty: Type, from: Id, to: Id) -> Answer {
    for claims in [false, true] {
        if claims && !context.has_claims(scheme) {
            break;
        }
        let mut room = Room::new(scheme, context, ty, claims);
        // From conditions that exclude each other everything would follow.
        if !room.facts.is_impossible() && room.shows(from, to) {
            let basis = match claims {
                true => Basis::Assumed,
                false => Basis::Proved,
            };
            let text = format!(
                "its bounds stay away from the ends of {}",
                ty.name(scheme.precision)
            );
            return Answer::Yes(text, basis);
        }
    }
    Answer::unknown(format!(
        "{} .. {} may come too near to an end of {} for blocks, chunks or lanes that go beyond the last iteration",
        super::text(scheme, from),
        super::text(scheme, to),
        ty.name(scheme.precision)
    ))
}

/// The least and the largest number that keep the margin.
pub(super) fn ends(ty: Type) -> (i128, i128) {
    let most: i128 = match ty {
        Type::I64 => i64::MAX.into(),
        _ => i32::MAX.into(),
    };
    (-most - 1 + MARGIN, most - MARGIN)
}

/// No product of two INTEGERs, computed in INTEGER64, is farther from 0.
const PRODUCT: i128 = 1 << 62;

/// Whether an expression is a product in INTEGER64 of two values that INTEGERs have.
fn is_product_of_narrow(scheme: &Scheme, id: Id) -> bool {
    let narrow = |factor: Id| match expr(&scheme.terms, factor) {
        Some(Expr::Apply {
            function,
            arguments: &[of],
        }) if signature(function) == Some(Signature::Int64) => scheme.type_of(of) == Type::I32,
        _ => scheme.type_of(factor) == Type::I32,
    };
    match expr(&scheme.terms, id) {
        Some(Expr::Binary {
            op: Binary::Times,
            left,
            right,
        }) => scheme.type_of(id) == Type::I64 && narrow(left) && narrow(right),
        _ => false,
    }
}

/// How far below 0 a term may be of which no more is known than that an array is larger by some cells, as `N` is where there
/// is one of `N + 2`. Much smaller than the margin, so that sums may go beyond 0 by it.
pub(super) const HALO: i128 = 1 << 12;

/// What is known of bounds at a place, and the limits that they are to keep.
pub(super) struct Room<'a> {
    pub(super) scheme: &'a Scheme,
    context: &'a Context,
    variables: Variables,
    /// The quotients of which all is known that is found.
    quotients: FxHashSet<Var>,
    pub(super) facts: System,
    pub(super) least: i128,
    pub(super) most: i128,
}

impl<'a> Room<'a> {
    pub(super) fn new(
        scheme: &'a Scheme,
        context: &'a Context,
        ty: Type,
        claims: bool,
    ) -> Room<'a> {
        let (variables, facts) = context.facts(scheme, claims);
        let (least, most) = ends(ty);
        let mut room = Room {
            scheme,
            context,
            variables,
            quotients: FxHashSet::default(),
            facts,
            least,
            most,
        };
        // An extent has a margin, too: arrays with larger ones are refused, as are those with negative ones.
        let mut sizes = FxHashSet::default();
        for size in scheme.extents() {
            let limit = match scheme.type_of(size) {
                Type::I64 => ends(Type::I64).1 - MARGIN,
                _ => LARGEST_EXTENT.into(),
            };
            if let Some(form) = room.read(size)
                && sizes.insert((form.clone(), limit))
            {
                room.facts.order(&form, &Linear::constant(limit));
                room.facts.order(&Linear::constant(0), &form);
            }
        }
        room
    }

    fn reader(&mut self) -> Reader<'_> {
        Reader::new(self.scheme, &mut self.variables, System::default())
    }

    /// The form of an expression, with what is known of its parts; each variable is in the range of
    /// its type.
    fn read(&mut self, id: Id) -> Option<Linear> {
        let names = Outer(self.context);
        let mut reader = self.reader();
        let form = reader.read(id, &names)?;
        let found = reader.facts;
        self.facts.add(&found);
        let variables: Vec<_> = form
            .variables()
            .filter_map(|v| Some((v, self.variables.symbols[v as usize]?.0)))
            .collect();
        for var in form.variables() {
            let opaque = self.variables.opaque(var);
            if let Some(product) = opaque {
                self.bound_product(var, product);
                self.bound_quotient(var, product);
            }
            if opaque.is_some_and(|product| is_product_of_narrow(self.scheme, product)) {
                let form = Linear::var(var);
                self.facts.order(&Linear::constant(-PRODUCT), &form);
                self.facts.order(&form, &Linear::constant(PRODUCT));
            }
        }
        for (var, name) in variables {
            let Some(variable) = self.scheme.variable(name) else {
                continue;
            };
            let most: i128 = match variable.ty {
                Type::I32 => i32::MAX.into(),
                Type::I64 => i64::MAX.into(),
                _ => continue,
            };
            let form = Linear::var(var);
            self.facts.order(&Linear::constant(-most - 1), &form);
            self.facts.order(&form, &Linear::constant(most));
        }
        Some(form)
    }

    /// Adds what is known of a product by its factors.
    fn bound_product(&mut self, var: Var, product: Id) {
        if let Some(Expr::Binary {
            op: Binary::Times,
            left,
            right,
        }) = expr(&self.scheme.terms, product)
            && let (Some(left), Some(right)) = (self.read(left), self.read(right))
        {
            self.facts.bound_product(&left, &right, &Linear::var(var));
        }
    }

    /// Adds what is known of a quotient of a number by one that is above 0: where the number is below `h w`, and `w` is not
    /// above the divisor, the quotient is below `h`. So the rows of a nest are found that was made one loop.
    fn bound_quotient(&mut self, var: Var, quotient: Id) {
        let terms = &self.scheme.terms;
        let Some(Expr::Binary {
            op: Binary::Div,
            left,
            right,
        }) = expr(terms, quotient)
        else {
            return;
        };
        // What is asked about it below may ask about it again.
        if !self.quotients.insert(var) {
            return;
        }
        let (Some(number), Some(divisor)) = (self.read(left), self.read(right)) else {
            return;
        };
        let [none, one] = [0, 1].map(Linear::constant);
        if !self.is_ordered(&none, &number) || !self.is_ordered(&one, &divisor) {
            return;
        }
        let quotient = Linear::var(var);
        self.facts.order(&none, &quotient);
        self.facts.order(&quotient, &number);
        for product in self.variables.all_opaque() {
            let terms = &self.scheme.terms;
            let Some(Expr::Binary {
                op: Binary::Times,
                left,
                right,
            }) = expr(terms, product)
            else {
                continue;
            };
            let over = self.read(product);
            if !over.is_some_and(|over| self.is_ordered(&number.plus(&one, 1), &over)) {
                continue;
            }
            for (high, wide) in [(left, right), (right, left)] {
                let [high, wide] = [high, wide].map(|e| self.narrow(e));
                let (Some(rows), Some(across)) = (self.alternatives(high), self.alternatives(wide))
                else {
                    continue;
                };
                let wide = self.read(wide);
                let fits = wide.is_some_and(|wide| self.is_ordered(&none, &wide))
                    && across.iter().all(|a| self.is_ordered(a, &divisor));
                // Of a `max` with a number that is not above 0 it is the other one.
                let mut above = rows
                    .iter()
                    .filter(|r| r.as_constant().is_none_or(|r| r > 0));
                if let (true, Some(rows), None) = (fits, above.next(), above.next()) {
                    self.facts.order(&quotient, &rows.plus(&one, -1));
                }
            }
        }
    }

    /// What is converted to INTEGER64, or the expression itself.
    fn narrow(&self, id: Id) -> Id {
        match expr(&self.scheme.terms, id) {
            Some(Expr::Apply {
                function,
                arguments: &[of],
            }) if signature(function) == Some(Signature::Int64)
                && self.scheme.type_of(of).is_integer() =>
            {
                of
            }
            _ => id,
        }
    }

    /// Whether `a <= b` follows.
    fn is_ordered(&self, a: &Linear, b: &Linear) -> bool {
        self.facts.implies_order(a, b)
    }

    /// Comparisons that do not follow from what is known, so that bounds are within limits; they
    /// are known from then on.
    pub(super) fn tests(
        &mut self,
        bounds: &[Id],
        (low, high): (i128, i128),
    ) -> Option<Vec<(Id, i128, bool)>> {
        let mut tests = Vec::new();
        for &bound in bounds {
            let form = self.read(bound)?;
            for (limit, lower) in [(low, true), (high, false)] {
                let number = Linear::constant(limit);
                let [a, b] = match lower {
                    true => [&number, &form],
                    false => [&form, &number],
                };
                if !self.is_ordered(a, b) {
                    self.facts.order(a, b);
                    tests.push((bound, limit, lower));
                }
            }
        }
        Some(tests)
    }

    /// Whether a bound that is one of `parts`, where there are such, stays within the limits, each of which may be shown of
    /// the whole or of all parts.
    fn is_within(&self, whole: &Option<Linear>, parts: &[Linear]) -> bool {
        let (least, most) = (Linear::constant(self.least), Linear::constant(self.most));
        let shown = |holds: &dyn Fn(&Linear) -> bool| {
            whole.as_ref().is_some_and(holds) || !parts.is_empty() && parts.iter().all(holds)
        };
        shown(&|form| self.is_ordered(&least, form)) && shown(&|form| self.is_ordered(form, &most))
    }

    pub(super) fn shows(&mut self, from: Id, to: Id) -> bool {
        let (low, lows) = self.forms(from);
        let (high, highs) = self.forms(to);
        if !self.ends_in_time(&low, &high) {
            return false;
        }
        // A bound that is a `min` or a `max` is one of its arguments.
        if !self.is_within(&low, &lows) || !self.is_within(&high, &highs) {
            return false;
        }
        let apart = match (&low, &high) {
            (Some(low), Some(high)) => Some(high.plus(low, -1)),
            _ => None,
        };
        let of = |whole: &Option<Linear>, parts: Vec<Linear>| match parts.is_empty() {
            true => whole.iter().cloned().collect(),
            false => parts,
        };
        let (lows, highs) = (of(&low, lows), of(&high, highs));
        let pairs = lows
            .iter()
            .flat_map(|l| highs.iter().map(|h| h.plus(l, -1)));
        let pairs: Vec<Linear> = pairs.collect();
        let least = Linear::constant(self.least);
        let most = Linear::constant(self.most);
        let at_least = |d: &Linear| self.is_ordered(&least, d);
        let at_most = |d: &Linear| self.is_ordered(d, &most);
        let counted = (apart.as_ref().is_some_and(at_least) || pairs.iter().all(at_least))
            && (apart.as_ref().is_some_and(at_most) || pairs.iter().all(at_most));
        // What a `min` and a `max` say of each other may be more than what their arguments do.
        let pairs = match apart.filter(|apart| at_most(apart)) {
            Some(apart) => vec![apart],
            None => pairs,
        };
        counted
            && pairs.iter().all(|apart| self.sums_fit(from, apart))
            && pairs.iter().all(|apart| self.can_be_taken(from, apart))
            && self.sums_fit(to, &Linear::constant(0))
    }

    /// Adds that a loop of INTEGER64s from a number on has fewer than 2^62 iterations, and tells whether that can be:
    /// of more, no computer would see the end. So a loop over the cells of a nest, whose number is a product of several
    /// lengths, has a margin.
    fn ends_in_time(&mut self, low: &Option<Linear>, high: &Option<Linear>) -> bool {
        let wide = self.most > i32::MAX.into();
        if let (true, Some(first), Some(last)) = (wide, low, high)
            && let Some(first) = first.as_constant()
            && last.as_constant().is_none()
        {
            self.facts.order(last, &Linear::constant(first + PRODUCT));
            return !self.facts.is_impossible();
        }
        true
    }

    /// The form of a bound and, where there is a `min` or a `max` in it, the forms that it may have
    /// by one of their arguments.
    fn forms(&mut self, bound: Id) -> (Option<Linear>, Vec<Linear>) {
        let parts = self.alternatives(bound).unwrap_or_default();
        let parts = if parts.len() > 1 { parts } else { Vec::new() };
        (self.read(bound), parts)
    }

    fn alternatives(&mut self, id: Id) -> Option<Vec<Linear>> {
        let found: Vec<Linear> = match expr(&self.scheme.terms, id) {
            Some(Expr::Apply {
                function,
                arguments: &[a, b],
            }) if matches!(signature(function), Some(Signature::Join(_))) => {
                let (a, b) = (self.alternatives(a)?, self.alternatives(b)?);
                a.into_iter().chain(b).collect()
            }
            Some(Expr::Binary {
                op: op @ (Binary::Plus | Binary::Minus),
                left,
                right,
            }) => {
                let sign = if op == Binary::Plus { 1 } else { -1 };
                let (left, right) = (self.alternatives(left)?, self.alternatives(right)?);
                let sums = left
                    .iter()
                    .flat_map(|l| right.iter().map(|r| l.plus(r, sign)));
                sums.collect()
            }
            _ => vec![self.read(id)?],
        };
        (found.len() <= MOST_ALTERNATIVES).then_some(found)
    }

    /// Whether sums of a number from 0 to `more` and some of the terms of a bound are in range. Rules
    /// put terms in another order, so that such sums are computed on the way.
    fn sums_fit(&mut self, bound: Id, more: &Linear) -> bool {
        // A bound of a narrower type is computed in it, whatever the loop counts in.
        let own = ends(self.scheme.type_of(bound)).1;
        self.sums_are_within(bound, more, self.most)
            && (own >= self.most || self.sums_are_within(bound, &Linear::constant(0), own))
    }

    /// The same of sums that are at most as large.
    fn sums_are_within(&mut self, bound: Id, more: &Linear, most: i128) -> bool {
        let terms = terms_of(&self.scheme.terms, bound);
        if !terms.iter().all(|&(_, term)| self.parts_fit(term)) {
            return false;
        }
        if let [(_, one)] = terms[..]
            && !is_negated(&self.scheme.terms, one)
        {
            return true;
        }
        let Some(forms) = self.signed(&terms) else {
            return false;
        };
        for side in [true, false] {
            let of_side: Vec<&Linear> =
                forms.iter().filter(|f| f.0 == side).map(|f| &f.1).collect();
            let mut sum = match side {
                true => more.clone(),
                false => Linear::constant(0),
            };
            for &form in &of_side {
                // Leaving out a term that is not negative makes a sum no larger, one that is at least -HALO at most by that.
                if of_side.len() > 1 && !self.is_ordered(&Linear::constant(0), form) {
                    if !self.is_ordered(&Linear::constant(-HALO), form) {
                        return false;
                    }
                    sum.constant += HALO;
                }
                sum = sum.plus(form, 1);
            }
            if !self.is_ordered(&sum, &Linear::constant(most)) {
                return false;
            }
        }
        true
    }

    /// Whether a bound may be taken away from a number that is so much larger: its only term with a
    /// minus, which may be negative, is then added before its other terms are taken away.
    fn can_be_taken(&mut self, bound: Id, more: &Linear) -> bool {
        let terms = terms_of(&self.scheme.terms, bound);
        if terms.len() == 1 {
            return true;
        }
        let Some(forms) = self.signed(&terms) else {
            return false;
        };
        let mut taken = forms.iter().filter(|f| !f.0).map(|f| &f.1);
        match (taken.next(), taken.next()) {
            (Some(one), None) => self.is_ordered(&more.plus(one, -1), &Linear::constant(self.most)),
            _ => true,
        }
    }

    /// The forms of terms, negative numbers and products with them as their opposites.
    fn signed(&mut self, terms: &[(bool, Id)]) -> Option<Vec<(bool, Linear)>> {
        let forms = terms.iter().map(|&(positive, term)| {
            let form = self.read(term)?;
            let is_opposite = matches!(form.as_constant(), Some(..0))
                || form.as_constant().is_none() && is_negated(&self.scheme.terms, term);
            Some(match is_opposite {
                true => (!positive, form.times(-1)),
                false => (positive, form),
            })
        });
        forms.collect()
    }

    /// Whether the sums in a term are in range in the order that simplifying gives them.
    fn parts_fit(&mut self, term: Id) -> bool {
        let terms = &self.scheme.terms;
        parts(terms, term)
            .into_iter()
            .all(|part| match is_in_order(terms, part) {
                true => terms_of(terms, part)
                    .into_iter()
                    .all(|(_, inner)| self.parts_fit(inner)),
                false => self.sums_fit(part, &Linear::constant(0)),
            })
    }
}
