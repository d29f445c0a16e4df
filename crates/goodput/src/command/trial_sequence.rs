//! The sequence of trials of a run.

use super::diagnosis_knobs::DiagnosisKnobs;
use crate::args::measure_args::MeasureInvocation;
use crate::failure::Failure;
use crate::lab_exec::LabContext;
use goodput_analysis::diagnosis::{DiagnosisPlan, cause_name};
use goodput_analysis::rate_search::search_trials::SearchTrials;
use goodput_analysis::rate_search::{TrialLength, TrialRequest, TrialVerdict};
use goodput_analysis::summary::summarize_trial;
use goodput_model::datagram::DatagramRate;
use goodput_model::diagnosis::LimitCause;
use goodput_model::{Datagram, File, Message, MessageArg, Nanos, Probe, Trial, TrialOutcome};
use goodput_report::search_step;
use goodput_report::table::cell;
use goodput_words::message;
use std::time::Instant;

/// Whether the hosts are as a trial needs them.
pub enum HostPreparation {
    Ready,
    /// The trial is left out, and why.
    LeftOut(Message),
}

pub trait TrialSequence {
    /// Total number of trials, if known.
    fn trial_count(&self) -> Option<u32>;

    /// `None` when there is nothing more to measure.
    fn next_probe(&mut self) -> Option<Probe>;

    /// Changes the host settings that the trial needs changed.
    fn prepare_hosts(&mut self, _: &Probe) -> Result<HostPreparation, Failure> {
        Ok(HostPreparation::Ready)
    }

    /// Restores them, whatever became of the trial, and tells what was changed.
    fn restore_hosts(&mut self) -> Result<Option<Message>, Failure> {
        Ok(None)
    }

    fn on_trial_finished(&mut self, _: &Trial) -> Option<Message> {
        None
    }

    /// Title of the present step, where a step may have several trials.
    fn step_title(&self) -> Option<Message> {
        None
    }

    /// Whether an incomplete trial is a result, too.
    fn accepts_incomplete_trials(&self) -> bool {
        false
    }
}

pub struct RepeatSequence {
    probes: Vec<Probe>,
    rounds: u32,
    made: usize,
}

impl RepeatSequence {
    pub fn new(probes: Vec<Probe>, rounds: u32) -> RepeatSequence {
        RepeatSequence { probes, rounds, made: 0 }
    }
}

impl TrialSequence for RepeatSequence {
    fn trial_count(&self) -> Option<u32> {
        Some(self.rounds.saturating_mul(self.probes.len() as u32))
    }

    fn next_probe(&mut self) -> Option<Probe> {
        let at = self.made;
        self.made += 1;
        let round = at.checked_div(self.probes.len())?;
        (round < self.rounds as usize).then(|| self.probes[at % self.probes.len()].clone())
    }
}

impl TrialSequence for SearchTrials {
    fn trial_count(&self) -> Option<u32> {
        None
    }

    fn next_probe(&mut self) -> Option<Probe> {
        SearchTrials::next_probe(self)
    }

    fn on_trial_finished(&mut self, trial: &Trial) -> Option<Message> {
        let ask = self.next_request()?;
        let summary = summarize_trial(trial);
        let verdict = match self.record(&summary) {
            Some(TrialVerdict::Passed) => "passed",
            Some(TrialVerdict::Unclear) => "unclear",
            Some(TrialVerdict::TooHigh) => "high",
            None => "none",
        };
        let result = search_step(&summary)?;
        let (trial, asked) = (trial.id.to_string(), trial_request(ask));
        Some(message!(progress_search_step { trial, asked, result, verdict }))
    }
}

struct DiagnosisSequence {
    plan: DiagnosisPlan,
    began: Instant,
    /// Trials in a row without any data.
    failed: u32,
    suspected: Option<LimitCause>,
    /// `None` where no host setting may be changed.
    knobs: Option<DiagnosisKnobs>,
}

/// A path that carries nothing at all is not diagnosed further.
const MAX_FAILED_TRIALS: u32 = 4;

impl TrialSequence for DiagnosisSequence {
    fn trial_count(&self) -> Option<u32> {
        None
    }

