//! What the values of arguments are, where the definition of the command line does not say so.

use crate::derive::{library, rule_base};
use crate::term::Sources;
use clap::{Command, ValueEnum};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use std::ffi::OsStr;
use std::path::Path;

/// Values that the definition of the command line does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// A file of a scheme, or the name of one of the library.
    Scheme,
    Strategy,
    /// Rules and groups, with commas between.
    Rules,
    /// Rules, strategies, predicates and groups.
    Explained,
    Generator,
    /// `TARGET:STRATEGY`, with commas between.
    Pairs,
    Codes,
    Commands,
    File(&'static [&'static str]),
    AnyFile,
    Folder,
    /// Whatever one likes.
    Free,
}

/// What the values of arguments are, by command (`*` for any) and argument.
const VALUES: &[(&str, &str, Values)] = &[
    ("new", "name", Values::Free),
    ("refine", "phrase", Values::Free),
    ("refine", "body", Values::File(&["saa"])),
    ("fold", "phrase", Values::Free),
    ("fold", "lines", Values::Free),
    ("fold", "to", Values::AnyFile),
    ("show", "level", Values::Free),
    (
        "fmt",
        "paths",
        Values::File(&["saa", "saag", "ops", "rules"]),
    ),
    ("test", "paths", Values::File(&["saa", "saaf", "saag"])),
    ("replay", "file", Values::File(&["json"])),
    ("rewrite", "file", Values::AnyFile),
    ("rewrite", "rules", Values::File(&["rules"])),
    ("rewrite", "facts", Values::AnyFile),
    ("rewrite", "oracle", Values::Free),
    ("rewrite", "strategy", Values::Free),
    ("rules explain", "name", Values::Explained),
    ("rules test", "files", Values::File(&["rules"])),
    ("rules test", "rule", Values::Free),
    ("rules lint", "files", Values::File(&["rules"])),
    ("data", "name", Values::Generator),
    ("data", "out", Values::Folder),
    ("new", "out", Values::Folder),
    ("emit", "out", Values::Folder),
    ("run", "out", Values::Folder),
    ("man", "out", Values::Folder),
    ("tune", "out", Values::File(&["json"])),
    ("trajectory", "positions", Values::File(&["npy"])),
    ("trajectory", "kinds", Values::File(&["npy"])),
    ("trajectory", "out", Values::AnyFile),
    ("explain", "what", Values::Codes),
    ("config", "command", Values::Commands),
    ("man", "command", Values::Commands),
    ("fmt", "stdin", Values::Free),
    ("help", "subcommand", Values::Free),
    ("watch", "options", Values::Free),
    ("*", "scheme", Values::Free),
    ("*", "scheme_a", Values::Free),
    ("*", "scheme_b", Values::Free),
    ("*", "system", Values::Free),
    ("*", "symbols", Values::Free),
    ("*", "runs", Values::Free),
    ("*", "warmup", Values::Free),
    ("*", "candidates", Values::Free),
    ("*", "tries", Values::Free),
    ("*", "file", Values::Scheme),
    ("*", "first", Values::Scheme),
    ("*", "second", Values::Scheme),
    ("*", "strategy", Values::Strategy),
    ("*", "without", Values::Rules),
    ("*", "ablate", Values::Rules),
    ("*", "pair", Values::Pairs),
    ("*", "data", Values::Generator),
    ("*", "rules", Values::File(&["rules"])),
    ("*", "operators", Values::File(&["ops"])),
    ("*", "in", Values::Folder),
    ("*", "input", Values::Folder),
    ("*", "built", Values::Folder),
    ("*", "tuned", Values::File(&["json"])),
    ("*", "save", Values::File(&["json"])),
    ("*", "save_facts", Values::AnyFile),
    ("*", "json", Values::AnyFile),
    ("*", "csv", Values::AnyFile),
    ("*", "plot", Values::AnyFile),
];

impl Values {
    /// What is known of an argument of a command.
    pub fn of(command: &str, argument: &str) -> Option<Values> {
        let rows = VALUES.iter();
        let mut rows = rows.filter(|(c, a, _)| (*c == command || *c == "*") && *a == argument);
        rows.next().map(|row| row.2)
    }

