//! What the editor has open.

use super::index::{Index, index_rules, index_schemes};
use super::shown::Shown;
use super::text::Text;
use crate::pipeline::Becomes;
use lsp_types::Uri;
use std::cell::OnceCell;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a document holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Schemes,
    Rules,
}

/// What became of a loop of the document under a strategy.
#[derive(Clone, Debug)]
pub(super) struct Fate {
    pub(super) place: Range<usize>,
    pub(super) variable: &'static str,
    pub(super) strategy: &'static str,
    pub(super) becomes: Becomes,
}

/// A document.
pub(super) struct Document {
    pub(super) uri: Uri,
    /// The path of its file.
    pub(super) path: String,
    pub(super) kind: Kind,
    pub(super) version: i32,
    pub(super) text: Text,
    /// Which of all the texts that were open this is; work on others is stale.
    pub(super) number: Arc<AtomicU64>,
    /// What was said of this text so far: by the check, and by what runs later.
    pub(super) checked: Vec<Shown>,
    pub(super) found: Vec<Shown>,
    pub(super) fates: Vec<Fate>,
    /// Whether nobody was asked to check it yet.
    pub(super) is_new: bool,
    index: OnceCell<Index>,
}

impl Document {
    pub(super) fn new(uri: Uri, language: &str, version: i32, text: String) -> Document {
        let path = path_of(&uri);
        let is_rules = Path::new(&path).extension().is_some_and(|e| e == "rules")
            || language.contains("rules");
        Document {
            uri,
            kind: match is_rules {
                true => Kind::Rules,
                false => Kind::Schemes,
            },
            path,
            version,
            text: Text::new(text),
            number: Arc::new(AtomicU64::new(0)),
            checked: Vec::new(),
            found: Vec::new(),
            fates: Vec::new(),
            is_new: true,
            index: OnceCell::new(),
        }
    }

    /// Notes that the text is another one now, the one with a number.
    pub(super) fn changed(&mut self, number: u64) {
        self.number.store(number, Ordering::Relaxed);
        self.index = OnceCell::new();
        self.fates.clear();
        self.found.clear();
        self.is_new = true;
    }

    /// The names of the text.
    pub(super) fn index(&self) -> &Index {
        self.index.get_or_init(|| match self.kind {
            Kind::Schemes => index_schemes(self.text.as_str()),
            Kind::Rules => index_rules(self.text.as_str()),
        })
    }
}

/// The path that a URI names; the URI itself where it names no file.
fn path_of(uri: &Uri) -> String {
    let whole = uri.as_str();
    let Some(path) = whole.strip_prefix("file://") else {
        return whole.to_owned();
    };
    let path = path.trim_start_matches("localhost");
    let path = decoded(path);
    // A drive is named behind a slash.
    let is_drive = path.as_bytes().get(2) == Some(&b':') && path.starts_with('/');
    match is_drive && cfg!(windows) {
        true => path[1..].to_owned(),
        false => path,
    }
}

/// A text without its `%20`s.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| first == b'%');
        let digits = digits.and_then(|d| std::str::from_utf8(d).ok());
        match digits.and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    #[test]
    fn paths_of_uris() {
        let path = |uri: &str| path_of(&Uri::from_str(uri).expect("a URI"));
        assert_eq!(path("file:///a/b%20c/%D1%97.saa"), "/a/b c/ї.saa");
        assert_eq!(path("untitled:one"), "untitled:one");
    }
}
