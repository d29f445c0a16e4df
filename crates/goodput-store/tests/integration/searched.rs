//! Searches of runs.

use crate::runs::{Plan, id, plan};
use crate::stage::{Stage, found, tell};
use crate::{Told, must};
use goodput_model::experiment::execution_record::{CellExecution, ExperimentStep};
use goodput_model::experiment::{ExecutionOrder, Experiment, ExperimentDesign, RepeatPolicy};
use goodput_model::{Event, TrialOutcome};
use goodput_store::RunWriter;
use goodput_store::index::{Filter, IndexedOutcome};
use std::collections::BTreeMap;
use std::path::Path;

/// They differ in everything that can be searched.
pub fn runs(root: &Path) {
    let failed = || vec![TrialOutcome::Failed { cause: "refused".into() }];
    let card = |value| -> &'static [(&'static str, &'static str)] {
        match value {
            1 => &[("card", "x520"), ("room", "1")],
            2 => &[("card", "x710")],
            _ => &[],
        }
    };
    Plan { labels: card(1), ..plan(1) }.write(root);
    Plan { labels: card(2), bytes: 250_000_000, ..plan(2) }.write(root);
    Plan { labels: card(1), outcomes: failed(), ..plan(3) }.write(root);
    Plan { hosts: ["c", "a"], request: true, ..plan(4) }.write(root);
    Plan { hosts: ["b", "a"], labels: card(2), ..plan(5) }.write(root);
    let mut writer = RunWriter::create(root, Plan { outcomes: vec![], ..plan(6) }.head()).unwrap();
    let declared = ExperimentStep::Declared { experiment: Box::new(experiment()), text: String::new() };
    writer.append_event(&Event::Experiment { step: declared }).unwrap();
    for (number, mtu) in [(1, "1500"), (2, "9000")] {
        writer
            .append_event(&Event::Experiment { step: begun(number, &[("mtu", mtu), ("card", "x520")]) })
            .unwrap();
    }
    goodput_model::Recorder::record(&mut writer, &plan(6).trial(1, TrialOutcome::Complete)).unwrap();
    writer.finish().unwrap();
}

pub fn begun(number: u32, levels: &[(&str, &str)]) -> ExperimentStep {
    let levels = levels.iter().map(|(factor, level)| (factor.to_string(), level.to_string())).collect();
    let cell = CellExecution { number, block: 1, levels, probe: "tcp".into() };
    ExperimentStep::CellStarted { cell, at: "2026-11-21T00:06:01Z".into() }
}

fn experiment() -> Experiment {
    Experiment {
        name: "jumbo".into(),
        title: "Jumbo frames, ja 100%".into(),
        hosts: BTreeMap::new(),
        lab: None,
        factors: vec![],
        probes: vec![],
        design: ExperimentDesign::Fractional { generators: vec![] },
        excluded: vec![],
        order: ExecutionOrder { shuffled: false, seed: 1 },
        repeats: RepeatPolicy { warm_up: 0, least: 1, most: 1, width_percent: None },
        requirements: vec![],
        prices: vec![],
        questions: vec![],
    }
}

