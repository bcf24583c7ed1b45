//! Operators of a scheme → statements of a plan.

use super::ask;
use super::operators::{CodeFunction, Codes};
use super::{Act, Expr, Node, Origins, Place, Plan, Series, Stmt, Var, Variable};
use crate::algebra::{Operator, Type, operator};
use crate::analysis;
use crate::check::{Role, Scheme, author_name};
use crate::emit::names::{Alphabet, Convention, Namer, program_name, transliterate};
use crate::emit::plan::kernel::{Asking, Kernel};
use crate::term::{Id, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

pub(super) struct Lower<'a> {
    pub scheme: &'a Scheme,
    pub namer: Namer,
    pub variables: Vec<Variable>,
    numbers: FxHashMap<Symbol, Var>,
    pub kernels: Vec<Kernel>,
    timed: bool,
    /// Parts of the body that are RECORDED, so far.
    recordings: usize,
    pub(super) asking: Vec<Asking>,
    points: Vec<Symbol>,
    series: Vec<Series>,
    files: FxHashSet<String>,
    on_device: Vec<Var>,
    /// Where what is made comes from.
    pub(super) origins: Origins,
    /// The phrase that the statements around come from.
    pub phrase: Option<Symbol>,
    pub(super) alphabet: Alphabet,
    pub(super) convention: Convention,
    /// Which code basic operators have here.
    pub(super) codes: Codes,
    /// Whether what is made is a kernel's.
    pub(super) in_kernel: bool,
    /// The functions of basic operators so far.
    pub(super) functions: Vec<CodeFunction>,
}

/// The plan of a scheme without undefined phrases and names, with names for a language. Basic operators are left out.
pub fn plan(scheme: &Scheme, convention: Convention) -> Plan {
    plan_with(scheme, convention, Codes::default())
}

/// The same with the code that basic operators have for a target.
pub fn plan_with(scheme: &Scheme, convention: Convention, codes: Codes) -> Plan {
    let mut texts: Vec<&str> = vec![scheme.name.as_str()];
    texts.extend(scheme.variables.keys().map(|name| name.as_str()));
    let alphabet = Alphabet::of(texts);
    let name = program_name(scheme.name.as_str(), alphabet);
    let mut namer = Namer::new(convention, alphabet);
    // The program's function has the program's name.
    let _ = namer.fresh(&name);
    let mut lower = Lower {
        scheme,
        namer,
        variables: Vec::new(),
        numbers: FxHashMap::default(),
        kernels: Vec::new(),
        timed: false,
        recordings: 0,
        asking: Vec::new(),
        points: control_points(scheme),
        series: Vec::new(),
        files: FxHashSet::default(),
        on_device: Vec::new(),
        origins: Origins::new(scheme),
        phrase: None,
        alphabet,
        convention,
        codes,
        in_kernel: false,
        functions: Vec::new(),
    };
    lower.namer.enter();
    let parameters = lower.parameters();
    let data = lower.data();
    let c_names = c_names(&name, alphabet, &lower.variables);
    for item in data.iter().filter(|d| d.output) {
        let key = &lower.variables[item.var.0 as usize].key;
        lower.files.insert(key.to_lowercase());
    }
    let body = lower.block(scheme.body);
    lower.namer.leave();
    let mut plan = Plan {
        title: scheme.name.as_str().to_owned(),
        name,
        c_names,
        precision: scheme.precision,
        variables: lower.variables,
        parameters,
        data,
        body,
        kernels: lower.kernels,
        timed: lower.timed,
        recordings: lower.recordings,
        asking: lower.asking,
        points: lower.points.iter().map(|p| p.as_str().into()).collect(),
        functions: lower.functions,
        series: lower.series,
        on_device: lower.on_device,
        origins: lower.origins.all,
    };
    mark_assigned(&mut plan);
    ask::mark(&mut plan);
    plan
}

