//! The scheme that calls one basic operator on variables of its own, and the one that marks the cells that it declares.

use super::{SIZE, first};
use crate::algebra::{Construct, Type, component, definitions, filled, needed};
use crate::check::{Basic, Scheme, check};
use crate::syntax::print::{Notation, Style, print};
use crate::syntax::text::read_file;
use crate::term::{Id, Sources, Terms};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What the variables that are passed begin with; the number of the argument follows.
pub(super) const PASSED: &str = "passed_";

/// The variable that gets what a predicate says.
pub(super) const ANSWER: &str = "answer_of_predicate";

/// Parts of two schemes.
pub(super) struct Trial {
    /// What DATA declares, without the marks.
    data: String,
    /// The operator with its arguments.
    call: String,
    /// Its declaration, and the definitions that its meaning needs.
    declarations: String,
    /// Declarations of marks: of each variable's numbers, those that may be read and those that may be written.
    marks: String,
    /// What sets them.
    marking: String,
    /// The names of variables with marks.
    pub marked: Vec<String>,
}

/// A variable that an operator may reach.
struct Shape {
    sizes: Vec<String>,
    ty: Type,
}

impl Trial {
    /// # Errors
    ///
    /// Why the operator cannot be called on random arguments.
    pub fn of(scheme: &Scheme, basic: &Basic) -> Result<Trial, String> {
        let mut maker = Maker {
            scheme,
            basic,
            own: declaration(scheme, basic).ok_or("its declaration is not there")?,
            names: BTreeMap::new(),
            constants: String::new(),
            shapes: BTreeMap::new(),
        };
        let mut variables = maker.variables()?;
        let mut marks = String::new();
        for (name, shape) in &maker.shapes {
            let ty = shape.ty.name(scheme.precision);
            let all = listed(&shape.sizes);
            let _ = writeln!(variables, "  {name} : {ty} {all} INPUT OUTPUT");
            let mut sizes = shape.sizes.clone();
            sizes.extend(
                shape
                    .ty
                    .is_vector()
                    .then(|| shape.ty.components().to_string()),
            );
            let all = listed(&sizes);
            let _ = writeln!(
                marks,
                "  {name}_read, {name}_written : INTEGER {all} INPUT OUTPUT"
            );
        }
        let arguments = basic.formals.iter().map(|f| &*maker.names[f.name.as_str()]);
        let call = filled(basic.phrase.as_str(), arguments);
        Ok(Trial {
            data: maker.constants.clone() + &variables,
            call: match basic.is_test {
                true => format!("  {ANSWER} := select('{call}', 1, 0)\n"),
                false => format!("  \"{call}\"\n"),
            },
            declarations: declarations(scheme, basic),
            marks,
            marking: maker.marking(),
            marked: maker.shapes.into_keys().collect(),
        })
    }

    /// The scheme that calls the operator.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn calls(&self, of: &Scheme) -> Result<Scheme, String> {
        read(&self.text("calls", "", &self.call, true), of)
    }

    /// The scheme that marks what the operator declares.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn marks(&self, of: &Scheme) -> Result<Scheme, String> {
        read(&self.text("marks", &self.marks, &self.marking, false), of)
    }

    /// The text of a scheme that calls the operator and does not declare it.
    pub fn undeclared(&self, name: &str) -> String {
        self.text(name, "", &self.call, false)
    }

    fn text(&self, name: &str, marks: &str, body: &str, is_declared: bool) -> String {
        let Trial {
            data, declarations, ..
        } = self;
        let declared = match is_declared {
            true => format!("WHERE\n{declarations}"),
            false => String::new(),
        };
        format!(
            "SCHEME \"{name}\" ====\nDATA\n{data}{marks}END OF DATA\n{body}{declared}END OF SCHEME \"{name}\"\n"
        )
    }
}

