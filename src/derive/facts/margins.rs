//! What a program asks when it runs, so that loops have a margin.

use super::super::parts::{mentions, type_of};
use super::Function;
use super::call::{Call, functions};
use super::constants::is_kept;
use crate::algebra::{Construct, Operator, Type, bodies_of, bound, build, operator, operators};
use crate::analysis::{self, Loop};
use crate::check::Scheme;
use crate::term::{Id, Path, Symbol, Terms};
use rustc_hash::FxHashSet;

pub(super) fn functions() -> Vec<Function> {
    functions![
        margin_test "i, from, to, A: what is to be asked when the program runs so that has_margin(i, from, to, A) where it holds; nothing where no test would do";
        margin_test_before "A: what is to be asked when the program runs, before a loop over A, so that independent loops and loops that gather in A have a margin where it holds: comparisons of parameters, INPUT numbers and LOCALs that nothing assigns with numbers; nothing where all have one, or no such test would do";
    ]
}

fn margin_test(
    call: &mut Call<'_>,
    var: Id,
    from: Id,
    to: Id,
    body: Id,
) -> Result<Vec<Id>, String> {
    let [var, from, to, body] = [var, from, to, body].map(|a| call.own(a));
    if call.host.found.untested.contains(&[var, from, to, body]) {
        return Ok(Vec::new());
    }
    let context = call.loop_context(body);
    let loops = nest(call.scheme(), var, from, to, body).ok_or("it is not a loop")?;
    let test = analysis::margin_test(&call.host.scheme, &context, &loops, call.terms);
    if test.is_none() {
        call.host.found.untested.insert([var, from, to, body]);
    }
    Ok(test.into_iter().collect())
}

/// A loop with those that stand directly inside it, as far as their bounds are the same in all of
/// its iterations: what type each counts in, and its bounds.
fn nest(scheme: &Scheme, var: Id, from: Id, to: Id, body: Id) -> Option<Vec<(Type, Id, Id)>> {
    let terms = &scheme.terms;
    let mut loops = vec![(type_of(scheme, var)?, from, to)];
    let mut outer = vec![var];
    let mut body = body;
    while let Some(Operator::For {
        var,
        from,
        to,
        step: None,
        body: inner,
    }) = operator(terms, body)
    {
        let own = outer
            .iter()
            .any(|&v| mentions(terms, from, v) || mentions(terms, to, v));
        if own || !analysis::bounds_invariant(scheme, &[from, to], inner).is_yes() {
            break;
        }
        loops.push((scheme.variable(var)?.ty, from, to));
        outer.push(terms.arg(body, 0));
        body = inner;
    }
    Some(loops)
}

fn margin_test_before(call: &mut Call<'_>, body: Id) -> Result<Vec<Id>, String> {
    let body = call.own(body);
    let path = call.loop_path(body);
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let around = path.get(terms, scheme.root);
    let around = around.ok_or("there is no such loop")?;
    let inside = operators(terms, body).chain([around]);
    let declared = inside.filter_map(|t| bound(terms, t));
    let declared: FxHashSet<Symbol> = declared.collect();
    let mut loops = Vec::new();
    loops_of(terms, around, &mut path.clone(), &mut loops);
    let asked = (0..loops.len()).filter_map(|number| {
        let (outer, this) = (&loops[..number], &loops[number]);
        let is_inside = this.0 != path;
        let found = is_inside.then(|| tests_of_names(call, outer, this, &declared))?;
        Some((found?, this))
    });
    let asked: Vec<_> = asked.collect();
    let mut tests: Vec<Id> = Vec::new();
    let tested = asked.iter().filter(|(found, _)| !found.is_empty());
    let tested: Vec<&Path> = tested.map(|&(_, (place, ..))| place).collect();
    // The loops that threads may share so far, and those that stand directly inside each other there.
    let mut shared: Vec<&Path> = Vec::new();
    for (found, (place, this, body)) in asked {
        // Whether threads share it matters to loops with tests only.
        if !tested.iter().any(|inner| inner.0.starts_with(&place.0)) {
            continue;
        }
        let mut outer = shared.iter().rev();
        let is_shared = match outer.find(|outer| place.0.starts_with(&outer.0)) {
            // What else stands in a loop that threads share is done by one thread, or a part of it.
            Some(outer) => place.0.len() == outer.0.len() + 1,
            None => may_be_shared(call, place, *this, *body),
        };
        if is_shared {
            shared.push(place);
            for test in found {
                if !tests.iter().any(|&other| call.terms.equal(test, other)) {
                    tests.push(test);
                }
            }
        }
    }
    if tests.is_empty() {
        return Ok(tests);
    }
    let before = call.host.context(&path);
    if analysis::margin_test_failed(&call.host.scheme, &before, &tests, call.terms) {
        return Ok(Vec::new());
    }
    let and = |a, b| build(call.terms, Construct::And.symbol(), &[a, b]);
    Ok(tests.into_iter().reduce(and).into_iter().collect())
}

