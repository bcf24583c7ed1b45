//! Whether the C++ compiler builds programs of C++20 with OpenMP: a trial.

use super::environment::{For, Surroundings};
use super::making::CPP;
use super::process::run;
use super::scratch::Scratch;
use super::{ToolError, cxx};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// What a smallest program is: it prints the date of OpenMP's release.
const PROGRAM: &str = "#include <concepts>\n#include <cstdio>\n#include <omp.h>\n\
    int main() { return std::printf(\"%d\\n\", _OPENMP * (omp_get_max_threads() > 0)) < 0; }\n";

/// Which OpenMP the C++ compiler has, by the year and month of its release. Tried once a process.
///
/// # Errors
///
/// Where there is no C++ compiler, or it does not build a smallest program in C++20 with OpenMP.
pub fn expect_openmp() -> Result<&'static str, ToolError> {
    static FOUND: OnceLock<Result<String, ToolError>> = OnceLock::new();
    match FOUND.get_or_init(trial) {
        Ok(release) => Ok(release),
        Err(why) => Err(why.clone()),
    }
}

fn trial() -> Result<String, ToolError> {
    let cxx = cxx()?;
    let shown = cxx.path.display().to_string();
    let failed = |why: String| ToolError::Failed {
        tool: format!("the C++ compiler ({shown})"),
        why,
    };
    let missing = |why: String| ToolError::Missing {
        tool: "C++20 with OpenMP",
        why: format!("{shown} does not build a smallest program: {why}"),
        hint: "install OpenMP for it (such as libgomp for g++, or libomp for clang++), or name \
               another compiler in the variable CXX or GLUSHKOV_CXX; target `rust` needs none"
            .into(),
    };
    let folder = Scratch::new().map_err(|e| failed(e.to_string()))?;
    let source = folder.path().join("trial.cpp");
    std::fs::write(&source, PROGRAM).map_err(|e| ToolError::io(&source, e))?;
    let limit = Some(Duration::from_secs(120));
    let mut command = Surroundings::of(For::Cuda).command(&cxx.path);
    command.args(CPP).args(["-o", "trial", "trial.cpp"]);
    command.current_dir(folder.path());
    command.env("TMPDIR", folder.path());
    let done = run(&mut command, limit, &mut |_| {}).map_err(failed)?;
    if !done.status.success() {
        let said = format!("{}{}", done.stderr, done.stdout);
        let first = said.lines().find(|line| line.contains("error"));
        return Err(missing(first.unwrap_or(said.trim()).to_owned()));
    }
    let mut command = Command::new(folder.path().join("trial"));
    let done = run(&mut command, limit, &mut |_| {}).map_err(missing)?;
    match done.stdout.trim().parse::<u32>() {
        Ok(release) if done.status.success() && release > 0 => Ok(release.to_string()),
        _ => Err(missing(format!(
            "it ends with {}: {}",
            done.status,
            done.stderr.trim()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use crate::toolchain::testing::openmp_or_skip;

    #[test]
    fn its_release_is_told() {
        if let Some(release) = openmp_or_skip() {
            assert!(release.starts_with("20"), "{release}");
        }
    }
}
