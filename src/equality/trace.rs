//! What tells two operators apart, as data and in words.

use crate::term::Id;
use std::fmt::Write;

/// An occurrence on one of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// On the first side.
    First(Id),
    /// On the second side.
    Second(Id),
}

/// A predicate with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valued {
    /// Where the predicate stands.
    pub predicate: Place,
    /// Whether it holds, as it stands there.
    pub holds: bool,
}

/// A step that both sides do alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The values of predicates that lead to the action, those that matter.
    pub values: Vec<Valued>,
    /// The action.
    pub action: Place,
}

/// What a side does where the sides differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It stops, with a result.
    Stops,
    /// It goes on with an action, and there are ways from there to a result.
    GoesOn(Place),
    /// It has no result: it fails, or never ends, whatever the predicates are from here on.
    NoResult,
}

/// A shortest guarded trace on which two operators differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What both do alike.
    pub steps: Vec<Step>,
    /// The values of predicates after that under which they differ, those that matter.
    pub values: Vec<Valued>,
    /// What the first does then.
    pub first: End,
    /// What the second does then.
    pub second: End,
}

impl Trace {
    /// The trace in words, a line for each step. `show` gives the text of what stands at a place,
    /// `names` are those of the sides.
    ///
    /// ```text
    /// where 'u' holds, both do "A";
    /// then, where 'u' does not hold, both do "B";
    /// then one stops, and two goes on with "C"
    /// ```
    pub fn lines(&self, show: &dyn Fn(Place) -> String, names: [&str; 2]) -> Vec<String> {
        let mut lines = Vec::new();
        for (i, step) in self.steps.iter().enumerate() {
            let mut line = start(i > 0, &step.values, show);
            let _ = write!(line, "both do {};", show(step.action));
            lines.push(line);
        }
        let mut line = start(!self.steps.is_empty(), &self.values, show);
        let _ = write!(
            line,
            "{} {}, and {} {}",
            names[0],
            self.first.text(show),
            names[1],
            self.second.text(show)
        );
        lines.push(line);
        lines
    }
}

impl End {
    /// What is done, in words.
    pub fn text(self, show: &dyn Fn(Place) -> String) -> String {
        match self {
            End::Stops => "stops".to_owned(),
            End::GoesOn(action) => format!("goes on with {}", show(action)),
            End::NoResult => "has no result".to_owned(),
        }
    }
}

/// `then, where 'u' holds and 'v' does not hold, `
fn start(later: bool, values: &[Valued], show: &dyn Fn(Place) -> String) -> String {
    let mut line = String::from(if later { "then" } else { "" });
    for (i, value) in values.iter().enumerate() {
        line.push_str(match (i, later) {
            (0, true) => ", where ",
            (0, false) => "where ",
            _ => " and ",
        });
        line.push_str(&show(value.predicate));
        line.push_str(if value.holds {
            " holds"
        } else {
            " does not hold"
        });
    }
    match (values.is_empty(), later) {
        (false, _) => line.push_str(", "),
        (true, true) => line.push(' '),
        (true, false) => {}
    }
    line
}
