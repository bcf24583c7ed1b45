//! The checks of indivisible actions.

use super::elaborate::Checker;
use super::scheme::Role;
use crate::algebra::{Atomic, Type, names};
use crate::diagnostic::Diagnostic;
use crate::term::Id;

impl Checker<'_> {
    /// `ATOMIC target += value`, or with a minimum or maximum; `WAS was` after it.
    pub(super) fn atomic(
        &mut self,
        id: Id,
        op: Atomic,
        [target, value]: [Id; 2],
        was: Option<Id>,
    ) -> Id {
        let new_target = self.target(target);
        let new_value = self.expression(value);
        let new_was = was.map(|was| self.target(was));
        let ty = self.type_of(new_target);
        self.expect_changeable(op, ty, was.is_some(), target);
        self.expect_assignable(new_value, ty, value);
        let mut parts = vec![new_target, new_value];
        if let (Some(was), Some(new_was)) = (was, new_was) {
            if !self.is_open_term(new_was) {
                self.gets_value_before([new_target, new_value], new_was, ty, was);
            }
            parts.push(new_was);
        }
        let construct = match was {
            Some(_) => op.with_value_before(),
            None => Some(op.construct()),
        };
        let construct = construct.expect("it was read from a construct");
        self.make(construct, &parts, Type::Unknown, id)
    }

    /// Reports a target of a type that cannot be changed so, or has no value from before to give.
    fn expect_changeable(&mut self, op: Atomic, ty: Type, gives: bool, target: Id) {
        let is_number = ty != Type::Bool && !ty.is_vector();
        let (fits, what, hint) = match op {
            _ if gives => (
                is_number,
                format!("{} has no value from before", self.name_of(ty)),
                "of numbers, and of the components of vectors, WAS gives it",
            ),
            Atomic::Add => (
                ty != Type::Bool,
                format!("{} cannot be {} atomically", self.name_of(ty), op.done()),
                "numbers and vectors can be added to",
            ),
            Atomic::Min | Atomic::Max => (
                is_number,
                format!("{} cannot be {} atomically", self.name_of(ty), op.done()),
                "numbers can, and so can the components of vectors",
            ),
        };
        if !fits {
            let error = Diagnostic::error("E0203", what);
            self.report(error.at(self.source.span(target)).hint(hint));
        }
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
