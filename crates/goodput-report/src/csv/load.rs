//! A load as CSV: a row a point, a row a client of each point, a row a point of each curve.

use super::{Writer, cell, number};
use crate::headline::load::{requests, traffic};
use goodput_analysis::curve::server_cpu;
use goodput_model::Probe;
use goodput_model::summary::{LoadCurves, Saturation, Summary};

/// One row a point.
pub(super) fn points(summaries: &[&Summary]) -> String {
    let mut out = Writer::new(&[
        "trial",
        "traffic",
        "requests",
        "size_bytes",
        "clients_asked",
        "clients",
        "workers",
        "elapsed_ns",
        "transmit_bps",
        "receive_bps",
        "goodput_bps",
        "requests_per_second",
        "handover_p50_ns",
        "handover_p99_ns",
        "reply_p50_ns",
        "reply_p99_ns",
        "connections_per_second",
        "connect_p99_ns",
        "connection_errors",
        "server_cpu_busy_percent",
        "server_cpus",
        "pe_index",
        "us_per_kib",
        "us_per_transaction",
        "limit_bps",
        "percent_of_limit",
        "adapter_transmit_bytes",
        "adapter_transmit_packets",
        "expected_transmit_bytes",
        "adapter_receive_bytes",
        "adapter_receive_packets",
        "expected_receive_bytes",
        "skew_p99_ns",
        "skew_max_ns",
        "fairness",
    ]);
    for s in summaries {
        let (Probe::Load(settings), Some(l)) = (&s.probe, s.load()) else { continue };
        let a = l.adapter.as_ref();
        out.row(&[
            s.trial.to_string(),
            traffic(l.traffic).into(),
            requests(settings),
            cell(l.size_bytes),
            l.asked().to_string(),
            l.clients.to_string(),
            l.workers.to_string(),
            s.elapsed_ns.to_string(),
            l.transmit_bps.to_string(),
            l.receive_bps.to_string(),
            cell(s.goodput_bps),
            number(Some(l.requests_per_second)),
            cell(l.handover_ns.map(|l| l.p50)),
            cell(l.handover_ns.map(|l| l.p99)),
            cell(l.reply_ns.map(|l| l.p50)),
            cell(l.reply_ns.map(|l| l.p99)),
            number(l.connections_per_second),
            cell(l.connect_ns.map(|l| l.p99)),
            l.connection_errors.to_string(),
            number(server_cpu(s).map(|c| c.busy_percent)),
            cell(server_cpu(s).map(|c| c.cpus.into())),
            number(s.pe_index),
            number(s.service_demand.and_then(|d| d.us_per_kib)),
            number(s.service_demand.and_then(|d| d.us_per_transaction)),
            cell(s.limit.goodput_bps),
            number(s.percent_of_limit),
            cell(a.map(|a| a.transmit_bytes)),
            cell(a.map(|a| a.transmit_packets)),
            cell(l.expected_adapter_bytes.map(|e| e.0)),
            cell(a.map(|a| a.receive_bytes)),
            cell(a.map(|a| a.receive_packets)),
            cell(l.expected_adapter_bytes.map(|e| e.1)),
            cell(l.skew_p99_ns),
            cell(l.skew_max_ns),
            number(l.fairness),
        ]);
    }
    out.text
}

