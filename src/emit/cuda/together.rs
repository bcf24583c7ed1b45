//! All rounds of a recorded loop in one launch, whose blocks wait for each other → CUDA C++.
//!
//! What a round launches is a part of one kernel then: its blocks are shared out among those that the device
//! has at once, and all of these meet before the next part begins. Between two parts there is no host, no launch
//! and no copy.

use super::parts::{Part, launched_before, may_be_first};
use super::printer::Printer;
use super::recorded::recorded_loop;
use crate::emit::plan::{self, Act, Expr, Kernel, Stmt, Var};
use crate::emit::text::comment;
use std::collections::BTreeSet;

/// The parts of a round.
#[derive(Clone, Debug)]
pub(super) struct Round {
    /// How many threads each block has.
    width: i64,
    /// What each part's number of blocks is called, if the host finds it before the loop; in order.
    blocks: Vec<Option<String>>,
    /// How many parts are printed.
    printed: usize,
}

impl Printer<'_> {
    /// The kernels that take all rounds of loops.
    pub(super) fn rounds_kernels(&mut self) {
        let mut loops: Vec<(usize, &[Stmt])> = Vec::new();
        plan::each_statement(&self.plan.body, &mut |s| {
            if let Act::Recorded {
                asking: Some(number),
                body,
                ..
            } = &s.act
                && let Some((_, launches, _)) = recorded_loop(body)
            {
                loops.push((*number, launches));
            }
        });
        for (number, launches) in loops {
            let Some(parts) = self.parts_of(launches) else {
                continue;
            };
            self.rounds_kernel(number, launches, &parts);
            self.uses.extend(["multiprocessors", "together"]);
            self.together.insert(number);
        }
    }

    /// Prints the kernel that takes all rounds of a loop.
    fn rounds_kernel(&mut self, number: usize, launches: &[Stmt], parts: &[Part]) {
        let asking = &self.plan.asking[number];
        let Some(Act::Filter(condition)) = asking.kernel.body.first().map(|s| &s.act) else {
            return;
        };
        let all = self.together_with(number, launches, parts);
        let width = parts.iter().map(|p| p.threads).max().unwrap_or(1);
        let blocks = self.blocks_names(parts);
        let outer = std::mem::take(&mut self.references);
        let origin = self.lines.set_origin(Some(asking.kernel.origin));
        self.kernel = true;
        let counts = blocks.iter().flatten().map(|b| format!("int64_t {b}"));
        let parameters: Vec<String> = counts
            .chain(self.parameters_of(&all, |array| !array.written))
            .collect();
        self.lines.line("// All rounds of a loop.");
        let head = format!(
            "__global__ void __launch_bounds__({width}) {}(",
            asking.rounds
        );
        self.lines.filled_call(&head, &parameters, ") {");
        self.lines.open_silently();
        self.assume_aligned(&all.arrays);
        self.round = Some(Round {
            width,
            blocks,
            printed: 0,
        });
        let mut inner = self.lines.inner();
        inner.open_silently();
        let lines = std::mem::replace(&mut self.lines, inner);
        self.block(launches);
        let mut goes_on = String::new();
        let fails = self.fails_in(|p| goes_on = p.any(condition))
            || parts.iter().any(|p| self.failing.contains(&p.number));
        let body = std::mem::replace(&mut self.lines, lines);
        self.round = None;
        let mut earlier = BTreeSet::new();
        launched_before(&self.plan.body, number, &mut earlier);
        if fails || !self.failing.is_disjoint(&earlier) {
            self.uses.insert("fault");
            goes_on = format!("unless_fault({goes_on})");
        }
        let reached = |array: Var| asking.kernel.arrays.iter().any(|a| a.var == array);
        let first = may_be_first(launches, parts).iter();
        let mut written = first.flat_map(|p| &p.kernel.arrays).filter(|a| a.written);
        if fails || written.any(|a| reached(a.var)) {
            // All ask before a part of the next round can change the answer.
            let name = self.extra("goes_on");
            self.lines
                .open(format!("for (bool {name} = true; {name};) {{"));
            self.lines.append(body);
            self.lines.line(format!("{name} = {goes_on};"));
            self.lines.line("wait_for_blocks();");
            self.lines.close("}");
        } else {
            self.lines.open("do {");
            self.lines.append(body);
            self.lines.close(format!("}} while ({goes_on});"));
        }
        self.lines.close("}");
        self.lines.line("");
        self.lines.set_origin(origin);
        self.kernel = false;
        self.references = outer;
    }

    /// What the numbers of blocks are called that the host finds before the loop.
    fn blocks_names(&self, parts: &[Part]) -> Vec<Option<String>> {
        let numbered = parts.iter().enumerate();
        let name = |(k, part): (usize, &Part)| {
            (!part.inner).then(|| self.extra(&format!("blocks_{}", k + 1)))
        };
        numbered.map(name).collect()
    }

    /// Prints a launch as a part of a round.
    pub(super) fn launch_as_part(&mut self, kernel: &Kernel, blocks: &Expr, threads: i64) {
        let Some(round) = &mut self.round else { return };
        let (width, name) = (round.width, round.blocks[round.printed].clone());
        round.printed += 1;
        let end = name.unwrap_or_else(|| self.any(blocks));
        let at = self.extra("at");
        if let Some(phrase) = &kernel.phrase {
            self.lines.line(format!("// {}", comment(phrase)));
        }
        self.lines.open(format!(
            "for (int64_t {at} = blockIdx.x; {at} < {end}; {at} += gridDim.x) {{"
        ));
        if threads < width {
            self.lines.open(format!("if (threadIdx.x < {threads}) {{"));
            self.part_of_block = Some(threads);
        }
        self.shared(kernel);
        let known = [
            format!("(int){at}"),
            "(int)threadIdx.x".to_owned(),
            format!("(int)({end})"),
            threads.to_string(),
        ];
        self.indices(kernel, &known);
        self.block(&kernel.body);
        if threads < width {
            self.part_of_block = None;
            self.lines.close("}");
        }
        if !kernel.shared.is_empty() {
            // The next block has the same memory.
            self.lines.line("__syncthreads();");
        }
        self.lines.close("}");
        self.lines.line("wait_for_blocks();");
    }

    /// Prints what starts the launch that takes all rounds of a loop, and says whether there is one.
    pub(super) fn start_together(&mut self, number: usize, launches: &[Stmt]) {
        let Some(parts) = self.parts_of(launches) else {
            return;
        };
        let all = self.together_with(number, launches, &parts);
        let width = parts.iter().map(|p| p.threads).max().unwrap_or(1);
        let counts = parts.iter().map(|p| match p.inner {
            true => "ANY_NUMBER".to_owned(),
            false => self.any(p.blocks),
        });
        let list: Vec<String> = counts.collect();
        let known = parts.iter().zip(&list).filter(|(p, _)| !p.inner);
        let mut arguments = vec![
            self.plan.asking[number].rounds.clone(),
            width.to_string(),
            self.stream_name(),
            format!("{{{}}}", list.join(", ")),
        ];
        arguments.extend(known.map(|(_, count)| count.clone()));
        arguments.extend(self.arguments(&all));
        self.lines
            .filled_call("return launch_together(", &arguments, ");");
    }
}
