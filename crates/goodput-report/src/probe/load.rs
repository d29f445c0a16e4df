//! The report of a load: one point, and all points with the saturation of curves.

mod clients;
pub(crate) mod csv;
mod curves;
pub(crate) mod figures;
mod points;
pub(crate) mod run;
mod server;
pub(crate) mod settings;

pub(crate) use clients::clients_of_run;
pub(crate) use curves::saturation_table;
pub(crate) use points::points_table;
pub(crate) use server::adapter_table;

use super::ProbeReport;
use crate::csv::table::{CsvTable, Interval};
use crate::number::{count, nanos, percent, plain, rate, size, time};
use crate::table::{Cell, Table};
use crate::wording::{cpus, end_name, share_of_limit};
use goodput_analysis::curve::server_cpu;
use goodput_model::load::Traffic;
use goodput_model::summary::{Document, LoadCurve, LoadSummary, Saturation, Summary};
use goodput_model::trial::Role;
use goodput_model::{CpuScope, Load, Probe};

impl ProbeReport for Load {
    fn title(&self) -> &'static str {
        "One server with many clients (load)"
    }

    fn between(&self, summary: &Summary) -> String {
        way(summary, self)
    }

    fn connects(&self, summary: &Summary) -> String {
        clients(asked(summary, self).into())
    }

    fn has_many_clients(&self) -> bool {
        true
    }

    fn result(&self, summary: &Summary) -> Option<String> {
        result(summary, self)
    }

    fn short(&self, summary: &Summary) -> Option<String> {
        short(summary, self)
    }

    fn cpu(&self, summary: &Summary) -> Option<String> {
        Some(cpu(summary))
    }

    fn cpu_table(&self, summary: &Summary) -> Option<Table> {
        server::cpu_table(summary)
    }

    fn settings(&self) -> Vec<(&'static str, Cell)> {
        settings::of_point(self)
    }

    fn tables(&self, summary: &Summary) -> Vec<Table> {
        let one = &[summary];
        let tables = |load| vec![points_table(one), clients::clients_table(load), adapter_table(one)];
        summary.load().map(tables).unwrap_or_default()
    }

    fn intervals(&self, summary: &Summary) -> Vec<Interval> {
        summary.load().map(csv::intervals).unwrap_or_default()
    }

    fn names(&self) -> Vec<String> {
        self.clients.iter().cloned().chain(self.mixes.iter().map(|mix| mix.name.clone())).collect()
    }

    fn csv(document: &Document, summaries: &[&Summary]) -> Vec<CsvTable> {
        let curves = document.load_curves.as_ref();
        [csv::points(summaries), csv::clients(summaries), csv::curves(curves)].into_iter().flatten().collect()
    }
}

/// With more curves only some have a sentence.
const FEW_CURVES: usize = 6;

/// As seen from the server's adapter.
pub(crate) fn traffic(traffic: Traffic) -> &'static str {
    match traffic {
        Traffic::Transmit => "transmit",
        Traffic::Receive => "receive",
        Traffic::Duplex => "duplex",
        Traffic::Mixed => "mixed",
    }
}

pub(crate) fn clients(n: u64) -> String {
    if n == 1 { "1 client".into() } else { format!("{} clients", count(n)) }
}

/// The requested number, including excluded clients.
pub(crate) fn asked(summary: &Summary, settings: &Load) -> u16 {
    summary.load().map_or(settings.busy_clients(), |l| l.asked())
}

/// `server → 20 clients`, `20 clients → server` or `server ↔ 20 clients`; those in the result if there is
/// one.
pub(crate) fn way(summary: &Summary, settings: &Load) -> String {
    let server = end_name(summary, Role::Listen);
    let clients = clients(summary.load().map_or(settings.busy_clients(), |l| l.clients).into());
    match settings.traffic() {
        Traffic::Transmit => format!("{server} → {clients}"),
        Traffic::Receive => format!("{clients} → {server}"),
        Traffic::Duplex | Traffic::Mixed => format!("{server} ↔ {clients}"),
    }
}

/// `64 KiB`, or the names of mixes.
pub(crate) fn requests(settings: &Load) -> String {
    match settings.size() {
        Some(one) => size(one.0),
        None => {
            let mut names: Vec<&str> = Vec::new();
            for mix in settings.workers.iter().filter_map(|w| settings.mixes.get(usize::from(w.mix))) {
                if !names.contains(&mix.name.as_str()) {
                    names.push(&mix.name);
                }
            }
            if names.is_empty() { "no requests".into() } else { names.join(" + ") }
        }
    }
}

