//! The report of a load: one point, and all points with the saturation of curves.

mod adapter_tables;
mod client_tables;
pub(crate) mod csv;
pub(crate) mod figures;
mod point_tables;
pub(crate) mod run_section;
mod saturation_tables;
pub(crate) mod settings;

pub(crate) use adapter_tables::adapter_counters_table;
pub(crate) use client_tables::clients_table_for_load_run;
pub(crate) use point_tables::table_of_load_points;
pub(crate) use saturation_tables::saturation_table;

use super::ProbeReport;
use crate::csv::table::{CsvTable, IntervalByteCount};
use crate::display_text::{comma_list, semicolon_list};
use crate::grouping::{distinct_items, group_by_key};
use crate::table::cell::{nanos, percent, plain, rate, size, size_setting, time};
use crate::table::{Cell, Table};
use crate::wording::{CurveVariable, endpoint_name, saturation_clause, share_of_goodput_limit};
use goodput_analysis::finding::load_findings::MAX_MEASUREMENT_WINDOW_SKEW_PERCENT;
use goodput_analysis::load_curve::server_cpu_summary;
use goodput_model::load::TrafficPattern;
use goodput_model::summary::{
    ClientOverlap, CpuSummary, LoadCurve, LoadSummary, ResultDocument, ServiceDemand, TrialSummary,
};
use goodput_model::trial::EndpointRole;
use goodput_model::{CpuAccountingScope, Load, Message, MessageArg, Probe};
use goodput_words::message;

impl ProbeReport for Load {
    fn title(&self) -> &'static str {
        "One server with many clients (load)"
    }

    /// `server → 20 clients`, `20 clients → server` or `server ↔ 20 clients`; those in the result if there is
    /// one.
    fn format_endpoints(&self, summary: &TrialSummary) -> String {
        let server = endpoint_name(summary, EndpointRole::Listen);
        let clients = summary.load_summary().map_or(self.active_client_count(), |l| l.clients);
        let clients = client_count(clients.into());
        match self.traffic_pattern() {
            TrafficPattern::Transmit => format!("{server} → {clients}"),
            TrafficPattern::Receive => format!("{clients} → {server}"),
            TrafficPattern::Duplex | TrafficPattern::Mixed => format!("{server} ↔ {clients}"),
        }
    }

    fn connecting_host(&self, summary: &TrialSummary) -> String {
        client_count(requested_client_count(summary, self).into()).to_string()
    }

    fn has_many_clients(&self) -> bool {
        true
    }

    fn result(&self, summary: &TrialSummary) -> Option<Message> {
        let load = summary.load_summary()?;
        let (goodput, time) = (rate(summary.goodput_bps?), nanos(summary.elapsed_ns));
        let mut data = match self.single_request_size() {
            Some(size) => {
                message!(part_rate_over_requests { rate: goodput, time, size: size_setting(size) })
            }
            None => message!(part_rate_over_mix { rate: goodput, time, name: mix_names(self) }),
        };
        if load.transmit_bps > 0 && load.receive_bps > 0 {
            let transmit = message!(part_transmit { rate: rate(load.transmit_bps) });
            let receive = message!(part_receive { rate: rate(load.receive_bps) });
            data = message!(part_with_parts { what: data, parts: comma_list([transmit, receive]) });
        }
        let requests = message!(part_requests_a_second { rate: plain(load.requests_per_second) });
        let reply = load.reply_ns.filter(|l| l.count >= 100);
        let reply = reply.map(|l| message!(part_answered_within { time: nanos(l.p99) }));
        let share = share_of_goodput_limit(summary);
        let result = comma_list([data, requests].into_iter().chain(reply).chain(share));
        let excluded = Some(load.excluded.len()).filter(|count| *count > 0);
        let excluded = excluded.map(|count| message!(part_load_clients_excluded { count }));
        let overlap = load.overlap.filter(is_partial_overlap).map(overlap_clause);
        Some(semicolon_list([Some(result), excluded, overlap].into_iter().flatten()))
    }

    fn short_result(&self, summary: &TrialSummary) -> Option<Message> {
        let figure = rate(summary.goodput_bps?);
        Some(message!(part_way_figure { way: load_point_name(self), figure }))
    }

    fn cpu_usage(&self, summary: &TrialSummary) -> Option<Message> {
        let Some(own) = server_cpu_summary(summary) else {
            return Some(message!(report_cpu_no_figure_of_the_server));
        };
        let pe_index = match summary.pe_index {
            Some(pe) => message!(part_pe_index { index: plain(pe) }),
            None => message!(part_no_pe_index),
        };
        let clients = range(client_cpus(summary).map(|c| c.busy_percent))
            .map(|(least, most)| message!(part_clients_busy { least: percent(least), most: percent(most) }));
        let parts = [
            Some(server_cpu_clause(summary, own)),
            summary.service_demand.and_then(cpu_demand_clause),
            Some(pe_index),
            clients,
        ];
        Some(message!(report_cpu { cpu: semicolon_list(parts.into_iter().flatten()) }))
    }

    fn cpu_table(&self, summary: &TrialSummary) -> Option<Table> {
        adapter_tables::server_cpu_table(summary)
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        settings::settings_of_load_point(self)
    }

    fn result_tables(&self, summary: &TrialSummary) -> Vec<Table> {
        let one = &[summary];
        let tables = |load| {
            vec![table_of_load_points(one), client_tables::clients_table(load), adapter_counters_table(one)]
        };
        summary.load_summary().map(tables).unwrap_or_default()
    }

    fn csv_interval_byte_counts(&self, summary: &TrialSummary) -> Vec<IntervalByteCount> {
        summary.load_summary().map(csv::interval_byte_counts).unwrap_or_default()
    }

    fn user_chosen_names(&self) -> Vec<String> {
        self.clients.iter().cloned().chain(self.mixes.iter().map(|mix| mix.name.clone())).collect()
    }

    fn csv_tables(document: &ResultDocument, summaries: &[&TrialSummary]) -> Vec<CsvTable> {
        let curves = document.load_curves.as_ref();
        [csv::csv_for_load_points(summaries), csv::clients_csv(summaries), csv::csv_for_load_curves(curves)]
            .into_iter()
            .flatten()
            .collect()
    }
}

