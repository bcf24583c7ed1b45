//! Random loop nests: what is derived gives the same results on the reference machine, which also
//! looks for races; so every "independent" that a rule acted on is tested.

use glushkov::algebra::Precision;
use glushkov::check::{Scheme, check};
use glushkov::derive::{derive, rule_base};
use glushkov::diagnostic::render;
use glushkov::machine::{Limits, Machine, compile};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Symbol, Terms};
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

struct Maker {
    random: Pcg64,
    text: String,
    loops: Vec<String>,
    locals: usize,
}

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.random.next_u64() % n
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    /// A subscript between 0 and 79 for loop variables between 0 and 4.
    fn subscript(&mut self) -> String {
        let mut parts = vec![(20 + self.below(6)).to_string()];
        for var in self.loops.clone() {
            match self.below(6) {
                0 | 1 => parts.push(format!("+ {var}")),
                2 => parts.push(format!("+ {} * {var}", 2 + self.below(3))),
                3 => parts.push(format!("- {var}")),
                _ => {}
            }
        }
        match self.below(14) {
            0 => format!("idx[{}]", parts.join(" ")),
            1 => format!("({}) MOD 40", parts.join(" ")),
            2 => format!("({}) / 2", parts.join(" ")),
            3 => format!("min({}, K + 30)", parts.join(" ")),
            _ => parts.join(" "),
        }
    }

    fn cell(&mut self) -> String {
        match self.below(7) {
            0 => {
                let (p, q) = (self.small(), self.small());
                format!("c[{p}, {q}]")
            }
            1 => "s".into(),
            2 | 3 => format!("b[{}]", self.subscript()),
            _ => format!("a[{}]", self.subscript()),
        }
    }

    /// A subscript between 0 and 9.
    fn small(&mut self) -> String {
        match self.loops.clone().as_slice() {
            [] => self.below(10).to_string(),
            loops => {
                let var = &loops[self.below(loops.len() as u64) as usize];
                match self.below(4) {
                    0 => format!("{var} + {}", self.below(5)),
                    1 => format!("9 - {var}"),
                    2 => self.below(10).to_string(),
                    _ => var.clone(),
                }
            }
        }
    }

    fn value(&mut self) -> String {
        let (x, y) = (self.cell(), self.cell());
        match self.below(4) {
            0 => format!("{x} + 0.5 * {y}"),
            1 => format!("{x} - {y}"),
            2 if self.locals > 0 => format!("{x} * 0.25 + t{}", self.below(self.locals as u64)),
            _ => format!("{x} * 0.5 + 1"),
        }
    }

    fn condition(&mut self) -> String {
        let op = self.pick(&["<", "<=", "<>", "=", ">"]);
        match self.loops.clone().as_slice() {
            [.., p, q] => format!("{p} {op} {q}"),
            [p] => format!("{p} {op} {}", self.below(5)),
            [] => format!("K {op} {}", self.below(6)),
        }
    }

    fn operators(&mut self, depth: usize, indent: usize) {
        let locals = self.locals;
        for _ in 0..1 + self.below(3) {
            let pad = "  ".repeat(indent);
            match self.below(8) {
                0..=2 if depth < 3 => {
                    let var = format!("i{depth}");
                    let from = match self.loops.last().cloned() {
                        Some(outer) if self.below(3) == 0 => outer,
                        _ => "0".into(),
                    };
                    let to = self.pick(&["4", "K - 1", "3", "K - 2"]);
                    let step = self.pick(&["", "", "", " STEP 2"]);
                    self.text.push_str(&format!(
                        "{pad}FOR ({var} FROM {from} TO {to}{step}) LOOP\n"
                    ));
                    self.loops.push(var);
                    self.operators(depth + 1, indent + 1);
                    self.loops.pop();
                    self.text.push_str(&format!("{pad}END OF LOOP;\n"));
                }
                3 => {
                    let condition = self.condition();
                    self.text.push_str(&format!("{pad}IF {condition} THEN\n"));
                    self.operators(3, indent + 1);
                    self.text.push_str(&format!("{pad}END IF;\n"));
                }
                4 if !self.loops.is_empty() => {
                    let value = self.value();
                    self.text
                        .push_str(&format!("{pad}LOCAL t{} : REAL := {value};\n", self.locals));
                    self.locals += 1;
                }
                5 => {
                    let (to, value) = (self.subscript(), self.value());
                    let array = self.pick(&["a", "b"]);
                    self.text
                        .push_str(&format!("{pad}ATOMIC {array}[{to}] += {value};\n"));
                }
                _ => {
                    let (cell, value) = (self.cell(), self.value());
                    self.text.push_str(&format!("{pad}{cell} := {value};\n"));
                }
            }
        }
        self.locals = locals;
    }
}

