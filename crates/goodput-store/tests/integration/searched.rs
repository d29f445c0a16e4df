//! Searches of runs.

use crate::runs::{Plan, id, plan};
use crate::stage::{Stage, found};
use crate::stored_run::sample;
use crate::{Told, must};
use goodput_model::experiment::Experiment;
use goodput_model::experiment::execution_record::{CellExecution, ExperimentStep};
use goodput_model::{Event, Recorder, TrialOutcome};
use goodput_store::RunWriter;
use goodput_store::index::{Index, IndexedRunOutcome, RunFilter};
use std::path::Path;

const X520: &[(&str, &str)] = &[("card", "x520"), ("room", "1")];
const X710: &[(&str, &str)] = &[("card", "x710")];

/// They differ in everything that can be searched.
pub fn runs(root: &Path) {
    let outcomes = vec![TrialOutcome::Failed { cause: "refused".into() }];
    Plan { labels: X520, ..plan(1) }.write(root);
    Plan { labels: X710, bytes: 250_000_000, ..plan(2) }.write(root);
    Plan { labels: X520, outcomes, ..plan(3) }.write(root);
    Plan { hosts: ["c", "a"], request: true, ..plan(4) }.write(root);
    Plan { hosts: ["b", "a"], labels: X710, ..plan(5) }.write(root);
    let mut writer = RunWriter::create(root, plan(6).head()).unwrap();
    let steps = sample::steps();
    let ExperimentStep::Declared { experiment, .. } = &steps[0] else { unreachable!() };
    let (name, title) = ("jumbo".into(), "Jumbo frames, ja 100%".into());
    let experiment = Box::new(Experiment { name, title, ..Experiment::clone(experiment) });
    let declared = ExperimentStep::Declared { experiment, text: String::new() };
    for step in [declared, cell_begun(1, "1500"), cell_begun(2, "9000")] {
        writer.append_event(&Event::Experiment { step }).unwrap();
    }
    writer.record(&plan(6).trial(1, TrialOutcome::Complete)).unwrap();
    writer.finish().unwrap();
}

fn cell_begun(number: u32, mtu: &str) -> ExperimentStep {
    let levels = [("mtu", mtu), ("card", "x520")].map(|(f, l)| (f.to_string(), l.to_string())).into();
    let cell = CellExecution { number, block: 1, levels, probe: "tcp".into() };
    ExperimentStep::CellStarted { cell, at: "2026-11-21T00:06:01Z".into() }
}

pub async fn index_of_runs(stage: &Stage) -> Index {
    let index = stage.index().await;
    runs(index.runs_root());
    index.refresh().await.unwrap();
    index
}

pub async fn by_each_part(stage: Stage) -> Told {
    let index = index_of_runs(&stage).await;
    index.set_tags(id(2), &["before".into(), "keep".into()]).await?;
    let any = RunFilter::default;
    let every: &[u32] = &[6, 5, 4, 3, 2, 1];
    let text = |t: &str| RunFilter { text: t.into(), ..any() };
    let words = |w: &[&str]| w.iter().map(|w| w.to_string()).collect::<Vec<_>>();
    let labels = |l: &[(&str, &str)]| l.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let time = |t: &str| Some(t.parse::<jiff::Timestamp>().unwrap());
    let everything = RunFilter {
        text: "stream x710".into(),
        probes: words(&["stream"]),
        hosts: words(&["b"]),
        labels: labels(X710),
        tags: words(&["keep"]),
        since: time("2026-11-21T00:00:00Z"),
        until: time("2026-11-22T00:00:00Z"),
        outcomes: vec![IndexedRunOutcome::Complete, IndexedRunOutcome::Partial],
        ..any()
    };
    let wanted: &[(&str, RunFilter, &[u32])] = &[
        ("all", any(), every),
        ("a word", text("X520"), &[3, 1]),
        ("two words", text("x520  room=1"), &[3, 1]),
        ("no wild cards", text("%"), every),
        ("an underscore is one", text("x_20"), &[]),
        ("of the command", text("größe \"x"), every),
        ("the end of a name", text("000000000004"), &[4]),
        ("of the experiment's title", text("jumbo 100%"), &[6]),
        ("a quote that is none of SQL's", text("' OR 1=1 --"), &[]),
        ("a probe", RunFilter { probes: words(&["request"]), ..any() }, &[4]),
        ("one of two probes", RunFilter { probes: words(&["request", "stream"]), ..any() }, every),
        ("a host", RunFilter { hosts: words(&["c"]), ..any() }, &[4]),
        ("each of two hosts", RunFilter { hosts: words(&["a", "b"]), ..any() }, &[6, 5, 2, 1]),
        ("a label", RunFilter { labels: labels(X710), ..any() }, &[5, 2]),
        ("two labels", RunFilter { labels: labels(X520), ..any() }, &[3, 1]),
        ("a label of another key", RunFilter { labels: labels(&[("room", "x520")]), ..any() }, &[]),
        ("a level", RunFilter { factors: labels(&[("mtu", "9000")]), ..any() }, &[6]),
        ("two levels", RunFilter { factors: labels(&[("mtu", "1500"), ("card", "x520")]), ..any() }, &[6]),
        ("a level nobody measured at", RunFilter { factors: labels(X710), ..any() }, &[]),
        ("a level of another factor", RunFilter { factors: labels(&[("mtu", "x520")]), ..any() }, &[]),
        ("a tag", RunFilter { tags: words(&["before"]), ..any() }, &[2]),
        ("two tags", RunFilter { tags: words(&["before", "after"]), ..any() }, &[]),
        ("an experiment", RunFilter { experiment: Some("jumbo".into()), ..any() }, &[6]),
        ("since", RunFilter { since: time("2026-11-21T00:05:00.5Z"), ..any() }, &[6, 5]),
        ("until", RunFilter { until: time("2026-11-21T00:02:00.5Z"), ..any() }, &[1]),
        ("an outcome", RunFilter { outcomes: vec![IndexedRunOutcome::Failed], ..any() }, &[3]),
        ("all of it", everything, &[2]),
    ];
    for (what, filter, runs) in wanted {
        let got = found(&index, filter.clone()).await;
        must!(got == *runs, "{what}: {got:?} and not {runs:?}");
    }
    let six = index.find_run_entry(id(6)).await?.unwrap();
    must!(six.experiment.as_deref() == Some("jumbo") && six.figure.is_none(), "{six:?}");
    Ok(())
}

