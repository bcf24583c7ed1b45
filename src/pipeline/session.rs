//! State shared by work on schemes: the texts that were read, and the observer of progress.

use super::Notes;
use crate::term::Sources;

/// Events that an observer gets during the work. Results and failures are returned instead.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// What the rules left undone.
    Left(&'a Notes),
    /// A line on what is done, such as which tuning is taken up.
    Said(&'a str),
    /// Work that may take seconds begins: building, running, measuring.
    Begins(&'a str),
    /// How far that work is, or the last line that its process wrote.
    GoesOn(&'a str),
    /// Of so many parts of the work, such as runs or files, some are done.
    Part {
        /// How many are done.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// That work has ended, well or not.
    Ends,
}

/// The receiver of events; the spans of diagnostics refer to the texts.
pub type Observer = Box<dyn FnMut(Event<'_>, &Sources) + Send>;

/// The texts read so far, which spans refer to, and the observer.
pub struct Session {
    /// All texts read.
    pub sources: Sources,
    observer: Observer,
    /// What was said once and is not said again.
    said: Vec<String>,
}

impl Default for Session {
    fn default() -> Session {
        Session::observed(Box::new(|_, _| {}))
    }
}

impl Session {
    /// A session without an observer.
    pub fn new() -> Session {
        Session::default()
    }

    /// A session with an observer.
    pub fn observed(observer: Observer) -> Session {
        Session {
            sources: Sources::default(),
            observer,
            said: Vec::new(),
        }
    }

    /// Tells what the rules left undone.
    pub(super) fn tell(&mut self, notes: &Notes) {
        (self.observer)(Event::Left(notes), &self.sources);
    }

    /// Says a line.
    pub(super) fn say(&mut self, line: &str) {
        (self.observer)(Event::Said(line), &self.sources);
    }

    /// Says a line, unless it was said before.
    pub(super) fn say_once(&mut self, line: &str) {
        if !self.said.iter().any(|said| said == line) {
            self.said.push(line.to_owned());
            self.say(line);
        }
    }

    /// Tells how many parts of the work are done.
    pub fn part(&mut self, done: usize, of: usize) {
        (self.observer)(Event::Part { done, of }, &self.sources);
    }

    /// Does work in so many parts, of each of which `work` tells that it begins.
    pub(super) fn during_parts<T>(
        &mut self,
        what: &str,
        of: usize,
        work: impl FnOnce(&mut dyn FnMut(&str)) -> T,
    ) -> T {
        let (observer, sources) = (&mut self.observer, &self.sources);
        observer(Event::Begins(what), sources);
        let mut done = 0;
        let result = work(&mut |line| {
            observer(Event::Part { done, of }, sources);
            observer(Event::GoesOn(line), sources);
            done += 1;
        });
        observer(Event::Part { done: of, of }, sources);
        observer(Event::Ends, sources);
        result
    }

    /// Does work that may take seconds; `work` is given what tells how far it is.
    pub(super) fn during<T>(
        &mut self,
        what: &str,
        work: impl FnOnce(&mut dyn FnMut(&str)) -> T,
    ) -> T {
        (self.observer)(Event::Begins(what), &self.sources);
        let done = work(&mut |line| (self.observer)(Event::GoesOn(line), &self.sources));
        (self.observer)(Event::Ends, &self.sources);
        done
    }
}
