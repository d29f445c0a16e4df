//! SQL statements for both databases: `$1` works in SQLite and PostgreSQL. sqlx's `Any` supports only 64-bit
//! integers, doubles, texts and bytes without NULL, so an empty text means absent.

use super::error::{DatabaseFutureExt, IndexError, WRITE_ERROR_CONTEXT};
use super::filter::RunFilter;
use jiff::Timestamp;
use sqlx::{Any, AnyConnection};
use std::fmt::Display;

pub(super) const SELECT_SCHEMA_VERSION: &str = "SELECT COALESCE(MAX(version), 0) FROM goodput_schema";
pub(super) const INSERT_SCHEMA_VERSION: &str = "INSERT INTO goodput_schema (version) VALUES ($1)";

pub(super) const SELECT_INDEX_GENERATION: &str = "SELECT number FROM generation";
pub(super) const INCREMENT_INDEX_GENERATION: &str = "UPDATE generation SET number = number + 1";

pub(super) const SELECT_INDEXED_FOLDERS: &str = "SELECT f.run, f.signature, r.outcome, r.stored FROM folder f \
    JOIN run r ON r.id = f.run WHERE f.place = $1";
pub(super) const SELECT_STORED_RUN_IDS: &str = "SELECT id FROM run WHERE stored = 1 ORDER BY id DESC";
pub(super) const SELECT_VALID_RUN_IDS: &str =
    "SELECT id FROM run WHERE outcome <> 'invalid' ORDER BY id DESC";
pub(super) const SELECT_RUN_ENTRY: &str = "SELECT card FROM run WHERE id = $1";
pub(super) const SELECT_ENTRY_AND_SEARCH_TEXT: &str = "SELECT card, words FROM run WHERE id = $1";
pub(super) const SELECT_RUN_IS_STORED: &str = "SELECT stored FROM run WHERE id = $1";
pub(super) const SELECT_RUNS_ROOTS_WITH_RUN: &str = "SELECT place FROM folder WHERE run = $1 ORDER BY place";
pub(super) const UPSERT_RUN: &str = "INSERT INTO run \
    (id, started_us, outcome, experiment, words, bytes, card, stored) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
    ON CONFLICT (id) DO UPDATE SET started_us = excluded.started_us, outcome = excluded.outcome, \
    experiment = excluded.experiment, words = excluded.words, bytes = excluded.bytes, card = excluded.card, \
    stored = excluded.stored";
pub(super) const UPDATE_RUN_TAGS: &str = "UPDATE run SET card = $1, words = $2 WHERE id = $3";
pub(super) const UPSERT_FOLDER: &str = "INSERT INTO folder (place, run, signature) VALUES ($1, $2, $3) \
    ON CONFLICT (place, run) DO UPDATE SET signature = excluded.signature";
pub(super) const UPDATE_SIGNATURES_IN_OTHER_ROOTS: &str =
    "UPDATE folder SET signature = $1 WHERE run = $2 AND place <> $3";
pub(super) const DELETE_FOLDER: &str = "DELETE FROM folder WHERE place = $1 AND run = $2";
pub(super) const DELETE_RUN_FACETS: &str = "DELETE FROM facet WHERE run = $1";
pub(super) const DELETE_TAG_FACETS: &str = "DELETE FROM facet WHERE run = $1 AND kind = 'tag'";
pub(super) const DELETE_HOST_PAIRS: &str = "DELETE FROM pair WHERE run = $1";
pub(super) const SELECT_RUNS_TO_REINDEX: &str = "SELECT run FROM overdue ORDER BY run DESC";
pub(super) const DELETE_REINDEX_MARK: &str = "DELETE FROM overdue WHERE run = $1";
pub(super) const DELETE_RUN_FILES: &str = "DELETE FROM file WHERE run = $1";
pub(super) const DELETE_RUN_FILE_PARTS: &str = "DELETE FROM part WHERE run = $1";

pub(super) const STATEMENTS_TO_DELETE_RUN: [&str; 7] = [
    DELETE_RUN_FACETS,
    DELETE_HOST_PAIRS,
    DELETE_REINDEX_MARK,
    DELETE_RUN_FILES,
    DELETE_RUN_FILE_PARTS,
    "DELETE FROM folder WHERE run = $1",
    "DELETE FROM run WHERE id = $1",
];

pub(super) const SELECT_RUN_FILES: &str =
    "SELECT name, length, sha256 FROM file WHERE run = $1 ORDER BY name";
pub(super) const INSERT_FILE: &str = "INSERT INTO file (run, name, length, sha256) VALUES ($1, $2, $3, $4)";
pub(super) const INSERT_FILE_PART: &str =
    "INSERT INTO part (run, name, number, data) VALUES ($1, $2, $3, $4)";
