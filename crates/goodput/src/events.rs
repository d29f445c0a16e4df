//! `--events`: the progress of a measurement as JSON lines on standard output
//! ([`goodput_model::event_line`]). A closed reader loses lines and changes nothing else.

mod live_event_server;
mod live_sample;

pub use live_event_server::LiveEventServer;

use crate::failure::Failure;
use goodput_model::event_line::{EventLine, FailureLine, LiveProgressLine};
use goodput_model::{Event, Message, Nanos, Probe, RunId, TrialOutcome};
use live_sample::LiveSampler;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

static ENDING: Mutex<(Option<RunId>, Option<FailureLine>)> = Mutex::new((None, None));
/// True if a child inside a lab has written the last line.
static SAID_INSIDE: AtomicBool = AtomicBool::new(false);

#[derive(Debug, Default)]
pub struct EventWriter {
    run: Option<RunId>,
    /// A host as the coordinator knows it, and its name in the run.
    renamed: Option<(String, String)>,
    live_sample: LiveSampler,
}

impl EventWriter {
    pub fn write_run_started(
        &mut self,
        run: Option<RunId>,
        trials: Option<u32>,
        renamed: Option<(String, String)>,
    ) {
        (self.run, self.renamed) = (run, renamed);
        write_event_line(&EventLine::Started { run, trials });
    }

    /// `title` names the current trial; `set_is_auxiliary_trial` if it is not part of the run.
    pub fn write_event(&mut self, event: &Event, title: &Message, aside: bool) {
        match event {
            Event::Waiting { host, place, holder, .. } => {
                write_event_line(&EventLine::Waiting {
                    host: host.clone(),
                    place: *place,
                    holder: holder.clone(),
                });
            }
            Event::TrialStarted { trial, probe } => {
                self.live_sample = LiveSampler::new(self.run, *trial, probe, self.renamed.clone());
                write_event_line(&EventLine::TrialStarted {
                    trial: *trial,
                    probe: probe.name().to_string(),
                    title: title.clone(),
                    planned: planned(probe),
                    counts: !aside,
                });
            }
            Event::Live(live) => self.live_sample.build_total_sample(live).into_iter().for_each(sampled),
            Event::LiveEnds { whole, ends } => {
                self.live_sample.build_endpoints_sample(whole, ends).into_iter().for_each(sampled)
            }
            Event::TrialFinished { trial, .. } if !aside => {
                let (outcome, cause) = match &trial.outcome {
                    TrialOutcome::Complete => ("complete", None),
                    TrialOutcome::Partial { cause } => ("partial", Some(cause.clone())),
                    TrialOutcome::Failed { cause } => ("failed", Some(cause.clone())),
                };
                let outcome = outcome.to_string();
                write_event_line(&EventLine::TrialFinished {
                    run: self.run,
                    trial: trial.id,
                    outcome,
                    cause,
                });
            }
            Event::TrialFinished { .. } | Event::Experiment { .. } | Event::RunFinished => {}
        }
    }
}

fn sampled(live: LiveProgressLine) {
    write_event_line(&EventLine::Live(live));
}

/// Warm-up and window; `None` for a probe without a fixed length.
fn planned(probe: &Probe) -> Option<Nanos> {
    if probe.settings().may_end_early() {
        return None;
    }
    let (warm_up, window) = probe.measurement_window();
    Some(Nanos(warm_up.0.saturating_add(window?.0)))
}

pub fn write_event_line(line: &EventLine) {
    // Plain data with string keys cannot fail.
    let Ok(mut text) = serde_json::to_vec(line) else { return };
    text.push(b'\n');
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(&text).and_then(|()| out.flush());
}

pub fn write_message_event(sentence: &Message) {
    write_event_line(&EventLine::Said { text: sentence.clone() });
}

pub fn set_finished_event_result(run: Option<RunId>, failure: Option<&Failure>) {
    *ENDING.lock().unwrap_or_else(PoisonError::into_inner) = (run, failure.map(line_of));
}

pub fn suppress_finished_event() {
    SAID_INSIDE.store(true, Ordering::Relaxed);
}

pub fn write_finished_event(exit: u8, refused: Option<&Failure>) {
    if SAID_INSIDE.load(Ordering::Relaxed) {
        return;
    }
    let (run, told) = ENDING.lock().unwrap_or_else(PoisonError::into_inner).clone();
    write_event_line(&EventLine::Finished { run, exit, failure: refused.map(line_of).or(told) });
}

fn line_of(failure: &Failure) -> FailureLine {
    FailureLine { error: failure.error.clone(), cause: failure.cause.clone(), hint: failure.hint.clone() }
}
