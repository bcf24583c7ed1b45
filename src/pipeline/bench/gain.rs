//! A change of the options → how much faster the program is with it.

use super::{Bench, Contestant, Row, Variant};
use crate::diagnostic::Diagnostic;
use crate::pipeline::sizes::{Holder, values};
use crate::pipeline::{Failure, Options, Session, Source, load, program};

impl Bench {
    /// Measures the first target and strategy as they are and with a scheme and a derivation by other options,
    /// which begin where these do: the two rows, whose results are compared.
    ///
    /// # Errors
    ///
    /// Whatever stops one of the two programs.
    pub fn gain(
        &self,
        source: Source<'_>,
        changed: &Options,
        session: &mut Session,
    ) -> Result<[Row; 2], Failure> {
        let nothing = || Diagnostic::error("E0006", "no target and strategy to measure");
        let (target, strategy) = self.pairs.first().ok_or_else(nothing)?;
        let mut contestants = Vec::new();
        let mut first = None;
        for options in [&self.options, changed] {
            let mut scheme = load(source, options, session)?;
            scheme.notes.clear();
            contestants.push(Contestant {
                variant: Variant {
                    target: *target,
                    strategy: strategy.clone(),
                    without: None,
                },
                program: Ok(program(&scheme, *target, strategy, options, session)?),
                instructions: None,
            });
            first.get_or_insert(scheme);
        }
        let scheme = first.ok_or_else(nothing)?;
        let values = values(&scheme, &self.options, &self.inputs, &[Holder::of(*target)])?;
        let rows = self.at(&scheme, values, &contestants, &mut Vec::new(), session)?;
        rows.try_into()
            .map_err(|_| Diagnostic::error("E1006", "a program gave no time").into())
    }
}
