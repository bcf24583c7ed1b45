//! Checking expressions and predicates: names, types, shapes.

use super::elaborate::{Checker, Meaning};
use super::scheme::Role;
use crate::algebra::{Construct, Expr, FUNCTIONS, Signature, Type, expr, function};
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

    /// Reports an expression that is no integer.
    pub(super) fn expect_integer(&mut self, new: Id, from: Id, what: &str) {
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

    /// Reports an expression that is no number.
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
        self.adapt(new, target);
        let ty = self.type_of(new);
        let zero = matches!(self.terms.head(new), Head::Int(0))
            || matches!(self.terms.head(new), Head::Real(x) if x == 0.0);
        if ty.widens_to(target) || zero && matches!(target, Type::Vector(..)) {
            return;
        }
        let hint = match (ty, target) {
            (Type::F64, Type::F32) => "real32(…) rounds to 32 bits".to_owned(),
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
    fn fits_in_32_bits(&self, id: Id) -> bool {
        let mut all = self.terms.subterms(id).filter_map(|t| self.terms.as_int(t));
        all.all(|i| i32::try_from(i).is_ok())
    }

    /// Gives literals the type that is wanted, if they can have it.
    fn adapt(&mut self, id: Id, target: Type) {
        let target = target.component();
        let ty = self.type_of(id);
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
        let Some(view) = expr(source, id) else {
            self.report(
                Diagnostic::error("E0214", format!("{} is no expression", self.describe(id)))
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
                let component = match (
                    ty,
                    ["x", "y", "z", "w"]
                        .iter()
                        .position(|f| *f == field.as_str()),
                ) {
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
                                ["x", "y", "z", "w"][..n as usize].join(", ")
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
            None => {
                self.unknown_name(name, self.source.span(id));
                self.leaf(Head::Functor(name), Type::Unknown, id)
            }
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
                        format!("`{array}` is no array, so it has no cells"),
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

    fn binary(&mut self, op: Construct, left: Id, right: Id, id: Id) -> Id {
        if matches!(op, Construct::And | Construct::Or) {
            let a = self.condition(left);
            let b = self.condition(right);
            return self.make(op, &[a, b], Type::Bool, id);
        }
        let a = self.expression(left);
        let b = self.expression(right);
        let (mut ta, mut tb) = (self.type_of(a), self.type_of(b));
        // Literals take the other operand's type.
        if op != Construct::Power && ta != tb {
            if self.is_literal(a) && !self.is_literal(b) {
                self.adapt(a, tb);
                ta = self.type_of(a);
            } else if self.is_literal(b) && !self.is_literal(a) {
                self.adapt(b, ta);
                tb = self.type_of(b);
            }
        }
        use Construct::*;
        let ty = match op {
            _ if ta == Type::Unknown || tb == Type::Unknown => Some(match op {
                Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual => Type::Bool,
                _ => Type::Unknown,
            }),
            Plus | Minus => match (ta, tb) {
                (Type::Vector(..), Type::Vector(..)) if ta == tb => Some(ta),
                _ => ta.join(tb).filter(|t| t.is_number()),
            },
            Times => match (ta, tb) {
                (Type::Vector(_, p), s) | (s, Type::Vector(_, p)) if s.is_number() => {
                    let vector = if matches!(ta, Type::Vector(..)) {
                        ta
                    } else {
                        tb
                    };
                    s.widens_to(p.real()).then_some(vector)
                }
                _ => ta.join(tb).filter(|t| t.is_number()),
            },
            Div => match (ta, tb) {
                (Type::Vector(_, p), s) if s.is_number() => s.widens_to(p.real()).then_some(ta),
                _ => ta.join(tb).filter(|t| t.is_number()),
            },
            Mod => ta.join(tb).filter(|t| t.is_integer()),
            Power => {
                let literal = matches!(self.terms.head(b), Head::Int(k) if (0..=64).contains(&k));
                if literal && ta.is_number() {
                    Some(ta)
                } else if ta.is_number() && tb.is_number() {
                    let real = self.precision.real();
                    if self.is_literal(b) && ta.is_real() {
                        self.adapt(b, ta);
                        tb = self.type_of(b);
                    }
                    let joined = ta.join(tb);
                    Some(joined.filter(|t| t.is_real()).unwrap_or(real))
                } else {
                    None
                }
            }
            Equal | NotEqual if ta == Type::Bool && tb == Type::Bool => Some(Type::Bool),
            _ => ta.join(tb).filter(|t| t.is_number()).map(|_| Type::Bool),
        };
        let ty = ty.unwrap_or_else(|| {
            let hint = match op {
                Times => "vectors are multiplied by dot(a, b) or cross(a, b)",
                Mod => "MOD is the remainder of integers",
                Plus | Minus => "both sides are numbers, or vectors of the same length",
                Div => "a vector is divided by a number",
                Less | LessOrEqual | Greater | GreaterOrEqual | Equal | NotEqual => {
                    "numbers are compared with numbers; of vectors compare norms or components"
                }
                _ => "both sides are numbers",
            };
            let sign = op
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
        self.make(op, &[a, b], ty, id)
    }

    fn apply(&mut self, name: Symbol, arguments: Vec<Id>, id: Id) -> Id {
        let source = self.source;
        let new: Vec<Id> = arguments.iter().map(|&a| self.expression(a)).collect();
        let mut ty = Type::Unknown;
        match function(name) {
            Some(f) if (f.arity.0..=f.arity.1).contains(&new.len()) => {
                ty = match self.signature(f.signature, &new) {
                    Some(ty) => ty,
                    None => {
                        let types: Vec<&str> =
                            new.iter().map(|&a| self.name_of(self.type_of(a))).collect();
                        self.report(
                            Diagnostic::error(
                                "E0203",
                                format!("{name} does not apply to {}", types.join(", ")),
                            )
                            .at(source.span(id))
                            .hint(format!("{name}: {}", f.meaning)),
                        );
                        Type::Unknown
                    }
                };
            }
            Some(f) => self.report(
                Diagnostic::error(
                    "E0212",
                    format!("{name} does not take {} arguments", new.len()),
                )
                .at(source.span(id))
                .hint(if f.arity.0 == f.arity.1 {
                    format!("it takes {}: {}", f.arity.0, f.meaning)
                } else {
                    format!("it takes {} to {}: {}", f.arity.0, f.arity.1, f.meaning)
                }),
            ),
            None if !self.has_data => {
                self.note_undefined(format!("the function `{name}`"), source.span(id));
            }
            None => {
                let near = super::did_you_mean(name.as_str(), FUNCTIONS.iter().map(|f| f.name));
                let is_array = matches!(self.meaning(name), Some(Meaning::Variable(_)));
                let hint = match near {
                    _ if is_array => format!("cells stand in brackets: {name}[…]"),
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!(
                        "functions are {}",
                        FUNCTIONS
                            .iter()
                            .map(|f| f.name)
                            .collect::<Vec<_>>()
                            .join(", ")
                    ),
                };
                self.report(
                    Diagnostic::error("E0211", format!("there is no function `{name}`"))
                        .at(source.span(id))
                        .hint(hint),
                );
            }
        }
        let function = self.leaf(Head::Functor(name), Type::Unknown, source.arg(id, 0));
        let mut all = vec![function];
        all.extend(new);
        self.make(Construct::Apply, &all, ty, id)
    }

    /// The type of a function's value; nothing if it does not apply.
    fn signature(&mut self, signature: Signature, arguments: &[Id]) -> Option<Type> {
        let real = self.precision.real();
        let types: Vec<Type> = arguments.iter().map(|&a| self.type_of(a)).collect();
        let unknown = types.contains(&Type::Unknown);
        let to_real = |t: Type| if t.is_real() { t } else { real };
        match signature {
            Signature::Real => (unknown || types[0].is_number()).then(|| to_real(types[0])),
            Signature::RealReal | Signature::Join => {
                let (a, b) = self.common(arguments[0], arguments[1]);
                let joined = a.join(b).filter(|t| t.is_number() || *t == Type::Unknown)?;
                Some(if signature == Signature::RealReal {
                    to_real(joined)
                } else {
                    joined
                })
            }
            Signature::Same => (unknown || types[0].is_number()).then_some(types[0]),
            Signature::ToInteger => (unknown || types[0].is_number()).then_some(Type::I32),
            Signature::Int => (unknown || types[0].is_number()).then_some(Type::I32),
            Signature::Int64 => (unknown || types[0].is_number()).then_some(Type::I64),
            Signature::ToReal => (unknown || types[0].is_number()).then_some(real),
            Signature::ToReal32 => (unknown || types[0].is_number()).then_some(Type::F32),
            Signature::ToReal64 => {
                self.adapt(arguments[0], Type::F64);
                (unknown || types[0].is_number()).then_some(Type::F64)
            }
            Signature::Select => {
                if !matches!(types[0], Type::Bool | Type::Unknown) {
                    return None;
                }
                let (a, b) = self.common(arguments[1], arguments[2]);
                a.join(b)
            }
            Signature::Dot => match (types[0], types[1]) {
                (a @ Type::Vector(..), b) if a == b => Some(a.component()),
                _ => unknown.then_some(Type::Unknown),
            },
            Signature::Cross => match (types[0], types[1]) {
                (a @ Type::Vector(3, _), b) if a == b => Some(a),
                _ => unknown.then_some(Type::Unknown),
            },
            Signature::Norm => match types[0] {
                a @ Type::Vector(..) => Some(a.component()),
                _ => unknown.then_some(Type::Unknown),
            },
            Signature::CeilDiv => {
                let (a, b) = self.common(arguments[0], arguments[1]);
                a.join(b).filter(|t| t.is_integer() || *t == Type::Unknown)
            }
            Signature::Vector => {
                for &argument in arguments {
                    self.adapt(argument, real);
                }
                let fits = arguments
                    .iter()
                    .all(|&a| self.type_of(a).widens_to(real) && self.type_of(a) != Type::Bool);
                fits.then_some(Type::Vector(arguments.len() as u8, self.precision))
            }
        }
    }

    /// The types of two operands, after a literal has taken the other's.
    fn common(&mut self, a: Id, b: Id) -> (Type, Type) {
        if self.is_literal(a) && !self.is_literal(b) {
            self.adapt(a, self.type_of(b));
        } else if self.is_literal(b) && !self.is_literal(a) {
            self.adapt(b, self.type_of(a));
        }
        (self.type_of(a), self.type_of(b))
    }
}
