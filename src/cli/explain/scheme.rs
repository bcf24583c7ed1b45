//! Lines of schemes: what became of the loops around them, what would change that, and what it would gain.

use super::Args;
use crate::cli::output::{Done, Output, Stop};
use crate::pipeline::bench::{Bench, Clock, Row};
use crate::pipeline::{Becomes, Change, Source, Target, Under, Why, WhyLoop, why};
use indexmap::IndexSet;
use serde_json::{Value, json};

/// The default strategies of a processor and of a device.
const STRATEGIES: [&str; 2] = ["cpu", "gpu"];

/// Why the loops around a line are as they are.
pub(super) fn explain(args: &Args, file: &str, number: usize, output: &mut Output) -> Done {
    let target = args.measure.then(|| args.target.resolved());
    let strategies: Vec<String> = match (args.strategy.is_empty(), target) {
        (false, _) => args.strategy.clone(),
        (true, Some(target)) => vec![target.strategy().to_owned()],
        (true, None) => STRATEGIES.map(str::to_owned).to_vec(),
    };
    let strategies: Vec<String> = IndexSet::<String>::from_iter(strategies)
        .into_iter()
        .collect();
    let options = args.common.options();
    let source = Source::Path(file);
    let told = why(source, number, &strategies, &options, &mut output.session)?;
    let mut gains = Vec::new();
    if let Some(target) = target {
        for (strategy, change) in changes(&told) {
            let Some(changed) = change.done(&options) else {
                continue;
            };
            let rows = bench(args, target, strategy).gain(source, &changed, &mut output.session)?;
            gains.push(Gain {
                strategy,
                change,
                rows,
            });
        }
    }
    let done = match gains.iter().any(Gain::differs) {
        true => Err(Stop::Code(1)),
        false => Ok(()),
    };
    if args.json {
        output.json(&object(&told, target, &gains))?;
        return done;
    }
    if target.is_some() && gains.is_empty() {
        output.say("note: no change is named that could be measured");
    }
    output.print(&page(&told, target, &gains))?;
    done
}

/// What a change gained under a strategy.
struct Gain<'a> {
    strategy: &'a str,
    change: &'a Change,
    /// Without it and with it.
    rows: [Row; 2],
}

impl Gain<'_> {
    fn differs(&self) -> bool {
        let compared = self.rows[1].outcome.compared.as_ref();
        compared.is_some_and(|compared| !compared.passed)
    }
}

/// The changes that are named, each once for a strategy.
fn changes(told: &Why) -> Vec<(&str, &Change)> {
    let mut all: Vec<(&str, &Change)> = Vec::new();
    let under = told.loops.iter().flat_map(|l| &l.under);
    for under in under {
        for becomes in &under.becomes {
            if let Becomes::Stays {
                change: Some(change),
                ..
            } = becomes
                && !all.contains(&(&under.strategy, change))
            {
                all.push((&under.strategy, change));
            }
        }
    }
    all
}

fn bench(args: &Args, target: Target, strategy: &str) -> Bench {
    Bench {
        targets: Vec::new(),
        strategies: Vec::new(),
        pairs: vec![(target, strategy.to_owned())],
        options: args.common.options(),
        inputs: args.input.inputs(),
        runs: args.runs,
        warmup: 1,
        compare: true,
        tolerance: None,
        ablate: false,
        groups: Vec::new(),
        instructions: false,
        clock: Clock::default(),
        plot: false,
    }
}

/// The answer in plain words.
fn page(told: &Why, target: Option<Target>, gains: &[Gain<'_>]) -> String {
    let mut page = format!("{}:{}: {}\n", told.file, told.line, told.text);
    for operator in &told.operators {
        page.push_str(&format!("  {operator}\n"));
    }
    for (number, of) in told.loops.iter().enumerate() {
        let inner = if number == 0 { "" } else { "within " };
        page.push_str(&format!("\n{inner}the loop over {}", of.variable));
        if (&of.file, of.line) != (&told.file, told.line) {
            page.push_str(&format!(" at {}:{}", of.file, of.line));
        }
        page.push('\n');
        for fact in &of.facts {
            page.push_str(&format!("  {fact}\n"));
        }
        for under in &of.under {
            page.push_str(&format!("  strategy {}: ", under.strategy));
            page.push_str(&told_of(of, under));
        }
    }
    for gain in gains {
        let [before, after] = &gain.rows;
        let target = target.map_or("", Target::name);
        page.push_str(&format!(
            "\n{}, strategy {}, {target}: {} instead of {}, {:.2} times as fast\n",
            gain.change.flags().unwrap_or_default(),
            gain.strategy,
            seconds(after.body.median),
            seconds(before.body.median),
            after.ratio,
        ));
        if gain.differs() {
            page.push_str("  THE RESULTS DIFFER: what that says does not hold for these data\n");
        }
    }
    page.trim_end().to_owned()
}

/// What became of a loop under a strategy, in a line or more.
fn told_of(of: &WhyLoop, under: &Under) -> String {
    let mut text = String::new();
    let mut becomes: Vec<String> = under.becomes.iter().map(Becomes::to_string).collect();
    becomes.dedup();
    if becomes.is_empty() {
        becomes.push(format!("nothing is left of the loop over {}", of.variable));
    }
    text.push_str(&becomes.join("; "));
    text.push('\n');
    if !under.rules.is_empty() {
        text.push_str(&format!(
            "    rules applied to it: {}\n",
            under.rules.join(", ")
        ));
    }
    let mut told: Vec<&Change> = Vec::new();
    for becomes in &under.becomes {
        if let Becomes::Stays {
            change: Some(change),
            ..
        } = becomes
            && !told.contains(&change)
        {
            told.push(change);
            text.push_str(&format!("    to change that: {change}\n"));
        }
    }
    text
}

/// Seconds as they are read.
fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.3} s"),
    }
}

fn object(told: &Why, target: Option<Target>, gains: &[Gain<'_>]) -> Value {
    let becomes = |becomes: &Becomes| -> Value {
        let change = match becomes {
            Becomes::Stays { change, .. } => change.as_ref(),
            _ => None,
        };
        json!({
            "becomes": becomes.to_string(),
            "change": change.map(Change::to_string),
            "flags": change.and_then(Change::flags),
        })
    };
    let under = |under: &Under| -> Value {
        json!({
            "strategy": under.strategy,
            "loops": under.becomes.iter().map(becomes).collect::<Vec<_>>(),
            "rules": under.rules,
        })
    };
    let one = |of: &WhyLoop| -> Value {
        json!({
            "variable": of.variable,
            "file": of.file,
            "line": of.line,
            "facts": of.facts,
            "under": of.under.iter().map(under).collect::<Vec<_>>(),
        })
    };
    let gain = |gain: &Gain<'_>| -> Value {
        json!({
            "strategy": gain.strategy,
            "flags": gain.change.flags(),
            "seconds": gain.rows[0].body.median,
            "seconds_changed": gain.rows[1].body.median,
            "ratio": gain.rows[1].ratio,
            "results_differ": gain.differs(),
        })
    };
    json!({
        "file": told.file,
        "line": told.line,
        "text": told.text,
        "operators": told.operators,
        "loops": told.loops.iter().map(one).collect::<Vec<_>>(),
        "target": target.map(Target::name),
        "gains": gains.iter().map(gain).collect::<Vec<_>>(),
    })
}
