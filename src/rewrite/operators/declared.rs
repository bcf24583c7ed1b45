//! Declarations of operators: the attributes before a system.

use super::{COMPUTED, Laws, Operators, is_sequence};
use crate::diagnostic::Diagnostic;
use crate::rewrite::build::builders;
use crate::rewrite::evaluate::is_standard;
use crate::syntax::rules::{
    ANY_ARITY, Attribute, CALL, CONDITIONAL, CONS, NIL, OPERATOR, SCOPED, SET, SET_PATTERN,
};
use crate::term::{Id, Span, Symbol, Terms};

const ASSOCIATIVE: &str = "associative";
const COMMUTATIVE: &str = "commutative";
const IDENTITY: &str = "identity";

/// What the syntax of rules makes, and reads in ways of its own.
const SYNTAX: [&str; 8] = [
    ANY_ARITY,
    CALL,
    CONDITIONAL,
    CONS,
    NIL,
    SCOPED,
    SET,
    SET_PATTERN,
];

const FORM: &str =
    "write `#@operator(name, associative, commutative)`, or with `identity(e)` as a last word";
const ALONE: &str = "what is associative alone needs no declaration: write lists, or sequence \
                     variables such as `f($a.., x, $b..)`";

/// Why a declaration is refused.
struct Refused {
    at: Span,
    message: String,
    hint: &'static str,
}

impl Operators {
    /// Reads the attributes before a system.
    pub(in crate::rewrite) fn read(
        terms: &Terms,
        attributes: &[Attribute],
        refusals: &mut Vec<Diagnostic>,
    ) -> Operators {
        let mut found: Vec<(Symbol, Laws)> = Vec::new();
        let mut refuse = |refused: Refused| {
            let diagnostic = Diagnostic::error("E0305", refused.message);
            refusals.push(diagnostic.at(refused.at).hint(refused.hint));
        };
        for attribute in attributes {
            if attribute.name.as_str() != OPERATOR {
                continue;
            }
            match declaration(terms, attribute) {
                Ok((name, _)) if found.iter().any(|&(other, _)| other == name) => refuse(Refused {
                    at: attribute.span,
                    message: format!("`{name}` is declared twice"),
                    hint: FORM,
                }),
                Ok(operator) => found.push(operator),
                Err(refused) => refuse(refused),
            }
        }
        Operators::of(found)
    }
}

/// What an attribute declares: `operator(name, associative, commutative, identity(e))`.
fn declaration(terms: &Terms, attribute: &Attribute) -> Result<(Symbol, Laws), Refused> {
    let refused = |at: Option<Id>, message: String| Refused {
        at: at.and_then(|at| terms.span(at)).unwrap_or(attribute.span),
        message,
        hint: FORM,
    };
    let Some((&first, rest)) = attribute.arguments.split_first() else {
        return Err(refused(None, "there is no operator".into()));
    };
    let Some(name) = terms.as_atom(first).or(terms.as_text(first)) else {
        return Err(refused(Some(first), "the operator is a name".into()));
    };
    let mut laws = Laws {
        associative: false,
        identity: None,
    };
    let mut commutative = false;
    for &part in rest {
        let word = terms.functor(part).map_or("", |f| f.as_str());
        match (word, terms.args(part)) {
            (ASSOCIATIVE, []) => laws.associative = true,
            (COMMUTATIVE, []) => commutative = true,
            (IDENTITY, &[e]) if terms.arity(e) == 0 && !is_sequence(terms, e) => {
                laws.identity = Some(terms.head(e));
            }
            _ => return Err(refused(Some(part), "that is no law of an operator".into())),
        }
    }
    if !commutative {
        return Err(Refused {
            hint: ALONE,
            ..refused(None, format!("`{name}` is not commutative"))
        });
    }
    if laws.identity.is_some() && !laws.associative {
        let message = format!("`{name}` has an identity and is not associative");
        return Err(refused(None, message));
    }
    let own_meaning = SYNTAX.contains(&name.as_str())
        || builders().any(|builder| builder == name.as_str())
        || is_standard(name) && !COMPUTED.contains(&name.as_str());
    if own_meaning {
        let message =
            format!("`{name}` has a meaning of its own, to which these laws do not belong");
        return Err(refused(Some(first), message));
    }
    Ok((name, laws))
}
