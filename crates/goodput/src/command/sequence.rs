//! The sequence of trials of a run.

use crate::args::measure_options::Measure;
use goodput_analysis::search::trials::{heard, search_of, step};
use goodput_analysis::search::{Judged, Length, Next, Search, TrialRequest, judge};
use goodput_analysis::summary::summarise;
use goodput_model::datagram::{DatagramRate, LosslessSearch};
use goodput_model::{Datagram, Probe, Trial};
use goodput_report::{number, search_step};

pub trait TrialSequence {
    /// Total number of trials, if known.
    fn length(&self) -> Option<u32>;

    /// `None` when there is nothing more to measure.
    fn next_probe(&mut self) -> Option<Probe>;

    fn finished(&mut self, _: &Trial) -> Option<String> {
        None
    }
}

pub struct Repeats {
    probes: Vec<Probe>,
    rounds: u32,
    made: usize,
}

impl Repeats {
    pub fn new(probes: Vec<Probe>, rounds: u32) -> Repeats {
        Repeats { probes, rounds, made: 0 }
    }
}

impl TrialSequence for Repeats {
    fn length(&self) -> Option<u32> {
        Some(self.rounds.saturating_mul(self.probes.len() as u32))
    }

    fn next_probe(&mut self) -> Option<Probe> {
        let at = self.made;
        self.made += 1;
        let round = at.checked_div(self.probes.len())?;
        (round < self.rounds as usize).then(|| self.probes[at % self.probes.len()].clone())
    }
}

struct RateSearch {
    search: Search,
    settings: Datagram,
    wanted: LosslessSearch,
    /// The last trial gave no usable result.
    lost: bool,
}

impl TrialSequence for RateSearch {
    fn length(&self) -> Option<u32> {
        None
    }

    fn next_probe(&mut self) -> Option<Probe> {
        match self.search.next() {
            Next::Measure(ask) if !self.lost => {
                Some(Probe::Datagram(step(&self.settings, &self.wanted, ask)))
            }
            Next::Measure(_) | Next::Over(_) => None,
        }
    }

    fn finished(&mut self, trial: &Trial) -> Option<String> {
        let Next::Measure(ask) = self.search.next() else { return None };
        let summary = summarise(trial);
        let heard = heard(&summary);
        let judged = heard.map(|h| match judge(&h, self.wanted.loss_percent / 100.0) {
            Judged::Passed => "passes",
            Judged::Unclear => "not clear",
            Judged::TooHigh => "too high",
        });
        match &heard {
            Some(heard) => self.search.record_trial(heard),
            None => self.lost = true,
        }
        let result = search_step(&summary)?;
        Some(format!("trial {}: {}: {result}: {}", trial.id, asked(ask), judged.unwrap_or("no answer")))
    }
}

pub fn of(order: &Measure) -> Box<dyn TrialSequence> {
    if let Probe::Datagram(settings) = &order.probe
        && let (Some(search), Some(wanted)) = (search_of(settings), settings.search)
    {
        return Box::new(RateSearch { search, settings: settings.clone(), wanted, lost: false });
    }
    let probes = std::iter::once(&order.probe).chain(&order.then).cloned().collect();
    Box::new(Repeats::new(probes, order.options.repeats()))
}

pub fn asked(ask: TrialRequest) -> String {
    let rate = ask.rate.map_or("maximum rate".to_string(), |r| number::rate(r.0));
    match ask.length {
        Length::Short => rate,
        Length::Full => format!("{rate}, to confirm"),
    }
}

/// `None` for a trial that is not a step of a search.
pub fn step_of(probe: &Probe) -> Option<String> {
    let Probe::Datagram(Datagram { rate, search: Some(_), .. }) = probe else { return None };
    Some(match rate {
        None => "as fast as it goes".to_string(),
        Some(DatagramRate::Bits(bits)) => format!("at {}", number::rate(bits.0)),
        Some(DatagramRate::Datagrams(n)) => format!("at {}", number::per_second(*n)),
    })
}
