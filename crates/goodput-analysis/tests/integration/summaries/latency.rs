//! Latency under load: percentiles of answered probes, lost probes, and the load's goodput.

use super::sample::*;
use goodput_analysis::summary::summarize_trial;
use goodput_model::probe::TransferDirection;
use goodput_model::*;

/// The sixth was lost, the last one sent 1 ms late.
fn probes() -> Series {
    let latency = vec![100, 200, 300, 400, 500, -1, 700, 800, 900, 2_000_000];
    let late = [vec![10; 9], vec![1_000_000]].concat();
    let due = (0..10).map(|i| i * 1_000_000).collect();
    Series::new("probes", vec![("due_ns", due), ("late_ns", late), ("latency_ns", latency)])
}

fn trial_with(load: Option<TransferDirection>) -> Trial {
    let mut t = Trial { medium: ethernet(1000), ..stream() };
    t.ends[0].series.push(probes());
    t.probe = Probe::Latency(Latency { load, connections: 2, ..Latency::default() });
    t
}

#[test]
fn loss_is_counted_and_in_no_percentile() {
    let s = summarize_trial(&trial_with(Some(TransferDirection::Send)));
    let (l, p) = (s.latency_summary().unwrap(), s.latency_probes().unwrap());
    assert_eq!((p.sent, p.answered, p.lost), (10, 9, 1));
    assert_eq!((l.count, l.min, l.p50, l.max), (9, 100, 500, 2_000_000));
    assert_eq!(p.round_trip_ns.map(|r| (r.min, r.p50, r.max)), Some((90, 490, 1_000_000)));
    assert_eq!(p.sent_late_ns.map(|r| (r.count, r.max)), Some((10, 1_000_000)));
    // The load is counted as a stream.
    assert_eq!((s.goodput_bps, s.limit.goodput_bps), (Some(100_000_000), Some(941_482_444)));
    assert_eq!(s.direction_summaries().len(), 1);
}

#[test]
fn an_idle_path_has_no_goodput_and_no_limit() {
    let mut t = trial_with(None);
    t.ends.iter_mut().for_each(|e| e.flows.clear());
    let s = summarize_trial(&t);
    assert_eq!((s.goodput_bps, s.bytes, s.limit.goodput_bps, s.percent_of_limit), (None, None, None, None));
    assert_eq!((s.elapsed_ns, s.latency_summary().unwrap().count), (10 * S, 9));
    assert_eq!(s.findings, []);
    t.ends.clear();
    let s = summarize_trial(&t);
    assert_eq!((s.latency_summary(), s.latency_probes()), (None, None), "it never began");
}
