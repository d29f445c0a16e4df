//! Creates the run of an experiment, or resumes it.

use super::experiment_source::ExperimentSource;
use crate::args::results::RunSelection;
use crate::args::run::{ResumeTarget, RunArgs};
use crate::command::find_run;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint};
use goodput_model::experiment::execution_record::ExperimentStep;
use goodput_model::{Event, Experiment, Message, Run, RunId};
use goodput_store::{RunLock, RunWriter, WriteError};
use goodput_words::{ErrorMessage, message};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a killed program may still hold a run.
const LET_GO: Duration = Duration::from_secs(10);

pub struct StartedRun {
    pub id: RunId,
    pub folder: PathBuf,
    pub root: PathBuf,
    pub experiment: Experiment,
    pub run: Run,
    pub resumed: bool,
    hold: RunLock,
}

impl StartedRun {
    pub fn start(
        order: &RunArgs,
        source: &ExperimentSource,
        words: Vec<String>,
    ) -> Result<StartedRun, Failure> {
        let root = find_run::runs_root(order.runs.as_deref())?;
        match &order.experiment.resume {
            None => new(order, source, words, root),
            Some(resume) => taken_up(order, source, resume, root),
        }
    }

    /// Writes a step; it is on disk when this returns.
    pub fn write_experiment_step(folder: &Path, step: &ExperimentStep) -> Result<(), Message> {
        RunWriter::open_for_append(folder, LET_GO)
            .and_then(|mut writer| writer.append_event(&Event::Experiment { step: step.clone() }))
            .map_err(|e| e.message_with_sources())
    }

    /// Ends the run; nothing can be added afterwards.
    pub fn finish_run(&self) -> Result<(), Failure> {
        let finished =
            RunWriter::open_for_append(&self.folder, LET_GO).and_then(|mut writer| writer.finish());
        finished.or_failure(ExitStatus::CannotMeasure, "the run could not be written completely to disk")
    }

