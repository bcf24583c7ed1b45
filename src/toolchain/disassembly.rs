//! A device's code → how many instructions its busiest loop has.
//!
//! What is counted: the instructions, NOP left out, from the target of a conditional backward branch
//! to that branch, both ends counted. Only innermost such loops are looked at, those that hold no
//! other one; of these the one with the most floating-point instructions is told, the longer one
//! where two have as many. It is a count of the code as it stands: a loop that the compiler unrolled
//! four times counts four turns of the source's; instructions that a turn branches around are
//! counted, those of functions that it calls (such as slow paths of divisions) are not.

use super::environment::{For, Surroundings};
use super::find::{environment, executable, named, on_path};
use super::process::run;
use super::resources::Cubin;
use super::{ToolError, nvcc};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// The innermost loop with the most floating-point instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InnerLoop {
    /// The mangled name of the kernel that it stands in.
    pub symbol: String,
    /// Its instructions.
    pub instructions: usize,
    /// Those that add, multiply, compare or convert floating-point numbers, or approximate functions.
    pub floating: usize,
    /// Those that read or write memory of any kind.
    pub memory: usize,
}

/// NVIDIA's disassembler: what `GLUSHKOV_NVDISASM` names, `nvdisasm` or `cuobjdump` beside nvcc or on
/// `PATH`.
fn disassembler() -> Result<Command, ToolError> {
    let beside = |name: &str| executable(nvcc().ok()?.tool.path.parent()?.join(name));
    let found = |name: &str| beside(name).or_else(|| on_path(name, &environment));
    let command = |path: PathBuf, flag: &str| {
        let mut command = Surroundings::of(For::Cuda).command(&path);
        command.arg(flag);
        command
    };
    named("GLUSHKOV_NVDISASM", &environment)
        .or_else(|| found("nvdisasm"))
        .map(|path| command(path, "-c"))
        .or_else(|| found("cuobjdump").map(|path| command(path, "-sass")))
        .ok_or_else(|| ToolError::Missing {
            tool: "nvdisasm",
            why: "neither nvdisasm nor cuobjdump is beside nvcc or on PATH".into(),
            hint: "they come with NVIDIA's CUDA toolkit; or name an nvdisasm in the variable \
                   GLUSHKOV_NVDISASM"
                .into(),
        })
}

/// Finds the busiest innermost loop of compiled kernels; none where no kernel has a loop.
///
/// # Errors
///
/// Where there is no disassembler.
pub fn inner_loop(cubin: &Cubin) -> Result<Option<InnerLoop>, ToolError> {
    let mut command = disassembler()?;
    command.arg(&cubin.path);
    let limit = Some(Duration::from_secs(120));
    let failed = |why: String| ToolError::Failed {
        tool: "the disassembler".into(),
        why,
    };
    let done = run(&mut command, limit, &mut |_| {}).map_err(failed)?;
    match done.status.success() {
        true => Ok(busiest(&done.stdout)),
        false => Err(failed(done.stderr.trim().to_owned())),
    }
}

/// A function of the disassembly.
#[derive(Default)]
struct Function {
    symbol: String,
    /// Addresses and instructions, in order.
    code: Vec<(u64, String)>,
    /// Labels with the number of the instruction after them.
    labels: Vec<(String, usize)>,
}

/// Reads what nvdisasm or cuobjdump print.
fn functions(text: &str) -> Vec<Function> {
    let mut all: Vec<Function> = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        let section = trimmed.strip_prefix(".section").map(str::trim);
        let named = section
            .and_then(|s| s.strip_prefix(".text."))
            .and_then(|s| s.split([',', '\t', ' ']).next())
            .or_else(|| trimmed.strip_prefix("Function : "));
        if let Some(symbol) = named {
            all.push(Function {
                symbol: symbol.to_owned(),
                ..Function::default()
            });
        }
        let Some(function) = all.last_mut() else {
            continue;
        };
        if let Some(label) = trimmed.strip_suffix(':')
            && label.starts_with(".L")
        {
            function
                .labels
                .push((label.to_owned(), function.code.len()));
        }
        let instruction = trimmed.strip_prefix("/*").and_then(|rest| {
            let (address, rest) = rest.split_once("*/")?;
            let (code, _) = rest.split_once(';')?;
            Some((
                u64::from_str_radix(address, 16).ok()?,
                code.trim().to_owned(),
            ))
        });
        function.code.extend(instruction);
    }
    all
}

impl Function {
    /// The ends of its loops: the number of the first and of the last instruction.
    fn loops(&self) -> Vec<(usize, usize)> {
        let mut loops: Vec<(usize, usize)> = Vec::new();
        for (at, (_, code)) in self.code.iter().enumerate() {
            // A branch that is always taken comes back from what stands apart from its loop.
            let Some((_, rest)) = code.split_once(' ').filter(|_| code.starts_with('@')) else {
                continue;
            };
            if !rest.trim().starts_with("BRA") {
                continue;
            }
            let Some(from) = self.target(rest).filter(|from| *from < at) else {
                continue;
            };
            match loops.iter_mut().find(|(first, _)| *first == from) {
                Some((_, last)) => *last = at.max(*last),
                None => loops.push((from, at)),
            }
        }
        loops
    }

