//! Two schemes → whether they are equal, or what tells them apart.
//!
//! Actions are compared as terms, and a term such as `x[N - 1]` means what DATA says that `N` and
//! `x` are. So two schemes with the same actions are equal only where DATA says the same of every
//! name that a run shows or that an action names. WORK, CHECK and ASSUME change no result.

use super::load::load_to_compare;
use super::{Failure, Pick, Session, Source};
use crate::algebra::Construct;
use crate::analysis::text;
use crate::check::{OptionValue, Role, Scheme, Variable};
use crate::diagnostic::Diagnostic;
use crate::equality::{Comparison, compare_schemes};
use crate::machine::{Value, fold};
use crate::term::{Id, Symbol};

/// Two schemes that were compared.
pub struct Equality {
    /// What they are called: by their names or, where these are the same, by their files or as the
    /// first and the second.
    pub names: [String; 2],
    /// The first scheme.
    pub first: Scheme,
    /// The second scheme.
    pub second: Scheme,
    /// How their actions compare.
    pub found: Comparison,
    /// What their DATA say differently.
    pub data: Differences,
}

/// Compares two schemes, each picked by its name or the first of its text.
///
/// # Errors
///
/// Texts that cannot be read or do not check, and schemes that are too complex to compare (E0340).
pub fn equal(
    sources: [Source<'_>; 2],
    picks: [Pick<'_>; 2],
    session: &mut Session,
) -> Result<Equality, Failure> {
    let first = load_to_compare(sources[0], picks[0], session)?;
    let second = load_to_compare(sources[1], picks[1], session)?;
    let found = compare_schemes(&first, &second).map_err(|_| {
        let message = "the schemes are too complex to compare: their control flow depends on too many predicates at once";
        Diagnostic::error("E0340", message)
            .hint("compare their parts, with phrases for what is common")
    })?;
    let files = sources.each_ref().map(Source::name);
    let names = if first.name != second.name {
        [first.name, second.name].map(|name| format!("\"{name}\""))
    } else if files[0] != files[1] {
        files.map(str::to_owned)
    } else {
        ["the first scheme", "the second scheme"].map(str::to_owned)
    };
    let data = differences(&first, &second, &names);
    Ok(Equality {
        names,
        first,
        second,
        found,
        data,
    })
}

impl Equality {
    /// Whether they are equal: in their actions, and in what DATA says of what these name.
    pub fn is_equal(&self) -> bool {
        self.found.is_equal() && self.data.shown.is_empty()
    }
}

/// What two DATA say differently, in words.
#[derive(Default)]
pub struct Differences {
    /// What changes what the schemes compute, take or give: they are not equal.
    pub shown: Vec<String>,
    /// What no run shows.
    pub silent: Vec<String>,
}

/// Texts of sizes and values longer than this are cut.
const MOST_TEXT: usize = 60;

/// Compares the DATA of two schemes, which are called by `names`. A scheme without DATA says nothing
/// of its names, so that nothing differs.
fn differences(first: &Scheme, second: &Scheme, names: &[String; 2]) -> Differences {
    let mut found = Differences::default();
    match (first.has_data, second.has_data) {
        (false, false) => return found,
        (true, true) => {}
        (with_first, _) => {
            let only = &names[usize::from(!with_first)];
            found.silent.push(format!("only {only} has DATA"));
            return found;
        }
    }
    let sides = Sides {
        schemes: [first, second],
        names,
    };
    for (&name, variable) in first.variables.iter().filter(|(_, v)| v.is_data()) {
        match second.variable(name).filter(|v| v.is_data()) {
            Some(other) => sides.declared_twice(name, [variable, other], &mut found),
            None => sides.declared_once(0, name, variable, &mut found),
        }
    }
    for (&name, variable) in second.variables.iter().filter(|(_, v)| v.is_data()) {
        if first.variable(name).is_none_or(|v| !v.is_data()) {
            sides.declared_once(1, name, variable, &mut found);
        }
    }
    if !sides.same_generators() {
        let shown = [first, second].map(generators);
        found.shown.push(sides.apart("DEFAULT INPUT", shown));
    }
    for construct in [Construct::Work, Construct::Check, Construct::Assume] {
        let items = [first, second].map(|scheme| items(scheme, construct));
        let alike = items[0].len() == items[1].len()
            && items[0]
                .iter()
                .zip(&items[1])
                .all(|(&a, &b)| first.terms.equal_across(a, &second.terms, b));
        if !alike {
            let word = construct.info().functor.to_uppercase();
            found.silent.push(format!("{word} is not the same"));
        }
    }
    found
}

/// The items of DATA that are one construct.
fn items(scheme: &Scheme, construct: Construct) -> Vec<Id> {
    let data = scheme.terms.arg(scheme.root, 1);
    let all = scheme.terms.args(data).iter().copied();
    all.filter(|&item| scheme.terms.functor(item) == Some(construct.symbol()))
        .collect()
}

/// The generators of a scheme, in words.
fn generators(scheme: &Scheme) -> String {
    let shown = items(scheme, Construct::DefaultInput);
    match shown.is_empty() {
        true => "none".to_owned(),
        false => listed(scheme, &shown),
    }
}

/// Expressions in words, cut where they are long.
fn listed(scheme: &Scheme, all: &[Id]) -> String {
    let mut shown = String::new();
    for &id in all {
        if !shown.is_empty() {
            shown.push_str(", ");
        }
        shown.push_str(&text(scheme, id));
        if shown.chars().count() > MOST_TEXT {
            let cut: String = shown.chars().take(MOST_TEXT).collect();
            return format!("{cut}…");
        }
    }
    shown
}

struct Sides<'a> {
    schemes: [&'a Scheme; 2],
    names: &'a [String; 2],
}

impl Sides<'_> {
    /// That something is one thing in the first scheme and another one in the second.
    fn apart(&self, what: &str, [first, second]: [String; 2]) -> String {
        let [one, two] = self.names;
        format!("{what} is {first} in {one} and {second} in {two}")
    }

    fn declared_once(&self, of: usize, name: Symbol, variable: &Variable, into: &mut Differences) {
        let told = format!("only {} has `{name}`", self.names[of]);
        let scheme = self.schemes[of];
        let outside = variable.is_input() || variable.is_output();
        let parameter = matches!(variable.role, Role::Parameter { .. });
        match outside || parameter || is_named(scheme, name) {
            true => into.shown.push(told),
            false => into.silent.push(told),
        }
    }

    fn declared_twice(&self, name: Symbol, both: [&Variable; 2], into: &mut Differences) {
        let told = self.told_apart(name, both);
        let named = self.schemes.iter().any(|scheme| is_named(scheme, name));
        let outside = |v: &Variable| {
            v.is_input() || v.is_output() || matches!(v.role, Role::Parameter { .. })
        };
        match named || both.into_iter().any(outside) {
            true => into.shown.extend(told),
            false => into.silent.extend(told),
        }
    }

    /// How the declarations of a name differ.
    fn told_apart(&self, name: Symbol, both: [&Variable; 2]) -> Vec<String> {
        let [first, second] = both;
        let mut told = Vec::new();
        let types = [0, 1].map(|i| self.type_name(i, name));
        if first.ty != second.ty || types[0] != types[1] {
            told.push(self.apart(&format!("the type of `{name}`"), types));
        }
        if !self.all_alike(&first.dims, &second.dims, None) {
            let sizes = |i: usize| match both[i].dims.as_slice() {
                [] => "no array".to_owned(),
                dims => format!("[{}]", listed(self.schemes[i], dims)),
            };
            told.push(self.apart(&format!("the shape of `{name}`"), [0, 1].map(sizes)));
        }
        let marks = both.map(|v| match (&v.role, v.is_input(), v.is_output()) {
            (Role::Parameter { .. }, ..) => "a parameter",
            (_, true, true) => "INPUT OUTPUT",
            (_, true, false) => "INPUT",
            (_, false, true) => "OUTPUT",
            _ => "of the scheme's own",
        });
        if marks[0] != marks[1] {
            told.push(self.apart(&format!("`{name}`"), marks.map(str::to_owned)));
        }
        let values = both.map(|v| match &v.role {
            Role::Parameter { default } => std::slice::from_ref(default),
            Role::Data { values, .. } => values.as_slice(),
            _ => &[],
        });
        if !self.all_alike(values[0], values[1], Some(both)) {
            let shown = |i: usize| match values[i] {
                [] => "none".to_owned(),
                all => listed(self.schemes[i], all),
            };
            told.push(self.apart(&format!("the value of `{name}`"), [0, 1].map(shown)));
        }
        told
    }

    /// The name of a type as DATA has it: REAL and REAL32 are the same in one precision only.
    fn type_name(&self, of: usize, name: Symbol) -> String {
        let scheme = self.schemes[of];
        let declared = [Construct::Parameter, Construct::Variable]
            .into_iter()
            .flat_map(|construct| items(scheme, construct))
            .find(|&item| scheme.terms.as_atom(scheme.terms.arg(item, 0)) == Some(name));
        let ty = declared.and_then(|item| scheme.terms.as_atom(scheme.terms.arg(item, 1)));
        ty.map_or_else(String::new, |ty| ty.as_str().to_owned())
    }

    fn all_alike(&self, first: &[Id], second: &[Id], of: Option<[&Variable; 2]>) -> bool {
        first.len() == second.len()
            && first
                .iter()
                .zip(second)
                .all(|(&a, &b)| self.alike([a, b], of))
    }

    /// Whether two expressions of DATA are the same term or have, without any name, the same value;
    /// where they are values of variables, in the bits of their types.
    fn alike(&self, [a, b]: [Id; 2], of: Option<[&Variable; 2]>) -> bool {
        let [first, second] = self.schemes;
        if first.terms.equal_across(a, &second.terms, b) {
            return true;
        }
        let (Some(a), Some(b)) = (fold(first, a, &[]), fold(second, b, &[])) else {
            return false;
        };
        match of {
            Some([x, y]) => {
                let bits = [a.bits(x.ty), b.bits(y.ty)];
                bits[0].is_some() && bits[0] == bits[1]
            }
            None => same_bits(a, b),
        }
    }

    fn same_generators(&self) -> bool {
        let [first, second] = self.schemes.map(|s| s.default_inputs.as_slice());
        first.len() == second.len()
            && first.iter().zip(second).all(|(a, b)| {
                a.generator == b.generator
                    && a.options.len() == b.options.len()
                    && a.options.iter().zip(&b.options).all(|(p, q)| {
                        p.0 == q.0
                            && match (&p.1, &q.1) {
                                (OptionValue::Name(x), OptionValue::Name(y)) => x == y,
                                (OptionValue::Expression(x), OptionValue::Expression(y)) => {
                                    self.alike([*x, *y], None)
                                }
                                _ => false,
                            }
                    })
            })
    }
}

/// Whether two values are the same number with the same bits, or the same truth value.
fn same_bits(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Real(x), Value::Real(y)) => x.to_bits() == y.to_bits(),
        (Value::Int(i), Value::Real(x)) | (Value::Real(x), Value::Int(i)) => {
            (i as f64).to_bits() == x.to_bits()
        }
        (a, b) => a == b,
    }
}

/// Whether the body of a scheme names a variable of DATA.
fn is_named(scheme: &Scheme, name: Symbol) -> bool {
    let mut all = scheme.terms.subterms(scheme.body);
    all.any(|id| scheme.terms.as_atom(id) == Some(name))
}
