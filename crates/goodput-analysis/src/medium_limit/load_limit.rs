//! How much of both directions of a medium the mixes of a load can use. Requests without a reply use one
//! direction; generators of both kinds fill both. A mix of reads and writes, or requests with replies, fill
//! the direction with more bytes, and the other in proportion.

use goodput_model::Load;
use goodput_model::load::RequestMix;
use goodput_model::summary::TheoreticalGoodputLimit;

/// From 1 (one direction only) to 2 (both in full), for full duplex.
pub fn duplex_factor(load: &Load) -> f64 {
    let mixes = || load.workers.iter().filter_map(|w| load.mixes.get(usize::from(w.mix)));
    if mixes().any(|m| m.both_ways) {
        return 2.0;
    }
    let (mut transmits, mut receives, mut other) = (false, false, 0.0f64);
    for (transmit, receive) in mixes().map(bytes_each_way) {
        transmits |= transmit >= receive;
        receives |= receive >= transmit;
        let (less, more) = (transmit.min(receive), transmit.max(receive));
        other = if more > 0.0 { other.max(less / more) } else { other };
    }
    if transmits && receives { 2.0 } else { 1.0 + other }
}

/// Times 10,000.
fn bytes_each_way(mix: &RequestMix) -> (f64, f64) {
    let mut bytes = (0.0, 0.0);
    for line in &mix.lines {
        let share = f64::from(line.share_percent);
        let reads = f64::from(line.reads_percent.min(100));
        let (request, reply) = (line.size.0 as f64, line.reply.0 as f64);
        bytes.0 += share * ((100.0 - reads) * request + reads * reply);
        bytes.1 += share * (reads * request + (100.0 - reads) * reply);
    }
    bytes
}

/// The share of one direction, or all where both share the medium.
pub fn one_direction_limit(limit: &TheoreticalGoodputLimit, load: &Load) -> Option<u64> {
    let all = limit.goodput_bps?;
    Some(if limit.shared { all } else { (all as f64 / duplex_factor(load)).round() as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::assert_near;
    use goodput_model::Bytes;
    use goodput_model::load::{LoadWorker, RequestMixLine};

    fn of(mixes: Vec<RequestMix>) -> Load {
        let workers = (0..mixes.len() as u16).map(|mix| LoadWorker { client: 0, mix }).collect();
        Load { mixes, workers, ..Load::default() }
    }

    fn mix(reads_percent: u8, reply: u64) -> RequestMix {
        let line =
            RequestMixLine { reply: Bytes(reply), ..RequestMixLine::single_size(Bytes(1000), reads_percent) };
        RequestMix { name: String::new(), lines: vec![line], both_ways: false }
    }

    #[test]
    fn directions_that_a_load_can_fill() {
        let [transmit, receive] = [RequestMix::transmit_only(Bytes(64)), RequestMix::receive_only(Bytes(64))];
        for (mixes, factor) in [
            (vec![transmit.clone()], 1.0),
            (vec![receive.clone()], 1.0),
            (vec![transmit, receive], 2.0),
            (vec![RequestMix::bidirectional(Bytes(64))], 2.0),
            // Three reads to one write: 750 bytes one way carry 250 the other.
            (vec![mix(75, 0)], 4.0 / 3.0),
            (vec![mix(0, 100)], 1.1),
            // Two mixes fill the same direction; the other has the larger of their parts.
            (vec![mix(0, 100), mix(0, 500)], 1.5),
            (vec![], 1.0),
        ] {
            assert_near(duplex_factor(&of(mixes)), factor, 1e-12);
        }
    }

    #[test]
    fn one_direction_of_a_limit() {
        let mut limit =
            TheoreticalGoodputLimit { goodput_bps: Some(200), ..TheoreticalGoodputLimit::default() };
        let duplex = of(vec![RequestMix::transmit_only(Bytes(1)), RequestMix::receive_only(Bytes(1))]);
        assert_eq!(one_direction_limit(&limit, &duplex), Some(100));
        limit.shared = true;
        assert_eq!(one_direction_limit(&limit, &duplex), Some(200));
        limit.goodput_bps = None;
        assert_eq!(one_direction_limit(&limit, &duplex), None);
    }
}
