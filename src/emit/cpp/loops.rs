//! What runs at once → C++: loops on all cores, branches, and what they wait for.

use crate::emit::cuda::{Printer, can_fail};
use crate::emit::plan::{self, Act, Expr, Node, Place, Stmt, Var};
use crate::emit::text::{Lines, comment};

impl Printer<'_> {
    /// Prints a statement that a host of several threads does in its own way; false where it is none.
    pub(in crate::emit) fn on_cores(&mut self, stmt: &Stmt) -> bool {
        match &stmt.act {
            Act::Parallel {
                var,
                from,
                to,
                body,
            } => self.parallel(*var, from, to, body),
            Act::Lanes { .. } => self.lanes(stmt),
            Act::Async(branches) => self.branches(branches),
            Act::ControlPoint(point) => self.point("meet", *point),
            Act::WaitPoint(point) => self.point("wait", *point),
            // Nothing is launched, so that nothing is recorded.
            Act::Recorded { body, .. } => self.block(body),
            _ => return false,
        }
        true
    }

    fn parallel(&mut self, var: Var, from: &Expr, to: &Expr, body: &[Stmt]) {
        self.uses.insert("parallel");
        let (ty, name) = (self.type_name(self.ty(var)), self.name(var));
        let (from, to) = (self.any(from), self.any(to));
        let unread = match self.is_read(var) {
            true => "",
            false => "[[maybe_unused]] ",
        };
        let (printed, fails) = self.apart(body, |p| {
            let outer = std::mem::replace(&mut p.beside, true);
            p.block(body);
            p.beside = outer;
        });
        let quiet = if fails { "" } else { " noexcept" };
        self.lines.open(format!(
            "parallel<{ty}>({from}, {to}, [&]({unread}const {ty} {name}){quiet} {{"
        ));
        self.lines.append(printed);
        self.lines.close("});");
    }

    fn branches(&mut self, branches: &[Vec<Stmt>]) {
        let call = match self.plan.points.is_empty() {
            true => {
                self.uses.insert("branches");
                "branches".to_owned()
            }
            false => format!("{}.branches", self.points_name()),
        };
        let outer = std::mem::replace(&mut self.beside, true);
        self.lines.open(format!("{call}({{"));
        for branch in branches {
            self.lines.open("[&] {");
            self.block(branch);
            self.lines.close("},");
        }
        self.lines.close("});");
        self.beside = outer;
    }

    fn point(&mut self, does: &str, point: usize) {
        let (points, name) = (self.points_name(), comment(&self.plan.points[point]));
        self.lines
            .line(format!("{points}.{does}({point});  // {name}"));
    }

    /// Prints something by itself, one level deeper, and says whether the statements can meet an error.
    pub(super) fn apart(&mut self, body: &[Stmt], print: impl FnOnce(&mut Self)) -> (Lines, bool) {
        let mut inner = self.lines.inner();
        inner.open_silently();
        let outer = std::mem::replace(&mut self.lines, inner);
        let uses = std::mem::take(&mut self.uses);
        print(self);
        let printed = std::mem::replace(&mut self.lines, outer);
        let mut fails = can_fail(&self.uses);
        self.uses.extend(uses);
        plan::each_statement(body, &mut |s| {
            fails |= match &s.act {
                // There may be no memory.
                Act::Array { var, .. } => self.plan.var(*var).place != Place::Registers,
                Act::Async(_) | Act::WaitPoint(_) | Act::ControlPoint(_) => true,
                Act::Report { .. } | Act::Save(_) | Act::Ask => true,
                // Nothing is known of the code of basic operators and predicates.
                Act::Perform { .. } => true,
                // Arithmetic and subscripts are looked for in what is printed.
                Act::Comment(_)
                | Act::Local { .. }
                | Act::Assign { .. }
                | Act::Atomic { .. }
                | Act::If { .. }
                | Act::While { .. }
                | Act::For { .. }
                | Act::Parallel { .. }
                | Act::Lanes { .. }
                | Act::WaitDevice
                | Act::Filter(_)
                | Act::Undefined
                | Act::Timed(_)
                | Act::Recorded { .. }
                | Act::Launch { .. }
                | Act::Registers(_)
                | Act::Row { .. }
                | Act::Exchange(..)
                | Act::Barrier
                | Act::Allocate { .. }
                | Act::CopyToDevice(_)
                | Act::CopyFromDevice(_)
                | Act::Result(_)
                | Act::OnHost { .. }
                | Act::Free(_) => false,
            };
        });
        plan::each_expression(body, &mut |e| fails |= matches!(e.node, Node::Holds { .. }));
        (printed, fails)
    }
}
