//! Which of several facts each question of a condition took, to come back to another one.

/// The facts that the questions of a condition took, in the order in which they were asked.
///
/// A condition is judged again with the next choice as long as it does not hold: earlier questions
/// take the facts that they took before, the last one that has another fact takes that.
///
/// What variables stand for is kept in `Slots`.
#[derive(Clone, Debug)]
pub(in crate::rewrite) struct Choices<Slots> {
    /// The number of the fact that each question looks from, or took; none where it had no further one.
    taken: Vec<Option<usize>>,
    /// The question that is next.
    next: usize,
    /// Within how many negations the judging is: a fact that is taken there gives no variable a
    /// value, and another one would make no difference.
    negations: usize,
    /// What variables stood for before the first question took a fact.
    start: Option<Slots>,
}

impl<Slots: Clone> Choices<Slots> {
    /// The number of the fact from which the next question is to look; none if there is no further one.
    pub(in crate::rewrite) fn from(&self) -> Option<usize> {
        match self.negations {
            0 => self.taken.get(self.next).copied().unwrap_or(Some(0)),
            _ => Some(0),
        }
    }

    /// Notes which fact the question took; none if there is none. `slots` is what variables stand
    /// for before that.
    pub(in crate::rewrite) fn note(&mut self, fact: Option<usize>, slots: &Slots) {
        if self.negations > 0 {
            return;
        }
        if self.start.is_none() {
            self.start = Some(slots.clone());
        }
        // What later questions took is kept only if this one took what it took then.
        if self.taken.get(self.next) != Some(&fact) {
            self.taken.truncate(self.next);
            self.taken.push(fact);
        }
        self.next += 1;
    }

    /// Whether values are kept of what is asked now.
    pub(in crate::rewrite) fn binds(&self) -> bool {
        self.negations == 0
    }

    pub(in crate::rewrite) fn negate(&mut self, enters: bool) {
        match enters {
            true => self.negations += 1,
            false => self.negations -= 1,
        }
    }

    /// Goes back to the last question that took a fact, which then takes a later one. Gives what
    /// variables stand for at the beginning; none if no question took a fact.
    pub(in crate::rewrite) fn again(&mut self) -> Option<Slots> {
        self.next = 0;
        while let Some(None) = self.taken.last() {
            self.taken.pop();
        }
        *self.taken.last_mut()?.as_mut()? += 1;
        self.start.clone()
    }
}

impl<Slots> Default for Choices<Slots> {
    fn default() -> Self {
        Choices {
            taken: Vec::new(),
            next: 0,
            negations: 0,
            start: None,
        }
    }
}
