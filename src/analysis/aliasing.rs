//! Two accesses to one variable: whether two different iterations of a loop reach one cell by them.
//!
//! Bounds, guards and subscripts of both become one linear system.

use super::Basis;
use super::access::{Access, Accesses, Around, Loop};
use super::affine::{Names, Reader};
use super::claims::injective_claim;
use super::congruent::congruences;
use super::context::{Context, is_fixed, surround};
use super::form::Linear;
use super::linear::System;
use super::partners::partners;
use super::witness::{cell, loose, others, witness};
use crate::algebra::{Construct, Expr, Type, expr, names};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol};
use rustc_hash::FxHashSet;

/// Conditions such as `i <> k` split a question in two; beyond so many parts they are left out.
const MOST_ALTERNATIVES: usize = 64;
/// What is said where a condition that the analyses cannot read stands around two accesses.
pub const UNKNOWN_CONDITION: &str = "a condition around them is not known";
/// Products of a loop's variable that are looked at: each splits the question in two.
const MOST_PRODUCTS: usize = 3;

/// Two iterations that share a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// The loop variable's values.
    pub iterations: (i128, i128),
    /// The cell, such as `x[1]`.
    pub cell: String,
    /// Values of parameters and of loops around, by name.
    pub with: Vec<(String, i128)>,
}

/// What is known of two accesses.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// They never share a cell.
    Apart(Basis),
    /// They do, in these iterations.
    Shared(Conflict),
    /// Nobody knows; why.
    Unknown(String),
}

/// The instances of a pair of accesses: the loop looked at and everything in it differ.
struct Instance<'a> {
    context: &'a Context,
    body: &'a Accesses,
    written: &'a FxHashSet<Symbol>,
    /// Loop variables that differ between the two accesses.
    varying: &'a FxHashSet<Symbol>,
    number: u8,
    /// Whether the access is in a launch that is itself met in each iteration, maybe with other counts of
    /// blocks and threads; else both accesses are in one launch, or in none.
    launched: bool,
    scheme: &'a Scheme,
}

impl Names for Instance<'_> {
    fn instance(&self, name: Symbol) -> Option<u8> {
        if self.varying.contains(&name) {
            return Some(self.number);
        }
        if name == Construct::Multiprocessors.symbol() {
            return Some(0);
        }
        if Construct::of(name).is_some() {
            // The index of a thread; counts are the same for all of a launch.
            let counts = [
                Construct::BlockCount.symbol(),
                Construct::ThreadCount.symbol(),
            ];
            return Some(if counts.contains(&name) && !self.launched {
                0
            } else {
                self.number
            });
        }
        if self.body.own.contains(&name) {
            return None;
        }
        is_fixed(self.scheme, name, self.written).then_some(0)
    }

    fn definition(&self, name: Symbol) -> Option<Id> {
        self.body
            .definitions
            .get(&name)
            .or_else(|| self.context.definitions.get(&name))
            .copied()
    }
}

/// How two iterations are ordered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// The first is earlier.
    Less,
    /// They are the same.
    Equal,
    /// The first is later.
    Greater,
}

/// How two iterations are ordered in each of some loops.
pub(super) type Directions = Vec<(Symbol, Order)>;

/// What pairs of accesses are asked of.
pub(super) struct Asked<'a> {
    pub(super) scheme: &'a Scheme,
    pub(super) context: &'a Context,
    /// The loop looked at.
    pub(super) this: Loop,
    /// What its body does, or the bodies of two loops.
    pub(super) set: &'a Accesses,
    written: FxHashSet<Symbol>,
    /// Loop variables that differ between two accesses.
    varying: FxHashSet<Symbol>,
    /// Arrays that the body reads and does not write, and that are not its own.
    tables: FxHashSet<Symbol>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        scheme: &'a Scheme,
        context: &'a Context,
        this: Loop,
        set: &'a Accesses,
    ) -> Asked<'a> {
        let written = set.all.iter().filter(|x| x.write).map(|x| x.name);
        let written: FxHashSet<Symbol> = written.collect();
        let is_table = |access: &&Access| {
            let array = scheme.variable(access.name).is_some_and(|v| v.is_array());
            array && !set.own.contains(&access.name) && !written.contains(&access.name)
        };
        let tables = set.all.iter().filter(is_table).map(|access| access.name);
        let around = set.all.iter().flat_map(|access| access.around.iter());
        let inner = around.filter_map(|around| match around {
            Around::Loop(inner) => Some(inner.var),
            _ => None,
        });
        Asked {
            scheme,
            context,
            this,
            set,
            tables: tables.collect(),
            written,
            varying: inner.chain([this.var]).collect(),
        }
    }
}

