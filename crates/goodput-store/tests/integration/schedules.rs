//! Schedules and their histories.

use crate::runs::id;
use crate::stage::Stage;
use crate::{Told, must};
use goodput_store::index::ScheduleHistoryRow;
use serde_json::json;

pub async fn kept(stage: Stage) -> Told {
    let index = stage.index().await;
    must!(index.list_schedules().await?.is_empty(), "none yet");
    must!(index.get_schedule("night").await?.is_none(), "none yet");
    let night = json!({ "line": ["stream", "größe"], "every_s": 3600, "half": 0.1 });
    index.save_schedule("night", &json!(1)).await?;
    index.save_schedule("night", &night).await?;
    index.save_schedule("day", &json!(null)).await?;
    must!(index.get_schedule("night").await? == Some(night.clone()), "the last one counts");
    let names: Vec<_> = index.list_schedules().await?.into_iter().map(|(name, _)| name).collect();
    must!(names == ["day", "night"], "{names:?}");
    let row = |n: i64| ScheduleHistoryRow {
        at: jiff::Timestamp::from_microsecond(1_700_000_000_000_000 + n).unwrap(),
        run: (n % 2 == 0).then(|| id(n as u32)),
        document: json!({ "value": n }),
    };
    for n in 0..10 {
        index.append_schedule_history("night", &row(n)).await?;
        index.append_schedule_history("day", &row(n + 100)).await?;
    }
    for (most, first) in [(100, 0), (3, 7)] {
        let rows: Vec<_> = (first..10).map(row).collect();
        must!(index.schedule_history("night", most).await? == rows, "the last {most} in order");
    }
    index.rebuild().await?;
    must!(index.delete_schedule("night").await? && !index.delete_schedule("night").await?, "once");
    must!(index.schedule_history("night", 9).await?.is_empty(), "its history is gone with it");
    must!(index.schedule_history("day", 100).await?.len() == 10, "the other's is not, nor by a rebuild");
    Ok(())
}
