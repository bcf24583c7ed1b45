//! Operators and graphs → parts of a drawing, folded where asked.

use super::compose::{Words, branches, choice, circle, sequence};
use super::layers::layers;
use super::leaf::{frame, leaf};
use super::part::{Kind, Part};
use crate::algebra::{Construct, Keyword, Language, Operator, bodies_of, is_loop, operator};
use crate::flowgraph::graph::{Flow, Node};
use crate::flowgraph::structure::structured;
use crate::syntax::print::{Notation, Style, print};
use crate::term::{Id, Symbol, Terms};

/// How a drawing is made.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// The language of keywords.
    pub language: Language,
    /// How many loops, kernels and phrases may stand in each other; deeper ones are folded.
    pub depth: usize,
    /// Of so many basic operators in a row, those in the middle are folded.
    pub run: usize,
    /// Whether choices count as levels, and any operators as a row.
    pub choices: bool,
}

/// The words at the edges where a predicate holds and where it does not.
pub fn words(language: Language) -> (String, String) {
    let word = |k: Keyword| k.text(language).to_lowercase();
    (word(Keyword::True), word(Keyword::False))
}

/// What stands before the operators inside of an operator whose text, with nothing inside, this is.
pub fn header_text(text: &str, language: Language) -> String {
    // What the text says before may hold the word, too; branches are several, and all the same.
    let empty = Keyword::Empty.text(language);
    let text = text.split("//").next().unwrap_or_default();
    let text = text.rsplit_once(empty).map_or(text, |(before, _)| before);
    let mut text = text.trim_end().trim_end_matches('(').trim_end();
    for ending in [Keyword::Loop, Keyword::IfThen, Keyword::In] {
        let before = text.strip_suffix(ending.text(language));
        text = match before {
            Some(before) if before.ends_with(char::is_whitespace) => before.trim_end(),
            _ => text,
        };
    }
    text.to_owned()
}

/// Makes parts.
pub(super) struct Builder<'a> {
    pub terms: &'a mut Terms,
    pub how: Drawn,
    /// The phrase that the operators around come from.
    phrase: Option<Symbol>,
}

