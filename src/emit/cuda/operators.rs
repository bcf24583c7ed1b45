//! The code of basic operators and predicates → functions of C++, and their calls.

use super::expression::level;
use super::printer::Printer;
use crate::emit::plan::{Argument, CodeFunction, Passing, Runs};
use crate::emit::text::comment;

/// Lines of code that belong to the head of a file.
const OF_FILES: [&str; 2] = ["#include", "#link"];

impl Printer<'_> {
    /// Prints the function that holds a code.
    pub(super) fn function(&mut self, function: &CodeFunction) {
        if self.alone && function.runs != Runs::Thread {
            return;
        }
        let mut parameters: Vec<String> = Vec::new();
        for parameter in &function.parameters {
            let (name, ty) = (&parameter.name, self.type_name(parameter.ty));
            parameters.push(match parameter.passing {
                Passing::Value => format!("{ty} {name}"),
                Passing::Place => format!("{ty} &{name}"),
                Passing::Cells => format!("const {ty} *{name}"),
                Passing::WrittenCells => format!("{ty} *{name}"),
            });
        }
        let stream = self.stream_name();
        if function.runs == Runs::Launch {
            parameters.push(format!("cudaStream_t {stream}"));
        }
        let space = match function.runs {
            Runs::Thread => "__device__ ",
            Runs::Host | Runs::Launch => "",
        };
        let result = match function.is_test {
            true => "bool",
            false => "void",
        };
        let outer = self.lines.set_origin(Some(function.origin));
        self.lines.line(format!("// {}", comment(&function.phrase)));
        let head = format!("{space}inline {result} {}(", function.name);
        self.lines.filled_call(&head, &parameters, ") {");
        self.lines.open_silently();
        for unused in function.parameters.iter().filter(|p| !function.names(p)) {
            self.lines.line(format!("(void){};", unused.name));
        }
        for line in function.lines(&[("real", "real"), ("stream", &stream)]) {
            if !OF_FILES.iter().any(|word| line.starts_with(word)) {
                self.lines.line(line);
            }
        }
        self.lines.close("}");
        self.lines.set_origin(outer);
        self.lines.line("");
    }

    /// A call of such a function.
    pub(super) fn call_of(
        &mut self,
        function: usize,
        arguments: &[Argument],
        runs: Runs,
    ) -> String {
        let mut passed: Vec<String> = Vec::new();
        for argument in arguments {
            passed.push(match (argument.array(), argument.passing) {
                (Some(array), _) if runs == Runs::Launch => {
                    format!("{}.cells()", self.device_name(array))
                }
                (Some(array), _) => self.name(array),
                (None, Passing::Place) => self.place(&argument.value),
                (None, _) => self.expr(&argument.value, level::ANY),
            });
        }
        if runs == Runs::Launch {
            passed.push(self.stream_name());
        }
        let name = &self.plan.functions[function].name;
        format!("{name}({})", passed.join(", "))
    }
}
