//! The module of Fortran that declares a program's functions.

use super::{Argument, Passed, arguments};
use crate::algebra::Type;
use crate::emit::plan::Plan;
use serde_json::{Value, json};

/// A standard compiler of Fortran takes names of so many letters.
const LONGEST: usize = 63;
/// What the module adds to the name of a program, at most: `NAME_state_error`, `NAME_interface`.
const ADDED: usize = "_device_seconds".len();

/// The values of the module's template beside those of the header; none where Fortran cannot have the
/// program's name.
pub(super) fn module(plan: &Plan) -> Option<Value> {
    let fits = plan.name.len() + ADDED <= LONGEST && is_name(&plan.name);
    fits.then(|| {
        let mut names: Vec<String> = Vec::new();
        let arguments = arguments(plan);
        let declared = arguments.iter().enumerate().map(|(k, argument)| {
            let name = own_name(plan.c_name(argument.var), k, &names);
            let declaration = declaration(plan, argument, &name);
            names.push(name.clone());
            json!({"name": name, "declaration": declaration})
        });
        let declared: Vec<Value> = declared.collect();
        json!({"fortran_arguments": declared})
    })
}

/// Names begin with a letter, and capitals are no other letters than small ones.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn own_name(name: &str, k: usize, taken: &[String]) -> String {
    // What every function of the module has beside.
    const OURS: [&str; 4] = ["report", "save", "user", "code"];
    let lower = name.to_ascii_lowercase();
    let free = |name: &str| !taken.iter().any(|t| t.eq_ignore_ascii_case(name));
    let fits = is_name(&lower) && lower.len() <= LONGEST && !OURS.contains(&lower.as_str());
    match fits && free(&lower) {
        true => lower,
        false => format!("argument_{}", k + 1),
    }
}

fn declaration(plan: &Plan, argument: &Argument<'_>, name: &str) -> String {
    let kind = match plan.var(argument.var).ty.component() {
        Type::Bool => "logical(c_bool)",
        Type::I64 => "integer(c_int64_t)",
        Type::F32 => "real(c_float)",
        Type::F64 => "real(c_double)",
        _ => "integer(c_int32_t)",
    };
    let variable = plan.var(argument.var);
    let cells = match variable.dims.is_empty() && variable.ty.components() == 1 {
        true => "",
        false => "(*)",
    };
    let how = match argument.passed {
        Passed::Value => "value",
        Passed::Read => "intent(in)",
        Passed::Written => "intent(inout)",
    };
    format!("{kind}, {how} :: {name}{cells}")
}
