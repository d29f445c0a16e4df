//! Chooses the next rate between the highest that passed and the lowest that failed.

use goodput_model::BitRate;

/// The search ends when the interval between passed and failed rate is this narrow.
pub const MAX_BRACKET_WIDTH: f64 = 0.005;
/// First step upwards, as a share of a passed rate: less than the resolution, so that an inexact pacer does
/// not leave the interval slightly open.
const STEP: f64 = 0.8 * MAX_BRACKET_WIDTH;
/// Distance of the next guess below a delivered rate, as a share of it.
pub(super) const NEXT_RATE_MARGIN: f64 = 0.002;
/// Consecutive guesses from a delivered rate; then the interval is divided.
const GUESSES: u32 = 3;
/// Trials that must agree on the end of the interval.
const LOOKS: u32 = 2;

/// A rate that was tried. Rates are compared as requested, because a slow pacer would otherwise be asked for
/// the same rate again and again; unlimited rates as sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TriedRate {
    pub asked: Option<BitRate>,
    pub sent: BitRate,
}

impl TriedRate {
    pub fn requested_rate(&self) -> f64 {
        self.asked.unwrap_or(self.sent).0 as f64
    }

    /// Requested, or sent where that was more: a delayed sender sent less.
    pub fn higher_of_requested_and_sent(&self) -> BitRate {
        self.asked.map_or(self.sent, |asked| asked.max(self.sent))
    }
}

#[derive(Debug, Clone, Copy)]
struct Failed {
    tried: TriedRate,
    looks: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum BracketStep {
    Open,
    Try(BitRate),
    /// Repeat what failed only once; `None` is unlimited.
    Again(Option<BitRate>),
    /// The interval is closed: this rate is the highest that passed.
    Closed(TriedRate),
}

#[derive(Debug, Clone)]
pub(super) struct RateBracket {
    low: Option<TriedRate>,
    /// Failed rates without a higher one that passed, ascending.
    failed: Vec<Failed>,
    /// Next step upwards, as a share of the last passed rate.
    step: f64,
    guesses: u32,
    delivered: f64,
}

impl RateBracket {
    pub fn new() -> RateBracket {
        RateBracket { low: None, failed: Vec::new(), step: STEP, guesses: 0, delivered: 0.0 }
    }

    pub fn highest_passed(&self) -> Option<TriedRate> {
        self.low
    }

    pub fn lowest_failed(&self) -> Option<TriedRate> {
        self.failed.first().map(|f| f.tried)
    }

    pub fn record_delivered_rate(&mut self, rate: BitRate) {
        self.delivered = self.delivered.max(rate.0 as f64);
    }

    /// True for a rate that the path has already delivered: a failure there says nothing about its limit.
    pub fn has_delivered_rate(&self, asked: Option<BitRate>) -> bool {
        asked.is_some_and(|rate| rate.0 as f64 <= self.delivered)
    }

    /// Removes failures at this rate or below.
    pub fn record_pass(&mut self, tried: TriedRate) {
        self.guesses = 0;
        if self.low.is_none_or(|low| tried.requested_rate() > low.requested_rate()) {
            self.low = Some(tried);
        }
        self.failed.retain(|f| f.tried.requested_rate() > tried.requested_rate());
    }

    /// Removes passes at this rate or above.
    pub fn record_failure(&mut self, tried: TriedRate, looks: u32) {
        self.step = STEP;
        self.low = self.low.filter(|low| low.requested_rate() < tried.requested_rate());
        match self.failed.iter_mut().find(|f| f.tried.asked == tried.asked) {
            Some(known) => known.looks += looks,
            None => self.failed.push(Failed { tried, looks }),
        }
        self.failed.sort_by(|a, b| a.tried.requested_rate().total_cmp(&b.tried.requested_rate()));
    }

    pub fn restart(&mut self) {
        self.low = None;
        self.guesses = 0;
    }

    pub fn reset_step(&mut self) {
        (self.step, self.guesses) = (STEP, 0);
    }

    /// `delivered` is the rate of a trial that has just failed.
    pub fn next_step(&mut self, delivered: Option<BitRate>) -> BracketStep {
        let Some(Failed { tried, looks }) = self.failed.first().copied() else { return BracketStep::Open };
        let high = tried.requested_rate();
        let guess =
            delivered.map(|d| d.0 as f64 * (1.0 - NEXT_RATE_MARGIN)).filter(|_| self.guesses < GUESSES);
        let Some(passed) = self.low else {
            let guess = guess.filter(|g| *g >= 1.0 && *g <= high * (1.0 - NEXT_RATE_MARGIN));
            self.guesses += 1;
            return BracketStep::Try(round_to_bit_rate(guess.unwrap_or(high / 4.0)));
        };
        let low = passed.requested_rate();
        if high <= low * (1.0 + MAX_BRACKET_WIDTH) {
            // A single failure may have another cause, and the answer depends on this rate.
            return if looks < LOOKS { BracketStep::Again(tried.asked) } else { BracketStep::Closed(passed) };
        }
        let inside =
            |rate: &f64| *rate > low * (1.0 + NEXT_RATE_MARGIN) && *rate < high * (1.0 - NEXT_RATE_MARGIN);
        if let Some(guess) = guess.filter(inside) {
            self.guesses += 1;
            return BracketStep::Try(round_to_bit_rate(guess));
        }
        let up = low * (1.0 + self.step);
        // After a failure the middle; after a pass steps that double, as long as they stay below it.
        let middle = if high > 2.0 * low { (low * high).sqrt() } else { (low + high) / 2.0 };
        if delivered.is_none() && up < middle {
            self.step *= 2.0;
            return BracketStep::Try(round_to_bit_rate(up));
        }
        BracketStep::Try(round_to_bit_rate(middle))
    }
}

pub(super) fn round_to_bit_rate(rate: f64) -> BitRate {
    BitRate((rate.round() as u64).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_not_closed_on_one_failure() {
        let mut bracket = RateBracket::new();
        let tried = |rate| TriedRate { asked: Some(BitRate(rate)), sent: BitRate(rate) };
        assert_eq!(bracket.next_step(None), BracketStep::Open);
        bracket.record_failure(tried(1_003), 1);
        bracket.record_pass(tried(1_000));
        assert_eq!(bracket.next_step(None), BracketStep::Again(Some(BitRate(1_003))));
        bracket.record_failure(tried(1_003), 1);
        assert_eq!(bracket.next_step(None), BracketStep::Closed(tried(1_000)));
        bracket.record_pass(tried(1_003));
        assert_eq!(bracket.next_step(None), BracketStep::Open);
        assert_eq!(bracket.highest_passed(), Some(tried(1_003)));
    }
}
