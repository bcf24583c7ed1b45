//! Checking expressions and predicates: names, types, shapes.

use super::elaborate::{Checker, Meaning};
use super::scheme::Role;
use crate::algebra::{
    Arithmetic, Binary, COMPONENTS, Comparison, Construct, Expr, Kind, Type, constant, expr,
};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol};

impl Checker<'_> {
    /// Checks a predicate.
    pub(super) fn condition(&mut self, id: Id) -> Id {
        let new = self.expression(id);
        let ty = self.type_of(new);
        if !matches!(ty, Type::Bool | Type::Unknown) {
            self.report(
                Diagnostic::error(
                    "E0203",
                    format!(
                        "a predicate is needed here, and this is {}",
                        self.name_of(ty)
                    ),
                )
                .at(self.source.span(id))
                .hint("compare it with something: x <> 0"),
            );
        }
        new
    }

    /// A type's name for messages.
    pub(super) fn name_of(&self, ty: Type) -> &'static str {
        ty.name(self.precision)
    }

    /// Checks an expression and gives the new one.
    pub(super) fn expression(&mut self, id: Id) -> Id {
        if self.must_stop(id) || !self.deeper(id) {
            return self.leaf(Head::Int(0), Type::Unknown, id);
        }
        let new = self.expression_here(id);
        self.depth -= 1;
        new
    }

    fn expression_here(&mut self, id: Id) -> Id {
        let source = self.source;
        self.meet_below(id);
        let Some(view) = expr(source, id) else {
            self.report(
                Diagnostic::error(
                    "E0214",
                    format!("{} is not an expression", self.describe(id)),
                )
                .at(source.span(id))
                .hint("an expression is a literal, a name, a cell, or an operation on expressions"),
            );
            return self.leaf(Head::Int(0), Type::Unknown, id);
        };
        match view {
            Expr::Int(i) => {
                let ty = if i32::try_from(i).is_ok() {
                    Type::I32
                } else {
                    Type::I64
                };
                self.leaf(Head::Int(i), ty, id)
            }
            Expr::Real(x) => {
                let ty = self.precision.real();
                self.leaf(Head::Real(x), ty, id)
            }
            Expr::Holds {
                phrase, arguments, ..
            } => match self.declared(phrase, arguments) {
                Some((name, arguments)) => {
                    let new = self.holds(name, &arguments, id);
                    self.expect_same_effects(id, new);
                    new
                }
                None => {
                    self.not_declared(phrase, id);
                    self.make(Construct::False, &[], Type::Bool, id)
                }
            },
            Expr::Name(name) => self.name(name, id),
            Expr::True => self.make(Construct::True, &[], Type::Bool, id),
            Expr::False => self.make(Construct::False, &[], Type::Bool, id),
            Expr::BlockIndex | Expr::ThreadIndex | Expr::BlockCount | Expr::ThreadCount => {
                let construct = source
                    .functor(id)
                    .and_then(Construct::of)
                    .expect("just viewed");
                if !self.context.kernel {
                    self.report(
                        Diagnostic::error(
                            "E0210",
                            format!("`{}` has a value only in a kernel", construct.info().text),
                        )
                        .at(source.span(id))
                        .hint("block, thread, blocks and threads stand inside RunKernel (…) ( … )"),
                    );
                }
                self.make(construct, &[], Type::I32, id)
            }
            Expr::Multiprocessors => {
                if self.context.kernel {
                    self.report(
                        Diagnostic::error(
                            "E0210",
                            "`multiprocessors` has a value only outside of kernels",
                        )
                        .at(source.span(id))
                        .hint("assign it to a variable before the kernel is started"),
                    );
                }
                self.make(Construct::Multiprocessors, &[], Type::I32, id)
            }
            Expr::Not(a) => {
                let a = self.condition(a);
                self.make(Construct::Not, &[a], Type::Bool, id)
            }
            Expr::Negate(a) => {
                let new = self.expression(a);
                let ty = self.type_of(new);
                if ty == Type::Bool {
                    self.expect_number(new, a, "the operand of `-`");
                }
                self.make(Construct::Negate, &[new], ty, id)
            }
            Expr::Binary { op, left, right } => self.binary(op, left, right, id),
            Expr::Index { array, subscripts } => self.index(array, subscripts.to_vec(), id),
            Expr::Field { vector, field } => {
                let new = self.expression(vector);
                let ty = self.type_of(new);
                let component = match (ty, COMPONENTS.iter().position(|f| *f == field.as_str())) {
                    (Type::Unknown, _) => Type::Unknown,
                    (Type::Vector(n, p), Some(i)) if i < n as usize => p.real(),
                    (Type::Vector(n, _), _) => {
                        self.report(
                            Diagnostic::error(
                                "E0203",
                                format!("a {} has no component `{field}`", self.name_of(ty)),
                            )
                            .at(source.span(id))
                            .hint(format!(
                                "its components are {}",
                                COMPONENTS[..n as usize].join(", ")
                            )),
                        );
                        Type::Unknown
                    }
                    _ => {
                        self.report(
                            Diagnostic::error(
                                "E0203",
                                format!("{} has no components", self.name_of(ty)),
                            )
                            .at(source.span(id))
                            .hint("only vectors have components"),
                        );
                        Type::Unknown
                    }
                };
                let field = self.leaf(Head::Functor(field), Type::Unknown, id);
                self.make(Construct::Field, &[new, field], component, id)
            }
            Expr::Apply {
                function,
                arguments,
            } => self.apply(function, arguments.to_vec(), id),
            Expr::Test { phrase, arguments } => self.test(phrase, arguments.to_vec(), id),
            Expr::After {
                operator,
                condition,
            } => {
                let operator = self.operator(operator);
                let condition = self.condition(condition);
                self.note_prediction(source.span(id));
                self.make(Construct::After, &[operator, condition], Type::Bool, id)
            }
        }
    }

    /// What a source term is, for messages.
    pub(super) fn describe(&self, id: Id) -> String {
        match self.source.head(id) {
            Head::Functor(f) => match Construct::of(f) {
                Some(c) if c.info().takes(self.source.arity(id)) => {
                    format!("`{f}`, {},", c.info().sort.word())
                }
                Some(_) => format!("`{f}` with {} arguments", self.source.arity(id)),
                None => format!("`{f}`"),
            },
            Head::Variable(v) => format!("the rule variable `${v}`"),
            Head::Sequence(v) => format!("the rule variable `${v}..`"),
            Head::Text(_) => "a text".into(),
            Head::Int(_) | Head::Real(_) => "a number".into(),
        }
    }

    fn name(&mut self, name: Symbol, id: Id) -> Id {
        self.meet(id);
        match self.meaning(name) {
            Some(Meaning::Variable(unique)) => {
                let variable = &self.variables[&unique];
                let ty = variable.ty;
                if variable.is_array() {
                    let declared = variable.span;
                    self.report(
                        Diagnostic::error(
                            "E0204",
                            format!("the array `{name}` stands where a single value is needed"),
                        )
                        .at(self.source.span(id))
                        .also(declared, "declared as an array here")
                        .hint(format!("name a cell: {name}[i]")),
                    );
                }
                self.leaf(Head::Functor(unique), ty, id)
            }
            Some(Meaning::Stands(actual)) => {
                if let Some(array) = self.terms.as_atom(actual)
                    && self.variables.get(&array).is_some_and(|v| v.is_array())
                {
                    self.report(
                        Diagnostic::error("E0204", format!("`{name}` stands for the array `{array}` here, where a single value is needed"))
                            .at(self.source.span(id))
                            .hint(format!("name a cell: {name}[i]")),
                    );
                }
                self.duplicate(actual)
            }
            None => match constant(name).filter(|_| self.has_data) {
                // A literal from here on, which no variable can hide.
                Some(value) => {
                    let ty = self.precision.real();
                    self.leaf(Head::Real(value), ty, id)
                }
                None => {
                    self.unknown_name(name, self.source.span(id));
                    self.leaf(Head::Functor(name), Type::Unknown, id)
                }
            },
        }
    }

    fn index(&mut self, array: Symbol, subscripts: Vec<Id>, id: Id) -> Id {
        let mut new = Vec::new();
        for &subscript in &subscripts {
            let s = self.expression(subscript);
            self.expect_integer(s, subscript, "a subscript");
            new.push(s);
        }
        let name_id = self.source.arg(id, 0);
        let mut unique = array;
        match self.meaning(array) {
            Some(Meaning::Variable(name)) => unique = name,
            Some(Meaning::Stands(actual)) => match self.terms.as_atom(actual) {
                Some(name) => unique = name,
                None => self.report(
                    Diagnostic::error(
                        "E0204",
                        format!("`{array}` stands for a single value here, which has no cells"),
                    )
                    .at(self.source.span(id))
                    .hint("pass an array to this phrase"),
                ),
            },
            None => self.unknown_name(array, self.source.span(name_id)),
        }
        let mut ty = Type::Unknown;
        if let Some(variable) = self.variables.get(&unique) {
            let (dims, declared) = (variable.dims.len(), variable.span);
            ty = variable.ty;
            if dims == 0 && variable.role != Role::Unknown {
                self.report(
                    Diagnostic::error(
                        "E0204",
                        format!("`{array}` is not an array, so it has no cells"),
                    )
                    .at(self.source.span(id))
                    .also(declared, "declared here")
                    .hint(if matches!(ty, Type::Vector(..)) {
                        "components of a vector are v.x, v.y, v.z"
                    } else {
                        "an array is declared with sizes: a : REAL [N]"
                    }),
                );
            } else if dims != new.len() && dims > 0 {
                self.report(
                    Diagnostic::error(
                        "E0204",
                        format!(
                            "`{array}` has {dims} dimension(s), and {} subscript(s) stand here",
                            new.len()
                        ),
                    )
                    .at(self.source.span(id))
                    .also(declared, "declared here")
                    .hint("one subscript a dimension, separated by commas: a[i, j]"),
                );
            }
        }
        let name = self.leaf(Head::Functor(unique), ty, name_id);
        let mut all = vec![name];
        all.extend(new);
        self.make(Construct::Index, &all, ty, id)
    }

    fn binary(&mut self, op: Binary, left: Id, right: Id, id: Id) -> Id {
        let logic = matches!(op.kind(), Kind::Logic(_));
        let (a, b) = match logic {
            true => (self.condition(left), self.condition(right)),
            false => (self.expression(left), self.expression(right)),
        };
        let (mut ta, mut tb) = (self.type_of(a), self.type_of(b));
        // Literals take the other operand's type.
        if !logic && op != Binary::Power && ta != tb {
            if self.is_literal(a) && !self.is_literal(b) {
                self.adapt(a, tb);
                ta = self.type_of(a);
            } else if self.is_literal(b) && !self.is_literal(a) {
                self.adapt(b, ta);
                tb = self.type_of(b);
            }
        }
        let unknown = ta == Type::Unknown || tb == Type::Unknown;
        let ty = match op.kind() {
            Kind::Logic(_) => Some(Type::Bool),
            Kind::Comparison(_) if unknown => Some(Type::Bool),
            Kind::Comparison(op) => {
                let equality = matches!(op, Comparison::Equal | Comparison::NotEqual);
                let of_truth = equality && ta == Type::Bool && tb == Type::Bool;
                let joined = ta.join(tb).filter(|t| t.is_number());
                (of_truth || joined.is_some()).then_some(Type::Bool)
            }
            Kind::Arithmetic(_) if unknown => Some(Type::Unknown),
            Kind::Arithmetic(Arithmetic::Power) => self.power(a, b),
            Kind::Arithmetic(op) => calculated(op, ta, tb),
        };
        let ty = ty.unwrap_or_else(|| {
            let hint = match op.kind() {
                Kind::Logic(_) => "both sides are conditions",
                Kind::Comparison(_) => {
                    "numbers are compared with numbers; of vectors compare norms or components"
                }
                Kind::Arithmetic(op) => match op {
                    Arithmetic::Times => "vectors are multiplied by dot(a, b) or cross(a, b)",
                    Arithmetic::Mod => "MOD is the remainder of integers",
                    Arithmetic::Plus | Arithmetic::Minus => {
                        "both sides are numbers, or vectors of the same length"
                    }
                    Arithmetic::Div => "a vector is divided by a number",
                    Arithmetic::Power => "both sides are numbers",
                },
            };
            let sign = op
                .construct()
                .info()
                .text
                .replace("%1", "")
                .replace("%2", "")
                .replace("@Mod", "MOD");
            self.report(
                Diagnostic::error(
                    "E0203",
                    format!(
                        "`{}` does not apply to {} and {}",
                        sign.trim(),
                        self.name_of(ta),
                        self.name_of(tb)
                    ),
                )
                .at(self.source.span(id))
                .hint(hint),
            );
            Type::Unknown
        });
        self.make(op.construct(), &[a, b], ty, id)
    }

    /// The type of a power; a literal exponent takes the type of a real base.
    fn power(&mut self, a: Id, b: Id) -> Option<Type> {
        let (ta, tb) = (self.type_of(a), self.type_of(b));
        let literal = matches!(self.terms.head(b), Head::Int(k) if (0..=64).contains(&k));
        if literal && ta.is_number() {
            return Some(ta);
        }
        if !ta.is_number() || !tb.is_number() {
            return None;
        }
        if self.is_literal(b) && ta.is_real() {
            self.adapt(b, ta);
        }
        let joined = ta.join(self.type_of(b));
        Some(
            joined
                .filter(|t| t.is_real())
                .unwrap_or(self.precision.real()),
        )
    }
}

/// The type of a sum, difference, product, quotient or remainder, if it has one.
fn calculated(op: Arithmetic, ta: Type, tb: Type) -> Option<Type> {
    match (op, ta, tb) {
        (Arithmetic::Plus | Arithmetic::Minus, ..) => {
            ta.join(tb).filter(|t| t.is_number() || t.is_vector())
        }
        (Arithmetic::Times | Arithmetic::Div, Type::Vector(..), by) => ta.scaled(by),
        (Arithmetic::Times, by, Type::Vector(..)) => tb.scaled(by),
        (Arithmetic::Times | Arithmetic::Div | Arithmetic::Power, ..) => {
            ta.join(tb).filter(|t| t.is_number())
        }
        (Arithmetic::Mod, ..) => ta.join(tb).filter(|t| t.is_integer()),
    }
}
