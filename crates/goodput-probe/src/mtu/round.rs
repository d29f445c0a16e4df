//! One round: a few sizes, each tried several times between packets of a known size. Pure. A size is lost
//! only if known sizes before and after it arrived, so packet loss and stalls are not taken for a limit.
//! Every answer restarts the timer, so queued packets on a slow link are not judged early.

use super::search::{RoundPlan, SizeFailureReason};

/// Spacing of packets, to avoid overflowing a short queue.
const GAP_NS: u64 = 2_000_000;
const LAST_TRIES: u8 = 5;
const MORE_TRIES: u8 = 2;
/// Repetitions of the closing known size.
const CLOSINGS: u8 = 6;

#[derive(Debug)]
struct Attempt {
    size: u32,
    left: u8,
    verdict: Option<SizeVerdict>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SizeVerdict {
    Passes,
    Fails(SizeFailureReason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RoundAction {
    Send(u32),
    Wait(u64),
    Over,
    /// Known sizes no longer arrive.
    Void,
}

/// Pause while our own queue is full.
const UNSENT_NS: u64 = 10_000_000;
/// Unsent tries repeated per round; further ones count as lost.
const SPARED: u8 = 20;

#[derive(Debug)]
pub(super) struct ProbeRound {
    good: u32,
    attempts: Vec<Attempt>,
    turn: Option<usize>,
    next_ns: u64,
    news_ns: u64,
    timer_ns: u64,
    good_sent: u32,
    good_answered: u32,
    /// True once the last known size has been answered.
    closed: bool,
    /// True while the last packet is a known size.
    closing: bool,
    closings: u8,
    extended: bool,
    spared: u8,
    pub confirms: bool,
}

impl ProbeRound {
    pub fn new(wanted: &RoundPlan, tries: u8, timer_ns: u64, now: u64) -> ProbeRound {
        let tries = if wanted.confirms { LAST_TRIES } else { tries };
        let attempts =
            wanted.sizes.iter().map(|size| Attempt { size: *size, left: tries, verdict: None }).collect();
        ProbeRound {
            good: wanted.good,
            attempts,
            turn: None,
            next_ns: now,
            news_ns: now,
            timer_ns,
            good_sent: 0,
            good_answered: 0,
            closed: false,
            closing: false,
            closings: 0,
            extended: false,
            spared: SPARED,
            confirms: wanted.confirms,
        }
    }

    pub fn next_action(&mut self, now: u64) -> RoundAction {
        if self.good_answered > 0 && self.attempts.iter().all(|a| a.verdict.is_some()) {
            return RoundAction::Over;
        }
        let sending = self.attempts.iter().any(|a| a.left > 0 && a.verdict.is_none()) || !self.closing;
        if sending {
            return if now >= self.next_ns { self.send(now) } else { RoundAction::Wait(self.next_ns) };
        }
        let until = self.news_ns.saturating_add(self.timer_ns);
        if now < until {
            return RoundAction::Wait(until);
        }
        if !self.closed {
            if self.closings >= CLOSINGS {
                return RoundAction::Void;
            }
            self.closings += 1;
            self.closing = false;
            return self.send(now);
        }
        if self.good_answered < self.good_sent && !self.extended {
            // General packet loss: more tries.
            self.extended = true;
            self.attempts.iter_mut().filter(|a| a.verdict.is_none()).for_each(|a| a.left = MORE_TRIES);
            return self.send(now);
        }
        let silent = self.attempts.iter_mut().filter(|a| a.verdict.is_none());
        silent.for_each(|a| a.verdict = Some(SizeVerdict::Fails(SizeFailureReason::Silent)));
        RoundAction::Over
    }

    fn send(&mut self, now: u64) -> RoundAction {
        self.next_ns = now + GAP_NS;
        self.news_ns = now;
        let from = self.turn.unwrap_or(0);
        let open = |a: &Attempt| a.left > 0 && a.verdict.is_none();
        let due = self.turn.and_then(|_| (from..self.attempts.len()).find(|i| open(&self.attempts[*i])));
        match due {
            Some(i) => {
                self.attempts[i].left -= 1;
                self.turn = Some(i + 1);
                self.closing = false;
                RoundAction::Send(self.attempts[i].size)
            }
            None => {
                self.turn = Some(0);
                self.closing = !self.attempts.iter().any(open);
                self.closed = false;
                self.good_sent += 1;
                RoundAction::Send(self.good)
            }
        }
    }

    /// The packet was not sent: its try is repeated a little later.
    pub fn record_unsent_packet(&mut self, size: u32, now: u64) {
        if self.spared == 0 {
            return;
        }
        self.spared -= 1;
        self.next_ns = now + UNSENT_NS;
        if size == self.good {
            self.good_sent = self.good_sent.saturating_sub(1);
            self.closing = false;
        }
        let open = self.attempts.iter_mut().filter(|a| a.size == size && a.verdict.is_none());
        open.for_each(|a| a.left += 1);
    }

    /// A known size was answered; `last` if it was the latest.
    pub fn record_known_good_answer(&mut self, last: bool, now: u64) {
        self.good_answered += 1;
        self.closed |= last;
        self.news_ns = self.news_ns.max(now);
    }

    pub fn record_passed_size(&mut self, size: u32, now: u64) {
        self.news_ns = self.news_ns.max(now);
        // Arrival overrules earlier errors.
        self.set(size, SizeVerdict::Passes, true);
    }

    pub fn record_failed_size(&mut self, size: u32, how: SizeFailureReason) {
        self.set(size, SizeVerdict::Fails(how), false);
    }

    fn set(&mut self, size: u32, verdict: SizeVerdict, overrule: bool) {
        for attempt in self.attempts.iter_mut().filter(|a| a.size == size) {
            if overrule || attempt.verdict.is_none() {
                attempt.verdict = Some(verdict);
            }
        }
    }

    pub fn known_good_size(&self) -> u32 {
        self.good
    }

    pub fn size_verdicts(&self) -> impl Iterator<Item = (u32, SizeVerdict)> {
        self.attempts.iter().filter_map(|a| Some((a.size, a.verdict?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn round(sizes: &[u32], confirms: bool) -> ProbeRound {
        ProbeRound::new(&RoundPlan { sizes: sizes.to_vec(), good: 100, confirms }, 3, 50 * MS, 0)
    }

    /// Simulates a path that drops as `lost` tells (size, packet number); answers are immediate.
    fn play(round: &mut ProbeRound, mut lost: impl FnMut(u32, u32) -> bool) -> (Vec<u32>, RoundAction, u64) {
        let (mut now, mut sent) = (0, Vec::new());
        loop {
            match round.next_action(now) {
                RoundAction::Send(size) => {
                    sent.push(size);
                    let number = sent.len() as u32;
                    match lost(size, number) {
                        true => {}
                        false if size == 100 => round.record_known_good_answer(true, now),
                        false => round.record_passed_size(size, now),
                    }
                }
                RoundAction::Wait(until) => now = until,
                over => return (sent, over, now),
            }
        }
    }

    #[test]
    fn tries_stand_among_known_sizes() {
        let mut r = round(&[200, 300], false);
        let (sent, over, now) = play(&mut r, |size, _| size == 300);
        assert_eq!(sent, [100, 200, 300, 100, 300, 100, 300, 100]);
        assert_eq!(over, RoundAction::Over);
        let silent = SizeVerdict::Fails(SizeFailureReason::Silent);
        assert!(r.size_verdicts().eq([(200, SizeVerdict::Passes), (300, silent)]));
        assert!((50 * MS..70 * MS).contains(&now), "one timer: {now}");

        let (sent, over, now) = play(&mut round(&[200, 300], false), |_, _| false);
        assert_eq!((sent, over), (vec![100, 200, 300], RoundAction::Over));
        assert!(now < 10 * MS, "all answered");
    }

    #[test]
    fn loss_of_known_sizes_makes_more_tries() {
        let mut r = round(&[300], false);
        let (sent, over, _) = play(&mut r, |size, n| n == 1 || (size == 300 && n < 8));
        assert_eq!(sent.iter().filter(|s| **s == 300).count(), 4, "{sent:?}");
        assert_eq!((over, r.size_verdicts().next()), (RoundAction::Over, Some((300, SizeVerdict::Passes))));
    }

    #[test]
    fn a_path_that_died_judges_nothing_and_a_lost_closing_packet_is_sent_again() {
        let mut r = round(&[300], false);
        assert_eq!(play(&mut r, |_, _| true).1, RoundAction::Void);
        assert_eq!(r.size_verdicts().count(), 0);
        let (sent, over, _) = play(&mut round(&[300], false), |size, n| size == 300 || n == 7);
        assert_eq!(over, RoundAction::Over);
        assert!(sent.len() > 7 && sent.last() == Some(&100), "{sent:?}");
    }

    #[test]
    fn what_never_left_is_tried_again() {
        let mut r = round(&[300], false);
        assert_eq!(r.next_action(0), RoundAction::Send(100));
        r.record_unsent_packet(100, 0);
        assert_eq!(r.next_action(MS), RoundAction::Wait(10 * MS));
        for at in [10 * MS, 20 * MS, 30 * MS] {
            let RoundAction::Send(size) = r.next_action(at) else { panic!() };
            r.record_unsent_packet(size, at);
        }
        let (sent, over, _) = play(&mut r, |size, _| size == 300);
        assert_eq!((sent.iter().filter(|s| **s == 300).count(), over), (3, RoundAction::Over), "{sent:?}");
        let (mut stuck, mut now) = (round(&[300], false), 0);
        let over = loop {
            match stuck.next_action(now) {
                RoundAction::Send(size) => stuck.record_unsent_packet(size, now),
                RoundAction::Wait(until) => now = until,
                over => break over,
            }
        };
        assert_eq!(over, RoundAction::Void);
    }

    #[test]
    fn refusals_need_no_waiting() {
        let mut r = round(&[300], true);
        assert_eq!(r.next_action(0), RoundAction::Send(100));
        r.record_known_good_answer(true, MS);
        assert_eq!(r.next_action(2 * MS), RoundAction::Send(300));
        r.record_failed_size(300, SizeFailureReason::Refused);
        assert_eq!(r.next_action(2 * MS), RoundAction::Over);
    }
}
