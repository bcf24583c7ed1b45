//! Checking DATA.

use super::elaborate::Checker;
use super::scheme::{DefaultInput, OptionValue, Role, Variable, is_over_parameters};
use crate::algebra::{Construct, Expr, Signature, TYPE_NAMES, Type, expr, signature};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol};

/// What DATA says besides its variables.
#[derive(Clone)]
pub(super) struct Parts {
    pub term: Id,
    pub work: Option<(Symbol, Id)>,
    pub default_inputs: Vec<DefaultInput>,
    pub checks: Vec<(Symbol, Id)>,
    pub assumptions: Vec<Id>,
}

impl Checker<'_> {
    pub(super) fn data(&mut self, data: Id) -> Parts {
        let source = self.source;
        self.has_data = source.arity(data) > 0;
        let items = source.args(data);
        let mut parts = Parts {
            term: Id(0),
            work: None,
            default_inputs: Vec::new(),
            checks: Vec::new(),
            assumptions: Vec::new(),
        };
        let construct = |id: Id| source.functor(id).and_then(Construct::of);
        // What DATA says holds before there is a device.
        let mut asks = source.subterms(data);
        if let Some(asks) = asks.find(|&id| construct(id) == Some(Construct::Multiprocessors)) {
            self.report(
                Diagnostic::error("E0210", "DATA cannot ask for `multiprocessors`")
                    .at(source.span(asks))
                    .hint("ask for them in the algorithm, outside of kernels"),
            );
        }
        // Variables first: the other items may use all of them, whatever the order.
        let mut new: Vec<Option<Id>> = vec![None; items.len()];
        for (i, &item) in items.iter().enumerate() {
            self.meet_below(item);
            match construct(item) {
                Some(Construct::Parameter) => new[i] = self.parameter(item),
                Some(Construct::Variable) => new[i] = self.variable(item),
                _ => {}
            }
        }
        for (i, &item) in items.iter().enumerate() {
            match construct(item) {
                Some(Construct::Parameter | Construct::Variable) => {}
                Some(Construct::Work) => {
                    let amount = self.expression(source.arg(item, 1));
                    self.expect_number(amount, source.arg(item, 1), "WORK");
                    let unit = source.as_text(source.arg(item, 0)).unwrap_or("work".into());
                    parts.work = Some((unit, amount));
                    let text = self.leaf(Head::Text(unit), Type::Unknown, item);
                    new[i] = Some(self.make(Construct::Work, &[text, amount], Type::Unknown, item));
                }
                Some(Construct::DefaultInput) => {
                    new[i] = Some(self.default_input(item, &mut parts.default_inputs));
                }
                Some(Construct::Check) => new[i] = Some(self.check_sizes(item, &mut parts.checks)),
                Some(Construct::Assume) => {
                    let claim = self.claim(source.arg(item, 0));
                    parts.assumptions.push(claim);
                    new[i] = Some(self.make(Construct::Assume, &[claim], Type::Unknown, item));
                }
                Some(Construct::Use) => {
                    self.report(
                        Diagnostic::error("E0221", "unresolved USE")
                            .at(source.span(item))
                            .hint("files are read relative to the file that names them"),
                    );
                }
                _ if self.is_open_source(item) => self.meet(item),
                _ => self.report(
                    Diagnostic::error("E0214", "this is not an item of DATA").at(source.span(item)),
                ),
            }
        }
        let new: Vec<Id> = new.into_iter().flatten().collect();
        parts.term = self.make(Construct::Data, &new, Type::Unknown, data);
        parts
    }

    /// The type with a name of the source; an error and `Unknown` if there is none.
    pub(super) fn named_type(&mut self, id: Id) -> Type {
        let name = self.source.as_atom(id).unwrap_or("".into());
        if let Some(ty) = Type::named(name, self.precision) {
            return ty;
        }
        if self.lets_open(name) {
            return Type::Unknown;
        }
        let known = TYPE_NAMES.iter().map(|t| t.name);
        let near = crate::diagnostic::did_you_mean(&name.as_str().to_uppercase(), known.clone());
        let near = near.or_else(|| known.clone().find(|k| *k == name.as_str().to_uppercase()));
        let all: Vec<&str> = known.collect();
        let place = self.source.span(id);
        let unknown = Diagnostic::error("E0213", format!("there is no type `{name}`")).at(place);
        self.report(match near {
            Some(near) => unknown
                .hint(format!("did you mean {near}?"))
                .fixed(place, near),
            None => unknown.hint(format!("types are {}", all.join(", "))),
        });
        Type::Unknown
    }

    fn new_data_name(&mut self, id: Id) -> Option<Symbol> {
        let name = self.source.as_atom(id)?;
        if let Some(old) = self.variables.get(&name)
            && !self.lets_open(name)
        {
            let old = old.span;
            self.report(
                Diagnostic::error("E0202", format!("`{name}` is declared twice"))
                    .at(self.source.span(id))
                    .also(old, "declared here before")
                    .hint("give one of them another name"),
            );
            return None;
        }
        self.fresh(name);
        Some(name)
    }

    fn parameter(&mut self, item: Id) -> Option<Id> {
        let source = self.source;
        let ty = self.named_type(source.arg(item, 1));
        let default = self.expression(source.arg(item, 2));
        self.expect_assignable(default, ty, source.arg(item, 2));
        let vector = self
            .terms
            .subterms(default)
            .find(|&t| matches!(self.type_of(t), Type::Vector(..)));
        if vector.is_some() || matches!(ty, Type::Vector(..)) {
            let span = vector.and_then(|t| self.terms.span(t));
            self.report(
                Diagnostic::error("E0221", "a parameter and everything its default is computed from must be a number or a truth value")
                    .at(span.or(source.span(item)))
                    .hint("declare a working variable without `:=`, and assign the vector to it"),
            );
        }
        let is_data = |&t: &Id| {
            let variable = self.terms.as_atom(t).and_then(|n| self.variables.get(&n));
            variable.is_some_and(|v| matches!(v.role, Role::Data { .. }))
        };
        let of_bits = |&t: &Id| {
            matches!(expr(&self.terms, t), Some(Expr::Apply { function, .. })
                if matches!(signature(function), Some(Signature::BitsAsReal | Signature::BitsAsInteger)))
        };
        let data = self.terms.subterms(default).find(is_data);
        let bits = self.terms.subterms(default).find(of_bits);
        for (found, from) in [(data, "parameters"), (bits, "numbers, not from their bits")] {
            let Some(found) = found else { continue };
            let message = format!("the default of a parameter is computed from {from}");
            self.report(
                Diagnostic::error("E0221", message)
                    .at(self.terms.span(found).or(source.span(item)))
                    .hint("declare a working variable without `:=`, and assign the value to it"),
            );
        }
        let name = self.new_data_name(source.arg(item, 0))?;
        let name_id = source.arg(item, 0);
        self.variables.insert(
            name,
            Variable {
                ty,
                dims: Vec::new(),
                role: Role::Parameter { default },
                span: source.span(name_id),
            },
        );
        let arguments = [
            self.leaf(Head::Functor(name), ty, name_id),
            self.atom_of(source.arg(item, 1)),
            default,
        ];
        Some(self.make(Construct::Parameter, &arguments, Type::Unknown, item))
    }

    /// A copy of an atom of the source.
    pub(super) fn atom_of(&mut self, id: Id) -> Id {
        let name = self.source.as_atom(id).unwrap_or("".into());
        self.leaf(Head::Functor(name), Type::Unknown, id)
    }

    fn variable(&mut self, item: Id) -> Option<Id> {
        let source = self.source;
        let args = source.args(item);
        let ty = self.named_type(args[1]);
        let dims = self.sizes(args[2]);
        let marks: Vec<Id> = source.args(args[3]).to_vec();
        let has = |mark: &str| {
            marks
                .iter()
                .any(|&m| source.as_atom(m) == Some(mark.into()))
        };
        let (input, output) = (has("INPUT"), has("OUTPUT"));
        let mut values = Vec::new();
        for &value in source.args(args[4]) {
            let new = self.expression(value);
            self.expect_assignable(new, ty, value);
            values.push(new);
        }
        let cells = dims.iter().try_fold(1i64, |all, &d| {
            self.terms.as_int(d).and_then(|d| all.checked_mul(d))
        });
        if !values.is_empty() && dims.len() > 1 && cells != Some(values.len() as i64) {
            self.report(
                Diagnostic::error(
                    "E0221",
                    "values of an array of several dimensions must fill sizes that are numbers",
                )
                .at(source.span(item))
                .hint(
                    "such as REAL [2, 3] := [1, 2, 3, 4, 5, 6], the last subscript running fastest",
                ),
            );
        }
        let name = self.new_data_name(args[0])?;
        self.variables.insert(
            name,
            Variable {
                ty,
                dims: dims.clone(),
                role: Role::Data {
                    input,
                    output,
                    values: values.clone(),
                },
                span: source.span(args[0]).or(source.span(item)),
            },
        );
        let marks: Vec<Id> = marks.into_iter().map(|m| self.atom_of(m)).collect();
        let arguments = [
            self.leaf(Head::Functor(name), ty, args[0]),
            self.atom_of(args[1]),
            self.make(Construct::Dims, &dims, Type::Unknown, args[2]),
            self.make(Construct::Marks, &marks, Type::Unknown, args[3]),
            self.make(Construct::Values, &values, Type::Unknown, args[4]),
        ];
        Some(self.make(Construct::Variable, &arguments, Type::Unknown, item))
    }

    /// Sizes of an array: integers over parameters, one to three of them.
    pub(super) fn sizes(&mut self, dims: Id) -> Vec<Id> {
        let source = self.source;
        let all = source.args(dims);
        if all.len() > 3 {
            self.report(
                Diagnostic::error("E0204", format!("{} dimensions are too many", all.len()))
                    .at(source.span(dims))
                    .hint("arrays have one to three dimensions"),
            );
        }
        let mut new = Vec::new();
        for &dim in all {
            let id = self.expression(dim);
            self.expect_integer(id, dim, "the size of an array");
            let constant = is_over_parameters(&self.terms, &self.variables, id);
            if !constant {
                self.report(
                    Diagnostic::error(
                        "E0204",
                        "the size of an array is an expression over parameters",
                    )
                    .at(source.span(dim))
                    .hint("declare the size as a parameter before the array: N : INTEGER := 100"),
                );
            }
            new.push(id);
        }
        new
    }

    fn default_input(&mut self, item: Id, into: &mut Vec<DefaultInput>) -> Id {
        let source = self.source;
        let args = source.args(item);
        let generator = source.as_text(args[0]).unwrap_or("".into());
        let text = self.leaf(Head::Text(generator), Type::Unknown, args[0]);
        let mut new = vec![text];
        let mut options = Vec::new();
        for &option in &args[1..] {
            if self.is_open_source(option) {
                self.meet(option);
                continue;
            }
            self.meet_below(option);
            let name = source.as_atom(source.arg(option, 0)).unwrap_or("".into());
            let value = source.arg(option, 1);
            // Parameters have numbers; other data is what the generator is to fill.
            let filled = source.as_atom(value).filter(|n| {
                let role = self.variables.get(n).map(|v| &v.role);
                matches!(role, Some(Role::Data { .. }))
            });
            let new_value = match filled {
                Some(array) => {
                    options.push((name, OptionValue::Name(array)));
                    self.leaf(Head::Functor(array), Type::Unknown, value)
                }
                None => {
                    let id = self.expression(value);
                    options.push((name, OptionValue::Expression(id)));
                    id
                }
            };
            let name = self.atom_of(source.arg(option, 0));
            new.push(self.make(Construct::Option, &[name, new_value], Type::Unknown, option));
        }
        into.push(DefaultInput {
            generator,
            options,
            span: source.span(item),
        });
        self.make(Construct::DefaultInput, &new, Type::Unknown, item)
    }

    fn check_sizes(&mut self, item: Id, into: &mut Vec<(Symbol, Id)>) -> Id {
        let source = self.source;
        let mut new = Vec::new();
        for &option in source.args(item) {
            if self.is_open_source(option) {
                self.meet(option);
                continue;
            }
            let name = source.as_atom(source.arg(option, 0)).unwrap_or("".into());
            self.meet_below(option);
            if !matches!(self.role(name), Some(Role::Parameter { .. })) && !self.lets_open(name) {
                self.report(
                    Diagnostic::error(
                        "E0221",
                        format!("CHECK sets `{name}`, which is not a parameter"),
                    )
                    .at(source.span(option))
                    .hint("parameters are scalars with a default: N : INTEGER := 100"),
                );
            }
            let value = self.expression(source.arg(option, 1));
            into.push((name, value));
            let name = self.atom_of(source.arg(option, 0));
            new.push(self.make(Construct::Option, &[name, value], Type::Unknown, option));
        }
        self.make(Construct::Check, &new, Type::Unknown, item)
    }

    /// A claim: `independent (i)`, `injective (idx)`, or a comparison over parameters and arrays.
    pub(super) fn claim(&mut self, id: Id) -> Id {
        let source = self.source;
        if source.functor(id) == Some(Construct::Apply.symbol()) {
            let name = source.as_atom(source.arg(id, 0)).unwrap_or("".into());
            let of_name = source.arity(id) == 2 && source.as_atom(source.arg(id, 1)).is_some();
            if matches!(name.as_str(), "independent" | "injective") && of_name {
                let function = self.atom_of(source.arg(id, 0));
                let argument = self.atom_of(source.arg(id, 1));
                return self.make(Construct::Apply, &[function, argument], Type::Bool, id);
            }
            self.report(
                Diagnostic::error(
                    "E0216",
                    format!("`{name}` is not a claim that could be assumed"),
                )
                .at(source.span(id))
                .hint(
                    "claims are independent (i), injective (idx) and comparisons such as eps > 0",
                ),
            );
        }
        self.condition(id)
    }
}