/// A loop with a number of iterations, where it stands, and its body.
type Standing = (Path, Loop, Id);

/// What an operator counts by, if it is a loop with a number of iterations, and its body.
fn loop_of(terms: &Terms, id: Id) -> Option<(Loop, Id)> {
    let (var, from, to, step, body) = match operator(terms, id)? {
        Operator::For {
            var,
            from,
            to,
            step,
            body,
        } => (var, from, to, step, body),
        Operator::Parallel {
            var,
            from,
            to,
            body,
            ..
        } => (var, from, to, None, body),
        _ => return None,
    };
    Some((
        Loop {
            var,
            from,
            to,
            step,
        },
        body,
    ))
}

/// The loops with a number of iterations in an operator that stands at a place, it among them; outer ones before those inside.
fn loops_of(terms: &Terms, id: Id, path: &mut Path, loops: &mut Vec<Standing>) {
    if let Some((this, body)) = loop_of(terms, id) {
        loops.push((path.clone(), this, body));
    }
    for i in bodies_of(terms, id) {
        path.0.push(i as u32);
        loops_of(terms, terms.arg(id, i), path, loops);
        path.0.pop();
    }
}

/// What is to be asked of names so that a loop has a margin: those in its bounds or, where that does not do, those in the
/// bounds of the loops around it, too, which come before it; names that are declared further inside cannot be asked.
/// Empty where it has one anyway, nothing where no such test would do.
fn tests_of_names(
    call: &mut Call<'_>,
    before: &[Standing],
    (place, this, _): &Standing,
    declared: &FxHashSet<Symbol>,
) -> Option<Vec<Id>> {
    let scheme = &call.host.scheme;
    let ty = scheme.variable(this.var)?.ty;
    let context = call.host.context(place);
    if analysis::has_margin(scheme, &context, ty, this.from, this.to).is_yes() {
        return Some(Vec::new());
    }
    let can_be_asked = |&id: &Id| {
        let name = scheme.terms.as_atom(id);
        name.is_some_and(|name| !declared.contains(&name) && is_kept(scheme, name))
    };
    let outer = before
        .iter()
        .filter(|(path, ..)| place.0.starts_with(&path.0));
    let mut outer: Vec<Id> = outer.flat_map(|(_, of, _)| [of.from, of.to]).collect();
    let own = [this.from, this.to];
    outer.extend(own);
    [&own[..], &outer[..]].into_iter().find_map(|bounds| {
        let mut names = analysis::scalars_of(scheme, bounds);
        names.retain(can_be_asked);
        analysis::margin_test_of_names(scheme, &context, (ty, own), &names, call.terms)
    })
}

/// Whether rules may find work for many threads in a loop.
fn may_be_shared(call: &mut Call<'_>, place: &Path, this: Loop, body: Id) -> bool {
    let scheme = &call.host.scheme;
    !analysis::gathered_scalars(scheme, body).is_empty()
        || !analysis::found(scheme, body).is_empty()
        || call.host.independent(place, this, body).is_yes()
}
