//! The trials of one run: the same probe or probes several times, or the steps of a search, each chosen by what the
//! trials before it said.

use crate::args::measuring::Measure;
use goodput_analysis::search::trials::{heard, search_of, step};
use goodput_analysis::search::{Ask, Judged, Length, Next, Search, judge};
use goodput_analysis::summary::summarise;
use goodput_model::datagram::{DatagramRate, LosslessSearch};
use goodput_model::{Datagram, Probe, Trial};
use goodput_report::headline;
use goodput_report::number;
use std::collections::VecDeque;

/// Which trial comes next.
pub enum Course {
    /// So many trials more of the same probes, one after the other.
    Repeats {
        /// The probes of one round, the next one first.
        probes: VecDeque<Probe>,
        /// Trials left.
        left: u32,
    },
    /// Steps of a search.
    Search {
        /// What has been learned so far.
        search: Box<Search>,
        /// The settings that all steps share.
        settings: Box<Datagram>,
        /// What is looked for.
        wanted: LosslessSearch,
        /// True when the last trial told nothing that a search could go on with.
        lost: bool,
    },
}

impl Course {
    /// The course that a command asks for.
    pub fn of(order: &Measure) -> Course {
        if let Probe::Datagram(settings) = &order.probe
            && let (Some(search), Some(wanted)) = (search_of(settings), settings.search)
        {
            let (search, settings) = (Box::new(search), Box::new(settings.clone()));
            return Course::Search { search, settings, wanted, lost: false };
        }
        let probes: VecDeque<Probe> = std::iter::once(&order.probe).chain(&order.then).cloned().collect();
        Course::Repeats { left: order.options.repeats().saturating_mul(probes.len() as u32), probes }
    }

    /// Trials in all, where that is known beforehand.
    pub fn trials(&self) -> Option<u32> {
        match self {
            Course::Repeats { left, .. } => Some(*left),
            Course::Search { .. } => None,
        }
    }

    /// The next trial's probe; `None` when there is nothing more to measure.
    pub fn next_probe(&mut self) -> Option<Probe> {
        match self {
            Course::Repeats { left: 0, .. } | Course::Search { lost: true, .. } => None,
            Course::Repeats { probes, left } => {
                *left -= 1;
                let probe = probes.front()?.clone();
                probes.rotate_left(1);
                Some(probe)
            }
            Course::Search { search, settings, wanted, .. } => match search.next() {
                Next::Measure(ask) => Some(Probe::Datagram(step(settings, wanted, ask))),
                Next::Over(_) => None,
            },
        }
    }

    /// Takes in a finished trial; a sentence about it, when it is a step on a way.
    pub fn hear(&mut self, trial: &Trial) -> Option<String> {
        let Course::Search { search, lost, wanted, .. } = self else { return None };
        let Next::Measure(ask) = search.next() else { return None };
        let summary = summarise(trial);
        let heard = heard(&summary);
        let judged = heard.map(|h| match judge(&h, wanted.loss_percent / 100.0) {
            Judged::Passed => "passes",
            Judged::Unclear => "not clear",
            Judged::TooHigh => "too high",
        });
        match &heard {
            Some(heard) => search.hear(heard),
            None => *lost = true,
        }
        let result = headline::search_step(&summary)?;
        Some(format!("trial {}: {}: {result}: {}", trial.id, asked(ask), judged.unwrap_or("no answer")))
    }
}

/// What a step of a search asks, for the screen.
pub fn asked(ask: Ask) -> String {
    let rate = ask.rate.map_or("all it can".to_string(), |r| number::rate(r.0));
    match ask.length {
        Length::Short => rate,
        Length::Full => format!("{rate}, to confirm"),
    }
}

/// The rate of a datagram trial in a few words; `None` for one that is not a step of a search.
pub fn step_of(probe: &Probe) -> Option<String> {
    let Probe::Datagram(Datagram { rate, search: Some(_), .. }) = probe else { return None };
    Some(match rate {
        None => "as fast as it goes".to_string(),
        Some(DatagramRate::Bits(bits)) => format!("at {}", number::rate(bits.0)),
        Some(DatagramRate::Datagrams(n)) => format!("at {}", number::per_second(*n)),
    })
}
