//! Terms in plain Rust, with all forms that they have modulo the laws.

use crate::numbers::Numbers;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Formatter, Write as _};

/// A term; variables have names in capitals, `f` is the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree(pub String, pub Vec<Tree>);

impl Ord for Tree {
    /// The order in which arguments are kept: names, then how many arguments, then these.
    fn cmp(&self, other: &Tree) -> Ordering {
        let heads = self.0.cmp(&other.0);
        let heads = heads.then(self.1.len().cmp(&other.1.len()));
        heads.then_with(|| self.1.cmp(&other.1))
    }
}

impl PartialOrd for Tree {
    fn partial_cmp(&self, other: &Tree) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

pub type Values = BTreeMap<String, Tree>;

pub fn f(a: Tree, b: Tree) -> Tree {
    Tree("f".into(), vec![a, b])
}

impl Tree {
    pub fn random(numbers: &mut Numbers, depth: usize, leaves: &[&str]) -> Tree {
        match numbers.below(if depth == 0 { 1 } else { 5 }) {
            1 => Tree("g".into(), vec![Tree::random(numbers, depth - 1, leaves)]),
            2..=4 => {
                let a = Tree::random(numbers, depth - 1, leaves);
                f(a, Tree::random(numbers, depth - 1, leaves))
            }
            _ => Tree(leaves[numbers.below(leaves.len())].into(), Vec::new()),
        }
    }

    pub fn is_variable(&self) -> bool {
        self.0.starts_with(char::is_uppercase)
    }

    pub fn variables(&self, into: &mut Vec<String>) {
        if self.is_variable() {
            into.push(self.0.clone());
        }
        self.1.iter().for_each(|arg| arg.variables(into));
    }

    /// The arguments of nested `f` in one row.
    pub fn elements(self, into: &mut Vec<Tree>) {
        match self.0 == "f" {
            true => self.1.into_iter().for_each(|arg| arg.elements(into)),
            false => into.push(self),
        }
    }

    /// The form in which it is kept; `e` is the identity, if there is one.
    pub fn kept(&self, identity: bool) -> Tree {
        let args = self.1.iter().map(|arg| arg.kept(identity));
        if self.0 != "f" {
            return Tree(self.0.clone(), args.collect());
        }
        let mut elements = Vec::new();
        args.for_each(|arg| arg.elements(&mut elements));
        elements.retain(|arg| !(identity && arg.0 == "e"));
        elements.sort();
        match elements.len() {
            0 => Tree("e".into(), Vec::new()),
            1 => elements.swap_remove(0),
            _ => Tree("f".into(), elements),
        }
    }

    /// All terms that are equal to a kept one modulo the laws, with `f` of two arguments; none if
    /// there are very many.
    pub fn forms(&self) -> Option<Vec<Tree>> {
        let args: Option<Vec<Vec<Tree>>> = self.1.iter().map(Tree::forms).collect();
        let args = args?;
        if self.0 == "f" {
            return grouped(&args);
        }
        let mut all = vec![Vec::new()];
        for choices in &args {
            let longer = |row: &Vec<Tree>| -> Vec<Vec<Tree>> {
                let with = |c: &Tree| row.iter().cloned().chain([c.clone()]).collect();
                choices.iter().map(with).collect()
            };
            all = all.iter().flat_map(longer).collect();
        }
        Some(
            all.into_iter()
                .map(|row| Tree(self.0.clone(), row))
                .collect(),
        )
    }

    pub fn matches(&self, term: &Tree, values: &mut Values) -> bool {
        if self.is_variable() {
            let value = values.entry(self.0.clone()).or_insert_with(|| term.clone());
            return value.kept(false) == term.kept(false);
        }
        let mut args = self.1.iter().zip(&term.1);
        self.0 == term.0 && self.1.len() == term.1.len() && args.all(|(p, t)| p.matches(t, values))
    }

    pub fn filled(&self, values: &Values) -> Tree {
        match values.get(&self.0) {
            Some(value) => value.clone(),
            None => {
                let args = self.1.iter().map(|a| a.filled(values));
                Tree(self.0.clone(), args.collect())
            }
        }
    }

    /// What plain rules make of a term with `f` of two arguments.
    pub fn plain_steps(&self, rules: &[(Tree, Tree)]) -> Vec<Tree> {
        let mut found = Vec::new();
        for (left, right) in rules {
            let mut values = Values::new();
            if left.matches(self, &mut values) {
                found.push(right.filled(&values));
            }
        }
        for (i, arg) in self.1.iter().enumerate() {
            for new in arg.plain_steps(rules) {
                let mut args = self.1.clone();
                args[i] = new;
                found.push(Tree(self.0.clone(), args));
            }
        }
        found
    }

    /// What rules make of a kept term modulo the laws; none if it has very many forms.
    pub fn steps(&self, rules: &[(Tree, Tree)]) -> Option<BTreeSet<Tree>> {
        let forms = self.forms()?;
        let all = forms.iter().flat_map(|form| form.plain_steps(rules));
        let mut found: BTreeSet<Tree> = all.map(|new| new.kept(false)).collect();
        found.remove(self);
        Some(found)
    }

    pub fn written(&self, variable: &dyn Fn(&str) -> String) -> String {
        let mut out = match self.is_variable() {
            true => variable(&self.0),
            false => self.0.clone(),
        };
        let args: Vec<String> = self.1.iter().map(|arg| arg.written(variable)).collect();
        if !args.is_empty() {
            let _ = write!(out, "({})", args.join(", "));
        }
        out
    }

    pub fn for_maude(&self) -> String {
        self.written(&|name| format!("{name}:S"))
    }

    pub fn read(text: &str) -> Tree {
        let mut rest = text.trim();
        let tree = Tree::read_from(&mut rest);
        assert!(rest.is_empty(), "{text}");
        tree
    }

    pub fn read_from(rest: &mut &str) -> Tree {
        let end = rest.find(['(', ')', ',']).unwrap_or(rest.len());
        let name = rest[..end].trim().to_owned();
        *rest = &rest[end..];
        let mut args = Vec::new();
        while rest.starts_with(if args.is_empty() { '(' } else { ',' }) {
            *rest = rest[1..].trim_start();
            args.push(Tree::read_from(rest));
        }
        if !args.is_empty() {
            *rest = rest
                .trim_start()
                .strip_prefix(')')
                .expect("a closing bracket");
        }
        Tree(name, args)
    }
}

impl Display for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.written(&|name| format!("${}", name.to_lowercase())))
    }
}

/// Beyond so many forms a term is left out.
pub const MOST_FORMS: usize = 2_000;

/// All trees of `f` over some elements in any order, each element in any of its forms.
pub fn grouped(elements: &[Vec<Tree>]) -> Option<Vec<Tree>> {
    let count = elements.len();
    let mut of: Vec<Vec<Tree>> = vec![Vec::new(); 1 << count];
    for set in 1..of.len() {
        if set.count_ones() == 1 {
            of[set] = elements[set.trailing_zeros() as usize].clone();
            continue;
        }
        let mut all = Vec::new();
        for left in 1..set {
            if left & set != left {
                continue;
            }
            for a in &of[left] {
                all.extend(of[set & !left].iter().map(|b| f(a.clone(), b.clone())));
            }
            if all.len() > MOST_FORMS {
                return None;
            }
        }
        of[set] = all;
    }
    of.pop()
}
