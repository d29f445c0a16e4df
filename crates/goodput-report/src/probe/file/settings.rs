//! Settings of file work: of one trial, and common to all trials; and the target's facts.

use super::players;
use crate::probe::{row, yes};
use crate::table::cell::{count, length, rate_setting, size, size_setting, time_setting};
use crate::table::{Align, Cell, Table};
use goodput_analysis::file::place;
use goodput_model::File;
use goodput_model::file::{Access, FilePattern, FileWay, FileWork, Flush, MixSource, PlaceFacts, Verify};
use goodput_model::summary::Summary;

pub(super) fn of_trial(f: &File) -> Vec<(&'static str, Cell)> {
    let mut rows = vec![row("file task", work(&f.work)), row("location", place::words(&f.place, None))];
    rows.extend(particulars(&f.work));
    rows.extend(shared(f));
    rows
}

fn work(work: &FileWork) -> String {
    let verb = |way: &FileWay| if *way == FileWay::Write { "write" } else { "read" };
    match work {
        FileWork::Prepare { .. } => "creates the workspace".into(),
        FileWork::Remove => "deletes the workspace".into(),
        FileWork::Copy { way, size, .. } => format!("{} one file of {}, once", verb(way), length(size.0)),
        FileWork::Row { name, way, .. } => format!("{}: {name}", verb(way)),
        FileWork::Mix { load, .. } => format!("mix {}", place::load(load)),
    }
}

fn particulars(work: &FileWork) -> Vec<(&'static str, Cell)> {
    match work {
        FileWork::Copy { block, depth, local, .. } => vec![
            row("block size", size_setting(*block)),
            row("operations in flight", count((*depth).into())),
            row("local source or destination", local.as_deref().unwrap_or("memory")),
        ],
        FileWork::Row { pattern, block, queue, threads, size: of, time, .. } => vec![
            row("access order", if *pattern == FilePattern::Random { "random" } else { "sequential" }),
            row("block size", size_setting(*block)),
            row(
                "queue depth × threads",
                format!("{} × {}", count((*queue).into()), count((*threads).into())),
            ),
            row("file", length(of.0)),
            row("measurement end", format!("after {}", time_setting(*time))),
        ],
        FileWork::Mix { load, players: each, warm_up, time, max_errors, rate } => {
            let mut rows = vec![row("simulated clients per host", players((*each).into()))];
            match load {
                MixSource::Office { seed } => rows.push(row("profile seed", seed.to_string())),
                MixSource::LoadFile { sha256, .. } => rows.push(row("load file SHA-256", sha256.clone())),
            }
            rows.extend(rate.map(|r| row("payload rate limit per simulated client", rate_setting(r))));
            rows.push(row("measurement end", format!("after {}", time_setting(*time))));
            rows.push(row("warm-up (not counted)", time_setting(*warm_up)));
            rows.push(row(
                "error limit per simulated client",
                format!("{} unexpected results", count((*max_errors).into())),
            ));
            rows
        }
        FileWork::Prepare { file } => file.map(|f| row("file", length(f.0))).into_iter().collect(),
        FileWork::Remove => Vec::new(),
    }
}

fn shared(f: &File) -> Vec<(&'static str, Cell)> {
    let access = match f.access {
        Access::Direct => "page cache bypassed (O_DIRECT) or dropped before the measurement",
        Access::Cached => "through this host's page cache",
    };
    let flush = match f.flush {
        Flush::None => "never",
        Flush::End => "once, after the last write",
        Flush::Within => "once, after the last write, included in the measured time",
        Flush::Each => "after every write",
    };
    let verify = match f.verify {
        Verify::Off => "nothing",
        Verify::Sample => "256 blocks, after the measurement window",
        Verify::Full => "all data, after the measurement window",
    };
    vec![
        row("cache usage", access),
        row("flush to stable storage", flush),
        row("data verification", verify),
        row("clients", f.clients.join(", ")),
        row("workspace", f.workspace.clone()),
    ]
}

/// Varied and common settings of a run.
pub(crate) fn run_table(trials: &[&Summary]) -> Table {
    let mut table = Table::new("Settings", &[("setting", Align::Left), ("value", Align::Left)]);
    let settings: Vec<&File> = trials
        .iter()
        .filter_map(|s| match &s.probe {
            goodput_model::Probe::File(f) if f.measures() => Some(f),
            _ => None,
        })
        .collect();
    let Some(first) = settings.first() else { return table };
    let each = |of: &dyn Fn(&File) -> String| {
        let mut words: Vec<String> = Vec::new();
        for f in &settings {
            let word = of(f);
            if !word.is_empty() && !words.contains(&word) {
                words.push(word);
            }
        }
        Cell::from(words.join("; "))
    };
    table.row(["trials".into(), count(settings.len() as u64)]);
    table.row(["locations".into(), each(&|f| place::words(&f.place, None))]);
    table.row(["file task".into(), each(&|f| work(&f.work))]);
    for (i, (name, _)) in particulars(&first.work).iter().enumerate() {
        let value = each(&|f| {
            particulars(&f.work)
                .get(i)
                .map_or(String::new(), |(n, v)| if n == name { v.to_string() } else { String::new() })
        });
        table.row([(*name).into(), value]);
    }
    for (i, (name, _)) in shared(first).iter().enumerate() {
        table.row([(*name).into(), each(&|f| shared(f).swap_remove(i).1.to_string())]);
    }
    table
}

pub(crate) fn places_table(trials: &[&Summary]) -> Table {
    let left = Align::Left;
    let mut table = Table::new(
        "Storage locations",
        &[
            ("location", left),
            ("accessed by", left),
            ("file system", left),
            ("device", left),
            ("O_DIRECT", left),
            ("maximum request size", left),
            ("message signing", left),
            ("encryption", left),
            ("connections", Align::Right),
            ("mount options", left),
        ],
    );
    let mut told: Vec<String> = Vec::new();
    for summary in trials {
        let (Some(name), Some(found)) = (place::of(summary), summary.file()) else { continue };
        if !told.contains(&name) {
            table.row(place_row(&name, &found.facts));
            told.push(name);
        }
    }
    table.without_empty_columns()
}

fn place_row(name: &str, facts: &PlaceFacts) -> Vec<Cell> {
    let text = |t: &Option<String>| Cell::from(t.as_deref().unwrap_or_default());
    let answer = |b: Option<bool>| Cell::from(b.map(yes).unwrap_or_default());
    let largest = facts.max_io.map(|(read, write)| {
        size(read.0).preceded("read size ").followed(format_args!(", write size {}", size(write.0)))
    });
    vec![
        name.into(),
        (&facts.engine).into(),
        text(&facts.file_system),
        text(&facts.device),
        answer(facts.direct),
        largest.unwrap_or("".into()),
        answer(facts.signed),
        answer(facts.encrypted),
        facts.connections.map_or("".into(), |n| count(n.into())),
        text(&facts.mount),
    ]
}
