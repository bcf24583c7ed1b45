//! What random schemes have for rules whose conditions ask for what other random operators hardly ever
//! do: sums of pairs, sums that start at 0, expressions that stand twice, vectors, tables.

use super::apply::is_expression;
use super::maker::Maker;
use crate::algebra::Construct;
use crate::term::{Id, Symbol, Terms};

/// What else those for rules about pairs and expressions work on: sums, vectors, a table with two
/// columns and a symmetric one.
pub(super) const FURTHER_DATA: &str = "  h : REAL [24, 24, 24] OUTPUT\n  p, q : REAL [80] INPUT OUTPUT\n  v : VECTOR [80] INPUT OUTPUT\n  \
    v2 : VECTOR2 [80] INPUT OUTPUT\n  v4 : VECTOR4 [80] INPUT OUTPUT\n  \
    r : REAL [12, 2] INPUT\n  e : REAL [6, 6] := [\
    1, 2, 3, 4, 5, 6, 2, 1, 4, 5, 6, 7, 3, 4, 1, 6, 7, 8, 4, 5, 6, 1, 8, 9, 5, 6, 7, 8, 1, 3, \
    6, 7, 8, 9, 3, 1]\n";

/// What a rule's condition asks for that other random operators hardly ever have.
#[derive(Clone, Copy)]
pub(super) struct Wishes {
    /// It asks for a basic operator that is declared.
    pub(super) basic: bool,
    /// Bodies of loops, or of loops over pairs, only add to cells of their members.
    pub(super) sums: bool,
    /// What is added to cells is often a LOCAL.
    pub(super) addends: bool,
    /// Both members of a pair, that do the same when they are exchanged.
    pub(super) exchanged: bool,
    /// Operators before a loop are LOCALs to which the loop only adds.
    pub(super) scalar_sums: bool,
    /// A sum of a scalar `s` with itself in `e`, in a loop.
    pub(super) terms: bool,
    /// Expressions stand several times.
    pub(super) repeats: bool,
    /// Cells are those of an array of integers, at the loop's variable.
    pub(super) counts: bool,
    /// Roots of LOCALs.
    pub(super) roots: bool,
    /// Cubes of LOCALs.
    pub(super) cubes: bool,
    /// Approximate roots of LOCALs.
    pub(super) near_roots: bool,
    /// Launches read a vector and a number of the same subscript.
    pub(super) records: bool,
    /// The threads of a block share vectors and numbers of the same subscript.
    pub(super) shared_records: bool,
    /// Loops over three subscripts.
    pub(super) spaces: bool,
    /// How many iterations loops have is not known.
    pub(super) open: bool,
    /// Bounds of loops are not extents.
    pub(super) far: bool,
    /// LOCALs are vectors.
    pub(super) vectors: bool,
    /// The array that vectors are cells of.
    pub(super) array: &'static str,
    /// Conditions are made of what nothing assigns.
    pub(super) constants: bool,
    /// What is assigned is a LOCAL of a loop, or from before it.
    pub(super) own_places: bool,
    /// Its pattern is an expression.
    pub(super) expression: bool,
}

impl Wishes {
    /// By a rule's text.
    pub(super) fn new(rules: &Terms, pattern: Id, asks: &str) -> Wishes {
        Wishes {
            basic: asks.contains("has_launch_code("),
            sums: ["only_sums(", "only_addend(", "independent_but($t, "]
                .iter()
                .any(|fact| asks.contains(fact)),
            addends: asks.contains("only_addend("),
            exchanged: asks.contains("exchangeable("),
            scalar_sums: asks.contains("only_scalar_sums(") || asks.contains("writes_scalars("),
            terms: asks.contains("!free_of($s, $e)"),
            repeats: asks.contains("common_part("),
            counts: asks.contains("is_integer32($x)"),
            roots: asks.contains("Apply(sqrt, $q)"),
            cubes: asks.contains("Power($q, 3)"),
            near_roots: asks.contains("occurs(Apply(rsqrt_approx, $x)"),
            records: asks.contains("read_together("),
            shared_records: asks.contains("shared_together("),
            spaces: asks.contains("independent($k, "),
            open: asks.contains("!short("),
            far: asks.contains("margin_test("),
            vectors: asks.contains("is_vector(") && !is_expression(rules, pattern),
            array: vectors(rules, pattern),
            constants: asks.contains("constant("),
            own_places: asks.contains("own_place("),
            expression: is_expression(rules, pattern),
        }
    }
}

