//! Rule files and terms in rule syntax: text → terms, rules, systems, strategies; term → text.
//!
//! The syntax, `grammar/rule.pest`, is TermWare's with Unicode names, sequence variables, attributes for
//! rules of the algebra, and strategies. [`read_term`] and [`print_term`] are inverse to each other.

mod expected;
mod file;
pub(in crate::syntax) mod grammar;
mod group;
mod items;
mod lexemes;
pub(in crate::syntax) mod names;
mod print;
mod reader;
mod rule_term;
pub(in crate::syntax) mod scan;
mod strategy;
mod systems;
mod term;
mod terms;

pub use file::read_rules;
pub use items::{
    Alternative, Attribute, Binding, GroupItem, Item, MemberItem, Outcome, ParameterItem, PlanItem,
    PlanKind, RuleItem, StrategyItem, SystemEntry, SystemItem,
};
pub use lexemes::lexemes;
pub use names::{
    ACTION, ALTERNATIVE, ANY_ARITY, ASSIGNED, CALL, CONDITIONAL, CONDITIONAL_RULE, CONS, LET, NIL,
    OPERATOR, OTHERWISE, RULE, RuleSign, SCOPED, SET, SET_PATTERN, WHERE, compare, make_set,
    rule_signs,
};
pub use print::{print_term, print_term_flat, print_term_short};
pub use systems::SCOPE;
pub use term::read_term;
pub use terms::read_terms;
