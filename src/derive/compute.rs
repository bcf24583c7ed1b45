//! What rules may compute about schemes.

use super::facts;
use super::host::SchemeHost;
use super::parts::{addend, type_of};
use super::simplify::simplify;
use crate::algebra::{Construct, Type, build};
use crate::analysis;
use crate::check::{author_name, unique_name};
use crate::rewrite::Redex;
use crate::term::{Id, Symbol, Terms};

impl SchemeHost {
    /// A name made from another one that no variable has.
    fn unused_name(&mut self, base: Symbol) -> Symbol {
        loop {
            self.fresh += 1;
            let candidate = unique_name(base, 1000 + self.fresh);
            if self.scheme.variable(candidate).is_none() {
                return candidate;
            }
        }
    }

    /// A name made from a text that no variable has: for the same two in one step the same, for
    /// others another one.
    pub(super) fn name_for(&mut self, of: (Symbol, Symbol), text: &str) -> Symbol {
        if let Some(&made) = self.named.get(&of) {
            return made;
        }
        let made = self.unused_name(Symbol::new(text));
        self.named.insert(of, made);
        made
    }

    /// A name made from a variable's and a word.
    pub(super) fn beside(&mut self, name: Symbol, word: Symbol) -> Symbol {
        let base = format!("{}_{word}", author_name(name));
        self.name_for((name, word), &base)
    }

    /// The value of a function of rules; nothing where there is no such function.
    pub(super) fn computed(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Result<Vec<Id>, String>> {
        facts::function(name.as_str(), args.len())?;
        let names = |terms: &mut Terms, names: Vec<Symbol>| {
            Ok(names
                .into_iter()
                .map(|n| terms.atom(n))
                .collect::<Vec<Id>>())
        };
        Some(match name.as_str() {
            "fresh" => {
                let base = args
                    .first()
                    .and_then(|&a| terms.as_text(a).or_else(|| terms.as_atom(a)))?;
                let made = self.unused_name(base);
                Ok(vec![terms.atom(made)])
            }
            "stale_on_device"
            | "stale_on_host"
            | "stale_at_end"
            | "unallocated"
            | "stale_for_condition"
            | "torn_to_device"
            | "torn_from_device"
            | "branch_from_device"
            | "branch_to_device" => {
                let placement = self.placement(at);
                let list = match name.as_str() {
                    "stale_on_device" => &placement.to_device,
                    "stale_on_host" => &placement.from_device,
                    "stale_at_end" => &placement.at_end,
                    "stale_for_condition" => &placement.back,
                    "torn_to_device" => &placement.torn_to_device,
                    "torn_from_device" => &placement.torn_from_device,
                    "branch_from_device" => &placement.branch_from_device,
                    "branch_to_device" => &placement.branch_to_device,
                    _ => &placement.unallocated,
                };
                names(terms, list.clone())
            }
            "reached_on_device" | "written_on_device" => {
                let body = self.own(terms, *args.first()?);
                let (reached, written) = analysis::device_arrays(&self.scheme, body);
                names(
                    terms,
                    if name.as_str() == "reached_on_device" {
                        reached
                    } else {
                        written
                    },
                )
            }
            "gathered_sum" => {
                let body = self.own(terms, *args.first()?);
                match analysis::real_sum(&self.scheme, body) {
                    Some(sum) => names(terms, vec![sum]),
                    None => Err("it adds to no REAL scalar or VECTOR".into()),
                }
            }
            "narrow_sums" | "narrow_vector_sums" => {
                let body = self.own(terms, *args.first()?);
                let vectors = name.as_str() == "narrow_vector_sums";
                names(terms, analysis::narrow_sums(&self.scheme, body, vectors))
            }
            "addend" => {
                let (name, body) = (terms.as_atom(*args.first()?)?, *args.get(1)?);
                addend(terms, name, body).map(|e| vec![e])
            }
            "beside" => {
                let (name, word) = (
                    terms.as_atom(*args.first()?)?,
                    terms.as_atom(*args.get(1)?)?,
                );
                let made = self.beside(name, word);
                names(terms, vec![made])
            }
            "type_of" => {
                let id = self.own(terms, *args.first()?);
                match type_of(&self.scheme, id) {
                    Some(ty) => Ok(vec![terms.atom(ty.name(self.scheme.precision).into())]),
                    None => Err("it has no type".into()),
                }
            }
            // Numbers that count blocks or threads, as the variable of a loop counts, and back.
            "counted_as" | "widened" | "narrowed" => {
                let id = self.own(terms, *args.first()?);
                let &number = args.get(1)?;
                let wide = type_of(&self.scheme, id) == Some(Type::I64);
                let function = match (name.as_str(), wide) {
                    ("counted_as", true) | ("widened", false) => "int64",
                    ("narrowed", false) => "int",
                    _ => return Some(Ok(vec![number])),
                };
                let function = terms.atom(function.into());
                let converted = [function, number];
                Ok(vec![build(terms, Construct::Apply.symbol(), &converted)])
            }
            "margin_test" => {
                let own: Vec<Id> = args.iter().map(|&a| self.own(terms, a)).collect();
                let &[var, from, to, body] = own.as_slice() else {
                    return None;
                };
                let context = self.loop_context(at, body);
                let loops = self.nest(var, from, to, body)?;
                let test = analysis::margin_test(&self.scheme, &context, &loops, terms);
                Ok(test.into_iter().collect())
            }
            "simplify" => Ok(args
                .iter()
                .map(|&a| simplify(&self.scheme, terms, a))
                .collect()),
            "pick" | "sum" | "in_components" | "fields" | "components" | "distinct" => {
                return self.compute_of_vectors(terms, name, args);
            }
            "read_together" | "size_of" | "in_record" => {
                return self.compute_of_records(terms, name, args);
            }
            _ => return self.compute_of_pairs(terms, at, name, args),
        })
    }
}