/// Whether two accesses share a cell in iterations of the loop ordered in one of the given ways.
pub(super) fn pair(asked: &Asked<'_>, a: &Access, b: &Access, orders: &[Directions]) -> Verdict {
    let &Asked {
        scheme,
        context,
        this,
        set,
        ref written,
        ref varying,
        ref tables,
    } = asked;
    let (Some(sa), Some(sb)) = (&a.subscripts, &b.subscripts) else {
        return Verdict::Unknown("an array is reached as a whole".into());
    };
    let mut why = String::new();
    for claims in [false, true] {
        if claims && !context.has_claims(scheme) {
            break;
        }
        let (mut variables, outer) = context.facts(scheme, claims);
        let outside = outer.forms().map(<[Linear]>::len);
        let mut reader = Reader::new(scheme, &mut variables, outer);
        let mut exact = true;
        let mut alternatives = vec![System::default()];
        let mut forms = Vec::new();
        let [one, two] = [(1, a), (2, b)].map(|(number, access)| Instance {
            context,
            body: set,
            written,
            varying,
            number,
            launched: is_launched(access),
            scheme,
        });
        // LOCALs such as `last`, with which a loop keeps a bound that others assign.
        let integers = context.held.iter().filter(|&&(name, value)| {
            let local = scheme.variable(name).map(|v| v.ty);
            local.is_some_and(Type::is_integer) && scheme.type_of(value).is_integer()
        });
        for &(name, value) in integers {
            if let (Some(0), Some(form)) = (one.instance(name), reader.read(value, &one)) {
                let local = Linear::var(reader.variables.of(name, 0));
                reader.facts.equate(&local, &form);
            }
        }
        for (names, access, subscripts) in [(&one, a, sa), (&two, b, sb)] {
            exact &= surround(&mut reader, &Around::Loop(this), names);
            for around in access.around.iter() {
                // A condition that makes two systems, such as `s <> i`, splits the question.
                if let Around::Branch(condition, holds) = *around
                    && let Some(systems) = reader.guard(condition, holds, names)
                    && alternatives.len() * systems.len() <= MOST_ALTERNATIVES
                {
                    alternatives = each_of(&alternatives, &systems);
                    continue;
                }
                exact &= surround(&mut reader, around, names);
            }
            let read: Vec<Option<Linear>> =
                subscripts.iter().map(|&s| reader.read(s, names)).collect();
            forms.push(read);
        }
        // What is no choice, or what alone is left of one, as of `i MOD 2 <> 0`, is known to all that follows.
        if alternatives.len() > 1 {
            alternatives.retain(|one| !reader.facts.with(one).is_impossible());
        }
        if let [one] = &alternatives[..] {
            reader.facts.add(one);
            alternatives = vec![System::default()];
        }
        let mut readable = true;
        for (k, (x, y)) in forms[0].iter().zip(&forms[1]).enumerate() {
            if let (Some(x), Some(y)) = (x, y) {
                reader.facts.equate(x, y);
                continue;
            }
            // Through an injective array equal cells mean equal subscripts.
            if let Some((p, q)) = through_injective(scheme, sa[k], sb[k])
                && let (Some(p), Some(q)) = (reader.read(p, &one), reader.read(q, &two))
            {
                reader.facts.equate(&p, &q);
                if !claims {
                    readable = false;
                    why = "it rests on a claim".into();
                }
                continue;
            }
            readable = false;
            let bad = if x.is_none() { sa[k] } else { sb[k] };
            why = format!(
                "the subscript {} is not a linear form that is known",
                super::text(scheme, bad)
            );
            // Cells that keep their values may still show that the subscripts differ.
            reader.tables.clone_from(tables);
            if let (Some(x), Some(y)) = (reader.read(sa[k], &one), reader.read(sb[k], &two)) {
                reader.facts.equate(&x, &y);
            }
            reader.tables.clear();
        }
        reader.tables.clone_from(tables);
        let congruent = congruences(&mut reader, [&one, &two]);
        for open in [congruent, partners(&mut reader, [&one, &two])].concat() {
            if alternatives.len() * open.len() <= MOST_ALTERNATIVES {
                alternatives = each_of(&alternatives, &open);
            }
        }
        reader.tables.clear();
        let products = growing(&mut reader, this.var, varying, |number| Instance {
            context,
            body: set,
            written,
            varying,
            number,
            launched: is_launched(if number == 1 { a } else { b }),
            scheme,
        });
        let facts = reader.facts.clone();
        let (i, j) = (variables.of(this.var, 1), variables.of(this.var, 2));
        let mut all_apart = true;
        for order in orders {
            let grown = products
                .iter()
                .fold(alternatives.clone(), |systems, product| {
                    match order.iter().find(|o| o.0 == this.var) {
                        Some(&(_, order)) => product.split(&systems, order),
                        None => systems,
                    }
                });
            for alternative in &grown {
                let mut system = facts.clone();
                system.add(alternative);
                for &(var, order) in order {
                    let (x, y) = (
                        Linear::var(variables.of(var, 1)),
                        Linear::var(variables.of(var, 2)),
                    );
                    match order {
                        Order::Less => system.order_strictly(&x, &y),
                        Order::Equal => system.equate(&x, &y),
                        Order::Greater => system.order_strictly(&y, &x),
                    }
                }
                if system.is_impossible() {
                    continue;
                }
                all_apart = false;
                if !readable || !exact {
                    if why.is_empty() {
                        why = UNKNOWN_CONDITION.into();
                    }
                    continue;
                }
                let all = system.forms().into_iter().zip(outside);
                let own = all.flat_map(|(forms, outside)| &forms[outside..]);
                if let Some(loose) = loose(scheme, context, &variables, own) {
                    why = format!(
                        "it depends on {}, and what values that has here is not known",
                        author_name(loose)
                    );
                    continue;
                }
                if let Some(values) = witness(scheme, &system, &variables) {
                    let conflict = Conflict {
                        iterations: (
                            values.get(&i).copied().unwrap_or(0),
                            values.get(&j).copied().unwrap_or(0),
                        ),
                        cell: cell(a, &forms[0], &values),
                        with: others(scheme, &variables, &values),
                    };
                    return Verdict::Shared(conflict);
                }
                why = "two iterations that share one were neither excluded nor found".into();
            }
        }
        if all_apart {
            return Verdict::Apart(if claims {
                Basis::Assumed
            } else {
                Basis::Proved
            });
        }
    }
    Verdict::Unknown(why)
}

