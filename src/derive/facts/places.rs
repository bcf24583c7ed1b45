//! Where the place is that a rule is tried at.

use super::super::host::decided;
use super::Fact;
use super::call::{Call, Rest, facts};
use super::loops::is_at_registers;
use crate::algebra::{Construct, Operator, Role, bound, operator, root_name};
use crate::analysis::{self, Around, Level, Loop};
use crate::check::author_name;
use crate::rewrite::Answer;
use crate::term::{Id, Path, Symbol};

pub(super) fn facts() -> Vec<Fact> {
    facts![
        on_host "the place is at the host's level: not in a kernel, PARALLEL, a branch or what is RECORDED";
        outside_kernels "the place is in no kernel and in nothing RECORDED";
        outside_lanes "the place is in no LANES";
        outside_loops "no loop is around the place";
        free_of_loops_around "no variable of a loop around the place occurs in A";
        timed "the place is inside TIMED, or nothing is TIMED";
        inside_independent "the place is in a FOR loop none of whose iterations reaches a cell that another one writes";
        own_place "x: it is a LOCAL of the iteration, branch or thread that comes to the place, or a cell of REGISTERS: nothing else reaches it meanwhile";
        stays_in_loop "e…: nothing that they read changes in the innermost loop around the place that has several iterations and is not written out, as its variable is a subscript of REGISTERS";
        is_value "the expression at the place is read, and not assigned";
    ]
}

fn stays_in_loop(call: &mut Call<'_>, Rest(expressions): Rest<1>) -> Answer {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let spine = call.spine();
    // A loop that is written out has a value of its variable, and of what is done to it, in each copy.
    let mut written_out: Vec<Symbol> = Vec::new();
    let mut around = None;
    for &id in spine.iter().rev() {
        match operator(terms, id) {
            Some(Operator::For { var, body, .. }) if is_at_registers(scheme, var, body) => {
                written_out.push(var);
            }
            Some(Operator::For { from, to, .. }) if terms.equal(from, to) => {}
            Some(Operator::For { .. } | Operator::While { .. }) => {
                around = Some(id);
                break;
            }
            _ => {}
        }
    }
    let Some(around) = around else {
        return decided(false, "", "no loop is around it");
    };
    let done = analysis::accesses(scheme, around);
    if done.unknown.is_some() {
        return decided(false, "", "what the loop around it does is not known");
    }
    let changes = |name: &Symbol| {
        let mut declared = terms.subterms(around).filter_map(|id| bound(terms, id));
        let declared = !written_out.contains(name) && declared.any(|own| own == *name);
        declared || done.all.iter().any(|a| a.write && a.name == *name)
    };
    let names = expressions
        .iter()
        .flat_map(|&e| analysis::names_in(scheme, e));
    match names.filter(changes).map(author_name).min() {
        None => decided(
            true,
            "nothing that they read changes in the loop around",
            "",
        ),
        Some(name) => decided(false, "", format!("{name} changes in the loop around")),
    }
}

fn on_host(call: &mut Call<'_>) -> Answer {
    let level = Level::at(call.scheme(), call.at.path);
    decided(
        level.is_of_host(),
        "it stands at the host's level",
        if level.in_kernel {
            "it stands in a kernel already"
        } else if level.recorded {
            "it stands in what is RECORDED"
        } else {
            "it stands in PARALLEL already"
        },
    )
}

fn outside_kernels(call: &mut Call<'_>) -> Answer {
    let level = Level::at(call.scheme(), call.at.path);
    decided(
        !level.in_kernel && !level.recorded,
        "it stands in no kernel and in nothing RECORDED",
        "it stands in a kernel, or in what is RECORDED",
    )
}

fn outside_lanes(call: &mut Call<'_>) -> Answer {
    decided(
        !call.context().in_lanes,
        "it stands in no LANES",
        "it stands in LANES already",
    )
}

fn own_place(call: &mut Call<'_>, x: Id) -> Answer {
    let scheme = call.scheme();
    let name = root_name(&scheme.terms, x);
    decided(
        name.is_some_and(|name| analysis::is_own(scheme, call.at.path, name)),
        "nothing else reaches it meanwhile",
        "it is no LOCAL and no REGISTERS of what comes to the place alone",
    )
}

fn outside_loops(call: &mut Call<'_>) -> Answer {
    let mut around = call.spine();
    around.truncate(call.at.path.0.len());
    let terms = &call.scheme().terms;
    let is_loop = |id: Id| {
        matches!(
            operator(terms, id),
            Some(Operator::For { .. } | Operator::While { .. } | Operator::Parallel { .. })
        )
    };
    decided(
        !around.into_iter().any(is_loop),
        "no loop is around it",
        "a loop is around it",
    )
}

fn free_of_loops_around(call: &mut Call<'_>, part: Id) -> Answer {
    let names = analysis::names_in(call.scheme(), part);
    let context = call.context();
    let found = context.around.iter().find_map(|around| match around {
        Around::Loop(outer) if names.contains(&outer.var) => Some(author_name(outer.var)),
        _ => None,
    });
    decided(
        found.is_none(),
        "no variable of a loop around it occurs in it",
        format!(
            "{}, of a loop around it, occurs in it",
            found.unwrap_or_default()
        ),
    )
}

fn timed(call: &mut Call<'_>) -> Answer {
    let (terms, root) = (&call.scheme().terms, call.scheme().root);
    let is_timed = |t: &Id| terms.functor(*t) == Some(Construct::Timed.symbol());
    decided(
        call.spine().iter().any(is_timed) || !terms.subterms(root).any(|t| is_timed(&t)),
        "it is timed",
        "it stands outside what is timed",
    )
}

fn inside_independent(call: &mut Call<'_>) -> Answer {
    decided(
        !independent_around(call).is_empty(),
        "a loop around it is independent",
        "no loop around it is independent",
    )
}

/// The variables of the independent FOR loops around the place.
pub(super) fn independent_around(call: &mut Call<'_>) -> Vec<Symbol> {
    let mut around = call.spine();
    around.truncate(call.at.path.0.len());
    let mut found = Vec::new();
    for (depth, &id) in around.iter().enumerate() {
        let Some(Operator::For {
            var,
            from,
            to,
            step,
            body,
        }) = operator(&call.scheme().terms, id)
        else {
            continue;
        };
        let outer = Loop {
            var,
            from,
            to,
            step,
        };
        let path = Path(call.at.path.0[..depth].to_vec());
        if call.host.independent(&path, outer, body).is_yes() {
            found.push(var);
        }
    }
    found
}

/// An expression is assigned if it is a target, or what a target is a component of.
fn is_value(call: &mut Call<'_>) -> Answer {
    let terms = &call.scheme().terms;
    let spine = call.spine();
    let parents = spine.split_last().map_or(&[][..], |(_, parents)| parents);
    let mut read = true;
    for (&parent, &index) in parents.iter().zip(&call.at.path.0).rev() {
        match terms.functor(parent).and_then(Construct::of) {
            Some(Construct::Field) if index == 0 => continue,
            Some(construct) => {
                let role = construct.info().role(index as usize);
                read = !role.is_some_and(Role::is_written);
            }
            None => {}
        }
        break;
    }
    decided(read, "it is read here", "it is assigned here")
}
