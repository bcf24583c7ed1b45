//! Random schemes of systems: an independent loop whose iterations sum, loop independently and in
//! order, choose, and keep LOCALs: what the threads of a block may share, and what not.

use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut maker = Maker {
        random: Pcg64::seed_from_u64(seed),
        text: String::new(),
        locals: Vec::new(),
        names: 0,
    };
    maker.operators(2, 5);
    format!(
        "SCHEME \"random\" ====\nDATA\n  K : INTEGER := 5\n  n : INTEGER [5] INPUT\n  \
         q : REAL [5] INPUT OUTPUT\n  x, y : REAL [5, 9] INPUT OUTPUT\nEND OF DATA\n\
         FOR (z FROM 0 TO K - 1) LOOP\n{}  q[z] := q[z] + 1\nEND OF LOOP\nEND OF SCHEME \"random\"\n",
        maker.text
    )
}

struct Maker {
    random: Pcg64,
    text: String,
    /// REAL LOCALs in scope.
    locals: Vec<String>,
    names: usize,
}

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.random.next_u64() % n
    }

    fn fresh(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn say(&mut self, line: &str) {
        self.text.push_str(&format!("  {line};\n"));
    }

    /// Something that is the same in all iterations of a loop inside.
    fn value(&mut self) -> String {
        let local = match self.locals.len() as u64 {
            0 => None,
            count => {
                let at = self.below(count) as usize;
                Some(self.locals[at].clone())
            }
        };
        match (self.below(4), local) {
            (0 | 1, Some(local)) => local,
            (2, _) => "0.5".to_owned(),
            (3, _) => "x[z, n[z]]".to_owned(),
            _ => "q[z]".to_owned(),
        }
    }

    /// Something that an iteration of the loop over `i` reads.
    fn cell(&mut self, i: &str) -> String {
        let value = self.value();
        match self.below(4) {
            0 => format!("x[z, {i}] * {value}"),
            1 => format!("y[z, {i}] + {value}"),
            2 => format!("x[z, 8 - {i}]"),
            _ => format!("{value} - 0.25"),
        }
    }

    fn operators(&mut self, depth: u64, most: u64) {
        let scope = self.locals.len();
        for _ in 0..1 + self.below(most) {
            self.operator(depth);
        }
        self.locals.truncate(scope);
    }

    fn operator(&mut self, depth: u64) {
        let to = ["8", "K - 1", "n[z]", "-1"][self.below(4) as usize];
        match self.below(if depth > 0 { 9 } else { 7 }) {
            0 => {
                let (sum, i) = (self.fresh("p"), self.fresh("i"));
                let cell = self.cell(&i);
                self.say(&format!("LOCAL {sum} : REAL := 0"));
                let from = self.value();
                if self.below(4) == 0 {
                    self.say(&format!("{sum} := {from}"));
                }
                self.say(&format!(
                    "FOR ({i} FROM 0 TO {to}) LOOP {sum} := {sum} + {cell} END OF LOOP"
                ));
                self.locals.push(sum);
            }
            1..=3 => {
                let (i, array) = (self.fresh("i"), ["x", "y"][self.below(2) as usize]);
                let cell = self.cell(&i);
                self.say(&format!(
                    "FOR ({i} FROM 0 TO {to}) LOOP LOCAL w{i} : REAL := {cell}; {array}[z, {i}] := w{i} END OF LOOP"
                ));
            }
            4 => {
                let value = self.value();
                self.say(&format!("q[z] := {value} + 0.125"));
            }
            5 => {
                let (local, value) = (self.fresh("p"), self.value());
                self.say(&format!("LOCAL {local} : REAL := {value} * 0.5"));
                self.locals.push(local);
            }
            6 => {
                let i = self.fresh("i");
                self.say(&format!(
                    "FOR ({i} FROM 1 TO 8) LOOP y[z, {i}] := y[z, {i} - 1] * 0.5 END OF LOOP"
                ));
            }
            7 => {
                let value = self.value();
                self.text.push_str(&format!("  IF {value} < 0.5 THEN\n"));
                self.operators(depth - 1, 3);
                self.text.push_str("  EMPTY\n  ELSE\n");
                self.operators(depth - 1, 2);
                self.text.push_str("  EMPTY\n  END IF;\n");
            }
            _ => {
                let k = self.fresh("k");
                let to = ["2", "n[z] - 1"][self.below(2) as usize];
                self.text
                    .push_str(&format!("  FOR ({k} FROM 0 TO {to}) LOOP\n"));
                self.operators(depth - 1, 3);
                self.text.push_str("  EMPTY\n  END OF LOOP;\n");
            }
        }
    }
}
