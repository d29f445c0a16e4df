//! One direction's search from the first packet to the result: rounds, packets and their outcome. Pure, so
//! paths are simulated in tests.

use super::round::{ProbeRound, RoundAction, SizeVerdict};
use super::search::{MtuSearch, SizeFailureReason};
use goodput_model::mtu::{Mtu, MtuOutcome, TooBigMessages};
use goodput_model::{Nanos, Series};
use std::net::IpAddr;

/// Consecutive rounds without any known size before the path counts as lost.
const VOID_ROUNDS: u8 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProberAction {
    Send { seq: u64, size: u32 },
    Wait(u64),
    Over,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProbeOutcome {
    Silent,
    Answered { round_trip_ns: u64 },
    Told { next_hop_mtu: u32 },
    Refused { mtu: u32 },
    NotSent,
}

#[derive(Debug)]
struct Sent {
    size: u32,
    at_ns: u64,
    fate: ProbeOutcome,
}

/// Source of a too-big message.
struct Word {
    by: IpAddr,
    next_hop_mtu: u32,
    times: u32,
    of: u32,
}

pub(super) struct MtuProber {
    settings: Mtu,
    search: MtuSearch,
    round: Option<ProbeRound>,
    sent: Vec<Sent>,
    told: Vec<Word>,
    last_good: Option<u64>,
    smoothed_ns: u64,
    began_ns: u64,
    ended_ns: Option<u64>,
    voids: u8,
    gave_up: Option<&'static str>,
}

pub(super) struct ProberResult {
    pub passes: Option<u32>,
    pub fails: Option<u32>,
    pub outcome: MtuOutcome,
    pub told: Vec<TooBigMessages>,
    pub sent: u32,
    pub answered: u32,
    pub round_trip: Nanos,
    pub took: Nanos,
    pub series: Series,
}

impl MtuProber {
    /// Starts with an estimate of the round trip.
    pub fn new(settings: &Mtu, search: MtuSearch, round_trip_ns: u64, now: u64) -> MtuProber {
        MtuProber {
            settings: settings.clone(),
            search,
            round: None,
            sent: Vec::new(),
            told: Vec::new(),
            last_good: None,
            smoothed_ns: round_trip_ns,
            began_ns: now,
            ended_ns: None,
            voids: 0,
            gave_up: None,
        }
    }

    pub fn next_action(&mut self, now: u64) -> ProberAction {
        loop {
            if self.ended_ns.is_some() {
                return ProberAction::Over;
            }
            if now.saturating_sub(self.began_ns) >= self.settings.time.0 {
                return self.end(now, Some("the time limit expired"));
            }
            let Some(round) = &mut self.round else {
                match self.search.take_next_round() {
                    Some(wanted) => {
                        let timer = self.settings.timer.0.max(self.smoothed_ns.saturating_mul(4));
                        self.round = Some(ProbeRound::new(&wanted, self.settings.tries, timer, now));
                        continue;
                    }
                    None => return self.end(now, None),
                }
            };
            match round.next_action(now) {
                RoundAction::Send(size) => {
                    let seq = self.sent.len() as u64;
                    if size == round.known_good_size() {
                        self.last_good = Some(seq);
                    }
                    self.sent.push(Sent { size, at_ns: now, fate: ProbeOutcome::Silent });
                    return ProberAction::Send { seq, size };
                }
                RoundAction::Wait(until) => {
                    return ProberAction::Wait(until.min(self.began_ns.saturating_add(self.settings.time.0)));
                }
                RoundAction::Over => self.judge(),
                RoundAction::Void => {
                    self.round = None;
                    self.voids += 1;
                    if self.voids >= VOID_ROUNDS {
                        return self.end(
                            now,
                            Some("packets of sizes that had passed before no longer received replies"),
                        );
                    }
                    self.search.invalidate_known_good_size();
                }
            }
        }
    }

    fn end(&mut self, now: u64, gave_up: Option<&'static str>) -> ProberAction {
        self.gave_up = gave_up.filter(|_| !self.search.is_complete());
        self.ended_ns = Some(now);
        ProberAction::Over
    }

    fn judge(&mut self) {
        let Some(round) = self.round.take() else { return };
        self.voids = 0;
        for (size, verdict) in round.size_verdicts() {
            match verdict {
                SizeVerdict::Passes => self.search.record_passed_size(size),
                SizeVerdict::Fails(how) => self.search.record_failed_size(size, how),
            }
        }
        if round.confirms {
            self.search.mark_bounds_confirmed();
        }
    }

    /// The other end received packet `seq` whole.
    pub fn record_answer(&mut self, seq: u64, now: u64) {
        let Some(sent) = usize::try_from(seq).ok().and_then(|i| self.sent.get_mut(i)) else { return };
        if matches!(sent.fate, ProbeOutcome::Answered { .. }) {
            return;
        }
        let round_trip_ns = now.saturating_sub(sent.at_ns);
        sent.fate = ProbeOutcome::Answered { round_trip_ns };
        let size = sent.size;
        // RFC 6298, section 2: gain 1/8.
        self.smoothed_ns = self.smoothed_ns - self.smoothed_ns / 8 + round_trip_ns / 8;
        self.search.record_passed_size(size);
        if let Some(round) = &mut self.round {
            if size == round.known_good_size() {
                round.record_known_good_answer(self.last_good == Some(seq), now);
            } else {
                round.record_passed_size(size, now);
            }
        }
    }

    /// A too-big message for packet `seq`, or, if it quotes too little, for every larger unanswered one.
    pub fn record_packet_too_big(&mut self, seq: Option<u64>, next_hop_mtu: u32, by: IpAddr) {
        let quoted = seq.and_then(|seq| usize::try_from(seq).ok()).filter(|i| *i < self.sent.len());
        let silent = |s: &Sent| s.fate == ProbeOutcome::Silent && next_hop_mtu > 0 && s.size > next_hop_mtu;
        let meant: Vec<usize> = match quoted {
            Some(i) => vec![i],
            None => (0..self.sent.len()).filter(|i| silent(&self.sent[*i])).collect(),
        };
        let Some(of) = meant.iter().map(|i| self.sent[*i].size).min() else { return };
        if next_hop_mtu >= of {
            // RFC 8899, section 4.6.1: inconsistent messages are ignored.
            return;
        }
        match self.told.iter_mut().find(|w| w.by == by && w.next_hop_mtu == next_hop_mtu) {
            Some(word) => (word.times, word.of) = (word.times + 1, word.of.min(of)),
            None => self.told.push(Word { by, next_hop_mtu, times: 1, of }),
        }
        if next_hop_mtu > self.search.largest_passing_size() {
            self.search.add_reported_mtu(next_hop_mtu);
        }
        for i in meant {
            let sent = &mut self.sent[i];
            if sent.fate == ProbeOutcome::Silent {
                sent.fate = ProbeOutcome::Told { next_hop_mtu };
            }
            if let Some(round) = &mut self.round {
                round.record_failed_size(sent.size, SizeFailureReason::Told);
            }
        }
    }

    /// Our kernel refused packet `seq`: the interface's MTU is `mtu`.
    pub fn record_local_packet_too_big(&mut self, seq: u64, mtu: u32) {
        let Some(sent) = usize::try_from(seq).ok().and_then(|i| self.sent.get_mut(i)) else { return };
        sent.fate = ProbeOutcome::Refused { mtu };
        let size = sent.size;
        if mtu > self.search.largest_passing_size() && mtu < size {
            self.search.add_reported_mtu(mtu);
        }
        if let Some(round) = &mut self.round {
            round.record_failed_size(size, SizeFailureReason::Refused);
        }
    }

    /// Packet `seq` was not sent, for a reason unrelated to its size.
    pub fn record_unsent_packet(&mut self, seq: u64, now: u64) {
        let Some(sent) = usize::try_from(seq).ok().and_then(|i| self.sent.get_mut(i)) else { return };
        sent.fate = ProbeOutcome::NotSent;
        if let Some(round) = &mut self.round {
            round.record_unsent_packet(sent.size, now);
        }
    }

    pub fn answered_count(&self) -> u64 {
        self.sent.iter().filter(|s| matches!(s.fate, ProbeOutcome::Answered { .. })).count() as u64
    }

    pub fn result(&self) -> ProberResult {
        let any = self.answered_count() > 0;
        let took = self.ended_ns.unwrap_or(self.began_ns).saturating_sub(self.began_ns);
        ProberResult {
            passes: any.then(|| self.search.largest_passing_size()),
            fails: self.search.smallest_failing_size().map(|(size, _)| size),
            outcome: self.outcome(),
            told: self.words(),
            sent: self
                .sent
                .iter()
                .filter(|s| !matches!(s.fate, ProbeOutcome::NotSent | ProbeOutcome::Refused { .. }))
                .count() as u32,
            answered: self.answered_count() as u32,
            round_trip: Nanos(self.smoothed_ns),
            took: Nanos(took),
            series: self.series(),
        }
    }

    fn outcome(&self) -> MtuOutcome {
        let cut_short = self.ended_ns.is_none().then_some("the search did not finish");
        if let Some(why) = self.gave_up.or(cut_short) {
            return MtuOutcome::Undecided { why: why.into() };
        }
        match self.search.smallest_failing_size() {
            None => MtuOutcome::NothingLarger,
            Some((_, SizeFailureReason::Silent)) => MtuOutcome::BlackHole,
            Some((size, SizeFailureReason::Refused)) => {
                let mtu = self.sent.iter().find_map(|s| match s.fate {
                    ProbeOutcome::Refused { mtu } if s.size == size => Some(mtu),
                    _ => None,
                });
                MtuOutcome::OwnInterface { mtu: mtu.unwrap_or(size - 1) }
            }
            Some((size, SizeFailureReason::Told)) => {
                // The message about this size; on a path with two bottlenecks the narrowest.
                let word = self.told.iter().filter(|w| w.of <= size).min_by_key(|w| w.next_hop_mtu);
                match word.or_else(|| self.told.first()) {
                    Some(w) => MtuOutcome::Told { by: w.by.to_string(), next_hop_mtu: w.next_hop_mtu },
                    None => MtuOutcome::BlackHole,
                }
            }
        }
    }

    fn words(&self) -> Vec<TooBigMessages> {
        let word =
            |w: &Word| TooBigMessages { by: w.by.to_string(), next_hop_mtu: w.next_hop_mtu, times: w.times };
        self.told.iter().map(word).collect()
    }

    /// Every packet: send time (ns since the start), size, outcome (0 silence, 1 answered, 2 too big on the
    /// way, 3 refused by the kernel, 4 not sent), round trip in ns, reported MTU.
    fn series(&self) -> Series {
        let fate = |s: &Sent| match s.fate {
            ProbeOutcome::Silent => (0, 0, 0),
            ProbeOutcome::Answered { round_trip_ns } => (1, round_trip_ns as i64, 0),
            ProbeOutcome::Told { next_hop_mtu } => (2, 0, i64::from(next_hop_mtu)),
            ProbeOutcome::Refused { mtu } => (3, 0, i64::from(mtu)),
            ProbeOutcome::NotSent => (4, 0, 0),
        };
        let column = |of: &dyn Fn(&Sent) -> i64| self.sent.iter().map(of).collect::<Vec<i64>>();
        Series::new(
            "packets",
            vec![
                ("at_ns", column(&|s| s.at_ns.saturating_sub(self.began_ns) as i64)),
                ("ip_bytes", column(&|s| i64::from(s.size))),
                ("fate", column(&|s| fate(s).0)),
                ("round_trip_ns", column(&|s| fate(s).1)),
                ("told_mtu", column(&|s| fate(s).2)),
            ],
        )
    }
}

#[cfg(test)]
#[path = "simulated_path.rs"]
mod tests;
