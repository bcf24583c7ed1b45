//! What a host of a CUDA device does → Rust: waiting, copying, and functions that launch kernels.

use super::expression::vector_name;
use super::printer::{Access, Printer};
use crate::emit::cuda::is_static;
use crate::emit::plan::{Kernel, Plan, Var, uses_device, vector_types};
use crate::emit::text::{Lines, comment, rust_string};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Columns that chains of calls keep within, as rustfmt has it.
const CHAIN: usize = 60;

impl Printer<'_> {
    /// Prints a wait for the device, if there is one.
    pub(super) fn synchronize(&mut self) {
        if self.cuda && uses_device(self.plan) {
            self.lines.line("device.synchronize();");
        }
    }

    /// Prints a copy of an array to or from the device.
    pub(super) fn copy_by_cuda(&mut self, var: Var, to_device: bool) {
        let (device, name) = (self.device_name(var), self.name(var));
        if self.access(var) != Access::Shared {
            let method = match to_device {
                true => "copy_from",
                false => "copy_to",
            };
            self.lines.line(format!("{device}.{method}({name});"));
            return;
        }
        // Other threads reach the array, so it is copied cell by cell.
        self.lines.open("{");
        let mutable = match to_device {
            true => "",
            false => "mut ",
        };
        self.lines.line(format!(
            "let {mutable}copy: Vec<_> = {name}.iter().map(|cell| cell.get()).collect();"
        ));
        if to_device {
            self.lines.line(format!("{device}.copy_from(&copy);"));
        } else {
            self.lines.line(format!("{device}.copy_to(&mut copy);"));
            self.lines.line(format!(
                "{name}.iter().zip(copy).for_each(|(to, from)| to.set(from));"
            ));
        }
        self.lines.close("}");
    }

    /// Prints the function that launches a kernel.
    fn launcher(&mut self, kernel: &Kernel) {
        let origin = self.lines.set_origin(Some(kernel.origin));
        if let Some(phrase) = &kernel.phrase {
            self.lines.line(format!("/// {}", comment(phrase)));
        }
        let mut parameters = vec!["&self".to_owned(), "grid: Grid".to_owned()];
        let mut arguments: Vec<String> = Vec::new();
        for &var in &kernel.scalars {
            let (name, ty) = (self.name(var), self.type_name(self.ty(var)));
            parameters.push(format!("{name}: {ty}"));
            arguments.push(format!("&{name}"));
        }
        for array in &kernel.arrays {
            let (name, ty) = (self.name(array.var), self.type_name(self.ty(array.var)));
            parameters.push(format!("{name}: &DeviceArray<{ty}>"));
            arguments.push(format!("&*{name}"));
        }
        let head = format!("pub fn {}(", kernel.name);
        let one = format!("    {head}{}) {{", parameters.join(", "));
        if one.chars().count() <= 100 {
            self.lines.open(one.trim_start());
        } else {
            self.lines.open(head);
            for parameter in &parameters {
                self.lines.line(format!("{parameter},"));
            }
            self.lines.turn(") {");
        }
        self.lines.open("if grid.blocks == 0 {");
        self.lines.line("return;");
        self.lines.close("}");
        for array in &kernel.arrays {
            let name = self.name(array.var);
            self.lines.line(format!("let {name} = {name}.cells();"));
        }
        let shared = self.shared_bytes(kernel);
        self.lines.line(format!(
            "let mut launch = self.device.launch(&self.{});",
            kernel.name
        ));
        let calls: Vec<String> = arguments.iter().map(|a| format!(".arg({a})")).collect();
        let chain = format!("launch{};", calls.concat());
        match calls.len() {
            0 => {}
            _ if chain.len() <= CHAIN => self.lines.line(chain),
            _ => {
                self.lines.open("launch");
                for (k, call) in calls.iter().enumerate() {
                    let end = match k + 1 == calls.len() {
                        true => ";",
                        false => "",
                    };
                    self.lines.line(format!("{call}{end}"));
                }
                self.lines.close_silently();
            }
        }
        self.lines
            .line("// SAFETY: these are the kernel's parameters, in its order and of its types.");
        self.lines.line(format!(
            "unsafe {{ self.{}.start(&mut launch, grid, {shared}) }};",
            kernel.name
        ));
        self.lines.close("}");
        self.lines.set_origin(origin);
    }

    /// Prints the bytes of a kernel's shared arrays where they are known at the launch only; gives
    /// their name, or 0.
    fn shared_bytes(&mut self, kernel: &Kernel) -> &'static str {
        if is_static(self.plan, kernel) {
            return "0";
        }
        let names = self.names;
        (self.names.blocks, self.names.threads) = ("grid.blocks", "grid.threads");
        let mut bytes: Vec<String> = Vec::new();
        for shared in &kernel.shared {
            self.uses.insert("bytes_of");
            let key = rust_string(&self.plan.var(shared.var).key);
            let (ty, dims) = (self.type_name(self.ty(shared.var)), self.dims(shared.var));
            bytes.push(format!("bytes_of::<{ty}>({key}, [{dims}])"));
        }
        self.names = names;
        let line = format!("let bytes = {};", bytes.join(" + "));
        // Eight columns are before it.
        match line.chars().count() + 8 <= 100 {
            true => self.lines.line(line),
            false => {
                self.lines.open("let bytes =");
                self.lines.line(format!("{};", bytes.join(" + ")));
                self.lines.close_silently();
            }
        }
        "bytes"
    }
}

