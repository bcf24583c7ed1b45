//! Basic operators and predicates that have a meaning → whether that reads and writes what is declared, on random arguments.
//!
//! What is declared marks cells: those that may be read, and those that may be written. A run of the meaning must leave
//! all others as they were; and where cells that are not read hold something else, it must write the same.

use super::{Failure, Options, Run, Session, Source, Target};
use crate::algebra::{Construct, Type};
use crate::check::{Basic, Expand, Scheme, check, with_meanings};
use crate::diagnostic::Diagnostic;
use crate::machine::{Limits, Machine, Value, compile};
use crate::syntax::print::{Notation, Style, print};
use crate::syntax::text::read_file;
use crate::term::{Sources, Symbol, Terms};
use crate::toolchain::{cargo, rustc};
use rand::RngExt;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// So many calls are tried, and so many of them are enough.
const TRIES: usize = 200;
const ENOUGH: usize = 20;

/// Sizes and subscripts are below this.
const SMALL: i64 = 6;

/// The variable that gets what a predicate says.
const ANSWER: &str = "answer_of_predicate";

/// What the trial of a basic operator or predicate showed.
pub struct TriedBasic {
    /// Its phrase.
    pub title: String,
    /// Whether it is a predicate.
    pub is_test: bool,
    /// In how many calls its meaning reached what is declared.
    pub calls: usize,
    /// Why there was no call, if there was none.
    pub not_tried: Option<String>,
    /// What is wrong with the declaration.
    pub wrong: Option<Diagnostic>,
    /// The targets whose code gave what the operator means.
    pub as_meant: Vec<&'static str>,
}

impl TriedBasic {
    /// The object that `check --json` has of it.
    pub fn json(&self) -> Json {
        json!({
            "operator": self.title,
            "calls": self.calls,
            "not_tried": self.not_tried,
            "wrong": self.wrong.as_ref().map(|w| w.message.clone()),
            "as_meant": self.as_meant,
        })
    }

    /// It in a line.
    pub fn line(&self) -> String {
        let title = self.quoted();
        if let Some(why) = &self.not_tried {
            return format!("{title}: not tried, as {why}");
        }
        let code = match self.as_meant.is_empty() {
            true => String::new(),
            false => format!(
                "; the code for {} does what it means",
                self.as_meant.join(" and ")
            ),
        };
        let calls = self.calls;
        let does = match self.is_test {
            true => "reads",
            false => "reads and writes",
        };
        format!("{title}: {does} what is declared, in {calls} random calls{code}")
    }

    /// Its phrase in quotes.
    fn quoted(&self) -> String {
        quoted(&self.title, self.is_test)
    }
}

/// Tries the basic operators and predicates of a scheme, and the code of those whose files were named.
///
/// # Errors
///
/// What stops the code from being built and run.
pub fn try_basics(
    scheme: &Scheme,
    options: &Options,
    session: &mut Session,
) -> Result<Vec<TriedBasic>, Failure> {
    let mut all = Vec::new();
    for basic in scheme.basics.values() {
        let mut tried = try_basic(scheme, basic);
        let can_build = cargo().is_ok() && rustc().is_ok();
        let is_named = !options.operators.is_empty() && basic.code("rust").is_some();
        if tried.calls > 0 && tried.wrong.is_none() && is_named && can_build {
            match code_as_meant(scheme, basic, options, session)? {
                None => tried.as_meant.push("rust"),
                Some(wrong) => tried.wrong = Some(wrong),
            }
        }
        all.push(tried);
    }
    Ok(all)
}

/// The scheme that uses one operator on variables of its own, and what marks the cells that it may reach.
struct Use {
    /// What DATA declares, without the marks.
    data: String,
    /// The operator with its arguments.
    call: String,
    /// Its declaration.
    declaration: String,
    /// Declarations of marks, and what sets them.
    marks: String,
    marking: String,
    /// The names of variables with marks.
    marked: Vec<String>,
}

