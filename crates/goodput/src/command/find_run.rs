//! Finds and reads recorded runs for all commands.

use crate::args::results::RunSelection;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint};
use goodput_model::summary::ResultDocument;
use goodput_model::{Run, RunId, Trial};
use goodput_store::format::RUN_HEADER_FILE;
use std::path::{Path, PathBuf};

/// The folder of runs: as named, else `GOODPUT_RUNS`, else the user's data folder.
pub fn runs_root(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let variable = std::env::var_os("GOODPUT_RUNS").filter(|v| !v.is_empty()).map(PathBuf::from);
    match named.map(Path::to_path_buf).or(variable) {
        Some(root) => Ok(root),
        None => goodput_store::default_runs_root()
            .or_failure(ExitStatus::CannotMeasure, "no folder available for runs")
            .with_hint("specify a folder with --runs, or measure with --no-save"),
    }
}

/// A run's folder itself, or its name below the root.
pub fn find_run_folder(which: &RunSelection) -> Result<PathBuf, Failure> {
    let itself = Path::new(&which.run);
    if itself.join(RUN_HEADER_FILE).is_file() {
        // The store follows no links; the user may.
        let target = itself.is_symlink().then(|| std::fs::canonicalize(itself).ok()).flatten();
        return Ok(target.unwrap_or_else(|| itself.to_path_buf()));
    }
    goodput_store::find_run(&runs_root(which.runs.as_deref())?, &which.run)
        .or_failure(ExitStatus::Usage, "run not found")
        .with_hint("goodput list shows the run names; the path of a run's folder is also accepted")
}

pub fn read_run(folder: &Path) -> Result<Run, Failure> {
    goodput_store::read_run(folder).or_failure(ExitStatus::CannotMeasure, "the run cannot be read")
}

pub fn build_result_document(run: Option<RunId>, trials: &[Trial]) -> ResultDocument {
    goodput_analysis::result_document::document_from_trials(run, trials)
}
