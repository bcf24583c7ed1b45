//! LANES of a plan → a function over vectors for each of them.
//!
//! What differs between lanes is a vector of reals, a mask for a truth value, and an array of integers.
//! Where something has no such form, the iterations are printed as a loop in order, which they are, too.

use super::expression::{FIELDS, level};
use super::printer::{Access, Printer};
use crate::algebra::Type;
use crate::emit::plan::{self, Act, Arithmetic, Comparison, Expr, Function, Node, Stmt, Var};
use crate::emit::text::comment;
use std::collections::BTreeSet;

/// A part of LANES that is being printed.
struct Body<'p, 'a> {
    p: &'p mut Printer<'a>,
    /// Variables that may differ between lanes.
    varying: BTreeSet<Var>,
    /// The variable that counts the iterations.
    var: Var,
    /// How many lanes there are.
    lanes: u32,
    /// The mask of the lanes that are here, if not all are.
    here: Option<String>,
    /// How many masks have names.
    masks: usize,
}

impl Printer<'_> {
    /// Prints iterations side by side: a call here, and a function beside `run`.
    pub(super) fn lanes(&mut self, var: Var, from: &Expr, to: &Expr, lanes: u32, body: &[Stmt]) {
        let uses = self.uses.clone();
        let outer = std::mem::take(&mut self.lines);
        self.lines.set_origin(outer.origin());
        let name = self.extra(&format!("side_by_side_{}", self.lane_functions.len() + 1));
        let printed = self.lane_function(&name, var, lanes, body);
        let function = std::mem::replace(&mut self.lines, outer);
        let Some(captured) = printed else {
            self.uses = uses;
            let head = self.loop_head(var, from, to, None);
            self.lines.open(format!("{head} {{"));
            self.block(body);
            self.lines.close("}");
            return;
        };
        self.lane_functions.push(function.finish());
        let mut arguments = vec![self.typed(from), self.typed(to)];
        for var in captured {
            if self.is_array(var) {
                arguments.push(self.name(var));
                if self.plan.var(var).dims.len() > 1 {
                    arguments.push(self.dims_name(var));
                }
                continue;
            }
            let e = Expr::new(self.ty(var), Node::Var(var));
            arguments.push(self.typed(&e));
        }
        self.lines.call(&format!("{name}("), &arguments, ");");
    }

    /// The function; what it takes besides the bounds. None where a part has no form in lanes.
    fn lane_function(
        &mut self,
        name: &str,
        var: Var,
        lanes: u32,
        body: &[Stmt],
    ) -> Option<Vec<Var>> {
        self.uses.extend(["lanes", "parallel"]);
        let phrase = body.iter().find_map(|s| match &s.act {
            Act::Comment(text) => Some(text),
            _ => None,
        });
        self.lines.open("lanes! {");
        if let Some(phrase) = phrase {
            self.lines.line(format!("/// {}", comment(phrase)));
        }
        self.lines.open(format!("fn {name}<R: {lanes}>("));
        let counter = self.type_name(self.ty(var));
        let (first, last) = (self.extra("first"), self.extra("last"));
        self.lines.line(format!("{first}: {counter},"));
        self.lines.line(format!("{last}: {counter},"));
        let captured = self.captured_by(var, body);
        let written = self.written(body);
        let mut before = Vec::new();
        for &var in &captured {
            let (name, ty) = (self.name(var), self.type_name(self.ty(var)));
            if !self.is_array(var) {
                self.lines.line(format!("{name}: {ty},"));
                before.push((var, self.set_access(var, Access::Plain)));
                continue;
            }
            self.lines
                .line(match (self.access(var), written.contains(&var)) {
                    (Access::Shared, _) => {
                        self.uses.insert("shared");
                        format!("{name}: &[Shared<{ty}>],")
                    }
                    (_, true) => format!("{name}: &mut [{ty}],"),
                    (_, false) => format!("{name}: &[{ty}],"),
                });
            let rank = self.plan.var(var).dims.len();
            if rank > 1 {
                let dims = self.dims_name(var);
                self.lines.line(format!("{dims}: [usize; {rank}],"));
            }
        }
        self.lines.turn(") {");
        let (lane, count, name) = (self.extra("lane"), self.extra("count"), self.name(var));
        self.lines.open(format!(
            "for {first} in ({first}..={last}).step_by({lanes}) {{"
        ));
        self.lines.line(format!(
            "let {last} = {last}.min({first}.saturating_add({}));",
            lanes - 1
        ));
        self.lines
            .line(format!("let {count} = ({last} - {first}) as usize + 1;"));
        self.lines.line(format!(
            "let {name}: [{counter}; {lanes}] = \
             std::array::from_fn(|{lane}| {first}.saturating_add({lane} as {counter}).min({last}));"
        ));
        let mut printing = Body {
            varying: BTreeSet::from([var]),
            p: self,
            var,
            lanes,
            here: None,
            masks: 0,
        };
        printing.find_varying(body);
        let done = printing.block(body);
        for (var, access) in before {
            self.set_access(var, access);
        }
        self.lines.close("}");
        self.lines.close("}");
        self.lines.close("}");
        done.map(|()| captured)
    }

    /// The variables of outside that a body names, in order.
    fn captured_by(&self, var: Var, body: &[Stmt]) -> Vec<Var> {
        let mut own = BTreeSet::from([var]);
        plan::each_statement(body, &mut |s| match &s.act {
            Act::Local { var, .. } | Act::For { var, .. } => {
                own.insert(*var);
            }
            _ => {}
        });
        let mut named = BTreeSet::new();
        plan::reads(body, &mut |var| {
            named.insert(var);
        });
        plan::for_each_place(body, &mut |var, _| {
            named.insert(var);
        });
        named.difference(&own).copied().collect()
    }

    fn written(&self, body: &[Stmt]) -> BTreeSet<Var> {
        let mut written = BTreeSet::new();
        plan::for_each_place(body, &mut |var, _| {
            written.insert(var);
        });
        written
    }
}

