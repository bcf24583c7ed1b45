//! The reference manual of the language, made from the tables.

use super::{
    Accuracy, CONSTANTS, Construct, FUNCTIONS, Keyword, LARGEST_EXTENT, Language, Parity, SIGNS,
    Sort, TABLE, TYPE_NAMES, Ulps, WAITED_FOR, WORDINGS, entries,
};
use std::fmt::Write;

/// A pattern of the table with its pieces in words.
fn shown(pattern: &str, language: Language) -> String {
    let mut text = String::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '@' => {
                let mut name = String::new();
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphabetic()) {
                    name.push(c);
                }
                if text.ends_with(|c: char| c.is_alphanumeric()) {
                    text.push(' ');
                }
                text.push_str(Keyword::named(&name).map_or("", |k| k.text(language)));
            }
            '%' => match chars.next() {
                Some('*') => text.push('…'),
                Some('p') => text.push_str("phrase (argument, …)"),
                Some(d) => text.push(
                    d.to_digit(10)
                        .map_or('?', |d| (b'`' + d as u8) as char)
                        .to_ascii_uppercase(),
                ),
                None => {}
            },
            '{' | '}' => text.push(' '),
            '[' if chars.peek() == Some(&'[') => {
                chars.next();
            }
            ']' if chars.peek() == Some(&']') => {
                chars.next();
            }
            c => text.push(c),
        }
    }
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

/// A construct in English, with A, B, C … for its arguments.
pub fn text_of(construct: Construct) -> String {
    match construct {
        Construct::Then => "A; B; …".to_owned(),
        Construct::Async => format!(
            "{} ( A // B // … )",
            Keyword::Parallel.text(Language::English)
        ),
        _ => shown(construct.info().text, Language::English),
    }
}

/// Operators and items of DATA that are read in other spellings than they are printed in, each with
/// the printed one.
pub static SPELLINGS: &[(&str, &str)] = &[
    ("x += 2 * y", "x := x + 2 * y"),
    ("a[i + 1] += y", "a[i + 1] := a[i + 1] + y"),
    (
        "IF x < y THEN x := y END IF",
        "IF x < y THEN x := y ELSE EMPTY END IF",
    ),
    ("x := 1 THEN y := 2", "x := 1; y := 2"),
    ("; x := 1;; y := 2;", "x := 1; y := 2"),
    ("«Do (x) twice»", "\"Do (x) twice\""),
    ("“Do (x) twice”", "\"Do (x) twice\""),
    ("„Do (x) twice“", "\"Do (x) twice\""),
    ("FILTER ‘small (x)’", "FILTER 'small (x)'"),
    ("WAIT \"all is over\"", "WAIT 'all is over'"),
    ("REPORT 'row' (x)", "REPORT \"row\" (x)"),
    ("REPORT \"a\\u{62}c\" (x)", "REPORT \"abc\" (x)"),
    ("x := 15e-1 # up to the end of the line", "x := 1.5"),
    ("x := (y)", "x := y"),
];

/// What is said of indivisible actions.
const ATOMICALLY: &str = "\
## Cells that several reach

Threads and iterations that run at once may change one cell by ATOMIC, each as one indivisible action. What is read
or assigned without it, or changed by ATOMIC in another way, needs a BARRIER or the end of the PARALLEL or the launch
in between: the reference machine tells of it as a race.

- `ATOMIC a += b` adds. Sums of integers wrap, so that they are the same in any order; those of reals are rounded
differently in each.
- `ATOMIC a min= b` and `ATOMIC a max= b` do what `a := min(a, b)` and `a := max(a, b)` do, for numbers and components of
vectors. They are the same in any order, but that another one of 0 and -0 may stay; what does not compare, such as 0 / 0,
leaves the cell as it is, and a cell that does not compare stays.
- `ATOMIC n += 1 WAS k` gives the LOCAL `k`, which has the type of the cell and is named nowhere else in it, the value from
before, so that each of several threads gets one of its own:
`IF x[i] > 0 THEN LOCAL k : INTEGER := 0; ATOMIC n += 1 WAS k; list[k] := i END IF`.
Which thread gets which is known in order only: the list has another order in each run. No rule makes iterations
parallel that pass on a cell like this, unless the author claims that they are independent; a PARALLEL or a launch that is written with it runs as it is.

";

