//! The highest rate at which datagrams arrive without loss (or with no more than a stated share of it): which
//! trial to make next, and what the trials together say. Pure: told of outcomes, it names the next trial.
//!
//! The throughput test of RFC 2544 section 26.1 with the loss verification of ETSI GS NFV-TST 009, made short:
//!
//! 1. One short trial at the ceiling, or as fast as the sender can. What a saturated bottleneck delivers is
//!    its rate, so where that trial loses, its delivered rate is the next guess, not half of the interval.
//! 2. From a rate that passed, steps of growing length upwards; from one that failed, its delivered rate or
//!    the middle. Done when the lowest rate that failed is within [`RESOLUTION`] of the highest that passed.
//! 3. A trial of full length at that rate confirms it, or lowers it.
//!
//! A rate passes when no more is lost than the goal allows *and* the delivery kept up: a queue that grows
//! hides a rate that is too high until it is full ([`judge`]). A trial whose loss is too small to come
//! from the rate is made once more, and the second decides; so is, up to three times, one that failed while its sender
//! was kept from its schedule.
//!
//! When the sender cannot bring a rate onto the path (refused by its own interface, blocked, out of CPU), nothing
//! was learned of the path above what was sent. That ends in [`Verdict::HeldBack`], never in `Lossless`.

pub mod judge;
#[cfg(test)]
mod simulation;
pub mod trials;

use goodput_model::BitRate;
pub use judge::{Heard, Judged, judge};

/// Distance between the highest rate that passed and the lowest that failed at which the search is over.
pub const RESOLUTION: f64 = 0.005;
/// Share of a passed rate by which the first step upwards goes: less than the resolution, so that a pacer that is
/// not exact does not leave the interval open by a hair.
const STEP: f64 = 0.8 * RESOLUTION;
/// How far below a delivered rate the next guess lies, as a share of it.
const MARGIN: f64 = 0.002;
/// Guesses in a row that may come from a delivered rate; then the interval is divided.
const GUESSES: u32 = 3;
/// Datagrams that a trial is to see at the least, so that one of them more or less does not decide.
pub const LEAST_DATAGRAMS: f64 = 1_000.0;
/// Failures after which a path that never passed is said to lose at every rate.
const HOPELESS: u32 = 8;
/// Failed confirmations after which nothing is claimed.
const CONFIRMATIONS: u32 = 5;
/// Times that a trial is made again because its sender was not steady.
const UNSTEADY_AGAIN: u32 = 3;
/// A sender that brings less than this share of the asked rate onto the path was held back.
const HELD_BACK: f64 = 0.99;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// Lost datagrams as a share of those sent, 0 to 1, that still count as passed; 0 is none at all.
    pub loss: f64,
    /// No higher rate is tried; `None` begins with as fast as the sender can.
    pub ceiling: Option<BitRate>,
    /// Trials at the most.
    pub most_trials: u32,
}

/// How long a trial is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Long enough to judge a rate.
    Short,
    /// As long as the result is to hold.
    Full,
}

/// A trial to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ask {
    /// User data a second in each direction; `None` is as fast as the sender can.
    pub rate: Option<BitRate>,
    /// Its length.
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
    /// Every rate lost more than allowed.
    AtEveryRate {
        /// The lowest rate tried.
        lowest: BitRate,
        /// The share of datagrams lost there, 0 to 1.
        loss: f64,
    },
    /// A trial in which nothing was sent or counted, or trials used up: no answer.
    Nothing,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Next {
    /// Make this trial and tell its outcome.
    Measure(Ask),
    /// There is nothing more to measure.
    Over(Verdict),
}

/// A rate that was tried. Rates are compared as they were asked, because a pacer that always sends a little less
/// would otherwise be asked for the same rate for ever; as fast as it can stands where it was sent.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Tried {
    asked: Option<BitRate>,
    sent: BitRate,
}

impl Tried {
    fn at(&self) -> f64 {
        self.asked.unwrap_or(self.sent).0 as f64
    }
}

/// A search under way.
#[derive(Debug, Clone)]
pub struct Search {
    goal: Goal,
    next: Next,
    made: u32,
    /// True while a trial with too little loss to come from its rate is made for the second time.
    repeating: bool,
    /// Times that the trial under way was made again because its sender was not steady.
    unsteady: u32,
    /// Highest rate that passed.
    low: Option<Tried>,
    /// Lowest rate that failed.
    high: Option<Tried>,
    /// Share of the last passed rate by which the next step goes up.
    step: f64,
    guesses: u32,
    /// The most that left the sender where it was held back, and what was refused there.
    sender: Option<(BitRate, u64)>,
    /// Failures since the beginning or the last pass.
    failures: u32,
    unconfirmed: u32,
}

