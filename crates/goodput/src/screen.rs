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
use goodput_model::{Event, Nanos, Probe, RunId, TrialOutcome};
use goodput_report::number_format;
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

    pub fn print_message(&self, sentence: &str) {
        match self {
            ProgressOutput::Bar(bar) => bar.println(language::translate_text(sentence)),
            ProgressOutput::Lines => language::print_message(sentence),
            ProgressOutput::Events => events::write_message_event(sentence),
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
    title: String,
    /// Title of the trials of a step; `None` where each trial has its own.
    step: Option<String>,
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

    fn answered(&mut self) -> String {
        self.asked
            .take()
            .map_or(String::new(), |at| format!(" (the host answered after {} ms)", at.elapsed().as_millis()))
    }

    pub fn show_event(&mut self, event: &Event) {
        match event {
            Event::Waiting { host, place, holder, held_for, left } => {
                let answered = self.answered();
                let times = held_and_left(*held_for, *left);
                self.print_message(&format!(
                    "waiting for {host}: queue position {place}, {holder} is measuring there{times}{answered}"
                ));
            }
            Event::TrialStarted { probe, .. } if self.aside => {
                let title = match probe {
                    Probe::File(file) if !file.is_measured_workload() => trial_labels::trial_label(file),
                    Probe::File(file) => {
                        format!("{} (not counted in the results)", trial_labels::trial_label(file))
                    }
                    _ => probe.name().to_string(),
                };
                self.titled(title, probe);
            }
            Event::TrialStarted { probe, .. } => {
                self.trial += 1;
                let title = match (self.trials, probe) {
                    _ if self.step.is_some() => self.step.clone().unwrap_or_default(),
                    (Some(n), Probe::File(file)) => {
                        format!("trial {} of {n}: {}", self.trial, trial_labels::trial_label(file))
                    }
                    (Some(1), _) => probe.name().to_string(),
                    (Some(n), _) => format!("trial {} of {n}: {}", self.trial, probe.name()),
                    (None, _) => {
                        let step = search_step_label(probe).unwrap_or_default();
                        format!("trial {}: {} {step}", self.trial, probe.name())
                    }
                };
                self.titled(title, probe);
            }
            Event::Live(live) => self.live(live),
            Event::TrialFinished { trial, .. } => {
                if let ProgressOutput::Bar(bar) = &self.place {
                    bar.set_position(WHOLE);
                }
                match &trial.outcome {
                    TrialOutcome::Complete => {}
                    TrialOutcome::Partial { cause } => {
                        self.print_message(&format!("{}: aborted: {cause}", self.title))
                    }
                    TrialOutcome::Failed { cause } => {
                        self.print_message(&format!("{}: failed: {cause}", self.title))
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

    fn titled(&mut self, title: String, probe: &Probe) {
        self.title = title;
        self.probe = Some(probe.clone());
        if let ProgressOutput::Bar(bar) = &self.place {
            bar.reset();
            bar.set_prefix(language::translate_text(&self.title));
            bar.set_message(language::translate_text("warming up"));
        }
    }

    /// True for preparation and clean-up, which are not part of the run.
    pub fn set_is_auxiliary_trial(&mut self, aside: bool) {
        self.aside = aside;
    }

    /// Titles the trials until the next step.
    pub fn begin_step(&mut self, title: String) {
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

    pub fn print_message(&self, sentence: &str) {
        self.place.print_message(sentence);
    }

    fn live(&mut self, live: &LiveProgress) {
        let message = live_sample(live, self.probe.as_ref());
        match &self.place {
            ProgressOutput::Bar(bar) => {
                if let Some(done) = share_done(live, self.probe.as_ref()) {
                    bar.set_position((done * WHOLE as f64) as u64);
                }
                bar.set_message(language::translate_text(&message));
            }
            ProgressOutput::Lines if self.next.is_none_or(|next| Instant::now() >= next) => {
                self.next = Some(Instant::now() + LINE_EVERY);
                eprintln!(
                    "{}: {}",
                    language::translate_text(&self.title),
                    language::translate_text(&message)
                );
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

/// One line about a trial under way. The rate is a live_sample, never a result.
fn live_sample(live: &LiveProgress, probe: Option<&Probe>) -> String {
    let Some(elapsed) = live.elapsed_ns.filter(|e| *e > 0) else { return "warming up".to_string() };
    let seconds = elapsed as f64 / 1e9;
    let mut text = format!("{seconds:.1} s");
    if let Some(done) = share_done(live, probe) {
        text.push_str(&format!(", {:.0} % done", done * 100.0));
    }
    match probe.map(|p| p.settings().live_rate_kind()) {
        Some(LiveRateKind::Bytes) if live.bytes > 0 => {
            text.push_str(&format!(
                ", {}",
                number_format::format_rate_f64(live.bytes as f64 * 8.0 / seconds)
            ));
        }
        Some(LiveRateKind::Operations) if live.operations > 0 => {
            text.push_str(&format!(
                ", {}",
                number_format::format_count_per_second(live.operations as f64 / seconds)
            ));
        }
        _ => {}
    }
    text
}

/// How long the lease has been held, and the expected remainder of the holder's trial.
fn held_and_left(held_for: Option<Nanos>, left: Option<Nanos>) -> String {
    let seconds = |t: Nanos| t.to_duration().as_secs_f64().round();
    match (held_for.map(seconds), left.map(seconds)) {
        (None, _) => String::new(),
        (Some(held), None) => format!(", for {held} s so far"),
        (Some(held), Some(left)) => format!(", for {held} s so far, {left} s left"),
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
        assert_eq!(held_and_left(s(2), s(4)), ", for 2 s so far, 4 s left");
        assert_eq!(held_and_left(s(2), None), ", for 2 s so far");
        assert_eq!(held_and_left(None, None), "");
    }

    #[test]
    fn the_share_is_never_above_the_whole() {
        let probe = Probe::Stream(Stream::default());
        assert_eq!(share_done(&live(Some(20_000_000_000), 0), Some(&probe)), Some(1.0));
        assert_eq!(share_done(&live(Some(1), 0), None), None);
    }
}
