//! The table of environment variables, for the manual pages and `docs/shell.md`.

/// A variable.
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// The option that it gives a value to, where the command line does not.
    pub option: Option<&'static str>,
    /// What it is for, in a sentence.
    pub what: &'static str,
}

/// All of them; those that compilers are passed are in `docs/builds.md`.
pub const VARIABLES: &[Variable] = &[
    Variable {
        name: "GLUSHKOV_CONFIG",
        option: None,
        what: "The only settings file to read; `none` reads none.",
    },
    Variable {
        name: "GLUSHKOV_CACHE_LIMIT",
        option: Some("cache-limit"),
        what: "How much space built programs may take, such as 500MB; 2GiB by default.",
    },
    Variable {
        name: "GLUSHKOV_NVCC",
        option: None,
        what: "The path of nvcc, if it is not on PATH or under CUDA_HOME or CUDA_PATH.",
    },
    Variable {
        name: "GLUSHKOV_CXX",
        option: None,
        what: "The path of a C++ compiler, if it is neither in CXX nor on PATH.",
    },
    Variable {
        name: "GLUSHKOV_NVDISASM",
        option: None,
        what: "The path of NVIDIA's disassembler, if it is not beside nvcc or on PATH.",
    },
    Variable {
        name: "GLUSHKOV_COMPLETE",
        option: None,
        what: "The shell that asks for completions; set by the scripts of glushkov completions.",
    },
    Variable {
        name: "NO_COLOR",
        option: Some("color"),
        what: "Set to anything: no colours, unless --color asks for them.",
    },
    Variable {
        name: "CLICOLOR_FORCE",
        option: Some("color"),
        what: "Set to anything but 0: colours even where the output is not a terminal.",
    },
    Variable {
        name: "XDG_CACHE_HOME",
        option: None,
        what: "The folder for caches, ~/.cache by default. Builds are under glushkov/builds in it.",
    },
    Variable {
        name: "XDG_CONFIG_HOME",
        option: None,
        what: "The folder for configuration, ~/.config by default. What tuning found is under glushkov/tuned in it.",
    },
    Variable {
        name: "TMPDIR",
        option: None,
        what: "The folder for temporary files, /tmp by default.",
    },
];

/// The variable that is set and gives an option its value, if there is one.
pub fn set_for(option: &str) -> Option<&'static str> {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let mut for_it = VARIABLES.iter().filter(|v| v.option == Some(option));
    for_it.find(|v| is_set(v.name)).map(|v| v.name)
}

/// The table as a page of Markdown has it.
pub fn document() -> String {
    let mut page = "| variable | what it is for |\n|---|---|\n".to_owned();
    for variable in VARIABLES {
        page.push_str(&format!("| `{}` | {} |\n", variable.name, variable.what));
    }
    page
}
