//! `goodput run`: an experiment from its file.

use super::credentials::{Shown, TypedCredentials};
use super::host_name;
use super::value::{self, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_control::RouterAddress;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// As typed.
#[derive(Debug, Args)]
#[command(after_help = "goodput run nics.toml --check          what would be done, and how long it takes\n\
    goodput run nics.toml                  do it; Ctrl-C leaves a run that can be gone on with\n\
    goodput run nics.toml --resume         go on with it, after anything\n\
    goodput run studies/jumbo-frames --quick")]
pub struct TypedRun {
    /// The experiment: a TOML file, or a folder with experiment.toml in it
    #[arg(value_name = "FILE|FOLDER")]
    file: Option<PathBuf>,
    /// Go on with the newest unfinished run of this file, or with the one named: nothing is measured twice
    #[arg(long, value_name = "RUN", num_args = 0..=1)]
    resume: Option<Option<String>>,
    /// Explain the experiment, and measure nothing
    #[arg(long, conflicts_with = "resume")]
    check: bool,
    /// The short form that the file has under [quick]
    #[arg(long)]
    quick: bool,
    /// Ask nobody: levels that come about by hand are only verified
    #[arg(long)]
    yes: bool,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
    /// Seed of the order and of everything else random [default: the file's]
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume")]
    seed: Option<String>,
    /// A label to find the run by; may be repeated
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "resume")]
    label: Vec<String>,
    /// Folder of the runs [default: GOODPUT_RUNS, else ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Router at which hosts are known by their agents' names
    #[arg(long, value_name = "HOST[:PORT]", env = "GOODPUT_ROUTER")]
    router: Option<String>,
    #[command(flatten)]
    credentials: TypedCredentials,
    /// Tell what happens, one JSON object a line, on standard output, and take answers on standard input: so the page
    /// starts experiments
    #[arg(long, hide = true, conflicts_with_all = ["json", "check"])]
    events: bool,
}

/// Which run is gone on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resume {
    /// The newest unfinished one of the same file.
    Newest,
    /// `last`, a folder, a name or the beginning of one.
    Named(String),
}

/// Run an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOrder {
    /// The file, or the folder that holds it.
    pub file: PathBuf,
    /// Which run is gone on with; `None` begins one.
    pub resume: Option<Resume>,
    /// Explain only.
    pub check: bool,
    /// The short form.
    pub quick: bool,
    /// Ask nobody.
    pub yes: bool,
    /// One document.
    pub json: bool,
    /// Seed, when one was given.
    pub seed: Option<u64>,
    /// Labels of the run.
    pub labels: BTreeMap<String, String>,
    /// Folder of the runs, when one was named.
    pub runs: Option<PathBuf>,
    /// Router at which hosts are known by name.
    pub router: Option<RouterAddress>,
    /// What this side shows.
    pub credentials: Shown,
    /// Lines about what happens instead of tables.
    pub events: bool,
}

impl TypedRun {
    /// What is meant.
    pub fn meaning(self) -> Result<RunOrder, Failure> {
        let (file, resume) = file_and_run(self.file, self.resume)?;
        let mut labels = BTreeMap::new();
        for typed in &self.label {
            let (key, value) = value::label("--label", typed)?;
            if labels.insert(key.clone(), value).is_some() {
                return Err(Failure::usage(format!("--label {} is given twice", shown(&key))));
            }
        }
        Ok(RunOrder {
            file,
            resume,
            check: self.check,
            quick: self.quick,
            yes: self.yes,
            json: self.json,
            seed: self.seed.map(|t| value::whole("--seed", &t, 0..=u64::MAX)).transpose()?,
            labels,
            runs: self.runs,
            router: host_name::router("--router", self.router.as_deref())?,
            credentials: self.credentials.meaning()?,
            events: self.events,
        })
    }
}

impl RunOrder {
    /// The options that lead to hosts, as every line of the experiment gets them.
    pub fn reaching(&self) -> Vec<(&'static str, String)> {
        let file = |option, path: &Path| (option, path.display().to_string());
        let shown = match &self.credentials {
            Shown::Usual => vec![],
            Shown::KeyFile(path) => vec![file("--key-file", path)],
            Shown::Certificates(files) => vec![
                file("--ca", &files.ca),
                file("--certificate", &files.certificate),
                file("--private-key", &files.private_key),
            ],
        };
        let router = self.router.as_ref().map(|router| ("--router", router.to_string()));
        shown.into_iter().chain(router).collect()
    }
}

/// `--resume FILE` means the newest run of FILE: the word behind --resume is a run only when a file stands beside it.
fn file_and_run(
    file: Option<PathBuf>,
    resume: Option<Option<String>>,
) -> Result<(PathBuf, Option<Resume>), Failure> {
    match (file, resume) {
        (Some(file), None) => Ok((file, None)),
        (Some(file), Some(None)) => Ok((file, Some(Resume::Newest))),
        (Some(file), Some(Some(run))) => Ok((file, Some(Resume::Named(run)))),
        (None, Some(Some(file))) if Path::new(&file).exists() => {
            Ok((PathBuf::from(file), Some(Resume::Newest)))
        }
        (None, _) => Err(Failure::usage("the experiment's file is missing")
            .try_this("goodput run FILE; goodput run FILE --resume goes on with its newest unfinished run")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named_beside_its_file() {
        let read = |file: Option<&str>, resume| file_and_run(file.map(PathBuf::from), resume);
        assert_eq!(read(Some("a"), None), Ok(("a".into(), None)));
        assert_eq!(read(Some("a"), Some(None)), Ok(("a".into(), Some(Resume::Newest))));
        let named = Some(Resume::Named("01a1".into()));
        assert_eq!(read(Some("a"), Some(Some("01a1".into()))), Ok(("a".into(), named)));
        let here = env!("CARGO_MANIFEST_DIR").to_string();
        assert_eq!(read(None, Some(Some(here.clone()))), Ok((here.into(), Some(Resume::Newest))));
        for resume in [None, Some(None), Some(Some("no-such-file".into()))] {
            assert!(read(None, resume).unwrap_err().hint.is_some());
        }
    }
}
