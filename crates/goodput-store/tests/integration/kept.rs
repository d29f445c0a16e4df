//! Index entries follow the folders.

use crate::runs::{id, plan};
use crate::stage::{Stage, behind, found};
use crate::{Told, must, runs};
use goodput_model::{Recorder, TrialOutcome};
use goodput_store::index::{
    Facets, HostPairMetric, Index, IndexError, IndexedRunOutcome, PruneFilter, RefreshReport, RunFilter,
    RunIndexEntry,
};
use goodput_store::{run_files, tags};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Duration;

pub async fn refreshed(stage: Stage) -> Told {
    let root = stage.root();
    plan(1).write(&root);
    let failed = TrialOutcome::Failed { cause: "x".into() };
    runs::Plan { outcomes: vec![failed], ..plan(2) }.write(&root);
    let partial = TrialOutcome::Partial { cause: "x".into() };
    let folder = runs::Plan { outcomes: vec![TrialOutcome::Complete, partial], ..plan(3) }.write(&root);
    let index = stage.index().await;
    let done = index.refresh().await?;
    must!(done.changed == [id(1), id(2), id(3)] && done.gone.is_empty(), "{done:?}");
    must!(done.trouble.is_empty(), "{done:?}");
    let card = |n| index.find_run_entry(id(n));
    let one = card(1).await?.unwrap();
    must!(one.outcome == IndexedRunOutcome::Complete && one.trials == 1, "{one:?}");
    must!(one.probes == ["stream"] && one.hosts == ["a", "b"], "{one:?}");
    let figure = one.figure.clone().unwrap();
    must!((figure.name.as_str(), figure.value) == ("goodput_bps", 1e9), "{figure:?}");
    must!(figure.unit == "bit/s" && one.started == "2026-11-21T00:01:00.5Z", "{one:?}");
    let files = run_files::list_run_files(&root.join(id(1).to_string()))?;
    let bytes: u64 = files.iter().map(|file| file.length).sum();
    must!(one.bytes == bytes && bytes > 1000, "{} of {bytes}", one.bytes);
    let two = card(2).await?.unwrap();
    must!(two.outcome == IndexedRunOutcome::Failed && two.figure.is_none(), "{two:?}");
    let three = card(3).await?.unwrap();
    must!(three.outcome == IndexedRunOutcome::Partial && three.trials == 2, "{three:?}");

    must!(!index.refresh().await?.has_changes(), "nothing has changed");
    let again = stage.index().await;
    must!(!again.refresh().await?.has_changes(), "nothing has changed for another program either");

    tags::write_tags(&folder, &["by hand".to_string()])?;
    plan(4).write(&root);
    fs::remove_dir_all(root.join(id(2).to_string()))?;
    let done = index.refresh().await?;
    let gone = if stage.is_postgres() { vec![] } else { vec![id(2)] };
    must!(done.changed == [id(3), id(4)] && done.gone == gone, "{done:?}");
    must!(card(3).await?.unwrap().tags == ["by hand"], "tags are read");
    must!(card(2).await?.is_some() == stage.is_postgres(), "run 2");
    must!(!index.refresh().await?.has_changes(), "nothing has changed since");
    Ok(())
}

pub async fn running(stage: Stage) -> Told {
    let (index, plan) = (stage.index().await, plan(1));
    let outcome = async || Ok::<_, IndexError>(index.find_run_entry(id(1)).await?.unwrap().outcome);
    let mut writer = plan.begin(index.runs_root());
    must!(index.refresh().await?.changed == [id(1)], "a run appears while it is recorded");
    must!(outcome().await? == IndexedRunOutcome::Running, "it runs");
    must!(!index.refresh().await?.has_changes(), "nothing was recorded since");
    writer.record(&plan.trial(2, TrialOutcome::Complete)).unwrap();
    must!(index.refresh().await?.changed == [id(1)], "a trial was recorded");
    must!(index.find_run_entry(id(1)).await?.unwrap().trials == 2, "two trials");
    let refused = index.remove_run(id(1)).await;
    must!(matches!(refused, Err(IndexError::Running { .. })), "{refused:?}");
    drop(writer);
    must!(index.refresh().await?.changed == [id(1)], "nothing was written, but nobody writes any more");
    must!(outcome().await? == IndexedRunOutcome::Partial, "it broke off");
    let folder = index.runs_root().join(id(1).to_string());
    goodput_store::RunWriter::open_for_append(&folder, Duration::from_secs(1)).unwrap().finish().unwrap();
    index.refresh().await?;
    must!(outcome().await? == IndexedRunOutcome::Complete, "it was ended");
    Ok(())
}

