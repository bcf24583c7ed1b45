//! Another name, everywhere where the old one stands. What would change the meaning of the text is refused.

use super::documents::{Document, Kind};
use super::index::{Name, Sort, Use, groups};
use crate::algebra::Construct;
use crate::syntax::text::{is_reserved, pieces};
use crate::syntax::{Lexeme, LexemeKind, rules, text as schemes};
use crate::term::Symbol;
use lsp_types::{Position, PrepareRenameResponse, TextEdit, WorkspaceEdit};
use std::collections::HashMap;
use std::ops::Range;

/// What would be renamed here, and how it is written now.
///
/// # Errors
///
/// What cannot be renamed, and why.
pub(super) fn prepare(
    document: &Document,
    position: Position,
) -> Result<PrepareRenameResponse, String> {
    let (used, name) = named(document, position)?;
    let place = match name.sort.is_quoted() {
        true => inside(document.text.as_str(), &used.place),
        false => used.place.clone(),
    };
    Ok(PrepareRenameResponse::RangeWithPlaceholder {
        range: document.text.range(place.start, place.end),
        placeholder: document.text.as_str()[place].to_owned(),
    })
}

fn named(document: &Document, position: Position) -> Result<(&Use, &Name), String> {
    let index = document.index();
    let used = index.at(document.text.byte(position));
    let used = used.ok_or("no name stands here: keywords, functions and labels keep theirs")?;
    let name = &index.names[used.name];
    if let Some((file, _)) = document.declared_elsewhere(name) {
        return Err(format!("`{}` is declared in {}", name.text, file.name));
    }
    match name.sort {
        Sort::Unknown => Err(format!("nothing declares `{}`", name.text)),
        _ if name.claimed => Err(format!(
            "an ASSUME speaks of `{}`, whichever of this name is meant; change it by hand",
            name.text
        )),
        _ => Ok((used, name)),
    }
}

/// The changes that give a name another text.
///
/// # Errors
///
/// A text that is no name, and one that would be taken for another.
pub(super) fn rename(
    document: &Document,
    position: Position,
    new: &str,
) -> Result<WorkspaceEdit, String> {
    let (used, name) = named(document, position)?;
    let edits = match name.sort {
        Sort::Phrase | Sort::Predicate => reworded(document, used, name, new)?,
        Sort::Point => {
            if new.contains(['\'', '"', '\\', '\n']) || new.trim().is_empty() {
                return Err("the text of a point has no quotes, and is not empty".into());
            }
            let text = document.text.as_str();
            let uses = document.index().uses_of(used.name);
            uses.map(|u| (inside(text, &u.place), new.to_owned()))
                .collect()
        }
        _ => {
            is_name(document.kind, name, new)?;
            clashes(document, used.name, name, new)?;
            let uses = document.index().uses_of(used.name);
            uses.map(|u| (u.place.clone(), new.to_owned())).collect()
        }
    };
    Ok(edit(document, edits))
}

/// Changes of one document.
#[allow(clippy::mutable_key_type, reason = "the type of the protocol")]
pub(super) fn edit(document: &Document, edits: Vec<(Range<usize>, String)>) -> WorkspaceEdit {
    let one = |(place, text): (Range<usize>, String)| {
        TextEdit::new(document.text.range(place.start, place.end), text)
    };
    let edits = edits.into_iter().map(one).collect();
    WorkspaceEdit::new(HashMap::from([(document.uri.clone(), edits)]))
}

/// What stands between the quotes.
fn inside(text: &str, place: &Range<usize>) -> Range<usize> {
    let quoted = &text[place.clone()];
    let first = quoted.chars().next().map_or(0, char::len_utf8);
    let last = quoted.chars().next_back().map_or(0, char::len_utf8);
    place.start + first..(place.end - last).max(place.start + first)
}

/// Refuses a text that cannot be a name of this sort.
fn is_name(kind: Kind, name: &Name, new: &str) -> Result<(), String> {
    let lexemes: Vec<Lexeme> = match kind {
        Kind::Schemes => schemes::lexemes(new),
        Kind::Rules => rules::lexemes(new),
    };
    let wanted = match name.sort {
        Sort::RuleVariable => LexemeKind::Variable,
        _ => LexemeKind::Word,
    };
    let is_one =
        matches!(lexemes[..], [one] if one.kind == wanted && one.to == new.len() && one.from == 0);
    match kind {
        _ if !is_one && wanted == LexemeKind::Variable => Err(format!(
            "`{new}` is no variable of rules, which begin with `$`"
        )),
        _ if !is_one => Err(format!("`{new}` is no name")),
        Kind::Rules if new.ends_with("..") => Err("the dots stay where they are".into()),
        Kind::Rules => Ok(()),
        Kind::Schemes => {
            let construct = Construct::of(Symbol::new(new));
            let is_index = Construct::standing(new).is_some();
            match is_index
                || is_reserved(Symbol::new(new))
                || construct.is_some_and(|c| c.info().takes(0))
            {
                true => Err(format!("`{new}` has a meaning of its own")),
                false => Ok(()),
            }
        }
    }
}

