//! What is found on this machine: `glushkov doctor`.

use super::{ToolError, cache, cargo, cxx, devices, expect_openmp, nvcc, rustc};

/// One thing that was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was looked for.
    pub name: &'static str,
    /// Whether it is there and works.
    pub found: bool,
    /// Its version and place; empty where it is not found.
    pub what: String,
    /// Why it is not found, with what to do about it; empty where it is found.
    pub why: String,
}

/// Looks for everything that building and running may need: a few seconds, most of them for a trial
/// of nvcc.
pub fn doctor() -> Vec<Finding> {
    let tool = |tool: super::Tool| format!("{} ({})", tool.version(), tool.path.display());
    let nvcc = nvcc().and_then(|nvcc| {
        nvcc.trial()?;
        Ok(format!("{} ({})", nvcc.release(), nvcc.tool.path.display()))
    });
    let devices = devices().map(|devices| {
        let names: Vec<String> = devices
            .into_iter()
            .map(|device| match device.arch() {
                Some(arch) => format!("{} ({arch})", device.name),
                None => device.name,
            })
            .collect();
        names.join(", ")
    });
    vec![
        finding("cargo", cargo().map(tool).map_err(told)),
        finding("rustc", rustc().map(tool).map_err(told)),
        finding("C++ compiler", cxx().map(tool).map_err(told)),
        finding("OpenMP", expect_openmp().map(str::to_owned).map_err(told)),
        finding("nvcc", nvcc.map_err(told)),
        finding("NVIDIA device", devices),
        finding(
            "cache of builds",
            cache::folder().map(|f| f.display().to_string()),
        ),
    ]
}

fn told(error: ToolError) -> String {
    match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    }
}

fn finding(name: &'static str, result: Result<String, String>) -> Finding {
    let (found, what, why) = match result {
        Ok(what) => (true, what, String::new()),
        Err(why) => (false, String::new(), why),
    };
    Finding {
        name,
        found,
        what,
        why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finding_says_what_or_why() {
        let findings = doctor();
        assert_eq!(findings.len(), 7);
        for finding in findings {
            assert_eq!(finding.found, finding.why.is_empty(), "{finding:?}");
            assert_eq!(finding.found, !finding.what.is_empty(), "{finding:?}");
            assert!(finding.name != "cargo" || finding.found, "{finding:?}");
        }
    }
}
