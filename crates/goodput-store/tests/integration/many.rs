//! Lists of thousands of runs are fast; `make prove` has ten thousand.

use crate::runs::{Plan, id, plan};
use crate::stage::Stage;
use crate::{Told, must};
use goodput_model::{Event, TrialOutcome};
use goodput_store::index::{Index, RunFilter};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

fn runs() -> u32 {
    if std::env::var_os("GOODPUT_PROVE").is_some_and(|v| v == "1") { 10_000 } else { 5_000 }
}

/// The page's share of its second until it shows something. Applies to debug builds too.
const FAST: Duration = Duration::from_millis(100);

pub async fn thousands(stage: Stage) -> Told {
    let runs = runs();
    let index = stage.index().await;
    for n in 1..=runs {
        write(&plan(n), index.runs_root());
    }
    let began = Instant::now();
    let done = index.refresh().await?;
    must!(done.changed.len() == runs as usize, "{} runs", done.changed.len());
    println!("read for the first time: {:?}", began.elapsed());
    for n in (1..=runs).step_by(runs as usize / 10) {
        index.set_tags(id(n), &["rare".into()]).await?;
    }
    index.refresh().await?;
    let text = |text: &str| RunFilter { text: text.into(), ..RunFilter::default() };
    timed("the first page", &index, RunFilter::default(), 50).await?;
    timed("a word in every hundredth", &index, text("room=17"), 50).await?;
    timed("a word in none", &index, text("nowhere"), 0).await?;
    timed("a rare tag", &index, RunFilter { tags: vec!["rare".into()], ..text("") }, 10).await?;
    let label = ("room".to_string(), "3".to_string());
    timed("a label", &index, RunFilter { labels: vec![label], ..text("") }, 50).await?;
    let last = RunFilter { after: Some(id(40)), ..text("") };
    timed("the last page", &index, last, 39).await?;
    must!(!index.refresh().await?.has_changes(), "nothing has changed");
    let facets = index.count_facets(&RunFilter::default()).await?;
    must!(facets.runs == u64::from(runs) && facets.labels[0].values.len() == 100, "{}", facets.runs);
    Ok(())
}

/// The minimum, since other load only adds.
async fn timed(what: &str, index: &Index, filter: RunFilter, runs: usize) -> Told {
    let mut fastest = Duration::MAX;
    for _ in 0..11 {
        let began = Instant::now();
        let (cards, _) = index.search_run_page(&filter).await?;
        fastest = fastest.min(began.elapsed());
        must!(cards.len() == runs, "{what}: {} runs", cards.len());
    }
    must!(fastest < FAST, "{what} takes {fastest:?}");
    Ok(())
}

/// The writer's folder without fsync, which would take a minute.
fn write(plan: &Plan, root: &Path) {
    let folder = root.join(id(plan.n).to_string());
    fs::create_dir(&folder).unwrap();
    let mut head = plan.head();
    head.labels.insert("room".into(), (plan.n % 100).to_string());
    fs::write(folder.join("run.json"), serde_json::to_vec(&head).unwrap()).unwrap();
    let mut trial = plan.trial(1, TrialOutcome::Complete);
    trial.ends.iter_mut().for_each(|end| end.series.clear());
    let event = Event::TrialFinished { series: vec![vec![]; trial.ends.len()], trial: Box::new(trial) };
    let log = [serde_json::to_string(&event).unwrap(), serde_json::to_string(&Event::RunFinished).unwrap()];
    fs::write(folder.join("events.jsonl"), format!("{}\n{}\n", log[0], log[1])).unwrap();
}