/// The names that target `cuda` gives parameters and DATA, which it names before anything else.
fn c_names(program: &str, alphabet: Alphabet, variables: &[Variable]) -> Vec<String> {
    let mut namer = Namer::new(Convention::Cpp, alphabet);
    let _ = namer.fresh(program);
    variables.iter().map(|v| namer.fresh(&v.key)).collect()
}

fn control_points(scheme: &Scheme) -> Vec<Symbol> {
    let mut points = Vec::new();
    for id in scheme.terms.subterms(scheme.body) {
        if let Some(Operator::ControlPoint(point)) = operator(&scheme.terms, id)
            && !points.contains(&point)
        {
            points.push(point);
        }
    }
    points
}

/// Whether it is a variable or a component of one, so that its place takes no computing.
fn is_variable(e: &Expr) -> bool {
    match &e.node {
        Node::Component(inner, _) => is_variable(inner),
        node => matches!(node, Node::Var(_)),
    }
}

fn mark_assigned(plan: &mut Plan) {
    let mut assigned: Vec<Var> = Vec::new();
    super::for_each_place(&plan.body, &mut |var, _| assigned.push(var));
    for kernel in &plan.kernels {
        super::for_each_place(&kernel.body, &mut |var, _| assigned.push(var));
    }
    for var in assigned {
        plan.variables[var.0 as usize].assigned = true;
    }
}

