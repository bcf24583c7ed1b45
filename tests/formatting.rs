//! The layout of texts: what they mean stays, every comment stays, and a second layout changes nothing.

#[path = "random/maker.rs"]
mod maker;

use glushkov::diagnostic::render;
use glushkov::syntax::format::{Kind, format};
use glushkov::syntax::rules::{Item, RuleItem, print_term, read_rules};
use glushkov::syntax::text::{read_file, read_operators};
use glushkov::term::{Sources, Terms};
use glushkov::toolchain::testing::in_campaign;
use rand::RngExt;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::path::{Path, PathBuf};

/// The files of a folder and of those in it whose names end so.
fn files(folder: &Path, end: &str, into: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut entries: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for entry in entries {
        match entry.is_dir() {
            true => files(&entry, end, into),
            false if entry.extension().is_some_and(|e| e == end) => into.push(entry),
            false => {}
        }
    }
}

fn texts(folders: &[&str], end: &str) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    for folder in folders {
        files(folder.as_ref(), end, &mut paths);
    }
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("a readable text");
    let named = paths
        .iter()
        .map(|path| (path.display().to_string(), text(path)));
    named.collect()
}

/// A text in its layout; none where it has errors.
fn laid(name: &str, text: &str, kind: Kind) -> Option<String> {
    let mut sources = Sources::default();
    let file = sources.add(name, text.to_owned());
    match format(&sources, file, kind) {
        Ok(laid) => Some(laid),
        Err(errors) => {
            let shown: String = errors.iter().map(|e| render(e, &sources, false)).collect();
            // What can be read can be laid out.
            assert!(errors.iter().all(|e| e.code != "E0010"), "{shown}{text}");
            None
        }
    }
}

/// What a text means, as terms, and how many errors it has.
fn meaning(text: &str, kind: Kind) -> (Vec<String>, usize) {
    let mut terms = Terms::new();
    match kind {
        Kind::Schemes => {
            let mut sources = Sources::default();
            let file = sources.add("a.saa", text.to_owned());
            let (items, errors) = read_file(&sources, file, &mut terms);
            let shown = items.iter().map(|&item| print_term(&terms, item));
            (shown.collect(), errors.len())
        }
        Kind::Operators => {
            let mut sources = Sources::default();
            let file = sources.add("a.ops", text.to_owned());
            let (items, errors) = read_operators(&sources, file, &mut terms);
            let shown = items.iter().map(|&item| print_term(&terms, item));
            (shown.collect(), errors.len())
        }
        Kind::Rules => {
            let (items, errors) = read_rules(&mut terms, 0, text);
            let shown = items.iter().map(|item| match item {
                Item::Rule(rule) | Item::Clause(rule) => rule_as_text(rule, &terms),
                Item::Strategy(strategy) => format!("{} {}", strategy.name, strategy.doc),
                Item::Group(group) => {
                    format!("{} {} {}", group.name, group.doc, group.members.len())
                }
                Item::System(system) => format!("{} {}", system.name, system.entries.len()),
            });
            (shown.collect(), errors.len())
        }
    }
}

/// The page of a rule, its attributes and its terms.
fn rule_as_text(rule: &RuleItem, terms: &Terms) -> String {
    let mut text = rule.doc.clone();
    for attribute in &rule.attributes {
        text.push_str(&format!("\n#@{}", attribute.name));
        for &argument in &attribute.arguments {
            text.push_str(&print_term(terms, argument));
        }
    }
    text.push_str(&print_term(terms, rule.pattern));
    for alternative in &rule.alternatives {
        for id in alternative
            .condition
            .iter()
            .chain([&alternative.outcome.result])
        {
            text.push_str(&print_term(terms, *id));
        }
    }
    for binding in rule.lets.iter().chain(&rule.wheres) {
        text.push_str(&print_term(terms, binding.value));
    }
    text
}

/// How often `#` stands in a text: comments, and what looks like one.
fn marks(text: &str) -> usize {
    text.matches('#').count()
}

/// Lays a text out and holds the result against it.
fn held(name: &str, text: &str, kind: Kind) -> Option<String> {
    let once = laid(name, text, kind)?;
    let twice = laid(name, &once, kind).unwrap_or_else(|| panic!("{name} reads no more:\n{once}"));
    assert_eq!(
        once, twice,
        "{name} is laid out otherwise the second time:\n{text}"
    );
    assert_eq!(
        marks(text),
        marks(&once),
        "{name} has lost a comment:\n{text}\n{once}"
    );
    assert_eq!(
        meaning(text, kind),
        meaning(&once, kind),
        "{name}:\n{text}\n{once}"
    );
    let clean = |line: &str| line.trim_end() == line;
    let quoted = |line: &str| line.contains(['"', '\'']);
    for line in once.lines() {
        assert!(
            clean(line) || quoted(line),
            "{name} ends a line in blanks: {line:?}"
        );
    }
    Some(once)
}