/// What the parts are made from.
struct Maker<'s> {
    scheme: &'s Scheme,
    basic: &'s Basic,
    /// The declaration.
    own: Id,
    /// The variables that stand for names of the declaration.
    names: BTreeMap<String, String>,
    /// Declarations of parameters.
    constants: String,
    /// The variables that the operator may reach.
    shapes: BTreeMap<String, Shape>,
}

impl Maker<'_> {
    /// Finds out what is passed and reached; declarations of variables that it cannot reach.
    fn variables(&mut self) -> Result<String, String> {
        let Maker { scheme, basic, .. } = *self;
        for (name, variable, default) in scheme.parameters() {
            let ty = variable.ty.name(scheme.precision);
            let default = text(&scheme.terms, default);
            let _ = writeln!(self.constants, "  {name} : {ty} := {default}");
        }
        let mut rest = String::new();
        for (k, formal) in basic.formals.iter().enumerate() {
            let ty = formal.ty.ok_or("its arguments have no types")?;
            let own = format!("{PASSED}{}", k + 1);
            self.names.insert(formal.name.to_string(), own.clone());
            let name = ty.name(scheme.precision);
            if formal.rank == 0 && formal.is_written {
                let sizes = Vec::new();
                self.shapes.insert(own, Shape { sizes, ty });
            } else if formal.rank == 0 && ty.is_integer() {
                // Sizes may be made of it.
                let _ = writeln!(self.constants, "  {own} : {name} := 1");
            } else if formal.rank == 0 {
                let _ = writeln!(rest, "  {own} : {name} INPUT OUTPUT");
            }
            for extent in formal.extents.iter().flatten() {
                let size = format!("{SIZE}{extent}");
                if self
                    .names
                    .insert(extent.to_string(), size.clone())
                    .is_none()
                {
                    let _ = writeln!(self.constants, "  {size} : INTEGER := 3");
                }
            }
        }
        let arrays: Vec<Id> = self.parts(Construct::Variable).collect();
        for variable in arrays {
            let terms = &scheme.terms;
            let name = terms.as_atom(terms.arg(variable, 0));
            let formal = basic.formals.iter().find(|f| Some(f.name) == name);
            let Some((formal, ty)) = formal.and_then(|f| Some((f, f.ty?))) else {
                continue;
            };
            let sizes: Vec<String> = terms
                .args(terms.arg(variable, 2))
                .iter()
                .map(|&size| self.renamed(size))
                .collect();
            if !sizes.is_empty() {
                let own = self.names[formal.name.as_str()].clone();
                self.shapes.insert(own, Shape { sizes, ty });
            }
        }
        for &name in &basic.names {
            let variable = scheme.variable(name);
            if let Some(v) = variable.filter(|v| !v.is_constant() || v.is_array()) {
                let sizes = v.dims.iter().map(|&d| text(&scheme.terms, d)).collect();
                self.shapes
                    .insert(name.to_string(), Shape { sizes, ty: v.ty });
            }
        }
        if basic.is_test {
            let (sizes, ty) = (Vec::new(), Type::I64);
            self.shapes.insert(ANSWER.to_owned(), Shape { sizes, ty });
        }
        Ok(rest)
    }

    /// What marks the cells that are declared.
    fn marking(&self) -> String {
        let mut marking = String::new();
        if self.basic.is_test {
            let _ = writeln!(marking, "  {ANSWER}_written := 1;");
        }
        for (kind, word) in [(Construct::Reads, "read"), (Construct::Writes, "written")] {
            for list in self.parts(kind) {
                for &cell in self.scheme.terms.args(list) {
                    if let Some(line) = self.mark(cell, word) {
                        let _ = writeln!(marking, "  {line};");
                    }
                }
            }
        }
        marking
    }

    /// What marks a cell, a component of it, or all of an array.
    fn mark(&self, cell: Id, word: &str) -> Option<String> {
        let terms = &self.scheme.terms;
        let is = |id, kind: Construct| terms.functor(id) == Some(kind.symbol());
        let (cell, field) = match is(cell, Construct::Field) {
            true => (terms.arg(cell, 0), terms.as_atom(terms.arg(cell, 1))),
            false => (cell, None),
        };
        let (root, subscripts) = match is(cell, Construct::Index) {
            true => (terms.arg(cell, 0), &terms.args(cell)[1..]),
            false => (cell, &[][..]),
        };
        let root = self.renamed(root);
        let Shape { sizes, ty } = self.shapes.get(&root)?;
        let mut loops: Vec<(String, String)> = Vec::new();
        let mut each = |size: &str| {
            let counter = format!("mark_{}", loops.len() + 1);
            loops.push((counter.clone(), size.to_owned()));
            counter
        };
        let mut at: Vec<String> = match subscripts.is_empty() {
            true => sizes.iter().map(|size| each(size)).collect(),
            false => subscripts.iter().map(|&s| self.renamed(s)).collect(),
        };
        if ty.is_vector() {
            at.push(match field {
                Some(field) => component(field).to_string(),
                None => each(&ty.components().to_string()),
            });
        }
        let at = listed(&at);
        let mark = format!("{root}_{word}{at} := 1");
        Some(loops.iter().rev().fold(mark, |line, (counter, size)| {
            format!("FOR ({counter} FROM 0 TO ({size}) - 1) LOOP {line} END OF LOOP")
        }))
    }

    /// The parts of the declaration of one kind.
    fn parts(&self, kind: Construct) -> impl Iterator<Item = Id> {
        let terms = &self.scheme.terms;
        let parts = terms.args(self.own)[2..].iter().copied();
        parts.filter(move |&part| terms.functor(part) == Some(kind.symbol()))
    }

    /// The text of a part of the declaration, with what is passed in place of its names.
    fn renamed(&self, id: Id) -> String {
        renamed(&text(&self.scheme.terms, id), &self.names)
    }
}