    /// How one of them is completed.
    pub fn completer(self) -> Option<ArgValueCompleter> {
        Some(match self {
            Values::Scheme => ArgValueCompleter::new(schemes),
            Values::Strategy => names(strategies),
            Values::Rules => listed(rules),
            Values::Explained => names(|| {
                let mut all = rules();
                all.extend(strategies());
                all
            }),
            Values::Generator => names(|| {
                let all = crate::data::GENERATORS.iter();
                all.map(|g| (g.name.to_owned(), g.about.to_owned()))
                    .collect()
            }),
            Values::Pairs => listed(pairs),
            Values::Codes => ArgValueCompleter::new(|word: &OsStr| {
                let codes = crate::diagnostic::CODES.iter();
                let codes = codes.map(|code| (code.code.to_owned(), code.title.to_owned()));
                let mut all = begun(codes.collect(), word);
                all.extend(PathCompleter::any().complete(word));
                all
            }),
            Values::Commands => names(|| {
                let command = crate::cli::command();
                let about =
                    |c: &Command| c.get_about().map(ToString::to_string).unwrap_or_default();
                let all = command.get_subcommands();
                all.map(|c| (c.get_name().to_owned(), about(c))).collect()
            }),
            Values::File(ends) => ArgValueCompleter::new(files(ends)),
            Values::AnyFile => ArgValueCompleter::new(PathCompleter::any()),
            Values::Folder => ArgValueCompleter::new(PathCompleter::dir()),
            Values::Free => return None,
        })
    }
}

/// Names, each with a line on what it is.
type Named = Vec<(String, String)>;

/// The names that begin with a word.
fn begun(all: Named, word: &OsStr) -> Vec<CompletionCandidate> {
    let word = word.to_string_lossy();
    let wanted = all.into_iter().filter(|(name, _)| name.starts_with(&*word));
    let one = |(name, what): (String, String)| {
        CompletionCandidate::new(name).help((!what.is_empty()).then(|| what.into()))
    };
    wanted.map(one).collect()
}

fn names(all: impl Fn() -> Named + Send + Sync + 'static) -> ArgValueCompleter {
    ArgValueCompleter::new(move |word: &OsStr| begun(all(), word))
}

/// Names in a list with commas between: what stands before the last one stays, and is not offered again.
fn listed(all: impl Fn() -> Named + Send + Sync + 'static) -> ArgValueCompleter {
    ArgValueCompleter::new(move |word: &OsStr| {
        let word = word.to_string_lossy();
        let (before, last) = match word.rfind(',') {
            Some(at) => word.split_at(at + 1),
            None => ("", &*word),
        };
        let mut all = all();
        all.retain(|(name, _)| !before.split(',').any(|other| other == name));
        let begun = begun(all, OsStr::new(last));
        let whole = begun.into_iter().map(|one| one.add_prefix(before));
        whole.collect()
    })
}

/// Files whose names have one of some ends, and the folders that may hold some.
fn files(ends: &'static [&'static str]) -> PathCompleter {
    PathCompleter::any().filter(move |path| {
        let end = path.extension().unwrap_or_default();
        path.is_dir() || ends.iter().any(|known| end == *known)
    })
}

fn schemes(word: &OsStr) -> Vec<CompletionCandidate> {
    let own = library::SCHEMES.iter().filter_map(|(path, text)| {
        let name = Path::new(path).file_stem()?.to_string_lossy();
        let about = text.lines().find_map(|line| line.strip_prefix("# "));
        Some((name.into_owned(), about.unwrap_or_default().to_owned()))
    });
    let mut all = begun(own.collect(), word);
    all.extend(files(&["saa", "saaf", "saag"]).complete(word));
    all
}

/// Rules and groups.
fn rules() -> Named {
    let Ok(base) = rule_base(&mut Sources::default(), &[]) else {
        return Named::new();
    };
    let rules = base.rules.iter().map(|r| (r.name.to_string(), &r.doc));
    let groups = base.groups().iter().map(|g| (g.name.to_string(), &g.doc));
    described(rules.chain(groups))
}

fn strategies() -> Named {
    let Ok(base) = rule_base(&mut Sources::default(), &[]) else {
        return Named::new();
    };
    // As help has them: the command line takes both.
    let name = |name: &str| name.replace('_', "-");
    let all = base.strategies().iter();
    described(all.map(|s| (name(s.name.as_str()), &s.doc)))
}

fn described<'a>(all: impl Iterator<Item = (String, &'a String)>) -> Named {
    let mut all: Named = all
        .map(|(name, doc)| (name, crate::rewrite::summary(doc)))
        .collect();
    all.sort();
    all
}

fn pairs() -> Named {
    let strategies = strategies();
    let targets = crate::cli::arguments::TargetName::value_variants().iter();
    let targets = targets.filter_map(ValueEnum::to_possible_value);
    let targets = targets.map(|target| target.get_name().to_owned());
    let with = |target: String| {
        let all = strategies.iter();
        all.map(move |(name, what)| (format!("{target}:{name}"), what.clone()))
    };
    targets.flat_map(with).collect()
}