/// One row a client of each point; a client that is not in the result has its cause instead of figures.
pub(super) fn clients(summaries: &[&Summary]) -> String {
    let mut out = Writer::new(&[
        "trial",
        "client",
        "transmit_bps",
        "receive_bps",
        "requests_per_second",
        "first_ns",
        "last_ns",
        "clock_offset_ns",
        "clock_error_ns",
        "clock_drift_ppb",
        "clock_surprise_ns",
        "excluded",
    ]);
    let signed = |n: Option<i64>| n.map_or_else(String::new, |n| n.to_string());
    for s in summaries {
        let Some(l) = s.load() else { continue };
        for c in &l.per_client {
            out.row(&[
                s.trial.to_string(),
                c.name.clone(),
                c.transmit_bps.to_string(),
                c.receive_bps.to_string(),
                number(Some(c.requests_per_second)),
                signed(c.skew.and_then(|k| k.first_ns)),
                signed(c.skew.and_then(|k| k.last_ns)),
                signed(c.skew.map(|k| k.offset_ns)),
                cell(c.skew.map(|k| k.offset_error_ns)),
                signed(c.skew.map(|k| k.drift_ppb)),
                signed(c.skew.map(|k| k.surprise_ns)),
                String::new(),
            ]);
        }
        for e in &l.excluded {
            let mut row = vec![String::new(); 12];
            (row[0], row[1], row[11]) = (s.trial.to_string(), e.host.clone(), e.cause.clone());
            out.row(&row);
        }
    }
    out.text
}

/// One row a point of each curve, with where the curve saturates.
pub(super) fn curves(curves: Option<&LoadCurves>) -> String {
    let mut out = Writer::new(&[
        "curve",
        "over",
        "clients",
        "size_bytes",
        "at",
        "trials",
        "goodput_bps",
        "interval_low_bps",
        "interval_high_bps",
        "p99_ns",
        "cpu_busy_percent",
        "pe_index",
        "saturation",
        "saturated_from",
        "saturated_least",
        "saturated_most",
    ]);
    let Some(curves) = curves else { return out.text };
    for curve in curves.over_size.iter().chain(&curves.over_clients) {
        let (state, from) = match &curve.saturation {
            Saturation::Reached { at, least, most } => ("reached", [Some(*at), Some(*least), Some(*most)]),
            Saturation::NotReached => ("not_reached", [None; 3]),
            Saturation::CannotTell { .. } => ("cannot_tell", [None; 3]),
        };
        for p in &curve.points {
            let trials: Vec<String> = p.trials.iter().map(ToString::to_string).collect();
            let mut row = vec![
                curve.name.clone(),
                if curve.clients.is_some() { "size".into() } else { "clients".into() },
                cell(curve.clients.map(u64::from)),
                cell(curve.size_bytes),
                p.at.to_string(),
                trials.join(" "),
                p.goodput_bps.to_string(),
                cell(p.interval_bps.map(|i| i.0)),
                cell(p.interval_bps.map(|i| i.1)),
                cell(p.p99_ns),
                number(p.cpu_busy_percent),
                number(p.pe_index),
                state.into(),
            ];
            row.extend(from.map(cell));
            out.row(&row);
        }
    }
    out.text
}

/// Two rows an interval of a point, one for each way that anything was asked of.
pub(super) fn intervals(out: &mut Writer, summary: &Summary) {
    let Some(load) = summary.load() else { return };
    for (way, bps) in [("transmit", load.transmit_bps), ("receive", load.receive_bps)] {
        let mut start = 0;
        for (end, transmit, receive) in load.intervals.iter().filter(|_| bps > 0) {
            let bytes = if way == "transmit" { transmit } else { receive };
            out.row(&[
                summary.trial.to_string(),
                way.into(),
                start.to_string(),
                end.to_string(),
                bytes.to_string(),
            ]);
            start = *end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn every_row_is_as_long_as_its_header_and_bytes_add_up() {
        let document = documents::load_run();
        let summaries: Vec<&Summary> = document.trials.iter().collect();
        let texts = [points(&summaries), clients(&summaries), curves(document.load_curves.as_ref())];
        for (text, rows) in texts.iter().zip([39, 39 * 20, 39]) {
            let columns = text.lines().next().unwrap().split(',').count();
            assert!(text.lines().all(|l| l.split(',').count() == columns), "{text}");
            assert_eq!(text.lines().count(), rows + 1);
        }
        let one = summaries[0];
        let all = super::super::intervals(&[one]);
        let sum: u64 =
            all.lines().skip(1).map(|l| l.rsplit(',').next().unwrap().parse::<u64>().unwrap()).sum();
        assert_eq!(Some(sum), one.bytes);
    }
}
