//! Points of the grid → the programs that are worth a measurement.

use super::clock::Until;
use super::grid::{Axis, points};
use super::resources::Takes;
use crate::emit;
use crate::pipeline::recipe::{Made, Recipe};
use crate::pipeline::{Failure, Session};
use crate::rewrite::FloatClass;
use crate::term::with_deep_stack;
use crate::toolchain::{Project, abreast, key};
use std::collections::{BTreeMap, BTreeSet};

/// So many points are looked at for each program that is wanted, and so many are derived.
const POINTS: (usize, usize) = (64, 8);
/// A parameter of which so many values changed nothing is taken to change nothing there.
const INERT: usize = 2;
/// So many points are derived side by side.
const BATCH: usize = 16;

/// Settings with what becomes of them.
pub struct Candidate {
    /// The settings, as `--with` takes them; parameters that have their defaults are left out.
    pub with: Vec<String>,
    /// Whether they are the defaults.
    pub default: bool,
    /// The weakest float class of the derivation.
    pub float: FloatClass,
    /// What the kernels take, where that is known.
    pub takes: Option<Takes>,
    /// Why it is not measured, or was not to the end.
    pub dropped: Option<String>,
    /// Whether that is for its float class.
    pub refused: bool,
    /// Its content: programs of the same content are the same.
    pub program: String,
    /// What it was derived to, until it is built,
    pub made: Option<Made>,
    /// with the program's files.
    pub project: Option<Project>,
    /// The sizes at which no time was left to measure it.
    pub unmeasured: Vec<String>,
}

/// Why a candidate is not measured that there was no time to build.
pub const NOT_BUILT: &str = "not built: no time was left";

impl Candidate {
    /// Whether there was time for all that was to be done with it.
    pub fn is_complete(&self) -> bool {
        self.unmeasured.is_empty() && self.dropped.as_deref() != Some(NOT_BUILT)
    }
}

/// What candidates are made of.
pub struct Search<'a> {
    pub recipe: Recipe<'a>,
    /// The weakest class that is allowed; that of the defaults, if not given.
    pub float: Option<FloatClass>,
    /// The most programs.
    pub most: usize,
    /// When to begin no further derivation.
    pub until: Until,
}

/// The candidates, that of all defaults first; and whether the whole grid was tried. A point whose
/// program is that of an earlier one is none.
pub fn candidates(
    search: &Search<'_>,
    axes: &[Axis],
    session: &mut Session,
) -> Result<(Vec<Candidate>, bool), Failure> {
    session.during("deriving", |say| all(search, axes, say))
}

fn all(
    search: &Search<'_>,
    axes: &[Axis],
    say: &mut dyn FnMut(&str),
) -> Result<(Vec<Candidate>, bool), Failure> {
    let (points, mut whole) = points(axes, search.most * POINTS.0);
    let mut all: Vec<Candidate> = Vec::new();
    let mut seen = Seen::default();
    let (mut programs, mut derived) = (0, 0);
    let mut left = points.into_iter().peekable();
    'grid: while left.peek().is_some() {
        if search.until.is_over() && !all.is_empty() {
            whole = false;
            break;
        }
        // What the earlier ones of a batch show about the later ones, is seen too late for them to be left out before
        // they are derived; they are left out then.
        let mut batch: Vec<Vec<i64>> = Vec::new();
        while let Some(point) = left.next_if(|_| batch.len() < BATCH) {
            if !seen.changes_nothing(axes, &point) && !seen.is_refused(axes, &point) {
                batch.push(point);
            }
            if all.is_empty() {
                break;
            }
        }
        say(&format!("deriving {}, {programs} programs", derived + 1));
        let is_first = all.is_empty();
        let most = search.float.or_else(|| Some(all.first()?.float));
        let one =
            |point: &Vec<i64>| with_deep_stack(|| candidate(search, axes, point, is_first, most));
        let made = abreast(&batch, one, || {});
        for (point, candidate) in batch.iter().zip(made) {
            if seen.changes_nothing(axes, point) || seen.is_refused(axes, point) {
                continue;
            }
            if programs == search.most || derived == search.most * POINTS.1 {
                whole = false;
                break 'grid;
            }
            derived += 1;
            let candidate = candidate?;
            let new = all.iter().all(|c| c.program != candidate.program);
            seen.note(axes, point, &candidate.program);
            if candidate.refused {
                seen.refused.insert(point.clone());
            }
            if new || candidate.program.is_empty() {
                programs += usize::from(candidate.dropped.is_none());
                all.push(candidate);
            }
        }
    }
    Ok((all, whole))
}

/// The points that were derived.
#[derive(Default)]
struct Seen {
    /// The program of each.
    programs: BTreeMap<Vec<i64>, String>,
    /// Those whose program was new.
    new: BTreeSet<Vec<i64>>,
    /// How many values of a parameter gave the program of its default, and none another one, beside
    /// each choice of the other parameters.
    inert: BTreeMap<(Vec<i64>, usize), Option<usize>>,
    /// Those whose float class is not allowed. No further move mends that.
    refused: BTreeSet<Vec<i64>>,
}

