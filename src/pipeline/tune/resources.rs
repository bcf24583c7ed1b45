//! What the kernels of candidates take, as the compiler says → those that are worth a run.

use super::candidates::Candidate;
use super::clock::Until;
use crate::emit::{self, LaunchShape, launch_shapes};
use crate::pipeline::program::build_options;
use crate::pipeline::recipe::Recipe;
use crate::pipeline::{Failure, Session, Target};
use crate::toolchain::{
    KernelResources, Project, Room, ToolError, abreast, cubin, devices, inner_loop, nvcc,
};

/// A program whose occupancy is this part of another's, or less, is dropped where nothing is had
/// for it.
const FAR_BELOW: f64 = 0.25;

/// What the kernels of a program take, the most demanding of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Takes {
    /// The most threads of a block.
    pub threads: u64,
    /// The most registers of a thread.
    pub registers: u64,
    /// The most bytes of shared memory of a block.
    pub shared: u64,
    /// Bytes spilled by a thread, of all kernels.
    pub spills: u64,
    /// The lowest occupancy; none where the device's room or a launch is not known.
    pub occupancy: Option<f64>,
    /// The instructions of the busiest innermost loop, where a disassembler is found.
    pub inner_loop: Option<usize>,
    /// A kernel that no block fits, and why.
    pub unlaunched: Option<String>,
}

/// Looks at what the kernels of each candidate take, and drops those that are not worth a run.
pub fn analyse(
    recipe: &Recipe<'_>,
    all: &mut [Candidate],
    until: Until,
    session: &mut Session,
) -> Result<(), Failure> {
    if nvcc().is_err() {
        session.say("note: without nvcc nothing is known of registers and spills before a run");
        return Ok(());
    }
    let made = all.iter().filter(|c| c.made.is_some()).count();
    session.during_parts("compiling", made, |say| compile(recipe, all, until, say))?;
    prune(all);
    Ok(())
}

/// Compiles the kernels of each candidate, several at once, and notes what they take.
fn compile(
    recipe: &Recipe<'_>,
    all: &mut [Candidate],
    until: Until,
    say: &mut dyn FnMut(&str),
) -> Result<(), Failure> {
    let capability = devices().ok().and_then(|d| d.first()?.capability);
    let room = capability.map_or(Room::of((9, 0)), Room::of);
    let options = build_options(Target::Cuda, recipe.options);
    let mut launching: Vec<(&mut Candidate, Vec<LaunchShape>)> = Vec::new();
    let mut projects: Vec<Project> = Vec::new();
    for candidate in all.iter_mut() {
        let Some(made) = &candidate.made else {
            continue;
        };
        let shapes = launch_shapes(&made.first().scheme);
        match shapes.is_empty() {
            true => say("compiling"),
            false => {
                projects.push(match (&candidate.project, recipe.target) {
                    (Some(project), Target::Cuda) => project.clone(),
                    _ => made.emit(emit::Target::Cuda, recipe.options)?.project,
                });
                launching.push((candidate, shapes));
            }
        }
    }
    let one = |project: &Project| {
        if until.is_over() {
            return Ok(None);
        }
        let compiled = cubin(project, &options)?;
        let counted = inner_loop(&compiled).ok().flatten();
        Ok::<_, ToolError>(Some((compiled.kernels, counted)))
    };
    let compiled = abreast(&projects, one, || say("compiling"));
    for ((candidate, shapes), compiled) in launching.into_iter().zip(compiled) {
        // Without that, nothing is dropped before it runs.
        let Some((kernels, counted)) = compiled? else {
            continue;
        };
        let mut takes = takes(&shapes, &kernels, room.as_ref());
        takes.inner_loop = counted.map(|l| l.instructions);
        candidate.takes = Some(takes);
    }
    Ok(())
}

/// What the launches of a program take.
fn takes(shapes: &[LaunchShape], kernels: &[KernelResources], room: Option<&Room>) -> Takes {
    let mut takes = Takes::default();
    let mut occupancy: Option<f64> = Some(1.0);
    for shape in shapes {
        let Some(kernel) = kernels.iter().find(|k| k.is(&shape.kernel)) else {
            occupancy = None;
            continue;
        };
        takes.registers = takes.registers.max(kernel.registers);
        takes.spills += kernel.spills;
        let shared = shape.shared.map(|s| s.max(kernel.shared));
        takes.shared = takes.shared.max(shared.unwrap_or(kernel.shared));
        takes.threads = takes.threads.max(shape.threads.unwrap_or(0));
        let (Some(room), Some(threads), Some(shared)) = (room, shape.threads, shared) else {
            occupancy = None;
            continue;
        };
        let of_this = room.occupancy(kernel.registers, threads, shared);
        if of_this == 0.0 {
            takes.unlaunched.get_or_insert(format!(
                "no block fits: {threads} threads, {} registers each, {shared} bytes shared",
                kernel.registers
            ));
        }
        occupancy = occupancy.map(|o| o.min(of_this));
    }
    takes.occupancy = occupancy;
    takes
}

