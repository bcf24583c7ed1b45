//! `Plan` → the interface of C that programs of all targets have: its header and its description.
//!
//! A header says the same whatever the target, so that a program in C is compiled once for all of
//! them. Each target prints the functions themselves.

mod description;

pub(super) use description::description;

use super::map::Files;
use super::plan::{self, Data, Plan, Var, arrays};
use super::template::fill;
use super::text::comment;
use crate::algebra::Type;
use crate::term::visible_line;
use serde_json::{Value, json};

/// The template of the header, and its text.
const HEADER: (&str, &str) = (
    "c/program.h.tera",
    include_str!("../../../templates/c/program.h.tera"),
);

/// The template of the page that a project has of itself.
const PAGE: &str = include_str!("../../../templates/c/README.md.tera");

/// The version of the interface: another one where a caller of an earlier one could not go on.
pub(super) const ABI: u32 = 1;

/// The type of a variable in C, or that of the components of a vector.
pub(super) fn type_name(ty: Type) -> &'static str {
    match ty.component() {
        Type::Bool => "bool",
        Type::I64 => "int64_t",
        Type::F32 => "float",
        Type::F64 => "double",
        _ => "int32_t",
    }
}

/// How an argument of the function in C is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Passed {
    /// By its value.
    Value,
    /// By the address of what is only read.
    Read,
    /// By the address of what is written, too.
    Written,
}

/// An argument of the function in C.
pub(super) struct Argument<'a> {
    /// The variable.
    pub var: Var,
    /// How it is passed.
    pub passed: Passed,
    /// The item of DATA; none for a parameter.
    pub data: Option<&'a Data>,
}

/// The arguments of the function in C, in order: parameters, then what DATA has of the outside.
pub(super) fn arguments(plan: &Plan) -> Vec<Argument<'_>> {
    let parameters = plan.parameters.iter().map(|p| Argument {
        var: p.var,
        passed: Passed::Value,
        data: None,
    });
    let outside = plan.data.iter().filter(|d| d.input || d.output);
    let data = outside.map(|item| {
        let variable = plan.var(item.var);
        let vector = matches!(variable.ty, Type::Vector(..));
        Argument {
            var: item.var,
            passed: match (item.output, vector || !variable.dims.is_empty()) {
                (true, _) => Passed::Written,
                (false, true) => Passed::Read,
                (false, false) => Passed::Value,
            },
            data: Some(item),
        }
    });
    parameters.chain(data).collect()
}

/// The values of the header's template. `device` says whether there is a clock of a device.
pub(super) fn header(plan: &Plan, device: bool) -> Value {
    let declared = arguments(plan).into_iter().map(|argument| {
        let (name, ty) = (
            plan.c_name(argument.var),
            type_name(plan.var(argument.var).ty),
        );
        match argument.passed {
            Passed::Value => format!("{ty} {name}"),
            Passed::Read => format!("const {ty} *{name}"),
            Passed::Written => format!("{ty} *{name}"),
        }
    });
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "abi": ABI,
        "name": plan.name,
        "guard": format!("{}_H", plan.name.to_uppercase()),
        "title": comment(&plan.title),
        "device": device,
        "series": !plan.series.is_empty(),
        "timed_words": match plan.timed { true => "the timed parts", false => "the algorithm" },
        "sizes": sizes(plan),
        "size_parameters": declarations(plan, &plan::size_variables(plan)),
        "defaults": defaults(plan),
        "own_values": own_values(plan),
        "arguments": declared.collect::<Vec<String>>(),
    })
}

/// Adds the header, and the page that says how a project of a target is built and called.
pub(super) fn add_to(files: &mut Files, plan: &Plan, target: &str, header: &Value) {
    let (template, text) = HEADER;
    let name = format!("{}.h", plan.name);
    files.filled(name, template, fill(template, text, header));
    let first = arguments(plan).first().map(|a| plan.var(a.var).key.clone());
    let page = json!({
        "version": header["version"],
        "name": plan.name,
        "title": visible_line(&plan.title.replace('\n', " ")),
        "target": target,
        "first": first.unwrap_or_default(),
    });
    let template = "c/README.md.tera";
    files.filled("README.md", template, fill(template, PAGE, &page));
}

/// Parameters as they are declared before another one.
fn declarations(plan: &Plan, vars: &[Var]) -> String {
    let declared = vars
        .iter()
        .map(|&v| format!("{} {}, ", type_name(plan.var(v).ty), plan.c_name(v)));
    declared.collect()
}

fn sizes(plan: &Plan) -> Vec<Value> {
    let sizes = arrays(plan).map(|item| {
        let rank = plan.var(item.var).dims.len();
        json!({"name": plan.c_name(item.var), "rank": rank})
    });
    sizes.collect()
}

/// The functions of defaults that depend on other parameters.
fn defaults(plan: &Plan) -> Vec<Value> {
    let computed = plan.parameters.iter().filter(|p| !p.default.is_literal());
    let functions = computed.map(|p| {
        let variable = plan.var(p.var);
        json!({
            "name": plan.c_name(p.var),
            "key": comment(&variable.key),
            "parameters": declarations(plan, &plan::default_variables(&p.default)),
            "ty": type_name(variable.ty),
            "to": extra(plan, "value"),
        })
    });
    functions.collect()
}

/// The functions of values that inputs have where nothing else gives them.
fn own_values(plan: &Plan) -> Vec<Value> {
    let inputs = plan.data.iter().filter(|d| d.has_own_values());
    let functions = inputs.map(|item| {
        let variable = plan.var(item.var);
        let to = match variable.ty {
            Type::Vector(..) => extra(plan, "to"),
            _ => plan.c_name(item.var).to_owned(),
        };
        json!({
            "name": plan.c_name(item.var),
            "key": comment(&variable.key),
            "parameters": declarations(plan, &plan::value_variables(plan, item)),
            "ty": type_name(variable.ty),
            "to": to,
        })
    });
    functions.collect()
}

/// A name that no parameter and nothing of DATA has.
fn extra(plan: &Plan, name: &str) -> String {
    let mut name = name.to_owned();
    while plan.c_names.contains(&name) {
        name.push('_');
    }
    name
}

/// Adds the entries of a map to another one.
pub(super) fn merge(into: &mut Value, from: Value) {
    if let (Value::Object(into), Value::Object(from)) = (into, from) {
        into.extend(from);
    }
}
