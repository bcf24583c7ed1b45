//! Counting loops of a plan → C++, and how their bodies are to be unrolled.

use super::expression::level;
use super::printer::Printer;
use crate::algebra::Type;
use crate::emit::plan::{Act, Arithmetic, Expr, Function, Index, Node, Place, Stmt, Var};

/// The largest integer of 32 bits.
const LARGEST: i64 = i32::MAX as i64;

/// Whether an integer is below the largest one of its type for all values of what it consists of.
pub(in crate::emit) fn is_below_largest(e: &Expr) -> bool {
    match &e.node {
        Node::Int(k) => *k < LARGEST || e.ty == Type::I64 && *k < i64::MAX,
        Node::Arithmetic(Arithmetic::Subtract | Arithmetic::Remainder, _, b) => {
            matches!(b.node, Node::Int(k) if k > 0)
        }
        Node::Arithmetic(Arithmetic::Divide, _, b) => matches!(b.node, Node::Int(k) if k > 1),
        // The largest integer is odd.
        Node::Arithmetic(Arithmetic::Multiply, a, b) => [a, b]
            .iter()
            .any(|e| matches!(e.node, Node::Int(k) if k % 2 == 0)),
        Node::Index(index) => !matches!(index, Index::Blocks | Index::Multiprocessors),
        Node::Convert(a) => a.ty == Type::I32 && e.ty == Type::I64,
        Node::Call(Function::Min, all) => all.iter().any(is_below_largest),
        Node::Call(Function::Max, all) => all.iter().all(is_below_largest),
        Node::Select(_, a, b) => is_below_largest(a) && is_below_largest(b),
        _ => false,
    }
}

/// Whether an integer is above 0: a launch has a block, and a block a thread.
fn is_positive(e: &Expr) -> bool {
    match &e.node {
        Node::Index(index) => matches!(index, Index::Blocks | Index::Threads),
        Node::Convert(a) => a.ty == Type::I32 && e.ty == Type::I64 && is_positive(a),
        _ => false,
    }
}

/// Most cells of an array that loops are unrolled for: a thread has 255 registers, some of which it needs for
/// other things.
const MOST_IN_REGISTERS: i64 = 128;

