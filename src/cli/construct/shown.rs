//! What the prompt shows: the scheme, the place where choices go, and what fits there.

use super::{Done, Prompt};
use crate::construct::{Asked, Form};

/// So many offers are listed without being asked for.
const MOST_OFFERS: usize = 9;

/// Texts of offers are cut to so many characters.
const WIDTH: usize = 60;

impl Prompt<'_> {
    pub(super) fn shown(&mut self) -> Done {
        let text = self.scheme.scheme(self.form, self.language);
        self.output.print(&text)?;
        self.here()
    }

    /// Says what the place here takes.
    pub(super) fn here(&mut self) -> Done {
        self.listed.clear();
        let Some(place) = self.scheme.place(self.place) else {
            return self
                .output
                .print("No place is open: :save FILE writes the scheme.");
        };
        let text = format!("…{} {}", place.number, place.text());
        self.output.print(&text)?;
        self.offers(None, MOST_OFFERS)
    }

    pub(super) fn offers(&mut self, like: Option<&str>, most: usize) -> Done {
        let asked = Asked {
            like,
            most: most.saturating_add(1),
            language: self.language,
        };
        self.listed = self.scheme.offers(self.place, asked);
        let more = self.listed.len() > most;
        self.listed.truncate(most);
        self.list(more)
    }

    /// Lists what was found.
    pub(super) fn list(&mut self, more: bool) -> Done {
        let is_formula = self.form == Form::Formula;
        let mut text = String::new();
        for (number, offer) in self.listed.iter().enumerate() {
            let shown = if is_formula {
                &offer.formula
            } else {
                &offer.text
            };
            let words: Vec<&str> = shown.split_whitespace().collect();
            let shown = cut(&words.join(" "));
            text.push_str(&format!(
                "{:>5}  {shown:<32}  {}\n",
                number + 1,
                cut(&offer.meaning)
            ));
        }
        match (more, self.listed.is_empty()) {
            (true, _) => text.push_str("       … :offers lists all\n"),
            (false, true) => text.push_str("       what is wanted is typed\n"),
            _ => {}
        }
        self.output.print(&text)
    }

    pub(super) fn places(&mut self) -> Done {
        let mut text = String::new();
        for place in self.scheme.places() {
            let mark = if place.number == self.place { '>' } else { ' ' };
            text.push_str(&format!("{mark} …{} {}", place.number, place.text()));
            match (place.seen.in_kernel, place.seen.in_parallel) {
                (true, _) => text.push_str(", in a kernel"),
                (_, true) => text.push_str(", in PARALLEL"),
                _ => {}
            }
            text.push('\n');
        }
        match text.is_empty() {
            true => self.output.print("no place is open"),
            false => self.output.print(&text),
        }
    }

    pub(super) fn names(&mut self) -> Done {
        let names = self.scheme.place(self.place).map(|p| p.seen.names.clone());
        let mut text = String::new();
        for named in names.unwrap_or_default() {
            let ty = named.ty.name(Default::default());
            let sizes = match named.rank {
                0 => String::new(),
                rank => format!(" [{}]", vec!["…"; rank].join(", ")),
            };
            text.push_str(&format!("{} : {ty}{sizes}\n", named.name));
        }
        match text.is_empty() {
            true => self.output.print("nothing can be named here"),
            false => self.output.print(&text),
        }
    }
}

fn cut(text: &str) -> String {
    match text.chars().count() > WIDTH {
        true => text.chars().take(WIDTH - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
