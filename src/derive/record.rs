//! A derivation with all that it takes to redo it: what `derive --save` writes and `replay` reads.

use super::host::SchemeHost;
use super::table::{Row, Table};
use crate::algebra::{Language, Precision};
use crate::check::{Scheme, author_names};
use crate::diagnostic::Diagnostic;
use crate::rewrite::{
    Derivation, Difference, FloatClass, NearMiss, Replayed, RuleBase, Step, replay,
};
use crate::syntax::print::{Notation, Style, print};
use crate::term::{Id, Sources, Symbol, Terms};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What `format` says in every record.
pub const FORMAT: &str = "glushkov derivation";
/// The version of records that are written, and the only one that is read.
pub const VERSION: u32 = 1;

/// A derivation as it is saved. Spans of steps refer to `sources` by their numbers; terms are rows
/// of `terms`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// What the derivation began with.
    pub input: Input,
    /// The strategy.
    pub strategy: String,
    /// The settings of its parameters, `chunk=256`.
    pub settings: Vec<String>,
    /// The weakest float class of the steps.
    pub float: FloatClass,
    /// The files of the rules that were applied, with the predicates that they ask, and all files of the user's.
    pub rules: Vec<RuleFile>,
    /// All terms: of the scheme and after each step.
    pub terms: Vec<Row>,
    /// The scheme before the first step.
    pub source: u32,
    /// The steps.
    pub steps: Vec<RecordedStep>,
    /// The derived scheme as text.
    pub result: String,
    /// Rules that were nearly applied. They are kept for reading, and not redone.
    pub near_misses: Vec<NearMiss>,
}

/// The scheme that a derivation begins with, and how it is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// The scheme's name.
    pub scheme: String,
    /// Which member of its family it is, each `NAME=VALUE`; nothing for a scheme that is of none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// What REAL means.
    pub precision: Precision,
    /// Whether basic operators became what they mean even where they have code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub meanings: bool,
    /// The texts that were read, in order: the scheme's file, those that it uses, files of operators, claims.
    pub sources: Vec<SourceText>,
}

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceText {
    /// What it is.
    pub role: Role,
    /// The name it is shown by.
    pub name: String,
    /// The text.
    pub text: String,
}

/// What a text is for a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The scheme's file.
    Scheme,
    /// A file that it uses.
    Use,
    /// A file of basic operators.
    Operators,
    /// A claim of the user's.
    Claim,
}

/// A file of rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleFile {
    /// Its name.
    pub name: String,
    /// The SHA-256 of its text, in hexadecimal.
    pub sha256: String,
    /// Its text, unless it comes with the tool.
    pub text: Option<String>,
}

/// A step with the term that it led to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedStep {
    /// The step.
    #[serde(flatten)]
    pub step: Step,
    /// The whole term after it.
    pub result: u32,
}

/// The SHA-256 of a text, in hexadecimal.
pub fn digest(text: &str) -> String {
    use std::fmt::Write;
    let mut out = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// An object as text: one part a line, and one row of a list a line.
pub fn json_rows(object: &serde_json::Value) -> String {
    let mut out = String::from("{");
    for (i, (key, part)) in object.as_object().into_iter().flatten().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        out.push_str(&format!("  {:?}: ", key));
        match part.as_array() {
            Some(rows) if !rows.is_empty() => {
                let rows: Vec<String> = rows.iter().map(|r| format!("    {r}")).collect();
                out.push_str(&format!("[\n{}\n  ]", rows.join(",\n")));
            }
            _ => out.push_str(&part.to_string()),
        }
    }
    out.push_str("\n}\n");
    crate::term::visible_json(&out).into_owned()
}

/// The derived scheme as records and `derive` have it: English, with phrases as comments.
pub fn derived_text(terms: &Terms, root: Id) -> String {
    let mut terms = terms.clone();
    let root = author_names(&mut terms, root);
    let style = Style {
        notation: Notation::Text,
        language: Language::English,
        comments: true,
    };
    print(&terms, root, style)
}

/// The files of the rules that steps apply and of the predicates that these ask, and the user's, as a record
/// has them.
pub fn rule_files(
    base: &RuleBase,
    sources: &Sources,
    steps: &[Step],
    further: &[(String, String)],
) -> Vec<RuleFile> {
    let mut files: Vec<RuleFile> = Vec::new();
    for step in steps {
        let Some(rule) = base.rule(Symbol::new(&step.rule)) else {
            continue;
        };
        let asked = base.predicates.asked_by(base.terms(), rule);
        let numbers = asked.iter().map(|predicate| predicate.span.file);
        for number in std::iter::once(rule.span.file).chain(numbers) {
            let Some(source) = sources.get(number) else {
                continue;
            };
            let known = files.iter().any(|f| f.name == source.name);
            let users = further.iter().any(|(name, _)| *name == source.name);
            if !known && !users {
                files.push(RuleFile {
                    name: source.name.clone(),
                    sha256: digest(&source.text),
                    text: None,
                });
            }
        }
    }
    files.extend(further.iter().map(|(name, text)| RuleFile {
        name: name.clone(),
        sha256: digest(text),
        text: Some(text.clone()),
    }));
    files
}

