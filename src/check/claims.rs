//! Claims about what is not there: ASSUME and `--assume` may speak of the scheme's own loops, arrays
//! and constants only. A slip in a name would otherwise be a claim that helps nobody, in silence.

use super::scheme::{Role, Scheme, author_name};
use crate::algebra::{Construct, Expr, Operator, expr, loop_variable, operator};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol};

/// The claims of a scheme that speak of nothing it has, each as an error. Asked of a scheme as its
/// author wrote it: a derived one need not have the loop any more that a claim speaks of.
pub fn unfounded(scheme: &Scheme) -> Vec<Diagnostic> {
    let claims = scheme.assumptions.iter();
    claims.filter_map(|&claim| wrong(scheme, claim)).collect()
}

fn wrong(scheme: &Scheme, claim: Id) -> Option<Diagnostic> {
    let refuse = |message: String| {
        let span = scheme.terms.span(claim);
        Diagnostic::error("E0216", message).at(span)
    };
    match expr(&scheme.terms, claim) {
        Some(Expr::Apply {
            function,
            arguments: &[argument],
        }) => {
            let name = scheme.terms.as_atom(argument)?;
            match function.as_str() {
                "independent" => no_loop(scheme, name, &refuse),
                _ => no_index(scheme, name, &refuse),
            }
        }
        _ => changing(scheme, claim, &refuse),
    }
}

/// That no loop has the variable of `independent (i)`.
fn no_loop(
    scheme: &Scheme,
    name: Symbol,
    refuse: &impl Fn(String) -> Diagnostic,
) -> Option<Diagnostic> {
    let loops = loops(scheme);
    if loops.contains(&author_name(name)) {
        return None;
    }
    let what = match scheme.variable(name) {
        Some(_) => format!("`{name}` is the variable of no loop"),
        None => format!("there is no loop over `{name}`"),
    };
    let hint = match crate::diagnostic::did_you_mean(name.as_str(), loops.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if loops.is_empty() => "the scheme has no loops over numbers".to_owned(),
        None => format!("its loops are over {}", listed(&loops)),
    };
    Some(refuse(format!("{what}, so its iterations cannot be independent")).hint(hint))
}

/// The variables of a scheme's loops, by their authors' names, and those that a kernel has for them.
fn loops(scheme: &Scheme) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut work = vec![(scheme.body, false)];
    while let Some((id, in_kernel)) = work.pop() {
        let name = match operator(&scheme.terms, id) {
            Some(Operator::Local { name, .. }) => Some(name).filter(|_| in_kernel),
            _ => loop_variable(&scheme.terms, id),
        };
        if let Some(name) = name.map(author_name)
            && !found.contains(&name)
        {
            found.push(name);
        }
        let launch = Some(Construct::Launch.symbol());
        let inside = in_kernel || scheme.terms.functor(id) == launch;
        let arguments = scheme.terms.args(id).iter().rev();
        work.extend(arguments.map(|&argument| (argument, inside)));
    }
    found
}

/// That the name of `injective (idx)` is not an array of integers with one subscript.
fn no_index(
    scheme: &Scheme,
    name: Symbol,
    refuse: &impl Fn(String) -> Diagnostic,
) -> Option<Diagnostic> {
    let arrays = || {
        let all = scheme.variables.iter();
        all.filter(|(_, v)| v.dims.len() == 1 && v.ty.is_integer())
    };
    let what = match scheme.variable(name) {
        Some(v) if v.dims.len() == 1 && v.ty.is_integer() => return None,
        Some(v) if !v.is_array() => format!("`{name}` is not an array"),
        Some(v) if v.dims.len() > 1 => format!("`{name}` has several subscripts"),
        Some(_) => format!("`{name}` holds no integers"),
        None => format!("there is no array `{name}`"),
    };
    let names: Vec<&str> = arrays().map(|(n, _)| n.as_str()).collect();
    let hint = match crate::diagnostic::did_you_mean(name.as_str(), names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => {
            "the claim is about an array of subscripts: idx : INTEGER [N] INPUT".to_owned()
        }
        None => format!("arrays of subscripts are {}", listed(&names)),
    };
    Some(refuse(format!("{what}, so it cannot hold each subscript once")).hint(hint))
}

/// That a comparison speaks of what the scheme assigns.
fn changing(
    scheme: &Scheme,
    claim: Id,
    refuse: &impl Fn(String) -> Diagnostic,
) -> Option<Diagnostic> {
    let names = scheme.terms.subterms(claim);
    let mut names = names.filter_map(|id| scheme.terms.as_atom(id));
    let changed = names.find(|&name| {
        let variable = scheme.variable(name);
        variable.is_some_and(|v| matches!(v.role, Role::Data { .. }) && !v.is_constant())
    })?;
    let message = format!("the scheme may assign `{changed}`, so nothing holds of it throughout");
    Some(
        refuse(message).hint("claim something of parameters and INPUT data that keep their values"),
    )
}

/// Names, of many the first.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 12;
    let more = if names.len() > MOST { ", …" } else { "" };
    let shown: Vec<String> = names.iter().take(MOST).map(|n| format!("`{n}`")).collect();
    format!("{}{more}", shown.join(", "))
}
