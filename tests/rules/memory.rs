//! Random schemes in which host and device take turns with a few arrays: loops that become launches,
//! among operators of the host, choices and loops around both.

use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

/// A scheme of that kind.
pub fn made(seed: u64) -> String {
    let mut maker = Maker {
        random: Pcg64::seed_from_u64(seed),
        text: String::new(),
        names: 0,
    };
    maker.operators(0, 4);
    format!(
        "SCHEME \"random\" ====\nDATA\n  K : INTEGER := 5\n  extent : BOOLEAN [K]\n  m : INTEGER INPUT\n  \
         x, y, z : REAL [8] INPUT OUTPUT\n  s : REAL INPUT OUTPUT\nEND OF DATA\n{}\
         END OF SCHEME \"random\"\n",
        maker.text
    )
}

struct Maker {
    random: Pcg64,
    text: String,
    names: usize,
}

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.random.next_u64() % n
    }

    fn array(&mut self) -> &'static str {
        ["x", "y", "z"][self.below(3) as usize]
    }

    fn fresh(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn say(&mut self, depth: usize, line: &str) {
        self.text.push_str(&"  ".repeat(depth + 1));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn operators(&mut self, depth: usize, most: u64) {
        for _ in 0..1 + self.below(most) {
            self.operator(depth);
        }
    }

    fn operator(&mut self, depth: usize) {
        let (to, from) = (self.array(), self.array());
        let cell = self.below(5);
        match self.below(if depth < 3 { 12 } else { 4 }) {
            0 | 1 => {
                let i = self.fresh("i");
                self.say(depth, &format!("FOR ({i} FROM 0 TO K - 1) LOOP {to}[{i}] := 0.5 * {from}[{i}] + 1 END OF LOOP;"));
            }
            2 => self.say(depth, &format!("{to}[{cell}] := 0.5 * {from}[2] + s;")),
            3 => self.say(depth, &format!("s := {from}[{cell}];")),
            4 => {
                self.say(depth, &format!("IF m < {cell} THEN"));
                self.operators(depth + 1, 2);
                if self.below(2) == 0 {
                    self.say(depth, "ELSE");
                    self.operators(depth + 1, 2);
                }
                self.say(depth, "END IF;");
            }
            5 => {
                let k = self.fresh("k");
                self.say(
                    depth,
                    &format!("FOR ({k} FROM 0 TO 2) LOOP s := 0.5 * s + 0.25;"),
                );
                self.operators(depth + 1, 3);
                self.say(depth, "END OF LOOP;");
            }
            6 => {
                let i = self.fresh("i");
                self.say(depth, &format!("WHILE {to}[{cell}] < 3 LOOP"));
                if self.below(2) == 0 {
                    self.operators(depth + 1, 1);
                }
                self.say(
                    depth + 1,
                    &format!("FOR ({i} FROM 0 TO 4) LOOP {to}[{i}] := {to}[{i}] + 1 END OF LOOP"),
                );
                self.say(depth, "END OF LOOP;");
            }
            7 => {
                let [w, i, j] = ["w", "i", "j"].map(|letter| self.fresh(letter));
                self.say(depth, &format!("ARRAY {w} : REAL [8] IN ("));
                self.say(
                    depth + 1,
                    &format!("FOR ({i} FROM 0 TO 4) LOOP {w}[{i}] := {from}[{i}] END OF LOOP;"),
                );
                self.say(
                    depth + 1,
                    &format!(
                        "FOR ({j} FROM 0 TO K - 1) LOOP {to}[{j}] := {w}[{j}] - 0.25 END OF LOOP"
                    ),
                );
                self.say(depth, ");");
            }
            11 => {
                // Time steps that the device does alone.
                let k = self.fresh("k");
                let bounds = ["FROM 0 TO 2", "FROM 4 TO 0 STEP -2"][self.below(2) as usize];
                self.say(depth, &format!("FOR ({k} {bounds}) LOOP"));
                for _ in 0..1 + self.below(2) {
                    let (i, to, from) = (self.fresh("i"), self.array(), self.array());
                    self.say(depth + 1, &format!("FOR ({i} FROM 0 TO K - 1) LOOP {to}[{i}] := 0.5 * {from}[{i}] + 1 END OF LOOP;"));
                }
                self.say(depth, "END OF LOOP;");
            }
            9 | 10 => {
                // Both sides are up to date before a choice, and one after each way.
                let [i, j] = ["i", "j"].map(|letter| self.fresh(letter));
                let ways = [
                    format!(
                        "FOR ({i} FROM 0 TO K - 1) LOOP {to}[{i}] := {to}[{i}] + 1 END OF LOOP"
                    ),
                    format!("{to}[{cell}] := s"),
                ];
                let first = self.below(2) as usize;
                self.say(
                    depth,
                    &format!(
                        "FOR ({j} FROM 0 TO 4) LOOP {to}[{j}] := 0.25 * {from}[{j}] END OF LOOP;"
                    ),
                );
                self.say(depth, &format!("s := {to}[1];"));
                self.say(
                    depth,
                    &format!(
                        "IF m < {cell} THEN {} ELSE {} END IF;",
                        ways[first],
                        ways[1 - first]
                    ),
                );
            }
            _ => {
                let i = self.fresh("i");
                self.say(
                    depth,
                    &format!("PARALLEL ({i} FROM 0 TO K - 1) ( {to}[{i}] := 2 * {to}[{i}] );"),
                );
            }
        }
    }
}
