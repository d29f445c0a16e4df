//! All samples of a run: one row per point of a series.

use super::{ColumnType, ParquetExportError, Table, Values, text};
use crate::grouping::distinct_items;
use goodput_model::trial::{EndpointReport, EndpointRole};
use goodput_model::{Run, Series, Trial};

const OWN: [(&str, ColumnType); 7] = [
    ("run", ColumnType::Text),
    ("trial", ColumnType::Whole),
    ("probe", ColumnType::Text),
    ("host", ColumnType::Text),
    ("role", ColumnType::Text),
    ("series", ColumnType::Text),
    ("row", ColumnType::Whole),
];

/// Minimum rows of a group: readers skip whole groups.
const GROUP: usize = 256 * 1024;

type SampleSource<'a> = (&'a Trial, &'a EndpointReport, &'a Series);

/// One file with the columns of [`OWN`] and one per column name of all series, null where a series lacks it.
/// A name equal to one of ours becomes `sample_…`. Without samples the table is empty.
pub fn encode_samples(run: &Run) -> Result<Vec<u8>, ParquetExportError> {
    let parts: Vec<SampleSource<'_>> = run
        .trials
        .iter()
        .flat_map(|t| t.ends.iter().flat_map(move |e| e.series.iter().map(move |s| (t, e, s))))
        .filter(|(_, _, series)| !series.is_empty())
        .collect();
    let names =
        distinct_items(parts.iter().flat_map(|(_, _, series)| &series.columns).map(|c| c.name.as_str()));
    let mut columns: Vec<(String, ColumnType)> = OWN.map(|(name, holds)| (name.to_string(), holds)).into();
    columns.extend(names.iter().map(|name| (called(name), ColumnType::MaybeWhole)));
    let mut table = Table::new("samples", &columns, &run.head)?;
    for group in groups(&parts) {
        table.rows(values(run, group, &names))?;
    }
    Ok(table.finish()?)
}

fn called(name: &str) -> String {
    if OWN.iter().any(|(own, _)| *own == name) { format!("sample_{name}") } else { name.to_string() }
}

/// Small parts share a group; a large part has its own.
fn groups<'a, 'b>(parts: &'b [SampleSource<'a>]) -> Vec<&'b [SampleSource<'a>]> {
    let (mut groups, mut first, mut rows) = (Vec::new(), 0, 0);
    for (at, (_, _, series)) in parts.iter().enumerate() {
        rows += series.len();
        if rows >= GROUP {
            groups.push(&parts[first..=at]);
            (first, rows) = (at + 1, 0);
        }
    }
    if first < parts.len() {
        groups.push(&parts[first..]);
    }
    groups
}

fn values<'a>(run: &Run, parts: &[SampleSource<'a>], names: &[&str]) -> Vec<Values<'a>> {
    let texts = |of: &dyn Fn(&SampleSource<'_>) -> String| {
        Values::Texts(parts.iter().map(|part| (text(&of(part)), part.2.len())).collect())
    };
    let counted = |of: &dyn Fn(&SampleSource<'_>, usize) -> i64| {
        Values::Counted(
            parts.iter().flat_map(|part| (0..part.2.len()).map(move |row| of(part, row))).collect(),
        )
    };
    let mut all = vec![
        texts(&|_| run.head.id.to_string()),
        counted(&|part, _| i64::from(part.0.id.0)),
        texts(&|part| part.0.probe.name().to_string()),
        texts(&|part| part.1.host.clone()),
        texts(&|part| role(part.1.role).to_string()),
        texts(&|part| part.2.name.clone()),
        counted(&|_, row| row as i64),
    ];
    all.extend(names.iter().map(|name| {
        // The store refuses columns of different lengths; a synthetic run may have them.
        let piece = |part: &SampleSource<'a>| {
            let rows = part.2.len();
            part.2.column(name).filter(|values| values.len() == rows).ok_or(rows)
        };
        Values::Wholes(parts.iter().map(piece).collect())
    }));
    all
}

fn role(role: EndpointRole) -> &'static str {
    match role {
        EndpointRole::Connect => "connect",
        EndpointRole::Listen => "listen",
    }
}
