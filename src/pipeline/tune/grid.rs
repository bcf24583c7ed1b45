//! Parameters with ranges → the points that are tried.
//!
//! Along each parameter stand its default, both ends of its range and the powers of two between
//! them; of a wide range, so many of those powers as fit, evenly in the logarithm. The first point
//! is that of all defaults; then come all points that differ from it in one parameter, then in two,
//! and so on, up to a bound.

use crate::diagnostic::Diagnostic;
use crate::pipeline::Failure;
use crate::pipeline::recipe::Recipe;
use crate::pipeline::tuned::setting_name;
use crate::rewrite::{Parameter, Tunable};
use crate::term::Symbol;

/// The most values of a parameter.
const MOST_VALUES: usize = 12;

/// The values of a parameter; the default is the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The parameter, as `--with` takes it.
    pub name: String,
    /// Its values.
    pub values: Vec<i64>,
}

impl Axis {
    /// The values of a parameter; nothing to search where it has no range.
    pub fn of(name: String, parameter: &Parameter) -> Option<Axis> {
        let (low, high) = parameter.range?;
        let default = parameter.default;
        let powers: Vec<i64> = (0..63)
            .map(|k| 1i64 << k)
            .filter(|p| low < *p && *p < high && *p != default)
            .collect();
        let room = MOST_VALUES - 3;
        let kept: Vec<i64> = match powers.len() > room {
            true => (0..room)
                .map(|k| powers[k * (powers.len() - 1) / (room - 1)])
                .collect(),
            false => powers,
        };
        let mut others: Vec<i64> = [low, high].into_iter().chain(kept).collect();
        others.retain(|v| *v != default);
        others.sort_unstable();
        others.dedup();
        let values = std::iter::once(default).chain(others).collect();
        Some(Axis { name, values })
    }
}

/// The parameters to search: those with a range that no setting fixes.
///
/// # Errors
///
/// A strategy that has none (E0908).
pub fn axes(recipe: &Recipe<'_>) -> Result<Vec<Axis>, Failure> {
    let (base, owner) = (recipe.base, Symbol::new(recipe.strategy));
    let settings = recipe.options.settings()?;
    let fixed = |tunable: &Tunable| {
        settings.iter().any(|s| {
            let of_owner = s.owner.unwrap_or(owner) == tunable.owner;
            of_owner && s.name == tunable.parameter.name
        })
    };
    let tunables = base.tunables(owner).into_iter().filter(|t| !fixed(t));
    let axes: Vec<Axis> = tunables
        .filter_map(|t| Axis::of(setting_name(owner, &t), &t.parameter))
        .collect();
    let known = base.strategies().iter().any(|s| s.name == owner) || base.rule(owner).is_some();
    if axes.is_empty() && known {
        let message = format!("strategy {owner} has no parameter to tune");
        return Err(Diagnostic::error("E0908", message)
            .hint("`glushkov rules list` names the strategies with their parameters")
            .into());
    }
    Ok(axes)
}

/// At most so many points, each a value for each axis; and whether these are all.
pub fn points(axes: &[Axis], most: usize) -> (Vec<Vec<i64>>, bool) {
    let mut all = Vec::new();
    for moved in 0..=axes.len() {
        let mut point: Vec<i64> = axes.iter().map(|a| a.values[0]).collect();
        if !add(axes, 0, moved, &mut point, most, &mut all) {
            return (all, false);
        }
    }
    (all, true)
}

/// Adds the points that differ from the defaults in so many parameters from the k-th on; whether
/// there was room for all of them.
fn add(
    axes: &[Axis],
    k: usize,
    moved: usize,
    point: &mut Vec<i64>,
    most: usize,
    all: &mut Vec<Vec<i64>>,
) -> bool {
    if moved == 0 {
        if all.len() == most {
            return false;
        }
        all.push(point.clone());
        return true;
    }
    for axis in k..(axes.len() + 1).saturating_sub(moved) {
        for &value in &axes[axis].values[1..] {
            point[axis] = value;
            if !add(axes, axis + 1, moved - 1, point, most, all) {
                return false;
            }
        }
        point[axis] = axes[axis].values[0];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(name: &str, default: i64, low: i64, high: i64) -> Axis {
        let parameter = Parameter {
            name: Symbol::new(name),
            default,
            range: Some((low, high)),
            span: crate::term::Span::new(0, 0, 0),
        };
        Axis::of(name.into(), &parameter).expect("it has a range")
    }

    #[test]
    fn axes_hold_the_default_the_ends_and_powers_of_two() {
        assert_eq!(
            axis("t", 256, 32, 1024).values,
            [256, 32, 64, 128, 512, 1024]
        );
        assert_eq!(axis("s", 0, 0, 1).values, [0, 1]);
        assert_eq!(axis("x", 100, 3, 70).values, [100, 3, 4, 8, 16, 32, 64, 70]);
        let wide = axis("c", 512, 1, 1 << 20).values;
        assert_eq!(wide.len(), MOST_VALUES);
        assert_eq!((wide[0], wide[1], wide[11]), (512, 1, 1 << 20));
        assert!(wide[1..].windows(2).all(|w| w[0] < w[1]), "{wide:?}");
        let huge = axis("h", 0, i64::MIN, i64::MAX).values;
        assert_eq!(
            (huge.len(), huge[1], huge[11]),
            (MOST_VALUES, i64::MIN, i64::MAX)
        );
    }

    #[test]
    fn points_begin_with_the_defaults_and_what_is_near_them() {
        let axes = [axis("t", 64, 32, 128), axis("s", 0, 0, 1)];
        let (all, whole) = points(&axes, 100);
        let wanted = [[64, 0], [32, 0], [128, 0], [64, 1], [32, 1], [128, 1]];
        assert_eq!((all, whole), (wanted.map(Vec::from).to_vec(), true));
        let (some, whole) = points(&axes, 3);
        assert_eq!((some.len(), whole), (3, false));
        assert_eq!(points(&[], 5), (vec![Vec::new()], true));
        let (all, whole) = points(&axes, 6);
        assert_eq!((all.len(), whole), (6, true));
    }
}
