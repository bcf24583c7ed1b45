//! Laws of the rule base → refusals of those that do not hold.

use crate::algebra::{Construct, Sort};
use crate::diagnostic::Diagnostic;
use crate::equality::{Comparison, End, Place, Side, TooLarge, Trace, compare};
use crate::rewrite::{Law, Rule, RuleBase};
use crate::syntax::rules::print_term_short;
use crate::term::{Id, Terms};

/// The laws of a rule base that are said to be decided and do not hold, each with what shows it.
///
/// A law is decided without its condition: an identity that holds everywhere holds under any
/// condition, which then only picks where it is used. Its variables stand for any operators and
/// predicates, as identities of the algebra are closed under substitution; a sequence variable
/// stands for any sequence, which is an operator too.
pub(super) fn refused(base: &RuleBase) -> Vec<Diagnostic> {
    let laws = base.rules.iter().filter(|r| r.law == Some(Law::Decided));
    laws.filter_map(|rule| refusal(base.terms(), rule))
        .collect()
}

fn refusal(rules: &Terms, rule: &Rule) -> Option<Diagnostic> {
    if rule.computes(rules) {
        let why = "a result that is computed cannot be compared";
        return Some(told(rule, why.to_owned(), Vec::new()));
    }
    let sides = |result| [rule.pattern, result].map(|root| Side { terms: rules, root });
    let found = |result| {
        let [pattern, result] = sides(result);
        compare(pattern, result)
    };
    rule.results().find_map(|result| match found(result) {
        Ok(Comparison { trace: None, .. }) => None,
        Ok(Comparison {
            trace: Some(trace),
            meaning,
        }) => {
            let texts = meaning.iter().map(|&place| text(rules, place)).collect();
            let is_predicate = is_predicate(rules, rule.pattern);
            Some(told(rule, way(rules, &trace, is_predicate), texts))
        }
        Err(TooLarge) => {
            let why = "its sides are too complex to compare";
            Some(told(rule, why.to_owned(), Vec::new()))
        }
    })
}

fn told(rule: &Rule, why: String, meaning: Vec<String>) -> Diagnostic {
    let message = format!("the law `{}` does not hold: {why}", rule.name);
    let hint = match &meaning[..] {
        [] => {
            "an identity holds for all operators and predicates: mend the rule, or leave #@law out"
                .to_owned()
        }
        [first, ..] => format!(
            "what `{first}` means is not looked at; if the law holds by that, write #@law(tested)"
        ),
    };
    Diagnostic::error("E0343", message)
        .at(rule.span)
        .label("said to be an identity")
        .hint(hint)
}

fn is_predicate(rules: &Terms, id: Id) -> bool {
    let construct = rules.functor(id).and_then(Construct::of);
    construct.is_some_and(|c| c.info().sort == Sort::Condition)
}

fn text(rules: &Terms, place: Place) -> String {
    let (Place::First(id) | Place::Second(id)) = place;
    print_term_short(rules, id, 60)
}

/// How the sides of a law differ, in a sentence.
fn way(rules: &Terms, trace: &Trace, is_predicate: bool) -> String {
    let show = |place| text(rules, place);
    if is_predicate {
        let values = trace.values.iter().map(|v| {
            let not = if v.holds { "" } else { " does not hold" };
            let holds = if v.holds { " holds" } else { "" };
            format!("{}{holds}{not}", show(v.predicate))
        });
        let values: Vec<String> = values.collect();
        let side = match trace.first {
            End::Stops => "the left side holds and the right side does not",
            _ => "the right side holds and the left side does not",
        };
        return match values.is_empty() {
            true => side.to_owned(),
            false => format!("where {}, {side}", values.join(" and ")),
        };
    }
    trace
        .lines(&show, ["the left side", "the right side"])
        .join(" ")
}

#[cfg(test)]
mod tests {
    use crate::derive::rule_base;
    use crate::term::Sources;

    /// What is said of a rule file; nothing if it loads.
    fn said(rule: &str) -> Option<String> {
        let mut sources = Sources::default();
        let further = [("mine.rules".to_owned(), rule.to_owned())];
        let refused = rule_base(&mut sources, &further).err()?;
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert_eq!(refused[0].code, "E0343");
        assert!(refused[0].span.is_some());
        Some(refused[0].message.clone())
    }

    #[test]
    fn false_laws_are_refused_with_what_shows_it() {
        for (rule, wanted) in [
            (
                "#@law Then($A, $B) -> Then($B, $A);",
                "the left side goes on with $A, and the right side goes on with $B",
            ),
            (
                "#@law While($u, $A) -> If($u, $A, Empty);",
                "where $u holds, both do $A; then, where $u holds, the left side goes on with $A, \
                 and the right side stops",
            ),
            (
                "#@law If($u, $A, If($v, $B, $C)) -> If($v, $B, If($u, $A, $C));",
                "where $u holds and $v holds, the left side goes on with $A, and the right side \
                 goes on with $B",
            ),
            (
                "#@law Then($h.., Filter($u), $t..) -> Then($h.., $t..);",
                "both do $h..; then, where $u does not hold, the left side has no result, and the \
                 right side goes on with $t..",
            ),
            (
                "#@law Not(And($u, $v)) -> And(Not($u), Not($v));",
                "where $u does not hold and $v holds, the left side holds and the right side does not",
            ),
            (
                "#@law Then($A, If($u, $B, $C)) -> If($u, Then($A, $B), Then($A, $C));",
                "both do $A; then",
            ),
            (
                "#@law While($u, $A) [ parallel_ok($A) ] -> Empty | [ True ] -> While($u, $A);",
                "where $u holds, the left side goes on with $A, and the right side stops",
            ),
            (
                "#@law Then($A, $B) -> Then(each($x, $A, $x), $B);",
                "a result that is computed",
            ),
            ("#@law If($_, $A, If($_, $B, $A)) -> $A;", "goes on with $B"),
        ] {
            let said = said(rule).unwrap_or_else(|| panic!("{rule} is taken for a law"));
            assert!(said.contains(wanted), "{rule}\n{said}\n{wanted}");
        }
    }

    #[test]
    fn laws_hold_for_what_is_not_regular_as_a_term() {
        for rule in [
            "#@law If($u, ForLoop($i, $a, $b, $A), ForLoop($i, $a, $b, $A)) -> ForLoop($i, $a, $b, $A);",
            "#@law While($u, $A) [ parallel_ok($A) ] -> If($u, Then($A, While($u, $A)), Empty);",
            // What is only tested is not decided.
            "#@law(tested) Async($A, $B) -> Async($B, $A);",
        ] {
            assert_eq!(said(rule), None, "{rule}");
        }
        assert!(said("#@law Async($A, $B) -> Async($B, $A);").is_some());
    }
}
