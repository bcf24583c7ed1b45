//! LANES of a plan → a function over vectors for each of them.
//!
//! What differs between lanes is a vector of reals or of integers that change, a mask for a truth value,
//! and an array of other integers. Where something has no such form, the iterations are printed as a loop in order, which they are, too.

mod expression;
mod integers;
mod statement;

use super::expression::level;
use super::printer::{Access, Printer};
use super::varying::Varying;
use crate::algebra::Type;
use crate::emit::plan::{self, Act, Arithmetic, Expr, Node, Stmt, Var};
use crate::emit::text::comment;
use std::collections::BTreeSet;

/// A part of LANES that is being printed.
struct Body<'p, 'a> {
    p: &'p mut Printer<'a>,
    /// Variables that may differ between lanes.
    varying: Varying,
    /// The variable that counts the iterations.
    var: Var,
    /// How many lanes there are.
    lanes: u32,
    /// The mask of the lanes that are here, if not all are.
    here: Option<String>,
    /// How many masks have names.
    masks: usize,
    /// The first iteration, if it keeps its value and there are as many iterations as lanes.
    first: Option<Expr>,
    /// Whether the numbers of the iterations are needed, lane by lane.
    counts: bool,
}

/// Whether there are as many iterations as lanes.
fn fills(from: &Expr, to: &Expr, lanes: u32) -> bool {
    let most = i64::from(lanes) - 1;
    match (&to.node, &from.node) {
        (Node::Arithmetic(Arithmetic::Add, a, b), _) => **a == *from && b.node == Node::Int(most),
        (Node::Int(to), Node::Int(from)) => to.checked_sub(*from) == Some(most),
        _ => false,
    }
}

impl Printer<'_> {
    /// Prints iterations side by side: a call here, and a function beside `run`.
    pub(super) fn lanes(
        &mut self,
        var: Var,
        from: &Expr,
        to: &Expr,
        lanes: u32,
        varying: &BTreeSet<Var>,
        body: &[Stmt],
    ) {
        let uses = self.uses.clone();
        let outer = std::mem::take(&mut self.lines);
        self.lines.set_origin(outer.origin());
        let name = self.extra(&format!("side_by_side_{}", self.lane_functions.len() + 1));
        let keeps = match from.node {
            Node::Var(start) => !self.plan.var(start).assigned,
            Node::Int(_) => true,
            _ => false,
        };
        let start = (keeps && fills(from, to, lanes)).then(|| from.clone());
        let printed = self.lane_function(&name, var, lanes, varying, body, start);
        let function = std::mem::replace(&mut self.lines, outer);
        let Some(captured) = printed else {
            self.uses = uses;
            let why = "// Not vectorized: something in it has no vector instructions.";
            self.lines.line(why);
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
                if self.plan.var(var).dims.len() > 1 && self.fixed_dims(var).is_none() {
                    arguments.push(self.dims_name(var));
                }
                continue;
            }
            let e = Expr::new(self.ty(var), Node::Var(var));
            arguments.push(self.typed(&e));
        }
        self.lines.call(&format!("{name}("), &arguments, ");");
    }

    /// The function; what it takes besides the bounds. `start` is the first iteration, if it keeps its
    /// value and there are as many as lanes. None where a part cannot be vectorized.
    fn lane_function(
        &mut self,
        name: &str,
        var: Var,
        lanes: u32,
        varying: &BTreeSet<Var>,
        body: &[Stmt],
        start: Option<Expr>,
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
        let written = self.written_outside(&[body]);
        // The function has scalars of outside by value.
        let mut kept = true;
        plan::for_each_place(body, &mut |var, _| {
            kept &= self.is_array(var) || !captured.contains(&var);
        });
        if !kept {
            return None;
        }
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
            if rank > 1 && self.fixed_dims(var).is_none() {
                let dims = self.dims_name(var);
                self.lines.line(format!("{dims}: [usize; {rank}],"));
            }
        }
        self.lines.turn(") {");
        for &var in &captured {
            if let Some(sizes) = self.fixed_dims(var) {
                let dims = self.dims_name(var);
                self.lines.line(format!("let {dims} = {sizes};"));
            }
        }
        let (count, name) = (self.extra("count"), self.name(var));
        let all = start.is_some();
        if all {
            self.lines.line(format!("let {count} = {lanes};"));
        } else {
            self.uses.insert("lanes_groups");
            self.lines.open(format!(
                "for ({first}, {count}) in groups_of({first}, {last}, {lanes}) {{"
            ));
        }
        let around = self.lines.inner();
        let around = std::mem::replace(&mut self.lines, around);
        let mut printing = Body {
            varying: Varying {
                vars: varying.clone(),
                threads: false,
            },
            p: self,
            var,
            lanes,
            here: None,
            masks: 0,
            first: start,
            counts: false,
        };
        let done = printing.block(body);
        let counts = printing.counts;
        let inner = std::mem::replace(&mut self.lines, around);
        if counts {
            self.uses.insert("lanes_numbers");
            self.lines.line(format!(
                "let {name}: [{counter}; {lanes}] = numbers_of({first}, {count});"
            ));
        }
        self.lines.append(inner);
        for (var, access) in before {
            self.set_access(var, access);
        }
        if !all {
            self.lines.close("}");
        }
        self.lines.close("}");
        self.lines.close("}");
        done.map(|()| captured)
    }

    /// The sizes of an array of several dimensions, where they are numbers.
    fn fixed_dims(&self, var: Var) -> Option<String> {
        let dims = &self.plan.var(var).dims;
        let size = |e: &Expr| match e.node {
            Node::Int(k) if k >= 0 => Some(k.to_string()),
            _ => None,
        };
        let sizes: Option<Vec<String>> = dims.iter().map(size).collect();
        (dims.len() > 1).then(|| sizes.map(|all| format!("[{}]", all.join(", "))))?
    }

    /// The variables of outside that a body names, in order.
    fn captured_by(&self, var: Var, body: &[Stmt]) -> Vec<Var> {
        let mut own = BTreeSet::from([var]);
        plan::each_statement(body, &mut |s| own.extend(plan::declared(&s.act)));
        let mut named = BTreeSet::new();
        plan::reads(body, &mut |var| {
            named.insert(var);
        });
        plan::for_each_place(body, &mut |var, _| {
            named.insert(var);
        });
        named.difference(&own).copied().collect()
    }
}

