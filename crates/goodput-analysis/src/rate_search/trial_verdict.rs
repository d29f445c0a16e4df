//! Judges whether one trial shows that its rate is too high.

use goodput_model::{BitRate, Nanos};

/// Loss up to this share above the goal may have nothing to do with the rate.
const STRAY_LOSS_SHARE: f64 = 0.01;
/// Allowed shortfall of the delivered rate.
const SHORTFALL: f64 = 0.001;
/// The delay of a path may change by this much within a window without a growing queue.
const DELAY_CHANGE: Nanos = Nanos(2_000_000);
/// A sender later than this loaded the path in bursts.
const UNSTEADY: Nanos = Nanos(10_000_000);
/// Datagrams at the window's edges: one batch may be early or late.
const EDGE: f64 = 3.0;

/// Outcome of a trial for the search; of several directions the worst of each value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialCounts {
    pub sent: u64,
    /// Not received by the application; the upper bound where the number is unknown.
    pub lost: u64,
    pub refused: u64,
    pub sent_rate: BitRate,
    pub delivered_rate: BitRate,
    pub window: Nanos,
    /// Longest delay after the schedule; `None` without one.
    pub max_lateness: Option<Nanos>,
}

impl TrialCounts {
    /// True when the sender was delayed so long that it sent bursts.
    pub fn sender_was_delayed(&self) -> bool {
        self.max_lateness.is_some_and(|late| late > UNSTEADY)
    }

    /// Share of sent, 0 to 1; 0 when nothing was sent.
    pub fn loss_share(&self) -> f64 {
        if self.sent == 0 { 0.0 } else { self.lost.min(self.sent) as f64 / self.sent as f64 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialVerdict {
    /// No more lost than allowed, and the delivery kept up.
    Passed,
    /// Slight loss or shortfall: repeat.
    Unclear,
    TooHigh,
}

/// `allowed` is the share of datagrams that may be lost. After the warm-up, a path in balance delivers what
/// is sent, less what it loses. Otherwise a queue grows, and a longer trial would lose the difference.
/// Allowed are a thousandth, a change of the path's delay by 2 ms, and one batch at each edge.
pub fn decide_trial_verdict(heard: &TrialCounts, allowed: f64) -> TrialVerdict {
    if heard.sent == 0 {
        return TrialVerdict::Unclear;
    }
    let loss = heard.loss_share();
    let sent = heard.sent_rate.0 as f64;
    let shortfall = 1.0 - loss - heard.delivered_rate.0 as f64 / sent.max(1.0);
    let slack = SHORTFALL + DELAY_CHANGE.0 as f64 / heard.window.0.max(1) as f64 + EDGE / heard.sent as f64;
    if loss <= allowed && shortfall <= slack {
        TrialVerdict::Passed
    } else if loss <= allowed + STRAY_LOSS_SHARE {
        TrialVerdict::Unclear
    } else {
        TrialVerdict::TooHigh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(lost: u64, delivered: u64) -> TrialCounts {
        let (sent_rate, delivered_rate, window) = (BitRate(100_000_000), BitRate(delivered), Nanos::SECOND);
        TrialCounts { sent: 10_000, lost, refused: 0, sent_rate, delivered_rate, window, max_lateness: None }
    }

    #[test]
    fn nothing_lost_and_all_delivered_passes() {
        // 2 ms of 1 s, a thousandth and 3 of 10,000 datagrams are 0.33 %.
        let verdicts = [TrialVerdict::Passed, TrialVerdict::Passed, TrialVerdict::Unclear];
        let delivered = [100_000_000, 99_680_000, 99_660_000];
        assert_eq!(delivered.map(|rate| decide_trial_verdict(&heard(0, rate), 0.0)), verdicts);
    }

    #[test]
    fn loss_is_held_against_the_goal() {
        let judged = |lost, goal| decide_trial_verdict(&heard(lost, 100_000_000 - 10_000 * lost), goal);
        let verdicts = [TrialVerdict::Unclear, TrialVerdict::Unclear, TrialVerdict::TooHigh];
        assert_eq!([1, 100, 101].map(|lost| judged(lost, 0.0)), verdicts);
        let verdicts = [TrialVerdict::Passed, TrialVerdict::Unclear, TrialVerdict::TooHigh];
        assert_eq!([10, 11, 111].map(|lost| judged(lost, 0.001)), verdicts);
        assert_eq!(heard(20_000, 0).loss_share(), 1.0);
        assert_eq!(decide_trial_verdict(&TrialCounts { sent: 0, ..heard(0, 0) }, 0.0), TrialVerdict::Unclear);
    }
}
