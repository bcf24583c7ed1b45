//! What was emitted + the derivation → the trace.

use super::{Asked, FORMAT, File, Origin, Place, Source, Step, Trace, VERSION};
use crate::derive::digest;
use crate::emit::{Emitted, FileMap};
use crate::rewrite::{Derivation, FloatClass};
use crate::term::{Sources, Span};

/// So many digits of a line's digest are kept.
pub(super) const DIGITS: usize = 6;

/// The trace of what was emitted of a scheme; spans refer to `sources`. Each variant has its
/// derivation; the steps of each are numbered after those of the one before.
pub fn trace(
    emitted: &Emitted,
    scheme: &str,
    derivations: &[&Derivation],
    sources: &Sources,
) -> Trace {
    let mut places = Places {
        sources,
        files: Vec::new(),
    };
    let mut before: Vec<u32> = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    for derivation in derivations {
        let shift = steps.len() as u32;
        before.push(shift);
        steps.extend(derivation.steps.iter().map(|step| Step {
            number: step.number + shift,
            rule: step.rule.clone(),
            file: step.file.clone(),
            float: step.float,
            untested: step.untested,
            parameters: step.parameters.clone(),
            place: places.place(step.place.map(Span::from)),
            phrase: step.phrase.clone(),
            asked: step.evidence.iter().map(asked).collect(),
        }));
    }
    let origins = (0u32..).zip(&emitted.origins).map(|(number, origin)| {
        let variant = emitted.variants.iter().rposition(|&first| first <= number);
        let shift = variant.and_then(|v| before.get(v)).copied().unwrap_or(0);
        Origin {
            place: places.place(origin.span),
            phrase: origin.phrase.map(|p| p.to_string()),
            near: origin.near.map(|p| p.to_string()),
            steps: origin.steps.iter().map(|step| step + shift).collect(),
            within: origin.within,
        }
    });
    let origins = origins.collect();
    let read = places.files.iter().filter_map(|&file| sources.get(file));
    let texts = emitted.files.iter().zip(&emitted.project.files);
    Trace {
        format: FORMAT.to_owned(),
        version: VERSION,
        scheme: scheme.to_owned(),
        strategy: derivations
            .first()
            .map_or(String::new(), |d| d.strategy.clone()),
        float: derivations
            .iter()
            .map(|d| d.float_of_results())
            .max()
            .unwrap_or(FloatClass::Exact),
        sources: read
            .map(|source| Source {
                name: source.name.clone(),
                sha256: digest(&source.text),
            })
            .collect(),
        steps,
        origins,
        files: texts.map(|(map, (_, text))| file(map, text)).collect(),
    }
}

/// Texts in the order in which places first name them.
struct Places<'a> {
    sources: &'a Sources,
    files: Vec<u32>,
}

impl Places<'_> {
    fn place(&mut self, span: Option<Span>) -> Option<Place> {
        let span = span?;
        let known = self.files.iter().position(|&file| file == span.file);
        let source = known.unwrap_or_else(|| {
            self.files.push(span.file);
            self.files.len() - 1
        });
        Some(Place {
            source: source as u32,
            line: self.sources.line_column(span.file, span.from).0,
        })
    }
}

fn asked(asked: &crate::rewrite::Asked) -> Asked {
    Asked {
        question: asked.question.clone(),
        answer: asked.answer.clone(),
        status: asked.status,
        sentence: asked.sentence.clone(),
    }
}

fn file(map: &FileMap, text: &str) -> File {
    let mut lines: Vec<(usize, usize, u32)> = Vec::new();
    for (origin, line) in map.origins.iter().zip(1..) {
        match (origin, lines.last_mut()) {
            (Some(origin), Some((_, last, of))) if of == origin && *last + 1 == line => {
                *last = line;
            }
            (Some(origin), _) => lines.push((line, line, *origin)),
            (None, _) => {}
        }
    }
    let digests = match lines.is_empty() {
        true => String::new(),
        false => text.lines().map(line_digest).collect(),
    };
    File {
        path: map.path.clone(),
        sha256: digest(text),
        template: map.template.map(str::to_owned),
        lines,
        digests,
    }
}

/// What is kept of a line.
pub(super) fn line_digest(line: &str) -> String {
    let mut all = digest(line);
    all.truncate(DIGITS);
    all
}
