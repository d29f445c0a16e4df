//! Ports of a full-duplex switch in virtual time.

use crate::medium::LinkLayerParameters;
use goodput_model::Nanos;

/// Longest wait at a port; a frame beyond it is dropped, as by the shaper of a rated link.
pub(super) const MAX_QUEUE_DELAY: Nanos = Nanos(50_000_000);
const MIN_WAITING: u64 = 10;

#[derive(Debug)]
pub(super) struct Switch {
    ports: Vec<Port>,
    pub wire_bits: u64,
    pub queue_drops: u64,
}

#[derive(Debug)]
struct Port {
    line: Option<LinkLayerParameters>,
    free: u64,
}

fn bits(line: LinkLayerParameters, length: u32) -> u64 {
    let counted = u64::from(length) + u64::from(line.overhead);
    8 * if line.cells { counted.div_ceil(48) * 53 } else { counted }
}

fn time(bits: u64, rate: u64) -> u64 {
    u64::try_from(u128::from(bits) * 1_000_000_000 / u128::from(rate.max(1))).unwrap_or(u64::MAX)
}

impl Switch {
    /// `None` sends at once.
    pub(super) fn new(lines: impl Iterator<Item = Option<LinkLayerParameters>>) -> Switch {
        let ports = lines.map(|line| Port { line, free: 0 }).collect();
        Switch { ports, wire_bits: 0, queue_drops: 0 }
    }

    /// Departure time in ns; `None` when it is dropped.
    pub(super) fn enqueue_frame(&mut self, port: usize, length: u32, now: u64) -> Option<u64> {
        let port = self.ports.get_mut(port)?;
        let Some(line) = port.line else { return Some(now) };
        let bits = bits(line, length);
        let took = time(bits, line.rate.0);
        let start = port.free.max(now);
        if start - now > MAX_QUEUE_DELAY.0.max(MIN_WAITING * took) {
            self.queue_drops += 1;
            return None;
        }
        self.wire_bits += bits;
        port.free = start + took;
        Some(port.free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::BitRate;

    #[test]
    fn a_port_sends_one_frame_after_the_other() {
        let line = LinkLayerParameters::ethernet(BitRate(100_000_000));
        let mut switch = Switch::new([Some(line), None].into_iter());
        assert_eq!(switch.enqueue_frame(0, 1514, 1_000), Some(1_000 + 123_040));
        assert_eq!(switch.enqueue_frame(0, 1514, 1_000), Some(1_000 + 2 * 123_040));
        assert_eq!(switch.enqueue_frame(1, 1514, 7), Some(7));
        assert_eq!(switch.enqueue_frame(2, 1514, 7), None);
        assert_eq!(switch.wire_bits, 2 * 1538 * 8);
    }

    #[test]
    fn queues_and_cells_are_as_long_as_they_are_said_to_be() {
        let mut switch = Switch::new([Some(LinkLayerParameters::ethernet(BitRate(10_000_000)))].into_iter());
        let passed = (0..100).filter(|_| switch.enqueue_frame(0, 1514, 0).is_some()).count();
        // 40 frames of 1.23 ms fit into 50 ms, and one is being sent.
        assert_eq!((passed, switch.queue_drops), (41, 59));
        let mut slow = Switch::new([Some(LinkLayerParameters::ethernet(BitRate(64_000)))].into_iter());
        assert_eq!((0..100).filter(|_| slow.enqueue_frame(0, 1514, 0).is_some()).count(), 11);
        let lane: crate::medium::NamedMedium = "atm155-lane".parse().unwrap();
        assert_eq!(bits(lane.line, 1514), 32 * 53 * 8);
    }
}
