//! How rule files are laid out: what the grammar matched → a gap before each token.

use super::layout::{Break, Gap, Indent, Layout};
use super::tokens::Tokens;
use crate::syntax::rules::grammar::{Pair, Rule};
use crate::syntax::rules::names::binds;
use pest::iterators::Pairs;

/// How much further the lines of what takes several ones stand.
const STEP: usize = 2;

/// More than any sign counts: how much less eagerly lines end one bracket further in.
const DEPTH: usize = 100;

/// After an opening bracket a line ends where the author ended it, or where it has no other place.
const OPENED: usize = 100 * DEPTH;

/// The layout of a rule file.
pub(super) fn layout(tokens: &Tokens<'_>, tree: Pairs<'_, Rule>) -> Layout {
    let mut rules = Rules {
        tokens,
        layout: Layout::new(tokens.all.len()),
    };
    let mut attributed = false;
    for item in tree.flat_map(Pair::into_inner) {
        let (first, end) = rules.range(&item);
        let matched = item.as_rule();
        match matched {
            Rule::semicolon => rules.gap_of(first, |gap| gap.space = false),
            Rule::EOI => {}
            _ if attributed => rules.soft(first, 0),
            _ => rules.gap_of(first, |gap| gap.breaks = Break::Always),
        }
        attributed = matched == Rule::attribute;
        let base = Base {
            first,
            arrow: 0,
            depth: 0,
        };
        rules.inside(first + 1, end, Indent::At(STEP));
        rules.visit(item, base);
    }
    rules.layout
}

/// What further lines of a rule or a strategy stand behind.
#[derive(Clone, Copy)]
struct Base {
    /// Its first token.
    first: usize,
    /// How much further its arrows stand.
    arrow: usize,
    depth: usize,
}

struct Rules<'a, 't> {
    tokens: &'a Tokens<'t>,
    layout: Layout,
}

impl Rules<'_, '_> {
    fn token(&self, from: usize) -> usize {
        self.tokens.all.partition_point(|t| t.from < from)
    }

    fn range(&self, pair: &Pair<'_>) -> (usize, usize) {
        let span = pair.as_span();
        (self.token(span.start()), self.token(span.end()))
    }

    fn gap_of(&mut self, token: usize, change: impl FnOnce(&mut Gap)) {
        if let Some(gap) = self.layout.gaps.get_mut(token) {
            change(gap);
        }
    }

    fn close_up(&mut self, token: usize) {
        self.gap_of(token, |gap| gap.space = false);
    }

    fn soft(&mut self, token: usize, level: usize) {
        self.gap_of(token, |gap| gap.breaks = Break::Soft(level));
    }

    fn indent(&mut self, token: usize, indent: Indent) {
        self.gap_of(token, |gap| {
            gap.indent = indent;
            gap.comments = indent;
        });
    }

    fn inside(&mut self, from: usize, to: usize, indent: Indent) {
        for token in from..to {
            self.indent(token, indent);
        }
    }

    /// Lays out what a rule of the grammar matched.
    fn visit(&mut self, pair: Pair<'_>, mut base: Base) {
        let (first, end) = self.range(&pair);
        let matched = pair.as_rule();
        match matched {
            Rule::rule | Rule::strategy | Rule::switches | Rule::system | Rule::domain => {
                base.first = first;
            }
            // What stands in brackets stands behind the line of the opening one, or under what follows that.
            Rule::condition => {
                base.depth += 1;
                self.inside(first + 1, end, Indent::Under(first));
            }
            Rule::binding => {
                base.depth += 1;
                self.inside(first + 1, end, Indent::Under(first + 1));
            }
            Rule::list | Rule::set | Rule::group | Rule::among => {
                base.depth += 1;
                self.inside(first + 1, end, Indent::Behind(first, STEP));
            }
            Rule::arguments | Rule::any_list | Rule::attribute => {
                base.depth += 1;
                let open = first + usize::from(matched == Rule::attribute);
                self.inside(open + 1, end, Indent::Behind(first, STEP));
            }
            Rule::at | Rule::outside | Rule::when | Rule::combined | Rule::call | Rule::member => {
                base.depth += 1;
                self.inside(first + 1, end, Indent::Behind(first, STEP));
            }
            Rule::ruleset => {
                base.depth += 1;
                self.inside(first + 1, end, Indent::Behind(first, STEP));
                let block = Break::Block(self.layout.blocks.len());
                self.layout.blocks.push((first, end - 1));
                self.gap_of(first + 2, |gap| gap.breaks = block);
                self.gap_of(end - 1, |gap| {
                    gap.breaks = block;
                    gap.indent = Indent::Behind(first, 0);
                });
            }
            _ => {}
        }
        let parts: Vec<Pair<'_>> = pair.into_inner().collect();
        let mut last = None;
        for part in parts {
            self.part(matched, &part, last, base);
            last = Some(part.as_rule());
            let within = match (matched, part.as_rule()) {
                (Rule::ruleset, Rule::entry) => Base {
                    arrow: STEP,
                    ..base
                },
                _ => base,
            };
            self.visit(part, within);
        }
    }

