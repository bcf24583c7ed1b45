//! What may stand where a type is wanted: conversions of numbers and literals.

use super::elaborate::Checker;
use crate::algebra::Type;
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id};

impl Checker<'_> {
    /// Reports an expression that is not an integer.
    pub(super) fn expect_integer(&mut self, new: Id, from: Id, what: &str) {
        self.want(new, "INTEGER");
        let ty = self.type_of(new);
        if !ty.is_integer() && ty != Type::Unknown {
            self.report(
                Diagnostic::error(
                    "E0203",
                    format!("{what} is an integer, and this is {}", self.name_of(ty)),
                )
                .at(self.source.span(from))
                .hint("int, floor, ceil and round make integers of reals"),
            );
        }
    }

    /// Reports an expression that is not a number.
    pub(super) fn expect_number(&mut self, new: Id, from: Id, what: &str) {
        let ty = self.type_of(new);
        if !ty.is_number() && ty != Type::Unknown {
            self.report(
                Diagnostic::error(
                    "E0203",
                    format!("{what} is a number, and this is {}", self.name_of(ty)),
                )
                .at(self.source.span(from)),
            );
        }
    }

    /// Reports a value that cannot be stored where `target` is wanted. Literals take its type.
    pub(super) fn expect_assignable(&mut self, new: Id, target: Type, from: Id) {
        self.want(new, self.name_of(target));
        self.adapt(new, target);
        let ty = self.type_of(new);
        let zero = matches!(self.terms.head(new), Head::Int(0))
            || matches!(self.terms.head(new), Head::Real(x) if x == 0.0);
        if ty.widens_to(target) || zero && matches!(target, Type::Vector(..)) {
            return;
        }
        let hint = match (ty, target) {
            (a, b)
                if b.widens_to(a) && a.component() == Type::F64 && b.component() == Type::F32 =>
            {
                "real32(…) rounds to 32 bits".to_owned()
            }
            (a, Type::I32 | Type::I64) if a.is_real() => {
                "int, floor, ceil or round make it an integer".to_owned()
            }
            (Type::I64, Type::I32) => "int(…) makes it an INTEGER".to_owned(),
            (a, Type::Vector(..)) if a.is_number() => {
                "vector(x, y, z) makes a vector; 0 alone may stand for the zero vector".to_owned()
            }
            (Type::Vector(..), b) if b.is_number() => {
                "norm(v) or a component v.x is a number".to_owned()
            }
            _ => format!("{} is wanted here", self.name_of(target)),
        };
        self.report(
            Diagnostic::error(
                "E0203",
                format!(
                    "{} cannot be stored as {}",
                    self.name_of(ty),
                    self.name_of(target)
                ),
            )
            .at(self.source.span(from))
            .label(self.name_of(ty))
            .hint(hint),
        );
    }

    /// Whether all integers of a literal are of 32 bits.
    pub(super) fn fits_in_32_bits(&self, id: Id) -> bool {
        let mut all = self.terms.subterms(id).filter_map(|t| self.terms.as_int(t));
        all.all(|i| i32::try_from(i).is_ok())
    }

    /// Gives literals, and vectors of literals, the type that is wanted, if they can have it.
    pub(super) fn adapt(&mut self, id: Id, target: Type) {
        let target = target.component();
        let ty = self.type_of(id);
        if ty.is_vector() {
            if ty.component() == target || !target.is_real() || !self.is_literal(id) {
                return;
            }
            self.set_type(id, ty.with_components(target).unwrap_or(ty));
            // The name of a function is no literal.
            for argument in self.terms.args(id).to_vec() {
                self.adapt(argument, target);
            }
            return;
        }
        if ty == target || !target.is_number() || !self.is_literal(id) {
            return;
        }
        // `1 / 2` is integer division wherever it stands; only its value is converted.
        let allowed = ty.is_real() && target.is_real()
            || ty.is_integer() && target.is_integer()
            || ty.is_integer() && matches!(self.terms.head(id), Head::Int(_));
        if !allowed || target == Type::I32 && !self.fits_in_32_bits(id) {
            return;
        }
        self.set_type(id, target);
        let arguments = self.terms.args(id).to_vec();
        for argument in arguments {
            self.adapt(argument, target);
        }
    }
}
