//! A search by trials of the probe `datagram`: a step's settings, a trial's outcome, recorded trials' result.

use super::bracket::TriedRate;
use super::{
    LosslessRateSearch, MIN_TRIAL_DATAGRAMS, SearchAction, SearchGoal, SearchVerdict, TrialCounts,
    TrialLength, TrialRequest, TrialVerdict, decide_trial_verdict, near, sender_limited,
};
use goodput_model::datagram::{DatagramRate, LosslessSearch};
use goodput_model::probe::StopCondition;
use goodput_model::summary::{DatagramSummary, RateSearchOutcome, RateSearchSummary, TrialSummary};
use goodput_model::{BitRate, Bytes, Datagram, Nanos, Probe, TrialOutcome};

/// The trials of a search, one after the other.
pub struct SearchTrials {
    search: LosslessRateSearch,
    settings: Datagram,
    wanted: LosslessSearch,
    /// The last trial gave no usable result.
    lost: bool,
}

impl SearchTrials {
    /// `None` for settings without a search.
    pub fn new(settings: &Datagram) -> Option<SearchTrials> {
        let (search, wanted) = (rate_search_from_settings(settings)?, settings.search?);
        Some(SearchTrials { search, settings: settings.clone(), wanted, lost: false })
    }

    /// What the next trial asks for; `None` when the search is over.
    pub fn next_request(&self) -> Option<TrialRequest> {
        match self.search.next_action() {
            SearchAction::Measure(ask) if !self.lost => Some(ask),
            SearchAction::Measure(_) | SearchAction::Over(_) => None,
        }
    }

    pub fn next_probe(&self) -> Option<Probe> {
        let ask = self.next_request()?;
        Some(Probe::Datagram(trial_settings(&self.settings, &self.wanted, ask)))
    }

    /// The verdict on this trial; `None` without a usable result.
    pub fn record(&mut self, summary: &TrialSummary) -> Option<TrialVerdict> {
        let Some(counts) = worst_direction_counts(summary) else {
            self.lost = true;
            return None;
        };
        self.search.record_trial(&counts);
        Some(decide_trial_verdict(&counts, self.wanted.loss_percent / 100.0))
    }
}

/// `None` when the trial belongs to no search.
pub fn rate_search_from_settings(settings: &Datagram) -> Option<LosslessRateSearch> {
    let search = settings.search.as_ref()?;
    Some(LosslessRateSearch::new(SearchGoal {
        loss: search.loss_percent / 100.0,
        ceiling: search.ceiling.map(|rate| bits(rate, settings.size)),
        most_trials: search.most_trials,
    }))
}

/// At a low rate a short trial lasts until enough datagrams are sent, but never longer than a full one.
pub fn trial_settings(settings: &Datagram, search: &LosslessSearch, ask: TrialRequest) -> Datagram {
    let mut asked = Datagram { rate: ask.rate.map(DatagramRate::Bits), ..settings.clone() };
    if asked.burst == 0 {
        // Without a requested burst each step's rate has its own.
        asked.burst = asked.default_burst();
    }
    let window = match (ask.length, asked.datagrams_per_second()) {
        (TrialLength::Full, _) => search.full,
        (TrialLength::Short, None) => search.short,
        (TrialLength::Short, Some(each)) => {
            let enough = Nanos((MIN_TRIAL_DATAGRAMS / each * 1e9) as u64);
            enough.max(search.short).min(search.full)
        }
    };
    Datagram { stop: StopCondition::Time(window), ..asked }
}

