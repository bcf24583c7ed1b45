//! Random schemes: loops with affine and other subscripts, conditions, LOCALs, atomic sums, phrases.

use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

/// Writes a random scheme.
struct Maker {
    random: Pcg64,
    text: String,
    loops: Vec<String>,
    locals: usize,
    whiles: usize,
    /// Whether most of what is written is not read, and iterations write cells of their own.
    apart: bool,
    /// Whether phrases and predicates may be called.
    phrases: bool,
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

    /// A cell to be written.
    fn target(&mut self) -> String {
        if !self.apart || self.below(12) == 0 {
            return self.cell();
        }
        let first = 20 + self.below(3);
        let flat = self.below(2) == 0;
        match self.loops.as_slice() {
            [] => format!("b[{first}]"),
            [i] => format!("b[{first} + 2 * {i}]"),
            [i, j] | [i, j, ..] if flat => format!("b[{first} + 5 * {i} + {j}]"),
            [i, j] => format!("c[{i}, {j}]"),
            [i, .., j] => format!("b[{first} + {i} + 6 * {j}]"),
        }
    }

    fn cell(&mut self) -> String {
        if self.apart && self.below(12) > 0 {
            return format!("a[{}]", self.subscript());
        }
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

    /// A number between 0 and 4.
    fn index(&mut self) -> String {
        let constant = self.below(5).to_string();
        match self.loops.last().cloned() {
            Some(var) if self.below(4) > 0 => var,
            _ => constant,
        }
    }

    fn condition(&mut self) -> String {
        let op = self.pick(&["<", "<=", "<>", "=", ">"]);
        if self.phrases {
            match self.below(8) {
                0 => return format!("'Cell ({}) is large'", self.index()),
                1 => return format!("{} {op} 0.5", self.cell()),
                2 => return format!("NOT 'Cell ({}) is large' AND K {op} 3", self.index()),
                _ => {}
            }
        }
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
            let most = if self.phrases { 13 } else { 8 };
            let kind = self.below(most);
            // What makes iterations share cells is rare where they are to be apart.
            let shares = matches!(kind, 5 | 8 | 9 | 10) && self.apart && self.below(5) > 0;
            match if shares { 6 } else { kind } {
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
                    if self.phrases && self.below(3) == 0 {
                        self.text.push_str(&format!("{pad}ELSE\n"));
                        self.operators(3, indent + 1);
                    }
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
                8 => {
                    let (index, shift) = (self.index(), self.below(3));
                    self.text.push_str(&format!(
                        "{pad}\"Mix cell ({index}) shifted by ({shift})\";\n"
                    ));
                }
                9 => {
                    let (to, index) = (self.subscript(), self.index());
                    self.text
                        .push_str(&format!("{pad}\"Raise (b[{to}]) by cell ({index})\";\n"));
                }
                10 => {
                    let (to, from, more) = (self.subscript(), self.subscript(), self.index());
                    self.text.push_str(&format!(
                        "{pad}n[{to}] := (3 * n[{from}] + {more}) MOD 80;\n"
                    ));
                }
                11 if depth < 3 => {
                    // A loop that ends when its own LOCAL says so.
                    let var = format!("w{}", self.whiles);
                    self.whiles += 1;
                    self.text
                        .push_str(&format!("{pad}LOCAL {var} : INTEGER := 0;\n"));
                    self.text.push_str(&format!("{pad}WHILE {var} < 3 LOOP\n"));
                    self.loops.push(var.clone());
                    self.operators(depth + 1, indent + 1);
                    self.loops.pop();
                    self.text
                        .push_str(&format!("{pad}  {var} := {var} + 1\n{pad}END OF LOOP;\n"));
                }
                _ => {
                    let (cell, value) = (self.target(), self.value());
                    self.text.push_str(&format!("{pad}{cell} := {value};\n"));
                }
            }
        }
        self.locals = locals;
    }
}

/// A scheme of loops, conditions and assignments; with phrases, predicates and WHILE loops if asked.
pub fn made(seed: u64, phrases: bool) -> String {
    let (body, definitions) = parts(seed, phrases);
    let definitions = match phrases {
        true => format!("WHERE\n{definitions}"),
        false => String::new(),
    };
    format!("{HEAD}{body}{definitions}END OF SCHEME \"random\"\n")
}

/// The beginning of every scheme: its data.
pub const HEAD: &str = "SCHEME \"random\" ====\nDATA\n  K : INTEGER := 5\n  \
    a, b : REAL [80] INPUT OUTPUT\n  c : REAL [10, 10] INPUT OUTPUT\n  \
    idx : INTEGER [80] INPUT\n  n : INTEGER [80] INPUT OUTPUT\n  s : REAL INPUT OUTPUT\n  \
    DEFAULT INPUT \"random\" (x := a, seed := 1)\n  \
    DEFAULT INPUT \"random\" (x := b, seed := 2)\n  \
    DEFAULT INPUT \"random\" (x := c, seed := 3)\n  \
    DEFAULT INPUT \"random\" (x := idx, high := 80, whole := 1, seed := 4)\n  \
    DEFAULT INPUT \"random\" (x := n, high := 80, whole := 1, seed := 5)\n  \
    DEFAULT INPUT \"random\" (x := s, seed := 6)\nEND OF DATA\n";

/// The body of a random scheme, and its definitions.
pub fn parts(seed: u64, phrases: bool) -> (String, String) {
    let mut maker = Maker {
        random: Pcg64::seed_from_u64(seed),
        text: String::new(),
        loops: Vec::new(),
        locals: 0,
        whiles: 0,
        apart: !seed.is_multiple_of(3),
        phrases,
    };
    maker.operators(0, 1);
    let body = std::mem::take(&mut maker.text);
    if phrases {
        maker
            .text
            .push_str("  'Cell (k) is large' ==== a[30 + k] > 0.5\n\n");
        maker
            .text
            .push_str("  \"Mix cell (k) shifted by (d)\" ====\n");
        maker.loops = vec!["k".into()];
        // Phrases call no phrases: they would have to stand in an order.
        maker.phrases = false;
        maker.operators(1, 2);
        maker
            .text
            .push_str("    a[40 + k + d] := 0.5 * a[40 + k]\n\n");
        maker
            .text
            .push_str("  \"Raise (y) by cell (k)\" ==== y := y + 0.5 * a[20 + k]\n\n");
    }
    (body, maker.text)
}
