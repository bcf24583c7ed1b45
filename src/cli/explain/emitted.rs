//! Lines of emitted programs: their phrase, their place in the scheme, and the rules that shaped them.

use crate::cli::output::{Done, Output};
use crate::diagnostic::Diagnostic;
use crate::trace::{Answer, FILE, Found, Lost, Step, Trace, look_up};
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};

/// Where a line of an emitted program comes from.
pub(super) fn explain(file: &str, number: usize, json: bool, output: &mut Output) -> Done {
    let unreadable = |why: String| Diagnostic::error("E0002", why);
    let path = Path::new(file);
    let text = crate::data::read_text(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => unreadable(format!("there is no file {file}"))
            .hint("name a file of a project that glushkov emit wrote"),
        _ => unreadable(format!("{file} cannot be read: {e}")),
    })?;
    let (folder, inside) = project_of(path).ok_or_else(|| {
        Diagnostic::error("E0008", format!("{file} has no {FILE} beside it"))
            .hint("glushkov emit writes one into the folder of each project")
    })?;
    let place = folder.join(FILE);
    let trace = crate::data::read_text(&place)
        .map_err(|e| e.to_string())
        .and_then(|text| Trace::read(&text))
        .map_err(|why| {
            let message = format!("{} near no trace: {why}", place.display());
            Diagnostic::error("E0008", message).hint("emit the project anew")
        })?;
    let answer = look_up(&trace, &inside, &text, number).map_err(|lost| match lost {
        Lost::NoFile => Diagnostic::error("E0008", format!("{FILE} knows no file {inside}"))
            .hint("only files that glushkov emit wrote can be explained"),
        Lost::NoLine(count) => Diagnostic::error("E0008", format!("{file} has {count} lines"))
            .hint(format!("lines are counted from 1: {file}:1")),
        Lost::Edited => {
            let message = format!("line {number} of {file} was written or changed since");
            Diagnostic::error("E0008", message)
                .hint("emit the project anew, or ask for a line that is as it was")
        }
    })?;
    if json {
        return output.json(&object(&trace, file, number, &answer));
    }
    if answer.edited {
        let message = format!("{file} was edited since it was emitted");
        let now = match answer.emitted_as == number {
            true => "the answer is for the line as it was".to_owned(),
            false => format!("this line was line {} then", answer.emitted_as),
        };
        output.tell(&Diagnostic::note("N0009", message).hint(now));
    }
    output.print(&page(&trace, file, number, &answer))
}

/// The folder of the project that a file belongs to, and the file's path in it.
fn project_of(file: &Path) -> Option<(PathBuf, String)> {
    let file = file.canonicalize().ok()?;
    let folder = file.ancestors().skip(1).find(|a| a.join(FILE).is_file())?;
    let inside = file.strip_prefix(folder).ok()?.components();
    let parts: Option<Vec<&str>> = inside
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    Some((folder.to_path_buf(), parts?.join("/")))
}

/// The answer in plain words.
fn page(trace: &Trace, file: &str, number: usize, answer: &Answer<'_>) -> String {
    let mut page = format!("{file}:{number}: {}\n", answer.text);
    let (origin, place, steps, around) = match &answer.found {
        Found::Template(Some(template)) => {
            return page + &format!("from the template {template}: no rule shaped it\n");
        }
        Found::Template(None) => return page + "written for every project: no rule shaped it\n",
        Found::Scheme {
            origin,
            place,
            steps,
            around,
        } => (origin, place, steps, around),
    };
    let mut row = |name: &str, text: &str| page.push_str(&format!("{name:10} {text}\n"));
    match (&origin.phrase, &origin.near) {
        (Some(phrase), _) => row("phrase", &format!("\"{phrase}\"")),
        (None, Some(phrase)) => row("phrase", &format!("near \"{phrase}\"")),
        (None, None) => {}
    }
    if let Some((source, line)) = place {
        row("scheme", &format!("{}:{line}", source.name));
    }
    row(
        "strategy",
        &format!("{}, {} as a whole", trace.strategy, trace.float.name()),
    );
    if steps.is_empty() {
        row("made by", "no rule: it stands as the author wrote it");
    }
    for (name, steps) in [("made by", steps), ("stands in", around)] {
        for step in steps {
            row(name, &heading(trace, step));
            for asked in &step.asked {
                let (answer, status) = (&asked.answer, asked.status.name());
                let text = format!(
                    "  {}: {answer}, {status}: {}",
                    asked.question, asked.sentence
                );
                row("", &text);
            }
        }
    }
    page
}

/// What a step was, in a line.
fn heading(trace: &Trace, step: &Step) -> String {
    let mut text = format!(
        "step {}, {} ({}), {}",
        step.number,
        step.rule,
        step.file,
        step.float.name()
    );
    for (name, value) in &step.parameters {
        text.push_str(&format!(", {name} = {value}"));
    }
    if let Some((source, line)) = source_of(trace, step) {
        text.push_str(&format!(", at {source}:{line}"));
    }
    text
}

fn source_of<'a>(trace: &'a Trace, step: &Step) -> Option<(&'a str, usize)> {
    let place = step.place?;
    let source = trace.sources.get(place.source as usize)?;
    Some((&source.name, place.line))
}

fn object(trace: &Trace, file: &str, number: usize, answer: &Answer<'_>) -> Value {
    let step = |step: &&Step| -> Value {
        let place = source_of(trace, step);
        json!({
            "number": step.number,
            "rule": step.rule,
            "file": step.file,
            "float": step.float,
            "parameters": step.parameters,
            "phrase": step.phrase,
            "scheme": place.map(|(name, line)| json!({"file": name, "line": line})),
            "asked": step.asked,
        })
    };
    let all = |steps: &[&Step]| -> Vec<Value> { steps.iter().map(step).collect() };
    let mut object = json!({
        "file": file,
        "line": number,
        "text": answer.text,
        "edited": answer.edited,
        "emitted_as": answer.emitted_as,
        "strategy": trace.strategy,
        "float": trace.float,
    });
    match &answer.found {
        Found::Template(template) => object["template"] = json!(template),
        Found::Scheme {
            origin,
            place,
            steps,
            around,
        } => {
            let place = place.map(|(source, line)| json!({"file": source.name, "line": line}));
            object["scheme"] = json!(place);
            object["phrase"] = json!(origin.phrase);
            object["near"] = json!(origin.near);
            object["steps"] = json!(all(steps));
            object["around"] = json!(all(around));
        }
    }
    object
}
