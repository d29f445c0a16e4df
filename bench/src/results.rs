//! Writes the page of a part, `bench/results/PART.md`: the machine, the versions, every claim with its ratio, spread,
//! resolution and verdict. The list of all parts: [`index`]. How it was measured, in words: `bench/METHOD.md`.

pub mod index;

use crate::case::{self, BenchCase};
use crate::contender::{Program, Reading};
use crate::metric::Metric;
use crate::plan::{BenchPart, Phase, Plan, Slot};
use crate::ratios;
use crate::state::Records;
use goodput_analysis::descriptive_statistics::median;
use goodput_analysis::performance_claim::{self, ClaimDecision, ClaimVerdict, PerformanceClaim};
use std::fmt::Write;

/// Fixed, so that pages are reproducible.
const SEED: u64 = 5303;

/// Options of this program that `bench/METHOD.md` abbreviates.
const OPTIONS: &str = "--key-file bench/state/lab.key --json --no-save";
/// The agent in host B, which `bench/METHOD.md` describes.
const AGENT: &str = "goodput agent --key-file bench/state/lab.key --bind 10.77.0.2 --name b";

/// Machine, programs and what is left out, for the head of a page.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    pub machine: Vec<String>,
    pub versions: Vec<(Program, String)>,
    /// With the reason.
    pub missing: Vec<(Program, String)>,
}

impl Facts {
    pub fn of(&self, programs: &[Program]) -> Facts {
        let of =
            |list: &[(Program, String)]| list.iter().filter(|(p, _)| programs.contains(p)).cloned().collect();
        Facts { machine: self.machine.clone(), versions: of(&self.versions), missing: of(&self.missing) }
    }
}

#[derive(Debug, Clone)]
pub struct Row {
    pub ask: BenchCase,
    pub decision: ClaimDecision,
    pub peer: String,
    pub medians: (Option<f64>, Option<f64>),
}

pub fn rows(plan: &Plan, part: BenchPart, records: &Records) -> Vec<Row> {
    let record = |slot: &Slot| records.get(&plan.key(slot));
    let find = |slot: &Slot| record(slot).and_then(|r| r.reading.as_ref());
    case::asks(plan)
        .into_iter()
        .filter(|ask| ask.part == part)
        .map(|ask| {
            let ratios = ratios::ratios(plan, &ask, find);
            let mut decision = match (ask.metric, ask.claim) {
                (metric, PerformanceClaim::Within(low, high)) if metric.is_share() => {
                    performance_claim::decide_proportion_claim(low, high, &ratios.pairs, SEED)
                }
                (metric, PerformanceClaim::AtMost(bound)) if metric.is_bounded() => {
                    ratios::decide_bound(bound, &ratios.pairs, SEED)
                }
                (_, claim) => performance_claim::decide_claim(claim, &ratios.itself, &ratios.pairs, SEED),
            };
            let ask = BenchCase { claim: widened(ask.metric, ask.claim, decision.resolution), ..ask };
            if let Metric::Row(_) = ask.metric {
                decision = performance_claim::decide_claim(ask.claim, &ratios.itself, &ratios.pairs, SEED);
            }
            if plan.quick && decision.verdict != ClaimVerdict::NotDecided {
                decision.verdict = ClaimVerdict::NotDecided;
                decision.reason = "a quick look decides nothing";
            }
            let block = &plan.blocks[ask.block];
            let figures = |contender| -> Vec<f64> {
                let readings = (0..block.rounds).filter_map(|round| {
                    find(&Slot { block: ask.block, contender, phase: Phase::Together, round })
                });
                readings.filter_map(|r: &Reading| ask.metric.of(r)).collect()
            };
            let alone = ratios.peer == ask.ours;
            let theirs = if alone { None } else { median(&figures(ratios.peer)) };
            let medians = (median(&figures(ask.ours)), theirs);
            let peer = if alone { "–".into() } else { block.contenders[ratios.peer].to_string() };
            Row { ask, decision, peer, medians }
        })
        .collect()
}

