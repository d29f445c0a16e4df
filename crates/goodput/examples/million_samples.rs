//! How long a report of a run with a million samples takes, from the disk to the last picture.
//!
//! ```text
//! cargo build --release -p goodput
//! cargo run --release -p goodput --example million_samples -- [SAMPLES] [ROUNDS]
//! ```
//!
//! Makes a run in a temporary folder as `goodput latency` would leave it: one trial with a million probes, each with
//! the time it was due, how late it was sent and its latency, a long tail and some lost ones among them. Then starts
//! `goodput report` on it so many times (5 unless said otherwise), each time as a process of its own, and prints what
//! each took and their median. The program is `target/release/goodput`, or what GOODPUT names. Ends with 1 where the
//! median is above [`MOST`].

#[path = "made_up/latency.rs"]
mod latency;

use goodput_model::Recorder;
use goodput_store::{RunWriter, new_head};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const MOST: Duration = Duration::from_secs(2);

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let samples: usize = words.next().map_or(Ok(1_000_000), |w| w.parse())?;
    let rounds: usize = words.next().map_or(Ok(5), |w| w.parse())?;
    let folder = tempfile::tempdir()?;
    let run = recorded(folder.path(), samples)?;
    let program = std::env::var_os("GOODPUT").unwrap_or_else(|| "target/release/goodput".into());
    let mut took = Vec::new();
    for round in 1..=rounds.max(1) {
        let begun = Instant::now();
        let ended = Command::new(&program)
            .arg("report")
            .arg(&run)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if !ended.success() {
            return Err(format!("{} report {} ended with {ended}", program.display(), run.display()).into());
        }
        took.push(begun.elapsed());
        println!("round {round}: {:.3} s", begun.elapsed().as_secs_f64());
    }
    let pictures = std::fs::read_dir(&run)?
        .flatten()
        .filter(|f| f.path().extension().is_some_and(|e| e == "png"))
        .count();
    took.sort();
    let median = took[took.len() / 2];
    println!("{samples} samples, {pictures} pictures as PNG: median {:.3} s", median.as_secs_f64());
    Ok(if median <= MOST { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A run with one trial, and its folder.
fn recorded(root: &Path, samples: usize) -> Result<std::path::PathBuf, Box<dyn Error>> {
    let command = ["goodput", "latency", "b"].map(String::from).to_vec();
    let mut writer =
        RunWriter::create(root, new_head(env!("CARGO_PKG_VERSION"), command, 1, BTreeMap::new()))?;
    writer.record(&latency::trial(samples))?;
    writer.finish()?;
    Ok(writer.folder().to_path_buf())
}
