//! Where the ticks of a logarithmic axis stand, and what they say.

/// A tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The decimal logarithm of its value.
    pub at: f64,
    /// Its label.
    pub label: String,
}

/// More labels than this do not fit beside each other, nor above each other.
const MOST_ACROSS: usize = 8;
const MOST_UPWARDS: usize = 10;

/// Ticks for sizes, in ascending order: the sizes themselves where they are few or powers of two,
/// else 1, 2, 5.
pub fn of_sizes(sizes: &[f64]) -> Vec<Tick> {
    let (Some(&first), Some(&last)) = (sizes.first(), sizes.last()) else {
        return Vec::new();
    };
    let label = |x: f64| Tick {
        at: x.log10(),
        label: grouped(x),
    };
    let is_power = |x: f64| x.fract() == 0.0 && x.log2().fract() == 0.0;
    if sizes.iter().all(|&x| is_power(x)) {
        // Every power of two in between, or every second, third … of them.
        let (low, high) = (first.log2() as i32, last.log2() as i32);
        let step = 1 + (high - low) / MOST_ACROSS as i32;
        let powers = (low..=high).step_by(step as usize);
        return powers.map(|e| label(2f64.powi(e))).collect();
    }
    let apart = sizes
        .windows(2)
        .all(|w| w[1].log10() - w[0].log10() > (last / first).log10() / MOST_ACROSS as f64);
    if apart && sizes.len() <= MOST_ACROSS {
        return sizes.iter().map(|&x| label(x)).collect();
    }
    let values = values(first, last, MOST_ACROSS);
    values.into_iter().map(label).collect()
}

/// Ticks between two values above zero, with SI prefixes before a unit: `20 µs`, `1 ms`, `5 M`.
pub fn of_range(low: f64, high: f64, unit: &str) -> Vec<Tick> {
    let tick = |x: f64| Tick {
        at: x.log10(),
        label: prefixed(x, unit),
    };
    // A round value just outside may stand at the end.
    let (low, high) = (low / 1.05, high * 1.05);
    values(low, high, MOST_UPWARDS)
        .into_iter()
        .map(tick)
        .collect()
}

/// Round values between two others: 1, 2, 5 and powers of ten times them, or less than these where
/// they would be too many, or more where they would be too few. At least two.
fn values(low: f64, high: f64, most: usize) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let within = |x: f64| low * (1.0 - 1e-9) <= x && x <= high * (1.0 + 1e-9);
    let of = |mantissas: &[f64], every: usize| -> Vec<f64> {
        (first..=last)
            .filter(|e| e.rem_euclid(every as i32) == 0)
            .flat_map(|e| mantissas.iter().map(move |m| decimal(*m, e)))
            .filter(|&x| within(x))
            .collect()
    };
    let mut choices = vec![
        of(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], 1),
        of(&[1.0, 2.0, 5.0], 1),
    ];
    if choices[0].len() > most / 2 {
        choices.remove(0);
    }
    choices.extend((1..40).map(|every| of(&[1.0], every)));
    if let Some(found) = choices.into_iter().find(|c| (3..=most).contains(&c.len())) {
        return found;
    }
    // A range too narrow for round values: the round steps of a linear axis, drawn where they lie.
    let (low, high) = match high > low * 1.01 {
        true => (low, high),
        false => (low * 0.9, high * 1.1),
    };
    let raw = (high - low) / 4.0;
    let power = raw.log10().floor() as i32;
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| decimal(m, power))
        .find(|s| *s >= raw)
        .unwrap_or(raw);
    let from = (low / step).floor() as i64;
    (from..)
        .map(|k| k as f64 * step)
        .skip_while(|x| *x <= 0.0)
        .take_while(|x| *x < high + step)
        .collect()
}

/// The number that is written `me<exponent>`: no rounding of powers.
fn decimal(mantissa: f64, exponent: i32) -> f64 {
    format!("{mantissa}e{exponent}").parse().unwrap_or(mantissa)
}

/// A size: digits in groups of three; very large and very small ones with a power of ten.
fn grouped(x: f64) -> String {
    if x.fract() != 0.0 || x >= 1e9 {
        return match (1e-3..1e9).contains(&x) {
            true => short(x),
            false => format!("{x:e}"),
        };
    }
    let digits = format!("{x:.0}");
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A value with the SI prefix of its size.
fn prefixed(x: f64, unit: &str) -> String {
    const PREFIXES: [(&str, i32); 11] = [
        ("E", 18),
        ("P", 15),
        ("T", 12),
        ("G", 9),
        ("M", 6),
        ("k", 3),
        ("", 0),
        ("m", -3),
        ("µ", -6),
        ("n", -9),
        ("p", -12),
    ];
    let fits = |(_, e): &&(&str, i32)| x >= decimal(1.0, *e) * (1.0 - 1e-9);
    match PREFIXES.iter().find(fits) {
        Some(&(prefix, e)) if x < 1e21 => {
            let number = short(x / decimal(1.0, e));
            format!("{number} {prefix}{unit}").trim_end().to_owned()
        }
        _ => format!("{x:e} {unit}").trim_end().to_owned(),
    }
}

/// At most four significant digits, without zeros at the end.
fn short(x: f64) -> String {
    let places = (3 - x.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{x:.places$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: Vec<Tick>) -> Vec<String> {
        ticks.into_iter().map(|t| t.label).collect()
    }

    #[test]
    fn sizes_are_labelled_as_they_are() {
        assert_eq!(labels(of_sizes(&[256.0, 1024.0])), ["256", "512", "1,024"]);
        let wide: Vec<f64> = (0..=20).map(|e| 2f64.powi(e)).collect();
        let wide = labels(of_sizes(&wide));
        assert_eq!(wide[..3], ["1", "8", "64"]);
        assert!(wide.len() <= 8, "{wide:?}");
        assert_eq!(
            labels(of_sizes(&[100.0, 300.0, 1000.0])),
            ["100", "300", "1,000"]
        );
        let many: Vec<f64> = (1..=100).map(|i| f64::from(i) * 10.0).collect();
        assert_eq!(labels(of_sizes(&many)).first().unwrap(), "10");
        assert!(of_sizes(&many).len() <= 8);
        assert_eq!(labels(of_sizes(&[0.25, 0.5])), ["0.25", "0.5"]);
    }

    #[test]
    fn values_are_round_and_neither_few_nor_many() {
        let cases = [
            (
                1e-3,
                0.4,
                "1 ms, 2 ms, 5 ms, 10 ms, 20 ms, 50 ms, 100 ms, 200 ms",
            ),
            (
                2.05e-5,
                3e-3,
                "20 µs, 50 µs, 100 µs, 200 µs, 500 µs, 1 ms, 2 ms",
            ),
            (1e8, 1e12, "100 Ms, 1 Gs, 10 Gs, 100 Gs, 1 Ts"),
            (0.2, 9.6, "200 ms, 500 ms, 1 s, 2 s, 5 s, 10 s"),
        ];
        for (low, high, wanted) in cases {
            assert_eq!(labels(of_range(low, high, "s")).join(", "), wanted);
        }
        for (low, high) in [
            (1.0, 1.0),
            (0.1234, 0.1236),
            (5.0, 7.0),
            (1e-12, 1e15),
            (3.1e-7, 3.3e-7),
        ] {
            let found = of_range(low, high, "");
            assert!((2..=11).contains(&found.len()), "{low} {high}: {found:?}");
            let mut names = labels(found);
            names.dedup();
            assert!(names.len() >= 2, "{low} {high}: {names:?}");
        }
    }
}
