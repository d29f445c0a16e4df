//! A load as CSV: a row per point, per client, and per point of each curve.

use super::{request_size, traffic_name};
use crate::csv::table::{self as csv, CsvField, CsvTable, IntervalByteCount};
use goodput_analysis::load_curve::server_cpu_summary;
use goodput_model::load::ExcludedClient;
use goodput_model::summary::{
    LoadClientSummary, LoadCurve, LoadCurvePoint, LoadCurves, LoadSummary, SaturationPoint, TrialSummary,
};
use goodput_model::{Load, Probe};

pub(crate) fn csv_for_load_points(summaries: &[&TrialSummary]) -> Option<CsvTable> {
    type Row<'a> = (&'a TrialSummary, &'a Load, &'a LoadSummary);
    let rows = summaries.iter().filter_map(|s| match &s.probe {
        Probe::Load(settings) => Some((*s, settings, s.load_summary()?)),
        _ => None,
    });
    let columns: csv::CsvColumnDefinitions<'_, Row<'_>> = &[
        ("trial", |(s, ..)| s.trial.0.into()),
        ("traffic", |(.., l)| traffic_name(l.traffic).into()),
        ("requests", |(_, settings, _)| request_size(settings).as_str().into()),
        ("size_bytes", |(.., l)| l.size_bytes.into()),
        ("clients_asked", |(.., l)| l.requested_client_count().into()),
        ("clients", |(.., l)| l.clients.into()),
        ("workers", |(.., l)| l.workers.into()),
        ("elapsed_ns", |(s, ..)| s.elapsed_ns.into()),
        ("transmit_bps", |(.., l)| l.transmit_bps.into()),
        ("receive_bps", |(.., l)| l.receive_bps.into()),
        ("goodput_bps", |(s, ..)| s.goodput_bps.into()),
        ("requests_per_second", |(.., l)| l.requests_per_second.into()),
        ("handover_p50_ns", |(.., l)| l.handover_ns.map(|l| l.p50).into()),
        ("handover_p99_ns", |(.., l)| l.handover_ns.map(|l| l.p99).into()),
        ("reply_p50_ns", |(.., l)| l.reply_ns.map(|l| l.p50).into()),
        ("reply_p99_ns", |(.., l)| l.reply_ns.map(|l| l.p99).into()),
        ("connections_per_second", |(.., l)| l.connections_per_second.into()),
        ("connect_p99_ns", |(.., l)| l.connect_ns.map(|l| l.p99).into()),
        ("connection_errors", |(.., l)| l.connection_errors.into()),
        ("server_cpu_busy_percent", |(s, ..)| server_cpu_summary(s).map(|c| c.busy_percent).into()),
        ("server_cpus", |(s, ..)| server_cpu_summary(s).map(|c| c.cpus).into()),
        ("pe_index", |(s, ..)| s.pe_index.into()),
        ("us_per_kib", |(s, ..)| s.service_demand.and_then(|d| d.us_per_kib).into()),
        ("us_per_transaction", |(s, ..)| s.service_demand.and_then(|d| d.us_per_transaction).into()),
        ("limit_bps", |(s, ..)| s.limit.goodput_bps.into()),
        ("percent_of_limit", |(s, ..)| s.percent_of_limit.into()),
        ("adapter_transmit_bytes", |(.., l)| l.adapter.as_ref().map(|a| a.transmit_bytes).into()),
        ("adapter_transmit_packets", |(.., l)| l.adapter.as_ref().map(|a| a.transmit_packets).into()),
        ("expected_transmit_bytes", |(.., l)| l.expected_adapter_bytes.map(|e| e.0).into()),
        ("adapter_receive_bytes", |(.., l)| l.adapter.as_ref().map(|a| a.receive_bytes).into()),
        ("adapter_receive_packets", |(.., l)| l.adapter.as_ref().map(|a| a.receive_packets).into()),
        ("expected_receive_bytes", |(.., l)| l.expected_adapter_bytes.map(|e| e.1).into()),
        ("skew_p99_ns", |(.., l)| l.skew_p99_ns.into()),
        ("skew_max_ns", |(.., l)| l.skew_max_ns.into()),
        ("fairness", |(.., l)| l.fairness.into()),
        ("overlap_start_ns", |(.., l)| l.overlap.map(|o| o.start_ns).into()),
        ("overlap_end_ns", |(.., l)| l.overlap.map(|o| o.end_ns).into()),
        ("overlap_percent", |(.., l)| l.overlap.map(|o| o.percent).into()),
        ("overlap_rates_start_ns", |(.., l)| l.overlap.and_then(|o| o.rates).map(|r| r.start_ns).into()),
        ("overlap_rates_end_ns", |(.., l)| l.overlap.and_then(|o| o.rates).map(|r| r.end_ns).into()),
        ("overlap_transmit_bps", |(.., l)| l.overlap.and_then(|o| o.rates).map(|r| r.transmit_bps).into()),
        ("overlap_receive_bps", |(.., l)| l.overlap.and_then(|o| o.rates).map(|r| r.receive_bps).into()),
    ];
    csv::build_table("load", columns, rows)
}

