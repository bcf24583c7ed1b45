//! The types of values.

use super::{Keyword, Language};
use crate::term::Symbol;

/// What REAL means: chosen by `--precision`.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Default,
    Hash,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 32-bit floating point.
    #[default]
    F32,
    /// 64-bit floating point.
    F64,
}

/// The type of a value or of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Type {
    /// Not known: only in schemes without DATA.
    Unknown,
    /// `BOOLEAN`.
    Bool,
    /// `INTEGER`: 32 bits.
    I32,
    /// `INTEGER64`.
    I64,
    /// 32-bit floating point.
    F32,
    /// 64-bit floating point.
    F64,
    /// Two, three or four REALs of a precision, the scheme's or the other one.
    Vector(u8, Precision),
}

/// How far the bounds of a loop must stay away from the ends of its type, so that blocks, chunks and
/// lanes may go beyond its last iteration: the threads of the largest launch that steps through a loop.
pub const MARGIN: i128 = 1 << 24;

/// The largest extent of an array that is computed as INTEGER: a loop over it has a [`MARGIN`], also
/// where it begins or ends some iterations outside.
pub const LARGEST_EXTENT: i64 = i32::MAX as i64 - 2 * MARGIN as i64;

/// A type's name in schemes.
pub struct TypeName {
    /// The name.
    pub name: &'static str,
    /// What it is called in Ukrainian and in Russian, if it is one word.
    others: [&'static str; 2],
    /// What it is.
    pub meaning: &'static str,
}

/// The names of types.
pub static TYPE_NAMES: &[TypeName] = &[
    TypeName {
        name: "BOOLEAN",
        others: ["ЛОГІЧНЕ", "ЛОГИЧЕСКОЕ"],
        meaning: "TRUE or FALSE",
    },
    TypeName {
        name: "INTEGER",
        others: ["ЦІЛЕ", "ЦЕЛОЕ"],
        meaning: "a 32-bit integer",
    },
    TypeName {
        name: "INTEGER64",
        others: ["ЦІЛЕ64", "ЦЕЛОЕ64"],
        meaning: "a 64-bit integer",
    },
    TypeName {
        name: "REAL",
        others: ["ДІЙСНЕ", "ВЕЩЕСТВЕННОЕ"],
        meaning: "floating point in the precision chosen by --precision",
    },
    TypeName {
        name: "REAL32",
        others: ["ДІЙСНЕ32", "ВЕЩЕСТВЕННОЕ32"],
        meaning: "32-bit floating point",
    },
    TypeName {
        name: "REAL64",
        others: ["ДІЙСНЕ64", "ВЕЩЕСТВЕННОЕ64"],
        meaning: "64-bit floating point",
    },
    TypeName {
        name: "VECTOR2",
        others: ["ВЕКТОР2", "ВЕКТОР2"],
        meaning: "two REALs, x and y",
    },
    TypeName {
        name: "VECTOR",
        others: ["ВЕКТОР", "ВЕКТОР"],
        meaning: "three REALs, x, y and z",
    },
    TypeName {
        name: "VECTOR4",
        others: ["ВЕКТОР4", "ВЕКТОР4"],
        meaning: "four REALs, x, y, z and w",
    },
    TypeName {
        name: "VECTOR2 OF REAL32",
        others: ["", ""],
        meaning: "two REAL32s",
    },
    TypeName {
        name: "VECTOR OF REAL32",
        others: ["", ""],
        meaning: "three REAL32s",
    },
    TypeName {
        name: "VECTOR4 OF REAL32",
        others: ["", ""],
        meaning: "four REAL32s",
    },
    TypeName {
        name: "VECTOR2 OF REAL64",
        others: ["", ""],
        meaning: "two REAL64s",
    },
    TypeName {
        name: "VECTOR OF REAL64",
        others: ["", ""],
        meaning: "three REAL64s",
    },
    TypeName {
        name: "VECTOR4 OF REAL64",
        others: ["", ""],
        meaning: "four REAL64s",
    },
];

impl TypeName {
    /// The type that is called so in any language.
    pub fn called(text: &str) -> Option<&'static TypeName> {
        let is = |t: &&TypeName| Language::ALL.into_iter().any(|l| t.text(l) == text);
        TYPE_NAMES.iter().find(is)
    }

    /// What the type is called in a language.
    pub fn text(&self, language: Language) -> String {
        let words: Vec<&str> = self.name.split(OF).collect();
        let of = format!(" {} ", Keyword::Of.text(language));
        let words = words.into_iter().map(|word| Type::word(word, language));
        words.collect::<Vec<_>>().join(&of)
    }
}

/// What stands in the name of a type between a vector and its components.
pub const OF: &str = " OF ";

impl Precision {
    /// The precision that is not this one.
    pub fn other(self) -> Precision {
        match self {
            Precision::F32 => Precision::F64,
            Precision::F64 => Precision::F32,
        }
    }

    /// The scalar type of this precision.
    pub fn real(self) -> Type {
        match self {
            Precision::F32 => Type::F32,
            Precision::F64 => Type::F64,
        }
    }

    /// Its name at the command line.
    pub fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::F64 => "f64",
        }
    }
}

impl Type {
    /// The word that types have in English for one in any language; another word stays.
    pub fn in_english(word: &str) -> &str {
        let is = |t: &&TypeName| t.others.contains(&word);
        TYPE_NAMES.iter().find(is).map_or(word, |t| t.name)
    }

    /// A word of the names of types in a language; another word stays.
    pub fn word(name: &str, language: Language) -> &str {
        let row = TYPE_NAMES.iter().find(|t| t.name == name);
        match (row, language) {
            (Some(row), Language::Ukrainian) => row.others[0],
            (Some(row), Language::Russian) => row.others[1],
            _ => name,
        }
    }