/// A record's parts that come from redoing its steps.
#[derive(Clone, Debug)]
pub struct Redone {
    /// The steps that went as recorded.
    pub steps: Vec<RecordedStep>,
    /// All terms up to the last of them.
    pub terms: Vec<Row>,
    /// The scheme before the first step.
    pub source: u32,
    /// The scheme after the last step that went as recorded, as text.
    pub text: String,
    /// The first step that went otherwise.
    pub difference: Option<Difference>,
}

/// Takes the steps of a derivation again. With the record of its terms, each must lead to the term
/// that is recorded.
///
/// # Errors
///
/// The diagnostics of the first step that differs from its record.
pub fn redo(
    scheme: &Scheme,
    base: &RuleBase,
    steps: &[Step],
    recorded: Option<&Record>,
) -> Result<Redone, Vec<Diagnostic>> {
    let mut host = SchemeHost::new(scheme.clone());
    let mut table = Table::default();
    let mut roots: Vec<u32> = Vec::new();
    let mut seen = |taken: usize, terms: &Terms, root: Id| {
        let older = table.rows().len();
        let number = table.add(terms, root);
        roots.push(number);
        let Some(record) = recorded else {
            return Ok(());
        };
        let rows = table.rows();
        let wanted = match taken {
            0 => record.source,
            n => record.steps[n - 1].result,
        };
        match number == wanted && record.terms.get(older..rows.len()) == Some(&rows[older..]) {
            true => Ok(()),
            false if taken == 0 => Err("the scheme is another one than recorded".to_string()),
            false => Err("it leads to another term than recorded".to_string()),
        }
    };
    let Replayed {
        terms,
        root,
        steps: taken,
        difference,
    } = replay(
        base,
        steps,
        &scheme.terms,
        scheme.root,
        &mut host,
        &mut seen,
    )?;
    // As after a derivation: the scheme that is printed is a checked one.
    let derived = crate::check::check(&terms, root, scheme.precision)?;
    Ok(Redone {
        steps: taken
            .into_iter()
            .zip(roots.iter().skip(1))
            .map(|(step, &result)| RecordedStep { step, result })
            .collect(),
        source: roots[0],
        terms: table.rows().to_vec(),
        text: derived_text(&derived.terms, derived.root),
        difference,
    })
}

/// What a record is made of besides its redone parts.
pub struct About<'a> {
    /// What the derivation began with.
    pub input: Input,
    /// The settings of the strategy's parameters.
    pub settings: Vec<String>,
    /// The files of rules.
    pub rules: Vec<RuleFile>,
    /// Its strategy and near misses, and its float class.
    pub derivation: &'a Derivation,
}

/// The record of a derivation whose steps were redone.
pub fn record(about: About<'_>, redone: Redone) -> Record {
    Record {
        format: FORMAT.to_owned(),
        version: VERSION,
        input: about.input,
        strategy: about.derivation.strategy.clone(),
        settings: about.settings,
        float: about.derivation.float(),
        rules: about.rules,
        terms: redone.terms,
        source: redone.source,
        steps: redone.steps,
        result: redone.text,
        near_misses: about.derivation.near_misses.clone(),
    }
}

/// What a record says of itself.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    format: serde_json::Value,
    #[serde(default)]
    version: serde_json::Value,
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// Says in a sentence why the text is not a record.
    pub fn read(text: &str) -> Result<Record, String> {
        let wrong = |e: serde_json::Error| match e.is_data() {
            true => format!("a part of it is wrong ({e})"),
            false => format!("it is not JSON ({e})"),
        };
        // The head first, so that a file of another kind or version is called that.
        let head: Head = serde_json::from_str(text).map_err(wrong)?;
        if head.format.as_str() != Some(FORMAT) {
            return Err(format!("its \"format\" is not \"{FORMAT}\""));
        }
        match head.version.as_u64() {
            Some(v) if v == u64::from(VERSION) => {}
            Some(v) => {
                return Err(format!(
                    "its version is {v}, and this tool reads version {VERSION}"
                ));
            }
            None => return Err("it has no version".to_owned()),
        }
        serde_json::from_str(text).map_err(wrong)
    }

    /// The text of the record: JSON, one row of a list a line.
    pub fn text(&self) -> String {
        json_rows(&serde_json::to_value(self).expect("a record is plain data"))
    }

    /// The steps without the terms that they led to.
    pub fn steps(&self) -> Vec<Step> {
        self.steps.iter().map(|s| s.step.clone()).collect()
    }
}
