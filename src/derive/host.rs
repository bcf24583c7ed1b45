//! What the rule engine may ask about schemes.

use super::facts::{self, Call};
use super::mirror::Mirror;
use super::parts::{Runs, Unsettled};
use super::simplify::simplify;
use super::states::{Before, Found, States};
use crate::algebra::{
    Construct, Expr, Operator, Sort, build, expr, launched_operator, names, operator, root_name,
};
use crate::analysis::{
    self, Context, Copies, Loop, Placement, assigned_in, only_reported_where, relied_on,
    with_relied,
};
use crate::check::{
    Known, LAUNCH, Reached, Role, Scheme, Variable, author_name, check, check_again, check_first,
    check_part, unique_name, value_of_device,
};
use crate::diagnostic::Diagnostic;
use crate::rewrite::{Answer, Evidence, FloatClass, Host, Redex, Status, evaluate};
use crate::term::{Id, Path, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// So many nodes are kept of a scheme's states; beyond them, a check begins anew.
const MOST_KEPT: usize = 1 << 20;

/// In tests, schemes of so many nodes are checked as a whole at each step, larger ones every `SPARED` steps.
const ALWAYS: usize = 500;
const SPARED: u32 = 16;

/// The facts of one scheme, as it stands between two steps.
pub struct SchemeHost {
    pub(super) scheme: Scheme,
    /// Its nodes in the engine's arena.
    mirror: Mirror,
    /// What is known of the scheme's operators since the last check.
    checked: Known,
    /// The engine's root for the scheme.
    at: Option<Id>,
    /// The states before the steps so far.
    states: States,
    pub(super) fresh: u32,
    /// Checks of steps, for tests.
    turn: u32,
    /// Names that were made for this step, each by the two that it is made from.
    pub(super) named: FxHashMap<(Symbol, Symbol), Symbol>,
    /// What was found of the scheme as it stands.
    pub(super) found: Found,
    /// Whether loops that were asked about are independent, by what they are and their bodies, and what is known around
    /// them: nothing else matters.
    independent: FxHashMap<(Loop, Id), (Rc<Context>, analysis::Answer)>,
    /// Operators of the scheme's states in which no memory of the device is placed, as far as that was asked for.
    pub(super) unplaced: FxHashSet<Id>,
    /// The first scalar of DATA that a loop assigns on the host, by its node.
    pub(super) set_by_host: FxHashMap<Id, Option<Symbol>>,
    /// What of the scheme depends on where and when it runs.
    unsettled: Unsettled,
    /// The same of its operators, by how the iterations around them run.
    counted: FxHashMap<(Id, Runs), Unsettled>,
    /// What the last step was at least.
    class: FloatClass,
}

impl SchemeHost {
    /// A host for a scheme. The engine checks it anew before the first step.
    pub fn new(scheme: Scheme) -> SchemeHost {
        SchemeHost {
            unsettled: Unsettled::of(
                &scheme,
                scheme.body,
                Runs::InTurn,
                &mut FxHashMap::default(),
            ),
            counted: FxHashMap::default(),
            scheme,
            mirror: Mirror::default(),
            checked: Known::default(),
            at: None,
            states: States::default(),
            fresh: 0,
            turn: 0,
            named: FxHashMap::default(),
            found: Found::default(),
            independent: FxHashMap::default(),
            unplaced: FxHashSet::default(),
            set_by_host: FxHashMap::default(),
            class: FloatClass::Exact,
        }
    }

    /// A term of the engine's arena in the scheme's. What of it stands in the scheme is not copied.
    pub(super) fn own(&mut self, terms: &Terms, id: Id) -> Id {
        let mirror = &self.mirror;
        self.scheme
            .terms
            .import_around(terms, id, |part| mirror.own(part))
    }

    /// The scheme's node for a node of the engine, if it stands in the scheme.
    pub(super) fn known(&self, id: Id) -> Option<Id> {
        self.mirror.own(id)
    }

    /// Where the values of the scheme's arrays are.
    pub(super) fn copies(&mut self) -> (&Scheme, &mut Copies) {
        (&self.scheme, &mut self.found.copies)
    }

    /// Whether the iterations of a loop of the scheme are independent; found once, as many rules ask about one loop, and
    /// about those around it. A loop stands where its body does, as each node of the scheme stands once.
    pub(super) fn independent(&mut self, path: &Path, this: Loop, body: Id) -> analysis::Answer {
        let context = self.context(path);
        let scheme = &self.scheme;
        let find = || analysis::independent(scheme, &context, this, body);
        // What rests on the declaration of a basic operator is noted where it is found.
        if !scheme.basics.is_empty() {
            return find();
        }
        match self.independent.get(&(this, body)) {
            Some((around, answer)) if around.is_as(&context) => answer.clone(),
            _ => {
                let answer = find();
                let found = (Rc::clone(&context), answer.clone());
                self.independent.insert((this, body), found);
                answer
            }
        }
    }

    /// What is known at a place of the scheme.
    pub(super) fn context(&self, path: &Path) -> Rc<Context> {
        let mut contexts = self.found.contexts.borrow_mut();
        if let Some(known) = contexts.get(path) {
            return Rc::clone(known);
        }
        let found = Rc::new(Context::at(&self.scheme, path));
        contexts.insert(path.clone(), Rc::clone(&found));
        found
    }

    /// Transfers that are needed at a place.
    pub(super) fn placement(&mut self, at: Redex<'_>) -> &Placement {
        self.found.copies.placement(&self.scheme, at.path)
    }

    /// A name made from another one that no variable has.
    pub(super) fn unused_name(&mut self, base: Symbol) -> Symbol {
        loop {
            self.fresh += 1;
            let candidate = unique_name(base, 1000 + self.fresh);
            if self.scheme.variable(candidate).is_none() {
                return candidate;
            }
        }
    }

    /// A name made from a text that no variable has: for the same two in one step the same, for
    /// others another one.
    pub(super) fn name_for(&mut self, of: (Symbol, Symbol), text: &str) -> Symbol {
        if let Some(&made) = self.named.get(&of) {
            return made;
        }
        let made = self.unused_name(Symbol::new(text));
        self.named.insert(of, made);
        made
    }

    /// A name made from a variable's and a word.
    pub(super) fn beside(&mut self, name: Symbol, word: Symbol) -> Symbol {
        let base = format!("{}_{word}", author_name(name));
        self.name_for((name, word), &base)
    }
}

impl SchemeHost {
    /// What follows a check: the engine has the scheme's nodes. Exchanges what was found of the state before for what is known of
    /// this one, and gives the former.
    fn renewed(&mut self, terms: &mut Terms, found: Found) -> (Id, Found) {
        let mut left = std::mem::replace(&mut self.found, found);
        let scheme = &self.scheme;
        self.found.copies.take_over(&mut left.copies, scheme);
        let unsettled = Unsettled::of(scheme, scheme.body, Runs::InTurn, &mut self.counted);
        let before = std::mem::replace(&mut self.unsettled, unsettled);
        self.class = Unsettled::class(before, self.unsettled);
        let at = self
            .mirror
            .copy(terms, &self.scheme.terms, self.scheme.root);
        self.at = Some(at);
        (at, left)
    }

    /// Whether a test does without a check of the whole after a step.
    fn is_spared(&mut self) -> bool {
        self.turn += 1;
        self.turn % SPARED != 1 && self.scheme.terms.size(self.scheme.root) > ALWAYS
    }

    /// Whether a check of the whole finds the same.
    fn is_as_checked_anew(&mut self, terms: &Terms, root: Id) -> bool {
        let Ok(whole) = check(terms, root, self.scheme.precision) else {
            return false;
        };
        let own = &self.scheme;
        let dims = |a: &Variable, b: &Variable| {
            let mut pairs = a.dims.iter().zip(&b.dims);
            a.dims.len() == b.dims.len()
                && pairs.all(|(&x, &y)| own.terms.equal_across(x, &whole.terms, y))
        };
        let role = |v: &Variable| std::mem::discriminant(&v.role);
        let nodes = own.terms.subterms(own.root);
        let mut pairs = nodes.zip(whole.terms.subterms(whole.root));
        own.terms.equal_across(own.root, &whole.terms, whole.root)
            && pairs.all(|(a, b)| {
                let origins = own.terms.origin(a) == whole.terms.origin(b);
                origins && own.type_of(a) == whole.type_of(b)
            })
            && own.variables.keys().eq(whole.variables.keys())
            && own
                .variables
                .values()
                .zip(whole.variables.values())
                .all(|(a, b)| a.ty == b.ty && dims(a, b) && role(a) == role(b) && a.span == b.span)
            && self.checked.is_right(&own.terms, own.body)
            && own.assigned == whole.assigned
            && own.control_points == whole.control_points
    }
}

/// Yes or no by looking.
pub(super) fn decided(holds: bool, yes: impl Into<String>, no: impl Into<String>) -> Answer {
    if holds {
        Answer::Yes(Evidence::new(Status::Decided, yes))
    } else {
        Answer::No(Evidence::new(Status::Decided, no))
    }
}

impl Host for SchemeHost {
    fn begin(&mut self) {
        self.fresh = 0;
        self.named.clear();
    }

    fn ask(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Answer> {
        let fact = facts::find(&facts::FACTS, name.as_str(), args.len())?;
        let mut call = Call {
            host: self,
            terms,
            at,
        };
        let (answer, relied) = with_relied(|| fact.call(&mut call, args));
        Some(match answer? {
            Answer::Yes(evidence)
                if matches!(evidence.status, Status::Proved | Status::Decided) =>
            {
                // What is proved of a basic operator rests on what it declares, however it was found.
                let is_proved = evidence.status == Status::Proved;
                let parts = args.iter().filter(|_| is_proved);
                let parts = parts.map(|&a| self.own(terms, a)).collect::<Vec<_>>();
                let mut passed = parts.iter();
                let relied = relied.or_else(|| passed.find_map(|&p| relied_on(&self.scheme, p)));
                Answer::Yes(match relied {
                    None => evidence,
                    Some(title) => Evidence {
                        status: Status::Assumed,
                        text: format!(
                            "{}, if \"{title}\" does what it is declared to do",
                            evidence.text
                        ),
                        places: evidence.places,
                    },
                })
            }
            other => other,
        })
    }

    fn compute(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Result<Vec<Id>, String>> {
        let function = facts::find(&facts::FUNCTIONS, name.as_str(), args.len())?;
        let mut call = Call {
            host: self,
            terms,
            at,
        };
        Some(function.call(&mut call, args))
    }

    fn build(&mut self, terms: &mut Terms, functor: Symbol, args: &[Id]) -> Id {
        build(terms, functor, args)
    }

    fn refuses(&self, terms: &Terms, id: Id) -> Option<String> {
        if self.scheme.basics.is_empty() {
            return None;
        }
        let replaced = |id: Id| {
            let (phrase, reached) = match (operator(terms, id), expr(terms, id)) {
                (
                    Some(Operator::Perform {
                        phrase,
                        arguments,
                        reads,
                        writes,
                    }),
                    _,
                ) => (phrase, (arguments, [reads, writes])),
                (
                    _,
                    Some(Expr::Holds {
                        phrase,
                        arguments,
                        reads,
                    }),
                ) => (phrase, (arguments, [reads, &[][..]])),
                _ => return None,
            };
            let basic = self.scheme.basics.get(&phrase)?;
            let (arguments, lists) = reached;
            // Sizes of what is passed may stand in subscripts.
            let mut passed: FxHashSet<Symbol> = FxHashSet::default();
            for &argument in arguments {
                passed.extend(names(terms, argument));
                let array = root_name(terms, argument).and_then(|name| self.scheme.variable(name));
                let sizes = array.into_iter().flat_map(|array| &array.dims);
                passed.extend(sizes.flat_map(|&size| names(&self.scheme.terms, size)));
            }
            let is_kept = |part: Id, reached: &Reached| {
                let root = match reached.argument {
                    Some(k) => arguments.get(k).map(|&argument| root_name(terms, argument)),
                    None => Some(Some(reached.root)),
                };
                let is_parameter = |name: Symbol| {
                    let variable = self.scheme.variable(name);
                    variable.is_some_and(|v| matches!(v.role, Role::Parameter { .. }))
                };
                let found: FxHashSet<Symbol> = names(terms, part).collect();
                let is_known = |name: &Symbol| {
                    passed.contains(name) || reached.names.contains(name) || is_parameter(*name)
                };
                root == Some(root_name(terms, part))
                    && found.iter().all(is_known)
                    && reached.names.iter().all(|name| found.contains(name))
            };
            let parts: Vec<Id> = lists.into_iter().flatten().copied().collect();
            let are_kept = parts.len() == basic.reaches.len()
                && parts
                    .iter()
                    .zip(&basic.reaches)
                    .all(|(&part, r)| is_kept(part, r));
            (!are_kept).then(|| {
                let title = basic.title();
                format!("\"{title}\" names what would be replaced: pass it as an argument")
            })
        };
        let passed = |id: Id| {
            let used = launched_operator(terms, id)?;
            let phrase = terms.as_text(terms.arg(used, 0))?;
            let basic = self.scheme.basics.get(&phrase)?;
            value_of_device(terms, used).filter(|_| basic.code(LAUNCH).is_some())?;
            let title = basic.title();
            Some(format!(
                "the host passes values to the code of \"{title}\" for launches, and this one would be on the device"
            ))
        };
        terms
            .subterms(id)
            .find_map(|id| replaced(id).or_else(|| passed(id)))
    }

    fn simplify(&mut self, terms: &mut Terms, _at: Redex<'_>, id: Id) -> Id {
        let id = evaluate(terms, id);
        simplify(&self.scheme, terms, id)
    }

    fn recheck(&mut self, terms: &mut Terms, root: Id) -> Result<Id, Vec<Diagnostic>> {
        let precision = self.scheme.precision;
        self.scheme = check_first(terms, root, precision, &mut self.checked)?;
        self.states.clear();
        self.mirror.clear();
        self.counted.clear();
        self.found.copies = Copies::default();
        self.unplaced.clear();
        self.set_by_host.clear();
        self.independent.clear();
        Ok(self.renewed(terms, Found::default()).0)
    }

    fn recheck_after_step(
        &mut self,
        terms: &mut Terms,
        root: Id,
        saved: &[Id],
    ) -> Result<Id, Vec<Diagnostic>> {
        if self.scheme.terms.weight() > MOST_KEPT {
            return self.recheck(terms, root);
        }
        let own = self.mirror.all_own();
        let (scheme, checked) = (&mut self.scheme, &mut self.checked);
        let part = self
            .at
            .and_then(|at| check_part(terms, (at, root), own, scheme, checked));
        let before = match part {
            Some(undo) => Before::Part(undo),
            None => {
                // DATA may be another one.
                self.independent.clear();
                Before::Whole(Box::new(check_again(terms, root, own, scheme, checked)?))
            }
        };
        debug_assert!(self.is_spared() || self.is_as_checked_anew(terms, root));
        let at = self.at;
        let (new, found) = self.renewed(terms, Found::default());
        if let Some(at) = at {
            self.states.keep(at, before, found, saved);
        }
        Ok(new)
    }

    fn return_to(&mut self, terms: &mut Terms, root: Id) -> Result<Id, Vec<Diagnostic>> {
        let (scheme, checked) = (&mut self.scheme, &mut self.checked);
        let Some(found) = self.states.return_to(root, scheme, checked) else {
            return self.recheck(terms, root);
        };
        debug_assert!(self.is_as_checked_anew(terms, root));
        Ok(self.renewed(terms, found).0)
    }

    fn float_class(&self) -> FloatClass {
        self.class
    }

    fn assigned(&self, terms: &Terms, id: Id) -> Vec<Symbol> {
        assigned_in(terms, id)
    }

    fn are_only_reported(&mut self, names: &[Symbol]) -> bool {
        let (scheme, known) = (&self.scheme, &mut self.checked);
        let names_one = |id: Id, of: &_| known.names_one(&scheme.terms, id, of);
        only_reported_where(scheme, names, names_one).is_yes()
    }

    /// Strategies visit operators: they do not go into DATA, and into expressions on request.
    fn descend(&self, terms: &Terms, parent: Id, i: usize, expressions: bool) -> bool {
        let Some(construct) = terms.functor(parent).and_then(Construct::of) else {
            return false;
        };
        match construct.info().argument(i) {
            Some(Sort::Operator) => true,
            Some(Sort::Expression | Sort::Condition) => expressions,
            _ => false,
        }
    }
}
