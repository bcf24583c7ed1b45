//! Cells to which a loop in a launch comes back: a thread in all of its iterations, or the threads of a ring
//! one after the other.
//!
//! In a ring of n threads, each meets the cell of the next one in the next iteration: the cells differ by
//! `(thread + s) MOD n` alone, with s from 0 to n - 1. After the loop each thread has met the cells of all, and
//! each cell has been with every thread.

use super::access::{Access, Accesses, accesses, names_in};
use super::context::{Context, loops_around};
use super::filled::filled_at;
use super::tiles::last_declared_first;
use super::varying::Varying;
use crate::algebra::{Atomic, Binary, Expr, Operator, arrays_read, bound, expr, operator};
use crate::check::{Role, Scheme};
use crate::term::{Id, Path, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is done with a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is read, and nothing in the launch writes to its array.
    Read,
    /// It is a REAL or VECTOR that is added to indivisibly, and nothing else is done with its array in the launch.
    Sum,
}

/// By what the cells of a loop's iterations differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Each thread comes back to the same cells, one for each value of the variable of an inner loop
    /// from 0 to a number, if there is a variable.
    Same(Option<(Symbol, i64)>),
    /// The threads of a warp meet the cells of all of them in turn.
    Warp,
    /// Those of a block do.
    Block,
}

/// A cell to which a loop comes back.
#[derive(Clone, Debug)]
pub struct Recurring {
    /// The cell as it stands in the loop's body.
    pub cell: Id,
    /// What is done with it.
    pub used: Use,
    /// By what it differs between iterations.
    pub turn: Turn,
    /// LOCALs of the body to be written out in the cell, with their values, the last one first: nothing is left
    /// of what the body declares but the variable of an inner loop.
    pub written_out: Vec<(Symbol, Id)>,
    /// Whether it only stands in subscripts of other such cells.
    pub nested: bool,
    /// In a ring, the number by which the cells differ as it stands in them then, and what it is in the first
    /// iteration.
    pub number: Option<(Id, Id)>,
}

/// Numbers below this may be added to a subscript or subtracted from the size of an array.
pub const SMALL: i64 = 1 << 20;

/// A thread keeps cells for so many values of a variable at most.
pub const MOST_MEMBERS: i64 = 16;

/// The cells to which a loop in a launch comes back, each once, in the order of the text.
///
/// `path` is the position of the loop, `launch` the body of the launch, with blocks of `threads` threads, and the
/// loop takes `var` through its body so many `times`, if that is a number, from 0 on.
pub fn recurring(
    scheme: &Scheme,
    path: &Path,
    launch: (Id, i64),
    (var, times): (Symbol, Option<i64>),
    body: Id,
) -> Vec<Recurring> {
    let terms = &scheme.terms;
    let everything = accesses(scheme, launch.0);
    if everything.unknown.is_some() {
        return Vec::new();
    }
    let inside = accesses(scheme, body);
    let written = inside.all.iter().filter(|a| a.write).map(|a| a.name);
    let finder = Finder {
        scheme,
        path,
        var,
        times,
        threads: launch.1,
        outside: Context::at(scheme, path).definitions,
        launch: launch.0,
        everything,
        own: terms
            .subterms(body)
            .filter_map(|id| bound(terms, id))
            .collect(),
        changed: written.collect(),
        definitions: inside.definitions,
        certain: certain_locals(terms, body),
        around: loops_around(scheme, path),
        short: short_loops(terms, body),
    };
    let mut found: Vec<Recurring> = Vec::new();
    let mut work = vec![(body, false)];
    while let Some((id, nested)) = work.pop() {
        let inside = terms.args(id).iter().rev();
        match finder.cell(id) {
            Some(mut cell) => {
                if let Some(known) = found.iter_mut().find(|f| terms.equal(f.cell, id)) {
                    known.nested &= nested;
                    continue;
                }
                last_declared_first(terms, body, &mut cell.written_out);
                cell.nested = nested;
                found.push(cell);
                work.extend(inside.map(|&a| (a, true)));
            }
            None => work.extend(inside.map(|&a| (a, nested))),
        }
    }
    found
}

