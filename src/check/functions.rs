//! Calls of functions: the types of their arguments → the type of the value.

use super::elaborate::{Checker, Meaning};
use crate::algebra::{Construct, FUNCTIONS, Signature, Type, function};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol};

impl Checker<'_> {
    pub(super) fn apply(&mut self, name: Symbol, arguments: Vec<Id>, id: Id) -> Id {
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
                let other = of_others(name.as_str());
                let is_array = matches!(self.meaning(name), Some(Meaning::Variable(_)));
                let names = FUNCTIONS.iter().map(|f| f.name);
                let near = crate::diagnostic::did_you_mean(name.as_str(), names.clone());
                let near = near.filter(|_| other.is_none() && !is_array);
                let hint = match near {
                    _ if let Some(hint) = other => hint.to_owned(),
                    _ if is_array => format!("cells stand in brackets: {name}[…]"),
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("functions are {}", names.collect::<Vec<_>>().join(", ")),
                };
                let unknown = Diagnostic::error("E0211", format!("there is no function `{name}`"))
                    .at(source.span(id))
                    .hint(hint);
                let place = source.span(source.arg(id, 0));
                self.report(match near {
                    Some(near) => unknown.fixed(place, near),
                    None => unknown,
                });
            }
        }
        let function = self.leaf(Head::Functor(name), Type::Unknown, source.arg(id, 0));
        let mut all = vec![function];
        all.extend(new);
        self.make(Construct::Apply, &all, ty, id)
    }

    /// The type of a function's value; nothing if it does not apply.
    pub(super) fn signature(&mut self, signature: Signature, arguments: &[Id]) -> Option<Type> {
        let real = self.precision.real();
        let types: Vec<Type> = arguments.iter().map(|&a| self.type_of(a)).collect();
        let unknown = types.contains(&Type::Unknown);
        let to_real = |t: Type| if t.is_real() { t } else { real };
        match signature {
            Signature::Real(_) => (unknown || types[0].is_number()).then(|| to_real(types[0])),
            Signature::RealReal(_) | Signature::Join(_) => {
                let (a, b) = self.common(arguments[0], arguments[1]);
                let joined = a.join(b).filter(|t| t.is_number() || *t == Type::Unknown)?;
                Some(if matches!(signature, Signature::RealReal(_)) {
                    to_real(joined)
                } else {
                    joined
                })
            }
            Signature::Abs => (unknown || types[0].is_number()).then_some(types[0]),
            Signature::ToInteger(_) => (unknown || types[0].is_number()).then_some(Type::I32),
            Signature::Int => (unknown || types[0].is_number()).then_some(Type::I32),
            Signature::Int64 => (unknown || types[0].is_number()).then_some(Type::I64),
            Signature::ToReal => made_of(types[0], real),
            Signature::ToReal32 => made_of(types[0], Type::F32),
            Signature::ToReal64 => {
                self.adapt(arguments[0], Type::F64);
                made_of(types[0], Type::F64)
            }
            Signature::Select => {
                if !matches!(types[0], Type::Bool | Type::Unknown) {
                    return None;
                }
                let (a, b) = self.common(arguments[1], arguments[2]);
                a.join(b)
            }
            Signature::Dot => {
                let (a, b) = self.common(arguments[0], arguments[1]);
                let vector = a.join(b).filter(|t| t.is_vector());
                vector
                    .map(Type::component)
                    .or(unknown.then_some(Type::Unknown))
            }
            Signature::Cross => {
                let (a, b) = self.common(arguments[0], arguments[1]);
                let vector = a.join(b).filter(|t| matches!(t, Type::Vector(3, _)));
                vector.or(unknown.then_some(Type::Unknown))
            }
            Signature::Norm(_) => match types[0] {
                a @ Type::Vector(..) => Some(a.component()),
                _ => unknown.then_some(Type::Unknown),
            },
            Signature::BitsAsReal | Signature::BitsAsInteger if unknown => Some(Type::Unknown),
            Signature::BitsAsReal => types[0].of_same_width().filter(|t| t.is_real()),
            Signature::BitsAsInteger => types[0].of_same_width().filter(|t| t.is_integer()),
            Signature::Bits(_) if arguments.len() == 1 => {
                (unknown || types[0].is_integer()).then_some(types[0])
            }
            Signature::CeilDiv | Signature::Bits(_) => {
                let (a, b) = self.common(arguments[0], arguments[1]);
                a.join(b).filter(|t| t.is_integer() || *t == Type::Unknown)
            }
            Signature::Fma => match (types[0], types[1], types[2]) {
                (s, Type::Vector(..), Type::Vector(..)) => {
                    let (a, b) = self.common(arguments[1], arguments[2]);
                    self.adapt(arguments[0], a.join(b)?.component());
                    let fits = s.is_real() || self.is_literal(arguments[0]);
                    fits.then(|| a.join(b)?.scaled(self.type_of(arguments[0])))?
                }
                (Type::Vector(..), Type::Vector(..), s) => {
                    let (a, b) = self.common(arguments[0], arguments[1]);
                    self.adapt(arguments[2], a.join(b)?.component());
                    let fits = s.is_real() || self.is_literal(arguments[2]);
                    let joined = a.join(b)?.scaled(self.type_of(arguments[2]));
                    fits.then_some(joined?.component())
                }
                _ => {
                    let (a, b) = self.common(arguments[0], arguments[1]);
                    let (_, c) = self.common(arguments[1], arguments[2]);
                    let joined = a.join(b).and_then(|t| t.join(c))?;
                    (joined.is_number() || joined == Type::Unknown).then(|| to_real(joined))
                }
            },
            Signature::Vector => {
                let literal = |this: &Self, &a: &Id| this.is_literal(a);
                let others = arguments.iter().filter(|a| !literal(self, a));
                let widest = others
                    .map(|&a| self.type_of(a))
                    .try_fold(Type::Unknown, Type::join)?;
                let component = to_real(widest);
                for &argument in arguments {
                    self.adapt(argument, component);
                }
                let fits = |&a: &Id| {
                    let ty = self.type_of(a);
                    (ty.is_number() || ty == Type::Unknown) && ty.widens_to(component)
                };
                let n = arguments.len() as u8;
                let vector = Type::Vector(n, self.precision).with_components(component);
                vector.filter(|_| arguments.iter().all(fits))
            }
        }
    }

    /// The types of two operands, after a literal has taken the other's.
    pub(super) fn common(&mut self, a: Id, b: Id) -> (Type, Type) {
        if self.is_literal(a) && !self.is_literal(b) {
            self.adapt(a, self.type_of(b));
        } else if self.is_literal(b) && !self.is_literal(a) {
            self.adapt(b, self.type_of(a));
        }
        (self.type_of(a), self.type_of(b))
    }
}

/// A number, or a vector of numbers, as reals of a type.
fn made_of(ty: Type, real: Type) -> Option<Type> {
    match ty {
        Type::Bool => None,
        Type::Unknown => Some(real),
        ty => ty.with_components(real),
    }
}

/// How functions of other languages are written here.
fn of_others(name: &str) -> Option<&'static str> {
    let hint = match name {
        "not" | "Not" => "write NOT; names in lower case before parentheses are functions",
        "and" | "or" => "AND and OR stand between predicates, in upper case",
        "atan" | "arctan" => "the arc tangent of y is atan2(y, 1)",
        "arcsin" => "write asin",
        "arccos" => "write acos",
        "fix" => "trunc(x) cuts x towards zero to an INTEGER, real_trunc(x) to a REAL",
        "fabs" => "write abs",
        "ln" => "the natural logarithm is log",
        "log10" => "write log(x) / log(10.0)",
        "log2" => "write log(x) / log(2.0)",
        "power" => "a power is x ^ y or pow(x, y)",
        "square" => "a square is x ^ 2",
        "mod" | "fmod" => "the remainder of integers is a MOD b",
        "length" => "the length of a vector is norm(v)",
        _ => return None,
    };
    Some(hint)
}
