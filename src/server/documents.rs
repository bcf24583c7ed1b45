//! What the editor has open.

use super::index::{Index, Name, Sort, index_rules, index_schemes};
use super::shown::Shown;
use super::text::Text;
use crate::pipeline::{Becomes, Source, used_texts};
use lsp_types::Uri;
use std::cell::OnceCell;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// Which of all the texts that were open this is.
    pub(super) number: u64,
    /// Set when the text is another one: work on it ends.
    pub(super) stop: Arc<AtomicBool>,
    /// What was said of this text so far: by the check, and by what runs later.
    pub(super) checked: Vec<Shown>,
    pub(super) found: Vec<Shown>,
    pub(super) fates: Vec<Fate>,
    /// Whether nobody was asked to check it yet.
    pub(super) is_new: bool,
    index: OnceCell<Index>,
    used: OnceCell<Vec<UsedFile>>,
}

/// A file whose data and definitions a document uses.
pub(super) struct UsedFile {
    /// Its path, or its name in the library.
    pub(super) name: String,
    pub(super) text: Text,
    pub(super) index: Index,
}

impl UsedFile {
    /// Its name that is written so and can be seen from elsewhere: data, phrases and predicates.
    pub(super) fn find(&self, text: &str, quoted: bool) -> Option<&Name> {
        let mut names = self.names();
        names.find(|n| n.text == text && n.sort.is_quoted() == quoted)
    }

    /// Its names that can be seen from elsewhere.
    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        let seen = |n: &&Name| {
            let of_scheme = matches!(
                n.sort,
                Sort::Data | Sort::Parameter | Sort::Phrase | Sort::Predicate
            );
            of_scheme && n.declared.is_some()
        };
        self.index.names.iter().filter(seen)
    }
}

impl Drop for Document {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
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
            number: 0,
            stop: Arc::default(),
            checked: Vec::new(),
            found: Vec::new(),
            fates: Vec::new(),
            is_new: true,
            index: OnceCell::new(),
            used: OnceCell::new(),
        }
    }

    /// Notes that the text is another one now, the one with a number.
    pub(super) fn changed(&mut self, number: u64) {
        self.number = number;
        std::mem::take(&mut self.stop).store(true, Ordering::Relaxed);
        self.index = OnceCell::new();
        self.used = OnceCell::new();
        self.fates.clear();
        self.found.clear();
        self.is_new = true;
    }

    /// The files that a text of schemes uses.
    pub(super) fn used(&self) -> &[UsedFile] {
        self.used.get_or_init(|| {
            // Reading a whole text for nothing would take time at each change.
            if !self.index().uses_files || self.kind != Kind::Schemes {
                return Vec::new();
            }
            let texts = used_texts(Source::Open {
                path: &self.path,
                text: self.text.as_str(),
            });
            let file = |(name, text): (String, String)| UsedFile {
                name,
                index: index_schemes(&text),
                text: Text::new(text),
            };
            texts.into_iter().map(file).collect()
        })
    }

    /// The declaration of a name of this document in a file that it uses, where it has none here.
    pub(super) fn declared_elsewhere(&self, name: &Name) -> Option<(&UsedFile, &Name)> {
        let is_free = name.declared.is_none();
        let mut files = self.used().iter().filter(|_| is_free);
        files.find_map(|file| Some((file, file.find(&name.text, name.sort.is_quoted())?)))
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
