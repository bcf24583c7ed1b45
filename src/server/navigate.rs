//! Where a name is declared and used.

use super::documents::Document;
use super::shown::uri_of;
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, GotoDefinitionResponse, Location, Position,
    ReferenceParams,
};

pub(super) fn definition(
    document: &Document,
    position: Position,
) -> Option<GotoDefinitionResponse> {
    let index = document.index();
    let used = index.at(document.text.byte(position))?;
    let name = &index.names[used.name];
    // What is declared several times, for members of a family, is declared where it stands.
    let own = used.declares.then_some(&used.place);
    let location = match own.or(name.declared.as_ref()) {
        Some(place) => {
            let range = document.text.range(place.start, place.end);
            Location::new(document.uri.clone(), range)
        }
        None => {
            let (file, name) = document.declared_elsewhere(name)?;
            let place = name.declared.clone()?;
            Location::new(uri_of(&file.name)?, file.text.range(place.start, place.end))
        }
    };
    Some(GotoDefinitionResponse::Scalar(location))
}

pub(super) fn references(document: &Document, params: &ReferenceParams) -> Option<Vec<Location>> {
    let index = document.index();
    let position = params.text_document_position.position;
    let used = index.at(document.text.byte(position))?;
    let wanted = params.context.include_declaration;
    let all = index.uses_of(used.name);
    let all = all.filter(|u| wanted || !u.declares);
    let location = |place: &std::ops::Range<usize>| {
        Location::new(
            document.uri.clone(),
            document.text.range(place.start, place.end),
        )
    };
    Some(all.map(|u| location(&u.place)).collect())
}

pub(super) fn highlights(
    document: &Document,
    position: Position,
) -> Option<Vec<DocumentHighlight>> {
    let index = document.index();
    let used = index.at(document.text.byte(position))?;
    let highlight = |u: &super::index::Use| DocumentHighlight {
        range: document.text.range(u.place.start, u.place.end),
        kind: Some(match u.declares || u.writes {
            true => DocumentHighlightKind::WRITE,
            false => DocumentHighlightKind::READ,
        }),
    };
    Some(index.uses_of(used.name).map(highlight).collect())
}
