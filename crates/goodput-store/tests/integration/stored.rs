//! Runs stored in the database.

use crate::runs::{Plan, id, plan};
use crate::stage::{Stage, behind, found};
use crate::{Told, must};
use goodput_model::{Recorder, Series, TrialOutcome};
use goodput_store::RunWriter;
use goodput_store::index::{IndexError, RunFilter};
use goodput_store::run_files::file_digests;
use std::fs;

fn large(stage: &Stage) -> std::path::PathBuf {
    let mut trial = plan(1).trial(1, TrialOutcome::Complete);
    let mut random = 1u64;
    let noise = (0..600_000)
        .map(|_| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 20) as i64
        })
        .collect();
    trial.ends[1].series.push(Series::new("noise", vec![("value_ns", noise)]));
    let mut writer = RunWriter::create(&stage.root(), plan(1).head()).unwrap();
    writer.record(&trial).unwrap();
    writer.finish().unwrap();
    writer.folder().to_path_buf()
}

pub async fn laid_out(stage: Stage) -> Told {
    let folder = large(&stage);
    let index = stage.index().await;
    index.refresh().await?;
    must!(index.fetch_run_folder(id(1)).await? == fs::canonicalize(&folder)?, "its own folder");
    let (before, run) = (file_digests(&folder)?, goodput_store::read_run(&folder)?);
    must!(before.iter().any(|d| d.length > 2 << 20), "{before:?}");
    fs::remove_dir_all(&folder)?;
    must!(!index.refresh().await?.has_changes(), "the database has it");
    let out = index.fetch_run_folder(id(1)).await?;
    must!(out.starts_with(stage.path("cache")), "{}", out.display());
    must!(file_digests(&out)? == before && goodput_store::read_run(&out)? == run, "to the last sample");
    let marked = out.join("mark");
    fs::write(&marked, "")?;
    must!(index.fetch_run_folder(id(1)).await? == out && marked.exists(), "laid out once");
    index.set_tags(id(1), &["new".into()]).await?;
    must!(index.fetch_run_folder(id(1)).await? == out && !marked.exists(), "laid out again");
    must!(goodput_store::tags::read_tags(&out)? == ["new"], "with its tags");
    index.rebuild().await?;
    must!(found(&index, RunFilter::default()).await == [1], "a rebuild reads it from the database");
    must!(index.tags(id(1)).await? == ["new"], "with its tags");
    index.remove_run(id(1)).await?;
    must!(!out.exists(), "nothing is left");
    must!(matches!(index.fetch_run_folder(id(1)).await, Err(IndexError::NoRun { .. })), "nowhere");
    Ok(())
}

pub async fn changed(stage: Stage) -> Told {
    let index = stage.index().await;
    let folder = plan(1).write(index.runs_root());
    index.refresh().await?;
    fs::remove_dir_all(&folder)?;
    index.refresh().await?;
    behind(&stage, "UPDATE part SET data = 'x' WHERE name LIKE 'samples/%'").await;
    let refused = index.fetch_run_folder(id(1)).await;
    must!(matches!(refused, Err(IndexError::Damaged { .. })), "{refused:?}");
    let refused = index.verify_run_files(id(1)).await;
    must!(matches!(refused, Err(IndexError::Damaged { .. })), "by its digest as well: {refused:?}");
    let left = fs::read_dir(stage.path("cache"))?.count();
    must!(left == 0, "{left} things in the cache");
    Ok(())
}

pub async fn two_machines(stage: Stage) -> Told {
    let (here, there) = (stage.index().await, stage.index_of(&stage.path("there")).await);
    plan(1).write(here.runs_root());
    plan(2).write(there.runs_root());
    Plan { bytes: 9, ..plan(3) }.write(here.runs_root());
    Plan { bytes: 9, ..plan(3) }.write(there.runs_root());
    let running = plan(4).begin(there.runs_root());
    here.refresh().await?;
    there.refresh().await?;
    must!(found(&here, RunFilter::default()).await == [4, 3, 2, 1], "everybody sees all");
    let (ours, theirs) = (here.refresh().await?, there.refresh().await?);
    must!(!ours.has_changes() && !theirs.has_changes(), "nobody takes from the other");
    let read = goodput_store::read_run(&here.fetch_run_folder(id(2)).await?)?;
    must!(read.head == plan(2).head(), "the other's run is read here");
    let elsewhere = here.fetch_run_folder(id(4)).await;
    must!(matches!(elsewhere, Err(IndexError::Elsewhere { .. })), "{elsewhere:?}");
    drop(running);
    must!(!here.refresh().await?.has_changes(), "only its own machine can tell that it broke off");
    must!(there.refresh().await?.changed == [id(4)], "which it does");
    must!(here.fetch_run_folder(id(4)).await.is_ok(), "then it is for all");

    there.set_tags(id(1), &["far".into()]).await?;
    must!(here.refresh().await?.changed == [id(1)], "the other has tagged a run of ours");
    let folder = here.runs_root().join(id(1).to_string());
    must!(goodput_store::tags::read_tags(&folder)? == ["far"], "its folder has it, and so a backup");
    let (ours, theirs) = (here.refresh().await?, there.refresh().await?);
    must!(!ours.has_changes() && !theirs.has_changes(), "that is no news");
    here.rebuild().await?;
    must!(there.tags(id(1)).await? == ["far"], "and reading it again does not take it away");
    Ok(())
}