fn result(summary: &Summary, settings: &Load) -> Option<String> {
    let load = summary.load()?;
    let goodput = summary.goodput_bps?;
    let mut text = format!("{} of user data over {}", rate(goodput), nanos(summary.elapsed_ns));
    text.push_str(&match settings.size() {
        Some(one) => format!(" in requests of {}", size(one.0)),
        None => format!(" with mix {}", requests(settings)),
    });
    if load.transmit_bps > 0 && load.receive_bps > 0 {
        let (transmit, receive) = (rate(load.transmit_bps), rate(load.receive_bps));
        text.push_str(&format!(" ({transmit} transmit, {receive} receive)"));
    }
    text.push_str(&format!(", {} requests per second", plain(load.requests_per_second)));
    if let Some(l) = load.reply_ns.filter(|l| l.count >= 100) {
        text.push_str(&format!(", p99 response time {}", nanos(l.p99)));
    }
    text.push_str(&share_of_limit(summary));
    if !load.excluded.is_empty() {
        text.push_str(&format!("; {} excluded", clients(load.excluded.len() as u64)));
    }
    Some(text)
}

fn short(summary: &Summary, settings: &Load) -> Option<String> {
    Some(format!("{} {}", point(settings), rate(summary.goodput_bps?)))
}

/// `transmit 64 KiB`.
pub(crate) fn point(settings: &Load) -> String {
    match settings.size() {
        Some(one) => format!("{} {}", traffic(settings.traffic()), size(one.0)),
        None => requests(settings),
    }
}

pub(crate) fn run_summary(points: &[&Summary]) -> Option<String> {
    let best = points.iter().max_by_key(|s| s.goodput_bps).filter(|_| points.len() > 1)?;
    let (Probe::Load(settings), Some(bps)) = (&best.probe, best.goodput_bps) else {
        return Some(format!("{} points, no data counted", count(points.len() as u64)));
    };
    Some(format!("{} points, highest rate {} ({})", count(points.len() as u64), rate(bps), point(settings)))
}

/// `20 clients`, or `1 to 20 clients`.
pub(crate) fn client_range(points: &[&Summary]) -> String {
    let counts: Vec<u16> = points
        .iter()
        .filter_map(|s| match &s.probe {
            Probe::Load(l) => Some(asked(s, l)),
            _ => None,
        })
        .collect();
    let (least, most) = (counts.iter().min().copied(), counts.iter().max().copied());
    match (least, most) {
        (Some(least), Some(most)) if least != most => {
            format!("{} to {}", count(least.into()), clients(most.into()))
        }
        (_, most) => clients(most.unwrap_or(0).into()),
    }
}

pub(crate) fn whole_run(points: &[&Summary]) -> String {
    let who = client_range(points);
    let server = points.first().map_or_else(|| "server".into(), |s| end_name(s, Role::Listen));
    let what = run_summary(points).unwrap_or_else(|| "1 point".into());
    format!("{server} with {who}: {what}.")
}

/// One sentence per curve: best and saturation. Of many curves over sizes those with most clients, of many
/// over clients the one with most traffic per name.
pub(crate) fn saturations(over_size: &[LoadCurve], over_clients: &[LoadCurve]) -> Vec<String> {
    let most = over_size.iter().filter_map(|c| c.clients).max().filter(|_| over_size.len() > FEW_CURVES);
    let told = over_size.iter().filter(|c| most.is_none() || c.clients == most);
    let mut out: Vec<String> = told.map(saturation).collect();
    if over_clients.len() <= FEW_CURVES {
        out.extend(over_clients.iter().map(saturation));
        return out;
    }
    let mut told: Vec<&str> = Vec::new();
    for curve in over_clients.iter().filter(|c| !c.name.is_empty()) {
        if !told.contains(&curve.name.as_str()) {
            told.push(&curve.name);
            let same = over_clients.iter().filter(|c| c.name == curve.name);
            out.extend(same.max_by_key(|c| c.best_bps).map(saturation));
        }
    }
    out
}