#[test]
fn the_library_stays_as_it_is() {
    for (name, text) in texts(&["schemes"], "saa") {
        assert_eq!(
            held(&name, &text, Kind::Schemes).as_ref(),
            Some(&text),
            "{name}"
        );
    }
}

#[test]
fn operators_of_the_library_stay_as_they_are() {
    for (name, text) in texts(&["operators"], "ops") {
        assert_eq!(held(&name, &text, Kind::Operators), Some(text), "{name}");
    }
}

const DECLARED: &str = "# head
\"A (i)\" ==== BASIC (i:INTEGER;x:REAL[n,m]) # after
 READS x[i,0],
   # in a list
   x[i,1]
 WRITES x[i,0] MEANS x[i,0]:=1;x[i,1]:=2 UK \"Б (i)\"
 LATEX \"h\"   # why
 CODE rust ```
   #include <x>  # no comment
      let a = \"x\";
 ```
 # before the end
END OF BASIC;
'p (i)' ==== BASIC (i : INTEGER) READS q[i] MEANS q[i]>0 AND q[i]<5 RU 'п (i)' END OF BASIC
";

const DECLARED_IN_LAYOUT: &str = "# head
\"A (i)\" ==== BASIC (i : INTEGER; x : REAL [n, m]) # after
  READS x[i, 0],
      # in a list
      x[i, 1]
  WRITES x[i, 0]
  MEANS x[i, 0] := 1; x[i, 1] := 2
  UK \"Б (i)\"
  LATEX \"h\"  # why
  CODE rust ```
   #include <x>  # no comment
      let a = \"x\";
 ```
  # before the end
END OF BASIC;
'p (i)' ==== BASIC (i : INTEGER)
  READS q[i]
  MEANS q[i] > 0 AND q[i] < 5
  RU 'п (i)'
END OF BASIC
";

#[test]
fn code_and_comments_of_operators_stay() {
    let made = held("a.ops", DECLARED, Kind::Operators);
    assert_eq!(made.as_deref(), Some(DECLARED_IN_LAYOUT));
}

#[test]
fn texts_mean_what_they_did() {
    let mut held_ones = 0;
    for (name, text) in texts(&["tests", "docs"], "saa") {
        held_ones += usize::from(held(&name, &text, Kind::Schemes).is_some());
    }
    for (name, text) in texts(&["rules", "systems", "tests"], "rules") {
        held_ones += usize::from(held(&name, &text, Kind::Rules).is_some());
    }
    assert!(held_ones > 200, "only {held_ones} texts were laid out");
}

/// Puts comments, blanks and ends of lines where blanks may stand.
struct Disorder {
    random: Pcg64,
    kind: Kind,
    comments: usize,
}

impl Disorder {
    fn new(seed: u64, kind: Kind) -> Disorder {
        Disorder {
            random: Pcg64::seed_from_u64(seed),
            kind,
            comments: 0,
        }
    }

    fn blank(&mut self, out: &mut String) {
        match self.random.random_range(0..40) {
            0 => {
                self.comments += 1;
                out.push_str(&format!(" # c{} \"; (\n", self.comments));
            }
            1 => {
                self.comments += 1;
                out.push_str(&format!("\n\n\n   # c{} ' END\t\n", self.comments));
            }
            2 => out.push('\n'),
            3 => out.push_str("\n\n \n"),
            4 => out.push_str("   \t "),
            5 => out.push_str("\r\n"),
            _ => out.push(' '),
        }
    }

    fn of(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut chars = text.chars().peekable();
        // The quote that is open, or `#` within a comment.
        let mut inside: Option<char> = None;
        while let Some(c) = chars.next() {
            match inside {
                Some('#') => {
                    out.push(c);
                    if c == '\n' {
                        inside = None;
                    }
                }
                Some(quote) => {
                    out.push(c);
                    match c {
                        '\\' => out.extend(chars.next()),
                        c if c == quote => inside = None,
                        _ => {}
                    }
                }
                None => match c {
                    '"' => (out.push(c), inside = Some(c)).0,
                    '\'' if self.kind == Kind::Schemes => (out.push(c), inside = Some(c)).0,
                    '`' => (out.push(c), inside = Some(c)).0,
                    '#' => {
                        out.push(c);
                        let attribute = self.kind == Kind::Rules && chars.peek() == Some(&'@');
                        inside = (!attribute).then_some('#');
                    }
                    // Some blanks are left out where signs stand around them.
                    ' ' if out.ends_with(['(', ',', ';', '+', '*'])
                        && self.random.random_range(0..4) == 0 => {}
                    c if c.is_whitespace() => self.blank(&mut out),
                    '(' | ')' | '[' | ']' | ',' | ';' if self.random.random_range(0..6) == 0 => {
                        let breaks_word = self.kind == Kind::Rules && matches!(c, '[' | '(');
                        if !breaks_word && c != '[' && c != '(' {
                            self.blank(&mut out);
                        }
                        out.push(c);
                        self.blank(&mut out);
                    }
                    c => out.push(c),
                },
            }
        }
        if self.random.random() {
            out.push_str("# the last one");
        }
        out
    }
}

