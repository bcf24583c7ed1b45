//! What the rule engine may ask about loops over pairs and about expressions.

use super::host::{SchemeHost, decided};
use super::parts::{mentions, type_of};
use crate::algebra::{self, Construct, Expr, Operator, Signature, Type, build, expr, operator};
use crate::analysis;
use crate::check::{Role, Scheme, author_name};
use crate::rewrite::{Answer, Redex, substitute};
use crate::syntax::rules::print_term_short;
use crate::term::{Id, Symbol, Terms};

impl SchemeHost {
    pub(super) fn ask_of_pairs(&self, name: Symbol, args: &[Id]) -> Option<Answer> {
        let scheme = &self.scheme;
        let terms = &scheme.terms;
        Some(match (name.as_str(), args) {
            ("only_sums", &[body, ref variables @ ..]) => {
                let variables: Option<Vec<Symbol>> =
                    variables.iter().map(|&v| terms.as_atom(v)).collect();
                self.answer(analysis::only_sums(scheme, body, &variables?))
            }
            ("only_scalar_sums", &[body]) => self.answer(analysis::only_scalar_sums(scheme, body)),
            ("writes_scalars", &[body]) => {
                let set = analysis::accesses(scheme, body);
                let array = set.all.iter().find(|a| {
                    let array = scheme.variable(a.name).is_none_or(|v| v.is_array());
                    a.write && array && !set.own.contains(&a.name)
                });
                match array {
                    None => decided(
                        set.unknown.is_none(),
                        "it writes no array",
                        "not all that it does is known",
                    ),
                    Some(a) => decided(false, "", format!("it writes {}", a.text(scheme))),
                }
            }
            ("summed_from_zero", &[body, ref before @ ..]) => from_zero(scheme, body, before),
            ("only_locals", operators) => decided(
                operators
                    .iter()
                    .all(|&o| matches!(operator(terms, o), Some(Operator::Local { .. }))),
                "each of them is a LOCAL",
                "not all of them are LOCALs",
            ),
            ("exchangeable", &[i, j, body]) => {
                let (i, j) = (terms.as_atom(i)?, terms.as_atom(j)?);
                self.answer(analysis::exchangeable(scheme, i, j, body))
            }
            ("symmetric", &[array]) => {
                let array = terms.as_atom(array)?;
                let shown = author_name(array);
                decided(
                    analysis::is_symmetric(scheme, array),
                    format!(
                        "{shown} keeps its values, and they are the same with subscripts exchanged"
                    ),
                    format!("{shown} is no table of DATA that keeps symmetric values"),
                )
            }
            ("ordered", &[p, q]) => {
                let text = |id| analysis::text(scheme, id);
                decided(
                    text(p) < text(q),
                    "the first stands before the second in the order of expressions",
                    "the first does not stand before the second in the order of expressions",
                )
            }
            ("is_real", all) => {
                let first = type_of(scheme, all[0]);
                decided(
                    first.is_some_and(Type::is_real)
                        && all.iter().all(|&e| type_of(scheme, e) == first),
                    "REALs of one type",
                    "not REALs of one type",
                )
            }
            ("is_scaled", &[k, v, w]) => {
                let [k, v, w] = [k, v, w].map(|e| type_of(scheme, e));
                decided(
                    v == w && v.is_some_and(|v| v.components() > 1 && Some(v.component()) == k),
                    "a number and two vectors of its kind",
                    "not a number and two vectors of its kind",
                )
            }
            ("is_component", &[v, a]) => {
                let [v, a] = [v, a].map(|e| type_of(scheme, e));
                decided(
                    v.is_some_and(|v| v.components() > 1 && Some(v.component()) == a),
                    "of the type of the vector's components",
                    "not of the type of the vector's components",
                )
            }
            ("is_integer32", &[e]) => decided(
                type_of(scheme, e) == Some(Type::I32),
                "it is an INTEGER",
                "it is no INTEGER",
            ),
            ("is_float", all) => decided(
                all.iter()
                    .all(|&e| type_of(scheme, e).is_some_and(|t| t.component().is_real())),
                "REALs or vectors",
                "no REAL and no vector",
            ),
            ("is_cell", &[e]) => decided(is_cell(terms, e), "it is a cell", "it is no cell"),
            ("positive", &[e]) => decided_or_unknown(
                sign(scheme, e) == Some(Sign::Positive),
                "it is above 0 by what it is made of",
                "it was not shown to be above 0",
            ),
            ("nonnegative", &[e]) => decided_or_unknown(
                sign(scheme, e).is_some(),
                "it is not below 0 by what it is made of",
                "it was not shown not to be below 0",
            ),
            ("skips_equal", &[i, j, body]) => {
                let skips = match operator(terms, body) {
                    Some(Operator::If { condition, no, .. }) => {
                        let operands = match expr(terms, condition) {
                            Some(Expr::Binary {
                                op: Construct::NotEqual,
                                left,
                                right,
                            }) => Some((left, right)),
                            _ => None,
                        };
                        let are = |a, b| terms.equal(a, i) && terms.equal(b, j);
                        matches!(operator(terms, no), Some(Operator::Empty))
                            && operands.is_some_and(|(a, b)| are(a, b) || are(b, a))
                    }
                    _ => false,
                };
                decided(
                    skips,
                    "it is under a condition that the two differ",
                    "it is not under a condition that the two differ",
                )
            }
            ("occurs", &[e, ref operators @ ..]) => decided(
                operators.iter().any(|&o| mentions(terms, o, e)),
                "it occurs there",
                "it does not occur there",
            ),
            _ => return self.ask_of_vectors(name, args),
        })
    }

