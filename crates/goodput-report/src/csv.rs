//! A document as CSV (RFC 4180 with line feeds). Headers name units; values are plain numbers in base units,
//! empty if unknown. Text that a spreadsheet would take for a formula gets an apostrophe.

pub(crate) mod table;

use crate::probe;
use crate::wording::endpoint_name;
use goodput_model::metric::{Metric, MetricValue};
use goodput_model::summary::{CpuSummary, DirectionSummary, ResultDocument, TrialSummary};
use goodput_model::trial::EndpointRole;
use table::{CsvColumnDefinitions, IntervalByteCount, build_table, consecutive_intervals, outcome_name};

pub use table::CsvTable;

pub fn tables_for_document(document: &ResultDocument) -> Vec<CsvTable> {
    let s = &crate::trial_summaries(document);
    let all = [all_trials(s), metrics(s), intervals(s), latencies(s)].into_iter().flatten();
    all.chain(probe::probe_csv_tables(document, s)).collect()
}

/// Every value of every metric, one a row.
fn metrics(summaries: &[&TrialSummary]) -> Option<CsvTable> {
    type Row<'a> = (&'a TrialSummary, &'static Metric, MetricValue);
    let rows = summaries.iter().flat_map(|s| {
        s.probe
            .metrics()
            .flat_map(move |metric| metric.all_values(s).into_iter().map(move |v| (*s, metric, v)))
    });
    let columns: CsvColumnDefinitions<'_, Row<'_>> = &[
        ("trial", |(s, ..)| s.trial.0.into()),
        ("metric", |(_, metric, value)| metric.indexed_metric_name(value).into()),
        ("value", |(.., value)| value.value.into()),
        ("unit", |(_, metric, _)| metric.unit().into()),
    ];
    build_table("metrics", columns, rows)
}

fn all_trials(summaries: &[&TrialSummary]) -> Option<CsvTable> {
    // A load has many clients, so there is no single value.
    fn cpu(s: &TrialSummary, role: EndpointRole) -> Option<&CpuSummary> {
        let one = role == EndpointRole::Listen || !probe::probe_report(&s.probe).has_many_clients();
        s.hosts.iter().find(|h| h.role == role && one)?.cpu.as_ref()
    }
    let columns: CsvColumnDefinitions<'_, &TrialSummary> = &[
        ("trial", |s| s.trial.0.into()),
        ("probe", |s| s.probe.name().into()),
        ("outcome", |s| outcome_name(&s.outcome).into()),
        ("connects", |s| probe::probe_report(&s.probe).connecting_host(s).into()),
        ("listens", |s| endpoint_name(s, EndpointRole::Listen).into()),
        ("elapsed_ns", |s| s.elapsed_ns.into()),
        ("bytes", |s| s.bytes.into()),
        ("goodput_bps", |s| s.goodput_bps.into()),
        ("transactions_per_second", |s| s.transactions_per_second().into()),
        ("limit_bps", |s| s.limit.goodput_bps.into()),
        ("percent_of_limit", |s| s.percent_of_limit.into()),
        ("pe_index", |s| s.pe_index.into()),
        ("us_per_kib", |s| s.service_demand.and_then(|d| d.us_per_kib).into()),
        ("us_per_transaction", |s| s.service_demand.and_then(|d| d.us_per_transaction).into()),
        ("connects_cpu_busy_percent", |s| cpu(s, EndpointRole::Connect).map(|c| c.busy_percent).into()),
        ("listens_cpu_busy_percent", |s| cpu(s, EndpointRole::Listen).map(|c| c.busy_percent).into()),
        ("cpu_scope", |s| {
            let scope = cpu(s, EndpointRole::Connect).or(cpu(s, EndpointRole::Listen)).map(|c| c.scope);
            scope.map(|scope| format!("{scope:?}").to_lowercase()).into()
        }),
        ("us_per_datagram", |s| s.service_demand.and_then(|d| d.us_per_datagram).into()),
    ];
    build_table("trials", columns, summaries.iter().copied())
}

fn intervals(summaries: &[&TrialSummary]) -> Option<CsvTable> {
    let rows = summaries.iter().flat_map(|s| {
        let of_direction = |d: &DirectionSummary| {
            consecutive_intervals(d.direction.name(), d.intervals.iter().copied()).collect::<Vec<_>>()
        };
        let directions = s.direction_summaries().iter().flat_map(of_direction);
        directions
            .chain(probe::probe_report(&s.probe).csv_interval_byte_counts(s))
            .map(move |interval| (s.trial.0, interval))
    });
    let columns: CsvColumnDefinitions<'_, (u32, IntervalByteCount)> = &[
        ("trial", |(trial, _)| (*trial).into()),
        ("direction", |(_, i)| i.way.into()),
        ("start_ns", |(_, i)| i.start.into()),
        ("end_ns", |(_, i)| i.end.into()),
        ("bytes", |(_, i)| i.bytes.into()),
    ];
    build_table("intervals", columns, rows)
}

fn latencies(summaries: &[&TrialSummary]) -> Option<CsvTable> {
    let rows =
        summaries.iter().filter_map(|s| Some((s.trial.0, s.latency_summary()?))).flat_map(|(trial, l)| {
            [
                ("min", l.min),
                ("mean", l.mean),
                ("p50", l.p50),
                ("p90", l.p90),
                ("p99", l.p99),
                ("p999", l.p999),
                ("p9999", l.p9999),
                ("max", l.max),
            ]
            .map(|(name, value)| (trial, name, value, l.count))
        });
    let columns: CsvColumnDefinitions<'_, (u32, &'static str, u64, u64)> = &[
        ("trial", |r| r.0.into()),
        ("statistic", |r| r.1.into()),
        ("latency_ns", |r| r.2.into()),
        ("transactions", |r| r.3.into()),
    ];
    build_table("latency", columns, rows)
}

#[cfg(test)]
mod tests {
    use super::table::{CsvField, encode_csv};
    use super::*;
    use crate::documents;

    #[test]
    fn cells_are_quoted_and_formulas_defused() {
        let cells = ["a,b", "say \"x\"", "=1+1", "-0.3", ""].map(CsvField::from);
        let text = encode_csv(&["h"], vec![cells.into()]);
        assert_eq!(text, "h\n\"a,b\",\"say \"\"x\"\"\",'=1+1,-0.3,\n");
    }

    #[test]
    fn every_point_client_and_operation_class_is_a_row_and_bytes_add_up() {
        for (document, name, rows) in [
            (documents::load_run(), "load", 39),
            (documents::load_run(), "load_clients", 39 * 20),
            (documents::load_run(), "load_curves", 39),
            (documents::file_mixes(), "file_classes", 18 * 5),
        ] {
            let tables = tables_for_document(&document);
            let text = &tables.iter().find(|t| t.name == name).unwrap().text;
            assert_eq!(text.lines().count(), rows + 1, "{name}");
        }
        for trial in [&documents::stream_100(), &documents::load_run().trials[0]] {
            let text = intervals(&[trial]).unwrap().text;
            let bytes = text.lines().skip(1).map(|l| l.rsplit(',').next().unwrap().parse::<u64>().unwrap());
            assert_eq!(Some(bytes.sum::<u64>()), trial.bytes, "{}", trial.probe.name());
        }
    }
}
