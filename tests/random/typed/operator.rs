//! Random operators.

use super::{Maker, Phrase, Var};
use glushkov::algebra::Type;

impl Maker {
    /// Some operators in sequence, with what they declare in scope only there.
    pub fn block(&mut self, depth: usize) -> String {
        let declared = self.vars.len();
        let mut all = Vec::new();
        for _ in 0..1 + self.below(3) {
            all.push(self.operator(depth));
        }
        self.vars.truncate(declared);
        all.join(";\n")
    }

    fn small(&mut self) -> String {
        let text = self.pick(&["0", "1", "2", "3", "N", "N - 1"]);
        match self.below(8) {
            0 => self.value(Type::I32, 1),
            1 => self.value(Type::I64, 1),
            _ => text.into(),
        }
    }

    /// A variable or a cell to be assigned, and its type; now and then a component of it.
    fn target(&mut self) -> Option<(String, Type)> {
        let kernel = self.kernel;
        let fits = |v: &Var| v.assignable && (v.dims > 0 || !kernel || v.of_kernel);
        let fits: Vec<Var> = self.visible().filter(fits).collect();
        if fits.is_empty() {
            return None;
        }
        let var = fits[self.below(fits.len())].clone();
        let cell = self.cell(&var);
        Some(match var.ty {
            Type::Vector(n, _) if self.below(2) == 0 => {
                let field = ["x", "y", "z", "w"][self.below(n as usize)];
                (format!("{cell}.{field}"), var.ty.component())
            }
            ty => (cell, ty),
        })
    }

    fn assignment(&mut self) -> String {
        let Some((target, ty)) = self.target() else {
            return "EMPTY".into();
        };
        let value = match (ty, self.below(6)) {
            // What becomes of the type.
            (Type::Vector(..), 0) => "0".into(),
            (Type::I64, 0) => self.value(Type::I32, 2),
            (Type::F64, 0) => self.value(Type::F32, 2),
            (Type::F32 | Type::F64, 1) => self.value(Type::I64, 2),
            _ => self.value(ty, 3),
        };
        format!("{target} := {value}")
    }

    fn local(&mut self) -> String {
        let ty = self.any_type();
        let value = self.value(ty, 3);
        // Now and then it hides another one.
        let name = match self.below(5) {
            0 => {
                let hidden = self.below(self.vars.len());
                self.vars[hidden].name.clone()
            }
            _ => self.fresh(),
        };
        let text = format!("LOCAL {name} : {} := {value}", self.type_name(ty));
        self.declare(Var::scalar(name, ty, true));
        text
    }

    /// An operator.
    pub fn operator(&mut self, depth: usize) -> String {
        let deeper = depth < 3;
        match self.below(26) {
            0..=2 => self.local(),
            3 if deeper => {
                let condition = self.value(Type::Bool, 2);
                let yes = self.block(depth + 1);
                let no = match self.below(2) {
                    0 => format!("\nELSE\n{}", self.block(depth + 1)),
                    _ => String::new(),
                };
                format!("IF {condition} THEN\n{yes}{no}\nEND IF")
            }
            4 | 5 if deeper => self.for_loop(depth),
            6 if deeper => self.while_loop(depth),
            7 if deeper && !self.kernel => self.parallel(depth),
            8 if deeper && !self.kernel && self.branching => self.branches(depth),
            9 if self.rarely() => format!("FILTER {}", self.value(Type::Bool, 2)),
            10 if self.rarely() => "UNDEFINED".into(),
            11 => "EMPTY".into(),
            12 | 13 => self.atomic(),
            14 if !self.kernel && !self.parallel => self.report(),
            15 if !self.kernel && !self.parallel => self.save(),
            16 if deeper && !self.kernel => self.array(depth),
            17 | 18 => self.call(),
            19 | 20 if deeper && !self.kernel && !self.in_phrase => self.launch(),
            21 if self.kernel && !self.in_phrase && depth == 0 => "BARRIER".into(),
            21 if self.kernel && !self.in_phrase && self.divergent => "BARRIER".into(),
            22 if !self.kernel => "WAIT 'the device'".into(),
            _ => self.assignment(),
        }
    }

