//! Texts that were read, and places in them.

/// A half-open range of bytes in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Which source, as numbered by [`Sources`].
    pub file: u32,
    /// First byte.
    pub from: u32,
    /// One past the last byte.
    pub to: u32,
}

impl Span {
    /// A span in a source.
    pub fn new(file: u32, from: usize, to: usize) -> Span {
        Span {
            file,
            from: from as u32,
            to: to as u32,
        }
    }

    /// The smallest span that covers both; `self` where they are in different sources.
    pub fn join(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span {
            file: self.file,
            from: self.from.min(other.from),
            to: self.to.max(other.to),
        }
    }
}

/// A text with the name it is shown by.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name shown in messages: a path as the user gave it, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// All texts read so far; spans refer to them by number.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    sources: Vec<Source>,
}

impl Sources {
    /// Adds a text and returns its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> u32 {
        self.sources.push(Source {
            name: name.into(),
            text: text.into(),
        });
        (self.sources.len() - 1) as u32
    }

    /// Gives the source with a number another text.
    pub fn replace(&mut self, file: u32, text: impl Into<String>) {
        if let Some(source) = self.sources.get_mut(file as usize) {
            source.text = text.into();
        }
    }

    /// How many there are; their numbers are below that.
    pub fn count(&self) -> u32 {
        self.sources.len() as u32
    }

    /// The source with a number.
    pub fn get(&self, file: u32) -> Option<&Source> {
        self.sources.get(file as usize)
    }

    /// Line and column (both from 1, columns in characters) of a byte of a source.
    pub fn line_column(&self, file: u32, byte: u32) -> (usize, usize) {
        let Some(source) = self.get(file) else {
            return (1, 1);
        };
        let before = &source.text.as_bytes()[..(byte as usize).min(source.text.len())];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |p| p + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        (line, column)
    }
}
