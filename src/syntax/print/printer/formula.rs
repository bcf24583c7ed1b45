//! The formula form: on one line where it fits, else over several, operators indented.

use super::super::pattern::{Notation, Piece, pattern};
use super::Printer;
use crate::algebra::{Construct, Role, Sort, in_twins};
use crate::term::Id;

/// Characters of a line that formulas keep to where they can.
const WIDTH: usize = 96;

impl Printer<'_> {
    /// Prints what has a construct; a formula that does not fit on the line is broken.
    pub(super) fn formula_or_text(&mut self, construct: Construct, id: Id) {
        let formula = self.style.notation != Notation::Text && self.quoted == 0;
        if self.fitting {
            // What overflows is printed anew, so the rest of it does not matter.
            if self.fits() {
                self.apply(construct, id);
            }
            return;
        }
        if !formula || !self.can_be_broken(construct) {
            self.apply(construct, id);
            return;
        }
        let (mark, line_start) = (self.out.len(), self.line_start);
        self.fitting = true;
        self.apply(construct, id);
        self.fitting = false;
        // A graph inside begins lines of its own.
        if self.line_start != line_start || !self.fits() {
            self.out.truncate(mark);
            self.line_start = line_start;
            self.broken(construct, id);
        }
    }

    /// Whether the line is not too long yet.
    fn fits(&self) -> bool {
        let line = &self.out[self.line_start..];
        let width = match self.style.notation {
            // Commands are longer than what they print.
            Notation::Latex => 2 * WIDTH,
            _ => WIDTH,
        };
        line.len() <= width || line.len() <= 4 * width && line.chars().count() <= width
    }

    fn can_be_broken(&self, construct: Construct) -> bool {
        let info = construct.info();
        info.sort == Sort::Operator
            && (info.arguments.contains(&Role::Operator) || info.rest == Some(Role::Operator))
    }

    /// A sign of formulas as this notation has it.
    fn sign(&self, sign: &str) -> String {
        match self.style.notation {
            Notation::Typed => in_twins(sign),
            _ => sign.to_owned(),
        }
    }

    /// Factors in order.
    pub(super) fn product(&mut self, id: Id) {
        let sign = match self.style.notation {
            Notation::Latex => " \\cdot ",
            _ => " * ",
        };
        for (i, &operator) in self.terms.args(id).to_vec().iter().enumerate() {
            if i > 0 {
                self.out.push_str(sign);
            }
            self.term(operator);
        }
    }

    /// Branches in parentheses. One alone has the sign before it.
    pub(super) fn at_once(&mut self, branches: &[Id]) {
        let sign = self.at_once_sign();
        self.out.push('(');
        if branches.len() == 1 {
            self.out.push_str(&sign);
            self.out.push(' ');
        }
        for (i, &branch) in branches.iter().enumerate() {
            if i > 0 {
                self.out.push_str(&format!(" {sign} "));
            }
            self.term(branch);
        }
        self.out.push(')');
    }

    fn at_once_sign(&self) -> String {
        match self.style.notation {
            Notation::Latex => "\\saaor".to_owned(),
            _ => self.sign("∨̇"),
        }
    }

    /// A loop until a predicate holds: `{[¬u] A}` for WHILE u, and `{[u] A}` for WHILE NOT u.
    pub(super) fn until(&mut self, id: Id) {
        let condition = self.terms.arg(id, 0);
        let is_not = |id: Id| self.construct(id) == Some(Construct::Not);
        let simple = is_not(condition) && !is_not(self.terms.arg(condition, 0));
        for (i, piece) in self.until_pieces(simple).into_iter().enumerate() {
            match piece {
                Piece::Argument(0) if simple => self.term(self.terms.arg(condition, 0)),
                Piece::Argument(i) => self.argument(Construct::While, id, i),
                Piece::Plain(text) => self.plain(&text, &mut (i > 0)),
                _ => {}
            }
        }
    }

    /// The pattern of a loop; without its negation where that is taken off.
    fn until_pieces(&self, simple: bool) -> Vec<Piece> {
        let mut pieces =
            pattern(Construct::While, self.style.notation, self.style.language).to_vec();
        if let (true, Some(Piece::Plain(text))) = (simple, pieces.first_mut()) {
            let not = match self.style.notation {
                Notation::Latex => "\\neg ".to_owned(),
                _ => self.sign("¬"),
            };
            *text = text.strip_suffix(&not).unwrap_or(text).to_owned();
        }
        pieces
    }

    /// A formula over several lines.
    fn broken(&mut self, construct: Construct, id: Id) {
        match construct {
            Construct::Then => self.broken_list(
                id,
                match self.style.notation {
                    Notation::Latex => " \\cdot ",
                    _ => " *",
                },
            ),
            Construct::Async => {
                let sign = format!(" {}", self.at_once_sign());
                self.out.push('(');
                if self.terms.arity(id) == 1 {
                    self.out.push_str(sign.trim_start());
                }
                self.indent += 1;
                self.line();
                self.broken_list(id, &sign);
                self.indent -= 1;
                self.line();
                self.out.push(')');
            }
            Construct::While => {
                let condition = self.terms.arg(id, 0);
                let is_not = |id: Id| self.construct(id) == Some(Construct::Not);
                let simple = is_not(condition) && !is_not(self.terms.arg(condition, 0));
                let pieces = self.until_pieces(simple);
                let instead = simple.then(|| self.terms.arg(condition, 0));
                self.broken_pieces(&pieces, construct, id, instead);
            }
            _ => {
                let pieces = pattern(construct, self.style.notation, self.style.language);
                self.broken_pieces(pieces, construct, id, None);
            }
        }
    }

    /// Operators on lines of their own, with a sign between them.
    fn broken_list(&mut self, id: Id, sign: &str) {
        let outer = self.phrase;
        for (i, &operator) in self.terms.args(id).to_vec().iter().enumerate() {
            if i > 0 {
                self.out.push_str(sign);
                self.line();
            }
            self.comment(operator);
            self.term(operator);
        }
        self.phrase = outer;
    }

    /// The pieces of a pattern, operators inside on lines of their own. `instead` stands for the
    /// first argument, if given.
    fn broken_pieces(
        &mut self,
        pieces: &[Piece],
        construct: Construct,
        id: Id,
        instead: Option<Id>,
    ) {
        let mut after_operator = false;
        for (k, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Argument(i) if construct.info().argument(*i) == Some(Sort::Operator) => {
                    let operator = self.terms.arg(id, *i);
                    let outer = self.phrase;
                    if k + 1 < pieces.len() {
                        self.indent += 1;
                        self.line();
                        self.term(operator);
                        self.indent -= 1;
                        after_operator = true;
                    } else if self.construct(operator) == Some(Construct::Then) {
                        self.out.push('(');
                        self.indent += 1;
                        self.line();
                        self.term(operator);
                        self.indent -= 1;
                        self.line();
                        self.out.push(')');
                    } else {
                        self.term(operator);
                    }
                    self.phrase = outer;
                }
                Piece::Argument(0) if instead.is_some() => {
                    self.term(instead.unwrap_or(id));
                }
                Piece::Plain(text) if std::mem::take(&mut after_operator) => {
                    if !text.starts_with(',') {
                        self.line();
                    }
                    self.out.push_str(text.trim());
                }
                Piece::Plain(text) => {
                    let before_operator = matches!(
                        pieces.get(k + 1),
                        Some(Piece::Argument(i)) if k + 2 < pieces.len()
                            && construct.info().argument(*i) == Some(Sort::Operator)
                    );
                    let text = if before_operator {
                        text.trim_end()
                    } else {
                        text
                    };
                    self.plain(text, &mut false);
                }
                other => self.pieces(std::slice::from_ref(other), construct, id),
            }
        }
    }
}
