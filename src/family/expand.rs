//! A family and a choice → the term of the member.

use super::evaluate::{Known, holds, integer};
use super::holes::filled;
use super::{Choice, Value, choose, family};
use crate::algebra::{Construct, LATEX, Role, then};
use crate::diagnostic::Diagnostic;
use crate::syntax::text::is_name;
use crate::term::{Head, Id, MOST_ERRORS, MOST_NODES, Symbol, Terms, with_deep_stack};
use rustc_hash::FxHashSet;

/// The member of a family that a choice makes: what is given has its values, parts that stand for other choices
/// are gone, and repeated parts are written out. Every part keeps its origin.
///
/// # Errors
///
/// Names that hide what is given (E0253), what is not known of the givens (E0252), and a member that is too
/// large (E0207).
pub fn member(terms: &mut Terms, root: Id, choice: &Choice) -> Result<Id, Vec<Diagnostic>> {
    with_deep_stack(|| {
        let data = declared_in_data(terms, root);
        let mut expander = Expander {
            known: choice.values.iter().copied().collect(),
            scope: Vec::new(),
            errors: Vec::new(),
            made: 0,
            repeated: 0,
            terms,
            data,
        };
        let id = expander.term(root, Role::Part);
        match expander.errors.is_empty() {
            true => Ok(id),
            false => Err(expander.errors),
        }
    })
}

/// The member of which nobody chooses anything; a scheme that is no family stays.
///
/// # Errors
///
/// What is wrong with the family or with this member.
pub fn by_default(terms: &mut Terms, root: Id) -> Result<Id, Vec<Diagnostic>> {
    let family = family(terms, root)?;
    let choice = choose(terms, &family, &[]).map_err(|wrong| vec![*wrong])?;
    match family.is_one {
        true => member(terms, root, &choice),
        false => Ok(root),
    }
}

/// The name of the member that texts choose, if it is another one than that of its family.
pub fn title(terms: &Terms, root: Id, texts: &[String]) -> Option<String> {
    let name = terms.as_text(*terms.args(root).first()?)?;
    if !name.as_str().contains('{') {
        return None;
    }
    let family = family(terms, root).ok()?;
    let choice = choose(terms, &family, texts).ok()?;
    filled(name.as_str(), &choice.values.into_iter().collect()).ok()?
}

/// The names that DATA declares, those of every member.
fn declared_in_data(terms: &Terms, root: Id) -> FxHashSet<Symbol> {
    let data = terms.args(root).get(1).copied();
    let all = data.into_iter().flat_map(|data| terms.subterms(data));
    let declares = |&id: &Id| {
        let construct = terms.functor(id).and_then(Construct::of);
        matches!(construct, Some(Construct::Parameter | Construct::Variable)) && terms.arity(id) > 0
    };
    let names = all.filter(declares);
    names
        .filter_map(|id| terms.as_atom(terms.arg(id, 0)))
        .collect()
}

struct Expander<'a> {
    terms: &'a mut Terms,
    /// What givens and indices are here.
    known: Known,
    /// Names that the operators around bind.
    scope: Vec<Symbol>,
    data: FxHashSet<Symbol>,
    errors: Vec<Diagnostic>,
    /// How many nodes were made.
    made: usize,
    /// How many parts that stand for a choice are around.
    repeated: usize,
}