/// With more curves only some have a sentence.
const FEW_CURVES: usize = 6;

/// As seen from the server's adapter.
pub(crate) fn traffic_name(traffic: TrafficPattern) -> &'static str {
    match traffic {
        TrafficPattern::Transmit => "transmit",
        TrafficPattern::Receive => "receive",
        TrafficPattern::Duplex => "duplex",
        TrafficPattern::Mixed => "mixed",
    }
}

/// So much less than the window that the result combines different times.
fn is_partial_overlap(overlap: &ClientOverlap) -> bool {
    overlap.percent < 100.0 - MAX_MEASUREMENT_WINDOW_SKEW_PERCENT
}

/// `20 clients`.
pub(crate) fn client_count(count: u64) -> Message {
    message!(part_load_clients { count })
}

/// The requested number, including excluded clients.
pub(crate) fn requested_client_count(summary: &TrialSummary, settings: &Load) -> u16 {
    summary.load_summary().map_or(settings.active_client_count(), |l| l.requested_client_count())
}

fn overlap_clause(overlap: ClientOverlap) -> Message {
    let share = percent(overlap.percent);
    match overlap.rates {
        None => message!(part_shared_window { share }),
        Some(rates) => message!(part_shared_window_rate {
            share,
            rate: rate(rates.goodput_bps()),
            from: nanos(rates.start_ns),
            to: nanos(rates.end_ns)
        }),
    }
}

fn server_cpu_clause(summary: &TrialSummary, cpu: &CpuSummary) -> Message {
    let (host, busy) = (endpoint_name(summary, EndpointRole::Listen), percent(cpu.busy_percent));
    let usage = match cpu.cpus {
        1 => message!(part_host_cpu_busy { host, busy }),
        count => message!(part_host_cpus_busy { host, busy, count }),
    };
    match cpu.scope {
        CpuAccountingScope::Host => usage,
        CpuAccountingScope::Shared => comma_list([usage, message!(part_work_of_all_hosts)]),
        CpuAccountingScope::Pinned => {
            message!(part_with_parts { what: usage, parts: message!(part_load_only_server_pinned) })
        }
    }
}

