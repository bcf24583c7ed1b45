//! A checked scheme.

use crate::algebra::{Precision, Type, filled};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Span, Symbol, Terms};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::Arc;

/// What a variable is.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// A scalar with a default that the user may replace; never assigned.
    Parameter {
        /// Its default.
        default: Id,
    },
    /// A scalar or an array of DATA.
    Data {
        /// Read from outside.
        input: bool,
        /// Written to outside.
        output: bool,
        /// Its values, if DATA gives them.
        values: Vec<Id>,
    },
    /// A LOCAL of the operators after it.
    Local,
    /// The variable of a FOR or PARALLEL; never assigned.
    Loop,
    /// An ARRAY … IN, uninitialized.
    Scoped,
    /// An array that the threads of a block share.
    Shared,
    /// An array that each thread has to itself.
    Registers,
    /// Not declared; only in schemes without DATA.
    Unknown,
}

/// A variable of a scheme.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Type of the variable, or of an array's elements.
    pub ty: Type,
    /// Sizes of an array; empty for a scalar.
    pub dims: Vec<Id>,
    /// What it is.
    pub role: Role,
    /// Where it is declared.
    pub span: Option<Span>,
}

impl Variable {
    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        !self.dims.is_empty()
    }

    /// The subscripts of the cell at a place in DATA's values, the last running fastest; an array of
    /// several dimensions that has values has numbers for sizes.
    pub fn subscripts(&self, terms: &Terms, place: usize) -> Vec<i64> {
        let mut rest = place as i64;
        let mut subscripts: Vec<i64> = Vec::new();
        for &dim in self.dims.iter().skip(1).rev() {
            let size = terms.as_int(dim).unwrap_or(1).max(1);
            subscripts.push(rest % size);
            rest /= size;
        }
        subscripts.push(rest);
        subscripts.reverse();
        subscripts
    }

    /// Whether DATA declares it as INPUT.
    pub fn is_input(&self) -> bool {
        matches!(self.role, Role::Data { input: true, .. })
    }

    /// Whether DATA declares it as OUTPUT.
    pub fn is_output(&self) -> bool {
        matches!(self.role, Role::Data { output: true, .. })
    }

    /// Whether it lives outside the body: declared in DATA.
    pub fn is_data(&self) -> bool {
        matches!(self.role, Role::Data { .. } | Role::Parameter { .. })
    }

    /// Whether nothing may assign it.
    pub fn is_constant(&self) -> bool {
        matches!(self.role, Role::Parameter { .. } | Role::Loop)
            || matches!(
                self.role,
                Role::Data {
                    input: true,
                    output: false,
                    ..
                }
            )
    }
}

/// The value of a generator's option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// A number, or an expression over parameters.
    Expression(Id),
    /// Another name for an array of the generator.
    Name(Symbol),
}

/// `DEFAULT INPUT "generator" (options)`.
#[derive(Clone, Debug)]
pub struct DefaultInput {
    /// The generator's name.
    pub generator: Symbol,
    /// Its options, in order.
    pub options: Vec<(Symbol, OptionValue)>,
    /// Where it stands.
    pub span: Option<Span>,
}

/// A phrase or a name that nothing defines.
#[derive(Clone, Debug)]
pub struct Undefined {
    /// The phrase or the name, as text.
    pub text: String,
    /// Whether it is a prediction, which no definition could make run.
    pub prediction: bool,
    /// Where it stands first.
    pub span: Option<Span>,
}

/// A basic operator or predicate that is declared.
#[derive(Clone, Debug)]
pub struct Basic {
    /// Its phrase.
    pub phrase: Symbol,
    /// Whether it is a predicate.
    pub is_test: bool,
    /// Its arguments, in order.
    pub formals: Vec<Formal>,
    /// The variables of DATA that it names itself, in order.
    pub names: Vec<Symbol>,
    /// What it reads and then what it writes, in the order of its lists.
    pub reaches: Vec<Reached>,
    /// Whether it has a meaning; what has none is assumed to do what is declared.
    pub has_meaning: bool,
    /// Whether a kernel can do what it means.
    pub means_for_kernels: bool,
    /// Whether its meaning shows that it reaches what is declared and nothing else.
    pub is_shown: bool,
    /// What it is in the languages of targets.
    pub codes: Vec<Code>,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// A piece of code.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// Its target.
    pub target: Symbol,
    /// The text between its fences.
    pub text: Symbol,
    /// Where it stands.
    pub span: Option<Span>,
}

/// What a basic operator reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Its variable or array, as the declaration names it.
    pub root: Symbol,
    /// The argument that this stands for; none, where the operator names it itself.
    pub argument: Option<usize>,
    /// The variables that the operator names in it, which nothing else can stand for: in subscripts, too.
    pub names: Vec<Symbol>,
}

/// An argument of a basic operator.
#[derive(Clone, Debug)]
pub struct Formal {
    /// Its name.
    pub name: Symbol,
    /// Its type, or that of an array's elements, if it is declared.
    pub ty: Option<Type>,
    /// How many subscripts it has: none of a single value.
    pub rank: usize,
    /// Names for its sizes, where the declaration gives them names of their own.
    pub extents: Vec<Option<Symbol>>,
    /// Whether it is written.
    pub is_written: bool,
}

impl Basic {
    /// Its phrase as it was written, with the names of its arguments.
    pub fn title(&self) -> String {
        let names = self.formals.iter().map(|f| f.name.as_str());
        let text = filled(self.phrase.as_str(), names);
        let mut chars = text.chars();
        let mut title = String::new();
        while let Some(c) = chars.next() {
            match c {
                '\\' => title.extend(chars.next()),
                c => title.push(c),
            }
        }
        title
    }