impl Body<'_, '_> {
    fn find_varying(&mut self, body: &[Stmt]) {
        loop {
            let before = self.varying.len();
            self.vary(body, false);
            if self.varying.len() == before {
                return;
            }
        }
    }

    /// `under`: whether only some lanes may come here.
    fn vary(&mut self, body: &[Stmt], under: bool) {
        for stmt in body {
            match &stmt.act {
                Act::Local { var, value } if under || self.varies(value) => {
                    self.varying.insert(*var);
                }
                Act::Assign { target, value } if under || self.varies(value) => {
                    self.varying.extend(scalar_root(target));
                }
                Act::If { condition, yes, no } => {
                    let under = under || self.varies(condition);
                    self.vary(yes, under);
                    self.vary(no, under);
                }
                Act::While { condition, body } => {
                    let under = under || self.varies(condition);
                    self.vary(body, under);
                }
                Act::For { body, .. } => self.vary(body, under),
                _ => {}
            }
        }
    }

    fn varies(&self, e: &Expr) -> bool {
        let mut found = false;
        plan::expressions(e, &mut |e| {
            if let Node::Var(var) = e.node {
                found |= self.varying.contains(&var);
            }
        });
        found
    }

    fn real(&self) -> Type {
        self.p.plan.precision.real()
    }

    fn line(&mut self, text: String) {
        self.p.lines.line(text);
    }

    fn block(&mut self, body: &[Stmt]) -> Option<()> {
        for stmt in body {
            let outer = self.p.lines.set_origin(Some(stmt.origin));
            self.statement(stmt)?;
            self.p.lines.set_origin(outer);
        }
        Some(())
    }

