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

impl Constructor {
    /// What can be chosen at an open place.
    pub fn offers(&mut self, place: u32, language: Language) -> Vec<Offer> {
        let Some(place) = self.place(place).cloned() else {
            return Vec::new();
        };
        let mut offers = Vec::new();
        for candidate in self.candidates(&place) {
            if self.applied(place.number, &candidate.choice).is_err() {
                continue;
            }
            let show = |form| match &candidate.choice {
                Choice::Put(terms) => printed(&self.terms, terms[0], form, language),
                Choice::Nothing => "nothing more".to_owned(),
                Choice::Basic | Choice::Declared(_) => "basic".to_owned(),
            };
            offers.push(Offer {
                text: show(Form::Text),
                formula: show(Form::Formula),
                meaning: candidate.meaning,
                choice: candidate.choice,
            });
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
