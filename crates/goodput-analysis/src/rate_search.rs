//! Search for the highest rate at which datagrams arrive without loss (or with an allowed share of it).
//!
//! The throughput test of RFC 2544 section 26.1 with the loss verification of ETSI GS NFV-TST 009, shortened
//! (`docs/methods/lossless-rate.md`): one short trial at the ceiling or unlimited, whose delivered rate is
//! the next guess; then steps up and down (`bracket.rs`) until the interval is within [`MAX_BRACKET_WIDTH`]; then a
//! trial of full length to confirm the rate.
//!
//! A rate passes when the loss is allowed *and* the delivery kept up: a growing queue hides a rate that is
//! too high ([`judge`]). Loss without relation to the rate must not decide. A trial is repeated, and the
//! second decides, when its loss is too small to come from the rate, when the path has delivered more before,
//! and when it was of full length; up to three times when its sender was delayed. After a confirmation far
//! below the interval, higher rates are tried again.
//!
//! Where the sender is the limit, the verdict is [`SearchVerdict::HeldBack`], never `Lossless`.

mod bracket;
pub mod search_trials;
#[cfg(test)]
mod simulation;
pub mod trial_verdict;

pub use bracket::MAX_BRACKET_WIDTH;
use bracket::{BracketStep, NEXT_RATE_MARGIN, RateBracket, TriedRate, round_to_bit_rate};
use goodput_model::BitRate;
pub use trial_verdict::{TrialCounts, TrialVerdict, decide_trial_verdict};

