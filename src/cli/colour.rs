//! Whether what is written has colours.

use clap::ValueEnum;
use std::ffi::OsString;
use std::io::IsTerminal;

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set; elsewhere if CLICOLOR_FORCE is
    #[default]
    Auto,
    /// Wherever the output goes
    Always,
    /// Nowhere
    Never,
}

impl Colour {
    /// Whether a stream has colours.
    pub fn on(self, stream: &impl IsTerminal) -> bool {
        self.decided(stream.is_terminal(), |name| std::env::var_os(name))
    }

    fn decided(self, terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
        let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto if is_set("NO_COLOR") => false,
            Colour::Auto if is_set("CLICOLOR_FORCE") => {
                variable("CLICOLOR_FORCE").is_some_and(|value| value != "0")
            }
            Colour::Auto => terminal && variable("TERM").is_none_or(|term| term != "dumb"),
        }
    }

    /// What words of a command line that may be wrong say.
    pub fn asked(words: &[OsString]) -> Colour {
        let mut words = words.iter().map(|word| word.to_string_lossy());
        let mut asked = Colour::Auto;
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("--color") {
                Some("") => words.next(),
                Some(rest) => rest.strip_prefix('=').map(|value| value.to_owned().into()),
                None if word == "--" => break,
                None => None,
            };
            let value = value.and_then(|value| Colour::from_str(&value, false).ok());
            asked = value.unwrap_or(asked);
        }
        asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_count_where_the_option_leaves_it_open() {
        let with = |colour: Colour, terminal, set: &[(&str, &str)]| {
            colour.decided(terminal, |name| {
                let found = set.iter().find(|(n, _)| *n == name);
                found.map(|(_, value)| OsString::from(value))
            })
        };
        assert!(with(Colour::Auto, true, &[]) && !with(Colour::Auto, false, &[]));
        assert!(!with(Colour::Auto, true, &[("NO_COLOR", "1")]));
        assert!(with(Colour::Auto, true, &[("NO_COLOR", "")]));
        assert!(!with(Colour::Auto, true, &[("TERM", "dumb")]));
        assert!(with(Colour::Auto, false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!with(Colour::Auto, true, &[("CLICOLOR_FORCE", "0")]));
        let both = [("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")];
        assert!(!with(Colour::Auto, false, &both));
        assert!(with(Colour::Always, false, &both) && !with(Colour::Never, true, &both));
    }

    #[test]
    fn words_that_are_wrong_are_read_as_far_as_they_can_be() {
        let asked = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            Colour::asked(&words)
        };
        assert_eq!(asked("glushkov rum --color never"), Colour::Never);
        assert_eq!(asked("glushkov --color=always rum"), Colour::Always);
        assert_eq!(asked("glushkov run --color"), Colour::Auto);
        assert_eq!(
            asked("glushkov run --color=red -- --color=never"),
            Colour::Auto
        );
    }
}