/// The array whose vectors have as many components as one that a pattern makes.
fn vectors(rules: &Terms, pattern: Id) -> &'static str {
    let made = rules.subterms(pattern).find(|&t| {
        let functor = rules.functor(t).and_then(Construct::of);
        let function = rules.args(t).first().and_then(|&f| rules.as_atom(f));
        functor == Some(Construct::Apply) && function.is_some_and(|f| f.as_str() == "vector")
    });
    match made.map_or(0, |t| rules.arity(t)) {
        3 => "v2",
        5 => "v4",
        _ => "v",
    }
}

/// Basic operators with code for launches, and one without.
pub(super) const BASICS: &str = r#"
WHERE
  "Multiply (x) by (f)" ==== BASIC (x : REAL [n]; f : REAL)
    READS x
    WRITES x
    MEANS FOR (p FROM 0 TO n - 1) LOOP x[p] := f * x[p] END OF LOOP
    CODE launch ``` multiply($x, $f, $n); ```
  END OF BASIC
  "Turn (x) round into (y)" ==== BASIC (x, y : REAL [n])
    READS x
    WRITES y
    MEANS FOR (p FROM 0 TO n - 1) LOOP y[p] := x[n - 1 - p] END OF LOOP
    CODE launch ``` turn($x, $y, $n); ```
  END OF BASIC
  "Find the first of (x) in (f)" ==== BASIC (x : REAL [n]; f : REAL)
    READS x
    WRITES f
    MEANS f := x[0]
    CODE launch ``` first($x, $f); ```
  END OF BASIC
"#;