impl Lower<'_> {
    /// Adds a variable of the scheme.
    pub(super) fn declare(&mut self, name: Symbol, ty: Type, place: Place, dims: Vec<Expr>) -> Var {
        let key = author_name(name);
        let var = Var(self.variables.len() as u32);
        self.variables.push(Variable {
            name: self.namer.fresh(key),
            key: key.to_owned(),
            ty,
            dims,
            place,
            assigned: false,
        });
        self.numbers.insert(name, var);
        var
    }

    pub(super) fn variable(&self, name: Symbol) -> Var {
        *self
            .numbers
            .get(&name)
            .expect("a checked scheme declares names before it uses them")
    }

    /// Makes the name mean another variable from here on.
    pub(super) fn rebind(&mut self, name: Symbol, var: Var) -> Option<Var> {
        self.numbers.insert(name, var)
    }

    /// An operator as the statements of a block.
    pub(super) fn block(&mut self, id: Id) -> Vec<Stmt> {
        let scheme = self.scheme;
        let outer = self.phrase;
        self.namer.enter();
        let mut out = Vec::new();
        match operator(&scheme.terms, id) {
            Some(Operator::Then(parts)) => {
                for &part in parts {
                    self.statement(part, &mut out);
                }
            }
            _ => self.statement(id, &mut out),
        }
        self.namer.leave();
        self.phrase = outer;
        out
    }

    /// The name of the phrase, where it is another one than that of the statement before.
    fn comment(&mut self, id: Id, origin: u32, out: &mut Vec<Stmt>) {
        let phrase = self.scheme.terms.origin(id).phrase;
        if phrase != self.phrase {
            if let Some(phrase) = phrase {
                let act = Act::Comment(phrase.as_str().to_owned());
                out.push(Stmt { origin, act });
            }
            self.phrase = phrase;
        }
    }

    fn statement(&mut self, id: Id, out: &mut Vec<Stmt>) {
        if let Some(Operator::Then(parts)) = operator(&self.scheme.terms, id) {
            for &part in parts {
                self.statement(part, out);
            }
            return;
        }
        let origin = self.origins.enter(self.scheme, id);
        self.comment(id, origin, out);
        let act = self.act(id);
        self.origins.leave();
        out.extend(act.map(|act| Stmt { origin, act }));
    }

    /// What an operator that is not a sequence does; none where it does nothing.
    fn act(&mut self, id: Id) -> Option<Act> {
        let scheme = self.scheme;
        let view = operator(&scheme.terms, id).expect("a checked scheme is well formed");
        Some(match view {
            Operator::If { condition, yes, no } => Act::If {
                condition: self.value(condition, Type::Bool),
                yes: self.block(yes),
                no: self.block(no),
            },
            Operator::While { condition, body } => Act::While {
                condition: self.value(condition, Type::Bool),
                body: self.block(body),
            },
            Operator::For {
                var,
                from,
                to,
                step,
                body,
            } => {
                let ty = scheme.variables[&var].ty;
                let (from, to) = (self.value(from, ty), self.value(to, ty));
                let step = step.map(|s| self.value(s, ty));
                self.namer.enter();
                let var = self.declare(var, ty, Place::Loop, Vec::new());
                let body = self.block(body);
                self.namer.leave();
                Act::For {
                    var,
                    from,
                    to,
                    step,
                    body,
                }
            }
            Operator::Parallel {
                var,
                from,
                to,
                lanes,
                body,
            } => {
                let ty = scheme.variables[&var].ty;
                let (from, to) = (self.value(from, ty), self.value(to, ty));
                self.namer.enter();
                let name = var;
                let var = self.declare(name, ty, Place::Loop, Vec::new());
                let stmts = self.block(body);
                self.namer.leave();
                match lanes.and_then(|l| scheme.terms.as_int(l)) {
                    Some(lanes) => Act::Lanes {
                        var,
                        from,
                        to,
                        lanes: lanes as u32,
                        varying: self.varying(name, body),
                        body: stmts,
                    },
                    None => Act::Parallel {
                        var,
                        from,
                        to,
                        body: stmts,
                    },
                }
            }
            Operator::Async(branches) => {
                Act::Async(branches.iter().map(|&b| self.block(b)).collect())
            }
            Operator::ControlPoint(point) => match self.point(point) {
                Some(number) => Act::ControlPoint(number),
                None => return None,
            },
            Operator::Wait(point) => match self.point(point) {
                Some(number) => Act::WaitPoint(number),
                None => Act::WaitDevice,
            },
            Operator::Filter(condition) => Act::Filter(self.value(condition, Type::Bool)),
            Operator::Empty | Operator::Then(_) | Operator::Call { .. } => return None,
            Operator::Undefined => Act::Undefined,
            Operator::Assign { target, value } => {
                let ty = scheme.type_of(target);
                let (value, target) = (self.value(value, ty), self.own(target));
                // Compilers warn of a variable that becomes itself.
                if value == target && is_variable(&target) {
                    return None;
                }
                Act::Assign { target, value }
            }
            Operator::Atomic {
                op,
                target,
                value,
                was,
            } => {
                let ty = scheme.type_of(target);
                Act::Atomic {
                    op,
                    value: self.value(value, ty),
                    target: self.own(target),
                    was: was.map(|was| self.own(was)),
                }
            }
            Operator::Local { name, value, .. } => {
                let ty = scheme.variables[&name].ty;
                let value = self.value(value, ty);
                let var = self.declare(name, ty, Place::Local, Vec::new());
                Act::Local { var, value }
            }
            Operator::Array {
                name, dims, body, ..
            } => {
                let ty = scheme.variables[&name].ty;
                let dims = dims.iter().map(|&d| self.own(d)).collect();
                self.namer.enter();
                let place = match scheme.variables[&name].role {
                    Role::Registers => Place::Registers,
                    _ => Place::Scoped,
                };
                let var = self.declare(name, ty, place, dims);
                let body = self.block(body);
                self.namer.leave();
                Act::Array { var, body }
            }
            Operator::Timed(body) => {
                self.timed = true;
                Act::Timed(self.block(body))
            }
            Operator::Recorded(body) => {
                let number = self.recordings;
                self.recordings += 1;
                let asking = self.asking(body);
                let body = self.block(body);
                Act::Recorded {
                    number,
                    asking,
                    body,
                }
            }
            Operator::Report { label, values } => Act::Report {
                label: label.as_str().to_owned(),
                values: values.iter().map(|&v| self.own(v)).collect(),
            },
            Operator::Save { label, array } => {
                let var = self.variable(array);
                Act::Save(self.save(label, var))
            }
            Operator::Perform {
                phrase,
                arguments,
                writes,
                ..
            } => {
                let runs = self.runs();
                return self.perform(phrase, arguments, writes, runs);
            }
            Operator::Launch {
                blocks,
                threads,
                body,
            } => self.launch(id, blocks, threads, body),
            // Declared with the kernel: see `launch`.
            Operator::Shared { .. } => return None,
            Operator::Registers { name, size, .. } => {
                let ty = scheme.variables[&name].ty;
                let size = self.own(size);
                Act::Registers(self.declare(name, ty, Place::Registers, vec![size]))
            }
            Operator::Exchange(exchange, names) => {
                Act::Exchange(exchange, self.variables_of(names))
            }
            Operator::Barrier => Act::Barrier,
            Operator::Allocate(name) => {
                let var = self.variable(name);
                self.lives_on_device(var);
                let cleared = analysis::copied_in_part(scheme, name);
                Act::Allocate { var, cleared }
            }
            Operator::CopyToDevice(name) => {
                let var = self.variable(name);
                self.lives_on_device(var);
                Act::CopyToDevice(var)
            }
            Operator::CopyFromDevice(name) => {
                let var = self.variable(name);
                self.lives_on_device(var);
                Act::CopyFromDevice(var)
            }
            Operator::Free(name) => {
                let var = self.variable(name);
                self.lives_on_device(var);
                Act::Free(var)
            }
        })
    }

    /// The variables of a body that may differ where a name does.
    pub(super) fn varying(&self, name: Symbol, body: Id) -> BTreeSet<Var> {
        let names = analysis::varying(self.scheme, [name], body);
        names.into_iter().filter_map(|n| self.known(n)).collect()
    }

    fn variables_of(&mut self, names: &[Id]) -> Vec<Var> {
        let terms = &self.scheme.terms;
        let names: Vec<Symbol> = names.iter().filter_map(|&n| terms.as_atom(n)).collect();
        names.into_iter().map(|n| self.variable(n)).collect()
    }

    fn point(&self, point: Symbol) -> Option<usize> {
        self.points.iter().position(|p| *p == point)
    }

    /// Notes that an array has memory on the device.
    pub(super) fn lives_on_device(&mut self, var: Var) {
        if !self.on_device.contains(&var) {
            self.on_device.push(var);
        }
    }

    fn save(&mut self, label: Symbol, var: Var) -> usize {
        let label = label.as_str();
        let known = |s: &Series| s.label == label && s.var == var;
        if let Some(number) = self.series.iter().position(known) {
            return number;
        }
        let file = self.file_name(label);
        self.series.push(Series {
            label: label.to_owned(),
            var,
            file,
        });
        self.series.len() - 1
    }

    /// A file's name made of a label: letters and digits of any script, blanks, `-`, `_` and `.`
    /// stay, so that no label leads out of the folder; files that differ in case only are numbered.
    fn file_name(&mut self, label: &str) -> String {
        let keep = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.');
        let plain: String = label
            .chars()
            .take(80)
            .map(|c| if keep(c) { c } else { '_' })
            .collect();
        let plain = plain.trim_matches(['.', ' ']);
        let base = match plain.is_empty() {
            true => "series",
            false => plain,
        };
        let ascii = transliterate(base, self.alphabet).to_lowercase();
        let reserved = super::super::names::is_device_name(&ascii);
        let mut name = match reserved {
            true => format!("{base}_"),
            false => base.to_owned(),
        };
        let mut number = 1;
        while !self.files.insert(name.to_lowercase()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        name
    }
}

impl Lower<'_> {
    /// The variable that a name means, if it is declared.
    pub(super) fn known(&self, name: Symbol) -> Option<Var> {
        self.numbers.get(&name).copied()
    }

    /// A name for a kernel, which nothing else in the program has.
    pub(super) fn kernel_name(&mut self, name: &str) -> String {
        let lower = transliterate(name, self.alphabet).to_lowercase();
        self.namer.global(&lower)
    }
}