    /// Whether it may stand in a kernel, as far as its code says: nothing is known of one without code.
    pub fn runs_in_kernels(&self) -> bool {
        self.means_for_kernels
            || self.codes.is_empty() && !self.has_meaning
            || self.code("cuda").is_some()
    }

    /// Whether the host may do it itself.
    pub fn runs_on_host(&self) -> bool {
        self.has_meaning
            || self.codes.is_empty()
            || self.code("rust").is_some()
            || self.code("cpp").is_some()
    }

    /// Its code for a target.
    pub fn code(&self, target: &str) -> Option<Code> {
        let mut codes = self.codes.iter();
        codes.find(|code| code.target.as_str() == target).copied()
    }
}

/// Variables by their unique names, in order of declaration.
pub(crate) type Variables = IndexMap<Symbol, Variable, FxBuildHasher>;

/// A checked scheme: phrases are expanded, every binder has a name of its own, and every
/// expression has a type.
#[derive(Clone)]
pub struct Scheme {
    /// Its arena.
    pub terms: Terms,
    /// The whole: `Scheme(name, data, body)`.
    pub root: Id,
    /// Its name.
    pub name: Symbol,
    /// Which member of its family it is, each `NAME=VALUE`.
    pub given: Vec<String>,
    /// Its body.
    pub body: Id,
    /// Every variable, by its unique name, in order of declaration.
    pub variables: Variables,
    /// The variables that something assigns.
    pub assigned: Arc<FxHashSet<Symbol>>,
    /// The names of its control points, which a WAIT waits for.
    pub control_points: Arc<FxHashSet<Symbol>>,
    /// Types of expressions, by id.
    pub types: Vec<Type>,
    /// `WORK "unit" := e`.
    pub work: Option<(Symbol, Id)>,
    /// Where INPUT arrays come from by default.
    pub default_inputs: Vec<DefaultInput>,
    /// Sizes for the reference machine.
    pub checks: Vec<(Symbol, Id)>,
    /// Claims of the author.
    pub assumptions: Vec<Id>,
    /// What REAL means.
    pub precision: Precision,
    /// Whether it has DATA.
    pub has_data: bool,
    /// What would have to be defined before it can run.
    pub undefined: Vec<Undefined>,
    /// The basic operators and predicates that it uses and that are declared, by their phrases.
    pub basics: Arc<IndexMap<Symbol, Basic, FxBuildHasher>>,
    /// Notes that the check made.
    pub notes: Vec<Diagnostic>,
}

impl Scheme {
    /// Makes it what it was before checks of steps: `before` is all of that but the arena and the types, which
    /// hold what they held then, and more.
    pub(crate) fn return_to(&mut self, before: Scheme) {
        *self = Scheme {
            terms: std::mem::take(&mut self.terms),
            types: std::mem::take(&mut self.types),
            ..before
        };
    }

    /// Whether all its basic operators and predicates have meanings.
    pub fn is_meant(&self) -> bool {
        self.basics.values().all(|basic| basic.has_meaning)
    }

    /// The type of an expression.
    pub fn type_of(&self, id: Id) -> Type {
        self.types.get(id.index()).copied().unwrap_or(Type::Unknown)
    }

    /// The type that two operands take, where one of them may be wider.
    pub fn joined(&self, a: Id, b: Id) -> Type {
        let (a, b) = (self.type_of(a), self.type_of(b));
        a.join(b).unwrap_or(a)
    }

    /// A variable by its unique name.
    pub fn variable(&self, name: Symbol) -> Option<&Variable> {
        self.variables.get(&name)
    }

    /// The parameters, in order.
    pub fn parameters(&self) -> impl Iterator<Item = (Symbol, &Variable, Id)> {
        self.variables.iter().filter_map(|(&name, v)| match v.role {
            Role::Parameter { default } => Some((name, v, default)),
            _ => None,
        })
    }

    /// The variables of DATA that are not parameters, in order.
    pub fn data(&self) -> impl Iterator<Item = (Symbol, &Variable)> {
        self.variables
            .iter()
            .filter(|(_, v)| matches!(v.role, Role::Data { .. }))
            .map(|(&name, v)| (name, v))
    }

    /// The sizes of the arrays of DATA; of those that are names, each once.
    pub fn extents(&self) -> Vec<Id> {
        let mut named = FxHashSet::default();
        let sizes = self.data().flat_map(|(_, v)| v.dims.iter().copied());
        let is_new = |&size: &Id| {
            self.terms
                .as_atom(size)
                .is_none_or(|name| named.insert(name))
        };
        sizes.filter(is_new).collect()
    }
}

/// What separates a name from the number that makes it unique; no name that is read has it.
const MARK: char = '′';

thread_local! {
    /// The names that were made, by what they were made from.
    static MADE: RefCell<FxHashMap<(Symbol, u32), Symbol>> = RefCell::default();
}

/// A unique name made from a name and a number. Where many names are alike, one number after another is tried again and
/// again, so that names that were made are kept.
pub fn unique_name(base: Symbol, number: u32) -> Symbol {
    let make = || Symbol::new(&format!("{}{MARK}{number}", author_name(base)));
    MADE.with_borrow_mut(|made| *made.entry((base, number)).or_insert_with(make))
}

/// The name as the author wrote it.
pub fn author_name(unique: Symbol) -> &'static str {
    let name = unique.as_str();
    name.split(MARK).next().unwrap_or(name)
}

/// Whether an expression holds no variables but parameters, as the size of an array must.
pub fn is_over_parameters(terms: &Terms, variables: &Variables, e: Id) -> bool {
    let is_parameter = |v: &Variable| matches!(v.role, Role::Parameter { .. } | Role::Unknown);
    let mut names = terms.subterms(e).filter_map(|t| terms.as_atom(t));
    names.all(|name| variables.get(&name).is_none_or(is_parameter))
}
