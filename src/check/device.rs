//! Checking what stands inside kernels only, or outside of them only.

use super::elaborate::Checker;
use super::scheme::{Role, Variable};
use crate::algebra::{Construct, Exchange, Type, text_of};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol, Terms};

/// Most elements of an array that a thread has to itself: more do not fit into registers.
const MOST_REGISTERS: i64 = 256;

/// Most cells of an ARRAY that a thread has to itself: a device has so much memory for each of its threads.
pub const MOST_PRIVATE: i64 = 1024;

/// How many cells an array of a thread has with these sizes; none if it cannot have it.
pub fn private_cells(terms: &Terms, dims: &[Id]) -> Option<i64> {
    let mut cells = 1i64;
    for &dim in dims {
        cells = cells.checked_mul(terms.as_int(dim).filter(|&n| n > 0)?)?;
    }
    (cells <= MOST_PRIVATE).then_some(cells)
}

impl Checker<'_> {
    /// An array of a kernel: its name, its type and its only size.
    pub(super) fn sized(
        &mut self,
        construct: Construct,
        role: Role,
        name: Symbol,
        size: Id,
        id: Id,
    ) -> Id {
        let source = self.source;
        let ty = self.named_type(source.arg(id, 1));
        let new = self.bound(size);
        let variable = Variable {
            ty,
            dims: vec![new],
            role,
            span: source.span(source.arg(id, 0)),
        };
        let unique = self.declare(name, variable);
        let arguments = [
            self.leaf(Head::Functor(unique), ty, source.arg(id, 0)),
            self.atom_of(source.arg(id, 1)),
            new,
        ];
        self.make(construct, &arguments, Type::Unknown, id)
    }

    /// Reports a size that is not a literal, or a large one.
    pub(super) fn literal_size(&mut self, size: Id) {
        let value = self.source.as_int(size);
        let fits = value.is_some_and(|n| (1..=MOST_REGISTERS).contains(&n));
        if fits || self.is_open_source(size) {
            return;
        }
        self.report(
            Diagnostic::error(
                "E0204",
                format!("the size of an array in registers is a number from 1 to {MOST_REGISTERS}"),
            )
            .at(self.source.span(size))
            .hint("larger arrays are arrays of DATA, with a part for each thread"),
        );
    }

    /// The role of an ARRAY in a kernel: each thread has one of its own. Reports sizes that are not
    /// literals, or large ones.
    pub(super) fn private(&mut self, dims: &[Id], written: Id) -> Role {
        let is_open = dims.iter().any(|&dim| self.is_open_term(dim));
        if private_cells(&self.terms, dims).is_none() && !is_open {
            self.report(
                Diagnostic::error(
                    "E0204",
                    format!("an array of a thread has from 1 to {MOST_PRIVATE} cells, as a number"),
                )
                .at(self.source.span(written))
                .hint("larger arrays are arrays of DATA, with a part for each thread"),
            );
        }
        Role::Registers
    }

    /// An exchange between the threads of a warp: its variables are LOCALs of numbers or vectors.
    /// Of none, it does nothing.
    pub(super) fn of_warp(&mut self, exchange: Exchange, names: &[Id], id: Id) -> Id {
        let construct = exchange.construct();
        let text = text_of(construct);
        let what = text.split(" (").next().unwrap_or(&text);
        self.kernel_only(id, what);
        let new: Vec<Id> = names.iter().map(|&n| self.target(n)).collect();
        for (&name, &given) in new.iter().zip(names) {
            let variable = self
                .terms
                .as_atom(name)
                .and_then(|n| self.variables.get(&n));
            if variable.is_none_or(|v| matches!(v.role, Role::Local | Role::Unknown)) {
                continue;
            }
            self.report(
                Diagnostic::error("E0205", format!("{what} exchanges LOCALs of a kernel"))
                    .at(self.source.span(given))
                    .hint("give a LOCAL the value first"),
            );
        }
        match new.is_empty() {
            true => self.make(Construct::Empty, &[], Type::Unknown, id),
            false => self.make(construct, &new, Type::Unknown, id),
        }
    }

    pub(super) fn memory(&mut self, construct: Construct, id: Id) -> Id {
        self.host_only(id, "device memory", false);
        let array = self.array_name(self.source.arg(id, 0));
        self.make(construct, &[array], Type::Unknown, id)
    }

    /// Reports an operator that stands in a kernel, or, at the host's level only, in PARALLEL.
    pub(super) fn host_only(&mut self, id: Id, what: &str, not_in_parallel: bool) {
        let place = if self.context.kernel {
            "a kernel"
        } else if self.context.parallel && not_in_parallel {
            "PARALLEL"
        } else {
            return;
        };
        self.report(
            Diagnostic::error("E0210", format!("{what} cannot stand inside {place}"))
                .at(self.source.span(id))
                .hint("move it out, before or after"),
        );
    }

    pub(super) fn kernel_only(&mut self, id: Id, what: &str) {
        if !self.context.kernel {
            self.report(
                Diagnostic::error("E0210", format!("{what} stands only inside a kernel"))
                    .at(self.source.span(id))
                    .hint("a kernel is RunKernel (blocks, threads) ( … )"),
            );
        }
    }
}
