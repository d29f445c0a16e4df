//! `goodput demo`: raises a lab of two hosts, runs every probe in it, prints the tables and writes one report.

use super::{lab, recorded, report};
use crate::args::results::Which;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{interrupt, output};
use goodput_lab::Name;
use goodput_model::{BitRate, Trial, TrialId};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The link: fast enough to be today's, slow enough that arithmetic says what to expect.
const RATE: BitRate = BitRate(1_000_000_000);

/// What is measured: a sentence for the screen, and the command's words.
const STEPS: &[(&str, &[&str])] = &[
    ("Half round trip and goodput over 103 message sizes", &["pingpong"]),
    ("Bulk TCP, one connection", &["stream", "--time", "5s"]),
    ("Bulk TCP, both ways at once", &["stream", "--time", "5s", "--direction", "both"]),
    ("One request after the other", &["request", "--time", "5s"]),
    ("A thousand requests a second, whatever comes back", &["request", "--time", "5s", "--rate", "1000"]),
];

/// A lab that goes whatever happens.
struct Raised(Name);

impl Drop for Raised {
    fn drop(&mut self) {
        if let Err(e) = lab::down(&self.0) {
            eprintln!("{e}");
        }
    }
}

/// Measures everything once and says where the report is.
pub fn run(folder: &Path) -> Result<Exit, Failure> {
    let began = Instant::now();
    let name: Name = format!("demo-{}", std::process::id())
        .parse()
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "cannot name the lab", &e))?;
    lab::up(&name, lab::topology(None, Some(RATE))?)?;
    let raised = Raised(name);
    interrupt::watch(|| {})
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "cannot wait for signals", &e))?;
    output::text(&format!(
        "A lab of two hosts, a and b, on a link of 1 Gbit/s; {} measurements, about a minute.\n",
        STEPS.len()
    ));
    let runs = folder.join("runs");
    let mut trials: Vec<Trial> = Vec::new();
    for (number, (title, words)) in STEPS.iter().enumerate() {
        output::text(&format!("\n[{}/{}] {title}\n", number + 1, STEPS.len()));
        measure(&raised.0, &runs, words)?;
        let last = Which { run: "last".into(), runs: Some(runs.clone()) };
        for mut trial in recorded::read(&recorded::folder(&last)?)?.trials {
            trial.id = TrialId(trials.len() as u32 + 1);
            trials.push(trial);
        }
    }
    drop(raised);
    let written = report::write(folder, &recorded::document(None, &trials), None, &trials)?;
    output::text(&format!(
        "\nDone in {} s; the lab is gone.\nReport: {}\nRuns:   {} (goodput list --runs {1})\n",
        began.elapsed().as_secs(),
        written.page.display(),
        runs.display(),
    ));
    Ok(Exit::Done)
}

/// One measuring command, as a person would type it.
fn measure(lab: &Name, runs: &Path, words: &[&str]) -> Result<(), Failure> {
    let mut command = Command::new(lab::this_program()?);
    command.args(words).args([format!("lab:b@{lab}"), "--from".into(), format!("lab:a@{lab}")]);
    command.arg("--runs").arg(runs);
    let failed = |why: String| {
        Failure::new(Exit::BrokeOff, format!("goodput {} did not end well", words.join(" "))).because(why)
    };
    let status = command.status().map_err(|e| failed(e.to_string()))?;
    if interrupt::asked() {
        return Err(Failure::new(Exit::Interrupted, "interrupted"));
    }
    match status.code() {
        Some(0) => Ok(()),
        // A result above its limit is a finding to look at, and the demo goes on to show it.
        Some(code) if code == i32::from(Exit::RequirementFailed.code()) => Ok(()),
        _ => Err(failed(format!("{status}"))),
    }
}