/// The term that declares an operator.
fn declaration(scheme: &Scheme, basic: &Basic) -> Option<Id> {
    let terms = &scheme.terms;
    let mut all = definitions(terms, scheme.root).iter().copied();
    all.find(|&d| terms.as_text(terms.arg(d, 0)) == Some(basic.phrase))
}

/// The texts of all definitions that the meaning of an operator needs, its own among them.
fn declarations(scheme: &Scheme, basic: &Basic) -> String {
    let terms = &scheme.terms;
    let all = needed(terms, definitions(terms, scheme.root), [basic.phrase]);
    let texts = all
        .into_iter()
        .map(|definition| text(terms, definition) + "\n");
    texts.collect()
}

fn text(terms: &Terms, id: Id) -> String {
    let style = Style {
        notation: Notation::Text,
        language: Default::default(),
        comments: false,
    };
    print(terms, id, style)
}

/// Subscripts or sizes in brackets; nothing where there are none.
fn listed(sizes: &[String]) -> String {
    match sizes.is_empty() {
        true => String::new(),
        false => format!("[{}]", sizes.join(", ")),
    }
}

/// Reads a scheme.
fn read(text: &str, of: &Scheme) -> Result<Scheme, String> {
    let mut sources = Sources::default();
    let file = sources.add("trial.saa", text.to_owned());
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    match items.first() {
        Some(&root) if errors.is_empty() => {
            check(&terms, root, of.precision).map_err(|errors| first(&errors))
        }
        _ => Err(first(&errors)),
    }
}

/// A text with names in it replaced, but for those of components.
fn renamed(text: &str, names: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let flush = |word: &mut String, out: &mut String| {
        let is_field = out.ends_with('.');
        match names.get(word.as_str()).filter(|_| !is_field) {
            Some(name) => out.push_str(name),
            None => out.push_str(word),
        }
        word.clear();
    };
    for c in text.chars() {
        match c.is_alphanumeric() || c == '_' {
            true => word.push(c),
            false => {
                flush(&mut word, &mut out);
                out.push(c);
            }
        }
    }
    flush(&mut word, &mut out);
    out
}
