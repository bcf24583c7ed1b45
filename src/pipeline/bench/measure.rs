//! Programs at one size → rows: rounds in which each runs once, so that what disturbs the machine
//! disturbs all alike.

use super::{Bench, Clock, Contestant, Missing, Row, Variant};
use crate::check::Scheme;
use crate::data::{Array, summary, tolerance};
use crate::diagnostic::Diagnostic;
use crate::pipeline::options::shown;
use crate::pipeline::parameters::work;
use crate::pipeline::{Compared, Failure, Job, Outcome, Program, Session, Values};
use serde_json::Value as Json;

/// What is known of a program so far.
#[derive(Default)]
struct Lane {
    /// Seconds of the timed part and of the whole run, round by round.
    samples: Vec<f64>,
    whole: Vec<f64>,
    /// What it printed at its first run.
    json: Option<Json>,
    compared: Option<Compared>,
    clock: Clock,
    failed: Option<String>,
}

impl Bench {
    /// Runs all variants at one size, round by round.
    pub(super) fn at(
        &self,
        scheme: &Scheme,
        values: Values,
        all: &[Contestant],
        missing: &mut Vec<Missing>,
        session: &mut Session,
    ) -> Result<Vec<Row>, Failure> {
        let built = all
            .iter()
            .filter_map(|c| Some((&c.variant, c.program.as_ref().ok()?)));
        let parts: Vec<(&Variant, &Program)> = built.collect();
        let job = Job::new(scheme, values, &self.inputs)?;
        let results = job.folder("out");
        let mut lanes: Vec<Lane> = parts.iter().map(|_| Lane::default()).collect();
        let mut reference: Vec<(String, Array)> = Vec::new();
        let compares = parts.len() > 1 && self.compare;
        for round in 0..self.warmup + self.runs {
            let measured = round.checked_sub(self.warmup);
            let which = match measured {
                Some(n) => format!("run {} of {}", n + 1, self.runs),
                None => "warming up".to_owned(),
            };
            for k in 0..parts.len() {
                // Who runs after whom changes from round to round. The first round goes in order: its
                // arrays are compared with the first variant's.
                let v = (round as usize + k) % parts.len();
                let ((variant, program), lane) = (parts[v], &mut lanes[v]);
                if lane.failed.is_some() {
                    continue;
                }
                let runs = (self.warmup + self.runs) as usize * parts.len();
                session.part(round as usize * parts.len() + k, runs);
                let what = format!("{}: {}, {which}", shown(&job.values), variant.label());
                let keeps = round == 0 && compares;
                let folder = keeps.then_some(results.as_path());
                let ran = match job.run(program, folder, &what, session) {
                    // That a rule cannot be done without is an answer.
                    Err(failure) if variant.without.is_some() => {
                        lane.failed = Some(failure.said());
                        continue;
                    }
                    ran => ran?,
                };
                if keeps && v == 0 {
                    reference = job.outputs(&results)?;
                } else if keeps {
                    let bits = program.is_exact_on_host() && parts[0].1.is_exact_on_host();
                    let most = self.tolerance.unwrap_or(tolerance(scheme.precision));
                    let outputs = job.outputs(&results)?;
                    lane.compared = Some(Compared::of(&outputs, &reference, bits, most)?);
                }
                if measured.is_some() {
                    let by_device = self.clock == Clock::Device;
                    lane.samples.push(ran.timed(by_device)?);
                    lane.whole.push(ran.seconds);
                    if by_device && ran.json["seconds"]["device"].is_f64() {
                        lane.clock = Clock::Device;
                    }
                }
                lane.json.get_or_insert(ran.json);
            }
        }
        let mut rows: Vec<Row> = Vec::new();
        for ((variant, program), lane) in parts.into_iter().zip(lanes) {
            let (variant, values) = (variant.clone(), job.values.clone());
            if let Some(why) = lane.failed {
                missing.push(Missing {
                    variant,
                    values,
                    why,
                });
                continue;
            }
            let none = || Diagnostic::error("E1006", "the program reported an invalid time");
            let body = summary(&lane.samples).ok_or_else(none)?;
            let [derive, emit, build] = program.seconds;
            let whole = summary(&lane.whole).map_or(0.0, |s| s.median);
            let first = rows.first().map_or(body.median, |r| r.body.median);
            let outputs = scheme.data().filter(|(_, v)| v.is_output());
            rows.push(Row {
                outcome: Outcome {
                    scheme: scheme.name.to_string(),
                    target: variant.target,
                    strategy: variant.strategy.clone(),
                    precision: scheme.precision,
                    machine: variant
                        .target
                        .machine(lane.json.as_ref().unwrap_or(&Json::Null)),
                    work: work(scheme, &values),
                    parameters: values,
                    json: lane.json.unwrap_or(Json::Null),
                    seconds: [derive, emit, build, whole],
                    outputs: outputs.map(|(name, _)| name.to_string()).collect(),
                    arrays: Vec::new(),
                    folder: None,
                    compared: lane.compared,
                    not_compared: None,
                    faster: None,
                },
                variant,
                samples: lane.samples,
                body,
                clock: lane.clock,
                ratio: first / body.median,
            });
        }
        Ok(rows)
    }
}
