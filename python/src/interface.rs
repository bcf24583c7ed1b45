//! What a library says of itself, and its scheme → what its arguments are.

use glushkov::algebra::{Arithmetic, Expr, Kind, expr};
use glushkov::analysis;
use glushkov::check::{Role as OfData, Scheme};
use glushkov::term::{Id, Symbol};
use serde_json::{Value as Json, json};

/// The type of a cell's component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    Bool,
    I32,
    I64,
    F32,
    F64,
}

impl Cell {
    fn named(name: &str) -> Option<Cell> {
        let all = [Cell::Bool, Cell::I32, Cell::I64, Cell::F32, Cell::F64];
        all.into_iter().find(|cell| cell.name() == name)
    }

    /// The name in NumPy and in interfaces.
    pub fn name(self) -> &'static str {
        match self {
            Cell::Bool => "bool",
            Cell::I32 => "int32",
            Cell::I64 => "int64",
            Cell::F32 => "float32",
            Cell::F64 => "float64",
        }
    }

    /// The letter that NumPy has for its kind, and its bytes.
    pub fn kind(self) -> (u8, usize) {
        match self {
            Cell::Bool => (b'b', 1),
            Cell::I32 => (b'i', 4),
            Cell::I64 => (b'i', 8),
            Cell::F32 => (b'f', 4),
            Cell::F64 => (b'f', 8),
        }
    }
}

/// What an argument is to the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Parameter,
    Input,
    Output,
    Both,
}

impl Role {
    /// Whether a call is given it.
    pub fn is_given(self) -> bool {
        self != Role::Output
    }

    /// Whether a call gives it back.
    pub fn is_result(self) -> bool {
        matches!(self, Role::Output | Role::Both)
    }
}

/// What a size says of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// It is `slope` times the parameter of this number, and `offset` more.
    From {
        parameter: usize,
        slope: i64,
        offset: i64,
    },
    /// No parameter follows from it alone.
    No,
}

/// A size of an array.
pub struct Dim {
    /// As the scheme has it.
    pub text: String,
    pub id: Id,
    /// The parameter that it is, if it is one.
    pub parameter: Option<usize>,
    pub follows: Follows,
}

/// An argument of the program.
pub struct Argument {
    /// The name in the scheme.
    pub key: String,
    pub symbol: Symbol,
    pub role: Role,
    pub cell: Cell,
    /// More than one for vectors, whose components are a last axis.
    pub components: usize,
    pub dims: Vec<Dim>,
    /// The type as the scheme has it.
    pub ty: String,
    /// The default of a parameter.
    pub default: Option<Id>,
    /// The values that DATA gives, if it does.
    pub values: Vec<Id>,
}

impl Argument {
    /// The type and the sizes, as the scheme declares them.
    pub fn declared(&self) -> String {
        match self.dims.is_empty() {
            true => self.ty.clone(),
            false => format!("{} [{}]", self.ty, self.sizes()),
        }
    }

    /// The shape of its arrays, in the scheme's names.
    pub fn shape(&self) -> String {
        let mut all: Vec<String> = self.dims.iter().map(|d| d.text.clone()).collect();
        if self.components > 1 {
            all.push(self.components.to_string());
        }
        match all.as_slice() {
            [one] => format!("({one},)"),
            all => format!("({})", all.join(", ")),
        }
    }

    fn sizes(&self) -> String {
        let all: Vec<&str> = self.dims.iter().map(|d| d.text.as_str()).collect();
        all.join(", ")
    }
}

/// Snapshots of an array.
pub struct Series {
    pub label: String,
    pub cell: Cell,
    pub components: usize,
    /// The argument that it is one of, if it is one: its sizes are known then.
    pub argument: Option<usize>,
}

/// All arguments, in the order of the program's functions: parameters, then data.
pub struct Interface {
    pub scheme: Scheme,
    pub arguments: Vec<Argument>,
    pub parameters: usize,
    pub series: Vec<Series>,
    /// Whether arrays may be on a device.
    pub on_device: bool,
}

impl Interface {
    /// Reads what a library of a scheme says of itself.
    ///
    /// # Errors
    ///
    /// In words: something that is not as this package writes it, and a size that is computed with
    /// reals, which two programs need not round alike.
    pub fn of(said: &Json, scheme: Scheme) -> Result<Interface, String> {
        let list = |key: &str| said[key].as_array().cloned().unwrap_or_default();
        let mut arguments = Vec::new();
        for one in list("arguments") {
            let argument = argument(&one, &scheme, &arguments);
            let argument = argument.ok_or_else(|| format!("its interface says {one}"))?;
            let is_real = |part: Id| scheme.type_of(part).is_real();
            let rounded = |dim: &&Dim| scheme.terms.subterms(dim.id).any(is_real);
            if let Some(dim) = argument.dims.iter().find(rounded) {
                let (key, text) = (&argument.key, &dim.text);
                return Err(format!("the size {text} of `{key}` is computed with reals"));
            }
            arguments.push(argument);
        }
        let is_parameter = |a: &&Argument| a.role == Role::Parameter;
        let parameters = arguments.iter().take_while(is_parameter).count();
        let series = list("series").into_iter().map(|one| {
            let key = one["array"].as_str()?;
            Some(Series {
                label: one["label"].as_str()?.to_owned(),
                cell: Cell::named(one["type"].as_str()?)?,
                components: one["components"].as_u64()? as usize,
                argument: arguments.iter().position(|a: &Argument| a.key == key),
            })
        });
        let series: Option<Vec<Series>> = series.collect();
        Ok(Interface {
            on_device: said["target"] == "cuda",
            series: series.ok_or("its series are not described")?,
            scheme,
            arguments,
            parameters,
        })
    }