    /// What stands before a part, and behind it.
    fn part(&mut self, within: Rule, part: &Pair<'_>, last: Option<Rule>, base: Base) {
        let (first, end) = self.range(part);
        if first >= end {
            return;
        }
        let level = DEPTH * base.depth;
        match part.as_rule() {
            Rule::comma => {
                self.close_up(first);
                self.soft(end, level);
            }
            Rule::semicolon => {
                self.close_up(first);
                self.soft(end, level);
            }
            Rule::close | Rule::close_list | Rule::close_set if within != Rule::condition => {
                self.close_up(first);
            }
            Rule::open => {
                self.close_up(end);
                if within != Rule::ruleset {
                    self.soft(end, level + OPENED);
                }
                let apart = matches!(within, Rule::group | Rule::among | Rule::binding);
                if !apart {
                    self.close_up(first);
                }
            }
            Rule::open_list | Rule::open_set if within != Rule::condition => self.close_up(end),
            Rule::arguments | Rule::scope => self.close_up(first),
            Rule::any_arity => {
                self.close_up(first);
                self.close_up(first + 1);
            }
            Rule::any_list if within == Rule::any_arity => self.close_up(first),
            Rule::minus | Rule::plus | Rule::not | Rule::tilde => self.close_up(end),
            Rule::dot => {
                self.close_up(first);
                self.close_up(end);
            }
            Rule::up_to if within == Rule::parameter => {
                self.close_up(first);
                self.close_up(end);
            }
            Rule::colon if within == Rule::parameter => self.close_up(first),
            Rule::sign | Rule::less_minus | Rule::less_plus | Rule::modulo | Rule::among_word => {
                self.soft(first, level + usize::from(binds(part.as_str())));
            }
            Rule::bit_or | Rule::ternary => self.soft(first, level),
            Rule::or_else => self.soft(first, level + 1),
            Rule::parameter => self.inside(first, end, Indent::At(2 * STEP)),
            Rule::attribute | Rule::rule if matches!(within, Rule::entry | Rule::domain) => {
                self.soft(first, level);
            }
            Rule::sequence if within == Rule::strategy => {
                self.soft(first, 0);
                let column = Indent::At(2 * STEP);
                self.inside(first + 1, end, column);
            }
            Rule::choice if within == Rule::sequence && last.is_some() && base.depth == 0 => {
                self.indent(first, Indent::At(STEP));
            }
            Rule::condition | Rule::binding if first > base.first => {
                self.soft(first, 0);
                self.indent(first, Indent::Behind(base.first, STEP));
            }
            Rule::alternative | Rule::otherwise | Rule::arrow | Rule::or_arrow | Rule::bar
                if within != Rule::condition =>
            {
                let first_part = self.tokens.all[first].text;
                let arrow = matches!(first_part, "->" | "→" | "!->");
                self.soft(first, 0);
                let more = if arrow { base.arrow } else { STEP };
                self.indent(first, Indent::Behind(base.first, more));
                self.layout.skipped[first] = arrow || first_part == "|";
            }
            _ => {}
        }
    }
}
