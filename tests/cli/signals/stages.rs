//! The stages, and a command that is in each for long.

use crate::ending::ENDLESS;

/// A scheme with a loop that strategies make parallel, whose program runs for long.
const LONG: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 64\n  K : INTEGER := 2000000000\n\
    \x20 x : REAL [N] OUTPUT\n  WORK \"roots\" := N\nEND OF DATA\n\
    \x20 FOR (k FROM 1 TO K) LOOP\n\
    \x20   FOR (i FROM 0 TO N - 1) LOOP x[i] := sqrt(real(i + k)) END OF LOOP\n\
    \x20 END OF LOOP\nEND OF SCHEME \"s\"\n";

/// A rule of one's own.
pub const RULE: &str = "# A loop is done from the other end.\n#@rule(turned) #@float(exact)\n\
    ForLoop($i, $a, $b, Assign($c, $e)) [ bounds_invariant($a, $b, Assign($c, $e)) && \
    independent($i, $a, $b, Assign($c, $e)) ] -> ForStep($i, $b, $a, -1, Assign($c, $e));\n";

/// Rules, for a run that asks a program which never answers.
pub const ASKED: &str = "f($x) -> g($x);\n";

/// A scheme of so many operators that reading and checking it takes long.
pub fn wide() -> String {
    let mut text = "SCHEME \"s\" ====\nDATA\n  k : INTEGER [8] OUTPUT\nEND OF DATA\n".to_owned();
    for i in 0..400_000 {
        text.push_str(&format!("  k[{}] := {i};\n", i % 8));
    }
    text + "  EMPTY\nEND OF SCHEME \"s\"\n"
}

/// A scheme of so many nests that deriving a program of it takes long, where checking it takes none.
fn many() -> String {
    let arrays = (0..100).map(|i| format!("  a{i} : REAL [N] OUTPUT\n"));
    let nests = (0..100).map(|i| {
        format!(
            "  FOR (i FROM 0 TO N - 1) LOOP\n    a{i}[i] := 0;\n    FOR (k FROM 0 TO N - 1) LOOP \
             a{i}[i] := a{i}[i] + sqrt(real(i + k)) END OF LOOP\n  END OF LOOP;\n"
        )
    });
    let (arrays, nests) = (arrays.collect::<String>(), nests.collect::<String>());
    format!(
        "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 64\n{arrays}END OF DATA\n{nests}  EMPTY\n\
         END OF SCHEME \"s\"\n"
    )
}

/// How a stage is known to have begun.
pub enum Begun {
    /// The tool handles signals, and so many milliseconds have gone by.
    After(u64),
    /// A process whose command line has both this folder and this word.
    Child(&'static str),
}

/// A stage of the work, and a command that is in it for long.
pub struct Stage {
    pub name: &'static str,
    pub arguments: &'static str,
    pub scheme: fn() -> String,
    pub begun: Begun,
}

pub const STAGES: [Stage; 14] = [
    Stage {
        name: "check",
        arguments: "check s.saa",
        scheme: wide,
        begun: Begun::After(300),
    },
    Stage {
        name: "fmt",
        arguments: "fmt s.saa",
        scheme: wide,
        begun: Begun::After(300),
    },
    Stage {
        name: "derive",
        arguments: "derive s.saa --strategy gpu-fast --save out/d.json",
        scheme: many,
        begun: Begun::After(150),
    },
    Stage {
        name: "emit",
        arguments: "emit s.saa --target cuda --strategy gpu-fast -o out/project",
        scheme: many,
        begun: Begun::After(150),
    },
    Stage {
        name: "data",
        arguments: "data plummer --set n=20000000 -o out",
        scheme: String::new,
        begun: Begun::After(300),
    },
    Stage {
        name: "build with cargo",
        arguments: "run s.saa --target rust --no-compare --out out",
        scheme: || LONG.to_owned(),
        begun: Begun::Child("rustc"),
    },
    Stage {
        name: "build with nvcc",
        arguments: "tune s.saa --target cuda --strategy gpu --dry-run",
        scheme: || LONG.to_owned(),
        begun: Begun::Child("cicc"),
    },
    Stage {
        name: "run",
        arguments: "run s.saa --target rust --no-compare --out out",
        scheme: || ENDLESS.to_owned(),
        begun: Begun::Child("--in"),
    },
    Stage {
        name: "run, reference machine",
        arguments: "run s.saa --target interpreter --no-compare --out out",
        scheme: || ENDLESS.to_owned(),
        begun: Begun::After(400),
    },
    Stage {
        name: "tune",
        arguments: "tune s.saa --target rust --strategy parallel --out out/tuned.json",
        scheme: || LONG.to_owned(),
        begun: Begun::Child("--lines"),
    },
    Stage {
        name: "bench",
        arguments: "bench s.saa --target rust --strategy sequential,parallel --csv out/b.csv",
        scheme: || LONG.to_owned(),
        begun: Begun::Child("--in"),
    },
    Stage {
        name: "test",
        arguments: "test s.saa --target rust",
        scheme: || ENDLESS.replace("SCHEME \"s\" ====", "# EXPECT k = [1]\nSCHEME \"s\" ===="),
        begun: Begun::Child("--in"),
    },
    Stage {
        name: "rules test",
        arguments: "rules test own.rules --tries 1000000",
        scheme: String::new,
        begun: Begun::After(600),
    },
    Stage {
        name: "rewrite with a program",
        arguments: "rewrite asked.rules --term f(1) --oracle ./oracle",
        scheme: String::new,
        begun: Begun::Child("oracle"),
    },
];
