//! Checking operators.

use super::elaborate::{Checker, Meaning};
use super::scheme::{Role, Variable};
use crate::algebra::{Construct, Operator, Type, launched_operator, operator, then};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol};

impl Checker<'_> {
    /// Checks an operator and gives the new one.
    pub(super) fn operator(&mut self, id: Id) -> Id {
        if let Some(known) = self.taken_over(id) {
            return known;
        }
        let mark = self.frame().len();
        let new = self.operator_in_scope(id);
        self.frame().truncate(mark);
        new
    }

    /// Checks an operator; what it declares stays in scope.
    pub(super) fn operator_in_scope(&mut self, id: Id) -> Id {
        if self.must_stop(id) || !self.deeper(id) {
            return self.make(Construct::Empty, &[], Type::Unknown, id);
        }
        let new = self.operator_here(id);
        self.depth -= 1;
        self.stands(new);
        new
    }

    fn operator_here(&mut self, id: Id) -> Id {
        let source = self.source;
        if source.functor(id) == Some(Construct::Flow.symbol()) {
            return self.graph(id);
        }
        self.meet_below(id);
        let Some(view) = operator(source, id) else {
            if self.is_open_source(id) {
                self.meet(id);
                return self.leaf(source.head(id), Type::Unknown, id);
            }
            self.report(
                Diagnostic::error("E0214", format!("{} is not an operator", self.describe(id)))
                    .at(source.span(id))
                    .hint("an operator acts: an assignment, a loop, a phrase in double quotes"),
            );
            return self.make(Construct::Empty, &[], Type::Unknown, id);
        };
        let none = Type::Unknown;
        match view {
            Operator::Then(_) => {
                let mut new = Vec::new();
                self.parts(id, &mut new);
                self.sequence(&new, id)
            }
            Operator::If { condition, yes, no } => {
                let condition = self.condition(condition);
                let yes = self.operator(yes);
                let no = self.operator(no);
                self.make(Construct::If, &[condition, yes, no], none, id)
            }
            Operator::While { condition, body } => {
                let condition = self.condition(condition);
                let body = self.operator(body);
                self.make(Construct::While, &[condition, body], none, id)
            }
            Operator::For {
                var,
                from,
                to,
                step,
                body,
            } => {
                let mut new = vec![self.bound(from), self.bound(to)];
                if let Some(step) = step {
                    new.push(self.bound(step));
                    if self.terms.as_int(new[2]) == Some(0) {
                        self.report(
                            Diagnostic::error("E0203", "loop step must not be 0")
                                .at(source.span(step)),
                        );
                    }
                }
                let construct = if step.is_some() {
                    Construct::ForStep
                } else {
                    Construct::ForLoop
                };
                self.loop_over(construct, var, new, body, id)
            }
            Operator::Parallel {
                var,
                from,
                to,
                lanes,
                body,
            } => {
                let mut new = vec![self.bound(from), self.bound(to)];
                let construct = match lanes {
                    Some(lanes) => {
                        self.host_only(id, "LANES", false);
                        new.push(self.lanes(lanes));
                        Construct::Lanes
                    }
                    None => {
                        self.host_only(id, "PARALLEL", false);
                        Construct::Parallel
                    }
                };
                let outer = self.context;
                self.context.parallel = true;
                let loop_ = self.loop_over(construct, var, new, body, id);
                self.context = outer;
                loop_
            }
            Operator::Async(branches) => {
                self.host_only(id, "PARALLEL", false);
                let outer = self.context;
                self.context.parallel = true;
                let new: Vec<Id> = branches.iter().copied().map(|b| self.operator(b)).collect();
                self.context = outer;
                self.make(Construct::Async, &new, none, id)
            }
            Operator::ControlPoint(text) => {
                self.host_only(id, "CONTROL POINT", false);
                let text = self.leaf(Head::Text(text), none, source.arg(id, 0));
                self.make(Construct::ControlPoint, &[text], none, id)
            }
            Operator::Wait(text) => {
                self.host_only(id, "WAIT", false);
                let text = self.leaf(Head::Text(text), none, source.arg(id, 0));
                self.make(Construct::Wait, &[text], none, id)
            }
            Operator::Filter(condition) => {
                let condition = self.condition(condition);
                self.make(Construct::Filter, &[condition], none, id)
            }
            Operator::Empty => self.make(Construct::Empty, &[], none, id),
            Operator::Undefined => self.make(Construct::Undefined, &[], none, id),
            Operator::Assign { target, value } => {
                let new_target = self.target(target);
                let new_value = self.expression(value);
                self.expect_assignable(new_value, self.type_of(new_target), value);
                self.make(Construct::Assign, &[new_target, new_value], none, id)
            }
            Operator::Atomic {
                op,
                target,
                value,
                was,
            } => self.atomic(id, op, [target, value], was),
            Operator::Local { name, value, .. } => {
                let ty = self.named_type(source.arg(id, 1));
                let new = self.expression(value);
                self.expect_assignable(new, ty, value);
                let variable = Variable {
                    ty,
                    dims: Vec::new(),
                    role: Role::Local,
                    span: source.span(source.arg(id, 0)),
                };
                let unique = self.declare(name, variable);
                let arguments = [
                    self.leaf(Head::Functor(unique), ty, source.arg(id, 0)),
                    self.atom_of(source.arg(id, 1)),
                    new,
                ];
                self.make(Construct::Local, &arguments, none, id)
            }
            Operator::Array { name, body, .. } => {
                let ty = self.named_type(source.arg(id, 1));
                let dims = self.sizes(source.arg(id, 2));
                let role = match self.context.kernel {
                    true => self.private(&dims, source.arg(id, 2)),
                    false => Role::Scoped,
                };
                let variable = Variable {
                    ty,
                    dims: dims.clone(),
                    role,
                    span: source.span(source.arg(id, 0)),
                };
                let mark = self.frame().len();
                let unique = self.declare(name, variable);
                let body = self.operator(body);
                self.frame().truncate(mark);
                let arguments = [
                    self.leaf(Head::Functor(unique), ty, source.arg(id, 0)),
                    self.atom_of(source.arg(id, 1)),
                    self.make(Construct::Dims, &dims, none, source.arg(id, 2)),
                    body,
                ];
                self.make(Construct::Array, &arguments, none, id)
            }
            Operator::Timed(body) => {
                self.host_only(id, "TIMED", true);
                let body = self.operator(body);
                self.make(Construct::Timed, &[body], none, id)
            }
            Operator::Recorded(body) => {
                self.host_only(id, "RECORDED", true);
                let body = self.operator(body);
                self.make(Construct::Recorded, &[body], none, id)
            }
            Operator::Report { label, values } => {
                self.host_only(id, "REPORT", true);
                let values = values.to_vec();
                let mut new = vec![self.leaf(Head::Text(label), none, source.arg(id, 0))];
                for value in values {
                    let e = self.expression(value);
                    new.push(e);
                }
                self.make(Construct::Report, &new, none, id)
            }
            Operator::Save { label, .. } => {
                self.host_only(id, "SAVE", true);
                let text = self.leaf(Head::Text(label), none, source.arg(id, 0));
                let array = self.array_name(source.arg(id, 1));
                self.make(Construct::Save, &[text, array], none, id)
            }
            Operator::Call { .. } | Operator::Perform { .. } => {
                let mut new = Vec::new();
                self.parts(id, &mut new);
                then(&mut self.terms, &new)
            }
            Operator::Launch {
                blocks,
                threads,
                body,
            } => {
                self.host_only(id, "RunKernel", false);
                let blocks = self.bound(blocks);
                let threads = self.bound(threads);
                let outer = self.context;
                self.context.kernel = true;
                self.context.alone = launched_operator(source, id).is_some();
                let body = self.operator(body);
                self.context = outer;
                let launch = self.make(Construct::Launch, &[blocks, threads, body], none, id);
                self.expect_values_of_host(launch, id);
                launch
            }
            Operator::Shared { name, size, .. } => {
                self.kernel_only(id, "SHARED");
                self.sized(Construct::Shared, Role::Shared, name, size, id)
            }
            Operator::Registers { name, size, .. } => {
                self.kernel_only(id, "REGISTERS");
                self.literal_size(size);
                self.sized(Construct::Registers, Role::Registers, name, size, id)
            }
            Operator::Exchange(exchange, names) => self.of_warp(exchange, names, id),
            Operator::Barrier => {
                self.kernel_only(id, "BARRIER");
                self.make(Construct::Barrier, &[], none, id)
            }
            Operator::Allocate(_) => self.memory(Construct::Allocate, id),
            Operator::CopyToDevice(_) => self.memory(Construct::CopyToDevice, id),
            Operator::CopyFromDevice(_) => self.memory(Construct::CopyFromDevice, id),
            Operator::Free(_) => self.memory(Construct::Free, id),
        }
    }

    /// A sequence of checked operators.
    pub(super) fn sequence(&mut self, parts: &[Id], from: Id) -> Id {
        let then = then(&mut self.terms, parts);
        if self.terms.span(then).is_none() {
            let origin = self.source.origin(from);
            self.terms.set_origin(then, origin);
        }
        then
    }

    /// The nodes of a graph; what they declare is known to the nodes after them in the text.
    fn graph(&mut self, id: Id) -> Id {
        let source = self.source;
        let mut nodes = Vec::new();
        for &node in source.args(id) {
            let mut parts = source.args(node).to_vec();
            for (i, part) in parts.iter_mut().enumerate() {
                *part = match (i, source.arity(node)) {
                    (1, 4) => self.condition(*part),
                    (1, 3) => self.operator_in_scope(*part),
                    _ => self.leaf(source.head(*part), Type::Unknown, *part),
                };
            }
            let construct = match parts.len() {
                4 => Construct::Choice,
                _ => Construct::Node,
            };
            nodes.push(self.make(construct, &parts, Type::Unknown, node));
        }
        self.make(Construct::Flow, &nodes, Type::Unknown, id)
    }

    /// The operators of a sequence, those of sequences and expanded phrases in it among them: built
    /// as one sequence at once, since phrases that end in a call of the next would be copied once
    /// for each level otherwise.
    pub(super) fn parts(&mut self, id: Id, into: &mut Vec<Id>) {
        let source = self.source;
        match operator(source, id) {
            Some(Operator::Then(parts)) => {
                for &part in parts {
                    self.parts(part, into);
                }
            }
            Some(Operator::Call { phrase, arguments }) if !self.must_stop(id) => {
                self.call(phrase, arguments, id, into);
            }
            Some(Operator::Perform {
                phrase, arguments, ..
            }) if !self.must_stop(id) => {
                if let Some(known) = self.taken_over(id) {
                    into.push(known);
                    return;
                }
                let Some((name, arguments)) = self.declared(phrase, arguments) else {
                    self.not_declared(phrase, id);
                    return;
                };
                let before = into.len();
                self.perform(name, &arguments, id, into);
                if let Some(&new) = into.get(before) {
                    self.expect_same_effects(id, new);
                    self.stands(new);
                }
            }
            _ => {
                let known = self.taken_over(id);
                into.push(known.unwrap_or_else(|| self.operator_in_scope(id)));
            }
        }
    }

    /// A bound of a loop or a size: an integer.
    pub(super) fn bound(&mut self, id: Id) -> Id {
        let new = self.expression(id);
        self.expect_integer(new, id, "a bound");
        new
    }

    fn loop_over(
        &mut self,
        construct: Construct,
        var: Symbol,
        bounds: Vec<Id>,
        body: Id,
        id: Id,
    ) -> Id {
        let source = self.source;
        let wide = bounds.iter().any(|&b| self.type_of(b) == Type::I64);
        let ty = if wide { Type::I64 } else { Type::I32 };
        let mark = self.frame().len();
        let variable = Variable {
            ty,
            dims: Vec::new(),
            role: Role::Loop,
            span: source.span(source.arg(id, 0)),
        };
        let unique = self.declare(var, variable);
        let body = self.operator(body);
        self.frame().truncate(mark);
        let mut arguments = vec![self.leaf(Head::Functor(unique), ty, source.arg(id, 0))];
        arguments.extend(bounds);
        arguments.push(body);
        self.make(construct, &arguments, Type::Unknown, id)
    }

    /// How many iterations LANES does side by side.
    fn lanes(&mut self, id: Id) -> Id {
        let lanes = self.bound(id);
        if !matches!(self.terms.as_int(lanes), Some(1..=128)) && !self.is_open_term(lanes) {
            self.report(
                Diagnostic::error("E0218", "LANES must be a number from 1 to 128")
                    .at(self.source.span(id))
                    .hint("vectors have 4 to 16 lanes: write a multiple of 16, such as 32"),
            );
        }
        lanes
    }

    /// The name of an array as a whole.
    pub(super) fn array_name(&mut self, id: Id) -> Id {
        self.meet(id);
        let name = self.source.as_atom(id).unwrap_or("".into());
        let mut unique = name;
        match self.meaning(name) {
            Some(Meaning::Variable(u)) => unique = u,
            Some(Meaning::Stands(actual)) => unique = self.terms.as_atom(actual).unwrap_or(name),
            None => self.unknown_name(name, self.source.span(id)),
        }
        if let Some(variable) = self.variables.get(&unique)
            && !variable.is_array()
            && variable.role != Role::Unknown
        {
            let declared = variable.span;
            self.report(
                Diagnostic::error("E0204", format!("expected an array; `{name}` is not one"))
                    .at(self.source.span(id))
                    .also(declared, "declared here"),
            );
        }
        self.leaf(Head::Functor(unique), Type::Unknown, id)
    }

    /// Checks what is assigned: a variable, a cell or a component.
    pub(super) fn target(&mut self, id: Id) -> Id {
        let new = self.expression(id);
        let mut root = new;
        while self.terms.functor(root) == Some(Construct::Field.symbol())
            && self.terms.arity(root) == 2
        {
            root = self.terms.arg(root, 0);
        }
        if self.terms.functor(root) == Some(Construct::Index.symbol()) && self.terms.arity(root) > 1
        {
            root = self.terms.arg(root, 0);
        }
        let span = self.source.span(id);
        let Some(name) = self.terms.as_atom(root) else {
            self.report(
                Diagnostic::error("E0205", "this cannot be assigned")
                    .at(span)
                    .hint("variables, cells of arrays and components of vectors can be assigned"),
            );
            return new;
        };
        if let Some(variable) = self.variables.get(&name)
            && variable.is_constant()
        {
            let shown = super::scheme::author_name(name);
            let declared = variable.span;
            let (what, hint) = match variable.role {
                Role::Parameter { .. } => (
                    "a parameter",
                    "parameters keep their value; declare a working scalar without `:=`",
                ),
                Role::Loop => (
                    "the variable of a loop",
                    "only the loop itself changes it; use a LOCAL",
                ),
                _ => (
                    "INPUT only",
                    "mark it INPUT OUTPUT, or write to another array",
                ),
            };
            self.report(
                Diagnostic::error(
                    "E0205",
                    format!("`{shown}` is {what}, so it cannot be assigned"),
                )
                .at(span)
                .also(declared, "declared here")
                .hint(hint),
            );
        } else {
            self.scalar_of_host(name, span);
        }
        new
    }

    /// Reports a scalar of the host that is assigned in a kernel.
    fn scalar_of_host(&mut self, name: Symbol, span: Option<crate::term::Span>) {
        if !self.context.kernel {
            return;
        }
        let Some(variable) = self.variables.get(&name) else {
            return;
        };
        let is_of_kernel = self.of_kernels.contains(&name);
        if is_of_kernel || variable.is_array() || variable.role == Role::Unknown {
            return;
        }
        let shown = super::scheme::author_name(name);
        let declared = variable.span;
        self.report(
            Diagnostic::error(
                "E0205",
                format!("`{shown}` is a scalar of the host, whose value a kernel gets at its launch, so it cannot be assigned there"),
            )
            .at(span)
            .also(declared, "declared here")
            .hint(format!("use a LOCAL of the kernel, or an array of one cell: {shown} : REAL [1]")),
        );
    }
}
