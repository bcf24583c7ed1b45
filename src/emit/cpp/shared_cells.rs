//! A part of LANES under a condition → the same, with the cells that all lanes have in common read before it.

use super::lanes::Group;
use super::pieces::named;
use crate::emit::cuda::Printer;
use crate::emit::plan::{self, Act, Expr, Node, Stmt};
use std::collections::BTreeSet;

impl Printer<'_> {
    /// Prints what each lane of a group does by itself. Of cells that are the same for all lanes no
    /// vectors are read under a condition: they are read before, if some lane has it.
    pub(super) fn part_of_group(&mut self, part: &[&Stmt], group: &Group<'_>) {
        let Some((condition, cells)) = self.same_under_condition(part, group) else {
            return self.loop_over_lanes(part, group);
        };
        let any = self.extra("any");
        self.lines.open("{");
        self.lines.line(format!("bool {any} = false;"));
        let filter = Stmt {
            origin: part.first().map_or(0, |s| s.origin),
            act: Act::Filter(condition.clone()),
        };
        let named = named(&filter);
        let head = group.head();
        self.simd(
            &[&filter],
            |p| {
                p.of_lane(&named, &BTreeSet::new(), &BTreeSet::new(), group);
                let condition = p.any(condition);
                p.lines.line(format!("{any} |= {condition};"));
            },
            &head,
        );
        self.lines.open(format!("if ({any}) {{"));
        for cell in cells {
            let Node::Cell { array, .. } = &cell.node else {
                continue;
            };
            let mut name = self.extra(&format!("{}_here", self.name(*array)));
            while self.known.iter().any(|(_, known)| *known == name) {
                name.push('_');
            }
            let (ty, value) = (self.type_name(cell.ty), self.any(&cell));
            self.lines.line(format!("const {ty} {name} = {value};"));
            self.known.push((cell, name));
        }
        self.loop_over_lanes(part, group);
        self.known.clear();
        self.lines.close("}");
        self.lines.close("}");
    }

    /// The condition of a part that is one `IF`, and the cells in it that are the same for all lanes; none
    /// where there are none.
    fn same_under_condition<'a>(
        &self,
        part: &[&'a Stmt],
        group: &Group<'_>,
    ) -> Option<(&'a Expr, Vec<Expr>)> {
        let mut acts = part.iter().map(|s| &s.act);
        let mut acts = acts.by_ref().filter(|act| !matches!(act, Act::Comment(_)));
        let (Some(Act::If { condition, yes, no }), None) = (acts.next(), acts.next()) else {
            return None;
        };
        let mut own = BTreeSet::new();
        plan::each_statement(yes, &mut |s| {
            if let Act::Local { var, .. } = &s.act {
                own.insert(*var);
            }
        });
        let mut written = BTreeSet::new();
        plan::for_each_place(yes, &mut |var, _| {
            written.insert(var);
        });
        let mut cells: Vec<Expr> = Vec::new();
        // What stands under a further condition may be out of range there.
        for stmt in yes.iter().filter(|s| !matches!(s.act, Act::If { .. })) {
            plan::each_expression(std::slice::from_ref(stmt), &mut |e| {
                let Node::Cell { array, .. } = &e.node else {
                    return;
                };
                let mut same = !written.contains(array);
                plan::expressions(e, &mut |e| match &e.node {
                    Node::Var(var) => {
                        same &= !group.varying.contains(var) && !own.contains(var);
                    }
                    Node::Cell { array, .. } => same &= !written.contains(array),
                    _ => {}
                });
                if same && !cells.contains(e) {
                    cells.push(e.clone());
                }
            });
        }
        let lazy = yes.iter().any(has_choice);
        let varies = {
            let mut found = false;
            plan::expressions(condition, &mut |e| {
                found |= matches!(e.node, Node::Var(v) if group.varying.contains(&v));
            });
            found
        };
        (varies && no.is_empty() && !lazy && !cells.is_empty()).then_some((condition, cells))
    }
}

/// Whether something in a statement is computed only where another value says so.
fn has_choice(stmt: &Stmt) -> bool {
    let mut found = matches!(stmt.act, Act::If { .. });
    plan::each_expression(std::slice::from_ref(stmt), &mut |e| {
        found |= matches!(e.node, Node::Select(..) | Node::And(..) | Node::Or(..));
    });
    found
}
