//! What the compiled code of a program has in its busiest loop.

use crate::emit::{self, EmitOptions, emit, launch_shapes};
use crate::pipeline::program::build_options;
use crate::pipeline::{Failure, Options, Program, Target};
use crate::toolchain::{InnerLoop, ToolError, cubin, inner_loop};
use serde_json::{Value as Json, json};

/// The instructions of a program's busiest innermost loop, or why they are not known.
#[derive(Clone, Debug)]
pub struct Instructions {
    /// The kernel, by its name in the program, with its loop.
    pub found: Result<(String, InnerLoop), String>,
}

/// Counts the instructions of a program, where it has kernels of a device.
pub fn instructions(program: &Program, options: &Options) -> Result<Instructions, Failure> {
    let known = |found| Ok(Instructions { found });
    let none = |why: &str| known(Err(why.to_owned()));
    if !program.target.on_device() {
        return none("not counted: it runs on a processor");
    }
    let scheme = &program.derived.scheme;
    let shapes = launch_shapes(scheme);
    if shapes.is_empty() {
        return none("it has no kernels");
    }
    let emitting = EmitOptions {
        checked: options.checked,
        profile: false,
        derivation: None,
    };
    let project = emit(scheme, emit::Target::Cuda, &emitting)?;
    let compiled = cubin(&project, &build_options(Target::Cuda, options));
    let found = compiled.and_then(|compiled| Ok((inner_loop(&compiled)?, compiled)));
    match found {
        Ok((None, _)) => none("no kernel has a loop"),
        Ok((Some(found), compiled)) => {
            let mut kernels = compiled.kernels.iter();
            let kernel = kernels.find(|k| k.symbol == found.symbol);
            let shape = shapes
                .iter()
                .find(|s| kernel.is_some_and(|k| k.is(&s.kernel)));
            let name = shape.map_or(found.symbol.clone(), |s| s.kernel.clone());
            known(Ok((name, found)))
        }
        Err(ToolError::Missing { why, .. }) => none(&why),
        Err(error) => Err(error.into()),
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
