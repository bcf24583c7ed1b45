//! Random schemes before and after a rule, on the reference machine, which also looks for races.

use super::apply::{Applied, Base, Left, apply, cut_off, run};
use super::maker;
use crate::algebra::{Precision, Type};
use crate::check::{Scheme, check};
use crate::rewrite::{FloatClass, Rule};
use crate::syntax::text::read_file;
use crate::term::{Sources, Terms};
use rand::RngExt;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

/// The numbers that a random scheme is made from are below this one.
const NUMBERS: u32 = 1000;
/// A random scheme is made from fewer numbers than these.
const LONGEST: usize = 80;

/// So often a random scheme is tried smaller.
const MOST_SHRINKING: usize = 500;

/// What came of comparing.
#[derive(Debug)]
pub enum Checked {
    /// In so many schemes that the rule was applied to, results stayed as they were.
    Same(usize),
    /// The smallest scheme found that does something else afterwards, and what.
    Differs(String),
}

/// Applies a rule to random schemes that its pattern is made into, and runs each before and after,
/// with memory of the device placed where the rule made launches.
pub fn compared(base: &Base, rule: &Rule, tries: u32) -> Checked {
    search(base, rule, tries, true)
}

/// Whether a random scheme does something else after a rule, be it as large as it is.
pub(super) fn differs(base: &Base, rule: &Rule, tries: u32) -> bool {
    matches!(search(base, rule, tries, false), Checked::Differs(_))
}

fn search(base: &Base, rule: &Rule, tries: u32, shrinks: bool) -> Checked {
    let mut random = Pcg64::seed_from_u64(1);
    let settings = settings(rule);
    let asks = rule.text(&base.sources);
    let of_tape = |tape: &[u32]| {
        let text = maker::scheme(base.base.terms(), rule, &asks, tape);
        let fired = match scheme(&text) {
            Some(scheme) => judge(base, rule, &settings, &scheme),
            None => Ok(false),
        };
        fired.map_err(|why| format!("{why}\n{text}"))
    };
    let mut count = 0;
    for _ in 0..tries {
        let length = random.random_range(0..LONGEST);
        let tape: Vec<u32> = (0..length)
            .map(|_| random.random_range(0..NUMBERS))
            .collect();
        match of_tape(&tape) {
            Ok(fired) => count += usize::from(fired),
            Err(why) if !shrinks => return Checked::Differs(why),
            Err(why) => return Checked::Differs(smallest(tape, why, of_tape)),
        }
    }
    Checked::Same(count)
}

/// What is wrong with the smallest scheme that is found by leaving numbers out, or making them smaller.
fn smallest(
    mut tape: Vec<u32>,
    mut why: String,
    of_tape: impl Fn(&[u32]) -> Result<bool, String>,
) -> String {
    let mut part = tape.len();
    let mut left = MOST_SHRINKING;
    while part > 0 && left > 0 {
        let mut from = 0;
        while from < tape.len() && left > 0 {
            left -= 1;
            let to = tape.len().min(from + part);
            let shorter = [&tape[..from], &tape[to..]].concat();
            let mut halved = tape.clone();
            halved[from..to].iter_mut().for_each(|number| *number /= 2);
            let smaller = [shorter, halved].into_iter().filter(|other| *other != tape);
            let found = smaller.filter_map(|other| Some((of_tape(&other).err()?, other)));
            match found.into_iter().next() {
                Some((error, other)) => (why, tape) = (error, other),
                None => from = to,
            }
        }
        part /= 2;
    }
    why
}

/// Small values of a rule's parameters, so that small schemes have several chunks and blocks.
fn settings(rule: &Rule) -> Vec<(String, i64)> {
    let small = |p: &crate::rewrite::Parameter| {
        let (low, high) = p.range.unwrap_or((p.default, p.default));
        // From 1 on the least would often leave nothing to do.
        let small = if low < 4 { low + 1 } else { low };
        (p.name.to_string(), high.min(small))
    };
    rule.parameters.iter().map(small).collect()
}

/// The scheme of a text, if it is well-formed: fillings may, for example, assign what they cannot.
fn scheme(text: &str) -> Option<Scheme> {
    let mut sources = Sources::default();
    let file = sources.add("random", text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    let &root = items.first()?;
    if !errors.is_empty() {
        return None;
    }
    check(&terms, root, Precision::F32).ok()
}

/// Whether the rule fired and results were compared; an error says how they differ.
fn judge(
    base: &Base,
    rule: &Rule,
    settings: &[(String, i64)],
    scheme: &Scheme,
) -> Result<bool, String> {
    let derived = match apply(base, scheme, "placed", rule.name.as_str(), settings) {
        Applied::Done(derived) => derived,
        Applied::Stopped(_) => return Ok(false),
        Applied::Refused(why) => return Err(why),
    };
    // What the launches of a pattern reach has memory, as afterwards.
    let placed = match apply(base, scheme, "with", "memory", &[]) {
        Applied::Done(placed) => Some(placed),
        Applied::Stopped(_) | Applied::Refused(_) => None,
    };
    let scheme = placed.as_deref().unwrap_or(scheme);
    let mut compared = false;
    for size in [5, 1, 0] {
        let before = run(scheme, size);
        // A scheme with an error obliges to nothing.
        let Ok(expected) = before else {
            continue;
        };
        let after = run(&derived, size);
        if cut_off(&after) {
            continue;
        }
        let found = after.map_err(|e| format!("K = {size}: {e:?} after `{}`", rule.name))?;
        if !alike(rule, &expected, &found) {
            return Err(format!("K = {size}: other results after `{}`", rule.name));
        }
        compared = true;
    }
    Ok(compared)
}

/// Whether results are the same, for what the rule says of itself.
fn alike(rule: &Rule, expected: &Left, found: &Left) -> bool {
    match rule.float {
        FloatClass::Exact => expected == found,
        _ => near(expected, found),
    }
}

/// Whether results are the same but for rounding.
pub fn near(expected: &Left, found: &Left) -> bool {
    let near = |x: f64, y: f64| (x - y).abs() <= 1e-5 * x.abs().max(y.abs()).max(1.0);
    let near_bits = |ty: Type, a: u64, b: u64| {
        let real = |bits: u64| match ty {
            Type::F32 => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        };
        a == b || ty.is_real() && near(real(a), real(b))
    };
    let outputs = expected.outputs.iter().zip(&found.outputs);
    let mut outputs = outputs.map(|(a, b)| {
        let mut cells = a.cells.iter().zip(&b.cells);
        a.cells.len() == b.cells.len() && cells.all(|(&x, &y)| near_bits(a.ty, x, y))
    });
    let reports = expected.reports.iter().zip(&found.reports);
    let mut reports = reports.map(|((label, a), (other, b))| {
        let near = |(&a, &b): (&u64, &u64)| a == b || near(f64::from_bits(a), f64::from_bits(b));
        label == other && a.len() == b.len() && a.iter().zip(b).all(near)
    });
    outputs.all(|same| same)
        && expected.reports.len() == found.reports.len()
        && reports.all(|same| same)
}
