//! The steps that all measuring commands share: signals, hosts, trials, recording, result.

use super::file::file_errors;
use super::peer_session::{PeerSession, uses_icmp_echo};
use super::run_record::RunRecorder;
use super::trial_sequence::{HostPreparation, TrialSequence};
use super::{credentials, find_run, recover_results};
use crate::args::measure_args::MeasureOptions;
use crate::exit::ExitStatus;
use crate::failure::{self, Failure};
use crate::lab_exec::LabContext;
use crate::screen::ProgressScreen;
use crate::{events, interrupt, language, output};
use goodput_analysis::check::{judge_requirement, next_step};
use goodput_analysis::diagnosis::intervention_of;
use goodput_control::{AgentRegistry, CancelFlag, ControlError, Credentials, Session, TrialPlan};
use goodput_model::check::PathCheck;
use goodput_model::diagnosis::InterventionKind;
use goodput_model::experiment::MetricRequirement;
use goodput_model::recorder::NoopRecorder;
use goodput_model::summary::{RateSearchOutcome, ResultDocument};
use goodput_model::trial::{HostBus, Medium, TrialPurpose};
use goodput_model::{BitRate, Probe, RunId, Severity, Trial, TrialOutcome, file};
use goodput_words::message;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::IsTerminal;

/// Below this rate live samples would be a noticeable share of the traffic.
const LIVE_FROM: BitRate = BitRate(1_000_000_000);

pub struct MeasurementContext<'a> {
    pub options: &'a MeasureOptions,
    /// The lab that this process runs in.
    pub place: Option<&'a LabContext>,
    pub shown: Option<Credentials>,
    pub registry: AgentRegistry,
    pub cancel: CancelFlag,
    pub seed: u64,
}

impl<'a> MeasurementContext<'a> {
    /// Signals are handled from here on.
    pub fn new(
        options: &'a MeasureOptions,
        place: Option<&'a LabContext>,
    ) -> Result<MeasurementContext<'a>, Failure> {
        let cancel = interrupt::create_signal_cancel_flag()?;
        let shown = credentials::find_lab_or_user_credentials(&options.credentials, place)?;
        let (router, deadlines) = (options.router.clone(), options.trial_timeouts());
        let registry =
            credentials::open_agent_registry(shown.as_ref(), router, deadlines, "cannot search for hosts")?;
        let seed = options.seed.unwrap_or_else(new_seed);
        Ok(MeasurementContext { options, place, shown, registry, cancel, seed })
    }
}

/// 53 bits, so that any JSON reader keeps it exactly.
fn new_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 11
}

/// What a check adds to a measurement.
pub struct CheckRequest<'a> {
    pub requirements: &'a [MetricRequirement],
    /// HOST and `--from HOST` as typed.
    pub hosts: String,
}

pub struct Measurement<'a> {
    context: &'a MeasurementContext<'a>,
    reached: &'a PeerSession,
    record: RunRecorder,
    pub screen: ProgressScreen,
    medium: Option<Medium>,
    bus: Option<HostBus>,
    /// The target of file work; only its trials pass medium and bus.
    target: Option<&'a file::FileLocation>,
    check: Option<CheckRequest<'a>>,
    trials: Vec<Trial>,
    /// The first failure, besides incomplete trials.
    pub trouble: Option<Failure>,
}

