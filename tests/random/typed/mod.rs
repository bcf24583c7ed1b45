//! Random schemes of the whole language that type-check: what they compute means nothing, and they
//! may fail when they run, but a target that takes them must make programs that compile.

mod expression;
pub mod hard;
mod operator;

use glushkov::algebra::{Precision, Type};
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::collections::HashSet;

/// A variable in scope.
#[derive(Clone)]
pub struct Var {
    name: String,
    ty: Type,
    /// Number of dimensions; a scalar has none.
    dims: usize,
    assignable: bool,
    /// Whether a kernel declares it.
    of_kernel: bool,
}

impl Var {
    fn scalar(name: String, ty: Type, assignable: bool) -> Var {
        Var {
            name,
            ty,
            dims: 0,
            assignable,
            of_kernel: false,
        }
    }
}

/// A phrase that WHERE defines.
#[derive(Clone)]
struct Phrase {
    text: String,
    /// Those that are assignable are passed by reference.
    formals: Vec<Var>,
    /// Whether it may stand at the host's level only.
    host: bool,
}

/// Writes a random scheme.
pub struct Maker {
    random: Pcg64,
    precision: Precision,
    names: Vec<String>,
    vars: Vec<Var>,
    phrases: Vec<Phrase>,
    /// Texts and types of arguments.
    predicates: Vec<(String, Vec<Type>)>,
    kernel: bool,
    parallel: bool,
    in_phrase: bool,
    /// Whether barriers may stand anywhere in kernels.
    divergent: bool,
    /// Whether there may be branches, which not every target has.
    branching: bool,
    /// Whether no vector may be computed with.
    plain: bool,
    /// How many subscripts are around.
    subscripts: usize,
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        (self.random.next_u64() % n as u64) as usize
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn rarely(&mut self) -> bool {
        self.below(8) == 0
    }

    fn text(&mut self) -> String {
        hard::text(&mut |n| self.below(n))
    }

    /// A name that was not used yet.
    fn fresh(&mut self) -> String {
        self.names
            .pop()
            .unwrap_or_else(|| format!("more{}", self.vars.len()))
    }

    /// The variables that no later one hides.
    fn visible(&self) -> std::vec::IntoIter<Var> {
        let mut seen = HashSet::new();
        let mut all: Vec<Var> = self
            .vars
            .iter()
            .rev()
            .filter(|v| seen.insert(&v.name))
            .cloned()
            .collect();
        all.reverse();
        all.into_iter()
    }

    fn declare(&mut self, var: Var) {
        self.vars.push(Var {
            of_kernel: self.kernel,
            ..var
        });
    }

    fn any_type(&mut self) -> Type {
        let p = self.precision;
        let vector = |n| Type::Vector(n, p);
        let other = Type::Vector(2 + self.below(3) as u8, p.other());
        [
            Type::Bool,
            Type::I32,
            Type::I64,
            Type::F32,
            Type::F64,
            p.real(),
            vector(2),
            vector(3),
            vector(4),
            other,
        ][self.below(10)]
    }

