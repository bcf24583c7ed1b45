//! Two bodies on an ellipse.

use super::options::Options;
use super::system::Bodies;
use crate::data::DataError;

/// At the pericentre the distance is a(1 − e) and, from the vis-viva equation for G = M = 1, the
/// relative speed is √((1 + e) / (a(1 − e))), at right angles to the line between the bodies.
pub fn make(_: usize, options: &Options) -> Result<Bodies, DataError> {
    let (e, a) = (options.get("e"), options.get("a"));
    let x = 0.5 * a * (1.0 - e);
    let y = 0.5 * ((1.0 + e) / (a * (1.0 - e))).sqrt();
    Ok(Bodies {
        m: vec![0.5; 2],
        r: vec![[x, 0.0, 0.0], [-x, 0.0, 0.0]],
        v: vec![[0.0, y, 0.0], [0.0, -y, 0.0]],
    })
}
