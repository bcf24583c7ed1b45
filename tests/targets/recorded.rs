//! What is RECORDED is recorded once and replayed, on target `cuda`.

use crate::run::Job;
use glushkov::emit::support::Runner;

/// Says where the program does not record its two parts once each, and replay one in every step.
pub fn once_and_replayed(job: &Job) -> Vec<String> {
    if job.runner != Runner::Cuda {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for (steps, wanted) in [
        (0, "recorded 1, replayed 1"),
        (5, "recorded 2, replayed 6"),
        (60, "recorded 2, replayed 61"),
    ] {
        let output = tempfile::tempdir().unwrap();
        let mut command = job.command();
        command.arg("--out").arg(output.path().join("out"));
        command.arg("--set").arg(format!("STEPS={steps}"));
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