pub async fn trouble(stage: Stage) -> Told {
    let root = stage.root();
    plan(1).write(&root);
    let damaged = plan(2).write(&root);
    fs::create_dir(root.join(id(3).to_string()))?;
    let samples = fs::read_dir(damaged.join("samples"))?.next().unwrap()?.path();
    fs::write(&samples, b"GPSC")?;
    let index = stage.index().await;
    let told = |done: &RefreshReport| {
        let names = done.trouble.iter().map(|(f, _)| f.file_name().unwrap().to_string_lossy().into_owned());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    };
    let done = index.refresh().await?;
    must!(told(&done) == [id(2).to_string(), id(3).to_string()], "{done:?}");
    must!(found(&index, RunFilter::default()).await == [2, 1], "a damaged chunk hides no run");
    let again = index.refresh().await?;
    must!(!again.has_changes() && told(&again) == [id(3).to_string()], "{again:?}");
    fs::write(damaged.join("events.jsonl"), "no event\n")?;
    let broken = index.refresh().await?;
    must!(told(&broken) == [id(2).to_string(), id(3).to_string()], "{broken:?}");
    let left = found(&index, RunFilter::default()).await;
    must!(left == [2, 1], "it is shown: {left:?}");
    let outcome = index.find_run_entry(id(2)).await?.unwrap().outcome;
    // What the database was given stays.
    let expected = if stage.is_postgres() { IndexedRunOutcome::Complete } else { IndexedRunOutcome::Invalid };
    must!(outcome == expected, "{outcome:?}");
    must!(!index.refresh().await?.has_changes(), "it is not read again and again");
    must!(!stage.index().await.refresh().await?.has_changes(), "nor does it change for another program");
    if !stage.is_postgres() {
        let prune =
            |outcomes| PruneFilter { filter: RunFilter { outcomes, ..RunFilter::default() }, tagged: true };
        let prunable = index.prunable_runs(&prune(vec![])).await?;
        must!(prunable.iter().all(|card| card.id == id(1)), "it goes only by name: {prunable:?}");
        must!(
            index.prunable_runs(&prune(vec![IndexedRunOutcome::Invalid])).await?.len() == 1,
            "then it does"
        );
        must!(index.write_backup(&stage.path("backup.tar.zst")).await? == 1, "a backup holds the others");
        index.remove_run(id(2)).await?;
        must!(found(&index, RunFilter::default()).await == [1], "it can be removed");
    }
    Ok(())
}

/// One of each kind of file that a run may have instead of its own, none of which may stop the scan.
pub async fn hostile(stage: Stage) -> Told {
    let root = stage.root();
    plan(1).write(&root);
    let elsewhere = plan(9).write(&stage.path("elsewhere"));
    let [linked, piped, long, twice] = [2, 3, 4, 5].map(|n| plan(n).write(&root));
    for name in ["run.json", "events.jsonl"] {
        fs::remove_file(linked.join(name))?;
        symlink(elsewhere.join(name), linked.join(name))?;
        fs::remove_file(piped.join(name))?;
        must!(Command::new("mkfifo").arg(piped.join(name)).status()?.success(), "mkfifo");
    }
    fs::File::create(long.join("events.jsonl"))?.set_len(1 << 33)?;
    let log = fs::read_to_string(twice.join("events.jsonl"))?;
    let trial = log.lines().find(|line| line.contains("trial_finished")).unwrap();
    fs::write(twice.join("events.jsonl"), format!("{trial}\n{trial}\n"))?;
    symlink(&elsewhere, root.join(id(6).to_string()))?;
    let index = stage.index().await;
    let done = index.refresh().await?;
    must!(done.trouble.len() == 5, "{done:?}");
    must!(found(&index, RunFilter::default()).await == [6, 5, 4, 3, 2, 1], "each is shown");
    for n in 2..=6 {
        let card = index.find_run_entry(id(n)).await?.unwrap();
        must!(card.outcome == IndexedRunOutcome::Invalid, "{card:?}");
        must!(card.started.starts_with("2024-"), "by its name: {}", card.started);
    }
    must!(
        index.find_run_entry(id(1)).await?.unwrap().outcome == IndexedRunOutcome::Complete,
        "the sound one"
    );
    Ok(())
}

pub async fn two_programs(stage: Stage) -> Told {
    let (one, other) = (stage.index().await, stage.index().await);
    for n in 1..=150 {
        plan(n).write(one.runs_root());
    }
    let (a, b) = tokio::join!(one.refresh(), other.refresh());
    must!(a?.changed.len().max(b?.changed.len()) > 0, "somebody has read them");
    let all: Vec<u32> = (1..=150).rev().collect();
    must!(found(&one, RunFilter::default()).await == all, "each once");
    other.set_tags(id(7), &["x".to_string()]).await?;
    must!(!one.refresh().await?.has_changes(), "the other has told the index already");
    must!(one.find_run_entry(id(7)).await?.unwrap().tags == ["x"], "and it is seen here");
    Ok(())
}

