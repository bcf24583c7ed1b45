//! What is RECORDED is recorded once, where it comes so often that it pays, and replayed, on target `cuda`;
//! a loop is replayed as a whole when it has been met for a while.

use crate::run::Job;
use glushkov::emit::support::Runner;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How many steps are asked for, of which driver, and what the program says that it has done.
type Case = (u32, Driver, &'static str);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Driver {
    New,
    /// Blocks cannot wait for each other.
    Apart,
    /// Nor are there loops on the device.
    Old,
}

/// Says where the program does not record the part of five launches that it meets in every step in the tenth one, if 24
/// are to come, and replay it from then on; another part is met once, and is not recorded.
pub fn once_and_replayed(job: &Job) -> Vec<String> {
    counted(
        job,
        &[
            (0, Driver::New, "recorded 0, replayed 0, together 0"),
            (32, Driver::New, "recorded 0, replayed 0, together 0"),
            (33, Driver::New, "recorded 1, replayed 24, together 0"),
            (60, Driver::New, "recorded 1, replayed 51, together 0"),
        ],
    )
}

/// Says where the program does not take all rounds of a loop of 60 in one launch; and, where that has blocks for many turns
/// or blocks cannot wait for each other, does not record such a loop after 15 rounds: the one of 3 is met in each step.
pub fn loops(job: &Job) -> Vec<String> {
    counted(
        job,
        &[
            (0, Driver::New, "recorded 0, replayed 0, together 1"),
            (40, Driver::New, "recorded 1, replayed 35, together 1"),
            (0, Driver::Apart, "recorded 1, replayed 1, together 0"),
            (5, Driver::Apart, "recorded 1, replayed 1, together 0"),
            (6, Driver::Apart, "recorded 2, replayed 2, together 0"),
            (40, Driver::Apart, "recorded 2, replayed 36, together 0"),
            (40, Driver::Old, "recorded 0, replayed 0, together 0"),
        ],
    )
}

/// Says where the rounds of a loop in one launch do not end by an error that is met before them, in one of them, or in what
/// the loop asks; a loop that does not heed it goes on for ever.
pub fn end_by_errors(job: &Job) -> Vec<String> {
    if job.runner != Runner::Cuda {
        return Vec::new();
    }
    let cases = [(1, "FILTER"), (2, "FILTER"), (3, "out of range")];
    let wrong = cases.into_iter().filter_map(|(fail, why)| {
        let output = tempfile::tempdir().unwrap();
        let mut command = job.command();
        command.arg("--out").arg(output.path().join("out"));
        command.arg("--set").arg(format!("FAIL={fail}"));
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let started = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if started.elapsed() > Duration::from_secs(60) {
                child.kill().unwrap();
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let done = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        let ended = done.status.code() == Some(1) && said.contains(why);
        (!ended).then(|| format!("rounds, FAIL={fail}: {:?}: {said}", done.status))
    });
    wrong.collect()
}

fn counted(job: &Job, cases: &[Case]) -> Vec<String> {
    if job.runner != Runner::Cuda {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for &(steps, driver, wanted) in cases {
        let output = tempfile::tempdir().unwrap();
        let mut command = job.command();
        command.arg("--out").arg(output.path().join("out"));
        command.arg("--set").arg(format!("STEPS={steps}"));
        if driver != Driver::New {
            command.env("GLUSHKOV_TEST_OLD_DEVICE", "1");
        }
        if driver == Driver::Old {
            command.env("GLUSHKOV_TEST_OLD_DRIVER", "1");
        }
        let done = command.env("GLUSHKOV_TEST_COUNT", "1").output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        if !done.status.success() || said.trim() != wanted {
            wrong.push(format!(
                "recorded, {steps} steps: wanted `{wanted}`: {said}"
            ));
        }
    }
    wrong
}