    fn statement(&mut self, stmt: &Stmt) -> Option<()> {
        match &stmt.act {
            Act::Local { var, value } if self.varying.contains(var) => self.local(*var, value),
            Act::Assign { target, value } => self.assign(target, value),
            Act::If { condition, yes, no } if self.varies(condition) => {
                self.conditional(condition, yes, no)
            }
            Act::If { condition, yes, no } => {
                let condition = self.p.typed(condition);
                self.p.lines.open(format!("if {condition} {{"));
                self.block(yes)?;
                if !no.is_empty() {
                    self.p.lines.turn("} else {");
                    self.block(no)?;
                }
                self.p.lines.close("}");
                Some(())
            }
            Act::While { condition, body } if self.varies(condition) => {
                let here = self.mask_name();
                let start = match &self.here {
                    Some(outer) => outer.clone(),
                    None => "R::mask(|_| true)".into(),
                };
                self.line(format!("let mut {here} = {start};"));
                self.p.lines.open("loop {");
                let outer = self.here.replace(here.clone());
                let condition = self.mask(condition, level::PRODUCT)?;
                self.line(format!("{here} = {here} & {condition};"));
                self.p.lines.open(format!("if !{here}.any() {{"));
                self.line("break;".into());
                self.p.lines.close("}");
                self.block(body)?;
                self.here = outer;
                self.p.lines.close("}");
                Some(())
            }
            Act::While { condition, body } => {
                let condition = self.p.typed(condition);
                self.p.lines.open(format!("while {condition} {{"));
                self.block(body)?;
                self.p.lines.close("}");
                Some(())
            }
            Act::For {
                var,
                from,
                to,
                step,
                body,
            } => {
                let bounds = [Some(from), Some(to), step.as_ref()];
                if bounds.into_iter().flatten().any(|e| self.varies(e)) {
                    return None;
                }
                let head = self.p.loop_head(*var, from, to, step.as_ref());
                self.p.lines.open(format!("{head} {{"));
                self.block(body)?;
                self.p.lines.close("}");
                Some(())
            }
            Act::Comment(_) | Act::Local { .. } => {
                self.p.statement(stmt);
                Some(())
            }
            _ => None,
        }
    }

    fn local(&mut self, var: Var, value: &Expr) -> Option<()> {
        let (name, ty) = (self.p.name(var), self.p.ty(var));
        let mutable = match self.p.plan.var(var).assigned {
            true => "mut ",
            false => "",
        };
        let value = match ty {
            Type::I32 | Type::I64 => {
                let each = self.for_each_lane(value)?;
                let (ty, lanes) = (self.p.type_name(ty), self.lanes);
                self.line(format!(
                    "let {mutable}{name}: [{ty}; {lanes}] = std::array::from_fn({each});"
                ));
                return Some(());
            }
            Type::Bool => self.mask(value, level::ANY)?,
            _ => self.vector(value, level::ANY)?,
        };
        self.line(format!("let {mutable}{name} = {value};"));
        Some(())
    }

    fn assign(&mut self, target: &Expr, value: &Expr) -> Option<()> {
        let Some(var) = scalar_root(target) else {
            return self.store(target, value);
        };
        if !self.varying.contains(&var) {
            self.p.assign(target, value);
            return Some(());
        }
        let name = self.p.name(var);
        match target.ty {
            Type::I32 | Type::I64 => {
                let (lane, lanes) = (self.p.extra("lane"), self.lanes);
                let value = self.in_lane(value, &lane)?;
                self.p.lines.open(format!("for {lane} in 0..{lanes} {{"));
                self.line(match &self.here {
                    Some(here) => format!("if {here}.has({lane}) {{ {name}[{lane}] = {value}; }}"),
                    None => format!("{name}[{lane}] = {value};"),
                });
                self.p.lines.close("}");
            }
            Type::Bool => {
                let value = self.mask(value, level::PRODUCT)?;
                self.line(match &self.here {
                    Some(here) => format!("{name} = {here} & {value} | !{here} & {name};"),
                    None => format!("{name} = {value};"),
                });
            }
            ty => {
                let place = match &target.node {
                    Node::Component(_, k) => format!("{name}.{}", FIELDS[usize::from(*k)]),
                    _ => name,
                };
                let value = self.vector(value, level::ANY)?;
                let owner = self.owner(ty);
                self.line(match &self.here {
                    Some(here) => {
                        format!("{place} = {owner}::select({here}, {value}, {place});")
                    }
                    None => format!("{place} = {value};"),
                });
            }
        }
        Some(())
    }