    fn type_name(&mut self, ty: Type) -> &'static str {
        let exact = match ty {
            Type::F32 => "REAL32",
            Type::F64 => "REAL64",
            // Each vector has a name that says its width.
            Type::Vector(_, p) => ty.name(p.other()),
            other => other.name(self.precision),
        };
        [exact, ty.name(self.precision)][self.below(2)]
    }

    /// The sizes of an array.
    fn sizes(&mut self, dims: usize) -> String {
        let sizes: Vec<&str> = (0..dims)
            .map(|_| self.pick(&["N", "N + 1", "3", "2 * N", "ceil_div(N, 2)"]))
            .collect();
        sizes.join(", ")
    }

    fn data(&mut self) -> String {
        let mut text = String::from("  N : INTEGER := 4\n");
        self.declare(Var::scalar("N".into(), Type::I32, false));
        self.names.retain(|n| n != "N");
        for ty in [Type::Bool, Type::I32, Type::I64, Type::F32, Type::F64] {
            // Defaults are over parameters.
            let (name, value) = (self.fresh(), self.value(ty, 2));
            text.push_str(&format!("  {name} : {} := {value}\n", self.type_name(ty)));
            self.declare(Var::scalar(name, ty, false));
        }
        self.plain = false;
        let parameters = self.vars.len();
        for _ in 0..4 + self.below(8) {
            let ty = self.any_type();
            let dims = self.below(4);
            let marks = self.pick(&["", " INPUT", " OUTPUT", " OUTPUT", " INPUT OUTPUT"]);
            let names: Vec<String> = (0..1 + self.below(2)).map(|_| self.fresh()).collect();
            let sizes = match dims {
                0 => String::new(),
                _ => format!(" [{}]", self.sizes(dims)),
            };
            let kept = self.vars.split_off(parameters);
            let values = match (dims, self.below(5)) {
                (1, 0) => format!(" := [{}, {}]", self.value(ty, 1), self.literal(ty)),
                _ => String::new(),
            };
            self.vars.extend(kept);
            text.push_str(&format!(
                "  {} : {}{sizes}{marks}{values}\n",
                names.join(", "),
                self.type_name(ty)
            ));
            for name in names {
                self.declare(Var {
                    dims,
                    ..Var::scalar(name, ty, marks != " INPUT")
                });
            }
        }
        // SAVE and launches want an array.
        let name = self.fresh();
        text.push_str(&format!("  {name} : REAL [N] OUTPUT\n"));
        let ty = self.precision.real();
        self.declare(Var {
            dims: 1,
            ..Var::scalar(name, ty, true)
        });
        if self.below(2) == 0 {
            text.push_str(&format!("  WORK \"{}\" := N * 2\n", self.text()));
        }
        text
    }

    fn definitions(&mut self) -> String {
        let mut text = String::new();
        let data = self.vars.clone();
        self.in_phrase = true;
        for number in 0..self.below(4) {
            let types: Vec<Type> = (0..self.below(3)).map(|_| self.any_type()).collect();
            let formals: Vec<Var> = types
                .iter()
                .map(|&ty| Var::scalar(self.fresh(), ty, false))
                .collect();
            let name = format!("{} p{number}", self.text());
            let kept = self.predicates.clone();
            self.predicates.clear();
            self.vars.extend(formals.iter().cloned());
            let condition = self.value(Type::Bool, 3);
            self.vars.clone_from(&data);
            self.predicates = kept;
            text.push_str(&format!(
                "'{name}{}' ==== {condition}\n",
                in_parentheses(&formals)
            ));
            self.predicates.push((name, types));
        }
        for number in 0..self.below(5) {
            let by_reference = self.below(2) == 0;
            let mut formals = Vec::new();
            for _ in 0..self.below(4) {
                let dims = if by_reference && self.below(3) == 0 {
                    1 + self.below(3)
                } else {
                    0
                };
                let ty = self.any_type();
                let assigned = by_reference && (dims > 0 || self.below(2) == 0);
                formals.push(Var {
                    dims,
                    ..Var::scalar(self.fresh(), ty, assigned)
                });
            }
            let name = format!("{} q{number}", self.text());
            // One that assigns its arguments names nothing that could be one of them.
            if by_reference {
                self.vars.retain(|v| !v.assignable && v.dims == 0);
            }
            // An array that is passed is assignable, and so is what else the body may say.
            self.vars.extend(formals.iter().cloned().map(|v| Var {
                of_kernel: true,
                ..v
            }));
            let host = self.rarely();
            self.parallel = !host;
            self.kernel = !host;
            let kept = if by_reference {
                std::mem::take(&mut self.predicates)
            } else {
                self.predicates.clone()
            };
            let body = self.block(1);
            self.predicates = kept;
            self.kernel = false;
            self.parallel = false;
            self.vars.clone_from(&data);
            text.push_str(&format!(
                "\"{name}{}\" ====\n{body}\n",
                in_parentheses(&formals)
            ));
            self.phrases.push(Phrase {
                text: name,
                formals,
                host,
            });
        }
        self.in_phrase = false;
        text
    }
}

