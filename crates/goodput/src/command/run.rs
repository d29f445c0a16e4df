//! `goodput run`: runs or resumes an experiment and writes its report.

mod check;
mod check_lines;
pub mod experiment_report;
mod experiment_source;
mod lab;
mod lab_names;
mod level_setter;
mod levels;
pub mod measurement_process;
mod progress;
mod start_run;
mod topology_value;

pub use experiment_report::ExperimentReport;
pub use experiment_source::ExperimentSource;

use super::{find_run, lab as labs};
use crate::args::Command;
use crate::args::run::RunArgs;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure};
use crate::{events, interrupt, output};
use check::ValidatedExperiment;
use goodput_analysis::experiment::primary_metric::primary_metric;
use goodput_control::CancelFlag;
use goodput_control::experiment::{
    ExperimentRunner, LevelSetter, RunCompletion, RunOutcome, RunnerError, RunnerEvent, run_cells,
};
use goodput_experiment::ExecutionProgress;
use goodput_model::experiment::execution_record::CellExecution;
use goodput_model::experiment::{LevelSettingMethod, RepeatPolicy};
use goodput_model::{Experiment, Message, TrialId};
use goodput_words::{ErrorMessage, message, non_empty_semicolon_list};
use lab::ExperimentLab;
use levels::FactorLevelController;
use measurement_process::MeasurementProcesses;
use progress::RunProgress;
use start_run::StartedRun;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

pub fn run_experiment(order: RunArgs, words: Vec<String>) -> Result<ExitStatus, Failure> {
    if order.check {
        return explained(&order);
    }
    let cancel = interrupt::create_signal_cancel_flag()?;
    let source = match order.source_from_input {
        true => ExperimentSource::from_input(std::io::stdin().lock())?,
        false => ExperimentSource::read(&order.experiment.file)?,
    };
    let options = order.connection_options();
    if order.experiment.resume.is_none() {
        // Checked first: an invalid experiment leaves no run.
        check::validate_experiment(&source.build_experiment(order.quick, order.seed), None, &options)?;
    }
    let begun = StartedRun::start(&order, &source, words)?;
    let lab = named(&begun)?;
    let checked = check::validate_experiment(&begun.experiment, lab.as_ref().map(|lab| &lab.name), &options)?;
    let show = Rc::new(RefCell::new(RunProgress::new(order.json, order.events, &begun.experiment)));
    show.borrow().show_run_started(begun.id);
    told(&begun, &source, &show.borrow());
    let gone = run_cells_and_report(&order, &begun, lab, &checked, &show, &cancel)?;
    show.borrow().close();
    let codes = gone.codes.clone();
    let exit = concluded(&order, &source, begun, gone)?;
    // Nothing was measured, and every line failed because of the hosts.
    let unreachable = codes == BTreeSet::from([Some(i32::from(ExitStatus::Unreachable.code()))]);
    Ok(if exit == ExitStatus::CannotMeasure && unreachable { ExitStatus::Unreachable } else { exit })
}

