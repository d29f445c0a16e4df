//! Settings of file work: of one trial, and common to all trials; and the target's facts.

use super::{direction_verb, simulated_clients};
use crate::display_text::{comma_list, semicolon_list};
use crate::grouping::{distinct_items, group_by_key};
use crate::probe::{setting_row, yes_or_no};
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, length, rate_setting, size, size_setting, time_setting};
use crate::table::{Cell, ColumnDefinitions, Table};
use goodput_analysis::file_results::location;
use goodput_model::file::{
    CacheMode, FileAccessPattern, FileDirection, FileLocationFacts, FileOperationMixSource, FileWorkload,
    FlushMode, MAX_SAMPLED_BLOCKS, VerifyMode,
};
use goodput_model::summary::TrialSummary;
use goodput_model::{File, Message, Nanos};
use goodput_words::message;

pub(super) fn trial_settings(f: &File) -> Vec<(&'static str, Cell)> {
    let mut rows = vec![setting_row("file task", work(&f.work)), setting_row("location", file_location(f))];
    rows.extend(particulars(&f.work));
    if f.storage_passes > 1 {
        rows.push(setting_row("disk accesses of each block", count(f.storage_passes.into())));
    }
    rows.extend(shared(f));
    rows
}

fn file_location(f: &File) -> Message {
    location::location_text(&location::format_location(&f.place, None))
}

fn work(work: &FileWorkload) -> Message {
    match work {
        FileWorkload::Prepare { .. } => message!(report_makes_the_workspace),
        FileWorkload::Remove => message!(report_removes_the_workspace),
        FileWorkload::Copy { way: FileDirection::Write, size, .. } => {
            message!(part_write_one_file { length: length(size.0) })
        }
        FileWorkload::Copy { way: FileDirection::Read, size, .. } => {
            message!(part_read_one_file { length: length(size.0) })
        }
        FileWorkload::Row { name, way, .. } => {
            message!(part_file_row_task { way: Message::from(direction_verb(*way)), name })
        }
        FileWorkload::Mix { load, .. } => message!(part_mix_of { name: location::workload_mix_name(load) }),
    }
}

fn measurement_end(time: Nanos) -> Message {
    message!(report_stop_after { what: time_setting(time) })
}

fn particulars(work: &FileWorkload) -> Vec<(&'static str, Cell)> {
    match work {
        FileWorkload::Copy { block, depth, local, .. } => vec![
            setting_row("block size", size_setting(*block)),
            setting_row("operations in flight", count((*depth).into())),
            setting_row("local source or destination", local.as_deref().unwrap_or("memory")),
        ],
        FileWorkload::Row { pattern, block, queue, threads, size: of, time, .. } => vec![
            setting_row(
                "access order",
                if *pattern == FileAccessPattern::Random { "random" } else { "sequential" },
            ),
            setting_row("block size", size_setting(*block)),
            setting_row(
                "queue depth × threads",
                message!(part_file_queue_and_threads { queue: *queue, threads: *threads }),
            ),
            setting_row("file", length(of.0)),
            setting_row("measurement end", measurement_end(*time)),
        ],
        FileWorkload::Mix { load, players: each, warm_up, time, max_errors, rate } => {
            let mut rows = vec![setting_row("simulated clients per host", simulated_clients((*each).into()))];
            match load {
                FileOperationMixSource::Office { seed } => {
                    rows.push(setting_row("profile seed", seed.to_string()))
                }
                FileOperationMixSource::LoadFile { sha256, .. } => {
                    rows.push(setting_row("load file SHA-256", sha256.clone()))
                }
            }
            rows.extend(
                rate.map(|r| setting_row("payload rate limit per simulated client", rate_setting(r))),
            );
            rows.push(setting_row("measurement end", measurement_end(*time)));
            rows.push(setting_row("warm-up (not counted)", time_setting(*warm_up)));
            rows.push(setting_row(
                "error limit per simulated client",
                message!(report_so_many_surprises { count: *max_errors }),
            ));
            rows
        }
        FileWorkload::Prepare { file } => {
            file.map(|f| setting_row("file", length(f.0))).into_iter().collect()
        }
        FileWorkload::Remove => Vec::new(),
    }
}

