//! The standard systems: rule files that are part of the tool, `systems/`.

use super::table::row_of;
use crate::rewrite::base::RuleBase;
use crate::rewrite::evaluate::is_standard;
use crate::syntax::rules::{Item, SystemEntry};
use crate::term::{Sources, Symbol};
use std::sync::LazyLock;

/// A system that every file can import and apply.
pub(in crate::rewrite) struct Standard {
    pub(in crate::rewrite) name: &'static str,
    /// Its file.
    pub(in crate::rewrite) text: &'static str,
    /// What it has in TermWare and nothing gives a value here: it can be imported, and stays.
    stays: &'static [&'static str],
}

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/systems/", $name))
    };
}

/// All of them.
const STANDARD: &[Standard] = &[
    Standard {
        name: "general",
        text: text!("general.rules"),
        stays: &["println", "print", "jsr223Program"],
    },
    Standard {
        name: "String",
        text: text!("String.rules"),
        stays: &[],
    },
    Standard {
        name: "List",
        text: text!("List.rules"),
        stays: &[],
    },
    Standard {
        name: "sys",
        text: text!("sys.rules"),
        stays: &[
            "domain",
            "system",
            "javaFacts",
            "javaStrategy",
            "setFact",
            "checkFact",
            "loadFile",
            "printTerm",
            "setProperty",
            "getProperty",
            "getRuleset",
            "getCurrentTimeMillis",
        ],
    },
];

impl Standard {
    /// The number of its file among the sources, which do not hold it.
    pub(in crate::rewrite) fn file(&self) -> u32 {
        let place = STANDARD.iter().position(|s| s.name == self.name);
        u32::MAX - place.unwrap_or(0) as u32
    }

    /// The name of its file.
    pub(in crate::rewrite) fn file_name(&self) -> String {
        format!("systems/{}.rules", self.name)
    }

    /// Whether it has a functor beside those of its rules; anything has none.
    pub(in crate::rewrite) fn has(&self, functor: Option<Symbol>) -> bool {
        functor.is_none_or(|f| {
            let name = f.as_str();
            self.stays.contains(&name) || is_standard(f) || row_of(self.name, name)
        })
    }
}

/// The standard system with a name.
pub(in crate::rewrite) fn standard(name: &str) -> Option<&'static Standard> {
    STANDARD.iter().find(|s| s.name == name)
}

/// The names of the standard systems.
pub(in crate::rewrite) fn names() -> Vec<&'static str> {
    STANDARD.iter().map(|s| s.name).collect()
}

/// The standard systems that items import.
pub(in crate::rewrite) fn needed<'i>(
    items: impl Iterator<Item = &'i Item>,
) -> Vec<&'static Standard> {
    let mut imported: Vec<&str> = Vec::new();
    for item in items {
        let Item::System(system) = item else { continue };
        for entry in &system.entries {
            match entry {
                SystemEntry::Import { system, .. } | SystemEntry::Transformed { system, .. } => {
                    imported.push(system.as_str());
                }
                SystemEntry::Rule(_) => {}
            }
        }
    }
    let is_imported = |s: &&Standard| imported.contains(&s.name);
    STANDARD.iter().filter(is_imported).collect()
}

/// The standard systems by themselves, for terms that apply them.
pub(in crate::rewrite) static BASE: LazyLock<RuleBase> = LazyLock::new(|| {
    let mut sources = Sources::default();
    let own = |s: &Standard| sources.add(s.file_name(), s.text);
    let files: Vec<u32> = STANDARD.iter().map(own).collect();
    RuleBase::load(&sources, &files).unwrap_or_else(|_| RuleBase::empty())
});