/// The worst direction of each value. `None` when a count is missing, as in an interrupted trial.
pub fn worst_direction_counts(summary: &TrialSummary) -> Option<TrialCounts> {
    if summary.outcome != TrialOutcome::Complete || summary.direction_summaries().is_empty() {
        return None;
    }
    let all: Vec<DirectionCounts> = summary
        .direction_summaries()
        .iter()
        .map(|d| DirectionCounts::of(d.datagrams.as_deref()?, d.goodput_bps?))
        .collect::<Option<_>>()?;
    let losing = all.iter().max_by(|a, b| a.loss().total_cmp(&b.loss()))?;
    let share = all.iter().map(DirectionCounts::delivered_share).reduce(f64::min)?;
    let sent_rate = all.iter().map(|d| d.sent_bps).min()?;
    Some(TrialCounts {
        sent: losing.sent,
        lost: losing.lost,
        refused: all.iter().fold(0, |sum, d| sum.saturating_add(d.refused)),
        sent_rate: BitRate(sent_rate),
        delivered_rate: BitRate((sent_rate as f64 * share).round() as u64),
        window: Nanos(summary.elapsed_ns),
        max_lateness: all.iter().filter_map(|d| d.max_lateness).max(),
    })
}

struct DirectionCounts {
    sent: u64,
    lost: u64,
    refused: u64,
    sent_bps: u64,
    delivered_bps: u64,
    max_lateness: Option<Nanos>,
}

impl DirectionCounts {
    fn of(d: &DatagramSummary, delivered_bps: u64) -> Option<DirectionCounts> {
        let totals = &d.totals;
        Some(DirectionCounts {
            sent: totals.sent?,
            // Possible loss counts as loss: a rate is never called lossless in doubt.
            lost: totals.lost.bounds?.total.most,
            refused: totals.refused?,
            sent_bps: d.sent_bps?,
            delivered_bps,
            max_lateness: d.most_late_ns.map(Nanos),
        })
    }

    fn loss(&self) -> f64 {
        if self.sent == 0 { 0.0 } else { self.lost as f64 / self.sent as f64 }
    }

    fn delivered_share(&self) -> f64 {
        self.delivered_bps as f64 / self.sent_bps.max(1) as f64
    }
}

/// Repeats the search on the recorded summaries. `None` when they belong to none.
pub fn replay_search(summaries: &[TrialSummary]) -> Option<RateSearchSummary> {
    let mut steps = summaries.iter().filter_map(|s| match &s.probe {
        Probe::Datagram(d) => Some((s, d, d.search?)),
        _ => None,
    });
    let (first, settings, wanted) = steps.next()?;
    let mut search = rate_search_from_settings(settings)?;
    let ours: Vec<Step> = std::iter::once((first, settings, wanted))
        .chain(steps)
        .filter(|(_, _, s)| *s == wanted)
        .map_while(|(summary, settings, _)| {
            Some(Step { summary, settings, heard: worst_direction_counts(summary)? })
        })
        .collect();
    let (verdict, confirmed) = followed(&mut search, &ours).unwrap_or_else(|| recorded(&wanted, &ours));
    let confirmed_by = confirmed.and_then(|i| ours.get(i)).map(|step| step.summary.trial);
    let empty = RateSearchSummary {
        allowed_loss_percent: wanted.loss_percent,
        outcome: RateSearchOutcome::NoAnswer,
        rate_bps: None,
        datagrams_per_second: None,
        failed_at_bps: None,
        loss_percent: None,
        refused: None,
        confirmed_by: None,
        trials: u32::try_from(ours.len()).unwrap_or(u32::MAX),
    };
    Some(search_summary(verdict, settings.size, RateSearchSummary { confirmed_by, ..empty }))
}

struct Step<'a> {
    summary: &'a TrialSummary,
    settings: &'a Datagram,
    heard: TrialCounts,
}

impl Step<'_> {
    fn length(&self, wanted: &LosslessSearch) -> TrialLength {
        if self.settings.stop == StopCondition::Time(wanted.full) {
            TrialLength::Full
        } else {
            TrialLength::Short
        }
    }

    fn ask(&self, wanted: &LosslessSearch) -> TrialRequest {
        let rate = self.settings.rate.map(|rate| bits(rate, self.settings.size));
        TrialRequest { rate, length: self.length(wanted) }
    }
}

