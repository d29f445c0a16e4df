//! `goodput run`: runs or resumes an experiment and writes its report.

mod check;
mod check_lines;
pub mod child;
mod document;
mod lab;
mod level_setter;
mod levels;
mod names;
pub mod result;
mod screen;
mod source;
mod start;

pub use result::Report;

use super::{find_run, lab as labs};
use crate::args::run::RunArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{events, interrupt, output};
use check::Checked;
use child::Processes;
use goodput_analysis::experiment::primary_metric::primary_metric;
use goodput_control::Cancel;
use goodput_control::experiment::{
    Ended, ExperimentRunner, LevelSetter, RunOutcome, RunnerError, RunnerEvent, run_cells,
};
use goodput_experiment::Progress;
use goodput_lab::Name;
use goodput_model::TrialId;
use goodput_model::experiment::Means;
use goodput_model::experiment::record::Cell;
use lab::RunLab;
use levels::Levels;
use screen::Show;
use source::Source;
use start::StartedRun;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub fn run(order: RunArgs, words: Vec<String>) -> Result<Exit, Failure> {
    if order.check {
        return explained(&order);
    }
    let cancel = Cancel::default();
    let on_signal = cancel.clone();
    interrupt::watch(move || on_signal.cancel())
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "cannot wait for signals", &e))?;
    let source = Source::read(&order.experiment.file)?;
    let options = order.reaching();
    if order.experiment.resume.is_none() {
        // Checked first: an invalid experiment leaves no run.
        check::checked(&source.experiment(order.quick, order.seed), any_lab(), &options)?;
    }
    let begun = StartedRun::of(&order, &source, words)?;
    let lab = named(&begun)?;
    let checked = check::checked(&begun.experiment, lab.as_ref().map(|lab| &lab.name), &options)?;
    let show = Rc::new(RefCell::new(Show::new(order.json, order.events, &begun.experiment)));
    show.borrow().begun(begun.id);
    told(&begun, &source, &show.borrow());
    let gone = run_cells_and_report(&order, &begun, lab, &checked, &show, &cancel)?;
    show.borrow().finish();
    let codes = gone.codes.clone();
    let exit = concluded(&order, &source, begun, gone)?;
    // Nothing was measured, and every line failed because of the hosts.
    let unreachable = codes == BTreeSet::from([Some(i32::from(Exit::Unreachable.code()))]);
    Ok(if exit == Exit::CannotMeasure && unreachable { Exit::Unreachable } else { exit })
}

pub fn runs_commands(file: &Path) -> Result<bool, Failure> {
    let source = Source::read(file)?;
    let experiment = source.experiment(false, None);
    Ok(experiment.factors.iter().any(|factor| matches!(factor.means, Means::Command { .. })))
}

/// Explains the experiment without measuring.
fn explained(order: &RunArgs) -> Result<Exit, Failure> {
    let source = Source::read(&order.experiment.file)?;
    let experiment = source.experiment(order.quick, order.seed);
    let checked = check::checked(&experiment, any_lab(), &order.reaching())?;
    let explanation = check::explanation(&experiment, &checked)?;
    if order.json {
        output::json(&check::document(&explanation));
    } else {
        output::text(&check::text(&explanation));
    }
    Ok(Exit::Done)
}

/// Only checks need a lab's name, any one.
fn any_lab() -> Option<&'static Name> {
    None
}

fn named(begun: &StartedRun) -> Result<Option<RunLab>, Failure> {
    let Some(text) = &begun.experiment.lab else { return Ok(None) };
    let refused = |why: String| Failure::usage("the lab of the experiment cannot be raised").because(why);
    let name = names::lab_name(&begun.experiment.name, begun.id)
        .ok_or_else(|| refused("its name cannot be that of a lab".into()))?;
    RunLab::new(name, text).map(Some).map_err(refused)
}

