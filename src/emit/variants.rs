//! Several derived schemes of one scheme → one program that picks by a size.
//!
//! The interface, `main` and the support code are those of one program; only what the algorithm
//! itself is stands once for each variant, in a namespace or module of its own.

use super::plan::{Plan, Var};
use super::text::comment;
use crate::algebra::Type;
use crate::check::Scheme;
use crate::diagnostic::Diagnostic;

/// A derived scheme among several of one program.
#[derive(Clone)]
pub struct Variant<'a> {
    /// The derived scheme.
    pub scheme: &'a Scheme,
    /// How it was derived, for the comment at its head.
    pub about: String,
}

/// Which variant runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The parameter that decides, by its author's name.
    pub parameter: String,
    /// Up to which value of it (that value included) which variant runs; values ascend.
    pub limits: Vec<(i64, usize)>,
    /// The variant for all larger values.
    pub otherwise: usize,
    /// Where the limits come from, for a comment.
    pub from: String,
}

/// The plans of a program: one, or several with what picks among them.
pub(super) struct Program {
    pub plans: Vec<Plan>,
    /// How each variant was derived.
    pub about: Vec<String>,
    pub picks: Option<Picks>,
}

/// A choice whose parameter is a variable of the plans.
pub(super) struct Picks {
    pub var: Var,
    choice: Choice,
}

impl Program {
    /// A program without a choice.
    pub fn of(plan: Plan) -> Program {
        Program {
            plans: vec![plan],
            about: Vec::new(),
            picks: None,
        }
    }

    /// A program that picks. An error where the variants do not have the same interface, or where
    /// the parameter is none that they could be picked by.
    pub fn with_choice(
        plans: Vec<Plan>,
        about: Vec<String>,
        choice: &Choice,
    ) -> Result<Program, Vec<Diagnostic>> {
        let refused = |why: String| {
            let message = format!("the variants make no program: {why}");
            let hint = "--no-tuned emits one variant";
            vec![Diagnostic::error("E0509", message).hint(hint)]
        };
        let Some(first) = plans.first() else {
            return Err(refused("there are none".into()));
        };
        let numbers = choice.limits.iter().map(|(_, variant)| *variant);
        let ascend = choice.limits.windows(2).all(|w| w[0].0 < w[1].0);
        if !ascend || numbers.chain([choice.otherwise]).any(|v| v >= plans.len()) {
            return Err(refused("the limits do not ascend".into()));
        }
        if plans.iter().any(|p| !same_interface(first, p)) {
            return Err(refused("their parameters and data differ".into()));
        }
        let of_name = |p: &&super::plan::Parameter| first.var(p.var).key == choice.parameter;
        let parameter = first.parameters.iter().find(of_name).map(|p| p.var);
        let whole = |var: &Var| matches!(first.var(*var).ty, Type::I32 | Type::I64);
        let Some(var) = parameter.filter(whole) else {
            let name = &choice.parameter;
            return Err(refused(format!(
                "`{name}` is not a whole parameter of theirs"
            )));
        };
        let mut choice = choice.clone();
        if first.var(var).ty == Type::I32
            && let Some(beyond) = choice
                .limits
                .iter()
                .position(|(to, _)| *to >= i32::MAX.into())
        {
            // No value is larger.
            choice.otherwise = choice.limits[beyond].1;
            choice.limits.truncate(beyond);
        }
        Ok(Program {
            plans,
            about,
            picks: Some(Picks { var, choice }),
        })
    }

    /// The plan whose interface all share.
    pub fn first(&self) -> &Plan {
        &self.plans[0]
    }

    /// The name of a variant's namespace or module; none where there is one plan.
    pub fn name(&self, variant: usize) -> Option<String> {
        self.picks.as_ref()?;
        Some(format!("variant_{}", variant + 1))
    }

    /// The comment at a variant's head.
    pub fn head(&self, variant: usize) -> String {
        let about = self.about.get(variant).map_or("", String::as_str);
        comment(&about.replace('\n', " "))
    }

    /// What is said of the program at its head.
    pub fn said(&self) -> Vec<String> {
        let Some(picks) = &self.picks else {
            return Vec::new();
        };
        let mut lines: Vec<String> = picks.choice.from.lines().map(comment).collect();
        for (variant, _) in self.plans.iter().enumerate() {
            let name = self.name(variant).unwrap_or_default();
            lines.push(format!("{name}: {}", self.head(variant)));
        }
        lines
    }

    /// All origins, those of each variant after those of the one before; and where each begins.
    pub fn origins(&self) -> (Vec<super::Origin>, Vec<u32>) {
        let (mut all, mut starts) = (Vec::new(), Vec::new());
        for plan in &self.plans {
            let start = all.len() as u32;
            starts.push(start);
            all.extend(plan.origins.iter().cloned().map(|mut origin| {
                origin.within = origin.within.map(|n| n + start);
                origin
            }));
        }
        (all, starts)
    }
}

/// A branch of a choice.
pub(super) enum Branch {
    /// Where the parameter is at most the first; the variant.
    UpTo(i64, usize),
    /// Everywhere else.
    Otherwise(usize),
}

impl Picks {
    /// The branches in order; the last is the one for everything else.
    pub fn branches(&self) -> Vec<Branch> {
        let limits = self.choice.limits.iter();
        let mut all: Vec<Branch> = limits.map(|&(to, v)| Branch::UpTo(to, v)).collect();
        all.push(Branch::Otherwise(self.choice.otherwise));
        all
    }

    /// Where the limits come from, as lines of a comment.
    pub fn from(&self) -> Vec<String> {
        self.choice.from.lines().map(comment).collect()
    }
}

/// Whether two plans have the same parameters, data and series, under the same names.
fn same_interface(a: &Plan, b: &Plan) -> bool {
    let variable = |plan: &Plan, var: Var| {
        let v = plan.var(var);
        (v.name.clone(), v.key.clone(), v.ty, v.dims.clone())
    };
    let parameters = a.parameters.len() == b.parameters.len()
        && a.parameters.iter().zip(&b.parameters).all(|(x, y)| {
            x.var == y.var && x.default == y.default && variable(a, x.var) == variable(b, y.var)
        });
    let data = a.data.len() == b.data.len()
        && a.data.iter().zip(&b.data).all(|(x, y)| {
            let same = (x.input, x.output) == (y.input, y.output) && x.values == y.values;
            same && x.var == y.var && variable(a, x.var) == variable(b, y.var)
        });
    let series = a.series.len() == b.series.len()
        && a.series.iter().zip(&b.series).all(|(x, y)| {
            let same = x.label == y.label && x.file == y.file;
            same && a.var(x.var).key == b.var(y.var).key && x.var == y.var
        });
    (&a.name, a.precision) == (&b.name, b.precision) && parameters && data && series
}
