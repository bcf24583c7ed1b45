//! Random systems, terms and facts.

use super::numbers::Numbers;

pub fn pick(numbers: &mut Numbers, from: &[&str]) -> String {
    from[numbers.below(from.len())].to_string()
}

/// What a rule of a random system has.
struct Making<'n> {
    numbers: &'n mut Numbers,
    /// Variables of the pattern so far, and its sequence variables.
    variables: Vec<String>,
    sequences: Vec<String>,
    sets: bool,
    /// Whether facts are asked, and changed.
    facts: bool,
}

impl Making<'_> {
    fn variable(&mut self) -> String {
        // Some stand twice.
        if !self.variables.is_empty() && self.numbers.below(6) == 0 {
            let i = self.numbers.below(self.variables.len());
            return self.variables[i].clone();
        }
        let name = format!("$v{}", self.variables.len());
        self.variables.push(name.clone());
        name
    }

    fn pattern(&mut self, depth: usize) -> String {
        let kinds = if self.sets { 9 } else { 7 };
        match if depth == 0 {
            self.numbers.below(4)
        } else {
            self.numbers.below(kinds)
        } {
            0 | 1 => self.variable(),
            2 => pick(self.numbers, &["a", "b", "true"]),
            3 => pick(self.numbers, &["0", "1", "2"]),
            4 => format!("f({})", self.pattern(depth - 1)),
            5 => format!(
                "g({}, {})",
                self.pattern(depth - 1),
                self.pattern(depth - 1)
            ),
            6 => format!("h({})", self.pattern(depth - 1)),
            7 => {
                let element = self.pattern(depth - 1);
                format!("{{{element} : {}}}", self.variable())
            }
            _ => {
                let name = format!("$s{}", self.sequences.len());
                self.sequences.push(name.clone());
                match self.numbers.below(2) {
                    0 => format!("k({name}.., {})", self.pattern(depth - 1)),
                    _ => format!("k({}, {name}..)", self.pattern(depth - 1)),
                }
            }
        }
    }

    fn root(&mut self) -> String {
        let kinds = if self.sets { 8 } else { 6 };
        match self.numbers.below(kinds) {
            0 => format!("f({})", self.pattern(2)),
            1 | 2 => format!("g({}, {})", self.pattern(1), self.pattern(1)),
            3 | 4 => format!("h({})", self.pattern(1)),
            5 => pick(self.numbers, &["a", "b"]),
            6 => {
                let element = self.pattern(1);
                format!("{{{element} : {}}}", self.variable())
            }
            _ => {
                let name = format!("$s{}", self.sequences.len());
                self.sequences.push(name.clone());
                format!("k({name}.., {}, {})", self.pattern(1), self.pattern(1))
            }
        }
    }

    fn result(&mut self, depth: usize) -> String {
        let kinds = if self.sets { 11 } else { 8 };
        match if depth == 0 {
            self.numbers.below(4)
        } else {
            self.numbers.below(kinds)
        } {
            0 | 1 if !self.variables.is_empty() => {
                let i = self.numbers.below(self.variables.len());
                self.variables[i].clone()
            }
            0..=2 => pick(self.numbers, &["a", "b", "true", "c"]),
            3 => pick(self.numbers, &["0", "1", "2"]),
            4 => format!("f({})", self.result(depth - 1)),
            5 => format!("g({}, {})", self.result(depth - 1), self.result(depth - 1)),
            6 => format!("{} + {}", self.result(depth - 1), self.result(depth - 1)),
            7 => format!("h({})", self.result(depth - 1)),
            8 => format!("{{{}, {}}}", self.result(depth - 1), self.result(depth - 1)),
            9 => format!(
                "{{{} : {}}}",
                self.result(depth - 1),
                self.result(depth - 1)
            ),
            _ => match self.sequences.last().cloned() {
                Some(name) => format!("k({}, {name}..)", self.result(depth - 1)),
                None => format!("k({})", self.result(depth - 1)),
            },
        }
    }

    /// What is asked may be a redex, but no rule is asked about what it is tried on: what comes of
    /// that depends on where else the same is asked.
    fn condition(&mut self) -> String {
        match self.numbers.below(8) {
            0 | 1 => format!("{} == {}", self.result(0), self.result(0)),
            2 => format!("{} != p({})", self.result(0), self.result(0)),
            3 => format!("{} < p({})", self.result(0), self.result(0)),
            4 => format!("p({})", self.result(0)),
            5 => format!("!({})", self.condition()),
            6 => format!("{} == 1 && {}", self.result(0), self.condition()),
            _ => format!("{} == a || {}", self.result(0), self.condition()),
        }
    }

    /// A question that facts answer. Now and then it gives a variable its value, which the rest of
    /// the rule uses, even where it may have none.
    fn question(&mut self) -> String {
        match self.numbers.below(9) {
            0 => format!("e({}, {})", self.result(0), self.result(0)),
            1 => format!("p({})", self.result(1)),
            2 => {
                let asked = format!("ask(e($q, {}))", self.result(0));
                self.variables.push("$q".into());
                asked
            }
            3 => {
                let asked = format!("ask(e({}, $q)) && $q != {}", self.result(1), self.result(0));
                self.variables.push("$q".into());
                asked
            }
            4 => {
                self.variables.push("$r".into());
                format!("ask(e({}, $q)) && ask(e($q, $r))", self.result(0))
            }
            5 => format!("!ask(e({}, $_))", self.result(0)),
            6 => format!("ask(e($r, $r)) && !({})", self.question()),
            7 => format!("ask(p($r)) || {}", self.question()),
            _ => format!("{} && {}", self.condition(), self.question()),
        }
    }

    fn action(&mut self) -> String {
        match self.numbers.below(9) {
            0..=2 => format!("assert(e({}, {}))", self.result(0), self.result(1)),
            3 => format!("assert(p({}))", self.result(1)),
            4 => format!("retract(e({}, $_))", self.result(0)),
            5 => "retract(e($_, $_))".into(),
            6 => format!("retract(p({}))", self.result(0)),
            7 => "setCurrentStopFlag(true)".into(),
            _ => format!("{} && {}", self.action(), self.action()),
        }
    }

    fn rule_of_facts(&mut self) -> String {
        let pattern = self.root();
        let question = match self.numbers.below(4) {
            0 => String::new(),
            _ => format!(" [ {} ]", self.question()),
        };
        let mut outcome = || {
            let result = self.result(2);
            match self.numbers.below(2) {
                0 => format!("{result} [ {} ]", self.action()),
                _ => result,
            }
        };
        let first = format!("{pattern}{question} -> {}", outcome());
        match self.numbers.below(4) {
            0 if !question.is_empty() => {
                // What a question gave has no value where it has no answer.
                self.variables.retain(|name| name != "$q" && name != "$r");
                let other = self.result(1);
                format!("{first} !-> {other} [ {} ]", self.action())
            }
            _ => first,
        }
    }

    fn rule(&mut self) -> String {
        if self.facts {
            return self.rule_of_facts();
        }
        let pattern = self.root();
        match self.numbers.below(6) {
            0 | 1 => {
                let condition = self.condition();
                let first = format!("{pattern} [ {condition} ] -> {}", self.result(2));
                match self.numbers.below(3) {
                    0 => format!("{first} !-> {}", self.result(1)),
                    1 => format!("{first} | [ {} ] -> {}", self.condition(), self.result(1)),
                    _ => first,
                }
            }
            2 => {
                let value = self.result(1);
                self.variables.push("$w".into());
                let result = self.result(2);
                format!("{pattern} -> {result} where ($w <- {value})")
            }
            _ => format!("{pattern} -> {}", self.result(2)),
        }
    }
}

