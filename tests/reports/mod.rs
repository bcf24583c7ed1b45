//! The reports of a program: rows of a label and numbers, as `reports.csv` holds them.

use std::path::Path;

/// One REPORT: its label and its values in the order of the scheme.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportRow {
    /// The label.
    pub label: String,
    /// The values.
    pub values: Vec<f64>,
}

/// The reports of one run, in program order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reports {
    /// The rows.
    pub rows: Vec<ReportRow>,
}

impl Reports {
    /// Reads `reports.csv`: no heading, in every row a label (quoted where it must be, as RFC 4180
    /// has it) and then numbers. An error names the file and the line.
    pub fn read(path: &Path) -> Result<Reports, String> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|e| format!("{}: {e}", path.display()))?;
        let wrong = |(line, found)| format!("{}: {found} in line {line}", path.display());
        Reports::parse(&text).map_err(wrong)
    }

    /// Reads the text of a `reports.csv`; an error is a line (from 1) and what was found there.
    fn parse(text: &str) -> Result<Reports, (usize, String)> {
        let mut rows = Vec::new();
        let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut line = 1;
        while !rest.is_empty() {
            let start = line;
            let (label, mut more) = field(&mut rest, &mut line)?;
            if !more && label.is_empty() {
                continue;
            }
            let mut values = Vec::new();
            while more {
                let number;
                (number, more) = field(&mut rest, &mut line)?;
                values.push(
                    parse_number(&number).ok_or_else(|| {
                        (start, format!("`{number}` where a number should stand"))
                    })?,
                );
            }
            rows.push(ReportRow { label, values });
        }
        Ok(Reports { rows })
    }
}

/// Takes one field off the text, with the separator after it; true where it was a comma.
fn field(rest: &mut &str, line: &mut usize) -> Result<(String, bool), (usize, String)> {
    let start = *line;
    let mut text = String::new();
    if let Some(mut quoted) = rest.strip_prefix('"') {
        loop {
            let Some(end) = quoted.find('"') else {
                return Err((start, "a quote that is not closed".into()));
            };
            text.push_str(&quoted[..end]);
            quoted = &quoted[end + 1..];
            match quoted.strip_prefix('"') {
                Some(after) => {
                    text.push('"');
                    quoted = after;
                }
                None => break,
            }
        }
        *line += text.matches('\n').count();
        *rest = quoted;
    } else {
        let end = rest.find([',', '\r', '\n']).unwrap_or(rest.len());
        text.push_str(&rest[..end]);
        *rest = &rest[end..];
    }
    if let Some(after) = rest.strip_prefix(',') {
        *rest = after;
        return Ok((text, true));
    }
    let after = rest.strip_prefix('\r').unwrap_or(rest);
    match after.strip_prefix('\n') {
        Some(after) => {
            *rest = after;
            *line += 1;
        }
        None if after.is_empty() => *rest = after,
        None => return Err((start, "text after a closing quote".into())),
    }
    Ok((text, false))
}

/// A number as Rust and C print it, NaN and infinities included.
fn parse_number(text: &str) -> Option<f64> {
    // C prints the sign of a NaN, which Rust does not read.
    match text.trim() {
        "-nan" | "-NaN" => Some(f64::NAN),
        text => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_programs_write_them() {
        let text =
            "energy,-0.25,1e-3\r\n\"a \"\"b\"\", c\",1\n\"two\nlines\",NaN\n\nnone\nlast,-inf";
        let reports = Reports::parse(text).unwrap();
        let labels: Vec<&str> = reports.rows.iter().map(|r| r.label.as_str()).collect();
        assert_eq!(
            labels,
            ["energy", "a \"b\", c", "two\nlines", "none", "last"]
        );
        assert_eq!(reports.rows[0].values, [-0.25, 0.001]);
        assert!(reports.rows[2].values[0].is_nan());
        assert!(reports.rows[3].values.is_empty());
        assert_eq!(reports.rows[4].values, [f64::NEG_INFINITY]);
    }

    #[test]
    fn what_is_not_a_report_is_said_with_its_line() {
        assert_eq!(Reports::parse("a,1\nb,x\n").unwrap_err().0, 2);
        assert_eq!(Reports::parse("\"a\n\n").unwrap_err().0, 1);
        assert_eq!(Reports::parse("\"a\nb\",1\n\"c\"d,1").unwrap_err().0, 3);
        assert_eq!(Reports::parse("a,1,").unwrap_err().0, 1);
    }
}
