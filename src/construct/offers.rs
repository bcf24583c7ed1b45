//! A place → what can be chosen there: of all that could stand there, what the check lets pass.

use super::show::{Form, printed};
use super::state::Constructor;
use crate::algebra::Language;
use crate::term::Id;

/// What is put at an open place. Its terms are those of the constructor that it was asked from.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// Terms in which atoms `…` stand for what is open; several are members of a list.
    Put(Vec<Id>),
    /// Nothing: there are no more members of the list.
    Nothing,
    /// A declaration of a basic operator or predicate, in the place of the phrase's definition.
    Declared(Id),
    /// The phrase is left as a basic operator or predicate, which nothing in the scheme defines.
    Basic,
}

/// Something that can be chosen.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Its text.
    pub text: String,
    /// Its formula.
    pub formula: String,
    /// What it is, in a line.
    pub meaning: String,
    /// What is to be applied.
    pub choice: Choice,
}

/// Which offers are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// What their texts hold, or whose construct is called so.
    pub like: Option<&'a str>,
    /// So many at most.
    pub most: usize,
    /// The language of keywords.
    pub language: Language,
}

impl Default for Asked<'_> {
    fn default() -> Self {
        Asked {
            like: None,
            most: usize::MAX,
            language: Language::default(),
        }
    }
}

impl Constructor {
    /// What can be chosen at an open place.
    pub fn offers(&mut self, place: u32, asked: Asked<'_>) -> Vec<Offer> {
        let like = asked.like.map(str::to_lowercase);
        let fits = |offer: &Offer, _: Option<&str>| {
            let text = offer.text.to_lowercase();
            like.as_ref().is_none_or(|like| text.contains(like))
        };
        self.offers_of(place, asked, fits)
    }

    /// What is chosen by a word: a construct by its name in the table, or by the keyword that it begins with, a function or
    /// a variable by its name.
    pub fn offers_called(&mut self, place: u32, word: &str, language: Language) -> Vec<Offer> {
        let asked = Asked {
            language,
            ..Asked::default()
        };
        let is_word = |text: &str| text.eq_ignore_ascii_case(word);
        let mut named = self.offers_of(place, asked, |_, functor| functor.is_some_and(is_word));
        if named.is_empty() {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            named = self.offers_of(place, asked, |offer, _| {
                is_word(offer.text.split(|c| !is_part(c)).next().unwrap_or(""))
            });
        }
        named
    }

    fn offers_of(
        &mut self,
        place: u32,
        asked: Asked<'_>,
        fits: impl Fn(&Offer, Option<&str>) -> bool,
    ) -> Vec<Offer> {
        let Some(place) = self.place(place).cloned() else {
            return Vec::new();
        };
        let mut offers = Vec::new();
        for candidate in self.candidates(&place) {
            if offers.len() == asked.most {
                break;
            }
            let show = |form| match &candidate.choice {
                Choice::Put(terms) => printed(&self.terms, terms[0], form, asked.language),
                Choice::Nothing => ".".to_owned(),
                Choice::Basic | Choice::Declared(_) => "basic".to_owned(),
            };
            let functor = match &candidate.choice {
                Choice::Put(terms) => self.terms.functor(terms[0]),
                _ => None,
            };
            let offer = Offer {
                text: show(Form::Text),
                formula: show(Form::Formula),
                meaning: candidate.meaning,
                choice: candidate.choice,
            };
            let functor = functor.map(|functor| functor.as_str());
            if fits(&offer, functor) && self.applied(place.number, &offer.choice).is_ok() {
                offers.push(offer);
            }
        }
        offers
    }

    /// The choices that could be made at a place, whether or not the check lets them pass, without their texts.
    pub fn choices(&mut self, place: u32) -> Vec<Choice> {
        let Some(place) = self.place(place).cloned() else {
            return Vec::new();
        };
        let all = self.candidates(&place).into_iter();
        all.map(|candidate| candidate.choice).collect()
    }
}