fn made(seed: u64) -> String {
    let mut maker = Maker {
        random: Pcg64::seed_from_u64(seed),
        text: String::new(),
        loops: Vec::new(),
        locals: 0,
    };
    maker.text.push_str(
        "SCHEME \"random\" ====\nDATA\n  K : INTEGER := 5\n  a, b : REAL [80] INPUT OUTPUT\n  \
         c : REAL [10, 10] INPUT OUTPUT\n  idx : INTEGER [80] INPUT\n  s : REAL INPUT OUTPUT\nEND OF DATA\n",
    );
    maker.operators(0, 1);
    maker.text.push_str("END OF SCHEME \"random\"\n");
    maker.text
}

fn run(scheme: &Scheme) -> Result<Vec<(Symbol, Vec<u64>)>, glushkov::machine::MachineError> {
    let code = compile(scheme).expect("everything is defined");
    let mut machine = Machine::new(scheme, &code, Limits::default());
    machine.start(&[])?;
    let mut random = Pcg64::seed_from_u64(3);
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_input()) {
        let count = machine.get(name).map_or(0, |c| c.len());
        let cells: Vec<u64> = (0..count)
            .map(|_| {
                let bits = random.next_u64();
                if variable.ty.is_integer() {
                    bits % 80
                } else {
                    u64::from(((bits >> 40) as f32 / (1u32 << 24) as f32).to_bits())
                }
            })
            .collect();
        machine.set(name, &cells);
    }
    machine.run()?;
    Ok(scheme
        .data()
        .filter(|(_, v)| v.is_output())
        .map(|(name, _)| (name, machine.get(name).expect("an OUTPUT")))
        .collect())
}

#[test]
fn derived_nests_do_what_they_did() {
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    let (mut parallel, mut kernels, mut unknown, mut no) = (0, 0, 0, 0);
    let count = std::env::var("NESTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(400);
    for seed in 0..count {
        let text = made(seed);
        let file = sources.add(format!("seed {seed}"), text.clone());
        let mut terms = Terms::new();
        let (items, errors) = read_file(&sources, file, &mut terms);
        let shown: String = errors.iter().map(|e| render(e, &sources, false)).collect();
        assert!(errors.is_empty(), "{shown}");
        let scheme = check(&terms, items[0], Precision::F32).unwrap_or_else(|e| {
            panic!(
                "{}",
                e.iter()
                    .map(|e| render(e, &sources, false))
                    .collect::<String>()
            )
        });
        // A scheme with an error obliges to nothing.
        let Ok(expected) = run(&scheme) else { continue };
        for strategy in ["parallel", "gpu"] {
            let derived = derive(&scheme, &base, strategy, &[], 10_000).unwrap_or_else(|e| {
                panic!(
                    "{text}{}",
                    e.iter()
                        .map(|e| render(e, &sources, false))
                        .collect::<String>()
                )
            });
            match run(&derived.scheme) {
                Ok(found) => assert_eq!(found, expected, "{strategy}, seed {seed}:\n{text}"),
                Err(error) => panic!("{strategy}, seed {seed}: {error:?}\n{text}"),
            }
            let applied = |rule: &str| {
                derived
                    .derivation
                    .steps
                    .iter()
                    .filter(|s| s.rule == rule)
                    .count()
            };
            parallel += applied("parallel_loop");
            kernels += applied("kernel");
            for miss in &derived.derivation.near_misses {
                if miss.stopped_by.question.starts_with("independent") {
                    match miss.stopped_by.answer.as_str() {
                        "no" => no += 1,
                        _ => unknown += 1,
                    }
                }
            }
        }
    }
    println!("{parallel} PARALLEL, {kernels} launches; refused: {no} no, {unknown} unknown");
    assert!(parallel > 20 && kernels > 20 && no > 20);
}