/// The margin is 3 % or the resolution, whichever is wider.
fn widened(metric: Metric, claim: PerformanceClaim, resolution: Option<f64>) -> PerformanceClaim {
    match (metric, claim, resolution) {
        // Slightly more than the resolution, since an equal margin would decide nothing.
        (Metric::Row(_), PerformanceClaim::AtLeast(bound), Some(r)) if 1.0 - r < bound => {
            PerformanceClaim::AtLeast(((1.0 - r) * 1e3).floor() / 1e3)
        }
        _ => claim,
    }
}

pub fn page(plan: &Plan, part: BenchPart, records: &Records, facts: &Facts, rows: &[Row]) -> String {
    let name = part.name();
    let mut page = format!("# Bench: {name}\n\n");
    let mut line = |text: &str| {
        page.push_str(text);
        page.push('\n');
    };
    if plan.quick {
        line("**A quick look: too few pairs. Nothing here decides anything.**\n");
    }
    line(&format!(
        "Written by `make bench ONLY={name}`. Method and abbreviations of commands: [METHOD.md](../METHOD.md)."
    ));
    line("\n## Machine and programs\n");
    facts.machine.iter().for_each(|m| line(&format!("- {m}")));
    facts.versions.iter().for_each(|(p, v)| line(&format!("- {}: {v}", p.name())));
    facts.missing.iter().for_each(|(p, why)| line(&format!("- {}: not measured, {why}", p.name())));
    line("\n## Claims\n");
    line(index::CLAIMS_HEAD);
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
    line("\n## Commands\n");
    commands(plan, records, part).iter().for_each(|c| line(&format!("- {c}")));
    line("\n## Trials without a reading\n");
    let slots = plan.slots(&[part]);
    let of_trial = slots.iter().filter_map(|s| records.get(&plan.key(s)));
    let failed = of_trial.filter_map(|r| Some((&r.key, r.error.as_ref()?.replace('|', "\\|"))));
    let mut failed: Vec<String> = failed.map(|(key, error)| format!("- `{key}`: {error}")).collect();
    failed.sort();
    if failed.is_empty() {
        line("None.");
    }
    failed.iter().for_each(|f| line(f));
    page
}

fn table_row(row: &Row) -> String {
    let d = &row.decision;
    let number = |v: Option<f64>| v.map_or("–".to_string(), |v| format!("{v:.3}"));
    let interval = d.interval.map_or("–".into(), |i| format!("{:.3} to {:.3}", i.low, i.high));
    let resolution = match (row.ask.metric, d.resolution) {
        (metric, _) if metric.has_no_peer() => "a share".to_string(),
        (_, Some(r)) => format!("± {:.1} %", r * 100.0),
        (_, None) => "–".into(),
    };
    let (unit, scale) = row.ask.metric.unit();
    let figure = |v: Option<f64>| v.map_or("–".into(), |v| format!("{} {unit}", four(v / scale)));
    let (ours, theirs) = (figure(row.medians.0), figure(row.medians.1));
    let verdict = match d.verdict {
        ClaimVerdict::Holds => "**holds**".to_string(),
        ClaimVerdict::Fails => format!("**fails**: {}", d.reason),
        ClaimVerdict::NotDecided => format!("not decided: {}", d.reason),
    };
    let (text, peer, asked) = (&row.ask.text, &row.peer, asked(row.ask.claim));
    let (ratio, pairs) = (number(d.median), d.pairs);
    format!(
        "| {text} | {peer} | {asked} | {ratio} | {interval} | {resolution} | {pairs} | {ours} | {theirs} | {verdict} |"
    )
}

fn asked(claim: PerformanceClaim) -> String {
    match claim {
        PerformanceClaim::NotBelowOne => "not below 1".into(),
        PerformanceClaim::NotAboveOne => "not above 1".into(),
        PerformanceClaim::AtLeast(b) => format!("≥ {b}"),
        PerformanceClaim::AtMost(b) => format!("≤ {b}"),
        PerformanceClaim::Within(a, b) => format!("{a} to {b}"),
    }
}

