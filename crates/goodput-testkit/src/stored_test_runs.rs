//! Stored runs of the repository, and trials recorded by tests.

use goodput_model::recorder::{RecordError, Recorder};
use goodput_model::trial::Trial;
use std::path::{Path, PathBuf};

pub fn repository_path(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// `version` is `v1` and so on.
pub fn stored_run_path(version: &str) -> PathBuf {
    let folder = repository_path("fixtures/runs").join(version);
    runs_below(&folder).into_iter().next().unwrap_or_else(|| panic!("no run in {}", folder.display()))
}

fn runs_below(folder: &Path) -> Vec<PathBuf> {
    let folders = std::iter::once(folder.to_path_buf()).chain(below(folder));
    folders.filter(|folder| folder.join("run.json").is_file()).collect()
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[derive(Default)]
pub struct TrialCollector(pub Vec<Trial>);

impl Recorder for TrialCollector {
    fn record(&mut self, trial: &Trial) -> Result<(), RecordError> {
        self.0.push(trial.clone());
        Ok(())
    }
}
