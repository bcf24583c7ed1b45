//! The checks of indivisible actions.

use super::elaborate::Checker;
use super::scheme::Role;
use crate::algebra::{Atomic, Construct, Type, names};
use crate::diagnostic::Diagnostic;
use crate::term::Id;

impl Checker<'_> {
    /// `ATOMIC target += value`, or with a minimum or maximum.
    pub(super) fn atomic(&mut self, id: Id, op: Atomic, target: Id, value: Id) -> Id {
        let new_target = self.target(target);
        let new_value = self.expression(value);
        let ty = self.type_of(new_target);
        let (fits, hint) = match op {
            Atomic::Add => (ty != Type::Bool, "numbers and vectors can be added to"),
            Atomic::Min | Atomic::Max => (
                ty != Type::Bool && !ty.is_vector(),
                "numbers can, and so can the components of vectors",
            ),
        };
        if !fits {
            self.report(
                Diagnostic::error(
                    "E0203",
                    format!("{} cannot be {} atomically", self.name_of(ty), op.done()),
                )
                .at(self.source.span(target))
                .hint(hint),
            );
        }
        self.expect_assignable(new_value, ty, value);
        self.make(op.construct(), &[new_target, new_value], Type::Unknown, id)
    }

    /// `ATOMIC target += value WAS was`.
    pub(super) fn fetch_add(&mut self, id: Id, target: Id, value: Id, was: Id) -> Id {
        let new_target = self.target(target);
        let new_value = self.expression(value);
        let new_was = self.target(was);
        let ty = self.type_of(new_target);
        if ty == Type::Bool || ty.is_vector() {
            let what = format!("{} has no value from before", self.name_of(ty));
            let hint = "of numbers, and of the components of vectors, WAS gives it";
            let error = Diagnostic::error("E0203", what);
            self.report(error.at(self.source.span(target)).hint(hint));
        }
        self.expect_assignable(new_value, ty, value);
        if !self.is_open_term(new_was) {
            self.gets_value_before([new_target, new_value], new_was, ty, was);
        }
        let parts = [new_target, new_value, new_was];
        self.make(Construct::FetchAdd, &parts, Type::Unknown, id)
    }

    /// What gets the value from before is a LOCAL of the number's type that nothing else in the operator names.
    fn gets_value_before(&mut self, others: [Id; 2], was: Id, ty: Type, place: Id) {
        let local = self.terms.as_atom(was).filter(|name| {
            let variable = self.variables.get(name);
            variable.is_some_and(|v| v.role == Role::Local)
        });
        let of_type = self.type_of(was) == ty || ty == Type::Unknown;
        let named = |e: Id| names(&self.terms, e).any(|name| Some(name) == local);
        let wrong = match local {
            None => Some("the value from before is given to a LOCAL".to_owned()),
            Some(_) if !of_type => Some(format!(
                "the value from before is a value of {}, and this is of another type",
                self.name_of(ty)
            )),
            Some(_) if others.into_iter().any(named) => {
                Some("what gets the value from before is named before WAS".to_owned())
            }
            Some(_) => None,
        };
        if let Some(wrong) = wrong {
            let hint = "declare one: LOCAL k : INTEGER := 0; ATOMIC n += 1 WAS k";
            let error = Diagnostic::error("E0205", wrong);
            self.report(error.at(self.source.span(place)).hint(hint));
        }
    }
}
