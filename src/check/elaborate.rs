//! The state of a check, names and scopes.

use super::again::Before;
use super::basic::{Declared, Expand};
use super::effects::Effects;
use super::open::Opens;
use super::scheme::{Role, Scheme, Undefined, Variables};
use super::scope::Frame;
use crate::algebra::{Construct, Precision, Signature, Sort, Type, is_word, signature};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Origin, Span, Symbol, Terms};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// What a name means in a scope.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// A variable, by its unique name.
    Variable(Symbol),
    /// A formal parameter that stands for an expression or a place of the new tree.
    Stands(Id),
}

/// Where operators stand, for what is allowed there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Context {
    /// In the body of a launch.
    pub kernel: bool,
    /// All that a launch does.
    pub alone: bool,
    /// In PARALLEL.
    pub parallel: bool,
}

/// A definition of WHERE, in the source arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    pub formals: Id,
    pub body: Id,
    pub is_test: bool,
    pub span: Option<Span>,
}

/// Stands for the body of a definition that contains itself.
pub(super) const CYCLIC: Id = Id(u32::MAX);

impl Definition {
    /// Whether it contains itself, and was reported and put aside for that.
    pub fn is_cyclic(&self) -> bool {
        self.body == CYCLIC
    }
}

pub(super) struct Checker<'a> {
    pub source: &'a Terms,
    pub terms: Terms,
    pub types: Vec<Type>,
    pub precision: Precision,
    pub variables: Variables,
    pub definitions: IndexMap<Symbol, Definition, FxBuildHasher>,
    /// Basic operators and predicates that are declared.
    pub basics: IndexMap<Symbol, Declared, FxBuildHasher>,
    /// Their wordings in other languages and forms: which each is of, and its arguments in order.
    pub wordings: FxHashMap<Symbol, (Symbol, Vec<Symbol>)>,
    /// Which of them become what they mean.
    pub expand: Expand,
    pub errors: Vec<Diagnostic>,
    pub seen_errors: FxHashSet<(&'static str, Option<Span>, String)>,
    /// Scopes of the scheme's body and of the phrases being expanded; a phrase sees its own only.
    pub frames: Vec<Frame>,
    /// Phrases being expanded, outermost first.
    pub expanding: Vec<Symbol>,
    /// The phrase that terms are expanded from, with its arguments.
    pub phrase: Option<Symbol>,
    /// What definitions name and assign, by name, as far as it was asked for.
    pub effects: FxHashMap<Symbol, Rc<Effects>>,
    /// Nodes that the arena had before, of an earlier check.
    pub(super) older: usize,
    /// Which expressions that this check makes are made of number literals alone, by id without those of older nodes.
    literals: Vec<bool>,
    /// Definitions that something used.
    pub expanded: FxHashSet<Symbol>,
    pub context: Context,
    pub has_data: bool,
    pub undefined: Vec<Undefined>,
    pub seen_undefined: FxHashSet<String>,
    pub(super) bound: FxHashSet<Symbol>,
    /// The variables that kernels declare; others belong to the host.
    pub(super) of_kernels: FxHashSet<Symbol>,
    /// Which names stand in the source, by their numbers, once one was asked for.
    pub(super) taken: Option<Vec<bool>>,
    pub(super) root: Option<Id>,
    pub(super) counters: FxHashMap<Symbol, u32>,
    pub too_large: bool,
    /// Levels of the new tree around, those of the phrases being expanded among them.
    pub depth: usize,
    /// What an earlier check knows, after a step.
    pub before: Option<Before<'a>>,
    /// How many levels of phrases are expanded; all of them, if it is not said.
    pub levels: Option<usize>,
    /// The open places that were met, where they are let pass.
    pub opens: Option<Opens>,
}

/// Checks a scheme: `root` is a `Scheme` term as it was read, or as rules left it.
///
/// # Errors
///
/// Everything that is wrong with the scheme.
pub fn check(source: &Terms, root: Id, precision: Precision) -> Result<Scheme, Vec<Diagnostic>> {
    Checker::new(source, precision).scheme(root).0
}

/// A scheme with basic operators and predicates replaced by what they mean. Those without a meaning stay.
///
/// # Errors
///
/// What is wrong with it then.
pub fn with_meanings(scheme: &Scheme, expand: Expand) -> Result<Scheme, Vec<Diagnostic>> {
    let mut checker = Checker::new(&scheme.terms, scheme.precision);
    checker.expand = expand;
    checker.scheme(scheme.root).0
}

