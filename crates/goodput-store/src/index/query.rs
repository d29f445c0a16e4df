//! Searches runs.

use super::error::{IndexError, with_error_context};
use super::filter::{FacetValue, Facets, FactorFacet, LabelFacet, ListCursor, RunFilter};
use super::run_card::{HostPairMetric, RunIndexEntry};
use super::sql::{self, SqlValue, WhereClause};
use super::{Index, run_id};
use goodput_model::RunId;
use sqlx::Any;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, Row};
use std::collections::BTreeMap;

const SEARCHING: &str = "cannot search the index";

impl Index {
    pub async fn search_page(
        &self,
        filter: &RunFilter,
    ) -> Result<(Vec<RunIndexEntry>, Option<ListCursor>), IndexError> {
        let page = filter.page_size() as usize;
        let (sql, values) = WhereClause::from_filter(filter, true).select_page(page as i64 + 1);
        let rows = self.rows(sql, &values).await?;
        let mut cards = rows
            .iter()
            .map(|row| parse_index_entry(&read_text_column(row, 0)?))
            .collect::<Result<Vec<_>, _>>()?;
        let more = cards.len() > page;
        cards.truncate(page);
        let next = cards.last().filter(|_| more).map(|c| ListCursor(c.id));
        Ok((cards, next))
    }

    pub async fn search_all(&self, filter: &RunFilter) -> Result<Vec<RunIndexEntry>, IndexError> {
        let mut page = RunFilter { after: None, limit: Some(RunFilter::MAX_PAGE_SIZE), ..filter.clone() };
        let mut found = Vec::new();
        loop {
            let (cards, next) = self.search_page(&page).await?;
            found.extend(cards);
            match next {
                Some(cursor) => page.after = Some(cursor),
                None => return Ok(found),
            }
        }
    }

    /// The filter values of matching runs with their counts, ignoring the position.
    pub async fn filter_facets(&self, filter: &RunFilter) -> Result<Facets, IndexError> {
        let condition = WhereClause::from_filter(filter, false);
        let mut facets = Facets::default();
        let (mut outcomes, mut experiments) = (BTreeMap::new(), BTreeMap::new());
        for row in self.rows(condition.select_outcome_counts(), &condition.values).await? {
            let (outcome, experiment, runs) =
                (read_text_column(&row, 0)?, read_text_column(&row, 1)?, count(&row, 2)?);
            facets.runs += runs;
            *outcomes.entry(outcome).or_insert(0) += runs;
            if !experiment.is_empty() {
                *experiments.entry(experiment).or_insert(0) += runs;
            }
        }
        let values =
            |map: BTreeMap<String, u64>| map.into_iter().map(|(value, runs)| FacetValue { value, runs });
        facets.outcomes = values(outcomes).collect();
        facets.experiments = values(experiments).collect();
        for row in self.rows(condition.select_facet_counts(), &condition.values).await? {
            let (kind, name) = (read_text_column(&row, 0)?, read_text_column(&row, 1)?);
            let value = FacetValue { value: read_text_column(&row, 2)?, runs: count(&row, 3)? };
            match kind.as_str() {
                "probe" => facets.probes.push(value),
                "host" => facets.hosts.push(value),
                "tag" => facets.tags.push(value),
                "factor" => match facets.factors.last_mut().filter(|f| f.name == name) {
                    Some(factor) => factor.levels.push(value),
                    None => facets.factors.push(FactorFacet { name, levels: vec![value] }),
                },
                _ => match facets.labels.last_mut().filter(|l| l.key == name) {
                    Some(label) => label.values.push(value),
                    None => facets.labels.push(LabelFacet { key: name, values: vec![value] }),
                },
            }
        }
        Ok(facets)
    }

    pub async fn find_entry(&self, id: RunId) -> Result<Option<RunIndexEntry>, IndexError> {
        let query = sqlx::query(sql::SELECT_RUN_ENTRY).bind(id.to_string());
        let row = with_error_context(SEARCHING, query.fetch_optional(self.pool()).await)?;
        row.map(|row| parse_index_entry(&read_text_column(&row, 0)?)).transpose()
    }

    /// The latest goodput and latency of each ordered pair of hosts, by name.
    pub async fn host_pair_metrics(&self) -> Result<Vec<HostPairMetric>, IndexError> {
        let mut newest: BTreeMap<(String, String, String), HostPairMetric> = BTreeMap::new();
        for row in with_error_context(
            SEARCHING,
            sqlx::query(sql::SELECT_NEWEST_HOST_PAIRS).fetch_all(self.pool()).await,
        )? {
            let (from, to, figure) =
                (read_text_column(&row, 0)?, read_text_column(&row, 1)?, read_text_column(&row, 2)?);
            let key = (from.clone(), to.clone(), figure.clone());
            let pair = HostPairMetric {
                from,
                to,
                figure,
                value: with_error_context(SEARCHING, row.try_get(3))?,
                run: run_id(&read_text_column(&row, 4)?)?,
                started: sql::from_microseconds(with_error_context(SEARCHING, row.try_get(5))?).to_string(),
            };
            newest.insert(key, pair);
        }
        Ok(newest.into_values().collect())
    }

    pub(super) async fn query_run_ids(&self, sql: &'static str) -> Result<Vec<RunId>, IndexError> {
        let rows = with_error_context(SEARCHING, sqlx::query(sql).fetch_all(self.pool()).await)?;
        rows.iter().map(|row| run_id(&read_text_column(row, 0)?)).collect()
    }

    async fn rows(&self, sql: String, values: &[SqlValue]) -> Result<Vec<AnyRow>, IndexError> {
        // Built from constants; user input is bound as values.
        let query = bound(sqlx::query(AssertSqlSafe(sql)), values);
        with_error_context(SEARCHING, query.fetch_all(self.pool()).await)
    }
}

fn bound<'q>(mut query: Query<'q, Any, AnyArguments>, values: &[SqlValue]) -> Query<'q, Any, AnyArguments> {
    for value in values {
        query = match value {
            SqlValue::Text(text) => query.bind(text.clone()),
            SqlValue::Whole(number) => query.bind(*number),
        };
    }
    query
}

pub(super) fn parse_index_entry(json: &str) -> Result<RunIndexEntry, IndexError> {
    serde_json::from_str(json).map_err(|e| IndexError::Damaged { id: "a run".into(), why: e.to_string() })
}

pub(super) fn read_text_column(row: &AnyRow, column: usize) -> Result<String, IndexError> {
    with_error_context(SEARCHING, row.try_get(column))
}

fn count(row: &AnyRow, column: usize) -> Result<u64, IndexError> {
    let number: i64 = with_error_context(SEARCHING, row.try_get(column))?;
    Ok(number.unsigned_abs())
}