    fn for_loop(&mut self, depth: usize) -> String {
        let (from, to) = (self.small(), self.small());
        let step = match self.below(4) {
            0 => format!(
                " STEP {}",
                self.pick(&["1", "2", "-1", "N", "2147483647", "-2147483648"])
            ),
            _ => String::new(),
        };
        let name = self.fresh();
        let before = self.vars.len();
        // Bounds of 64 bits make variables of 64 bits, so it may have either type.
        self.declare(Var::scalar(name.clone(), Type::I32, false));
        let body = self.block(depth + 1);
        self.vars.truncate(before);
        format!("FOR ({name} FROM {from} TO {to}{step}) LOOP\n{body}\nEND OF LOOP")
    }

    fn while_loop(&mut self, depth: usize) -> String {
        if self.below(4) == 0 {
            let condition = self.value(Type::Bool, 2);
            return format!(
                "WHILE {condition} LOOP\n{}\nEND OF LOOP",
                self.block(depth + 1)
            );
        }
        let name = self.fresh();
        let before = self.vars.len();
        self.declare(Var::scalar(name.clone(), Type::I32, false));
        let body = self.block(depth + 1);
        self.vars.truncate(before);
        format!(
            "LOCAL {name} : INTEGER := 0;\nWHILE {name} < 3 LOOP\n{body};\n{name} := {name} + 1\nEND OF LOOP"
        )
    }

    fn parallel(&mut self, depth: usize) -> String {
        let (from, to, name) = (self.small(), self.small(), self.fresh());
        let (before, outer) = (self.vars.len(), self.parallel);
        self.parallel = true;
        self.declare(Var::scalar(name.clone(), Type::I32, false));
        let body = self.block(depth + 1);
        self.parallel = outer;
        self.vars.truncate(before);
        format!("PARALLEL ({name} FROM {from} TO {to}) (\n{body}\n)")
    }

    fn branches(&mut self, depth: usize) -> String {
        let outer = std::mem::replace(&mut self.parallel, true);
        let (a, b) = (self.block(depth + 1), self.block(depth + 1));
        let text = self.text();
        let branches = match self.below(3) {
            0 => format!("{a};\nCONTROL POINT '{text}'\n//\nWAIT '{text}';\n{b}"),
            1 => format!("{a}\n//\n{b}\n//\n{}", self.block(depth + 1)),
            _ => format!("{a}\n//\n{b}"),
        };
        self.parallel = outer;
        format!("PARALLEL (\n{branches}\n)")
    }

    fn atomic(&mut self) -> String {
        let target = self.target();
        match target {
            Some((target, ty)) if ty.is_number() => {
                let value = self.value(ty, 2);
                // Where others run, what was there before is not known.
                let alone = !self.kernel && !self.parallel && !self.in_phrase;
                if alone && !ty.is_vector() && self.below(4) == 0 {
                    let (name, ty_name) = (self.fresh(), self.type_name(ty));
                    self.declare(Var::scalar(name.clone(), ty, true));
                    return format!(
                        "LOCAL {name} : {ty_name} := 0;\nATOMIC {target} += {value} WAS {name}"
                    );
                }
                let sign = match ty {
                    Type::Vector(..) => "+=",
                    _ => self.pick(&["+=", "+=", "min=", "max="]),
                };
                format!("ATOMIC {target} {sign} {value}")
            }
            _ => self.assignment(),
        }
    }

    fn report(&mut self) -> String {
        let values: Vec<String> = (0..1 + self.below(3))
            .map(|_| {
                let ty = [Type::I32, Type::I64, Type::F32, Type::F64][self.below(4)];
                self.value(ty, 2)
            })
            .collect();
        format!("REPORT \"{}\" ({})", self.text(), values.join(", "))
    }

    fn save(&mut self) -> String {
        let arrays: Vec<Var> = self.visible().filter(|v| v.dims > 0).collect();
        if arrays.is_empty() {
            return self.assignment();
        }
        let array = arrays[self.below(arrays.len())].name.clone();
        format!("SAVE \"{}\" ({array})", self.text())
    }

