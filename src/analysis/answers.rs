//! What was found of systems of constraints. Loops over the same ranges, and arrays with the same subscripts, ask about the
//! same ones.

use super::form::Linear;
use super::linear::{Solution, System};
use rustc_hash::{FxHashMap, FxHasher};
use std::cell::RefCell;
use std::hash::{Hash, Hasher};

/// So many systems are kept; with one more, all are forgotten. A kilobyte or ten each, they take what a derivation of some
/// hundred steps asks about.
const MOST: usize = 2048;

/// A system's constraints, and what was found of it so far.
struct Answers {
    forms: [Box<[Linear]>; 2],
    is_impossible: Option<bool>,
    solution: Option<Solution>,
}

thread_local! {
    /// What was found on this thread, by a hash of the constraints.
    static ANSWERS: RefCell<FxHashMap<u64, Answers>> = RefCell::default();
}

/// Whether there is no solution, as far as was found before, or is found now.
pub(super) fn is_impossible(system: &System, find: impl FnOnce() -> bool) -> bool {
    answer(system, |answers| &mut answers.is_impossible, find)
}

/// The same for a solution.
pub(super) fn solution(system: &System, find: impl FnOnce() -> Solution) -> Solution {
    answer(system, |answers| &mut answers.solution, find)
}

fn answer<T: Clone>(
    system: &System,
    of: impl Fn(&mut Answers) -> &mut Option<T>,
    find: impl FnOnce() -> T,
) -> T {
    let forms = system.forms();
    let mut hasher = FxHasher::default();
    forms.hash(&mut hasher);
    let hash = hasher.finish();
    let is_same = |known: &Answers| known.forms.each_ref().map(AsRef::as_ref) == forms;
    let known = ANSWERS.with_borrow_mut(|all| {
        let known = all.get_mut(&hash).filter(|known| is_same(known))?;
        of(known).clone()
    });
    if let Some(known) = known {
        return known;
    }
    let found = find();
    ANSWERS.with_borrow_mut(|all| {
        if all.len() >= MOST {
            all.clear();
        }
        let new = || Answers {
            forms: forms.map(Box::from),
            is_impossible: None,
            solution: None,
        };
        let answers = all.entry(hash).or_insert_with(new);
        if !is_same(answers) {
            *answers = new();
        }
        *of(answers) = Some(found.clone());
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of more systems than are kept each has its own answer, whether it was asked for before or not.
    #[test]
    fn each_system_has_its_own_answer() {
        for _ in 0..2 {
            for value in -(MOST as i128)..=MOST as i128 {
                let mut system = System::default();
                system.order(&Linear::constant(0), &Linear::constant(value));
                assert_eq!(system.is_impossible(), value < 0);
                let solution = system.solve();
                assert_eq!(solution == Solution::None, value < 0);
            }
        }
    }
}
