//! Whether an operator on a pair does the same when the two are exchanged.
//!
//! What an operator adds to cells is brought to a normal form: LOCALs are replaced by what they
//! stand for, signs are pulled out of products and of functions that are even or odd in an argument,
//! operands of sums, products and equations are put in order. Two expressions of one form have
//! the same value but for rounding.

use super::Answer;
use super::simple::root_name;
use super::tables::is_symmetric;
use crate::algebra::{self, Construct, Expr, Operator, Parity, Signature, expr, operator};
use crate::check::Scheme;
use crate::term::{Id, Symbol};
use std::collections::HashMap;

/// Longest form that is made: forms of LOCALs that use each other twice double each time.
const LONGEST: usize = 1 << 16;

/// An expression up to its sign.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    text: String,
    negative: bool,
}

/// Something that is added to a cell: the array, what makes it happen, and how much.
type Sum = (Symbol, bool, Vec<String>, Form);

/// Whether an operator that only adds to cells `x[i]` and `x[j]` adds the same when `i` and `j` are
/// exchanged, but for rounding and the order of sums.
pub fn exchangeable(scheme: &Scheme, i: Symbol, j: Symbol, body: Id) -> Answer {
    let read = |first: Symbol, second: Symbol| {
        let mut reader = Reader {
            scheme,
            first,
            second,
            locals: HashMap::new(),
            guards: Vec::new(),
            sums: Vec::new(),
        };
        reader.operator(body).map(|()| {
            reader.sums.sort_by(|a, b| key(a).cmp(&key(b)));
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
            crate::check::author_name(i),
            crate::check::author_name(j),
            crate::check::author_name(*array),
            crate::check::author_name(if *at_first { i } else { j }),
        )),
        None => Answer::unknown("with the two exchanged it adds another number of terms"),
    }
}

fn key(sum: &Sum) -> (&str, bool, &[String], &Form) {
    (sum.0.as_str(), sum.1, &sum.2, &sum.3)
}

