//! What a rule file holds, as read and not yet checked.

use crate::term::{Id, Span, Symbol};

/// `#@name(arguments)` before an item.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: Symbol,
    /// Where its name stands.
    pub span: Span,
    /// Its arguments.
    pub arguments: Vec<Id>,
}

/// `$v <- e` in a `let` or `where`.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The variable, one or sequence, that gets the value.
    pub variable: Id,
    /// The value.
    pub value: Id,
}

/// What a rule does when it fires.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The term that replaces the redex.
    pub result: Id,
    /// What is done besides.
    pub action: Option<Id>,
}

/// One `[condition] -> result [action]` of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    /// Its condition, if it has one.
    pub condition: Option<Id>,
    /// What happens where the condition holds.
    pub outcome: Outcome,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct RuleItem {
    /// From the pattern to the end.
    pub span: Span,
    /// The comment lines directly before it, without their `#`.
    pub doc: String,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// What it matches.
    pub pattern: Id,
    /// Values computed before the condition.
    pub lets: Vec<Binding>,
    /// Tried from the first.
    pub alternatives: Vec<Alternative>,
    /// After `!->`: what happens where every condition is false.
    pub otherwise: Option<Outcome>,
    /// Values computed after the condition, where the result uses them.
    pub wheres: Vec<Binding>,
}

/// An entry of `ruleset(…)`.
#[derive(Clone, Debug)]
pub enum SystemEntry {
    /// A rule.
    Rule(RuleItem),
    /// `import(System)` or `import(System, functor)`.
    Import {
        /// The system whose rules are taken, with its domains as far as they are written: `a::b`.
        system: Symbol,
        /// Only those whose pattern has this functor.
        functor: Option<Symbol>,
        /// Where the system's name stands.
        span: Span,
    },
    /// `importTransformed(System, ruleset(…))`: the system's rules, rewritten by these.
    Transformed {
        /// The system whose rules are taken.
        system: Symbol,
        /// What rewrites their patterns, conditions and results.
        by: Vec<SystemEntry>,
        /// Where the system's name stands.
        span: Span,
    },
}

/// `system(Name, facts, ruleset(…), Strategy)`.
#[derive(Clone, Debug)]
pub struct SystemItem {
    /// Its name, with the domains around it: `a::b`.
    pub name: Symbol,
    /// Where its name stands.
    pub span: Span,
    /// The attributes before it.
    pub attributes: Vec<Attribute>,
    /// The Java class that its facts are, if they are one.
    pub java: Option<Symbol>,
    /// The name of its facts, if it is not `default`.
    pub facts: Option<Symbol>,
    /// Its rules, in the order of the file.
    pub entries: Vec<SystemEntry>,
    /// The strategy's name and place.
    pub strategy: (Symbol, Span),
}

/// A parameter of a strategy: `name : low..high = default`.
#[derive(Clone, Copy, Debug)]
pub struct ParameterItem {
    /// Its name.
    pub name: Symbol,
    /// Where its name stands.
    pub span: Span,
    /// The value where none is given.
    pub default: i64,
    /// The range in which tuning searches.
    pub range: Option<(i64, i64)>,
}

/// A part of a strategy with its text.
#[derive(Clone, Debug)]
pub struct PlanItem {
    /// Where it stands.
    pub span: Span,
    /// How it was written.
    pub text: String,
    /// What it does.
    pub kind: PlanKind,
}

/// What a part of a strategy does.
#[derive(Clone, Debug)]
pub enum PlanKind {
    /// `a; b`: one after the other; all must succeed.
    Sequence(Vec<PlanItem>),
    /// `a <+ b`: the first that succeeds.
    Choice(Vec<PlanItem>),
    /// A combinator of one strategy, such as `try(a)`.
    Apply(Symbol, Box<PlanItem>),
    /// `at("phrase", a)`
    At(Symbol, Box<PlanItem>),
    /// `outside("phrase", a)`
    Outside(Symbol, Box<PlanItem>),
    /// `when(condition, a)`
    When(Id, Box<PlanItem>),
    /// A rule or strategy by name, with its parameters' values.
    Call(Symbol, Vec<(Symbol, Span, Id)>),
}

/// `strategy name(parameters) = body`.
#[derive(Clone, Debug)]
pub struct StrategyItem {
    /// Its name.
    pub name: Symbol,
    /// Where its name stands.
    pub span: Span,
    /// The comment lines directly before it.
    pub doc: String,
    /// Its parameters.
    pub parameters: Vec<ParameterItem>,
    /// What it does.
    pub body: PlanItem,
}

/// A member of a group.
#[derive(Clone, Debug)]
pub enum MemberItem {
    /// A rule, or another group.
    Named(Symbol, Span),
    /// `with(parameter = value)`: the value that the parameter has without the group.
    Off(Symbol, Span, i64),
}

/// `group name = members;`
#[derive(Clone, Debug)]
pub struct GroupItem {
    /// Its name.
    pub name: Symbol,
    /// Where its name stands.
    pub span: Span,
    /// The comment lines directly before it.
    pub doc: String,
    /// Its members, in their order.
    pub members: Vec<MemberItem>,
}

/// An item of a rule file.
#[derive(Clone, Debug)]
pub enum Item {
    /// A rule.
    Rule(RuleItem),
    /// A clause of a predicate, `predicate name(patterns) [condition] -> condition`.
    Clause(RuleItem),
    /// A system.
    System(SystemItem),
    /// A strategy.
    Strategy(StrategyItem),
    /// A group of rules and settings.
    Group(GroupItem),
}
