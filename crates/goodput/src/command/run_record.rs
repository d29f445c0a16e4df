//! The run that a measuring command records its trials in.

use super::find_run;
use crate::args::measure_args::MeasureOptions;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint};
use goodput_model::recorder::{NoopRecorder, RecordError};
use goodput_model::{Recorder, RunId, Trial, TrialId};
use goodput_store::{RunWriter, WriteError};
use goodput_words::message;
use std::path::Path;
use std::time::Duration;

/// How long a terminating program may still hold the log.
const ANOTHER_WRITER: Duration = Duration::from_secs(10);

/// The run with its host names: in a lab the names, not the addresses.
pub struct RunRecorder {
    writer: Option<RunWriter>,
    /// The last trial that another command added to the run; 0 for none.
    before: u32,
    /// Others continue the run after this command.
    continues_after: bool,
    /// Address as the coordinator knows it, and the name to save.
    renamed: Option<(String, String)>,
}

impl RunRecorder {
    /// `renamed` is an address as the coordinator knows it, and the name to save.
    pub fn open(
        options: &MeasureOptions,
        words: Vec<String>,
        seed: u64,
        renamed: Option<(String, String)>,
    ) -> Result<RunRecorder, Failure> {
        if let Some(folder) = &options.into {
            return RunRecorder::into_run(folder, renamed);
        }
        let writer = if options.save {
            let head = goodput_store::new_run_header(
                env!("CARGO_PKG_VERSION"),
                words,
                seed,
                options.labels.0.clone(),
            );
            let root = find_run::runs_root(options.runs.as_deref())?;
            let writer = RunWriter::create(&root, head)
                .or_failure(ExitStatus::CannotMeasure, "cannot save the run")
                .with_hint("choose another folder with --runs, or measure with --no-save")?;
            Some(writer)
        } else {
            None
        };
        Ok(RunRecorder { writer, before: 0, continues_after: false, renamed })
    }

    /// Continues a run that another command has begun.
    fn into_run(folder: &Path, renamed: Option<(String, String)>) -> Result<RunRecorder, Failure> {
        let failed = |e: WriteError| {
            let what = message!(error_cannot_add_to { folder: folder.display().to_string() });
            Failure::from_error(ExitStatus::CannotMeasure, what, &e)
        };
        let writer = RunWriter::open_for_append(folder, ANOTHER_WRITER).map_err(failed)?;
        let before = writer.last_recorded_trial().map_err(failed)?.map_or(0, |trial| trial.0);
        Ok(RunRecorder { writer: Some(writer), before, continues_after: true, renamed })
    }

    /// The run's number of this command's trial, counted from 1.
    pub fn trial_id(&self, number: u32) -> TrialId {
        TrialId(self.before + number)
    }

    pub fn run_id(&self) -> Option<RunId> {
        self.writer.as_ref().map(RunWriter::id)
    }

    pub fn run_folder(&self) -> Option<&Path> {
        self.writer.as_ref().map(RunWriter::folder)
    }

    pub fn trial_with_host_names(&self, trial: &Trial) -> Trial {
        let mut trial = trial.clone();
        if let Some((address, name)) = &self.renamed {
            trial.ends.iter_mut().filter(|e| e.host == *address).for_each(|e| e.host.clone_from(name));
        }
        trial
    }

    /// Closes the run; `None` if it is empty.
    pub fn close_run(mut self, trials: usize) -> Result<Option<RunId>, Failure> {
        let Some(writer) = &mut self.writer else { return Ok(None) };
        if self.continues_after {
            return Ok(Some(writer.id()));
        }
        if trials == 0 {
            let _ = std::fs::remove_dir_all(writer.folder());
            return Ok(None);
        }
        writer
            .finish()
            .or_failure(ExitStatus::CannotMeasure, "the run could not be written completely to disk")?;
        Ok(Some(writer.id()))
    }
}

impl Recorder for RunRecorder {
    fn record(&mut self, trial: &Trial) -> Result<(), RecordError> {
        let named = self.trial_with_host_names(trial);
        match &mut self.writer {
            Some(writer) => writer.record(&named),
            None => NoopRecorder.record(&named),
        }
    }
}
