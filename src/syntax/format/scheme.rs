//! How schemes are laid out: what the grammar matched → a gap before each token.

use super::layout::{Break, Gap, Indent, Layout};
use super::tokens::Tokens;
use crate::syntax::text::expression::binds;
use crate::syntax::text::grammar::{Pair, Pairs, Rule};

/// How much further a body stands than what it belongs to.
pub(super) const STEP: usize = 2;

/// More than any sign binds: how much less eagerly lines end one bracket further in.
const DEPTH: usize = 100;

/// The layout of a file of schemes or of operators.
pub(super) fn layout(tokens: &Tokens<'_>, tree: Pairs<'_>) -> Layout {
    let mut schemes = Schemes {
        tokens,
        layout: Layout::new(tokens.all.len()),
    };
    for item in tree.flat_map(Pair::into_inner) {
        match item.as_rule() {
            Rule::use_line => {
                schemes.line(&item, 0);
                schemes.rest(item, STEP);
            }
            Rule::scheme => schemes.scheme(item),
            Rule::EOI => {}
            // In a file of operators.
            _ => schemes.item(item, 0),
        }
    }
    schemes.layout
}

pub(super) struct Schemes<'a, 't> {
    tokens: &'a Tokens<'t>,
    pub(super) layout: Layout,
}

impl Schemes<'_, '_> {
    /// The first token from a byte on.
    fn token(&self, from: usize) -> usize {
        self.tokens.all.partition_point(|t| t.from < from)
    }

    /// The first token of a pair, and one past its last one.
    pub(super) fn range(&self, pair: &Pair<'_>) -> (usize, usize) {
        let span = pair.as_span();
        (self.token(span.start()), self.token(span.end()))
    }

    pub(super) fn gap(&mut self, token: usize) -> Option<&mut Gap> {
        self.layout.gaps.get_mut(token)
    }

    fn set(&mut self, token: usize, breaks: Break, indent: usize) {
        if let Some(gap) = self.gap(token) {
            gap.breaks = breaks;
            gap.indent = Indent::At(indent);
            gap.comments = Indent::At(indent);
        }
    }

    /// A pair begins a line.
    pub(super) fn line(&mut self, pair: &Pair<'_>, indent: usize) {
        let (from, to) = self.range(pair);
        if from < to {
            self.set(from, Break::Always, indent);
        }
    }

    pub(super) fn close_up(&mut self, token: usize) {
        if let Some(gap) = self.gap(token) {
            gap.space = false;
        }
    }

    fn scheme(&mut self, scheme: Pair<'_>) {
        for part in scheme.into_inner() {
            match part.as_rule() {
                Rule::opening | Rule::closing => {
                    self.line(&part, 0);
                    self.rest(part, STEP);
                }
                Rule::given | Rule::given_that => {
                    self.line(&part, 0);
                    self.rest(part, 2 * STEP);
                }
                Rule::data => self.data(part),
                Rule::sequence | Rule::flow => {
                    self.line(&part, STEP);
                    self.body(part, STEP);
                }
                Rule::WHERE | Rule::DICTIONARY => self.line(&part, 0),
                _ => self.item(part, STEP),
            }
        }
    }

    fn data(&mut self, data: Pair<'_>) {
        for part in data.into_inner() {
            match part.as_rule() {
                Rule::DATA => self.line(&part, 0),
                Rule::END_OF_DATA => {
                    self.line(&part, 0);
                    let (from, _) = self.range(&part);
                    if let Some(gap) = self.gap(from) {
                        gap.comments = Indent::At(STEP);
                    }
                }
                _ => self.item(part, STEP),
            }
        }
    }

    /// An item of DATA, a definition or an entry of a dictionary, which stands at a column.
    fn item(&mut self, part: Pair<'_>, indent: usize) {
        match part.as_rule() {
            Rule::semicolon => self.rest(part, indent),
            Rule::variables => {
                self.line(&part, indent);
                let colon = part
                    .clone()
                    .into_inner()
                    .find(|p| p.as_rule() == Rule::colon);
                self.rest(part, indent + STEP);
                let colon = colon.map(|colon| self.range(&colon).0);
                if let Some(gap) = colon.and_then(|colon| self.gap(colon)) {
                    gap.column = true;
                }
            }
            Rule::define | Rule::define_test => self.definition(part, indent),
            Rule::basic_of | Rule::basic_test => self.basic(part, indent),
            Rule::entry => self.entry(part, indent),
            Rule::given_data | Rule::given_definitions | Rule::given_entries => {
                self.given(part, indent);
            }
            _ => {
                self.line(&part, indent);
                let claims = part.as_rule() == Rule::assume;
                self.rest(part.clone(), indent + STEP);
                // `independent (i)` is no function.
                if claims && let Some(gap) = self.gap(self.range(&part).0 + 2) {
                    gap.space = true;
                }
            }
        }
    }

