//! Outlines without DATA: what is declared of basic operators tells what they work on.
//!
//! An outline can so be derived before anybody says what its variables are. What an operator names with subscripts is an
//! array; where a subscript is an argument that is passed the variable of a loop from 0 to `N - 1`, its size is `N`. Names
//! in bounds of loops are INTEGERs that keep their values. Nothing is known of types.

use super::elaborate::Checker;
use super::scheme::{Role, Variable};
use crate::algebra::{Binary, Expr, Operator, Type, bound, expr, names, operator};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// The sizes of arrays, as far as they are known, with a place where each is named.
type Arrays = IndexMap<Symbol, (Vec<Option<Symbol>>, Id), FxBuildHasher>;

impl Checker<'_> {
    /// Declares what a scheme without DATA works on, as far as its basic operators tell it.
    pub(super) fn infer_data(&mut self, body: Id) {
        if self.has_data || self.basics.is_empty() {
            return;
        }
        let source = self.source;
        let defined = self.definitions.values().filter(|d| !d.is_cyclic());
        let defined = defined.map(|d| d.body);
        let bodies: Vec<Id> = std::iter::once(body).chain(defined).collect();
        let own: FxHashSet<Symbol> = bodies
            .iter()
            .flat_map(|&body| source.subterms(body))
            .filter_map(|id| bound(source, id))
            .collect();
        self.refuse_captured(&own);
        let mut arrays = Arrays::default();
        let mut loops: Vec<(Symbol, Id, Id)> = Vec::new();
        self.uses(body, &mut loops, &mut arrays);
        let mut scalars: Vec<(Symbol, Id)> = Vec::new();
        for id in source.subterms(body) {
            if let Some(Operator::For { from, to, .. }) = operator(source, id) {
                let all = [from, to].into_iter().flat_map(|e| names(source, e));
                scalars.extend(all.map(|name| (name, to)));
            }
        }
        for (name, place) in scalars {
            let is_new = !own.contains(&name) && !arrays.contains_key(&name);
            if is_new && self.variables.get(&name).is_none() {
                self.inferred(name, Type::I32, Vec::new(), false, place);
            }
        }
        for (name, (extents, place)) in arrays {
            if own.contains(&name) || self.variables.contains_key(&name) {
                continue;
            }
            let unknown = Symbol::new(&format!("{name}_extent"));
            let dims = extents.iter().map(|extent| {
                let ty = if extent.is_some() {
                    Type::I32
                } else {
                    Type::Unknown
                };
                self.leaf(Head::Functor(extent.unwrap_or(unknown)), ty, place)
            });
            let dims = dims.collect();
            self.inferred(name, Type::Unknown, dims, true, place);
        }
    }

    /// What an operator names is a variable of the scheme, whatever a loop around its use calls its own: without DATA,
    /// nothing says so.
    fn refuse_captured(&mut self, own: &FxHashSet<Symbol>) {
        let source = self.source;
        let mut found: Vec<(Symbol, Symbol, Id)> = Vec::new();
        for (&phrase, declared) in &self.basics {
            let extents = declared.extents(source);
            for &part in declared.reads.iter().chain(&declared.writes) {
                let captured = names(source, part).find(|name| {
                    own.contains(name)
                        && !declared.formals.contains(name)
                        && !extents.contains(name)
                });
                found.extend(captured.map(|name| (phrase, name, part)));
            }
        }
        for (phrase, name, part) in found {
            let message = format!(
                "\"{phrase}\" names `{name}`, which is no argument, and a loop or a LOCAL has that name"
            );
            let hint = format!("pass it: write ({name}) in the phrase; or declare it in DATA");
            let at = source.span(part);
            self.report(Diagnostic::error("E0224", message).at(at).hint(hint));
        }
    }

    fn inferred(&mut self, name: Symbol, ty: Type, dims: Vec<Id>, output: bool, place: Id) {
        self.fresh(name);
        let variable = Variable {
            ty,
            dims,
            role: Role::Data {
                input: true,
                output,
                values: Vec::new(),
            },
            span: self.source.span(place),
        };
        self.variables.insert(name, variable);
    }

    /// The arrays that the basic operators in an operator name, with sizes as the loops around say them.
    fn uses(&self, id: Id, loops: &mut Vec<(Symbol, Id, Id)>, arrays: &mut Arrays) {
        let source = self.source;
        match operator(source, id) {
            Some(Operator::For {
                var,
                from,
                to,
                body,
                ..
            }) => {
                loops.push((var, from, to));
                self.uses(body, loops, arrays);
                loops.pop();
            }
            Some(
                Operator::Call { phrase, arguments }
                | Operator::Perform {
                    phrase, arguments, ..
                },
            ) => {
                let Some((name, arguments)) = self.declared(phrase, arguments) else {
                    return;
                };
                let declared = &self.basics[&name];
                for &part in declared.reads.iter().chain(&declared.writes) {
                    let Some(Expr::Index { array, subscripts }) = expr(source, part) else {
                        continue;
                    };
                    if declared.formals.contains(&array) {
                        continue;
                    }
                    let (extents, _) = arrays
                        .entry(array)
                        .or_insert_with(|| (vec![None; subscripts.len()], part));
                    for (extent, &subscript) in extents.iter_mut().zip(subscripts) {
                        let passed = source.as_atom(subscript).and_then(|name| {
                            let place = declared.formals.iter().position(|&f| f == name)?;
                            source.as_atom(*arguments.get(place)?)
                        });
                        let of_loop = passed.and_then(|var| {
                            let around = loops.iter().rev().find(|(v, ..)| *v == var)?;
                            self.count(around.1, around.2)
                        });
                        *extent = extent.or(of_loop);
                    }
                }
            }
            Some(_) => {
                for &part in source.args(id) {
                    self.uses(part, loops, arrays);
                }
            }
            None => {}
        }
    }

    /// `N` of a loop from 0 to `N - 1`.
    fn count(&self, from: Id, to: Id) -> Option<Symbol> {
        let source = self.source;
        match expr(source, to)? {
            Expr::Binary {
                op: Binary::Minus,
                left,
                right,
            } if source.as_int(from) == Some(0) && source.as_int(right) == Some(1) => {
                source.as_atom(left)
            }
            _ => None,
        }
    }
}