    /// Releases the run; removes it if nothing was measured.
    pub fn release_run_lock(self, in_vain: bool) {
        if in_vain && !self.resumed {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
        drop(self.hold);
    }
}

fn new(
    order: &RunArgs,
    source: &ExperimentSource,
    words: Vec<String>,
    root: PathBuf,
) -> Result<StartedRun, Failure> {
    let experiment = source.build_experiment(order.quick, order.seed);
    let seed = experiment.order.seed;
    let head = goodput_store::new_run_header(env!("CARGO_PKG_VERSION"), words, seed, order.labels.0.clone());
    let failed = |e: WriteError| {
        Failure::from_error(ExitStatus::CannotMeasure, "cannot save the run", &e)
            .with_hint("specify another folder with --runs")
    };
    let declared =
        ExperimentStep::Declared { experiment: Box::new(experiment.clone()), text: source.text.clone() };
    let mut writer = RunWriter::create(&root, head).map_err(failed)?;
    let (id, folder) = (writer.id(), writer.folder().to_path_buf());
    let hold = RunLock::acquire(&folder, LET_GO).map_err(failed)?;
    writer.append_event(&Event::Experiment { step: declared }).map_err(failed)?;
    drop(writer);
    let run = find_run::read_run(&folder)?;
    Ok(StartedRun { id, folder, root, experiment, run, resumed: false, hold })
}

fn taken_up(
    order: &RunArgs,
    source: &ExperimentSource,
    resume: &ResumeTarget,
    root: PathBuf,
) -> Result<StartedRun, Failure> {
    let folder = match resume {
        ResumeTarget::Newest => newest(&root, source)?,
        ResumeTarget::Named(run) => {
            find_run::find_run_folder(&RunSelection { run: run.clone(), runs: Some(root.clone()) })?
        }
    };
    // Lock the run first: another command may be about to resume it.
    let hold = RunLock::acquire(&folder, LET_GO)
        .or_failure(ExitStatus::CannotMeasure, "the run cannot be resumed")
        .with_hint("wait for the command that is using the run, or stop that command")?;
    let run = find_run::read_run(&folder)?;
    let id = run.head.id;
    let (experiment, text) = declared(&run).ok_or_else(|| {
        Failure::usage_error(message!(error_run_is_no_experiment { id: id.to_string() }))
            .with_hint("goodput list shows the runs")
    })?;
    if run.finished {
        let (id, file) = (id.to_string(), source.path.display().to_string());
        return Err(Failure::usage_error(message!(error_run_is_finished_short { id: &id }))
            .with_cause("all cells of the run are already measured")
            .with_hint(message!(hint_show_or_run_anew { id, file })));
    }
    let seed = Some(experiment.order.seed);
    let same = |quick| source.build_experiment(quick, seed) == *experiment;
    if text != source.text || !(same(false) || same(true)) {
        let what = match text == source.text {
            true => message!(part_experiment_its_topology),
            false => message!(part_experiment_the_file),
        };
        return Err(other_experiment(source, id).with_cause(message!(cause_what_changed_since { what })));
    }
    let experiment = experiment.clone();
    if order.quick && !same(true) {
        let error = message!(error_not_the_short_form { id: id.to_string() });
        return Err(Failure::usage_error(error).with_hint("omit --quick"));
    }
    let step = ExperimentStep::Resumed { at: goodput_control::experiment::now_rfc3339() };
    StartedRun::write_experiment_step(&folder, &step).map_err(|cause| {
        Failure::new(ExitStatus::CannotMeasure, "the run cannot be resumed").with_cause(cause)
    })?;
    let run = Run { steps: run.steps.into_iter().chain([step]).collect(), ..run };
    Ok(StartedRun { id, folder, root, experiment, run, resumed: true, hold })
}

const JOURNAL: (&str, &str) = (".levels-", ".json");

/// The journal of original levels. Beside the run, which may be mailed or removed.
pub fn level_journal_path(root: &Path, run: RunId) -> PathBuf {
    root.join(format!("{}{run}{}", JOURNAL.0, JOURNAL.1))
}

pub fn unfinished_runs(root: &Path, ours: RunId) -> Vec<RunId> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let of_name = |name: &str| name.strip_prefix(JOURNAL.0)?.strip_suffix(JOURNAL.1)?.parse().ok().map(RunId);
    let mut runs: Vec<RunId> = entries
        .filter_map(|entry| of_name(entry.file_name().to_str()?))
        .filter(|run| *run != ours && RunLock::acquire(&root.join(run.to_string()), Duration::ZERO).is_ok())
        .collect();
    runs.sort_unstable();
    runs
}

/// The first record of an experiment's run.
fn declared(run: &Run) -> Option<(&Experiment, &str)> {
    run.steps.iter().find_map(|step| match step {
        ExperimentStep::Declared { experiment, text } => Some((experiment.as_ref(), text.as_str())),
        _ => None,
    })
}

/// The newest unfinished run of the same file, else why there is none.
fn newest(root: &Path, source: &ExperimentSource) -> Result<PathBuf, Failure> {
    let listing =
        goodput_store::list_runs(root).or_failure(ExitStatus::CannotMeasure, "cannot list the runs")?;
    let name = &source.file.experiment.name;
    let unfinished = listing.runs.into_iter().rev().filter(|entry| !entry.run.finished);
    let mut changed = None;
    for entry in unfinished {
        match declared(&entry.run) {
            Some((_, text)) if text == source.text => return Ok(entry.folder),
            Some((experiment, _)) if experiment.name == *name => {
                changed.get_or_insert(entry.run.head.id);
            }
            _ => {}
        }
    }
    let file = source.path.display().to_string();
    Err(match changed {
        Some(run) => other_experiment(source, run).with_cause(message!(cause_file_changed_since)),
        None => Failure::usage_error(message!(error_no_run_unfinished { file: &file }))
            .with_cause(message!(cause_experiment_in_folder { folder: root.display().to_string() }))
            .with_hint(format!("goodput run {file}")),
    })
}

fn other_experiment(source: &ExperimentSource, run: RunId) -> Failure {
    let file = source.path.display().to_string();
    Failure::usage_error(message!(error_not_the_experiment_of { file: &file, id: run.to_string() }))
        .with_hint(message!(hint_put_back_or_run_anew { file }))
}
