//! Finds and reads recorded runs for all commands.

use crate::args::results::RunSelection;
use crate::exit::Exit;
use crate::failure::Failure;
use goodput_model::summary::Document;
use goodput_model::{Run, RunId, Trial};
use goodput_store::format::HEAD_FILE;
use std::path::{Path, PathBuf};

/// The folder of runs: as named, else `GOODPUT_RUNS`, else the user's data folder.
pub fn root(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let variable = std::env::var_os("GOODPUT_RUNS").filter(|v| !v.is_empty()).map(PathBuf::from);
    match named.map(Path::to_path_buf).or(variable) {
        Some(root) => Ok(root),
        None => goodput_store::default_root().map_err(|e| {
            Failure::from_error(Exit::CannotMeasure, "there is no place for runs", &e)
                .try_this("name a folder with --runs, or measure with --no-save")
        }),
    }
}

/// A run's folder itself, or its name below the root.
pub fn folder(which: &RunSelection) -> Result<PathBuf, Failure> {
    let itself = Path::new(&which.run);
    if itself.join(HEAD_FILE).is_file() {
        return Ok(itself.to_path_buf());
    }
    goodput_store::find(&root(which.runs.as_deref())?, &which.run).map_err(|e| {
        Failure::from_error(Exit::Usage, "there is no such run", &e)
            .try_this("goodput list names them; a run's folder will do as well")
    })
}

pub fn read(folder: &Path) -> Result<Run, Failure> {
    goodput_store::read(folder)
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "the run cannot be read", &e))
}

pub fn document(run: Option<RunId>, trials: &[Trial]) -> Document {
    goodput_analysis::document::of_trials(run, trials)
}