    /// The instruction that a branch leads to.
    fn target(&self, branch: &str) -> Option<usize> {
        let last = branch.split([' ', ',']).next_back()?;
        if let Some(label) = last.strip_prefix("`(").and_then(|l| l.strip_suffix(')')) {
            return self
                .labels
                .iter()
                .find(|(l, _)| l == label)
                .map(|(_, at)| *at);
        }
        let address = u64::from_str_radix(last.strip_prefix("0x")?, 16).ok()?;
        self.code.iter().position(|(a, _)| *a == address)
    }
}

/// The busiest innermost loop of a disassembly.
fn busiest(text: &str) -> Option<InnerLoop> {
    let mut best: Option<InnerLoop> = None;
    for function in functions(text) {
        let loops = function.loops();
        let inside = |(a, b): (usize, usize)| {
            let within = |&(c, d): &(usize, usize)| (c, d) != (a, b) && a <= c && d <= b;
            loops.iter().any(within)
        };
        for &(from, to) in loops.iter().filter(|l| !inside(**l)) {
            let mut found = InnerLoop {
                symbol: function.symbol.clone(),
                ..InnerLoop::default()
            };
            for (_, code) in &function.code[from..=to] {
                let name = operation(code);
                found.instructions += usize::from(name != "NOP");
                found.floating += usize::from(is_floating(name));
                found.memory += usize::from(is_memory(name));
            }
            let key = |l: &InnerLoop| (l.floating, l.instructions);
            if best.as_ref().is_none_or(|b| key(b) < key(&found)) {
                best = Some(found);
            }
        }
    }
    best
}

/// The operation of an instruction: `FFMA` of `@!P0 FFMA.FTZ R1, …`.
fn operation(code: &str) -> &str {
    let mut words = code.split_whitespace().filter(|w| !w.starts_with('@'));
    let name = words.next().unwrap_or_default();
    name.split('.').next().unwrap_or_default()
}

fn is_floating(name: &str) -> bool {
    let of = [
        "FADD", "FMUL", "FFMA", "FSET", "FMNMX", "FSEL", "FCHK", "DADD", "DMUL", "DFMA",
    ];
    let more = [
        "DSET", "DMNMX", "MUFU", "HADD2", "HMUL2", "HFMA2", "F2F", "F2I", "I2F",
    ];
    of.iter().chain(&more).any(|known| name.starts_with(known))
}

fn is_memory(name: &str) -> bool {
    let of = [
        "LDG", "LDS", "LDL", "LD", "STG", "STS", "STL", "ST", "ATOM", "ATOMG", "ATOMS", "RED",
    ];
    of.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: &str = "\t.section\t.text._Z6kernelPf,\"ax\",@progbits\n\
        .text._Z6kernelPf:\n\
        \x20       /*0000*/                   MOV R1, c[0x0][0x28] ;\n\
        .L_x_2:\n\
        \x20       /*0010*/                   LDS R4, [R2] ;\n\
        .L_x_0:\n\
        \x20       /*0020*/                   LDG.E R3, desc[UR4][R2.64] ;\n\
        \x20       /*0030*/              @!P1 FFMA.FTZ R5, R3, R3, R5 ;\n\
        \x20       /*0040*/                   MUFU.RSQ R6, R5 ;\n\
        \x20       /*0050*/               @P0 BRA `(.L_x_0) ;\n\
        .L_x_3:\n\
        \x20       /*0060*/                   IADD3 R7, R7, 0x1, RZ ;\n\
        \x20       /*0070*/               @P3 BRA `(.L_x_3) ;\n\
        \x20       /*0080*/               @P2 BRA `(.L_x_2) ;\n\
        \x20       /*0090*/                   EXIT ;\n\
        .L_x_1:\n\
        \x20       /*00a0*/                   BRA `(.L_x_1) ;\n\
        \x20       /*00b0*/                   BRA `(.L_x_2) ;\n\
        \x20       /*00c0*/                   NOP;\n";

    #[test]
    fn the_innermost_loop_with_the_most_arithmetic_is_counted() {
        let wanted = InnerLoop {
            symbol: "_Z6kernelPf".into(),
            instructions: 4,
            floating: 2,
            memory: 1,
        };
        assert_eq!(busiest(LABELS), Some(wanted.clone()));
        // cuobjdump tells addresses, and the code's bits beside it.
        let mut text = LABELS.to_owned();
        for (label, address) in [("0", "20"), ("1", "a0"), ("2", "10"), ("3", "60")] {
            text = text.replace(&format!("`(.L_x_{label})"), &format!("0x{address}"));
            text = text.replace(&format!(".L_x_{label}:\n"), "");
        }
        let text = text.replace(
            " ;",
            " ;  /* 0x0000000000108947 */\n  /* 0x000fe40003f0f070 */",
        );
        let text = text.replace(
            "\t.section\t.text._Z6kernelPf,\"ax\",@progbits",
            "Function : _Z6kernelPf",
        );
        assert_eq!(busiest(&text), Some(wanted));
    }

    #[test]
    fn code_without_loops_has_none() {
        let line = "        /*0050*/               @P0 BRA `(.L_x_0) ;\n";
        assert_eq!(busiest(&LABELS.replace("@P", "  ")), None);
        assert_eq!(
            busiest(&LABELS.replace(line, "")).map(|l| l.floating),
            Some(0)
        );
        assert_eq!(busiest(""), None);
        assert!(functions("no disassembly at all").is_empty());
    }
}