fn try_basic(scheme: &Scheme, basic: &Basic) -> TriedBasic {
    let mut tried = TriedBasic {
        title: basic.title(),
        is_test: basic.is_test,
        calls: 0,
        not_tried: None,
        wrong: None,
        as_meant: Vec::new(),
    };
    let made = match () {
        () if !basic.has_meaning => Err("it has no meaning".to_owned()),
        () => Use::of(scheme, basic),
    };
    let made = made.and_then(|made| {
        let calls = made.scheme("calls", &made.call, false, scheme)?;
        let calls = with_meanings(&calls, Expand::All).map_err(|e| first(&e))?;
        Ok((
            calls,
            made.scheme("marks", &made.marking, true, scheme)?,
            made,
        ))
    });
    let (calls, marks, made) = match made {
        Ok(made) => made,
        Err(why) => {
            tried.not_tried = Some(why);
            return tried;
        }
    };
    let mut random = Pcg64::seed_from_u64(7);
    for _ in 0..TRIES {
        if tried.calls == ENOUGH {
            break;
        }
        let inputs = Inputs::random(&calls, &mut random);
        let Some(marks) = run(&marks, &inputs) else {
            continue;
        };
        let Some(left) = run(&calls, &inputs) else {
            continue;
        };
        tried.calls += 1;
        if let Some(wrong) = made.compared(&inputs, &marks, &left, &calls, &mut random) {
            let message = format!("{} {wrong}", tried.quoted());
            tried.wrong = Some(
                Diagnostic::error("E0226", message)
                    .at(basic.span)
                    .hint("what is derived rests on READS and WRITES, so they must be whole"),
            );
            return tried;
        }
    }
    if tried.calls == 0 {
        tried.not_tried = Some("no arguments were found on which what it means runs".to_owned());
    }
    tried
}

/// A phrase or a predicate in its quotes.
fn quoted(title: &str, is_test: bool) -> String {
    match is_test {
        true => format!("'{title}'"),
        false => format!("\"{title}\""),
    }
}

fn first(errors: &[Diagnostic]) -> String {
    errors.first().map_or(String::new(), |e| e.message.clone())
}

/// Cells of variables by their names.
type Cells = BTreeMap<String, Vec<u64>>;

/// Values of parameters and cells of INPUT variables.
#[derive(Clone)]
struct Inputs {
    parameters: Vec<(Symbol, Value)>,
    cells: Cells,
    seed: u64,
}

impl Inputs {
    fn random(scheme: &Scheme, random: &mut Pcg64) -> Inputs {
        let integers = scheme.parameters().filter(|(_, v, _)| v.ty.is_integer());
        let parameters: Vec<(Symbol, Value)> = integers
            .map(|(name, ..)| {
                let is_size = name.as_str().starts_with("size_");
                let least = i64::from(is_size);
                (name, Value::Int(random.random_range(least..SMALL)))
            })
            .collect();
        Inputs {
            parameters,
            cells: Cells::new(),
            seed: random.random_range(0..1 << 40),
        }
    }
}

impl Inputs {
    /// The random cells of a variable.
    fn cells_of(&self, name: &str, ty: Type, count: usize) -> Vec<u64> {
        let of_name = name
            .bytes()
            .fold(0u64, |sum, b| sum.wrapping_mul(31).wrapping_add(b.into()));
        random_cells(ty, count, self.seed ^ of_name)
    }
}

/// The cells of OUTPUT variables after a run; none where it meets an error. Inputs that have no value yet get one.
fn run(scheme: &Scheme, inputs: &Inputs) -> Option<Cells> {
    let code = compile(scheme)?;
    let limits = Limits {
        steps: 2_000_000,
        ..Limits::default()
    };
    let mut machine = Machine::new(scheme, &code, limits);
    let known = inputs.parameters.iter();
    let known: Vec<(Symbol, Value)> = known
        .filter(|(name, _)| scheme.parameters().any(|(n, ..)| n == *name))
        .copied()
        .collect();
    machine.start(&known).ok()?;
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_input()) {
        let count = machine.get(name)?.len();
        let cells = match inputs.cells.get(name.as_str()) {
            Some(cells) if cells.len() == count => cells.clone(),
            _ => inputs.cells_of(name.as_str(), variable.ty, count),
        };
        machine.set(name, &cells);
    }
    machine.run().ok()?;
    let outputs = scheme.data().filter(|(_, v)| v.is_output());
    Some(
        outputs
            .map(|(name, _)| (name.to_string(), machine.get(name).unwrap_or_default()))
            .collect(),
    )
}

