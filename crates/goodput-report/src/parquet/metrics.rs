//! All metrics of a run: one row per number of the `--json` document.

use super::{ColumnType, ParquetExportError, Table, Values, text};
use crate::csv::table::outcome_name;
use crate::wording::endpoint_name;
use goodput_analysis::experiment::data_set::{NamedMetric, all_named_metrics};
use goodput_model::metric::unit_of_metric;
use goodput_model::run::RunHeader;
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_model::trial::EndpointRole;
use parquet::data_type::ByteArray;

const COLUMNS: [(&str, ColumnType); 11] = [
    ("run", ColumnType::Text),
    ("started", ColumnType::Text),
    ("trial", ColumnType::MaybeWhole),
    ("probe", ColumnType::Text),
    ("outcome", ColumnType::Text),
    ("connects", ColumnType::Text),
    ("listens", ColumnType::Text),
    ("figure", ColumnType::Text),
    ("size_bytes", ColumnType::MaybeWhole),
    ("value", ColumnType::Number),
    ("unit", ColumnType::Text),
];

/// Run, trial with probe, outcome and ends, metric name, message size, value, unit. Metrics of all trials
/// together have no trial.
pub fn encode_metrics(head: &RunHeader, document: &ResultDocument) -> Result<Vec<u8>, ParquetExportError> {
    let columns = COLUMNS.map(|(name, holds)| (name.to_string(), holds));
    let mut table = Table::new("figures", &columns, head)?;
    let all = all_named_metrics(document);
    if !all.is_empty() {
        table.rows(values(head, document, &all))?;
    }
    Ok(table.finish()?)
}

fn values(head: &RunHeader, document: &ResultDocument, all: &[NamedMetric]) -> Vec<Values<'static>> {
    let trials = crate::trial_summaries(document);
    let of = |figure: &NamedMetric| trials.iter().find(|t| Some(t.trial.0) == figure.trial).copied();
    let texts =
        |what: &dyn Fn(&NamedMetric) -> ByteArray| Values::Texts(all.iter().map(|f| (what(f), 1)).collect());
    let of_trial =
        |what: &dyn Fn(&TrialSummary) -> String| texts(&|f| text(&of(f).map_or_else(String::new, what)));
    let whole = |what: &dyn Fn(&NamedMetric) -> Option<u64>| {
        Values::Maybe(all.iter().map(|f| what(f).and_then(|v| i64::try_from(v).ok())).collect())
    };
    vec![
        Values::Texts(vec![(text(&head.id.to_string()), all.len())]),
        Values::Texts(vec![(text(&head.started), all.len())]),
        whole(&|f| f.trial.map(u64::from)),
        of_trial(&|t| t.probe.name().to_string()),
        of_trial(&|t| outcome_name(&t.outcome).to_string()),
        of_trial(&|t| endpoint_name(t, EndpointRole::Connect)),
        of_trial(&|t| endpoint_name(t, EndpointRole::Listen)),
        texts(&|f| text(&f.name)),
        whole(&|f| f.size_bytes),
        Values::Numbers(all.iter().map(|f| f.value).collect()),
        texts(&|f| text(unit_of_metric(&f.name))),
    ]
}