impl<'a> Builder<'a> {
    pub fn new(terms: &'a mut Terms, how: Drawn) -> Builder<'a> {
        Builder {
            terms,
            how,
            phrase: None,
        }
    }

    pub fn words(&self) -> Words {
        let (yes, no) = words(self.how.language);
        Words { yes, no }
    }

    /// What a shape says of a term.
    pub fn text(&self, id: Id) -> String {
        let style = Style {
            notation: Notation::Text,
            language: self.how.language,
            comments: false,
        };
        let text = print(self.terms, id, style);
        let quoted = |q: char| text.len() > 1 && text.starts_with(q) && text.ends_with(q);
        let construct = self.terms.functor(id).and_then(Construct::of);
        let is_phrase = !matches!(
            construct,
            Some(Construct::And | Construct::Or | Construct::Report | Construct::Save)
        );
        match is_phrase && (quoted('"') || quoted('\'')) {
            true => text[1..text.len() - 1]
                .replace("\\\"", "\"")
                .replace("\\'", "'"),
            false => text,
        }
    }

    /// What stands before the operators inside of an operator: its header.
    pub fn header(&mut self, id: Id) -> String {
        let mut arguments = self.terms.args(id).to_vec();
        let places: Vec<usize> = bodies_of(self.terms, id).collect();
        for place in places {
            arguments[place] = self.terms.atom(Construct::Empty.symbol());
        }
        let header = self.terms.with_args(id, &arguments);
        header_text(&self.text(header), self.how.language)
    }

    /// What a folded operator says.
    fn folded(&mut self, header: &str, inside: usize) -> Part {
        leaf(Kind::Folded, &format!("{header} ⋯ {inside}"))
    }

    /// An operator as a part; nothing for `Empty`.
    pub fn operator(&mut self, id: Id, level: usize) -> Option<Part> {
        let parts = self.parts(id, level);
        (!parts.is_empty()).then(|| sequence(parts))
    }

    /// The parts of a sequence. Neighbours that come from one phrase stand in a frame of their own.
    fn parts(&mut self, id: Id, level: usize) -> Vec<Part> {
        let operators: Vec<Id> = match operator(self.terms, id) {
            Some(Operator::Then(parts)) => parts.to_vec(),
            Some(Operator::Empty) => return Vec::new(),
            _ => vec![id],
        };
        let mut parts = Vec::new();
        let mut i = 0;
        while i < operators.len() {
            let phrase = self.terms.origin(operators[i]).phrase;
            let mut j = i + 1;
            while j < operators.len() && self.terms.origin(operators[j]).phrase == phrase {
                j += 1;
            }
            let run = &operators[i..j];
            match phrase {
                Some(name) if phrase != self.phrase && run.len() > 1 => {
                    let title = name.as_str();
                    if level >= self.how.depth {
                        let count = run.iter().map(|&o| self.count(o)).sum();
                        parts.push(self.folded(title, count));
                    } else {
                        let outer = std::mem::replace(&mut self.phrase, phrase);
                        let inside = self.run(run, level + 1);
                        self.phrase = outer;
                        parts.push(frame(Kind::Phrase, title, sequence(inside)));
                    }
                }
                _ => {
                    let outer = self.phrase;
                    self.phrase = phrase.or(outer);
                    parts.extend(self.run(run, level));
                    self.phrase = outer;
                }
            }
            i = j;
        }
        parts
    }

    /// Operators one after the other; of many basic ones the middle is folded.
    fn run(&mut self, operators: &[Id], level: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut i = 0;
        while i < operators.len() {
            let is_basic = |id: Id| self.is_basic(id);
            let run = operators[i..].iter().take_while(|&&o| is_basic(o)).count();
            if run > self.how.run.max(3) {
                parts.push(self.one(operators[i], level));
                parts.push(leaf(Kind::Folded, &format!("⋯ {}", run - 2)));
                parts.push(self.one(operators[i + run - 1], level));
                i += run;
                continue;
            }
            // One that is none is drawn with those before it.
            for &operator in &operators[i..i + run.max(1)] {
                parts.push(self.one(operator, level));
            }
            i += run.max(1);
        }
        parts
    }

    fn is_basic(&self, id: Id) -> bool {
        if self.how.choices {
            return true;
        }
        !matches!(
            operator(self.terms, id),
            Some(Operator::If { .. } | Operator::While { .. })
        ) && bodies_of(self.terms, id).next().is_none()
    }

    /// How many operators a part would show.
    fn count(&self, id: Id) -> usize {
        Flow::of(self.terms, id).size()
    }

    fn one(&mut self, id: Id, level: usize) -> Part {
        let words = self.words();
        match operator(self.terms, id) {
            Some(Operator::If { condition, yes, no }) => {
                let level = level + usize::from(self.how.choices);
                if level > self.how.depth {
                    let text = self.text(condition);
                    let count = self.count(yes) + self.count(no);
                    return self.folded(&text, count);
                }
                let ask = leaf(Kind::Ask, &self.text(condition));
                let yes = self.operator(yes, level);
                let no = self.operator(no, level);
                choice(ask, &words, yes, no)
            }
            Some(Operator::While { condition, body }) => {
                if level >= self.how.depth {
                    let header = self.header(id);
                    let count = self.count(body);
                    return self.folded(&header, count);
                }
                let ask = leaf(Kind::Ask, &self.text(condition));
                let body = self.operator(body, level + 1);
                circle(ask, &words, body)
            }
            _ => {
                let places: Vec<usize> = bodies_of(self.terms, id).collect();
                let bodies: Vec<Id> = places.iter().map(|&i| self.terms.arg(id, i)).collect();
                let folds = level >= self.how.depth;
                let mut inside = Vec::new();
                let mut count = 0;
                for body in bodies {
                    match folds {
                        true => count += self.count(body),
                        false => inside.push(self.operator(body, level + 1)),
                    }
                }
                self.around(id, inside, (folds && !places.is_empty()).then_some(count))
            }
        }
    }

    /// An operator with the parts for what stands inside of it, or with how much is folded.
    pub fn around(&mut self, id: Id, inside: Vec<Option<Part>>, folded: Option<usize>) -> Part {
        let construct = self.terms.functor(id).and_then(Construct::of);
        if let Some(count) = folded {
            let header = self.header(id);
            return self.folded(&header, count);
        }
        let synchronizes = operator(self.terms, id).is_some_and(|o| o.is_synchronizer());
        let kind = match construct {
            _ if synchronizes => Kind::Synchronizer,
            Some(Construct::Launch) => Kind::Kernel,
            _ if inside.is_empty() => Kind::Action,
            _ => Kind::Frame,
        };
        if inside.is_empty() {
            let text = self.text(id);
            return leaf(kind, &text);
        }
        match construct {
            Some(Construct::Async) => {
                branches(inside.into_iter().map(Option::unwrap_or_default).collect())
            }
            _ if is_loop(self.terms, id) => {
                let head = leaf(Kind::Loop, &self.header(id));
                let none = Words {
                    yes: String::new(),
                    no: String::new(),
                };
                circle(head, &none, inside.into_iter().next().flatten())
            }
            _ => {
                let title = self.header(id);
                let body = inside.into_iter().next().flatten().unwrap_or_default();
                let body = match construct {
                    Some(Construct::Parallel) => branches(vec![body]),
                    _ => body,
                };
                frame(kind, &title, body)
            }
        }
    }

    /// A graph as a part: by its structure, or in layers if it has gotos.
    pub fn flow(&mut self, flow: &Flow, level: usize) -> Option<Part> {
        if flow.nodes.is_empty() {
            return None;
        }
        if let Some(operator) = structured(flow, self.terms) {
            return self.operator(operator, level);
        }
        let mut nodes = Vec::new();
        for node in &flow.nodes {
            nodes.push(match node {
                Node::Ask { condition, .. } => leaf(Kind::Ask, &self.text(*condition)),
                Node::Act {
                    operator, bodies, ..
                } => {
                    let folds = level >= self.how.depth && !bodies.is_empty();
                    let (mut inside, mut count) = (Vec::new(), 0);
                    for body in bodies {
                        match folds {
                            true => count += body.size(),
                            false => inside.push(self.flow(body, level + 1)),
                        }
                    }
                    self.around(*operator, inside, folds.then_some(count))
                }
            });
        }
        Some(layers(flow, nodes, &self.words()))
    }
}
