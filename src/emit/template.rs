//! Templates: the files of a project around the text that printers make.

use super::text::unmarked;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use tera::{Context, Tera};

/// A file as it is written, and where its lines come from.
pub struct Filled {
    /// Its text.
    pub text: String,
    /// For each line the number of its origin; none where it is the template's.
    pub origins: Vec<Option<u32>>,
}

/// Fills a template in. Templates are part of this program, so one that does not fill is a defect.
pub fn fill(name: &str, template: &str, values: &Value) -> Filled {
    fill_with(name, template, &[], values)
}

/// Fills a template in that includes others, which are given by name and text.
pub fn fill_with(name: &str, template: &str, included: &[(&str, &str)], values: &Value) -> Filled {
    let mut tera = Tera::default();
    let all = included.iter().copied().chain([(name, template)]);
    let filled = tera
        .add_raw_templates(all)
        .and_then(|()| Context::from_serialize(values))
        .and_then(|context| tera.render(name, &context));
    let text = filled.unwrap_or_else(|e| panic!("the template {name} does not fill: {e:?}"));
    tidy(&text)
}

/// Which of the pieces that a template knows are used, as a map of all of them.
pub fn uses(known: &[&str], used: &BTreeSet<&'static str>) -> Value {
    let all = known
        .iter()
        .map(|name| ((*name).to_owned(), Value::Bool(used.contains(name))));
    Value::Object(all.collect::<Map<String, Value>>())
}

/// One empty line where templates leave several, none at the start, one line end at the end.
fn tidy(text: &str) -> Filled {
    let mut tidy = String::with_capacity(text.len());
    let mut origins = Vec::new();
    let mut empty = true;
    for line in text.lines() {
        let (origin, line) = unmarked(line);
        let line = line.trim_end();
        if line.is_empty() {
            if !empty {
                tidy.push('\n');
                origins.push(None);
            }
            empty = true;
            continue;
        }
        if empty && line.trim_start().starts_with('}') && tidy.ends_with("\n\n") {
            tidy.pop();
            origins.pop();
        }
        tidy.push_str(line);
        tidy.push('\n');
        origins.push(origin);
        empty = false;
    }
    while tidy.ends_with("\n\n") {
        tidy.pop();
        origins.pop();
    }
    Filled {
        text: tidy,
        origins,
    }
}
