//! What stands in texts for constructs that have no keyword, in three languages: phrases that the table of constructs
//! gives a meaning, numbers of threads, and what rules wait for.

use super::{Construct, Language};

/// A row of the table of wordings.
pub struct Wording {
    /// The construct that is worded.
    pub construct: Construct,
    ukrainian: &'static str,
    russian: &'static str,
}

const fn row(construct: Construct, ukrainian: &'static str, russian: &'static str) -> Wording {
    Wording {
        construct,
        ukrainian,
        russian,
    }
}

/// Texts besides the English ones, which are those of the table of constructs, in its patterns.
pub static WORDINGS: &[Wording] = &[
    row(
        Construct::Allocate,
        "\"Виділити памʼять для (%1) на пристрої\"",
        "\"Выделить память для (%1) на устройстве\"",
    ),
    row(
        Construct::CopyToDevice,
        "\"Копіювати (%1) на пристрій\"",
        "\"Копировать (%1) на устройство\"",
    ),
    row(
        Construct::CopyFromDevice,
        "\"Копіювати (%1) з пристрою\"",
        "\"Копировать (%1) с устройства\"",
    ),
    row(
        Construct::Free,
        "\"Звільнити памʼять для (%1) на пристрої\"",
        "\"Освободить память для (%1) на устройстве\"",
    ),
    row(Construct::BlockIndex, "номер_блоку", "номер_блока"),
    row(Construct::ThreadIndex, "номер_потоку", "номер_потока"),
    row(Construct::BlockCount, "кількість_блоків", "число_блоков"),
    row(Construct::ThreadCount, "кількість_потоків", "число_потоков"),
    row(
        Construct::Multiprocessors,
        "кількість_мультипроцесорів",
        "число_мультипроцессоров",
    ),
];

/// What rules wait for, in the order of the languages.
pub static WAITED_FOR: &[[&str; 3]] = &[[
    "all threads are done",
    "усі потоки завершили роботу",
    "все потоки завершили работу",
]];

impl Wording {
    /// The text in a language.
    pub fn text(&self, language: Language) -> &'static str {
        match language {
            Language::English => self.construct.info().text,
            Language::Ukrainian => self.ukrainian,
            Language::Russian => self.russian,
        }
    }

    /// Whether it is a phrase; else it is a name.
    pub fn is_phrase(&self) -> bool {
        self.ukrainian.starts_with('"')
    }
}

impl Construct {
    /// The row of the construct, if it has wordings.
    pub fn wording(self) -> Option<&'static Wording> {
        WORDINGS.iter().find(|w| w.construct == self)
    }

    /// The construct that is a name of its own, such as `thread`, in any language.
    pub fn standing(word: &str) -> Option<Construct> {
        let mut names = WORDINGS.iter().filter(|w| !w.is_phrase());
        let is = |w: &&Wording| Language::ALL.into_iter().any(|l| w.text(l) == word);
        Some(names.find(is)?.construct)
    }

    /// The construct that a phrase with one argument is, in any language; `()` stands for the argument.
    pub fn phrased(name: &str) -> Option<Construct> {
        let name = with_one_apostrophe(name);
        let mut phrases = WORDINGS.iter().filter(|w| w.is_phrase());
        let is = |w: &&Wording| {
            let mut texts = Language::ALL.into_iter().map(|l| w.text(l));
            texts.any(|text| text.trim_matches('"').replace("%1", "") == name)
        };
        Some(phrases.find(is)?.construct)
    }
}

/// What is waited for, in a language: what rules write has a wording in each, and the rest is the author's.
pub fn waited_for(text: &str, language: Language) -> Option<&'static str> {
    let text = with_one_apostrophe(text);
    let row = WAITED_FOR.iter().find(|row| row.contains(&text.as_str()))?;
    Some(row[language as usize])
}

/// The apostrophe of Ukrainian is typed in several ways.
fn with_one_apostrophe(text: &str) -> String {
    text.replace(['\'', '’'], "ʼ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{Sort, TABLE};

    #[test]
    fn every_phrase_and_name_of_the_table_has_its_wordings() {
        for info in TABLE {
            let stands = info.sort == Sort::Expression && info.arguments.is_empty();
            let is_name = stands && info.rest.is_none();
            let is_phrase = info.sort == Sort::Operator && info.text.contains("(%1)\"")
                || info.text.starts_with('"') && info.text.contains("(%1) ");
            assert_eq!(
                info.construct.wording().is_some(),
                is_name || is_phrase,
                "{}",
                info.functor
            );
        }
    }

    #[test]
    fn a_wording_is_read_as_its_construct() {
        for wording in WORDINGS {
            for language in Language::ALL {
                let text = wording.text(language);
                let found = match wording.is_phrase() {
                    true => Construct::phrased(&text.trim_matches('"').replace("%1", "")),
                    false => Construct::standing(text),
                };
                assert_eq!(found, Some(wording.construct), "{text}");
            }
        }
        let typed = "Виділити пам'ять для () на пристрої";
        assert_eq!(Construct::phrased(typed), Some(Construct::Allocate));
    }
}
