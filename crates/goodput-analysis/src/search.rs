//! The highest rate at which datagrams arrive without loss (or with no more than a stated share of it): which
//! trial to make next, and what the trials together say. Pure: told of outcomes, it names the next trial.
//!
//! The throughput test of RFC 2544 section 26.1 with the loss verification of ETSI GS NFV-TST 009, made short:
//!
//! 1. One short trial at the ceiling, or as fast as the sender can. What a saturated bottleneck delivers is
//!    its rate, so where that trial loses, its delivered rate is the next guess, not half of the interval.
//! 2. From a rate that passed, steps of growing length upwards; from one that failed, its delivered rate or
//!    the middle (`bracket.rs`). Done when the lowest rate that failed is within [`RESOLUTION`] of the highest that
//!    passed.
//! 3. A trial of full length at that rate confirms it, or lowers it.
//!
//! A rate passes when no more is lost than the goal allows *and* the delivery kept up: a queue that grows
//! hides a rate that is too high until it is full ([`judge`]).
//!
//! Loss that has nothing to do with the rate must not decide. A trial is made once more, and the second decides, when
//! its loss is too small to come from the rate, when the path was already seen to deliver more than that, and
//! when it was of full length; so is, up to three times, one that failed while its sender was kept from its schedule. The
//! interval is not closed on a rate that failed only once. And where a confirmation had to come down further
//! than the resolution, the rates above it are tried again: what held it down may have gone.
//!
//! When the sender cannot bring a rate onto the path (refused by its own interface, blocked, out of CPU), nothing
//! was learned of the path above what was sent. That ends in [`Verdict::HeldBack`], never in `Lossless`.

mod bracket;
pub mod judge;
#[cfg(test)]
mod simulation;
pub mod trials;

pub use bracket::RESOLUTION;
use bracket::{Bracket, MARGIN, Step, Tried, whole};
use goodput_model::BitRate;
pub use judge::{Heard, Judged, judge};

/// Datagrams that a trial is to see at the least, so that one of them more or less does not decide.
pub const LEAST_DATAGRAMS: f64 = 1_000.0;
/// Failures after which a path that never passed is said to lose at every rate.
const HOPELESS: u32 = 8;
/// Failed confirmations after which nothing is claimed.
const CONFIRMATIONS: u32 = 5;
/// Times that the rates above a confirmed one are tried again.
const CLIMBS: u32 = 2;
/// Times that a trial is made again because its sender was not steady.
const UNSTEADY_AGAIN: u32 = 3;
/// A sender that brings less than this share of the asked rate onto the path was held back.
const HELD_BACK: f64 = 0.99;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// Lost datagrams as a share of those sent, 0 to 1, that still count as passed; 0 is none at all.
    pub loss: f64,
    /// No higher rate is tried; `None` begins with as fast as the sender can.
    pub ceiling: Option<BitRate>,
    pub most_trials: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Long enough to judge a rate.
    Short,
    /// As long as the result is to hold.
    Full,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ask {
    /// User data a second in each direction; `None` is as fast as the sender can.
    pub rate: Option<BitRate>,
    pub length: Length,
}

/// What the trials together say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// Delivered in a trial of full length with no more loss than allowed.
    Lossless {
        /// Delivered user data a second.
        rate: BitRate,
        /// The lowest rate that was found too high; `None` when the ceiling itself passed.
        failed_at: Option<BitRate>,
    },
    /// The sender could bring no more than this onto the path, and that arrived: of the path nothing more is known.
    HeldBack {
        /// What left the sender, user data a second.
        at: BitRate,
        /// Datagrams that the sender's own system refused in the trial of full length.
        refused: u64,
    },
    /// Short trials passed, but none of full length.
    Unconfirmed {
        /// The last rate that was tried at full length.
        rate: BitRate,
        /// The share of datagrams lost in the last trial, 0 to 1.
        loss: f64,
    },
    AtEveryRate {
        lowest: BitRate,
        /// The share of datagrams lost there, 0 to 1.
        loss: f64,
    },
    /// A trial in which nothing was sent or counted, or trials used up: no answer.
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Next {
    /// Make this trial and tell its outcome.
    Measure(Ask),
    Over(Verdict),
}

/// A rate that a trial of full length has confirmed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Confirmed {
    verdict: Verdict,
    tried: Tried,
    /// Which of the trials it was, from 1.
    trial: u32,
}

#[derive(Debug, Clone)]
pub struct Search {
    goal: Goal,
    next: Next,
    made: u32,
    /// True while a trial is made for the second time.
    repeating: bool,
    /// Times that the trial under way was made again because its sender was not steady.
    unsteady: u32,
    bracket: Bracket,
    /// The most that left the sender where it was held back, and what was refused there.
    sender: Option<(BitRate, u64)>,
    /// Failures since the beginning or the last pass.
    failures: u32,
    unconfirmed: u32,
    confirmed: Option<Confirmed>,
    climbs: u32,
}

