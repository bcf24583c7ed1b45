//! Terms → text, formula, LaTeX, by the patterns of the table of constructs.

mod formula;
mod given;
mod latex;
mod names;
mod parts;

use super::pattern::{Notation, Piece, named, pattern};
use crate::algebra::{ATOMIC, Construct, Language, Sort, Typeset, waited_for};
use crate::term::{Head, Id, Symbol, Terms};
pub(super) use latex::escape_latex;
use names::escape;

/// How to print.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Which form.
    pub notation: Notation,
    /// The language of keywords.
    pub language: Language,
    /// Whether a comment tells which phrase operators were expanded from.
    pub comments: bool,
}

/// Prints a term.
pub fn print(terms: &Terms, id: Id, style: Style) -> String {
    print_typeset(terms, id, style, &Typeset::default())
}

/// Prints a term; in LaTeX, with what is declared for its phrases.
pub fn print_typeset(terms: &Terms, id: Id, style: Style, typeset: &Typeset) -> String {
    let mut printer = Printer::new(terms, style, typeset);
    printer.term(id);
    printer.out
}

/// The text of a phrase with its arguments in their places, without quotes around it.
pub fn phrase_as_written(terms: &Terms, name: Id, formals: Id) -> String {
    phrase_with_arguments(terms, name, terms.args(formals))
}

/// The text of a phrase with arguments in their places, without quotes around it.
pub fn phrase_with_arguments(terms: &Terms, name: Id, arguments: &[Id]) -> String {
    let style = Style {
        notation: Notation::Text,
        language: Language::English,
        comments: false,
    };
    let typeset = Typeset::default();
    let mut printer = Printer::new(terms, style, &typeset);
    if let Some(name) = terms.as_text(name) {
        // No character of a phrase ends it.
        printer.phrase_text(name, arguments, '\0');
    }
    printer.out
}

struct Printer<'a> {
    terms: &'a Terms,
    style: Style,
    /// What phrases are in LaTeX.
    typeset: &'a Typeset,
    out: String,
    indent: usize,
    /// The phrase that the operators around come from.
    phrase: Option<Symbol>,
    /// How many quoted texts are open around: quotes inside quotes are typographic ones.
    quoted: usize,
    /// Where the line begins that is being printed.
    line_start: usize,
    /// Whether a formula is being tried on one line.
    fitting: bool,
}

/// Deeper levels are not indented further, or the text would grow with the square of the depth.
const MOST_INDENT: usize = 60;

impl<'a> Printer<'a> {
    fn new(terms: &'a Terms, style: Style, typeset: &'a Typeset) -> Printer<'a> {
        Printer {
            terms,
            style,
            typeset,
            out: String::new(),
            indent: 0,
            phrase: None,
            quoted: 0,
            line_start: 0,
            fitting: false,
        }
    }
}

