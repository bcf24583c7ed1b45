//! Expressions → linear forms, with what is known of their parts.

use super::form::{Linear, Var};
use super::linear::System;
use crate::algebra::{
    Binary, Comparison, Construct, Expr, Extreme, Kind, Signature, expr, names, signature,
};
use crate::check::{Role, Scheme};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a system: which scheme variable, or which part of an expression, each is.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    by_name: FxHashMap<(Symbol, u8), Var>,
    opaque: Vec<(Id, u8, Var)>,
    /// For variables that are scheme variables: which.
    pub symbols: Vec<Option<(Symbol, u8)>>,
}

impl Variables {
    /// The variable of a scheme variable in an instance (0: the same in all instances).
    pub fn of(&mut self, name: Symbol, instance: u8) -> Var {
        if let Some(&var) = self.by_name.get(&(name, instance)) {
            return var;
        }
        let var = self.add(Some((name, instance)));
        self.by_name.insert((name, instance), var);
        var
    }

    /// The expression, not affine, that a variable stands for.
    pub fn opaque(&self, var: Var) -> Option<Id> {
        let found = self.opaque.iter().find(|o| o.2 == var);
        found.map(|o| o.0)
    }

    /// The expressions, not affine, that were read in an instance, each with its variable.
    pub fn opaque_in(&self, instance: u8) -> Vec<(Id, Var)> {
        let all = self.opaque.iter().filter(|o| o.1 == instance);
        all.map(|&(id, _, var)| (id, var)).collect()
    }

    /// All expressions, not affine, that were read.
    pub fn all_opaque(&self) -> Vec<Id> {
        self.opaque.iter().map(|o| o.0).collect()
    }

    /// The products of a variable with a factor, and maybe numbers, that were read in instances 1 and 2.
    pub fn multiples(&self, scheme: &Scheme, var: Symbol) -> Vec<Multiple> {
        let terms = &scheme.terms;
        let first = self.opaque.iter().filter(|o| o.1 == 1);
        let both = first.filter_map(|&(id, _, one)| {
            let same = |o: &&(Id, u8, Var)| o.1 == 2 && terms.equal(o.0, id);
            let &(_, _, two) = self.opaque.iter().find(same)?;
            let (times, factor) = factor_beside(terms, id, var)?;
            Some(Multiple {
                times,
                factor,
                in_two: [one, two],
            })
        });
        both.collect()
    }

    fn add(&mut self, symbol: Option<(Symbol, u8)>) -> Var {
        self.symbols.push(symbol);
        (self.symbols.len() - 1) as Var
    }
}

/// A product `times * factor * v` of a variable v, and what it is in instances 1 and 2.
#[derive(Clone, Copy, Debug)]
pub struct Multiple {
    /// The product of the numbers in it.
    pub times: i128,
    /// What it holds beside v and the numbers.
    pub factor: Id,
    /// What stands for it in either instance.
    pub in_two: [Var; 2],
}

/// What stands beside a variable in a product: numbers, multiplied, and one more factor. Nothing where there are more
/// of these, or the variable is in another factor, too.
fn factor_beside(terms: &Terms, product: Id, var: Symbol) -> Option<(i128, Id)> {
    let mut times: i128 = 1;
    let mut factor = None;
    let mut met = false;
    let mut work = vec![product];
    while let Some(id) = work.pop() {
        match expr(terms, id)? {
            Expr::Name(name) if name == var && !met => met = true,
            Expr::Int(number) => times = times.checked_mul(number.into())?,
            // `v * (p * q)` has the factor `p * q`, but in `v * 2 * p` it is `p`.
            Expr::Binary {
                op: Binary::Times,
                left,
                right,
            } if names(terms, id).any(|name| name == var) => work.extend([left, right]),
            _ if factor.is_none() && names(terms, id).all(|name| name != var) => factor = Some(id),
            _ => return None,
        }
    }
    met.then_some((times, factor?))
}

/// What an expression's names mean where it stands.
pub trait Names {
    /// The instance of a variable that differs between iterations; 0 for one that is the same in
    /// all of them; nothing for one that nothing is known of.
    fn instance(&self, name: Symbol) -> Option<u8>;
    /// The expression that a name is short for, if it is a LOCAL that never changes.
    fn definition(&self, name: Symbol) -> Option<Id>;
}

/// Reads linear forms off expressions.
pub struct Reader<'a> {
    /// The scheme.
    pub scheme: &'a Scheme,
    /// The variables of the system.
    pub variables: &'a mut Variables,
    /// Facts about parts that are not linear forms, collected on the way.
    pub facts: System,
    /// Arrays whose cells keep their values wherever the expressions are computed: a cell of one is a
    /// variable of its own. Of others nothing is known.
    pub tables: FxHashSet<Symbol>,
}