/// The variables of loops in a body from 0 to a number, and these numbers.
fn short_loops(terms: &Terms, body: Id) -> FxHashMap<Symbol, i64> {
    let bounds = terms
        .subterms(body)
        .filter_map(|id| match operator(terms, id) {
            Some(Operator::For {
                var,
                from,
                to,
                step: None,
                ..
            }) if terms.as_int(from) == Some(0) => Some((var, terms.as_int(to)?)),
            _ => None,
        });
    bounds
        .filter(|&(_, last)| (0..MOST_MEMBERS).contains(&last))
        .collect()
}

/// The LOCALs of a body that are computed whatever happens, also in loops that have iterations.
fn certain_locals(terms: &Terms, body: Id) -> FxHashSet<Symbol> {
    let mut found = FxHashSet::default();
    let mut work = vec![body];
    while let Some(id) = work.pop() {
        match operator(terms, id) {
            Some(Operator::Then(parts)) => work.extend(parts),
            Some(Operator::For {
                from,
                to,
                step: None,
                body,
                ..
            }) => {
                let bounds = terms.as_int(from).zip(terms.as_int(to));
                if bounds.is_some_and(|(from, to)| from <= to) {
                    work.push(body);
                }
            }
            Some(Operator::Local { name, .. }) => {
                found.insert(name);
            }
            _ => {}
        }
    }
    found
}

struct Finder<'a> {
    scheme: &'a Scheme,
    path: &'a Path,
    var: Symbol,
    /// How often the loop goes round, if that is a number.
    times: Option<i64>,
    threads: i64,
    /// LOCALs of outside that keep their first value.
    outside: FxHashMap<Symbol, Id>,
    launch: Id,
    /// What the launch does.
    everything: Accesses,
    /// What the body declares, variables of loops included.
    own: FxHashSet<Symbol>,
    /// LOCALs of the body that keep their values.
    definitions: FxHashMap<Symbol, Id>,
    /// LOCALs that each iteration of the loop computes.
    certain: FxHashSet<Symbol>,
    /// Variables of the loops around.
    around: FxHashSet<Symbol>,
    /// What the body writes.
    changed: FxHashSet<Symbol>,
    short: FxHashMap<Symbol, i64>,
}

/// What is met in the subscripts of a cell.
#[derive(Default)]
struct Search {
    member: Option<Symbol>,
    ring: Option<Ring>,
    written_out: Vec<(Symbol, Id)>,
    /// What has one value throughout the loop.
    fixed: Vec<Id>,
}

/// A number by which the threads of a ring differ, and what it is in the first iteration.
#[derive(Clone, Copy)]
struct Ring {
    of_block: bool,
    number: Id,
    first: Id,
}

