//! Blocks of schemes: what opens and closes them, and what is seen in them.

use super::scheme::{Block, Builder, Frame};
use super::{Class, LoopHeader, Name, Section, Sort};
use crate::algebra::Keyword;
use crate::syntax::{Lexeme, LexemeKind};

impl Builder<'_> {
    /// What stands over several lines may be folded.
    pub(super) fn fold(&mut self, from: usize, to: usize) {
        let to = from + self.text[from..to].trim_end().len();
        if self.text[from..to].contains('\n') {
            self.index.folds.push((from..to, false));
        }
    }

    pub(super) fn open(&mut self, block: Block, from: usize) {
        self.frames.push(Frame {
            block,
            from,
            names: Vec::new(),
        });
    }

    /// Closes the innermost block of a kind and those in it; nothing where there is none in this definition.
    pub(super) fn close(&mut self, block: Block, to: usize) {
        let ends = |f: &Frame| matches!(f.block, Block::Scheme | Block::Definition);
        let inner = self.frames.iter().rev().take_while(|f| !ends(f));
        let Some(depth) = inner.map(|f| f.block).position(|b| b == block) else {
            return;
        };
        let from = self.frames[self.frames.len() - 1 - depth].from;
        self.close_to(self.frames.len() - 1 - depth, to);
        self.fold(from, to);
    }

    /// Begins the next part of a block, which sees nothing of the last one.
    pub(super) fn turn(&mut self, block: Block, at: usize) {
        let from = self.frames.iter().rev().find(|f| f.block == block);
        let Some(from) = from.map(|f| f.from) else {
            return;
        };
        let before = self.index.folds.len();
        self.close(block, at);
        self.index.folds.truncate(before);
        self.open(block, from);
    }

    /// Closes blocks until so many are open.
    pub(super) fn close_to(&mut self, depth: usize, to: usize) {
        self.declare_local(to);
        while self.frames.len() > depth {
            let frame = self.frames.pop().expect("there are more");
            for &name in &frame.names {
                self.index.names[name].scope.end = to;
            }
            match frame.block {
                Block::Definition => {
                    let end = frame.from + self.text[frame.from..to].trim_end().len();
                    self.fold(frame.from, end);
                    let scheme = self.index.outline.last_mut();
                    let inner = scheme.and_then(|s| s.inner.last_mut());
                    if let Some(definition) = inner.filter(|d| d.whole.start == frame.from) {
                        definition.whole.end = end;
                        let of = |n: &&mut Name| n.whole.start == frame.from;
                        if let Some(name) = self.index.names.iter_mut().find(of) {
                            name.whole.end = end;
                        }
                    }
                }
                Block::Scheme => {
                    self.fold(frame.from, to);
                    if let Some(scheme) = self.index.outline.last_mut() {
                        scheme.whole.end = to;
                    }
                    let claims = std::mem::take(&mut self.claims);
                    let own = |n: &&mut Name| n.whole.start >= frame.from && n.whole.start < to;
                    for name in self.index.names.iter_mut().filter(own) {
                        name.claimed = claims.contains(&name.text) && !name.sort.is_quoted();
                    }
                    // Phrases and names without a declaration are those of the whole scheme.
                    for (_, name) in self.quoted.drain() {
                        self.index.names[name].scope = frame.from..to;
                    }
                    for (_, name) in self.unknown.drain() {
                        self.index.names[name].scope = frame.from..frame.from;
                    }
                }
                _ => {}
            }
            if self
                .pending_binder
                .is_some_and(|(_, d)| d > self.frames.len())
            {
                self.pending_binder = None;
            }
        }
    }

    pub(super) fn sign(&mut self, lexeme: Lexeme) {
        self.token(lexeme, Class::Sign);
        match self.text_of(lexeme) {
            "(" | "[" | "{" | "⟨" => {
                let depth = self.frames.len();
                self.open(Block::Bracket, lexeme.from);
                if let Some((name, at)) = self.pending_binder
                    && at == depth
                    && self.pending_loop.is_none()
                {
                    self.pending_binder = None;
                    self.see(name, lexeme.to);
                }
                self.header();
            }
            ")" | "]" | "}" | "⟩" => self.close(Block::Bracket, lexeme.to),
            "//" => self.turn(Block::Bracket, lexeme.to),
            ";" => {
                let depth = self.frames.len();
                if self.pending_local.is_some_and(|(_, d)| d >= depth) {
                    self.declare_local(lexeme.to);
                }
                self.in_claim = false;
            }
            _ => {}
        }
    }

    /// Takes the variable of a loop over numbers behind a bracket: `i FROM`.
    pub(super) fn header(&mut self) {
        let Some(word) = self.ahead(0).filter(|l| l.kind == LexemeKind::Word) else {
            return;
        };
        if self.keyword_ahead(1) != Some(Keyword::From) || self.section == Section::Data {
            return;
        }
        self.at += 1;
        let name = self.declare(word, Sort::LoopVariable, word.from..word.to, None);
        self.pending_binder = Some((name, self.frames.len() - 1));
    }

    pub(super) fn loop_begins(&mut self, lexeme: Lexeme) {
        let inner = |f: &Frame| f.block == Block::Bracket;
        while self.frames.last().is_some_and(inner)
            && self.frames.iter().any(|f| f.block == Block::Loop)
        {
            let depth = self.frames.len() - 1;
            self.close_to(depth, lexeme.from);
        }
        if let Some(from) = self.pending_loop.take() {
            self.index.loops.push(LoopHeader {
                from,
                to: lexeme.to,
            });
        }
        if let Some((name, _)) = self.pending_binder.take() {
            self.see(name, lexeme.to);
        }
    }
}