impl Seen {
    /// The points that differ from this one in that a parameter has its default, with the parameter.
    fn without_a_move<'p>(
        axes: &'p [Axis],
        point: &'p [i64],
    ) -> impl Iterator<Item = (Vec<i64>, usize)> + 'p {
        let moved = (0..point.len()).filter(|&k| point[k] != axes[k].values[0]);
        moved.map(|k| {
            let mut back = point.to_vec();
            back[k] = axes[k].values[0];
            (back, k)
        })
    }

    fn note(&mut self, axes: &[Axis], point: &[i64], program: &str) {
        if self.programs.values().all(|known| known != program) {
            self.new.insert(point.to_vec());
        }
        for (back, k) in Seen::without_a_move(axes, point) {
            let Some(before) = self.programs.get(&back) else {
                continue;
            };
            let same = before == program;
            let count = self.inert.entry((back, k)).or_insert(Some(0));
            *count = count.filter(|_| same).map(|n| n + 1);
        }
        self.programs.insert(point.to_vec(), program.to_owned());
    }

    /// Whether a point is made of one that is refused by one move more.
    fn is_refused(&mut self, axes: &[Axis], point: &[i64]) -> bool {
        let refused = Seen::without_a_move(axes, point).any(|(b, _)| self.refused.contains(&b));
        if refused {
            self.refused.insert(point.to_vec());
        }
        refused
    }

    /// Whether a parameter that was moved is known to change nothing beside the others, or none of
    /// the points that are one move less gave a new program: so two parameters that only together
    /// change something are not found.
    fn changes_nothing(&self, axes: &[Axis], point: &[i64]) -> bool {
        let inert = |(back, k)| {
            let count = self.inert.get(&(back, k)).copied().flatten();
            count.is_some_and(|n| n >= INERT)
        };
        let old = |(back, _): (Vec<i64>, usize)| !self.new.contains(&back);
        let mut moves = Seen::without_a_move(axes, point).peekable();
        let moved = moves.peek().is_some();
        moved && Seen::without_a_move(axes, point).all(old) || moves.any(inert)
    }
}

fn candidate(
    search: &Search<'_>,
    axes: &[Axis],
    point: &[i64],
    default: bool,
    most: Option<FloatClass>,
) -> Result<Candidate, Failure> {
    let (recipe, options) = (&search.recipe, search.recipe.options);
    let moved = axes.iter().zip(point).filter(|(a, v)| a.values[0] != **v);
    let mut with = options.with.clone();
    with.extend(moved.map(|(a, v)| format!("{}={v}", a.name)));
    let made = recipe.with(&with);
    let mut candidate = Candidate {
        with,
        default,
        float: FloatClass::Exact,
        takes: None,
        dropped: None,
        refused: false,
        program: String::new(),
        made: None,
        project: None,
        unmeasured: Vec::new(),
    };
    let made = match made {
        Ok(made) => made,
        // Without its defaults a strategy is not tuned.
        Err(failure) if default => return Err(failure),
        Err(failure) => {
            candidate.dropped = Some(format!("not derived: {}", failure.said()));
            return Ok(candidate);
        }
    };
    candidate.float = made.float();
    let target = recipe.target.emitted().unwrap_or(emit::Target::Rust);
    let project = match made.emit(target, options) {
        Ok(emitted) => emitted.project,
        Err(refused) if default => return Err(refused.into()),
        Err(refused) => {
            let why = Failure::from(refused).said();
            candidate.dropped = Some(format!("not emitted: {why}"));
            return Ok(candidate);
        }
    };
    candidate.program = content(&project);
    if let Some(most) = most.filter(|most| candidate.float > *most) {
        candidate.dropped = Some(format!(
            "{}, and {} is allowed",
            candidate.float.name(),
            most.name()
        ));
        candidate.refused = true;
        return Ok(candidate);
    }
    candidate.made = Some(made);
    candidate.project = Some(project);
    Ok(candidate)
}

/// What two projects share only if they do the same: their files, comments left out, since those
/// tell how a program was derived.
fn content(project: &Project) -> String {
    let code = |text: &str| -> String {
        let lines = text.lines().map(str::trim);
        let code = lines.filter(|l| !l.starts_with("//") && !l.is_empty());
        code.collect::<Vec<_>>().join("\n")
    };
    let texts: Vec<String> = project.files.iter().map(|(_, text)| code(text)).collect();
    let paths = project.files.iter().map(|(path, _)| path.as_str());
    key(paths.chain(texts.iter().map(String::as_str)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_that_change_nothing_are_noticed() {
        let axis = |name: &str, values: &[i64]| Axis {
            name: name.into(),
            values: values.to_vec(),
        };
        // With `on` = 0, `parts` changes nothing; with 1 it does.
        let axes = [axis("on", &[0, 1]), axis("parts", &[8, 1, 2, 4, 16])];
        let program = |p: &[i64]| format!("{} {}", p[0], p[0] * p[1]);
        let mut seen = Seen::default();
        let mut derived = Vec::new();
        for point in points(&axes, 100).0 {
            if !seen.changes_nothing(&axes, &point) {
                seen.note(&axes, &point, &program(&point));
                derived.push(point);
            }
        }
        let without = [[0, 8], [1, 8], [0, 1], [0, 2]];
        let with = [[1, 1], [1, 2], [1, 4], [1, 16]];
        let wanted = without.into_iter().chain(with).map(Vec::from);
        assert_eq!(derived, wanted.collect::<Vec<_>>());
    }
}
