//! What a call reached that its operator does not declare.

use super::cells::{Cells, Inputs, random_cells, run};
use super::trial::{ANSWER, PASSED, Trial};
use crate::algebra::{COMPONENTS, Type};
use crate::check::Scheme;
use crate::term::Symbol;
use rand::RngExt;
use rand_pcg::Pcg64;

impl Trial {
    /// What a call did that is not declared.
    pub fn undeclared_effect(
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
        let mut changed_inputs = inputs.clone();
        for name in &self.marked {
            let (Some(old), Some(new)) = (before(name), left.get(name)) else {
                continue;
            };
            let ty = calls.variable(Symbol::new(name))?.ty;
            let is_marked = |word: &str, k: usize| {
                let marks = marks.get(&format!("{name}_{word}"));
                marks.and_then(|marks| marks.get(k)) == Some(&1)
            };
            let mut changed = (0..old.len()).filter(|&k| old[k] != new[k]);
            if let Some(k) = changed.find(|&k| !is_marked("written", k)) {
                let place = place(name, ty, k);
                return Some(format!("writes {place}, which WRITES does not list"));
            }
            let other = random_cells(ty, old.len(), random.random_range(0..1 << 40));
            let cells = (0..old.len()).map(|k| match is_marked("read", k) {
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
            let ty = calls.variable(Symbol::new(name))?.ty;
            let place = place(name, ty, differs);
            Some(format!(
                "reads something that READS does not list: {place} depends on it"
            ))
        })
    }
}

/// Which number of a variable is meant, in words.
fn place(name: &str, ty: Type, k: usize) -> String {
    let of = match name.strip_prefix(PASSED) {
        _ if name == ANSWER => return "what it says".to_owned(),
        Some(number) => format!("argument {number}"),
        None => format!("`{name}`"),
    };
    let cell = k / ty.components();
    match ty.is_vector() {
        true => format!(
            "component {} of cell {cell} of {of}",
            COMPONENTS[k % ty.components()]
        ),
        false => format!("cell {cell} of {of}"),
    }
}
