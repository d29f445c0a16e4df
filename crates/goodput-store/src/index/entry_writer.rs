//! Writes index entries into the database.

use super::Index;
use super::error::{IndexError, WRITE_ERROR_CONTEXT, with_error_context};
use super::query::{parse_index_entry, read_text_column};
use super::run_entry::{IndexRow, append_tags_to_search_text};
use super::sql::{self, strip_zero_bytes};
use crate::tags;
use goodput_model::RunId;
use sqlx::{Any, AnyConnection};
use sqlx::{AssertSqlSafe, Transaction};
use std::collections::BTreeSet;

/// Instead of a folder's signature: the run was tagged on another machine after the scan.
pub(super) const TAGGED_ELSEWHERE_MARKER: &str = "tagged elsewhere";

const ROWS: usize = 100;

impl Index {
    /// Begins a write transaction, which excludes other programs.
    pub(super) async fn begin_write(&self) -> Result<Transaction<'static, Any>, IndexError> {
        let mut tx = with_error_context(
            WRITE_ERROR_CONTEXT,
            self.pool().begin_with(self.database_kind().begin()).await,
        )?;
        with_error_context(
            WRITE_ERROR_CONTEXT,
            sqlx::query(sql::INCREMENT_GENERATION).execute(&mut *tx).await,
        )?;
        Ok(tx)
    }

    pub async fn tags(&self, id: RunId) -> Result<Vec<String>, IndexError> {
        Ok(self.find_entry(id).await?.map_or_else(Vec::new, |card| card.tags))
    }

    /// Replaces a run's tags in folder and index; returns them normalized.
    pub async fn set_tags(&self, id: RunId, tags: &[String]) -> Result<Vec<String>, IndexError> {
        let tags = tags::normalize_tags(tags)?;
        let row = with_error_context(
            WRITE_ERROR_CONTEXT,
            sqlx::query(sql::SELECT_RUN_ENTRY_AND_TEXT)
                .bind(id.to_string())
                .fetch_optional(self.pool())
                .await,
        )?;
        let row = row.ok_or(IndexError::NoRun { id })?;
        let mut card = parse_index_entry(&read_text_column(&row, 0)?)?;
        let words = append_tags_to_search_text(&read_text_column(&row, 1)?, &tags);
        card.tags.clone_from(&tags);
        // The folder first: it is authoritative for the next scan.
        let signature = self.tag_folder(id, &tags).await?;
        let stored = self.is_stored(id).await?;
        if signature.is_none() && !stored {
            return Err(self.stored_elsewhere_error(id).await);
        }
        let mut tx = self.begin_write().await?;
        let query = sqlx::query(sql::UPDATE_RUN_TAGS).bind(json(&card)).bind(words).bind(id.to_string());
        with_error_context(WRITE_ERROR_CONTEXT, query.execute(&mut *tx).await)?;
        with_error_context(
            WRITE_ERROR_CONTEXT,
            sqlx::query(sql::DELETE_TAG_FACETS).bind(id.to_string()).execute(&mut *tx).await,
        )?;
        let facets: BTreeSet<_> = tags.iter().map(|tag| ("tag", String::new(), tag.clone())).collect();
        put_facets(&mut tx, id, &facets).await?;
        if let Some(signature) = signature {
            upsert_folder(&mut tx, &self.root_name(), id, &signature).await?;
        }
        if stored {
            super::stored_runs::upload_tags(&mut tx, id, &tags).await?;
        }
        // A folder on another machine has older tags. That machine's next scan must replace them instead of
        // importing them.
        let query = sqlx::query(sql::UPDATE_SIGNATURES_ON_OTHER_ROOTS)
            .bind(TAGGED_ELSEWHERE_MARKER.to_string())
            .bind(id.to_string())
            .bind(self.root_name());
        with_error_context(WRITE_ERROR_CONTEXT, query.execute(&mut *tx).await)?;
        with_error_context(WRITE_ERROR_CONTEXT, tx.commit().await)?;
        Ok(tags)
    }

    /// Returns the folder's new signature; `None` without a local folder.
    async fn tag_folder(&self, id: RunId, tags: &[String]) -> Result<Option<String>, IndexError> {
        let Some(folder) = self.local(id) else { return Ok(None) };
        let tags = tags.to_vec();
        super::blocking(move || {
            tags::write_tags(&folder, &tags)?;
            Ok(Some(super::folder_scan::folder_signature(&folder)))
        })
        .await?
    }
}