/// What else readers take, which is not a spelling of something else.
const NOTES: &str = "\n\
- A text in quotes may be broken over lines, and a word in it by a hyphen, as in print: [forms.md](forms.md#broken-lines).\n\
- In quotes `\\n` is a line end, `\\u{1b}` the character with that number, and a backslash before any\n\
  other character stands for that character. Texts that hide something, such as a control character or\n\
  a soft hyphen, are printed with its number.\n\
- `a, b : REAL [N] INPUT` declares several names alike; INPUT and OUTPUT stand in any order, and values\n\
  of an array come last, `:= [1, 2]`. A scalar without INPUT and OUTPUT that has a value is a parameter.\n\
- In DEFAULT INPUT, `(x := mass)` says that the generator's array `x` fills `mass`; other options are\n\
  numbers over parameters.\n\
- ASSUME takes `independent (i)` of a loop over `i`, `injective (idx)` of an array of integers with one\n\
  subscript, and comparisons of what keeps its value.\n\
- USE stands in DATA, or before the scheme.\n\
- The name after END OF SCHEME may be left out; `;` may stand after it.\n\n";

/// The manual, in Markdown.
pub fn document() -> String {
    let mut out = String::from(
        "# The language of schemes\n\n\
         This page is made from the tables of constructs, keywords, types and functions; a test says\n\
         when it is out of date. A, B, C … stand for a construct's arguments in order. What each target\n\
         has of the language stands in [targets.md](targets.md).\n\n",
    );
    for (sort, title) in [
        (Sort::Operator, "Operators"),
        (Sort::Condition, "Predicates"),
        (Sort::Expression, "Expressions"),
        (Sort::Part, "Parts of a scheme"),
    ] {
        let _ = writeln!(out, "## {title}\n");
        out.push_str("| functor | arguments | text | formula | meaning |\n|---|---|---|---|---|\n");
        for info in TABLE.iter().filter(|i| i.sort == sort) {
            let mut arguments: Vec<&str> = info.arguments.iter().map(|r| r.sort().word()).collect();
            if let Some(rest) = info.rest {
                arguments.push(rest.sort().word());
            }
            let mut arguments = arguments.join(", ");
            if info.rest.is_some() {
                arguments.push_str(", …");
            }
            let text = text_of(info.construct);
            let formula = match info.construct {
                Construct::Then => "A * B".to_owned(),
                Construct::Async => "A ∨̇ B".to_owned(),
                _ => shown(info.formula, Language::English),
            };
            let code = |s: String| if s.is_empty() { s } else { format!("`{s}`") };
            let _ = writeln!(
                out,
                "| `{}` | {arguments} | {} | {} | {} |",
                info.functor,
                code(text),
                code(formula),
                info.meaning
            );
        }
        out.push('\n');
    }
    out.push_str(
        "## Other spellings\n\nWhat is read besides the table, and printed as the table has it.\n\n\
         | written | read as |\n|---|---|\n",
    );
    for (written, read) in SPELLINGS {
        let _ = writeln!(out, "| `{written}` | `{read}` |");
    }
    out.push_str(NOTES);
    out.push_str(ATOMICALLY);
    out.push_str("## Keywords\n\nKeywords of the three languages may be mixed in one file. Spellings after the first are read too.\n\n");
    out.push_str("| English | Ukrainian | Russian |\n|---|---|---|\n");
    for &keyword in Keyword::ALL {
        let cell = |l: Language| keyword.spellings(l).collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            out,
            "| {} | {} | {} |",
            cell(Language::English),
            cell(Language::Ukrainian),
            cell(Language::Russian)
        );
    }
    out.push_str(
        "\n## Wordings\n\nPhrases that have a meaning, numbers in kernels and what rules have the host wait for.\n\n\
         | English | Ukrainian | Russian |\n|---|---|---|\n",
    );
    let wordings = WORDINGS.iter().map(|w| Language::ALL.map(|l| w.text(l)));
    let wordings = wordings.map(|row| row.map(|text| text.replace("%1", "x")));
    let waited_for = WAITED_FOR
        .iter()
        .map(|row| row.map(|text| format!("WAIT '{text}'")));
    let waited_for = waited_for.map(|[en, uk, ru]| {
        let [_, in_uk, in_ru] = Language::ALL.map(|l| Keyword::Wait.text(l));
        [
            en,
            uk.replacen("WAIT", in_uk, 1),
            ru.replacen("WAIT", in_ru, 1),
        ]
    });
    for [en, uk, ru] in wordings.chain(waited_for) {
        let _ = writeln!(out, "| `{en}` | `{uk}` | `{ru}` |");
    }
    out.push_str("\n## Types\n\n| English | Ukrainian | Russian | values |\n|---|---|---|---|\n");
    for ty in TYPE_NAMES {
        let [en, uk, ru] = Language::ALL.map(|l| ty.text(l));
        let _ = writeln!(out, "| `{en}` | `{uk}` | `{ru}` | {} |", ty.meaning);
    }
    let _ = writeln!(
        out,
        "\nAn integer that leaves its range is an error, but for the sums of ATOMIC, which wrap, and\n\
         for what `shift_left` moves out of its type, which is lost. An extent\n\
         of an array that is computed as INTEGER is at most {LARGEST_EXTENT}: indices go beyond it by blocks\n\
         of threads and by lanes. One that is computed as INTEGER64 has no such limit."
    );
    out.push_str("\n## Functions\n\n| name | arguments | value |\n|---|---|---|\n");
    for f in FUNCTIONS.iter() {
        let arity = if f.arity.0 == f.arity.1 {
            f.arity.0.to_string()
        } else {
            format!("{} to {}", f.arity.0, f.arity.1)
        };
        let _ = writeln!(out, "| `{}` | {arity} | {} |", f.name, f.meaning);
    }
    of_reals(&mut out);
    out.push_str(
        "\n## Precedence\n\nFrom loose to tight: `OR`, `AND`, `NOT`, comparisons (not chained), `+ -`, `* / MOD`, prefix `-`, `^`\n\
         (to the right), `[…]` and `.x`. `;` and `THEN` separate operators; a separator may be left out after `)`\n\
         and after an END.\n\n\
         ## Signs\n\nEvery sign has a twin for typing. [forms.md](forms.md) says more of formulas.\n\n\
         | sign | twin | read in | stands for |\n|---|---|---|---|\n",
    );
    for sign in SIGNS {
        let read = match (sign.is_read(false), sign.is_read(true)) {
            (true, true) => "texts, formulas",
            (true, false) => "texts",
            _ => "formulas",
        };
        let twin = sign.twin.replace('|', "\\|");
        let _ = writeln!(
            out,
            "| {} | `{twin}` | {read} | {} |",
            sign.sign, sign.meaning
        );
    }
    out
}

