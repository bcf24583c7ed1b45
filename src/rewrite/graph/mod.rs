//! Rewriting on graphs of cells: every order of looking for redexes, every kind of pattern.
//!
//! Rules become code over cells ([`compile`]). The orders ([`orders`]) look for redexes as those
//! of the general matcher do ([`crate::rewrite::system`]), which this engine is held against; a
//! run within a condition is one more frame on a stack and no call, so conditions nest as deep as
//! memory allows. What is found to be normal, in whatever condition, is marked in its cell and not
//! searched again; what a term within a condition became is kept as long as the term is.

mod ages;
mod asking;
mod at_work;
mod attempt;
mod cells;
mod code;
mod collect;
mod compile;
mod direct;
mod engine;
mod exchange;
mod execute;
mod facts;
mod forms;
mod functors;
mod itself;
mod kept;
mod matches;
mod orders;
mod passes;
mod place;
mod questions;
mod repeats;
mod root;
mod rule;
mod search;
mod sets;
mod template;
mod values;

use super::fact_base::Knowledge;
use super::system::{Limits, Reduction};
use super::{Order, RuleBase, System};
use crate::term::{Head, Id, Terms};
use collect::TOO_MANY_FUNCTORS;
use engine::Engine;
use facts::Facts;
pub(super) use itself::some_rule_asks_itself;
use questions::Questions;
pub(super) use repeats::{Repeats, repeats};
use std::cell::RefCell;

/// So many rules may be asked within each other whatever the bound of steps is, beside as many as there are: then those
/// that are open count as steps do, since conditions that ask each other without end need not rewrite anything. Where no
/// rule asks itself, as in the machine of BottomTop, no more are open than there are.
const OPEN: usize = 1_000;

/// Why a term or a system is left to the general matcher.
pub(super) struct Unable(pub(super) String);

/// Rewrites a term by a system. An error says why the run was given up.
pub(super) fn reduce(
    base: &RuleBase,
    system: &System,
    order: Order,
    terms: &mut Terms,
    root: Id,
    limits: Limits<'_>,
    knowledge: Option<&RefCell<Knowledge>>,
) -> Result<Result<Reduction, String>, Unable> {
    if order == Order::NFirstTops {
        return Err(Unable("the order is NFirstTops".to_string()));
    }
    let is_sequence = |id: Id| matches!(terms.head(id), Head::Sequence(_));
    if terms.subterms(root).any(is_sequence) {
        return Err(Unable("the term has sequence variables".to_string()));
    }
    let run = |terms: &mut Terms, keeps_steps: bool| {
        let questions = Questions::new(base, system, knowledge);
        let compiled = compile::compile(base, system, questions)
            .map_err(|refused| Unable(format!("rule `{}`: {}", refused.rule, refused.why)))?;
        let facts = Facts::new(knowledge, compiled.program.acts);
        let mut engine = Engine::new(
            base,
            compiled.program,
            compiled.functors,
            compiled.cells,
            facts,
        );
        engine.order = order;
        engine.limits = limits;
        engine.most_open = limits
            .steps
            .saturating_add((system.rules.len() + OPEN) as u64);
        if !keeps_steps {
            engine.steps.end();
        }
        let root = engine.import(terms, root);
        if engine.cells.has_too_many_functors() {
            return Err(Unable(TOO_MANY_FUNCTORS.to_string()));
        }
        let ended = engine.run(root);
        Ok((engine, ended))
    };
    let (mut engine, mut ended) = run(terms, true)?;
    if engine.steps.is_spoiled {
        (engine, ended) = run(terms, false)?;
    }
    Ok(ended.map(|(cell, finished)| Reduction {
        root: engine.export(cell, terms),
        trace: engine.trace,
        finished,
        slow: None,
        any_order: false,
    }))
}
