//! Writes `bench/RESULTS.md`: the machine, the versions, every claim with its ratio, spread, resolution and verdict.

use crate::ask::{self, Ask};
use crate::contender::{Program, Reading};
use crate::plan::{Part, Phase, Plan, Slot};
use crate::ratios::{self, Metric};
use crate::state::State;
use goodput_analysis::claim::{self, Claim, Decision, Verdict};
use goodput_analysis::describe::median;
use std::fmt::Write;

/// Seed of the bootstrap: the same state gives the same page.
const SEED: u64 = 5303;

/// Machine, programs and what is left out, for the head of the page.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// CPU, cores, kernel, congestion control.
    pub machine: Vec<String>,
    /// Programs with their versions.
    pub versions: Vec<(Program, String)>,
    /// Programs that are not there, and why.
    pub missing: Vec<(Program, String)>,
}

/// A claim with its decision.
#[derive(Debug, Clone)]
pub struct Row {
    /// The claim.
    pub ask: Ask,
    /// The decision.
    pub decision: Decision,
    /// The peer, by name.
    pub peer: String,
    /// Medians of ours and of the peer's figures.
    pub medians: (Option<f64>, Option<f64>),
}

/// Decides every claim from the trials there are.
pub fn rows(plan: &Plan, state: &State) -> Vec<Row> {
    let record = |slot: &Slot| state.get(&plan.key(slot));
    let find = |slot: &Slot| record(slot).and_then(|r| r.reading.as_ref());
    ask::asks(plan)
        .into_iter()
        .map(|ask| {
            let ratios = ratios::ratios(plan, &ask, find);
            let mut decision = match (ask.metric, ask.claim) {
                (Metric::Coverage, Claim::Within(low, high)) => {
                    claim::decide_share(low, high, &ratios.pairs, SEED)
                }
                (_, claim) => claim::decide(claim, &ratios.itself, &ratios.pairs, SEED),
            };
            if plan.quick && decision.verdict != Verdict::NotDecided {
                decision.verdict = Verdict::NotDecided;
                decision.reason = "a quick look decides nothing";
            }
            let block = &plan.blocks[ask.block];
            let figures = |contender| -> Vec<f64> {
                let readings = (0..block.rounds).filter_map(|round| {
                    find(&Slot { block: ask.block, contender, phase: Phase::Together, round })
                });
                readings.filter_map(|r: &Reading| ask.metric.of(r)).collect()
            };
            let medians = (median(&figures(ask.ours)), median(&figures(ratios.peer)));
            let peer = match ratios.peer == ask.ours {
                true => "–".into(),
                false => block.contenders[ratios.peer].to_string(),
            };
            Row { ask, decision, peer, medians }
        })
        .collect()
}

/// The page.
pub fn page(plan: &Plan, state: &State, facts: &Facts, rows: &[Row]) -> String {
    let mut page = String::from("# Results of the bench\n\n");
    let mut line = |text: &str| {
        page.push_str(text);
        page.push('\n');
    };
    if plan.quick {
        line("**A quick look: too few pairs. Nothing here decides anything.**\n");
    }
    line("Written by `make bench`. What is compared and how it is decided stands below the tables.\n");
    line("## Machine and programs\n");
    facts.machine.iter().for_each(|m| line(&format!("- {m}")));
    facts.versions.iter().for_each(|(p, v)| line(&format!("- {}: {v}", p.name())));
    facts.missing.iter().for_each(|(p, why)| line(&format!("- {}: not measured, {why}", p.name())));
    for part in [Part::Stream, Part::Pingpong, Part::Request] {
        line(&format!("\n## {}\n", part.name()));
        let rows: Vec<&Row> = rows.iter().filter(|r| r.ask.part == part).collect();
        if rows.iter().all(|r| r.decision.pairs == 0) {
            line("Not measured.");
            continue;
        }
        line(
            "| claim | peer | asked | median ratio | 95 % interval | resolution | pairs | ours | peer's | verdict |",
        );
        line("|---|---|---|---|---|---|---|---|---|---|");
        rows.iter().filter(|r| r.ask.claimed).for_each(|r| line(&table_row(r)));
        if rows.iter().any(|r| !r.ask.claimed) {
            line("\nBeside the claims:\n");
            line(
                "| ratio | peer | compared with | median ratio | 95 % interval | resolution | pairs | ours | peer's | would be |",
            );
            line("|---|---|---|---|---|---|---|---|---|---|");
            rows.iter().filter(|r| !r.ask.claimed).for_each(|r| line(&table_row(r)));
        }
        line("\nCommands:\n");
        commands(plan, state, part).iter().for_each(|c| line(&format!("- {c}")));
    }
    line("\n## Trials without a reading\n");
    let mut failed: Vec<String> = state
        .records()
        .filter_map(|r| Some(format!("- `{}`: {}", r.key, r.error.as_ref()?.replace('|', "\\|"))))
        .collect();
    failed.sort();
    if failed.is_empty() {
        line("None.");
    }
    failed.iter().for_each(|f| line(f));
    line(METHOD);
    page
}