    pub(super) fn compute_of_pairs(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Result<Vec<Id>, String>> {
        Some(Ok(match (name.as_str(), args) {
            ("columns", &[array]) => {
                let array = self.scheme.variable(terms.as_atom(array)?);
                let last = array.and_then(|v| v.dims.last().copied());
                let size = last.and_then(|d| self.scheme.terms.as_int(d));
                vec![terms.int(size.unwrap_or(0))]
            }
            ("size_of", &[array]) => {
                let dims = &self.scheme.variable(terms.as_atom(array)?)?.dims;
                match dims.as_slice() {
                    &[size] => vec![terms.import(&self.scheme.terms, size)],
                    _ => return None,
                }
            }
            ("sums_at", &[var, body]) => {
                let body = self.own(terms, body);
                let var = terms.as_atom(var)?;
                let cells = analysis::sums_at(&self.scheme, var, body);
                let import = |cell| terms.import(&self.scheme.terms, cell);
                cells.into_iter().map(import).collect()
            }
            ("cells_at" | "surely_read_at" | "rows_at", &[var, body]) => {
                let body = self.own(terms, body);
                let place = self.place_of(at, terms.as_atom(var)?)?;
                let scheme = &self.scheme;
                let mut cells = match name.as_str() {
                    "cells_at" => analysis::cells_at(scheme, place, body),
                    _ => analysis::surely_read_at(scheme, place, body),
                };
                if name.as_str() == "rows_at" {
                    cells.retain(|&cell| {
                        let real = type_of(scheme, cell).is_some_and(Type::is_real);
                        real && scheme.terms.args(cell).len() > 2
                    });
                }
                let import = |cell| terms.import(&scheme.terms, cell);
                cells.into_iter().map(import).collect()
            }
            ("narrow_cells" | "narrow_vector_cells", cells) => {
                let vectors = name.as_str() == "narrow_vector_cells";
                let mut narrow = Vec::new();
                for &cell in cells {
                    let own = self.own(terms, cell);
                    let ty = type_of(&self.scheme, own)?;
                    if ty.component() == Type::F32 && (ty.components() > 1) == vectors {
                        narrow.push(cell);
                    }
                }
                narrow
            }
            ("scalar_sums", &[body]) => {
                let body = self.own(terms, body);
                let names = analysis::scalars_written(&self.scheme, body);
                names.into_iter().map(|n| terms.atom(n)).collect()
            }
            ("other_locals", &[body, ref before @ ..]) => {
                let body = self.own(terms, body);
                let names = analysis::scalars_written(&self.scheme, body);
                let is_other = |o: &Id| !matches!(operator(terms, *o), Some(Operator::Local { name, .. }) if names.contains(&name));
                before.iter().copied().filter(is_other).collect()
            }
            ("readable", &[var, cell]) => {
                let own = self.own(terms, cell);
                let place = self.place_of(at, terms.as_atom(var)?)?;
                let confined = analysis::confined(&self.scheme, place, own)?;
                let mut parts = terms.args(cell).to_vec();
                for (part, size) in parts.iter_mut().skip(1).zip(confined) {
                    let Some(size) = size else {
                        continue;
                    };
                    let (least, last) = (terms.int(0), terms.int(size - 1));
                    for (function, bound) in [("min", last), ("max", least)] {
                        let function = terms.atom(function.into());
                        let call = [function, *part, bound];
                        *part = build(terms, Construct::Apply.symbol(), &call);
                    }
                }
                vec![build(terms, Construct::Index.symbol(), &parts)]
            }
            ("nothing", &[cell]) => {
                let own = self.own(terms, cell);
                let ty = type_of(&self.scheme, own)?;
                let zero = match ty {
                    Type::Bool => terms.atom(Construct::False.symbol()),
                    _ => terms.int(0),
                };
                match ty {
                    Type::Vector(n, _) => {
                        let mut parts = vec![terms.atom("vector".into())];
                        parts.extend(std::iter::repeat_n(zero, n.into()));
                        vec![build(terms, Construct::Apply.symbol(), &parts)]
                    }
                    _ => vec![zero],
                }
            }
            ("named", &[text, cell]) => vec![self.named(terms, text, cell)?],
            ("in_arrays", &[body, text, dims, ref variables @ ..]) => {
                let mut made = body;
                for &variable in variables.iter().rev() {
                    let name = self.named(terms, text, variable)?;
                    let own = self.own(terms, variable);
                    let ty = type_of(&self.scheme, own)?.name(self.scheme.precision);
                    let parts = [name, terms.atom(ty.into()), dims, made];
                    made = build(terms, Construct::Array.symbol(), &parts);
                }
                vec![made]
            }
            ("kept", &[body, text, ref cells @ ..]) => {
                let mut new = body;
                for &cell in cells {
                    let name = self.named(terms, text, cell)?;
                    new = substitute(terms, new, cell, name);
                }
                vec![new]
            }
            ("kept_at", &[body, text, k, ref cells @ ..]) => {
                let mut new = body;
                for &cell in cells {
                    let name = self.named(terms, text, cell)?;
                    let place = build(terms, Construct::Index.symbol(), &[name, k]);
                    new = substitute(terms, new, cell, place);
                }
                vec![new]
            }
            ("common_part", parts) => {
                let own: Vec<Id> = parts.iter().map(|&p| self.own(terms, p)).collect();
                let Some(found) = common_part(&self.scheme, &own) else {
                    return Some(Ok(Vec::new()));
                };
                // The engine's own node for it, whose type is known.
                let mut all = parts.iter().flat_map(|&p| terms.subterms(p));
                vec![all.find(|&e| self.own.get(&e) == Some(&found))?]
            }
            ("written_out", &[e, ref locals @ ..]) => match self.written_out(terms, e, locals) {
                Ok(written) => vec![written],
                Err(why) => return Some(Err(why)),
            },
            ("before_use" | "from_use", &[e, sequence]) => {
                let parts = terms.args(sequence).to_vec();
                let first = parts.iter().position(|&p| mentions(terms, p, e));
                let first = first.unwrap_or(parts.len());
                match name.as_str() {
                    "before_use" => parts[..first].to_vec(),
                    _ => parts[first..].to_vec(),
                }
            }
            _ => return None,
        }))
    }

    /// The loop over a variable in what a rule matched. The inner one of a loop over pairs, from the
    /// outer variable's next value to the same bound, is taken with the bounds of the outer one: where
    /// pairs are met in another order, either member has all of their values.
    fn place_of<'a>(&self, at: Redex<'a>, var: Symbol) -> Option<analysis::Place<'a>> {
        let terms = &self.scheme.terms;
        let redex = at.path.get(terms, self.scheme.root)?;
        let loops = |id| match operator(terms, id) {
            Some(Operator::For {
                var,
                from,
                to,
                step: None,
                ..
            }) => Some((var, from, to)),
            _ => None,
        };
        let all: Vec<_> = terms.subterms(redex).filter_map(loops).collect();
        let &(_, from, to) = all.iter().find(|l| l.0 == var)?;
        let next = |outer: Symbol| match expr(terms, from) {
            Some(Expr::Binary {
                op: Construct::Plus,
                left,
                right,
            }) => terms.as_atom(left) == Some(outer) && terms.as_int(right) == Some(1),
            _ => false,
        };
        let pairs = all.iter().find(|l| next(l.0) && terms.equal(l.2, to));
        let &(_, from, to) = pairs.unwrap_or(&(var, from, to));
        Some(analysis::Place {
            path: at.path,
            var,
            from,
            to,
        })
    }

    /// An expression with LOCALs written out as their values.
    fn written_out(&mut self, terms: &mut Terms, e: Id, locals: &[Id]) -> Result<Id, String> {
        let mut written = e;
        for &local in locals.iter().rev() {
            let Some(Operator::Local { name, value, .. }) = operator(terms, local) else {
                return Err("one of the operators is no LOCAL".into());
            };
            let atom = terms.atom(name);
            if !mentions(terms, written, atom) {
                continue;
            }
            let own = self.own(terms, value);
            let ty = self.scheme.variable(name).map(|v| v.ty);
            if ty.is_none() || type_of(&self.scheme, own) != ty {
                let name = author_name(name);
                return Err(format!(
                    "the value of {name} is converted where it is declared"
                ));
            }
            written = substitute(terms, written, atom, value);
        }
        Ok(written)
    }

    /// A name made from a text and a cell, the same in all of a step for the same cell.
    fn named(&mut self, terms: &mut Terms, text: Id, cell: Id) -> Option<Id> {
        let text = terms.as_text(text).or_else(|| terms.as_atom(text))?;
        let (whole, field) = match expr(terms, cell) {
            Some(Expr::Field { vector, field }) => (vector, Some(field)),
            _ => (cell, None),
        };
        let array = terms.as_atom(match terms.arity(whole) {
            0 => whole,
            _ => terms.arg(whole, 0),
        })?;
        let mut base = format!("{text}_{}", author_name(array));
        // Cells of one array often differ in a literal.
        for &subscript in terms.args(whole).iter().skip(1) {
            if let Some(k) = terms.as_int(subscript) {
                base.push_str(&format!("_{k}"));
            }
        }
        if let Some(field) = field {
            base.push_str(&format!("_{field}"));
        }
        let spelled = Symbol::new(&print_term_short(terms, cell, usize::MAX));
        let name = self.name_for((text, spelled), &base);
        Some(terms.atom(name))
    }
}