struct Reader<'a> {
    scheme: &'a Scheme,
    first: Symbol,
    second: Symbol,
    /// LOCALs and what they stand for.
    locals: HashMap<Symbol, Form>,
    guards: Vec<String>,
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
                let guard = self.form(condition)?.text;
                self.guards.push(guard.clone());
                self.operator(yes)?;
                self.guards.pop();
                self.guards.push(format!("not {guard}"));
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
            Construct::Plus if terms.equal(left, target) => (right, false),
            Construct::Plus if terms.equal(right, target) => (left, false),
            Construct::Minus if terms.equal(left, target) => (right, true),
            _ => return None,
        };
        let mut part = String::new();
        let mut cell = target;
        while let Some(Expr::Field { vector, field }) = expr(terms, cell) {
            part.push_str(field.as_str());
            cell = vector;
        }
        let Some(Expr::Index {
            subscripts: &[at], ..
        }) = expr(terms, cell)
        else {
            return None;
        };
        let at = terms.as_atom(at)?;
        if at != self.first && at != self.second {
            return None;
        }
        let mut form = self.form(added)?;
        form.negative ^= negated;
        let mut guards = self.guards.clone();
        guards.sort();
        guards.dedup();
        guards.push(part);
        self.sums.push((array, at == self.first, guards, form));
        Some(())
    }

    fn form(&mut self, id: Id) -> Option<Form> {
        let scheme = self.scheme;
        let terms = &scheme.terms;
        let plain = |text: String| Form {
            text,
            negative: false,
        };
        let form = match expr(terms, id)? {
            Expr::Int(k) => Form {
                text: k.unsigned_abs().to_string(),
                negative: k < 0,
            },
            Expr::Real(x) => Form {
                text: format!("{:?}", x.abs()),
                negative: x.is_sign_negative(),
            },
            Expr::Name(name) => match self.locals.get(&name) {
                Some(form) => form.clone(),
                None if name == self.first => plain("#1".into()),
                None if name == self.second => plain("#2".into()),
                None => plain(name.as_str().into()),
            },
            Expr::True => plain("true".into()),
            Expr::False => plain("false".into()),
            Expr::Negate(a) => {
                let a = self.form(a)?;
                Form {
                    negative: !a.negative,
                    ..a
                }
            }
            Expr::Not(a) => plain(format!("not {}", self.whole(a)?)),
            Expr::Field { vector, field } => {
                let vector = self.form(vector)?;
                Form {
                    text: format!("{}.{field}", vector.text),
                    ..vector
                }
            }
            Expr::Index { array, subscripts } => self.cell(array, subscripts)?,
            Expr::Binary { op, left, right } => self.binary(op, left, right)?,
            Expr::Apply {
                function,
                arguments,
            } => self.apply(function, arguments)?,
            _ => return None,
        };
        (form.text.len() <= LONGEST).then_some(form)
    }

    /// A form with its sign in the text.
    fn whole(&mut self, id: Id) -> Option<String> {
        let form = self.form(id)?;
        Some(signed(&form))
    }

    fn binary(&mut self, op: Construct, left: Id, right: Id) -> Option<Form> {
        let (a, b) = (self.form(left)?, self.form(right)?);
        let plain = |text: String| Form {
            text,
            negative: false,
        };
        Some(match op {
            Construct::Plus => sum(a, b),
            Construct::Minus => sum(
                a,
                Form {
                    negative: !b.negative,
                    ..b
                },
            ),
            Construct::Times => {
                let negative = a.negative ^ b.negative;
                let mut factors: Vec<&str> = Vec::new();
                for text in [&a.text, &b.text] {
                    match text
                        .strip_prefix("product(")
                        .and_then(|t| t.strip_suffix(')'))
                    {
                        Some(inner) => factors.extend(parts(inner)),
                        None => factors.push(text),
                    }
                }
                factors.sort_unstable();
                Form {
                    text: format!("product({})", factors.join(";")),
                    negative,
                }
            }
            Construct::Div if self.scheme.type_of(left).is_integer() => {
                plain(format!("quotient({};{})", signed(&a), signed(&b)))
            }
            Construct::Div => Form {
                text: format!("ratio({};{})", a.text, b.text),
                negative: a.negative ^ b.negative,
            },
            Construct::Power => match self.scheme.terms.as_int(right) {
                Some(k) => Form {
                    text: format!("power({};{k})", a.text),
                    negative: a.negative && k % 2 != 0,
                },
                None => plain(format!("power({};{})", signed(&a), signed(&b))),
            },
            Construct::Equal | Construct::NotEqual | Construct::And | Construct::Or => {
                let mut both = [signed(&a), signed(&b)];
                both.sort();
                let name = op.info().functor;
                plain(format!("{name}({};{})", both[0], both[1]))
            }
            Construct::Greater => plain(format!("Less({};{})", signed(&b), signed(&a))),
            Construct::GreaterOrEqual => {
                plain(format!("LessOrEqual({};{})", signed(&b), signed(&a)))
            }
            _ => {
                let name = op.info().functor;
                plain(format!("{name}({};{})", signed(&a), signed(&b)))
            }
        })
    }

    /// A cell of a table by its subscripts.
    fn cell(&mut self, array: Symbol, subscripts: &[Id]) -> Option<Form> {
        let mut all: Vec<String> = Vec::new();
        for &s in subscripts {
            all.push(self.whole(s)?);
        }
        if is_symmetric(self.scheme, array) {
            all.sort();
        }
        Some(Form {
            text: format!("{array}[{}]", all.join(",")),
            negative: false,
        })
    }

    /// `select(q = 0, t[p, 0], t[p, 1])`, which is `t[p, q]`: its array and its subscripts.
    fn picked(&self, arguments: &[Id]) -> Option<(Symbol, [Id; 2])> {
        let terms = &self.scheme.terms;
        let &[condition, first, second] = arguments else {
            return None;
        };
        let Expr::Binary {
            op: Construct::Equal,
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
        let mut all: Vec<Form> = Vec::new();
        for &a in arguments {
            all.push(self.form(a)?);
        }
        let name = function.as_str();
        let mut negative = false;
        match signature {
            Signature::Norm(_) | Signature::Abs => all[0].negative = false,
            Signature::Real(_) | Signature::RealReal(_) => {
                let parity = signature.entry()?.parity;
                for (form, parity) in all.iter_mut().zip(parity) {
                    match parity {
                        Parity::Even => form.negative = false,
                        Parity::Odd => negative ^= std::mem::take(&mut form.negative),
                        Parity::Neither => {}
                    }
                }
            }
            Signature::Dot => {
                negative = all[0].negative ^ all[1].negative;
                all.iter_mut().for_each(|f| f.negative = false);
                all.sort();
            }
            Signature::Cross => {
                negative = all[0].negative ^ all[1].negative ^ (all[0].text > all[1].text);
                all.iter_mut().for_each(|f| f.negative = false);
                all.sort();
            }
            Signature::Join(_) => all.sort(),
            Signature::Fma => return self.fused(all, arguments),
            Signature::ToInteger(_)
            | Signature::Int
            | Signature::Int64
            | Signature::ToReal
            | Signature::ToReal32
            | Signature::ToReal64
            | Signature::Select
            | Signature::CeilDiv
            | Signature::Vector => {}
        }
        let texts: Vec<String> = all.iter().map(signed).collect();
        Some(Form {
            text: format!("{name}({})", texts.join(";")),
            negative,
        })
    }

    /// `fma(a, b, c)` as a sum of a product or, of two vectors, of a scalar product.
    fn fused(&self, mut all: Vec<Form>, arguments: &[Id]) -> Option<Form> {
        let third = all.pop()?;
        let negative = all[0].negative ^ all[1].negative;
        all.iter_mut().for_each(|f| f.negative = false);
        all.sort();
        let vectors = arguments[..2]
            .iter()
            .all(|&a| self.scheme.type_of(a).components() > 1);
        let name = if vectors { "dot" } else { "product" };
        let text = format!("{name}({};{})", all[0].text, all[1].text);
        Some(sum(Form { text, negative }, third))
    }
}

fn signed(form: &Form) -> String {
    match form.negative {
        true => format!("-{}", form.text),
        false => form.text.clone(),
    }
}

/// The sum of two forms, its terms in order, and the sign pulled out so that the first is positive.
fn sum(a: Form, b: Form) -> Form {
    let mut terms: Vec<(String, bool)> = Vec::new();
    for form in [a, b] {
        match form
            .text
            .strip_prefix("sum(")
            .and_then(|t| t.strip_suffix(')'))
        {
            Some(inner) => terms.extend(parts(inner).into_iter().map(|t| {
                let (text, negative) = match t.strip_prefix('-') {
                    Some(text) => (text, true),
                    None => (t, false),
                };
                (text.to_owned(), negative ^ form.negative)
            })),
            None => terms.push((form.text, form.negative)),
        }
    }
    terms.sort();
    let negative = terms[0].1;
    let texts: Vec<String> = terms
        .into_iter()
        .map(|(text, sign)| match sign ^ negative {
            true => format!("-{text}"),
            false => text,
        })
        .collect();
    Form {
        text: format!("sum({})", texts.join(";")),
        negative,
    }
}

/// The parts of a form between semicolons that stand in no parentheses.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut all) = (0usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => {
                all.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    all.push(&text[from..]);
    all
}