/// A scheme whose variables have these names: parameters, arrays, scalars, LOCALs and variables of
/// loops, in turn from one of them on.
pub fn named(words: &[String], from: usize) -> String {
    let (mut data, mut body) = (String::new(), String::new());
    let (mut kernel, mut sum, mut copies) =
        (String::new(), vec!["1"], [const { String::new() }; 2]);
    let is_free =
        |w: &&String| *w != "N" && glushkov::algebra::function(w.as_str().into()).is_none();
    for (i, word) in words.iter().filter(is_free).enumerate() {
        match (i + from) % 5 {
            0 => {
                data.push_str(&format!("  {word} : INTEGER := 2\n"));
                sum.push(word);
            }
            1 => {
                data.push_str(&format!("  {word} : REAL [N, 2] INPUT OUTPUT\n"));
                body.push_str(&format!(
                    "PARALLEL (i_ FROM 0 TO 1) ( {word}[i_, 0] := i_ );\n"
                ));
                body.push_str(&format!("SAVE \"{word}\" ({word});\n"));
                kernel.push_str(&format!("{word}[0, 1] := {word}[thread, 1];\n"));
                copies[0].push_str(&format!(
                    "\"Allocate memory for ({word}) on the device\"; \"Copy ({word}) to the device\";\n"
                ));
                copies[1].push_str(&format!("\"Copy ({word}) from the device\";\n"));
            }
            2 => {
                data.push_str(&format!("  {word} : INTEGER OUTPUT\n"));
                body.push_str(&format!("{word} := N;\n"));
                sum.push(word);
            }
            3 => {
                body.push_str(&format!("LOCAL {word} : INTEGER := 3;\n"));
                sum.push(word);
            }
            _ => {
                let one = format!(
                    "FOR ({word} FROM 0 TO N - 1) LOOP s_[{word}] := {word} END OF LOOP;\n"
                );
                body.push_str(&one);
                kernel.push_str(&one);
            }
        }
    }
    let sum = sum.join(" + ");
    let [before, after] = copies;
    format!(
        "SCHEME \"names\" ====\nDATA\n  N : INTEGER := 2\n  s_ : INTEGER [N] OUTPUT\n{data}END OF DATA\n{body}\
         s_[0] := {sum};\nREPORT \"sum\" ({sum});\n\"Allocate memory for (s_) on the device\";\n{before}\
         RunKernel (1, 1) (\n{kernel}s_[0] := {sum}\n);\n{after}\"Copy (s_) from the device\"\n\
         END OF SCHEME \"names\"\n"
    )
}

fn in_parentheses(formals: &[Var]) -> String {
    formals.iter().map(|v| format!(" ({})", v.name)).collect()
}

/// A random scheme. Most type-check.
pub fn made(seed: u64, precision: Precision) -> String {
    let mut maker = Maker {
        random: Pcg64::seed_from_u64(seed),
        precision,
        names: Vec::new(),
        vars: Vec::new(),
        phrases: Vec::new(),
        predicates: Vec::new(),
        kernel: false,
        parallel: false,
        in_phrase: false,
        divergent: seed.is_multiple_of(7),
        branching: seed.is_multiple_of(4),
        plain: true,
        subscripts: 0,
    };
    maker.names = hard::names(&mut |n| maker.below(n));
    let title = format!("{} {seed}", maker.text());
    let data = maker.data();
    let definitions = maker.definitions();
    let mut body: Vec<String> = (0..3 + maker.below(5)).map(|_| maker.operator(0)).collect();
    if maker.below(3) == 0 {
        let timed = maker.block(1);
        body.push(format!("TIMED (\n{timed}\n)"));
    }
    if maker.below(60) == 0 {
        body.push("\"what nothing defines\"".into());
    }
    if maker.below(60) == 0 {
        body.push("IF AFTER ( EMPTY ) TRUE THEN EMPTY END IF".into());
    }
    let body = body.join(";\n");
    let definitions = match definitions.is_empty() {
        true => definitions,
        false => format!("WHERE\n{definitions}"),
    };
    format!(
        "SCHEME \"{title}\" ====\nDATA\n{data}END OF DATA\n{body}\n{definitions}END OF SCHEME\n"
    )
}
