//! The library's derived schemes and emitted programs are those kept in `generated/`: in full for four
//! schemes, as digests for the others; and every emitted CUDA program compiles.

use glushkov::algebra::{Language, Precision};
use glushkov::check::{Scheme, author_names, check};
use glushkov::derive::library::SCHEMES;
use glushkov::derive::{Derived, derive, digest, rule_base};
use glushkov::diagnostic::render;
use glushkov::emit::{EmitOptions, Target, emit};
use glushkov::family::by_default;
use glushkov::rewrite::{RuleBase, Setting};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Symbol, Terms};
use glushkov::toolchain::{BuildOptions, Kind, Nvcc, Project, build, cubin, testing};
use std::path::Path;

const STRATEGIES: [&str; 6] = ["parallel", "cpu", "cpu_fast", "gpu", "gpu_fast", "paper"];

/// The schemes of which all that is derived and emitted is kept in full, to be read.
const IN_FULL: [&str; 4] = [
    "nbody/hermite",
    "md/coulomb",
    "stencil/heat",
    "graph/levels",
];

/// The digests of everything that is derived and emitted.
const DIGESTS: &str = "generated/digests.txt";

/// The schemes whose programs by `gpu_fast` and `cpu_fast` are kept.
const FAST: [&str; 6] = [
    "gravity",
    "hermite",
    "leapfrog",
    "coulomb",
    "levels",
    "conjugate_gradients",
];

/// Whether programs of a scheme by a strategy are kept.
fn is_kept(path: &str, strategy: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !strategy.ends_with("_fast") || FAST.contains(&name.trim_end_matches(".saa"))
}