impl Printer<'_> {
    /// Whether an expression keeps its value whatever is assigned: it may be evaluated again.
    pub(in crate::emit) fn is_constant(&self, e: &Expr) -> bool {
        let mut constant = true;
        let mut size = 0;
        crate::emit::plan::expressions(e, &mut |e| {
            size += 1;
            match &e.node {
                Node::Var(var) => constant &= !self.plan.var(*var).assigned,
                Node::Int(_) | Node::Index(_) | Node::Arithmetic(..) | Node::Convert(_) => {}
                _ => constant = false,
            }
        });
        constant && size <= 5
    }

    /// How a loop of a known length is to be unrolled: wholly where it must be and where it is all
    /// that a loop around it does, which is what unrolling by a rule leaves; not at all around other
    /// loops, as the code would not fit where instructions are kept.
    fn unrolling(&mut self, var: Var, body: &[Stmt]) {
        let mut inner = false;
        crate::emit::plan::each_statement(body, &mut |s| {
            inner |= matches!(s.act, Act::For { .. } | Act::While { .. });
        });
        if self.picks_registers(var, body) || self.unrolled.contains(&var) {
            self.lines.line("#pragma unroll");
        } else if inner {
            self.lines.line("#pragma unroll 1");
        }
        let mut acts = body.iter().filter(|s| !matches!(s.act, Act::Comment(_)));
        if let (Some(Act::For { var, .. }), None) = (acts.next().map(|s| &s.act), acts.next()) {
            self.unrolled.insert(*var);
        }
    }

    /// Whether a loop's variable picks from arrays in registers: registers have no addresses, so
    /// that the compiler must know each of its values.
    fn picks_registers(&self, var: Var, body: &[Stmt]) -> bool {
        let mut found = false;
        crate::emit::plan::each_expression(body, &mut |e| {
            if let Node::Cell { array, subscripts } = &e.node
                && self.plan.var(*array).place == Place::Registers
                && self.fits_registers(*array)
            {
                for subscript in subscripts {
                    crate::emit::plan::expressions(subscript, &mut |e| {
                        found |= e.node == Node::Var(var);
                    });
                }
            }
        });
        found
    }

    /// Whether an array of a thread is small enough to be kept in registers.
    fn fits_registers(&self, array: Var) -> bool {
        let dims = self.plan.var(array).dims.iter();
        let cells = dims.map(|d| match d.node {
            Node::Int(n) => n,
            _ => i64::MAX,
        });
        cells.fold(1, i64::saturating_mul) <= MOST_IN_REGISTERS
    }

    /// A counting loop.
    pub(in crate::emit) fn count(
        &mut self,
        var: Var,
        from: &Expr,
        to: &Expr,
        step: Option<&Expr>,
        body: &[Stmt],
    ) {
        self.count_around(var, [Some(from), Some(to), step], body, &mut |p| {
            p.block(body)
        });
    }

    /// A counting loop, from the first of three expressions to the second by steps of the third, if there is
    /// one. `print` prints its body.
    pub(in crate::emit) fn count_around(
        &mut self,
        var: Var,
        [from, to, step]: [Option<&Expr>; 3],
        body: &[Stmt],
        print: &mut dyn FnMut(&mut Self),
    ) {
        let (Some(from), Some(to)) = (from, to) else {
            return;
        };
        let name = self.name(var);
        let ty = self.type_name(self.ty(var));
        let literal = match step.map(|s| &s.node) {
            None => Some(1),
            Some(Node::Int(k)) => Some(*k),
            Some(Node::Negate(a)) => match a.node {
                Node::Int(k) => Some(-k),
                _ => None,
            },
            Some(_) => None,
        };
        // Beyond the largest integer there is no next one to end a loop at.
        let ends = is_below_largest(to);
        let from = self.any(from);
        if literal == Some(1) {
            let before = match &to.node {
                Node::Arithmetic(Arithmetic::Subtract, end, one) if one.node == Node::Int(1) => {
                    Some(&**end)
                }
                _ => None,
            };
            let (sign, end) = match before {
                Some(end) => ("<", end),
                None => ("<=", to),
            };
            // Compilers warn of a literal that nothing is above.
            let named = matches!(end.node, Node::Int(LARGEST | i64::MAX));
            let (first, end) = match self.is_constant(end) && !named {
                true => (from, self.expr(end, level::SUM)),
                false => {
                    let last = self.extra(&format!("{name}_end"));
                    let end = self.any(end);
                    (format!("{from}, {last} = {end}"), last)
                }
            };
            if self.kernel && matches!(to.node, Node::Int(_)) {
                self.unrolling(var, body);
            }
            self.lines.open(format!(
                "for ({ty} {name} = {first}; {name} {sign} {end}; ++{name}) {{"
            ));
            let to_come = match sign {
                "<" => format!("double({end}) - double({name})"),
                _ => format!("double({end}) - double({name}) + 1"),
            };
            let outer = self.rounds.replace(to_come);
            print(self);
            self.rounds = outer;
            if !ends {
                self.lines.line(format!("if ({name} == {end}) break;"));
            }
            self.lines.close("}");
            return;
        }
        // The count is of 64 bits, so that a step beyond the last bound of 32 does not overflow.
        let (at, last) = (
            self.extra(&format!("{name}_at")),
            self.extra(&format!("{name}_last")),
        );
        let to = self.any(to);
        self.lines.open("{");
        self.lines.line(format!("const int64_t {last} = {to};"));
        let upwards = step.is_some_and(is_positive);
        let (goes_on, by) = match literal {
            Some(k) if k >= 0 => (format!("{at} <= {last}"), k.to_string()),
            Some(k) => (format!("{at} >= {last}"), format!("({k})")),
            None if upwards => (
                format!("{at} <= {last}"),
                step.map(|s| self.expr(s, level::SUM)).unwrap_or_default(),
            ),
            None => {
                let by = self.extra(&format!("{name}_step"));
                let step = step.map(|s| self.any(s)).unwrap_or_default();
                self.lines.line(format!("const int64_t {by} = {step};"));
                self.fails(&format!("{by} == 0"), "Fault::division");
                (
                    format!("{by} != 0 && ({by} > 0 ? {at} <= {last} : {at} >= {last})"),
                    by,
                )
            }
        };
        self.lines.open(format!(
            "for (int64_t {at} = {from}; {goes_on}; {at} += {by}) {{"
        ));
        self.lines.line(format!("const {ty} {name} = ({ty}){at};"));
        if !self.is_read(var) {
            self.lines.line(format!("(void){name};"));
        }
        let outer = self.rounds.replace(format!(
            "(double({last}) - double({at})) / double({by}) + 1"
        ));
        print(self);
        self.rounds = outer;
        if self.ty(var) == Type::I64 {
            let up = format!("(uint64_t){last} - (uint64_t){at}");
            let down = format!("(uint64_t){at} - (uint64_t){last}");
            let beyond = match literal {
                Some(k) if k >= 0 => format!("{up} < {k}"),
                Some(k) => format!("{down} < {}", k.unsigned_abs()),
                None if upwards => format!("{up} < (uint64_t)({by})"),
                None => format!("{by} > 0 ? {up} < (uint64_t){by} : {down} < 0 - (uint64_t){by}"),
            };
            self.lines.line(format!("if ({beyond}) break;"));
        }
        self.lines.close("}");
        self.lines.close("}");
    }
}