/// How it is decided, for the end of the page.
const METHOD: &str = "
## How this was measured

Two network namespaces, one plain veth pair; no block of trials begins while anything else takes more than a tenth of a
CPU. Receiver or server on CPU 0, sender or client on CPU 1, sweeps with both ends on CPU 1 where that is said, by
`taskset` for every program alike. The order of the trials was fixed beforehand: first each peer against itself, then
rounds in which all programs of a block run once, the order turned round each time. Every trial is kept;
none is run again. Ratios are ours over the peer's of the same round. The resolution is the farthest that the bootstrap
95 % interval of the peer's ratio to itself reaches from 1.

A bound at 1 holds unless the 95 % interval of the median ratio lies wholly on the wrong side. Another bound holds if the
median is on its right side and the interval does not reach past it by more than the resolution. A resolution coarser
than the margin is \"not decided\".

- Goodput is what the receiver counted; iperf3: `sum_received`. Windows are 1 s, the shortest that iperf3 has. This
  program and the raw loop have 200 ms of warm-up before; the peers have none, or none under 1 s.
- CPU a byte: busy time of the whole machine (elapsed − idle − iowait − steal, less the share that is busy without load)
  over the span in which the middle nine tenths of the bytes arrived, from outside, for every program alike.
- The best peer is the one with the best median in the rounds with us.
- The read size of iperf3 and nuttcp is the message size; with \"read size of the peer\" this program has the same.
- xfr's TCP message is always 128 KiB, so it takes part only there. nuttcp cannot choose the congestion control.
- sockperf and qperf tell half round trips: sockperf's `--full-rtt` and twice qperf's figure are used. qperf's is a mean.
- The raw loop's buffers begin on a page, as this program's and iperf3's do (`docs/methods/stream.md`, \"Buffers\").
- The compat sweep has 100 round trips a loop at every size on both sides, so that a sweep takes seconds; the native
  sweep is held against NPtcp as it comes. Wall time is the whole command's. For the wall time the peer against itself is
  each of its sweeps against its next; for the spread, every other of its sweeps against the rest.
- Sweeps of the claims have both ends on one CPU: apart, most of the time is the waking of an idle CPU, which on a virtual
  machine drifts by a tenth within minutes and hides the programs' own difference. Compat on two CPUs stands beside.
- Coverage: the share of the sizes whose 95 % interval holds the median of the other sweeps, pooled over sweeps that
  follow each other at once; its interval resamples sweeps. That median is uncertain itself, so a true 95 % shows a
  little lower.";

fn table_row(row: &Row) -> String {
    let d = &row.decision;
    let number = |v: Option<f64>| v.map_or("–".to_string(), |v| format!("{v:.3}"));
    let interval = d.interval.map_or("–".into(), |i| format!("{:.3} to {:.3}", i.low, i.high));
    let resolution = match (row.ask.metric, d.resolution) {
        (Metric::Coverage, _) => "a share".to_string(),
        (_, Some(r)) => format!("± {:.1} %", r * 100.0),
        (_, None) => "–".into(),
    };
    let (unit, scale) = row.ask.metric.unit();
    let figure = |v: Option<f64>| v.map_or("–".into(), |v| format!("{} {unit}", four(v / scale)));
    let (ours, theirs) = (figure(row.medians.0), figure(row.medians.1));
    let verdict = match d.verdict {
        Verdict::Holds => "**holds**".to_string(),
        Verdict::Fails => format!("**fails**: {}", d.reason),
        Verdict::NotDecided => format!("not decided: {}", d.reason),
    };
    let (text, peer, asked) = (&row.ask.text, &row.peer, asked(row.ask.claim));
    let (ratio, pairs) = (number(d.median), d.pairs);
    format!(
        "| {text} | {peer} | {asked} | {ratio} | {interval} | {resolution} | {pairs} | {ours} | {theirs} | {verdict} |"
    )
}