pub fn by_each_part(stage: Stage) -> Told {
    tell(async {
        let index = stage.index().await;
        runs(index.runs_root());
        index.refresh().await?;
        index.set_tags(id(2), &["before".into(), "keep".into()]).await?;
        let text = |t: &str| Filter { text: t.into(), ..Filter::default() };
        let words = |w: &[&str]| w.iter().map(|w| w.to_string()).collect::<Vec<_>>();
        let labels = |l: &[(&str, &str)]| l.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let time = |t: &str| Some(t.parse::<jiff::Timestamp>().unwrap());
        let wanted: &[(&str, Filter, &[u32])] = &[
            ("all", Filter::default(), &[6, 5, 4, 3, 2, 1]),
            ("a word", text("X520"), &[3, 1]),
            ("two words", text("x520  room=1"), &[3, 1]),
            ("no wild cards", text("%"), &[6, 5, 4, 3, 2, 1]),
            ("an underscore is one", text("x_20"), &[]),
            ("of the command", text("größe \"x"), &[6, 5, 4, 3, 2, 1]),
            ("the end of a name", text("000000000004"), &[4]),
            ("of the experiment's title", text("jumbo 100%"), &[6]),
            ("a quote that is none of SQL's", text("' OR 1=1 --"), &[]),
            ("a probe", Filter { probes: words(&["request"]), ..text("") }, &[4]),
            (
                "one of two probes",
                Filter { probes: words(&["request", "stream"]), ..text("") },
                &[6, 5, 4, 3, 2, 1],
            ),
            ("a host", Filter { hosts: words(&["c"]), ..text("") }, &[4]),
            ("each of two hosts", Filter { hosts: words(&["a", "b"]), ..text("") }, &[6, 5, 2, 1]),
            ("a label", Filter { labels: labels(&[("card", "x710")]), ..text("") }, &[5, 2]),
            (
                "two labels",
                Filter { labels: labels(&[("card", "x520"), ("room", "1")]), ..text("") },
                &[3, 1],
            ),
            ("a label of another key", Filter { labels: labels(&[("room", "x520")]), ..text("") }, &[]),
            ("a level", Filter { factors: labels(&[("mtu", "9000")]), ..text("") }, &[6]),
            (
                "levels of two factors",
                Filter { factors: labels(&[("mtu", "1500"), ("card", "x520")]), ..text("") },
                &[6],
            ),
            ("a level nobody measured at", Filter { factors: labels(&[("card", "x710")]), ..text("") }, &[]),
            ("a level of another factor", Filter { factors: labels(&[("mtu", "x520")]), ..text("") }, &[]),
            ("a tag", Filter { tags: words(&["before"]), ..text("") }, &[2]),
            ("two tags", Filter { tags: words(&["before", "after"]), ..text("") }, &[]),
            ("an experiment", Filter { experiment: Some("jumbo".into()), ..text("") }, &[6]),
            ("since", Filter { since: time("2026-11-21T00:05:00.5Z"), ..text("") }, &[6, 5]),
            ("until", Filter { until: time("2026-11-21T00:02:00.5Z"), ..text("") }, &[1]),
            ("an outcome", Filter { outcomes: vec![IndexedOutcome::Failed], ..text("") }, &[3]),
            (
                "all of it",
                Filter {
                    text: "stream x710".into(),
                    probes: words(&["stream"]),
                    hosts: words(&["b"]),
                    labels: labels(&[("card", "x710")]),
                    tags: words(&["keep"]),
                    since: time("2026-11-21T00:00:00Z"),
                    until: time("2026-11-22T00:00:00Z"),
                    outcomes: vec![IndexedOutcome::Complete, IndexedOutcome::Partial],
                    ..Filter::default()
                },
                &[2],
            ),
        ];
        for (what, filter, runs) in wanted {
            let got = found(&index, filter.clone()).await;
            must!(got == *runs, "{what}: {got:?} and not {runs:?}");
        }
        let six = index.find_entry(id(6)).await?.unwrap();
        must!(six.experiment.as_deref() == Some("jumbo") && six.figure.is_none(), "{six:?}");
        Ok(())
    })
}

pub fn pages(stage: Stage) -> Told {
    tell(async {
        let index = stage.index().await;
        for n in 1..=25 {
            Plan { request: n % 2 == 0, ..plan(n) }.write(index.runs_root());
        }
        index.refresh().await?;
        let mut filter = Filter { probes: vec!["stream".into()], limit: Some(5), ..Filter::default() };
        let (mut seen, mut pages) = (Vec::new(), 0);
        loop {
            let (cards, next) = index.search_page(&filter).await?;
            seen.extend(cards.iter().map(|c| crate::runs::number(c.id)));
            pages += 1;
            // Newer runs do not shift the pages.
            plan(100 + pages).write(index.runs_root());
            index.refresh().await?;
            match next {
                Some(cursor) => filter.after = Some(cursor.to_string().parse().unwrap()),
                None => break,
            }
        }
        let odd: Vec<u32> = (1..=25).rev().filter(|n| n % 2 == 1).collect();
        must!(seen == odd, "{seen:?}");
        must!(pages == 3, "13 runs by five are three pages and not {pages}");
        Ok(())
    })
}

pub fn facets(stage: Stage) -> Told {
    tell(async {
        let index = stage.index().await;
        runs(index.runs_root());
        index.refresh().await?;
        index.set_tags(id(2), &["keep".into()]).await?;
        let facets = index.filter_facets(&Filter { limit: Some(1), ..Filter::default() }).await?;
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
        let factors = facets.factors.iter().map(|f| format!("{}: {}", f.name, of(&f.levels)));
        let factors: Vec<_> = factors.collect();
        must!(factors == ["card: x520 1", "mtu: 1500 1, 9000 1"], "{factors:?}");
        let few = index.filter_facets(&Filter { text: "x710".into(), ..Filter::default() }).await?;
        must!(few.runs == 2 && of(&few.hosts) == "a 2, b 2" && few.experiments.is_empty(), "{few:?}");
        must!(few.factors.is_empty(), "{few:?}");
        Ok(())
    })
}

pub fn pairs(stage: Stage) -> Told {
    tell(async {
        let index = stage.index().await;
        runs(index.runs_root());
        index.refresh().await?;
        let told = async || {
            let pairs = index.host_pair_metrics().await.unwrap();
            pairs
                .iter()
                .map(|p| {
                    format!("{} {} {} {} {}", p.from, p.to, p.figure, p.value, crate::runs::number(p.run))
                })
                .collect::<Vec<_>>()
        };
        // Run 6, an experiment's, is the newest from a to b; run 3 failed.
        let expected = ["a b goodput_bps 1000000000 6", "b a goodput_bps 1000000000 5"];
        must!(told().await == expected, "{:?}", told().await);
        index.remove_run(id(6)).await?;
        let before = ["a b goodput_bps 2000000000 2", "b a goodput_bps 1000000000 5"];
        must!(told().await == before, "{:?}", told().await);
        Ok(())
    })
}
