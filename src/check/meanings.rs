//! What is declared of basic operators and predicates: as checked schemes keep it, and beside what they mean.

use super::basic::{Declared, clauses};
use super::elaborate::Checker;
use super::scheme::{Basic, Code, Formal, Reached};
use crate::algebra::{Construct, Operator, Role, Sort, Stands, Type, declares, operator};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol};
use rustc_hash::FxHashSet;

/// Whether no list of cells tells of it, so that a meaning does without: what is seen in order, takes time or waits, and
/// work of a device.
fn is_not_listed(operator: &Operator<'_>) -> bool {
    match operator.stands() {
        Stands::InOrder => true,
        Stands::InKernel => !matches!(operator, Operator::Exchange(..)),
        Stands::Anywhere | Stands::OnHost | Stands::AsDeclared | Stands::Unknown => false,
    }
}

/// Whether a kernel does not do it in a meaning.
fn is_of_host(operator: &Operator<'_>) -> bool {
    operator.stands() == Stands::OnHost || matches!(operator, Operator::Array { .. })
}

impl Checker<'_> {
    /// A declaration as a checked scheme keeps it.
    pub(super) fn described(&self, term: Id) -> Option<(Symbol, Basic)> {
        let source = self.source;
        let phrase = source.as_text(source.arg(term, 0))?;
        let declared = self.basics.get(&phrase)?;
        let effects = self.declared_effects(declared);
        let formals = declared.formals.iter().enumerate().map(|(k, &name)| {
            let variable = declared.types.get(&name).copied();
            let dims = variable.map_or(&[][..], |v| source.args(source.arg(v, 2)));
            let own = |&d: &Id| {
                let size = source.as_atom(d)?;
                (!declared.formals.contains(&size)).then_some(size)
            };
            let ty = variable.and_then(|v| source.as_atom(source.arg(v, 1)));
            Formal {
                name,
                ty: ty.and_then(|ty| Type::named(ty, self.precision)),
                rank: dims.len(),
                extents: dims.iter().map(own).collect(),
                is_written: effects.assigns_formal[k],
            }
        });
        let formals: Vec<Formal> = formals.collect();
        let mut names: Vec<Symbol> = effects.names_data.iter().copied().collect();
        names.retain(|n| self.variables.get(n).is_some_and(|v| v.is_data()));
        names.sort_by_key(|n| self.variables.get_index_of(n));
        let codes = clauses(source, term, Construct::Code);
        let codes = codes.filter_map(|code| {
            let (target, text) = (source.arg(code, 0), source.arg(code, 1));
            Some(Code {
                target: source.as_atom(target)?,
                text: source.as_text(text)?,
                span: source.span(text),
            })
        });
        let extents = declared.extents(source);
        let reaches = declared
            .reads
            .iter()
            .chain(&declared.writes)
            .filter_map(|&part| {
                let root = super::phrases::root_name(source, part)?;
                // Parameters keep their values, whatever stands for them.
                let is_own = |name: &Symbol| {
                    let role = self.variables.get(name).map(|v| &v.role);
                    !matches!(role, Some(super::Role::Parameter { .. }))
                        && !declared.formals.contains(name)
                        && !extents.contains(name)
                };
                Some(Reached {
                    root,
                    argument: declared.formals.iter().position(|&f| f == root),
                    names: crate::algebra::names(source, part).filter(is_own).collect(),
                })
            });
        let reaches = reaches.collect();
        let basic = Basic {
            reaches,
            phrase,
            is_test: declared.definition.is_test,
            formals,
            names,
            has_meaning: declared.has_meaning,
            means_for_kernels: declared.has_meaning
                && self
                    .first_in(declared.definition.body, is_of_host)
                    .is_none(),
            is_shown: declared.has_meaning && self.is_shown(declared),
            codes: codes.collect(),
            span: declared.definition.span,
        };
        Some((phrase, basic))
    }

    /// Whether every cell that a meaning names is one that is listed, or is of an array that is listed as a whole; what
    /// it names at all is compared by [`Checker::check_meanings`].
    fn is_shown(&self, declared: &Declared) -> bool {
        let source = self.source;
        // Subscripts are those before the operator; in what it means, their names must be the same all the time.
        let changed = self.changed_in(declared.definition.body);
        let fixed = |cell: Id| {
            let subscripts = source.args(cell).iter().skip(1);
            let mut names = subscripts.flat_map(|&s| crate::algebra::names(source, s));
            names.all(|name| !changed.contains(&name))
        };
        let is_call = |id: Id| {
            let construct = source.functor(id).and_then(Construct::of);
            matches!(construct, Some(Construct::Call | Construct::Test))
        };
        if source.subterms(declared.definition.body).any(is_call) {
            return false;
        }
        let is_listed = |id: Id, list: &[Id]| {
            let root = super::phrases::root_name(source, id);
            let of_root = |&&part: &&Id| super::phrases::root_name(source, part) == root;
            let mut fitting = list.iter().filter(of_root).peekable();
            fitting.peek().is_none()
                || fitting.any(|&part| {
                    source.as_atom(part).is_some() || source.equal(part, id) && fixed(id)
                })
        };
        let (mut read, mut written) = (Vec::new(), Vec::new());
        self.cells_in(declared.definition.body, &mut read, &mut written);
        read.iter().all(|&cell| is_listed(cell, &declared.reads))
            && written
                .iter()
                .all(|&cell| is_listed(cell, &declared.writes))
    }

    /// The cells that an operator or an expression may read, and those that it may write.
    fn cells_in(&self, id: Id, read: &mut Vec<Id>, written: &mut Vec<Id>) {
        let source = self.source;
        let is_cell = |id: Id| source.functor(id) == Some(Construct::Index.symbol());
        if is_cell(id) {
            read.push(id);
        }
        let is_assigned = matches!(operator(source, id), Some(Operator::Assign { .. }));
        let info = source
            .functor(id)
            .and_then(Construct::of)
            .map(Construct::info);
        for (i, &part) in source.args(id).iter().enumerate() {
            let role = info.and_then(|info| info.role(i));
            if !role.is_some_and(Role::is_written) {
                self.cells_in(part, read, written);
                continue;
            }
            let mut target = part;
            while !is_cell(target) && source.arity(target) > 0 {
                target = source.arg(target, 0);
            }
            if !is_cell(target) {
                continue;
            }
            written.push(target);
            if !is_assigned {
                read.push(target);
            }
            for &subscript in source.args(target) {
                self.cells_in(subscript, read, written);
            }
        }
    }

    /// The first operator in a body, or in what it calls, of which something holds.
    fn first_in(&self, body: Id, holds: fn(&Operator<'_>) -> bool) -> Option<Id> {
        let source = self.source;
        let is_one = |&id: &Id| operator(source, id).is_some_and(|o| holds(&o));
        let mut seen: FxHashSet<Symbol> = FxHashSet::default();
        let mut left = vec![body];
        while let Some(body) = left.pop() {
            if let Some(found) = source.subterms(body).find(is_one) {
                return Some(found);
            }
            for callee in self.calls(body) {
                let defined = self.definitions.get(&callee).copied();
                let declared = self.basics.get(&callee).filter(|b| b.has_meaning);
                let next = defined.or(declared.map(|b| b.definition));
                let next = next.filter(|d| !d.is_cyclic() && seen.insert(callee));
                left.extend(next.map(|d| d.body));
            }
        }
        None
    }

    /// The names that an operator or a predicate binds or assigns.
    fn changed_in(&self, body: Id) -> FxHashSet<Symbol> {
        let source = self.source;
        let mut changed = FxHashSet::default();
        for id in source.subterms(body) {
            let Some(construct) = source.functor(id).and_then(Construct::of) else {
                continue;
            };
            for (i, &part) in source.args(id).iter().enumerate() {
                use Role::{Binder, Declared, Target, Updated};
                if let Some(Binder | Declared | Target | Updated) = construct.info().role(i) {
                    changed.extend(super::phrases::root_name(source, part));
                }
            }
        }
        changed
    }

    /// Compares what is declared with what meanings name: they read and write what is listed, and nothing else.
    pub(super) fn check_meanings(&mut self) {
        let with_meaning: Vec<(Symbol, Declared)> = self
            .basics
            .iter()
            .filter(|(_, declared)| declared.has_meaning)
            .map(|(&name, declared)| (name, declared.clone()))
            .collect();
        for (name, declared) in with_meaning {
            if let Some(found) = self.first_in(declared.definition.body, is_not_listed) {
                let what = self.source.functor(found).map_or("this", Symbol::as_str);
                self.report(
                    Diagnostic::error(
                        "E0226",
                        format!("the meaning of \"{name}\" has {what}, of which no list tells"),
                    )
                    .at(self.source.span(found))
                    .also(declared.definition.span, "declared here")
                    .hint("a meaning computes with what it reads and writes; put this into the scheme"),
                );
            }
            let roots = |list: &[Id]| -> FxHashSet<Symbol> {
                let root = |&part: &Id| super::phrases::root_name(self.source, part);
                list.iter().filter_map(root).collect()
            };
            let (reads, writes) = (roots(&declared.reads), roots(&declared.writes));
            for callee in self.calls(declared.definition.body) {
                self.effects_of(callee);
            }
            let extents = declared.extents(self.source);
            let mut found = Named::default();
            self.named(declared.definition.body, &mut Vec::new(), &mut found);
            let lists = [
                (found.written, &writes, "writes", "WRITES"),
                (found.read, &reads, "reads", "READS"),
            ];
            for (named, listed, does, list) in lists {
                let missing = named.into_iter().filter(|(n, _)| {
                    let of_caller = declared.formals.contains(n)
                        || self.variables.get(n).is_some_and(|v| {
                            v.is_data() && !matches!(v.role, super::Role::Parameter { .. })
                        });
                    // A value that is passed is known to whoever passes it.
                    let value = list == "READS" && self.is_value(&declared, *n);
                    of_caller && !value && !listed.contains(n) && !extents.contains(n)
                });
                let missing: Vec<(Symbol, Id)> = missing.collect();
                for (variable, place) in missing {
                    self.report(
                        Diagnostic::error(
                            "E0226",
                            format!("the meaning of \"{name}\" {does} `{variable}`, which its {list} does not list"),
                        )
                        .at(self.source.span(place))
                        .also(declared.definition.span, "declared here")
                        .hint(format!("list it after {list}: what is derived rests on that")),
                    );
                }
            }
        }
    }

    /// Whether an argument is a single value that is only read: by its type or, without one, as it has no subscripts in
    /// what it means and is not passed on.
    fn is_value(&self, declared: &Declared, name: Symbol) -> bool {
        let source = self.source;
        let root = |&part: &Id| super::phrases::root_name(source, part);
        if !declared.formals.contains(&name)
            || declared.writes.iter().any(|part| root(part) == Some(name))
        {
            return false;
        }
        if let Some(&variable) = declared.types.get(&name) {
            return source.arity(source.arg(variable, 2)) == 0;
        }
        source.subterms(declared.definition.body).all(|id| {
            let args = source.args(id);
            let is_name = |&part: &Id| source.as_atom(part) == Some(name);
            match source.functor(id).and_then(Construct::of) {
                Some(Construct::Index) => !args.first().is_some_and(is_name),
                Some(Construct::Call | Construct::Test) => !args.iter().any(is_name),
                _ => true,
            }
        })
    }

    /// What is told of a use whose declaration is not there.
    pub(super) fn not_declared(&mut self, phrase: Symbol, id: Id) {
        self.report(
            Diagnostic::error("E0224", format!("nothing declares \"{phrase}\" any more"))
                .at(self.source.span(id)),
        );
    }

    /// What an operator or an expression reads and writes, as far as it does not declare it.
    fn named(&self, id: Id, bound: &mut Vec<Symbol>, found: &mut Named) {
        let source = self.source;
        let args = source.args(id);
        let Some(construct) = source.functor(id).and_then(Construct::of) else {
            if let Some(name) = source.as_atom(id).filter(|n| !bound.contains(n)) {
                found.read.push((name, id));
            }
            args.iter().for_each(|&a| self.named(a, bound, found));
            return;
        };
        let outer = bound.len();
        let info = construct.info();
        if matches!(construct, Construct::Call | Construct::Test) {
            self.named_by_call(id, bound, found);
            return;
        }
        for (i, &part) in args.iter().enumerate() {
            match info.role(i) {
                Some(Role::Target) => {
                    let root = super::phrases::root_name(source, part);
                    if let Some(name) = root.filter(|n| !bound.contains(n)) {
                        found.written.push((name, part));
                    }
                    // The subscripts of what is written are read.
                    let mut place = part;
                    while source.arity(place) > 0 {
                        source.args(place)[1..]
                            .iter()
                            .filter(|_| source.functor(place) == Some(Construct::Index.symbol()))
                            .for_each(|&s| self.named(s, bound, found));
                        place = source.arg(place, 0);
                    }
                }
                Some(Role::Updated) => {
                    if let Some(name) = source.as_atom(part).filter(|n| !bound.contains(n)) {
                        found.written.push((name, part));
                        found.read.push((name, part));
                    }
                }
                Some(Role::Binder | Role::Declared) => {}
                Some(role) if role.sort() == Sort::Operator => {
                    let binder = info.binds().and_then(|_| source.as_atom(args[0]));
                    bound.extend(binder.filter(|_| construct != Construct::Local));
                    let inner = bound.len();
                    self.named(part, bound, found);
                    if construct != Construct::Then {
                        bound.truncate(inner);
                    }
                    if construct == Construct::Then && declares(source, part) {
                        bound.extend(source.as_atom(source.arg(part, 0)));
                    }
                }
                Some(Role::Word | Role::Type | Role::Text) | None => {}
                Some(_) => self.named(part, bound, found),
            }
        }
        bound.truncate(outer);
    }

    /// What a phrase that is called reads and writes: what is passed, by what it does with that, and what it names.
    fn named_by_call(&self, id: Id, bound: &mut Vec<Symbol>, found: &mut Named) {
        let source = self.source;
        let args = source.args(id);
        let callee = args.first().and_then(|&n| source.as_text(n));
        let known = callee.and_then(|c| self.effects.get(&c)).cloned();
        for (k, &argument) in args.iter().skip(1).enumerate() {
            self.named(argument, bound, found);
            let assigns = known
                .as_ref()
                .is_some_and(|e| e.assigns_formal.get(k) == Some(&true));
            let root = super::phrases::root_name(source, argument);
            if let Some(name) = root.filter(|n| assigns && !bound.contains(n)) {
                found.written.push((name, argument));
            }
        }
        if let Some(effects) = known {
            let read = effects.names_data.iter().map(|&n| (n, id));
            found.read.extend(read.clone());
            found
                .written
                .extend(effects.assigns_data.iter().map(|&n| (n, id)));
        }
    }
}

/// What an operator reads and writes, with places.
#[derive(Default)]
struct Named {
    read: Vec<(Symbol, Id)>,
    written: Vec<(Symbol, Id)>,
}
