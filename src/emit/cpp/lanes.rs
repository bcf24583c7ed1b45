//! LANES of a plan → loops over lanes that the compiler makes vector instructions of.
//!
//! A loop over lanes that holds another loop has no vectors: so what stands between the loops inside is
//! done for all lanes of a group, part by part, and loops that are the same for all lanes stand around
//! such parts. What a part has from another one is kept for each lane. Where a loop inside is not the
//! same for all lanes the iterations go in order, which they may, too.

use super::pieces::{Piece, Split, each_part, named};
use crate::emit::cuda::{Printer, is_below_largest, level};
use crate::emit::plan::{self, Act, Arithmetic, Expr, Node, Stmt, Var};
use std::collections::{BTreeMap, BTreeSet};

/// What is printed of a group.
pub(super) struct Group<'a> {
    var: Var,
    /// Variables that parts have from each other, with the names of what keeps them.
    kept: &'a BTreeMap<Var, String>,
    /// The names of the first iteration, of a lane, and of how many there are.
    first: &'a str,
    lane: &'a str,
    count: &'a str,
    /// Variables that may differ between lanes.
    pub(super) varying: &'a BTreeSet<Var>,
}

impl Group<'_> {
    /// The head of a loop over the lanes.
    pub(super) fn head(&self) -> String {
        let Group { lane, count, .. } = self;
        format!("for (int {lane} = 0; {lane} < {count}; ++{lane}) {{")
    }
}

