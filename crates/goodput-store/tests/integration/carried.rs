//! Transfers of runs.

use crate::runs::{Plan, id, plan};
use crate::stage::{Stage, found};
use crate::{Told, must};
use goodput_store::index::{IndexError, PruneFilter, RunFilter, ScheduleHistoryRow};
use goodput_store::run_files::{TransferError, file_digests};
use serde_json::json;
use std::fs;

pub async fn moved(stage: Stage) -> Told {
    let here = stage.index().await;
    let complete = vec![goodput_model::TrialOutcome::Complete; 3];
    let folder = Plan { outcomes: complete, ..plan(1) }.write(here.runs_root());
    here.refresh().await?;
    here.set_tags(id(1), &["x".into()]).await?;
    let (before, run) = (file_digests(&folder)?, goodput_store::read_run(&folder)?);
    let there = stage.another("there").await;
    here.move_run(&there, id(1), true).await?;
    must!(found(&here, RunFilter::default()).await == [1], "a copy was asked for");
    here.move_run(&there, id(1), false).await?;
    must!(found(&here, RunFilter::default()).await.is_empty() && !folder.exists(), "gone here");
    must!(!here.refresh().await?.has_changes(), "and nothing is left to notice");
    must!(found(&there, RunFilter::default()).await == [1], "and there");
    must!(there.tags(id(1)).await? == ["x"] && there.verify_run_files(id(1)).await? == before, "as it was");
    let laid_out = there.fetch_run_folder(id(1)).await?;
    must!(goodput_store::read_run(&laid_out)? == run, "to the last sample");
    must!(!there.refresh().await?.has_changes(), "a look there finds nothing new");
    there.move_run(&here, id(1), false).await?;
    must!(here.verify_run_files(id(1)).await? == before, "and back");
    must!(found(&there, RunFilter::default()).await.is_empty(), "gone there");
    let nobody = there.move_run(&here, id(9), false).await;
    must!(matches!(nobody, Err(IndexError::NoRun { .. })), "{nobody:?}");

    let forged = Plan { bytes: 7, ..plan(1) }.write(&stage.path("forged"));
    let refused = here.import_run(&forged).await;
    let differs = matches!(&refused, Err(IndexError::Transfer(TransferError::Differs { name, .. })) if name == "events.jsonl");
    must!(differs, "{refused:?}");
    Ok(())
}

pub async fn pruned(stage: Stage) -> Told {
    let index = stage.index().await;
    for n in 1..=3 {
        plan(n).write(index.runs_root());
    }
    let writer = plan(4).begin(index.runs_root());
    index.refresh().await?;
    index.set_tags(id(2), &["keep".into()]).await?;
    let numbers = async |tagged| {
        let filter = PruneFilter { filter: RunFilter::default(), tagged };
        let cards = index.prunable_runs(&filter).await.unwrap();
        cards.iter().map(|c| crate::runs::number(c.id)).collect::<Vec<_>>()
    };
    must!(numbers(false).await == [3, 1], "neither the tagged nor the running one");
    must!(numbers(true).await == [3, 2, 1], "the tagged one when asked for");
    index.remove_run(id(1)).await?;
    must!(!index.runs_root().join(id(1).to_string()).exists(), "its folder is gone");
    must!(!index.refresh().await?.has_changes(), "nothing is left of it");
    must!(found(&index, RunFilter::default()).await == [4, 3, 2], "the others are there");
    let left: Vec<_> = fs::read_dir(index.runs_root())?.flatten().map(|e| e.file_name()).collect();
    must!(!left.iter().any(|name| name.to_string_lossy().ends_with(".gone")), "{left:?}");
    drop(writer);
    Ok(())
}

pub async fn backed_up(stage: Stage) -> Told {
    let index = crate::searched::index_of_runs(&stage).await;
    index.set_tags(id(2), &["keep".into()]).await?;
    index.save_schedule("night", &json!({ "every": 1 })).await?;
    let (at, run) = (jiff::Timestamp::UNIX_EPOCH, Some(id(2)));
    let row = ScheduleHistoryRow { at, run, document: json!(4) };
    index.append_schedule_history("night", &row).await?;
    let file = stage.path("backup.tar.zst");
    must!(index.write_backup(&file).await? == 6, "six runs");

    let other = stage.another("other").await;
    let restored = other.restore_backup(&file).await?;
    must!(restored.runs.len() == 6 && restored.damaged.is_empty(), "{restored:?}");
    must!(restored.schedules == 1, "{restored:?}");
    let all = RunFilter::default();
    must!(other.search_all_runs(&all).await? == index.search_all_runs(&all).await?, "the same runs and tags");
    must!(other.get_schedule("night").await? == Some(json!({ "every": 1 })), "the schedule");
    must!(other.schedule_history("night", 9).await? == [row], "its history");
    for n in 1..=6 {
        must!(other.verify_run_files(id(n)).await? == index.verify_run_files(id(n)).await?, "run {n}");
    }
    let again = other.restore_backup(&file).await?;
    must!(again.runs.len() == 6 && again.schedules == 0, "twice is as good as once: {again:?}");
    let left: Vec<_> = fs::read_dir(other.runs_root())?.flatten().map(|e| e.file_name()).collect();
    must!(!left.iter().any(|name| name.to_string_lossy().starts_with('.')), "{left:?}");

    let one = stage.path("one.tar.zst");
    fs::write(&one, goodput_store::archive::archive_run(&index.fetch_run_folder(id(1)).await?)?)?;
    let third = stage.another("third").await;
    must!(third.restore_backup(&one).await?.runs == [id(1)], "one run");
    fs::write(&one, b"no archive")?;
    let refused = third.restore_backup(&one).await;
    must!(matches!(refused, Err(IndexError::Archive(_))), "{refused:?}");
    Ok(())
}
