//! Three bodies along an eight.

use super::options::Options;
use super::system::{Bodies, scaled};
use crate::data::DataError;

/// Chenciner and Montgomery, Annals of Mathematics 152, 881 (2000), with the numbers of Simó.
pub fn make(_: usize, _: &Options) -> Result<Bodies, DataError> {
    let outer = [0.97000436, -0.24308753, 0.0];
    let inner = [-0.93240737, -0.86473146, 0.0];
    let half_back = scaled(inner, -0.5);
    Ok(Bodies {
        m: vec![1.0; 3],
        r: vec![outer, [-0.97000436, 0.24308753, 0.0], [0.0; 3]],
        v: vec![half_back, half_back, inner],
    })
}
