//! A rule's page → the cases it shows: examples, and what the rule must not be applied to.

use super::rule::Rule;

/// A case of a rule's page, in the language of schemes.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Values of the rule's parameters.
    pub settings: Vec<(String, i64)>,
    /// What the rule is tried on.
    pub before: String,
    /// What comes of it, or why nothing does.
    pub shows: Shows,
}

/// What a case shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Shows {
    /// What the rule makes.
    Becomes(String),
    /// The part of the condition that stops it, all others being met.
    NotWithout(String),
}

impl Rule {
    /// The cases of its page, in order.
    ///
    /// Lines that are indented by four are code. Code, a line `becomes` and code are an example; a
    /// line "Not without `condition`:" and code are a near miss; a line "With name = number, …:"
    /// before either sets parameters.
    pub fn cases(&self) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        let mut settings = Vec::new();
        let mut stopped_by: Option<String> = None;
        let mut before: Option<String> = None;
        let mut becomes = false;
        let mut lines = self.doc.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(first) = line.strip_prefix("    ") {
                let mut code = first.to_owned();
                while let Some(more) = lines.peek().and_then(|l| l.strip_prefix("    ")) {
                    code.push('\n');
                    code.push_str(more);
                    lines.next();
                }
                let shows = match (stopped_by.take(), becomes) {
                    (Some(condition), _) => Some((code.clone(), Shows::NotWithout(condition))),
                    (None, true) => before
                        .take()
                        .map(|before| (before, Shows::Becomes(code.clone()))),
                    (None, false) => None,
                };
                becomes = false;
                match shows {
                    Some((before, shows)) => cases.push(Case {
                        settings: std::mem::take(&mut settings),
                        before,
                        shows,
                    }),
                    None => before = Some(code),
                }
            } else if line == "becomes" {
                becomes = true;
            } else if let Some(set) = line.strip_prefix("With ").and_then(|l| l.strip_suffix(':')) {
                settings = set.split(", ").filter_map(setting).collect();
            } else if let Some(rest) = line.strip_prefix("Not without `") {
                stopped_by = rest.strip_suffix("`:").map(str::to_owned);
            }
        }
        cases
    }
}

/// `name = number`.
fn setting(text: &str) -> Option<(String, i64)> {
    let (name, value) = text.split_once('=')?;
    Some((name.trim().to_owned(), value.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::RuleBase;
    use super::*;
    use crate::term::Sources;

    #[test]
    fn cases_are_read_from_the_page() {
        let text = "# Does. With f.\n#\n# With n = 2, m = -3:\n#     a;\n#       b\n# becomes\n#     c\n#\n\
                    # Not without `p(x)`:\n#     d\nf($x) [p($x)] -> $x;\n";
        let mut sources = Sources::default();
        let file = sources.add("x.rules", text);
        let base = RuleBase::load(&sources, &[file]).expect("well-formed rules");
        let case = |settings: &[(&str, i64)], before: &str, shows| Case {
            settings: settings.iter().map(|&(n, v)| (n.to_owned(), v)).collect(),
            before: before.to_owned(),
            shows,
        };
        assert_eq!(
            base.rules[0].cases(),
            [
                case(
                    &[("n", 2), ("m", -3)],
                    "a;\n  b",
                    Shows::Becomes("c".to_owned())
                ),
                case(&[], "d", Shows::NotWithout("p(x)".to_owned())),
            ]
        );
        let parts = base.rules[0].condition_parts(base.terms());
        let part = |s: &crate::term::Span| &text[s.from as usize..s.to as usize];
        assert_eq!(parts.iter().map(part).collect::<Vec<_>>(), ["p($x)"]);
    }
}
