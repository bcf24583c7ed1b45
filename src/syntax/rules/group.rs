//! Groups: what the grammar matched → a name and its members.

use super::grammar::{Pair, Rule};
use super::items::{GroupItem, MemberItem};
use super::reader::{Reader, Refusal};

impl<'a> Reader<'a> {
    /// `group name = rule, group, with(parameter = value);`
    pub(super) fn group(&mut self, pair: Pair<'a>, doc: String) -> Result<GroupItem, Refusal> {
        let whole = self.span_of(&pair);
        let (mut name, mut members) = (None, Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => name = Some(self.name(&part)?),
                Rule::member => self.member(part, &mut members)?,
                _ => {}
            }
        }
        let Some((name, span)) = name else {
            return self.refuse(whole, "expected a group");
        };
        Ok(GroupItem {
            name,
            span,
            doc,
            members,
        })
    }

    fn member(&mut self, pair: Pair<'a>, members: &mut Vec<MemberItem>) -> Result<(), Refusal> {
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name | Rule::quoted_name => {
                    let (name, span) = self.name(&part)?;
                    members.push(MemberItem::Named(name, span));
                }
                Rule::off => {
                    let mut inner = part.into_inner();
                    if let (Some(name), Some(value)) = (inner.next(), inner.nth(1)) {
                        let (name, span) = self.name(&name)?;
                        let value = self.integer(value)?;
                        members.push(MemberItem::Off(name, span, value));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
