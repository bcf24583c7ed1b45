//! Whether an operator on a pair does the same when the two are exchanged.
//!
//! What an operator adds to cells is brought to a normal form: LOCALs are replaced by what they
//! stand for, signs are pulled out of products and of functions that are even or odd in an argument,
//! operands of sums, products and equations are put in order. Two expressions of one form have
//! the same value but for rounding.

use super::Answer;
use super::simple::root_name;
use super::tables::is_symmetric;
use crate::algebra::{
    self, Binary, Construct, Expr, Kind, Operator, Parity, Signature, expr, operator,
};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Most parts of a form: forms of LOCALs that use each other twice double each time.
const LARGEST: usize = 1 << 14;

/// An expression in normal form, up to its sign.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    value: Rc<Value>,
    negative: bool,
}

/// A functor of normal forms with its parts.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Value {
    head: Head,
    parts: Vec<Form>,
    /// How many functors there are in it.
    size: usize,
}

/// The functors of normal forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Head {
    /// The first or the second of the pair.
    First,
    Second,
    Int(u64),
    /// A real by its bits.
    Real(u64),
    Name(&'static str),
    /// Terms in order, the first one positive.
    Sum,
    /// Factors in order.
    Product,
    /// A power with a literal exponent.
    Power(i64),
    /// A cell of an array, by its subscripts.
    Cell(&'static str),
    /// A component of a vector.
    Component(&'static str),
    Not,
    /// Any other operator, and a built-in function.
    Operator(&'static str),
    Function(&'static str),
}

/// Something that is added to a cell: the array, whether it is the first one's cell, the component,
/// which subscript is the member and what the others are, the conditions under which it happens, and
/// how much.
type Sum = (
    &'static str,
    bool,
    String,
    (usize, Vec<Form>),
    Vec<Form>,
    Form,
);

/// Whether an operator that only adds to cells `x[i]` and `x[j]` adds the same when `i` and `j` are
/// exchanged, but for rounding and the order of sums.
pub fn exchangeable(scheme: &Scheme, i: Symbol, j: Symbol, body: Id) -> Answer {
    let read = |first: Symbol, second: Symbol| {
        let mut reader = Reader {
            scheme,
            first,
            second,
            locals: FxHashMap::default(),
            guards: Vec::new(),
            sums: Vec::new(),
        };
        reader.operator(body).map(|()| {
            reader.sums.sort();
            reader.sums
        })
    };
    let (Some(given), Some(exchanged)) = (read(i, j), read(j, i)) else {
        return Answer::unknown(
            "what it adds was not brought to a form in which it could be compared",
        );
    };
    let other = given.iter().zip(&exchanged).find(|(a, b)| a != b);
    match other {
        None if given.len() == exchanged.len() => Answer::proved(
            "with the two exchanged it adds the same, but for rounding and the order of sums",
        ),
        Some(((array, at_first, ..), _)) => Answer::unknown(format!(
            "with {} and {} exchanged it may add something else to {}[{}]",
            author_name(i),
            author_name(j),
            author_name(Symbol::new(array)),
            author_name(if *at_first { i } else { j }),
        )),
        None => Answer::unknown("with the two exchanged, the number of added terms differs"),
    }
}

struct Reader<'a> {
    scheme: &'a Scheme,
    first: Symbol,
    second: Symbol,
    /// LOCALs and what they stand for.
    locals: FxHashMap<Symbol, Form>,
    /// The conditions around, and the negations of those whose other branch it is.
    guards: Vec<Form>,
    sums: Vec<Sum>,
}

impl Reader<'_> {
    fn operator(&mut self, id: Id) -> Option<()> {
        let scheme = self.scheme;
        let terms = &scheme.terms;
        match operator(terms, id)? {
            Operator::Then(parts) => parts.iter().try_for_each(|&p| self.operator(p)),
            Operator::Empty => Some(()),
            Operator::If { condition, yes, no } => {
                let guard = self.form(condition)?;
                self.guards.push(guard.clone());
                self.operator(yes)?;
                self.guards.pop();
                self.guards.push(Form::new(Head::Not, vec![guard]));
                self.operator(no)?;
                self.guards.pop();
                Some(())
            }
            Operator::Local { name, value, .. } => {
                // Under a condition only some of what reads the LOCAL would see it changed; it is
                // read under the same condition only, since it ends with the branch.
                let form = self.form(value)?;
                self.locals.insert(name, form);
                Some(())
            }
            Operator::Assign { target, value } => self.sum(target, value),
            _ => None,
        }
    }

    /// `x[v] := x[v] + e`, or `- e`, or `e + x[v]`.
    fn sum(&mut self, target: Id, value: Id) -> Option<()> {
        let terms = &self.scheme.terms;
        let array = root_name(self.scheme, target)?;
        // A LOCAL that is assigned stands for several expressions.
        if self.locals.contains_key(&array) {
            return None;
        }
        let Expr::Binary { op, left, right } = expr(terms, value)? else {
            return None;
        };
        let (added, negated) = match op {
            Binary::Plus if terms.equal(left, target) => (right, false),
            Binary::Plus if terms.equal(right, target) => (left, false),
            Binary::Minus if terms.equal(left, target) => (right, true),
            _ => return None,
        };
        let mut part = String::new();
        let mut cell = target;
        while let Some(Expr::Field { vector, field }) = expr(terms, cell) {
            part.push_str(field.as_str());
            cell = vector;
        }
        let Expr::Index { subscripts, .. } = expr(terms, cell)? else {
            return None;
        };
        let is_member = |&s: &Id| {
            let name = terms.as_atom(s);
            name.filter(|&name| name == self.first || name == self.second)
        };
        let position = subscripts.iter().position(|s| is_member(s).is_some())?;
        let at_first = is_member(&subscripts[position]) == Some(self.first);
        let others = subscripts.iter().enumerate();
        let others = others.filter(|(k, _)| *k != position);
        let others: Option<Vec<Form>> = others.map(|(_, &s)| self.form(s)).collect();
        let form = self.form(added)?.times_sign(negated);
        let mut guards = in_order(self.guards.clone());
        guards.dedup();
        let place = (position, others?);
        self.sums
            .push((array.as_str(), at_first, part, place, guards, form));
        Some(())
    }

    fn form(&mut self, id: Id) -> Option<Form> {
        let terms = &self.scheme.terms;
        let form = match expr(terms, id)? {
            Expr::Int(k) => Form::leaf(Head::Int(k.unsigned_abs())).times_sign(k < 0),
            Expr::Real(x) => {
                Form::leaf(Head::Real(x.abs().to_bits())).times_sign(x.is_sign_negative())
            }
            Expr::Name(name) => match self.locals.get(&name) {
                Some(form) => form.clone(),
                None if name == self.first => Form::leaf(Head::First),
                None if name == self.second => Form::leaf(Head::Second),
                None => Form::leaf(Head::Name(name.as_str())),
            },
            Expr::True => Form::leaf(Head::Operator("True")),
            Expr::False => Form::leaf(Head::Operator("False")),
            Expr::Negate(a) => self.form(a)?.times_sign(true),
            Expr::Not(a) => Form::new(Head::Not, vec![self.form(a)?]),
            Expr::Field { vector, field } => {
                let (vector, negative) = self.form(vector)?.unsigned();
                let head = Head::Component(field.as_str());
                Form::new(head, vec![vector]).times_sign(negative)
            }
            Expr::Index { array, subscripts } => self.cell(array, subscripts)?,
            Expr::Binary { op, left, right } => self.binary(op, left, right)?,
            Expr::Apply {
                function,
                arguments,
            } => self.apply(function, arguments)?,
            _ => return None,
        };
        (form.value.size <= LARGEST).then_some(form)
    }

    fn binary(&mut self, op: Binary, left: Id, right: Id) -> Option<Form> {
        let (a, b) = (self.form(left)?, self.form(right)?);
        let named = Head::Operator(op.construct().info().functor);
        Some(match op {
            Binary::Plus => sum(a, b),
            Binary::Minus => sum(a, b.times_sign(true)),
            Binary::Times => product(a, b),
            Binary::Div if !self.scheme.type_of(left).is_integer() => {
                let ((a, s), (b, t)) = (a.unsigned(), b.unsigned());
                Form::new(named, vec![a, b]).times_sign(s ^ t)
            }
            Binary::Power => match self.scheme.terms.as_int(right) {
                Some(k) => {
                    let (a, negative) = a.unsigned();
                    Form::new(Head::Power(k), vec![a]).times_sign(negative && k % 2 != 0)
                }
                None => Form::new(named, vec![a, b]),
            },
            Binary::Greater => {
                Form::new(Head::Operator(Construct::Less.info().functor), vec![b, a])
            }
            Binary::GreaterOrEqual => {
                let functor = Construct::LessOrEqual.info().functor;
                Form::new(Head::Operator(functor), vec![b, a])
            }
            Binary::Equal | Binary::NotEqual => Form::new(named, in_order(vec![a, b])),
            _ if matches!(op.kind(), Kind::Logic(_)) => Form::new(named, in_order(vec![a, b])),
            _ => Form::new(named, vec![a, b]),
        })
    }

    /// A cell of a table by its subscripts.
    fn cell(&mut self, array: Symbol, subscripts: &[Id]) -> Option<Form> {
        let all = subscripts.iter().map(|&s| self.form(s));
        let all: Vec<Form> = all.collect::<Option<_>>()?;
        let all = match is_symmetric(self.scheme, array) {
            true => in_order(all),
            false => all,
        };
        Some(Form::new(Head::Cell(array.as_str()), all))
    }

    /// `select(q = 0, t[p, 0], t[p, 1])`, which is `t[p, q]`: its array and its subscripts.
    fn picked(&self, arguments: &[Id]) -> Option<(Symbol, [Id; 2])> {
        let terms = &self.scheme.terms;
        let &[condition, first, second] = arguments else {
            return None;
        };
        let Expr::Binary {
            op: Binary::Equal,
            left,
            right,
        } = expr(terms, condition)?
        else {
            return None;
        };
        let cell = |id: Id, number: i64| match expr(terms, id)? {
            Expr::Index {
                array,
                subscripts: &[p, q],
            } if terms.as_int(q) == Some(number) => Some((array, p)),
            _ => None,
        };
        let ((a, p), (b, r)) = (cell(first, 0)?, cell(second, 1)?);
        let same = a == b && terms.equal(p, r) && terms.as_int(right) == Some(0);
        same.then_some((a, [p, left]))
    }

    fn apply(&mut self, function: Symbol, arguments: &[Id]) -> Option<Form> {
        let signature = algebra::signature(function)?;
        if signature == Signature::Select
            && let Some((array, subscripts)) = self.picked(arguments)
        {
            return self.cell(array, &subscripts);
        }
        let all = arguments.iter().map(|&a| self.form(a));
        let all: Vec<Form> = all.collect::<Option<_>>()?;
        let head = Head::Function(function.as_str());
        Some(match (signature, all.as_slice()) {
            (Signature::Norm(_) | Signature::Abs, [a]) => even(head, a),
            (Signature::Real(_) | Signature::RealReal(_), _) => {
                let (mut parts, mut negative) = (Vec::new(), false);
                for (form, parity) in all.into_iter().zip(signature.entry()?.parity) {
                    parts.push(match parity {
                        Parity::Even => form.unsigned().0,
                        Parity::Odd => {
                            let (form, sign) = form.unsigned();
                            negative ^= sign;
                            form
                        }
                        Parity::Neither => form,
                    });
                }
                Form::new(head, parts).times_sign(negative)
            }
            (Signature::Dot, [a, b]) => bilinear(head, a, b),
            // The product of exchanged vectors is the opposite one.
            (Signature::Cross, [a, b]) => bilinear(head, a, b).times_sign(a.value > b.value),
            (Signature::Join(_), _) => Form::new(head, in_order(all)),
            // A sum of a product or, of two vectors, of a scalar product.
            (Signature::Fma, [a, b, c]) => {
                let is_vector = |e: &Id| self.scheme.type_of(*e).components() > 1;
                let product = match arguments[..2].iter().all(is_vector) {
                    true => bilinear(Head::Function("dot"), a, b),
                    false => product(a.clone(), b.clone()),
                };
                sum(product, c.clone())
            }
            _ => Form::new(head, all),
        })
    }
}

impl Form {
    fn new(head: Head, parts: Vec<Form>) -> Form {
        let size = parts.iter().map(|p| p.value.size).sum::<usize>() + 1;
        Form {
            value: Rc::new(Value { head, parts, size }),
            negative: false,
        }
    }

    fn leaf(head: Head) -> Form {
        Form::new(head, Vec::new())
    }

    /// The opposite, or the form itself.
    fn times_sign(self, negative: bool) -> Form {
        Form {
            negative: self.negative ^ negative,
            ..self
        }
    }

    /// The form without its sign, and the sign.
    fn unsigned(self) -> (Form, bool) {
        let negative = self.negative;
        (self.times_sign(negative), negative)
    }

    /// What it is made of by an operation, or itself alone.
    fn parts_of(self, head: Head) -> Vec<Form> {
        match self.value.head == head {
            true => self.value.parts.clone(),
            false => vec![self],
        }
    }
}

fn in_order(mut parts: Vec<Form>) -> Vec<Form> {
    parts.sort();
    parts
}

/// A function of a form whose sign does not matter.
fn even(head: Head, a: &Form) -> Form {
    Form::new(head, vec![a.clone().unsigned().0])
}

/// A function of two forms that may be exchanged, and whose signs may be pulled out.
fn bilinear(head: Head, a: &Form, b: &Form) -> Form {
    let ((a, s), (b, t)) = (a.clone().unsigned(), b.clone().unsigned());
    Form::new(head, in_order(vec![a, b])).times_sign(s ^ t)
}

/// The product of two forms, its factors in order.
fn product(a: Form, b: Form) -> Form {
    let ((a, s), (b, t)) = (a.unsigned(), b.unsigned());
    let mut factors = a.parts_of(Head::Product);
    factors.extend(b.parts_of(Head::Product));
    Form::new(Head::Product, in_order(factors)).times_sign(s ^ t)
}

/// The sum of two forms, its terms in order, and the sign pulled out so that the first is positive.
fn sum(a: Form, b: Form) -> Form {
    let mut terms: Vec<Form> = Vec::new();
    for form in [a, b] {
        let (form, negative) = form.unsigned();
        let parts = form.parts_of(Head::Sum).into_iter();
        terms.extend(parts.map(|t| t.times_sign(negative)));
    }
    terms.sort();
    let negative = terms[0].negative;
    let terms = terms.into_iter().map(|t| t.times_sign(negative)).collect();
    Form::new(Head::Sum, terms).times_sign(negative)
}
