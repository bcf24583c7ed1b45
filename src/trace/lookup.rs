//! A line of a file as it is now + the trace → where it comes from.

use super::make::{DIGITS, line_digest};
use super::{File, Origin, Source, Step, Trace};
use crate::derive::digest;

/// What is known of a line.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// The line as it is.
    pub text: String,
    /// Whether the file is another one than was emitted.
    pub edited: bool,
    /// Its number when it was emitted.
    pub emitted_as: usize,
    /// Where it comes from.
    pub found: Found<'a>,
}

/// Where a line comes from.
#[derive(Clone, Debug)]
pub enum Found<'a> {
    /// From a template; from none where the file has none.
    Template(Option<&'a str>),
    /// From the scheme.
    Scheme {
        /// Its origin.
        origin: &'a Origin,
        /// The text and the line there.
        place: Option<(&'a Source, usize)>,
        /// The steps that made it.
        steps: Vec<&'a Step>,
        /// The steps that made what it stands in, from the inside out.
        around: Vec<&'a Step>,
    },
}

/// Why nothing is known of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The project has no such file.
    NoFile,
    /// The file has so many lines, and this is none of them.
    NoLine(usize),
    /// The line was not emitted: it was written or changed since.
    Edited,
}

/// Looks up a line, from 1, of a file of the project; `text` is the file as it is now.
///
/// # Errors
///
/// Why nothing is known of the line.
pub fn look_up<'a>(
    trace: &'a Trace,
    path: &str,
    text: &str,
    line: usize,
) -> Result<Answer<'a>, Lost> {
    let file = trace.files.iter().find(|f| f.path == path);
    let file = file.ok_or(Lost::NoFile)?;
    let lines: Vec<&str> = text.lines().collect();
    let here = line.checked_sub(1).and_then(|at| lines.get(at));
    let here = here.ok_or(Lost::NoLine(lines.len()))?;
    let edited = digest(text) != file.sha256;
    let emitted_as = match edited {
        true => before(file, &lines, line).ok_or(Lost::Edited)?,
        false => line,
    };
    let run = |&&(from, to, _): &&(usize, usize, u32)| from <= emitted_as && emitted_as <= to;
    let origin = file.lines.iter().find(run);
    let origin = origin.and_then(|&(_, _, origin)| trace.origins.get(origin as usize));
    Ok(Answer {
        text: here.trim().to_owned(),
        edited,
        emitted_as,
        found: match origin {
            Some(origin) => scheme(trace, origin),
            None => Found::Template(file.template.as_deref()),
        },
    })
}

/// The number that a line had before the file was edited; none if it was not there. Lines before the
/// first change have their number, those after the last one are counted from the end; between them
/// a line is known by its text, if no other has it.
fn before(file: &File, lines: &[&str], line: usize) -> Option<usize> {
    // A file that is a template's comes from there, whatever was done to it.
    if file.digests.is_empty() {
        return Some(line);
    }
    let old: Vec<&str> = (0..file.digests.len() / DIGITS)
        .filter_map(|k| file.digests.get(k * DIGITS..(k + 1) * DIGITS))
        .collect();
    let new: Vec<String> = lines.iter().map(|l| line_digest(l)).collect();
    let same = |(a, b): &(&&str, &String)| **a == b.as_str();
    let head = old.iter().zip(&new).take_while(same).count();
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    if line <= head {
        return Some(line);
    }
    if line > new.len() - tail {
        return (line + old.len()).checked_sub(new.len());
    }
    let here = &new[line - 1];
    let mut known = (head..old.len()).filter(|&k| old[k] == here);
    match (known.next(), known.next()) {
        (Some(only), None) => Some(only + 1),
        _ => None,
    }
}

fn scheme<'a>(trace: &'a Trace, origin: &'a Origin) -> Found<'a> {
    let step = |number: &u32| trace.steps.iter().find(|s| s.number == *number);
    let mut around: Vec<&Step> = Vec::new();
    let mut outer = origin.within;
    // What stands around comes before what stands in it.
    while let Some(number) = outer {
        let Some(next) = trace.origins.get(number as usize) else {
            break;
        };
        for found in next.steps.iter().filter_map(step) {
            let known = around.iter().any(|s| s.number == found.number);
            if !known && !origin.steps.contains(&found.number) {
                around.push(found);
            }
        }
        outer = next.within.filter(|&n| n < number);
    }
    let place = origin.place.and_then(|place| {
        let source = trace.sources.get(place.source as usize)?;
        Some((source, place.line))
    });
    Found::Scheme {
        origin,
        place,
        steps: origin.steps.iter().filter_map(step).collect(),
        around,
    }
}
