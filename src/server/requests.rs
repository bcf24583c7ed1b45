//! The requests about documents: which feature answers which.

use super::documents::Document;
use super::serve::{Refused, Server, parsed};
use super::{actions, completion, formatting, hover, inlays, navigate, outline, rename, tokens};
use lsp_server::ErrorCode;
use lsp_types::Uri;
use lsp_types::request::{self as ask, Request as _};
use serde_json::Value as Json;

impl Server {
    /// The answer to a request about a document.
    pub(super) fn asked(&self, method: &str, params: Json) -> Result<Json, Refused> {
        let client = self.client;
        match method {
            ask::HoverRequest::METHOD => self.on::<ask::HoverRequest>(params, at, |d, p| {
                Ok(hover::hover(d, p.text_document_position_params.position))
            }),
            ask::Completion::METHOD => self.on::<ask::Completion>(
                params,
                |p| &p.text_document_position.text_document.uri,
                |d, p| {
                    Ok(completion::complete(
                        d,
                        p.text_document_position.position,
                        client,
                    ))
                },
            ),
            ask::GotoDefinition::METHOD => self.on::<ask::GotoDefinition>(
                params,
                |p| &p.text_document_position_params.text_document.uri,
                |d, p| {
                    Ok(navigate::definition(
                        d,
                        p.text_document_position_params.position,
                    ))
                },
            ),
            ask::References::METHOD => self.on::<ask::References>(
                params,
                |p| &p.text_document_position.text_document.uri,
                |d, p| Ok(navigate::references(d, &p)),
            ),
            ask::DocumentHighlightRequest::METHOD => self.on::<ask::DocumentHighlightRequest>(
                params,
                |p| &p.text_document_position_params.text_document.uri,
                |d, p| {
                    Ok(navigate::highlights(
                        d,
                        p.text_document_position_params.position,
                    ))
                },
            ),
            ask::PrepareRenameRequest::METHOD => self.on::<ask::PrepareRenameRequest>(
                params,
                |p| &p.text_document.uri,
                |d, p| rename::prepare(d, p.position).map(Some).map_err(failed),
            ),
            ask::Rename::METHOD => self.on::<ask::Rename>(
                params,
                |p| &p.text_document_position.text_document.uri,
                |d, p| {
                    let position = p.text_document_position.position;
                    rename::rename(d, position, &p.new_name)
                        .map(Some)
                        .map_err(failed)
                },
            ),
            ask::DocumentSymbolRequest::METHOD => self.on::<ask::DocumentSymbolRequest>(
                params,
                |p| &p.text_document.uri,
                |d, _| Ok(Some(outline::symbols(d))),
            ),
            ask::FoldingRangeRequest::METHOD => self.on::<ask::FoldingRangeRequest>(
                params,
                |p| &p.text_document.uri,
                |d, _| Ok(Some(outline::folds(d))),
            ),
            ask::Formatting::METHOD => self.on::<ask::Formatting>(
                params,
                |p| &p.text_document.uri,
                |d, _| formatting::format(d).map(Some).map_err(failed),
            ),
            ask::SemanticTokensFullRequest::METHOD => self.on::<ask::SemanticTokensFullRequest>(
                params,
                |p| &p.text_document.uri,
                |d, _| Ok(Some(tokens::all(d))),
            ),
            ask::SemanticTokensRangeRequest::METHOD => self.on::<ask::SemanticTokensRangeRequest>(
                params,
                |p| &p.text_document.uri,
                |d, p| Ok(Some(tokens::within(d, p.range))),
            ),
            ask::CodeActionRequest::METHOD => self.on::<ask::CodeActionRequest>(
                params,
                |p| &p.text_document.uri,
                |d, p| Ok(Some(actions::actions(d, p.range))),
            ),
            ask::InlayHintRequest::METHOD => self.on::<ask::InlayHintRequest>(
                params,
                |p| &p.text_document.uri,
                |d, p| Ok(Some(inlays::hints(d, p.range))),
            ),
            _ => Err((
                ErrorCode::MethodNotFound,
                format!("there is no method {method}"),
            )),
        }
    }

    /// Answers a request about a document.
    fn on<R: ask::Request>(
        &self,
        params: Json,
        uri: impl FnOnce(&R::Params) -> &Uri,
        answer: impl FnOnce(&Document, R::Params) -> Result<R::Result, Refused>,
    ) -> Result<Json, Refused> {
        let params: R::Params = parsed(params)?;
        let uri = uri(&params).as_str();
        let Some(document) = self.documents.get(uri) else {
            let message = format!("{uri} is not open");
            return Err((ErrorCode::InvalidParams, message));
        };
        let result = answer(document, params)?;
        serde_json::to_value(result).map_err(|e| (ErrorCode::InternalError, e.to_string()))
    }
}

fn at(params: &lsp_types::HoverParams) -> &Uri {
    &params.text_document_position_params.text_document.uri
}

fn failed(why: String) -> Refused {
    (ErrorCode::RequestFailed, why)
}