impl Printer<'_> {
    /// Prints iterations side by side.
    pub(super) fn lanes(&mut self, stmt: &Stmt) {
        let Act::Lanes {
            var,
            from,
            to,
            lanes,
            varying,
            body,
        } = &stmt.act
        else {
            return;
        };
        let (var, lanes) = (*var, *lanes);
        let mut split = Split { varying, parts: 0 };
        let pieces = match self.keeps_outside(body) {
            true => split.pieces(body),
            false => None,
        };
        match pieces {
            None => self.count(var, from, to, None, body),
            Some(pieces) => match &pieces[..] {
                [Piece::Part(_, part)] if is_below_largest(to) => {
                    self.side_by_side(var, from, to, part);
                }
                _ => self.groups(var, [from, to], (lanes, varying), &pieces),
            },
        }
    }

    /// Whether statements assign no scalar that is declared outside of them.
    fn keeps_outside(&self, body: &[Stmt]) -> bool {
        let mut own = BTreeSet::new();
        plan::each_statement(body, &mut |s| {
            if let Act::Local { var, .. } = &s.act {
                own.insert(*var);
            }
        });
        let mut kept = true;
        plan::for_each_place(body, &mut |var, _| {
            kept &= self.is_array(var) || own.contains(&var);
        });
        kept
    }

    /// Prints a loop without loops inside it.
    fn side_by_side(&mut self, var: Var, from: &Expr, to: &Expr, part: &[&Stmt]) {
        let (name, ty) = (self.name(var), self.type_name(self.ty(var)));
        let (sign, end) = match &to.node {
            Node::Arithmetic(Arithmetic::Subtract, end, one) if one.node == Node::Int(1) => {
                ("<", &**end)
            }
            _ => ("<=", to),
        };
        let constant = self.is_constant(end);
        let from = self.any(from);
        let mut last = self.expr(end, level::SUM);
        if !constant {
            let end = self.extra(&format!("{name}_end"));
            self.lines.open("{");
            self.lines.line(format!("const {ty} {end} = {last};"));
            last = end;
        }
        let unread = !self.is_read(var);
        self.simd(
            part,
            |p| {
                if unread {
                    p.lines.line(format!("(void){name};"));
                }
                p.part(part);
            },
            &format!("for ({ty} {name} = {from}; {name} {sign} {last}; ++{name}) {{"),
        );
        if !constant {
            self.lines.close("}");
        }
    }

    fn part(&mut self, part: &[&Stmt]) {
        for stmt in part {
            let outer = self.lines.set_origin(Some(stmt.origin));
            self.statement(stmt);
            self.lines.set_origin(outer);
        }
    }

    /// Prints a loop over lanes, for vector instructions if nothing in it can end it.
    pub(super) fn simd(&mut self, part: &[&Stmt], print: impl FnOnce(&mut Self), head: &str) {
        let statements: Vec<Stmt> = part.iter().map(|s| (*s).clone()).collect();
        let (printed, fails) = self.apart(&statements, print);
        let mut adds = false;
        plan::each_statement(&statements, &mut |s| {
            adds |= matches!(s.act, Act::Atomic { .. });
        });
        if !fails && !adds {
            self.uses.insert("side_by_side");
            self.lines.line("SIDE_BY_SIDE");
        }
        self.lines.open(head);
        self.lines.append(printed);
        self.lines.close("}");
    }

    /// Prints a loop over groups of lanes.
    fn groups(
        &mut self,
        var: Var,
        [from, to]: [&Expr; 2],
        (lanes, varying): (u32, &BTreeSet<Var>),
        pieces: &[Piece<'_>],
    ) {
        self.uses.insert("lanes");
        let ty = self.type_name(self.ty(var));
        let (first, lane, count) = (
            self.extra("first_lane"),
            self.extra("lane"),
            self.extra("lanes"),
        );
        let whole = self.extra("group_of");
        let (from, to) = (self.any(from), self.any(to));
        self.lines.open(format!(
            "in_groups<{lanes}, {ty}>({from}, {to}, [&](const {ty} {first}, const auto {whole}) {{"
        ));
        self.lines.line(format!("const int {count} = {whole};"));
        let kept = self.kept(pieces);
        for (&var, keeper) in &kept {
            let ty = self.type_name(self.ty(var));
            self.lines.line(format!("InLanes<{ty}, {lanes}> {keeper};"));
        }
        let group = Group {
            var,
            kept: &kept,
            first: &first,
            lane: &lane,
            count: &count,
            varying,
        };
        self.pieces(pieces, &group);
        self.lines.close("});");
    }

    /// The variables that parts have from each other, with names for what keeps them.
    fn kept(&self, pieces: &[Piece<'_>]) -> BTreeMap<Var, String> {
        let mut parts: BTreeMap<Var, BTreeSet<usize>> = BTreeMap::new();
        let mut own = BTreeSet::new();
        each_part(pieces, &mut |number, part| {
            for stmt in part {
                if let Act::Local { var, .. } = &stmt.act {
                    own.insert(*var);
                }
                for var in named(stmt) {
                    parts.entry(var).or_default().insert(number);
                }
            }
        });
        let mut kept: BTreeMap<Var, String> = BTreeMap::new();
        for (var, parts) in parts {
            if own.contains(&var) && parts.len() > 1 {
                let mut name = self.extra(&format!("{}_in_lanes", self.name(var)));
                while kept.values().any(|n| *n == name) {
                    name.push('_');
                }
                kept.insert(var, name);
            }
        }
        kept
    }

    fn pieces(&mut self, pieces: &[Piece<'_>], group: &Group<'_>) {
        for piece in pieces {
            match piece {
                Piece::Part(_, part) => self.part_of_group(part, group),
                Piece::Once(stmt) => self.part(&[*stmt]),
                Piece::Loop(stmt, inner) => {
                    let outer = self.lines.set_origin(Some(stmt.origin));
                    match &stmt.act {
                        Act::For {
                            var,
                            from,
                            to,
                            step,
                            body,
                        } => {
                            let bounds = [Some(from), Some(to), step.as_ref()];
                            self.count_around(*var, bounds, body, &mut |p| {
                                p.pieces(inner, group);
                            });
                        }
                        Act::While { condition, .. } => {
                            let condition = self.any(condition);
                            self.lines.open(format!("while ({condition}) {{"));
                            self.pieces(inner, group);
                            self.lines.close("}");
                        }
                        _ => {}
                    }
                    self.lines.set_origin(outer);
                }
                Piece::If(condition, yes, no, origin) => {
                    let outer = self.lines.set_origin(Some(*origin));
                    let condition = self.any(condition);
                    self.lines.open(format!("if ({condition}) {{"));
                    self.pieces(yes, group);
                    if !no.is_empty() {
                        self.lines.turn("} else {");
                        self.pieces(no, group);
                    }
                    self.lines.close("}");
                    self.lines.set_origin(outer);
                }
            }
        }
    }

    /// Prints the number of a lane's iteration and what it has from other parts, as far as it is named.
    pub(super) fn of_lane(
        &mut self,
        named: &BTreeSet<Var>,
        declared: &BTreeSet<Var>,
        assigned: &BTreeSet<Var>,
        group: &Group<'_>,
    ) {
        let Group { first, lane, .. } = group;
        if named.contains(&group.var) {
            let (name, ty) = (self.name(group.var), self.type_name(self.ty(group.var)));
            self.lines
                .line(format!("const {ty} {name} = {first} + {lane};"));
        }
        let kept = group.kept.iter().filter(|(var, _)| named.contains(var));
        for (var, keeper) in kept.filter(|(var, _)| !declared.contains(var)) {
            let (name, ty) = (self.name(*var), self.type_name(self.ty(*var)));
            let constant = match assigned.contains(var) {
                true => "",
                false => "const ",
            };
            self.lines
                .line(format!("{constant}{ty} {name} = {keeper}[{lane}];"));
        }
    }

    pub(super) fn loop_over_lanes(&mut self, part: &[&Stmt], group: &Group<'_>) {
        let mut declared = BTreeSet::new();
        let (mut named, mut assigned) = (BTreeSet::new(), BTreeSet::new());
        for stmt in part {
            if let Act::Local { var, .. } = &stmt.act {
                declared.insert(*var);
            }
            named.extend(self::named(stmt));
            plan::for_each_place(std::slice::from_ref(*stmt), &mut |var, _| {
                assigned.insert(var);
            });
        }
        let head = group.head();
        self.simd(
            part,
            |p| {
                p.of_lane(&named, &declared, &assigned, group);
                p.part(part);
                for (var, keeper) in group.kept {
                    if declared.contains(var) || assigned.contains(var) {
                        let name = p.name(*var);
                        p.lines
                            .line(format!("{keeper}.set({}, {name});", group.lane));
                    }
                }
            },
            &head,
        );
    }
}
