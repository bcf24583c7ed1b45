//! A scheme at the prompt → its file; what is said where it has none.

use super::{Done, Prompt, Stop, wrong};
use crate::algebra::Language;
use crate::construct::Form;
use crate::pipeline::files::write_whole;
use crate::pipeline::{Options, Source, lay_out, load};
use std::path::{Path, PathBuf};

/// What stands behind a file's name where the file is to be replaced.
const FORCE: &str = "--force";

impl Prompt<'_> {
    /// Says whether it is finished, and what it leaves undefined.
    pub(super) fn check(&mut self) -> Done {
        let open = self.scheme.places().len();
        if open > 0 {
            let text = format!("nothing is wrong so far; open places: {open}");
            return self.output.print(&text);
        }
        let text = self.scheme.scheme(Form::Text, Language::English);
        let source = Source::Text {
            name: "<scheme>",
            text: &text,
        };
        let options = Options {
            operators: self.operators.to_vec(),
            ..Options::default()
        };
        let checked = load(source, &options, &mut self.output.session)?;
        self.output.tell_all(&checked.notes);
        self.output.print("the scheme is finished, and checks")
    }

    /// Writes the scheme. What `:quit` gives depends on whether that was done.
    pub(super) fn save(&mut self, text: &str) -> Done {
        let (file, force) = match text.strip_suffix(FORCE) {
            Some(file) if file.is_empty() || file.ends_with(' ') => (file.trim(), true),
            _ => (text, self.force),
        };
        let path = match (file, &self.file) {
            ("", Some(path)) => path.clone(),
            ("", None) => self.folder.join(format!("{}.saa", self.scheme.name())),
            (file, _) => PathBuf::from(file),
        };
        let replace = force || self.file.as_ref() == Some(&path);
        let done = self.write(&path, replace);
        self.save_failed = done.is_err();
        match done {
            Err(Stop::Failed(mut failure)) if !replace && path.exists() => {
                for diagnostic in &mut failure.diagnostics {
                    if diagnostic.code == "E0001" {
                        let hint = format!(":save {} {FORCE} replaces it", path.display());
                        diagnostic.hint = Some(hint);
                    }
                }
                Err(Stop::Failed(failure))
            }
            done => done,
        }
    }

    fn write(&mut self, path: &Path, replace: bool) -> Done {
        if !self.scheme.is_finished() {
            let open = self.scheme.places().len();
            let message = format!("the scheme is not finished: open places: {open}");
            return Err(wrong(message, ":places lists them; nothing was written"));
        }
        let end = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let form = match &*end {
            "saaf" => Form::Formula,
            "saag" => Form::Graph,
            "tex" => Form::Latex,
            _ => Form::Text,
        };
        let mut text = self.scheme.scheme(form, self.language);
        if form == Form::Text {
            let source = Source::Text {
                name: "<scheme>",
                text: &text,
            };
            text = lay_out(source, "scheme.saa", &mut self.output.session)?.after;
        }
        write_whole(path, &text, replace)?;
        self.output.say(&format!("{} is written", path.display()));
        self.file = Some(path.to_owned());
        self.is_unsaved = false;
        Ok(())
    }

    /// `:quit`. Over a pipe nobody saw that the scheme could not be written.
    pub(super) fn quit(self, is_terminal: bool) -> Done {
        if is_terminal || !self.save_failed {
            return Ok(());
        }
        self.output.say("the scheme is not written");
        Err(Stop::Code(1))
    }

    /// The input ended.
    pub(super) fn ended(self) -> Done {
        if !self.is_unsaved && !self.save_failed && self.file.is_some() {
            return Ok(());
        }
        self.output
            .say("the input ended, and the scheme is not written");
        for place in self.scheme.places() {
            self.output
                .say(&format!("open: …{} {}", place.number, place.text()));
        }
        Err(Stop::Code(1))
    }
}