#[test]
fn schemes_in_disorder_are_laid_out() {
    let known = texts(&["schemes", "tests"], "saa");
    let count = if in_campaign() { 3_000 } else { 200 };
    let (mut laid_out, mut comments) = (0, 0);
    for seed in 0..count {
        let mut disorder = Disorder::new(seed, Kind::Schemes);
        let text = match seed % 2 {
            0 => maker::made(seed, seed % 4 == 0),
            _ => {
                let at = disorder.random.random_range(0..known.len());
                known[at].1.clone()
            }
        };
        let mixed = disorder.of(&text);
        if held(&format!("seed {seed}"), &mixed, Kind::Schemes).is_some() {
            laid_out += 1;
            comments += disorder.comments;
        }
    }
    assert!(
        laid_out * 10 > count * 8,
        "only {laid_out} of {count} could be read"
    );
    assert!(
        comments as u64 > 5 * laid_out,
        "{comments} comments in {laid_out} schemes"
    );
}

#[test]
fn rules_in_disorder_are_laid_out() {
    let known = texts(&["rules", "systems", "tests"], "rules");
    let count = if in_campaign() { 400 } else { 80 };
    let mut laid_out = 0;
    for seed in 0..count {
        let mut disorder = Disorder::new(seed, Kind::Rules);
        let at = disorder.random.random_range(0..known.len());
        let mixed = disorder.of(&known[at].1);
        laid_out += u64::from(held(&format!("seed {seed}"), &mixed, Kind::Rules).is_some());
    }
    assert!(
        laid_out * 10 > count * 8,
        "only {laid_out} of {count} could be read"
    );
}

/// A text and its layout.
fn gives(text: &str, expected: &str) {
    assert_eq!(
        held("a.saa", text, Kind::Schemes).as_deref(),
        Some(expected)
    );
}

#[test]
fn blocks_take_lines_of_their_own_once_they_take_several() {
    gives(
        "SCHEME \"s\"====\nDATA N:INTEGER:=2 # two\n x:REAL[N]OUTPUT\nEND OF DATA\nFOR(i FROM 0 TO N-1)LOOP IF i=0 THEN\nx[i]:=-1 ELSE IF i=1 THEN x[i]:=2 END IF END IF END OF LOOP\nEND OF SCHEME \"s\"",
        "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 2 # two\n  x : REAL [N] OUTPUT\nEND OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP\n    IF i = 0 THEN\n      x[i] := -1\n    ELSE IF i = 1 THEN x[i] := 2 END IF END IF\n  END OF LOOP\nEND OF SCHEME \"s\"\n",
    );
}

#[test]
fn comments_stay_where_they_are() {
    gives(
        "# first\nСХЕМА # title\n \"s\" ====\n\n\nx := f(a, # one\n  b # two\n  ); # three\n# before\nДЕ # defs\n# of A\n\"A\" ==== EMPTY\nКІНЕЦЬ # odd\n СХЕМИ \"s\" # end\n\n\n# last",
        "# first\nСХЕМА # title\n  \"s\" ====\n\n  x := f(a, # one\n    b # two\n    ); # three\n# before\nДЕ # defs\n  # of A\n  \"A\" ==== EMPTY\nКІНЕЦЬ # odd\n  СХЕМИ \"s\" # end\n\n# last\n",
    );
}

#[test]
fn long_lines_end_at_the_outermost_place() {
    let term = "alpha[i] * beta[i] + gamma(first[i], second[i]) * delta[i]";
    gives(
        &format!("SCHEME \"s\" ====\n  FOR (i FROM 0 TO 9) LOOP x := {term} + {term} END OF LOOP\nEND OF SCHEME \"s\""),
        &format!("SCHEME \"s\" ====\n  FOR (i FROM 0 TO 9) LOOP\n    x := {term}\n      + {term}\n  END OF LOOP\nEND OF SCHEME \"s\"\n").replace(
            "delta[i]\n      + alpha[i] * beta[i] + gamma",
            "delta[i] + alpha[i] * beta[i]\n      + gamma",
        ),
    );
}
