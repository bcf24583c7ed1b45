//! The signs of formulas and of printed papers, each with a twin for typing.

/// Where a sign is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In texts and in formulas.
    Both,
    /// In texts only; a formula gives it another meaning.
    Text,
    /// In formulas only.
    Formula,
}

/// One row of the table.
#[derive(Debug)]
pub struct Sign {
    /// The sign as it is printed.
    pub sign: &'static str,
    /// What is typed for it; readers know it by this name.
    pub twin: &'static str,
    /// Where it is read.
    pub form: Form,
    /// What it stands for.
    pub meaning: &'static str,
}

macro_rules! signs {
    ($($sign:literal $twin:literal $form:ident $meaning:literal;)*) => {
        /// The table, longer signs before shorter ones.
        pub static SIGNS: &[Sign] = &[$(Sign {
            sign: $sign,
            twin: $twin,
            form: Form::$form,
            meaning: $meaning,
        },)*];
    };
}

signs! {
    "∨̇" "||" Formula "at once";
    "∏" "**" Formula "a loop over numbers";
    "⟨" "<<" Formula "a basic operator begins";
    "⟩" ">>" Formula "it ends";
    "¬" "!" Formula "not";
    "∧" "/\\" Formula "and";
    "∨" "\\/" Formula "or";
    "·" "~>" Formula "prediction: after the operator";
    "‥" ".." Formula "from a bound to a bound";
    "≠" "<>" Both "not equal";
    "≤" "<=" Both "less or equal";
    "≥" ">=" Both "greater or equal";
    "·" "*" Text "times";
    "×" "*" Both "times";
    "−" "-" Both "minus";
}

impl Sign {
    /// Whether it is read in formulas, or else in texts.
    pub fn is_read(&self, formula: bool) -> bool {
        match self.form {
            Form::Both => true,
            Form::Text => !formula,
            Form::Formula => formula,
        }
    }
}

/// A text of the formula form with the twins of all its signs.
pub fn in_twins(text: &str) -> String {
    let mut out = text.to_owned();
    for sign in SIGNS.iter().filter(|s| s.is_read(true)) {
        out = out.replace(sign.sign, sign.twin);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::TABLE;

    #[test]
    fn every_sign_of_a_formula_has_a_twin() {
        for info in TABLE {
            // A multiplication sign names threads in the comments of meanings only.
            let ascii = in_twins(info.formula);
            assert!(ascii.is_ascii(), "{:?}: {ascii}", info.construct);
        }
    }

    #[test]
    fn no_sign_hides_a_longer_one() {
        for (i, one) in SIGNS.iter().enumerate() {
            for later in &SIGNS[i + 1..] {
                let hides = later.sign != one.sign && later.sign.starts_with(one.sign);
                assert!(!hides, "{} hides {}", one.sign, later.sign);
            }
        }
    }
}
