//! One basic operator → a scheme that uses it on variables of its own, and what its cells are marked by.

use super::{Cells, Inputs, first, random_cells, run};
use crate::algebra::Construct;
use crate::check::{Basic, Scheme, check};
use crate::syntax::print::{Notation, Style, print};
use crate::syntax::text::read_file;
use crate::term::{Sources, Symbol, Terms};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The scheme that uses one operator on variables of its own, and what marks the cells that it may reach.
pub(super) struct Use {
    /// What DATA declares, without the marks.
    pub(super) data: String,
    /// The operator with its arguments.
    pub(super) call: String,
    /// Its declaration.
    pub(super) declaration: String,
    /// Declarations of marks, and what sets them.
    pub(super) marks: String,
    pub(super) marking: String,
    /// The names of variables with marks.
    pub(super) marked: Vec<String>,
}

impl Use {
    pub(super) fn of(scheme: &Scheme, basic: &Basic) -> Result<Use, String> {
        let terms = &scheme.terms;
        let text = |id| {
            let style = Style {
                notation: Notation::Text,
                language: Default::default(),
                comments: false,
            };
            print(terms, id, style)
        };
        let where_ = terms.args(scheme.root).get(3).copied();
        let own = where_.and_then(|all| {
            let mut all = terms.args(all).iter().copied();
            all.find(|&d| terms.as_text(terms.arg(d, 0)) == Some(basic.phrase))
        });
        let own = own.ok_or("its declaration is not there")?;
        let part = |kind: Construct| {
            let parts = terms.args(own)[2..].iter().copied();
            parts.filter(move |&p| terms.functor(p) == Some(kind.symbol()))
        };
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut data = String::new();
        for (name, variable, default) in scheme.parameters() {
            let ty = variable.ty.name(scheme.precision);
            let _ = writeln!(data, "  {name} : {ty} := {}", text(default));
        }
        // Integers that are passed are parameters: sizes may be made of them.
        let mut later = String::new();
        for (k, formal) in basic.formals.iter().enumerate() {
            let ty = formal.ty.ok_or("its arguments have no types")?;
            let own = format!("passed_{}", k + 1);
            names.insert(formal.name.to_string(), own.clone());
            let ty_name = ty.name(scheme.precision);
            if formal.rank == 0 && ty.is_integer() && !formal.is_written {
                let _ = writeln!(data, "  {own} : {ty_name} := 1");
            } else if formal.rank == 0 {
                let _ = writeln!(later, "  {own} : {ty_name} INPUT OUTPUT");
            }
            for extent in formal.extents.iter().flatten() {
                let size = format!("size_{extent}");
                if names.insert(extent.to_string(), size.clone()).is_none() {
                    let _ = writeln!(data, "  {size} : INTEGER := 3");
                }
            }
        }
        let mut marks = String::new();
        let mut marked = Vec::new();
        let mut dims: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for variable in part(Construct::Variable) {
            let sizes: Vec<String> = terms
                .args(terms.arg(variable, 2))
                .iter()
                .map(|&d| renamed(&text(d), &names))
                .collect();
            let name = terms.as_atom(terms.arg(variable, 0)).unwrap_or("x".into());
            let Some(own) = names.get(name.as_str()).cloned() else {
                continue;
            };
            if !sizes.is_empty() {
                let ty = terms
                    .as_atom(terms.arg(variable, 1))
                    .unwrap_or("REAL".into());
                let all = sizes.join(", ");
                let _ = writeln!(later, "  {own} : {ty} [{all}] INPUT OUTPUT");
                dims.insert(own, sizes);
            }
        }
        for &name in &basic.names {
            let Some(variable) = scheme
                .variable(name)
                .filter(|v| !v.is_constant() || v.is_array())
            else {
                continue;
            };
            let ty = variable.ty.name(scheme.precision);
            let sizes: Vec<String> = variable.dims.iter().map(|&d| text(d)).collect();
            let all = match sizes.is_empty() {
                true => String::new(),
                false => format!(" [{}]", sizes.join(", ")),
            };
            let _ = writeln!(later, "  {name} : {ty}{all} INPUT OUTPUT");
            dims.insert(name.to_string(), sizes);
        }
        for formal in basic.formals.iter().filter(|f| f.rank == 0 && f.is_written) {
            let own = names[formal.name.as_str()].clone();
            dims.entry(own).or_default();
        }
        for (name, sizes) in &dims {
            let all = match sizes.is_empty() {
                true => String::new(),
                false => format!(" [{}]", sizes.join(", ")),
            };
            let _ = writeln!(
                marks,
                "  {name}_read, {name}_written : INTEGER{all} INPUT OUTPUT"
            );
            marked.push(name.clone());
        }
        let mut marking = String::new();
        for (kind, word) in [(Construct::Reads, "read"), (Construct::Writes, "written")] {
            for &cell in part(kind).flat_map(|list| terms.args(list)) {
                let cell = renamed(&text(cell), &names);
                let (root, subscripts) = match cell.split_once('[') {
                    Some((root, rest)) => (root, format!("[{rest}")),
                    None => (cell.split('.').next().unwrap_or(&cell), String::new()),
                };
                let Some(sizes) = dims.get(root) else {
                    continue;
                };
                // A component marks its whole cell.
                let subscripts = subscripts.split("].").next().unwrap_or_default().to_owned();
                let subscripts = match subscripts.is_empty() || subscripts.ends_with(']') {
                    true => subscripts,
                    false => subscripts + "]",
                };
                let whole = subscripts.is_empty() && !sizes.is_empty();
                let mut line = match whole {
                    false => format!("{root}_{word}{subscripts} := 1"),
                    true => {
                        let vars: Vec<String> =
                            (1..=sizes.len()).map(|k| format!("mark_{k}")).collect();
                        format!("{root}_{word}[{}] := 1", vars.join(", "))
                    }
                };
                for (k, size) in sizes.iter().enumerate().rev().filter(|_| whole) {
                    let var = format!("mark_{}", k + 1);
                    line = format!("FOR ({var} FROM 0 TO {size} - 1) LOOP {line} END OF LOOP");
                }
                let _ = writeln!(marking, "  {line};");
            }
        }
        let mut arguments = basic.formals.iter().map(|f| names[f.name.as_str()].clone());
        let mut call = String::new();
        let mut chars = basic.phrase.as_str().chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => {
                    call.push('\\');
                    call.extend(chars.next());
                }
                '(' => {
                    let commas = chars.by_ref().take_while(|&c| c != ')').count();
                    let group: Vec<String> = arguments.by_ref().take(commas + 1).collect();
                    let _ = write!(call, "({})", group.join(", "));
                }
                c => call.push(c),
            }
        }
        Ok(Use {
            data: data + &later,
            call: format!("  \"{call}\"\n"),
            declaration: text(own),
            marks,
            marking,
            marked,
        })
    }

    pub(super) fn text(&self, name: &str, body: &str, with_marks: bool) -> String {
        let marks = if with_marks { self.marks.as_str() } else { "" };
        let data = &self.data;
        let declaration = &self.declaration;
        format!(
            "SCHEME \"{name}\" ====\nDATA\n{data}{marks}END OF DATA\n{body}WHERE\n{declaration}\nEND OF SCHEME \"{name}\"\n"
        )
    }

    pub(super) fn scheme(
        &self,
        name: &str,
        body: &str,
        marks: bool,
        of: &Scheme,
    ) -> Result<Scheme, String> {
        let mut sources = Sources::default();
        let file = sources.add("trial.saa", self.text(name, body, marks));
        let mut terms = Terms::new();
        let (items, errors) = read_file(&sources, file, &mut terms);
        match items.first() {
            Some(&root) if errors.is_empty() => {
                check(&terms, root, of.precision).map_err(|errors| first(&errors))
            }
            _ => Err(first(&errors)),
        }
    }

    /// What a call did that is not declared.
    pub(super) fn compared(
        &self,
        inputs: &Inputs,
        marks: &Cells,
        left: &Cells,
        calls: &Scheme,
        random: &mut Pcg64,
    ) -> Option<String> {
        let before = |name: &str| {
            let variable = calls.variable(Symbol::new(name))?;
            let count = left.get(name)?.len();
            Some(inputs.cells_of(name, variable.ty, count))
        };
        let shown = |name: &str| match name.strip_prefix("passed_") {
            Some(number) => format!("argument {number}"),
            None => format!("`{name}`"),
        };
        let mut changed_inputs = inputs.clone();
        for name in &self.marked {
            let (Some(old), Some(new)) = (before(name), left.get(name)) else {
                continue;
            };
            let written = marks.get(&format!("{name}_written"))?;
            let read = marks.get(&format!("{name}_read"))?;
            let width = (old.len() / written.len().max(1)).max(1);
            let is_marked = |marks: &[u64], k: usize| marks.get(k / width) == Some(&1);
            let undeclared = (0..old.len()).find(|&k| old[k] != new[k] && !is_marked(written, k));
            if let Some(k) = undeclared {
                let cell = k / width;
                return Some(format!(
                    "writes cell {cell} of {}, which WRITES does not list",
                    shown(name)
                ));
            }
            let ty = calls.variable(Symbol::new(name))?.ty;
            let other = random_cells(ty, old.len(), random.random_range(0..1 << 40));
            let cells = (0..old.len()).map(|k| match is_marked(read, k) {
                true => old[k],
                false => other[k],
            });
            changed_inputs.cells.insert(name.clone(), cells.collect());
        }
        let again = run(calls, &changed_inputs);
        let Some(again) = again else {
            return Some(
                "meets an error where cells that READS does not list hold other values".to_owned(),
            );
        };
        self.marked.iter().find_map(|name| {
            let (old, new, other) = (before(name)?, left.get(name)?, again.get(name)?);
            let differs = (0..old.len()).find(|&k| old[k] != new[k] && new[k] != other[k])?;
            Some(format!(
                "reads something that READS does not list: cell {differs} of {} depends on it",
                shown(name)
            ))
        })
    }
}

/// A text with names in it replaced.
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