/// A scheme with its phrases expanded so many levels deep: those of the body, those of their definitions, and so on.
/// What is not expanded stands as it is called.
///
/// # Errors
///
/// Everything that is wrong with the scheme.
pub fn expanded(
    source: &Terms,
    root: Id,
    precision: Precision,
    levels: usize,
) -> Result<Scheme, Vec<Diagnostic>> {
    check(source, root, precision)?;
    let mut checker = Checker::new(source, precision);
    checker.levels = Some(levels);
    checker.scheme(root).0
}

impl<'a> Checker<'a> {
    /// A check that has seen nothing yet.
    pub(super) fn new(source: &'a Terms, precision: Precision) -> Checker<'a> {
        Checker {
            source,
            terms: Terms::new(),
            types: Vec::new(),
            precision,
            variables: IndexMap::default(),
            definitions: IndexMap::default(),
            basics: IndexMap::default(),
            wordings: FxHashMap::default(),
            expand: Expand::Nothing,
            errors: Vec::new(),
            seen_errors: FxHashSet::default(),
            frames: vec![Frame::default()],
            effects: FxHashMap::default(),
            older: 0,
            literals: Vec::new(),
            expanding: Vec::new(),
            phrase: None,
            expanded: FxHashSet::default(),
            context: Context::default(),
            has_data: false,
            undefined: Vec::new(),
            seen_undefined: FxHashSet::default(),
            bound: FxHashSet::default(),
            of_kernels: FxHashSet::default(),
            taken: None,
            root: None,
            counters: FxHashMap::default(),
            too_large: false,
            depth: 0,
            before: None,
            opens: None,
            levels: None,
        }
    }
}

impl Checker<'_> {
    /// The checked scheme, or what is wrong; with the arena, where something is.
    pub(super) fn scheme(mut self, root: Id) -> (Result<Scheme, Vec<Diagnostic>>, Terms) {
        match self.whole(root) {
            Some(scheme) => (Ok(scheme), Terms::new()),
            None => (Err(self.errors), self.terms),
        }
    }

    pub(super) fn whole(&mut self, root: Id) -> Option<Scheme> {
        let source = self.source;
        self.root = Some(root);
        let well_formed = source.functor(root) == Some(Construct::Scheme.symbol())
            && (3..=4).contains(&source.arity(root))
            && source.as_text(source.arg(root, 0)).is_some()
            && source
                .args(root)
                .get(3)
                .is_none_or(|&all| source.functor(all) == Some(Construct::Where.symbol()));
        if !well_formed {
            self.report(
                Diagnostic::error("E0214", "this term is not a scheme")
                    .at(source.span(root))
                    .hint("a scheme is Scheme(\"name\", Data(…), operator) or Scheme(\"name\", Data(…), operator, Where(…))"),
            );
            return None;
        }
        let name = source
            .as_text(source.arg(root, 0))
            .expect("looked at above");
        let parts = match self.data_taken_over(source.arg(root, 1)) {
            Some(known) => known,
            None => self.data(source.arg(root, 1)),
        };
        self.data_stands(&parts);
        if source.arity(root) == 4 {
            self.collect_definitions(source.arg(root, 3));
        }
        self.infer_data(source.arg(root, 2));
        let body = self.operator(source.arg(root, 2));
        if self.levels.is_none() {
            self.check_unused_definitions();
        }
        self.check_meanings();
        let changed = self.changed(body);
        if changed.recorded > 0 {
            for wrong in super::recorded::refused(&self.terms, body) {
                self.report(wrong);
            }
        }
        if self.errors.iter().any(Diagnostic::is_error) {
            return None;
        }
        let title = self.leaf(Head::Text(name), Type::Unknown, source.arg(root, 0));
        let mut whole = vec![title, parts.term, body];
        let used = self.used_basics(body);
        let basics = used
            .iter()
            .filter_map(|&term| self.described(term))
            .collect();
        if !used.is_empty() {
            let used: Vec<Id> = used.iter().map(|&b| self.terms.import(source, b)).collect();
            whole.push(self.terms.apply(Construct::Where.symbol(), &used));
        }
        let new_root = self.scheme_of(&whole, root);
        let notes = self.notes();
        let mut types = std::mem::take(&mut self.types);
        types.resize(self.terms.len(), Type::Unknown);
        Some(Scheme {
            root: new_root,
            name,
            given: Vec::new(),
            body,
            variables: std::mem::take(&mut self.variables),
            assigned: Arc::new(changed.assigned.into_keys().collect()),
            control_points: Arc::new(changed.points.into_keys().collect()),
            types,
            work: parts.work,
            default_inputs: parts.default_inputs,
            checks: parts.checks,
            assumptions: parts.assumptions,
            precision: self.precision,
            has_data: self.has_data,
            undefined: std::mem::take(&mut self.undefined),
            basics: Arc::new(basics),
            notes,
            terms: std::mem::take(&mut self.terms).with_words(is_word),
        })
    }

