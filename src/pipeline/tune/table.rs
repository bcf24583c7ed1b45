//! What is shown of a tuning: a row for each candidate.

use super::candidates::Candidate;
use crate::pipeline::bench::{digits, lines};
use crate::pipeline::tuned::shown;
use comfy_table::{Cell, CellAlignment, Table, presets};

/// The table: settings, what the kernels take, the median seconds at each size, and what became of
/// those that were not measured to the end. `medians` has for each size a list with the number of a
/// candidate and its seconds.
pub fn table(
    candidates: &[Candidate],
    sizes: &[String],
    medians: &[Vec<(usize, f64)>],
    chosen: &[Option<usize>],
) -> String {
    let takes = candidates.iter().any(|c| c.takes.is_some());
    let loops = candidates.iter().filter_map(|c| c.takes.as_ref());
    let loops = loops.filter_map(|t| t.inner_loop).count() > 0;
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let mut head = vec!["".to_owned(), "settings".into(), "floats".into()];
    if takes {
        let words = ["threads", "registers", "shared", "spills", "occupancy"];
        head.extend(words.map(str::to_owned));
        head.extend(loops.then(|| "loop".to_owned()));
    }
    let numbers = 3..head.len() + sizes.len();
    head.extend(sizes.iter().map(|size| format!("s at {size}")));
    head.push("".into());
    table.set_header(head.iter().map(Cell::new));
    for (number, candidate) in candidates.iter().enumerate() {
        let mut cells = vec![
            (number + 1).to_string(),
            shown(&candidate.with),
            candidate.float.name().to_owned(),
        ];
        if takes {
            cells.extend(match &candidate.takes {
                Some(t) => [
                    t.threads.to_string(),
                    t.registers.to_string(),
                    t.shared.to_string(),
                    t.spills.to_string(),
                    t.occupancy
                        .map_or("-".to_owned(), |o| format!("{:.0} %", 100.0 * o)),
                ],
                None => ["-"; 5].map(str::to_owned),
            });
            let of_loop = candidate.takes.as_ref().and_then(|t| t.inner_loop);
            let of_loop = of_loop.map_or("-".to_owned(), |n| n.to_string());
            cells.extend(loops.then_some(of_loop));
        }
        for of_size in medians {
            let found = of_size.iter().find(|(c, _)| *c == number);
            cells.push(found.map_or("-".to_owned(), |(_, s)| digits(*s)));
        }
        let best: Vec<&str> = chosen
            .iter()
            .zip(sizes)
            .filter(|(c, _)| **c == Some(number))
            .map(|(_, size)| size.as_str())
            .collect();
        let chosen = (!best.is_empty()).then(|| format!("chosen at {}", best.join(", ")));
        let unmeasured = (!candidate.unmeasured.is_empty()).then(|| {
            let at = candidate.unmeasured.join(", ");
            format!("not measured at {at}: no time was left")
        });
        let told = [&candidate.dropped, &chosen, &unmeasured];
        let told: Vec<&str> = told.into_iter().flatten().map(String::as_str).collect();
        cells.push(told.join("; "));
        table.add_row(cells.into_iter().enumerate().map(|(i, text)| {
            let right = i == 0 || numbers.contains(&i);
            Cell::new(text).set_alignment(match right {
                true => CellAlignment::Right,
                false => CellAlignment::Left,
            })
        }));
    }
    lines(&table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::FloatClass;

    #[test]
    fn what_was_not_measured_is_said_beside_what_was() {
        let candidate = |with: &[&str], unmeasured: &[&str]| Candidate {
            with: with.iter().map(|&text| text.to_owned()).collect(),
            default: with.is_empty(),
            float: FloatClass::Exact,
            takes: None,
            dropped: None,
            refused: false,
            program: String::new(),
            made: None,
            project: None,
            unmeasured: unmeasured.iter().map(|&text| text.to_owned()).collect(),
        };
        let all = [candidate(&[], &[]), candidate(&["k=1"], &["N = 9"])];
        let sizes = ["N = 3".to_owned(), "N = 9".to_owned()];
        let medians = [vec![(0, 2.0), (1, 1.0)], vec![(0, 2.0)]];
        let text = table(&all, &sizes, &medians, &[Some(1), Some(0)]);
        assert!(text.contains("chosen at N = 3; not measured at N = 9: no time was left"));
        assert!(text.contains("chosen at N = 9 "), "{text}");
    }
}