fn asked(claim: Claim) -> String {
    match claim {
        Claim::NotBelowOne => "not below 1".into(),
        Claim::NotAboveOne => "not above 1".into(),
        Claim::AtLeast(b) => format!("≥ {b}"),
        Claim::AtMost(b) => format!("≤ {b}"),
        Claim::Within(a, b) => format!("{a} to {b}"),
    }
}

/// Four significant digits.
fn four(value: f64) -> String {
    let digits = (3 - value.abs().max(1e-9).log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

/// The commands of a part as they ran, one for each contender of a block.
fn commands(plan: &Plan, state: &State, part: Part) -> Vec<String> {
    let mut commands = Vec::new();
    for (index, block) in plan.blocks.iter().enumerate().filter(|(_, b)| b.part == part) {
        for contender in 0..block.contenders.len() {
            let slot = Slot { block: index, contender, phase: Phase::Together, round: 0 };
            if let Some(record) = state.get(&plan.key(&slot)) {
                let (b, a) = &record.commands;
                commands.push(format!("`{}`, {}: B `{b}`, A `{a}`", block.id, block.contenders[contender]));
            }
        }
    }
    commands
}

/// One line a claim for the terminal.
pub fn summary(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows.iter().filter(|r| r.decision.pairs > 0) {
        let d = &row.decision;
        let verdict = match d.verdict {
            Verdict::Holds => "holds",
            Verdict::Fails => "FAILS",
            Verdict::NotDecided => "not decided",
        };
        let verdict = if row.ask.claimed { verdict } else { "(no claim)" };
        let (low, high) = d.interval.map_or((f64::NAN, f64::NAN), |i| (i.low, i.high));
        let resolution = d.resolution.map_or("   –".into(), |r| format!("{r:.3}"));
        let _ = writeln!(
            text,
            "{verdict:12} {:8.3} [{low:.3}, {high:.3}] ±{resolution}  {:12} {} vs {}",
            d.median.unwrap_or(f64::NAN),
            asked(row.ask.claim),
            row.ask.text,
            row.peer,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::Load;
    use crate::state::Record;

    fn filled(goodput: f64) -> (Plan, State, tempfile::TempDir) {
        let there = [Program::Goodput, Program::Raw, Program::Iperf3];
        let plan = Plan::new(&there, false);
        let folder = tempfile::tempdir().unwrap();
        let mut state = State::open(folder.path(), "trials", 1).unwrap();
        for (i, slot) in plan.slots(&[Part::Stream]).iter().enumerate() {
            let contender = plan.contender(slot);
            // Deterministic noise of one per cent.
            let noise = 1.0 + ((i * 7919) % 100) as f64 / 10_000.0;
            let speed = match (contender.program, &contender.load) {
                (Program::Goodput, Load::Stream { .. }) => goodput,
                _ => 1e9,
            };
            let reading = Reading {
                goodput_bps: Some(speed * noise),
                cpu_ns_per_byte: Some(2.0),
                ..Reading::default()
            };
            let commands = ("b".to_string(), "a".to_string());
            state
                .add(Record {
                    key: plan.key(slot),
                    at: 0,
                    idle: 0.0,
                    commands,
                    reading: Some(reading),
                    error: None,
                })
                .unwrap();
        }
        (plan, state, folder)
    }

    #[test]
    fn verdicts_follow_the_ratios() {
        for (goodput, expected) in [(2.2e9, Verdict::Holds), (1.8e9, Verdict::Fails)] {
            let (plan, state, _folder) = filled(goodput);
            let rows = rows(&plan, &state);
            let row = rows
                .iter()
                .find(|r| r.ask.text == "stream goodput, 64 B, cubic" && r.peer == "iperf3")
                .unwrap();
            assert_eq!((row.decision.verdict, row.decision.pairs), (expected, 16), "{row:?}");
            let page = page(&plan, &state, &Facts::default(), &rows);
            let word = if expected == Verdict::Holds { "**holds**" } else { "**fails**" };
            let line =
                page.lines().find(|l| l.starts_with("| stream goodput, 64 B, cubic | iperf3")).unwrap();
            assert!(line.contains(word) && line.contains("≥ 2"), "{line}");
            assert!(page.contains("## pingpong\n\nNot measured."));
        }
    }

    #[test]
    fn four_digits() {
        assert_eq!(
            (four(1.23456), four(12345.6), four(0.012345)),
            ("1.235".into(), "12346".into(), "0.01235".into())
        );
    }
}
