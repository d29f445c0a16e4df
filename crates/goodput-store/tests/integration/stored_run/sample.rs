//! A run with one trial per probe and every kind of step; every optional field is present once and absent once.
//! It is that of `fixtures/runs/v2`, whose values at creation are in its `expected.json`.

use goodput_model::experiment::execution_record::ExperimentStep;
use goodput_model::run::RunHeader;
use goodput_model::{Recorder, Run, Trial};
use goodput_store::{RunWriter, format, read_run};
use std::sync::LazyLock;
use tempfile::TempDir;

pub const RUN: &str = "01a1fc42-d27b-7000-8000-0123456789ab";

static SAMPLE: LazyLock<Run> = LazyLock::new(|| read_run(&goodput_testkit::stored_run_path("v2")).unwrap());

pub fn head() -> RunHeader {
    RunHeader { format: format::RUN_FORMAT_VERSION, ..SAMPLE.head.clone() }
}

pub fn trials() -> Vec<Trial> {
    SAMPLE.trials.clone()
}

pub fn steps() -> Vec<ExperimentStep> {
    SAMPLE.steps.clone()
}

/// A run of these trials, still being written.
pub fn begun(trials: &[Trial]) -> (TempDir, RunWriter) {
    let root = tempfile::tempdir().unwrap();
    let mut writer = RunWriter::create(root.path(), head()).unwrap();
    trials.iter().for_each(|trial| writer.record(trial).unwrap());
    (root, writer)
}
