//! Statements of LANES: over all lanes, or over those of a mask.

use super::super::expression::level;
use super::super::printer::Access;
use super::super::varying::scalar_of;
use super::Body;
use super::expression::is_total_after;
use crate::algebra::COMPONENTS;
use crate::algebra::Type;
use crate::emit::plan::{Act, Arithmetic, Expr, Node, Stmt, Var};

impl Body<'_, '_> {
    fn line(&mut self, text: String) {
        self.p.lines.line(text);
    }

    /// Prints statements; none where one cannot be vectorized.
    pub(super) fn block(&mut self, body: &[Stmt]) -> Option<()> {
        for stmt in body {
            let outer = self.p.lines.set_origin(Some(stmt.origin));
            self.statement(stmt)?;
            self.p.lines.set_origin(outer);
        }
        Some(())
    }

    fn statement(&mut self, stmt: &Stmt) -> Option<()> {
        match &stmt.act {
            Act::Local { var, value } if self.varying.vars.contains(var) => self.local(*var, value),
            Act::Assign { target, value } => self.assign(target, value),
            Act::If { condition, yes, no } if self.varying.differs(condition) => {
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
            Act::While { condition, body } if self.varying.differs(condition) => {
                let here = self.mask_name();
                let start = match &self.here {
                    Some(outer) => outer.clone(),
                    None => "R::mask(|_| true)".into(),
                };
                self.line(format!("let mut {here} = {start};"));
                self.p.lines.open("loop {");
                let outer = self.here.replace(here.clone());
                for (k, part) in conjuncts(condition).into_iter().enumerate() {
                    self.leave(&here, part, k > 0)?;
                }
                let any = self.any(&here);
                self.p.lines.open(format!("if !{any} {{"));
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
                if self.varying.parts(stmt) {
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
            Type::I32 if self.is_whole(var) => self.integers(value, level::ANY)?,
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
        let Some(var) = scalar_of(target) else {
            return self.store(target, value);
        };
        if !self.varying.vars.contains(&var) {
            self.p.assign(target, value);
            return Some(());
        }
        let name = self.p.name(var);
        match target.ty {
            Type::I32 => self.count(var, value)?,
            Type::I64 if let Some((op, term)) = long_sum(var, value) => {
                self.add_to_long(&name, op, term)?;
            }
            Type::I64 => {
                let (lane, lanes) = (self.p.extra("lane"), self.lanes);
                let value = self.in_lane(value, &lane)?;
                self.p.lines.open(format!("for {lane} in 0..{lanes} {{"));
                let text = match self.here.clone() {
                    Some(here) => {
                        let has = self.has(&here, &lane);
                        format!("if {has} {{ {name}[{lane}] = {value}; }}")
                    }
                    None => format!("{name}[{lane}] = {value};"),
                };
                self.line(text);
                self.p.lines.close("}");
            }
            Type::Bool => {
                let least = match self.here {
                    Some(_) => level::PRODUCT,
                    None => level::ANY,
                };
                let value = self.mask(value, least)?;
                self.line(match &self.here {
                    Some(here) => format!("{name} = {here} & {value} | !{here} & {name};"),
                    None => format!("{name} = {value};"),
                });
            }
            ty => {
                let place = match &target.node {
                    Node::Component(_, k) => format!("{name}.{}", COMPONENTS[usize::from(*k)]),
                    _ => name,
                };
                let value = self.vector(value, level::ANY)?;
                let select = self.select(ty);
                self.line(match &self.here {
                    Some(here) => format!("{place} = {select}({here}, {value}, {place});"),
                    None => format!("{place} = {value};"),
                });
            }
        }
        Some(())
    }

    /// Assigns to a vector of integers.
    fn count(&mut self, var: Var, value: &Expr) -> Option<()> {
        let name = self.p.name(var);
        // Where a lane is elsewhere, a sum is its first part.
        let stays = match &value.node {
            Node::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, a, _) => {
                a.node == Node::Var(var)
            }
            _ => false,
        };
        let value = self.integers(value, level::ANY)?;
        self.line(match &self.here {
            Some(here) if !stays => {
                format!("{name} = R::Integers::select({here}, {value}, {name});")
            }
            _ => format!("{name} = {value};"),
        });
        Some(())
    }

    /// Adds integers of 32 bits to those of 64.
    fn add_to_long(&mut self, name: &str, op: Arithmetic, term: &Expr) -> Option<()> {
        let function = match op {
            Arithmetic::Add => "add_to",
            _ => "subtract_from",
        };
        self.p.uses.insert(function);
        let term = self.integers(term, level::ANY)?;
        let term = match &self.here {
            Some(here) => format!("R::Integers::select({here}, {term}, R::Integers::all(0))"),
            None => term,
        };
        self.line(format!("{function}(&mut {name}, {term});"));
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
        if !subscripts.iter().any(|s| self.varying.differs(s)) {
            return None;
        }
        let shared = self.p.access(*array) == Access::Shared;
        let (lane, count) = (self.p.extra("lane"), self.p.extra("count"));
        let guard = match self.here.clone() {
            Some(here) => format!("if {} ", self.has(&here, &lane)),
            None => String::new(),
        };
        if target.ty == Type::I32
            && self.has_whole(value)
            && let Some(cells) = self.neighbours(*array, subscripts)
        {
            let value = self.integers(value, level::POSTFIX)?;
            self.line(match shared {
                true => format!("{value}.store_shared(&{cells});"),
                false => format!("{value}.store_some(&mut {cells});"),
            });
            return Some(());
        }
        if target.ty.is_integer() || target.ty == Type::Bool {
            let value = match target.ty {
                Type::Bool => {
                    let mask = self.mask(value, level::POSTFIX)?;
                    self.has(&mask, &lane)
                }
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
        self.wide_methods(target.ty);
        let stored = match target.ty.components() {
            1 => cell.ty.is_real(),
            _ => !self.is_wide(target.ty),
        };
        if stored && let Some(cells) = self.neighbours(*array, subscripts) {
            let value = self.vector(value, level::POSTFIX)?;
            self.line(match shared {
                true => format!("{value}.store_shared(&{cells});"),
                false => format!("{value}.store_some(&mut {cells});"),
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
        if target.ty.components() == 1 && !self.is_wide(target.ty) {
            let text = self.vector(value, level::ANY)?;
            self.p.uses.insert("lanes_each");
            self.line(format!("each({text}, {count}, |{lane}, {number}| {put});"));
        } else {
            let text = self.vector(value, level::POSTFIX)?;
            self.line(format!("{text}.each({count}, |{lane}, {number}| {put});"));
        }
        Some(())
    }

    /// Takes the lanes out of a mask, which is where statements are, for which a condition does not
    /// hold; `rest`: where there may be none left, for which it may be an error.
    fn leave(&mut self, here: &str, condition: &Expr, rest: bool) -> Option<()> {
        if rest {
            let any = self.any(here);
            self.p.lines.open(format!("if {any} {{"));
        }
        let condition = self.mask(condition, level::PRODUCT)?;
        self.line(format!("{here} = {here} & {condition};"));
        if rest {
            self.p.lines.close("}");
        }
        Some(())
    }

    fn conditional(&mut self, condition: &Expr, yes: &[Stmt], no: &[Stmt]) -> Option<()> {
        let outer = self.here.clone();
        let least = match outer {
            Some(_) => level::PRODUCT,
            None => level::ANY,
        };
        let parts = conjuncts(condition);
        let text = self.mask(parts[0], least)?;
        let here = self.mask_name();
        let mutable = if parts.len() > 1 { "mut " } else { "" };
        self.line(match &outer {
            Some(outer) => format!("let {mutable}{here} = {outer} & {text};"),
            None => format!("let {mutable}{here} = {text};"),
        });
        self.here = Some(here.clone());
        for part in &parts[1..] {
            self.leave(&here, part, true)?;
        }
        if !yes.is_empty() {
            let any = self.any(&here);
            self.p.lines.open(format!("if {any} {{"));
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
            let any = self.any(&others);
            self.p.lines.open(format!("if {any} {{"));
            self.block(no)?;
            self.p.lines.close("}");
        }
        self.here = outer;
        Some(())
    }
}

/// What is added to an integer of 64 bits, or subtracted, where it is one of 32.
fn long_sum(var: Var, value: &Expr) -> Option<(Arithmetic, &Expr)> {
    let Node::Arithmetic(op @ (Arithmetic::Add | Arithmetic::Subtract), of, term) = &value.node
    else {
        return None;
    };
    match &term.node {
        Node::Convert(term) if of.node == Node::Var(var) && term.ty == Type::I32 => {
            Some((*op, term))
        }
        _ => None,
    }
}

/// The parts of a condition, each of which may be computed only where those before it hold.
fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match &condition.node {
        Node::And(a, b) if !is_total_after(b, a) => {
            let mut all = conjuncts(a);
            all.push(b);
            all
        }
        _ => vec![condition],
    }
}
