//! `goodput run`: an experiment from its file.

use super::credentials::CredentialSource;
use super::host_name;
use super::value_parsers::{Labels, parse_integer};
use super::{HOSTS_HELP_HEADING, OUTPUT_HELP_HEADING};
use crate::failure::Failure;
use clap::{Args, ValueHint};
use goodput_control::AgentRouterAddress;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Args)]
#[command(mut_arg("label", |label| label.conflicts_with("resume")))]
#[command(after_long_help = "Examples:
  goodput run nics.toml --check               print the plan and its duration
  goodput run nics.toml                       run it; Ctrl-C leaves a run that can be resumed
  goodput run nics.toml --resume              resume it")]
pub struct RunArgs {
    #[command(flatten)]
    pub experiment: ExperimentFile,
    /// Print the plan of the experiment without measuring
    #[arg(long, conflicts_with = "resume")]
    pub check: bool,
    /// Run the short version that the file defines under [quick]
    #[arg(long)]
    pub quick: bool,
    /// Do not prompt the user to set factor levels by hand; only verify that they are set
    #[arg(long)]
    pub yes: bool,
    /// Print one JSON document instead of tables
    #[arg(long, help_heading = OUTPUT_HELP_HEADING)]
    pub json: bool,
    /// Random seed of the run order and all other random choices [default: the seed in the file]
    #[arg(long, value_name = "NUMBER", conflicts_with = "resume", value_parser = parse_integer::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub labels: Labels,
    /// Folder of the stored runs [env: GOODPUT_RUNS] [default: ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR", help_heading = OUTPUT_HELP_HEADING, value_hint = ValueHint::DirPath)]
    pub runs: Option<PathBuf>,
    /// Router through which agents are reached by name; data flows directly between the hosts
    #[arg(long, value_name = "HOST[:PORT]", env = "GOODPUT_ROUTER", value_parser = host_name::parse_router_address)]
    #[arg(help_heading = HOSTS_HELP_HEADING, hide_short_help = true)]
    pub router: Option<AgentRouterAddress>,
    #[command(flatten)]
    pub credentials: CredentialSource,
    /// Print one JSON object per event on standard output, and read answers from standard input (used by the
    /// web page)
    #[arg(long, hide = true, conflicts_with_all = ["json", "check"])]
    pub events: bool,
    /// Read the experiment from the first line of standard input, as the server has checked it, instead of FILE
    #[arg(long, hide = true, requires = "events")]
    pub source_from_input: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResumeTarget {
    /// The newest unfinished run of the same file.
    Newest,
    /// `last`, a folder, a name or its prefix.
    Named(String),
}

#[derive(Debug, Args)]
struct ExperimentArgs {
    /// Experiment file (TOML), or a folder that contains experiment.toml
    #[arg(value_name = "FILE|FOLDER")]
    file: Option<PathBuf>,
    /// Resume the newest unfinished run of this file, or the specified run
    #[arg(long, value_name = "RUN", num_args = 0..=1)]
    resume: Option<Option<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExperimentFile {
    pub file: PathBuf,
    /// The run to resume; `None` starts a new run.
    pub resume: Option<ResumeTarget>,
}

impl TryFrom<ExperimentArgs> for ExperimentFile {
    type Error = Failure;

    /// `--resume FILE` means the newest run of FILE: --resume names a run only if there is a file as well.
    fn try_from(args: ExperimentArgs) -> Result<ExperimentFile, Failure> {
        let (file, resume) = match (args.file, args.resume) {
            (Some(file), None) => (file, None),
            (Some(file), Some(None)) => (file, Some(ResumeTarget::Newest)),
            (Some(file), Some(Some(run))) => (file, Some(ResumeTarget::Named(run))),
            (None, Some(Some(file))) if Path::new(&file).exists() => {
                (file.into(), Some(ResumeTarget::Newest))
            }
            (None, _) => {
                return Err(Failure::usage_error("the experiment's file is missing").with_hint(
                    "goodput run FILE; goodput run FILE --resume goes on with its newest unfinished run",
                ));
            }
        };
        Ok(ExperimentFile { file, resume })
    }
}

super::args_as!(ExperimentArgs => ExperimentFile);

impl RunArgs {
    /// Connection options that every line of the experiment inherits.
    pub fn connection_options(&self) -> Vec<(&'static str, String)> {
        let router = self.router.as_ref().map(|router| ("--router", router.to_string()));
        self.credentials.options().into_iter().chain(router).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named_beside_its_file() {
        let read = |file: Option<&str>, resume: Option<Option<&str>>| {
            let resume = resume.map(|run| run.map(String::from));
            let args = ExperimentArgs { file: file.map(PathBuf::from), resume };
            ExperimentFile::try_from(args).map(|e| (e.file, e.resume))
        };
        assert_eq!(read(Some("a"), None), Ok(("a".into(), None)));
        assert_eq!(read(Some("a"), Some(None)), Ok(("a".into(), Some(ResumeTarget::Newest))));
        let named = Some(ResumeTarget::Named("01a1".into()));
        assert_eq!(read(Some("a"), Some(Some("01a1"))), Ok(("a".into(), named)));
        let here = env!("CARGO_MANIFEST_DIR");
        assert_eq!(read(None, Some(Some(here))), Ok((here.into(), Some(ResumeTarget::Newest))));
        for resume in [None, Some(None), Some(Some("no-such-file"))] {
            assert!(read(None, resume).unwrap_err().hint.is_some());
        }
    }
}
