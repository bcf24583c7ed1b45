//! What a program's functions take, as a text of JSON: for callers that learn it when they run.

use super::{ABI, Argument, arguments, merge};
use crate::algebra::Type;
use crate::emit::plan::{self, Expr, Node, Plan, Var, arrays, size_variables};
use serde_json::{Value, json};

/// The description of a program of a target, by lines.
pub(in crate::emit) fn description(plan: &Plan, target: &str) -> Vec<String> {
    let names = |vars: &[Var]| vars.iter().map(|&v| plan.c_name(v)).collect::<Vec<_>>();
    let arguments: Vec<Value> = arguments(plan).iter().map(|a| argument(plan, a)).collect();
    let sizes = arrays(plan)
        .map(|item| json!({"name": plan.c_name(item.var), "rank": plan.var(item.var).dims.len()}));
    let sizes: Vec<Value> = sizes.collect();
    let series = plan.series.iter().map(|s| {
        let mut series = cells(plan, s.var);
        series["label"] = json!(s.label);
        series["array"] = json!(plan.var(s.var).key);
        series
    });
    let series: Vec<Value> = series.collect();
    let head = json!({
        "abi": ABI,
        "name": plan.name,
        "title": plan.title,
        "target": target,
        "sizes_of": names(&size_variables(plan)),
    });
    let head = head.to_string();
    let mut lines = vec![format!("{},", head.trim_end_matches('}'))];
    list(&mut lines, "arguments", &arguments, ",");
    list(&mut lines, "sizes", &sizes, ",");
    list(&mut lines, "series", &series, "}");
    lines
}

/// A list of JSON, one element a line.
fn list(lines: &mut Vec<String>, key: &str, elements: &[Value], after: &str) {
    let key = format!("\"{key}\":[");
    if elements.is_empty() {
        return lines.push(format!("{key}]{after}"));
    }
    lines.push(key);
    for (k, element) in elements.iter().enumerate() {
        let end = match k + 1 == elements.len() {
            true => format!("]{after}"),
            false => ",".into(),
        };
        lines.push(format!("{element}{end}"));
    }
}

fn argument(plan: &Plan, argument: &Argument<'_>) -> Value {
    let variable = plan.var(argument.var);
    let mut said = json!({"key": variable.key, "name": plan.c_name(argument.var)});
    let Some(item) = argument.data else {
        said["kind"] = json!("parameter");
        merge(&mut said, cells(plan, argument.var));
        said["role"] = json!("input");
        let parameter = plan.parameters.iter().find(|p| p.var == argument.var);
        if let Some(parameter) = parameter {
            match literal(&parameter.default) {
                Some(value) => said["default"] = value,
                None => {
                    let of = plan::default_variables(&parameter.default);
                    said["default_of"] = of.iter().map(|&v| json!(plan.c_name(v))).collect();
                }
            }
        }
        return said;
    };
    said["kind"] = json!("array");
    merge(&mut said, cells(plan, argument.var));
    said["axes"] = variable.dims.iter().map(|dim| axis(plan, dim)).collect();
    said["role"] = json!(match (item.input, item.output) {
        (true, true) => "both",
        (true, false) => "input",
        (false, _) => "output",
    });
    if item.has_own_values() {
        let of = plan::value_variables(plan, item);
        said["values_of"] = of.iter().map(|&v| json!(plan.c_name(v))).collect();
    }
    said
}

/// The type of a variable's cells, the components of each, and the array's dimensions.
fn cells(plan: &Plan, var: Var) -> Value {
    let variable = plan.var(var);
    json!({
        "type": match variable.ty.component() {
            Type::Bool => "bool",
            Type::I64 => "int64",
            Type::F32 => "float32",
            Type::F64 => "float64",
            _ => "int32",
        },
        "components": variable.ty.components(),
        "rank": variable.dims.len(),
    })
}

/// A size of an array: the name of a parameter, a number, or null where it is computed.
fn axis(plan: &Plan, dim: &Expr) -> Value {
    match dim.node {
        Node::Var(var) => json!(plan.c_name(var)),
        Node::Int(size) => json!(size),
        _ => Value::Null,
    }
}

/// The value of a literal; an infinite one, which JSON lacks, as a text.
fn literal(e: &Expr) -> Option<Value> {
    match &e.node {
        Node::Int(i) => Some(json!(i)),
        Node::Bool(b) => Some(json!(b)),
        Node::Real(x) if x.is_finite() => Some(json!(x)),
        Node::Real(x) => Some(json!(x.to_string())),
        Node::Negate(a) => match literal(a)? {
            Value::Number(n) => match n.as_i64() {
                Some(i) => Some(json!(i.checked_neg()?)),
                None => Some(json!(-n.as_f64()?)),
            },
            _ => None,
        },
        _ => None,
    }
}
