//! Constructs as snippets, from the patterns of their table.

use crate::algebra::{Atomic, Construct, Info, Keyword, Language, Role, Sort, TABLE, Type};

/// A construct that can be put in.
pub(super) struct Snippet {
    pub(super) construct: Construct,
    /// The keyword that it begins with.
    pub(super) begins: &'static str,
    /// Its keywords up to its first body.
    pub(super) label: String,
    /// Its text with numbered places for what is filled in.
    pub(super) text: String,
}

/// What stands in kernels alone, or is made by rules: offered last.
const OF_KERNELS: &[Construct] = &[
    Construct::Lanes,
    Construct::Launch,
    Construct::Shared,
    Construct::Registers,
    Construct::Rotate,
    Construct::SumOverWarp,
    Construct::MinOverWarp,
    Construct::MaxOverWarp,
    Construct::Barrier,
    Construct::Recorded,
    Construct::Undefined,
];

/// Whether a construct is one of these: all indivisible actions are.
pub(super) fn is_of_kernels(construct: Construct) -> bool {
    OF_KERNELS.contains(&construct) || Atomic::of(construct).is_some()
}

/// The constructs of a sort that begin with a keyword.
pub(super) fn snippets(sort: Sort, language: Language) -> impl Iterator<Item = Snippet> {
    let rows = TABLE.iter().filter(move |row| row.sort == sort);
    rows.filter_map(move |row| snippet(row, language))
}

/// The snippet of a construct, if it begins with a keyword.
pub(super) fn snippet(row: &Info, language: Language) -> Option<Snippet> {
    let mut begins = None;
    let (mut label, mut text) = (String::new(), String::new());
    let mut in_label = true;
    let mut chars = row.text.chars().peekable();
    if chars.peek() != Some(&'@') {
        return None;
    }
    while let Some(c) = chars.next() {
        match c {
            '@' => {
                let mut name = String::new();
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphabetic()) {
                    name.push(c);
                }
                let word = Keyword::named(&name)?.text(language);
                begins.get_or_insert(word);
                for into in [&mut text, &mut label] {
                    if into.ends_with(|c: char| c.is_alphanumeric() || c == '}') {
                        into.push(' ');
                    }
                }
                text.push_str(word);
                if in_label {
                    label.push_str(word);
                }
            }
            '%' => {
                let c = chars.next()?;
                let number = c.to_digit(10).unwrap_or(row.arguments.len() as u32 + 1);
                let role = row.role(number.max(1) as usize - 1);
                if c == '*' && role == Some(Role::Operator) {
                    // Several of them have two branches.
                    text.push_str("$1\n//\n\t$2");
                    label.push_str("… // …)");
                    continue;
                }
                text.push_str(&place(number, role, row, language));
                if in_label && !label.ends_with('…') {
                    label.push('…');
                }
            }
            '{' => {
                in_label = false;
                text.push_str("\n\t");
            }
            '}' => text.push('\n'),
            '[' if chars.peek() == Some(&'[') => {
                // What may be left out is.
                let rest: String = chars.clone().collect();
                let after = rest.split_once("]]").map_or("", |(_, after)| after);
                let skipped = rest.chars().count() - after.chars().count();
                chars.nth(skipped.saturating_sub(1));
            }
            '$' => text.push_str("\\$"),
            c => {
                text.push(c);
                if in_label && c != '"' && c != '\'' {
                    label.push(c);
                }
            }
        }
    }
    let label = label.trim_end_matches(['(', '…', ' ']).to_owned();
    Some(Snippet {
        construct: row.construct,
        begins: begins?,
        label,
        text,
    })
}

/// A numbered place with what most often stands there.
fn place(number: u32, role: Option<Role>, row: &Info, language: Language) -> String {
    let is_bound = row.construct == Construct::ForLoop || row.construct == Construct::Parallel;
    let usual = match role {
        Some(Role::Binder) if is_bound || row.construct == Construct::ForStep => "i",
        Some(Role::Binder | Role::Declared) => "x",
        Some(Role::Expression) if row.arguments.first() == Some(&Role::Binder) => match number {
            2 => "0",
            3 => "N - 1",
            _ => "2",
        },
        Some(Role::Expression) => "0",
        Some(Role::Condition) => "x > 0",
        Some(Role::Operator) => "",
        Some(Role::Type) => Type::word("REAL", language),
        Some(Role::Text) => "text",
        Some(Role::Part) => "",
        Some(Role::Target | Role::Updated | Role::Name | Role::Word) | None => "x",
    };
    match usual {
        "" => format!("${number}"),
        usual => format!("${{{number}:{usual}}}"),
    }
}

/// A snippet without its places, for clients that know none.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at(at);
        if let Some(before) = before.strip_suffix('\\') {
            out.push_str(before);
            out.push('$');
            rest = &after[1..];
            continue;
        }
        out.push_str(before);
        let after = &after[1..];
        rest = match after.strip_prefix('{') {
            Some(inner) => {
                let (inner, after) = inner.split_once('}').unwrap_or((inner, ""));
                out.push_str(inner.split_once(':').map_or("", |(_, usual)| usual));
                after
            }
            None => after.trim_start_matches(|c: char| c.is_ascii_digit()),
        };
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(construct: Construct, language: Language) -> Snippet {
        snippet(construct.info(), language).expect("a snippet")
    }

    #[test]
    fn snippets_are_made_from_the_table() {
        let one = of(Construct::ForLoop, Language::English);
        assert_eq!(
            (one.begins, one.label.as_str()),
            ("FOR", "FOR (… FROM … TO …) LOOP")
        );
        assert_eq!(
            one.text,
            "FOR (${1:i} FROM ${2:0} TO ${3:N - 1}) LOOP\n\t$4\nEND OF LOOP"
        );
        assert_eq!(
            plain(&one.text),
            "FOR (i FROM 0 TO N - 1) LOOP\n\t\nEND OF LOOP"
        );
        let one = of(Construct::If, Language::Ukrainian);
        assert_eq!(one.text, "ЯКЩО ${1:x > 0} ТО\n\t$2\nКІНЕЦЬ ЯКЩО");
        let one = of(Construct::Async, Language::English);
        assert_eq!(one.label, "PARALLEL (… // …)");
        assert_eq!(one.text, "PARALLEL (\n\t$1\n//\n\t$2\n)");
        let one = of(Construct::Report, Language::English);
        assert_eq!(one.text, "REPORT \"${1:text}\" (${2:0})");
    }

    #[test]
    fn every_snippet_is_read() {
        use crate::syntax::text::read_file;
        use crate::term::{Sources, Terms};
        for language in Language::ALL {
            for one in snippets(Sort::Operator, language) {
                let body = plain(&one.text).replace("\n\t\n", "\n\tx := 1\n");
                let text = format!("SCHEME \"s\" ====\n{body}\nEND OF SCHEME");
                let mut sources = Sources::default();
                let file = sources.add("s.saa", text.clone());
                let (_, errors) = read_file(&sources, file, &mut Terms::new());
                // Sizes stand where a pattern says no more.
                let open = one.construct == Construct::Array;
                assert!(open || errors.is_empty(), "{text}\n{errors:?}");
            }
        }
    }
}