/// Least datagrams of a trial, so that a single one does not decide.
pub const MIN_TRIAL_DATAGRAMS: f64 = 1_000.0;
/// Failures without a pass after which the path loses at every rate.
const MAX_FAILED_RATES: u32 = 8;
/// Failed confirmations after which there is no verdict.
const CONFIRMATIONS: u32 = 5;
/// Times that the rates above a confirmed one are tried again.
const CLIMBS: u32 = 2;
const UNSTEADY_AGAIN: u32 = 3;
/// Below this share of the requested rate the sender was the limit.
const HELD_BACK: f64 = 0.99;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchGoal {
    /// Allowed share of lost datagrams, 0 to 1; 0 is none at all.
    pub loss: f64,
    /// Highest rate to try; `None` starts with the sender's maximum.
    pub ceiling: Option<BitRate>,
    pub most_trials: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialLength {
    Short,
    Full,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialRequest {
    /// In each direction; `None` is unlimited.
    pub rate: Option<BitRate>,
    pub length: TrialLength,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SearchVerdict {
    /// Delivered in a trial of full length with no more loss than allowed.
    Lossless {
        rate: BitRate,
        /// Lowest rate found too high; `None` when the ceiling itself passed.
        failed_at: Option<BitRate>,
    },
    /// The sender could send no more, and that arrived; the path's limit is unknown.
    HeldBack {
        /// Sent user data a second.
        at: BitRate,
        /// Refused by the sender's own system in the trial of full length.
        refused: u64,
    },
    Unconfirmed {
        rate: BitRate,
        loss: f64,
    },
    AtEveryRate {
        lowest: BitRate,
        loss: f64,
    },
    /// Nothing was sent or counted, or the trials are used up.
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SearchAction {
    Measure(TrialRequest),
    Over(SearchVerdict),
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Confirmed {
    verdict: SearchVerdict,
    tried: TriedRate,
    trial: u32,
}

#[derive(Debug, Clone)]
pub struct LosslessRateSearch {
    goal: SearchGoal,
    next: SearchAction,
    made: u32,
    /// True during the second of two equal trials.
    repeating: bool,
    /// Repeats of the present trial because of a delayed sender.
    unsteady: u32,
    bracket: RateBracket,
    /// Highest sent rate of a limited sender, and what was refused there.
    sender: Option<(BitRate, u64)>,
    failures: u32,
    unconfirmed: u32,
    confirmed: Option<Confirmed>,
    climbs: u32,
}

impl LosslessRateSearch {
    pub fn new(goal: SearchGoal) -> LosslessRateSearch {
        LosslessRateSearch {
            goal,
            next: SearchAction::Measure(TrialRequest { rate: goal.ceiling, length: TrialLength::Short }),
            made: 0,
            repeating: false,
            unsteady: 0,
            bracket: RateBracket::new(),
            sender: None,
            failures: 0,
            unconfirmed: 0,
            confirmed: None,
            climbs: 0,
        }
    }

    pub fn next_action(&self) -> SearchAction {
        self.next
    }

    pub fn trial_count(&self) -> u32 {
        self.made
    }

    /// Number of the full-length trial that passed at the verdict's rate, from 1.
    pub fn confirming_trial(&self) -> Option<u32> {
        self.confirmed.map(|c| c.trial)
    }

    /// Takes the outcome of the trial that [`MtuSearch::next`] named. No effect after the end.
    pub fn record_trial(&mut self, heard: &TrialCounts) {
        let SearchAction::Measure(ask) = self.next else { return };
        self.made += 1;
        if heard.sent == 0 || heard.sent_rate.0 == 0 {
            self.next = SearchAction::Over(self.confirmed.map_or(SearchVerdict::Nothing, |c| c.verdict));
            return;
        }
        if sender_limited(ask, heard) && self.sender.is_none_or(|(most, _)| heard.sent_rate > most) {
            self.sender = Some((heard.sent_rate, heard.refused));
        }
        let judged = decide_trial_verdict(heard, self.goal.loss);
        let unsteady =
            judged != TrialVerdict::Passed && heard.sender_was_delayed() && !sender_limited(ask, heard);
        if unsteady && self.unsteady < UNSTEADY_AGAIN {
            // Loss in an unintended burst says nothing about the rate.
            self.unsteady += 1;
        } else if !self.repeating && self.doubtful(ask, judged) {
            self.repeating = true;
        } else {
            let looks = 1 + u32::from(self.repeating);
            (self.repeating, self.unsteady) = (false, 0);
            self.next = match (ask.length, judged) {
                (TrialLength::Short, TrialVerdict::Passed) => self.passed(ask, heard),
                (TrialLength::Short, _) => self.failed(ask, heard, looks),
                (TrialLength::Full, TrialVerdict::Passed) => self.confirmed(ask, heard),
                (TrialLength::Full, _) => self.not_confirmed(ask, heard, looks),
            };
        }
        self.bracket.record_delivered_rate(heard.delivered_rate);
        if self.made >= self.goal.most_trials
            && let SearchAction::Measure(_) = self.next
        {
            self.next = SearchAction::Over(self.used_up(heard));
        }
    }

    /// True when a failure may have another cause than the rate.
    fn doubtful(&self, ask: TrialRequest, judged: TrialVerdict) -> bool {
        match judged {
            TrialVerdict::Passed => false,
            TrialVerdict::Unclear => true,
            // A short trial at that rate has passed, or the path has delivered as much before.
            TrialVerdict::TooHigh => {
                ask.length == TrialLength::Full || self.bracket.has_delivered_rate(ask.rate)
            }
        }
    }

    fn passed(&mut self, ask: TrialRequest, heard: &TrialCounts) -> SearchAction {
        self.failures = 0;
        self.bracket.record_pass(TriedRate { asked: ask.rate, sent: heard.sent_rate });
        if sender_limited(ask, heard) || ask.rate == self.goal.ceiling {
            return SearchAction::Measure(TrialRequest { length: TrialLength::Full, ..ask });
        }
        self.between(None)
    }

    fn failed(&mut self, ask: TrialRequest, heard: &TrialCounts, looks: u32) -> SearchAction {
        self.failures += 1;
        self.bracket.record_failure(TriedRate { asked: ask.rate, sent: heard.sent_rate }, looks);
        if self.bracket.highest_passed().is_none() && self.failures >= MAX_FAILED_RATES {
            return SearchAction::Over(SearchVerdict::AtEveryRate {
                lowest: heard.sent_rate,
                loss: heard.loss_share(),
            });
        }
        self.between(Some(heard.delivered_rate))
    }

    /// The next rate between pass and failure, or the confirmation when they are close.
    fn between(&mut self, delivered: Option<BitRate>) -> SearchAction {
        let short = |rate| SearchAction::Measure(TrialRequest { rate, length: TrialLength::Short });
        match (self.bracket.next_step(delivered), self.confirmed) {
            (BracketStep::Try(rate), _) => short(Some(rate)),
            (BracketStep::Again(rate), _) => short(rate),
            (BracketStep::Closed(low), Some(known))
                if low.requested_rate() <= known.tried.requested_rate() * (1.0 + NEXT_RATE_MARGIN) =>
            {
                SearchAction::Over(self.so_far(known))
            }
            (BracketStep::Closed(low), _) => {
                SearchAction::Measure(TrialRequest { rate: low.asked, length: TrialLength::Full })
            }
            (BracketStep::Open, _) => match self.bracket.highest_passed() {
                Some(low) => {
                    SearchAction::Measure(TrialRequest { rate: low.asked, length: TrialLength::Full })
                }
                None => short(self.goal.ceiling),
            },
        }
    }

    /// Full length passed: the answer, unless higher rates deserve another trial.
    fn confirmed(&mut self, ask: TrialRequest, heard: &TrialCounts) -> SearchAction {
        let tried = TriedRate { asked: ask.rate, sent: heard.sent_rate };
        self.bracket.record_pass(tried);
        let verdict = self.verdict(ask, heard);
        self.confirmed = Some(Confirmed { verdict, tried, trial: self.made });
        let wide = self
            .bracket
            .lowest_failed()
            .is_some_and(|high| high.requested_rate() > tried.requested_rate() * (1.0 + MAX_BRACKET_WIDTH));
        if !wide || self.climbs >= CLIMBS || matches!(verdict, SearchVerdict::HeldBack { .. }) {
            return SearchAction::Over(verdict);
        }
        self.climbs += 1;
        self.bracket.reset_step();
        self.between(None)
    }

    fn verdict(&self, ask: TrialRequest, heard: &TrialCounts) -> SearchVerdict {
        if sender_limited(ask, heard) {
            return SearchVerdict::HeldBack { at: heard.sent_rate, refused: heard.refused };
        }
        // Loss at the sender's own maximum does not make that the path's limit.
        if let Some((most, refused)) = self.sender.filter(|(most, _)| near(heard.sent_rate, *most)) {
            return SearchVerdict::HeldBack { at: most, refused };
        }
        let rate = heard.sent_rate.min(heard.delivered_rate);
        SearchVerdict::Lossless { rate, failed_at: self.failed_above(rate) }
    }

    fn failed_above(&self, rate: BitRate) -> Option<BitRate> {
        self.bracket
            .lowest_failed()
            .map(|high| high.higher_of_requested_and_sent())
            .filter(|failed| *failed > rate)
    }

    /// A confirmed verdict with later knowledge of higher rates.
    fn so_far(&self, known: Confirmed) -> SearchVerdict {
        match known.verdict {
            SearchVerdict::Lossless { rate, .. } => {
                SearchVerdict::Lossless { rate, failed_at: self.failed_above(rate) }
            }
            other => other,
        }
    }

    /// Full length failed: lower by the delivered rate, or by doubling steps; not below a confirmed rate.
    fn not_confirmed(&mut self, ask: TrialRequest, heard: &TrialCounts, looks: u32) -> SearchAction {
        self.unconfirmed += 1;
        self.bracket.record_failure(TriedRate { asked: ask.rate, sent: heard.sent_rate }, looks);
        if self.unconfirmed >= CONFIRMATIONS {
            let nothing = SearchVerdict::Unconfirmed { rate: heard.sent_rate, loss: heard.loss_share() };
            return SearchAction::Over(self.confirmed.map_or(nothing, |known| self.so_far(known)));
        }
        self.bracket.restart();
        let Some(asked) = ask.rate.filter(|_| !sender_limited(ask, heard)) else {
            // Unlimited was too fast in the long run: the search starts here.
            return self.between(Some(heard.delivered_rate));
        };
        let step = NEXT_RATE_MARGIN * f64::from(1u32 << self.unconfirmed.min(8));
        let lower = asked.0 as f64 * (1.0 - step);
        let delivered = heard.delivered_rate.0 as f64 * (1.0 - NEXT_RATE_MARGIN);
        let near = delivered < lower && delivered > asked.0 as f64 * 0.97;
        let rate = if near { delivered } else { lower };
        if let Some(known) =
            self.confirmed.filter(|known| rate <= known.tried.requested_rate() * (1.0 + NEXT_RATE_MARGIN))
        {
            return SearchAction::Over(self.so_far(known));
        }
        SearchAction::Measure(TrialRequest { rate: Some(round_to_bit_rate(rate)), length: TrialLength::Full })
    }

    fn used_up(&self, heard: &TrialCounts) -> SearchVerdict {
        match (self.confirmed, self.bracket.highest_passed()) {
            (Some(known), _) => self.so_far(known),
            (None, Some(low)) => SearchVerdict::Unconfirmed { rate: low.sent, loss: heard.loss_share() },
            (None, None) if self.unconfirmed > 0 => {
                SearchVerdict::Unconfirmed { rate: heard.sent_rate, loss: heard.loss_share() }
            }
            (None, None) if self.bracket.lowest_failed().is_some() => {
                SearchVerdict::AtEveryRate { lowest: heard.sent_rate, loss: heard.loss_share() }
            }
            (None, None) => SearchVerdict::Nothing,
        }
    }
}

/// True when less was sent than requested, or some was refused.
fn sender_limited(ask: TrialRequest, heard: &TrialCounts) -> bool {
    let short_of = |asked: BitRate| (heard.sent_rate.0 as f64) < asked.0 as f64 * HELD_BACK;
    ask.rate.is_none_or(short_of) || heard.refused > 0
}

fn near(sent: BitRate, most: BitRate) -> bool {
    sent.0 as f64 >= most.0 as f64 * HELD_BACK
}