/// Each of some systems together with each of others.
fn each_of(systems: &[System], others: &[System]) -> Vec<System> {
    let all = systems.iter();
    all.flat_map(|system| others.iter().map(move |other| system.with(other)))
        .collect()
}

/// Whether an access is in a launch within the loop looked at.
fn is_launched(access: &Access) -> bool {
    let launch = |around: &Around| matches!(around, Around::Launch(..));
    access.around.iter().any(launch)
}

/// A product of the loop's variable with a factor that all iterations have in common, as in the
/// bounds of runs, `FOR i FROM part * run TO part * run + run - 1`.
struct Product {
    factor: Linear,
    /// What it is in the first and in the second of two iterations.
    in_two: (Linear, Linear),
}

/// Products of this kind in what was read of two iterations.
fn growing<'a>(
    reader: &mut Reader<'_>,
    var: Symbol,
    varying: &FxHashSet<Symbol>,
    instance: impl Fn(u8) -> Instance<'a>,
) -> Vec<Product> {
    let terms = &reader.scheme.terms;
    let found = reader.variables.multiples(reader.scheme, var);
    let common = found.into_iter().filter(|product| {
        let mut names = names(terms, product.factor);
        !names.any(|name| varying.contains(&name))
    });
    let products = common.take(MOST_PRODUCTS).filter_map(|product| {
        let [one, two] = product.in_two.map(Linear::var);
        let factor = reader.read(product.factor, &instance(1))?;
        Some(Product {
            factor: factor.times(product.times),
            in_two: (one, two),
        })
    });
    products.collect()
}

impl Product {
    /// The systems with what is known of the product: a later iteration's is greater by the factor
    /// at least, unless that is negative.
    fn split(&self, systems: &[System], order: Order) -> Vec<System> {
        let (earlier, later) = match order {
            Order::Less => (&self.in_two.0, &self.in_two.1),
            Order::Greater => (&self.in_two.1, &self.in_two.0),
            Order::Equal => return systems.to_vec(),
        };
        let nothing = Linear::constant(0);
        let each = systems.iter().flat_map(|system| {
            let (mut grows, mut falls) = (system.clone(), system.clone());
            grows.order(&nothing, &self.factor);
            grows.order(&earlier.plus(&self.factor, 1), later);
            falls.order_strictly(&self.factor, &nothing);
            [grows, falls]
        });
        each.collect()
    }
}

/// The subscripts of `idx[p]` and `idx[q]`, if `idx` is claimed to be injective.
fn through_injective(scheme: &Scheme, a: Id, b: Id) -> Option<(Id, Id)> {
    match (expr(&scheme.terms, a)?, expr(&scheme.terms, b)?) {
        (
            Expr::Index {
                array: x,
                subscripts: &[p],
            },
            Expr::Index {
                array: y,
                subscripts: &[q],
            },
        ) if x == y && injective_claim(scheme, x) => Some((p, q)),
        _ => None,
    }
}

/// Whether two accesses could conflict at all.
pub(super) fn may_conflict(set: &Accesses, a: &Access, b: &Access) -> bool {
    a.name == b.name
        && (a.write || b.write)
        && (a.atomic.is_none() || a.atomic != b.atomic)
        && !set.own.contains(&a.name)
        && (a.component.is_none() || b.component.is_none() || a.component == b.component)
}