    /// To a cell of each lane.
    fn store(&mut self, target: &Expr, value: &Expr) -> Option<()> {
        let cell = match &target.node {
            Node::Component(inner, _) => inner,
            _ => target,
        };
        let Node::Cell { array, subscripts } = &cell.node else {
            return None;
        };
        if !subscripts.iter().any(|s| self.varies(s)) {
            return None;
        }
        let shared = self.p.access(*array) == Access::Shared;
        let (lane, count) = (self.p.extra("lane"), self.p.extra("count"));
        let guard = match &self.here {
            Some(here) => format!("if {here}.has({lane}) "),
            None => String::new(),
        };
        if target.ty.is_integer() || target.ty == Type::Bool {
            let value = match target.ty {
                Type::Bool => format!("{}.has({lane})", self.mask(value, level::POSTFIX)?),
                _ => self.in_lane(value, &lane)?,
            };
            let place = self.place_in_lane(target, &lane)?;
            self.p.lines.open(format!("for {lane} in 0..{count} {{"));
            let put = match shared {
                true => format!("{place}.set({value});"),
                false => format!("{place} = {value};"),
            };
            self.line(match guard.is_empty() {
                true => put,
                false => format!("{guard}{{ {put} }}"),
            });
            self.p.lines.close("}");
            return Some(());
        }
        if cell.ty == self.real()
            && let Some(cells) = self.neighbours(*array, subscripts)
        {
            let value = self.vector(value, level::POSTFIX)?;
            self.line(match shared {
                true => format!("{value}.store_shared(&{cells}, {count});"),
                false => format!("{value}.store_some(&mut {cells}, {count});"),
            });
            return Some(());
        }
        let place = self.place_in_lane(target, &lane)?;
        let number = self.p.extra("value");
        let put = match shared {
            true => format!("{place}.set({number})"),
            false => format!("{place} = {number}"),
        };
        let put = match guard.is_empty() {
            true => put,
            false => format!("{guard}{{ {put} }}"),
        };
        let text = self.vector(value, level::POSTFIX)?;
        if target.ty.components() == 1 {
            self.p.uses.insert("lanes_each");
            self.line(format!("each({text}, {count}, |{lane}, {number}| {put});"));
        } else {
            self.line(format!("{text}.each({count}, |{lane}, {number}| {put});"));
        }
        Some(())
    }

    fn conditional(&mut self, condition: &Expr, yes: &[Stmt], no: &[Stmt]) -> Option<()> {
        let outer = self.here.clone();
        let text = self.mask(condition, level::PRODUCT)?;
        let here = self.mask_name();
        self.line(match &outer {
            Some(outer) => format!("let {here} = {outer} & {text};"),
            None => format!("let {here} = {text};"),
        });
        if !yes.is_empty() {
            self.here = Some(here.clone());
            self.p.lines.open(format!("if {here}.any() {{"));
            self.block(yes)?;
            self.p.lines.close("}");
        }
        if !no.is_empty() {
            let others = self.mask_name();
            self.line(match &outer {
                Some(outer) => format!("let {others} = {outer} & !{here};"),
                None => format!("let {others} = !{here};"),
            });
            self.here = Some(others.clone());
            self.p.lines.open(format!("if {others}.any() {{"));
            self.block(no)?;
            self.p.lines.close("}");
        }
        self.here = outer;
        Some(())
    }

    fn mask_name(&mut self) -> String {
        self.p.uses.insert("lanes_mask");
        self.masks += 1;
        match self.masks {
            1 => self.p.extra("here"),
            k => self.p.extra(&format!("here_{k}")),
        }
    }

