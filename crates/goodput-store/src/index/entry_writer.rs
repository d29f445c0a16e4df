//! Writes index entries into the database.

use super::Index;
use super::error::{DatabaseFutureExt, IndexError, WRITE_ERROR_CONTEXT};
use super::query::parse_index_entry;
use super::run_entry::{RunIndexData, append_tags_to_search_text};
use super::sql::{self, execute, replace_nul_bytes};
use crate::tags;
use goodput_model::RunId;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Transaction};
use std::collections::BTreeSet;
use std::fmt::Display;

/// Instead of a folder's signature: the run was tagged on another machine after the scan.
pub(super) const STALE_TAGS_SIGNATURE: &str = "tagged elsewhere";

/// For an invalid run's folder: each program reads it again, since the cause may be outside.
pub(super) const INVALID_RUN_SIGNATURE: &str = "invalid";

const ROWS: usize = 100;

/// Kind, name and value.
type Facet = (&'static str, String, String);

impl Index {
    /// Begins a write transaction, which excludes other programs.
    pub(super) async fn begin_write_transaction(&self) -> Result<Transaction<'static, Any>, IndexError> {
        let begin = self.pool().begin_with(self.database_kind().begin());
        let mut tx = begin.context(WRITE_ERROR_CONTEXT).await?;
        execute(&mut tx, sql::INCREMENT_INDEX_GENERATION, &[]).await?;
        Ok(tx)
    }

    pub async fn tags(&self, id: RunId) -> Result<Vec<String>, IndexError> {
        Ok(self.find_run_entry(id).await?.map_or_else(Vec::new, |card| card.tags))
    }

    /// Replaces a run's tags in folder and index; returns them normalized.
    pub async fn set_tags(&self, id: RunId, tags: &[String]) -> Result<Vec<String>, IndexError> {
        let tags = tags::normalize_tags(tags)?;
        let query = sqlx::query_as::<_, (String, String)>(sql::SELECT_ENTRY_AND_SEARCH_TEXT);
        let row = query.bind(id.to_string()).fetch_optional(self.pool());
        let (card, words) = row.context(WRITE_ERROR_CONTEXT).await?.ok_or(IndexError::NoRun { id })?;
        let mut card = parse_index_entry(&card)?;
        let words = append_tags_to_search_text(&words, &tags);
        card.tags.clone_from(&tags);
        // The folder first: it is authoritative for the next scan.
        let signature = self.tag_folder(id, &tags).await?;
        let stored = self.is_run_stored(id).await?;
        if signature.is_none() && !stored {
            return Err(self.missing_run_error(id).await);
        }
        let mut tx = self.begin_write_transaction().await?;
        execute(&mut tx, sql::UPDATE_RUN_TAGS, &[&json(&card), &words, &id]).await?;
        execute(&mut tx, sql::DELETE_TAG_FACETS, &[&id]).await?;
        let facets: BTreeSet<_> = tags.iter().map(|tag| ("tag", String::new(), tag.clone())).collect();
        put_facets(&mut tx, id, &facets).await?;
        if let Some(signature) = signature {
            upsert_folder_signature(&mut tx, &self.runs_root_name(), id, &signature).await?;
        }
        if stored {
            super::stored_runs::upload_tags(&mut tx, id, &tags).await?;
        }
        // Another machine's folder has older tags: its next scan must replace, not import them.
        let values: [&(dyn Display + Sync); 3] = [&STALE_TAGS_SIGNATURE, &id, &self.runs_root_name()];
        execute(&mut tx, sql::UPDATE_SIGNATURES_IN_OTHER_ROOTS, &values).await?;
        tx.commit().context(WRITE_ERROR_CONTEXT).await?;
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
    entry: &RunIndexData,
    stored: bool,
) -> Result<(), IndexError> {
    let card = &entry.card;
    for statement in [sql::DELETE_RUN_FACETS, sql::DELETE_HOST_PAIRS, sql::DELETE_REINDEX_MARK] {
        execute(tx, statement, &[&card.id]).await?;
    }
    let query = sqlx::query(sql::UPSERT_RUN)
        .bind(card.id.to_string())
        .bind(entry.started_us)
        .bind(card.outcome.name().to_string())
        .bind(replace_nul_bytes(card.experiment.as_deref().unwrap_or_default()))
        .bind(entry.words.clone())
        .bind(i64::try_from(card.bytes).unwrap_or(i64::MAX))
        .bind(json(card))
        .bind(i64::from(stored));
    query.execute(&mut *tx).context(WRITE_ERROR_CONTEXT).await?;
    put_facets(tx, card.id, &facets(entry)).await?;
    put_pairs(tx, entry).await
}

/// Stores the signature that the folder had when it was read.
pub(super) async fn upsert_folder_signature(
    tx: &mut AnyConnection,
    place: &str,
    id: RunId,
    signature: &str,
) -> Result<(), IndexError> {
    execute(tx, sql::UPSERT_FOLDER, &[&place, &id, &signature]).await
}

pub(super) async fn delete_run(tx: &mut AnyConnection, id: RunId) -> Result<(), IndexError> {
    for statement in sql::STATEMENTS_TO_DELETE_RUN {
        execute(tx, statement, &[&id]).await?;
    }
    Ok(())
}

fn facets(entry: &RunIndexData) -> BTreeSet<Facet> {
    let card = &entry.card;
    let lists = [("probe", &card.probes), ("host", &card.hosts), ("tag", &card.tags)];
    let unnamed = lists.into_iter().flat_map(|(kind, values)| values.iter().map(move |v| (kind, "", v)));
    let labels = card.labels.iter().map(|(key, value)| ("label", key.as_str(), value));
    let factors = entry.factors.iter().map(|(factor, level)| ("factor", factor.as_str(), level));
    let all = unnamed.chain(labels).chain(factors);
    all.map(|(kind, name, value)| (kind, replace_nul_bytes(name), replace_nul_bytes(value))).collect()
}

async fn put_facets(tx: &mut AnyConnection, id: RunId, facets: &BTreeSet<Facet>) -> Result<(), IndexError> {
    let facets: Vec<_> = facets.iter().collect();
    for rows in facets.chunks(ROWS) {
        let statement = sql::build_insert_statement("facet (run, kind, name, value)", 4, rows.len());
        let mut query = sqlx::query(AssertSqlSafe(statement));
        for (kind, name, value) in rows {
            query = query.bind(id.to_string()).bind(kind.to_string()).bind(name.clone()).bind(value.clone());
        }
        query.execute(&mut *tx).context(WRITE_ERROR_CONTEXT).await?;
    }
    Ok(())
}

async fn put_pairs(tx: &mut AnyConnection, entry: &RunIndexData) -> Result<(), IndexError> {
    for rows in entry.pairs.chunks(ROWS) {
        let columns = "pair (run, source, target, figure, value, started_us)";
        let mut query = sqlx::query(AssertSqlSafe(sql::build_insert_statement(columns, 6, rows.len())));
        for pair in rows {
            query = query
                .bind(entry.card.id.to_string())
                .bind(replace_nul_bytes(&pair.from))
                .bind(replace_nul_bytes(&pair.to))
                .bind(pair.figure.name.to_string())
                .bind(pair.figure.value)
                .bind(entry.started_us);
        }
        query.execute(&mut *tx).context(WRITE_ERROR_CONTEXT).await?;
    }
    Ok(())
}

fn json(card: &super::RunIndexEntry) -> String {
    // A card has only finite numbers, so it cannot fail to serialize.
    serde_json::to_string(card).unwrap_or_default()
}
