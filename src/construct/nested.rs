//! Definitions of WHERE, and of its parts that stand for a choice: where each stands, and the text without it.

use super::made::Made;
use super::regions::{Region, Regions, Wanted};
use crate::algebra::{Construct, Keyword};
use crate::diagnostic::Diagnostic;
use crate::syntax::{Lexeme, LexemeKind};
use crate::term::Id;

/// A definition, and the parts that are GIVEN around it, the outermost first.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) definition: Id,
    pub(super) around: Vec<Id>,
}

impl Regions<'_> {
    /// All definitions, in order.
    pub(super) fn placed(&self) -> Vec<Placed> {
        let mut found = Vec::new();
        let mut open: Vec<(Id, Vec<Id>)> = Vec::new();
        open.extend(self.definitions().into_iter().map(|id| (id, Vec::new())));
        open.reverse();
        while let Some((id, around)) = open.pop() {
            let branches = self.branches(id);
            if branches.is_empty() {
                found.push(Placed {
                    definition: id,
                    around,
                });
                continue;
            }
            let mut inside = around;
            inside.push(id);
            let items = branches.iter().flat_map(|&branch| self.items_of(branch));
            let items: Vec<Id> = items.collect();
            open.extend(items.into_iter().rev().map(|item| (item, inside.clone())));
        }
        found
    }

    /// What a part that is GIVEN may be; nothing of a definition.
    fn branches(&self, id: Id) -> Vec<Id> {
        match (self.construct(id), self.terms.args(id)) {
            (Some(Construct::GivenIf), &[_, yes, no]) => vec![yes, no],
            (Some(Construct::GivenFor), &[_, _, _, body]) => vec![body],
            _ => Vec::new(),
        }
    }

    /// What stands in a branch.
    fn items_of(&self, branch: Id) -> Vec<Id> {
        match self.construct(branch) {
            Some(Construct::Where) => self.terms.args(branch).to_vec(),
            Some(Construct::Empty) => Vec::new(),
            _ => vec![branch],
        }
    }

    /// What stands beside a definition or a part, itself among it.
    fn beside(&self, id: Id, around: &[Id]) -> Vec<Id> {
        let Some(&part) = around.last() else {
            return self.definitions();
        };
        let lists = self.branches(part).into_iter().map(|b| self.items_of(b));
        lists
            .into_iter()
            .find(|items| items.contains(&id))
            .unwrap_or_default()
    }

    /// The definition of a phrase, a declaration among them.
    ///
    /// # Errors
    ///
    /// A phrase that has several, of which nobody can tell which is meant.
    pub(super) fn definition(&self, wanted: &Wanted) -> Result<Option<Placed>, Vec<Diagnostic>> {
        let is_meant = |placed: &Placed| {
            let args = self.terms.args(placed.definition);
            let name = args.first().and_then(|&n| self.terms.as_text(n));
            let construct = self.construct(placed.definition);
            name == Some(wanted.name) && construct.is_some_and(|c| wanted.fits(c))
        };
        let mut found = self.placed().into_iter().filter(is_meant);
        let (first, second) = (found.next(), found.next());
        let (Some(one), Some(other)) = (&first, second) else {
            return Ok(first);
        };
        let is_given = !one.around.is_empty() || !other.around.is_empty();
        let span = |placed: &Placed| self.terms.span(self.terms.arg(placed.definition, 0));
        let message = format!(
            "{} is defined more than once{}",
            wanted.quoted(self.is_predicate(one)),
            if is_given { ", for what is GIVEN" } else { "" }
        );
        let diagnostic = Diagnostic::error("E0367", message)
            .at(span(one))
            .also(span(&other), "defined here, too")
            .hint("which of them is meant cannot be told: change them in the file");
        Err(vec![diagnostic])
    }

    /// Whether a definition is that of a predicate.
    pub(super) fn is_predicate(&self, placed: &Placed) -> bool {
        let construct = self.construct(placed.definition);
        matches!(
            construct,
            Some(Construct::DefineTest | Construct::BasicTest)
        )
    }

    /// Where a definition stands.
    pub(super) fn region(&self, placed: &Placed) -> Option<Region> {
        self.region_of(placed.definition, &placed.around)
    }

    fn region_of(&self, id: Id, around: &[Id]) -> Option<Region> {
        let from = self.from(id)?;
        let head = self.items.iter().position(|l| l.from == from)?;
        let others = self.beside(id, around);
        let others = others.into_iter().filter_map(|other| self.from(other));
        let next = others.filter(|&at| at > from).min();
        let to = self.terms.span(id).map_or(from, |s| s.to as usize);
        let closes = |l: &&Lexeme| {
            let is_word = |word| l.kind == LexemeKind::Keyword(word);
            l.from >= to && (is_word(Keyword::Else) || is_word(Keyword::EndOfGiven))
        };
        // The ELSE of the part around, or its end.
        let close = self.items.iter().find(closes).map(|l| l.from);
        let close = close.filter(|_| !around.is_empty());
        let limit = next.into_iter().chain(close).min().unwrap_or(self.end);
        let last = self.last_token_before(limit)?;
        Some(Region {
            first: self.with_comments_above(head),
            head,
            last: self.with_comment_behind(last),
        })
    }

    /// The text without a definition, and without the parts around it that hold nothing else; comments of these.
    pub(super) fn without(&self, placed: &Placed) -> Option<(Made, String)> {
        let own = self.region(placed)?;
        let all = self.placed();
        let others = |part: Id| {
            let holds = |p: &&Placed| p.around.contains(&part);
            all.iter().filter(holds).count() - 1
        };
        let (mut id, mut around) = (placed.definition, &placed.around[..]);
        while let Some((&part, outer)) = around.split_last() {
            if others(part) > 0 {
                break;
            }
            (id, around) = (part, outer);
        }
        let region = match id == placed.definition {
            true => own,
            // Comments above a part stay.
            false => {
                let region = self.region_of(id, around)?;
                Region {
                    first: region.head,
                    ..region
                }
            }
        };
        let mut comments = String::new();
        for (number, item) in self.items.iter().enumerate().take(region.last + 1) {
            let is_own = own.first <= number && number <= own.last;
            if number >= region.first && item.kind == LexemeKind::Comment && !is_own {
                comments.push_str(&format!("{}\n", item.text(self.text).trim_end()));
            }
        }
        Some((
            self.cut(region, &self.beside(id, around), around.is_empty()),
            comments,
        ))
    }

    /// The text without a region, which stands among some others; at the top, WHERE goes with the last of them.
    fn cut(&self, region: Region, beside: &[Id], is_top: bool) -> Made {
        let items = &self.items;
        let (from, to) = (items[region.first].from, items[region.last].to);
        let before = |item: usize| item.checked_sub(1).map_or(0, |b| items[b].to);
        let starts: Vec<usize> = beside.iter().filter_map(|&d| self.from(d)).collect();
        let head = items[region.head].from;
        let mut kept = Vec::new();
        if starts.iter().any(|&at| at > head) {
            // What follows takes its place.
            let next = items.get(region.last + 1).map_or(to, |l| l.from);
            kept.extend([0..from, next..self.text.len()]);
        } else {
            let word = self.word_where().filter(|_| is_top && starts.len() == 1);
            match word {
                Some(word) => kept.extend([0..before(word), items[word].to..before(region.first)]),
                None => kept.push(0..before(region.first)),
            }
            kept.push(to..self.text.len());
        }
        let mut made = Made::default();
        for range in kept {
            made.copy(self.file, self.text, range);
        }
        made
    }
}
