//! A CUDA project → what its kernels take: registers, shared memory, spills; and how many blocks of
//! them a device has room for.

use super::build::{BuildOptions, Project, arch, lay_out};
use super::environment::{For, Surroundings};
use super::process::run;
use super::scratch::Scratch;
use super::{ToolError, nvcc};
use std::path::PathBuf;
use std::time::Duration;

/// The longest that nvcc may take.
const LIMIT: Duration = Duration::from_secs(600);

/// What a kernel takes, as ptxas says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelResources {
    /// Its mangled name.
    pub symbol: String,
    /// Registers of a thread.
    pub registers: u64,
    /// Bytes of shared memory of a block whose size the compiler knows.
    pub shared: u64,
    /// Bytes of registers that a thread keeps in memory, stores and loads together.
    pub spills: u64,
}

impl KernelResources {
    /// Whether this is the kernel with a name as it stands in the program: Itanium's mangling has
    /// its length before it.
    pub fn is(&self, name: &str) -> bool {
        let mangled = format!("{}{name}", name.len());
        self.symbol.contains(&format!("{mangled}E")) || self.symbol.ends_with(&mangled)
    }
}

/// A project's kernels, compiled.
pub struct Cubin {
    /// The device's code; it lies in a folder that goes with this value.
    pub path: PathBuf,
    /// What the kernels take.
    pub kernels: Vec<KernelResources>,
    _folder: Scratch,
}

/// Compiles the kernels of a CUDA project, and nothing else of it.
///
/// # Errors
///
/// Where nvcc is not found, or refuses the kernels.
pub fn cubin(project: &Project, options: &BuildOptions) -> Result<Cubin, ToolError> {
    let nvcc = nvcc()?;
    let folder = Scratch::new().map_err(|e| ToolError::io(std::env::temp_dir(), e))?;
    lay_out(project, folder.path())?;
    let mut sources = project.files.iter().map(|(path, _)| path);
    let source = sources
        .find(|path| path.ends_with(".cu"))
        .ok_or_else(|| ToolError::Project {
            why: "it has no kernels".into(),
        })?;
    let mut command = Surroundings::of(For::Cuda).command(&nvcc.tool.path);
    command.args(["-O3", "-std=c++17", "-Xptxas", "-v", "-cubin"]);
    command.arg(format!("-arch={}", arch(options)));
    command.args(&options.flags).args(["-o", "kernels.cubin"]);
    command.arg(source).current_dir(folder.path());
    command.env("TMPDIR", folder.path());
    let done = run(&mut command, Some(LIMIT), &mut |_| {}).map_err(|why| ToolError::Failed {
        tool: nvcc.tool.path.display().to_string(),
        why,
    })?;
    if !done.status.success() {
        return Err(ToolError::Compile {
            command: "nvcc -cubin".into(),
            excerpt: done.stderr.lines().take(30).collect::<Vec<_>>().join("\n"),
            log: None,
        });
    }
    Ok(Cubin {
        path: folder.path().join("kernels.cubin"),
        kernels: read(&done.stderr),
        _folder: folder,
    })
}

/// Reads what ptxas says with `-v`.
fn read(text: &str) -> Vec<KernelResources> {
    let number_before = |line: &str, words: &str| -> u64 {
        let before = line.split(words).next().unwrap_or_default();
        let last = before.rsplit([' ', ',']).next().unwrap_or_default();
        last.parse().unwrap_or(0)
    };
    let has = |line: &str, words: &str| match line.contains(words) {
        true => number_before(line, words),
        false => 0,
    };
    let mut all: Vec<KernelResources> = Vec::new();
    for line in text.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            all.push(KernelResources {
                symbol: rest.split('\'').next().unwrap_or_default().to_owned(),
                ..KernelResources::default()
            });
        } else if let Some(kernel) = all.last_mut() {
            kernel.spills += has(line, " bytes spill stores") + has(line, " bytes spill loads");
            kernel.registers = kernel.registers.max(has(line, " registers"));
            kernel.shared = kernel.shared.max(has(line, " bytes smem"));
        }
    }
    all
}