pub(crate) fn clients_csv(summaries: &[&TrialSummary]) -> Option<CsvTable> {
    type Row<'a> = (&'a TrialSummary, Result<&'a LoadClientSummary, &'a ExcludedClient>);
    let rows = summaries.iter().filter_map(|s| Some((*s, s.load_summary()?))).flat_map(|(s, l)| {
        let known = l.per_client.iter().map(move |c| (s, Ok(c)));
        known.chain(l.excluded.iter().map(move |e| (s, Err(e))))
    });
    let columns: csv::CsvColumnDefinitions<'_, Row<'_>> = &[
        ("trial", |(s, _)| s.trial.0.into()),
        ("client", |(_, c)| match c {
            Ok(c) => (&c.name).into(),
            Err(e) => (&e.host).into(),
        }),
        ("transmit_bps", |(_, c)| c.ok().map(|c| c.transmit_bps).into()),
        ("receive_bps", |(_, c)| c.ok().map(|c| c.receive_bps).into()),
        ("requests_per_second", |(_, c)| c.ok().map(|c| c.requests_per_second).into()),
        ("first_ns", |(_, c)| c.ok().and_then(|c| c.skew?.first_ns).into()),
        ("last_ns", |(_, c)| c.ok().and_then(|c| c.skew?.last_ns).into()),
        ("clock_offset_ns", |(_, c)| c.ok().and_then(|c| Some(c.skew?.offset_ns)).into()),
        ("clock_error_ns", |(_, c)| c.ok().and_then(|c| Some(c.skew?.offset_error_ns)).into()),
        ("clock_drift_ppb", |(_, c)| c.ok().and_then(|c| Some(c.skew?.drift_ppb)).into()),
        ("clock_surprise_ns", |(_, c)| c.ok().and_then(|c| Some(c.skew?.surprise_ns)).into()),
        ("excluded", |(_, c)| c.err().map(|e| e.cause.as_str()).into()),
    ];
    csv::build_table("load_clients", columns, rows)
}

pub(crate) fn csv_for_load_curves(curves: Option<&LoadCurves>) -> Option<CsvTable> {
    type Row<'a> = (&'a LoadCurve, &'a LoadCurvePoint);
    let all = curves.into_iter().flat_map(|c| c.over_size.iter().chain(&c.over_clients));
    let rows = all.flat_map(|c| c.points.iter().map(move |p| (c, p)));
    fn saturated(curve: &LoadCurve, of: fn(u64, u64, u64) -> u64) -> CsvField {
        match &curve.saturation {
            SaturationPoint::Reached { at, least, most } => of(*at, *least, *most).into(),
            SaturationPoint::NotReached | SaturationPoint::CannotTell { .. } => "".into(),
        }
    }
    let columns: csv::CsvColumnDefinitions<'_, Row<'_>> = &[
        ("curve", |(c, _)| c.name.as_str().into()),
        ("over", |(c, _)| if c.clients.is_some() { "size" } else { "clients" }.into()),
        ("clients", |(c, _)| c.clients.into()),
        ("size_bytes", |(c, _)| c.size_bytes.into()),
        ("at", |(_, p)| p.at.into()),
        ("trials", |(_, p)| csv::join_trial_ids(&p.trials).into()),
        ("goodput_bps", |(_, p)| p.goodput_bps.into()),
        ("interval_low_bps", |(_, p)| p.interval_bps.map(|i| i.0).into()),
        ("interval_high_bps", |(_, p)| p.interval_bps.map(|i| i.1).into()),
        ("p99_ns", |(_, p)| p.p99_ns.into()),
        ("cpu_busy_percent", |(_, p)| p.cpu_busy_percent.into()),
        ("pe_index", |(_, p)| p.pe_index.into()),
        ("saturation", |(c, _)| match &c.saturation {
            SaturationPoint::Reached { .. } => "reached".into(),
            SaturationPoint::NotReached => "not_reached".into(),
            SaturationPoint::CannotTell { .. } => "cannot_tell".into(),
        }),
        ("saturated_from", |(c, _)| saturated(c, |at, _, _| at)),
        ("saturated_least", |(c, _)| saturated(c, |_, least, _| least)),
        ("saturated_most", |(c, _)| saturated(c, |_, _, most| most)),
    ];
    csv::build_table("load_curves", columns, rows)
}

/// Two rows per interval, one for each requested direction.
pub(super) fn interval_byte_counts(load: &LoadSummary) -> Vec<IntervalByteCount> {
    let mut all = Vec::new();
    for (way, bps) in [("transmit", load.transmit_bps), ("receive", load.receive_bps)] {
        let bytes = |transmit: u64, receive: u64| if way == "transmit" { transmit } else { receive };
        let of_way = load.intervals.iter().filter(|_| bps > 0);
        all.extend(csv::consecutive_intervals(
            way,
            of_way.map(|(end, transmit, receive)| (*end, bytes(*transmit, *receive))),
        ));
    }
    all
}
