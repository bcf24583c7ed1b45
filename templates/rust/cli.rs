//! The command line of a program, and what it writes besides arrays, by means of the standard
//! library alone.

#![allow(dead_code)]

use super::files::replace_file;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What was asked for at the command line.
#[derive(Debug, Default)]
pub struct Arguments {
    /// `--in DIR`: where the input arrays are.
    pub input: Option<PathBuf>,
    /// `--out DIR`: where the output arrays go.
    pub output: Option<PathBuf>,
    /// `--set NAME=VALUE`, in order.
    pub set: Vec<(String, String)>,
    /// `--lines`: runs as standard input says.
    pub lines: bool,
    /// `--help`.
    pub help: bool,
}

/// Reads the arguments, the program's own name left out.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Arguments, String> {
    let mut arguments = Arguments::default();
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let text = arg.to_string_lossy().into_owned();
        // Either `--name value` or `--name=value`. A folder need not be UTF-8 in the first form.
        let (name, mut value) = match text.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(OsString::from(value))),
            _ => (text.as_str(), None),
        };
        let mut value = |what: &str| {
            let given = value.take().or_else(|| args.next());
            given.ok_or_else(|| format!("{name} wants {what}"))
        };
        match name {
            "--in" => arguments.input = Some(value("a folder")?.into()),
            "--out" => arguments.output = Some(value("a folder")?.into()),
            "--set" => {
                let pair = value("NAME=VALUE")?.to_string_lossy().into_owned();
                match pair.split_once('=') {
                    Some((name, value)) if !name.trim().is_empty() => {
                        let (name, value) = (name.trim().into(), value.trim().into());
                        arguments.set.push((name, value));
                    }
                    _ => return Err(format!("--set wants NAME=VALUE, not `{pair}`")),
                }
            }
            "--lines" => arguments.lines = true,
            "--help" | "-h" => arguments.help = true,
            _ => return Err(format!("`{text}` is not understood; --help says what is")),
        }
    }
    Ok(arguments)
}

/// The arguments in a line: what stands between tabs.
pub fn between_tabs(line: &str) -> impl Iterator<Item = OsString> + '_ {
    let parts = line.split('\t').filter(|part| !part.is_empty());
    parts.map(OsString::from)
}

impl Arguments {
    /// The number that `--set` gives a parameter; none where it gives none, and the last of
    /// several. `kind` says in the message what was wanted.
    pub fn number<T: FromStr>(&self, name: &str, kind: &str) -> Result<Option<T>, String> {
        let Some(value) = self.text(name) else {
            return Ok(None);
        };
        // NaN and the infinities, which floats could be read from, are not values of parameters.
        let finite = value.parse().is_ok_and(f64::is_finite);
        match value.parse() {
            Ok(number) if finite => Ok(Some(number)),
            _ => Err(format!("--set {name}: `{value}` is not {kind}")),
        }
    }

    /// The number of 32 bits that `--set` gives a parameter: read in 64 bits, then rounded.
    pub fn single(&self, name: &str) -> Result<Option<f32>, String> {
        let kind = "a number of 32 bits";
        match self.number::<f64>(name, kind)?.map(|x| x as f32) {
            Some(x) if !x.is_finite() => {
                let value = self.text(name).unwrap_or_default();
                Err(format!("--set {name}: `{value}` is not {kind}"))
            }
            number => Ok(number),
        }
    }

    /// The truth value that `--set` gives a parameter.
    pub fn truth(&self, name: &str) -> Result<Option<bool>, String> {
        match self.text(name) {
            None => Ok(None),
            Some("true" | "TRUE" | "1") => Ok(Some(true)),
            Some("false" | "FALSE" | "0") => Ok(Some(false)),
            Some(value) => Err(format!("--set {name}: `{value}` is neither true nor false")),
        }
    }

    /// An error if `--in` names no folder.
    pub fn expect_folder(&self) -> Result<(), String> {
        match &self.input {
            Some(folder) if !folder.is_dir() => {
                let folder = folder.display();
                Err(format!(
                    "--in {folder}: there is no folder of that name that can be read"
                ))
            }
            _ => Ok(()),
        }
    }

    /// An error if `--set` names something that is not among the parameters.
    pub fn check(&self, parameters: &[&str]) -> Result<(), String> {
        match self
            .set
            .iter()
            .find(|(n, _)| !parameters.contains(&n.as_str()))
        {
            None => Ok(()),
            Some((name, _)) if parameters.is_empty() => {
                Err(format!("--set {name}: there are no parameters"))
            }
            Some((name, _)) => {
                let known = parameters.join(", ");
                Err(format!(
                    "--set {name}: there is no such parameter; there are {known}"
                ))
            }
        }
    }

    fn text(&self, name: &str) -> Option<&str> {
        let mut last_first = self.set.iter().rev();
        last_first
            .find(|(n, _)| n == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Writes rows of a label and numbers as CSV (RFC 4180, lines ending in a line feed).
pub fn write_reports<'a>(
    path: &Path,
    rows: impl IntoIterator<Item = (&'a str, &'a [f64])>,
) -> Result<(), String> {
    let mut text = String::new();
    for (label, values) in rows {
        text.push_str(&csv_field(label));
        for value in values {
            // The shortest text that reads back as the same number. Writing to text cannot fail.
            let _ = write!(text, ",{value:?}");
        }
        text.push('\n');
    }
    replace_file(path, |to| to.write_all(text.as_bytes()))
}

fn csv_field(text: &str) -> String {
    match text.is_empty() || text.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}

/// Whether a character shows nothing or changes how others are shown: controls, ends of lines and
/// paragraphs, directions, and what Unicode calls ignorable by default.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A text of lines for a terminal, with every hidden character as `\u{1b}`.
pub fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) && !matches!(c, '\n' | '\t') {
            true => {
                let _ = write!(shown, "\\u{{{:x}}}", c as u32);
            }
            false => shown.push(c),
        }
    }
    shown
}

/// A text as JSON has it, quotes included.
pub fn json_string(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            c if is_hidden(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(json, "\\u{unit:04x}");
                }
            }
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

/// A number as JSON has it: NaN and the infinities, which it lacks, become null.
pub fn json_number(value: f64) -> String {
    match value.is_finite() {
        true => format!("{value:?}"),
        false => "null".into(),
    }
}

/// A number of 32 bits as JSON has it, with as many digits as tell it from others of 32 bits.
pub fn json_single(value: f32) -> String {
    match value.is_finite() {
        true => format!("{value:?}"),
        false => "null".into(),
    }
}