    fn next_probe(&mut self) -> Option<Probe> {
        self.plan.next_probe(self.began.elapsed().as_secs_f64())
    }

    fn prepare_hosts(&mut self, probe: &Probe) -> Result<HostPreparation, Failure> {
        let (Some(knobs), Probe::Stream(settings)) = (&mut self.knobs, probe) else {
            return Ok(HostPreparation::Ready);
        };
        let Some(change) = settings.intervention else { return Ok(HostPreparation::Ready) };
        let Err(why) = knobs.apply(change, settings) else { return Ok(HostPreparation::Ready) };
        self.plan.forbid(change.kind);
        knobs.restore()?;
        Ok(HostPreparation::LeftOut(why))
    }

    fn restore_hosts(&mut self) -> Result<Option<Message>, Failure> {
        self.knobs.as_mut().map_or(Ok(None), DiagnosisKnobs::restore)
    }

    fn on_trial_finished(&mut self, trial: &Trial) -> Option<Message> {
        // A part of a copy has no rate.
        self.failed = match (&trial.outcome, &trial.probe) {
            (TrialOutcome::Failed { .. }, _) | (TrialOutcome::Partial { .. }, Probe::File(_)) => {
                self.failed + 1
            }
            _ => 0,
        };
        self.plan.record(trial, self.began.elapsed().as_secs_f64());
        let suspected = self.plan.suspected();
        let new = suspected.filter(|_| suspected != self.suspected)?;
        self.suspected = suspected;
        Some(message!(progress_testing_cause { cause: cause_name(new) }))
    }

    fn accepts_incomplete_trials(&self) -> bool {
        self.failed < MAX_FAILED_TRIALS
    }
}

pub fn build_trial_sequence(
    order: &MeasureInvocation,
    seed: u64,
    place: Option<&LabContext>,
) -> Result<Box<dyn TrialSequence>, Failure> {
    if let (Some(asked), Probe::Stream(settings)) = (order.diagnosis, &order.probe) {
        let mut plan = DiagnosisPlan::new(settings.clone(), asked.budget.0 as f64 / 1e9, seed);
        let mut knobs = None;
        if asked.allow_knob {
            plan.allow_host_settings();
            knobs = Some(DiagnosisKnobs::new(order, place)?);
        }
        let began = Instant::now();
        return Ok(Box::new(DiagnosisSequence { plan, began, failed: 0, suspected: None, knobs }));
    }
    if let Probe::Datagram(settings) = &order.probe
        && let Some(search) = SearchTrials::new(settings)
    {
        return Ok(Box::new(search));
    }
    let probes = std::iter::once(&order.probe).chain(&order.then).cloned().collect();
    Ok(Box::new(RepeatSequence::new(probes, order.options.repeat_count())))
}

/// `began` is when the budget began.
pub fn build_copy_diagnosis(copy: File, budget: Nanos, seed: u64, began: Instant) -> Box<dyn TrialSequence> {
    let plan = DiagnosisPlan::for_copy(copy, budget.0 as f64 / 1e9, seed);
    Box::new(DiagnosisSequence { plan, began, failed: 0, suspected: None, knobs: None })
}

fn trial_request(ask: TrialRequest) -> MessageArg {
    let rate = ask.rate.map_or_else(|| message!(report_all_it_can).into(), |r| cell::rate(r.0).into());
    match ask.length {
        TrialLength::Short => rate,
        TrialLength::Full => message!(progress_search_confirm { rate }).into(),
    }
}

/// `None` for a trial that is not a step of a search.
pub fn search_step_label(probe: &Probe) -> Option<Message> {
    let Probe::Datagram(Datagram { rate, search: Some(_), .. }) = probe else { return None };
    let rate = match rate {
        None => return Some(message!(progress_search_full_rate { probe: probe.name() })),
        Some(DatagramRate::Bits(bits)) => cell::rate(bits.0),
        Some(DatagramRate::Datagrams(n)) => cell::per_second(*n),
    };
    Some(message!(progress_search_at_rate { probe: probe.name(), rate }))
}
