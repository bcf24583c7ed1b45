//! A scheme shown in a language has no keyword, no type and no known phrase of another one.

use super::{library, read};
use glushkov::algebra::{Keyword, Language, TYPE_NAMES, WAITED_FOR, WORDINGS, translated};
use glushkov::derive::library::SCHEMES;
use glushkov::pipeline::{Options, Session, Show, Source};
use glushkov::syntax::LexemeKind;
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::text::lexemes;
use glushkov::toolchain::testing::in_campaign;

/// What mathematics has in all languages.
const COMMON: [Keyword; 2] = [Keyword::Mod, Keyword::Latex];

/// The words of another language that the language has others for.
fn left(text: &str, language: Language) -> Vec<String> {
    let english = |word: &str| {
        let types = TYPE_NAMES.iter().any(|t| t.name == word);
        types || WORDINGS.iter().any(|w| w.text(Language::English) == word)
    };
    let marks: Vec<String> = WORDINGS
        .iter()
        .filter(|w| w.is_phrase())
        .flat_map(|w| {
            w.text(Language::English)
                .split("(%1)")
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .filter(|half| half.len() > 8)
        .collect();
    let is_left = |kind: LexemeKind, word: &str| match kind {
        LexemeKind::Keyword(keyword) => {
            !COMMON.contains(&keyword) && !keyword.spellings(language).any(|s| s == word)
        }
        LexemeKind::Word => english(word),
        LexemeKind::Phrase => marks.iter().any(|half| word.contains(half.as_str())),
        LexemeKind::Predicate => WAITED_FOR
            .iter()
            .any(|row| word.trim_matches('\'') == row[0]),
        _ => false,
    };
    let all = lexemes(text).into_iter();
    let all = all.map(|l| (l.kind, l.text(text).to_owned()));
    all.filter(|(kind, word)| is_left(*kind, word))
        .map(|(_, word)| word)
        .collect()
}

#[test]
fn no_scheme_of_the_library_keeps_words_of_another_language() {
    for (path, mut terms, root) in library() {
        for language in [Language::Ukrainian, Language::Russian] {
            let other = translated(&mut terms, root, language);
            for (notation, name) in [
                (Notation::Text, "shown.saa"),
                (Notation::Formula, "shown.saaf"),
            ] {
                let style = Style {
                    notation,
                    language,
                    comments: false,
                };
                let shown = print(&terms, other, style);
                let left = left(&shown, language);
                assert!(left.is_empty(), "{path}: {left:?}\n{shown}");
                let (again, back) = read(name, &shown);
                assert!(terms.equal_across(other, &again, back), "{path}\n{shown}");
            }
        }
    }
}

#[test]
fn what_strategies_derive_keeps_none_either() {
    let some = |path: &str| in_campaign() || path.contains("nbody/") || path.contains("sorting/");
    for (path, text) in SCHEMES.iter().filter(|(path, _)| some(path)) {
        for strategy in ["paper", "gpu"] {
            let shown = |language| {
                let show = Show {
                    language,
                    strategy: Some(strategy.to_owned()),
                    options: Options::default(),
                    ..Show::default()
                };
                show.show(Source::Text { name: path, text }, &mut Session::new())
            };
            let Ok(english) = shown(Language::English) else {
                continue;
            };
            let (expected_in, expected) = read("english.saa", &english);
            for language in [Language::Ukrainian, Language::Russian] {
                let other = shown(language).expect("derived before");
                let left = left(&other, language);
                assert!(left.is_empty(), "{path}, {strategy}: {left:?}\n{other}");
                let (mut terms, back) = read("other.saa", &other);
                let back = translated(&mut terms, back, Language::English);
                assert!(
                    expected_in.equal_across(expected, &terms, back),
                    "{path}, {strategy}\n{other}"
                );
            }
        }
    }
}

#[test]
fn comments_of_a_derived_scheme_are_in_the_language() {
    let text = SCHEMES
        .iter()
        .find(|(path, _)| path.ends_with("/hermite.saa"));
    let (name, text) = text.expect("it is there");
    for (language, comment) in [
        (
            Language::Ukrainian,
            "# Передбачити координати та швидкість тіла (i)",
        ),
        (
            Language::Russian,
            "# Предсказать координаты и скорость тела (i)",
        ),
    ] {
        let show = Show {
            language,
            strategy: Some("paper".to_owned()),
            ..Show::default()
        };
        let shown = show.show(Source::Text { name, text }, &mut Session::new());
        let Ok(shown) = shown else { panic!("derived") };
        let mut comments = shown.lines().map(str::trim).filter(|l| l.starts_with('#'));
        assert!(comments.clone().any(|l| l == comment), "{shown}");
        let latin = |l: &str| {
            l.split_whitespace()
                .any(|w| w.len() > 3 && w.is_ascii() && !w.starts_with('('))
        };
        assert!(!comments.any(latin), "{shown}");
    }
}

#[test]
fn words_of_all_languages_may_be_mixed() {
    let text = "SCHEME \"s\" ====
DATA
  x : REAL [8]
  y : VECTOR OF REAL64 [8]
END OF DATA
  \"Виділити пам'ять для (x) на пристрої\"; \"Копировать (x) на устройство\";
  RunKernel (1, 8) (LOCAL i : ЦЕЛОЕ := номер_блоку * число_потоков + thread; x[i] := i);
  WAIT 'усі потоки завершили роботу'; ЧЕКАТИ 'все потоки завершили работу';
  \"Copy (x) from the device\"; \"Звільнити памʼять для (x) на пристрої\"
END OF SCHEME \"s\"
";
    let english = text
        .replace(
            "Виділити пам'ять для (x) на пристрої",
            "Allocate memory for (x) on the device",
        )
        .replace("Копировать (x) на устройство", "Copy (x) to the device")
        .replace("ЦЕЛОЕ", "INTEGER")
        .replace("номер_блоку", "block")
        .replace("число_потоков", "threads")
        .replace("ЧЕКАТИ", "WAIT")
        .replace("усі потоки завершили роботу", "all threads are done")
        .replace("все потоки завершили работу", "all threads are done")
        .replace(
            "Звільнити памʼять для (x) на пристрої",
            "Free memory of (x) on the device",
        );
    let (terms, root) = read("mixed.saa", text);
    let (other, expected) = read("english.saa", &english);
    assert!(terms.equal_across(root, &other, expected));
}
