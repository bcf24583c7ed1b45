//! `--set NAME=a,b,c` and `NAME=a..b:*k`: lists and ranges of sizes → every combination of them.

use crate::check::Scheme;
use crate::diagnostic::Diagnostic;
use crate::pipeline::sizes::{Holder, values};
use crate::pipeline::{Failure, Inputs, Options, Values};

/// So many combinations are run, and no more.
const MOST: usize = 10_000;

/// The combinations of lists, each as `--set` takes them; the first list changes slowest.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The parameters with more than one value, in order.
    pub swept: Vec<String>,
    /// The combinations.
    pub combinations: Vec<Vec<String>>,
}

/// Reads lists, each `NAME=VALUE,VALUE,…`, where a value may be a range of integers: `256..4096:*2` is 256, 512
/// and so on up to 4096, `10..50:+20` is 10, 30, 50, and `1..4` goes by ones. A later list for a name
/// replaces an earlier one.
///
/// # Errors
///
/// E0006: a text that is no such list, and too many combinations.
pub fn sweep(set: &[String]) -> Result<Sweep, Failure> {
    let mut lists: Vec<(String, Vec<String>)> = Vec::new();
    for text in set {
        let (name, values) = text.split_once('=').unwrap_or((text, ""));
        let name = name.trim().to_owned();
        let mut list: Vec<String> = Vec::new();
        for value in values.split(',').map(str::trim) {
            if value.is_empty() {
                let message = format!("--set {text} is not NAME=VALUE,VALUE,…");
                return Err(Diagnostic::error("E0006", message)
                    .hint("for example --set N=256,512,1024")
                    .into());
            }
            let values = match value.split_once("..") {
                Some(ends) => range(text, ends)?,
                None => vec![value.to_owned()],
            };
            for value in values {
                if !list.contains(&value) {
                    list.push(value);
                }
            }
        }
        lists.retain(|(n, _)| *n != name);
        lists.push((name, list));
    }
    let count = lists
        .iter()
        .try_fold(1usize, |n, (_, l)| n.checked_mul(l.len()));
    if count.is_none_or(|n| n > MOST) {
        let message = format!("the lists of --set have more than {MOST} combinations");
        return Err(Diagnostic::error("E0006", message).into());
    }
    let mut combinations: Vec<Vec<String>> = vec![Vec::new()];
    for (name, list) in &lists {
        let longer = |c: &Vec<String>| -> Vec<Vec<String>> {
            let with = |v: &String| {
                let mut c = c.clone();
                c.push(format!("{name}={v}"));
                c
            };
            list.iter().map(with).collect()
        };
        combinations = combinations.iter().flat_map(longer).collect();
    }
    let swept = lists.into_iter().filter(|(_, l)| l.len() > 1);
    Ok(Sweep {
        swept: swept.map(|(name, _)| name).collect(),
        combinations,
    })
}

/// The integers of a range, given by what stands before and after its dots.
fn range(text: &str, (from, rest): (&str, &str)) -> Result<Vec<String>, Failure> {
    let (to, step) = rest.split_once(':').unwrap_or((rest, "+1"));
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let wrong = |why: &str| {
        Diagnostic::error("E0006", format!("--set {text}: {why}")).hint(
            "ranges are FROM..TO, FROM..TO:+STEP and FROM..TO:*FACTOR, such as N=256..4096:*2",
        )
    };
    let (Some(from), Some(to)) = (number(from), number(to)) else {
        return Err(wrong("the ends of a range are integers").into());
    };
    let (factor, step) = match (step.strip_prefix('*'), step.strip_prefix('+')) {
        (Some(k), _) => (true, number(k).filter(|&k| k > 1 && from > 0)),
        (_, Some(k)) => (false, number(k).filter(|&k| k > 0)),
        _ => (false, None),
    };
    let Some(step) = step else {
        let why = "a step is + and an integer above 0, or * and one above 1, from a number above 0";
        return Err(wrong(why).into());
    };
    let next = |&x: &i64| match factor {
        true => x.checked_mul(step),
        false => x.checked_add(step),
    };
    let all = std::iter::successors(Some(from), next).take_while(|&x| x <= to);
    let values: Vec<String> = all.take(MOST + 1).map(|x| x.to_string()).collect();
    match values.is_empty() {
        true => Err(wrong("the range is empty").into()),
        false => Ok(values),
    }
}

impl Sweep {
    /// The values of all parameters for each combination.
    pub(in crate::pipeline) fn values(
        &self,
        scheme: &Scheme,
        options: &Options,
        inputs: &Inputs,
        holders: &[Holder],
    ) -> impl Iterator<Item = Result<Values, Failure>> {
        self.combinations.iter().map(move |set| {
            let options = Options {
                set: set.clone(),
                ..options.clone()
            };
            values(scheme, &options, inputs, holders)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_go_by_factors_and_steps() {
        let of = |text: &str| {
            let set = [text.to_owned()];
            let all = sweep(&set).expect("a well-formed range").combinations;
            all.concat().join(" ")
        };
        assert_eq!(of("N=256..2048:*2"), "N=256 N=512 N=1024 N=2048");
        assert_eq!(of("N=1..3, 3..12:*3"), "N=1 N=2 N=3 N=9");
        assert_eq!(of("N=10..55:+20"), "N=10 N=30 N=50");
        assert_eq!(of("N=-1..1"), "N=-1 N=0 N=1");
        let last = i64::MAX;
        assert_eq!(of(&format!("N={last}..{last}:*2")), format!("N={last}"));
    }

    #[test]
    fn lists_give_their_product() {
        let set = ["N=1,2", "dt=0.5", "K=7, 8", "N=3,4,3"].map(str::to_owned);
        let all = sweep(&set).expect("well-formed lists");
        assert_eq!(all.swept, ["K", "N"]);
        let wanted = [
            ["dt=0.5", "K=7", "N=3"],
            ["dt=0.5", "K=7", "N=4"],
            ["dt=0.5", "K=8", "N=3"],
            ["dt=0.5", "K=8", "N=4"],
        ];
        assert_eq!(all.combinations, wanted);
        assert_eq!(sweep(&[]).expect("nothing to read").combinations.len(), 1);
        for wrong in [
            "N",
            "N=",
            "N=1,,2",
            "N=1,",
            "N=1..",
            "N=..4",
            "N=4..1",
            "N=1..9:2",
            "N=1..9:*1",
            "N=0..9:*2",
            "N=1..9:+0",
            "N=1..9:-1",
            "N=1..1000000000",
            "N=1..2.5",
        ] {
            assert!(sweep(&[wrong.to_owned()]).is_err(), "{wrong}");
        }
        let long: Vec<String> = (0..101).map(|i| i.to_string()).collect();
        let lists = ["A", "B"].map(|n| format!("{n}={}", long.join(",")));
        assert!(sweep(&lists).is_err());
    }
}
