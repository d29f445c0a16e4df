//! Reads the experiment's file and the topology that it names.

use crate::failure::Failure;
use goodput_experiment::ExperimentFile;
use goodput_model::Experiment;
use std::fs;
use std::path::{Path, PathBuf};

const IN_A_FOLDER: &str = "experiment.toml";

#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentSource {
    pub path: PathBuf,
    pub text: String,
    pub file: ExperimentFile,
}

impl ExperimentSource {
    pub fn read(typed: &Path) -> Result<ExperimentSource, Failure> {
        let path = if typed.is_dir() { typed.join(IN_A_FOLDER) } else { typed.to_path_buf() };
        let text = read(&path, "name the experiment's TOML file, or a folder with experiment.toml in it")?;
        let mut file = ExperimentFile::parse(&name(&path), &text).map_err(|e| {
            let hint = e.hint.clone();
            Failure::usage_error(format!("the experiment {} is not valid", path.display()))
                .with_cause(e.to_string())
                .with_hint(hint)
        })?;
        if let Some(lab) = &file.lab_file {
            let beside = path.parent().unwrap_or(Path::new("")).join(lab);
            let hint = format!("{} names it as its lab, seen from its own folder", path.display());
            let topology = read(&beside, &hint)?;
            file.set_lab_topology(&topology);
        }
        Ok(ExperimentSource { path, text, file })
    }

    pub fn build_experiment(&self, quick: bool, seed: Option<u64>) -> Experiment {
        let mut experiment = if quick { self.file.quick.clone() } else { self.file.experiment.clone() };
        experiment.order.seed = seed.unwrap_or(experiment.order.seed);
        experiment
    }
}

fn read(path: &Path, hint: &str) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|e| {
        Failure::usage_error(format!("cannot read {}", path.display()))
            .with_cause(e.to_string())
            .with_hint(hint)
    })
}

fn name(path: &Path) -> String {
    let of = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    if path.file_name().is_some_and(|name| name == IN_A_FOLDER) {
        let folder = path.canonicalize().ok();
        return folder.as_deref().and_then(Path::parent).and_then(of).unwrap_or_default();
    }
    of(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_experiment_is_called_like_its_file_or_its_folder() {
        assert_eq!(name(Path::new("/x/nics.toml")), "nics");
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("jumbo-frames");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(IN_A_FOLDER), "").unwrap();
        assert_eq!(name(&folder.join(IN_A_FOLDER)), "jumbo-frames");
    }

    #[test]
    fn what_is_not_there_is_said_with_what_to_type() {
        let root = tempfile::tempdir().unwrap();
        let refused = ExperimentSource::read(root.path()).unwrap_err();
        assert!(refused.error.contains("experiment.toml") && refused.hint.is_some());
        fs::write(root.path().join(IN_A_FOLDER), "titel = \"x\"\n").unwrap();
        let refused = ExperimentSource::read(root.path()).unwrap_err();
        assert!(refused.cause.unwrap().starts_with("line 1: "));
    }
}
