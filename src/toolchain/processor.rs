//! What this machine computes with.

/// The name of this machine's processor; empty where it is not known.
pub fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find(|line| line.starts_with("model name"));
    let name = model.and_then(|line| line.split_once(':'));
    name.map_or("", |(_, name)| name.trim()).to_string()
}

/// This machine's processor with the instructions it has, as a key holds it.
pub(super) fn instructions() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = text
        .lines()
        .find(|line| line.starts_with("flags") || line.starts_with("Features"));
    let (arch, flags) = (std::env::consts::ARCH, flags.unwrap_or_default());
    format!("{arch} {} {flags}", processor())
}