pub fn system(numbers: &mut Numbers, sets: bool, facts: bool) -> String {
    let count = 1 + numbers.below(4);
    let rules = (0..count).map(|_| {
        let mut making = Making {
            numbers: &mut *numbers,
            variables: Vec::new(),
            sequences: Vec::new(),
            sets,
            facts,
        };
        making.rule()
    });
    let mut rules: Vec<String> = rules.collect();
    for _ in 0..numbers.below(3) {
        let from = pick(numbers, &["0", "1", "a", "f($x)", "h(1)", "$x"]);
        let to = pick(numbers, &["true", "false", "1", "a", "k(2)"]);
        rules.push(format!("p({from}) -> {to}"));
    }
    rules.join(";\n")
}

pub fn term(numbers: &mut Numbers, sets: bool, depth: usize) -> String {
    let kinds = if sets { 10 } else { 7 };
    let part = |numbers: &mut Numbers| term(numbers, sets, depth - 1);
    match if depth == 0 {
        numbers.below(3)
    } else {
        2 + numbers.below(kinds)
    } {
        0 => pick(numbers, &["a", "b", "true", "X"]),
        1 | 2 => pick(numbers, &["0", "1", "2"]),
        3 => format!("f({})", part(numbers)),
        4 | 5 => format!("g({}, {})", part(numbers), part(numbers)),
        6 | 7 => format!("h({})", part(numbers)),
        8 => format!(
            "if({} == 1, {}, {})",
            part(numbers),
            part(numbers),
            part(numbers)
        ),
        9 => format!(
            "{{{}, {}, {}}}",
            part(numbers),
            part(numbers),
            part(numbers)
        ),
        _ => format!("k({}, {}, {})", part(numbers), part(numbers), part(numbers)),
    }
}

/// Facts of the functors that rules ask.
pub fn facts(numbers: &mut Numbers) -> String {
    let count = numbers.below(5);
    let fact = |numbers: &mut Numbers| {
        let part = |numbers: &mut Numbers| pick(numbers, &["a", "b", "0", "1", "f(1)", "h(a)"]);
        match numbers.below(4) {
            0 => format!("p({});", part(numbers)),
            _ => format!("e({}, {});", part(numbers), part(numbers)),
        }
    };
    let found: String = (0..count).map(|_| fact(numbers)).collect();
    // What holds of a functor is known only where there are facts of it.
    format!("e(n, n); p(n); {found}")
}
