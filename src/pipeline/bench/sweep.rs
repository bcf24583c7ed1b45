//! `--set NAME=a,b,c`: lists of sizes → every combination of them.

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

/// Reads lists, each `NAME=VALUE,VALUE,…`. A later list for a name replaces an earlier one.
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
            if !list.iter().any(|v| v == value) {
                list.push(value.to_owned());
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
        for wrong in ["N", "N=", "N=1,,2", "N=1,"] {
            assert!(sweep(&[wrong.to_owned()]).is_err(), "{wrong}");
        }
        let long: Vec<String> = (0..101).map(|i| i.to_string()).collect();
        let lists = ["A", "B"].map(|n| format!("{n}={}", long.join(",")));
        assert!(sweep(&lists).is_err());
    }
}
