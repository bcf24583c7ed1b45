//! What the reference machine finds: each file of `tests/machine` says in its first line which kind
//! of error is expected, the code of one that the check finds, or `ok`.

use glushkov::algebra::{Language, Precision};
use glushkov::check::{author_names, check};
use glushkov::diagnostic::render;
use glushkov::machine::{Limits, Machine, compile};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms, with_deep_stack};

/// What a scheme does: `ok`, a code or a kind; and what is told.
fn outcome(name: &str, text: &str) -> (String, String) {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    let told = |errors: &[glushkov::diagnostic::Diagnostic]| {
        let text: String = errors.iter().map(|e| render(e, &sources, false)).collect();
        (errors[0].code.to_owned(), text)
    };
    if !errors.is_empty() {
        return told(&errors);
    }
    let scheme = match check(&terms, items[0], Precision::F32) {
        Ok(scheme) => scheme,
        Err(errors) => return told(&errors),
    };
    let code = compile(&scheme).expect("everything is defined");
    let limits = Limits {
        accesses: 1_000_000,
        steps: 10_000_000,
        ..Limits::default()
    };
    let mut machine = Machine::new(&scheme, &code, limits);
    let mut ran = machine.start(&[]);
    if ran.is_ok() {
        let inputs: Vec<_> = scheme
            .data()
            .filter(|(_, v)| v.is_input())
            .map(|(n, _)| n)
            .collect();
        for input in inputs {
            let cells: i64 = machine.dims(input).expect("it is there").iter().product();
            let ones = vec![u64::from(1f32.to_bits()); cells as usize];
            assert!(machine.set(input, &ones));
        }
        ran = machine.run();
    }
    match ran {
        Ok(()) => ("ok".into(), String::new()),
        Err(error) => {
            let kind = serde_json::to_value(error.kind).expect("a kind is a text");
            let told = render(&error.diagnostic(), &sources, false);
            (kind.as_str().expect("a text").into(), told)
        }
    }
}

/// The text of the checked scheme with the author's names, after checking it again changed nothing.
fn expanded(name: &str, text: &str) -> Option<String> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let mut terms = Terms::new();
    let (items, _) = read_file(&sources, file, &mut terms);
    let scheme = check(&terms, items[0], Precision::F32).ok()?;
    let again = check(&scheme.terms, scheme.root, Precision::F32).expect("it was checked");
    assert!(
        scheme
            .terms
            .equal_across(scheme.root, &again.terms, again.root),
        "{name}: checking again changes it"
    );
    let mut named = scheme.terms.clone();
    let root = author_names(&mut named, scheme.root);
    let style = Style {
        notation: Notation::Text,
        language: Language::Ukrainian,
        comments: true,
    };
    Some(print(&named, root, style))
}

#[test]
fn every_case_ends_as_its_header_says() {
    let mut paths: Vec<_> = std::fs::read_dir("tests/machine")
        .expect("the folder of cases")
        .map(|e| e.expect("an entry").path())
        .collect();
    paths.sort();
    let mut wrong = Vec::new();
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("a readable case");
        let header = text.lines().next().expect("a header");
        let wanted = header.strip_prefix("# expect: ").expect("`# expect: KIND`");
        let name = path.display().to_string();
        let (found, told) = with_deep_stack(|| outcome(&name, &text));
        // So does the scheme that checking makes of it.
        if let Some(expanded) = expanded(&name, &text) {
            let (again, told) = with_deep_stack(|| outcome(&name, &expanded));
            assert_eq!(again, found, "{name}\n{expanded}\n{told}");
        }
        if found != wanted {
            wrong.push(format!("{name}: {found} instead of {wanted}\n{told}"));
        }
        // An error names places of the scheme.
        assert!(found == "ok" || told.contains("-->"), "{name}\n{told}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(paths.len() > 40);
}