/// Refuses a name that would be taken for another one, or another one for it.
fn clashes(document: &Document, number: usize, name: &Name, new: &str) -> Result<(), String> {
    if name.text == new {
        return Ok(());
    }
    let index = document.index();
    let there = |other: &Name| {
        let line = other
            .declared
            .as_ref()
            .map(|d| document.text.line_of(d.start) + 1);
        match line {
            Some(line) => format!("`{new}` is declared in line {line} already"),
            None => format!("`{new}` is used already"),
        }
    };
    for used in index.uses_of(number) {
        let seen = index.visible(used.place.start);
        if let Some(other) = seen
            .into_iter()
            .find(|n| n.text == new && !n.sort.is_quoted())
        {
            return Err(there(other));
        }
    }
    for (other_number, other) in index.names.iter().enumerate() {
        if other.text != new || other.sort.is_quoted() || other_number == number {
            continue;
        }
        let same = name.declared.is_some() && other.scope == name.scope;
        let inside = |u: &Use| name.scope.start <= u.place.start && u.place.end <= name.scope.end;
        if same || index.uses_of(other_number).any(inside) {
            return Err(there(other));
        }
    }
    Ok(())
}

/// Another wording of a phrase: the same groups of arguments, perhaps in another order.
fn reworded(
    document: &Document,
    used: &Use,
    name: &Name,
    new: &str,
) -> Result<Vec<(Range<usize>, String)>, String> {
    let quote = if name.sort == Sort::Predicate {
        '\''
    } else {
        '"'
    };
    let quoted = format!("{quote}{new}{quote}");
    let read = schemes::lexemes(&quoted);
    let is_text = matches!(read[..], [one] if one.from == 0 && one.to == quoted.len());
    if !is_text || new.trim().is_empty() {
        return Err("this is no text of a phrase: quotes in it are written \\\"".into());
    }
    let text = document.text.as_str();
    let model = name.declared.clone().filter(|_| used.declares);
    let model = model.unwrap_or_else(|| used.place.clone());
    let old: Vec<&str> = groups(text, &model)
        .iter()
        .filter(|p| p.group)
        .map(|p| text[p.from..p.to].trim())
        .collect();
    // For each group of the new text, which of the old ones it is.
    let mut order = Vec::new();
    let mut plain = Vec::new();
    for piece in pieces(&quoted, 0, quoted.len()) {
        let inner = &quoted[piece.from..piece.to];
        if !piece.group {
            plain.push((order.len(), inner.to_owned()));
            continue;
        }
        let free = |i: &usize| !order.contains(i);
        let same = (0..old.len())
            .filter(free)
            .find(|&i| old[i] == inner.trim());
        order.push(same.ok_or_else(|| wrong_groups(&old))?);
    }
    if order.len() != old.len() {
        return Err(wrong_groups(&old));
    }
    let key = |at: usize| {
        plain
            .iter()
            .filter(move |(n, _)| *n == at)
            .map(|(_, t)| t.as_str())
    };
    let written = |place: &Range<usize>| {
        let own = groups(text, place);
        let own: Vec<&str> = own
            .iter()
            .filter(|p| p.group)
            .map(|p| &text[p.from..p.to])
            .collect();
        let mut out: String = key(0).collect();
        for (n, &group) in order.iter().enumerate() {
            out.push('(');
            out.push_str(own.get(group).copied().unwrap_or_default());
            out.push(')');
            out.extend(key(n + 1));
        }
        out
    };
    let index = document.index();
    let edits: Vec<(Range<usize>, String)> = index
        .uses_of(used.name)
        .map(|u| (inside(text, &u.place), written(&u.place)))
        .collect();
    // Two phrases of one wording would be one phrase.
    let blank = |piece: &str| piece.to_owned();
    let mut wording: String = key(0).map(blank).collect();
    for (n, &group) in order.iter().enumerate() {
        wording.push('(');
        wording.push_str(&name_of_group(&name.text, group));
        wording.push(')');
        wording.extend(key(n + 1));
    }
    let taken = index.names.iter().find(|n| {
        n.sort == name.sort && n.text == wording && n.scope == name.scope && !std::ptr::eq(*n, name)
    });
    match taken {
        Some(_) => Err(format!("there is a phrase \"{new}\" already")),
        None => Ok(edits),
    }
}

/// The commas of a group of a phrase as its name has them.
fn name_of_group(name: &str, group: usize) -> String {
    let groups = name.split('(').skip(1).filter_map(|g| g.split(')').next());
    let mut groups = groups.filter(|g| g.chars().all(|c| c == ','));
    groups.nth(group).unwrap_or_default().to_owned()
}

fn wrong_groups(old: &[&str]) -> String {
    match old {
        [] => "the phrase has no arguments: write \\( for a parenthesis of its text".to_owned(),
        _ => {
            let all: Vec<String> = old.iter().map(|g| format!("({g})")).collect();
            format!(
                "the new text keeps the arguments {}, in any order",
                all.join(", ")
            )
        }
    }
}
