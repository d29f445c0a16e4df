//! The report of requests and responses.

use super::latency_figures::{latency_distribution_figure, latency_quantiles_from_samples};
use super::{ProbeReport, percentile_clauses, setting_row, stop, wait};
use crate::display_text::{comma_list, semicolon_list};
use crate::figure::Figure;
use crate::table::cell::{count, nanos, per_second, plain, size_setting, time_setting};
use crate::table::{Align, Cell, Table};
use goodput_model::probe::RequestKind;
use goodput_model::summary::TrialSummary;
use goodput_model::{Message, MessageArg, Request, Trial};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;

impl ProbeReport for Request {
    fn title(&self) -> &'static str {
        "Transaction latency (request)"
    }

    fn has_goodput_limit(&self) -> bool {
        false
    }

    fn result(&self, summary: &TrialSummary) -> Option<Message> {
        let rate = plain(summary.transactions_per_second()?);
        let mut parts = match self.transport {
            RequestKind::TcpRr => vec![message!(part_tcp_transactions { rate })],
            RequestKind::UdpRr => vec![message!(part_udp_transactions { rate })],
            RequestKind::TcpCrr => {
                vec![message!(part_tcp_transactions { rate }), message!(part_new_connection_each)]
            }
        };
        parts.push(match self.rate {
            Some(asked) => message!(part_asked_on_schedule { rate: per_second(asked) }),
            None if self.outstanding == 1 => message!(part_one_at_a_time),
            None => message!(part_many_at_a_time { count: self.outstanding }),
        });
        parts.push(message!(part_over_time { time: nanos(summary.elapsed_ns) }));
        let latency = summary.latency_summary().map(|l| {
            let maximum = message!(part_worst { time: nanos(l.max) });
            comma_list(percentile_clauses(&l).into_iter().chain([maximum]))
        });
        Some(semicolon_list([comma_list(parts)].into_iter().chain(latency)))
    }

    fn short_result(&self, summary: &TrialSummary) -> Option<Message> {
        let rate = MessageArg::from(per_second(summary.transactions_per_second()?));
        let p99 = summary.latency_summary().map(|l| message!(part_p99_mark { time: nanos(l.p99) }));
        Some(comma_list([rate].into_iter().chain(p99.map(MessageArg::from))))
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        let transport = match self.transport {
            RequestKind::TcpRr => "TCP, one connection (TCP_RR)",
            RequestKind::UdpRr => "UDP (UDP_RR)",
            RequestKind::TcpCrr => "TCP, a new connection for each transaction (TCP_CRR)",
        };
        let load = match self.rate {
            Some(rate) => message!(report_open_loop { rate: per_second(rate) }),
            None => message!(report_closed_loop { count: self.outstanding }),
        };
        vec![
            setting_row("transport", transport),
            setting_row(
                "request and response size",
                message!(report_size_and_size {
                    one: size_setting(self.request),
                    other: size_setting(self.response)
                }),
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
    table.add_row(["latency, minimum".into(), nanos(l.min)]);
    table.add_row(["latency, mean".into(), nanos(l.mean)]);
    let mut unsupported = Vec::new();
    for (percent, value, needs) in [
        (50.0, l.p50, 2),
        (90.0, l.p90, 10),
        (99.0, l.p99, 100),
        (99.9, l.p999, 1_000),
        (99.99, l.p9999, 10_000),
    ] {
        let share = quantity_arg(percent, "%", format!("{percent} %"));
        if l.count >= needs {
            table.add_row([message!(report_latency_share_within { share }).into(), nanos(value)]);
        } else {
            unsupported.push(share);
        }
    }
    table.add_row(vec!["latency, maximum".into(), nanos(l.max)]);
    if !unsupported.is_empty() {
        table.notes.push(message!(report_too_few_transactions { shares: unsupported }).into());
    }
    table
}
