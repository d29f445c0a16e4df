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
use crate::grouping::{distinct_items, group_by_key};
use crate::number_format::{
    format_count, format_nanos, format_number, format_percent, format_rate, format_size, format_time,
};
use crate::table::{Cell, Table};
use crate::wording::{
    endpoint_name, format_cpu_count, format_saturation_point, format_share_of_goodput_limit,
};
use goodput_analysis::finding::load_findings::MAX_MEASUREMENT_WINDOW_SKEW_PERCENT;
use goodput_analysis::load_curve::server_cpu_summary;
use goodput_model::load::TrafficPattern;
use goodput_model::summary::{ClientOverlap, LoadCurve, LoadSummary, ResultDocument, TrialSummary};
use goodput_model::trial::EndpointRole;
use goodput_model::{CpuAccountingScope, Load, Probe};

impl ProbeReport for Load {
    fn title(&self) -> &'static str {
        "One server with many clients (load)"
    }

    fn format_endpoints(&self, summary: &TrialSummary) -> String {
        format_traffic_direction(summary, self)
    }

    fn connecting_host(&self, summary: &TrialSummary) -> String {
        format_client_count(requested_client_count(summary, self).into())
    }

    fn has_many_clients(&self) -> bool {
        true
    }

    fn format_result(&self, summary: &TrialSummary) -> Option<String> {
        let load = summary.load_summary()?;
        let goodput = summary.goodput_bps?;
        let mut text =
            format!("{} of user data over {}", format_rate(goodput), format_nanos(summary.elapsed_ns));
        text.push_str(&match self.single_request_size() {
            Some(one) => format!(" in requests of {}", format_size(one.0)),
            None => format!(" with mix {}", format_request_size(self)),
        });
        if load.transmit_bps > 0 && load.receive_bps > 0 {
            let (transmit, receive) = (format_rate(load.transmit_bps), format_rate(load.receive_bps));
            text.push_str(&format!(" ({transmit} transmit, {receive} receive)"));
        }
        text.push_str(&format!(", {} requests per second", format_number(load.requests_per_second)));
        if let Some(l) = load.reply_ns.filter(|l| l.count >= 100) {
            text.push_str(&format!(", p99 response time {}", format_nanos(l.p99)));
        }
        text.push_str(&format_share_of_goodput_limit(summary));
        if !load.excluded.is_empty() {
            text.push_str(&format!("; {} excluded", format_client_count(load.excluded.len() as u64)));
        }
        if let Some(overlap) = load.overlap.filter(is_partial_overlap) {
            let share = format_percent(overlap.percent);
            text.push_str(&format!("; {share} of the window shared by all clients"));
            if let Some(rates) = overlap.rates {
                let (from, to) = (format_nanos(rates.start_ns), format_nanos(rates.end_ns));
                text.push_str(&format!(", {} from {from} to {to}", format_rate(rates.goodput_bps())));
            }
        }
        Some(text)
    }

    fn format_short_result(&self, summary: &TrialSummary) -> Option<String> {
        Some(format!("{} {}", format_load_point_name(self), format_rate(summary.goodput_bps?)))
    }

    fn format_cpu_usage(&self, summary: &TrialSummary) -> Option<String> {
        let server = endpoint_name(summary, EndpointRole::Listen);
        let Some(own) = server_cpu_summary(summary) else {
            return Some("The server's CPU usage is not available.".into());
        };
        let mut text = format!(
            "CPU: {server} {} of {} busy",
            format_percent(own.busy_percent),
            format_cpu_count(own.cpus)
        );
        text.push_str(match own.scope {
            CpuAccountingScope::Host => "",
            CpuAccountingScope::Shared => ", including all hosts that share the server's kernel",
            CpuAccountingScope::Pinned => " (only the server is pinned)",
        });
        if let Some(demand) = &summary.service_demand {
            let each = [(demand.us_per_kib, "KiB"), (demand.us_per_transaction, "request")];
            let words: Vec<String> = each
                .iter()
                .filter_map(|(us, unit)| {
                    Some(format!("{} of CPU time per {unit}", format_time((*us)? * 1e3)))
                })
                .collect();
            text.push_str(&format!("; {}", words.join(", ")));
        }
        text.push_str(&match summary.pe_index {
            Some(pe) => format!("; P/E index {} Mbit/s per % CPU", format_number(pe)),
            None => "; P/E index not available (CPU less than 2 % busy)".into(),
        });
        let busy: Vec<f64> = summary
            .hosts
            .iter()
            .filter(|h| h.role == EndpointRole::Connect)
            .filter_map(|h| h.cpu.as_ref().filter(|c| c.scope == CpuAccountingScope::Host))
            .map(|c| c.busy_percent)
            .collect();
        let (low, high) = busy.iter().fold((f64::INFINITY, 0.0f64), |(l, h), b| (l.min(*b), h.max(*b)));
        if !busy.is_empty() {
            text.push_str(&format!("; client CPUs {} to {} busy", format_percent(low), format_percent(high)));
        }
        text.push('.');
        Some(text)
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

pub(crate) fn format_client_count(n: u64) -> String {
    if n == 1 { "1 client".into() } else { format!("{} clients", format_count(n)) }
}

/// The requested number, including excluded clients.
pub(crate) fn requested_client_count(summary: &TrialSummary, settings: &Load) -> u16 {
    summary.load_summary().map_or(settings.active_client_count(), |l| l.requested_client_count())
}

/// `server → 20 clients`, `20 clients → server` or `server ↔ 20 clients`; those in the result if there is
/// one.
pub(crate) fn format_traffic_direction(summary: &TrialSummary, settings: &Load) -> String {
    let server = endpoint_name(summary, EndpointRole::Listen);
    let clients = format_client_count(
        summary.load_summary().map_or(settings.active_client_count(), |l| l.clients).into(),
    );
    match settings.traffic_pattern() {
        TrafficPattern::Transmit => format!("{server} → {clients}"),
        TrafficPattern::Receive => format!("{clients} → {server}"),
        TrafficPattern::Duplex | TrafficPattern::Mixed => format!("{server} ↔ {clients}"),
    }
}

/// `64 KiB`, or the names of mixes.
pub(crate) fn format_request_size(settings: &Load) -> String {
    match settings.single_request_size() {
        Some(one) => format_size(one.0),
        None => {
            let mixes = settings.workers.iter().filter_map(|w| settings.mixes.get(usize::from(w.mix)));
            let names = distinct_items(mixes.map(|mix| mix.name.as_str()));
            if names.is_empty() { "no requests".into() } else { names.join(" + ") }
        }
    }
}

/// `transmit 64 KiB`.
pub(crate) fn format_load_point_name(settings: &Load) -> String {
    match settings.single_request_size() {
        Some(one) => format!("{} {}", traffic_name(settings.traffic_pattern()), format_size(one.0)),
        None => format_request_size(settings),
    }
}

pub(crate) fn headline_for_load_run(points: &[&TrialSummary]) -> Option<String> {
    let best = points.iter().max_by_key(|s| s.goodput_bps).filter(|_| points.len() > 1)?;
    let (Probe::Load(settings), Some(bps)) = (&best.probe, best.goodput_bps) else {
        return Some(format!(
            "{} load points, none of which counted any data",
            format_count(points.len() as u64)
        ));
    };
    Some(format!(
        "{} points, highest rate {} ({})",
        format_count(points.len() as u64),
        format_rate(bps),
        format_load_point_name(settings)
    ))
}

/// `20 clients`, or `1 to 20 clients`.
pub(crate) fn format_client_count_range(points: &[&TrialSummary]) -> String {
    let counts: Vec<u16> = points
        .iter()
        .filter_map(|s| match &s.probe {
            Probe::Load(l) => Some(requested_client_count(s, l)),
            _ => None,
        })
        .collect();
    let (least, most) = (counts.iter().min().copied(), counts.iter().max().copied());
    match (least, most) {
        (Some(least), Some(most)) if least != most => {
            format!("{} to {}", format_count(least.into()), format_client_count(most.into()))
        }
        (_, most) => format_client_count(most.unwrap_or(0).into()),
    }
}

pub(crate) fn format_run_summary(points: &[&TrialSummary]) -> String {
    let who = format_client_count_range(points);
    let server = points.first().map_or_else(|| "server".into(), |s| endpoint_name(s, EndpointRole::Listen));
    let what = headline_for_load_run(points).unwrap_or_else(|| "1 point".into());
    format!("{server} with {who}: {what}.")
}

/// One sentence per curve: best and saturation. Of many curves over sizes those with most clients, of many
/// over clients the one with most traffic per name.
pub(crate) fn saturation_sentences(over_size: &[LoadCurve], over_clients: &[LoadCurve]) -> Vec<String> {
    let most = over_size.iter().filter_map(|c| c.clients).max().filter(|_| over_size.len() > FEW_CURVES);
    let told = over_size.iter().filter(|c| most.is_none() || c.clients == most);
    let mut out: Vec<String> = told.map(format_saturation).collect();
    if over_clients.len() <= FEW_CURVES {
        out.extend(over_clients.iter().map(format_saturation));
        return out;
    }
    let named = over_clients.iter().filter(|c| !c.name.is_empty());
    for (_, same) in group_by_key(named.map(|c| (&c.name, c))) {
        out.extend(same.into_iter().max_by_key(|c| c.best_bps).map(format_saturation));
    }
    out
}

/// `transmit, 20 clients: highest rate 899.0 Mbit/s at 64 KiB; above 8 KiB, larger requests increase the rate by at most 5 %.`
pub(crate) fn format_saturation(curve: &LoadCurve) -> String {
    let over_size = curve.clients.is_some();
    let at = |n: u64| if over_size { format_size(n) } else { format_client_count(n) };
    let words = if over_size {
        ("larger requests", "the largest requests", ", the smallest size measured")
    } else {
        ("more clients", "the highest client counts", ", the smallest number measured")
    };
    let fixed = match (curve.clients, curve.size_bytes) {
        (Some(n), _) => format!(", {}", format_client_count(n.into())),
        (None, Some(bytes)) => format!(" {}", format_size(bytes)),
        (None, None) => String::new(),
    };
    let place = if over_size { "at" } else { "with" };
    let interval = |least, most| format!("{} to {}", at(least), at(most));
    let smallest = curve.points.first().map(|p| p.at);
    format!(
        "{}{fixed}: highest rate {} {place} {}; {}.",
        curve.name,
        format_rate(curve.best_bps),
        at(curve.best_at),
        format_saturation_point(&curve.saturation, smallest, words, interval, at)
    )
}

/// User data, headers and acknowledgements against the server adapter's counters.
pub(crate) fn adapter_counters_sentence(points: &[&TrialSummary]) -> Option<String> {
    let shares: Vec<f64> = points
        .iter()
        .filter_map(|s| s.load_summary())
        .flat_map(test_traffic_percent_of_adapter_bytes)
        .collect();
    let (low, high) = shares.iter().fold((f64::INFINITY, 0.0f64), |(l, h), s| (l.min(*s), h.max(*s)));
    let interface = points.iter().find_map(|s| Some(&s.load_summary()?.adapter.as_ref()?.interface))?;
    (!shares.is_empty()).then(|| {
        let share = if format_percent(low) == format_percent(high) {
            format_percent(low)
        } else {
            format!("{} to {}", format_percent(low), format_percent(high))
        };
        format!(
            "User data with computed headers and acknowledgements accounts for {share} of the bytes \
            that {interface} counted."
        )
    })
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
            let told = format_saturation(&curve);
            assert!(told.contains(words), "{told}");
        }
    }
}
