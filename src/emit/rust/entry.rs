//! What the library's function does before and after `run`, and which `run` it calls.

use super::library::{needs_dims, run_needs_device, scalar_argument, sizes_call};
use super::printer::Printer;
use crate::algebra::Type;
use crate::emit::plan::{Plan, Var, arrays, size_variables, tells, used_by_body, uses_device};
use crate::emit::text::{Lines, rust_string};
use crate::emit::variants::{Branch, Program};
use std::collections::BTreeSet;

/// What the library's function does: checks lengths, makes working arrays, calls `run`. There is
/// one printer for each plan.
pub(super) fn entry(program: &Program, printers: &mut [Printer]) -> String {
    let mut lines = Lines::new(2);
    let first = program.first();
    let used: Vec<BTreeSet<Var>> = program.plans.iter().map(used_by_body).collect();
    let by_any = |var: Var| used.iter().any(|u| u.contains(&var));
    if arrays(first).next().is_some() {
        let call = sizes_call(first);
        lines.line(format!(
            "let sizes = {call}.unwrap_or_else(|e| error::fail(e));"
        ));
    }
    let sized = size_variables(first);
    let decides = program.picks.as_ref().map(|p| p.var);
    let needed = |var: Var| by_any(var) || sized.contains(&var) || decides == Some(var);
    let parameters = first.parameters.iter().map(|p| p.var);
    let mut unused: Vec<&str> = parameters
        .filter(|&var| !needed(var))
        .map(|var| first.var(var).name.as_str())
        .collect();
    for item in first.data.iter().filter(|d| d.input || d.output) {
        let variable = first.var(item.var);
        let (name, key) = (variable.name.as_str(), rust_string(&variable.key));
        match variable.dims.is_empty() {
            false => lines.line(format!(
                "array::expect_length({key}, {name}.len(), &sizes.{name});"
            )),
            true => unused.extend((!by_any(item.var)).then_some(name)),
        }
    }
    if !unused.is_empty() {
        let all = match unused.as_slice() {
            [one] => (*one).to_owned(),
            all => format!("({})", all.join(", ")),
        };
        lines.line(format!("let _ = {all};"));
    }
    match &program.picks {
        None => call(program, 0, &mut printers[0], &used[0], &mut lines),
        Some(picks) => {
            for line in picks.from() {
                lines.line(format!("// {line}"));
            }
            let name = &first.var(picks.var).name;
            for (k, branch) in picks.branches().into_iter().enumerate() {
                let variant = match branch {
                    Branch::UpTo(to, variant) if k == 0 => {
                        lines.open(format!("if {name} <= {to} {{"));
                        variant
                    }
                    Branch::UpTo(to, variant) => {
                        lines.turn(format!("}} else if {name} <= {to} {{"));
                        variant
                    }
                    // One variant for all values needs no question.
                    Branch::Otherwise(variant) if k == 0 => {
                        lines.open("{");
                        variant
                    }
                    Branch::Otherwise(variant) => {
                        lines.turn("} else {");
                        variant
                    }
                };
                call(
                    program,
                    variant,
                    &mut printers[variant],
                    &used[variant],
                    &mut lines,
                );
            }
            lines.close("}");
        }
    }
    let text = lines.finish();
    match text.matches("sizes").count() {
        1 => text.replace("let sizes =", "let _ ="),
        _ => text,
    }
}

/// Calls the `run` of a variant, with the working arrays that it needs.
fn call(
    program: &Program,
    variant: usize,
    printer: &mut Printer,
    used: &BTreeSet<Var>,
    lines: &mut Lines,
) {
    let plan = &program.plans[variant];
    let parameters = plan.parameters.iter().filter(|p| used.contains(&p.var));
    let mut passed: Vec<String> = parameters.map(|p| plan.var(p.var).name.clone()).collect();
    if arrays(plan).any(|item| used.contains(&item.var) && needs_dims(printer, item.var)) {
        passed.push("&sizes".into());
    }
    for item in plan.data.iter().filter(|d| used.contains(&d.var)) {
        let variable = plan.var(item.var);
        let name = &variable.name;
        let of = match (variable.ty, item.output) {
            (ty @ Type::Vector(..), true) => format!("{}::of_mut({name})", printer.type_name(ty)),
            (ty @ Type::Vector(..), false) => format!("{}::of({name})", printer.type_name(ty)),
            _ => name.clone(),
        };
        if variable.dims.is_empty() {
            passed.extend((item.input || item.output).then(|| scalar_argument(printer, item)));
        } else if item.output {
            passed.push(of);
        } else if item.input && variable.assigned {
            // The caller's array stays as it is.
            let key = rust_string(&variable.key);
            lines.line(format!("let mut {name} = array::copied({key}, {of});"));
            passed.push(format!("&mut {name}"));
        } else if item.input {
            passed.push(of);
        } else {
            let ty = printer.type_name(variable.ty);
            let key = rust_string(&variable.key);
            lines.line(format!(
                "let mut {name} = array::array::<{ty}>({key}, &sizes.{name});"
            ));
            passed.push(format!("&mut {name}"));
        }
    }
    device(plan, printer, &mut passed, lines);
    if printer.uses.contains("parallel_loop") {
        lines.line("parallel::start_threads();");
    }
    if tells(plan) {
        printer.uses.insert("told");
        lines.line("let mut reports = Reports::begin();");
    } else {
        lines.line("let mut reports = Reports::default();");
    }
    passed.push("&mut reports".into());
    if !plan.timed {
        lines.line("let timer = Instant::now();");
    }
    let of = program.name(variant).map(|name| format!("{name}::"));
    let head = format!("{}run(", of.unwrap_or_default());
    lines.call(&head, &passed, ");");
    if printer.cuda && uses_device(plan) {
        lines.line("device.synchronize();");
    }
    if !plan.timed {
        lines.line("reports.seconds = timer.elapsed().as_secs_f64();");
    }
    lines.line("reports");
}

/// Starts the device of CUDA where a plan uses it.
fn device(plan: &Plan, printer: &mut Printer, passed: &mut Vec<String>, lines: &mut Lines) {
    if !printer.cuda || !uses_device(plan) {
        return;
    }
    lines.line("let device = &Device::start();");
    printer.uses.insert("device_type");
    if run_needs_device(plan) {
        passed.push("device".into());
    }
    if !plan.kernels.is_empty() {
        lines.line("let kernels = &Kernels::on(device);");
        passed.push("kernels".into());
    }
}