impl Search {
    pub fn new(goal: Goal) -> Search {
        Search {
            goal,
            next: Next::Measure(Ask { rate: goal.ceiling, length: Length::Short }),
            made: 0,
            repeating: false,
            unsteady: 0,
            bracket: Bracket::new(),
            sender: None,
            failures: 0,
            unconfirmed: 0,
            confirmed: None,
            climbs: 0,
        }
    }

    /// The trial to make, or the verdict.
    pub fn next(&self) -> Next {
        self.next
    }

    /// Trials told of so far.
    pub fn made(&self) -> u32 {
        self.made
    }

    /// Which of the trials told of (from 1) was of full length and passed at the verdict's rate.
    pub fn confirmed_by(&self) -> Option<u32> {
        self.confirmed.map(|c| c.trial)
    }

    /// Takes in the outcome of the trial that [`Search::next`] named. Does nothing once it is over.
    pub fn hear(&mut self, heard: &Heard) {
        let Next::Measure(ask) = self.next else { return };
        self.made += 1;
        if heard.sent == 0 || heard.sent_rate.0 == 0 {
            self.next = Next::Over(self.confirmed.map_or(Verdict::Nothing, |c| c.verdict));
            return;
        }
        if held_back(ask, heard) && self.sender.is_none_or(|(most, _)| heard.sent_rate > most) {
            self.sender = Some((heard.sent_rate, heard.refused));
        }
        let judged = judge(heard, self.goal.loss);
        let unsteady = judged != Judged::Passed && heard.unsteady() && !held_back(ask, heard);
        if unsteady && self.unsteady < UNSTEADY_AGAIN {
            // What was lost in a burst that nobody asked for says nothing of the rate.
            self.unsteady += 1;
        } else if !self.repeating && self.doubtful(ask, judged) {
            self.repeating = true;
        } else {
            let looks = 1 + u32::from(self.repeating);
            (self.repeating, self.unsteady) = (false, 0);
            self.next = match (ask.length, judged) {
                (Length::Short, Judged::Passed) => self.passed(ask, heard),
                (Length::Short, _) => self.failed(ask, heard, looks),
                (Length::Full, Judged::Passed) => self.confirmed(ask, heard),
                (Length::Full, _) => self.not_confirmed(ask, heard, looks),
            };
        }
        self.bracket.delivers(heard.delivered_rate);
        if self.made >= self.goal.most_trials
            && let Next::Measure(_) = self.next
        {
            self.next = Next::Over(self.used_up(heard));
        }
    }

    /// True when a failure may have come from something else than the rate.
    fn doubtful(&self, ask: Ask, judged: Judged) -> bool {
        match judged {
            Judged::Passed => false,
            Judged::Unclear => true,
            // A short trial at that rate has passed, or the path has delivered as much before.
            Judged::TooHigh => ask.length == Length::Full || self.bracket.contradicts(ask.rate),
        }
    }

    fn passed(&mut self, ask: Ask, heard: &Heard) -> Next {
        self.failures = 0;
        self.bracket.passed(Tried { asked: ask.rate, sent: heard.sent_rate });
        if held_back(ask, heard) || ask.rate == self.goal.ceiling {
            return Next::Measure(Ask { length: Length::Full, ..ask });
        }
        self.between(None)
    }

    fn failed(&mut self, ask: Ask, heard: &Heard, looks: u32) -> Next {
        self.failures += 1;
        self.bracket.failed(Tried { asked: ask.rate, sent: heard.sent_rate }, looks);
        if self.bracket.low().is_none() && self.failures >= HOPELESS {
            return Next::Over(Verdict::AtEveryRate { lowest: heard.sent_rate, loss: heard.loss() });
        }
        self.between(Some(heard.delivered_rate))
    }

    /// The next rate between what passed and what failed, or the confirmation when they are close.
    fn between(&mut self, delivered: Option<BitRate>) -> Next {
        let short = |rate| Next::Measure(Ask { rate, length: Length::Short });
        match (self.bracket.next(delivered), self.confirmed) {
            (Step::Try(rate), _) => short(Some(rate)),
            (Step::Again(rate), _) => short(rate),
            (Step::Closed(low), Some(known)) if low.at() <= known.tried.at() * (1.0 + MARGIN) => {
                Next::Over(self.so_far(known))
            }
            (Step::Closed(low), _) => Next::Measure(Ask { rate: low.asked, length: Length::Full }),
            (Step::Open, _) => match self.bracket.low() {
                Some(low) => Next::Measure(Ask { rate: low.asked, length: Length::Full }),
                None => short(self.goal.ceiling),
            },
        }
    }

