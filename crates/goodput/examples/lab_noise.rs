//! Records equal trials (A/A) between the two hosts of the running lab: the noise data of `fixtures/noise/`.
//! Run it with `cargo run --release -p goodput --example lab_noise -- PROGRAM TRIALS FILE [LAB]` on an idle
//! machine. Both sides of a block are identical, their order is random; a failed trial is recorded as failed.

use goodput_analysis::random::SplitMix64;
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::data_set::{DataRow, DataSet, DataSetMetric, FactorAxis, ObservedValue};
use std::error::Error;
use std::process::Command;

const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (program, trials, file, lab) = match &words[..] {
        [program, trials, file] => (program, trials, file, "default"),
        [program, trials, file, lab] => (program, trials, file, lab.as_str()),
        _ => return Err("see the head of examples/lab_noise.rs for what to type".into()),
    };
    let trials: u32 = trials.parse()?;
    let mut random = SplitMix64::new(SEED);
    let mut rows = Vec::new();
    for block in 1..=trials / 2 {
        let turned = random.next_below(2) == 1;
        for place in 0..2u32 {
            let order = 2 * (block - 1) + place;
            let value = match trial(program, lab) {
                Ok(bps) => ObservedValue::Value(bps),
                Err(cause) => ObservedValue::Failed(cause.to_string().into()),
            };
            eprintln!("trial {} of {trials}: {value:?}", order + 1);
            let side = if (place == 1) != turned { "b" } else { "a" };
            rows.push(DataRow {
                levels: [("side".to_string(), side.to_string())].into(),
                measure: 0,
                size_bytes: None,
                value,
                block,
                order: Some(order),
                evidence: format!("trial {}", order + 1).into(),
            });
        }
    }
    let data = DataSet {
        title: "Equal trials between two hosts of a lab".into(),
        source: format!("measured: goodput {}", line(lab).join(" ")),
        factors: vec![FactorAxis {
            name: "side".into(),
            levels: vec!["a".into(), "b".into()],
            numbers: Vec::new(),
        }],
        measures: vec![DataSetMetric {
            probe: "tcp".into(),
            figure: "goodput_bps".into(),
            unit: "bit/s".into(),
            better: BetterDirection::Higher,
            over_size: false,
        }],
        rows,
        ..DataSet::default()
    };
    std::fs::write(file, serde_json::to_string_pretty(&data)? + "\n")?;
    Ok(())
}

fn line(lab: &str) -> Vec<String> {
    let line = format!("stream lab:b@{lab} --from lab:a@{lab} --time 500ms --warm-up 100ms --no-save --json");
    line.split(' ').map(str::to_string).collect()
}

fn trial(program: &str, lab: &str) -> Result<f64, Box<dyn Error>> {
    let out = Command::new(program).args(line(lab)).output()?;
    if !out.status.success() {
        return Err(format!("{}: {}", out.status, String::from_utf8_lossy(&out.stderr).trim()).into());
    }
    let document: serde_json::Value = serde_json::from_slice(&out.stdout)?;
    document["goodput_bps"].as_f64().ok_or_else(|| "the document has no goodput_bps".into())
}
