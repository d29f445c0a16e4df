//! Whether one trial at a rate says that the rate is too high.

use goodput_model::{BitRate, Nanos};

/// Loss this far above the goal, as a share of what was sent, may have nothing to do with the rate.
const STRAY: f64 = 0.01;
/// A rate that is delivered short of this share has not been kept up with.
const SHORTFALL: f64 = 0.001;
/// The delay of a path may change by this much within a window without a queue growing.
const DELAY_CHANGE: Nanos = Nanos(2_000_000);
/// A sender that fell further than this behind its own schedule loaded the path in bursts.
const UNSTEADY: Nanos = Nanos(10_000_000);
/// Datagrams that may stand at the window's edges: one batch comes early or late.
const EDGE: f64 = 3.0;

/// What the search needs to know of a trial. With several directions: the worst of each figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard {
    /// Datagrams that left the sender, whole trial.
    pub sent: u64,
    /// Those of them that did not arrive at the application; where only bounds are known, the upper one.
    pub lost: u64,
    /// Datagrams that the sender's own system refused.
    pub refused: u64,
    /// User data that left the sender, per second of the window.
    pub sent_rate: BitRate,
    /// User data that the receiver counted, each datagram once, per second of the window.
    pub delivered_rate: BitRate,
    pub window: Nanos,
    /// The longest that the sender was behind its schedule; `None` without one.
    pub most_late: Option<Nanos>,
}

impl Heard {
    /// True when the sender was kept from its CPU so long that its rate was not the one asked, but bursts.
    pub fn unsteady(&self) -> bool {
        self.most_late.is_some_and(|late| late > UNSTEADY)
    }

    /// Lost as a share of sent, 0 to 1; 0 when nothing was sent.
    pub fn loss(&self) -> f64 {
        if self.sent == 0 { 0.0 } else { self.lost.min(self.sent) as f64 / self.sent as f64 }
    }
}

/// What one trial says of its rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// No more lost than allowed, and the delivery kept up.
    Passed,
    /// A little lost, or delivered a little late: worth a second look.
    Unclear,
    TooHigh,
}

/// Judges a trial against the share of datagrams that may be lost.
///
/// In a window that opens after the warm-up, a path in balance delivers as much as is sent, less what it
/// loses. If it delivers less, the difference stands in a queue that grows, and would be lost in a longer
/// trial. Allowed are a thousandth, a change of the path's delay by 2 ms, and one batch at each edge.
pub fn judge(heard: &Heard, allowed: f64) -> Judged {
    if heard.sent == 0 {
        return Judged::Unclear;
    }
    let loss = heard.loss();
    let sent = heard.sent_rate.0 as f64;
    let shortfall = 1.0 - loss - heard.delivered_rate.0 as f64 / sent.max(1.0);
    let slack = SHORTFALL + DELAY_CHANGE.0 as f64 / heard.window.0.max(1) as f64 + EDGE / heard.sent as f64;
    if loss <= allowed && shortfall <= slack {
        Judged::Passed
    } else if loss <= allowed + STRAY {
        Judged::Unclear
    } else {
        Judged::TooHigh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(lost: u64, delivered: u64) -> Heard {
        Heard {
            sent: 10_000,
            lost,
            refused: 0,
            sent_rate: BitRate(100_000_000),
            delivered_rate: BitRate(delivered),
            window: Nanos::SECOND,
            most_late: None,
        }
    }

    #[test]
    fn nothing_lost_and_all_delivered_passes() {
        assert_eq!(judge(&heard(0, 100_000_000), 0.0), Judged::Passed);
        // 2 ms of 1 s, a thousandth and 3 of 10,000 datagrams are 0.33 %.
        assert_eq!(judge(&heard(0, 99_680_000), 0.0), Judged::Passed);
        assert_eq!(judge(&heard(0, 99_660_000), 0.0), Judged::Unclear);
    }

    #[test]
    fn loss_is_held_against_the_goal() {
        assert_eq!(judge(&heard(1, 99_990_000), 0.0), Judged::Unclear);
        assert_eq!(judge(&heard(100, 99_000_000), 0.0), Judged::Unclear);
        assert_eq!(judge(&heard(101, 98_990_000), 0.0), Judged::TooHigh);
        assert_eq!(judge(&heard(10, 99_900_000), 0.001), Judged::Passed);
        assert_eq!(judge(&heard(11, 99_890_000), 0.001), Judged::Unclear);
        assert_eq!(judge(&heard(111, 98_890_000), 0.001), Judged::TooHigh);
    }

    #[test]
    fn more_lost_than_sent_is_all() {
        assert_eq!(heard(20_000, 0).loss(), 1.0);
        assert_eq!(judge(&Heard { sent: 0, ..heard(0, 0) }, 0.0), Judged::Unclear);
    }
}
