//! `glushkov rewrite --search`.

use super::output::{Done, Output, Stop};
use super::rewrite::listed;
use crate::rewrite::{Knowledge, Rewriting, RuleBase, Search, run_search, search_pattern};
use serde_json::json;

/// Arguments of a search.
#[derive(clap::Args)]
pub struct Sought {
    /// Find all normal forms that any choice of redexes leads to, or all terms that a pattern
    /// matches: 'f($x, $y) [$x < $y]'
    #[arg(long, value_name = "PATTERN", num_args = 0..=1, conflicts_with_all = ["strategy", "stats"])]
    search: Option<Option<String>>,
    /// With --search: how many steps away
    #[arg(long, value_name = "N", requires = "search")]
    depth: Option<usize>,
}

impl Sought {
    /// Whether there is something to search.
    pub fn is_asked(&self) -> bool {
        self.search.is_some()
    }
}

/// How results are shown.
#[derive(Clone, Copy)]
pub struct Shows {
    /// With the steps that lead to them.
    pub ways: bool,
    /// As JSON.
    pub json: bool,
}

/// Searches, and prints what is found.
pub fn run(
    args: &Sought,
    base: &RuleBase,
    term: u32,
    options: &Rewriting<'_>,
    known: Knowledge,
    shows: Shows,
    output: &mut Output,
) -> Done {
    let sources = &mut output.session.sources;
    let pattern = match args.search.as_ref().and_then(Option::as_ref) {
        None => None,
        Some(pattern) => {
            let text = sources.add("<pattern>", search_pattern(pattern));
            Some(RuleBase::load(sources, &[text])?)
        }
    };
    let search = Search {
        pattern: pattern.as_ref(),
        depth: args.depth,
    };
    let mut done = run_search(base, sources, term, &search, options, known)?;
    let note = done.note();
    match shows.json {
        true => {
            if !shows.ways {
                done.found.iter_mut().for_each(|found| found.steps.clear());
            }
            let object = json!({
                "found": done.found,
                "terms": done.terms,
                "rewrites": done.rewrites,
                "exhaustive": done.bound.is_none(),
                "diagnostics": listed(note.as_slice(), output),
            });
            output.json(&object)?;
        }
        false => {
            output.print(&done.text(shows.ways))?;
            note.iter().for_each(|note| output.tell(note));
        }
    }
    match done.exit_code() {
        0 => Ok(()),
        code => Err(Stop::Code(code as u8)),
    }
}
