//! The facts of a run of `rewrite`: files before, a program within, a file after.

use super::arguments::source;
use super::output::{Output, Stop};
use crate::pipeline::files::write_whole;
use crate::pipeline::{read_fact_file, read_facts_beside, start_oracle};
use crate::rewrite::{Knowledge, RuleBase, name_of_facts, print_facts};
use std::path::PathBuf;

/// Arguments about facts.
#[derive(clap::Args)]
pub struct FactArgs {
    /// Facts that conditions ask: terms, each ended by `;`, or NAME.csv with a fact in each row
    #[arg(long, value_name = "FILE")]
    facts: Vec<String>,
    /// A program that answers conditions and does actions, by lines of JSON
    #[arg(long, value_name = "COMMAND")]
    oracle: Option<String>,
    /// Where to write the facts as actions left them
    #[arg(long, value_name = "FILE", conflicts_with = "search")]
    save_facts: Option<PathBuf>,
}

impl FactArgs {
    /// What a run of a system knows, those facts first that are named in the system's own text.
    ///
    /// # Errors
    ///
    /// A file cannot be read or has what is no fact, or the program does not start.
    pub fn knowledge(
        &self,
        rules: &str,
        base: &RuleBase,
        system: Option<&str>,
        output: &mut Output,
    ) -> Result<Knowledge, Stop> {
        let mut known = Knowledge::default();
        let session = &mut output.session;
        if let Some(name) = name_of_facts(base, system)? {
            read_facts_beside(source(rules), name, &mut known.facts, session)?;
        }
        for file in &self.facts {
            read_fact_file(file, &mut known.facts, session)?;
        }
        known.oracle = match &self.oracle {
            Some(command) => Some(start_oracle(command)?),
            None => None,
        };
        Ok(known)
    }

    /// Writes the facts that are left, where that is wanted.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn keep(&self, known: &Knowledge) -> Result<(), Stop> {
        if let Some(file) = &self.save_facts {
            write_whole(file, &print_facts(&known.facts), true)?;
        }
        Ok(())
    }
}