    /// The number of an argument.
    pub fn position(&self, key: &str) -> Option<usize> {
        self.arguments.iter().position(|a| a.key == key)
    }

    /// What the arguments are, as data for Python.
    pub fn json(&self) -> Json {
        let all = self.arguments.iter().map(|a| {
            let axes: Vec<&str> = a.dims.iter().map(|d| d.text.as_str()).collect();
            json!({
                "name": a.key,
                "kind": match a.role {
                    Role::Parameter => "parameter",
                    Role::Input => "input",
                    Role::Output => "output",
                    Role::Both => "both",
                },
                "type": a.ty,
                "declared": a.declared(),
                "dtype": a.cell.name(),
                "components": a.components,
                "sizes": axes,
                "shape": a.shape(),
                "default": a.default.map(|id| analysis::text(&self.scheme, id)),
                "has_values": !a.values.is_empty(),
            })
        });
        all.collect()
    }
}

fn argument(said: &Json, scheme: &Scheme, before: &[Argument]) -> Option<Argument> {
    let key = said["key"].as_str()?;
    let symbol = Symbol::new(key);
    let variable = scheme.variable(symbol)?;
    let (default, values) = match &variable.role {
        OfData::Parameter { default } => (Some(*default), Vec::new()),
        OfData::Data { values, .. } => (None, values.clone()),
        _ => return None,
    };
    let dims = variable.dims.iter().map(|&id| {
        let name = scheme.terms.as_atom(id);
        Dim {
            text: analysis::text(scheme, id),
            id,
            parameter: name.and_then(|name| before.iter().position(|a| a.symbol == name)),
            follows: follows(scheme, id, before),
        }
    });
    Some(Argument {
        key: key.to_owned(),
        symbol,
        role: match (said["kind"].as_str()?, said["role"].as_str()?) {
            ("parameter", _) => Role::Parameter,
            (_, "both") => Role::Both,
            (_, "output") => Role::Output,
            _ => Role::Input,
        },
        cell: Cell::named(said["type"].as_str()?)?,
        components: said["components"].as_u64()? as usize,
        dims: dims.collect(),
        ty: variable.ty.name(scheme.precision).to_owned(),
        default,
        values,
    })
}

/// What parameter follows from a size: it is a multiple of one, and a number more.
fn follows(scheme: &Scheme, id: Id, before: &[Argument]) -> Follows {
    match even(scheme, id, before) {
        Some((Some(parameter), slope, offset)) if slope > 0 => Follows::From {
            parameter,
            slope,
            offset,
        },
        _ => Follows::No,
    }
}

/// A parameter by its number if there is one, how many times it is taken, and what is added.
type Even = (Option<usize>, i64, i64);

/// An expression that is a multiple of a parameter and a number more: sums, differences, and products of
/// which one factor is a number.
fn even(scheme: &Scheme, id: Id, before: &[Argument]) -> Option<Even> {
    match expr(&scheme.terms, id)? {
        Expr::Int(number) => Some((None, 0, number)),
        Expr::Name(name) => {
            let parameter = before.iter().position(|a| a.symbol == name)?;
            let is_one = before[parameter].role == Role::Parameter;
            is_one.then_some((Some(parameter), 1, 0))
        }
        Expr::Negate(a) => times(even(scheme, a, before)?, -1),
        Expr::Binary { op, left, right } => {
            let a = even(scheme, left, before)?;
            let b = even(scheme, right, before)?;
            match op.kind() {
                Kind::Arithmetic(Arithmetic::Plus) => plus(a, b),
                Kind::Arithmetic(Arithmetic::Minus) => plus(a, times(b, -1)?),
                Kind::Arithmetic(Arithmetic::Times) => match (a, b) {
                    ((None, _, number), other) | (other, (None, _, number)) => times(other, number),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

fn plus((a, slope, offset): Even, (b, more, further): Even) -> Option<Even> {
    let parameter = match (a, b) {
        (Some(a), Some(b)) if a != b => return None,
        (a, b) => a.or(b),
    };
    Some((
        parameter,
        slope.checked_add(more)?,
        offset.checked_add(further)?,
    ))
}

fn times((parameter, slope, offset): Even, by: i64) -> Option<Even> {
    Some((parameter, slope.checked_mul(by)?, offset.checked_mul(by)?))
}
