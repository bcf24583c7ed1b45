//! A text that somebody types at a place → a choice, by the grammar.

use super::offers::Choice;
use super::place::{Place, Wants, open_name};
use super::state::Constructor;
use crate::algebra::{Construct, Keyword, Precision, Type};
use crate::check::OPEN;
use crate::diagnostic::Diagnostic;
use crate::syntax::print::phrase_as_written;
use crate::syntax::text::{is_name, read_data, read_expression, read_operator, read_operators};
use crate::term::{Id, Sources, Symbol};

impl Constructor {
    /// What a text stands for at an open place. Diagnostics refer to the text that is added to `sources`.
    ///
    /// # Errors
    ///
    /// E0366: the place is not open, or the text is of another sort; else what cannot be read of it.
    pub fn typed(
        &mut self,
        place: u32,
        text: &str,
        sources: &mut Sources,
    ) -> Result<Choice, Vec<Diagnostic>> {
        let Some(place) = self.place(place).cloned() else {
            let message = format!("{} is no open place", open_name(place));
            return Err(vec![Diagnostic::error("E0366", message)]);
        };
        let text = text.trim();
        let mut add = |text: String| sources.add("<typed>", text);
        let terms = match place.wants {
            Wants::Operator => match self.head_of_basic(&place, text) {
                Some(head) if head.contains(OPEN) => {
                    let message = "the phrase's arguments have no names yet";
                    let hint = "put names at their places first: :places lists them";
                    return Err(vec![Diagnostic::error("E0366", message).hint(hint)]);
                }
                Some(head) => {
                    let file = add(format!("{head}{text}"));
                    return self.declaration(sources, file);
                }
                None => {
                    let file = add(text.to_owned());
                    vec![read_operator(sources, file, &mut self.terms)?]
                }
            },
            Wants::Condition | Wants::Expression | Wants::Target => {
                let file = add(text.to_owned());
                vec![read_expression(sources, file, &mut self.terms)?]
            }
            Wants::Item => {
                let file = add(text.to_owned());
                read_data(sources, file, &mut self.terms)?
            }
            Wants::Option => {
                let inner = text.strip_prefix('(').unwrap_or(text);
                let inner = inner
                    .strip_suffix(')')
                    .filter(|_| inner != text)
                    .unwrap_or(inner);
                let check = Keyword::Check.text(Default::default());
                let file = add(format!("{check} ({inner})"));
                let items = read_data(sources, file, &mut self.terms)?;
                let options = items.first();
                options.map_or(Vec::new(), |&items| self.terms.args(items).to_vec())
            }
            Wants::Type => {
                let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
                if Type::named(Symbol::new(&name), Precision::F32).is_none() {
                    return Err(vec![not_what_is_wanted(&place, text)]);
                }
                vec![self.terms.atom(Symbol::new(&name))]
            }
            Wants::Name | Wants::NewName => {
                if !is_name(text) {
                    return Err(vec![not_what_is_wanted(&place, text)]);
                }
                vec![self.terms.atom(Symbol::new(text))]
            }
            Wants::Text => {
                let inner = [('"', '"'), ('\'', '\''), ('«', '»')]
                    .iter()
                    .find_map(|&(a, b)| text.strip_prefix(a)?.strip_suffix(b));
                let text = inner.unwrap_or(text);
                if text.is_empty() || text.starts_with(OPEN) {
                    return Err(vec![not_what_is_wanted(&place, text)]);
                }
                vec![self.terms.text(Symbol::new(text))]
            }
        };
        match terms.is_empty() {
            true => Err(vec![not_what_is_wanted(&place, text)]),
            false => Ok(Choice::Put(terms)),
        }
    }

    /// The phrase in whose place of a definition a declaration, BASIC …, is typed, with what stands behind it.
    fn head_of_basic(&self, place: &Place, text: &str) -> Option<String> {
        let word = text.split_whitespace().next()?;
        let begins = Keyword::Basic.all_spellings().any(|s| s == word);
        if !begins || place.parent != Construct::Define {
            return None;
        }
        let open = open_name(place.number);
        let definition = self.terms.subterms(self.now.root).find(|&id| {
            let body = self.terms.args(id).get(2);
            body.is_some_and(|&body| self.terms.as_atom(body) == Some(open))
        })?;
        let (name, formals) = (self.terms.arg(definition, 0), self.terms.arg(definition, 1));
        let phrase = phrase_as_written(&self.terms, name, formals);
        Some(format!("\"{phrase}\" ==== "))
    }

    fn declaration(&mut self, sources: &Sources, file: u32) -> Result<Choice, Vec<Diagnostic>> {
        let (read, wrong) = read_operators(sources, file, &mut self.terms);
        match (&read[..], wrong) {
            (&[one], wrong) if wrong.is_empty() => {
                let is_code =
                    |&&part: &&Id| self.terms.functor(part) == Some(Construct::Code.symbol());
                match self.terms.args(one).iter().find(is_code) {
                    None => Ok(Choice::Declared(one)),
                    Some(&code) => {
                        let message = "a scheme holds no code of other languages";
                        Err(vec![
                            Diagnostic::error("E0227", message).at(self.terms.span(code)),
                        ])
                    }
                }
            }
            (_, wrong) if wrong.is_empty() => {
                let message = "one declaration is wanted here";
                Err(vec![Diagnostic::error("E0366", message)])
            }
            (_, wrong) => Err(wrong),
        }
    }
}

fn not_what_is_wanted(place: &Place, text: &str) -> Diagnostic {
    let shown: String = text.chars().take(60).collect();
    let message = format!(
        "`{shown}` does not fit at {}: {} is wanted",
        open_name(place.number),
        place.wants.word()
    );
    let hint = match place.wants {
        Wants::Type => "types are BOOLEAN, INTEGER, INTEGER64, REAL, REAL32, REAL64, VECTOR …",
        Wants::Name | Wants::NewName => {
            "names are words that are no keywords, such as x, r_2 or speed"
        }
        Wants::Option => "a named value is N := 7",
        _ => "it may not be empty",
    };
    Diagnostic::error("E0366", message).hint(hint)
}