/// Numbers of a type: reals from 0 to 1, small integers.
fn random_cells(ty: Type, count: usize, seed: u64) -> Vec<u64> {
    let mut random = Pcg64::seed_from_u64(seed);
    let cell = |random: &mut Pcg64| match ty.component() {
        Type::F32 => u64::from(random.random::<f32>().to_bits()),
        Type::F64 => random.random::<f64>().to_bits(),
        Type::Bool => u64::from(random.random::<bool>()),
        _ => random.random_range(0..SMALL) as u64,
    };
    (0..count).map(|_| cell(&mut random)).collect()
}

impl Use {
    fn of(scheme: &Scheme, basic: &Basic) -> Result<Use, String> {
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
        // What a predicate says is written to a variable.
        if basic.is_test {
            let _ = writeln!(later, "  {ANSWER} : INTEGER INPUT OUTPUT");
            let _ = writeln!(
                marks,
                "  {ANSWER}_read, {ANSWER}_written : INTEGER INPUT OUTPUT"
            );
            marked.push(ANSWER.to_owned());
        }
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
        let mut marking = match basic.is_test {
            true => format!("  {ANSWER}_written := 1;\n"),
            false => String::new(),
        };
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
            call: match basic.is_test {
                true => format!("  {ANSWER} := select('{call}', 1, 0)\n"),
                false => format!("  \"{call}\"\n"),
            },
            declaration: text(own),
            marks,
            marking,
            marked,
        })
    }

    fn text(&self, name: &str, body: &str, with_marks: bool) -> String {
        let marks = if with_marks { self.marks.as_str() } else { "" };
        let data = &self.data;
        let declaration = &self.declaration;
        format!(
            "SCHEME \"{name}\" ====\nDATA\n{data}{marks}END OF DATA\n{body}WHERE\n{declaration}\nEND OF SCHEME \"{name}\"\n"
        )
    }

    fn scheme(&self, name: &str, body: &str, marks: bool, of: &Scheme) -> Result<Scheme, String> {
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
    fn compared(
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
            None if name == ANSWER => "what it says".to_owned(),
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
            let dependent = match name == ANSWER {
                true => shown(name),
                false => format!("cell {differs} of {}", shown(name)),
            };
            Some(format!(
                "reads something that READS does not list: {dependent} depends on it"
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

/// Runs the code of an operator beside what it means; what differs, if something does.
fn code_as_meant(
    scheme: &Scheme,
    basic: &Basic,
    options: &Options,
    session: &mut Session,
) -> Result<Option<Diagnostic>, Failure> {
    let Ok(made) = Use::of(scheme, basic) else {
        return Ok(None);
    };
    let text = made.text("one call", &made.call, false);
    // Without its declaration, which is found with its code.
    let from = text.find("WHERE\n").unwrap_or(text.len());
    let text = format!("{}END OF SCHEME \"one call\"\n", &text[..from]);
    let run = Run {
        target: Target::Rust,
        strategy: Some("sequential".to_owned()),
        options: Options {
            operators: options.operators.clone(),
            precision: options.precision,
            ..Options::default()
        },
        inputs: super::Inputs {
            seeded: true,
            ..super::Inputs::default()
        },
        reference: Some(Target::Interpreter),
        without_notes: true,
        ..Run::default()
    };
    let source = Source::Text {
        name: "one call.saa",
        text: &text,
    };
    let outcome = run.run(source, session)?;
    let differs = outcome.compared.is_some_and(|c| !c.passed);
    Ok(differs.then(|| {
        let title = quoted(&basic.title(), basic.is_test);
        Diagnostic::error(
            "E0226",
            format!("the code of {title} for rust does not do what it means"),
        )
        .at(basic.span)
        .hint("on random arguments, the results differ by more than rounding")
    }))
}
