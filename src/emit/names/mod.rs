//! Names of the scheme → names of the emitted program.

mod keywords;
mod transliterate;

pub use transliterate::{Alphabet, transliterate};

use rustc_hash::FxHashSet;

/// Whose rules a name follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// Rust: `snake_case`.
    Rust,
    /// Rust whose kernels are CUDA: `snake_case`, and free in both.
    RustCuda,
    /// C++ and CUDA: as the author wrote it, words of capitals in small letters.
    Cpp,
}

/// Longest name; what is longer is cut.
const LONGEST: usize = 60;

/// Gives every variable a name that is free where it is seen. No hash map is iterated, so that the
/// same scheme gets the same names.
pub struct Namer {
    convention: Convention,
    alphabet: Alphabet,
    reserved: FxHashSet<&'static str>,
    taken: FxHashSet<String>,
    scopes: Vec<Vec<String>>,
}

impl Namer {
    /// A namer for a language; `alphabet` decides how Cyrillic letters are written.
    pub fn new(convention: Convention, alphabet: Alphabet) -> Namer {
        let reserved = match convention {
            Convention::Rust => keywords::rust().collect(),
            Convention::RustCuda => keywords::rust_cuda().collect(),
            Convention::Cpp => keywords::cpp().collect(),
        };
        Namer {
            convention,
            alphabet,
            reserved,
            taken: FxHashSet::default(),
            scopes: vec![Vec::new()],
        }
    }

    /// Begins a scope.
    pub fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Ends a scope: its names are free again.
    pub fn leave(&mut self) {
        for name in self.scopes.pop().into_iter().flatten() {
            self.taken.remove(&name);
        }
    }

    /// A name for something that the scheme calls `name`, free in this scope and those around it.
    pub fn fresh(&mut self, name: &str) -> String {
        let base = self.plain(name);
        let mut candidate = base.clone();
        let mut number = 1;
        while self.reserved.contains(candidate.as_str()) || self.taken.contains(&candidate) {
            number += 1;
            candidate = format!("{base}_{number}");
        }
        self.taken.insert(candidate.clone());
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(candidate.clone());
        }
        candidate
    }

    /// A name as [`Namer::fresh`] gives it, but free and kept in all scopes.
    pub fn global(&mut self, name: &str) -> String {
        let name = self.fresh(name);
        for scope in &mut self.scopes {
            scope.retain(|n| *n != name);
        }
        name
    }

    /// A name in the language's alphabet and manner, reserved or not.
    fn plain(&self, name: &str) -> String {
        let ascii = transliterate(name, self.alphabet);
        let name = match self.convention {
            Convention::Rust | Convention::RustCuda => snake_case(&ascii),
            // Macros are written in capitals, so words of capitals could be macros.
            Convention::Cpp if ascii.len() > 1 && !ascii.chars().any(|c| c.is_lowercase()) => {
                ascii.to_lowercase()
            }
            Convention::Cpp => ascii,
        };
        tidy(&name, "x")
    }
}

/// A name for a program, its library and its function, made from a title: small letters, digits and
/// single `_`.
///
/// A single word could be a function of C's library, a crate of Rust's or a keyword; none of those
/// ends in `_scheme`.
pub fn program_name(title: &str, alphabet: Alphabet) -> String {
    let name = tidy(&transliterate(title, alphabet).to_lowercase(), "scheme");
    let mut reserved = keywords::rust().chain(keywords::cpp());
    match name == "scheme" || name.contains('_') && reserved.all(|word| word != name) {
        true => name,
        false => format!("{name}_scheme"),
    }
}

/// A name for a field of a struct in Rust, made from a label.
pub fn field_name(label: &str, alphabet: Alphabet) -> String {
    let name = tidy(&transliterate(label, alphabet).to_lowercase(), "series");
    let mut reserved = keywords::rust();
    match reserved.all(|word| word != name) {
        true => name,
        false => format!("{name}_series"),
    }
}

/// Whether Windows takes a file of this name (without extension) for a device.
pub fn is_device_name(name: &str) -> bool {
    matches!(name, "con" | "prn" | "aux" | "nul")
        || matches!(name.strip_prefix("com").or(name.strip_prefix("lpt")), Some(n) if n.len() == 1)
}

/// Single `_` between words, none at the ends, a letter first, not too long.
fn tidy(name: &str, prefix: &str) -> String {
    let words: Vec<&str> = name.split('_').filter(|w| !w.is_empty()).collect();
    let mut tidy = words.join("_");
    if !tidy.starts_with(|c: char| c.is_ascii_alphabetic()) {
        tidy = match tidy.is_empty() {
            true => prefix.to_owned(),
            false => format!("{prefix}_{tidy}"),
        };
    }
    tidy.truncate(LONGEST);
    tidy.trim_end_matches('_').to_owned()
}

/// `maxSpeed` and `MaxSpeed` become `max_speed`, `STEPS` becomes `steps`, `a0` stays.
fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 4);
    for (i, &c) in chars.iter().enumerate() {
        if c.is_ascii_uppercase() && i > 0 {
            let before = chars[i - 1];
            let after = chars.get(i + 1);
            let begins_word = before.is_ascii_lowercase()
                || before.is_ascii_uppercase() && after.is_some_and(|a| a.is_ascii_lowercase());
            if begins_word {
                snake.push('_');
            }
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(convention: Convention, names: &[&str]) -> Vec<String> {
        let mut namer = Namer::new(convention, Alphabet::Ukrainian);
        names.iter().map(|n| namer.fresh(n)).collect()
    }

    #[test]
    fn names_are_free_and_in_the_manner_of_the_language() {
        assert_eq!(
            names(
                Convention::Rust,
                &[
                    "N",
                    "n",
                    "maxSpeed",
                    "STEPS",
                    "fn",
                    "_",
                    "__a",
                    "швидкість",
                    "self",
                    "2"
                ]
            ),
            [
                "n",
                "n_2",
                "max_speed",
                "steps",
                "fn_2",
                "x",
                "a",
                "shvydkist",
                "self_2",
                "x_2"
            ]
        );
        assert_eq!(
            names(
                Convention::Cpp,
                &[
                    "N",
                    "STEPS",
                    "threadIdx",
                    "int",
                    "main",
                    "EOF",
                    "a__b",
                    "маса"
                ]
            ),
            [
                "N",
                "steps",
                "threadIdx_2",
                "int_2",
                "main_2",
                "eof",
                "a_b",
                "masa"
            ]
        );
    }

    #[test]
    fn scopes_free_names() {
        let mut namer = Namer::new(Convention::Rust, Alphabet::Ukrainian);
        namer.enter();
        assert_eq!(namer.fresh("d"), "d");
        namer.leave();
        assert_eq!(namer.fresh("d"), "d");
        assert_eq!(namer.fresh("D"), "d_2");
    }

    #[test]
    fn programs_have_names() {
        let name = |t| program_name(t, Alphabet::Ukrainian);
        assert_eq!(
            name("N-body, fourth-order Hermite"),
            "n_body_fourth_order_hermite"
        );
        assert_eq!(name("test"), "test_scheme");
        assert_eq!(name("random"), "random_scheme");
        assert_eq!(name("and eq"), "and_eq_scheme");
        assert_eq!(name("  "), "scheme");
        assert_eq!(name("3D"), "scheme_3d");
        assert_eq!(name("../../etc/passwd"), "etc_passwd");
        assert_eq!(name("Рух тіл"), "rukh_til");
    }
}
