//! Progress of a measurement on standard error: a bar on a terminal, at most one line per second otherwise,
//! nothing with `--json`.

use crate::args::measure_args::MeasureOptions;
use crate::command::file::trial_labels;
use crate::command::trial_sequence::search_step_label;
use crate::events::{self, EventWriter, LiveEventServer};
use crate::language;
use goodput_control::ViewerFlag;
use goodput_model::event::LiveProgress;
use goodput_model::probe::LiveRateKind;
use goodput_model::{Event, Message, MessageArg, Nanos, Probe, RunId, TrialOutcome};
use goodput_report::escape::escape_for_terminal;
use goodput_report::table::cell;
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

const WHOLE: u64 = 1000;
const LINE_EVERY: Duration = Duration::from_secs(1);

#[derive(Default)]
pub enum ProgressOutput {
    /// On a terminal.
    Bar(ProgressBar),
    Lines,
    Events,
    #[default]
    Nowhere,
}

impl ProgressOutput {
    pub fn from_options(json: bool, events: bool, length: u64, template: &str) -> ProgressOutput {
        if events {
            ProgressOutput::Events
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(10));
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            ProgressOutput::Bar(bar)
        } else if json {
            ProgressOutput::Nowhere
        } else {
            ProgressOutput::Lines
        }
    }

    pub fn print_message(&self, message: impl Into<Message>) {
        let message = message.into();
        match self {
            ProgressOutput::Bar(bar) => bar.println(escape_for_terminal(&language::format_message(&message))),
            ProgressOutput::Lines => language::print_message(message),
            ProgressOutput::Events => events::write_message_event(&message),
            ProgressOutput::Nowhere => {}
        }
    }

    pub fn finish(&self) {
        if let ProgressOutput::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

#[derive(Default)]
pub struct ProgressScreen {
    place: ProgressOutput,
    /// When the next line is due.
    next: Option<Instant>,
    /// "stream", or "trial 2 of 5: stream".
    title: Message,
    /// Title of the trials of a step; `None` where each trial has its own.
    step: Option<Message>,
    /// `None` where each trial depends on the one before.
    trials: Option<u32>,
    trial: u32,
    aside: bool,
    probe: Option<Probe>,
    /// When the agents were asked for a lease; `None` after their answer.
    asked: Option<Instant>,
    /// With [`ProgressOutput::Events`].
    events: Option<EventWriter>,
    offered: Option<LiveEventServer>,
    viewer_flag: ViewerFlag,
}

impl ProgressScreen {
    /// `None` if the number of trials is not known.
    pub fn new(options: &MeasureOptions, trials: Option<u32>) -> ProgressScreen {
        let place =
            ProgressOutput::from_options(options.json, options.events, WHOLE, "{prefix} [{bar:30}] {msg}");
        let events = options.events.then(EventWriter::default);
        ProgressScreen { place, trials, events, ..ProgressScreen::default() }
    }

    pub fn show_run_started(
        &mut self,
        run: Option<RunId>,
        folder: Option<&Path>,
        renamed: Option<(String, String)>,
    ) {
        if let Some(events) = &mut self.events {
            events.write_run_started(run, self.trials, renamed);
        } else if let (Some(run), Some(folder)) = (run, folder)
            && !matches!(self.place, ProgressOutput::Nowhere)
        {
            self.offered = LiveEventServer::open(folder, run, renamed, self.viewer_flag.clone());
        }
    }

    pub fn has_viewers_flag(&self) -> ViewerFlag {
        self.viewer_flag.clone()
    }

    pub fn start_host_response_timer(&mut self) {
        self.asked = Some(Instant::now());
    }

    pub fn show_event(&mut self, event: &Event) {
        match event {
            Event::Waiting { host, place, holder, held_for, left } => {
                let waiting = message!(progress_waiting { host, place: *place, holder });
                let waiting = held_and_left(waiting, *held_for, *left);
                match self.asked.take() {
                    None => self.print_message(waiting),
                    Some(asked) => {
                        let ms = asked.elapsed().as_millis();
                        let time = quantity_arg(ms as f64, "ms", format!("{ms} ms"));
                        self.print_message(message!(progress_waiting_answered { waiting, time }));
                    }
                }
            }
            Event::TrialStarted { probe, .. } if self.aside => {
                let title = match probe {
                    Probe::File(file) if file.is_measured_workload() => {
                        message!(progress_does_not_count { what: trial_labels::trial_label(file) })
                    }
                    Probe::File(file) => trial_labels::trial_label(file),
                    probe => probe.name().into(),
                };
                self.titled(title, probe);
            }
            Event::TrialStarted { probe, .. } => {
                self.trial += 1;
                let number = self.trial.to_string();
                let title = match (&self.step, self.trials, probe) {
                    (Some(step), ..) => step.clone(),
                    (None, Some(1), probe) if !matches!(probe, Probe::File(_)) => probe.name().into(),
                    (None, Some(all), probe) => {
                        let (all, what) = (all.to_string(), trial_name(probe));
                        message!(progress_trial_of { number, all, what })
                    }
                    (None, None, probe) => {
                        let label = search_step_label(probe);
                        let what = label.map_or_else(|| MessageArg::from(probe.name()), MessageArg::from);
                        message!(progress_trial { number, what })
                    }
                };
                self.titled(title, probe);
            }
            Event::Live(live) => self.live(live),
            Event::TrialFinished { trial, .. } => {
                if let ProgressOutput::Bar(bar) = &self.place {
                    bar.set_position(WHOLE);
                }
                let title = &self.title;
                match &trial.outcome {
                    TrialOutcome::Complete => {}
                    TrialOutcome::Partial { cause } => {
                        self.print_message(message!(progress_broke_off { title, cause }))
                    }
                    TrialOutcome::Failed { cause } => {
                        self.print_message(message!(progress_failed { title, cause }))
                    }
                }
            }
            // Reported by the experiment's screen, and to programs.
            Event::Experiment { .. } | Event::LiveEnds { .. } => {}
            Event::RunFinished => self.finish_progress(),
        }
        if let Some(events) = &mut self.events {
            events.write_event(event, &self.title, self.aside);
        }
        if let Some(offered) = &mut self.offered {
            offered.publish_event(event);
        }
    }

    fn titled(&mut self, title: Message, probe: &Probe) {
        self.title = title;
        self.probe = Some(probe.clone());
        if let ProgressOutput::Bar(bar) = &self.place {
            bar.reset();
            bar.set_prefix(language::format_message(&self.title));
            bar.set_message(language::format_message(&message!(progress_warming_up)));
        }
    }

    /// True for preparation and clean-up, which are not part of the run.
    pub fn set_is_auxiliary_trial(&mut self, aside: bool) {
        self.aside = aside;
    }

    /// Titles the trials until the next step.
    pub fn begin_step(&mut self, title: Message) {
        if self.step.as_ref() != Some(&title) {
            if matches!(self.place, ProgressOutput::Lines) {
                language::print_message(&title);
            }
            self.step = Some(title);
        }
    }

    pub fn set_trial_count(&mut self, trials: u32) {
        self.trials = Some(trials);
    }

    pub fn finish_progress(&self) {
        self.place.finish();
    }

    pub fn print_message(&self, message: impl Into<Message>) {
        self.place.print_message(message);
    }

    fn live(&mut self, live: &LiveProgress) {
        let said = live_sample(live, self.probe.as_ref());
        match &self.place {
            ProgressOutput::Bar(bar) => {
                if let Some(done) = share_done(live, self.probe.as_ref()) {
                    bar.set_position((done * WHOLE as f64) as u64);
                }
                bar.set_message(language::format_message(&said));
            }
            ProgressOutput::Lines if self.next.is_none_or(|next| Instant::now() >= next) => {
                self.next = Some(Instant::now() + LINE_EVERY);
                language::print_message(message!(list_colon { what: &self.title, why: said }));
            }
            _ => {}
        }
    }
}

fn share_done(live: &LiveProgress, probe: Option<&Probe>) -> Option<f64> {
    let by_time = || {
        let settings = probe?.settings();
        let length =
            settings.measurement_window().1.filter(|length| !settings.may_end_early() && length.0 > 0)?;
        Some(live.elapsed_ns? as f64 / length.0 as f64)
    };
    live.done.or_else(by_time).map(|d| d.clamp(0.0, 1.0))
}

fn trial_name(probe: &Probe) -> MessageArg {
    match probe {
        Probe::File(file) => trial_labels::trial_label(file).into(),
        probe => probe.name().into(),
    }
}

/// One line about a trial under way. The rate is a live_sample, never a result.
fn live_sample(live: &LiveProgress, probe: Option<&Probe>) -> Message {
    let Some(elapsed) = live.elapsed_ns.filter(|e| *e > 0) else { return message!(progress_warming_up) };
    let seconds = elapsed as f64 / 1e9;
    let time = format!("{seconds:.1} s");
    let share = share_done(live, probe).map(|done| {
        let percent = done * 100.0;
        quantity_arg(percent, "%", format!("{percent:.0} %"))
    });
    let rate = match probe.map(|p| p.settings().live_rate_kind()) {
        Some(LiveRateKind::Bytes) if live.bytes > 0 => Some(cell::rate_f(live.bytes as f64 * 8.0 / seconds)),
        Some(LiveRateKind::Operations) if live.operations > 0 => {
            Some(cell::per_second(live.operations as f64 / seconds))
        }
        _ => None,
    };
    let (said, time) = (Message::from(&time), quantity_arg(seconds, "s", time));
    match (share, rate) {
        (None, None) => said,
        (None, Some(rate)) => message!(progress_seconds_rate { time, rate }),
        (Some(share), None) => message!(progress_seconds_done { time, share }),
        (Some(share), Some(rate)) => message!(progress_seconds_done_rate { time, share, rate }),
    }
}

/// How long the lease has been held, and the expected remainder of the holder's trial.
fn held_and_left(waiting: Message, held_for: Option<Nanos>, left: Option<Nanos>) -> Message {
    let seconds = |t: Nanos| -> MessageArg {
        let seconds = t.to_duration().as_secs_f64().round();
        quantity_arg(seconds, "s", format!("{seconds} s"))
    };
    match (held_for.map(seconds), left.map(seconds)) {
        (None, _) => waiting,
        (Some(held), None) => message!(progress_waiting_held { waiting, held }),
        (Some(held), Some(left)) => message!(progress_waiting_left { waiting, held, left }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::{Stream, TrialId};

    fn live(elapsed_ns: Option<u64>, bytes: u64) -> LiveProgress {
        LiveProgress { trial: TrialId(1), done: None, elapsed_ns, bytes, operations: 0, busy_percent: None }
    }

    #[test]
    fn a_glimpse_has_time_share_and_rate() {
        let probe = Probe::Stream(Stream::default());
        assert_eq!(live_sample(&live(None, 0), Some(&probe)), "warming up");
        let text = live_sample(&live(Some(2_500_000_000), 312_500_000), Some(&probe));
        assert!(text.starts_with("2.5 s, 25 % done, ") && text.contains("Gbit/s"), "{text}");
    }

    #[test]
    fn who_waits_is_told_for_how_long() {
        let s = |seconds: u64| Some(Nanos(seconds * Nanos::SECOND.0 + 400_000_000));
        let waiting = || Message::from("waiting");
        assert_eq!(held_and_left(waiting(), s(2), s(4)), "waiting, for 2 s so far, 4 s left");
        assert_eq!(held_and_left(waiting(), s(2), None), "waiting, for 2 s so far");
        assert_eq!(held_and_left(waiting(), None, None), "waiting");
    }

    #[test]
    fn the_share_is_never_above_the_whole() {
        let probe = Probe::Stream(Stream::default());
        assert_eq!(share_done(&live(Some(20_000_000_000), 0), Some(&probe)), Some(1.0));
        assert_eq!(share_done(&live(Some(1), 0), None), None);
    }
}