fn load(name: &str, text: &str, sources: &mut Sources) -> Scheme {
    let file = sources.add(name, text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(sources, file, &mut terms);
    assert!(errors.is_empty(), "{name}");
    let root = by_default(&mut terms, items[0]).expect("a member");
    check(&terms, root, Precision::F32).unwrap_or_else(|errors| {
        panic!(
            "{}",
            errors
                .iter()
                .map(|e| render(e, sources, false))
                .collect::<String>()
        )
    })
}

fn derived(scheme: &Scheme, base: &RuleBase, strategy: &str) -> Option<Derived> {
    let derived = derive(scheme, base, strategy, &[], 10_000).expect("the strategy is there");
    derived.failure.is_none().then_some(derived)
}

/// The parts of a project that come from the scheme.
fn own_files(project: &Project) -> Vec<(String, String)> {
    let own = |path: &str| {
        path.ends_with(".cu")
            || path == format!("{}.cpp", project.name)
            // Headers say the same for all targets.
            || path.ends_with(".h") && project.kind == Kind::Cuda
            || matches!(path, "src/lib.rs" | "src/kernels.rs")
    };
    project
        .files
        .iter()
        .filter(|(path, _)| own(path))
        .cloned()
        .collect()
}

/// What is kept of derived schemes and emitted programs.
#[derive(Default)]
struct Golden {
    /// Digest and path, a line each.
    digests: String,
    stale: Vec<String>,
}

impl Golden {
    /// Notes a file of a scheme; with `UPDATE`, it is written if it is kept in full.
    fn add(&mut self, scheme: &str, file: &str, text: &str) {
        let digest = &digest(text)[..16];
        self.digests
            .push_str(&format!("{digest} {scheme}/{file}\n"));
        if IN_FULL.contains(&scheme) {
            let path = Path::new("generated").join(scheme).join(file);
            self.keep(&path, text);
        }
    }

    fn keep(&mut self, path: &Path, text: &str) {
        if std::env::var_os("UPDATE").is_some() {
            std::fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder");
            std::fs::write(path, text).expect("a writable file");
        }
        if std::fs::read_to_string(path).unwrap_or_default() != text {
            self.stale.push(path.display().to_string());
        }
    }

    /// What differs from what is kept.
    fn stale(mut self) -> Vec<String> {
        let digests = std::mem::take(&mut self.digests);
        self.keep(Path::new(DIGESTS), &digests);
        let kept = std::fs::read_to_string(DIGESTS).unwrap_or_default();
        let new: Vec<&str> = digests.lines().filter(|l| !kept.contains(*l)).collect();
        self.stale.extend(new.iter().map(|l| (*l).to_owned()));
        self.stale
    }
}

#[test]
fn generated_programs_are_fresh() {
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    let mut golden = Golden::default();
    for (name, text) in SCHEMES {
        let scheme = load(name, text, &mut sources);
        let place = name.trim_start_matches("schemes/").trim_end_matches(".saa");
        for strategy in STRATEGIES.into_iter().filter(|s| is_kept(name, s)) {
            let Some(derived) = derived(&scheme, &base, strategy) else {
                continue;
            };
            let mut terms = derived.scheme.terms.clone();
            let root = author_names(&mut terms, derived.scheme.root);
            let style = Style {
                notation: Notation::Text,
                language: Language::English,
                comments: true,
            };
            let text = print(&terms, root, style);
            golden.add(place, &format!("{strategy}.saa"), &text);
            let targets: &[(Target, &str)] = match strategy {
                "parallel" | "cpu_fast" => &[(Target::Rust, strategy)],
                "cpu" => &[(Target::Rust, "cpu"), (Target::Cpp, "cpu")],
                "gpu" => &[(Target::Cuda, "gpu"), (Target::RustCuda, "gpu/rust-cuda")],
                _ => &[(Target::Cuda, strategy)],
            };
            for &(target, folder) in targets {
                let project = emit(&derived.scheme, target, &EmitOptions::default())
                    .expect("it can be emitted");
                for (path, text) in own_files(&project) {
                    let file = path.rsplit('/').next().unwrap_or(&path);
                    golden.add(place, &format!("{folder}/{file}"), &text);
                }
            }
        }
    }
    let stale = golden.stale();
    assert!(
        stale.is_empty(),
        "out of date (UPDATE=1 cargo test --test golden): {stale:#?}"
    );
}

#[test]
fn emitted_cuda_compiles() {
    let Some(nvcc) = testing::nvcc_or_skip() else {
        return;
    };
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    let mut projects = Vec::new();
    for (_, (name, text)) in SCHEMES
        .iter()
        .enumerate()
        .filter(|(k, _)| testing::in_share(*k, 2))
    {
        let scheme = load(name, text, &mut sources);
        let full = IN_FULL.iter().any(|place| name.contains(place));
        let strategies: &[&str] = match testing::in_campaign() {
            true if full => &["gpu", "gpu_fast", "paper"],
            true => &["gpu", "gpu_fast"],
            false => &["gpu_fast"],
        };
        for strategy in strategies.iter().filter(|s| is_kept(name, s)) {
            let Some(derived) = derived(&scheme, &base, strategy) else {
                continue;
            };
            let emitted = [Target::Cuda, Target::RustCuda].map(|target| {
                emit(&derived.scheme, target, &EmitOptions::default()).expect("it can be emitted")
            });
            projects.push((format!("{name}, {strategy}"), emitted));
        }
    }
    testing::two_at_a_time(&projects, |_, (name, [cuda, rust_cuda])| {
        compiles(name, cuda);
        kernels_compile(name, rust_cuda, &nvcc);
    });
}

/// A CUDA program builds.
fn compiles(name: &str, project: &Project) {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let options = BuildOptions {
        arch: Some("sm_90".into()),
        cache: Some(cache.path().to_path_buf()),
        ..BuildOptions::default()
    };
    if let Err(error) = build(project, &options, &mut |_| {}) {
        panic!("{name}: {error}");
    }
}

/// The kernels of target rust-cuda, if there are any, compile by themselves.
fn kernels_compile(name: &str, project: &Project, nvcc: &Nvcc) {
    let Some((_, text)) = project.files.iter().find(|(n, _)| n == "src/kernels.cu") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("kernels.cu"), text).expect("a writable file");
    let mut command = nvcc.command();
    command.args(["-std=c++17", "-arch=sm_90", "--ptx", "-o", "kernels.ptx"]);
    command.arg("kernels.cu").current_dir(folder.path());
    let done = command.output().expect("nvcc starts");
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{name}: {told}");
}

/// One word, stored and loaded: ptxas keeps it in memory where that makes room for another block.
const FEW_BYTES: u64 = 8;