impl Expander<'_> {
    fn report(&mut self, diagnostic: Diagnostic, at: Id) {
        let diagnostic = match diagnostic.span {
            None => diagnostic.at(self.terms.span(at)),
            Some(_) => diagnostic,
        };
        let is_known =
            |d: &Diagnostic| d.span == diagnostic.span && d.message == diagnostic.message;
        if self.errors.len() < MOST_ERRORS && !self.errors.iter().any(is_known) {
            self.errors.push(diagnostic);
        }
    }

    /// Whether the work has become too much to go on.
    fn must_stop(&mut self, at: Id) -> bool {
        if self.made > MOST_NODES {
            let message = format!("this member of the family has more than {MOST_NODES} nodes");
            let hint = "repeated parts in repeated parts multiply: make a loop of one of them";
            self.report(Diagnostic::error("E0207", message).hint(hint), at);
        }
        self.made > MOST_NODES || self.errors.len() >= MOST_ERRORS
    }

    /// A term that stands alone.
    fn term(&mut self, id: Id, role: Role) -> Id {
        self.made += 1;
        if self.must_stop(id) {
            return id;
        }
        match self.terms.head(id) {
            Head::Text(text) => return self.text(text, id),
            Head::Functor(name) if self.terms.arity(id) == 0 => return self.atom(name, id, role),
            _ => {}
        }
        let args = self.terms.args(id).to_vec();
        let construct = self.terms.functor(id).and_then(Construct::of);
        let construct = construct.filter(|c| c.info().takes(args.len()));
        // In texts for LaTeX and in other languages, braces are theirs.
        let is_latex = |&&code: &&Id| self.terms.as_atom(code) == Some(Symbol::new(LATEX));
        if construct == Some(Construct::Code)
            || construct == Some(Construct::Translation) && args.first().filter(is_latex).is_some()
        {
            return id;
        }
        let outer = self.scope.len();
        let new = match construct {
            Some(Construct::GivenIf | Construct::GivenFor) => {
                let mut operators = Vec::new();
                self.splice(id, &mut operators);
                self.in_order(&operators, id)
            }
            Some(Construct::Then) => {
                let mut operators = Vec::new();
                for part in args {
                    self.splice(part, &mut operators);
                }
                self.in_order(&operators, id)
            }
            Some(Construct::Data | Construct::Where) => {
                let mut items = Vec::new();
                for item in args {
                    self.splice(item, &mut items);
                }
                self.terms.with_args(id, &items)
            }
            _ => self.with_parts(id, construct, &args),
        };
        self.scope.truncate(outer);
        new
    }

    fn with_parts(&mut self, id: Id, construct: Option<Construct>, args: &[Id]) -> Id {
        let info = construct.map(Construct::info);
        use Construct::{Basic, BasicTest, Define, DefineTest};
        if let Some(Define | DefineTest | Basic | BasicTest) = construct {
            let formals = self.terms.args(args[1]).iter();
            let formals: Vec<Symbol> = formals.filter_map(|&f| self.terms.as_atom(f)).collect();
            self.scope.extend(formals);
        }
        let bound = info.and_then(|info| info.binds()) == Some(Role::Binder);
        let name = args.first().and_then(|&name| self.terms.as_atom(name));
        self.scope.extend(name.filter(|_| bound));
        let mut new = Vec::with_capacity(args.len());
        for (i, &argument) in args.iter().enumerate() {
            let role = info.and_then(|info| info.role(i));
            let role = match (construct, role) {
                // A formal is a name that its definition binds.
                (Some(Construct::Formals), _) => Role::Binder,
                (_, role) => role.unwrap_or(Role::Expression),
            };
            new.push(self.term(argument, role));
        }
        // A member without definitions has no WHERE.
        if let (Some(Construct::Scheme | Construct::Graph), [.., last]) = (construct, &new[..])
            && self.terms.as_atom(*last) == Some(Construct::Where.symbol())
        {
            new.pop();
        }
        self.terms.with_args(id, &new)
    }

    /// Operators in order, in place of a term.
    fn in_order(&mut self, operators: &[Id], id: Id) -> Id {
        let new = then(self.terms, operators);
        if operators.len() != 1 {
            self.terms.copy_origin(id, new);
        }
        new
    }

    /// The operators, items or definitions that a part of a list stands for.
    fn splice(&mut self, id: Id, into: &mut Vec<Id>) {
        if self.must_stop(id) {
            return;
        }
        let args = self.terms.args(id).to_vec();
        let construct = self.terms.functor(id).and_then(Construct::of);
        match (construct, &args[..]) {
            (Some(Construct::Given | Construct::GivenThat), [_, ..]) => {
                if self.repeated > 0 {
                    let message = "what is given cannot depend on what is given";
                    let hint =
                        "write it before DATA, and restrict the choice there: GIVEN THAT d < e";
                    self.report(Diagnostic::error("E0250", message).hint(hint), id);
                }
            }
            (Some(Construct::Use), [_]) if self.repeated > 0 => {
                let message = "USE cannot depend on what is given";
                let hint =
                    "use the file in every member, and let its parts depend on what is given";
                self.report(Diagnostic::error("E0250", message).hint(hint), id);
            }
            (Some(Construct::GivenIf), &[condition, yes, no]) => {
                match holds(self.terms, condition, &self.known) {
                    Ok(true) => self.chosen(yes, into),
                    Ok(false) => self.chosen(no, into),
                    Err(error) => self.report(*error, condition),
                }
            }
            (Some(Construct::GivenFor), &[name, from, to, body]) => {
                self.repeat(name, [from, to], body, into);
            }
            _ => {
                let new = self.term(id, Role::Part);
                let declares = construct.and_then(|c| c.info().binds()) == Some(Role::Declared);
                let name = self.terms.args(new).first().copied();
                let name = name.and_then(|name| self.terms.as_atom(name));
                self.scope.extend(name.filter(|_| declares));
                into.push(new);
            }
        }
    }

    /// A part that stands for what was chosen.
    fn chosen(&mut self, part: Id, into: &mut Vec<Id>) {
        self.made += 1;
        self.repeated += 1;
        let construct = self.terms.functor(part).and_then(Construct::of);
        match construct {
            Some(Construct::Data | Construct::Where | Construct::Then) => {
                for item in self.terms.args(part).to_vec() {
                    self.splice(item, into);
                }
            }
            Some(Construct::Empty) if self.terms.arity(part) == 0 => {}
            _ => self.splice(part, into),
        }
        self.repeated -= 1;
    }

    fn repeat(&mut self, name: Id, bounds: [Id; 2], body: Id, into: &mut Vec<Id>) {
        let Some(index) = self.terms.as_atom(name) else {
            return;
        };
        if self.known.contains_key(&index) {
            return self.hides(index, name);
        }
        if self.data.contains(&index) || self.scope.contains(&index) {
            let message =
                format!("`{index}` names a variable here, so it cannot be an index of GIVEN FOR");
            let hint = "choose another name for the index";
            return self.report(Diagnostic::error("E0253", message).hint(hint), name);
        }
        let mut ends = [0; 2];
        for (end, bound) in ends.iter_mut().zip(bounds) {
            match integer(self.terms, bound, &self.known) {
                Ok(i) => *end = i,
                Err(error) => return self.report(*error, bound),
            }
        }
        for i in ends[0]..=ends[1] {
            if self.must_stop(body) {
                break;
            }
            self.known.insert(index, Value::Int(i));
            self.chosen(body, into);
        }
        self.known.remove(&index);
    }

    /// Reports a name that would hide what is given.
    fn hides(&mut self, name: Symbol, at: Id) {
        let message = format!("`{name}` is given, so nothing else can be called so");
        let hint =
            "give it another name, or the given: it stands for a value wherever its name does";
        self.report(Diagnostic::error("E0253", message).hint(hint), at);
    }

    fn text(&mut self, text: Symbol, id: Id) -> Id {
        let new = match filled(text.as_str(), &self.known) {
            Ok(Some(filled)) => Symbol::new(&filled),
            Ok(None) => text,
            Err(error) => {
                self.report(*error, id);
                text
            }
        };
        self.leaf(Head::Text(new), id)
    }

    fn leaf(&mut self, head: Head, id: Id) -> Id {
        let new = self.terms.make(head, &[]);
        self.terms.copy_origin(id, new);
        new
    }

    fn atom(&mut self, name: Symbol, id: Id, role: Role) -> Id {
        let name = match filled(name.as_str(), &self.known) {
            Ok(None) => name,
            Ok(Some(filled)) if is_name(&filled) => Symbol::new(&filled),
            Ok(Some(filled)) => {
                let message = format!("`{name}` is `{filled}` here, which is no name");
                let hint = "names are made of letters, digits and _; words and negative numbers may have others";
                self.report(Diagnostic::error("E0252", message).hint(hint), id);
                return id;
            }
            Err(error) => {
                self.report(*error, id);
                return id;
            }
        };
        let Some(&value) = self.known.get(&name) else {
            return self.leaf(Head::Functor(name), id);
        };
        match (role, value) {
            // Components, functions and types have names of their own.
            (Role::Word | Role::Type, _) => self.leaf(Head::Functor(name), id),
            (Role::Expression | Role::Condition, Value::Int(i)) => self.leaf(Head::Int(i), id),
            (Role::Expression | Role::Condition, Value::Word(_)) => {
                let message = format!("`{name}` is a word, and a value is needed here");
                let hint = format!(
                    "words stand in conditions, GIVEN IF {name} = \"…\", and in braces of names and phrases: \"{{{name}}}\""
                );
                self.report(Diagnostic::error("E0252", message).hint(hint), id);
                id
            }
            _ => {
                self.hides(name, id);
                id
            }
        }
    }
}