impl Printer<'_> {
    fn line(&mut self) {
        if self.style.notation == Notation::Latex {
            self.latex_line();
            return;
        }
        self.out.push('\n');
        self.line_start = self.out.len();
        for _ in 0..self.indent.min(MOST_INDENT) {
            self.out.push_str("  ");
        }
    }

    fn construct(&self, id: Id) -> Option<Construct> {
        let construct = self.terms.functor(id).and_then(Construct::of)?;
        construct
            .info()
            .takes(self.terms.arity(id))
            .then_some(construct)
    }

    fn term(&mut self, id: Id) {
        if let Some(construct) = self.construct(id) {
            self.formula_or_text(construct, id);
            return;
        }
        match self.terms.head(id) {
            Head::Functor(name) => {
                self.name(name);
                if self.terms.arity(id) > 0 {
                    self.out.push('(');
                    self.comma_separated(self.terms.args(id).to_vec().as_slice());
                    self.out.push(')');
                }
            }
            Head::Variable(name) => {
                self.out.push('$');
                self.out.push_str(name.as_str());
            }
            Head::Sequence(name) => {
                self.out.push('$');
                self.out.push_str(name.as_str());
                self.out.push_str("..");
            }
            Head::Int(i) => self.out.push_str(&i.to_string()),
            Head::Real(x) => self.out.push_str(&format!("{x:?}")),
            Head::Text(text) => self.text(text, '"'),
        }
    }

    fn comma_separated(&mut self, ids: &[Id]) {
        for (i, &id) in ids.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.term(id);
        }
    }

    fn apply(&mut self, construct: Construct, id: Id) {
        match (construct, self.style.notation) {
            (Construct::Then, Notation::Text) => self.sequence(id),
            (Construct::Then, _) => self.product(id),
            (Construct::Async, _) => self.branches(id),
            (Construct::Scheme, Notation::Latex) => self.latex_scheme(id),
            (Construct::Data, _) => self.data(id),
            (Construct::Marks, _) => {
                for &mark in self.terms.args(id) {
                    let is_input = self.terms.as_atom(mark) == Some(Symbol::new("INPUT"));
                    let keyword = if is_input {
                        crate::algebra::Keyword::Input
                    } else {
                        crate::algebra::Keyword::Output
                    };
                    self.out.push(' ');
                    self.out.push_str(keyword.text(self.style.language));
                }
            }
            (Construct::Given, _) => self.given(id),
            (Construct::GivenIf, _) => self.given_if(id),
            (Construct::GivenFor, _) => self.given_for(id),
            (Construct::Dims | Construct::Values, _) if self.terms.arity(id) == 0 => {}
            (
                Construct::Call | Construct::Perform | Construct::Test | Construct::Holds,
                Notation::Latex,
            ) if self.typeset(construct, id) => {}
            (Construct::Where, _) => {
                for (i, &definition) in self.terms.args(id).to_vec().iter().enumerate() {
                    if i > 0 {
                        self.line();
                    }
                    self.term(definition);
                }
            }
            (Construct::Define | Construct::DefineTest, _) => self.definition(construct, id),
            (Construct::Basic | Construct::BasicTest, _) => self.basic(construct, id),
            (Construct::Entry | Construct::EntryTest, _) => self.entry(construct, id),
            (Construct::Scheme | Construct::Graph, _) => self.scheme(id),
            (Construct::Flow, _) => self.flow(id),
            (Construct::While, Notation::Formula | Notation::Typed | Notation::Latex) => {
                self.until(id);
            }
            _ => {
                let pieces = pattern(construct, self.style.notation, self.style.language);
                self.pieces(pieces, construct, id);
            }
        }
    }

    fn pieces(&mut self, pieces: &[Piece], construct: Construct, id: Id) {
        let mut open = false;
        for piece in pieces {
            match piece {
                Piece::Plain(text) => self.plain(text, &mut open),
                Piece::Keyword(keyword) if self.style.notation == Notation::Latex => {
                    self.latex_keyword(*keyword);
                }
                Piece::Keyword(keyword) => {
                    if self
                        .out
                        .ends_with(|c: char| c.is_alphanumeric() || c == '"' || c == '\'')
                    {
                        self.out.push(' ');
                    }
                    self.out.push_str(keyword.text(self.style.language));
                }
                // An argument between the quotes of a pattern, such as the array of a copy, is a
                // name, and so needs nothing.
                Piece::Argument(i) => self.argument(construct, id, *i),
                Piece::Rest => {
                    let first = named(pattern(construct, self.style.notation, self.style.language));
                    let rest = self.terms.args(id)[first..].to_vec();
                    self.comma_separated(&rest);
                }
                Piece::Phrase => self.phrase(construct, id),
                Piece::Block(inner) => {
                    self.indent += 1;
                    self.line();
                    let outer = self.phrase;
                    self.pieces(inner, construct, id);
                    self.phrase = outer;
                    self.indent -= 1;
                    self.line();
                }
                Piece::Optional(inner) => {
                    let present = self
                        .terms
                        .args(id)
                        .get(named(inner) - 1)
                        .is_some_and(|&a| self.construct(a) != Some(Construct::Empty));
                    if present {
                        self.pieces(inner, construct, id);
                    }
                }
            }
        }
    }

    /// Prints an argument, in parentheses where precedence asks for them.
    fn argument(&mut self, construct: Construct, id: Id, i: usize) {
        let argument = self.terms.arg(id, i);
        if construct.info().argument(i) == Some(Sort::Text)
            && let Some(text) = self.terms.as_text(argument)
        {
            let quote = if matches!(construct, Construct::Wait | Construct::ControlPoint) {
                '\''
            } else {
                '"'
            };
            let known = match construct {
                Construct::Wait | Construct::ControlPoint => {
                    waited_for(text.as_str(), self.style.language)
                }
                _ => None,
            };
            self.text(known.map_or(text, Symbol::new), quote);
            return;
        }
        if matches!(self.terms.head(argument), Head::Text(_))
            && construct.info().argument(i) == Some(Sort::Expression)
        {
            self.given_value(argument);
            return;
        }
        if construct.info().argument(i) == Some(Sort::Type)
            && let Some(ty) = self.terms.as_atom(argument)
        {
            self.type_name(ty);
            return;
        }
        self.in_parentheses(self.needs_parentheses(construct, i, argument), argument);
    }

    /// A term, in parentheses unless it is a name, a number, a cell or the like.
    fn factor(&mut self, id: Id) {
        let binds = self.construct(id).map_or(ATOMIC, |c| c.info().precedence);
        let is_negative = match self.terms.head(id) {
            Head::Int(n) => n < 0,
            Head::Real(x) => x.is_sign_negative(),
            _ => false,
        };
        self.in_parentheses(binds < ATOMIC || is_negative, id);
    }

    fn in_parentheses(&mut self, are_needed: bool, argument: Id) {
        if are_needed {
            let (open, close) = match self.style.notation {
                Notation::Latex => ("\\left(", "\\right)"),
                _ => ("(", ")"),
            };
            self.out.push_str(open);
            self.term(argument);
            self.out.push_str(close);
        } else {
            self.term(argument);
        }
    }

    fn needs_parentheses(&self, construct: Construct, i: usize, argument: Id) -> bool {
        let outer = construct.info();
        let formula = self.style.notation != Notation::Text;
        let inner_construct = self.construct(argument);
        let inner = match self.terms.head(argument) {
            // A negative literal reads like a prefix minus.
            Head::Int(n) if n < 0 => Construct::Negate.info().precedence,
            Head::Real(x) if x.is_sign_negative() => Construct::Negate.info().precedence,
            _ => inner_construct.map_or(ATOMIC, |c| c.info().precedence),
        };
        if construct == Construct::While && formula && i == 0 {
            return inner < Construct::Not.info().precedence;
        }
        if outer.sort == Sort::Operator {
            // Operators inside operators: only a formula needs parentheses, around products.
            return formula
                && inner_construct == Some(Construct::Then)
                && !matches!(
                    construct,
                    Construct::If
                        | Construct::While
                        | Construct::Timed
                        | Construct::Recorded
                        | Construct::Array
                );
        }
        if construct == Construct::Field {
            return inner < ATOMIC || !matches!(self.terms.head(argument), Head::Functor(_));
        }
        if construct == Construct::Negate {
            // `-(1)` is the opposite of 1, `-1` a literal.
            let literal = matches!(self.terms.head(argument), Head::Int(_) | Head::Real(_));
            return literal || inner <= outer.precedence && inner < ATOMIC;
        }
        if outer.precedence >= ATOMIC || matches!(construct, Construct::After) && i == 0 {
            return false;
        }
        match construct {
            Construct::Power if i == 0 => inner <= outer.precedence && inner < ATOMIC,
            Construct::Power => inner < Construct::Negate.info().precedence,
            Construct::Not | Construct::After => inner < outer.precedence,
            _ if outer.precedence == Construct::Equal.info().precedence => {
                inner <= outer.precedence
            }
            _ if i == 0 => inner < outer.precedence,
            _ => inner <= outer.precedence,
        }
    }

    fn sequence(&mut self, id: Id) {
        let operators = self.terms.args(id).to_vec();
        let outer = self.phrase;
        for (i, &operator) in operators.iter().enumerate() {
            if i > 0 {
                self.out.push(';');
                self.line();
            }
            self.comment(operator);
            self.term(operator);
        }
        self.phrase = outer;
    }

    /// A comment that tells the phrase an operator comes from, where that changes.
    fn comment(&mut self, operator: Id) {
        if !self.style.comments {
            return;
        }
        let phrase = self.terms.origin(operator).phrase;
        if phrase != self.phrase {
            if let Some(phrase) = phrase {
                let text: String = phrase.as_str().replace(['\n', '\r'], " ");
                self.out.push_str(&format!("# {text}"));
                self.line();
            }
            self.phrase = phrase;
        }
    }

    fn branches(&mut self, id: Id) {
        let branches = self.terms.args(id).to_vec();
        match self.style.notation {
            Notation::Text => {
                self.out
                    .push_str(crate::algebra::Keyword::Parallel.text(self.style.language));
                self.out.push_str(" (");
                self.indent += 1;
                for (i, &branch) in branches.iter().enumerate() {
                    self.line();
                    self.term(branch);
                    if i + 1 < branches.len() {
                        self.indent -= 1;
                        self.line();
                        self.out.push_str("//");
                        self.indent += 1;
                    }
                }
                self.indent -= 1;
                self.line();
                self.out.push(')');
            }
            _ => self.at_once(&branches),
        }
    }

    /// The name of a phrase that is used, and its arguments.
    fn used(&self, construct: Construct, id: Id) -> Option<(Symbol, Vec<Id>)> {
        let (&name, rest) = self.terms.args(id).split_first()?;
        let arguments = match construct {
            Construct::Perform | Construct::Holds => self.terms.args(*rest.first()?),
            _ => rest,
        };
        Some((self.terms.as_text(name)?, arguments.to_vec()))
    }

    /// The text of a phrase with its arguments in their places.
    fn phrase(&mut self, construct: Construct, id: Id) {
        let Some((name, arguments)) = self.used(construct, id) else {
            return;
        };
        let quote = if matches!(construct, Construct::Call | Construct::Perform) {
            '"'
        } else {
            '\''
        };
        self.phrase_text(name, &arguments, quote);
    }

    fn phrase_text(&mut self, name: Symbol, arguments: &[Id], quote: char) {
        let latex = self.style.notation == Notation::Latex;
        let mut next = 0;
        let mut chars = name.as_str().chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => {
                    let c = chars.next().unwrap_or('\\');
                    if latex {
                        escape_latex(&c.to_string(), &mut self.out);
                    } else {
                        self.out.push('\\');
                        self.out.push(c);
                    }
                }
                '(' => {
                    let commas = chars.by_ref().take_while(|&c| c != ')').count();
                    let last = (next + commas + 1).min(arguments.len());
                    self.out.push_str(if latex { "(}" } else { "(" });
                    self.quoted += 1;
                    self.comma_separated(&arguments[next.min(last)..last]);
                    self.quoted -= 1;
                    self.out.push_str(if latex { "\\saaphrase{)" } else { ")" });
                    next = last;
                }
                c if latex => escape_latex(&c.to_string(), &mut self.out),
                c => escape(&c.to_string(), quote, self.quoted > 0, &mut self.out),
            }
        }
    }
}
