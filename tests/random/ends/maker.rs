//! Random pieces of schemes at the ends of what rules take for granted, and schemes of them.

use super::{bounds, own, pairs, special, sums};
use glushkov::algebra::Precision;
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::fmt::Write as _;

/// A part of a scheme's body, with the data it works on, all of whose names end in one number.
#[derive(Clone)]
pub struct Piece {
    pub data: String,
    pub body: String,
    pub precision: Precision,
}

/// Writes a random piece.
pub struct Maker {
    random: Pcg64,
    pub number: u64,
    pub precision: Precision,
    pub data: String,
    names: usize,
}

impl Maker {
    pub fn below(&mut self, n: i64) -> i64 {
        (self.random.next_u64() % n as u64) as i64
    }

    /// Once in so many times.
    pub fn once_in(&mut self, n: i64) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as i64) as usize]
    }

    pub fn number_of(&mut self, of: &[i64]) -> i64 {
        of[self.below(of.len() as i64) as usize]
    }

    /// A name of this piece.
    pub fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}_{}", self.names, self.number)
    }

    /// A line of the data.
    pub fn declare(&mut self, text: &str) {
        let _ = writeln!(self.data, "  {text}");
    }

    /// A parameter.
    pub fn parameter(&mut self, ty: &str, value: &str) -> String {
        let name = self.name("P");
        self.declare(&format!("{name} : {ty} := {value}"));
        name
    }

    /// A number that is as likely a parameter.
    pub fn size(&mut self, value: i64) -> String {
        match self.below(2) {
            0 => self.parameter("INTEGER", &value.to_string()),
            _ => value.to_string(),
        }
    }

    /// An array, or a scalar without sizes. INPUT integers are 0, 1 or 2.
    pub fn array(&mut self, ty: &str, sizes: &[&str], marks: &str) -> String {
        let name = self.name("a");
        let sizes = match sizes {
            [] => String::new(),
            sizes => format!(" [{}]", sizes.join(", ")),
        };
        self.declare(&format!("{name} : {ty}{sizes} {marks}"));
        if marks.contains("INPUT") {
            let seed = self.names;
            let whole = match ty.starts_with("INTEGER") {
                true => ", high := 3, whole := 1",
                false => "",
            };
            let text = format!("DEFAULT INPUT \"random\" (x := {name}{whole}, seed := {seed})");
            self.declare(&text);
        }
        name
    }

    /// An INPUT array.
    pub fn input(&mut self, ty: &str, sizes: &[&str]) -> String {
        self.array(ty, sizes, "INPUT")
    }

    /// An array of these numbers.
    pub fn table(&mut self, ty: &str, numbers: &[&str]) -> String {
        let name = self.name("t");
        let (size, all) = (numbers.len(), numbers.join(", "));
        self.declare(&format!("{name} : {ty} [{size}] := [{all}]"));
        name
    }

    /// A condition that does not hold, and another writing of it.
    fn never(&mut self) -> String {
        let p = self.parameter("INTEGER", "4");
        match self.below(7) {
            0 => "3 = 2".into(),
            1 => format!("{p} > 5 AND {p} < 3"),
            2 => format!("{p} <> {p}"),
            3 => format!("NOT ({p} = 4 OR {p} <> 4)"),
            4 => format!("{p} < {p} - 1"),
            // Only values tell.
            5 => format!("{p} > 5"),
            _ => format!("1 > 2 OR {p} + 1 = {p}"),
        }
    }

    /// Operators in a branch that is not taken.
    fn dead(&mut self) -> String {
        let never = self.never();
        let inner = match self.below(5) {
            0 => bounds::nest(self),
            4 => bounds::whole(self),
            1 => sums::over_sources(self),
            2 => sums::chunks(self),
            _ => sums::in_part(self),
        };
        match self.below(4) {
            0 => format!("IF {never} THEN {inner} END IF"),
            1 => format!("IF NOT ({never}) THEN EMPTY ELSE {inner} END IF"),
            2 => {
                let outer = self.name("o");
                format!(
                    "FOR ({outer} FROM 0 TO 3) LOOP IF {outer} <> {outer} THEN {inner} END IF END OF LOOP"
                )
            }
            _ => {
                let (outer, more) = (self.name("o"), self.dead_loop());
                format!(
                    "FOR ({outer} FROM 0 TO 1) LOOP IF {never} THEN {more}; {inner} END IF END OF LOOP"
                )
            }
        }
    }

    /// A loop with nothing in it that could matter.
    fn dead_loop(&mut self) -> String {
        let var = self.name("d");
        let (from, to, step) = (
            self.size(1),
            self.size(-2),
            self.pick(&["", " STEP -1", " STEP 3"]),
        );
        format!(
            "FOR ({var} FROM {from} TO {to}{step}) LOOP IF {var} <> {var} THEN EMPTY END IF END OF LOOP"
        )
    }

    fn piece(&mut self) -> String {
        match self.below(20) {
            0..=4 => bounds::nest(self),
            5 => match self.below(3) {
                0 => bounds::huge(self),
                _ => bounds::empty(self),
            },
            6 | 7 => sums::over_sources(self),
            8..=10 => pairs::pairs(self),
            11 => match self.below(3) {
                0 => pairs::alone(self),
                _ => pairs::lanes(self),
            },
            12 | 13 => sums::in_part(self),
            14 => sums::chunks(self),
            15 => self.dead(),
            16 | 17 => sums::atomics(self),
            _ => special::functions(self),
        }
    }
}

/// The piece of a seed; `number` is at the end of its names.
pub fn piece(seed: u64, number: u64) -> Piece {
    let precision = [Precision::F32, Precision::F64][(seed % 2) as usize];
    let mut maker = Maker {
        random: Pcg64::seed_from_u64(seed),
        number,
        precision,
        data: String::new(),
        names: 0,
    };
    let body = match seed % 9 {
        7 => own::search(&mut maker),
        8 => own::array(&mut maker),
        _ => maker.piece(),
    };
    Piece {
        data: maker.data,
        body,
        precision,
    }
}

/// A scheme of pieces, one after the other.
pub fn scheme(pieces: &[Piece]) -> String {
    let data: String = pieces.iter().map(|p| p.data.as_str()).collect();
    let bodies: Vec<String> = pieces.iter().map(|p| format!("  {}", p.body)).collect();
    format!(
        "SCHEME \"ends\" ====\nDATA\n{data}END OF DATA\n{}\nEND OF SCHEME \"ends\"\n",
        bodies.join(";\n")
    )
}
