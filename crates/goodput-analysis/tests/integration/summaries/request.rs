//! Request and response.

use super::sample::*;
use goodput_analysis::summary::summarize_trial;
use goodput_model::trial::EndpointRole;
use goodput_model::*;

fn request() -> Trial {
    let (value_ns, count) = (vec![20_000, 40_000, 20_000], vec![300_000, 4_000, 96_000]);
    let columns = vec![("slot", vec![0, 0, 99]), ("value_ns", value_ns), ("count", count)];
    let series = vec![Series::new("latency", columns)];
    let initiator = EndpointReport { operations: 400_000, series, ..end(EndpointRole::Connect, [40, 20]) };
    trial(Probe::Request(Request::default()), vec![initiator, end(EndpointRole::Listen, [60, 20])])
}

#[test]
fn rate_percentiles_and_cost_and_a_lost_latency_is_noticed() {
    let s = summarize_trial(&request());
    assert_eq!((s.transactions_per_second(), s.elapsed_ns), (Some(40_000.0), 10 * S));
    let l = s.latency_summary().unwrap();
    assert_eq!((l.count, l.min, l.mean, l.p50, l.p90), (400_000, 20_000, 20_200, 20_000, 20_000));
    // 4,000 of 400,000 are exactly the last 1 %.
    assert_eq!((l.p99, l.p999, l.p9999, l.max), (20_000, 40_000, 40_000, 40_000));
    let demand = s.service_demand.unwrap();
    assert_eq!((demand.us_per_transaction, demand.us_per_kib), (Some(20.0), None));
    assert_eq!((s.goodput_bps, s.pe_index, s.limit.goodput_bps), (None, None, None));
    assert_eq!(s.findings, []);
    let mut lost = request();
    lost.ends[0].operations += 1;
    assert_eq!(ids(&lost), ["latency-count-differs"]);
}

#[test]
fn spinning_ends_are_not_told_that_they_are_busy() {
    let mut t = request();
    t.ends[0].cpu = end(EndpointRole::Connect, [100, 20]).cpu;
    assert_eq!(ids(&t), ["cpu-saturated"]);
    t.probe = Probe::Request(Request { wait: goodput_model::probe::WaitMode::Spin, ..Request::default() });
    assert_eq!(ids(&t), Vec::<String>::new());
}

#[test]
fn a_broken_trial_is_counted_up_to_its_last_slot() {
    let mut t = request();
    t.outcome = TrialOutcome::Partial { cause: "b died".into() };
    t.ends[0].complete = false;
    t.ends[0].series[0].columns[0].values = vec![0, 0, 39];
    let s = summarize_trial(&t);
    assert_eq!((s.elapsed_ns, s.transactions_per_second()), (4 * S, Some(100_000.0)));
}
