//! What `state.cpp` holds besides what its template says: the arguments that a state keeps.

use super::printer::Printer;
use crate::emit::c;
use crate::emit::plan::{self, Data, Plan, Var};
use crate::emit::text::c_string;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The values of `state.cpp`'s template beside those of the header.
/// `on_device` are the arrays that live on the device between runs.
pub(in crate::emit) fn state(
    plan: &Plan,
    on_device: &BTreeSet<Var>,
    printer: &mut Printer,
) -> Value {
    let names = |vars: &[Var]| {
        vars.iter()
            .map(|&v| json!(plan.c_name(v)))
            .collect::<Value>()
    };
    let parameters = plan.parameters.iter().map(|p| {
        let variable = plan.var(p.var);
        let literal = p.default.is_literal().then(|| printer.any(&p.default));
        json!({
            "name": plan.c_name(p.var),
            "key": c_string(&variable.key),
            "ty": c::type_name(variable.ty),
            "literal": literal,
            "of": names(&plan::default_variables(&p.default)),
        })
    });
    let parameters: Value = parameters.collect();
    let outside = plan.data.iter().filter(|d| d.input || d.output);
    let own = plan.data.iter().filter(|d| d.has_own_values());
    let own = own.map(|item| {
        let mut said = kept(plan, on_device, item);
        said["of"] = names(&plan::value_variables(plan, item));
        said
    });
    json!({
        "parameters": parameters,
        "data": outside.map(|item| kept(plan, on_device, item)).collect::<Value>(),
        "own_values": own.collect::<Value>(),
        "size_of": names(&plan::size_variables(plan)),
    })
}

/// An item of DATA that a state keeps.
fn kept(plan: &Plan, on_device: &BTreeSet<Var>, item: &Data) -> Value {
    let variable = plan.var(item.var);
    let (name, rank) = (plan.c_name(item.var), variable.dims.len());
    json!({
        "name": name,
        "key": c_string(&variable.key),
        "ty": c::type_name(variable.ty),
        "components": variable.ty.components(),
        "rank": rank,
        "on_device": on_device.contains(&item.var),
        "place": u8::from(on_device.contains(&item.var)),
        "sizes": match rank {
            0 => "Sizes()".to_owned(),
            rank => format!("Sizes(sizes.{name}, sizes.{name} + {rank})"),
        },
        "input": item.input,
        "changes": item.output,
    })
}