    /// The REAL of an integer's width, and the integer of a REAL's.
    pub fn of_same_width(self) -> Option<Type> {
        Some(match self {
            Type::I32 => Type::F32,
            Type::I64 => Type::F64,
            Type::F32 => Type::I32,
            Type::F64 => Type::I64,
            Type::Unknown | Type::Bool | Type::Vector(..) => return None,
        })
    }

    /// The type with a name, in a precision.
    pub fn named(name: Symbol, precision: Precision) -> Option<Type> {
        Some(match name.as_str() {
            "BOOLEAN" => Type::Bool,
            "INTEGER" => Type::I32,
            "INTEGER64" => Type::I64,
            "REAL" => precision.real(),
            "REAL32" => Type::F32,
            "REAL64" => Type::F64,
            "VECTOR2" => Type::Vector(2, precision),
            "VECTOR" => Type::Vector(3, precision),
            "VECTOR4" => Type::Vector(4, precision),
            name => {
                let (vector, component) = name.split_once(OF)?;
                let vector = Type::named(vector.into(), precision)?;
                match (vector, Type::named(component.into(), precision)?) {
                    (Type::Vector(n, _), Type::F32) => Type::Vector(n, Precision::F32),
                    (Type::Vector(n, _), Type::F64) => Type::Vector(n, Precision::F64),
                    _ => return None,
                }
            }
        })
    }

    /// A name of the type for messages and for LOCALs that the checker makes.
    pub fn name(self, precision: Precision) -> &'static str {
        match self {
            Type::Unknown => "?",
            Type::Bool => "BOOLEAN",
            Type::I32 => "INTEGER",
            Type::I64 => "INTEGER64",
            Type::F32 | Type::F64 if self == precision.real() => "REAL",
            Type::F32 => "REAL32",
            Type::F64 => "REAL64",
            Type::Vector(2, p) if p == precision => "VECTOR2",
            Type::Vector(3, p) if p == precision => "VECTOR",
            Type::Vector(_, p) if p == precision => "VECTOR4",
            Type::Vector(2, Precision::F32) => "VECTOR2 OF REAL32",
            Type::Vector(3, Precision::F32) => "VECTOR OF REAL32",
            Type::Vector(_, Precision::F32) => "VECTOR4 OF REAL32",
            Type::Vector(2, Precision::F64) => "VECTOR2 OF REAL64",
            Type::Vector(3, Precision::F64) => "VECTOR OF REAL64",
            Type::Vector(_, Precision::F64) => "VECTOR4 OF REAL64",
        }
    }

    /// Whether it is an integer type.
    pub fn is_integer(self) -> bool {
        matches!(self, Type::I32 | Type::I64)
    }

    /// Whether it is a scalar floating-point type.
    pub fn is_real(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }

    /// Whether it is a scalar number.
    pub fn is_number(self) -> bool {
        self.is_integer() || self.is_real()
    }

    /// Number of scalar components.
    pub fn components(self) -> usize {
        match self {
            Type::Vector(n, _) => n as usize,
            _ => 1,
        }
    }

    /// Whether it is a vector.
    pub fn is_vector(self) -> bool {
        matches!(self, Type::Vector(..))
    }

    /// The type of one component.
    pub fn component(self) -> Type {
        match self {
            Type::Vector(_, p) => p.real(),
            other => other,
        }
    }

    /// Bytes of a value.
    pub fn bytes(self) -> usize {
        match self {
            Type::Unknown => 0,
            Type::Bool => 1,
            Type::I32 | Type::F32 => 4,
            Type::I64 | Type::F64 => 8,
            Type::Vector(n, p) => n as usize * p.real().bytes(),
        }
    }

    /// The same with components of another type; none where they are no reals.
    pub fn with_components(self, component: Type) -> Option<Type> {
        match (self, component) {
            (Type::Vector(n, _), Type::F32) => Some(Type::Vector(n, Precision::F32)),
            (Type::Vector(n, _), Type::F64) => Some(Type::Vector(n, Precision::F64)),
            (Type::Vector(..), _) => None,
            _ => Some(component),
        }
    }

    /// The type of a vector by a number, or over one.
    pub fn scaled(self, number: Type) -> Option<Type> {
        let component = self.component().join(number)?;
        let fits = self.is_vector() && number.is_number();
        fits.then(|| self.with_components(component))?
    }

    /// The type of a sum of two numbers or two vectors, and of a product of two numbers.
    pub fn join(self, other: Type) -> Option<Type> {
        use Type::*;
        Some(match (self, other) {
            (Unknown, t) | (t, Unknown) => t,
            (a, b) if a == b => a,
            (F64, b) if b.is_number() => F64,
            (a, F64) if a.is_number() => F64,
            (F32, b) if b.is_number() => F32,
            (a, F32) if a.is_number() => F32,
            (I64, I32) | (I32, I64) => I64,
            (Vector(n, _), Vector(m, _)) if n == m => Vector(n, Precision::F64),
            _ => return None,
        })
    }

    /// Whether a value of this type may be stored where `target` is wanted without a word.
    pub fn widens_to(self, target: Type) -> bool {
        use Type::*;
        self == target
            || matches!(
                (self, target),
                (Unknown, _) | (_, Unknown) | (I32, I64) | (F32, F64)
            )
            || matches!(
                (self, target),
                (Vector(n, Precision::F32), Vector(m, Precision::F64)) if n == m
            )
            || self.is_integer() && target.is_real()
    }
}

/// The names of a vector's components, in order.
pub const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// The number of a vector's component by its name; the first, if it is no component's.
pub fn component(field: Symbol) -> u8 {
    let at = COMPONENTS.iter().position(|&c| c == field.as_str());
    at.map_or(0, |at| at as u8)
}
