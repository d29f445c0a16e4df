//! The run that a measuring command records its trials in.

use super::find_run;
use crate::args::measure_options::Options;
use crate::exit::Exit;
use crate::failure::Failure;
use goodput_model::record::{NoRecord, RecordError};
use goodput_model::{Recorder, RunId, Trial, TrialId};
use goodput_store::{RunWriter, WriteError};
use std::path::Path;
use std::time::Duration;

/// How long a terminating program may still hold the log.
const ANOTHER_WRITER: Duration = Duration::from_secs(10);

/// The run with its host names: in a lab the names, not the addresses.
pub struct Record {
    writer: Option<RunWriter>,
    /// The last trial that another command added to the run; 0 for none.
    before: u32,
    /// Others continue the run after this command.
    continues_after: bool,
    /// Address as the coordinator knows it, and the name to save.
    renamed: Option<(String, String)>,
}

impl Record {
    /// `renamed` is an address as the coordinator knows it, and the name to save.
    pub fn open(
        options: &Options,
        words: Vec<String>,
        seed: u64,
        renamed: Option<(String, String)>,
    ) -> Result<Record, Failure> {
        if let Some(folder) = &options.into {
            return Record::into_run(folder, renamed);
        }
        let writer = if options.save {
            let head =
                goodput_store::new_head(env!("CARGO_PKG_VERSION"), words, seed, options.labels.0.clone());
            let root = find_run::root(options.runs.as_deref())?;
            Some(RunWriter::create(&root, head).map_err(|e| {
                Failure::from_error(Exit::CannotMeasure, "cannot keep the run", &e)
                    .try_this("name another folder with --runs, or measure with --no-save")
            })?)
        } else {
            None
        };
        Ok(Record { writer, before: 0, continues_after: false, renamed })
    }

    /// Continues a run that another command has begun.
    fn into_run(folder: &Path, renamed: Option<(String, String)>) -> Result<Record, Failure> {
        let failed = |e: WriteError| {
            Failure::from_error(Exit::CannotMeasure, format!("cannot add to {}", folder.display()), &e)
        };
        let writer = RunWriter::append_to(folder, ANOTHER_WRITER).map_err(failed)?;
        let before = writer.last_recorded().map_err(failed)?.map_or(0, |trial| trial.0);
        Ok(Record { writer: Some(writer), before, continues_after: true, renamed })
    }

    /// The run's number of this command's trial, counted from 1.
    pub fn trial(&self, number: u32) -> TrialId {
        TrialId(self.before + number)
    }

    pub fn run(&self) -> Option<RunId> {
        self.writer.as_ref().map(RunWriter::id)
    }

    pub fn folder(&self) -> Option<&Path> {
        self.writer.as_ref().map(RunWriter::folder)
    }

    pub fn named(&self, trial: &Trial) -> Trial {
        let mut trial = trial.clone();
        if let Some((address, name)) = &self.renamed {
            trial.ends.iter_mut().filter(|e| e.host == *address).for_each(|e| e.host.clone_from(name));
        }
        trial
    }

    /// Closes the run; `None` if it is empty.
    pub fn finish(mut self, trials: usize) -> Result<Option<RunId>, Failure> {
        let Some(writer) = &mut self.writer else { return Ok(None) };
        if self.continues_after {
            return Ok(Some(writer.id()));
        }
        if trials == 0 {
            let _ = std::fs::remove_dir_all(writer.folder());
            return Ok(None);
        }
        writer.finish().map_err(|e| {
            Failure::from_error(Exit::CannotMeasure, "the run could not be closed on disk", &e)
        })?;
        Ok(Some(writer.id()))
    }
}

impl Recorder for Record {
    fn record(&mut self, trial: &Trial) -> Result<(), RecordError> {
        let named = self.named(trial);
        match &mut self.writer {
            Some(writer) => writer.record(&named),
            None => NoRecord.record(&named),
        }
    }
}
