//! `Plan` → a project in C++20 with OpenMP, for the cores of a processor.
//!
//! Expressions, statements, the interface of C and the files around it are those of target `cuda`; here
//! is what a host of several threads has besides.

mod lanes;
mod loops;
mod pieces;
mod shared_cells;

use super::EmitOptions;
use super::c;
use super::cuda::{Dialect, PARTS, filling};
use super::map::{Emitted, Files};
use super::template::fill_with;
use super::variants::Program;
use crate::toolchain::Kind;
use serde_json::json;

const CPP: Dialect = Dialect {
    target: "cpp",
    support: ["support.hpp", "SUPPORT_HPP"],
    space: "static",
    cores: true,
};

/// The project of a program.
pub(super) fn project(program: &Program, options: &EmitOptions) -> Emitted {
    let mut filling = filling(program, options, &CPP);
    let threads = filling.used.contains("parallel");
    filling.main["threads"] = json!(threads);
    let (plan, values) = (program.first(), &filling.library);
    let mut files = Files::default();
    // A file and the template that it is made of.
    macro_rules! file {
        ($path:expr, $template:literal, $values:expr) => {{
            let text = include_str!(concat!("../../../templates/", $template));
            let filled = fill_with($template, text, PARTS, $values);
            files.filled($path, $template, filled);
        }};
        ($path:literal, $template:literal) => {{
            let text = include_str!(concat!("../../../templates/", $template));
            files.copied($path, $template, text);
        }};
    }
    file!("CMakeLists.txt", "cpp/CMakeLists.txt.tera", values);
    c::add_to(&mut files, plan, CPP.target, &filling.header);
    file!(format!("{}.cpp", plan.name), "cuda/program.cu.tera", values);
    file!("support.hpp", "cuda/support.cuh.tera", values);
    file!("state.cpp", "cuda/state.cpp.tera", &filling.state);
    file!("main.cpp", "cuda/main.cpp.tera", &filling.main);
    if threads {
        file!("threads.hpp", "cpp/threads.hpp");
    }
    file!("cli.hpp", "cuda/cli.hpp");
    file!("files.hpp", "cuda/files.hpp");
    file!("npy.hpp", "cuda/npy.hpp");
    files.emitted(program, Kind::Cpp, CPP.target)
}