pub async fn rebuilt(stage: Stage) -> Told {
    let index = crate::searched::index_of_runs(&stage).await;
    index.set_tags(id(3), &["kept".to_string()]).await?;
    plan(9).write(index.runs_root());
    fs::remove_dir_all(index.runs_root().join(id(1).to_string()))?;
    index.refresh().await?;
    if stage.is_postgres() {
        index.remove_run(id(1)).await?;
    }
    let before = everything(&index).await?;
    let done = index.rebuild().await?;
    must!(done.changed.len() == before.0.len(), "{done:?}");
    must!(everything(&index).await? == before, "the same as before");
    let fresh = stage.another("other").await;
    for entry in fs::read_dir(index.runs_root())?.flatten().filter(|e| e.path().is_dir()) {
        run_files::copy_run(&entry.path(), fresh.runs_root())?;
    }
    fresh.refresh().await?;
    must!(everything(&fresh).await? == before, "the same as an empty index finds");
    Ok(())
}

async fn everything(index: &Index) -> Result<(Vec<RunIndexEntry>, Facets, Vec<HostPairMetric>), IndexError> {
    let all = RunFilter::default();
    Ok((
        index.search_all_runs(&all).await?,
        index.count_facets(&all).await?,
        index.host_pair_metrics().await?,
    ))
}

pub async fn tagged(stage: Stage) -> Told {
    let index = stage.index().await;
    let folder = plan(1).write(index.runs_root());
    plan(2).write(index.runs_root());
    index.refresh().await?;
    let given = ["Größe".to_string(), "keep ".to_string(), "keep".to_string()];
    let kept = index.set_tags(id(1), &given).await?;
    must!(kept == ["Größe", "keep"], "{kept:?}");
    must!(tags::read_tags(&folder)? == kept && index.tags(id(1)).await? == kept, "in both places");
    must!(!index.refresh().await?.has_changes(), "nothing is left to find");
    let by = |tag: &str| RunFilter { tags: vec![tag.into()], ..RunFilter::default() };
    must!(found(&index, by("keep")).await == [1], "found by its tag");
    let text = |text: &str| RunFilter { text: text.into(), ..RunFilter::default() };
    must!(found(&index, text("GRÖSSE keep")).await.is_empty(), "ß is no ss");
    must!(found(&index, text("gRÖßE KEEP")).await == [1], "in capitals or not");
    index.rebuild().await?;
    must!(index.tags(id(1)).await? == kept, "a rebuild finds them");
    index.set_tags(id(1), &[]).await?;
    must!(found(&index, by("keep")).await.is_empty(), "gone from the filter");
    must!(found(&index, text("keep")).await.is_empty(), "gone from the text");
    must!(tags::read_tags(&folder)?.is_empty(), "in the folder, too");
    must!(matches!(index.set_tags(id(1), &["\n".into()]).await, Err(IndexError::Tags(_))), "refused");
    must!(matches!(index.set_tags(id(5), &[]).await, Err(IndexError::NoRun { .. })), "no such run");
    Ok(())
}

pub async fn forms(stage: Stage) -> Told {
    let index = crate::searched::index_of_runs(&stage).await;
    if stage.is_postgres() {
        fs::remove_dir_all(index.runs_root().join(id(6).to_string()))?;
        index.refresh().await?;
    }
    index.close().await;
    let older = "DROP TABLE overdue; DROP TABLE history; DROP TABLE schedule; \
                     DELETE FROM facet WHERE kind = 'factor'; DELETE FROM goodput_schema WHERE version > 1";
    behind(&stage, older).await;
    let index = stage.index().await;
    must!(found(&index, RunFilter::default()).await == [6, 5, 4, 3, 2, 1], "nothing is lost");
    let large = RunFilter { factors: vec![("mtu".into(), "9000".into())], ..RunFilter::default() };
    must!(found(&index, large.clone()).await.is_empty(), "nobody has looked for levels yet");
    let done = index.refresh().await?;
    must!(done.changed == [id(6)] && done.trouble.is_empty(), "experiments are read again: {done:?}");
    must!(found(&index, large).await == [6], "and found by their levels");
    must!(!index.refresh().await?.has_changes(), "once is enough");
    must!(index.list_schedules().await?.is_empty(), "and what is new is there");
    index.close().await;
    behind(&stage, "INSERT INTO goodput_schema (version) VALUES (1000)").await;
    let url = stage.url();
    let newer = Index::open_with_cache(Some(&url), &stage.root(), &stage.path("cache")).await;
    must!(matches!(newer, Err(IndexError::Newer { theirs: 1000, .. })), "{newer:?}");
    Ok(())
}

pub async fn refused(stage: Stage) -> Told {
    let began = std::time::Instant::now();
    let root = stage.root();
    fs::create_dir_all(&root)?;
    fs::write(root.join("no index"), "this is not a database, and long enough to be seen as none")?;
    let url = match stage.is_postgres() {
        true => stage.url().replace("goodput", "nobody"),
        false => goodput_store::index::sqlite_url(&root.join("no index")),
    };
    let refused = Index::open_with_cache(Some(&url), &root, &stage.path("cache")).await;
    let Err(IndexError::Open { source, .. }) = refused else { return Err(format!("{refused:?}").into()) };
    let why = source.to_string();
    must!(why.contains("not a database") || why.contains("\"nobody\""), "{why}");
    must!(began.elapsed().as_secs() < 5, "at once and not after {:?}", began.elapsed());
    Ok(())
}
