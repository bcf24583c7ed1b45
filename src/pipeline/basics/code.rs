//! The code of basic operators beside what they mean.

use super::quoted;
use super::trial::Trial;
use crate::check::{Basic, Scheme};
use crate::diagnostic::Diagnostic;
use crate::pipeline::{Failure, Inputs, Options, Run, Session, Source, Target};

/// Runs the code of an operator beside what it means; what differs, if something does.
pub(super) fn code_as_meant(
    scheme: &Scheme,
    basic: &Basic,
    options: &Options,
    session: &mut Session,
) -> Result<Option<Diagnostic>, Failure> {
    let Ok(trial) = Trial::of(scheme, basic) else {
        return Ok(None);
    };
    // Its declaration is found in its file, with its code.
    let text = trial.undeclared("one call");
    let run = Run {
        target: Target::Rust,
        strategy: Some("sequential".to_owned()),
        options: Options {
            operators: options.operators.clone(),
            precision: options.precision,
            ..Options::default()
        },
        inputs: Inputs {
            seeded: true,
            ..Inputs::default()
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
