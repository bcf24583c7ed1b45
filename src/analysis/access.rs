//! Access sets: what an operator reads and writes, where, and under which loops and conditions.

use crate::algebra::{Atomic, Construct, Expr, Operator, expr, names, operator};
use crate::check::{Role, Scheme};
use crate::term::{Id, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::Arc;

/// A loop around an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Loop {
    /// Its variable.
    pub var: Symbol,
    /// First and last value.
    pub from: Id,
    /// Last value.
    pub to: Id,
    /// Step, if it is not 1.
    pub step: Option<Id>,
}

/// What stands around an access.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Around {
    /// A loop.
    Loop(Loop),
    /// The branch of an IF: its predicate, and whether it holds here.
    Branch(Id, bool),
    /// Something that may not happen, such as the body of a WHILE.
    Maybe,
    /// The body of a launch: blocks and threads.
    Launch(Id, Id),
}

/// One access.
#[derive(Clone, Debug)]
pub struct Access {
    /// The variable.
    pub name: Symbol,
    /// The subscripts; none for a scalar, nothing for an array as a whole.
    pub subscripts: Option<Vec<Id>>,
    /// The component of a vector, if only one is reached.
    pub component: Option<Symbol>,
    /// Whether it writes.
    pub write: bool,
    /// The indivisible action that it is a part of: any order of those of one kind gives the same.
    pub atomic: Option<Atomic>,
    /// What stands around it, outermost first, within the operator looked at; one list for all that it stands around.
    pub around: Arc<Vec<Around>>,
    /// The access's term.
    pub id: Id,
    /// Whether it happens on the device.
    pub on_device: bool,
}

impl Access {
    /// Where it stands.
    pub fn span(&self, scheme: &Scheme) -> Option<Span> {
        scheme.terms.span(self.id)
    }

    /// The access as text.
    pub fn text(&self, scheme: &Scheme) -> String {
        let name = crate::check::author_name(self.name);
        match &self.subscripts {
            Some(s) if !s.is_empty() => {
                let texts: Vec<String> = s.iter().map(|&s| super::text(scheme, s)).collect();
                format!("{name}[{}]", texts.join(", "))
            }
            _ => name.to_owned(),
        }
    }
}

/// What an operator does.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    /// Its accesses, in the order of the text.
    pub all: Vec<Access>,
    /// Variables declared in it.
    pub own: FxHashSet<Symbol>,
    /// LOCALs of it that keep their first value: the expression of each.
    pub definitions: FxHashMap<Symbol, Id>,
    /// Something in it whose effects nobody knows; for [`accesses`], a basic operator, too.
    pub unknown: Option<Id>,
    /// A basic operator in it, of which only what it reads and writes is known.
    pub basic: Option<Id>,
}

/// The accesses of an operator. What a basic operator does with what it reaches is not known.
pub fn accesses(scheme: &Scheme, id: Id) -> Accesses {
    let mut found = effects(scheme, id);
    found.unknown = found.unknown.or(found.basic);
    found
}

/// The accesses of an operator, where it is enough to know what is read and what is written: basic operators do what
/// they are declared to do.
pub fn effects(scheme: &Scheme, id: Id) -> Accesses {
    let mut collector = Collector {
        scheme,
        out: Accesses::default(),
        around: Arc::default(),
        on_device: false,
    };
    collector.operator(id);
    let mut out = collector.out;
    if out.basic.is_some()
        && let Some(title) = relied_on(scheme, id)
    {
        RELIED.replace(Some(title));
    }
    let assigned: FxHashSet<Symbol> = out.all.iter().filter(|a| a.write).map(|a| a.name).collect();
    // A LOCAL is assigned by its declaration once, which is not among the writes.
    out.definitions.retain(|name, _| !assigned.contains(name));
    out
}

thread_local! {
    /// The last basic operator of which [`effects`] took the declaration for granted on this thread.
    static RELIED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What an analysis finds, and a basic operator, if it took the declaration of one for granted. An analysis asks for
/// effects wherever it looks, which is not only at what it is asked about.
pub fn with_relied<T>(find: impl FnOnce() -> T) -> (T, Option<String>) {
    let outer = RELIED.take();
    let found = find();
    (found, RELIED.replace(outer))
}

/// The first basic operator or predicate in a term of which only the declaration is known.
pub fn relied_on(scheme: &Scheme, id: Id) -> Option<String> {
    if scheme.basics.is_empty() {
        return None;
    }
    let terms = &scheme.terms;
    terms.subterms(id).find_map(|id| {
        let construct = terms.functor(id).and_then(Construct::of);
        if !matches!(construct, Some(Construct::Perform | Construct::Holds)) {
            return None;
        }
        let phrase = terms.as_text(*terms.args(id).first()?)?;
        let basic = scheme.basics.get(&phrase)?;
        (!basic.is_shown).then(|| basic.title())
    })
}

struct Collector<'a> {
    scheme: &'a Scheme,
    out: Accesses,
    around: Arc<Vec<Around>>,
    on_device: bool,
}