fn shared(f: &File) -> Vec<(&'static str, Cell)> {
    let access = match f.access {
        CacheMode::Direct => "page cache bypassed (O_DIRECT) or dropped before the measurement",
        CacheMode::Cached => "through this host's page cache",
    };
    let flush = match f.flush {
        FlushMode::None => "never",
        FlushMode::End => "once, after the last write",
        FlushMode::Within => "once, after the last write, included in the measured time",
        FlushMode::Each => "after every write",
    };
    let verify = match f.verify {
        VerifyMode::Off => message!(report_nothing),
        VerifyMode::Sample => message!(report_sampled_blocks_after { count: MAX_SAMPLED_BLOCKS }),
        VerifyMode::Full => message!(report_everything_after),
    };
    vec![
        setting_row("cache usage", access),
        setting_row("flush to stable storage", flush),
        setting_row("data verification", verify),
        setting_row("clients", comma_list(&f.clients)),
        setting_row("workspace", f.workspace.clone()),
    ]
}

/// Varied and common settings of a run.
pub(crate) fn run_settings_table(trials: &[&TrialSummary]) -> Table {
    let mut table = Table::new("Settings", &[("setting", Left), ("value", Left)]);
    let settings: Vec<&File> = trials
        .iter()
        .filter_map(|s| match &s.probe {
            goodput_model::Probe::File(f) if f.is_measured_workload() => Some(f),
            _ => None,
        })
        .collect();
    let Some(first) = settings.first() else { return table };
    let each = |of: &dyn Fn(&File) -> Cell| {
        let mut cells = distinct_items(settings.iter().map(|f| of(f)));
        cells.retain(Cell::has_content);
        Cell::from(semicolon_list(cells.into_iter().map(|figure| message!(part_figure { figure }))))
    };
    table.add_row(["trials".into(), count(settings.len() as u64)]);
    table.add_row(["file locations".into(), each(&|f| file_location(f).into())]);
    table.add_row(["file task".into(), each(&|f| work(&f.work).into())]);
    for (i, (name, _)) in particulars(&first.work).iter().enumerate() {
        let value = each(&|f| {
            let own = particulars(&f.work).into_iter().nth(i).filter(|(own, _)| own == name);
            own.map_or_else(|| "".into(), |(_, value)| value)
        });
        table.add_row([(*name).into(), value]);
    }
    for (i, (name, _)) in shared(first).iter().enumerate() {
        table.add_row([(*name).into(), each(&|f| shared(f).swap_remove(i).1)]);
    }
    table
}

pub(crate) fn file_locations_table(trials: &[&TrialSummary]) -> Table {
    let found = trials.iter().filter_map(|s| Some((location::summary_location(s)?, s.file_summary()?)));
    let places = group_by_key(found).into_iter().map(|(name, files)| (name, &files[0].facts));
    let text = |t: &Option<String>| Cell::from(t.as_deref().unwrap_or_default());
    let answer = |b: Option<bool>| Cell::from(b.map(yes_or_no).unwrap_or_default());
    let columns: ColumnDefinitions<'_, (String, &FileLocationFacts)> = &[
        ("location", Left, &|(name, _)| location::location_text(name).into()),
        ("access method", Left, &|(_, facts)| (&facts.engine).into()),
        ("file system", Left, &|(_, facts)| text(&facts.file_system)),
        ("device", Left, &|(_, facts)| text(&facts.device)),
        ("O_DIRECT", Left, &|(_, facts)| answer(facts.direct)),
        ("maximum request size", Left, &|(_, facts)| {
            facts.max_io.map_or("".into(), |(read, write)| {
                size(read.0)
                    .worded(|read| message!(report_read_and_write_sizes { read, write: size(write.0) }))
            })
        }),
        ("message signing", Left, &|(_, facts)| answer(facts.signed)),
        ("encryption", Left, &|(_, facts)| answer(facts.encrypted)),
        ("connections", Right, &|(_, facts)| facts.connections.map_or("".into(), |n| count(n.into()))),
        ("mount options", Left, &|(_, facts)| text(&facts.mount)),
    ];
    let table = Table::from_items("Storage locations", places, columns);
    table.without_empty_columns()
}
