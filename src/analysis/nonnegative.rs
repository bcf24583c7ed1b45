//! Integers that are never below 0, by all that a scheme ever assigns.

use super::simple::root_name;
use crate::algebra::{Binary, Combine, Exchange, Expr, Operator, Type, expr, operator, written};
use crate::check::{Role, Scheme};
use crate::term::{Id, Symbol};

/// Whether an integer expression is never below 0 wherever it has a value: it is made of numbers and of variables that
/// are not, and a variable is not if nothing that is ever assigned to it is.
///
/// This holds at the ends, too: what has not been written has no value, and what leaves the range of its type is a
/// failure of the scheme, not a number below 0.
pub fn never_negative(scheme: &Scheme, e: Id) -> bool {
    let mut search = Search {
        scheme,
        assumed: Vec::new(),
    };
    search.expression(e)
}

/// The same for a variable.
pub fn is_never_negative(scheme: &Scheme, name: Symbol) -> bool {
    let mut search = Search {
        scheme,
        assumed: Vec::new(),
    };
    search.variable(name)
}

struct Search<'a> {
    scheme: &'a Scheme,
    /// Variables of which it is shown that they are not if they were not before: the first number below 0 would have
    /// to come from one that is not among them.
    assumed: Vec<Symbol>,
}

impl Search<'_> {
    fn expression(&mut self, e: Id) -> bool {
        let scheme = self.scheme;
        match expr(&scheme.terms, e) {
            Some(Expr::Int(k)) => k >= 0,
            Some(Expr::Name(name) | Expr::Index { array: name, .. }) => self.variable(name),
            Some(Expr::BlockIndex | Expr::ThreadIndex | Expr::BlockCount | Expr::ThreadCount) => {
                true
            }
            Some(Expr::Binary {
                op: Binary::Plus | Binary::Times | Binary::Div | Binary::Mod,
                left,
                right,
            }) => self.expression(left) && self.expression(right),
            Some(Expr::Apply {
                function,
                arguments,
            }) => match function.as_str() {
                "max" => arguments.iter().any(|&a| self.expression(a)),
                "int" | "int64" | "min" => arguments.iter().all(|&a| self.expression(a)),
                _ => false,
            },
            _ => false,
        }
    }

    fn variable(&mut self, name: Symbol) -> bool {
        if self.assumed.contains(&name) {
            return true;
        }
        let Some(variable) = self.scheme.variable(name) else {
            return false;
        };
        let from_outside = match &variable.role {
            Role::Parameter { .. } | Role::Unknown => true,
            Role::Data { input, values, .. } => *input || !values.is_empty(),
            Role::Local | Role::Loop | Role::Scoped | Role::Shared | Role::Registers => false,
        };
        if from_outside || !matches!(variable.ty, Type::I32 | Type::I64) {
            return false;
        }
        // What was shown under an assumption falls with it.
        let before = self.assumed.len();
        self.assumed.push(name);
        let terms = &self.scheme.terms;
        let mut all = terms.subterms(self.scheme.root);
        let holds = all.all(|id| self.leaves(id, name));
        if !holds {
            self.assumed.truncate(before);
        }
        holds
    }

    /// Whether an operator assigns nothing below 0 to a variable.
    fn leaves(&mut self, id: Id, name: Symbol) -> bool {
        let scheme = self.scheme;
        match operator(&scheme.terms, id) {
            Some(Operator::Local {
                name: own, value, ..
            }) if own == name => self.expression(value),
            // The variable of a loop that counts down ends at its bound.
            Some(Operator::For {
                var,
                from,
                to,
                step,
                ..
            }) if var == name => {
                let up = step.is_none_or(|s| scheme.terms.as_int(s).is_some_and(|k| k > 0));
                self.expression(from) && (up || self.expression(to))
            }
            Some(Operator::Parallel { var, from, .. }) if var == name => self.expression(from),
            Some(operator) => {
                let mut targets = written(&scheme.terms, id);
                if !targets.any(|target| root_name(scheme, target) == Some(name)) {
                    return true;
                }
                match operator {
                    Operator::Assign { value, .. } => self.expression(value),
                    // Its value is that of a thread, or the sum of those of several.
                    Operator::Exchange(
                        Exchange::Rotate | Exchange::All(Combine::Sum | Combine::Extreme(_)),
                        _,
                    ) => true,
                    // An atomic sum wraps.
                    _ => false,
                }
            }
            None => true,
        }
    }
}
