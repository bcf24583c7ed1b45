//! Programs of target `cuda` that tell what the device's time goes into.

use crate::run::Job;
use glushkov::emit::support::Runner;
use serde_json::Value as Json;

/// Says where the program does not tell each kernel and copy as often as it was started: what is recorded
/// otherwise, too.
pub fn told(job: &Job) -> Vec<String> {
    if job.runner != Runner::Cuda {
        return Vec::new();
    }
    let output = tempfile::tempdir().unwrap();
    let mut command = job.command();
    command.arg("--out").arg(output.path().join("out"));
    let done = command.args(["--set", "STEPS=20"]).output().unwrap();
    let line = String::from_utf8_lossy(&done.stdout);
    let Ok(json) = serde_json::from_str::<Json>(&line) else {
        return vec![format!("stages: no JSON: {line}")];
    };
    let none = Vec::new();
    let stages = json["stages"].as_array().unwrap_or(&none);
    let times = |name: &str| {
        let of_name = stages.iter().filter(|s| s["name"] == name);
        of_name.map(|s| s["times"].as_i64().unwrap()).sum::<i64>()
    };
    let copies = times("copy c from the device") == 21 && times("copy c to the device") == 21;
    let kernels = stages
        .iter()
        .filter(|s| !s["name"].as_str().unwrap().starts_with("copy"));
    let mut counts: Vec<i64> = kernels.map(|s| s["times"].as_i64().unwrap()).collect();
    counts.sort();
    let seconds = stages.iter().all(|s| s["seconds"].as_f64().is_some());
    match copies && counts == [1, 1, 20, 20, 60] && seconds {
        true => Vec::new(),
        false => vec![format!("stages: {stages:?}")],
    }
}
