//! The steps that all measuring commands share: signals, hosts, trials, recording, result.

use super::file::trouble;
use super::peer_session::{Reached, by_echo};
use super::run_record::Record;
use super::sequence::TrialSequence;
use super::{credentials, find_run, recover, resolve_host};
use crate::args::measure_options::Options;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::lab_exec::LabContext;
use crate::screen::Screen;
use crate::{events, interrupt, language, output};
use goodput_control::{Cancel, ControlError, Credentials, Registry, TrialPlan};
use goodput_model::record::NoRecord;
use goodput_model::summary::{Document, SearchOutcome};
use goodput_model::trial::{HostBus, Medium};
use goodput_model::{BitRate, Outcome, Probe, RunId, Severity, Trial, file};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::IsTerminal;

/// Below this rate live samples would be a noticeable share of the traffic.
const LIVE_FROM: BitRate = BitRate(1_000_000_000);

pub struct Context<'a> {
    pub options: &'a Options,
    /// The lab that this process runs in.
    pub place: Option<&'a LabContext>,
    pub shown: Option<Credentials>,
    pub registry: Registry,
    pub cancel: Cancel,
    pub seed: u64,
}

impl<'a> Context<'a> {
    /// Signals are handled from here on.
    pub fn new(options: &'a Options, place: Option<&'a LabContext>) -> Result<Context<'a>, Failure> {
        let cancel = Cancel::default();
        let on_signal = cancel.clone();
        interrupt::watch(move || on_signal.cancel())
            .map_err(|e| Failure::from_error(Exit::CannotMeasure, "cannot wait for signals", &e))?;
        let shown = credentials::find_in(&options.credentials, place)?;
        let registry = resolve_host::registry(options, shown.as_ref())?;
        let seed = options.seed.unwrap_or_else(new_seed);
        Ok(Context { options, place, shown, registry, cancel, seed })
    }
}

/// 53 bits, so that any JSON reader keeps it exactly.
fn new_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 11
}

pub struct Measurement<'a> {
    context: &'a Context<'a>,
    reached: &'a Reached,
    record: Record,
    pub screen: Screen,
    medium: Option<Medium>,
    bus: Option<HostBus>,
    /// The target of file work; only its trials pass medium and bus.
    target: Option<&'a file::Place>,
    trials: Vec<Trial>,
    /// The first failure, besides incomplete trials.
    pub trouble: Option<Failure>,
}

impl<'a> Measurement<'a> {
    /// Recovers leftover trials from the hosts, and begins the run. `renamed`: address as known to the
    /// coordinator, and the name to save.
    pub fn open(
        context: &'a Context<'a>,
        reached: &'a Reached,
        words: Vec<String>,
        mut screen: Screen,
        renamed: Option<(String, String)>,
    ) -> Result<Measurement<'a>, Failure> {
        let Context { options, place, seed, .. } = context;
        if let Some(session) = reached.session() {
            recover::recover_results(session, options, &words, &mut screen);
        }
        let record = Record::open(options, words, *seed, renamed.clone())?;
        screen.begun(record.run(), record.folder(), renamed);
        Ok(Measurement {
            context,
            reached,
            record,
            screen,
            medium: options.medium.clone().or_else(|| place.and_then(|p| p.medium.clone())),
            bus: options.bus.clone().or_else(|| place.and_then(|p| p.bus.clone())),
            target: None,
            trials: Vec::new(),
            trouble: None,
        })
    }

    pub fn at(self, target: &'a file::Place) -> Measurement<'a> {
        Measurement { target: Some(target), ..self }
    }

    /// Makes the trials of a sequence until one fails.
    pub fn make(&mut self, sequence: &mut dyn TrialSequence) {
        while let Some(probe) = sequence.next_probe() {
            let plan = self.plan(self.seeded(probe));
            self.screen.asking();
            let screen = &mut self.screen;
            let cancel = &self.context.cancel;
            match self.reached.run(&plan, &mut self.record, &mut |event| screen.event(event), cancel) {
                Ok(trial) => {
                    if let Some(sentence) = sequence.finished(&trial) {
                        self.screen.say(&sentence);
                    }
                    self.trials.push(self.record.named(&trial));
                }
                Err(e) => self.trouble = Some(failure::control("the trial was not made", &e)),
            }
            if !self.continues_after() {
                return;
            }
        }
    }

    pub fn continues_after(&self) -> bool {
        self.trouble.is_none() && self.is_complete() && !self.context.cancel.is_cancelled()
    }

    pub fn is_complete(&self) -> bool {
        self.trials.last().is_some_and(|t| t.outcome == Outcome::Complete)
    }

    /// Makes a trial that is not part of the run.
    pub fn run_unrecorded(&mut self, probe: Probe, cancel: &Cancel) -> Result<Trial, ControlError> {
        let plan = TrialPlan { live: false, run: None, ..self.plan(probe) };
        self.screen.asking();
        self.screen.aside(true);
        let screen = &mut self.screen;
        let made = self.reached.run(&plan, &mut NoRecord, &mut |event| screen.event(event), cancel);
        self.screen.aside(false);
        made
    }

    /// Sets the random parts of the next trial from the run's seed and the trial's number.
    fn seeded(&self, mut probe: Probe) -> Probe {
        let seed = self.context.seed.wrapping_add(self.trials.len() as u64);
        probe.settings_mut().set_seed(seed);
        probe
    }

    fn plan(&self, probe: Probe) -> TrialPlan {
        let options = self.context.options;
        let number = self.trials.len() as u32 + 1;
        let (beside, many) = match (&probe, self.target) {
            (Probe::File(f), Some(target)) => {
                (f.place != *target && !matches!(f.place, file::Place::Sink { .. }), true)
            }
            (probe, _) => (false, probe.settings().clients().is_some()),
        };
        let slow = !many && self.medium.as_ref().is_some_and(|m| m.rate < LIVE_FROM);
        TrialPlan {
            deadlines: options.deadlines(),
            cpus: options.cpus(),
            shared: options.shared,
            // Live samples are useless if nobody watches.
            live: !slow && !(options.json && !std::io::stderr().is_terminal()),
            watched: options.events,
            viewer_flag: self.screen.viewer_flag(),
            medium: self.medium.clone().filter(|_| !beside),
            bus: self.bus.clone().filter(|_| !beside),
            run: self.record.run(),
            ..TrialPlan::new(self.record.trial(number), probe)
        }
    }

    /// Closes the run, prints the result, returns exit code and trials. `planned` is the number of trials, if
    /// known; an interrupt before it is reported even if all trials are complete.
    pub fn conclude(mut self, planned: Option<usize>) -> Result<(Exit, Vec<Trial>), Failure> {
        let whole = self.trials.iter().all(|t| t.outcome == Outcome::Complete);
        if interrupt::asked() && whole && planned.is_some_and(|n| self.trials.len() < n) {
            self.trouble.get_or_insert_with(interrupted);
        }
        self.screen.finish();
        let run = self.record.finish(self.trials.len())?;
        let exit = conclude(run, &self.trials, self.trouble, self.context.options)?;
        Ok((exit, self.trials))
    }
}

