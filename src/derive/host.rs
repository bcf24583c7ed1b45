//! What the rule engine may ask about schemes.

use super::facts;
use super::parts::{Unsettled, mentions, type_of, way_to};
use super::simplify::simplify;
use crate::algebra::{Construct, Operator, build, operator};
use crate::analysis::{self, Answer as Known, Around, Basis, Context, Loop, Placement};
use crate::check::{Scheme, author_name, check, outermost_loop, unrecordable};
use crate::diagnostic::Diagnostic;
use crate::rewrite::{Answer, Evidence, FloatClass, Host, Redex, Status, evaluate};
use crate::term::{Id, Path, Symbol, Terms};
use std::collections::HashMap;

/// The facts of one scheme, as it stands between two steps.
pub struct SchemeHost {
    pub(super) scheme: Scheme,
    /// The engine's nodes and the scheme's for the same parts of the term.
    pub(super) own: HashMap<Id, Id>,
    pub(super) fresh: u32,
    /// Names that were made for this step, each by the two that it is made from.
    pub(super) named: HashMap<(Symbol, Symbol), Symbol>,
    /// Copies that are needed at the places that were asked about, as many rules ask about one.
    placed: HashMap<Path, Placement>,
    /// What the last step was at least.
    class: FloatClass,
}

impl SchemeHost {
    /// A host for a scheme. The engine checks it anew before the first step.
    pub fn new(scheme: Scheme) -> SchemeHost {
        SchemeHost {
            scheme,
            own: HashMap::new(),
            fresh: 0,
            named: HashMap::new(),
            placed: HashMap::new(),
            class: FloatClass::Exact,
        }
    }

    /// A term of the engine's arena in the scheme's.
    pub(super) fn own(&mut self, terms: &Terms, id: Id) -> Id {
        match self.own.get(&id) {
            Some(&own) => own,
            None => self.scheme.terms.import(terms, id),
        }
    }

    /// Copies that are needed at a place.
    pub(super) fn placement(&mut self, at: Redex<'_>) -> &Placement {
        let scheme = &self.scheme;
        self.placed
            .entry(at.path.clone())
            .or_insert_with(|| analysis::placement(scheme, at.path))
    }

    fn context(&self, at: Redex<'_>) -> Context {
        Context::at(&self.scheme, self.scheme.root, at.path)
    }

    /// Whether no variable of a loop around a place occurs in a part of a scheme.
    fn free_of_loops_around(&self, part: Id, at: Redex<'_>) -> Answer {
        let names = analysis::names_in(&self.scheme, part);
        let around = self.context(at).around;
        let found = around.iter().find_map(|around| match around {
            Around::Loop(outer) if names.contains(&outer.var) => Some(author_name(outer.var)),
            _ => None,
        });
        decided(
            found.is_none(),
            "no variable of a loop around it occurs in it",
            format!(
                "{}, of a loop around it, occurs in it",
                found.unwrap_or_default()
            ),
        )
    }

    /// The context of a loop with a body, which may stand deeper in what the rule matched.
    pub(super) fn loop_context(&self, at: Redex<'_>, body: Id) -> Context {
        let terms = &self.scheme.terms;
        let mut path = at.path.clone();
        let found = path
            .get(terms, self.scheme.root)
            .is_some_and(|redex| way_to(terms, redex, body, &mut path.0));
        if found {
            // The loop stands one step above its body.
            path.0.pop();
        }
        Context::at(&self.scheme, self.scheme.root, &path)
    }

    /// A loop given by its variable and bounds.
    fn loop_of(&self, var: Id, from: Id, to: Id) -> Option<Loop> {
        Some(Loop {
            var: self.scheme.terms.as_atom(var)?,
            from,
            to,
            step: None,
        })
    }

    pub(super) fn answer(&self, known: Known) -> Answer {
        match known {
            Known::Yes(text, basis) => Answer::Yes(Evidence::new(
                if basis == Basis::Proved {
                    Status::Proved
                } else {
                    Status::Assumed
                },
                text,
            )),
            Known::No(text, places) => Answer::No(Evidence {
                places,
                ..Evidence::new(Status::Proved, text)
            }),
            Known::Unknown(text, places) => Answer::Unknown(Evidence {
                places,
                ..Evidence::new(Status::Proved, text)
            }),
        }
    }
}

