//! Rules: as read → checked.

use super::build::{Builder, Shadows};
use super::pattern::Pattern;
use super::rule::{Again, FloatClass, Law, Parameter, Rule};
use super::standard::bindings::binds;
use super::standard::rule_terms::has_own_variables;
use crate::diagnostic::Diagnostic;
use crate::syntax::rules::{Binding, OPERATOR, Outcome, RuleItem};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// Checks a rule that was read.
pub(super) struct Check<'a> {
    terms: &'a Terms,
    text: &'a str,
    refusals: &'a mut Vec<Diagnostic>,
    shadows: Shadows,
    /// Whether variables of results may stay free, as in TermWare's systems.
    free: bool,
    names: Vec<Symbol>,
    /// For each name: whether it is a sequence, and whether it has a value yet.
    kinds: Vec<(bool, bool)>,
}

impl<'a> Check<'a> {
    /// The checked rule; `made_name` is its name if the file gives none. `text` is the file's.
    /// `shadows` are the functors that look like builders and have rules of their own. In a system, a variable
    /// of a result that has no value stays what it is.
    pub(super) fn rule(
        terms: &'a Terms,
        text: &'a str,
        item: RuleItem,
        made_name: Symbol,
        shadows: Shadows,
        in_system: bool,
        refusals: &'a mut Vec<Diagnostic>,
    ) -> Rule {
        let mut check = Check {
            terms,
            text,
            refusals,
            shadows,
            free: in_system,
            names: Vec::new(),
            kinds: Vec::new(),
        };
        let mut rule = Rule {
            name: made_name,
            named: false,
            span: item.span,
            doc: item.doc.clone(),
            float: FloatClass::Exact,
            law: None,
            again: Again::Settles,
            parameters: Vec::new(),
            pattern: item.pattern,
            lets: item.lets,
            alternatives: item.alternatives,
            otherwise: item.otherwise,
            wheres: item.wheres,
            matcher: Pattern::new(terms, item.pattern, &mut |_| 0),
            is_modulo: false,
            names: Vec::new(),
            shadows,
            questions: Vec::new(),
        };
        for attribute in &item.attributes {
            check.attribute(&mut rule, attribute);
        }
        check.pattern(item.pattern);
        let mut anonymous = 0;
        let names = &mut check.names;
        let kinds = &mut check.kinds;
        rule.matcher = Pattern::new(terms, item.pattern, &mut |name| {
            // Each `$_` is a variable of its own.
            if name.as_str() != "_"
                && let Some(slot) = names.iter().position(|&n| n == name)
            {
                return slot;
            }
            anonymous += 1;
            names.push(Symbol::new(&format!("_{anonymous}")));
            kinds.push((false, true));
            names.len() - 1
        });
        check.rest(&mut rule);
        rule.names = check.names;
        rule
    }

    /// The checked clause of a predicate: a rule whose results are conditions.
    pub(super) fn clause(
        terms: &'a Terms,
        text: &'a str,
        mut item: RuleItem,
        name: Symbol,
        shadows: Shadows,
        refusals: &'a mut Vec<Diagnostic>,
    ) -> Rule {
        item.attributes.clear();
        let mut rule = Check::rule(terms, text, item, name, shadows, false, refusals);
        let answers: Vec<Id> = rule.results().collect();
        for answer in answers {
            questions(terms, text, &mut rule, answer);
        }
        rule
    }

    fn refuse(&mut self, code: &'static str, at: Id, message: String, hint: &str) {
        let mut diagnostic = Diagnostic::error(code, message).at(self.terms.span(at));
        if !hint.is_empty() {
            diagnostic = diagnostic.hint(hint);
        }
        self.refusals.push(diagnostic);
    }