/// The values of the template of `kernels.rs`.
pub(super) fn launchers(printer: &mut Printer) -> Value {
    let plan = printer.plan;
    let used = std::mem::take(&mut printer.uses);
    let outer = std::mem::replace(&mut printer.lines, Lines::new(1));
    for kernel in &plan.kernels {
        printer.lines.line("");
        printer.launcher(kernel);
    }
    let text = std::mem::replace(&mut printer.lines, outer).finish();
    let own = std::mem::replace(&mut printer.uses, used);
    printer.uses.extend(own.iter().copied());
    json!({
        "names": plan.kernels.iter().map(|k| k.name.as_str()).collect::<Vec<_>>(),
        "launchers": text,
        "imports": imports(plan, &text, &own),
        "shared": own.contains("bytes_of"),
    })
}

/// The `use` lines of `kernels.rs` besides those that it always has.
fn imports(plan: &Plan, text: &str, used: &BTreeSet<&'static str>) -> String {
    let mut lines = Lines::default();
    let mut device = vec!["Device"];
    device.extend(text.contains("DeviceArray<").then_some("DeviceArray"));
    device.push("Kernel");
    device.extend(used.contains("bytes_of").then_some("bytes_of"));
    // As rustfmt sorts them.
    device.sort_by_key(|name| !name.starts_with(char::is_lowercase));
    lines.line(format!("use crate::device::{{{}}};", device.join(", ")));
    lines.line("use crate::grid::Grid;");
    let math: Vec<&str> = super::imports::MATH
        .iter()
        .copied()
        .filter(|piece| used.contains(piece))
        .collect();
    match math.as_slice() {
        [] => {}
        [one] => lines.line(format!("use crate::math::{one};")),
        all => lines.line(format!("use crate::math::{{{}}};", all.join(", "))),
    }
    let vectors: Vec<&str> = vector_types(plan)
        .into_iter()
        .map(|(n, precision)| vector_name(n, precision, plan.precision))
        .filter(|name| super::imports::has_word(text, name))
        .collect();
    match vectors.as_slice() {
        [] => {}
        [one] => lines.line(format!("use crate::vector::{one};")),
        all => lines.line(format!("use crate::vector::{{{}}};", all.join(", "))),
    }
    if text.contains("Real") {
        lines.line("use crate::Real;");
    }
    lines.line("use cudarc::driver::PushKernelArg;");
    lines.finish()
}