impl<'a> Measurement<'a> {
    /// Recovers leftover trials from the hosts, and begins the run. `renamed`: address as known to the
    /// coordinator, and the name to save.
    pub fn open(
        context: &'a MeasurementContext<'a>,
        reached: &'a PeerSession,
        words: Vec<String>,
        mut screen: ProgressScreen,
        renamed: Option<(String, String)>,
    ) -> Result<Measurement<'a>, Failure> {
        let MeasurementContext { options, place, seed, .. } = context;
        if let Some(session) = reached.agent_session() {
            recover_results::recover_results(session, options, &words, &mut screen);
        }
        let record = RunRecorder::open(options, words, *seed, renamed.clone())?;
        screen.show_run_started(record.run_id(), record.run_folder(), renamed);
        Ok(Measurement {
            context,
            reached,
            record,
            screen,
            medium: options.medium.clone().or_else(|| place.and_then(|p| p.medium.clone())),
            bus: options.bus.clone().or_else(|| place.and_then(|p| p.bus.clone())),
            target: None,
            check: None,
            trials: Vec::new(),
            trouble: None,
        })
    }

    pub fn with_file_target(self, target: &'a file::FileLocation) -> Measurement<'a> {
        Measurement { target: Some(target), ..self }
    }

    pub fn with_check(self, check: Option<CheckRequest<'a>>) -> Measurement<'a> {
        Measurement { check, ..self }
    }

    /// Makes the trials of a sequence until one fails.
    pub fn run_trial_sequence(&mut self, sequence: &mut dyn TrialSequence) {
        while let Some(probe) = sequence.next_probe() {
            match self.ensure_known_changes(&probe).and_then(|()| sequence.prepare_hosts(&probe)) {
                Ok(HostPreparation::Ready) => {}
                Ok(HostPreparation::LeftOut(why)) => {
                    self.screen.print_message(&why);
                    continue;
                }
                Err(failure) => {
                    self.trouble = Some(failure);
                    return;
                }
            }
            let plan = self.plan(self.seeded(probe));
            if let Some(title) = sequence.step_title() {
                self.screen.begin_step(title);
            }
            self.screen.start_host_response_timer();
            let screen = &mut self.screen;
            let cancel = &self.context.cancel;
            let made = self.reached.run_trial(
                &plan,
                &mut self.record,
                &mut |event| screen.show_event(event),
                cancel,
            );
            let restored = sequence.restore_hosts();
            match made {
                Ok(trial) => {
                    if let Some(sentence) = sequence.on_trial_finished(&trial) {
                        self.screen.print_message(&sentence);
                    }
                    self.trials.push(self.record.trial_with_host_names(&trial));
                }
                Err(e) => {
                    self.trouble = Some(failure::failure_from_control_error("the trial was not run", &e))
                }
            }
            match restored {
                Ok(told) => told.iter().for_each(|sentence| self.screen.print_message(sentence)),
                // It matters more than what became of the trial.
                Err(failure) => self.trouble = Some(failure),
            }
            let incomplete = sequence.accepts_incomplete_trials() && self.trouble.is_none();
            if !(self.should_continue() || incomplete && !self.context.cancel.is_cancelled()) {
                return;
            }
        }
    }

    /// Agents of another version may not know what a diagnosis changes, and would ignore it.
    fn ensure_known_changes(&self, probe: &Probe) -> Result<(), Failure> {
        let changed = intervention_of(probe).is_some_and(|change| change.kind != InterventionKind::Scout);
        let other = self.reached.agent_session().map(Session::version_mismatch_warnings).unwrap_or_default();
        if !changed || other.is_empty() {
            return Ok(());
        }
        Err(Failure::new(ExitStatus::CannotMeasure, "only the first trial of the diagnosis was made")
            .with_cause(goodput_words::semicolon_list(other))
            .with_hint("install the same version on both hosts"))
    }

    pub fn should_continue(&self) -> bool {
        self.trouble.is_none() && self.is_last_trial_complete() && !self.context.cancel.is_cancelled()
    }

    pub fn is_last_trial_complete(&self) -> bool {
        self.trials.last().is_some_and(|t| t.outcome == TrialOutcome::Complete)
    }

    /// Makes a trial that is not part of the run.
    pub fn run_unrecorded_trial(&mut self, probe: Probe, cancel: &CancelFlag) -> Result<Trial, ControlError> {
        let plan = TrialPlan { live: false, run: None, ..self.plan(probe) };
        self.screen.start_host_response_timer();
        self.screen.set_is_auxiliary_trial(true);
        let screen = &mut self.screen;
        let made =
            self.reached.run_trial(&plan, &mut NoopRecorder, &mut |event| screen.show_event(event), cancel);
        self.screen.set_is_auxiliary_trial(false);
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
                (f.place != *target && !matches!(f.place, file::FileLocation::Sink { .. }), true)
            }
            (probe, _) => (false, probe.settings().client_names().is_some()),
        };
        let slow = !many && self.medium.as_ref().is_some_and(|m| m.rate < LIVE_FROM);
        TrialPlan {
            deadlines: options.trial_timeouts(),
            cpus: options.cpus.clone().map(|cpus| cpus.0),
            shared: options.shared,
            // Live samples are useless if nobody watches.
            live: !slow && !(options.json && !std::io::stderr().is_terminal()),
            watched: options.events,
            viewer_flag: self.screen.has_viewers_flag(),
            medium: self.medium.clone().filter(|_| !beside),
            bus: self.bus.clone().filter(|_| !beside),
            run: self.record.run_id(),
            purpose: self.check.as_ref().map(|_| TrialPurpose::Check),
            ..TrialPlan::new(self.record.trial_id(number), probe)
        }
    }

    /// Closes the run, prints the result, returns exit code and trials. `planned` is the number of trials, if
    /// known; an interrupt before it is reported even if all trials are complete.
    pub fn finish(mut self, planned: Option<usize>) -> Result<(ExitStatus, Vec<Trial>), Failure> {
        let whole = self.trials.iter().all(|t| t.outcome == TrialOutcome::Complete);
        if interrupt::is_interrupted() && whole && planned.is_some_and(|n| self.trials.len() < n) {
            self.trouble.get_or_insert_with(interrupted_failure);
        }
        self.screen.finish_progress();
        let run = self.record.close_run(self.trials.len())?;
        let exit = conclude(run, &self.trials, self.trouble, self.context.options, self.check.as_ref())?;
        Ok((exit, self.trials))
    }
}