    /// A part of DATA, WHERE or DICTIONARY that stands for a choice.
    fn given(&mut self, given: Pair<'_>, indent: usize) {
        self.line(&given, indent);
        self.set_rest(&given, indent + 2 * STEP);
        for part in given.into_inner() {
            match part.as_rule() {
                Rule::data_items | Rule::definitions | Rule::entries => {
                    for item in part.into_inner() {
                        self.item(item, indent + STEP);
                    }
                }
                Rule::ELSE | Rule::END_OF_GIVEN => {
                    self.line(&part, indent);
                    let (from, _) = self.range(&part);
                    if let Some(gap) = self.gap(from) {
                        gap.comments = Indent::At(indent + STEP);
                    }
                }
                _ => self.part(part, 0),
            }
        }
    }

    /// A definition: on one line, or its head and its body on lines of their own.
    fn definition(&mut self, definition: Pair<'_>, indent: usize) {
        self.line(&definition, indent);
        let (first, end) = self.range(&definition);
        self.set_inside(first + 1, end, indent + STEP);
        let block = self.layout.blocks.len();
        self.layout.blocks.push((first, end - 1));
        for part in definition.into_inner() {
            if let Rule::sequence | Rule::flow | Rule::expression = part.as_rule() {
                let (from, to) = self.range(&part);
                if from < to {
                    self.block(from, block, indent + STEP);
                }
                self.body(part, indent + STEP);
            }
        }
    }

    fn entry(&mut self, entry: Pair<'_>, indent: usize) {
        self.line(&entry, indent);
        for part in entry.into_inner() {
            if part.as_rule() == Rule::language {
                self.line(&part, indent + STEP);
            }
        }
    }

    /// Operators in order, nodes or a predicate, which stand at a column.
    pub(super) fn body(&mut self, body: Pair<'_>, indent: usize) {
        match body.as_rule() {
            Rule::sequence => self.sequence(body, indent),
            Rule::flow => {
                for node in body.into_inner() {
                    self.node(node, indent);
                }
            }
            _ => {
                self.set_rest(&body, indent + STEP);
                self.expression(body, 0);
            }
        }
    }

    fn sequence(&mut self, sequence: Pair<'_>, indent: usize) {
        let mut before: Option<usize> = None;
        for part in sequence.into_inner() {
            let (from, to) = self.range(&part);
            match part.as_rule() {
                Rule::semicolon => {
                    self.set_inside(from, to, indent + STEP);
                    self.close_up(from);
                }
                Rule::THEN => self.set_inside(from, to, indent + STEP),
                _ => {
                    if let Some(before) = before.filter(|_| from < to) {
                        self.set(from, Break::Between, indent);
                        self.layout.between.push((before, from, to - 1));
                    }
                    before = Some(from);
                    self.operator(part, indent);
                }
            }
        }
    }

