//! Writes index entries into the database.

use super::Index;
use super::describe::{Entry, with_tags};
use super::error::{IndexError, WRITING, at};
use super::search::{card, text};
use super::sql::{self, plain};
use crate::tags;
use goodput_model::RunId;
use sqlx::{Any, AnyConnection};
use sqlx::{AssertSqlSafe, Transaction};
use std::collections::BTreeSet;

/// Instead of a folder's signature: the run was tagged on another machine after the scan.
pub(super) const TAGGED_ELSEWHERE: &str = "tagged elsewhere";

const ROWS: usize = 100;

impl Index {
    /// Begins a write transaction, which excludes other programs.
    pub(super) async fn write(&self) -> Result<Transaction<'static, Any>, IndexError> {
        let mut tx = at(WRITING, self.pool().begin_with(self.kind().begin()).await)?;
        at(WRITING, sqlx::query(sql::NEXT_GENERATION).execute(&mut *tx).await)?;
        Ok(tx)
    }

    pub async fn tags(&self, id: RunId) -> Result<Vec<String>, IndexError> {
        Ok(self.card(id).await?.map_or_else(Vec::new, |card| card.tags))
    }

    /// Replaces a run's tags in folder and index; returns them normalized.
    pub async fn set_tags(&self, id: RunId, tags: &[String]) -> Result<Vec<String>, IndexError> {
        let tags = tags::normal(tags)?;
        let row = at(
            WRITING,
            sqlx::query(sql::CARD_AND_WORDS).bind(id.to_string()).fetch_optional(self.pool()).await,
        )?;
        let row = row.ok_or(IndexError::NoRun { id })?;
        let mut card = card(&text(&row, 0)?)?;
        let words = with_tags(&text(&row, 1)?, &tags);
        card.tags.clone_from(&tags);
        // The folder first: it is authoritative for the next scan.
        let signature = self.tag_folder(id, &tags).await?;
        let stored = self.is_stored(id).await?;
        if signature.is_none() && !stored {
            return Err(self.elsewhere(id).await);
        }
        let mut tx = self.write().await?;
        let query = sqlx::query(sql::RETAG).bind(json(&card)).bind(words).bind(id.to_string());
        at(WRITING, query.execute(&mut *tx).await)?;
        at(WRITING, sqlx::query(sql::DROP_TAGS).bind(id.to_string()).execute(&mut *tx).await)?;
        let facets: BTreeSet<_> = tags.iter().map(|tag| ("tag", String::new(), tag.clone())).collect();
        put_facets(&mut tx, id, &facets).await?;
        if let Some(signature) = signature {
            put_folder(&mut tx, &self.place(), id, &signature).await?;
        }
        if stored {
            super::stored::put_tags(&mut tx, id, &tags).await?;
        }
        // A folder on another machine has older tags. That machine's next scan must replace them instead of
        // importing them.
        let query = sqlx::query(sql::MARK_OTHER_FOLDERS)
            .bind(TAGGED_ELSEWHERE.to_string())
            .bind(id.to_string())
            .bind(self.place());
        at(WRITING, query.execute(&mut *tx).await)?;
        at(WRITING, tx.commit().await)?;
        Ok(tags)
    }

    /// Returns the folder's new signature; `None` without a local folder.
    async fn tag_folder(&self, id: RunId, tags: &[String]) -> Result<Option<String>, IndexError> {
        let Some(folder) = self.local(id) else { return Ok(None) };
        let tags = tags.to_vec();
        super::blocking(move || {
            tags::write(&folder, &tags)?;
            Ok(Some(super::scan::signature(&folder)))
        })
        .await?
    }
}

pub(super) async fn put(tx: &mut AnyConnection, entry: &Entry, stored: bool) -> Result<(), IndexError> {
    let card = &entry.card;
    let id = card.id.to_string();
    for statement in [sql::DROP_FACETS, sql::DROP_PAIRS, sql::DROP_OVERDUE] {
        at(WRITING, sqlx::query(statement).bind(id.clone()).execute(&mut *tx).await)?;
    }
    let query = sqlx::query(sql::PUT_RUN)
        .bind(id.clone())
        .bind(entry.started_us)
        .bind(card.outcome.name().to_string())
        .bind(plain(card.experiment.as_deref().unwrap_or_default()))
        .bind(entry.words.clone())
        .bind(i64::try_from(card.bytes).unwrap_or(i64::MAX))
        .bind(json(card))
        .bind(i64::from(stored));
    at(WRITING, query.execute(&mut *tx).await)?;
    put_facets(tx, card.id, &facets(entry)).await?;
    put_pairs(tx, entry).await
}

/// Stores the signature that the folder had when it was read.
pub(super) async fn put_folder(
    tx: &mut AnyConnection,
    place: &str,
    id: RunId,
    signature: &str,
) -> Result<(), IndexError> {
    let query =
        sqlx::query(sql::PUT_FOLDER).bind(place.to_string()).bind(id.to_string()).bind(signature.to_string());
    at(WRITING, query.execute(tx).await).map(|_| ())
}

pub(super) async fn drop_run(tx: &mut AnyConnection, id: RunId) -> Result<(), IndexError> {
    for statement in sql::DROP_ALL {
        at(WRITING, sqlx::query(statement).bind(id.to_string()).execute(&mut *tx).await)?;
    }
    Ok(())
}

fn facets(entry: &Entry) -> BTreeSet<(&'static str, String, String)> {
    let card = &entry.card;
    let of = |kind: &'static str, values: &[String]| {
        values.iter().map(move |v| (kind, String::new(), plain(v))).collect::<Vec<_>>()
    };
    let mut all: BTreeSet<_> = BTreeSet::new();
    all.extend(of("probe", &card.probes));
    all.extend(of("host", &card.hosts));
    all.extend(of("tag", &card.tags));
    all.extend(card.labels.iter().map(|(k, v)| ("label", plain(k), plain(v))));
    all.extend(entry.factors.iter().map(|(factor, level)| ("factor", plain(factor), plain(level))));
    all
}

async fn put_facets(
    tx: &mut AnyConnection,
    id: RunId,
    facets: &BTreeSet<(&'static str, String, String)>,
) -> Result<(), IndexError> {
    let facets: Vec<_> = facets.iter().collect();
    for rows in facets.chunks(ROWS) {
        let mut query =
            sqlx::query(AssertSqlSafe(sql::insert("facet (run, kind, name, value)", 4, rows.len())));
        for (kind, name, value) in rows {
            query = query.bind(id.to_string()).bind(kind.to_string()).bind(name.clone()).bind(value.clone());
        }
        at(WRITING, query.execute(&mut *tx).await)?;
    }
    Ok(())
}

async fn put_pairs(tx: &mut AnyConnection, entry: &Entry) -> Result<(), IndexError> {
    for rows in entry.pairs.chunks(ROWS) {
        let columns = "pair (run, source, target, figure, value, started_us)";
        let mut query = sqlx::query(AssertSqlSafe(sql::insert(columns, 6, rows.len())));
        for pair in rows {
            query = query
                .bind(entry.card.id.to_string())
                .bind(plain(&pair.from))
                .bind(plain(&pair.to))
                .bind(pair.figure.name.to_string())
                .bind(pair.figure.value)
                .bind(entry.started_us);
        }
        at(WRITING, query.execute(&mut *tx).await)?;
    }
    Ok(())
}

fn json(card: &super::IndexCard) -> String {
    // A card has only finite numbers, so it cannot fail to serialize.
    serde_json::to_string(card).unwrap_or_default()
}
