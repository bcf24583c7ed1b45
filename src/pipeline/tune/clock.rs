//! How long a tuning may take, and what its time goes into.

use std::time::{Duration, Instant};

/// By then all is derived that is derived, as parts of the whole time,
const DERIVED: f64 = 0.25;
/// and built that is built. On 16 cores and one device, 64 programs take several times as long to build as to run.
const BUILT: f64 = 0.75;

/// The time of a tuning.
pub struct Clock {
    start: Instant,
    within: Option<Duration>,
    parts: Vec<(&'static str, Duration)>,
}

/// A time after which nothing more is begun; without one, any time is before it.
#[derive(Clone, Copy, Debug)]
pub struct Until(Option<Instant>);

impl Until {
    /// Whether it has come.
    pub fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// How long it is until then.
    pub fn left(self) -> Option<Duration> {
        let now = Instant::now();
        self.0.map(|end| end.saturating_duration_since(now))
    }

    /// The end of so large a part of what is left.
    pub fn part(self, part: f64) -> Until {
        let now = Instant::now();
        Until(
            self.0
                .map(|end| now + end.saturating_duration_since(now).mul_f64(part)),
        )
    }
}

impl Clock {
    /// A clock that starts now, of a tuning that may take so long.
    pub fn new(within: Option<Duration>) -> Clock {
        Clock {
            start: Instant::now(),
            within,
            parts: Vec::new(),
        }
    }

    /// By when candidates are derived.
    pub fn derived(&self) -> Until {
        self.until(DERIVED)
    }

    /// By when they are built.
    pub fn built(&self) -> Until {
        self.until(BUILT)
    }

    /// The end.
    pub fn end(&self) -> Until {
        self.until(1.0)
    }

    fn until(&self, part: f64) -> Until {
        // A time beyond all clocks never comes.
        let seconds = self.within.map(|within| within.as_secs_f64() * part);
        let end = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Until(end.and_then(|end| self.start.checked_add(end)))
    }

    /// Does a part of the work, and notes its time.
    pub fn part<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        let took = start.elapsed();
        match self.parts.iter_mut().find(|(other, _)| *other == name) {
            Some((_, time)) => *time += took,
            None => self.parts.push((name, took)),
        }
        done
    }

    /// The parts with their seconds.
    pub fn parts(&self) -> String {
        let parts = self.parts.iter();
        let parts = parts.map(|(name, time)| format!("{name} {:.1} s", time.as_secs_f64()));
        parts.collect::<Vec<_>>().join(", ")
    }

    /// The seconds in which it was to be done, as a message says them.
    pub fn bound(&self) -> String {
        self.within.map_or(String::new(), |within| {
            format!("{} s", within.as_secs_f64())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_without_a_bound_never_ends() {
        for within in [None, Some(Duration::MAX)] {
            let clock = Clock::new(within);
            assert!(!clock.derived().is_over() && !clock.end().is_over());
            assert!(!clock.end().part(0.0).is_over());
        }
        let clock = Clock::new(Some(Duration::from_nanos(1)));
        std::thread::sleep(Duration::from_millis(1));
        assert!(clock.end().is_over() && clock.end().left() == Some(Duration::ZERO));
    }

    #[test]
    fn parts_add_up_under_their_names() {
        let mut clock = Clock::new(None);
        for name in ["running", "building", "running"] {
            clock.part(name, || ());
        }
        assert_eq!(clock.parts(), "running 0.0 s, building 0.0 s");
    }
}
