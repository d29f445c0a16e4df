//! Searches runs.

use super::error::{DatabaseFutureExt, IndexError};
use super::filter::{FacetValue, Facets, FactorFacet, LabelFacet, RunFilter};
use super::run_card::{HostPairMetric, RunIndexEntry};
use super::sql::{self, SqlValue, WhereClause};
use super::{Index, run_id};
use goodput_model::RunId;
use sqlx::any::AnyRow;
use sqlx::{Any, AssertSqlSafe, FromRow};
use std::collections::BTreeMap;

const SEARCHING: &str = "cannot search the run index";

impl Index {
    pub async fn search_run_page(
        &self,
        filter: &RunFilter,
    ) -> Result<(Vec<RunIndexEntry>, Option<RunId>), IndexError> {
        let page = filter.page_size() as usize;
        let (sql, values) = WhereClause::from_filter(filter, true).select_page(page as i64 + 1);
        let rows: Vec<(String,)> = self.rows(sql, &values).await?;
        let mut cards = rows.iter().map(|(card,)| parse_index_entry(card)).collect::<Result<Vec<_>, _>>()?;
        let more = cards.len() > page;
        cards.truncate(page);
        let next = cards.last().filter(|_| more).map(|card| card.id);
        Ok((cards, next))
    }

    pub async fn search_all_runs(&self, filter: &RunFilter) -> Result<Vec<RunIndexEntry>, IndexError> {
        let mut page = RunFilter { after: None, limit: Some(RunFilter::MAX_PAGE_SIZE), ..filter.clone() };
        let mut found = Vec::new();
        loop {
            let (cards, next) = self.search_run_page(&page).await?;
            found.extend(cards);
            match next {
                Some(cursor) => page.after = Some(cursor),
                None => return Ok(found),
            }
        }
    }

    /// The filter values of matching runs with their counts, ignoring the position.
    pub async fn count_facets(&self, filter: &RunFilter) -> Result<Facets, IndexError> {
        let condition = WhereClause::from_filter(filter, false);
        let mut facets = Facets::default();
        let (mut outcomes, mut experiments) = (BTreeMap::new(), BTreeMap::new());
        let counts: Vec<(String, String, i64)> =
            self.rows(condition.select_outcome_counts(), &condition.values).await?;
        for (outcome, experiment, runs) in counts {
            let runs = runs.unsigned_abs();
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
        let counts: Vec<(String, String, String, i64)> =
            self.rows(condition.select_facet_counts(), &condition.values).await?;
        for (kind, name, value, runs) in counts {
            let value = FacetValue { value, runs: runs.unsigned_abs() };
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

    pub async fn find_run_entry(&self, id: RunId) -> Result<Option<RunIndexEntry>, IndexError> {
        let query = sqlx::query_scalar::<_, String>(sql::SELECT_RUN_ENTRY).bind(id.to_string());
        let card = query.fetch_optional(self.pool()).context(SEARCHING).await?;
        card.map(|card| parse_index_entry(&card)).transpose()
    }

    /// The latest goodput and latency of each ordered pair of hosts, by name.
    pub async fn host_pair_metrics(&self) -> Result<Vec<HostPairMetric>, IndexError> {
        let mut newest: BTreeMap<(String, String, String), HostPairMetric> = BTreeMap::new();
        let query = sqlx::query_as::<_, (String, String, String, f64, String, i64)>(
            sql::SELECT_LATEST_HOST_PAIR_METRICS,
        );
        let rows = query.fetch_all(self.pool()).context(SEARCHING).await?;
        for (from, to, figure, value, run, started) in rows {
            let key = (from.clone(), to.clone(), figure.clone());
            let (run, started) = (run_id(&run)?, sql::timestamp_from_microseconds(started).to_string());
            newest.insert(key, HostPairMetric { from, to, figure, value, run, started });
        }
        Ok(newest.into_values().collect())
    }

    pub(super) async fn query_run_ids(&self, sql: &'static str) -> Result<Vec<RunId>, IndexError> {
        let query = sqlx::query_scalar::<_, String>(sql);
        let ids = query.fetch_all(self.pool()).context(SEARCHING).await?;
        ids.iter().map(|id| run_id(id)).collect()
    }

    async fn rows<T>(&self, sql: String, values: &[SqlValue]) -> Result<Vec<T>, IndexError>
    where
        T: for<'r> FromRow<'r, AnyRow> + Send + Unpin,
    {
        // Built from constants; user input is bound as values.
        let mut query = sqlx::query_as::<Any, T>(AssertSqlSafe(sql));
        for value in values {
            query = match value {
                SqlValue::Text(text) => query.bind(text.clone()),
                SqlValue::Whole(number) => query.bind(*number),
            };
        }
        query.fetch_all(self.pool()).context(SEARCHING).await
    }
}

pub(super) fn parse_index_entry(json: &str) -> Result<RunIndexEntry, IndexError> {
    let damaged =
        |e: serde_json::Error| IndexError::Damaged { id: "a run".into(), why: e.to_string().into() };
    serde_json::from_str(json).map_err(damaged)
}