fn cpu_demand_clause(demand: ServiceDemand) -> Option<Message> {
    let kib = demand.us_per_kib.map(|us| message!(part_cpu_per_kib { time: time(us * 1e3) }));
    let request = demand.us_per_transaction.map(|us| message!(part_cpu_per_request { time: time(us * 1e3) }));
    let known: Vec<Message> = [kib, request].into_iter().flatten().collect();
    (!known.is_empty()).then(|| comma_list(known))
}

/// Of clients with a CPU value of their own.
fn client_cpus(summary: &TrialSummary) -> impl Iterator<Item = &CpuSummary> {
    let clients = summary.hosts.iter().filter(|h| h.role == EndpointRole::Connect);
    clients.filter_map(|h| h.cpu.as_ref().filter(|c| c.scope == CpuAccountingScope::Host))
}

fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.map(|v| (v, v)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// `97.1 %`, or `97.1 % to 98.4 %`.
fn percent_range(values: impl Iterator<Item = f64>) -> Option<Cell> {
    let (least, most) = range(values)?;
    let (least, most) = (percent(least), percent(most));
    if least == most {
        return Some(least);
    }
    Some(least.worded(|least| message!(part_from_to { least, most })))
}

/// The names of mixes.
fn mix_names(settings: &Load) -> MessageArg {
    let mixes = settings.workers.iter().filter_map(|w| settings.mixes.get(usize::from(w.mix)));
    let names = distinct_items(mixes.map(|mix| mix.name.as_str()));
    if names.is_empty() { message!(part_load_no_requests).into() } else { names.join(" + ").into() }
}

/// `64 KiB`, or the names of mixes.
pub(crate) fn request_size(settings: &Load) -> Message {
    let size = settings.single_request_size();
    message!(part_figure { figure: size.map_or_else(|| mix_names(settings), |one| size_setting(one).into()) })
}

/// `transmit 64 KiB`.
pub(crate) fn load_point_name(settings: &Load) -> Message {
    let traffic = Message::from(traffic_name(settings.traffic_pattern()));
    match settings.single_request_size() {
        Some(one) => message!(part_way_figure { way: traffic, figure: size_setting(one) }),
        None => request_size(settings),
    }
}

pub(crate) fn headline_for_load_run(points: &[&TrialSummary]) -> Option<Message> {
    let best = points.iter().max_by_key(|s| s.goodput_bps).filter(|_| points.len() > 1)?;
    let count = points.len();
    Some(match (&best.probe, best.goodput_bps) {
        (Probe::Load(settings), Some(bps)) => {
            message!(part_points_best { count, rate: rate(bps), point: load_point_name(settings) })
        }
        _ => message!(part_points_nothing { count }),
    })
}

/// `20 clients`, or `1 to 20 clients`.
pub(crate) fn format_client_count_range(points: &[&TrialSummary]) -> Message {
    let counts = points.iter().filter_map(|s| match &s.probe {
        Probe::Load(l) => Some(requested_client_count(s, l)),
        _ => None,
    });
    match counts.map(|n| (n, n)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) {
        Some((least, most)) if least != most => message!(part_clients_between { least, most }),
        same => client_count(same.map_or(0, |(_, most)| most.into())),
    }
}

pub(crate) fn run_summary(points: &[&TrialSummary]) -> Message {
    let server = points.first().map_or_else(|| "server".into(), |s| endpoint_name(s, EndpointRole::Listen));
    let clients = format_client_count_range(points);
    let result = headline_for_load_run(points).unwrap_or_else(|| message!(part_load_one_point));
    message!(report_server_with_clients { server, clients, points: result })
}

/// One sentence per curve: best and saturation. Of many curves over sizes those with most clients, of many
/// over clients the one with most traffic per name.
pub(crate) fn saturation_sentences(over_size: &[LoadCurve], over_clients: &[LoadCurve]) -> Vec<Message> {
    let most = over_size.iter().filter_map(|c| c.clients).max().filter(|_| over_size.len() > FEW_CURVES);
    let told = over_size.iter().filter(|c| most.is_none() || c.clients == most);
    let mut out: Vec<Message> = told.map(saturation_sentence).collect();
    if over_clients.len() <= FEW_CURVES {
        out.extend(over_clients.iter().map(saturation_sentence));
        return out;
    }
    let named = over_clients.iter().filter(|c| !c.name.is_empty());
    for (_, same) in group_by_key(named.map(|c| (&c.name, c))) {
        out.extend(same.into_iter().max_by_key(|c| c.best_bps).map(saturation_sentence));
    }
    out
}

/// `transmit, 20 clients: highest rate 899.0 Mbit/s at 64 KiB; above 8 KiB, larger requests increase the rate by at most 5 %.`
pub(crate) fn saturation_sentence(curve: &LoadCurve) -> Message {
    let (rate, best) = (rate(curve.best_bps), curve_place(curve, curve.best_at));
    let saturation = |over| {
        let smallest = curve.points.first().map(|p| p.at);
        saturation_clause(over, &curve.saturation, smallest, |n| curve_place(curve, n).into())
    };
    match curve.clients {
        Some(clients) => message!(report_curve_best_at_saturation {
            curve: comma_list([curve.name.clone(), client_count(clients.into())]),
            rate,
            at: best,
            saturation: saturation(CurveVariable::RequestSize)
        }),
        None => message!(report_curve_best_with_saturation {
            curve: curve_name(curve),
            rate,
            whom: best,
            saturation: saturation(CurveVariable::Clients)
        }),
    }
}

/// `transmit`, or `transmit 64 KiB` for a curve over clients.
fn curve_name(curve: &LoadCurve) -> Message {
    match curve.size_bytes {
        Some(bytes) if curve.clients.is_none() => {
            message!(part_way_figure { way: curve.name.clone(), figure: size(bytes) })
        }
        _ => curve.name.clone(),
    }
}

/// A place on the axis: `64 KiB`, `20 clients`.
fn curve_place(curve: &LoadCurve, at: u64) -> Cell {
    if curve.clients.is_some() { size(at) } else { client_count(at).into() }
}

/// User data, headers and acknowledgements against the server adapter's counters.
pub(crate) fn adapter_counters_sentence(points: &[&TrialSummary]) -> Option<Message> {
    let loads = || points.iter().filter_map(|s| s.load_summary());
    let share = percent_range(loads().flat_map(test_traffic_percent_of_adapter_bytes))?;
    let interface = loads().find_map(|l| Some(&l.adapter.as_ref()?.interface))?;
    Some(message!(report_user_data_of_the_bytes_counted { share, interface }))
}

/// In per cent of the adapter's count, in directions with data.
pub(crate) fn test_traffic_percent_of_adapter_bytes(load: &LoadSummary) -> Vec<f64> {
    let Some((adapter, (out, back))) = load.adapter.as_ref().zip(load.expected_adapter_bytes) else {
        return Vec::new();
    };
    let ways = [
        (load.transmit_bps, load.receive_bps, out, adapter.transmit_bytes),
        (load.receive_bps, load.transmit_bps, back, adapter.receive_bytes),
    ];
    // A direction of acknowledgements says nothing about user data.
    let carries = |own: u64, other: u64| own > 0 && own >= other / 10;
    ways.into_iter()
        .filter(|(own, other, _, counted)| carries(*own, *other) && *counted > 0)
        .map(|(_, _, expected, counted)| expected as f64 * 100.0 / counted as f64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use goodput_model::summary::SaturationPoint;

    #[test]
    fn a_curve_says_where_it_saturates() {
        let transmit = documents::load_run().load_curves.unwrap().over_size.remove(0);
        let of = |saturation| LoadCurve { saturation, ..transmit.clone() };
        let reason = "no data was transferred".into();
        for (curve, words) in [
            (
                of(SaturationPoint::NotReached),
                "not saturated: the largest requests still increase the rate by more than 5 %.",
            ),
            (
                of(SaturationPoint::CannotTell { reason }),
                "the saturation point cannot be determined: no data was transferred.",
            ),
            (
                LoadCurve { clients: None, size_bytes: Some(512), best_at: 8, ..transmit.clone() },
                "transmit 512 B: highest rate 899.0 Mbit/s with 8 clients; ",
            ),
        ] {
            let told = saturation_sentence(&curve);
            assert!(told.contains(words), "{told}");
        }
    }
}
