//! The part of a case that is for the host: its text without what is for a device.

/// What begins a phrase of the language about the device, and what ends it.
const PHRASES: [(&str, &str); 4] = [
    ("\"Allocate memory for (", ") on the device\""),
    ("\"Copy (", ") to the device\""),
    ("\"Copy (", ") from the device\""),
    ("\"Free memory of (", ") on the device\""),
];

/// A text in which operators for a device do nothing.
pub fn host_part(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = phrase(rest).or_else(|| launch(rest));
        match length {
            Some(length) => {
                out.push_str("EMPTY");
                rest = &rest[length..];
            }
            None => {
                let next = rest.chars().next().map_or(1, char::len_utf8);
                out.push_str(&rest[..next]);
                rest = &rest[next..];
            }
        }
    }
    out
}

/// How long the phrase about the device is that a text begins with.
fn phrase(text: &str) -> Option<usize> {
    PHRASES.iter().find_map(|(from, to)| {
        let inner = text.strip_prefix(from)?;
        let name = inner.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        inner[name..]
            .starts_with(to)
            .then_some(from.len() + name + to.len())
    })
}

/// How long the launch is that a text begins with.
fn launch(text: &str) -> Option<usize> {
    let head = "RunKernel (";
    text.starts_with(head).then_some(())?;
    let mut at = head.len() - 1;
    for _ in 0..2 {
        at += text[at..].find('(')?;
        at += balanced(&text[at..])?;
    }
    Some(at)
}

/// How long what stands in parentheses is.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[test]
fn what_is_for_a_device_does_nothing() {
    let text = "a := 1; \"Allocate memory for (a) on the device\"; \"Copy (a) to the device\";\n\
                RunKernel (f(1), 8) (\n  a[(1)] := 2\n);\n\"Copy (a) from the device\"; b := 3";
    assert_eq!(
        host_part(text),
        "a := 1; EMPTY; EMPTY;\nEMPTY;\nEMPTY; b := 3"
    );
}
