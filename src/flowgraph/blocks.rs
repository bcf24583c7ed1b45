//! Blocks: what regularization works on, with the questions it asks.

use super::graph::{Flow, Node, Target};
use crate::term::{Id, Terms};

/// Where a block leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    Go(Target),
    Ask(Id, Target, Target),
}

impl End {
    pub fn targets(self) -> impl Iterator<Item = Target> {
        let (first, second) = match self {
            End::Go(next) => (next, None),
            End::Ask(_, yes, no) => (yes, Some(no)),
        };
        std::iter::once(first).chain(second)
    }
}

/// Operators in order, and where they lead.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub code: Vec<Id>,
    pub end: End,
}

/// An edge: the block that it leaves, and whether it is the one of a predicate that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub from: u32,
    pub is_no: bool,
}

/// Blocks and edges between them.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub all: Vec<Block>,
}

/// A set of blocks.
#[derive(Clone, Debug)]
pub(super) struct Set {
    members: Vec<bool>,
    /// In the order in which they were found.
    pub list: Vec<u32>,
}

impl Set {
    pub fn new(blocks: usize) -> Set {
        Set {
            members: vec![false; blocks],
            list: Vec::new(),
        }
    }

    pub fn has(&self, block: u32) -> bool {
        self.members.get(block as usize) == Some(&true)
    }

    pub fn holds(&self, target: Target) -> bool {
        target.is_some_and(|t| self.has(t))
    }

    /// Adds a block; whether it is new.
    pub fn add(&mut self, block: u32) -> bool {
        let new = !std::mem::replace(&mut self.members[block as usize], true);
        if new {
            self.list.push(block);
        }
        new
    }
}

impl Blocks {
    /// A block for each node; operators that only follow each other are one block. `inside` makes the
    /// operator of a node that acts.
    pub fn of(flow: &Flow, mut inside: impl FnMut(Id, &[Flow]) -> Id) -> (Blocks, Target) {
        let block = |node: &Node| match node {
            Node::Act {
                operator,
                bodies,
                next,
            } => Block {
                code: vec![inside(*operator, bodies)],
                end: End::Go(*next),
            },
            Node::Ask { condition, yes, no } => Block {
                code: Vec::new(),
                end: End::Ask(*condition, *yes, *no),
            },
        };
        let mut blocks = Blocks {
            all: flow.nodes.iter().map(block).collect(),
        };
        blocks.merge(flow.entry);
        (blocks, flow.entry)
    }

    fn merge(&mut self, entry: Target) {
        let mut leads = vec![0u32; self.all.len()];
        for target in entry.into_iter().chain(
            self.all
                .iter()
                .flat_map(|b| b.end.targets().flatten().collect::<Vec<_>>()),
        ) {
            leads[target as usize] += 1;
        }
        for at in 0..self.all.len() {
            while let End::Go(Some(next)) = self.all[at].end
                && next as usize != at
                && leads[next as usize] == 1
            {
                let code = std::mem::take(&mut self.all[next as usize].code);
                self.all[at].code.extend(code);
                self.all[at].end = self.all[next as usize].end;
                // Nothing leads there any more.
                leads[next as usize] = 0;
                self.all[next as usize].end = End::Go(None);
            }
        }
    }

    pub fn end(&self, block: u32) -> End {
        self.all[block as usize].end
    }

    pub fn add(&mut self, block: Block) -> u32 {
        self.all.push(block);
        (self.all.len() - 1) as u32
    }

    /// The edges of a block, with where they lead.
    pub fn edges(&self, from: u32) -> impl Iterator<Item = (Edge, Target)> {
        let targets = self.end(from).targets().enumerate();
        targets.map(move |(i, target)| {
            (
                Edge {
                    from,
                    is_no: i == 1,
                },
                target,
            )
        })
    }

    pub fn lead(&mut self, edge: Edge, to: Target) {
        match (&mut self.all[edge.from as usize].end, edge.is_no) {
            (End::Go(next), _) => *next = to,
            (End::Ask(_, yes, _), false) => *yes = to,
            (End::Ask(_, _, no), true) => *no = to,
        }
    }

    /// Blocks that are reached from one, itself among them, up to another one.
    pub fn reached(&self, from: Target, exit: Target) -> Set {
        let mut set = Set::new(self.all.len());
        let mut work: Vec<u32> = from.into_iter().filter(|_| from != exit).collect();
        while let Some(block) = work.pop() {
            if set.add(block) {
                let next = self.end(block).targets().filter(|&t| t != exit);
                work.extend(next.flatten());
            }
        }
        set
    }

    /// The blocks on the cycles through a block that do not pass another one.
    pub fn component(&self, block: u32, exit: Target) -> Set {
        let from = self.reached(Some(block), exit);
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.all.len()];
        for &one in &from.list {
            for target in self.end(one).targets().filter(|&t| t != exit).flatten() {
                before[target as usize].push(one);
            }
        }
        let mut set = Set::new(self.all.len());
        let mut work = before[block as usize].clone();
        while let Some(one) = work.pop() {
            if set.add(one) {
                work.extend(before[one as usize].iter().copied());
            }
        }
        // Without a way back to it there is no circle.
        if !set.has(block) {
            return Set::new(self.all.len());
        }
        set
    }

    /// How many nodes of terms the operators of a block have.
    pub fn size(&self, terms: &Terms, block: u32) -> usize {
        let block = &self.all[block as usize];
        let asked = match block.end {
            End::Ask(condition, ..) => 1 + terms.size(condition),
            End::Go(_) => 0,
        };
        block.code.iter().map(|&c| terms.size(c)).sum::<usize>() + asked
    }
}
