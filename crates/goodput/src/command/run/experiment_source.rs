//! Reads the experiment's file and the topology that it names.

use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint};
use goodput_experiment::ExperimentFile;
use goodput_host::open_regular_file;
use goodput_model::{Experiment, Message};
use goodput_words::{ErrorMessage, message};
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, Read};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

const IN_A_FOLDER: &str = "experiment.toml";
/// Bytes of a file that a page may name; the largest experiment of `studies/` has 2 KiB.
const MAX_FILE_OF_A_PAGE: u64 = 256 << 10;
/// Bytes of two such files as JSON, in which a character has at most 6.
const MAX_INPUT: u64 = 16 * MAX_FILE_OF_A_PAGE;

#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentSource {
    pub path: PathBuf,
    pub text: String,
    pub file: ExperimentFile,
    name: String,
    topology: Option<String>,
}

impl ExperimentSource {
    pub fn read(typed: &Path) -> Result<ExperimentSource, Failure> {
        ExperimentSource::read_files(typed, read_text)
    }

    /// Reads what a page's line names. Other files than .toml are not opened, also behind links, because a refusal
    /// quotes their content.
    pub fn read_for_page(typed: &Path) -> Result<ExperimentSource, Failure> {
        ExperimentSource::read_files(typed, read_small_toml)
    }

    /// Reads the line that [`ExperimentSource::to_input`] wrote.
    pub fn from_input(input: impl BufRead) -> Result<ExperimentSource, Failure> {
        let broken = "the experiment could not be read from standard input";
        let mut line = String::new();
        input.take(MAX_INPUT).read_line(&mut line).or_failure(ExitStatus::CannotMeasure, broken)?;
        let (path, name, text, topology): (PathBuf, String, String, Option<String>) =
            serde_json::from_str(&line)
                .map_err(|e| Failure::from_foreign_error(ExitStatus::CannotMeasure, broken, &e))?;
        ExperimentSource::from_texts(path, name, text, |_| {
            topology.ok_or_else(|| Failure::new(ExitStatus::CannotMeasure, broken))
        })
    }

    /// What the server has checked, for the process of its job.
    pub fn to_input(&self) -> Result<String, Failure> {
        serde_json::to_string(&(&self.path, &self.name, &self.text, &self.topology))
            .map_err(|e| Failure::from_foreign_error(ExitStatus::Usage, cannot_read(&self.path), &e))
    }

    fn read_files(
        typed: &Path,
        read: impl Fn(&Path) -> io::Result<String>,
    ) -> Result<ExperimentSource, Failure> {
        let read = |path: &Path, hint: Message| {
            read(path).or_failure(ExitStatus::Usage, cannot_read(path)).with_hint(hint)
        };
        let path = if typed.is_dir() { typed.join(IN_A_FOLDER) } else { typed.to_path_buf() };
        let text = read(&path, message!(hint_name_experiment_file))?;
        let hint = message!(hint_experiment_names_lab { file: path.display().to_string() });
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        ExperimentSource::from_texts(path.clone(), name(&path), text, |lab| read(&folder.join(lab), hint))
    }

    /// `topology` reads the file that the experiment names as its lab.
    fn from_texts(
        path: PathBuf,
        name: String,
        text: String,
        topology: impl FnOnce(&str) -> Result<String, Failure>,
    ) -> Result<ExperimentSource, Failure> {
        let mut file = ExperimentFile::parse(&name, &text).map_err(|e| {
            Failure::usage_error(message!(error_refused_experiment { file: path.display().to_string() }))
                .with_cause(e.message())
                .with_hint(e.hint)
        })?;
        let topology = file.lab_file.as_deref().map(topology).transpose()?;
        if let Some(topology) = &topology {
            file.set_lab_topology(topology);
        }
        Ok(ExperimentSource { path, text, file, name, topology })
    }

    pub fn build_experiment(&self, quick: bool, seed: Option<u64>) -> Experiment {
        let mut experiment = if quick { self.file.quick.clone() } else { self.file.experiment.clone() };
        experiment.order.seed = seed.unwrap_or(experiment.order.seed);
        experiment
    }
}

fn cannot_read(path: &Path) -> Message {
    message!(error_cannot_read { path: path.display().to_string() })
}

fn read_text(path: &Path) -> io::Result<String> {
    fs::read_to_string(path)
}

fn read_small_toml(path: &Path) -> io::Result<String> {
    const ONLY_TOML: &str = "the page reads only files whose names end in .toml, also behind links";
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    let is_toml = |path: &Path| path.extension().is_some_and(|extension| extension == "toml");
    if !is_toml(path) {
        return refused(ONLY_TOML);
    }
    let file = open_regular_file(path, OpenOptions::new().read(true))?;
    // The name of what was opened, whatever links lead to it.
    if !is_toml(&fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))?) {
        return refused(ONLY_TOML);
    }
    let mut text = String::new();
    file.take(MAX_FILE_OF_A_PAGE + 1).read_to_string(&mut text)?;
    match text.len() as u64 <= MAX_FILE_OF_A_PAGE {
        true => Ok(text),
        false => refused("the page reads files of at most 256 KiB"),
    }
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
    fn a_page_reads_only_small_toml_files_and_a_job_what_was_read_then() {
        let root = tempfile::tempdir().unwrap();
        let place = |name: &str| root.path().join(name);
        let (file, lab) = (place("x.toml"), place("lab.toml"));
        let text = |lab: &str| {
            format!(
                "title = 'x'\nlab = '{lab}'\nhosts = {{ server = 'lab:b' }}\n[[factor]]\nname = 'n'\nlevels = ['1', '2']\n\
                 [[probe]]\nname = 'tcp'\nrun = 'stream {{server}} --connections {{n}}'\nmeasures = ['goodput_bps']\n"
            )
        };
        fs::write(&file, text("lab.toml")).unwrap();
        fs::write(&lab, "[[hosts]]").unwrap();
        let checked = ExperimentSource::read_for_page(&file).unwrap();
        assert_eq!(checked, ExperimentSource::read(&file).unwrap());
        let input = checked.to_input().unwrap();
        fs::write(&file, "replaced").unwrap();
        fs::write(&lab, "replaced").unwrap();
        let read = ExperimentSource::from_input(format!("{input}\nan answer\n").as_bytes()).unwrap();
        assert_eq!((read.file.experiment.lab.as_deref(), &read), (Some("[[hosts]]"), &checked));
        assert!(ExperimentSource::from_input(&b""[..]).is_err());

        fs::write(place("secret"), "secret").unwrap();
        std::os::unix::fs::symlink(place("secret"), place("link.toml")).unwrap();
        fs::write(place("large.toml"), " ".repeat(MAX_FILE_OF_A_PAGE as usize + 1)).unwrap();
        for other in ["secret", "link.toml", "large.toml"] {
            fs::write(&file, text(other)).unwrap();
            for named in [place(other), file.clone()] {
                let cause = ExperimentSource::read_for_page(&named).unwrap_err().cause.unwrap();
                assert!(cause.starts_with("the page reads"), "{}: {cause}", named.display());
            }
        }
        // A device or FIFO would hold up the server.
        std::os::unix::fs::symlink("/dev/zero", place("zero.toml")).unwrap();
        assert!(ExperimentSource::read_for_page(&place("zero.toml")).is_err());
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