    /// The name of what has `select` and `all` for a type.
    fn owner(&mut self, ty: Type) -> &'static str {
        match ty.components() {
            1 => "R",
            2 => {
                self.p.uses.insert("lanes_2");
                "Lanes2::<R>"
            }
            3 => {
                self.p.uses.insert("lanes_3");
                "Lanes3::<R>"
            }
            _ => {
                self.p.uses.insert("lanes_4");
                "Lanes4::<R>"
            }
        }
    }

    /// `|lane| value`; nothing is computed for lanes that are elsewhere.
    fn for_each_lane(&mut self, value: &Expr) -> Option<String> {
        let lane = self.p.extra("lane");
        let value = self.in_lane(value, &lane)?;
        Some(match &self.here {
            Some(here) => format!(
                "|{lane}| if {here}.has({lane}) {{ {value} }} else {{ Default::default() }}"
            ),
            None => format!("|{lane}| {value}"),
        })
    }

    /// What an expression is in one lane. It may have no variable that is a vector or a mask.
    fn in_lane(&mut self, e: &Expr, lane: &str) -> Option<String> {
        let mut whole = true;
        plan::expressions(e, &mut |e| {
            if let Node::Var(var) = e.node {
                whole &= !self.varying.contains(&var) || self.p.ty(var).is_integer();
            }
        });
        whole.then(|| self.with_lane(lane, |p| p.untyped(e, level::ANY)))
    }

    fn place_in_lane(&mut self, e: &Expr, lane: &str) -> Option<String> {
        self.in_lane(e, lane)?;
        Some(self.with_lane(lane, |p| p.place(e)))
    }

    /// Prints with the values of one lane.
    fn with_lane(&mut self, lane: &str, print: impl FnOnce(&mut Printer<'_>) -> String) -> String {
        let varying: Vec<Var> = self.varying.iter().copied().collect();
        let before: Vec<Access> = varying
            .iter()
            .map(|&var| self.p.set_access(var, Access::PerThread))
            .collect();
        let outer = std::mem::replace(&mut self.p.thread, lane.to_owned());
        let text = print(self.p);
        self.p.thread = outer;
        for (&var, access) in varying.iter().zip(before) {
            self.p.set_access(var, access);
        }
        text
    }

    /// The cells of all lanes as a slice, where they are neighbours in memory.
    fn neighbours(&mut self, array: Var, subscripts: &[Expr]) -> Option<String> {
        let (last, others) = subscripts.split_last()?;
        let counts = |e: &Expr| e.node == Node::Var(self.var);
        let follows = match &last.node {
            Node::Var(_) => counts(last),
            Node::Arithmetic(Arithmetic::Add, a, b) => {
                counts(a) && !self.varies(b) || counts(b) && !self.varies(a)
            }
            Node::Arithmetic(Arithmetic::Subtract, a, b) => counts(a) && !self.varies(b),
            _ => false,
        };
        // Where not all lanes are here, some neighbours may be none of the array's cells.
        if self.here.is_some() || !follows || others.iter().any(|s| self.varies(s)) {
            return None;
        }
        let name = self.p.name(array);
        let end = (self.lanes - 1).to_string();
        let from = self.with_lane("0", |p| p.cell_number(array, subscripts));
        let to = self.with_lane(&end, |p| p.cell_number(array, subscripts));
        Some(format!("{name}[{from}..={to}]"))
    }

    /// An expression that binds at least as tightly as `least`, as reals or vectors of all lanes.
    fn vector(&mut self, e: &Expr, least: u8) -> Option<String> {
        let (text, own) = self.parts(e)?;
        Some(match own < least {
            true => format!("({text})"),
            false => text,
        })
    }

    fn parts(&mut self, e: &Expr) -> Option<(String, u8)> {
        let atom = |text: String| Some((text, level::POSTFIX));
        let real = match e.ty {
            Type::Vector(_, precision) => precision.real(),
            ty => ty,
        };
        if real != self.real() {
            return None;
        }
        if !self.varies(e) {
            let owner = self.owner(e.ty);
            let value = self.p.typed(e);
            return atom(format!("{owner}::all({value})"));
        }
        match &e.node {
            Node::Var(var) => atom(self.p.name(*var)),
            Node::Cell { array, subscripts } => {
                if e.ty.components() == 1
                    && let Some(cells) = self.neighbours(*array, subscripts)
                {
                    let count = self.p.extra("count");
                    let load = match self.p.access(*array) == Access::Shared {
                        true => "load_shared",
                        false => "load_some",
                    };
                    return atom(format!("R::{load}(&{cells}, {count})"));
                }
                let (owner, each) = (self.owner(e.ty), self.for_each_lane(e)?);
                atom(format!("{owner}::from_fn({each})"))
            }
            Node::Component(inner, k) => match &inner.node {
                Node::Cell { .. } => {
                    let each = self.for_each_lane(e)?;
                    atom(format!("R::from_fn({each})"))
                }
                _ => {
                    let inner = self.vector(inner, level::POSTFIX)?;
                    atom(format!("{inner}.{}", FIELDS[usize::from(*k)]))
                }
            },
            Node::Convert(inner) if inner.ty.is_integer() && e.ty.components() == 1 => {
                let each = self.for_each_lane(e)?;
                atom(format!("R::from_fn({each})"))
            }
            Node::Negate(a) => Some((
                format!("-{}", self.vector(a, level::POSTFIX)?),
                level::UNARY,
            )),
            Node::Arithmetic(op, a, b) => self.arithmetic(*op, a, b),
            Node::Power(a, k) => {
                let a = self.vector(a, level::POSTFIX)?;
                atom(format!("{a}.power({k})"))
            }
            Node::Call(function, all) => self.call(*function, all),
            Node::Select(c, a, b) if is_total(a) && is_total(b) => {
                let owner = self.owner(e.ty);
                let condition = self.mask(c, level::ANY)?;
                let (a, b) = (self.vector(a, level::ANY)?, self.vector(b, level::ANY)?);
                atom(format!("{owner}::select({condition}, {a}, {b})"))
            }
            Node::Vector(all) => {
                let owner = self.owner(e.ty);
                let all: Option<Vec<String>> =
                    all.iter().map(|a| self.vector(a, level::ANY)).collect();
                atom(format!("{owner}::new({})", all?.join(", ")))
            }
            _ => None,
        }
    }

    fn arithmetic(&mut self, op: Arithmetic, a: &Expr, b: &Expr) -> Option<(String, u8)> {
        let (sign, own) = match op {
            Arithmetic::Add => ("+", level::SUM),
            Arithmetic::Subtract => ("-", level::SUM),
            Arithmetic::Multiply => ("*", level::PRODUCT),
            Arithmetic::Divide => ("/", level::PRODUCT),
            Arithmetic::Remainder => return None,
        };
        // Vectors of lanes know only the factor on the right; the product is the same.
        let (a, b) = match op == Arithmetic::Multiply && b.ty.components() > 1 {
            true => (b, a),
            false => (a, b),
        };
        let (a, b) = (self.vector(a, own)?, self.vector(b, own + 1)?);
        Some((format!("{a} {sign} {b}"), own))
    }

    fn call(&mut self, function: Function, all: &[Expr]) -> Option<(String, u8)> {
        let first = self.vector(&all[0], level::POSTFIX)?;
        let second = match all.get(1) {
            Some(e) => Some(self.vector(e, level::ANY)?),
            None => None,
        };
        let method = |name: &str| Some(format!("{first}.{name}()"));
        let map = |body: &str| Some(format!("{first}.map(|x| {body})"));
        let with = |name: &str| Some(format!("{first}.{name}({})", second.as_deref()?));
        let text = match function {
            Function::Sqrt => method("sqrt"),
            Function::Abs => method("abs"),
            Function::Norm => method("norm"),
            Function::Norm2 => method("norm2"),
            Function::RsqrtApprox => {
                self.p.uses.insert("rsqrt_approx");
                method("rsqrt_approx")
            }
            Function::Rsqrt => {
                let text = format!("R::all(1.0) / {first}.sqrt()");
                return Some((text, level::PRODUCT));
            }
            Function::Exp => map("x.exp()"),
            Function::Log => map("x.ln()"),
            Function::Sin => map("x.sin()"),
            Function::Cos => map("x.cos()"),
            Function::Floor => map("x.floor()"),
            Function::Ceil => map("x.ceil()"),
            Function::Round => map("x.round()"),
            Function::Erfc => {
                self.p.uses.insert("erfc");
                map(match self.real() {
                    Type::F32 => "erfc(f64::from(x)) as f32",
                    _ => "erfc(x)",
                })
            }
            Function::Pow | Function::PowApprox => {
                Some(format!("{first}.map_with({}, |x, y| x.powf(y))", second?))
            }
            Function::Min => with("smaller"),
            Function::Max => with("larger"),
            Function::Dot => with("dot"),
            Function::Cross => with("cross"),
            Function::Fma => {
                let third = self.vector(&all[2], level::ANY)?;
                match (all[0].ty.components(), all[1].ty.components()) {
                    (1, 1) => Some(format!("{first}.mul_add({}, {third})", second?)),
                    (1, _) => {
                        let vector = self.vector(&all[1], level::POSTFIX)?;
                        let factor = self.vector(&all[0], level::ANY)?;
                        Some(format!("{vector}.scaled_add({factor}, {third})"))
                    }
                    _ => Some(format!("{first}.dot_add({}, {third})", second?)),
                }
            }
            Function::PowInt | Function::CeilDiv => None,
        };
        Some((text?, level::POSTFIX))
    }

    /// A truth value of all lanes.
    fn mask(&mut self, e: &Expr, least: u8) -> Option<String> {
        let (text, own) = self.mask_parts(e)?;
        Some(match own < least {
            true => format!("({text})"),
            false => text,
        })
    }

    fn mask_parts(&mut self, e: &Expr) -> Option<(String, u8)> {
        self.p.uses.insert("lanes_mask");
        let atom = |text: String| Some((text, level::POSTFIX));
        if !self.varies(e) {
            let value = self.p.typed(e);
            return atom(format!("R::mask(|_| {value})"));
        }
        match &e.node {
            Node::Var(var) => atom(self.p.name(*var)),
            Node::Compare(op, a, b) if a.ty.is_real() => {
                let (name, a, b) = match op {
                    Comparison::Equal => ("eq", a, b),
                    Comparison::NotEqual => ("ne", a, b),
                    Comparison::Less => ("lt", a, b),
                    Comparison::LessOrEqual => ("le", a, b),
                    Comparison::Greater => ("lt", b, a),
                    Comparison::GreaterOrEqual => ("le", b, a),
                };
                let (a, b) = (self.vector(a, level::POSTFIX)?, self.vector(b, level::ANY)?);
                atom(format!("{a}.{name}({b})"))
            }
            Node::Compare(..) | Node::Cell { .. } => {
                let each = self.for_each_lane(e)?;
                atom(format!("R::mask({each})"))
            }
            Node::Not(a) => Some((format!("!{}", self.mask(a, level::POSTFIX)?), level::UNARY)),
            Node::And(a, b) if is_total(b) => {
                let (a, b) = (self.mask(a, level::PRODUCT)?, self.mask(b, level::PRODUCT)?);
                Some((format!("{a} & {b}"), level::ANY))
            }
            Node::Or(a, b) if is_total(b) => {
                let (a, b) = (self.mask(a, level::PRODUCT)?, self.mask(b, level::PRODUCT)?);
                Some((format!("{a} | {b}"), level::ANY))
            }
            _ => None,
        }
    }
}

/// The scalar that a target is, or is a component of.
fn scalar_root(target: &Expr) -> Option<Var> {
    match &target.node {
        Node::Var(var) => Some(*var),
        Node::Component(inner, _) => scalar_root(inner),
        _ => None,
    }
}

/// Whether computing an expression cannot be an error, whatever its variables are.
fn is_total(e: &Expr) -> bool {
    let mut total = true;
    plan::expressions(e, &mut |e| {
        total &= match &e.node {
            Node::Cell { .. } => false,
            Node::Arithmetic(..) | Node::Power(..) | Node::Negate(_) | Node::Call(..) => {
                !e.ty.is_integer()
            }
            Node::Convert(a) => e.ty.is_real() || e.ty.components() > 1 || a.ty == e.ty,
            _ => true,
        }
    });
    total
}
