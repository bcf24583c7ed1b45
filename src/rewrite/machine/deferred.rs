//! Which calls owe their rewrites, where FirstTop may repeat or drop what comes of them.

use super::code::{Functor, Op, Program};
use super::compile;
use super::owing::{Come, Owing};
use crate::rewrite::any_order::Uneven;
use crate::rewrite::lint::terminates;
use crate::rewrite::system::{Limits, Reduction};
use crate::rewrite::{RuleBase, System};
use crate::term::{Head, Id, Symbol, Terms};

/// Rewrites made before FirstTop itself has its first turn, and so many times more before each further one.
const FIRST_TURN: u64 = 1 << 12;
const MORE: u64 = 4;
/// Of so many rewrites, FirstTop itself makes one: more where nobody knows whether the others ever end.
const OWN: u64 = 4;
const OWN_WHERE_IT_ENDS: u64 = 64;

/// Normalises a term arguments first, with the counts of FirstTop; says nothing where these are beyond the limits. What
/// FirstTop drops may take long or never end: so FirstTop `itself` has its turns, each of so many rewrites.
pub(in crate::rewrite) fn owing(
    base: &RuleBase,
    system: &System,
    terms: &mut Terms,
    root: Id,
    limits: Limits<'_>,
    uneven: &Uneven,
    mut itself: impl FnMut(&mut Terms, u64) -> Option<Reduction>,
) -> Option<Reduction> {
    let mut program = compile::program(base, system, terms, root, false)?;
    for functor in 0..program.functors.len() {
        for candidate in 0..program.functors[functor].candidates.len() {
            let known = &program.functors[functor].candidates[candidate];
            let rule = &base.rules[known.rule as usize];
            let (start, result) = (known.code, rule.alternatives[0].outcome.result);
            defer(&mut program, start, &base.terms, result, uneven);
        }
    }
    let start = program.start;
    defer(&mut program, start, terms, root, uneven);
    program.due = program.functors.len() as u32;
    // What is due, sums, and one for each rule.
    for arity in [2, 2].into_iter().chain(program.rules.iter().map(|_| 0)) {
        program.functors.push(Functor {
            head: Head::Functor(Symbol::new("")),
            arity,
            candidates: Vec::new(),
            meaning: None,
            form: None,
        });
    }
    let own = match terminates(base, system) {
        true => OWN_WHERE_IT_ENDS,
        false => OWN,
    };
    let mut run = Owing::new(&program, base.rules.len(), limits.steps);
    let mut turn = FIRST_TURN;
    loop {
        match run.run(turn) {
            Come::Result(result) => {
                return Some(Reduction {
                    root: run.heap.export(&program, result, terms),
                    trace: run.trace,
                    finished: true,
                    slow: None,
                    any_order: true,
                });
            }
            Come::Beyond => return None,
            Come::Paused => {}
        }
        let done = itself(terms, (turn / own).min(limits.steps));
        if done.is_some() || turn / own >= limits.steps {
            return done;
        }
        turn = turn
            .saturating_mul(MORE)
            .min(limits.steps.saturating_mul(own));
    }
}

/// Marks the calls of a template's code whose values stand in uneven places.
fn defer(program: &mut Program, start: u32, terms: &Terms, template: Id, uneven: &Uneven) {
    // Each part but variables and constants has an instruction of its own, in the order in which parts end.
    let mut flags = Vec::new();
    let mut work = vec![(template, false, false)];
    while let Some((id, is_deferred, visited)) = work.pop() {
        if visited {
            let is_called =
                |f: &Functor| f.arity == 0 && f.head == terms.head(id) && !f.candidates.is_empty();
            if terms.arity(id) > 0 || program.functors.iter().any(is_called) {
                flags.push(is_deferred);
            }
            continue;
        }
        let args = terms.args(id);
        let functor = terms.functor(id);
        work.push((id, is_deferred, true));
        for (i, &argument) in args.iter().enumerate().rev() {
            let is_uneven = functor.is_some_and(|functor| uneven.has((functor, args.len()), i));
            work.push((argument, is_deferred || is_uneven, false));
        }
    }
    for (op, is_deferred) in program.code[start as usize..].iter_mut().zip(flags) {
        if let (true, &mut Op::Call { functor, arguments }) = (is_deferred, &mut *op) {
            *op = Op::Defer { functor, arguments };
        }
    }
}
