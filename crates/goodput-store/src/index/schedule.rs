//! Schedules and their histories in the index. They follow from no run folder, so a rebuild keeps them and a
//! backup includes them.

use super::error::{DatabaseFutureExt, IndexError};
use super::{Index, run_id, sql};
use goodput_model::RunId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

const DOING: &str = "cannot read or write schedules";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduleHistoryRow {
    pub at: Timestamp,
    /// `None` if no run was recorded.
    pub run: Option<RunId>,
    pub document: Value,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScheduleBackup {
    pub schedules: BTreeMap<String, Value>,
    pub history: BTreeMap<String, Vec<ScheduleHistoryRow>>,
}

impl Index {
    pub async fn list_schedules(&self) -> Result<Vec<(String, Value)>, IndexError> {
        let query = sqlx::query_as::<_, (String, String)>(sql::SELECT_SCHEDULES);
        let rows = query.fetch_all(self.pool()).context(DOING).await?;
        let parsed = |(id, json): (String, String)| document(&id, &json).map(|schedule| (id, schedule));
        rows.into_iter().map(parsed).collect()
    }

    pub async fn get_schedule(&self, id: &str) -> Result<Option<Value>, IndexError> {
        let query = sqlx::query_scalar::<_, String>(sql::SELECT_SCHEDULE).bind(id.to_string());
        let json = query.fetch_optional(self.pool()).context(DOING).await?;
        json.map(|json| document(id, &json)).transpose()
    }

    pub async fn save_schedule(&self, id: &str, schedule: &Value) -> Result<(), IndexError> {
        let now = Timestamp::now().as_microsecond();
        let query =
            sqlx::query(sql::UPSERT_SCHEDULE).bind(id.to_string()).bind(now).bind(schedule.to_string());
        query.execute(self.pool()).context(DOING).await.map(|_| ())
    }

    pub async fn delete_schedule(&self, id: &str) -> Result<bool, IndexError> {
        let mut tx = self.pool().begin_with(self.database_kind().begin()).context(DOING).await?;
        let mut removed = 0;
        for statement in [sql::DELETE_SCHEDULE_HISTORY, sql::DELETE_SCHEDULE] {
            let done = sqlx::query(statement).bind(id.to_string()).execute(&mut *tx).context(DOING).await?;
            removed = done.rows_affected();
        }
        tx.commit().context(DOING).await?;
        Ok(removed > 0)
    }

    pub async fn append_schedule_history(
        &self,
        schedule: &str,
        row: &ScheduleHistoryRow,
    ) -> Result<(), IndexError> {
        let query = sqlx::query(sql::INSERT_SCHEDULE_HISTORY)
            .bind(schedule.to_string())
            .bind(row.at.as_microsecond())
            .bind(row.run.map_or_else(String::new, |id| id.to_string()))
            .bind(row.document.to_string())
            .bind(schedule.to_string());
        query.execute(self.pool()).context(DOING).await.map(|_| ())
    }

    /// The last rows, oldest first; times in µs.
    pub async fn schedule_history(
        &self,
        schedule: &str,
        most: u32,
    ) -> Result<Vec<ScheduleHistoryRow>, IndexError> {
        let query = sqlx::query_as::<_, (i64, String, String)>(sql::SELECT_SCHEDULE_HISTORY)
            .bind(schedule.to_string())
            .bind(i64::from(most));
        let rows = query.fetch_all(self.pool()).context(DOING).await?;
        let parsed = |(at, run, json): (i64, String, String)| {
            Ok(ScheduleHistoryRow {
                at: sql::timestamp_from_microseconds(at),
                run: if run.is_empty() { None } else { Some(run_id(&run)?) },
                document: document(schedule, &json)?,
            })
        };
        rows.into_iter().rev().map(parsed).collect()
    }

    pub async fn export_schedules(&self) -> Result<ScheduleBackup, IndexError> {
        let mut all = ScheduleBackup::default();
        for (id, schedule) in self.list_schedules().await? {
            all.history.insert(id.clone(), self.schedule_history(&id, u32::MAX).await?);
            all.schedules.insert(id, schedule);
        }
        Ok(all)
    }

    /// Imports schedules of a backup except existing ones; returns their number.
    pub async fn import_schedules(&self, all: &ScheduleBackup) -> Result<u64, IndexError> {
        let mut taken = 0;
        for (id, schedule) in &all.schedules {
            if self.get_schedule(id).await?.is_some() {
                continue;
            }
            self.save_schedule(id, schedule).await?;
            for row in all.history.get(id).into_iter().flatten() {
                self.append_schedule_history(id, row).await?;
            }
            taken += 1;
        }
        Ok(taken)
    }
}

fn document(id: &str, json: &str) -> Result<Value, IndexError> {
    let damaged =
        |e: serde_json::Error| IndexError::Damaged { id: id.to_string(), why: e.to_string().into() };
    serde_json::from_str(json).map_err(damaged)
}