fn told(begun: &StartedRun, source: &Source, show: &Show) {
    let verb = if begun.resumed { "going on with" } else { "begun as" };
    show.say(&format!("{} {verb} run {}", source.path.display(), begun.id));
    for other in start::left_by_others(&begun.root, begun.id) {
        show.say(&format!(
            "run {other} was killed while levels were changed and has not put them back: goodput run FILE --resume {other}"
        ));
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
    lab: Option<RunLab>,
    checked: &Checked,
    show: &Rc<RefCell<Show>>,
    cancel: &Cancel,
) -> Result<RunEnd, Failure> {
    let experiment = names::with_hosts_in(&begun.experiment, lab.as_ref().map(|lab| &lab.name));
    let stored = stored_figures(begun);
    let mut progress = Progress::of(&checked.plan, &begun.run.steps, &stored).map_err(|e| {
        let hint = e.hint();
        Failure::from_error(Exit::CannotMeasure, "the run cannot be gone on with", &e).try_this(hint)
    })?;
    let program = labs::this_program()?;
    let mut measuring = Processes {
        program: program.clone(),
        folder: absolute(&begun.folder)?,
        runs: absolute(&begun.root)?,
        options: order.reaching(),
        seed: experiment.order.seed,
        lab: lab.as_ref().map(|lab| lab.name.clone()),
        primary_metric: Box::new(stored),
        read_to: 0,
        codes: BTreeSet::new(),
        events: order.events,
    };
    let on_screen = Rc::clone(show);
    let say = Rc::new(move |sentence: &str| on_screen.borrow().say(sentence));
    let hosts =
        level_setter::of_hosts(order, &experiment, start::journal(&begun.root, begun.id), say, cancel)?;
    let mut levels = Levels::new(lab, hosts);
    let replaced = std::cell::Cell::new(false);
    let expected = |cell: &Cell| check_lines::expected(&begun.experiment, &checked.expected, cell);
    let runner_outcome = run_cells(
        ExperimentRunner {
            experiment: &experiment,
            plan: &checked.plan,
            level_setter: &mut levels as &mut dyn LevelSetter,
            measuring: &mut measuring,
            record: &mut |step| StartedRun::write(&begun.folder, step),
            tell: &mut |news, progress| {
                if matches!(news, RunnerEvent::Setting(_) | RunnerEvent::Began(..))
                    && !child::is_this_program(&program)
                {
                    replaced.set(true);
                    cancel.cancel();
                }
                show.borrow_mut().news(news, progress, expected);
            },
            cancel,
        },
        &mut progress,
    );
    Ok(RunEnd { runner_outcome, codes: measuring.codes, replaced: replaced.get() })
}

fn absolute(path: &std::path::Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path)
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, format!("cannot find {}", path.display()), &e))
}

/// The primary metric of an execution from its stored trials; not needed with a fixed number of repeats.
fn stored_figures(begun: &StartedRun) -> impl Fn(&Cell, &[TrialId]) -> Option<f64> + use<> {
    let (head, experiment, folder) = (begun.run.head.clone(), begun.experiment.clone(), begun.folder.clone());
    let wanted = experiment.repeats.width_percent.is_some();
    move |cell, trials| {
        let trials = wanted.then(|| goodput_store::read_trials(&folder, trials).ok()).flatten()?;
        primary_metric(&head, &experiment, cell, trials)
    }
}

fn concluded(order: &RunArgs, source: &Source, begun: StartedRun, gone: RunEnd) -> Result<Exit, Failure> {
    let (id, folder) = (begun.id, begun.folder.clone());
    let RunOutcome { end, not_restored } = gone.runner_outcome;
    if end == Ok(Ended::Done) {
        begun.finish()?;
    }
    let on = resume_line(source, &begun);
    let mut failure = not_ended(end, &on);
    if let (true, Some(failure)) = (gone.replaced, &mut failure) {
        *failure = Failure::new(Exit::BrokeOff, "the experiment broke off")
            .because("this program's file was replaced by another while it ran")
            .try_this(&on);
    }
    // What an operator has set, only an operator restores: the user already knows.
    let by_hand = |factor: &String| {
        begun.experiment.factors.iter().any(|f| f.name == *factor && matches!(f.means, Means::ByHand { .. }))
    };
    let left: Vec<String> = (not_restored.iter().filter(|(factor, _)| !by_hand(factor)))
        .map(|(factor, cause)| format!("{factor}: {cause}"))
        .collect();
    if !left.is_empty() {
        let left = Failure::new(Exit::BrokeOff, "not everything could be put back as it was")
            .because(left.join("; "))
            .try_this("look after those hosts by hand");
        failure = failure.or(Some(left));
    }
    let run = find_run::read(&folder)?;
    let in_vain = result::cells(&run) == 0 && not_restored.is_empty();
    if in_vain
        && !begun.resumed
        && let Some(failure) = &mut failure
    {
        // No run remains that could be resumed.
        failure.hint = Some(format!("goodput run {}", source.path.display()));
    }
    begun.release_run(in_vain);
    if in_vain && let Some(failure) = failure {
        return Err(failure);
    }
    if order.events {
        events::ends_with(Some(id), failure.as_ref());
        let verdict = result::verdict_of(&run, &folder)?;
        return Ok(failure.map_or(verdict, |failure| failure.exit));
    }
    let verdict = result::print_result(&run, &folder, order.json, failure.as_ref())?;
    if !order.json {
        result::kept(id);
    }
    Ok(failure.map_or(verdict, |failure| failure.exit))
}

fn resume_line(source: &Source, begun: &StartedRun) -> String {
    format!("goodput run {} --resume {}", source.path.display(), begun.id)
}

fn not_ended(end: Result<Ended, RunnerError>, on: &str) -> Option<Failure> {
    let new = |exit, error: &str, cause: String| Some(Failure::new(exit, error).because(cause).try_this(on));
    match end {
        Ok(Ended::Done) => None,
        Ok(Ended::Interrupted) => {
            new(Exit::Interrupted, "interrupted", "by a signal, as asked; the run can be gone on with".into())
        }
        Ok(Ended::Stopped { cause }) => new(Exit::BrokeOff, "the experiment broke off", cause),
        Err(RunnerError::Prepare(cause)) => new(Exit::CannotMeasure, "the experiment cannot begin", cause),
        Err(e @ (RunnerError::Record(_) | RunnerError::Progress(_))) => {
            new(Exit::CannotMeasure, "the experiment broke off", crate::failure::chain(&e))
        }
    }
}