    /// Full length passed: the answer, unless what is above it deserves another look.
    fn confirmed(&mut self, ask: Ask, heard: &Heard) -> Next {
        let tried = Tried { asked: ask.rate, sent: heard.sent_rate };
        self.bracket.passed(tried);
        let verdict = self.verdict(ask, heard);
        self.confirmed = Some(Confirmed { verdict, tried, trial: self.made });
        let wide = self.bracket.high().is_some_and(|high| high.at() > tried.at() * (1.0 + RESOLUTION));
        if !wide || self.climbs >= CLIMBS || matches!(verdict, Verdict::HeldBack { .. }) {
            return Next::Over(verdict);
        }
        self.climbs += 1;
        self.bracket.go_up();
        self.between(None)
    }

    fn verdict(&self, ask: Ask, heard: &Heard) -> Verdict {
        if held_back(ask, heard) {
            return Verdict::HeldBack { at: heard.sent_rate, refused: heard.refused };
        }
        // Loss that was met while the sender was at its own end does not make that end the path's.
        if let Some((most, refused)) = self.sender.filter(|(most, _)| near(heard.sent_rate, *most)) {
            return Verdict::HeldBack { at: most, refused };
        }
        let rate = heard.sent_rate.min(heard.delivered_rate);
        Verdict::Lossless { rate, failed_at: self.failed_above(rate) }
    }

    fn failed_above(&self, rate: BitRate) -> Option<BitRate> {
        self.bracket.high().map(|high| high.most()).filter(|failed| *failed > rate)
    }

    /// A confirmed verdict with what has been learned since of the rates above it.
    fn so_far(&self, known: Confirmed) -> Verdict {
        match known.verdict {
            Verdict::Lossless { rate, .. } => Verdict::Lossless { rate, failed_at: self.failed_above(rate) },
            other => other,
        }
    }

    /// Full length found what a short trial could not: lower by what was delivered, or by steps that double; but not
    /// below what is confirmed.
    fn not_confirmed(&mut self, ask: Ask, heard: &Heard, looks: u32) -> Next {
        self.unconfirmed += 1;
        self.bracket.failed(Tried { asked: ask.rate, sent: heard.sent_rate }, looks);
        if self.unconfirmed >= CONFIRMATIONS {
            let nothing = Verdict::Unconfirmed { rate: heard.sent_rate, loss: heard.loss() };
            return Next::Over(self.confirmed.map_or(nothing, |known| self.so_far(known)));
        }
        self.bracket.begin_again();
        let Some(asked) = ask.rate.filter(|_| !held_back(ask, heard)) else {
            // As fast as it could be sent was too fast in the long run: that is where the search begins.
            return self.between(Some(heard.delivered_rate));
        };
        let step = MARGIN * f64::from(1u32 << self.unconfirmed.min(8));
        let lower = asked.0 as f64 * (1.0 - step);
        let delivered = heard.delivered_rate.0 as f64 * (1.0 - MARGIN);
        let near = delivered < lower && delivered > asked.0 as f64 * 0.97;
        let rate = if near { delivered } else { lower };
        if let Some(known) = self.confirmed.filter(|known| rate <= known.tried.at() * (1.0 + MARGIN)) {
            return Next::Over(self.so_far(known));
        }
        Next::Measure(Ask { rate: Some(whole(rate)), length: Length::Full })
    }

    fn used_up(&self, heard: &Heard) -> Verdict {
        match (self.confirmed, self.bracket.low()) {
            (Some(known), _) => self.so_far(known),
            (None, Some(low)) => Verdict::Unconfirmed { rate: low.sent, loss: heard.loss() },
            (None, None) if self.unconfirmed > 0 => {
                Verdict::Unconfirmed { rate: heard.sent_rate, loss: heard.loss() }
            }
            (None, None) if self.bracket.high().is_some() => {
                Verdict::AtEveryRate { lowest: heard.sent_rate, loss: heard.loss() }
            }
            (None, None) => Verdict::Nothing,
        }
    }
}

/// True when less came onto the path than was asked, or some was refused: the sender was the limit.
fn held_back(ask: Ask, heard: &Heard) -> bool {
    let short_of = |asked: BitRate| (heard.sent_rate.0 as f64) < asked.0 as f64 * HELD_BACK;
    ask.rate.is_none_or(short_of) || heard.refused > 0
}

/// True for a rate that is as good as the most that the sender could do.
fn near(sent: BitRate, most: BitRate) -> bool {
    sent.0 as f64 >= most.0 as f64 * HELD_BACK
}