fn decided_or_unknown(holds: bool, yes: &str, unknown: &str) -> Answer {
    use crate::rewrite::{Evidence, Status};
    match holds {
        true => decided(true, yes, ""),
        false => Answer::Unknown(Evidence::new(Status::Decided, unknown)),
    }
}

/// Whether an expression is a cell, or a component of one.
fn is_cell(terms: &Terms, e: Id) -> bool {
    match expr(terms, e) {
        Some(Expr::Index { .. }) => true,
        Some(Expr::Field { vector, .. }) => is_cell(terms, vector),
        _ => false,
    }
}

fn from_zero(scheme: &Scheme, body: Id, before: &[Id]) -> Answer {
    let terms = &scheme.terms;
    for name in analysis::scalars_written(scheme, body) {
        let start = before.iter().position(|&o| {
            matches!(operator(terms, o), Some(Operator::Local { name: n, value, .. })
                if n == name && (terms.as_int(value) == Some(0)
                    || matches!(expr(terms, value), Some(Expr::Real(x)) if x.to_bits() == 0)))
        });
        let reached = before.iter().enumerate().any(|(k, &o)| {
            Some(k) != start
                && analysis::accesses(scheme, o)
                    .all
                    .iter()
                    .any(|a| a.name == name)
        });
        if start.is_none() || reached {
            return decided(
                false,
                "",
                format!("{} does not start at 0 there", author_name(name)),
            );
        }
    }
    decided(true, "all that is added to starts at 0", "")
}