    /// The choice that is all that stands after ELSE, on the line of that.
    fn choice_after<'p>(&self, body: &Pair<'p>) -> Option<Pair<'p>> {
        let (first, _) = self.range(body);
        let mut inner = body.clone().into_inner();
        let choice = inner.next().filter(|p| p.as_rule() == Rule::if_)?;
        let token = self.tokens.all.get(first)?;
        let joined = token.place.lines == 0 && token.comments.is_empty();
        (inner.next().is_none() && joined).then_some(choice)
    }

    /// An operator that stands at a column.
    fn operator(&mut self, operator: Pair<'_>, indent: usize) {
        let (from, to) = self.range(&operator);
        let rule = operator.as_rule();
        let further = match rule {
            Rule::for_ | Rule::parallel_loop => 5,
            Rule::if_ | Rule::while_ | Rule::lanes => 2 * STEP,
            _ => STEP,
        };
        self.set_inside(from + 1, to, indent + further);
        let block = self.layout.blocks.len();
        let mut has_body = false;
        // Whether a body has just ended, before what ends the construct or goes on with it.
        let mut after_body = false;
        let mut last = rule;
        for part in operator.into_inner() {
            let (first, end) = self.range(&part);
            if part.as_rule() == Rule::sequence
                && last == Rule::ELSE
                && let Some(choice) = self.choice_after(&part)
            {
                // Choices one after the other stand at one column, and end together.
                self.operator(choice, indent);
                after_body = false;
                continue;
            }
            last = part.as_rule();
            if after_body && first < end {
                self.block(first, block, indent);
                if let Some(gap) = self.gap(first) {
                    gap.comments = Indent::At(indent + STEP);
                }
                after_body = false;
                continue;
            }
            match part.as_rule() {
                Rule::sequence | Rule::flow => {
                    if !has_body {
                        self.layout.blocks.push((from, to - 1));
                        has_body = true;
                    }
                    if first < end {
                        self.block(first, block, indent + STEP);
                    }
                    self.body(part, indent + STEP);
                    after_body = true;
                }
                Rule::TO | Rule::STEP => {
                    self.set_soft(first, 0);
                }
                _ => self.part(part, 0),
            }
        }
    }

    /// A token stands between a construct and its body.
    pub(super) fn block(&mut self, token: usize, block: usize, indent: usize) {
        self.set(token, Break::Block(block), indent);
        if let Some(gap) = self.gap(token) {
            gap.space = true;
        }
    }

    /// A node, which stands at a column.
    fn node(&mut self, node: Pair<'_>, indent: usize) {
        self.line(&node, indent);
        self.set_rest(&node, indent + STEP);
        for part in node.into_inner() {
            let (first, _) = self.range(&part);
            match part.as_rule() {
                Rule::colon => self.close_up(first),
                Rule::asks => {
                    for part in part.into_inner() {
                        self.part(part, 0);
                    }
                }
                Rule::acts => {
                    for part in part.into_inner() {
                        match part.as_rule() {
                            Rule::NEXT | Rule::edge => {}
                            _ => self.operator(part, indent + STEP),
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// What does not begin a line: its further lines stand at a column.
    fn rest(&mut self, pair: Pair<'_>, indent: usize) {
        self.set_rest(&pair, indent);
        for part in pair.into_inner() {
            self.part(part, 0);
        }
    }

    pub(super) fn set_rest(&mut self, pair: &Pair<'_>, indent: usize) {
        let (from, to) = self.range(pair);
        self.set_inside(from + 1, to, indent);
    }

    /// Where a comment ends a line between tokens, what follows stands at a column.
    fn set_inside(&mut self, from: usize, to: usize, indent: usize) {
        for token in from..to {
            self.set(token, Break::Never, indent);
        }
    }

    fn set_soft(&mut self, token: usize, level: usize) {
        if let Some(gap) = self.gap(token) {
            gap.breaks = Break::Soft(level);
        }
    }

    /// A sign, a bracket or a part of a construct or a line of DATA.
    pub(super) fn part(&mut self, part: Pair<'_>, depth: usize) {
        let (first, end) = self.range(&part);
        match part.as_rule() {
            Rule::expression => self.expression(part, depth),
            Rule::comma => {
                self.close_up(first);
                self.set_soft(end, DEPTH * depth);
            }
            Rule::close | Rule::close_index | Rule::close_brace => self.close_up(first),
            Rule::open_brace => self.close_up(end),
            Rule::up_to => {
                self.close_up(first);
                self.close_up(end);
            }
            Rule::given_condition | Rule::given_range | Rule::given_value | Rule::given_number => {
                self.parts(part, depth);
            }
            Rule::semicolon => self.close_up(first),
            Rule::open | Rule::open_index => self.close_up(end),
            Rule::minus => self.close_up(end),
            Rule::not if self.tokens.all[first].text == "¬" => self.close_up(end),
            Rule::not if self.tokens.all[first].text == "!" => self.close_up(end),
            Rule::sign | Rule::OR | Rule::AND | Rule::MOD => {
                self.set_soft(first, DEPTH * depth + usize::from(binds(&part)));
            }
            Rule::becomes | Rule::plus_becomes | Rule::min_becomes | Rule::max_becomes => {
                self.set_soft(end, DEPTH * (depth + 1) - 1)
            }
            Rule::subscripts => {
                self.close_up(first);
                self.parts(part, depth + 1);
            }
            Rule::field => {
                self.close_up(first);
                self.close_up(first + 1);
            }
            Rule::group | Rule::arguments | Rule::dims | Rule::values => {
                self.parts(part, depth + 1)
            }
            Rule::options | Rule::option | Rule::target | Rule::after => self.parts(part, depth),
            _ => {}
        }
    }

    fn parts(&mut self, whole: Pair<'_>, depth: usize) {
        for part in whole.into_inner() {
            self.part(part, depth);
        }
    }

    fn expression(&mut self, expression: Pair<'_>, depth: usize) {
        let mut named = false;
        for part in expression.into_inner() {
            let (first, _) = self.range(&part);
            let rule = part.as_rule();
            if rule == Rule::arguments && named {
                self.close_up(first);
            }
            named = matches!(rule, Rule::name | Rule::letter_k);
            self.part(part, depth);
        }
    }
}