pub async fn pages(stage: Stage) -> Told {
    let index = stage.index().await;
    for n in 1..=25 {
        Plan { request: n % 2 == 0, ..plan(n) }.write(index.runs_root());
    }
    index.refresh().await?;
    let mut filter = RunFilter { probes: vec!["stream".into()], limit: Some(5), ..RunFilter::default() };
    let (mut seen, mut pages) = (Vec::new(), 0);
    loop {
        let (cards, next) = index.search_run_page(&filter).await?;
        seen.extend(cards.iter().map(|c| crate::runs::number(c.id)));
        pages += 1;
        // Newer runs do not shift the pages.
        plan(100 + pages).write(index.runs_root());
        index.refresh().await?;
        match next {
            Some(cursor) => filter.after = Some(cursor),
            None => break,
        }
    }
    let odd: Vec<u32> = (1..=25).rev().filter(|n| n % 2 == 1).collect();
    must!(seen == odd, "{seen:?}");
    must!(pages == 3, "13 runs by five are three pages and not {pages}");
    Ok(())
}

pub async fn facets(stage: Stage) -> Told {
    let index = index_of_runs(&stage).await;
    index.set_tags(id(2), &["keep".into()]).await?;
    let facets = index.count_facets(&RunFilter { limit: Some(1), ..RunFilter::default() }).await?;
    let of = |values: &[goodput_store::index::FacetValue]| {
        values.iter().map(|v| format!("{} {}", v.value, v.runs)).collect::<Vec<_>>().join(", ")
    };
    must!(facets.runs == 6, "{facets:?}");
    must!(of(&facets.probes) == "request 1, stream 5", "{facets:?}");
    must!(of(&facets.hosts) == "a 5, b 4, c 1", "{facets:?}");
    must!(of(&facets.tags) == "keep 1" && of(&facets.experiments) == "jumbo 1", "{facets:?}");
    must!(of(&facets.outcomes) == "complete 5, failed 1", "{facets:?}");
    let labels: Vec<_> = facets.labels.iter().map(|l| format!("{}: {}", l.key, of(&l.values))).collect();
    must!(labels == ["card: x520 2, x710 2", "room: 1 2"], "{labels:?}");
    let factors: Vec<_> = facets.factors.iter().map(|f| format!("{}: {}", f.name, of(&f.levels))).collect();
    must!(factors == ["card: x520 1", "mtu: 1500 1, 9000 1"], "{factors:?}");
    let few = index.count_facets(&RunFilter { text: "x710".into(), ..RunFilter::default() }).await?;
    must!(few.runs == 2 && of(&few.hosts) == "a 2, b 2" && few.experiments.is_empty(), "{few:?}");
    must!(few.factors.is_empty(), "{few:?}");
    Ok(())
}

pub async fn pairs(stage: Stage) -> Told {
    let index = index_of_runs(&stage).await;
    let told = async || {
        let number = crate::runs::number;
        let pairs = index.host_pair_metrics().await.unwrap().into_iter();
        let lines = pairs.map(|p| format!("{} {} {} {} {}", p.from, p.to, p.figure, p.value, number(p.run)));
        lines.collect::<Vec<_>>()
    };
    // Run 6, an experiment's, is the newest from a to b; run 3 failed.
    let expected = ["a b goodput_bps 1000000000 6", "b a goodput_bps 1000000000 5"];
    must!(told().await == expected, "{:?}", told().await);
    index.remove_run(id(6)).await?;
    let before = ["a b goodput_bps 2000000000 2", "b a goodput_bps 1000000000 5"];
    must!(told().await == before, "{:?}", told().await);
    Ok(())
}
