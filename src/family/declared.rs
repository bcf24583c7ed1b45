//! What a scheme says of its givens: names, values, defaults, restrictions.

use super::{MOST_MEMBERS, Refusal, Value};
use crate::algebra::Construct;
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Span, Symbol, Terms};

/// One given of a family.
#[derive(Clone, Debug)]
pub struct Given {
    /// Its name.
    pub name: Symbol,
    /// Its values, in order, each once.
    pub values: Vec<Value>,
    /// The value that it has where nobody chooses.
    pub default: Value,
    /// Whether any value gives the same results, so that tuning may choose.
    pub freely: bool,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// What a scheme leaves to be chosen.
#[derive(Clone, Debug, Default)]
pub struct Family {
    /// Its givens, in order.
    pub givens: Vec<Given>,
    /// The conditions that every member fulfils.
    pub restrictions: Vec<Id>,
    /// Whether there is anything in the text that is to be expanded.
    pub is_one: bool,
}

impl Family {
    /// The given with a name.
    pub fn given(&self, name: Symbol) -> Option<&Given> {
        self.givens.iter().find(|g| g.name == name)
    }
}

/// What a scheme that was read leaves to be chosen. Files that it uses may give something, too: where the scheme
/// gives a name of theirs, what it says itself counts.
///
/// # Errors
///
/// Givens that are wrong: without a value, with a default that is none of their values, given twice.
pub fn family(terms: &Terms, root: Id) -> Result<Family, Vec<Diagnostic>> {
    let mut family = Family::default();
    let mut errors = Vec::new();
    let own = terms.span(root).map(|s| s.file);
    let mut holed = None;
    for id in terms.subterms(root) {
        if let Some(name) = terms.as_atom(id).filter(|n| n.as_str().contains('{')) {
            holed = holed.or(Some((name, id)));
        }
        match terms.functor(id).and_then(Construct::of) {
            Some(Construct::Given | Construct::GivenThat) => family.is_one = true,
            Some(Construct::GivenIf | Construct::GivenFor) => family.is_one |= terms.arity(id) > 2,
            _ => {}
        }
    }
    if !family.is_one {
        return match holed {
            None => Ok(family),
            Some((name, id)) => {
                let message =
                    format!("nothing is given that could stand in the braces of `{name}`");
                let diagnostic = Diagnostic::error("E0252", message).at(terms.span(id));
                Err(vec![
                    diagnostic.hint("declare it before DATA: GIVEN k IN {1, 2}"),
                ])
            }
        };
    }
    for &item in terms.args(terms.arg(root, 1)) {
        match terms.functor(item).and_then(Construct::of) {
            Some(Construct::GivenThat) => family.restrictions.push(terms.arg(item, 0)),
            Some(Construct::Given) => match given(terms, item) {
                Ok(given) => add(&mut family, given, own, &mut errors),
                Err(error) => errors.push(*error),
            },
            _ => {}
        }
    }
    match errors.is_empty() {
        true => Ok(family),
        false => Err(errors),
    }
}

/// Adds a given, unless there is one of its name.
fn add(family: &mut Family, given: Given, own: Option<u32>, errors: &mut Vec<Diagnostic>) {
    let of_file = |g: &Given| g.span.map(|s| s.file);
    match family.givens.iter().position(|g| g.name == given.name) {
        None => family.givens.push(given),
        Some(at) if of_file(&given) == own && of_file(&family.givens[at]) != own => {
            family.givens[at] = given;
        }
        Some(at) => errors.push(
            Diagnostic::error("E0202", format!("`{}` is given twice", given.name))
                .at(given.span)
                .also(family.givens[at].span, "given here before")
                .hint("give one of them another name"),
        ),
    }
}

fn given(terms: &Terms, item: Id) -> Result<Given, Refusal> {
    let [name, among, default, marks] = *terms.args(item) else {
        return Err(Box::new(
            Diagnostic::error("E0250", "this is no given").at(terms.span(item)),
        ));
    };
    let name = terms.as_atom(name).unwrap_or("".into());
    let mut values: Vec<Value> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let wrong = |message: String, at: Id| Diagnostic::error("E0250", message).at(terms.span(at));
    for &one in terms.args(among) {
        let ends: Vec<Option<i64>> = terms.args(one).iter().map(|&e| terms.as_int(e)).collect();
        match ends[..] {
            [Some(from), Some(to)] => {
                if from > to {
                    let message = format!("the range {from}..{to} holds nothing");
                    return Err(Box::new(
                        wrong(message, one).hint("ranges go upwards: 1..8"),
                    ));
                }
                if to.abs_diff(from) >= MOST_MEMBERS as u64 {
                    return Err(Box::new(too_many(&name, terms.span(one))));
                }
                let more = (from..=to).map(Value::Int).filter(|&v| seen.insert(v));
                values.extend(more);
            }
            _ => match value(terms, one) {
                Some(value) if seen.insert(value) => values.push(value),
                Some(value) => {
                    let message = format!("`{name}` may be {value} already");
                    return Err(Box::new(wrong(message, one).hint("say each value once")));
                }
                None => return Err(Box::new(wrong("this is no value of a given".into(), one))),
            },
        }
    }
    if values.len() > MOST_MEMBERS {
        return Err(Box::new(too_many(&name, terms.span(among))));
    }
    let is_word = |v: &Value| matches!(v, Value::Word(_));
    if values.iter().any(is_word) && !values.iter().all(is_word) {
        let message = format!("`{name}` may be a number or a word");
        return Err(Box::new(
            wrong(message, among).hint("its values are integers, or all of them are words"),
        ));
    }
    for word in values.iter().filter(|v| is_word(v)) {
        if word.to_string().contains(['(', ')', '\\', '{', '}']) {
            let message = format!("the word \"{word}\" has parentheses or braces in it");
            let hint = "the arguments of a phrase stand where it is called: \"{step} of body (i)\"";
            return Err(Box::new(wrong(message, among).hint(hint)));
        }
    }
    let Some(&first) = values.first() else {
        return Err(Box::new(wrong(format!("`{name}` has no values"), among)));
    };
    let default = match terms.as_atom(default) == Some(Construct::Empty.symbol()) {
        true => first,
        false => match value(terms, default).filter(|v| values.contains(v)) {
            Some(value) => value,
            None => {
                let message = format!("the default of `{name}` is none of its values");
                return Err(Box::new(wrong(message, default).hint(listed(&values))));
            }
        },
    };
    Ok(Given {
        name,
        values,
        default,
        freely: terms.arity(marks) > 0,
        span: terms.span(terms.arg(item, 0)),
    })
}

fn value(terms: &Terms, id: Id) -> Option<Value> {
    match terms.head(id) {
        Head::Int(i) => Some(Value::Int(i)),
        Head::Text(word) => Some(Value::Word(word)),
        _ => None,
    }
}

fn too_many(name: &Symbol, span: Option<Span>) -> Diagnostic {
    let message = format!("`{name}` has more than {MOST_MEMBERS} values");
    Diagnostic::error("E0250", message)
        .at(span)
        .hint("what has so many values is a parameter of DATA: N : INTEGER := 100")
}

/// The values of a given, for a hint.
pub(super) fn listed(values: &[Value]) -> String {
    const MOST_TOLD: usize = 12;
    let mut told: Vec<String> = values
        .iter()
        .take(MOST_TOLD)
        .map(|value| match value {
            Value::Int(i) => i.to_string(),
            Value::Word(word) => format!("\"{word}\""),
        })
        .collect();
    if values.len() > MOST_TOLD {
        told.push("…".into());
    }
    format!("its values are {}", told.join(", "))
}