    fn attribute(&mut self, rule: &mut Rule, attribute: &crate::syntax::rules::Attribute) {
        let args = &attribute.arguments;
        let names: Vec<_> = args
            .iter()
            .map(|&a| self.terms.as_atom(a).or(self.terms.as_text(a)))
            .collect();
        let understood = match (attribute.name.as_str(), &names[..]) {
            ("rule", &[Some(name)]) => {
                rule.name = name;
                rule.named = true;
                true
            }
            ("float", &[Some(class)]) => match FloatClass::from_name(class.as_str()) {
                Some(class) => {
                    rule.float = class;
                    true
                }
                None => false,
            },
            ("law", []) => {
                rule.law = Some(Law::Decided);
                true
            }
            ("law", &[Some(how)]) if how.as_str() == "tested" => {
                rule.law = Some(Law::Tested);
                true
            }
            ("again", &[Some(how)]) => {
                let known = [Again::Undoes, Again::GoesOn];
                let found = known
                    .into_iter()
                    .find(|a| a.name().replace(' ', "_") == how.as_str());
                rule.again = found.unwrap_or(rule.again);
                found.is_some()
            }
            ("param", [Some(name), ..]) => {
                let numbers: Option<Vec<i64>> =
                    args[1..].iter().map(|&a| self.terms.as_int(a)).collect();
                let range = match numbers.as_deref() {
                    Some([default]) => Some((*default, None)),
                    Some([default, low, high]) if low <= default && default <= high => {
                        Some((*default, Some((*low, *high))))
                    }
                    _ => None,
                };
                let fresh = !self.names.contains(name);
                if let (Some((default, range)), true) = (range, fresh) {
                    self.names.push(*name);
                    self.kinds.push((false, true));
                    rule.parameters.push(Parameter {
                        name: *name,
                        default,
                        range,
                        span: attribute.span,
                    });
                }
                range.is_some() && fresh
            }
            ("rule" | "float" | "law" | "again" | "param" | OPERATOR, _) => false,
            // Attributes of other tools, such as TermWare's options, say nothing to the engine.
            _ => true,
        };
        if !understood {
            let hint = match attribute.name.as_str() {
                "rule" => "write `#@rule(name)`",
                "float" => "write `#@float(exact)`, or reassociating, unordered, approximate",
                "law" => "write `#@law`, or `#@law(tested)`",
                OPERATOR => "an operator is declared before the system that has it",
                "again" => "write `#@again(undoes)` or `#@again(goes_on)`",
                _ => "write `#@param(name, default)` or `#@param(name, default, low, high)`",
            };
            let message = format!("the attribute `{}` is not well formed", attribute.name);
            self.refusals.push(
                Diagnostic::error("E0305", message)
                    .at(attribute.span)
                    .hint(hint),
            );
        }
    }

    fn pattern(&mut self, pattern: Id) {
        if matches!(self.terms.head(pattern), Head::Sequence(_)) {
            let message = "a sequence variable cannot be a whole pattern".to_string();
            self.refuse(
                "E0303",
                pattern,
                message,
                "it stands among the arguments of a functor",
            );
        }
        for id in self.terms.subterms(pattern) {
            let (name, sequence) = match self.terms.head(id) {
                Head::Variable(name) => (name, false),
                Head::Sequence(name) => (name, true),
                _ => continue,
            };
            if name.as_str() == "_" && !sequence {
                continue;
            }
            self.declare(id, name, sequence, true);
        }
    }

    /// Notes a variable that gets a value here. `again` if it may have one already.
    fn declare(&mut self, at: Id, name: Symbol, sequence: bool, again: bool) {
        match self.names.iter().position(|&n| n == name) {
            None => {
                self.names.push(name);
                self.kinds.push((sequence, true));
            }
            Some(slot) if self.kinds[slot].0 != sequence => {
                let message = format!("`${name}` stands for one term and for a sequence");
                self.refuse("E0304", at, message, "give one of them another name");
            }
            Some(slot) if self.kinds[slot].1 && !again => {
                let message = format!("`${name}` has a value already");
                self.refuse("E0306", at, message, "give it another name");
            }
            Some(slot) => self.kinds[slot].1 = true,
        }
    }

    fn rest(&mut self, rule: &mut Rule) {
        for &Binding { variable, value } in &rule.lets {
            self.template(value, true);
            self.binding(variable);
        }
        // A `where` may stand before what it uses: all of them are known to the results.
        let conditions: Vec<Id> = rule
            .alternatives
            .iter()
            .filter_map(|a| a.condition)
            .collect();
        for &condition in &conditions {
            self.bound_by(condition);
            self.template(condition, true);
            questions(self.terms, self.text, rule, condition);
        }
        for &Binding { variable, .. } in &rule.wheres {
            self.binding(variable);
        }
        let outcomes = rule
            .alternatives
            .iter()
            .map(|a| a.outcome)
            .chain(rule.otherwise);
        let outcomes: Vec<Outcome> = outcomes.collect();
        for &Binding { value, .. } in &rule.wheres {
            self.template(value, true);
        }
        for outcome in outcomes {
            // What is asked to act may give variables their values.
            if let Some(action) = outcome.action {
                self.free(action);
                self.template(action, false);
            }
            self.template(outcome.result, false);
        }
        for (i, alternative) in rule.alternatives.iter().enumerate() {
            if i > 0 && alternative.condition.is_none() {
                let message = "an alternative needs a condition".to_string();
                self.refuse("E0307", alternative.outcome.result, message, "");
            }
        }
        if rule.otherwise.is_some() && conditions.is_empty() {
            let message = "`!->` can never be reached: the rule has no condition".to_string();
            self.refuse("E0307", rule.pattern, message, "");
        }
    }