/// The largest expression that stands more than once in the operators of a sequence, outside of
/// branches and loops, and reads nothing that the sequence writes.
fn common_part(scheme: &Scheme, parts: &[Id]) -> Option<Id> {
    let terms = &scheme.terms;
    let mut found: Vec<Id> = Vec::new();
    for &part in parts {
        if let Some(Operator::Local { value, .. } | Operator::Assign { value, .. }) =
            operator(terms, part)
        {
            // A product that is added to something costs nothing more there.
            let added = |e: Id| {
                let is_sum = |t: Id| {
                    let functor = terms.functor(t).and_then(Construct::of);
                    matches!(functor, Some(Construct::Plus | Construct::Minus))
                };
                let product = terms.functor(e) == Some(Construct::Times.symbol());
                product
                    && terms
                        .subterms(value)
                        .any(|t| is_sum(t) && terms.args(t).contains(&e))
            };
            let all = surely_computed(terms, value).into_iter();
            found.extend(all.filter(|&e| computes(scheme, e) && !added(e)));
        }
    }
    let mut written: Vec<Symbol> = Vec::new();
    for &part in parts {
        let set = analysis::accesses(scheme, part);
        written.extend(set.all.iter().filter(|a| a.write).map(|a| a.name));
    }
    let unchanged = |e: Id| {
        !terms
            .subterms(e)
            .any(|t| terms.as_atom(t).is_some_and(|n| written.contains(&n)))
    };
    let mut best: Option<(usize, Id)> = None;
    for (k, &e) in found.iter().enumerate() {
        let size = terms.subterms(e).count();
        if best.is_none_or(|(most, _)| size > most)
            && found[k + 1..].iter().any(|&f| terms.equal(e, f))
            && unchanged(e)
        {
            best = Some((size, e));
        }
    }
    best.map(|(_, e)| e)
}

