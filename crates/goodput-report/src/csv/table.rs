//! Writes a table as CSV: columns as functions of a row, and words of fields.

use goodput_model::{TrialId, TrialOutcome};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvTable {
    pub name: &'static str,
    pub text: String,
}

pub(crate) struct CsvField(String);

/// Header with its unit, and the value in a row.
pub(crate) type CsvColumnDefinitions<'a, R> = &'a [(&'static str, fn(&R) -> CsvField)];

impl From<f64> for CsvField {
    fn from(value: f64) -> CsvField {
        CsvField(if value.is_finite() { value.to_string() } else { String::new() })
    }
}

macro_rules! fields {
    ($($of:ty),*) => {
        $(impl From<$of> for CsvField {
            fn from(value: $of) -> CsvField {
                CsvField(value.to_string())
            }
        })*
    };
}

fields!(u64, u32, u16, i64, bool, &str, &String, String);

impl<T: Into<CsvField>> From<Option<T>> for CsvField {
    fn from(value: Option<T>) -> CsvField {
        value.map_or(CsvField(String::new()), Into::into)
    }
}

pub(crate) fn build_table<R>(
    name: &'static str,
    columns: CsvColumnDefinitions<'_, R>,
    rows: impl IntoIterator<Item = R>,
) -> Option<CsvTable> {
    let records: Vec<Vec<CsvField>> =
        rows.into_iter().map(|row| columns.iter().map(|(_, value)| value(&row)).collect()).collect();
    let header: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    (!records.is_empty()).then(|| CsvTable { name, text: encode_csv(&header, records) })
}

pub(crate) fn encode_csv(header: &[&str], records: Vec<Vec<CsvField>>) -> String {
    let mut writer = ::csv::WriterBuilder::new()
        .terminator(::csv::Terminator::Any(b'\n'))
        .flexible(true)
        .from_writer(Vec::new());
    let _ = writer.write_record(header.iter().map(|name| harmless(name)));
    for record in records {
        let _ = writer.write_record(record.iter().map(|field| harmless(&field.0)));
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Prefixes text that a spreadsheet would take for a formula; numbers are unchanged.
fn harmless(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    if formula { format!("'{text}") } else { text.to_string() }
}

pub(crate) struct IntervalByteCount {
    pub(crate) way: &'static str,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) bytes: u64,
}

pub(crate) fn consecutive_intervals(
    way: &'static str,
    all: impl Iterator<Item = (u64, u64)>,
) -> impl Iterator<Item = IntervalByteCount> {
    all.scan(0, move |start, (end, bytes)| {
        Some(IntervalByteCount { way, start: std::mem::replace(start, end), end, bytes })
    })
}

pub(crate) fn join_trial_ids(trials: &[TrialId]) -> String {
    trials.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

pub(crate) fn outcome_name(outcome: &TrialOutcome) -> &'static str {
    match outcome {
        TrialOutcome::Complete => "complete",
        TrialOutcome::Partial { .. } => "partial",
        TrialOutcome::Failed { .. } => "failed",
    }
}