impl<'a> Reader<'a> {
    /// A reader that knows of no table.
    pub fn new(scheme: &'a Scheme, variables: &'a mut Variables, facts: System) -> Reader<'a> {
        Reader {
            scheme,
            variables,
            facts,
            tables: FxHashSet::default(),
        }
    }

    /// The linear form of an integer expression; nothing if it has none.
    pub fn read(&mut self, id: Id, names: &dyn Names) -> Option<Linear> {
        let scheme = self.scheme;
        match expr(&scheme.terms, id)? {
            Expr::Int(i) => Some(Linear::constant(i.into())),
            Expr::Name(name) => {
                if let Some(definition) = names.definition(name) {
                    return self.read(definition, names);
                }
                let instance = names.instance(name)?;
                Some(Linear::var(self.variables.of(name, instance)))
            }
            Expr::Negate(a) => Some(self.read(a, names)?.times(-1)),
            Expr::Binary { op, left, right } => match op {
                Binary::Plus => Some(self.read(left, names)?.plus(&self.read(right, names)?, 1)),
                Binary::Minus => Some(self.read(left, names)?.plus(&self.read(right, names)?, -1)),
                Binary::Times => {
                    let a = self.read(left, names);
                    let b = self.read(right, names);
                    match (a, b) {
                        (Some(a), Some(b)) => match (a.as_constant(), b.as_constant()) {
                            (Some(k), _) => Some(b.times(k)),
                            (_, Some(k)) => Some(a.times(k)),
                            _ => {
                                let product = Linear::var(self.opaque(id, names)?);
                                self.facts.bound_product(&a, &b, &product);
                                Some(product)
                            }
                        },
                        _ => None,
                    }
                }
                Binary::Div | Binary::Mod => self.quotient(op, left, right, id, names),
                _ => None,
            },
            Expr::Apply {
                function,
                arguments,
            } => match (signature(function)?, arguments) {
                (Signature::CeilDiv, &[a, b]) => {
                    let n = self.read(a, names)?;
                    let k = self.read(b, names)?;
                    let q = Linear::var(self.opaque(id, names)?);
                    if let Some(k) = k.as_constant().filter(|&k| k > 0) {
                        // n <= k q <= n + k - 1
                        self.facts.order(&n, &q.times(k));
                        self.facts
                            .order(&q.times(k), &n.plus(&Linear::constant(k - 1), 1));
                    }
                    Some(q)
                }
                (Signature::Join(extreme), &[a, b]) => {
                    let a = self.read(a, names)?;
                    let b = self.read(b, names)?;
                    let m = Linear::var(self.opaque(id, names)?);
                    match extreme {
                        Extreme::Min => {
                            self.facts.order(&m, &a);
                            self.facts.order(&m, &b);
                        }
                        Extreme::Max => {
                            self.facts.order(&a, &m);
                            self.facts.order(&b, &m);
                        }
                    }
                    Some(m)
                }
                (Signature::Int | Signature::Int64, &[a]) if scheme.type_of(a).is_integer() => {
                    self.read(a, names)
                }
                // The same value for the same integers, whatever it is: of bits, for one.
                _ => {
                    let integers = |&part: &Id| scheme.type_of(part).is_integer();
                    let known = arguments.iter().chain([&id]).all(integers)
                        && arguments.iter().all(|&a| self.read(a, names).is_some());
                    known
                        .then(|| self.opaque(id, names))
                        .flatten()
                        .map(Linear::var)
                }
            },
            Expr::Index { array, .. } if self.tables.contains(&array) => {
                Some(Linear::var(self.opaque(id, names)?))
            }
            Expr::BlockIndex | Expr::ThreadIndex | Expr::BlockCount | Expr::ThreadCount => {
                // Within one launch these are loop variables of their own; names of constructs.
                let name = scheme.terms.functor(id)?;
                let instance = names.instance(name)?;
                let var = Linear::var(self.variables.of(name, instance));
                self.facts.order(&Linear::constant(0), &var);
                Some(var)
            }
            Expr::Multiprocessors => {
                // The same wherever it stands.
                let name = scheme.terms.functor(id)?;
                let var = Linear::var(self.variables.of(name, 0));
                self.facts.order(&Linear::constant(1), &var);
                Some(var)
            }
            _ => None,
        }
    }

    /// Integer division and remainder by a positive literal, rounded towards zero.
    fn quotient(
        &mut self,
        op: Binary,
        left: Id,
        right: Id,
        id: Id,
        names: &dyn Names,
    ) -> Option<Linear> {
        let n = self.read(left, names)?;
        let divisor = self.read(right, names)?;
        let part = self.opaque(id, names)?;
        let not_negative = self.facts.shows_dividend_not_negative(part, &n);
        let part = Linear::var(part);
        let Some(k) = divisor.as_constant().filter(|&k| k > 0) else {
            // Whatever the divisor is, a remainder has the sign of the dividend, and is not farther from 0.
            if op == Binary::Mod && not_negative {
                self.facts.order(&Linear::constant(0), &part);
                self.facts.order(&part, &n);
            }
            // A quotient by what is at least 1 lies between 0 and the dividend.
            let mut below = self.facts.clone();
            below.order(&divisor, &Linear::constant(0));
            if op == Binary::Div && not_negative && below.is_impossible() {
                self.facts.order(&Linear::constant(0), &part);
                self.facts.order(&part, &n);
            }
            return Some(part);
        };
        let low = Linear::constant(if not_negative { 0 } else { 1 - k });
        let high = Linear::constant(k - 1);
        if op == Binary::Mod {
            self.facts.order(&low, &part);
            self.facts.order(&part, &high);
        } else {
            let rest = n.plus(&part, -k);
            self.facts.order(&low, &rest);
            self.facts.order(&rest, &high);
        }
        Some(part)
    }

    /// A variable for an expression that is not a linear form but whose names are all known.
    fn opaque(&mut self, id: Id, names: &dyn Names) -> Option<Var> {
        let terms = &self.scheme.terms;
        let mut instance = 0;
        let mut work: Vec<Id> = terms.subterms(id).collect();
        while let Some(t) = work.pop() {
            let is_read = match expr(terms, t) {
                Some(Expr::Index { array, .. }) => !self.tables.contains(&array),
                Some(Expr::Holds { .. }) => true,
                _ => false,
            };
            if is_read {
                return None;
            }
            let Some(name) = terms.as_atom(t) else {
                continue;
            };
            if self.tables.contains(&name) {
                continue;
            }
            if Construct::of(name).is_none() && self.scheme.variable(name).is_none() {
                continue;
            }
            // A LOCAL that never changes is as good as the names that it is short for.
            if let Some(definition) = names.definition(name) {
                work.extend(terms.subterms(definition));
                continue;
            }
            let i = names.instance(name)?;
            if i != 0 && instance != 0 && i != instance {
                return None;
            }
            instance = instance.max(i);
        }
        let known = self
            .variables
            .opaque
            .iter()
            .find(|&&(other, i, _)| i == instance && terms.equal(other, id));
        let var = match known {
            Some(&(_, _, var)) => var,
            None => {
                let var = self.variables.add(None);
                self.variables.opaque.push((id, instance, var));
                var
            }
        };
        Some(var)
    }

    /// Adds what a predicate says, if it is a comparison of linear forms or a conjunction of such.
    /// Gives the systems one of which holds (a `<>` makes two), or nothing if it says more.
    pub fn guard(&mut self, id: Id, holds: bool, names: &dyn Names) -> Option<Vec<System>> {
        let terms = &self.scheme.terms;
        match expr(terms, id)? {
            Expr::Not(a) => self.guard(a, !holds, names),
            Expr::True if holds => Some(vec![System::default()]),
            Expr::False if !holds => Some(vec![System::default()]),
            Expr::Binary { op, left, right } => match op.kind() {
                Kind::Logic(op) => match op.decided_by()? {
                    decisive if holds == decisive => self.either(left, right, holds, names),
                    _ => self.both(left, right, holds, names),
                },
                Kind::Comparison(op) => {
                    let op = if holds { op } else { op.negated() };
                    self.compared(op, left, right, names)
                }
                Kind::Arithmetic(_) => None,
            },
            _ => None,
        }
    }

    fn compared(
        &mut self,
        op: Comparison,
        left: Id,
        right: Id,
        names: &dyn Names,
    ) -> Option<Vec<System>> {
        let integer = |t: Id| self.scheme.type_of(t).is_integer();
        if !integer(left) || !integer(right) {
            return None;
        }
        let a = self.read(left, names)?;
        let b = self.read(right, names)?;
        let mut one = System::default();
        match op {
            Comparison::Equal => one.equate(&a, &b),
            Comparison::Less => one.order_strictly(&a, &b),
            Comparison::LessOrEqual => one.order(&a, &b),
            Comparison::Greater => one.order_strictly(&b, &a),
            Comparison::GreaterOrEqual => one.order(&b, &a),
            Comparison::NotEqual => {
                let mut other = System::default();
                one.order_strictly(&a, &b);
                other.order_strictly(&b, &a);
                return Some(vec![one, other]);
            }
        }
        Some(vec![one])
    }

    fn both(&mut self, a: Id, b: Id, holds: bool, names: &dyn Names) -> Option<Vec<System>> {
        let a = self.guard(a, holds, names)?;
        let b = self.guard(b, holds, names)?;
        let mut all = Vec::new();
        for x in &a {
            for y in &b {
                let mut sum = x.clone();
                sum.add(y);
                all.push(sum);
            }
        }
        Some(all)
    }

    fn either(&mut self, a: Id, b: Id, holds: bool, names: &dyn Names) -> Option<Vec<System>> {
        let mut all = self.guard(a, holds, names)?;
        all.extend(self.guard(b, holds, names)?);
        Some(all)
    }
}

/// Whether a variable has one value for the life of a scheme.
pub fn is_parameter(scheme: &Scheme, name: Symbol) -> bool {
    matches!(
        scheme.variable(name).map(|v| &v.role),
        Some(Role::Parameter { .. })
    )
}
