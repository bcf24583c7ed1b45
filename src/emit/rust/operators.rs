//! The code of basic operators and predicates → functions of Rust, and their calls.

use super::printer::{Access, Printer};
use crate::emit::plan::{Argument, CodeFunction, Passing, Runs};
use crate::emit::text::comment;

impl Printer<'_> {
    /// Prints the functions that hold the code of a plan.
    pub(super) fn functions(&mut self) {
        let plan = self.plan;
        for function in &plan.functions {
            if !self.cuda || function.runs == Runs::Host {
                self.lines.line("");
                self.function(function);
            }
        }
    }

    fn function(&mut self, function: &CodeFunction) {
        let mut parameters: Vec<String> = Vec::new();
        for parameter in &function.parameters {
            let (name, ty) = (&parameter.name, self.type_name(parameter.ty));
            parameters.push(match parameter.passing {
                Passing::Value => format!("{name}: {ty}"),
                Passing::Place => format!("{name}: &mut {ty}"),
                Passing::Cells => {
                    self.uses.extend(["views", "view"]);
                    format!("{name}: View<{ty}>")
                }
                Passing::WrittenCells => {
                    self.uses.extend(["views", "view_mut"]);
                    format!("mut {name}: ViewMut<{ty}>")
                }
            });
        }
        let outer = self.lines.set_origin(Some(function.origin));
        self.lines
            .line(format!("/// {}", comment(&function.phrase)));
        self.lines.line("#[allow(unused_mut)]");
        let result = match function.is_test {
            true => " -> bool",
            false => "",
        };
        let head = format!("fn {}(", function.name);
        self.lines
            .filled_call(&head, &parameters, &format!("){result} {{"));
        self.lines.open_silently();
        for line in function.lines(&[("real", "Real")]) {
            self.lines.line(line);
        }
        self.lines.close("}");
        self.lines.set_origin(outer);
    }

    /// Prints the use of a basic operator.
    pub(super) fn perform(&mut self, function: usize, arguments: &[Argument]) {
        // A place that several threads reach is passed as a value that is put back.
        let shared: Vec<bool> = arguments
            .iter()
            .map(|a| a.passing == Passing::Place && self.target_is_shared(&a.value))
            .collect();
        if !shared.contains(&true) {
            let call = self.call_of(function, arguments);
            self.lines.line(format!("{call};"));
            return;
        }
        self.lines.open("{");
        let mut passed: Vec<String> = Vec::new();
        let mut back: Vec<String> = Vec::new();
        for (k, (argument, shared)) in arguments.iter().zip(shared).enumerate() {
            if !shared {
                passed.push(self.passed(argument));
                continue;
            }
            let place = self.place(&argument.value);
            let own = self.extra(&format!("place_{}", k + 1));
            self.lines.line(format!("let mut {own} = {place}.get();"));
            passed.push(format!("&mut {own}"));
            back.push(format!("{place}.set({own});"));
        }
        let name = &self.plan.functions[function].name;
        self.lines.line(format!("{name}({});", passed.join(", ")));
        back.into_iter().for_each(|line| self.lines.line(line));
        self.lines.close("}");
    }

    /// A call of such a function.
    pub(super) fn call_of(&mut self, function: usize, arguments: &[Argument]) -> String {
        let passed: Vec<String> = arguments.iter().map(|a| self.passed(a)).collect();
        let name = &self.plan.functions[function].name;
        format!("{name}({})", passed.join(", "))
    }

    fn passed(&mut self, argument: &Argument) -> String {
        let Some(array) = argument.array() else {
            return match argument.passing {
                Passing::Place => format!("&mut {}", self.place(&argument.value)),
                _ => self.typed(&argument.value),
            };
        };
        let (name, shared) = (self.name(array), self.access(array) == Access::Shared);
        match (argument.passing, shared) {
            (Passing::WrittenCells, true) => {
                self.uses.extend(["views", "view_mut"]);
                format!("ViewMut::shared({name})")
            }
            (Passing::WrittenCells, false) => {
                self.uses.extend(["views", "view_mut"]);
                format!("ViewMut::of(&mut {name}[..])")
            }
            (_, true) => {
                self.uses.extend(["views", "view"]);
                format!("View::shared({name})")
            }
            (_, false) => {
                self.uses.extend(["views", "view"]);
                format!("View::of(&{name}[..])")
            }
        }
    }
}
