//! Names and texts that want out of an emitted program, or clash with what it says itself.

use glushkov::algebra::Construct;
use glushkov::syntax::text::is_reserved;
use glushkov::term::Symbol;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

/// Names of other scripts, names that become the same in ASCII, and what the templates do not say
/// themselves. The last two are the same up to where names are cut.
const NAMES: &[&str] = &[
    "int",
    "float3",
    "self",
    "Self",
    "super",
    "crate",
    "threadIdx",
    "blockDim",
    "warpSize",
    "dim3",
    "main",
    "std",
    "core",
    "min",
    "N",
    "n",
    "fn",
    "type",
    "match",
    "gen",
    "dyn",
    "union",
    "auto",
    "template",
    "operator",
    "co_await",
    "constexpr",
    "NULL",
    "EOF",
    "INFINITY",
    "NAN",
    "M_PI",
    "assert",
    "errno",
    "signbit",
    "printf",
    "malloc",
    "memcpy",
    "cudaMalloc",
    "cudaFree",
    "__global__",
    "__device__",
    "__shared__",
    "__syncthreads",
    "half",
    "double2",
    "int64_t",
    "uint32_t",
    "unix",
    "linux",
    "CHAR_BIT",
    "INT_MAX",
    "Some",
    "None",
    "Ok",
    "Err",
    "Vec",
    "String",
    "Box",
    "Option",
    "Result",
    "f32",
    "f64",
    "i32",
    "i64",
    "usize",
    "bool",
    "u8",
    "str",
    "println",
    "panic",
    "vec",
    "format",
    "maxSpeed",
    "швидкість",
    "швидкiсть",
    "shvydkist",
    "маса",
    "масса",
    "m",
    "м",
    "ж",
    "zh",
    "ё",
    "е",
    "e",
    "E",
    "ε",
    "epsilon",
    "α",
    "alpha",
    "Α",
    "Σ",
    "σ",
    "ς",
    "sigma",
    "力",
    "İ",
    "ß",
    "ss",
    "ﬁ",
    "Ⅷ",
    "٣a",
    "_",
    "__",
    "__a",
    "a__b",
    "a_b",
    "aB",
    "x",
    "y",
    "z",
    "w",
    "X",
    "x_2",
    "x_3",
    "r",
    "v",
    "i",
    "j",
    "k",
    "real",
    "vector",
    "floor",
    "erfc",
    "dot",
    "norm2",
    "select",
    "ceil_div",
    "REAL",
    "VECTOR",
    "INTEGER",
    "TRUE_",
    "l",
    "O",
    "a_very_long_name_of_a_variable_that_goes_on_and_on_and_on_up_to_one",
    "a_very_long_name_of_a_variable_that_goes_on_and_on_and_on_up_to_two",
];

/// Pieces of phrases, labels and titles.
const TEXTS: &[&str] = &[
    "move",
    "*/",
    "/*",
    "//",
    "{{ x }}",
    "{% if %}",
    "{# c #}",
    "%d %s %n",
    "\\\\",
    "\\n",
    "\\\"",
    "\\'",
    "??/",
    "???",
    "тіла",
    "ρ σ",
    "\u{202e}",
    "\u{2028}",
    "\u{feff}",
    "\\\\u{41}",
    "$x",
    "#include <x>",
    "#",
    "{}",
    "{0}",
    "{",
    "}",
    "R\\\"\\(",
    "\\)\\\"",
    "int main\\(\\) {}",
    "<<<1, 2>>>",
    ";",
    "&&",
    "\t",
    "\u{1}",
    "r#\\\"",
    "..",
    "../..",
    "CON",
    "nul",
    "a,b",
    "`",
    "main",
    "std",
];

/// Every identifier in the templates and in the printers: what emitted programs say themselves.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut words = BTreeSet::new();
    let mut work = vec![root.join("templates"), root.join("src/emit")];
    while let Some(path) = work.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a folder of the checkout");
            work.extend(entries.map(|e| e.expect("an entry").path()));
        } else {
            let text = std::fs::read_to_string(&path).expect("a file of the checkout");
            let split = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let word = |w: &&str| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            words.extend(
                split
                    .filter(word)
                    .filter(|w| w.len() <= 24)
                    .map(str::to_owned),
            );
        }
    }
    words.extend(NAMES.iter().map(|n| (*n).to_owned()));
    words.into_iter().filter(|w| is_name(w)).collect()
});

fn is_name(word: &str) -> bool {
    let symbol = Symbol::new(word);
    let construct = Construct::of(symbol).is_some_and(|c| c.info().takes(0));
    let index = Construct::standing(word).is_some();
    let digit = word.starts_with(|c: char| !c.is_alphabetic() && c != '_');
    !is_reserved(symbol) && !construct && !index && !digit
}

/// What emitted programs say themselves.
pub fn words() -> &'static [String] {
    &WORDS
}

/// A number below a bound.
type Below<'a> = &'a mut dyn FnMut(usize) -> usize;

/// All names in a random order: half of the first hundred are those of the list above.
pub fn names(below: Below<'_>) -> Vec<String> {
    let mut first: Vec<String> = Vec::new();
    let hard: Vec<&str> = NAMES.iter().copied().filter(|n| is_name(n)).collect();
    while first.len() < 200 {
        let name = match below(2) {
            0 => hard[below(hard.len())].to_owned(),
            _ => WORDS[below(WORDS.len())].clone(),
        };
        if !first.contains(&name) {
            first.push(name);
        }
    }
    first
}

/// A text for quotes.
pub fn text(below: Below<'_>) -> String {
    let pieces: Vec<&str> = (0..1 + below(3))
        .map(|_| TEXTS[below(TEXTS.len())])
        .collect();
    pieces.join([" ", ""][below(2)])
}