impl Collector<'_> {
    fn add(
        &mut self,
        name: Symbol,
        subscripts: Option<Vec<Id>>,
        component: Option<Symbol>,
        write: bool,
        atomic: Option<Atomic>,
        id: Id,
    ) {
        let constant = self
            .scheme
            .variable(name)
            .is_some_and(|v| matches!(v.role, Role::Parameter { .. } | Role::Loop));
        if constant {
            return;
        }
        self.out.all.push(Access {
            name,
            subscripts,
            component,
            write,
            atomic,
            around: Arc::clone(&self.around),
            id,
            on_device: self.on_device,
        });
    }

    fn within(&mut self, around: Around, body: Id) {
        let outer = self.under(around);
        self.operator(body);
        self.around = outer;
    }

    /// Goes under something; gives what there was around it.
    fn under(&mut self, around: Around) -> Arc<Vec<Around>> {
        let mut all = self.around.to_vec();
        all.push(around);
        std::mem::replace(&mut self.around, Arc::new(all))
    }

    fn operator(&mut self, id: Id) {
        let scheme = self.scheme;
        let Some(view) = operator(&scheme.terms, id) else {
            self.out.unknown = Some(id);
            return;
        };
        match view {
            Operator::Then(parts) | Operator::Async(parts) => {
                for &part in parts {
                    self.operator(part);
                }
            }
            Operator::If { condition, yes, no } => {
                self.expression(condition);
                self.within(Around::Branch(condition, true), yes);
                self.within(Around::Branch(condition, false), no);
            }
            Operator::While { condition, body } => {
                let outer = self.under(Around::Maybe);
                self.expression(condition);
                self.operator(body);
                self.around = outer;
            }
            Operator::For {
                var,
                from,
                to,
                step,
                body,
            } => {
                self.expression(from);
                self.expression(to);
                if let Some(step) = step {
                    self.expression(step);
                }
                self.within(
                    Around::Loop(Loop {
                        var,
                        from,
                        to,
                        step,
                    }),
                    body,
                );
            }
            Operator::Parallel {
                var,
                from,
                to,
                body,
                ..
            } => {
                self.expression(from);
                self.expression(to);
                self.within(
                    Around::Loop(Loop {
                        var,
                        from,
                        to,
                        step: None,
                    }),
                    body,
                );
            }
            Operator::Filter(condition) => self.expression(condition),
            Operator::Assign { target, value } => {
                self.expression(value);
                self.target(target, None, false, None);
            }
            Operator::Atomic {
                op,
                target,
                value,
                was,
            } => {
                // What a LOCAL gets shows the order: with one, these are like any other accesses.
                let atomic = was.is_none().then_some(op);
                self.expression(value);
                self.target(target, None, true, atomic);
                self.target(target, None, false, atomic);
                if let Some(was) = was {
                    self.target(was, None, false, None);
                }
            }
            Operator::Local { name, value, .. } => {
                self.expression(value);
                self.out.own.insert(name);
                self.out.definitions.insert(name, value);
            }
            Operator::Array {
                name, dims, body, ..
            } => {
                for &dim in dims {
                    self.expression(dim);
                }
                self.out.own.insert(name);
                self.operator(body);
            }
            Operator::Shared { name, size, .. } | Operator::Registers { name, size, .. } => {
                self.expression(size);
                self.out.own.insert(name);
            }
            Operator::Timed(body) | Operator::Recorded(body) => self.operator(body),
            Operator::Report { values, .. } => {
                for &value in values {
                    self.expression(value);
                }
            }
            Operator::Save { array, .. } => self.add(array, None, None, false, None, id),
            Operator::Call { .. } => self.out.unknown = Some(id),
            Operator::Perform {
                arguments,
                reads,
                writes,
                ..
            } => {
                self.out.basic = Some(id);
                self.declared(arguments, reads, writes);
                // What is listed may be written, and may as well stay as it is.
                let outer = self.under(Around::Maybe);
                for &one in writes {
                    match self.whole_array(one) {
                        Some(array) => self.add(array, None, None, true, None, one),
                        None => self.target(one, None, false, None),
                    }
                }
                self.around = outer;
            }
            Operator::Launch {
                blocks,
                threads,
                body,
            } => {
                self.expression(blocks);
                self.expression(threads);
                let outer = std::mem::replace(&mut self.on_device, true);
                self.within(Around::Launch(blocks, threads), body);
                self.on_device = outer;
            }
            Operator::Exchange(_, names) => {
                for &name in names {
                    self.expression(name);
                    self.target(name, None, false, None);
                }
            }
            Operator::ControlPoint(_)
            | Operator::Wait(_)
            | Operator::Empty
            | Operator::Undefined
            | Operator::Barrier
            | Operator::Allocate(_)
            | Operator::CopyToDevice(_)
            | Operator::CopyFromDevice(_)
            | Operator::Free(_) => {}
        }
    }

    /// What a basic operator or predicate reads: values that are passed, the subscripts of places that are, and what
    /// it lists.
    fn declared(&mut self, arguments: &[Id], reads: &[Id], writes: &[Id]) {
        let terms = &self.scheme.terms;
        for &one in arguments {
            // An array that is passed is reached where the lists say so.
            if self.whole_array(one).is_some() {
                continue;
            }
            match expr(terms, one) {
                Some(Expr::Name(_)) if writes.iter().any(|&w| terms.equal(w, one)) => {}
                Some(Expr::Index { subscripts, .. })
                    if writes.iter().any(|&w| terms.equal(w, one)) =>
                {
                    subscripts.iter().for_each(|&s| self.expression(s));
                }
                _ => self.expression(one),
            }
        }
        for &one in reads {
            match self.whole_array(one) {
                Some(array) => self.add(array, None, None, false, None, one),
                None => self.expression(one),
            }
        }
    }

    /// The array that is named as a whole.
    fn whole_array(&self, id: Id) -> Option<Symbol> {
        let name = self.scheme.terms.as_atom(id)?;
        let variable = self.scheme.variable(name)?;
        variable.is_array().then_some(name)
    }

    /// A target; `read` for the reading half of an indivisible action.
    fn target(&mut self, id: Id, component: Option<Symbol>, read: bool, atomic: Option<Atomic>) {
        match expr(&self.scheme.terms, id) {
            Some(Expr::Field { vector, field }) => self.target(vector, Some(field), read, atomic),
            Some(Expr::Index { array, subscripts }) => {
                if !read || atomic.is_some() {
                    for &subscript in subscripts {
                        self.expression(subscript);
                    }
                }
                self.add(
                    array,
                    Some(subscripts.to_vec()),
                    component,
                    !read,
                    atomic,
                    id,
                );
            }
            Some(Expr::Name(name)) => {
                self.add(name, Some(Vec::new()), component, !read, atomic, id)
            }
            _ => self.out.unknown = Some(id),
        }
    }

    fn expression(&mut self, id: Id) {
        let terms = &self.scheme.terms;
        match expr(terms, id) {
            Some(Expr::Name(name)) => {
                // In a scheme without DATA, a name may be that of a variable.
                if Construct::of(name).is_none() {
                    self.add(name, Some(Vec::new()), None, false, None, id);
                }
            }
            Some(Expr::Index { array, subscripts }) => {
                for &subscript in subscripts {
                    self.expression(subscript);
                }
                self.add(array, Some(subscripts.to_vec()), None, false, None, id);
            }
            Some(Expr::Field { vector, field }) => match expr(terms, vector) {
                Some(Expr::Index { array, subscripts }) => {
                    for &subscript in subscripts {
                        self.expression(subscript);
                    }
                    self.add(
                        array,
                        Some(subscripts.to_vec()),
                        Some(field),
                        false,
                        None,
                        id,
                    );
                }
                _ => self.expression(vector),
            },
            Some(Expr::Apply { arguments, .. }) => {
                for &argument in arguments {
                    self.expression(argument);
                }
            }
            Some(Expr::Holds {
                arguments, reads, ..
            }) => {
                self.out.basic = Some(id);
                self.declared(arguments, reads, &[]);
            }
            Some(Expr::Test { .. } | Expr::After { .. }) => self.out.unknown = Some(id),
            Some(_) => {
                for &argument in terms.args(id) {
                    self.expression(argument);
                }
            }
            None => self.out.unknown = Some(id),
        }
    }
}

/// The variables that an expression reads, the constructs `BlockIndex` and the like among them.
pub fn names_in(scheme: &Scheme, id: Id) -> FxHashSet<Symbol> {
    names(&scheme.terms, id)
        .filter(|&n| scheme.variable(n).is_some() || Construct::of(n).is_some())
        .collect()
}