/// What ptxas says of the kernels of a scheme's program by `gpu_fast`: a line for each.
fn resources(path: &str, text: &str) -> String {
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    let options = BuildOptions {
        arch: Some("sm_90".into()),
        ..BuildOptions::default()
    };
    let scheme = load(path, text, &mut sources);
    let derived = derived(&scheme, &base, "gpu_fast").expect("it is derived");
    let project =
        emit(&derived.scheme, Target::Cuda, &EmitOptions::default()).expect("it can be emitted");
    let made = cubin(&project, &options).expect("it compiles");
    let programs = project.files.iter().filter(|(p, _)| p.ends_with(".cu"));
    let heads = programs.flat_map(|(_, text)| text.split("__global__ void ").skip(1));
    let names: Vec<&str> = heads
        .map(|h| match h.strip_prefix("__launch_bounds__(") {
            Some(bounds) => bounds.split_once(") ").map_or(h, |(_, head)| head),
            None => h,
        })
        .filter_map(|h| Some(h.split_once('(')?.0))
        .collect();
    assert_eq!(names.len(), made.kernels.len(), "{path}");
    let line = |name: &&str| {
        let kernel = made.kernels.iter().find(|k| k.is(name)).expect("a kernel");
        let spills = match kernel.spills {
            0 => String::new(),
            bytes => format!(", spilled bytes {bytes}"),
        };
        assert!(
            kernel.spills <= FEW_BYTES || !is_kept(path, "gpu_fast"),
            "{path}: {name}"
        );
        let (registers, shared) = (kernel.registers, kernel.shared);
        format!("{path}: {name}: registers {registers}, shared bytes {shared}{spills}\n")
    };
    names.iter().map(line).collect()
}

/// A rule that costs registers shows here, for every scheme of the library; no kernel of pairs may
/// keep more than one register in memory.
#[test]
fn fast_kernels_keep_to_their_registers() {
    if testing::nvcc_or_skip().is_none() {
        return;
    }
    let mut schemes = SCHEMES.to_vec();
    schemes.sort_unstable();
    let told = testing::two_at_a_time(&schemes, |_, (path, text)| resources(path, text)).concat();
    assert!(told.lines().count() >= 2 * FAST.len(), "{told}");
    insta::assert_snapshot!(told);
}

/// Records of four numbers are read by one instruction of 128 bits, or two where they have 64 bits: those of vectors and
/// REALs from memory, and those of vectors and INTEGERs from memory that a block shares.
#[test]
fn records_are_read_at_once() {
    let Some(nvcc) = testing::nvcc_or_skip() else {
        return;
    };
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    for (name, strategy, space) in [
        ("gravity", "gpu_fast", "ld.global"),
        ("coulomb.saa", "published", "ld.shared"),
    ] {
        let (path, text) = SCHEMES
            .iter()
            .find(|(p, _)| p.contains(name))
            .expect("it is there");
        let scheme = load(path, text, &mut sources);
        for records in [1, 0] {
            let settings = [Setting {
                owner: None,
                name: Symbol::new("records"),
                value: records,
            }];
            let derived = derive(&scheme, &base, strategy, &settings, 10_000).expect("derived");
            let project = emit(&derived.scheme, Target::RustCuda, &EmitOptions::default())
                .expect("it can be emitted");
            let (_, text) = project
                .files
                .iter()
                .find(|(n, _)| n == "src/kernels.cu")
                .expect("kernels");
            let folder = tempfile::tempdir().expect("a temporary folder");
            std::fs::write(folder.path().join("kernels.cu"), text).expect("a writable file");
            let mut command = nvcc.command();
            command.args(["-std=c++17", "-arch=sm_90", "--ptx", "-o", "kernels.ptx"]);
            command.arg("kernels.cu").current_dir(folder.path());
            assert!(command.status().expect("nvcc starts").success());
            let ptx = std::fs::read_to_string(folder.path().join("kernels.ptx")).expect("a text");
            let wide = ptx
                .lines()
                .filter(|l| l.contains(space) && l.contains(".v4."));
            assert_eq!(wide.count() > 0, records == 1, "{name}, records={records}");
        }
    }
}

#[test]
fn the_published_route_has_its_shape() {
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    for (name, text) in SCHEMES.iter().filter(|(n, _)| n.contains("hermite")) {
        let scheme = load(name, text, &mut sources);
        let derived = derived(&scheme, &base, "paper").expect("the published route can be taken");
        let terms = &derived.scheme.terms;
        let count = |functor: &str| {
            terms
                .subterms(derived.scheme.root)
                .filter(|&t| terms.functor(t).is_some_and(|f| f.as_str() == functor))
                .count()
        };
        assert_eq!((count("CALL_GPU"), count("Wait")), (4, 4), "{name}");
        assert_eq!((count("Allocate"), count("Free")), (9, 9), "{name}");
        assert_eq!(
            (count("CopyToDevice"), count("CopyFromDevice")),
            (3, 6),
            "{name}"
        );
        let applied = |rule: &str| {
            derived
                .derivation
                .steps
                .iter()
                .filter(|s| s.rule == rule)
                .count()
        };
        assert_eq!(
            (
                applied("strip_mine"),
                applied("interchange"),
                applied("kernel")
            ),
            (2, 2, 4),
            "{name}"
        );
    }
}