fn four(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let digits = (3 - value.abs().max(1e-9).log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

/// The commands of a part, abbreviated as `bench/METHOD.md` says: one line for each contender of a block, or of all blocks
/// that differ only in their size.
fn commands(plan: &Plan, records: &Records, part: BenchPart) -> Vec<String> {
    let mut commands = Vec::new();
    for (index, block) in plan.blocks.iter().enumerate().filter(|(_, b)| b.part == part) {
        for contender in 0..block.contenders.len() {
            let slot = Slot { block: index, contender, phase: Phase::Together, round: 0 };
            if let Some(record) = records.get(&plan.key(&slot)) {
                let (b, a) = &record.commands;
                let line = command(&block.id, &block.contenders[contender].to_string(), b, a);
                if !commands.contains(&line) {
                    commands.push(line);
                }
            }
        }
    }
    commands
}

fn command(block: &str, contender: &str, b: &str, a: &str) -> String {
    let (block, size) = match block.rsplit_once('.') {
        Some((name, size)) if size.parse::<u64>().is_ok() => (format!("{name}.SIZE"), size),
        _ => (block.to_string(), ""),
    };
    // One line for all read sizes.
    let contender = contender.split(" (read ").next().unwrap_or(contender);
    let short = |command: &str| {
        let command = command.replace(OPTIONS, "OPTIONS");
        let mut before = "";
        let words = command.split(' ').map(|word| {
            let short = match word {
                _ if before.is_empty() => word.rsplit('/').next().unwrap_or(word),
                _ if before == "--read" => "READ",
                _ if size.is_empty() => word,
                _ if word.strip_suffix('B').unwrap_or(word) == size => "SIZE",
                _ if word.strip_prefix("-l") == Some(size) => "-lSIZE",
                _ => word,
            };
            before = word;
            short
        });
        words.collect::<Vec<_>>().join(" ")
    };
    match short(b).as_str() {
        "" | AGENT => format!("`{block}`, {contender}: `{}`", short(a)),
        b => format!("`{block}`, {contender}: B `{b}`, A `{}`", short(a)),
    }
}

/// One line a claim for the terminal.
pub fn summary(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows.iter().filter(|r| r.decision.pairs > 0) {
        let d = &row.decision;
        let verdict = match d.verdict {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::Fails => "FAILS",
            ClaimVerdict::NotDecided => "not decided",
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
    use crate::state::Record;

    fn filled(goodput: f64) -> (Plan, Records) {
        let there = [Program::Goodput, Program::Raw, Program::Iperf3];
        let plan = Plan::new(&there, false);
        let mut records = Records::default();
        for (i, slot) in plan.slots(&[BenchPart::Stream]).iter().enumerate() {
            let contender = plan.contender(slot);
            let noise = 1.0 + ((i * 7919) % 100) as f64 / 10_000.0;
            let speed = if contender.program == Program::Goodput { goodput } else { 1e9 };
            let (key, goodput_bps) = (plan.key(slot), Some(speed * noise));
            let reading = Some(Reading { goodput_bps, cpu_ns_per_byte: Some(2.0), ..Reading::default() });
            let commands = ("b".to_string(), "a".to_string());
            records.insert(Record { key, at: 0, idle: 0.0, commands, reading, error: None });
        }
        (plan, records)
    }

    #[test]
    fn verdicts_follow_the_ratios() {
        for (goodput, expected) in [(1e9, ClaimVerdict::Holds), (0.9e9, ClaimVerdict::Fails)] {
            let (plan, records) = filled(goodput);
            let rows = rows(&plan, BenchPart::Stream, &records);
            let ours =
                |r: &&Row| r.ask.text == "stream goodput, 64 B, cubic" && r.peer.starts_with("raw loop");
            let row = rows.iter().find(ours).unwrap();
            assert_eq!((row.decision.verdict, row.decision.pairs), (expected, 24), "{row:?}");
            let page = page(&plan, BenchPart::Stream, &records, &Facts::default(), &rows);
            let word = if expected == ClaimVerdict::Holds { "**holds**" } else { "**fails**" };
            let begins = "| stream goodput, 64 B, cubic | raw loop";
            let line = page.lines().find(|line| line.starts_with(begins)).unwrap();
            assert!(line.contains(word) && line.contains("≥ 0.97"), "{line}");
            assert!(page.contains("## Trials without a reading\n\nNone.\n"), "{page}");
        }
    }

    #[test]
    fn a_trial_that_failed_is_on_the_page_of_its_part() {
        let (plan, mut records) = filled(2e9);
        let slot = plan.slots(&[BenchPart::Stream])[0];
        let (key, commands) = (plan.key(&slot), ("b".to_string(), "a".to_string()));
        let error = Some("iperf3 ended with 1".to_string());
        records.insert(Record { key: key.clone(), at: 0, idle: 0.0, commands, reading: None, error });
        let page = |part| page(&plan, part, &records, &Facts::default(), &rows(&plan, part, &records));
        assert!(page(BenchPart::Stream).contains(&format!("- `{key}`: iperf3 ended with 1")));
        assert!(!page(BenchPart::Datagram).contains("iperf3 ended with 1"));
    }

    #[test]
    fn figures_without_a_peer_are_decided_by_their_bound() {
        let plan = Plan::new(&[Program::Goodput], false);
        let mut records = Records::default();
        for slot in plan.slots(&[BenchPart::Datagram]) {
            let reading =
                Some(Reading { sender_share: Some(0.2), rate_error: Some(0.001), ..Reading::default() });
            let (key, commands) = (plan.key(&slot), Default::default());
            records.insert(Record { key, at: 0, idle: 0.0, commands, reading, error: None });
        }
        let rows = rows(&plan, BenchPart::Datagram, &records);
        let lines: Vec<String> = rows.iter().map(table_row).collect();
        let figures = "| ≤ 0.15 | 0.200 | 0.200 to 0.200 | a share | 16 | 20.00 % |";
        assert!(lines[0].contains(figures), "{}", lines[0]);
        assert!(lines[0].contains("**fails**") && lines[1].contains("**holds**"), "{lines:?}");
    }

    #[test]
    fn commands_are_abbreviated() {
        let ours = format!("target/release/goodput stream 10.77.0.2 {OPTIONS} --size 64B --time 1s");
        let agent = format!("target/release/{AGENT}");
        let ours = command("stream.cubic.64", "goodput", &agent, &ours);
        let short = "`stream.cubic.SIZE`, goodput: `goodput stream 10.77.0.2 OPTIONS --size SIZE --time 1s`";
        assert_eq!(ours, short);
        let both = command("stream.default.1024", "nuttcp", "nuttcp -1", "nuttcp -l1024 -T1 10.77.0.2");
        assert_eq!(both, "`stream.default.SIZE`, nuttcp: B `nuttcp -1`, A `nuttcp -lSIZE -T1 10.77.0.2`");
        let raw = |read: &str| {
            let end = |end: &str| format!("/srv/goodput-bench {end} 10.77.0.2:7301");
            let (b, a) =
                (format!("{} --read {read}", end("raw-receive")), end("raw-send") + " --size 131072");
            command("stream.cubic.131072", &format!("raw loop (read {read})"), &b, &a)
        };
        let ends = "B `goodput-bench raw-receive 10.77.0.2:7301 --read READ`, A `goodput-bench raw-send 10.77.0.2:7301";
        assert_eq!(raw("131072"), format!("`stream.cubic.SIZE`, raw loop: {ends} --size SIZE`"));
        assert_eq!(raw("65536"), raw("131072"));
        let alone = command("file.folder", "dbench", "", "dbench -t 10");
        assert_eq!(alone, "`file.folder`, dbench: `dbench -t 10`");
    }

    #[test]
    fn four_digits() {
        assert_eq!([1.23456, 12345.6, 0.012345, 0.0].map(four), ["1.235", "12346", "0.01235", "0"]);
    }
}
