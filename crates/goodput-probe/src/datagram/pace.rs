//! Schedule of a paced sender: burst k is due at start + k × gap. Pure. A late burst does not shift the
//! schedule, so a delayed sender catches up and reports its delay. Needs no queueing discipline of the kernel.

use goodput_model::datagram::Datagram;

const LATE_NS: u64 = 1_000_000;

/// Datagrams that are sent together.
pub(super) fn burst(settings: &Datagram) -> u32 {
    if settings.rate.is_some() { settings.burst.max(1) } else { settings.default_burst() }
}

#[derive(Debug, Clone)]
pub(super) struct SendPacer {
    start: f64,
    gap: f64,
    pub burst: u64,
    bursts: u64,
    pub most_late_ns: u64,
    pub late: u64,
}

impl SendPacer {
    /// Flow `nth` from `start_ns`; `None` without a rate and without pacing. Flows of a direction share the rate
    /// and alternate within a gap.
    pub fn for_flow(settings: &Datagram, nth: u16, start_ns: u64) -> Option<SendPacer> {
        let flows = f64::from(settings.flows.max(1));
        let burst = u64::from(burst(settings));
        let gap = 1e9 * burst as f64 * flows / settings.paced_datagrams_per_second()?;
        let offset = gap * f64::from(nth) / flows;
        Some(SendPacer { start: start_ns as f64 + offset, gap, burst, bursts: 0, most_late_ns: 0, late: 0 })
    }

    #[inline(always)]
    pub fn next_send_time(&self) -> u64 {
        (self.start + self.bursts as f64 * self.gap).round() as u64
    }

    #[inline(always)]
    pub fn start_burst(&mut self, now: u64) {
        let late = now.saturating_sub(self.next_send_time());
        self.most_late_ns = self.most_late_ns.max(late);
        if late > LATE_NS {
            self.late += self.burst;
        }
        self.bursts += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::datagram::DatagramRate;

    fn settings(rate: f64, burst: u32, flows: u16) -> Datagram {
        Datagram { rate: Some(DatagramRate::Datagrams(rate)), burst, flows, ..Datagram::default() }
    }

    #[test]
    fn the_schedule_does_not_move() {
        let mut pace = SendPacer::for_flow(&settings(1_000.0, 1, 1), 0, 5_000).unwrap();
        assert_eq!(pace.next_send_time(), 5_000);
        pace.start_burst(5_100);
        assert_eq!(pace.next_send_time(), 1_005_000);
        pace.start_burst(9_005_000);
        assert_eq!((pace.next_send_time(), pace.most_late_ns, pace.late), (2_005_000, 8_000_000, 1));
        // A long schedule stays exact.
        let mut pace = SendPacer::for_flow(&settings(3.0, 1, 1), 0, 1 << 52).unwrap();
        pace.bursts = 3_000_000;
        assert_eq!(pace.next_send_time() - (1 << 52), 1_000_000 * 1_000_000_000);
    }

    #[test]
    fn bursts_and_flows_share_the_rate() {
        let pace = SendPacer::for_flow(&settings(1_000.0, 10, 4), 1, 0).unwrap();
        assert_eq!(pace.next_send_time(), 10_000_000);
        let mut next = pace.clone();
        next.start_burst(10_000_000);
        // 4 flows × 10 datagrams / 1,000 per second = 40 ms.
        assert_eq!(next.next_send_time() - pace.next_send_time(), 40_000_000);
        assert!(SendPacer::for_flow(&Datagram::default(), 0, 0).is_none());
    }

    #[test]
    fn pacing_of_the_socket_is_kept_without_the_kernel() {
        use goodput_model::{BitRate, Bytes, probe::SocketOptions};
        let socket = SocketOptions { pacing: Some(BitRate(20_000_000)), ..SocketOptions::default() };
        let paced = Datagram { socket, size: Bytes(1_250), flows: 2, ..Datagram::default() };
        // 2,000 a second in each flow, so one each 0.5 ms.
        let mut pace = SendPacer::for_flow(&paced, 0, 0).unwrap();
        assert_eq!((pace.burst, pace.next_send_time()), (1, 0));
        pace.start_burst(0);
        assert_eq!(pace.next_send_time(), 500_000);
        let rate = Some(DatagramRate::Datagrams(100.0));
        let mut slower = SendPacer::for_flow(&Datagram { rate, flows: 1, ..paced }, 0, 0).unwrap();
        slower.start_burst(0);
        assert_eq!(slower.next_send_time(), 10_000_000);
    }
}