pub(super) const SELECT_FILE_PART: &str =
    "SELECT data FROM part WHERE run = $1 AND name = $2 AND number = $3";
pub(super) const DELETE_FILE: &str = "DELETE FROM file WHERE run = $1 AND name = $2";
pub(super) const DELETE_PARTS_OF_FILE: &str = "DELETE FROM part WHERE run = $1 AND name = $2";

/// The newest metric of each pair; for equal times that of the run with the later name.
pub(super) const SELECT_LATEST_HOST_PAIR_METRICS: &str = "SELECT p.source, p.target, p.figure, p.value, p.run, p.started_us FROM pair p \
    JOIN (SELECT source, target, figure, MAX(started_us) AS newest FROM pair GROUP BY source, target, figure) n \
    ON n.source = p.source AND n.target = p.target AND n.figure = p.figure AND n.newest = p.started_us \
    ORDER BY p.source, p.target, p.figure, p.run";

pub(super) const SELECT_SCHEDULES: &str = "SELECT id, document FROM schedule ORDER BY id";
pub(super) const SELECT_SCHEDULE: &str = "SELECT document FROM schedule WHERE id = $1";
pub(super) const UPSERT_SCHEDULE: &str = "INSERT INTO schedule (id, changed_us, document) VALUES ($1, $2, $3) \
    ON CONFLICT (id) DO UPDATE SET changed_us = excluded.changed_us, document = excluded.document";
pub(super) const DELETE_SCHEDULE: &str = "DELETE FROM schedule WHERE id = $1";
pub(super) const DELETE_SCHEDULE_HISTORY: &str = "DELETE FROM history WHERE schedule = $1";
pub(super) const INSERT_SCHEDULE_HISTORY: &str = "INSERT INTO history (schedule, number, at_us, run, document) \
    SELECT $1, COALESCE(MAX(number), 0) + 1, $2, $3, $4 FROM history WHERE schedule = $5";
pub(super) const SELECT_SCHEDULE_HISTORY: &str =
    "SELECT at_us, run, document FROM history WHERE schedule = $1 ORDER BY number DESC LIMIT $2";