/// `transmit, 20 clients: highest rate 899.0 Mbit/s at 64 KiB; above 8 KiB, larger requests add at most 5 %.`
pub(crate) fn saturation(curve: &LoadCurve) -> String {
    let over_size = curve.clients.is_some();
    let at = |n: u64| if over_size { size(n) } else { clients(n) };
    let (more, most) = if over_size {
        ("larger requests", "the largest requests")
    } else {
        ("more clients", "the highest client counts")
    };
    let fixed = match (curve.clients, curve.size_bytes) {
        (Some(n), _) => format!(", {}", clients(n.into())),
        (None, Some(bytes)) => format!(" {}", size(bytes)),
        (None, None) => String::new(),
    };
    let place = if over_size { "at" } else { "with" };
    let mut text = format!(
        "{}{fixed}: highest rate {} {place} {}; ",
        curve.name,
        rate(curve.best_bps),
        at(curve.best_at)
    );
    let first = curve.points.first().map(|p| p.at);
    text.push_str(&match &curve.saturation {
        Saturation::Reached { at: here, least, most } => {
            let sure = if least == most {
                String::new()
            } else {
                format!(" (95 % interval {} to {})", at(*least), at(*most))
            };
            let smallest = match (Some(*here) == first, over_size) {
                (false, _) => "",
                (true, true) => ", the smallest size measured",
                (true, false) => ", the smallest number measured",
            };
            format!("above {}{smallest}, {more} add at most 5 %{sure}", at(*here))
        }
        Saturation::NotReached => format!("not saturated: {most} still add more than 5 %"),
        Saturation::CannotTell { reason } => format!("the saturation point cannot be determined: {reason}"),
    });
    text.push('.');
    text
}

fn cpu(summary: &Summary) -> String {
    let server = end_name(summary, Role::Listen);
    let Some(own) = server_cpu(summary) else { return "The server's CPU usage is not available.".into() };
    let mut text = format!("CPU: {server} {} of {} busy", percent(own.busy_percent), cpus(own.cpus));
    text.push_str(match own.scope {
        CpuScope::Host => "",
        CpuScope::Shared => ", including all hosts on the server's kernel",
        CpuScope::Pinned => " (pinned: server only)",
    });
    if let Some(demand) = &summary.service_demand {
        let each = [(demand.us_per_kib, "KiB"), (demand.us_per_transaction, "request")];
        let words: Vec<String> = each
            .iter()
            .filter_map(|(us, unit)| Some(format!("{} of CPU time per {unit}", time((*us)? * 1e3))))
            .collect();
        text.push_str(&format!("; {}", words.join(", ")));
    }
    text.push_str(&match summary.pe_index {
        Some(pe) => format!("; P/E index {}", plain(pe)),
        None => "; P/E index not available (CPU less than 2 % busy)".into(),
    });
    let busy: Vec<f64> = summary
        .hosts
        .iter()
        .filter(|h| h.role == Role::Connect)
        .filter_map(|h| h.cpu.as_ref().filter(|c| c.scope == CpuScope::Host))
        .map(|c| c.busy_percent)
        .collect();
    let (low, high) = busy.iter().fold((f64::INFINITY, 0.0f64), |(l, h), b| (l.min(*b), h.max(*b)));
    if !busy.is_empty() {
        text.push_str(&format!("; client CPUs {} to {} busy", percent(low), percent(high)));
    }
    text.push('.');
    text
}

/// User data, headers and acknowledgements against the server adapter's counters.
pub(crate) fn adapter(points: &[&Summary]) -> Option<String> {
    let shares: Vec<f64> = points.iter().filter_map(|s| s.load()).flat_map(adapter_shares).collect();
    let (low, high) = shares.iter().fold((f64::INFINITY, 0.0f64), |(l, h), s| (l.min(*s), h.max(*s)));
    let interface = points.iter().find_map(|s| Some(&s.load()?.adapter.as_ref()?.interface))?;
    (!shares.is_empty()).then(|| {
        let share = if percent(low) == percent(high) {
            percent(low)
        } else {
            format!("{} to {}", percent(low), percent(high))
        };
        format!(
            "User data with computed headers and acknowledgements accounts for {share} of the bytes \
            that {interface} counted."
        )
    })
}

/// In per cent of the adapter's count, in directions with data.
pub(crate) fn adapter_shares(load: &LoadSummary) -> Vec<f64> {
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

    #[test]
    fn a_curve_says_where_it_saturates() {
        let document = documents::load_run();
        let curves = document.load_curves.as_ref().unwrap();
        let transmit = &curves.over_size[0];
        assert_eq!(
            saturation(transmit),
            "transmit, 20 clients: highest rate 899.0 Mbit/s at 64 KiB; above 8 KiB, larger requests add at most 5 %."
        );
        let of = |saturation| LoadCurve { saturation, ..transmit.clone() };
        let not = saturation(&of(Saturation::NotReached));
        assert!(not.ends_with("not saturated: the largest requests still add more than 5 %."), "{not}");
        let unsure = saturation(&of(Saturation::CannotTell { reason: "nothing passed".into() }));
        assert!(unsure.ends_with("the saturation point cannot be determined: nothing passed."), "{unsure}");
        let over = LoadCurve { clients: None, size_bytes: Some(512), best_at: 8, ..transmit.clone() };
        assert!(saturation(&over).starts_with("transmit 512 B: highest rate 899.0 Mbit/s with 8 clients; "));
    }
}
