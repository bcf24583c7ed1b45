//! For tests that need what a machine may not have.

use super::abreast::in_threads;
use super::{Device, Nvcc, devices, expect_openmp, nvcc};
use std::process::Command;

/// nvcc, or none with a line that says the test is skipped. Where the variable `CI` is set a test
/// must not be skipped, and this panics.
pub fn nvcc_or_skip() -> Option<Nvcc> {
    match nvcc() {
        Ok(nvcc) => Some(nvcc),
        Err(why) if in_ci() => panic!("no test may be skipped here, but {why}"),
        Err(_) => {
            println!("skipped: no nvcc");
            None
        }
    }
}

/// The release of OpenMP of the C++ compiler, or none with a line that says the test is skipped. Where the
/// variable `CI` is set, a machine that has a compiler must have OpenMP, too.
pub fn openmp_or_skip() -> Option<&'static str> {
    match expect_openmp() {
        Ok(release) => Some(release),
        Err(why) if in_ci() && super::cxx().is_ok() => {
            panic!("no test may be skipped here, but {why}")
        }
        Err(why) => {
            println!("skipped: {why}");
            None
        }
    }
}

/// The first device, or none with a line that says the test is skipped.
pub fn device_or_skip() -> Option<Device> {
    match devices() {
        Ok(devices) => devices.into_iter().next(),
        Err(why) => {
            println!("skipped: no device ({why})");
            None
        }
    }
}

/// Whether tests that can go on for long do: where the variable `CAMPAIGN` is set. Elsewhere each
/// kind of thing is tried once.
pub fn in_campaign() -> bool {
    is_set("CAMPAIGN")
}

/// Every one in a campaign; elsewhere one of so many, by its number in a list.
pub fn in_share(number: usize, of: usize) -> bool {
    in_campaign() || number.is_multiple_of(of)
}

/// How much compilers optimize programs that are tested: as little as they can outside of campaigns,
/// where building them takes longer than running them.
pub fn level_of_optimization() -> u8 {
    u8::from(in_campaign())
}

/// The command of a tool that builds what it emits, with as little optimization as [`level_of_optimization`]
/// says outside of campaigns.
pub fn building(program: &str) -> Command {
    let mut command = Command::new(program);
    if !in_campaign() {
        command.env(
            "RUSTFLAGS",
            format!("-Copt-level={}", level_of_optimization()),
        );
    }
    command
}

/// Does something with each of some items and its number, two at a time: a long test ends sooner, and leaves room for
/// another one on a machine of few cores. What came of each, in their order.
///
/// # Panics
///
/// Where the work panics.
pub fn two_at_a_time<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    in_threads(2, items, work, || {})
}

fn in_ci() -> bool {
    is_set("CI")
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "false")
}