/// What is known of functions of reals, and the constants.
fn of_reals(out: &mut String) {
    for (name, value) in CONSTANTS {
        let _ = writeln!(
            out,
            "\n`{name}` is the literal {value} where no variable of that name is declared."
        );
    }
    out.push_str(
        "\n`floor`, `ceil`, `round` and `int` give an INTEGER, and what has no place in one is an error.\n\
         Where the INTEGER is a REAL again at once, as in `x - L * round(x / L)`, LANES keep it in a vector\n\
         of reals; the error stays. `real_floor` and its like give a REAL, whatever its size.\n\n\
         ## Functions of reals\n\n\
         How exact values are is said in units in the last place, of 32 and of 64 bits: *nearest* is\n\
         the real nearest to the value, *n* differs from it by n units at most, and *same* has the same bits\n\
         everywhere. Hosts call the C library, whose figures are those of GNU; those of devices are from\n\
         NVIDIA's programming guide, but for functions that emitted programs carry. f(-x) is said of each\n\
         argument.\n\n\
         | name | defined for | f(-x) | values | on hosts | on devices |\n|---|---|---|---|---|---|\n",
    );
    let ulps = |[narrow, wide]: Ulps| match (narrow, wide) {
        (0, 0) => "nearest".to_owned(),
        _ => format!("{narrow}, {wide}"),
    };
    for entry in entries() {
        let parity = entry.parity.iter().map(|parity| match parity {
            Parity::Even => "f(x)",
            Parity::Odd => "-f(x)",
            Parity::Neither => "other",
        });
        let (hosts, devices) = match entry.accuracy {
            Accuracy::Same(all) => (ulps(all), "same".to_owned()),
            Accuracy::Apart { hosts, devices } => (ulps(hosts), ulps(devices)),
            Accuracy::Near(_) => ("as it says".into(), "as it says".into()),
        };
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {hosts} | {devices} |",
            entry.name,
            entry.domain.unwrap_or("all"),
            parity.collect::<Vec<_>>().join("; "),
            if entry.never_negative {
                "0 or more"
            } else {
                ""
            },
        );
    }
}