/// The verdict and its confirming trial; `None` when this version would have made other steps.
fn followed(search: &mut LosslessRateSearch, steps: &[Step<'_>]) -> Option<(SearchVerdict, Option<usize>)> {
    for step in steps {
        let SearchAction::Measure(ask) = search.next_action() else { return None };
        let asked = step.settings.rate.map(|rate| bits(rate, step.settings.size));
        if ask.rate != asked {
            return None;
        }
        search.record_trial(&step.heard);
    }
    let confirmed = search.confirming_trial().map(|number| number as usize - 1);
    Some(match search.next_action() {
        SearchAction::Over(verdict) => (verdict, confirmed),
        SearchAction::Measure(_) => (SearchVerdict::Nothing, None),
    })
}

/// For trials whose order cannot be reproduced: the fastest full-length pass decides.
fn recorded(wanted: &LosslessSearch, steps: &[Step<'_>]) -> (SearchVerdict, Option<usize>) {
    let allowed = wanted.loss_percent / 100.0;
    let passes = |step: &Step<'_>| decide_trial_verdict(&step.heard, allowed) == TrialVerdict::Passed;
    let full = || steps.iter().enumerate().filter(|(_, s)| s.length(wanted) == TrialLength::Full);
    let Some((number, step)) = full().filter(|(_, s)| passes(s)).max_by_key(|(_, s)| s.heard.sent_rate)
    else {
        let failed = full().next_back().map(|(_, s)| &s.heard);
        let verdict = failed
            .map(|heard| SearchVerdict::Unconfirmed { rate: heard.sent_rate, loss: heard.loss_share() });
        return (verdict.unwrap_or(SearchVerdict::Nothing), None);
    };
    let heard = &step.heard;
    let most =
        steps.iter().filter(|s| sender_limited(s.ask(wanted), &s.heard)).max_by_key(|s| s.heard.sent_rate);
    if let Some(most) = most.filter(|most| near(heard.sent_rate, most.heard.sent_rate)) {
        let verdict = SearchVerdict::HeldBack { at: most.heard.sent_rate, refused: most.heard.refused };
        return (verdict, Some(number));
    }
    let rate = heard.sent_rate.min(heard.delivered_rate);
    let tried = |s: &Step<'_>| {
        TriedRate { asked: s.ask(wanted).rate, sent: s.heard.sent_rate }.higher_of_requested_and_sent()
    };
    let failed = steps.iter().filter(|s| !passes(s)).map(tried);
    (SearchVerdict::Lossless { rate, failed_at: failed.filter(|failed| *failed > rate).min() }, Some(number))
}

fn search_summary(verdict: SearchVerdict, size: Bytes, found: RateSearchSummary) -> RateSearchSummary {
    let rated = |outcome, rate: BitRate, found: RateSearchSummary| RateSearchSummary {
        outcome,
        rate_bps: Some(rate.0),
        datagrams_per_second: Some(rate.0 as f64 / (size.0.max(1) as f64 * 8.0)),
        ..found
    };
    let unconfirmed = RateSearchSummary { confirmed_by: None, ..found.clone() };
    match verdict {
        SearchVerdict::Lossless { rate, failed_at } => RateSearchSummary {
            failed_at_bps: failed_at.map(|f| f.0),
            ..rated(RateSearchOutcome::Lossless, rate, found)
        },
        SearchVerdict::HeldBack { at, refused } => RateSearchSummary {
            refused: Some(refused),
            ..rated(RateSearchOutcome::HeldBackAtSender, at, found)
        },
        SearchVerdict::Unconfirmed { rate, loss } => RateSearchSummary {
            loss_percent: Some(loss * 100.0),
            ..rated(RateSearchOutcome::NotConfirmed, rate, unconfirmed)
        },
        SearchVerdict::AtEveryRate { lowest, loss } => RateSearchSummary {
            loss_percent: Some(loss * 100.0),
            ..rated(RateSearchOutcome::LossAtEveryRate, lowest, unconfirmed)
        },
        SearchVerdict::Nothing => unconfirmed,
    }
}

fn bits(rate: DatagramRate, size: Bytes) -> BitRate {
    match rate {
        DatagramRate::Bits(bits) => bits,
        DatagramRate::Datagrams(n) => BitRate((n * size.0 as f64 * 8.0).round().max(1.0) as u64),
    }
}
