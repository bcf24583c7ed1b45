//! Whether there is an NVIDIA device, and which.

use super::ToolError;
use super::environment::{For, Surroundings};
use super::find::{environment, on_path};
use super::process::run;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// An NVIDIA device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its name, as its driver gives it.
    pub name: String,
    /// Its compute capability, such as (9, 0), where the driver tells it.
    pub capability: Option<(u32, u32)>,
}

impl Device {
    /// What nvcc's `-arch` calls it: `sm_90`; none where the capability is not known.
    pub fn arch(&self) -> Option<String> {
        self.capability
            .map(|(major, minor)| format!("sm_{major}{minor}"))
    }
}

/// The devices, in the driver's order. Asked once a process.
///
/// # Errors
///
/// Says why there is none.
pub fn devices() -> Result<Vec<Device>, String> {
    static FOUND: OnceLock<Result<Vec<Device>, String>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            probe().and_then(|devices| match devices.is_empty() {
                true => Err("the driver knows no device".into()),
                false => Ok(devices),
            })
        })
        .clone()
}

/// Expects a device for a target.
///
/// # Errors
///
/// Where there is none.
pub fn expect_device(target: &str) -> Result<(), ToolError> {
    devices().map(drop).map_err(|why| ToolError::Missing {
        tool: "an NVIDIA device",
        why,
        hint: format!(
            "target `{target}` runs on one; target `rust` needs none, and `glushkov emit` writes \
             the project here, too"
        ),
    })
}

fn probe() -> Result<Vec<Device>, String> {
    let Some(path) = on_path("nvidia-smi", &environment) else {
        let folder = Path::new("/proc/driver/nvidia/gpus");
        return match folder.is_dir() {
            true => Ok(from_proc(folder)),
            false => Err("there is neither nvidia-smi nor a driver of NVIDIA".into()),
        };
    };
    let mut command = Surroundings::of(For::Cuda).command(&path);
    command.args(["--query-gpu=name,compute_cap", "--format=csv,noheader"]);
    let done = run(&mut command, Some(Duration::from_secs(20)), &mut |_| {})
        .map_err(|why| format!("nvidia-smi: {why}"))?;
    if !done.status.success() {
        let said = format!("{}{}", done.stdout, done.stderr);
        let said = said.lines().find(|l| !l.trim().is_empty()).unwrap_or("");
        return Err(format!("nvidia-smi: {}", said.trim()));
    }
    Ok(parse(&done.stdout))
}

/// Lines such as `NVIDIA H200, 9.0`.
fn parse(text: &str) -> Vec<Device> {
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    lines
        .map(|line| {
            let (name, capability) = line.rsplit_once(',').unwrap_or((line, ""));
            Device {
                name: name.trim().into(),
                capability: capability
                    .trim()
                    .split_once('.')
                    .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?))),
            }
        })
        .collect()
}

/// The names in `/proc/driver/nvidia/gpus/*/information`.
fn from_proc(folder: &Path) -> Vec<Device> {
    let mut entries: Vec<_> = folder
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("information"))
        .collect();
    entries.sort();
    entries
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .map(|text| Device {
            name: text
                .lines()
                .find_map(|line| line.strip_prefix("Model:"))
                .unwrap_or("an NVIDIA device")
                .trim()
                .into(),
            capability: None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_the_driver_are_read() {
        let devices = parse("NVIDIA H200, 9.0\nNVIDIA RTX PRO, Max-Q, 12.0\nOld, [N/A]\n");
        assert_eq!(devices[0].arch().as_deref(), Some("sm_90"));
        assert_eq!(devices[1].name, "NVIDIA RTX PRO, Max-Q");
        assert_eq!(devices[1].arch().as_deref(), Some("sm_120"));
        assert_eq!((devices[2].name.as_str(), devices[2].arch()), ("Old", None));
    }

    #[test]
    fn there_is_a_device_or_a_reason() {
        match devices() {
            Ok(devices) => assert!(!devices.is_empty()),
            Err(why) => {
                assert!(!why.is_empty());
                let error = expect_device("rust-cuda").unwrap_err();
                assert_eq!(error.exit_code(), 2);
                assert!(error.to_string().contains(&why), "{error}");
                assert!(
                    error
                        .hint()
                        .is_some_and(|hint| hint.contains("`rust-cuda`"))
                );
            }
        }
    }
}
