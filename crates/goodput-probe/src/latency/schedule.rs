//! Schedule and results of latency probes. Pure. Latency runs from a probe's due time even if it was sent
//! late, which avoids coordinated omission.

use goodput_model::Series;
use goodput_model::trial::MeasurementWindow;

/// A probe without an answer this long after its due time is lost.
pub(super) const PROBE_TIMEOUT_NS: u64 = 3_000_000_000;

const NEVER: i64 = -1;

pub(super) struct ProbeSchedule {
    start: u64,
    interval: u64,
    t0: u64,
    /// Uncounted probes before the window.
    before: u64,
    late: Vec<i64>,
    /// From due time to answer.
    latency: Vec<i64>,
    unanswered: u64,
    duplicates: u64,
}

impl ProbeSchedule {
    pub fn new(window: &MeasurementWindow, warm_up: u64, interval: u64) -> ProbeSchedule {
        let interval = interval.max(1);
        let start = window.t0_ns.saturating_sub(warm_up);
        let count = |span: u64| span.div_ceil(interval);
        let before = count(window.t0_ns - start);
        let all = count(window.t1_ns.saturating_sub(start)) as usize;
        ProbeSchedule {
            start,
            interval,
            t0: window.t0_ns,
            before,
            late: Vec::with_capacity(all),
            latency: vec![NEVER; all],
            unanswered: 0,
            duplicates: 0,
        }
    }

    /// Due time of the next probe; `None` when all were sent. A late probe does not shift later ones.
    #[inline(always)]
    pub fn next_due_time(&self) -> Option<u64> {
        (self.late.len() < self.latency.len()).then(|| self.due_of(self.late.len() as u64))
    }

    #[inline(always)]
    fn due_of(&self, number: u64) -> u64 {
        self.start + number * self.interval
    }

    #[inline(always)]
    pub fn next_probe_number(&self) -> u64 {
        self.late.len() as u64
    }

    #[inline(always)]
    pub fn record_sent(&mut self, now: u64) {
        let due = self.due_of(self.next_probe_number());
        self.late.push(now.saturating_sub(due) as i64);
        self.unanswered += 1;
    }

    /// Records an answer; ignores those to no sent probe.
    #[inline(always)]
    pub fn record_answer(&mut self, number: u64, now: u64) {
        if number >= self.next_probe_number() {
            return;
        }
        let due = self.due_of(number);
        let slot = &mut self.latency[number as usize];
        if *slot != NEVER {
            self.duplicates += 1;
        } else if now.saturating_sub(due) < PROBE_TIMEOUT_NS {
            *slot = now.saturating_sub(due) as i64;
            self.unanswered -= 1;
        }
    }

    /// True when nothing more is to be sent or awaited.
    pub fn is_finished(&self, now: u64) -> bool {
        self.next_due_time().is_none() && (self.unanswered == 0 || now >= self.last_answer_deadline())
    }

    pub fn last_answer_deadline(&self) -> u64 {
        self.due_of((self.latency.len() as u64).saturating_sub(1)) + PROBE_TIMEOUT_NS
    }

    pub fn measured_answer_count(&self) -> u64 {
        self.latency.iter().skip(self.before as usize).filter(|l| **l != NEVER).count() as u64
    }

    pub fn duplicate_count(&self) -> u64 {
        self.duplicates
    }

    /// Sent probes of the window: `due_ns` since t0, `late_ns` of the send, `latency_ns` from due to answer,
    /// −1 when lost.
    pub fn into_series(self) -> Series {
        let sent = self.late.len();
        let from = (self.before as usize).min(sent);
        let due = (from..sent).map(|i| self.due_of(i as u64).saturating_sub(self.t0) as i64).collect();
        let columns = vec![
            ("due_ns", due),
            ("late_ns", self.late[from..].to_vec()),
            ("latency_ns", self.latency[from..sent].to_vec()),
        ];
        Series::new("probes", columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule() -> ProbeSchedule {
        let window = MeasurementWindow { t0_ns: 1_000, t1_ns: 1_400, ..MeasurementWindow::default() };
        ProbeSchedule::new(&window, 150, 100)
    }

    #[test]
    fn a_late_probe_is_charged_and_moves_nothing() {
        let mut s = schedule();
        // Due at 850 and 950 before the window, at 1050, 1150, 1250, 1350 in it.
        let mut due = Vec::new();
        while let Some(at) = s.next_due_time() {
            due.push(at);
            s.record_sent(if at == 1150 { 1249 } else { at });
        }
        assert_eq!(due, [850, 950, 1050, 1150, 1250, 1350]);
        for (number, at) in [(0, 860), (3, 1260), (2, 1300), (3, 1301), (77, 1302)] {
            s.record_answer(number, at);
        }
        assert!(!s.is_finished(2_000) && s.is_finished(1350 + PROBE_TIMEOUT_NS));
        assert_eq!((s.measured_answer_count(), s.duplicate_count()), (2, 1));
        let series = s.into_series();
        let columns = ["due_ns", "late_ns", "latency_ns"].map(|name| series.column(name).unwrap());
        assert_eq!(columns, [[50, 150, 250, 350], [0, 99, 0, 0], [250, 110, -1, -1]]);
    }

    #[test]
    fn an_answer_after_its_time_is_a_loss() {
        let mut s = schedule();
        while let Some(at) = s.next_due_time() {
            s.record_sent(at);
        }
        s.record_answer(2, 1050 + PROBE_TIMEOUT_NS);
        s.record_answer(3, 1150 + PROBE_TIMEOUT_NS - 1);
        assert_eq!(s.measured_answer_count(), 1);
        for number in [0, 1, 4, 5] {
            s.record_answer(number, 1_400);
        }
        assert!(!s.is_finished(1_400), "number 2 may still be awaited");
    }

    #[test]
    fn broken_off_keeps_what_was_sent() {
        let mut s = schedule();
        (0..3).for_each(|i| s.record_sent(850 + 100 * i));
        assert_eq!(s.into_series().column("due_ns"), Some(&[50][..]));
        let mut none = schedule();
        none.record_sent(850);
        assert_eq!(none.into_series().column("due_ns"), Some(&[][..]));
    }
}