/// Every command that the experiment's lines are, whatever the order and number of executions.
pub fn commands_of_experiment(
    experiment: &Experiment,
    options: &[(&'static str, String)],
) -> Result<Vec<Command>, Failure> {
    let once = RepeatPolicy { warm_up: 0, least: 1, most: 1, width_percent: None };
    let plan = check::plan_of_experiment(&Experiment { repeats: once, ..experiment.clone() })?;
    check_lines::parse_command_lines(experiment, &plan, None, options)
        .map(|parsed| parsed.into_values().collect())
}

/// Explains the experiment without measuring.
fn explained(order: &RunArgs) -> Result<ExitStatus, Failure> {
    let source = ExperimentSource::read(&order.experiment.file)?;
    let experiment = source.build_experiment(order.quick, order.seed);
    let checked = check::validate_experiment(&experiment, None, &order.connection_options())?;
    let explanation = check::explain_experiment(&experiment, &checked)?;
    if order.json {
        output::print_json(&check::explanation_to_json(&explanation));
    } else {
        output::print_text(&check::explanation_to_text(&explanation));
    }
    Ok(ExitStatus::Done)
}

fn named(begun: &StartedRun) -> Result<Option<ExperimentLab>, Failure> {
    let Some(text) = &begun.experiment.lab else { return Ok(None) };
    let refused =
        |why: Message| Failure::usage_error("the lab of the experiment cannot be started").with_cause(why);
    let name = lab_names::experiment_lab_name(&begun.experiment.name, begun.id)
        .ok_or_else(|| refused(message!(cause_experiment_no_lab_name)))?;
    ExperimentLab::new(name, text).map(Some).map_err(refused)
}

fn told(begun: &StartedRun, source: &ExperimentSource, show: &RunProgress) {
    let (file, id) = (source.path.display().to_string(), begun.id.to_string());
    show.print_message(match begun.resumed {
        true => message!(progress_experiment_resumed { file, id }),
        false => message!(progress_experiment_begun { file, id }),
    });
    for other in start_run::unfinished_runs(&begun.root, begun.id) {
        show.print_message(message!(progress_experiment_was_killed { id: other.to_string() }));
    }
}

struct RunEnd {
    runner_outcome: RunOutcome,
    codes: BTreeSet<Option<i32>>,
    /// Stopped because two versions of this program would have measured cells.
    replaced: bool,
}

fn run_cells_and_report(
    order: &RunArgs,
    begun: &StartedRun,
    lab: Option<ExperimentLab>,
    checked: &ValidatedExperiment,
    show: &Rc<RefCell<RunProgress>>,
    cancel: &CancelFlag,
) -> Result<RunEnd, Failure> {
    let experiment =
        lab_names::qualify_experiment_hosts(&begun.experiment, lab.as_ref().map(|lab| &lab.name));
    let stored = stored_figures(begun);
    let mut progress = ExecutionProgress::from_experiment_steps(&checked.plan, &begun.run.steps, &stored)
        .map_err(|e| {
            Failure::from_error(ExitStatus::CannotMeasure, "the run cannot be resumed", &e)
                .with_hint(e.hint.clone())
        })?;
    let program = labs::current_executable()?;
    let mut measuring = MeasurementProcesses {
        program: program.clone(),
        folder: absolute(&begun.folder)?,
        runs: absolute(&begun.root)?,
        options: order.connection_options(),
        seed: experiment.order.seed,
        lab: lab.as_ref().map(|lab| lab.name.clone()),
        primary_metric: Box::new(stored),
        read_to: 0,
        codes: BTreeSet::new(),
        events: order.events,
    };
    let on_screen = Rc::clone(show);
    let say = Rc::new(move |message: Message| on_screen.borrow().print_message(message));
    let hosts = level_setter::create_host_level_setter(
        order,
        &experiment,
        start_run::level_journal_path(&begun.root, begun.id),
        say,
        cancel,
    )?;
    let mut levels = FactorLevelController::new(lab, hosts);
    let replaced = std::cell::Cell::new(false);
    let expected = |cell: &CellExecution| {
        check_lines::expected_cell_duration(&begun.experiment, &checked.expected, cell)
    };
    let runner_outcome = run_cells(
        ExperimentRunner {
            experiment: &experiment,
            plan: &checked.plan,
            level_setter: &mut levels as &mut dyn LevelSetter,
            measuring: &mut measuring,
            record: &mut |step| StartedRun::write_experiment_step(&begun.folder, step),
            tell: &mut |news, progress| {
                if matches!(news, RunnerEvent::Setting(_) | RunnerEvent::Began(..))
                    && !measurement_process::is_current_executable(&program)
                {
                    replaced.set(true);
                    cancel.cancel();
                }
                show.borrow_mut().report_progress(news, progress, expected);
            },
            cancel,
        },
        &mut progress,
    );
    Ok(RunEnd { runner_outcome, codes: measuring.codes, replaced: replaced.get() })
}

fn absolute(path: &std::path::Path) -> Result<PathBuf, Failure> {
    let failed = message!(error_cannot_find_path { path: path.display().to_string() });
    std::path::absolute(path).or_failure(ExitStatus::CannotMeasure, failed)
}

/// The primary metric of an execution from its stored trials; not needed with a fixed number of repeats.
fn stored_figures(begun: &StartedRun) -> impl Fn(&CellExecution, &[TrialId]) -> Option<f64> + use<> {
    let (head, experiment, folder) = (begun.run.head.clone(), begun.experiment.clone(), begun.folder.clone());
    let wanted = experiment.repeats.width_percent.is_some();
    move |cell, trials| {
        let trials = wanted.then(|| goodput_store::read_trials(&folder, trials).ok()).flatten()?;
        primary_metric(&head, &experiment, cell, trials)
    }
}

fn concluded(
    order: &RunArgs,
    source: &ExperimentSource,
    begun: StartedRun,
    gone: RunEnd,
) -> Result<ExitStatus, Failure> {
    let (id, folder) = (begun.id, begun.folder.clone());
    let RunOutcome { end, not_restored } = gone.runner_outcome;
    if end == Ok(RunCompletion::Done) {
        begun.finish_run()?;
    }
    let on = format!("goodput run {} --resume {}", source.path.display(), begun.id);
    let mut failure = not_ended(end, &on);
    if let (true, Some(failure)) = (gone.replaced, &mut failure) {
        *failure = Failure::new(ExitStatus::BrokeOff, "the experiment was aborted")
            .with_cause("the program's file was replaced while the program ran")
            .with_hint(&on);
    }
    // What an operator has set, only an operator restores: the user already knows.
    let by_hand = |factor: &String| {
        begun
            .experiment
            .factors
            .iter()
            .any(|f| f.name == *factor && matches!(f.means, LevelSettingMethod::ByHand { .. }))
    };
    let left = (not_restored.iter().filter(|(factor, _)| !by_hand(factor)))
        .map(|(factor, why)| message!(list_colon { what: factor, why }));
    if let Some(left) = non_empty_semicolon_list(left) {
        let left = Failure::new(ExitStatus::BrokeOff, "some settings could not be restored")
            .with_cause(left)
            .with_hint("restore the settings of those hosts manually");
        failure = failure.or(Some(left));
    }
    let run = find_run::read_run(&folder)?;
    let in_vain = experiment_report::count_finished_cells(&run) == 0 && not_restored.is_empty();
    if in_vain
        && !begun.resumed
        && let Some(failure) = &mut failure
    {
        // No run remains that could be resumed.
        failure.hint = Some(format!("goodput run {}", source.path.display()).into());
    }
    begun.release_run_lock(in_vain);
    if in_vain && let Some(failure) = failure {
        return Err(failure);
    }
    if order.events {
        events::set_finished_event_result(Some(id), failure.as_ref());
        let verdict = experiment_report::experiment_exit_status(&run, &folder)?;
        return Ok(failure.map_or(verdict, |failure| failure.exit));
    }
    let verdict = experiment_report::print_experiment_result(&run, &folder, order.json, failure.as_ref())?;
    if !order.json {
        experiment_report::print_run_saved_message(id);
    }
    Ok(failure.map_or(verdict, |failure| failure.exit))
}

fn not_ended(end: Result<RunCompletion, RunnerError>, on: &str) -> Option<Failure> {
    let new =
        |exit, error: &str, cause: Message| Some(Failure::new(exit, error).with_cause(cause).with_hint(on));
    match end {
        Ok(RunCompletion::Done) => None,
        Ok(RunCompletion::Interrupted) => {
            new(ExitStatus::Interrupted, "interrupted", message!(cause_by_a_signal_run_can_be_resumed))
        }
        Ok(RunCompletion::Stopped { cause }) => {
            new(ExitStatus::BrokeOff, "the experiment was aborted", cause)
        }
        Err(RunnerError::Prepare(cause)) => {
            new(ExitStatus::CannotMeasure, "the experiment cannot start", cause)
        }
        Err(e @ (RunnerError::Record(_) | RunnerError::Progress(_))) => {
            new(ExitStatus::CannotMeasure, "the experiment was aborted", e.message_with_sources())
        }
    }
}
