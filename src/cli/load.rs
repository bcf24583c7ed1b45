//! Files → checked schemes: paths, standard input, embedded schemes, USE.

use super::common::Common;
use super::output::{Output, Stop};
use crate::algebra::{Construct, Precision};
use crate::check::{Scheme, check, did_you_mean, unfounded};
use crate::derive::library::SCHEMES;
use crate::derive::{Role, SourceText};
use crate::diagnostic::Diagnostic;
use crate::flowgraph;
use crate::syntax::text::{read_expression, read_file};
use crate::term::{Id, MOST_BYTES, Source, Terms};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A scheme as it was read.
pub struct Loaded {
    /// Its arena.
    pub terms: Terms,
    /// The `Scheme` term, with what its USE lines bring.
    pub root: Id,
    /// The `Graph` term that the scheme was made of, if it was read from one.
    pub graph: Option<Id>,
}

/// Reads a text: `-` is standard input; where there is no such file, an embedded scheme of that name.
pub fn read_text(path: &str, output: &mut Output) -> Result<u32, Stop> {
    if path == "-" {
        let text = text_of("standard input", std::io::stdin().lock())?;
        return Ok(output.sources.add("<stdin>", text));
    }
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => Err(Diagnostic::error(
            "E0002",
            format!("{path} is a folder, not a file"),
        )
        .hint("name a file, such as schemes/nbody/hermite.saa")
        .into()),
        Ok(_) => {
            let text = text_of_file(Path::new(path))?;
            Ok(output.sources.add(path, text))
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => match embedded(path) {
            Some((name, text)) => Ok(output.sources.add(name, text)),
            None => {
                let names = SCHEMES
                    .iter()
                    .filter_map(|(p, _)| Path::new(p).file_stem()?.to_str());
                let hint = match did_you_mean(path, names.clone()) {
                    Some(near) => format!("did you mean the embedded scheme `{near}`?"),
                    None => format!(
                        "embedded schemes are {}",
                        names.collect::<Vec<_>>().join(", ")
                    ),
                };
                Err(
                    Diagnostic::error("E0002", format!("there is no file {path}"))
                        .hint(hint)
                        .into(),
                )
            }
        },
        Err(e) => Err(Diagnostic::error("E0002", format!("{path} cannot be read: {e}")).into()),
    }
}

/// The embedded scheme with a name: `hermite`, `nbody/hermite` or its path in the library.
fn embedded(name: &str) -> Option<(&'static str, &'static str)> {
    let wanted = name.trim_end_matches(".saa").trim_start_matches("schemes/");
    SCHEMES.iter().copied().find(|(path, _)| {
        let path = path.trim_end_matches(".saa").trim_start_matches("schemes/");
        path == wanted || path.rsplit('/').next() == Some(wanted)
    })
}

/// The text of a file, which may be a device or a pipe.
fn text_of_file(path: &Path) -> Result<String, Stop> {
    let name = path.display().to_string();
    let file = std::fs::File::open(path)
        .map_err(|e| Diagnostic::error("E0002", format!("{name} cannot be read: {e}")))?;
    text_of(&name, file)
}

/// A text that is read to its end, unless that is too far.
fn text_of(name: &str, from: impl Read) -> Result<String, Stop> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| Diagnostic::error("E0002", format!("{name} cannot be read: {e}")))?;
    if bytes.len() > MOST_BYTES {
        let message = format!("{name} has more than {MOST_BYTES} bytes");
        return Err(Diagnostic::error("E0007", message)
            .hint("take it apart into several files")
            .into());
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let message = format!("{name} is not UTF-8 text: byte {at} belongs to no character");
        Diagnostic::error("E0003", message)
            .hint("save it as UTF-8")
            .into()
    })
}

/// Reads a file and picks a scheme.
pub fn load(path: &str, pick: Option<&str>, output: &mut Output) -> Result<Loaded, Stop> {
    let (loaded, errors) = load_with_errors(path, pick, output)?;
    if errors.is_empty() {
        Ok(loaded)
    } else {
        Err(errors.into())
    }
}

/// Reads a file and picks a scheme. With errors, the scheme holds what could be read.
fn load_with_errors(
    path: &str,
    pick: Option<&str>,
    output: &mut Output,
) -> Result<(Loaded, Vec<Diagnostic>), Stop> {
    let file = read_text(path, output)?;
    read_scheme(file, path, pick, &mut Texts::Files(path), output)
}