pub(super) async fn upsert_run(
    tx: &mut AnyConnection,
    entry: &IndexRow,
    stored: bool,
) -> Result<(), IndexError> {
    let card = &entry.card;
    let id = card.id.to_string();
    for statement in [sql::DELETE_FACETS, sql::DELETE_HOST_PAIRS, sql::DELETE_REINDEX_MARK] {
        with_error_context(
            WRITE_ERROR_CONTEXT,
            sqlx::query(statement).bind(id.clone()).execute(&mut *tx).await,
        )?;
    }
    let query = sqlx::query(sql::UPSERT_RUN)
        .bind(id.clone())
        .bind(entry.started_us)
        .bind(card.outcome.name().to_string())
        .bind(strip_zero_bytes(card.experiment.as_deref().unwrap_or_default()))
        .bind(entry.words.clone())
        .bind(i64::try_from(card.bytes).unwrap_or(i64::MAX))
        .bind(json(card))
        .bind(i64::from(stored));
    with_error_context(WRITE_ERROR_CONTEXT, query.execute(&mut *tx).await)?;
    put_facets(tx, card.id, &facets(entry)).await?;
    put_pairs(tx, entry).await
}

/// Stores the signature that the folder had when it was read.
pub(super) async fn upsert_folder(
    tx: &mut AnyConnection,
    place: &str,
    id: RunId,
    signature: &str,
) -> Result<(), IndexError> {
    let query = sqlx::query(sql::UPSERT_FOLDER)
        .bind(place.to_string())
        .bind(id.to_string())
        .bind(signature.to_string());
    with_error_context(WRITE_ERROR_CONTEXT, query.execute(tx).await).map(|_| ())
}

pub(super) async fn delete_run(tx: &mut AnyConnection, id: RunId) -> Result<(), IndexError> {
    for statement in sql::DELETE_RUN_STATEMENTS {
        with_error_context(
            WRITE_ERROR_CONTEXT,
            sqlx::query(statement).bind(id.to_string()).execute(&mut *tx).await,
        )?;
    }
    Ok(())
}

fn facets(entry: &IndexRow) -> BTreeSet<(&'static str, String, String)> {
    let card = &entry.card;
    let of = |kind: &'static str, values: &[String]| {
        values.iter().map(move |v| (kind, String::new(), strip_zero_bytes(v))).collect::<Vec<_>>()
    };
    let mut all: BTreeSet<_> = BTreeSet::new();
    all.extend(of("probe", &card.probes));
    all.extend(of("host", &card.hosts));
    all.extend(of("tag", &card.tags));
    all.extend(card.labels.iter().map(|(k, v)| ("label", strip_zero_bytes(k), strip_zero_bytes(v))));
    all.extend(
        entry
            .factors
            .iter()
            .map(|(factor, level)| ("factor", strip_zero_bytes(factor), strip_zero_bytes(level))),
    );
    all
}

async fn put_facets(
    tx: &mut AnyConnection,
    id: RunId,
    facets: &BTreeSet<(&'static str, String, String)>,
) -> Result<(), IndexError> {
    let facets: Vec<_> = facets.iter().collect();
    for rows in facets.chunks(ROWS) {
        let mut query = sqlx::query(AssertSqlSafe(sql::insert_statement(
            "facet (run, kind, name, value)",
            4,
            rows.len(),
        )));
        for (kind, name, value) in rows {
            query = query.bind(id.to_string()).bind(kind.to_string()).bind(name.clone()).bind(value.clone());
        }
        with_error_context(WRITE_ERROR_CONTEXT, query.execute(&mut *tx).await)?;
    }
    Ok(())
}

async fn put_pairs(tx: &mut AnyConnection, entry: &IndexRow) -> Result<(), IndexError> {
    for rows in entry.pairs.chunks(ROWS) {
        let columns = "pair (run, source, target, figure, value, started_us)";
        let mut query = sqlx::query(AssertSqlSafe(sql::insert_statement(columns, 6, rows.len())));
        for pair in rows {
            query = query
                .bind(entry.card.id.to_string())
                .bind(strip_zero_bytes(&pair.from))
                .bind(strip_zero_bytes(&pair.to))
                .bind(pair.figure.name.to_string())
                .bind(pair.figure.value)
                .bind(entry.started_us);
        }
        with_error_context(WRITE_ERROR_CONTEXT, query.execute(&mut *tx).await)?;
    }
    Ok(())
}

fn json(card: &super::RunIndexEntry) -> String {
    // A card has only finite numbers, so it cannot fail to serialize.
    serde_json::to_string(card).unwrap_or_default()
}
