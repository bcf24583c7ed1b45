//! Conditions inside nests of loops, and what implies that they hold throughout.

use super::Function;
use super::call::{Call, functions};
use super::ends::{Meeting, Reader};
use super::teams::{LaunchAround, launch_around};
use crate::algebra::{Binary, Expr, Operator, expr, operator};
use crate::analysis::{self, Around, Context, Varying};
use crate::check::Scheme;
use crate::rewrite::substitute;
use crate::term::{Id, Path, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn functions() -> Vec<Function> {
    functions![
        throughout "i, from, to, A: what can be asked before a loop over i with the body A so that the condition of the first IF without ELSE in A holds whenever it is met: the same for all threads that wait for each other or exchange values in A; the bounds of loops on the way are numbers, and they have iterations";
        unguarded "A: A with what that IF guards in its place";
        for_some "u: what is the same for all threads of a warp, and holds where the condition u, which may not be the same, holds for one of them; computing it cannot stop the program, and nothing around asks for it";
    ]
}

/// An IF without ELSE that is met in each iteration of the loops on the way to it.
struct Guard {
    id: Id,
    condition: Id,
    body: Id,
    /// The loops on the way, with their first and last values.
    ranges: FxHashMap<Symbol, (i64, i64)>,
    /// The LOCALs that are declared on the way.
    locals: FxHashMap<Symbol, Id>,
}

/// The first such IF in an operator.
fn guard(terms: &Terms, within: Id) -> Option<Guard> {
    let mut found = Guard {
        id: within,
        condition: within,
        body: within,
        ranges: FxHashMap::default(),
        locals: FxHashMap::default(),
    };
    // What is left of the sequences on the way, the last first.
    let mut left = vec![within];
    while let Some(id) = left.pop() {
        match operator(terms, id) {
            Some(Operator::Then(parts)) => left.extend(parts.iter().rev()),
            Some(Operator::For {
                var,
                from,
                to,
                step: None,
                body,
            }) => {
                if let Some(range) = range(terms, from, to) {
                    found.ranges.insert(var, range);
                    left.push(body);
                }
            }
            Some(Operator::Local { name, value, .. }) => {
                found.locals.insert(name, value);
            }
            Some(Operator::If { condition, yes, no })
                if matches!(operator(terms, no), Some(Operator::Empty)) =>
            {
                (found.id, found.condition, found.body) = (id, condition, yes);
                return Some(found);
            }
            _ => {}
        }
    }
    None
}

/// The first and last value of a loop that is known to have iterations.
fn range(terms: &Terms, from: Id, to: Id) -> Option<(i64, i64)> {
    let range = terms.as_int(from).zip(terms.as_int(to));
    range.filter(|(from, to)| from <= to)
}

const NO_GUARD: &str = "there is no IF without ELSE that each iteration meets";

fn unguarded(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let guard = guard(call.terms, body).ok_or(NO_GUARD)?;
    Ok(substitute(call.terms, body, guard.id, guard.body))
}

fn throughout(call: &mut Call<'_>, var: Symbol, from: Id, to: Id, body: Id) -> Result<Id, String> {
    let range = range(call.terms, from, to).ok_or("it may have no iterations")?;
    let own = call.own(body);
    let scheme = call.scheme();
    let mut guard = guard(&scheme.terms, own).ok_or(NO_GUARD)?;
    guard.ranges.insert(var, range);
    let (varying, threads) = match launch_around(call) {
        Some(launch) => those_that_meet(scheme, &launch, own),
        None => Default::default(),
    };
    let outside = call.context().definitions.clone();
    let mut reader = Reader {
        scheme: &call.host.scheme,
        terms: call.terms,
        ranges: guard.ranges,
        locals: guard.locals,
        outside,
        around: FxHashSet::default(),
        varying,
        threads,
        used: Vec::new(),
    };
    let all = reader.throughout(guard.condition);
    all.ok_or_else(|| "what would imply its condition is not known".into())
}

fn for_some(call: &mut Call<'_>, condition: Id) -> Result<Id, String> {
    let own = call.own(condition);
    let context = call.context();
    let launch = launch_around(call).ok_or("it is asked in no launch")?;
    let scheme = &call.host.scheme;
    let varying = Varying::in_warp(scheme, launch.body);
    if !varying.differs(scheme, own) {
        return Err("it is the same for all threads of a warp".into());
    }
    let safe = |e: Id| cannot_fail(scheme, call.at.path, &context, e);
    let mut reader = Reader {
        scheme,
        terms: call.terms,
        ranges: FxHashMap::default(),
        locals: FxHashMap::default(),
        outside: context.definitions.clone(),
        around: begun_at_0(&scheme.terms, &context),
        varying,
        threads: Meeting::Warp,
        used: Vec::new(),
    };
    let some = reader.for_some(own, &safe);
    let some =
        some.ok_or("nothing is known that follows from it and is the same for all threads")?;
    let asked = context.around.iter().any(|around| match *around {
        Around::Branch(asked, true) => scheme.terms.equal_across(asked, call.terms, some),
        _ => false,
    });
    match asked {
        true => Err("what follows from it is asked already".into()),
        false => Ok(some),
    }
}

/// The variables of loops around a place that count up from a number that is not negative.
fn begun_at_0(terms: &Terms, context: &Context) -> FxHashSet<Symbol> {
    let loops = context.around.iter().filter_map(|around| match around {
        Around::Loop(of) if of.step.is_none() => Some(of),
        _ => None,
    });
    let from_0 = loops.filter(|of| terms.as_int(of.from).is_some_and(|from| from >= 0));
    from_0.map(|of| of.var).collect()
}

/// Whether computing an expression at a place cannot stop the program: it is harmless, or a sum of names and numbers that
/// stays in its range.
fn cannot_fail(scheme: &Scheme, path: &Path, context: &Context, e: Id) -> bool {
    let terms = &scheme.terms;
    let is_sum = || {
        terms.subterms(e).all(|part| match expr(terms, part) {
            Some(Expr::Name(_) | Expr::Int(_) | Expr::Negate(_)) => true,
            Some(Expr::Binary { op, .. }) => {
                matches!(op, Binary::Plus | Binary::Minus | Binary::Times)
            }
            _ => false,
        })
    };
    let names_have_values = || {
        let mut names = terms
            .subterms(e)
            .filter(|&part| terms.as_atom(part).is_some());
        names.all(|name| analysis::harmless(scheme, path, context, name).is_yes())
    };
    let ty = scheme.type_of(e);
    analysis::harmless(scheme, path, context, e).is_yes()
        || ty.is_integer()
            && is_sum()
            && names_have_values()
            && analysis::has_margin(scheme, context, ty, e, e).is_yes()
}

/// What differs between the threads that meet in an operator of a launch, and how many these are: at
/// least so many, with numbers that follow each other.
fn those_that_meet(scheme: &Scheme, launch: &LaunchAround, nest: Id) -> (Varying, Meeting) {
    let terms = &scheme.terms;
    let meets = |wanted: fn(&Operator<'_>) -> bool| {
        terms
            .subterms(nest)
            .any(|t| operator(terms, t).is_some_and(|o| wanted(&o)))
    };
    if meets(|o| matches!(o, Operator::Barrier)) {
        let threads = terms.as_int(launch.threads);
        let meeting = threads.map_or(Meeting::None, Meeting::Block);
        (Varying::in_block(scheme, launch.body), meeting)
    } else if meets(|o| matches!(o, Operator::Exchange(..))) {
        (Varying::in_warp(scheme, launch.body), Meeting::Warp)
    } else {
        Default::default()
    }
}
