//! The kinds of vectors that templates of lanes are filled in for: names of types and intrinsics.

use crate::algebra::Precision;
use serde_json::{Value, json};

/// The kinds of vectors that lanes are compiled for.
pub(super) fn backends(precision: Precision) -> Value {
    let (p, mark, wide, narrow) = match precision {
        Precision::F32 => ("ps", "", 16, 8),
        Precision::F64 => ("pd", "d", 8, 4),
    };
    let avx2 = match precision {
        Precision::F32 => ("_mm256_rsqrt_ps", 12, 2),
        // It has no estimate for doubles.
        Precision::F64 => ("", 0, 0),
    };
    let steps = match precision {
        Precision::F32 => 1,
        Precision::F64 => 2,
    };
    let (integers_512, integers_256) = integers(precision);
    json!([
        {
            "name": "Avx512", "module": "avx512", "arch": "x86_64", "bits": true,
            "words": "Registers of 512 bits.", "vector": format!("__m512{mark}"),
            "mask": format!("__mmask{wide}"), "lanes": wide, "prefix": "_mm512", "p": p, "round": "_mm512_roundscale",
            "integers": integers_512,
            "estimate": format!("_mm512_rsqrt14_{p}"), "estimate_bits": 14, "newton": steps,
        },
        {
            "name": "Avx2", "module": "avx2", "arch": "x86_64", "bits": false,
            "words": "Registers of 256 bits.", "vector": format!("__m256{mark}"),
            "mask": format!("__m256{mark}"), "lanes": narrow, "prefix": "_mm256", "p": p, "round": "_mm256_round",
            "integers": integers_256,
            "estimate": avx2.0, "estimate_bits": avx2.1, "newton": avx2.2,
        },
        { "name": "Arrays", "arch": "", "words": "An array, as the compiler does it." },
    ])
}

/// Integers of 32 bits: as many in a register as there are reals in one of 512 or 256 bits. Masks of
/// the latter are reals, which `widened` makes of integers and `narrowed` integers of.
fn integers(precision: Precision) -> (Value, Value) {
    let registers = |bits: u32, prefix: &str| {
        json!({
            "vector": format!("__m{bits}i"), "prefix": prefix, "whole": format!("si{bits}"),
        })
    };
    let (wide, mut narrow, words) = match precision {
        Precision::F32 => (
            registers(512, "_mm512"),
            registers(256, "_mm256"),
            [
                "_mm256_castsi256_ps",
                "_mm256_castsi256_ps",
                "",
                "_mm256_castps_si256(mask.0[k])",
            ],
        ),
        Precision::F64 => (
            registers(256, "_mm256"),
            registers(128, "_mm"),
            [
                "_mm_castsi128_ps",
                "_mm256_castsi256_pd(_mm256_cvtepi32_epi64",
                ")",
                "_mm256_castsi256_si128(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(mask.0[k]), \
                 _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)))",
            ],
        ),
    };
    let names = ["as_ps", "widened", "widened_end", "narrowed"];
    for (name, text) in names.into_iter().zip(words) {
        narrow[name] = json!(text);
    }
    (wide, narrow)
}
