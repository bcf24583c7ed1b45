//! Cells that the threads of a block read together: which cells of a loop's body are the same for all
//! of them, or differ by one number that takes the same values in all blocks.

use super::access::{accesses, names_in};
use super::definite::{Place as Of, confined, surely_read};
use super::varying::varying;
use crate::algebra::{Binary, Construct, Expr, Operator, Type, arrays_read, expr, names, operator};
use crate::check::{Role, Scheme};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// By what a cell differs between the threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// A LOCAL of the loop's body.
    pub name: Symbol,
    /// How many values it takes, from 0 on: each of them for some thread.
    pub values: i64,
}

/// Cells of one array that the iterations of a loop in a launch read, as one cell of its body.
#[derive(Clone, Debug)]
pub struct Tile {
    /// The cell as it stands in the body.
    pub cell: Id,
    /// What it differs by, but for the loop's variable; none where it is the same for all threads.
    pub place: Option<Place>,
    /// LOCALs of the body to be written out in the cell, with their values, the last one first: of what
    /// the body declares only the place is left then.
    pub written_out: Vec<(Symbol, Id)>,
    /// The names of the last subscript when they are.
    pub last: FxHashSet<Symbol>,
}

/// So many combinations of threads and of iterations of short loops are looked at.
const MOST_VALUES: i64 = 1 << 17;

/// The tiles of a loop in a launch with blocks of so many threads, whose body all of these do: cells
/// of arrays that the launch does not write, each read whatever happens or in range in all iterations.
pub fn tiles(scheme: &Scheme, of: Of<'_>, launch: Id, threads: i64, body: Id) -> Vec<Tile> {
    let terms = &scheme.terms;
    let everything = accesses(scheme, launch);
    let inside = accesses(scheme, body);
    if everything.unknown.is_some() {
        return Vec::new();
    }
    let written = |set: &super::Accesses| -> FxHashSet<Symbol> {
        set.all.iter().filter(|a| a.write).map(|a| a.name).collect()
    };
    let finder = Finder {
        scheme,
        threads,
        var: of.var,
        differ: varying(scheme, [Construct::ThreadIndex.symbol()], launch),
        written: written(&everything),
        changed: written(&inside),
        own: inside.own,
        definitions: inside.definitions,
        short: short_loops(terms, body),
    };
    let mut certain = Vec::new();
    always_read(scheme, of.path, body, &mut certain);
    let mut found: Vec<Tile> = Vec::new();
    for cell in terms.subterms(body) {
        if found.iter().any(|tile| terms.equal(tile.cell, cell)) {
            continue;
        }
        let Some(mut tile) = finder.tile(cell) else {
            continue;
        };
        let in_range = || {
            tile.written_out.is_empty()
                && tile.place.is_none()
                && confined(scheme, of, cell).is_some_and(|c| c.iter().all(Option::is_none))
        };
        if certain.iter().any(|&read| terms.equal(read, cell)) || in_range() {
            last_declared_first(terms, body, &mut tile.written_out);
            found.push(tile);
        }
    }
    found
}

/// Puts LOCALs of a body with their values in order, the last declared one first: a value holds names of earlier ones
/// only.
pub(super) fn last_declared_first(terms: &Terms, body: Id, locals: &mut [(Symbol, Id)]) {
    let declares = |t: Id, local: Symbol| matches!(operator(terms, t), Some(Operator::Local { name, .. }) if name == local);
    locals.sort_by_key(|&(name, _)| {
        std::cmp::Reverse(terms.subterms(body).position(|t| declares(t, name)))
    });
}

/// Loops in a body whose bounds are numbers.
fn short_loops(terms: &Terms, body: Id) -> FxHashMap<Symbol, (i64, i64)> {
    let all = terms.subterms(body);
    let bounds = all.filter_map(|id| match operator(terms, id) {
        Some(Operator::For {
            var,
            from,
            to,
            step: None,
            ..
        }) => Some((var, (terms.as_int(from)?, terms.as_int(to)?))),
        _ => None,
    });
    bounds.collect()
}

/// Cells that a body reads whatever happens, also in loops that have iterations.
fn always_read(scheme: &Scheme, path: &crate::term::Path, id: Id, out: &mut Vec<Id>) {
    let terms = &scheme.terms;
    match operator(terms, id) {
        Some(Operator::Then(parts)) => {
            for &part in parts {
                always_read(scheme, path, part, out);
            }
        }
        Some(Operator::For {
            from,
            to,
            step: None,
            body,
            ..
        }) => {
            let bounds = terms.as_int(from).zip(terms.as_int(to));
            if bounds.is_some_and(|(from, to)| from <= to) {
                always_read(scheme, path, body, out);
            }
        }
        _ => out.extend(surely_read(scheme, path, id)),
    }
}

struct Finder<'a> {
    scheme: &'a Scheme,
    threads: i64,
    var: Symbol,
    /// Names that may differ between threads.
    differ: FxHashSet<Symbol>,
    /// What the launch writes.
    written: FxHashSet<Symbol>,
    /// What the body writes.
    changed: FxHashSet<Symbol>,
    /// What the body declares.
    own: FxHashSet<Symbol>,
    /// LOCALs of the body that keep their values.
    definitions: FxHashMap<Symbol, Id>,
    short: FxHashMap<Symbol, (i64, i64)>,
}