    fn array(&mut self, depth: usize) -> String {
        let (name, ty, dims) = (self.fresh(), self.any_type(), 1 + self.below(3));
        let sizes = self.sizes(dims);
        let before = self.vars.len();
        self.declare(Var {
            dims,
            ..Var::scalar(name.clone(), ty, true)
        });
        let body = self.block(depth + 1);
        self.vars.truncate(before);
        format!(
            "ARRAY {name} : {} [{sizes}] IN (\n{body}\n)",
            self.type_name(ty)
        )
    }

    /// A call of a phrase.
    fn call(&mut self) -> String {
        let (kernel, parallel) = (self.kernel, self.parallel);
        let fits = |p: &&Phrase| !p.host || !kernel && !parallel;
        let phrases: Vec<Phrase> = self.phrases.iter().filter(fits).cloned().collect();
        if phrases.is_empty() || self.in_phrase {
            return self.assignment();
        }
        let phrase = phrases[self.below(phrases.len())].clone();
        let mut call = format!("\"{}", phrase.text);
        let mut assigned: Vec<String> = Vec::new();
        for formal in &phrase.formals {
            let argument = if formal.assignable || formal.dims > 0 {
                let fits = |v: &Var| {
                    let own = v.dims > 0 || !kernel || v.of_kernel;
                    let place = v.assignable && own && !assigned.contains(&v.name);
                    place && v.ty == formal.ty && (formal.dims == 0 || v.dims == formal.dims)
                };
                let fits: Vec<Var> = self.visible().filter(fits).collect();
                if fits.is_empty() {
                    return self.assignment();
                }
                let var = fits[self.below(fits.len())].clone();
                assigned.push(var.name.clone());
                match (formal.dims, var.dims) {
                    (0, 1..) => {
                        let zeros: Vec<&str> = (0..var.dims)
                            .map(|_| self.pick(&["0", "1", "N - 1"]))
                            .collect();
                        format!("{}[{}]", var.name, zeros.join(", "))
                    }
                    _ => var.name,
                }
            } else if assigned.is_empty() {
                let kept = std::mem::take(&mut self.predicates);
                let value = self.value(formal.ty, 2);
                self.predicates = kept;
                value
            } else {
                self.literal(formal.ty)
            };
            call.push_str(&format!(" ({argument})"));
        }
        call + "\""
    }

    /// A kernel with its copies.
    fn launch(&mut self) -> String {
        let (blocks, threads) = (self.small(), self.small());
        let before = self.vars.len();
        let (outer, parallel) = (std::mem::replace(&mut self.kernel, true), self.parallel);
        let arrays: Vec<String> = self
            .visible()
            .filter(|v| v.dims > 0)
            .map(|v| v.name)
            .collect();
        let mut body = Vec::new();
        if self.below(12) == 0 {
            body.push(self.local());
        }
        for _ in 0..self.below(3) {
            let (name, ty) = (self.fresh(), self.any_type());
            let size = match self.rarely() {
                true => self.value(Type::I32, 1),
                false => self
                    .pick(&["8", "threads", "N", "N + 1", "2 * threads"])
                    .into(),
            };
            body.push(format!("SHARED {name} : {} [{size}]", self.type_name(ty)));
            self.declare(Var {
                dims: 1,
                ..Var::scalar(name, ty, true)
            });
        }
        for _ in 0..1 + self.below(4) {
            body.push(self.operator(0));
        }
        self.kernel = outer;
        self.parallel = parallel;
        self.vars.truncate(before);
        let body = body.join(";\n");
        let mut text = Vec::new();
        let word = |c: char| !c.is_alphanumeric() && c != '_' && c != 'ʼ';
        let used: Vec<&String> = arrays
            .iter()
            .filter(|a| body.split(word).any(|w| w == **a))
            .collect();
        for array in &used {
            text.push(format!("\"Allocate memory for ({array}) on the device\""));
            text.push(format!("\"Copy ({array}) to the device\""));
        }
        text.push(format!("RunKernel ({blocks}, {threads}) (\n{body}\n)"));
        for array in &used {
            text.push(format!("\"Copy ({array}) from the device\""));
            text.push(format!("\"Free memory of ({array}) on the device\""));
        }
        text.join(";\n")
    }
}