/// Where the texts that a scheme uses come from.
enum Texts<'a> {
    /// The folder of a file, and the library.
    Files(&'a str),
    /// Texts that were read before, in the order in which they were read.
    Read(&'a mut dyn Iterator<Item = u32>),
}

/// Picks a scheme of a text. With errors, the scheme holds what could be read.
fn read_scheme(
    file: u32,
    path: &str,
    pick: Option<&str>,
    texts: &mut Texts<'_>,
    output: &mut Output,
) -> Result<(Loaded, Vec<Diagnostic>), Stop> {
    let mut terms = Terms::new();
    let (items, mut errors) = read_file(&output.sources, file, &mut terms);
    let is = |id: Id, c: Construct| terms.functor(id) == Some(c.symbol());
    let name = |id: Id| terms.as_text(terms.arg(id, 0)).map_or("", |n| n.as_str());
    let schemes: Vec<Id> = items
        .iter()
        .copied()
        .filter(|&i| is(i, Construct::Scheme) || is(i, Construct::Graph))
        .collect();
    let root = match pick {
        None => schemes.first().copied(),
        Some(wanted) => schemes.iter().copied().find(|&s| name(s) == wanted),
    };
    let Some(root) = root else {
        if !errors.is_empty() {
            return Err(errors.into());
        }
        let names: Vec<String> = schemes
            .iter()
            .map(|&s| format!("\"{}\"", name(s)))
            .collect();
        let hint = format!("the schemes of this file are {}", names.join(", "));
        let message = match pick {
            Some(wanted) => format!("there is no scheme \"{wanted}\" in {path}"),
            None => format!("there is no scheme in {path}"),
        };
        return Err(Diagnostic::error("E0004", message).hint(hint).into());
    };
    let mut uses: Vec<Id> = items
        .iter()
        .copied()
        .filter(|&i| is(i, Construct::Use))
        .collect();
    uses.extend(
        terms
            .args(terms.arg(root, 1))
            .iter()
            .copied()
            .filter(|&i| is(i, Construct::Use)),
    );
    let root = if uses.is_empty() {
        root
    } else {
        with_uses(texts, root, &uses, &mut terms, &mut errors, output)?
    };
    let mut graph = None;
    let root = match flowgraph::has_graphs(&terms, root) {
        false => root,
        true => {
            graph = (terms.functor(root) == Some(Construct::Graph.symbol())).then_some(root);
            match flowgraph::scheme_of(&mut terms, root) {
                Ok(scheme) => scheme,
                // Nothing more can be said of a graph whose edges lead nowhere.
                Err(wrong) => {
                    errors.extend(wrong);
                    return Err(errors.into());
                }
            }
        }
    };
    Ok((Loaded { terms, root, graph }, errors))
}

/// The scheme with the data and definitions of the files that it uses before its own.
fn with_uses(
    texts: &mut Texts<'_>,
    root: Id,
    uses: &[Id],
    terms: &mut Terms,
    errors: &mut Vec<Diagnostic>,
    output: &mut Output,
) -> Result<Id, Stop> {
    let mut data = Vec::new();
    let mut definitions = Vec::new();
    for &one in uses {
        let wanted = terms.as_text(terms.arg(one, 0)).map_or("", |t| t.as_str());
        let file = match texts {
            Texts::Files(path) => used_file(path, wanted, terms.span(one), output)?,
            Texts::Read(files) => files.next().ok_or_else(|| {
                let message = format!("the text of USE \"{wanted}\" is not among those recorded");
                Diagnostic::error("E0333", message)
            })?,
        };
        let (items, wrong) = read_file(&output.sources, file, terms);
        errors.extend(wrong);
        for item in items {
            if terms.functor(item) == Some(Construct::Use.symbol()) {
                return Err(
                    Diagnostic::error("E0005", "a file that is used uses another one")
                        .at(terms.span(item))
                        .hint("name both files in the scheme itself")
                        .into(),
                );
            }
            data.extend_from_slice(terms.args(terms.arg(item, 1)));
            if terms.arity(item) > 3 {
                definitions.extend_from_slice(terms.args(terms.arg(item, 3)));
            }
        }
    }
    let own = terms.args(terms.arg(root, 1)).to_vec();
    data.extend(
        own.into_iter()
            .filter(|&i| terms.functor(i) != Some(Construct::Use.symbol())),
    );
    if terms.arity(root) > 3 {
        definitions.extend_from_slice(terms.args(terms.arg(root, 3)));
    }
    let data = terms.apply(Construct::Data.symbol(), &data);
    let mut parts = vec![terms.arg(root, 0), data, terms.arg(root, 2)];
    if !definitions.is_empty() {
        parts.push(terms.apply(Construct::Where.symbol(), &definitions));
    }
    Ok(terms.with_args(root, &parts))
}

/// A file inside the folder of the one that uses it, or one of the library.
fn used_file(
    path: &str,
    wanted: &str,
    span: Option<crate::term::Span>,
    output: &mut Output,
) -> Result<u32, Stop> {
    let relative = Path::new(wanted);
    let inside = relative.components().all(|c| {
        matches!(
            c,
            std::path::Component::Normal(_) | std::path::Component::CurDir
        )
    });
    if !inside {
        return Err(Diagnostic::error(
            "E0005",
            format!("USE \"{wanted}\" leaves the folder of the scheme"),
        )
        .at(span)
        .hint("a scheme may use files of its own folder and of the library")
        .into());
    }
    let folder: PathBuf = match path {
        "-" => PathBuf::new(),
        path => Path::new(path)
            .parent()
            .map(Path::to_path_buf)
            .unwrap_or_default(),
    };
    let candidate = folder.join(relative);
    // A link could lead out of the folder; where it leads must be inside too.
    let resolved = candidate.canonicalize().ok();
    let within = resolved
        .as_ref()
        .zip(if folder.as_os_str().is_empty() {
            Path::new(".").canonicalize().ok()
        } else {
            folder.canonicalize().ok()
        })
        .is_some_and(|(file, folder)| file.starts_with(folder));
    if candidate.is_file() && within && path != "-" {
        return read_text(&candidate.to_string_lossy(), output);
    }
    match embedded(wanted) {
        Some((name, text)) => Ok(output.sources.add(name, text)),
        None => Err(Diagnostic::error(
            "E0005",
            format!("there is no file \"{wanted}\" beside the scheme or in the library"),
        )
        .at(span)
        .into()),
    }
}

/// Reads and checks a scheme; notes are told.
pub fn load_checked(path: &str, common: &Common, output: &mut Output) -> Result<Scheme, Stop> {
    let (loaded, errors) = load_with_errors(path, common.scheme.as_deref(), output)?;
    let Loaded {
        mut terms, root, ..
    } = loaded;
    if !errors.is_empty() {
        return Err(with_more(errors, &terms, root, common).into());
    }
    let claims: Vec<u32> = common
        .assume
        .iter()
        .map(|claim| output.sources.add("--assume", claim.clone()))
        .collect();
    let root = with_claims(&claims, root, &mut terms, output)?;
    founded(check(&terms, root, common.precision())?)
}

/// A scheme whose claims speak of what it has.
fn founded(scheme: Scheme) -> Result<Scheme, Stop> {
    match unfounded(&scheme) {
        wrong if wrong.is_empty() => Ok(scheme),
        wrong => Err(wrong.into()),
    }
}

/// Reads and checks a scheme that is only looked at: what it leaves undefined is not told. A graph
/// keeps its edges.
pub fn load_to_compare(
    path: &str,
    pick: Option<&str>,
    output: &mut Output,
) -> Result<Scheme, Stop> {
    let Loaded {
        mut terms,
        root,
        graph,
    } = load(path, pick, output)?;
    let root = match graph {
        Some(graph) => flowgraph::to_compare(&mut terms, graph)?,
        None => root,
    };
    founded(check(&terms, root, Precision::F32)?)
}

/// The texts read so far as a record keeps them; the last so many are claims.
pub fn texts_read(claims: usize, output: &Output) -> Vec<SourceText> {
    let texts: Vec<&Source> = (0..).map_while(|i| output.sources.get(i)).collect();
    let role = |i: usize| match i {
        0 => Role::Scheme,
        i if i + claims < texts.len() => Role::Use,
        _ => Role::Claim,
    };
    let text = |(i, source): (usize, &&Source)| SourceText {
        role: role(i),
        name: source.name.clone(),
        text: source.text.clone(),
    };
    texts.iter().enumerate().map(text).collect()
}

/// Reads and checks a scheme whose texts are given, as [`texts_read`] has them. Nothing else is read.
pub fn load_recorded(
    texts: &[SourceText],
    name: &str,
    precision: Precision,
    output: &mut Output,
) -> Result<Scheme, Stop> {
    let mut numbers = Vec::new();
    for text in texts {
        let number = output.sources.add(text.name.clone(), text.text.clone());
        numbers.push((text.role, number));
    }
    let of = |role: Role| -> Vec<u32> {
        let with_role = numbers.iter().filter(|(r, _)| *r == role);
        with_role.map(|&(_, number)| number).collect()
    };
    let (Some(&file), Some(first)) = (of(Role::Scheme).first(), texts.first()) else {
        return Err(Diagnostic::error("E0333", "the text of the scheme is not recorded").into());
    };
    let mut used = of(Role::Use).into_iter();
    let mut from = Texts::Read(&mut used);
    let (loaded, errors) = read_scheme(file, &first.name, Some(name), &mut from, output)?;
    if !errors.is_empty() {
        return Err(errors.into());
    }
    let Loaded {
        mut terms, root, ..
    } = loaded;
    let root = with_claims(&of(Role::Claim), root, &mut terms, output)?;
    founded(check(&terms, root, precision)?)
}

/// The errors of reading, and those that checking finds in what could be read; in order of place.
fn with_more(
    mut errors: Vec<Diagnostic>,
    terms: &Terms,
    root: Id,
    common: &Common,
) -> Vec<Diagnostic> {
    let data = terms.span(terms.arg(root, 1));
    let inside = |d: &Diagnostic| {
        d.span.zip(data).is_some_and(|(s, data)| {
            s.file == data.file && data.from <= s.from && s.from <= data.to
        })
    };
    let data_is_broken = errors.iter().any(inside);
    if let Err(more) = check(terms, root, common.precision()) {
        // What DATA declares is not known then, so nobody can say that a name is not declared.
        errors.extend(
            more.into_iter()
                .filter(|d| !(data_is_broken && d.code == "E0201")),
        );
    }
    errors.sort_by_key(|d| d.span.map(|s| (s.file, s.from)));
    errors
}

/// The scheme with the claims of `--assume` among its own.
fn with_claims(claims: &[u32], root: Id, terms: &mut Terms, output: &Output) -> Result<Id, Stop> {
    if claims.is_empty() {
        return Ok(root);
    }
    let mut parts = terms.args(root).to_vec();
    let mut items = terms.args(parts[1]).to_vec();
    for &file in claims {
        let claim = read_expression(&output.sources, file, terms)?;
        items.push(terms.apply(Construct::Assume.symbol(), &[claim]));
    }
    parts[1] = terms.with_args(parts[1], &items);
    Ok(terms.with_args(root, &parts))
}

/// The most files and folders that are looked at for rules.
const MOST_FILES: usize = 10_000;

/// The texts of rule files and of folders of them. A folder that several links lead to, and one that
/// leads back to itself, is looked at once.
///
/// # Errors
///
/// A file or a folder that cannot be read, and more of them than are rules.
pub fn rule_files(folders: &[PathBuf]) -> Result<Vec<(String, String)>, Stop> {
    let mut files = Vec::new();
    let mut bytes = 0;
    for folder in folders {
        for path in files_below(folder)? {
            let text = text_of_file(&path)?;
            bytes += text.len();
            if bytes > MOST_BYTES {
                let message = format!("the rules have more than {MOST_BYTES} bytes");
                let hint = "name the files that are wanted";
                return Err(Diagnostic::error("E0007", message).hint(hint).into());
            }
            let name = path
                .strip_prefix(folder)
                .ok()
                .filter(|p| !p.as_os_str().is_empty())
                .unwrap_or(&path);
            files.push((name.display().to_string(), text));
        }
    }
    Ok(files)
}

/// The rule files of a folder and of those in it, in order; the path itself, if it is no folder.
fn files_below(path: &Path) -> Result<Vec<PathBuf>, Stop> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let unreadable = |path: &Path, e: std::io::Error| -> Stop {
        let message = format!("{} cannot be read: {e}", path.display());
        Diagnostic::error("E0002", message).into()
    };
    let mut found = Vec::new();
    let mut looked_at = 0;
    // In order, so that it is always the same of several ways to a folder that counts.
    let mut work = std::collections::BTreeSet::from([path.to_path_buf()]);
    let mut seen = std::collections::HashSet::new();
    while let Some(folder) = work.pop_first() {
        let place = folder.canonicalize().map_err(|e| unreadable(&folder, e))?;
        if !seen.insert(place) {
            continue;
        }
        for entry in std::fs::read_dir(&folder).map_err(|e| unreadable(&folder, e))? {
            let inside = entry.map_err(|e| unreadable(&folder, e))?.path();
            looked_at += 1;
            if looked_at > MOST_FILES {
                let message = format!(
                    "{} holds more than {MOST_FILES} files and folders",
                    path.display()
                );
                let hint = "name the folder of the rules, or the files";
                return Err(Diagnostic::error("E0007", message).hint(hint).into());
            }
            let is_rules = inside.extension().is_some_and(|e| e == "rules");
            match std::fs::metadata(&inside) {
                Ok(about) if about.is_dir() => drop(work.insert(inside)),
                // Pipes and devices in a folder hold no rules.
                Ok(about) if is_rules && about.is_file() => found.push(inside),
                // A link that leads nowhere, or round in a circle.
                Err(e) if is_rules => return Err(unreadable(&inside, e)),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}