impl Finder<'_> {
    /// A cell as a tile.
    fn tile(&self, cell: Id) -> Option<Tile> {
        let terms = &self.scheme.terms;
        let Expr::Index { array, subscripts } = expr(terms, cell)? else {
            return None;
        };
        let role = &self.scheme.variable(array)?.role;
        let in_memory = matches!(role, Role::Data { .. } | Role::Scoped);
        if !in_memory || self.written.contains(&array) {
            return None;
        }
        let mut search = Search::default();
        let mut last = FxHashSet::default();
        for (k, &subscript) in subscripts.iter().enumerate() {
            let before = search.names.clone();
            search.names.clear();
            self.expression(subscript, &mut search)?;
            if k + 1 == subscripts.len() {
                last.clone_from(&search.names);
            }
            search.names.extend(before);
        }
        if !search.names.contains(&self.var) {
            return None;
        }
        let place = match search.place {
            None => None,
            Some(name) => Some(Place {
                name,
                values: self.values(name)?,
            }),
        };
        Some(Tile {
            cell,
            place,
            written_out: search.written_out,
            last,
        })
    }

    /// Goes through an expression; nothing if a block cannot read it together.
    fn expression(&self, e: Id, search: &mut Search) -> Option<()> {
        let terms = &self.scheme.terms;
        if arrays_read(terms, e).next().is_some() {
            return None;
        }
        let known = names_in(self.scheme, e);
        let in_order = names(&self.scheme.terms, e);
        in_order
            .filter(|name| known.contains(name))
            .try_for_each(|name| self.name(name, search))
    }

    fn name(&self, name: Symbol, search: &mut Search) -> Option<()> {
        if name == self.var || search.place == Some(name) {
            search.names.insert(name);
            return Some(());
        }
        if !self.own.contains(&name) {
            // The same for all threads, and while the loop runs.
            return (!self.differ.contains(&name) && !self.changed.contains(&name)).then(|| {
                search.names.insert(name);
            });
        }
        let &value = self.definitions.get(&name)?;
        if self.is_place(value) {
            // By two numbers a cell would differ in two ways.
            if search.place.is_some() {
                return None;
            }
            search.place = Some(name);
            search.names.insert(name);
            return Some(());
        }
        let own_type = self.scheme.variable(name)?.ty;
        if self.scheme.type_of(value) != own_type {
            return None;
        }
        if !search.written_out.iter().any(|(n, _)| *n == name) {
            search.written_out.push((name, value));
        }
        self.expression(value, search)
    }

    /// Whether an expression is computed from the thread's number, and with those of short loops.
    fn is_place(&self, e: Id) -> bool {
        let known = names_in(self.scheme, e);
        let thread = Construct::ThreadIndex.symbol();
        known.contains(&thread)
            && known
                .iter()
                .all(|n| *n == thread || self.short.contains_key(n))
    }

    /// How many values a place takes: all from 0 to below this number.
    fn values(&self, place: Symbol) -> Option<i64> {
        let &e = self.definitions.get(&place)?;
        if self.scheme.variable(place)?.ty != Type::I32 {
            return None;
        }
        let known = names_in(self.scheme, e);
        let mut loops: Vec<(Symbol, i64, i64)> = known
            .iter()
            .filter_map(|&n| self.short.get(&n).map(|&(from, to)| (n, from, to)))
            .collect();
        loops.push((Construct::ThreadIndex.symbol(), 0, self.threads - 1));
        let mut all: i64 = 1;
        for &(_, from, to) in &loops {
            let count = to.checked_sub(from)?.checked_add(1)?;
            all = all.checked_mul(count.max(0))?;
        }
        if all == 0 || all > MOST_VALUES {
            return None;
        }
        let mut seen = vec![false; all as usize];
        let mut largest = 0;
        for number in 0..all {
            let mut left = number;
            let mut values = FxHashMap::default();
            for &(name, from, to) in &loops {
                values.insert(name, from + left % (to - from + 1));
                left /= to - from + 1;
            }
            let value = self.value(e, &values)?;
            *seen.get_mut(usize::try_from(value).ok()?)? = true;
            largest = largest.max(value);
        }
        let count = largest + 1;
        seen[..count as usize].iter().all(|&s| s).then_some(count)
    }

    /// The value of an integer expression, far from the ends of its type.
    fn value(&self, e: Id, of: &FxHashMap<Symbol, i64>) -> Option<i64> {
        let terms = &self.scheme.terms;
        match expr(terms, e)? {
            Expr::Int(n) => Some(n),
            Expr::ThreadIndex => of.get(&Construct::ThreadIndex.symbol()).copied(),
            Expr::Name(name) => of.get(&name).copied(),
            Expr::Binary { op, left, right } => {
                let (a, b) = (self.value(left, of)?, self.value(right, of)?);
                let value = match op {
                    Binary::Plus => a.checked_add(b)?,
                    Binary::Minus => a.checked_sub(b)?,
                    Binary::Times => a.checked_mul(b)?,
                    Binary::Div => a.checked_div(b)?,
                    Binary::Mod => a.checked_rem(b)?,
                    _ => return None,
                };
                (value.abs() <= i64::from(i32::MAX)).then_some(value)
            }
            _ => None,
        }
    }
}

/// What is met in the subscripts of a cell.
#[derive(Default)]
struct Search {
    place: Option<Symbol>,
    written_out: Vec<(Symbol, Id)>,
    /// The names that are left of the subscripts looked at.
    names: FxHashSet<Symbol>,
}