impl Search {
    /// A search that has not begun.
    pub fn new(goal: Goal) -> Search {
        Search {
            goal,
            next: Next::Measure(Ask { rate: goal.ceiling, length: Length::Short }),
            made: 0,
            repeating: false,
            unsteady: 0,
            low: None,
            high: None,
            step: STEP,
            guesses: 0,
            sender: None,
            failures: 0,
            unconfirmed: 0,
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

    /// Takes in the outcome of the trial that [`Search::next`] named. Does nothing once it is over.
    pub fn hear(&mut self, heard: &Heard) {
        let Next::Measure(ask) = self.next else { return };
        self.made += 1;
        if heard.sent == 0 || heard.sent_rate.0 == 0 {
            self.next = Next::Over(Verdict::Nothing);
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
        } else if judged == Judged::Unclear && !self.repeating {
            self.repeating = true;
        } else {
            (self.repeating, self.unsteady) = (false, 0);
            self.next = match (ask.length, judged) {
                (Length::Short, Judged::Passed) => self.passed(ask, heard),
                (Length::Short, _) => self.failed(ask, heard),
                (Length::Full, Judged::Passed) => Next::Over(self.confirmed(ask, heard)),
                (Length::Full, _) => self.not_confirmed(ask, heard),
            };
        }
        if self.made >= self.goal.most_trials
            && let Next::Measure(_) = self.next
        {
            self.next = Next::Over(self.used_up(heard));
        }
    }

    fn passed(&mut self, ask: Ask, heard: &Heard) -> Next {
        self.failures = 0;
        self.guesses = 0;
        let confirm = Next::Measure(Ask { length: Length::Full, ..ask });
        let tried = Tried { asked: ask.rate, sent: heard.sent_rate };
        if self.low.is_none_or(|low| tried.at() > low.at()) {
            self.low = Some(tried);
        }
        // A rate that failed before and now is behind one that passed has lost its say.
        self.high = self.high.filter(|high| high.at() > tried.at());
        if held_back(ask, heard) || ask.rate == self.goal.ceiling || self.high.is_none() {
            return confirm;
        }
        self.between(None)
    }

    fn failed(&mut self, ask: Ask, heard: &Heard) -> Next {
        self.failures += 1;
        self.step = STEP;
        self.too_high(ask, heard);
        if self.low.is_none() && self.failures >= HOPELESS {
            return Next::Over(Verdict::AtEveryRate { lowest: heard.sent_rate, loss: heard.loss() });
        }
        self.between(Some(heard.delivered_rate))
    }

    /// Takes down a rate that failed; one that passed at no less has lost its say.
    fn too_high(&mut self, ask: Ask, heard: &Heard) {
        let tried = Tried { asked: ask.rate, sent: heard.sent_rate };
        if self.high.is_none_or(|high| tried.at() < high.at()) {
            self.high = Some(tried);
        }
        self.low = self.low.filter(|low| low.at() < tried.at());
    }

    /// The next rate between what passed and what failed, or the confirmation when they are close.
    fn between(&mut self, delivered: Option<BitRate>) -> Next {
        let short = |rate: f64| Next::Measure(Ask { rate: Some(whole(rate)), length: Length::Short });
        let Some(high) = self.high.map(|h| h.at()) else {
            return Next::Measure(Ask { rate: self.goal.ceiling, length: Length::Short });
        };
        let guess = delivered.map(|d| d.0 as f64 * (1.0 - MARGIN)).filter(|_| self.guesses < GUESSES);
        let Some((asked, low)) = self.low.map(|low| (low.asked, low.at())) else {
            let guess = guess.filter(|g| *g >= 1.0 && *g <= high * (1.0 - MARGIN));
            self.guesses += 1;
            return short(guess.unwrap_or(high / 4.0));
        };
        if high <= low * (1.0 + RESOLUTION) {
            return Next::Measure(Ask { rate: asked, length: Length::Full });
        }
        let inside = |rate: &f64| *rate > low * (1.0 + MARGIN) && *rate < high * (1.0 - MARGIN);
        if let Some(guess) = guess.filter(inside) {
            self.guesses += 1;
            return short(guess);
        }
        let up = low * (1.0 + self.step);
        // After a failure the middle; upwards from a pass by steps that double, as long as they stay below it.
        let middle = if high > 2.0 * low { (low * high).sqrt() } else { (low + high) / 2.0 };
        if delivered.is_none() && up < middle {
            self.step *= 2.0;
            return short(up);
        }
        short(middle)
    }

    fn confirmed(&self, ask: Ask, heard: &Heard) -> Verdict {
        if held_back(ask, heard) {
            return Verdict::HeldBack { at: heard.sent_rate, refused: heard.refused };
        }
        let rate = heard.sent_rate.min(heard.delivered_rate);
        // Loss that was met while the sender was at its own end does not make that end the path's.
        if let Some((most, refused)) = self.sender.filter(|(most, _)| near(heard.sent_rate, *most)) {
            return Verdict::HeldBack { at: most, refused };
        }
        Verdict::Lossless { rate, failed_at: self.high.map(|h| h.sent).filter(|failed| *failed > rate) }
    }

    /// Full length found what a short trial could not: lower by what was delivered, or by steps that double.
    fn not_confirmed(&mut self, ask: Ask, heard: &Heard) -> Next {
        self.unconfirmed += 1;
        self.too_high(ask, heard);
        if self.unconfirmed >= CONFIRMATIONS {
            return Next::Over(Verdict::Unconfirmed { rate: heard.sent_rate, loss: heard.loss() });
        }
        self.low = None;
        let Some(asked) = ask.rate.filter(|_| !held_back(ask, heard)) else {
            // As fast as it could be sent was too fast in the long run: that is where the search begins.
            self.guesses = 0;
            return self.between(Some(heard.delivered_rate));
        };
        let step = MARGIN * f64::from(1u32 << self.unconfirmed.min(8));
        let lower = asked.0 as f64 * (1.0 - step);
        let delivered = heard.delivered_rate.0 as f64 * (1.0 - MARGIN);
        let near = delivered < lower && delivered > asked.0 as f64 * 0.97;
        let rate = whole(if near { delivered } else { lower });
        Next::Measure(Ask { rate: Some(rate), length: Length::Full })
    }

    fn used_up(&self, heard: &Heard) -> Verdict {
        match self.low {
            Some(low) => Verdict::Unconfirmed { rate: low.sent, loss: heard.loss() },
            None if self.high.is_some() => {
                Verdict::AtEveryRate { lowest: heard.sent_rate, loss: heard.loss() }
            }
            None => Verdict::Nothing,
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

fn whole(rate: f64) -> BitRate {
    BitRate((rate.round() as u64).max(1))
}
