//! Faults of rules that are put back are found: each rule without its question for room at the ends
//! of types, and the like.

use super::campaign;
use super::count;
use glushkov::derive::base_files;

/// Questions that rules must not go without.
const QUESTIONS: &[&str] = &["has_margin(", "free_of($x, $i..)"];

/// The text of a rule file with what a rule asks so answered as if it held; none if it does not ask.
fn without(text: &str, rule: &str, question: &str) -> Option<String> {
    let head = text.find(&format!("#@rule({rule})"))?;
    let end = text[head..].find(";\n").map(|at| head + at)?;
    let mut body = text[head..end].to_owned();
    let mut asked = false;
    while let Some(at) = body.find(question) {
        let mut depth = 0;
        let length = body[at..].char_indices().find_map(|(i, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            (c == ')' && depth == 0).then_some(i + 1)
        })?;
        body.replace_range(at..at + length, "0 <= 0");
        asked = true;
    }
    asked.then(|| format!("{}{body}{}", &text[..head], &text[end..]))
}

fn rules(text: &str) -> impl Iterator<Item = &str> {
    text.split("#@rule(")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
}

#[test]
#[ignore = "it tries the schemes again for every rule: minutes"]
fn rules_that_do_not_ask_are_found() {
    let mut missed = Vec::new();
    for (file, text) in base_files(&[]) {
        for rule in rules(&text) {
            for question in QUESTIONS {
                let Some(changed) = without(&text, rule, question) else {
                    continue;
                };
                let further = [(file.clone(), changed)];
                let found = campaign(0, count(400), &further, 1);
                let told = found.wrong.iter().next();
                let Some((seed, told)) = told else {
                    println!("{rule} without {question}: not found");
                    missed.push(rule.to_owned());
                    continue;
                };
                let line = told.lines().next().unwrap_or_default();
                let line: String = line.chars().take(160).collect();
                println!("{rule} without {question}: seed {seed}: {line}");
            }
        }
    }
    assert!(missed.is_empty(), "not found: {}", missed.join(", "));
}
