//! `goodput demo`: creates a lab of two hosts, runs every probe, and writes one report.

use super::{find_run, lab, report};
use crate::args::lab::LabTopologyArgs;
use crate::args::results::RunSelection;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure};
use crate::{interrupt, language, output};
use goodput_lab::LabOrHostName;
use goodput_model::{BitRate, Message, Trial, TrialId};
use goodput_words::{ErrorMessage, message};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// A rate at which the expected result is computable, and that any machine can reach.
const FAST_ETHERNET: Option<BitRate> = Some(BitRate(100_000_000));

/// The sweep uses the unshaped link: a shaper passes a burst, so small messages would exceed the link's rate.
///
/// The rate of the link, a title, and the command line.
const STEPS: &[(Option<BitRate>, &str, &str)] = &[
    (None, "Half RTT and goodput over 103 message sizes", "pingpong"),
    (None, "Bulk TCP, one connection", "stream --time 5s"),
    (None, "Bulk TCP, both directions at once", "stream --time 5s --direction both"),
    (None, "One request after the other", "request --time 5s"),
    (None, "A thousand requests a second, whatever comes back", "request --time 5s --rate 1000"),
    (None, "UDP as fast as it goes, and where the lost datagrams were lost", "datagram --time 5s"),
    (FAST_ETHERNET, "Bulk TCP on a link of 100 Mbit/s, with what the wire allows", "stream --time 5s"),
];

struct DemoLab(LabOrHostName);

impl Drop for DemoLab {
    fn drop(&mut self) {
        if let Err(e) = lab::stop_lab(&self.0) {
            e.lines().iter().for_each(|line| language::print_message(line));
        }
    }
}

fn raise(rate: Option<BitRate>) -> Result<DemoLab, Failure> {
    let name = format!("demo-{}", std::process::id())
        .parse::<LabOrHostName>()
        .or_failure(ExitStatus::CannotMeasure, "cannot name the lab")?;
    lab::start_lab(&name, lab::load_topology(None, LabTopologyArgs { rate, ..LabTopologyArgs::default() })?)?;
    Ok(DemoLab(name))
}

pub fn run_demo(folder: &Path) -> Result<ExitStatus, Failure> {
    let began = Instant::now();
    interrupt::install_signal_handler(|| {})?;
    let lab = message!(progress_lab_of_two_hosts { count: STEPS.len() });
    output::print_text(&format!("{}\n", language::format_message(&lab)));
    let runs = folder.join("runs");
    let last = RunSelection { run: "last".into(), runs: Some(runs.clone()) };
    let mut trials: Vec<Trial> = Vec::new();
    let mut standing: Option<(DemoLab, Option<BitRate>)> = None;
    for (number, (link_rate, title, line)) in STEPS.iter().enumerate() {
        let lab = match standing.take() {
            Some((lab, rate)) if rate == *link_rate => lab,
            other => {
                drop(other);
                raise(*link_rate)?
            }
        };
        output::print_text(&format!("\n[{}/{}] {}\n", number + 1, STEPS.len(), title));
        measure(&lab.0, &runs, line)?;
        for mut trial in find_run::read_run(&find_run::find_run_folder(&last)?)?.trials {
            trial.id = TrialId(trials.len() as u32 + 1);
            trials.push(trial);
        }
        standing = Some((lab, *link_rate));
    }
    drop(standing);
    let written =
        report::write_reports(folder, &find_run::build_result_document(None, &trials), None, &trials)?;
    output::print_text(&format!(
        "\nDone in {} s; the lab is gone.\nReport: {}\nRuns:   {}, to be read by goodput list, show and export\n",
        began.elapsed().as_secs(),
        written.display(),
        runs.display(),
    ));
    Ok(ExitStatus::Done)
}

fn measure(lab: &LabOrHostName, runs: &Path, line: &str) -> Result<(), Failure> {
    let mut command = Command::new(lab::current_executable()?);
    command.args(line.split(' ')).args([format!("lab:b@{lab}"), "--from".into(), format!("lab:a@{lab}")]);
    command.arg("--runs").arg(runs);
    let failed = |why: Message| {
        let what = message!(error_demo_did_not_end_well { words: line });
        Failure::new(ExitStatus::BrokeOff, what).with_cause(why)
    };
    let status = command.status().map_err(|e| failed(e.message()))?;
    if interrupt::is_interrupted() {
        return Err(Failure::new(ExitStatus::Interrupted, "interrupted"));
    }
    match status.code() {
        Some(0) => Ok(()),
        // A requirement that fails is a finding; the demo continues.
        Some(code) if code == i32::from(ExitStatus::RequirementFailed.code()) => Ok(()),
        _ => Err(failed(status.to_string().into())),
    }
}
