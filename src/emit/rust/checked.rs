//! Integers that what is printed checks, in modules: crates leave that to their profile.

use super::expression::level;
use super::printer::Printer;
use crate::algebra::Type;
use crate::emit::plan::Expr;

impl Printer<'_> {
    /// Whether what is printed checks what is computed of a type.
    pub(super) fn checks(&self, ty: Type) -> bool {
        self.checked && ty.is_integer()
    }

    /// The call of a function that checks.
    pub(super) fn checked(&mut self, name: &str, all: &[&Expr]) -> (String, u8) {
        self.uses.insert("checked");
        let all: Vec<String> = all.iter().map(|a| self.typed(a)).collect();
        let call = format!("checked::{name}({})", all.join(", "));
        (call, level::POSTFIX)
    }
}