impl Finder<'_> {
    fn cell(&self, id: Id) -> Option<Recurring> {
        let used = self.used(id)?;
        let mut search = Search::default();
        self.subscripts(id, &mut search)?;
        let turn = match search.ring {
            // The loop may have no iteration, in which what is computed of a subscript would be: little may be.
            None if self.is_plain(id) => {
                Turn::Same(search.member.map(|name| (name, self.short[&name])))
            }
            None => return None,
            Some(ring) => {
                // The threads of a ring have all else in common.
                let varying = match ring.of_block {
                    true => Varying::in_block(self.scheme, self.launch),
                    false => Varying::in_warp(self.scheme, self.launch),
                };
                let differ = search
                    .fixed
                    .iter()
                    .any(|&e| varying.differs(self.scheme, e));
                if differ || search.member.is_some() {
                    return None;
                }
                if ring.of_block {
                    Turn::Block
                } else {
                    Turn::Warp
                }
            }
        };
        Some(Recurring {
            cell: id,
            used,
            turn,
            written_out: search.written_out,
            nested: false,
            number: search.ring.map(|ring| (ring.number, ring.first)),
        })
    }

    /// What the launch does with the array of a cell, if it does one thing; its cells have values before the loop.
    fn used(&self, cell: Id) -> Option<Use> {
        let (scheme, terms) = (self.scheme, &self.scheme.terms);
        let Expr::Index { array, subscripts } = expr(terms, cell)? else {
            return None;
        };
        let variable = scheme.variable(array)?;
        let in_memory = matches!(variable.role, Role::Data { .. } | Role::Scoped);
        if !in_memory || subscripts.len() != variable.dims.len() {
            return None;
        }
        let at = |&s: &Id| terms.as_atom(s).filter(|name| self.around.contains(name));
        let at: Vec<Option<Symbol>> = subscripts.iter().map(at).collect();
        if !filled_at(scheme, self.path, array, &at) {
            return None;
        }
        let mut all = self.everything.all.iter().filter(|a| a.name == array);
        if all.clone().all(|a| !a.write) {
            return Some(Use::Read);
        }
        // Some of the numbers that are added to an INTEGER may make a sum beyond its range, though all do not.
        let reals = variable.ty.component().is_real();
        let sums = reals && all.all(|a| a.atomic == Some(Atomic::Add));
        sums.then_some(Use::Sum)
    }

    /// Goes through the subscripts of a cell: names and numbers, with a number added or subtracted, and cells of the
    /// like, so that whether they are in range can be asked without computing what might leave its range.
    fn subscripts(&self, cell: Id, search: &mut Search) -> Option<()> {
        let terms = &self.scheme.terms;
        let Expr::Index { subscripts, .. } = expr(terms, cell)? else {
            return None;
        };
        subscripts.iter().try_for_each(|&s| match expr(terms, s)? {
            Expr::Int(_) => Some(()),
            Expr::Binary {
                op: Binary::Plus | Binary::Minus,
                left,
                right,
            } => {
                terms.as_int(right)?;
                self.subscript(left, search)
            }
            _ => self.subscript(s, search),
        })
    }

    fn subscript(&self, s: Id, search: &mut Search) -> Option<()> {
        if self.ring(s).is_some() {
            return self.expression(s, search);
        }
        match expr(&self.scheme.terms, s)? {
            Expr::Name(name) if self.is_fixed(s) || self.short.contains_key(&name) => {
                self.expression(s, search)
            }
            Expr::Name(name) => {
                let &value = self.definitions.get(&name)?;
                // What is not computed in each iteration may be a cell that is asked about, too.
                let cell = matches!(expr(&self.scheme.terms, value)?, Expr::Index { .. });
                match self.certain.contains(&name) || cell || self.is_plain(value) {
                    true => self.expression(s, search),
                    false => None,
                }
            }
            Expr::Index { .. } => self.expression(s, search),
            _ => None,
        }
    }

    /// Goes through an integer expression; nothing if it is not known what it is each time.
    fn expression(&self, e: Id, search: &mut Search) -> Option<()> {
        let terms = &self.scheme.terms;
        if self.is_fixed(e) {
            search.fixed.push(e);
            return Some(());
        }
        if let Some(ring) = self.ring(e) {
            let same = |other: &Ring| {
                other.of_block == ring.of_block && terms.equal(other.number, ring.number)
            };
            let one = search.ring.as_ref().is_none_or(same);
            search.ring = Some(ring);
            return one.then_some(());
        }
        match expr(terms, e)? {
            Expr::Name(name) => self.name(name, search),
            Expr::Index { .. } if self.used(e) == Some(Use::Read) => self.subscripts(e, search),
            Expr::Negate(a) => self.expression(a, search),
            Expr::Binary { left, right, .. } => {
                self.expression(left, search)?;
                self.expression(right, search)
            }
            Expr::Apply { arguments, .. } => {
                let mut arguments = arguments.iter();
                arguments.try_for_each(|&a| self.expression(a, search))
            }
            _ => None,
        }
    }

    /// Whether an expression is a number or a name of outside, or a cell at such subscripts, to which small numbers and
    /// variables of short loops may be added.
    fn is_plain(&self, e: Id) -> bool {
        let terms = &self.scheme.terms;
        match expr(terms, e) {
            Some(Expr::Int(_)) => true,
            Some(Expr::Name(name)) => match self.definitions.get(&name) {
                Some(&value) => self.is_plain(value),
                None => self.is_fixed(e) || self.short.contains_key(&name),
            },
            Some(Expr::Index { subscripts, .. }) => subscripts.iter().all(|&s| self.is_plain(s)),
            Some(Expr::Binary {
                op: Binary::Plus,
                left,
                right,
            }) => self.is_plain(left) && self.is_small(right),
            Some(Expr::Binary {
                op: Binary::Minus,
                left,
                right,
            }) => self.is_plain(left) && terms.as_int(right).is_some() && self.is_small(right),
            _ => false,
        }
    }

    /// Whether an expression is a small number, or the variable of a short loop, perhaps with a small factor.
    fn is_small(&self, e: Id) -> bool {
        let terms = &self.scheme.terms;
        match expr(terms, e) {
            Some(Expr::Int(k)) => (-SMALL..SMALL).contains(&k),
            Some(Expr::Name(name)) => self.short.contains_key(&name),
            Some(Expr::Binary {
                op: Binary::Times,
                left,
                right,
            }) => {
                terms.as_int(left).is_none()
                    && self.is_small(left)
                    && terms.as_int(right).is_some_and(|k| (0..SMALL).contains(&k))
            }
            _ => false,
        }
    }

    /// Whether an expression has one value throughout the loop.
    fn is_fixed(&self, e: Id) -> bool {
        let terms = &self.scheme.terms;
        let mut names = names_in(self.scheme, e).into_iter();
        let fixed = |name| {
            let memory = self
                .scheme
                .variable(name)
                .is_some_and(|v| matches!(v.role, Role::Data { .. }));
            let written = |a: &Access| memory && a.write && a.name == name;
            name != self.var
                && !self.own.contains(&name)
                && !self.changed.contains(&name)
                && !self.everything.all.iter().any(written)
        };
        names.all(fixed) && arrays_read(terms, e).next().is_none()
    }

    fn name(&self, name: Symbol, search: &mut Search) -> Option<()> {
        if self.short.contains_key(&name) {
            let one = search.member.is_none_or(|member| member == name);
            search.member = Some(name);
            return one.then_some(());
        }
        let &value = self.definitions.get(&name)?;
        let own_type = self.scheme.variable(name)?.ty;
        if self.scheme.type_of(value) != own_type {
            return None;
        }
        if !search.written_out.iter().any(|(n, _)| *n == name) {
            search.written_out.push((name, value));
        }
        self.expression(value, search)
    }

    /// `(t + s) MOD n` where s is the loop's variable, which goes from 0 to n - 1, and t the number of a thread
    /// in its warp or block of n threads.
    fn ring(&self, e: Id) -> Option<Ring> {
        let terms = &self.scheme.terms;
        let Expr::Binary {
            op: Binary::Mod,
            left: sum,
            right: n,
        } = expr(terms, e)?
        else {
            return None;
        };
        let n = terms.as_int(n)?;
        let Expr::Binary {
            op: Binary::Plus,
            left,
            right,
        } = expr(terms, sum)?
        else {
            return None;
        };
        let first = match (terms.as_atom(left), terms.as_atom(right)) {
            (_, Some(right)) if right == self.var => left,
            (Some(left), _) if left == self.var => right,
            _ => return None,
        };
        let of_block = self.place_in_ring(first, n)?;
        (self.times == Some(n)).then_some(Ring {
            of_block,
            number: e,
            first,
        })
    }

    /// Whether an expression is the number of a thread in a ring of n: of its block, or else of its warp.
    fn place_in_ring(&self, e: Id, n: i64) -> Option<bool> {
        let terms = &self.scheme.terms;
        match expr(terms, e)? {
            Expr::ThreadIndex => (self.threads == n).then_some(true),
            Expr::Name(name) if !self.own.contains(&name) => {
                self.place_in_ring(*self.outside.get(&name)?, n)
            }
            Expr::Binary {
                op: Binary::Mod,
                left,
                right,
            } => {
                let warp = matches!(expr(terms, left), Some(Expr::ThreadIndex))
                    && terms.as_int(right) == Some(32)
                    && n == 32
                    && self.threads % 32 == 0;
                warp.then_some(false)
            }
            _ => None,
        }
    }
}
