//! Samples of a measurement → their median and how far it can be trusted.

/// The confidence that an interval is to have where there are samples enough.
const CONFIDENCE: f64 = 0.95;

/// What samples say of the median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The median of the samples.
    pub median: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// How often such an interval holds the true median, for samples that do not depend on each
    /// other, whatever their distribution. At least 0.95 from six samples on; below that the
    /// interval is the whole range.
    pub confidence: f64,
}

/// Summarizes samples; nothing where there are none or one is not a number.
///
/// The interval reaches from the l-th smallest sample to the l-th largest, l being the largest for
/// which the confidence is at least 95 %: the number of samples below the true median is binomial
/// (Thompson, Annals of Mathematical Statistics 7 (1936) 122).
pub fn summary(samples: &[f64]) -> Option<Summary> {
    if samples.is_empty() || samples.iter().any(|x| x.is_nan()) {
        return None;
    }
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let median = match n % 2 {
        1 => sorted[n / 2],
        _ => sorted[n / 2 - 1] / 2.0 + sorted[n / 2] / 2.0,
    };
    // The probability that at most k of n samples lie below the median, in logarithms: 2^-n is too
    // small a number for large n.
    let mut term = -(n as f64) * 2f64.ln();
    let mut below = term.exp();
    let (mut rank, mut confidence) = (1, 1.0 - 2.0 * below);
    for k in 1..n / 2 {
        term += ((n - k + 1) as f64).ln() - (k as f64).ln();
        below += term.exp();
        let next = 1.0 - 2.0 * below;
        if next < CONFIDENCE {
            break;
        }
        (rank, confidence) = (k + 1, next);
    }
    Some(Summary {
        median,
        low: sorted[rank - 1],
        high: sorted[n - rank],
        confidence: confidence.max(0.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_and_its_interval() {
        let nine: Vec<f64> = (1..=9).rev().map(f64::from).collect();
        let s = summary(&nine).unwrap();
        // Tables of the sign test: ranks 2 and 8 of 9, 96.1 %.
        assert_eq!((s.median, s.low, s.high), (5.0, 2.0, 8.0));
        assert!((s.confidence - 0.9609375).abs() < 1e-12);
        let twenty: Vec<f64> = (1..=20).map(f64::from).collect();
        let s = summary(&twenty).unwrap();
        assert_eq!((s.median, s.low, s.high), (10.5, 6.0, 15.0));
        let s = summary(&[3.0, 1.0]).unwrap();
        assert_eq!(
            (s.median, s.low, s.high, s.confidence),
            (2.0, 1.0, 3.0, 0.5)
        );
        assert_eq!(summary(&[7.0]).unwrap().low, 7.0);
        assert!(summary(&[]).is_none() && summary(&[f64::NAN]).is_none());
        let many: Vec<f64> = (0..10_000).map(f64::from).collect();
        let s = summary(&many).unwrap();
        assert!(s.confidence >= 0.95 && s.confidence < 0.96, "{s:?}");
    }
}
