//! Measures how long `goodput report` takes for a run with a million samples (options: `[SAMPLES] [ROUNDS]`).
//! Each round is a process of its own; exits with 1 if the median is above [`MOST`]. GOODPUT names another
//! program than `target/release/goodput`.

#[path = "made_up/latency.rs"]
mod latency;

use goodput_model::Recorder;
use goodput_store::{RunWriter, new_run_header};
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

fn recorded(root: &Path, samples: usize) -> Result<std::path::PathBuf, Box<dyn Error>> {
    let command = ["goodput", "latency", "b"].map(String::from).to_vec();
    let mut writer =
        RunWriter::create(root, new_run_header(env!("CARGO_PKG_VERSION"), command, 1, BTreeMap::new()))?;
    writer.record(&latency::trial(samples))?;
    writer.finish()?;
    Ok(writer.folder().to_path_buf())
}
