//! Random walks: whatever is chosen, what is finished checks, and reads back as the same tree.

use glushkov::algebra::{Construct, Language};
use glushkov::construct::{Asked, Choice, Constructor, Form, Wants};
use glushkov::derive::library::OPERATORS;
use glushkov::pipeline::{Options, Session, Source, load_declared};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};
use glushkov::toolchain::testing::in_campaign;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// So many choices are made before places are closed by what brings no further ones.
const GROWING: usize = 40;

/// No walk needs more.
const MOST_CHOICES: usize = 600;

struct Walk {
    scheme: Constructor,
    sources: Sources,
    random: Pcg64,
}

impl Walk {
    fn new(seed: u64) -> Walk {
        let operators: Vec<(String, String)> = OPERATORS
            .iter()
            .map(|&(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
        Walk {
            scheme: Constructor::new("walk", &operators),
            sources: Sources::default(),
            random: Pcg64::seed_from_u64(seed),
        }
    }

    fn below(&mut self, n: usize) -> usize {
        (self.random.next_u64() % n as u64) as usize
    }

    /// A text that somebody might type there.
    fn text(&mut self, wants: Wants) -> &'static str {
        let texts: &[&'static str] = match wants {
            Wants::Operator => &[
                "EMPTY",
                "\"Do something with (x)\"",
                "IF 'it holds' THEN \"Do it\" END IF",
                "\"Sort (a)\"",
                "\"Add (x) and (y) to (x)\"",
                "x := x + 1; \"Do it\"",
                "LOCAL t : REAL := 0",
                "x[i] := 1",
            ],
            Wants::Condition => &["TRUE", "1 < 2", "'it holds'", "x = y", "i < N"],
            Wants::Expression => &["1", "2.5", "N", "N - 1", "x + y", "vector(1, 2, 3)", "TRUE"],
            Wants::Target => &["x", "a[0]", "v.x", "1"],
            Wants::NewName => &["x", "y", "v", "a", "N", "i", "Empty", "IF", "speed_2"],
            Wants::Name => &["x", "a", "seed", "N"],
            Wants::Type => &["REAL", "INTEGER", "VECTOR OF REAL64", "BOOLEAN", "FLOAT"],
            Wants::Text => &["text", "\"quoted (x)\"", "…", "uniform"],
            Wants::Item => &[
                "N : INTEGER := 10",
                "x, y : REAL",
                "a : REAL [N] INPUT OUTPUT",
                "CHECK (N := 3)",
                "v : VECTOR [4]",
                "ASSUME independent (i)",
            ],
            Wants::Option => &["N := 7", "(seed := 1, N := 2)", "x"],
        };
        texts[self.below(texts.len())]
    }

    /// Puts what brings no further places, for a walk that has grown enough; whether there is something.
    fn small(&mut self, place: u32, wants: Wants) -> bool {
        let texts: &[&str] = match wants {
            Wants::Operator => &["EMPTY"],
            Wants::Condition => &["TRUE"],
            Wants::Expression => &[
                "1",
                "0.5",
                "TRUE",
                "vector(1, 2, 3)",
                "vector(1, 2)",
                "vector(1, 2, 3, 4)",
            ],
            Wants::Type => &["INTEGER", "REAL"],
            Wants::Text => &["text"],
            Wants::Option => &["seed := 1"],
            _ => &[],
        };
        if self.scheme.apply(place, &Choice::Nothing).is_ok() {
            return true;
        }
        for text in texts {
            if let Ok(choice) = self.scheme.typed(place, text, &mut self.sources)
                && self.scheme.apply(place, &choice).is_ok()
            {
                return true;
            }
        }
        let choices = self.scheme.choices(place);
        let from = match choices.len() {
            0 => 0,
            n => self.below(n),
        };
        let turned = choices.iter().cycle().skip(from).take(choices.len());
        let open = self.scheme.places().len();
        for choice in turned {
            if self.scheme.apply(place, choice).is_ok() {
                if self.scheme.places().len() < open {
                    return true;
                }
                assert!(self.scheme.undo());
            }
        }
        false
    }

    /// Takes out what brought a place at which nothing fits.
    fn without(&mut self, place: u32) {
        let open = self.scheme.places().iter().map(|p| p.number);
        for number in (1..open.max().unwrap_or(place) + 50).rev() {
            if self.scheme.remove(number).is_ok() {
                match self.scheme.place(place) {
                    None => return,
                    Some(_) => assert!(self.scheme.undo()),
                }
            }
        }
        self.scheme.undo();
    }

    /// Makes a choice somewhere, if one can be made.
    fn step(&mut self, made: usize) {
        let places: Vec<(u32, Wants)> = (self.scheme.places().iter())
            .map(|place| (place.number, place.wants))
            .collect();
        let (place, wants) = places[self.below(places.len())];
        match self.below(40) {
            0 => {
                let before = self.scheme.scheme(Form::Text, Language::English);
                if self.scheme.undo() {
                    assert!(self.scheme.redo());
                    let again = self.scheme.scheme(Form::Text, Language::English);
                    assert_eq!(before, again, "undo and redo");
                    self.scheme.undo();
                }
            }
            1 => {
                // What was put somewhere, if the rest does without it.
                let number = 1 + self.below(place as usize) as u32;
                let _ = self.scheme.remove(number);
            }
            2 => {
                let offers = self.scheme.offers(place, Asked::default());
                if !offers.is_empty() {
                    let offer = &offers[self.below(offers.len())];
                    let applied = self.scheme.apply(place, &offer.choice);
                    assert!(applied.is_ok(), "{}: {applied:?}", offer.text);
                }
            }
            _ if made > GROWING => {
                if !self.small(place, wants) {
                    self.without(place);
                }
            }
            3..20 => {
                let text = self.text(wants);
                if let Ok(choice) = self.scheme.typed(place, text, &mut self.sources) {
                    let _ = self.scheme.apply(place, &choice);
                }
            }
            _ => {
                let choices = self.scheme.choices(place);
                if !choices.is_empty() {
                    let choice = choices[self.below(choices.len())].clone();
                    let _ = self.scheme.apply(place, &choice);
                }
            }
        }
    }
}

/// Holds a finished scheme against the check and the reader.
fn hold(scheme: &mut Constructor, seed: u64) {
    let text = scheme.scheme(Form::Text, Language::English);
    let mut sources = Sources::default();
    let file = sources.add("walk.saa", text.clone());
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    assert!(errors.is_empty(), "walk {seed}: {errors:?}\n{text}");
    let (own, root) = scheme.term();
    assert!(
        terms.equal_across(items[0], own, root),
        "walk {seed} reads back as another tree:\n{text}"
    );
    // With the library's basic operators, which it may use.
    let source = Source::Text {
        name: "walk.saa",
        text: &text,
    };
    let checked = load_declared(source, &Options::default(), &mut Session::new());
    let refused = checked.err().map(|failure| failure.diagnostics);
    assert!(refused.is_none(), "walk {seed}: {refused:?}\n{text}");
}

#[test]
fn every_walk_ends_in_a_scheme_that_checks() {
    let walks = if in_campaign() { 2_000 } else { 300 };
    let (mut finished, mut constructs) = (0, std::collections::BTreeSet::new());
    let mut stuck = Vec::new();
    for seed in 0..walks {
        let mut walk = Walk::new(seed);
        let mut made = 0;
        while !walk.scheme.is_finished() && made < MOST_CHOICES {
            walk.step(made);
            made += 1;
        }
        if walk.scheme.is_finished() {
            finished += 1;
            hold(&mut walk.scheme, seed);
        } else {
            let open = walk.scheme.places().iter();
            stuck.extend(open.map(|p| format!("{seed}: {}", p.text())));
            let text = walk.scheme.scheme(Form::Text, Language::English);
            let mut sources = Sources::default();
            let file = sources.add("walk.saa", text.clone());
            let (_, errors) = read_file(&sources, file, &mut Terms::new());
            assert!(!errors.is_empty(), "an unfinished scheme is read:\n{text}");
        }
        let (terms, root) = walk.scheme.term();
        let all = terms.subterms(root).filter_map(|id| terms.functor(id));
        constructs.extend(all.filter_map(Construct::of).map(|c| c.info().functor));
    }
    assert!(
        finished * 10 >= walks * 9,
        "{finished} of {walks} walks came to an end: {stuck:?}"
    );
    assert!(constructs.len() > 60, "{constructs:?}");
}
