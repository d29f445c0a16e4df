//! Curves of a load run from its points.

use super::sample::*;
use goodput_analysis::load_curve::build_load_curves;
use goodput_analysis::summary::summarize_trial;
use goodput_model::load::{LoadWorker, RequestMix, RequestMixLine, TrafficPattern};
use goodput_model::probe::TransferDirection;
use goodput_model::summary::{LoadCurves, SaturationPoint, TrialSummary};
use goodput_model::trial::EndpointRole;
use goodput_model::*;

fn trial_of(id: u32, mix: RequestMix, clients: u16, mbit: u64) -> Trial {
    let settings = Load {
        clients: (0..clients).map(|c| format!("c{c}")).collect(),
        mixes: vec![mix],
        workers: (0..clients).map(|client| LoadWorker { client, mix: 0 }).collect(),
        seed: 11,
        ..Load::default()
    };
    let each = mbit * 125_000 * 10 / u64::from(clients);
    let mut ends = Vec::new();
    for worker in 0..clients {
        let mut client = end(EndpointRole::Connect, [30, 10]);
        client.host = format!("c{worker}");
        client.facts.boot_id = client.host.clone();
        client.flows.push(flow(worker, TransferDirection::Receive, true, each));
        let even = each as i64 / 100;
        let ends_ns = (1..=100).map(|i| i * 100_000_000).collect();
        let bytes = (0..100).map(|i| if i % 2 == 0 { even + even / 50 } else { even - even / 50 }).collect();
        let columns = vec![("end_ns", ends_ns), ("bytes", bytes)];
        client.series.push(Series::new(format!("intervals-{worker}"), columns));
        client.operations = 1_000;
        ends.push(client);
    }
    ends.push(end(EndpointRole::Listen, [60, 20]));
    Trial { id: TrialId(id), ..trial(Probe::Load(settings), ends) }
}

fn curves(trials: &[Trial]) -> LoadCurves {
    let summaries: Vec<TrialSummary> = trials.iter().map(summarize_trial).collect();
    build_load_curves(&summaries.iter().collect::<Vec<_>>()).expect("there are points")
}

pub(crate) fn transmit(id: u32, size: u64, clients: u16, mbit: u64) -> Trial {
    trial_of(id, RequestMix::transmit_only(Bytes(size)), clients, mbit)
}

#[test]
fn a_curve_over_sizes() {
    let points = [(1, 4096, 900), (2, 64, 100), (3, 1024, 500), (4, 8192, 920)];
    let found = curves(&points.map(|(id, size, mbit)| transmit(id, size, 2, mbit)));
    assert_eq!((found.over_size.len(), found.over_clients.len()), (1, 0));
    let curve = &found.over_size[0];
    let head = (curve.name.as_str(), curve.traffic, curve.clients);
    assert_eq!(head, ("transmit", TrafficPattern::Transmit, Some(2)));
    let rows = curve.points.iter().map(|p| (p.at, p.trials[0].0, p.goodput_bps / 1_000_000));
    assert_eq!(rows.collect::<Vec<_>>(), [(64, 2, 100), (1024, 3, 500), (4096, 1, 900), (8192, 4, 920)]);
    assert_eq!((curve.best_bps, curve.best_at), (920_000_000, 8192));
    assert_eq!(curve.saturation, SaturationPoint::Reached { at: 4096, least: 4096, most: 4096 });
    let first = &curve.points[0];
    // 40 % busy; 100 / 40; 8 s of CPU for 122,070.3125 KiB.
    assert_eq!((first.cpu_busy_percent, first.pe_index), (Some(40.0), Some(2.5)));
    assert!((first.us_per_kib.unwrap() - 65.536).abs() < 1e-9);
    let (low, high) = first.interval_bps.unwrap();
    assert!(low <= 100_000_000 && 100_000_000 <= high && high - low < 2_000_000, "{low} {high}");
}

#[test]
fn a_curve_over_clients_beside_those_over_sizes() {
    let mut trials = Vec::new();
    for (size, best) in [(64, 200), (4096, 800)] {
        for (clients, part) in [(1, 1), (2, 2), (4, 4), (8, 4)] {
            trials.push(transmit(trials.len() as u32 + 1, size, clients, best * part / 4));
        }
    }
    let found = curves(&trials);
    assert_eq!((found.over_size.len(), found.over_clients.len()), (4, 2));
    let over = &found.over_clients[1];
    assert_eq!((over.size_bytes, over.clients, over.best_at), (Some(4096), None, 4));
    assert_eq!(over.points.iter().map(|p| p.at).collect::<Vec<_>>(), [1, 2, 4, 8]);
    assert_eq!(over.saturation, SaturationPoint::Reached { at: 4, least: 4, most: 4 });
    assert_eq!(found.over_size[0].saturation, SaturationPoint::NotReached);
}

#[test]
fn repeats_are_one_point() {
    let repeats = [(1, 64, 100), (2, 128, 190), (3, 64, 120), (4, 128, 210)];
    let found = curves(&repeats.map(|(id, size, mbit)| transmit(id, size, 1, mbit)));
    let points = &found.over_size[0].points;
    assert_eq!(points[0].trials, [TrialId(1), TrialId(3)]);
    assert_eq!((points[0].goodput_bps, points[1].goodput_bps), (110_000_000, 200_000_000));
    // The mean of both trials over the mean of their CPUs.
    assert_eq!(points[0].pe_index, Some(2.75));
}

#[test]
fn a_mix_of_sizes_has_a_curve_over_clients_only() {
    let line = |size| RequestMixLine { share_percent: 50, ..RequestMixLine::single_size(Bytes(size), 0) };
    let mix = || RequestMix { name: "files".into(), lines: vec![line(64), line(4096)], both_ways: false };
    let found = curves(&[trial_of(1, mix(), 1, 90), trial_of(2, mix(), 2, 180)]);
    assert!(found.over_size.is_empty());
    assert_eq!((found.over_clients[0].name.as_str(), found.over_clients[0].size_bytes), ("files", None));
}

#[test]
fn figures_of_different_cpus_do_not_compare() {
    let mut trials = [transmit(1, 64, 1, 100), transmit(2, 128, 1, 200)];
    assert_eq!(curves(&trials).findings, []);
    trials[1].ends[1].cpu.as_mut().unwrap().cpus.pop();
    let differ = "the server's CPU usage covers different CPUs at different points: \
                  1 CPU (the server's own), 2 CPUs (the server's own); ";
    let found = only(&curves(&trials).findings, "pe-not-comparable");
    assert_eq!(found.text.as_str(), format!("{differ}the P/E indices are not comparable"));
}

#[test]
fn one_point_is_no_curve() {
    let (point, other) = (summarize_trial(&transmit(1, 64, 1, 100)), summarize_trial(&stream()));
    assert_eq!((build_load_curves(&[&point]), build_load_curves(&[&point, &other])), (None, None));
}
