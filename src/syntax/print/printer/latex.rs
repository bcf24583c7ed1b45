//! LaTeX: a whole document, whose preamble defines what it uses.

use super::super::pattern::Notation;
use super::{Printer, Style};
use crate::algebra::{Construct, Keyword, Part, parts};
use crate::term::Id;

/// What a document begins with. The commands of the table of constructs are defined here.
const PREAMBLE: &str = r##"\documentclass[a4paper]{article}
\usepackage[margin=20mm]{geometry}
\usepackage{amsmath,amssymb,iftex}
\ifPDFTeX
  \usepackage[T2A]{fontenc}
  \usepackage[utf8]{inputenc}
  \newcommand{\saachar}[1]{[U+#1]}
\else
  \usepackage{fontspec}
  \setmainfont{FreeSerif}
  \newcommand{\saachar}[1]{\char"#1}
\fi
% A basic operator, a word of the language, a phrase, an assignment.
\newcommand{\saaop}[1]{\langle #1 \rangle}
\newcommand{\saaword}[1]{\mathrm{#1}}
\newcommand{\saaphrase}[1]{\text{#1}}
\newcommand{\saagets}{\mathrel{:=}}
% A choice and a loop open and close.
\newcommand{\saaif}{\bigl(}
\newcommand{\saafi}{\bigr)}
\newcommand{\saaloop}{\bigl\{}
\newcommand{\saapool}{\bigr\}}
% Loops over numbers, at once or in order; operators at once.
\newcommand{\saapar}{\mathop{\dot{\bigvee}}\limits}
\newcommand{\saafor}{\prod\limits}
\newcommand{\saaor}{\mathbin{\dot{\lor}}}
\newcommand{\saawhere}{\;\overset{\mathrm{def}}{=}\;}
\allowdisplaybreaks
\setlength{\parindent}{0pt}
"##;

/// A character of a text, for LaTeX.
fn character(c: char, out: &mut String) {
    match c {
        '\\' => out.push_str("\\textbackslash{}"),
        '{' | '}' | '_' | '#' | '%' | '&' | '$' => {
            out.push('\\');
            out.push(c);
        }
        '^' => out.push_str("\\textasciicircum{}"),
        '~' => out.push_str("\\textasciitilde{}"),
        '<' => out.push_str("\\textless{}"),
        '>' => out.push_str("\\textgreater{}"),
        '|' => out.push_str("\\textbar{}"),
        '"' => out.push_str("\\textquotedbl{}"),
        '«' => out.push_str("\\guillemotleft{}"),
        '»' => out.push_str("\\guillemotright{}"),
        '‘' => out.push('`'),
        'ʼ' | '’' => out.push('\''),
        '–' => out.push_str("--"),
        '—' => out.push_str("---"),
        c if c.is_whitespace() => out.push(' '),
        c if c.is_ascii_control() => {}
        c if c.is_ascii() => out.push(c),
        'А'..='я' | 'Ё' | 'ё' | 'І' | 'і' | 'Ї' | 'ї' | 'Є' | 'є' | 'Ґ' | 'ґ' => {
            out.push(c);
        }
        c => out.push_str(&format!("\\saachar{{{:04X}}}", u32::from(c))),
    }
}

/// Text for LaTeX.
pub(in crate::syntax::print) fn escape_latex(text: &str, out: &mut String) {
    for c in text.chars() {
        character(c, out);
    }
}

/// How deep lines are indented at most: a page is not wide.
const MOST_INDENT: usize = 14;

impl Printer<'_> {
    /// A new line of a display.
    pub(super) fn latex_line(&mut self) {
        self.out.push_str(" \\\\\n");
        self.line_start = self.out.len();
        let indent = self.indent.min(MOST_INDENT);
        self.out.push_str(&format!("&\\hspace*{{{indent}em}} "));
    }

    /// A document.
    pub(super) fn latex_scheme(&mut self, id: Id) {
        let parts = self.terms.args(id).to_vec();
        self.out.push_str(PREAMBLE);
        self.out.push_str("\\begin{document}\n\\section*{");
        if let Some(name) = self.terms.as_text(parts[0]) {
            escape_latex(name.as_str(), &mut self.out);
        }
        self.out.push_str("}\n");
        if self.terms.arity(parts[1]) > 0 {
            self.latex_text(parts[1]);
        }
        self.display(parts[2], 0, |_| {});
        let definitions = parts
            .get(3)
            .map_or(&[][..], |&w| self.terms.args(w))
            .to_vec();
        for definition in definitions {
            let construct = self.construct(definition);
            let (Some(Construct::Define | Construct::DefineTest), [name, formals, body]) =
                (construct, self.terms.args(definition))
            else {
                // A dictionary is not part of the formulas.
                continue;
            };
            let (name, formals, body) = (*name, *formals, *body);
            self.display(body, 1, |printer| {
                let Some(name) = printer.terms.as_text(name) else {
                    return;
                };
                printer.out.push_str("\\saaphrase{");
                let formals = printer.terms.args(formals).to_vec();
                printer.phrase_text(name, &formals, '"');
                printer
                    .out
                    .push_str("} \\saawhere{} \\\\\n&\\hspace*{1em} ");
            });
        }
        self.out.push_str("\\end{document}\n");
    }

    /// A formula as a display, so far indented, after what `before` prints.
    fn display(&mut self, id: Id, indent: usize, before: impl FnOnce(&mut Self)) {
        self.out.push_str("\\begin{align*}\n& ");
        before(self);
        self.line_start = self.out.len();
        self.indent = indent;
        self.term(id);
        self.indent = 0;
        self.out.push_str("\n\\end{align*}\n");
    }

    /// A part of a scheme as text, line by line.
    fn latex_text(&mut self, id: Id) {
        let text = super::print(
            self.terms,
            id,
            Style {
                notation: Notation::Text,
                ..self.style
            },
        );
        self.out.push_str("{\\small\\ttfamily\\raggedright\n");
        for line in text.lines() {
            let words = line.trim_start();
            let indent = line.len() - words.len();
            self.out
                .push_str(&format!("\\hspace*{{{}em}}", indent.min(60) / 2));
            escape_latex(words, &mut self.out);
            self.out.push_str("\\\\\n");
        }
        self.out.push_str("}\n");
    }

    /// A phrase as its operator declares it for LaTeX; false, if it does not.
    pub(super) fn typeset(&mut self, construct: Construct, id: Id) -> bool {
        let is_test = matches!(construct, Construct::Test | Construct::Holds);
        let typeset = self.typeset;
        let Some((phrase, arguments)) = self.used(construct, id) else {
            return false;
        };
        let Some((names, text)) = typeset.of(is_test, phrase) else {
            return false;
        };
        // An operator stands in brackets, as an assignment does.
        self.out.push_str(if is_test { "" } else { "\\saaop{" });
        for part in parts(text) {
            let name = match part {
                Part::Plain(text) => {
                    self.out.push_str(text);
                    continue;
                }
                Part::Named(name) => name,
            };
            let at = names.iter().position(|n| n.as_str() == name);
            // What the text says around an argument is not known, so only names and the like stand bare.
            if let Some(&argument) = at.and_then(|at| arguments.get(at)) {
                self.factor(argument);
            }
        }
        self.out.push_str(if is_test { "" } else { "}" });
        true
    }

    /// A keyword in a formula.
    pub(super) fn latex_keyword(&mut self, keyword: Keyword) {
        self.out.push_str("\\text{");
        escape_latex(keyword.text(self.style.language), &mut self.out);
        self.out.push('}');
    }
}
