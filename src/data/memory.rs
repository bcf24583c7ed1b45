//! How much memory there is.

/// Bytes of memory that can be had without taking it from other programs, within what this process may
/// have. None where the system does not tell.
pub fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = |name: &str| {
        let rest = text.lines().find_map(|l| l.strip_prefix(name))?;
        let kilobytes: u64 = rest.trim().trim_end_matches("kB").trim().parse().ok()?;
        kilobytes.checked_mul(1024)
    };
    let free = line("MemAvailable:").or_else(|| line("MemTotal:"))?;
    let limits = [group(), addresses()];
    Some(limits.into_iter().flatten().fold(free, u64::min))
}

/// What this process may still take of its limit on addresses, where it has one.
fn addresses() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|l| l.strip_prefix("Max address space"))?;
    let most: u64 = line.split_whitespace().next()?.parse().ok()?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let taken = status.lines().find_map(|l| l.strip_prefix("VmSize:"))?;
    let taken: u64 = taken.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(most.saturating_sub(taken.saturating_mul(1024)))
}

/// What the control group of this process may still take, where it has a limit.
fn group() -> Option<u64> {
    let number =
        |path: &str| -> Option<u64> { std::fs::read_to_string(path).ok()?.trim().parse().ok() };
    let rest = |most: &str, taken: &str| Some(number(most)?.saturating_sub(number(taken)?));
    rest("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current").or_else(|| {
        rest(
            "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        )
    })
}