/// Executes a statement whose values are texts.
pub(super) async fn execute(
    tx: &mut AnyConnection,
    statement: &'static str,
    values: &[&(dyn Display + Sync)],
) -> Result<(), IndexError> {
    let mut query = sqlx::query::<Any>(statement);
    for value in values {
        query = query.bind(value.to_string());
    }
    query.execute(tx).context(WRITE_ERROR_CONTEXT).await?;
    Ok(())
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum SqlValue {
    Text(String),
    Whole(i64),
}

#[derive(Debug, Default)]
pub(super) struct WhereClause {
    /// ` WHERE …`, or empty.
    pub sql: String,
    /// The values of `$1`, `$2`, …
    pub values: Vec<SqlValue>,
}

impl WhereClause {
    pub(super) fn from_filter(filter: &RunFilter, with_place: bool) -> WhereClause {
        let mut all = WhereClause::default();
        for word in filter.text.split_whitespace() {
            let pattern = format!("%{}%", escaped(&word.to_lowercase()));
            all.and(&format!("r.words LIKE {} ESCAPE '!'", all.next()), [SqlValue::Text(pattern)]);
        }
        if !filter.probes.is_empty() {
            let places = all.places(filter.probes.len());
            all.and(
                &format!("EXISTS (SELECT 1 FROM facet f WHERE f.run = r.id AND f.kind = 'probe' AND f.value IN ({places}))"),
                filter.probes.iter().cloned().map(SqlValue::Text),
            );
        }
        for (kind, values) in [("host", &filter.hosts), ("tag", &filter.tags)] {
            for value in values {
                all.has(kind, "", value);
            }
        }
        for (key, value) in &filter.labels {
            all.has("label", key, value);
        }
        for (factor, level) in &filter.factors {
            all.has("factor", factor, level);
        }
        if let Some(name) = &filter.experiment {
            all.and(&format!("r.experiment = {}", all.next()), [SqlValue::Text(name.clone())]);
        }
        if let Some(since) = filter.since {
            all.and(&format!("r.started_us >= {}", all.next()), [SqlValue::Whole(since.as_microsecond())]);
        }
        if let Some(until) = filter.until {
            all.and(&format!("r.started_us < {}", all.next()), [SqlValue::Whole(until.as_microsecond())]);
        }
        if !filter.outcomes.is_empty() {
            let places = all.places(filter.outcomes.len());
            let names = filter.outcomes.iter().map(|o| SqlValue::Text(o.name().into()));
            all.and(&format!("r.outcome IN ({places})"), names);
        }
        if let Some(cursor) = filter.after.filter(|_| with_place) {
            all.and(&format!("r.id < {}", all.next()), [SqlValue::Text(cursor.to_string())]);
        }
        all
    }

    fn has(&mut self, kind: &str, name: &str, value: &str) {
        let n = self.values.len();
        let sql = format!(
            "EXISTS (SELECT 1 FROM facet f WHERE f.run = r.id AND f.kind = '{kind}' AND f.name = ${} AND f.value = ${})",
            n + 1,
            n + 2
        );
        self.and(&sql, [SqlValue::Text(name.into()), SqlValue::Text(value.into())]);
    }

    fn and(&mut self, sql: &str, values: impl IntoIterator<Item = SqlValue>) {
        self.sql.push_str(if self.sql.is_empty() { " WHERE " } else { " AND " });
        self.sql.push_str(sql);
        let plain = |value| match value {
            SqlValue::Text(text) => SqlValue::Text(replace_nul_bytes(&text)),
            whole => whole,
        };
        self.values.extend(values.into_iter().map(plain));
    }

    fn next(&self) -> String {
        format!("${}", self.values.len() + 1)
    }

    fn places(&self, count: usize) -> String {
        let first = self.values.len() + 1;
        (first..first + count).map(|n| format!("${n}")).collect::<Vec<_>>().join(", ")
    }

    /// One more row shows whether there is another page.
    pub(super) fn select_page(mut self, rows: i64) -> (String, Vec<SqlValue>) {
        let sql = format!("SELECT r.card FROM run r{} ORDER BY r.id DESC LIMIT {}", self.sql, self.next());
        self.values.push(SqlValue::Whole(rows));
        (sql, self.values)
    }

    pub(super) fn select_outcome_counts(&self) -> String {
        format!(
            "SELECT r.outcome, r.experiment, COUNT(*) FROM run r{} GROUP BY r.outcome, r.experiment",
            self.sql
        )
    }

    pub(super) fn select_facet_counts(&self) -> String {
        format!(
            "SELECT f.kind, f.name, f.value, COUNT(*) FROM facet f JOIN run r ON r.id = f.run{} \
             GROUP BY f.kind, f.name, f.value ORDER BY f.kind, f.name, f.value",
            self.sql
        )
    }
}

pub(super) fn build_insert_statement(into: &str, columns: usize, rows: usize) -> String {
    let row = |r: usize| {
        let places: Vec<String> = (1..=columns).map(|c| format!("${}", r * columns + c)).collect();
        format!("({})", places.join(", "))
    };
    format!("INSERT INTO {into} VALUES {}", (0..rows).map(row).collect::<Vec<_>>().join(", "))
}

/// From µs since 1970.
pub(super) fn timestamp_from_microseconds(us: i64) -> Timestamp {
    Timestamp::from_microsecond(us).unwrap_or(if us < 0 { Timestamp::MIN } else { Timestamp::MAX })
}

/// Escapes LIKE wildcards.
fn escaped(text: &str) -> String {
    text.replace('!', "!!").replace('%', "!%").replace('_', "!_")
}

/// PostgreSQL allows no zero bytes in texts.
pub(super) fn replace_nul_bytes(text: &str) -> String {
    text.replace('\0', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_through() {
        let filter = RunFilter {
            text: "50% A_b".into(),
            probes: vec!["stream".into(), "mtu".into()],
            labels: vec![("card".into(), "x".into())],
            factors: vec![("mtu".into(), "9000".into())],
            limit: Some(10),
            ..RunFilter::default()
        };
        let (sql, values) = WhereClause::from_filter(&filter, true).select_page(11);
        let text = |t: &str| SqlValue::Text(t.into());
        let texts = ["%50!%%", "%a!_b%", "stream", "mtu", "card", "x", "mtu", "9000"].map(text);
        assert_eq!(values, [&texts[..], &[SqlValue::Whole(11)]].concat());
        let zero = RunFilter { text: "a\0b".into(), tags: vec!["x\0".into()], ..RunFilter::default() };
        let found = WhereClause::from_filter(&zero, true).values;
        assert_eq!(found, [text("%a b%"), text(""), text("x ")], "as the index keeps them");
        for n in 1..=9 {
            assert!(sql.contains(&format!("${n}")), "{sql}");
        }
        assert!(!sql.contains("$10"));
        assert_eq!(WhereClause::from_filter(&RunFilter::default(), true).sql, "");
        assert_eq!(
            build_insert_statement("x (a, b)", 2, 2),
            "INSERT INTO x (a, b) VALUES ($1, $2), ($3, $4)"
        );
    }
}