/// The parts of an expression that are computed whatever happens: none of those of which `select`
/// takes one, and none behind AND and OR.
fn surely_computed(terms: &Terms, e: Id) -> Vec<Id> {
    let mut found = Vec::new();
    let mut work = vec![e];
    while let Some(id) = work.pop() {
        found.push(id);
        match expr(terms, id) {
            Some(Expr::Binary {
                op: Construct::And | Construct::Or,
                left,
                ..
            }) => work.push(left),
            Some(Expr::Apply {
                function,
                arguments: &[condition, _, _],
            }) if algebra::signature(function) == Some(Signature::Select) => work.push(condition),
            _ => work.extend(terms.args(id).iter().rev()),
        }
    }
    found
}

/// Whether an expression is real arithmetic worth keeping.
fn computes(scheme: &Scheme, e: Id) -> bool {
    let arithmetic = matches!(
        expr(&scheme.terms, e),
        Some(Expr::Binary { .. } | Expr::Apply { .. })
    );
    arithmetic && type_of(scheme, e).is_some_and(|t| t.component().is_real())
}

/// What is known of a number's sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Positive,
    NotNegative,
}

fn sign(scheme: &Scheme, e: Id) -> Option<Sign> {
    let terms = &scheme.terms;
    match expr(terms, e)? {
        Expr::Int(k) if k > 0 => Some(Sign::Positive),
        Expr::Int(0) => Some(Sign::NotNegative),
        Expr::Real(x) if x > 0.0 => Some(Sign::Positive),
        Expr::Index { array, .. } if analysis::is_positive(scheme, array) => Some(Sign::Positive),
        Expr::Name(name) => {
            // A LOCAL that keeps its value is what it was made from.
            let local = matches!(scheme.variable(name)?.role, Role::Local);
            let set = analysis::accesses(scheme, scheme.body);
            let &value = set.definitions.get(&name).filter(|_| local)?;
            sign(scheme, value)
        }
        Expr::Binary {
            op: Construct::Times | Construct::Plus | Construct::Div,
            left,
            right,
        } => match (sign(scheme, left)?, sign(scheme, right)?) {
            // Products and quotients of positive numbers may vanish by underflow.
            (Sign::Positive, Sign::Positive)
                if terms.functor(e) == Some(Construct::Plus.symbol()) =>
            {
                Some(Sign::Positive)
            }
            _ => Some(Sign::NotNegative),
        },
        Expr::Apply {
            function,
            arguments: &[_, yes, no],
        } if algebra::signature(function) == Some(Signature::Select) => {
            match (sign(scheme, yes)?, sign(scheme, no)?) {
                (Sign::Positive, Sign::Positive) => Some(Sign::Positive),
                _ => Some(Sign::NotNegative),
            }
        }
        Expr::Apply { function, .. } => {
            let signature = algebra::signature(function)?;
            let never_negative = match signature {
                Signature::Abs | Signature::Norm(_) => true,
                _ => signature.entry().is_some_and(|entry| entry.never_negative),
            };
            never_negative.then_some(Sign::NotNegative)
        }
        _ => None,
    }
}