    /// Notes the variables that the questions of a condition give values to.
    fn bound_by(&mut self, condition: Id) {
        for id in self.terms.subterms(condition) {
            for &part in binds(self.terms, id) {
                self.free(part);
            }
        }
    }

    /// Notes the variables of a term that have no value yet.
    fn free(&mut self, term: Id) {
        for id in self.terms.subterms(term) {
            if let Head::Variable(name) = self.terms.head(id)
                && !self.names.contains(&name)
            {
                self.declare(id, name, false, true);
            }
        }
    }

    fn binding(&mut self, variable: Id) {
        match self.terms.head(variable) {
            Head::Variable(name) => self.declare(variable, name, false, false),
            Head::Sequence(name) => self.declare(variable, name, true, false),
            _ => {}
        }
    }

    /// Checks that all variables of a template have values and stand where they may.
    fn template(&mut self, template: Id, sequence_allowed: bool) {
        if matches!(self.terms.head(template), Head::Sequence(_)) && !sequence_allowed {
            let message = "a sequence variable cannot be a whole result".to_string();
            let hint = "it stands among the arguments of a functor";
            self.refuse("E0303", template, message, hint);
        }
        // Locals of `each` and `copies` are entered and left on the way.
        enum Work {
            Visit(Id),
            Leave(usize),
        }
        let mut work = vec![Work::Visit(template)];
        // The terms of rules and bindings that the template makes.
        let mut own: FxHashSet<Id> = FxHashSet::default();
        if self.free && !sequence_allowed {
            own.extend(self.terms.subterms(template));
        }
        while let Some(item) = work.pop() {
            let id = match item {
                Work::Visit(id) => id,
                Work::Leave(slot) => {
                    self.kinds[slot].1 = false;
                    continue;
                }
            };
            let args = self.terms.args(id);
            match self.terms.head(id) {
                Head::Variable(name) if own.contains(&id) && !self.names.contains(&name) => {}
                Head::Variable(name) => self.used(id, name, false),
                Head::Sequence(name) => self.used(id, name, true),
                Head::Functor(f)
                    if matches!(
                        self.shadows.builder(f, args.len()),
                        Some(Builder::Each | Builder::Copies)
                    ) =>
                {
                    let last = args.len() - 1;
                    for &part in &args[1..last] {
                        self.template(part, true);
                    }
                    let Head::Variable(name) = self.terms.head(args[0]) else {
                        let message = format!("the first argument of `{f}` must be a variable");
                        self.refuse("E0308", args[0], message, "");
                        continue;
                    };
                    self.declare(args[0], name, false, false);
                    if let Some(slot) = self.names.iter().position(|&n| n == name) {
                        work.push(Work::Leave(slot));
                    }
                    work.push(Work::Visit(args[last]));
                }
                Head::Functor(f) => {
                    if has_own_variables(f, args.len()) {
                        own.extend(self.terms.subterms(id));
                    }
                    work.extend(args.iter().rev().map(|&a| Work::Visit(a)));
                }
                _ => {}
            }
        }
    }

    fn used(&mut self, at: Id, name: Symbol, sequence: bool) {
        match self.names.iter().position(|&n| n == name) {
            Some(slot) if self.kinds[slot].0 != sequence => {
                let message = format!("`${name}` stands for one term and for a sequence");
                let (now, other) = if sequence { ("..", "") } else { ("", "..") };
                let hint = format!("write `${name}{other}`, not `${name}{now}`");
                self.refuse("E0304", at, message, &hint);
            }
            Some(slot) if self.kinds[slot].1 => {}
            _ => {
                let message = format!("`${name}` has no value: it is not in the pattern");
                let hint = "bind it in the pattern, by `let` or by `where`";
                self.refuse("E0301", at, message, hint);
            }
        }
    }
}

/// Keeps the texts of a condition's questions.
fn questions(terms: &Terms, text: &str, rule: &mut Rule, condition: Id) {
    let mut work = vec![condition];
    while let Some(id) = work.pop() {
        let name = terms.functor(id).map_or("", |f| f.as_str());
        if matches!(name, "And" | "Or" | "Not") && terms.arity(id) > 0 {
            work.extend(terms.args(id));
            continue;
        }
        let text = terms
            .span(id)
            .and_then(|s| text.get(s.from as usize..s.to as usize));
        if let Some(text) = text {
            let words: Vec<&str> = text.split_whitespace().collect();
            rule.questions.push((id, words.join(" ")));
        }
    }
}
