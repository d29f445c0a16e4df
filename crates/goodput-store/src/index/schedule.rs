//! Schedules and their histories in the index. They follow from no run folder, so a rebuild keeps them and a
//! backup includes them.

use super::error::{IndexError, at};
use super::search::text;
use super::{Index, run_id, sql};
use goodput_model::RunId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::Row;
use std::collections::BTreeMap;

const DOING: &str = "cannot read or write schedules";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryRow {
    pub at: Timestamp,
    /// `None` if no run was recorded.
    pub run: Option<RunId>,
    pub document: Value,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Schedules {
    pub schedules: BTreeMap<String, Value>,
    pub history: BTreeMap<String, Vec<HistoryRow>>,
}

impl Index {
    pub async fn schedules(&self) -> Result<Vec<(String, Value)>, IndexError> {
        let rows = at(DOING, sqlx::query(sql::SCHEDULES).fetch_all(self.pool()).await)?;
        rows.iter()
            .map(|row| {
                let id = text(row, 0)?;
                Ok((id.clone(), document(&id, &text(row, 1)?)?))
            })
            .collect()
    }

    pub async fn schedule(&self, id: &str) -> Result<Option<Value>, IndexError> {
        let query = sqlx::query(sql::SCHEDULE).bind(id.to_string());
        let row = at(DOING, query.fetch_optional(self.pool()).await)?;
        row.map(|row| document(id, &text(&row, 0)?)).transpose()
    }

    pub async fn put_schedule(&self, id: &str, schedule: &Value) -> Result<(), IndexError> {
        let now = sql::microseconds(Timestamp::now());
        let query = sqlx::query(sql::PUT_SCHEDULE).bind(id.to_string()).bind(now).bind(schedule.to_string());
        at(DOING, query.execute(self.pool()).await).map(|_| ())
    }

    pub async fn delete_schedule(&self, id: &str) -> Result<bool, IndexError> {
        let mut tx = at(DOING, self.pool().begin_with(self.kind().begin()).await)?;
        at(DOING, sqlx::query(sql::DROP_HISTORY).bind(id.to_string()).execute(&mut *tx).await)?;
        let done = at(DOING, sqlx::query(sql::DROP_SCHEDULE).bind(id.to_string()).execute(&mut *tx).await)?;
        at(DOING, tx.commit().await)?;
        Ok(done.rows_affected() > 0)
    }

    pub async fn add_history(&self, schedule: &str, row: &HistoryRow) -> Result<(), IndexError> {
        let query = sqlx::query(sql::ADD_HISTORY)
            .bind(schedule.to_string())
            .bind(sql::microseconds(row.at))
            .bind(row.run.map_or_else(String::new, |id| id.to_string()))
            .bind(row.document.to_string())
            .bind(schedule.to_string());
        at(DOING, query.execute(self.pool()).await).map(|_| ())
    }

    /// The last rows, oldest first; times in µs.
    pub async fn history(&self, schedule: &str, most: u32) -> Result<Vec<HistoryRow>, IndexError> {
        let query = sqlx::query(sql::HISTORY).bind(schedule.to_string()).bind(i64::from(most));
        let mut rows = at(DOING, query.fetch_all(self.pool()).await)?;
        rows.reverse();
        rows.iter()
            .map(|row| {
                let run = text(row, 1)?;
                Ok(HistoryRow {
                    at: sql::timestamp(at(DOING, row.try_get(0))?),
                    run: if run.is_empty() { None } else { Some(run_id(&run)?) },
                    document: document(schedule, &text(row, 2)?)?,
                })
            })
            .collect()
    }

    pub async fn all_schedules(&self) -> Result<Schedules, IndexError> {
        let mut all = Schedules::default();
        for (id, schedule) in self.schedules().await? {
            all.history.insert(id.clone(), self.history(&id, u32::MAX).await?);
            all.schedules.insert(id, schedule);
        }
        Ok(all)
    }

    /// Imports schedules of a backup except existing ones; returns their number.
    pub async fn take_schedules(&self, all: &Schedules) -> Result<u64, IndexError> {
        let mut taken = 0;
        for (id, schedule) in &all.schedules {
            if self.schedule(id).await?.is_some() {
                continue;
            }
            self.put_schedule(id, schedule).await?;
            for row in all.history.get(id).into_iter().flatten() {
                self.add_history(id, row).await?;
            }
            taken += 1;
        }
        Ok(taken)
    }
}

fn document(id: &str, json: &str) -> Result<Value, IndexError> {
    serde_json::from_str(json).map_err(|e| IndexError::Damaged { id: id.to_string(), why: e.to_string() })
}
