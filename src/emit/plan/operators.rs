//! Uses of basic operators and predicates → calls of functions that hold their code.

use super::lower::Lower;
use super::{Act, Expr, Node, Origin, Plan, Var};
use crate::algebra::{Operator, Part, Type, launched_operator, operator, parts};
use crate::check::{Basic, Code, Formal};
use crate::emit::names::Namer;
use crate::term::{Id, Symbol};
use serde::Serialize;

/// A function of the emitted program that holds the code of a basic operator or predicate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodeFunction {
    /// Its name.
    pub name: String,
    /// The phrase, as the author wrote it.
    pub phrase: String,
    /// The code, in which `$x` stands for what `x` is called.
    pub code: String,
    /// Where the code stands: its number in [`Plan::origins`].
    pub origin: u32,
    /// What it is passed.
    pub parameters: Vec<CodeParameter>,
    /// Who runs it.
    pub runs: Runs,
    /// Whether it says whether a predicate holds.
    pub is_test: bool,
}

/// Who runs a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Runs {
    /// The host.
    Host,
    /// A thread of a kernel.
    Thread,
    /// The host, which has the device work on arrays that it has there.
    Launch,
}

/// A parameter of such a function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodeParameter {
    /// Its name in the function.
    pub name: String,
    /// Its name in the declaration.
    pub key: String,
    /// Its type, or that of an array's elements.
    pub ty: Type,
    /// How it is passed.
    pub passing: Passing,
}

/// How something is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Passing {
    /// As a value.
    Value,
    /// As a place that is written.
    Place,
    /// As the cells of an array that are read.
    Cells,
    /// As the cells of an array that are written, and perhaps read.
    WrittenCells,
}

/// What is passed: a value, a place, or a variable that is an array.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Argument {
    /// The value, the place, or the array as a variable.
    pub value: Expr,
    /// How it is passed.
    pub passing: Passing,
}

impl Argument {
    /// The array that is passed.
    pub fn array(&self) -> Option<Var> {
        match (self.passing, &self.value.node) {
            (Passing::Cells | Passing::WrittenCells, Node::Var(var)) => Some(*var),
            _ => None,
        }
    }

    /// Whether it is written.
    pub fn is_written(&self) -> bool {
        matches!(self.passing, Passing::Place | Passing::WrittenCells)
    }
}

/// The targets whose code the parts of a program are made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Codes {
    /// What the host runs.
    pub host: &'static str,
    /// What kernels run.
    pub kernel: &'static str,
    /// What the host runs to have the device work on whole arrays, where the target has that.
    pub launch: Option<&'static str>,
}