fn conclude(
    run: Option<RunId>,
    trials: &[Trial],
    trouble: Option<Failure>,
    options: &MeasureOptions,
    check: Option<&CheckRequest<'_>>,
) -> Result<ExitStatus, Failure> {
    let mut document = find_run::build_result_document(run, trials);
    if let (Some(found), Some(request)) = (&mut document.check, check) {
        found.next = next_step(found, &request.hosts);
        found.requirements = request.requirements.iter().map(|r| judge_requirement(found, r)).collect();
    }
    // A transfer that stalls is what a diagnosis explains, and a check lists the steps that failed.
    let explained =
        document.diagnosis.is_some() || document.check.as_ref().is_some_and(PathCheck::has_values);
    let broken = broke_off(trials).filter(|_| !explained || interrupt::is_interrupted());
    let failure = trouble.or(broken);
    if trials.is_empty()
        && let Some(failure) = failure
    {
        return Err(failure);
    }
    document.error = failure.as_ref().map(Failure::error_document);
    if options.events {
        events::set_finished_event_result(run, failure.as_ref());
    } else {
        output::print_result(&document, options.json);
    }
    if let Some(run) = run
        && !options.json
        && !options.events
        && std::io::stderr().is_terminal()
    {
        language::print_message(message!(progress_kept_as { run: run.to_string() }));
    }
    Ok(match failure {
        Some(failure) => failure.exit,
        None if is_requirement_failed(&document) => ExitStatus::RequirementFailed,
        None => ExitStatus::Done,
    })
}

pub fn interrupted_failure() -> Failure {
    Failure::new(ExitStatus::Interrupted, "interrupted").with_cause("stopped by a signal, as requested")
}

fn broke_off(trials: &[Trial]) -> Option<Failure> {
    let trial = trials.iter().find(|trial| trial.outcome != TrialOutcome::Complete)?;
    let (partial, cause) = match &trial.outcome {
        TrialOutcome::Complete => return None,
        _ if interrupt::is_interrupted() => return Some(interrupted_failure()),
        TrialOutcome::Partial { cause } => (true, cause),
        TrialOutcome::Failed { cause } => (false, cause),
    };
    let echo = uses_icmp_echo(&trial.probe);
    let exit = match partial {
        true => ExitStatus::BrokeOff,
        false if echo => ExitStatus::Unreachable,
        false => ExitStatus::CannotMeasure,
    };
    let hint = match (&trial.probe, partial) {
        (Probe::File(_), _) => file_errors::hint_for_cause(cause),
        (_, true) => {
            "the result contains the data measured before the failure; check that host and measure again"
        }
        (_, false) if echo => {
            "the host may be off or drop echo requests; if it runs goodput agent, omit --icmp"
        }
        (_, false) => "fix the cause, then measure again",
    };
    let number = trial.id.to_string();
    let what = match partial {
        true => message!(error_trial_broke_off { number }),
        false => message!(error_trial_measured_nothing { number }),
    };
    Some(Failure::new(exit, what).with_cause(cause).with_hint(hint))
}

fn is_requirement_failed(document: &ResultDocument) -> bool {
    match &document.check {
        Some(check) => check.requirements.iter().any(|r| !r.met),
        // Its trials change settings on purpose.
        None if document.diagnosis.is_some() => false,
        None => has_error_finding(document) || nothing_found(document),
    }
}

fn has_error_finding(document: &ResultDocument) -> bool {
    goodput_report::trial_summaries(document)
        .iter()
        .any(|s| s.findings.iter().any(|f| f.severity == Severity::Error))
}

/// True for a search that found no rate.
fn nothing_found(document: &ResultDocument) -> bool {
    use RateSearchOutcome::{LossAtEveryRate, NoAnswer, NotConfirmed};
    document.search.as_ref().is_some_and(|s| matches!(s.outcome, NotConfirmed | LossAtEveryRate | NoAnswer))
}
