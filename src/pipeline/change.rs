//! What would let a loop run at once, and options with that done.

use super::Options;
use std::fmt;

/// What would let a loop run at once that stays sequential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A parameter of the strategy.
    Setting {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: i64,
        /// What that allows.
        allows: &'static str,
    },
    /// The author's claim that no two iterations of the loop over a variable meet.
    Claim(&'static str),
    /// Another way to write the loop, in words.
    Rewrite(&'static str),
}

impl Change {
    /// The claim as `--assume` takes it, and DATA behind ASSUME; none of another change.
    pub fn claim(&self) -> Option<String> {
        match self {
            Change::Claim(variable) => Some(format!("independent ({variable})")),
            Change::Setting { .. } | Change::Rewrite(_) => None,
        }
    }

    /// Options with it done; none where the scheme is to be written otherwise.
    pub fn done(&self, options: &Options) -> Option<Options> {
        let mut options = options.clone();
        match self {
            Change::Setting { name, value, .. } => options.with.push(format!("{name}={value}")),
            Change::Claim(_) => options.assume.extend(self.claim()),
            Change::Rewrite(_) => return None,
        }
        Some(options)
    }

    /// What is added to a command for it; none where the scheme is to be written otherwise.
    pub fn flags(&self) -> Option<String> {
        match self {
            Change::Setting { name, value, .. } => Some(format!("--with {name}={value}")),
            Change::Claim(_) => Some(format!("--assume \"{}\"", self.claim()?)),
            Change::Rewrite(_) => None,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Setting {
                name,
                value,
                allows,
            } => write!(f, "--with {name}={value} {allows}"),
            Change::Claim(variable) => {
                write!(
                    f,
                    "if that never happens, say so: ASSUME independent ({variable})"
                )
            }
            Change::Rewrite(words) => f.write_str(words),
        }
    }
}