impl Lower<'_> {
    /// The use of a basic operator.
    pub(super) fn perform(
        &mut self,
        phrase: Symbol,
        arguments: &[Id],
        writes: &[Id],
        runs: Runs,
    ) -> Option<Act> {
        let (function, arguments) = self.use_of(phrase, arguments, writes, runs)?;
        Some(Act::Perform {
            function,
            arguments,
            runs,
        })
    }

    /// The use of a basic predicate.
    pub(super) fn holds(&mut self, phrase: Symbol, arguments: &[Id]) -> Option<Node> {
        let runs = self.runs();
        let (function, arguments) = self.use_of(phrase, arguments, &[], runs)?;
        Some(Node::Holds {
            function,
            arguments,
        })
    }

    /// Who runs what stands here.
    pub(super) fn runs(&self) -> Runs {
        match self.in_kernel {
            true => Runs::Thread,
            false => Runs::Host,
        }
    }

    /// The operator that is all that a launch does, if the target has code with which the host has the device do it.
    pub(super) fn launched(&mut self, launch: Id) -> Option<Act> {
        let wanted = self.codes.launch?;
        let body = launched_operator(&self.scheme.terms, launch)?;
        let Some(Operator::Perform {
            phrase,
            arguments,
            writes,
            ..
        }) = operator(&self.scheme.terms, body)
        else {
            return None;
        };
        self.scheme.basics.get(&phrase)?.code(wanted)?;
        let act = self.perform(phrase, arguments, writes, Runs::Launch)?;
        if let Act::Perform { arguments, .. } = &act {
            for array in arguments.iter().filter_map(Argument::array) {
                self.lives_on_device(array);
            }
        }
        Some(act)
    }

    /// The function of a use, and what it is called with: the arguments, sizes that the declaration names, and what
    /// the operator names itself.
    fn use_of(
        &mut self,
        phrase: Symbol,
        arguments: &[Id],
        writes: &[Id],
        runs: Runs,
    ) -> Option<(usize, Vec<Argument>)> {
        let scheme = self.scheme;
        let basic: &Basic = scheme.basics.get(&phrase)?;
        let code = basic.code(match runs {
            Runs::Host => self.codes.host,
            Runs::Thread => self.codes.kernel,
            Runs::Launch => self.codes.launch?,
        })?;
        let mut passed: Vec<(String, Argument)> = Vec::new();
        let mut extents: Vec<(String, Argument)> = Vec::new();
        for (formal, &actual) in basic.formals.iter().zip(arguments) {
            let argument = self.argument(formal, actual);
            if let Some(array) = argument.array() {
                let dims = self.variables[array.0 as usize].dims.clone();
                for (name, dim) in formal.extents.iter().zip(dims) {
                    let Some(name) = name else { continue };
                    if extents.iter().all(|(known, _)| known != name.as_str()) {
                        let passing = Passing::Value;
                        extents.push((
                            name.as_str().to_owned(),
                            Argument {
                                value: dim,
                                passing,
                            },
                        ));
                    }
                }
            }
            passed.push((formal.name.as_str().to_owned(), argument));
        }
        passed.extend(extents);
        for &name in &basic.names {
            let is_written = writes
                .iter()
                .any(|&w| crate::algebra::root_name(&scheme.terms, w) == Some(name));
            let var = self.variable(name);
            let variable = &self.variables[var.0 as usize];
            let passing = match (variable.dims.is_empty(), is_written) {
                (true, false) => Passing::Value,
                (true, true) => Passing::Place,
                (false, false) => Passing::Cells,
                (false, true) => Passing::WrittenCells,
            };
            let value = Expr::new(variable.ty, Node::Var(var));
            passed.push((name.as_str().to_owned(), Argument { value, passing }));
        }
        let function = self.function_of(basic, code, &passed, runs);
        Some((function, passed.into_iter().map(|(_, a)| a).collect()))
    }

    fn argument(&mut self, formal: &Formal, actual: Id) -> Argument {
        let scheme = self.scheme;
        let array = scheme.terms.as_atom(actual).and_then(|name| {
            let variable = scheme.variable(name)?;
            variable.is_array().then(|| self.variable(name))
        });
        if let Some(var) = array {
            let passing = match formal.is_written {
                true => Passing::WrittenCells,
                false => Passing::Cells,
            };
            let value = Expr::new(self.variables[var.0 as usize].ty, Node::Var(var));
            return Argument { value, passing };
        }
        match formal.is_written {
            true => Argument {
                value: self.own(actual),
                passing: Passing::Place,
            },
            false => Argument {
                value: self.value(actual, formal.ty.unwrap_or(scheme.type_of(actual))),
                passing: Passing::Value,
            },
        }
    }

    /// The function that holds a code, for arguments of these types.
    fn function_of(
        &mut self,
        basic: &Basic,
        code: Code,
        passed: &[(String, Argument)],
        runs: Runs,
    ) -> usize {
        let phrase = basic.title();
        let same = |f: &CodeFunction| {
            let parameters = f
                .parameters
                .iter()
                .map(|p| (p.key.as_str(), p.ty, p.passing));
            f.phrase == phrase
                && f.runs == runs
                && parameters.eq(passed
                    .iter()
                    .map(|(k, a)| (k.as_str(), a.value.ty, a.passing)))
        };
        if let Some(known) = self.functions.iter().position(same) {
            return known;
        }
        let words = super::kernel::without_arguments(basic.phrase.as_str());
        let name = self.kernel_name(&words);
        let mut namer = Namer::new(self.convention, self.alphabet);
        let parameters = passed.iter().map(|(key, argument)| CodeParameter {
            name: namer.fresh(key),
            key: key.clone(),
            ty: argument.value.ty,
            passing: argument.passing,
        });
        let parameters = parameters.collect();
        let origin = self.origins.number(Origin {
            span: code.span.or(basic.span),
            phrase: Some(Symbol::new(&phrase)),
            ..Origin::default()
        });
        self.functions.push(CodeFunction {
            name,
            phrase,
            code: code.text.as_str().to_owned(),
            origin,
            parameters,
            runs,
            is_test: basic.is_test,
        });
        self.functions.len() - 1
    }
}

/// What lines of code that belong to the head of a file say after a word, `#include` or `#link`, each once.
pub fn head_lines(plan: &Plan, word: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in plan.functions.iter().flat_map(|f| f.code.lines()) {
        if let Some(rest) = line.trim().strip_prefix(word) {
            let rest = rest.trim();
            let plain = |c: char| c.is_ascii_alphanumeric() || "<>\"./_+-".contains(c);
            if !rest.is_empty() && rest.chars().all(plain) && !found.iter().any(|f| f == rest) {
                found.push(rest.to_owned());
            }
        }
    }
    found
}

impl CodeFunction {
    /// The lines of the code with the names of the parameters put in, without what all lines are indented by.
    /// `$$` stands for a `$`; a name that is none of the declaration's stays, after its `$`.
    pub fn lines(&self, others: &[(&str, &str)]) -> Vec<String> {
        let all: Vec<&str> = self.code.lines().collect();
        let from = all.iter().position(|l| !l.trim().is_empty());
        let to = all.iter().rposition(|l| !l.trim().is_empty());
        let (Some(from), Some(to)) = (from, to) else {
            return Vec::new();
        };
        let own = &all[from..=to];
        let indent = |line: &&str| line.len() - line.trim_start().len();
        let full = own.iter().filter(|l| !l.trim().is_empty());
        let common = full.map(indent).min().unwrap_or(0);
        let cut = |line: &&str| line.get(common..).unwrap_or("").trim_end().to_owned();
        own.iter()
            .map(|line| self.named(&cut(line), others))
            .collect()
    }

    fn named(&self, line: &str, others: &[(&str, &str)]) -> String {
        let mut text = String::new();
        for part in parts(line) {
            let name = match part {
                Part::Plain(plain) => {
                    text.push_str(plain);
                    continue;
                }
                Part::Named(name) => name,
            };
            let parameter = self.parameters.iter().find(|p| p.key == name);
            let other = others.iter().find(|(key, _)| *key == name);
            match (parameter, other) {
                (Some(parameter), _) => text.push_str(&parameter.name),
                (None, Some((_, meant))) => text.push_str(meant),
                (None, None) => {
                    text.push('$');
                    text.push_str(name);
                }
            }
        }
        text
    }

    /// Whether the code names a parameter.
    pub fn names(&self, parameter: &CodeParameter) -> bool {
        parts(&self.code).contains(&Part::Named(&parameter.key))
    }
}
