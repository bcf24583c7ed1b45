//! What the compiled code of a program has in its busiest loop.

use super::common::TargetName;
use super::job::{Making, Program, on_device};
use super::output::Stop;
use crate::diagnostic::Diagnostic;
use crate::emit::{EmitOptions, Target, emit, launch_shapes};
use crate::toolchain::{BuildOptions, InnerLoop, ToolError, cubin, inner_loop};
use serde_json::{Value as Json, json};

/// The instructions of a program's busiest innermost loop, or why they are not known.
#[derive(Clone, Debug)]
pub struct Instructions {
    /// The kernel, by its name in the program, with its loop.
    pub found: Result<(String, InnerLoop), String>,
}

/// Counts the instructions of a program, where it has kernels of a device.
pub fn instructions(program: &Program, making: &Making<'_>) -> Result<Instructions, Stop> {
    let none = |why: &str| {
        Ok(Instructions {
            found: Err(why.to_owned()),
        })
    };
    if !on_device(program.target) {
        return none("not counted: it runs on a processor");
    }
    let scheme = &program.derived.scheme;
    let shapes = launch_shapes(scheme);
    if shapes.is_empty() {
        return none("it has no kernels");
    }
    let options = EmitOptions {
        checked: making.common.checked,
        derivation: None,
    };
    let project = emit(scheme, Target::Cuda, &options)?;
    let options = BuildOptions {
        flags: making.compiler_flags(TargetName::Cuda),
        ..BuildOptions::default()
    };
    let compiled = match cubin(&project, &options) {
        Ok(compiled) => compiled,
        Err(ToolError::Missing { why, .. }) => return none(&why),
        Err(error) => return Err(Diagnostic::from(error).into()),
    };
    match inner_loop(&compiled) {
        Ok(None) => none("no kernel has a loop"),
        Ok(Some(found)) => {
            let of = |k: &&crate::toolchain::KernelResources| k.symbol == found.symbol;
            let kernel = compiled.kernels.iter().find(of);
            let shape = shapes
                .iter()
                .find(|s| kernel.is_some_and(|k| k.is(&s.kernel)));
            let name = shape.map_or(found.symbol.clone(), |s| s.kernel.clone());
            Ok(Instructions {
                found: Ok((name, found)),
            })
        }
        Err(ToolError::Missing { why, .. }) => none(&why),
        Err(error) => Err(Diagnostic::from(error).into()),
    }
}

impl Instructions {
    /// In words.
    pub fn line(&self) -> String {
        match &self.found {
            Ok((kernel, l)) => format!(
                "{} instructions in the busiest innermost loop, {} of floating point, {} of memory ({kernel})",
                l.instructions, l.floating, l.memory
            ),
            Err(why) => why.clone(),
        }
    }

    /// As JSON.
    pub fn json(&self) -> Json {
        match &self.found {
            Ok((kernel, l)) => json!({
                "kernel": kernel,
                "loop": l.instructions,
                "floating": l.floating,
                "memory": l.memory,
            }),
            Err(why) => json!({"unknown": why}),
        }
    }
}
