//! Rules about caches that replaced the network or the disk, and unknown caches.

use super::{MAX_CACHE_RESIDENT_PERCENT, megabytes, way, work};
use crate::file_results::location::{has_remote_files, is_network_file_system};
use crate::finding::{Hit, medium};
use goodput_model::file::{CacheMode, FileDirection, FileLocation, FileWorkload, FlushMode, SinkStorageKind};
use goodput_model::summary::{FileSummary, TrialSummary};
use goodput_model::{File, Message, MessageArg, Trial};
use goodput_words::message;
use goodput_words::message_argument::percent_arg;

const LINK_CLOCK: f64 = 100e-6;
const EDGE_BYTES: f64 = 65_536.0;

/// `None` without a network or a known medium.
fn allowed(trial: &Trial, summary: &TrialSummary) -> Option<(f64, MessageArg)> {
    let (settings, _) = work(trial, summary)?;
    let bps = summary.limit.goodput_bps? as f64;
    let edge = (EDGE_BYTES + under_way(settings)) * 8e9 / summary.elapsed_ns.max(1) as f64;
    Some((bps * (1.0 + LINK_CLOCK) + edge, medium(summary)))
}

/// Bytes that may have come before the window and count in it: operations count where they complete. Not for
/// writes whose window is extended until their flush is answered.
fn under_way(settings: &File) -> f64 {
    match &settings.work {
        FileWorkload::Row { way, block, queue, threads, .. }
            if *way == FileDirection::Read || settings.flush != FlushMode::Within =>
        {
            let operations = f64::from(*queue) * f64::from(*threads) * settings.clients.len() as f64;
            block.0 as f64 * operations
        }
        _ => 0.0,
    }
}

pub(in crate::finding) fn check_faster_than_wire(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((most, medium)) = allowed(trial, summary) else { return Vec::new() };
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    let hit = summary.goodput_bps.filter(|bps| *bps as f64 > most).map(|bps| {
        let limit = summary.limit.goodput_bps.unwrap_or(0);
        Hit::new(
            message!(rule_faster_than_wire_text {
                rate: megabytes(bps),
                limit: megabytes(limit),
                medium,
                why: why(file),
            }),
            [
                format!("goodput_bps = {bps}"),
                format!("limit.goodput_bps = {limit}"),
                format!("limit.reason = {}", summary.limit.reason),
            ],
        )
    });
    hit.into_iter().collect()
}

fn why(file: &FileSummary) -> Message {
    let mounted = file.facts.file_system.as_deref().filter(|f| is_network_file_system(f));
    match (file.cache.resident_percent, mounted) {
        (Some(p), _) if p > MAX_CACHE_RESIDENT_PERCENT => {
            message!(clause_wire_resident { share: percent_arg(p) })
        }
        (_, Some(mount)) => message!(clause_wire_mount { mount }),
        _ => message!(clause_wire_other),
    }
}

pub(in crate::finding) fn check_write_accepted_by_cache(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((most, medium)) = allowed(trial, summary) else { return Vec::new() };
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let writes = way(&settings.work) == Some(FileDirection::Write);
    let accepted = file.accepted_bps.filter(|bps| writes && *bps as f64 > most);
    let whole = summary.goodput_bps.is_some_and(|bps| bps as f64 > most);
    let hit = move |bps: u64| {
        Hit::new(
            message!(rule_accepted_by_cache_text { rate: megabytes(bps), medium }),
            [format!("file.accepted_bps = {bps}"), format!("limit = {most:.0}")],
        )
    };
    accepted.filter(|_| !whole).map(hit).into_iter().collect()
}

fn reads(settings: &File) -> bool {
    way(&settings.work) == Some(FileDirection::Read)
}

pub(in crate::finding) fn check_read_from_cache(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    // O_DIRECT reads from the device, whatever the cache holds.
    let passed_by = settings.access == CacheMode::Direct && file.facts.direct == Some(true);
    let resident = file.cache.resident_percent.filter(|p| *p > MAX_CACHE_RESIDENT_PERCENT);
    let hit = |share: f64| {
        Hit::new(
            message!(rule_read_from_cache_text { percent: percent_arg(share) }),
            [
                format!("file.cache.resident_percent = {share:.2}"),
                format!("file.cache.how = {}", file.cache.how),
            ],
        )
    };
    let wanted = reads(settings) && settings.access == CacheMode::Direct && !passed_by;
    resident.filter(|_| wanted).map(hit).into_iter().collect()
}

pub(in crate::finding) fn check_files_in_cache(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let folder = matches!(settings.place, FileLocation::Folder { .. });
    let mix = matches!(settings.work, FileWorkload::Mix { .. });
    if settings.access != CacheMode::Cached || !folder || mix {
        return Vec::new();
    }
    let resident = file.cache.resident_percent;
    let text = match resident {
        Some(share) => message!(rule_cache_took_part_text_2 { percent: percent_arg(share) }),
        None => message!(rule_cache_took_part_text),
    };
    let evidence = resident.map(|p| format!("file.cache.resident_percent = {p:.2}"));
    vec![Hit::new(text, evidence)]
}

fn serves(settings: &File, file: &FileSummary) -> bool {
    let nowhere = matches!(
        settings.place,
        FileLocation::Sink { sink: SinkStorageKind::Null | SinkStorageKind::Net | SinkStorageKind::Memory }
    );
    has_remote_files(settings, file.facts.file_system.as_deref()) && !nowhere
}

pub(in crate::finding) fn check_server_cache_warm(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let resident = file.cache.server_resident_percent.filter(|p| *p > MAX_CACHE_RESIDENT_PERCENT);
    let hit = |share: f64| {
        Hit::new(
            message!(rule_server_cache_warm_text { percent: percent_arg(share) }),
            [format!("file.cache.server_resident_percent = {share:.2}")],
        )
    };
    resident.filter(|_| reads(settings) && serves(settings, file)).map(hit).into_iter().collect()
}

pub(in crate::finding) fn check_server_cache_unknown(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let unknown = file.cache.server_resident_percent.is_none() && serves(settings, file) && reads(settings);
    let hit = || {
        Hit::new(
            message!(rule_server_cache_unknown_text),
            ["file.cache.server_resident_percent = null".to_string()],
        )
    };
    unknown.then(hit).into_iter().collect()
}