/// Drops what spills where something does not, what cannot be launched, and what leaves much more
/// of the device empty than another program that takes no less of anything.
fn prune(all: &mut [Candidate]) {
    let known = |all: &[Candidate]| -> Vec<Takes> {
        let left = all.iter().filter(|c| c.dropped.is_none());
        left.filter_map(|c| c.takes.clone()).collect()
    };
    for candidate in all.iter_mut().filter(|c| c.dropped.is_none()) {
        candidate.dropped = candidate.takes.as_ref().and_then(|t| t.unlaunched.clone());
    }
    if known(all).iter().any(|t| t.spills == 0) {
        for candidate in all.iter_mut().filter(|c| c.dropped.is_none()) {
            let spills = candidate.takes.as_ref().map_or(0, |t| t.spills);
            candidate.dropped = (spills > 0).then(|| format!("spills {spills} bytes a thread"));
        }
    }
    let others = known(all);
    let dominated = |takes: &Takes| -> Option<String> {
        let own = takes.occupancy?;
        let better = others.iter().filter(|o| {
            let as_much = o.registers >= takes.registers && o.shared >= takes.shared;
            as_much && o.occupancy.is_some_and(|best| own <= FAR_BELOW * best)
        });
        let best = better.filter_map(|o| o.occupancy).reduce(f64::max)?;
        Some(format!(
            "occupancy {:.0} %, where another takes as much and has {:.0} %",
            100.0 * own,
            100.0 * best
        ))
    };
    for candidate in all.iter_mut().filter(|c| c.dropped.is_none()) {
        // What tuning is compared with is measured in any case.
        if !candidate.default {
            candidate.dropped = candidate.takes.as_ref().and_then(dominated);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::FloatClass;

    fn kernel(registers: u64, shared: u64, spills: u64) -> KernelResources {
        KernelResources {
            symbol: "_Z6kernelv".replace("6kernel", "6kernelE"),
            registers,
            shared,
            spills,
        }
    }

    fn shape(threads: Option<u64>) -> LaunchShape {
        LaunchShape {
            kernel: "kernel".into(),
            threads,
            shared: Some(0),
        }
    }

    fn candidate(threads: u64, registers: u64, spills: u64, default: bool) -> Candidate {
        let room = Room::of((9, 0));
        let kernels = [kernel(registers, 0, spills)];
        Candidate {
            with: Vec::new(),
            default,
            float: FloatClass::Exact,
            takes: Some(takes(&[shape(Some(threads))], &kernels, room.as_ref())),
            dropped: None,
            refused: false,
            program: String::new(),
            made: None,
            project: None,
            unmeasured: Vec::new(),
        }
    }

    #[test]
    fn what_cannot_win_is_dropped_with_the_reason() {
        let mut all = [
            candidate(256, 32, 0, true),
            candidate(1024, 96, 0, false),
            candidate(256, 255, 64, false),
            // A block of one warp fills an eighth of what registers would allow.
            candidate(8, 32, 0, false),
            // Fewer threads, but more registers: that may pay.
            candidate(256, 224, 0, false),
        ];
        prune(&mut all);
        let why: Vec<&str> = all
            .iter()
            .map(|c| c.dropped.as_deref().unwrap_or(""))
            .collect();
        assert_eq!(why[0], "");
        assert!(
            why[1].starts_with("no block fits: 1024 threads, 96 registers"),
            "{why:?}"
        );
        assert_eq!(why[2], "spills 64 bytes a thread");
        assert_eq!(
            (why[3], why[4]),
            ("", ""),
            "half of the warps, and more registers"
        );
    }

    #[test]
    fn occupancy_far_below_is_dropped_where_nothing_is_had_for_it() {
        let mut low = candidate(256, 32, 0, false);
        let takes = low.takes.as_mut().unwrap();
        takes.occupancy = Some(0.25);
        let mut all = [candidate(256, 32, 0, true), low];
        prune(&mut all);
        assert!(
            all[1]
                .dropped
                .as_ref()
                .is_some_and(|why| why.starts_with("occupancy 25 %"))
        );
        let mut default = candidate(256, 32, 0, true);
        default.takes.as_mut().unwrap().occupancy = Some(0.25);
        let mut all = [default, candidate(256, 32, 0, false)];
        prune(&mut all);
        assert_eq!(
            all[0].dropped, None,
            "the defaults are measured in any case"
        );
    }

    #[test]
    fn what_is_not_known_drops_nothing() {
        let kernels = [kernel(64, 0, 0)];
        let room = Room::of((9, 0));
        let unknown = takes(&[shape(None)], &kernels, room.as_ref());
        assert_eq!(
            (unknown.occupancy, unknown.unlaunched.clone()),
            (None, None)
        );
        assert_eq!(
            takes(&[shape(Some(32))], &[], room.as_ref()).occupancy,
            None
        );
        assert_eq!(takes(&[shape(Some(32))], &kernels, None).occupancy, None);
    }
}