impl Maker<'_> {
    /// The use of a basic operator, on arrays of DATA.
    pub(super) fn basic(&mut self) -> Id {
        let (text, arguments) = match self.below(4) {
            0 => ("Find the first of () in ()", ["a", "s"]),
            1 => ("Turn () round into ()", ["a", "b"]),
            2 => ("Turn () round into ()", ["b", "a"]),
            _ => (
                "Multiply () by ()",
                [["a", "b"][self.below(2) as usize], "t"],
            ),
        };
        let mut parts = vec![self.terms.text(Symbol::new(text))];
        parts.extend(arguments.map(|name| self.atom(name)));
        self.call(Construct::Call, &parts)
    }

    /// LOCALs that start at 0.
    pub(super) fn zeros(&mut self) -> Vec<Id> {
        let mut locals = Vec::new();
        for _ in 0..1 + self.below(2) {
            let (name, zero) = (self.fresh("x"), self.terms.int(0));
            locals.push(self.local(name, "REAL", zero));
            self.locals.push(name);
        }
        locals
    }

    /// A number that the rule asks for.
    pub(super) fn wanted_number(&mut self) -> Option<Id> {
        if self.wishes.repeats && self.below(2) == 0 {
            if let Some(known) = self.repeated {
                return Some(known);
            }
            let (cell, other) = (self.cell(), self.cell());
            let sum = self.call(Construct::Plus, &[cell, other]);
            self.repeated = Some(sum);
            return Some(sum);
        }
        for (wished, root) in [
            (self.wishes.roots, "sqrt"),
            (self.wishes.near_roots, "rsqrt_approx"),
        ] {
            if let (true, Some(&local)) = (wished, self.locals.last())
                && self.below(2) == 0
            {
                let parts = [self.atom(root), self.terms.atom(local)];
                return Some(self.call(Construct::Apply, &parts));
            }
        }
        if let (true, Some(&local)) = (self.wishes.cubes, self.locals.last())
            && self.below(4) > 0
        {
            let (local, three) = (self.terms.atom(local), self.terms.int(3));
            return Some(self.call(Construct::Power, &[local, three]));
        }
        None
    }

    /// A sum to a LOCAL in a loop, and what becomes of it after the loop.
    pub(super) fn wanted_operator(&mut self) -> Option<Id> {
        if self.wishes.vectors {
            return self.with_vector();
        }
        if self.wishes.spaces
            && let &[.., i, j, k] = self.loops.as_slice()
        {
            let parts = [
                self.atom("h"),
                self.terms.atom(i),
                self.terms.atom(j),
                self.terms.atom(k),
            ];
            let (cell, value) = (self.call(Construct::Index, &parts), self.cell());
            return Some(self.call(Construct::Assign, &[cell, value]));
        }
        if self.wishes.scalar_sums
            && self.below(4) > 0
            && let Some(&local) = self.locals.last()
        {
            let (to, value) = (self.terms.atom(local), self.cell());
            let mut parts = vec![to, value];
            if self.loops.len() < 2 {
                // After the sums.
                let at = self.subscript();
                let array = self.atom("b");
                let cell = self.call(Construct::Index, &[array, at]);
                return Some(self.call(Construct::Assign, &[cell, to]));
            }
            parts[1] = self.call(Construct::Plus, &[to, value]);
            return Some(self.call(Construct::Assign, &parts));
        }
        None
    }

    /// A subscript from 0 to 5, or to 1.
    pub(super) fn column(&mut self, of_two: bool) -> Id {
        let which = self.below(self.loops.len() as u32) as usize;
        let var = self.terms.atom(self.loops[which]);
        match (self.below(4), of_two) {
            (0, _) => {
                let number = i64::from(self.below(2));
                self.terms.int(number)
            }
            (_, true) => {
                let two = self.terms.int(2);
                self.call(Construct::Mod, &[var, two])
            }
            _ => var,
        }
    }

    /// What may stand in an expression: a number or a vector, of either sign or shown not to be
    /// negative.
    pub(super) fn number_or_vector(&mut self) -> Id {
        let choice = match self.of_vector {
            true => [0, 5, 6, 7][self.below(4) as usize],
            false => self.below(8),
        };
        let name = |m: &mut Self, name: &str| m.atom(name);
        match choice {
            0..3 => self.real(),
            3 => self.terms.real(2.5),
            4 => {
                let parts = [name(self, "abs"), self.real()];
                self.call(Construct::Apply, &parts)
            }
            5 => {
                let (half, cell) = (self.terms.real(0.5), self.cell());
                let less = self.call(Construct::Minus, &[cell, half]);
                let parts = [name(self, "vector"), less, cell, half];
                self.call(Construct::Apply, &parts)
            }
            _ => {
                let (array, at) = (name(self, self.wishes.array), self.subscript());
                self.call(Construct::Index, &[array, at])
            }
        }
    }

    /// What a vector is made of, of three components as a rule.
    pub(super) fn numbers(&mut self, several: bool) -> Vec<Id> {
        if !several {
            return vec![self.real()];
        }
        let count = [3, 3, 3, 2, 4][self.below(5) as usize];
        let mut made: Vec<Id> = (0..count).map(|_| self.real()).collect();
        if self.below(4) == 0 {
            made[1] = self.terms.int(2);
        }
        made
    }

    /// A LOCAL vector.
    pub(super) fn vector_local(&mut self) -> Id {
        let name = self.fresh("v");
        let value = self.vector();
        self.vectors.push(name);
        self.local(name, "VECTOR", value)
    }

    /// A vector, often made from one that is in scope.
    pub(super) fn vector(&mut self) -> Id {
        let (array, at) = (self.atom("v"), self.subscript());
        let cell = self.call(Construct::Index, &[array, at]);
        let Some(&name) = self.vectors.last() else {
            return match self.below(4) {
                0 => self.terms.int(0),
                _ => cell,
            };
        };
        let own = self.terms.atom(name);
        match self.below(6) {
            0 => self.terms.int(0),
            1 => {
                let cross = self.atom("cross");
                self.call(Construct::Apply, &[cross, own, cell])
            }
            2 => {
                let (norm, x) = (self.atom("norm2"), self.atom("y"));
                let square = self.call(Construct::Apply, &[norm, own]);
                let one = self.call(Construct::Field, &[own, x]);
                let product = self.call(Construct::Times, &[square, cell]);
                let other = self.call(Construct::Times, &[one, own]);
                self.call(Construct::Minus, &[product, other])
            }
            _ => {
                let product = [self.real(), cell];
                let product = self.call(Construct::Times, &product);
                self.call(Construct::Plus, &[own, product])
            }
        }
    }

    /// What becomes of a vector in the end.
    pub(super) fn vector_left(&mut self) -> Option<Id> {
        let own = self.vectors.last().copied()?;
        let (array, at) = (self.atom("v"), self.terms.int(3));
        let cell = self.call(Construct::Index, &[array, at]);
        let own = self.terms.atom(own);
        Some(self.call(Construct::Assign, &[cell, own]))
    }

    /// An operator with a vector that is in scope.
    fn with_vector(&mut self) -> Option<Id> {
        let own = *self.vectors.last()?;
        let own = self.terms.atom(own);
        let names = [self.atom("x"), self.atom("y")];
        let [first, second] = names.map(|f| self.call(Construct::Field, &[own, f]));
        let (to, value) = match self.below(5) {
            0 => {
                let sum = [second, self.real()];
                (first, self.call(Construct::Plus, &sum))
            }
            1 => (first, second),
            2 => {
                let (array, at) = (self.atom("p"), self.subscript());
                let norm = [self.atom("norm2"), own];
                let square = self.call(Construct::Apply, &norm);
                (self.call(Construct::Index, &[array, at]), square)
            }
            3 => {
                let (array, at) = (self.atom("v"), self.subscript());
                (self.call(Construct::Index, &[array, at]), own)
            }
            _ => return None,
        };
        Some(self.call(Construct::Assign, &[to, value]))
    }

    /// Sums to cells of the variables of the loops around.
    pub(super) fn sums(&mut self) -> Vec<Id> {
        let inner = self.loops.len() - 1;
        let vars: Vec<Id> = self
            .loops
            .clone()
            .into_iter()
            .map(|v| self.terms.atom(v))
            .collect();
        let (first, second) = (vars[inner.saturating_sub(1)], vars[inner]);
        let [a, p, q, x] = ["a", "p", "q", "x"].map(|name| self.atom(name));
        let at = |m: &mut Self, array: Id, var: Id| m.call(Construct::Index, &[array, var]);
        let plus = [Construct::Plus, Construct::Minus];
        if !self.wishes.exchanged {
            let mut made = Vec::new();
            for array in [p, q].into_iter().take(1 + self.below(2) as usize) {
                let value = match self.locals.last().copied() {
                    Some(local) if self.wishes.addends && self.below(4) > 0 => {
                        self.terms.atom(local)
                    }
                    _ => {
                        let (value, theirs) = (self.real(), at(self, a, second));
                        self.call(Construct::Times, &[value, theirs])
                    }
                };
                let var = [first, first, first, second][self.below(4) as usize];
                let own = at(self, array, var);
                let sign = plus[self.below(2) as usize];
                let sum = self.call(sign, &[own, value]);
                made.push(self.call(Construct::Assign, &[own, sum]));
            }
            return made;
        }
        let (of_first, of_second) = (at(self, a, first), at(self, a, second));
        let difference = self.call(Construct::Minus, &[of_second, of_first]);
        let local = self.name_of(x);
        let mut made = vec![self.local(local, "REAL", difference)];
        let (value, odd) = match self.below(3) {
            0 => (x, true),
            1 => (self.call(Construct::Times, &[x, x]), false),
            _ => (self.call(Construct::Times, &[of_first, of_second]), false),
        };
        let wrong = self.below(4) == 0;
        let back = plus[usize::from(odd ^ wrong)];
        for (var, sign) in [(first, Construct::Plus), (second, back)] {
            let own = at(self, p, var);
            let sum = self.call(sign, &[own, value]);
            made.push(self.call(Construct::Assign, &[own, sum]));
        }
        made
    }
}
