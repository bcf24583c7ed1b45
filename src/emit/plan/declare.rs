//! DATA of a scheme → parameters and data of a plan.

use super::expression::convert;
use super::lower::Lower;
use super::{Data, Expr, Node, Origin, Parameter, Place};
use crate::algebra::Type;
use crate::check::Role;
use crate::machine;
use crate::term::Span;

impl Lower<'_> {
    /// The parameters, with their defaults.
    pub(super) fn parameters(&mut self) -> Vec<Parameter> {
        let scheme = self.scheme;
        let mut parameters = Vec::new();
        for (name, variable, default) in scheme.parameters() {
            let default = match machine::fold(scheme, default, &[]) {
                Some(value) => literal(value, variable.ty),
                None => None,
            }
            .unwrap_or_else(|| convert(self.folded(default), variable.ty));
            let var = self.declare(name, variable.ty, Place::Parameter, Vec::new());
            let origin = self.declared(variable.span);
            parameters.push(Parameter {
                var,
                default,
                origin,
            });
        }
        parameters
    }

    /// The scalars and arrays of DATA.
    pub(super) fn data(&mut self) -> Vec<Data> {
        let scheme = self.scheme;
        let mut data = Vec::new();
        for (name, variable) in scheme.data() {
            let Role::Data {
                input,
                output,
                values,
            } = &variable.role
            else {
                continue;
            };
            let dims = variable.dims.iter().map(|&d| self.own(d)).collect();
            let places = (0..values.len())
                .map(|place| variable.subscripts(&scheme.terms, place))
                .collect();
            let values = values.iter().map(|&v| self.value(v, variable.ty)).collect();
            let var = self.declare(name, variable.ty, Place::Data, dims);
            data.push(Data {
                var,
                input: *input,
                output: *output,
                values,
                places,
                origin: self.declared(variable.span),
            });
        }
        data
    }

    /// The origin of what DATA declares.
    fn declared(&mut self, span: Option<Span>) -> u32 {
        self.origins.number(Origin {
            span,
            ..Origin::default()
        })
    }
}

/// The value of a parameter's default as a literal.
fn literal(value: machine::Value, ty: Type) -> Option<Expr> {
    value.bits(ty)?;
    let node = match value {
        machine::Value::Bool(b) => Node::Bool(b),
        machine::Value::Int(i) => return Some(convert(Expr::int(Type::I64, i), ty)),
        machine::Value::Real(x) => return Some(convert(Expr::new(Type::F64, Node::Real(x)), ty)),
    };
    Some(Expr::new(ty, node))
}
