//! Writes a table as CSV: columns as functions of a row, and words of fields.

use goodput_model::probe::Direction;
use goodput_model::{Outcome, TrialId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvTable {
    pub name: &'static str,
    pub text: String,
}

pub(crate) struct Field(String);

/// Header with its unit, and the value in a row.
pub(crate) type Columns<'a, R> = &'a [(&'static str, fn(&R) -> Field)];

impl From<f64> for Field {
    fn from(value: f64) -> Field {
        Field(if value.is_finite() { value.to_string() } else { String::new() })
    }
}

impl From<&str> for Field {
    fn from(text: &str) -> Field {
        Field(text.to_string())
    }
}

macro_rules! fields {
    ($($of:ty),*) => {
        $(impl From<$of> for Field {
            fn from(value: $of) -> Field {
                Field(value.to_string())
            }
        })*
    };
}

fields!(u64, u32, u16, i64, bool, &String, String);

impl<T: Into<Field>> From<Option<T>> for Field {
    fn from(value: Option<T>) -> Field {
        value.map_or(Field(String::new()), Into::into)
    }
}

pub(crate) fn table<R>(
    name: &'static str,
    columns: Columns<'_, R>,
    rows: impl IntoIterator<Item = R>,
) -> Option<CsvTable> {
    let records: Vec<Vec<Field>> =
        rows.into_iter().map(|row| columns.iter().map(|(_, value)| value(&row)).collect()).collect();
    let header: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    (!records.is_empty()).then(|| CsvTable { name, text: written(&header, records) })
}

pub(crate) fn written(header: &[&str], records: Vec<Vec<Field>>) -> String {
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

pub(crate) struct Interval {
    pub(crate) way: &'static str,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) bytes: u64,
}

pub(crate) fn spans(
    way: &'static str,
    all: impl Iterator<Item = (u64, u64)>,
) -> impl Iterator<Item = Interval> {
    all.scan(0, move |start, (end, bytes)| {
        Some(Interval { way, start: std::mem::replace(start, end), end, bytes })
    })
}

pub(crate) fn trials(trials: &[TrialId]) -> String {
    trials.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

pub(crate) fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Send => "send",
        Direction::Receive => "receive",
        Direction::Both => "both",
    }
}

pub(crate) fn outcome(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Complete => "complete",
        Outcome::Partial { .. } => "partial",
        Outcome::Failed { .. } => "failed",
    }
}
