//! What the library's function does before and after `run`, and which `run` it calls.

use super::printer::Printer;
use super::program::{is_size, needs_count};
use crate::algebra::Type;
use crate::emit::c;
use crate::emit::plan::{self, Data, Plan, Var};
use crate::emit::text::{Lines, c_string};
use crate::emit::variants::{Branch, Program};
use std::collections::BTreeSet;

/// The body of the library's function. There is one printer for each plan.
pub(in crate::emit) fn entry(program: &Program, printers: &mut [Printer]) -> String {
    let mut lines = Lines::new(2);
    let first = program.first();
    let used: Vec<BTreeSet<Var>> = program.plans.iter().map(plan::used_by_body).collect();
    let by_any = |var: Var| used.iter().any(|u| u.contains(&var));
    lines.line("timed_seconds() = 0.0;");
    lines.line("copied() = Copied();");
    let device = printers.iter().any(|p| p.uses_device());
    if device {
        lines.line("device_seconds() = 0.0;");
        lines.line("const Given given = take_given();");
        lines.line("Work work(given.stream);");
        if printers[0].profile {
            lines.line("Profile::now().begin();");
        }
    }
    let decides = program.picks.as_ref().map(|p| p.var);
    let parameters = first.parameters.iter().map(|p| p.var);
    let mut ignored: Vec<String> = parameters
        .filter(|&var| !by_any(var) && !is_size(first, var) && decides != Some(var))
        .map(|var| first.var(var).name.clone())
        .collect();
    for item in &first.data {
        let outside = item.input || item.output;
        if !first.var(item.var).dims.is_empty() {
            let (dims, key) = (printers[0].dims(item.var), &first.var(item.var).key);
            let count = match outside {
                true => format!(
                    "count_of({}, {{{dims}}}, {});",
                    c_string(key),
                    first.var(item.var).name
                ),
                false => format!("count_of({}, {{{dims}}});", c_string(key)),
            };
            let plans = program.plans.iter().zip(&used);
            let mut counts = plans.filter(|(_, used)| used.contains(&item.var));
            lines.line(
                match counts.any(|(plan, _)| device && outside || counts_cells(plan, item)) {
                    true => format!(
                        "const size_t {} = {count}",
                        printers[0].count_name(item.var)
                    ),
                    false => format!("(void){count}"),
                },
            );
        }
        ignored.extend((outside && !by_any(item.var)).then(|| first.var(item.var).name.clone()));
    }
    for name in ignored {
        lines.line(format!("(void){name};"));
    }
    let save = match first.series.is_empty() {
        true => "",
        false => "save, ",
    };
    lines.line(format!("const Caller caller{{report, {save}user}};"));
    let Some(picks) = &program.picks else {
        call(program, 0, device, &mut printers[0], &used[0], &mut lines);
        return lines.finish();
    };
    for line in picks.from() {
        lines.line(format!("// {line}"));
    }
    let name = &first.var(picks.var).name;
    for (k, branch) in picks.branches().into_iter().enumerate() {
        let variant = match branch {
            Branch::UpTo(to, variant) if k == 0 => {
                lines.open(format!("if ({name} <= {to}) {{"));
                variant
            }
            Branch::UpTo(to, variant) => {
                lines.turn(format!("}} else if ({name} <= {to}) {{"));
                variant
            }
            // One variant for all values needs no question.
            Branch::Otherwise(variant) if k == 0 => {
                lines.line(format!("(void){name};"));
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
            device,
            &mut printers[variant],
            &used[variant],
            &mut lines,
        );
    }
    lines.close("}");
    lines.finish()
}

/// Whether the number of an array's elements is needed for the call of a plan that uses it.
fn counts_cells(plan: &Plan, item: &Data) -> bool {
    let outside = item.input || item.output;
    !outside || is_copied(plan, item) || needs_count(plan, item.var)
}

/// Whether an INPUT array is changed: the caller's stays as it is.
fn is_copied(plan: &Plan, item: &Data) -> bool {
    item.input && !item.output && plan.var(item.var).assigned
}

/// Calls the `run` of a variant, with the working arrays that it needs. `device` says whether some variant
/// uses the device: the caller may have arrays there for any.
fn call(
    program: &Program,
    variant: usize,
    device: bool,
    printer: &mut Printer,
    used: &BTreeSet<Var>,
    lines: &mut Lines,
) {
    let plan = &program.plans[variant];
    let mut passed: Vec<String> = plan
        .parameters
        .iter()
        .filter(|p| used.contains(&p.var) || is_size(plan, p.var))
        .map(|p| plan.var(p.var).name.clone())
        .collect();
    for item in plan.data.iter().filter(|d| used.contains(&d.var)) {
        let variable = plan.var(item.var);
        let name = variable.name.clone();
        let outside = item.input || item.output;
        let array = !variable.dims.is_empty();
        let (count, ty) = (printer.count_name(item.var), printer.type_name(variable.ty));
        let on_device = plan.on_device.contains(&item.var);
        if array && needs_count(plan, item.var) {
            passed.push(count.clone());
        }
        if array && outside && device {
            let lent = lent(plan, printer, item, lines);
            passed.extend(lent);
        } else if array && !outside && on_device && !plan::places::on_host(plan).contains(&item.var)
        {
            passed.push("nullptr".into());
        } else if array && (!outside || is_copied(plan, item)) {
            let storage = printer.extra(&format!("{name}_storage"));
            lines.line(format!(
                "const std::unique_ptr<{ty}[]> {storage} = make_array<{ty}>({count});"
            ));
            if outside {
                lines.line(format!(
                    "for (size_t i = 0; i < {count}; ++i) {storage}[i] = reinterpret_cast<const {ty} *>({name})[i];"
                ));
            }
            passed.push(format!("{storage}.get()"));
        } else if outside {
            passed.push(match variable.ty {
                Type::Vector(..) if item.output => format!("reinterpret_cast<{ty} *>({name})"),
                Type::Vector(..) if array => format!("reinterpret_cast<const {ty} *>({name})"),
                Type::Vector(..) => format!("*reinterpret_cast<const {ty} *>({name})"),
                _ => name,
            });
        }
    }
    passed.push("caller".into());
    let given = plan.data.iter().filter(|d| d.input || d.output);
    let given = given.filter(|d| device && used.contains(&d.var) && printer.is_array(d.var));
    let given: Vec<String> = given
        .map(|d| format!("{}.given()", printer.device_name(d.var)))
        .collect();
    if given.len() > 1 {
        lines.filled_call("expect_apart({", &given, "});");
    }
    let of = program.name(variant).map(|name| format!("{name}::"));
    let of = of.unwrap_or_default();
    let asking = plan.asking.iter().map(|asking| &asking.kernel);
    let names = plan.kernels.iter().chain(asking).map(|k| &k.name);
    let together = printer.together.iter();
    let names = names.chain(together.map(|&number| &plan.asking[number].rounds));
    let kernels: Vec<String> = names.map(|name| format!("{of}{name}")).collect();
    if !kernels.is_empty() {
        lines.filled_call("static const bool loaded = load_kernels(", &kernels, ");");
        lines.line("(void)loaded;");
    }
    if !plan.timed {
        lines.line("const Timer timer;");
    }
    let head = format!("{of}run(");
    lines.filled_call(&head, &passed, ");");
    if device {
        let outputs = plan
            .data
            .iter()
            .filter(|d| d.output && used.contains(&d.var));
        for item in outputs.filter(|d| printer.is_array(d.var)) {
            let device = printer.device_name(item.var);
            lines.line(format!("{device}.settle();"));
        }
        lines.line("synchronize();");
    }
}

/// Takes an array of the caller's, wherever it is; gives what `run` is called with.
fn lent(plan: &Plan, printer: &Printer, item: &Data, lines: &mut Lines) -> Vec<String> {
    let variable = plan.var(item.var);
    let (name, ty) = (&variable.name, printer.type_name(variable.ty));
    let (count, device) = (printer.count_name(item.var), printer.device_name(item.var));
    let on_device = plan.on_device.contains(&item.var);
    let uses = [
        (
            !on_device || plan::places::on_host(plan).contains(&item.var),
            "ON_HOST",
        ),
        (
            !on_device || plan::places::written(plan).contains(&item.var),
            "CHANGED",
        ),
        (is_copied(plan, item), "PRIVATE"),
        (item.input, "INPUT"),
        (item.output, "OUTPUT"),
    ];
    let uses: Vec<&str> = uses.iter().filter(|u| u.0).map(|u| u.1).collect();
    let number = c::arguments(plan).iter().position(|a| a.var == item.var);
    let here = printer.extra(&format!("{name}_here"));
    lines.line(format!(
        "DeviceArray<{ty}> {device}({});",
        c_string(&variable.key)
    ));
    lines.line(format!(
        "{ty} *const {here} = {device}.lend({name}, {count}, given.on_device({}), {});",
        number.unwrap_or_default(),
        uses.join(" | ")
    ));
    if on_device {
        return vec![here, device];
    }
    // Only the host uses it.
    lines.line(match item.output {
        true => format!("{device}.written_by_host();"),
        false => format!("{device}.read_by_host();"),
    });
    vec![here]
}