    /// A scheme of checked parts.
    pub(super) fn scheme_of(&mut self, parts: &[Id], from: Id) -> Id {
        let whole = self.terms.apply(Construct::Scheme.symbol(), parts);
        if let Some(span) = self.source.span(from) {
            self.terms.set_span(whole, span);
        }
        whole
    }

    /// The origin of a new term made from a source term.
    fn origin(&self, from: Id) -> Origin {
        let origin = self.source.origin(from);
        Origin {
            phrase: self.phrase.or(origin.phrase),
            ..origin
        }
    }

    /// Makes a term of the new tree.
    pub fn make(&mut self, construct: Construct, arguments: &[Id], ty: Type, from: Id) -> Id {
        let id = self.terms.apply(construct.symbol(), arguments);
        self.note(id, ty, from);
        if construct.info().sort == Sort::Expression {
            let parts = match construct {
                Construct::Plus
                | Construct::Minus
                | Construct::Times
                | Construct::Div
                | Construct::Negate => arguments,
                Construct::Apply if self.makes_vector(arguments) => &arguments[1..],
                Construct::Field => &arguments[..1],
                _ => &[],
            };
            let literal = !parts.is_empty() && parts.iter().all(|&a| self.is_literal(a));
            self.set_literal(id, literal);
        }
        id
    }

    /// Whether the arguments of a call are those of `vector`.
    fn makes_vector(&self, arguments: &[Id]) -> bool {
        let function = arguments.first().and_then(|&f| self.terms.as_atom(f));
        function.and_then(signature) == Some(Signature::Vector)
    }

    /// Makes a term without arguments.
    pub fn leaf(&mut self, head: Head, ty: Type, from: Id) -> Id {
        let id = self.terms.make(head, &[]);
        self.note(id, ty, from);
        self.set_literal(id, matches!(head, Head::Int(_) | Head::Real(_)));
        id
    }

    fn note(&mut self, id: Id, ty: Type, from: Id) {
        self.set_type(id, ty);
        let origin = self.origin(from);
        self.terms.set_origin(id, origin);
    }

    /// Records the type of an expression.
    pub fn set_type(&mut self, id: Id, ty: Type) {
        if self.types.len() <= id.index() {
            self.types.resize(id.index() + 1, Type::Unknown);
        }
        self.types[id.index()] = ty;
    }

    fn set_literal(&mut self, id: Id, literal: bool) {
        let number = id.index() - self.older;
        if self.literals.len() <= number {
            self.literals.resize(number + 1, false);
        }
        self.literals[number] = literal;
    }

    /// Whether an expression is made of number literals alone, so that it may take any type; one of
    /// vectors of literals, so that their components may.
    ///
    /// Known for each term from its making: looking for it in a sum of n terms at each of its n
    /// signs would take n² steps.
    pub fn is_literal(&self, id: Id) -> bool {
        let number = id.index().checked_sub(self.older);
        let literal = number.and_then(|number| self.literals.get(number));
        literal.copied().unwrap_or(false)
    }

    /// The type of an expression of the new tree.
    pub fn type_of(&self, id: Id) -> Type {
        self.types.get(id.index()).copied().unwrap_or(Type::Unknown)
    }

    /// A copy of a term of the new tree, with its types.
    pub fn duplicate(&mut self, id: Id) -> Id {
        let arguments: Vec<Id> = self.terms.args(id).to_vec();
        let new: Vec<Id> = arguments.into_iter().map(|a| self.duplicate(a)).collect();
        let ty = self.type_of(id);
        let copy = self.terms.with_args(id, &new);
        self.set_type(copy, ty);
        self.set_literal(copy, self.is_literal(id));
        copy
    }

    /// The scope of the phrase being expanded.
    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("there is always a frame")
    }

    /// What a name means here.
    pub fn meaning(&self, name: Symbol) -> Option<Meaning> {
        let frame = self.frames.last().expect("there is always a frame");
        frame.get(name).or_else(|| {
            let variable = self.variables.get(&name)?;
            let seen = variable.is_data() || self.lets_open(name);
            seen.then_some(Meaning::Variable(name))
        })
    }

    /// The role of a variable.
    pub fn role(&self, name: Symbol) -> Option<&Role> {
        self.variables.get(&name).map(|v| &v.role)
    }
}