fn conclude(
    run: Option<RunId>,
    trials: &[Trial],
    trouble: Option<Failure>,
    options: &Options,
) -> Result<Exit, Failure> {
    let mut document = find_run::document(run, trials);
    let failure = trouble.or_else(|| broke_off(trials));
    if trials.is_empty()
        && let Some(failure) = failure
    {
        return Err(failure);
    }
    document.error = failure.as_ref().map(Failure::document);
    if options.events {
        events::ends_with(run, failure.as_ref());
    } else {
        output::result(&document, options.json);
    }
    if let Some(run) = run
        && !options.json
        && !options.events
        && std::io::stderr().is_terminal()
    {
        language::print_message(&format!("kept as {run}; goodput report draws it"));
    }
    Ok(match failure {
        Some(failure) => failure.exit,
        None if has_error_finding(&document) || nothing_found(&document) => Exit::RequirementFailed,
        None => Exit::Done,
    })
}

pub fn interrupted() -> Failure {
    Failure::new(Exit::Interrupted, "interrupted").because("by a signal, as asked")
}

fn broke_off(trials: &[Trial]) -> Option<Failure> {
    let trial = trials.iter().find(|trial| trial.outcome != Outcome::Complete)?;
    let (partial, cause) = match &trial.outcome {
        Outcome::Complete => return None,
        _ if interrupt::asked() => return Some(interrupted()),
        Outcome::Partial { cause } => (true, cause),
        Outcome::Failed { cause } => (false, cause),
    };
    let echo = by_echo(&trial.probe);
    let exit = match partial {
        true => Exit::BrokeOff,
        false if echo => Exit::Unreachable,
        false => Exit::CannotMeasure,
    };
    let hint = match (&trial.probe, partial) {
        (Probe::File(_), _) => trouble::hint(cause),
        (_, true) => "what was measured until then is in the result; look after that host and measure again",
        (_, false) if echo => {
            "the host may be off, or drop echo requests; with goodput agent on it, leave --icmp out"
        }
        (_, false) => "look after what the cause names and measure again",
    };
    let what = if partial { "ended early" } else { "measured nothing" };
    Some(Failure::new(exit, format!("trial {} {what}", trial.id)).because(cause).try_this(hint))
}

fn has_error_finding(document: &Document) -> bool {
    goodput_report::summaries(document)
        .iter()
        .any(|s| s.findings.iter().any(|f| f.severity == Severity::Error))
}

/// True for a search that found no rate.
fn nothing_found(document: &Document) -> bool {
    use SearchOutcome::{LossAtEveryRate, NoAnswer, NotConfirmed};
    document.search.as_ref().is_some_and(|s| matches!(s.outcome, NotConfirmed | LossAtEveryRate | NoAnswer))
}