impl Body<'_, '_> {
    /// The type of the reals that vectors hold.
    fn real(&self) -> Type {
        self.p.plan.precision.real()
    }

    /// Whether they are reals of 64 bits where lanes hold those of 32, or vectors of such reals.
    fn is_wide(&self, ty: Type) -> bool {
        ty.component() == Type::F64 && self.real() == Type::F32
    }

    /// Has the methods of reals of 64 bits at hand, if a type is theirs.
    fn wide_methods(&mut self, ty: Type) {
        if self.is_wide(ty) && ty.is_real() {
            self.p.uses.insert("wide_methods");
        }
    }

    /// The name of what picks values of a type, lane by lane.
    fn select(&mut self, ty: Type) -> String {
        match self.is_wide(ty) {
            true if ty.is_vector() => format!("{}::select::<R>", self.owner(ty)),
            true => "R::select_wide".into(),
            false => format!("{}::select", self.owner(ty)),
        }
    }

    /// A new name for a mask.
    fn mask_name(&mut self) -> String {
        self.masks += 1;
        match self.masks {
            1 => self.p.extra("here"),
            k => self.p.extra(&format!("here_{k}")),
        }
    }

    /// The name of what has `all` and `from_fn` for a type.
    fn owner(&mut self, ty: Type) -> &'static str {
        self.wide_methods(ty);
        match ty.components() {
            1 if self.is_wide(ty) => "R::Wide",
            1 => "R",
            2 if self.is_wide(ty) => {
                self.p.uses.insert("wide_2");
                "Wide2::<R::Wide>"
            }
            3 if self.is_wide(ty) => {
                self.p.uses.insert("wide_3");
                "Wide3::<R::Wide>"
            }
            _ if self.is_wide(ty) => {
                self.p.uses.insert("wide_4");
                "Wide4::<R::Wide>"
            }
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

    /// Whether a mask has some lane.
    fn any(&mut self, mask: &str) -> String {
        self.p.uses.insert("lanes_mask");
        format!("{mask}.any()")
    }

    /// Whether a mask has a lane.
    fn has(&mut self, mask: &str, lane: &str) -> String {
        self.p.uses.insert("lanes_mask");
        format!("{mask}.has({lane})")
    }

    /// `|lane| value`; nothing is computed for lanes that are elsewhere.
    fn for_each_lane(&mut self, value: &Expr) -> Option<String> {
        let lane = self.p.extra("lane");
        let value = self.in_lane(value, &lane)?;
        Some(match self.here.clone() {
            Some(here) => {
                let has = self.has(&here, &lane);
                format!("|{lane}| if {has} {{ {value} }} else {{ Default::default() }}")
            }
            None => format!("|{lane}| {value}"),
        })
    }

    /// What an expression is in one lane. It may have no variable that is a vector or a mask.
    fn in_lane(&mut self, e: &Expr, lane: &str) -> Option<String> {
        let (mut whole, mut counts) = (true, false);
        let mut vectors = BTreeSet::new();
        plan::expressions(e, &mut |e| {
            if let Node::Var(var) = e.node {
                whole &= !self.varying.vars.contains(&var) || self.p.ty(var).is_integer();
                counts |= var == self.var;
                vectors.extend(self.is_whole(var).then_some(var));
            }
        });
        if !whole {
            return None;
        }
        self.counts |= counts;
        for var in vectors {
            let (name, numbers) = (self.p.name(var), self.numbers_of(var));
            self.p
                .lines
                .line(format!("let {numbers} = {name}.numbers();"));
        }
        Some(self.with_lane(lane, |p| p.untyped(e, level::ANY)))
    }

    /// The place that a target is in one lane.
    fn place_in_lane(&mut self, e: &Expr, lane: &str) -> Option<String> {
        self.in_lane(e, lane)?;
        Some(self.with_lane(lane, |p| p.place(e)))
    }

    /// The name of a vector of integers as an array.
    fn numbers_of(&self, var: Var) -> String {
        self.p.extra(&format!("{}_numbers", self.p.name(var)))
    }

    /// Prints with the values of one lane.
    fn with_lane(&mut self, lane: &str, print: impl FnOnce(&mut Printer<'_>) -> String) -> String {
        let varying: Vec<Var> = self.varying.vars.iter().copied().collect();
        let whole: Vec<Var> = varying
            .iter()
            .copied()
            .filter(|&v| self.is_whole(v))
            .collect();
        let names: Vec<String> = whole
            .iter()
            .map(|&var| self.p.rename(var, self.numbers_of(var)))
            .collect();
        let before: Vec<Access> = varying
            .iter()
            .map(|&var| self.p.set_access(var, Access::PerThread))
            .collect();
        let outer = std::mem::replace(&mut self.p.thread, lane.to_owned());
        let text = print(self.p);
        self.p.thread = outer;
        for (var, name) in whole.into_iter().zip(names) {
            self.p.rename(var, name);
        }
        for (&var, access) in varying.iter().zip(before) {
            self.p.set_access(var, access);
        }
        text
    }

    /// The cells of all lanes as a slice, where they are neighbours in memory.
    fn neighbours(&mut self, array: Var, subscripts: &[Expr]) -> Option<String> {
        let (last, others) = subscripts.split_last()?;
        // Where not all lanes are here, some neighbours may be none of the array's cells.
        if self.here.is_some()
            || !self.follows(last)
            || others.iter().any(|s| self.varying.differs(s))
        {
            return None;
        }
        let (name, count) = (self.p.name(array), self.p.extra("count"));
        let mut subscripts = subscripts.to_vec();
        if let Some(last) = subscripts.last_mut() {
            *last = self.offset(last);
        }
        // That of the first lane.
        let first = self.p.extra("first");
        let outer = self.p.rename(self.var, first);
        let subscripts: Vec<String> = subscripts.iter().map(|s| self.p.subscript(s)).collect();
        self.p.rename(self.var, outer);
        Some(match subscripts.as_slice() {
            [one] => format!("{name}[{one}..][..{count}]"),
            all => {
                self.p.uses.insert("cells");
                let dims = self.p.dims_name(array);
                format!("{name}[cells_of([{}], {dims}, {count})]", all.join(", "))
            }
        })
    }

    /// Whether an integer goes up by one from lane to lane.
    fn follows(&self, e: &Expr) -> bool {
        match &e.node {
            Node::Var(var) => *var == self.var,
            Node::Arithmetic(Arithmetic::Add, a, b) => {
                self.follows(a) && !self.varying.differs(b)
                    || self.follows(b) && !self.varying.differs(a)
            }
            Node::Arithmetic(Arithmetic::Subtract, a, b) => {
                self.follows(a) && !self.varying.differs(b)
            }
            _ => false,
        }
    }

    /// An integer in the first lane, where the distance from the first iteration is 0.
    fn offset(&self, e: &Expr) -> Expr {
        match &e.node {
            Node::Arithmetic(Arithmetic::Subtract, a, b)
                if a.node == Node::Var(self.var) && Some(&**b) == self.first.as_ref() =>
            {
                Expr::int(e.ty, 0)
            }
            Node::Arithmetic(op @ (Arithmetic::Add | Arithmetic::Subtract), a, b) => {
                let (a, b) = (self.offset(a), self.offset(b));
                Expr::new(e.ty, Node::Arithmetic(*op, Box::new(a), Box::new(b)))
            }
            _ => e.clone(),
        }
    }
}
