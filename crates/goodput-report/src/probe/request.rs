//! The report of requests and responses.

use super::latency_figures::{latency_distribution_figure, latency_quantiles_from_samples};
use super::{ProbeReport, format_percentiles, setting_row, stop, wait};
use crate::figure::Figure;
use crate::table::cell::{count, nanos, per_second, plain, size_setting, time_setting};
use crate::table::{Align, Cell, Table};
use goodput_model::probe::RequestKind;
use goodput_model::summary::TrialSummary;
use goodput_model::{Request, Trial};

impl ProbeReport for Request {
    fn title(&self) -> &'static str {
        "Transaction latency (request)"
    }

    fn has_goodput_limit(&self) -> bool {
        false
    }

    fn format_result(&self, summary: &TrialSummary) -> Option<String> {
        let tps = summary.transactions_per_second()?;
        let pace = match self.rate {
            Some(asked) => format!("{} requested on a fixed schedule", per_second(asked)),
            None if self.outstanding == 1 => "one at a time".into(),
            None => format!("{} at a time", count(self.outstanding.into())),
        };
        let what = match self.transport {
            RequestKind::TcpRr => "TCP transactions per second",
            RequestKind::UdpRr => "UDP transactions per second",
            RequestKind::TcpCrr => "TCP transactions per second, a new connection per transaction",
        };
        let mut text = format!("{} {what}, {pace}, over {}", plain(tps), nanos(summary.elapsed_ns));
        if let Some(l) = summary.latency_summary() {
            text.push_str(&format!("; {}, maximum {}", format_percentiles(&l), nanos(l.max)));
        }
        Some(text)
    }

    fn format_short_result(&self, summary: &TrialSummary) -> Option<String> {
        let rate = per_second(summary.transactions_per_second()?);
        Some(match summary.latency_summary() {
            Some(l) => format!("{rate}, p99 {}", nanos(l.p99)),
            None => rate.to_string(),
        })
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        let transport = match self.transport {
            RequestKind::TcpRr => "TCP, one connection (TCP_RR)",
            RequestKind::UdpRr => "UDP (UDP_RR)",
            RequestKind::TcpCrr => "TCP, a new connection for each transaction (TCP_CRR)",
        };
        let load = match self.rate {
            Some(rate) => format!(
                "open loop: {} on a fixed schedule, latency from the intended send time",
                per_second(rate)
            ),
            None => format!("closed loop: {} outstanding", count(self.outstanding.into())),
        };
        vec![
            setting_row("transport", transport),
            setting_row(
                "request and response size",
                format!("{} and {}", size_setting(self.request), size_setting(self.response)),
            ),
            setting_row("measurement loop", load),
            setting_row("wait method", wait(self.wait)),
            setting_row("measurement end", stop(self.stop)),
            setting_row("warm-up (not counted)", time_setting(self.warm_up)),
        ]
    }

    fn result_tables(&self, summary: &TrialSummary) -> Vec<Table> {
        vec![request_results_table(summary)]
    }

    fn figures(&self, summary: &TrialSummary, trial: Option<&Trial>) -> Vec<Figure> {
        vec![latency_distribution_figure(
            summary,
            &trial.map(latency_quantiles_from_samples).unwrap_or_default(),
        )]
    }
}

/// Rate and percentiles. A percentile with fewer than one transaction above it is omitted with a note: p99.99
/// of 500 transactions is their maximum.
pub(super) fn request_results_table(summary: &TrialSummary) -> Table {
    let mut table = Table::new("Transactions", &[("", Align::Left), ("", Align::Right)]);
    if let Some(tps) = summary.transactions_per_second() {
        table.add_row(vec!["transactions per second".into(), per_second(tps)]);
    }
    let Some(l) = summary.latency_summary() else { return table };
    table.add_row(vec!["transactions".into(), count(l.count)]);
    for (name, value) in [("minimum", l.min), ("mean", l.mean)] {
        table.add_row([format!("latency, {name}").into(), nanos(value)]);
    }
    let mut unsupported = Vec::new();
    for (name, value, needs) in [
        ("50 %", l.p50, 2),
        ("90 %", l.p90, 10),
        ("99 %", l.p99, 100),
        ("99.9 %", l.p999, 1_000),
        ("99.99 %", l.p9999, 10_000),
    ] {
        if l.count >= needs {
            table.add_row([format!("latency, {name} percentile").into(), nanos(value)]);
        } else {
            unsupported.push(name);
        }
    }
    table.add_row(vec!["latency, maximum".into(), nanos(l.max)]);
    if !unsupported.is_empty() {
        table.notes.push(format!("Too few transactions for the percentiles {}.", unsupported.join(", ")));
    }
    table
}