/// What a multiprocessor has room for (CUDA C++ Programming Guide 13.0, "Technical Specifications
/// per Compute Capability").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Threads.
    pub threads: u64,
    /// Blocks.
    pub blocks: u64,
    /// Registers of 32 bits.
    pub registers: u64,
    /// Bytes of shared memory, of all blocks together.
    pub shared: u64,
    /// Bytes of shared memory that a block may have.
    pub shared_of_block: u64,
}

impl Room {
    /// The room of a compute capability; of an unknown one, none.
    pub fn of(capability: (u32, u32)) -> Option<Room> {
        let (threads, blocks, kilobytes, of_block) = match capability {
            (7, 0) => (2048, 32, 96, 96),
            (7, 5) => (1024, 16, 64, 64),
            (8, 0) => (2048, 32, 164, 163),
            (8, 6) => (1536, 16, 100, 99),
            (8, 7) => (1536, 16, 164, 163),
            (8, 9) => (1536, 24, 100, 99),
            (9, 0) | (10, 0) | (10, 3) => (2048, 32, 228, 227),
            (12, 0) | (12, 1) => (1536, 24, 100, 99),
            _ => return None,
        };
        Some(Room {
            threads,
            blocks,
            registers: 65_536,
            shared: kilobytes << 10,
            shared_of_block: of_block << 10,
        })
    }

    /// The part of a multiprocessor's threads that blocks of a kernel can fill, from 0 to 1; 0 where
    /// not even one block fits. `shared` is the bytes of a block.
    ///
    /// Registers are given out to warps in units of 256; a block's shared memory has 1 KiB on top
    /// that the system takes.
    pub fn occupancy(&self, registers: u64, threads: u64, shared: u64) -> f64 {
        if threads == 0 || threads > 1024 || shared > self.shared_of_block {
            return 0.0;
        }
        let warps = threads.div_ceil(32);
        let of_warp = (registers.max(1) * 32).next_multiple_of(256);
        let by_registers = self.registers / of_warp / warps;
        let by_shared = self.shared / (shared + 1024);
        let by_threads = self.threads / (warps * 32);
        let blocks = by_registers.min(by_shared).min(by_threads).min(self.blocks);
        (blocks * warps * 32) as f64 / self.threads as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ptxas_says_is_read() {
        let text = "ptxas info    : 4 bytes gmem\n\
            ptxas info    : Compiling entry function '_ZN3abc6kernelEi' for 'sm_90'\n\
            ptxas info    : Function properties for _ZN3abc6kernelEi\n    \
            8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n\
            ptxas info    : Used 48 registers, used 1 barriers, 1024 bytes smem, 400 bytes cmem[0]\n\
            ptxas info    : Compile time = 6.071 ms\n\
            ptxas info    : Compiling entry function '_ZN3abc8kernel_2Ei' for 'sm_90'\n    \
            0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
            ptxas info    : Used 26 registers, used 0 barriers\n";
        let all = read(text);
        let numbers: Vec<_> = all
            .iter()
            .map(|k| (k.registers, k.shared, k.spills))
            .collect();
        assert_eq!(numbers, [(48, 1024, 28), (26, 0, 0)]);
        assert!(all[0].is("kernel") && !all[0].is("kernel_2") && all[1].is("kernel_2"));
    }

    #[test]
    fn occupancy_is_that_of_nvidia_s_calculator() {
        let room = Room::of((9, 0)).unwrap();
        assert_eq!(room.occupancy(32, 256, 0), 1.0);
        // 65,536 / (64 × 256) = 4 blocks of 8 warps, of 64.
        assert_eq!(room.occupancy(64, 256, 0), 0.5);
        // 32 blocks of one warp.
        assert_eq!(room.occupancy(16, 32, 0), 0.5);
        // 228 KiB hold two blocks of 100 KiB and what the system takes.
        assert_eq!(room.occupancy(32, 256, 100 << 10), 0.25);
        assert_eq!(room.occupancy(255, 1024, 0), 0.0);
        assert_eq!(room.occupancy(32, 1056, 0), 0.0);
        assert_eq!(room.occupancy(32, 32, 228 << 10), 0.0);
        assert_eq!(Room::of((1, 0)), None);
    }
}