/// Yes or no by looking.
pub(super) fn decided(holds: bool, yes: impl Into<String>, no: impl Into<String>) -> Answer {
    if holds {
        Answer::Yes(Evidence::new(Status::Decided, yes))
    } else {
        Answer::No(Evidence::new(Status::Decided, no))
    }
}

impl Host for SchemeHost {
    fn begin(&mut self) {
        self.fresh = 0;
        self.named.clear();
    }

    fn ask(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Answer> {
        // What is not in the table is not answered, so that the table lists all there is.
        facts::fact(name.as_str(), args.len())?;
        let args: Vec<Id> = args.iter().map(|&a| self.own(terms, a)).collect();
        let scheme = &self.scheme;
        let body_and_rest = || args.split_last().map(|(&last, rest)| (last, rest));
        Some(match (name.as_str(), args.as_slice()) {
            ("on_host", []) => {
                let context = self.context(at);
                decided(
                    context.on_host(),
                    "it stands at the host's level",
                    if context.in_kernel {
                        "it stands in a kernel already"
                    } else if context.recorded {
                        "it stands in what is RECORDED"
                    } else {
                        "it stands in PARALLEL already"
                    },
                )
            }
            ("outside_kernels", []) => {
                let context = self.context(at);
                decided(
                    !context.in_kernel && !context.recorded,
                    "it stands in no kernel and in nothing RECORDED",
                    "it stands in a kernel, or in what is RECORDED",
                )
            }
            ("outside_lanes", []) => decided(
                !self.context(at).in_lanes,
                "it stands in no LANES",
                "it stands in LANES already",
            ),
            ("free_of_loops_around", &[body]) => self.free_of_loops_around(body, at),
            ("timed", []) => decided(
                self.in_timed(at),
                "it is timed",
                "it stands outside what is timed",
            ),
            ("independent", &[var, from, to, body]) => {
                let this = self.loop_of(var, from, to)?;
                let context = self.loop_context(at, body);
                self.answer(analysis::independent(scheme, &context, this, body))
            }
            ("independent_steps", &[var, from, to, step, body]) => {
                let this = Loop {
                    step: Some(step),
                    ..self.loop_of(var, from, to)?
                };
                let context = self.loop_context(at, body);
                self.answer(analysis::independent(scheme, &context, this, body))
            }
            ("independent_but", &[sum, var, from, to, body]) => {
                let this = self.loop_of(var, from, to)?;
                let sum = scheme.terms.as_atom(sum)?;
                let context = self.loop_context(at, body);
                self.answer(analysis::independent_but(scheme, &context, this, body, sum))
            }
            (question @ ("keeps_order" | "apart"), &[var, from, to, first, second]) => {
                let this = self.loop_of(var, from, to)?;
                let context = self.loop_context(at, first);
                let ask = match question {
                    "apart" => analysis::apart,
                    _ => analysis::keeps_order,
                };
                self.answer(ask(scheme, &context, this, first, second))
            }
            ("is_number", &[a]) => decided(
                scheme.terms.as_int(a).is_some(),
                "it is a number",
                "it is no number",
            ),
            ("reversible", &[i, a, b, c, p, q, body]) => {
                let outer = self.loop_of(i, a, b)?;
                let inner = self.loop_of(c, p, q)?;
                self.answer(analysis::reversible(
                    scheme,
                    &self.context(at),
                    outer,
                    inner,
                    body,
                ))
            }
            ("device_ok", &[body]) => self.answer(analysis::device_ok(scheme, body, None)),
            ("device_ok_but", &[sum, body]) => self.answer(analysis::device_ok(
                scheme,
                body,
                Some(scheme.terms.as_atom(sum)?),
            )),
            ("lanes_ok", &[var, body]) => {
                let var = scheme.terms.as_atom(var)?;
                self.answer(analysis::lanes_ok(scheme, var, body))
            }
            ("parallel_ok", &[body]) => self.answer(analysis::parallel_ok(scheme, body)),
            ("bounds_invariant", _) => {
                let (body, bounds) = body_and_rest()?;
                self.answer(analysis::bounds_invariant(scheme, bounds, body))
            }
            ("stable", _) => {
                let (body, expressions) = body_and_rest()?;
                self.answer(analysis::stable(scheme, expressions, body))
            }
            ("at_least_once", &[a, b]) => {
                self.answer(analysis::at_least_once(scheme, &self.context(at), a, b))
            }
            ("has_margin", &[var, from, to, body]) => {
                let ty = type_of(scheme, var)?;
                let context = self.loop_context(at, body);
                self.answer(analysis::has_margin(scheme, &context, ty, from, to))
            }
            ("only_access", [cell, operators @ ..]) => {
                self.answer(analysis::only_access(scheme, *cell, operators))
            }
            ("unused", [name, parts @ ..]) => {
                let found = parts.iter().find(|&&p| mentions(&scheme.terms, p, *name));
                decided(found.is_none(), "it is not used after", "it is used after")
            }
            ("free_of", [name, parts @ ..]) => {
                let found = parts.iter().find(|&&p| mentions(&scheme.terms, p, *name));
                let shown = analysis::text(scheme, *name);
                decided(
                    found.is_none(),
                    format!("{shown} does not occur in it"),
                    format!(
                        "{shown} occurs in {}",
                        found.map_or(String::new(), |&p| analysis::text(scheme, p))
                    ),
                )
            }
            ("only_added", &[name, body]) => {
                let name = scheme.terms.as_atom(name)?;
                decided(
                    analysis::is_real_sum(scheme, name, body),
                    "all that is done with it is to add to it",
                    "something else is done with it than to add to it",
                )
            }
            ("never_assigned", [name, parts @ ..]) => {
                let name = scheme.terms.as_atom(*name)?;
                let write = parts
                    .iter()
                    .flat_map(|&p| analysis::accesses(scheme, p).all)
                    .find(|a| a.write && a.name == name);
                decided(write.is_none(), "nothing assigns it", "it is assigned")
            }
            ("same_type", &[a, b]) => {
                let (ta, tb) = (type_of(scheme, a), type_of(scheme, b));
                decided(
                    ta.is_some() && ta == tb,
                    "both have the same type",
                    "they have different types",
                )
            }
            ("no_locals", parts) => {
                let local = parts.iter().any(|&p| {
                    matches!(
                        operator(&scheme.terms, p),
                        Some(
                            Operator::Local { .. }
                                | Operator::Shared { .. }
                                | Operator::Registers { .. }
                        )
                    )
                });
                decided(
                    !local,
                    "it declares nothing that what follows could use",
                    "it declares LOCALs that what follows may use",
                )
            }
            ("launches", &[body]) => {
                let found = scheme
                    .terms
                    .subterms(body)
                    .any(|t| scheme.terms.functor(t) == Some(Construct::Launch.symbol()));
                decided(found, "there is a launch in it", "there is no launch in it")
            }
            ("recordable", &[body]) => self.recordable(at, body),
            ("device_wait", &[point]) => {
                let point = scheme.terms.as_text(point)?;
                decided(
                    !analysis::is_control_point(scheme, point),
                    "it waits for the device",
                    "it waits for the CONTROL POINT of that name",
                )
            }
            ("asynchronous", parts) => {
                let mut answer = self.answer(analysis::asynchronous(scheme, parts));
                if let Answer::No(evidence) = &mut answer {
                    // Seen by looking at the operators: a host that looks must wait.
                    evidence.status = Status::Decided;
                }
                answer
            }
            ("memory_unplaced", []) => {
                let placed = scheme
                    .terms
                    .subterms(scheme.body)
                    .find(|&t| matches!(operator(&scheme.terms, t), Some(Operator::Allocate(_))));
                match placed {
                    None => decided(true, "no memory of the device is placed yet", ""),
                    Some(id) => Answer::No(Evidence {
                        places: vec![(scheme.terms.span(id), "placed here".into())],
                        ..Evidence::new(
                            Status::Proved,
                            "the scheme places memory of the device itself",
                        )
                    }),
                }
            }
            ("memory_consistent", []) => decided(
                analysis::consistent(scheme),
                "every copy is made from a side that is up to date, and every use finds it so",
                "a copy is made from a side that is not up to date, or a use finds it so",
            ),
            ("both_up_to_date", &[name]) => {
                let name = scheme.terms.as_atom(name)?;
                decided(
                    self.placement(at).both.contains(&name),
                    "both sides are up to date before it on every way",
                    "one side may not be up to date before it",
                )
            }
            ("needs_memory", &[name, body]) => {
                let name = scheme.terms.as_atom(name)?;
                decided(
                    analysis::needs_memory(scheme, name, body),
                    "launches reach it, and it has no memory on the device",
                    "no launch reaches it, or it has memory on the device",
                )
            }
            ("is_sequence", &[body]) => decided(
                scheme.terms.functor(body) == Some(Construct::Then.symbol()),
                "it is a sequence",
                "it is no sequence",
            ),
            ("is_value", []) => decided(
                self.is_value(at.path),
                "it is read here",
                "it is assigned here",
            ),
            ("filled" | "is_size", _) => return self.ask_of_records(at, name, &args),
            ("repeatable" | "loops" | "crowded" | "inside_independent" | "at_registers", _) => {
                return self.ask_of_loops(at, name, &args);
            }
            _ => return self.ask_of_pairs(name, &args),
        })
    }

    fn compute(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Result<Vec<Id>, String>> {
        self.computed(terms, at, name, args)
    }

    fn build(&mut self, terms: &mut Terms, functor: Symbol, args: &[Id]) -> Id {
        build(terms, functor, args)
    }

    fn simplify(&mut self, terms: &mut Terms, _at: Redex<'_>, id: Id) -> Id {
        let id = evaluate(terms, id);
        simplify(&self.scheme, terms, id)
    }

    fn recheck(&mut self, terms: &mut Terms, root: Id) -> Result<Id, Vec<Diagnostic>> {
        let before = Unsettled::of(&self.scheme);
        self.scheme = check(terms, root, self.scheme.precision)?;
        self.placed.clear();
        self.class = Unsettled::class(before, Unsettled::of(&self.scheme));
        let new = terms.import(&self.scheme.terms, self.scheme.root);
        let own = self.scheme.terms.subterms(self.scheme.root);
        self.own = terms.subterms(new).zip(own).collect();
        Ok(new)
    }

    fn float_class(&self) -> FloatClass {
        self.class
    }

    /// Strategies visit operators: they do not go into DATA, and into expressions on request.
    fn descend(&self, terms: &Terms, parent: Id, i: usize, expressions: bool) -> bool {
        use crate::algebra::Sort;
        let Some(construct) = terms.functor(parent).and_then(Construct::of) else {
            return false;
        };
        match construct.info().argument(i) {
            Some(Sort::Operator) => true,
            Some(Sort::Expression | Sort::Condition) => expressions,
            _ => false,
        }
    }
}

impl SchemeHost {
    /// Whether the expression at a place is no target, nor what a target is a component of.
    fn is_value(&self, path: &Path) -> bool {
        let spine = path.spine(&self.scheme.terms, self.scheme.root);
        let parents = spine.as_deref().and_then(|s| s.split_last());
        let parents = parents.map_or(&[][..], |(_, parents)| parents);
        for (&parent, &index) in parents.iter().zip(&path.0).rev() {
            match self.scheme.terms.functor(parent).and_then(Construct::of) {
                Some(Construct::Field) if index == 0 => {}
                Some(Construct::Assign | Construct::AtomicAdd) => return index != 0,
                _ => return true,
            }
        }
        true
    }

    /// Whether a part of what a rule matched may be RECORDED there.
    fn recordable(&self, at: Redex<'_>, body: Id) -> Answer {
        let (terms, root) = (&self.scheme.terms, self.scheme.root);
        let mut path = at.path.clone();
        let redex = path.get(terms, root);
        let found = redex.is_some_and(|redex| way_to(terms, redex, body, &mut path.0));
        let spine = path.spine(terms, root).filter(|_| found);
        let Some((_, above)) = spine.as_deref().and_then(|s| s.split_last()) else {
            return Answer::Unknown(Evidence::new(Status::Decided, "it is not found here"));
        };
        let recorded = Some(Construct::Recorded.symbol());
        if above.iter().any(|&t| terms.functor(t) == recorded) {
            return decided(false, "", "it is recorded already");
        }
        match unrecordable(terms, outermost_loop(terms, above), body) {
            None => decided(true, "it launches the same whenever it is met", ""),
            Some((id, why)) => Answer::No(Evidence {
                places: vec![(terms.span(id), "cannot be recorded".into())],
                ..Evidence::new(Status::Decided, why)
            }),
        }
    }

    /// Whether a place is inside TIMED, or nothing is TIMED.
    fn in_timed(&self, at: Redex<'_>) -> bool {
        let (terms, root) = (&self.scheme.terms, self.scheme.root);
        let timed = Construct::Timed.symbol();
        let any = terms
            .subterms(root)
            .any(|t| terms.functor(t) == Some(timed));
        let spine = at.path.spine(terms, root).unwrap_or_default();
        !any || spine.iter().any(|&t| terms.functor(t) == Some(timed))
    }
}
