//! Caches: what they answered in the place of the network or the disk, and what is not known of them.

use super::{RESIDENT_PERCENT, megabytes, way, work};
use crate::file::place::{is_network, is_remote};
use crate::finding::Hit;
use goodput_model::file::{Access, FileWay, FileWork, Flush, Place, Sink};
use goodput_model::summary::{FileSummary, Summary};
use goodput_model::{File, Trial};

/// Tolerance of a link's own clock, and data that may stand in a queue at the window's edge, as in `books`.
const LINK_CLOCK: f64 = 100e-6;
const EDGE_BYTES: f64 = 65_536.0;

/// What the medium allows this work; `None` where there is no network or no medium is known.
fn allowed(trial: &Trial, summary: &Summary) -> Option<(f64, String)> {
    let (settings, _) = work(trial, summary)?;
    let bps = summary.limit.goodput_bps? as f64;
    let edge = (EDGE_BYTES + under_way(settings)) * 8e9 / summary.elapsed_ns.max(1) as f64;
    Some((bps * (1.0 + LINK_CLOCK) + edge, summary.limit.by().unwrap_or("the medium").to_string()))
}

/// Bytes that may have come before the window and count in it: an operation counts whole where it completes, and those
/// of a row are under way when its window opens, but for writes whose window goes on until their flush is answered.
fn under_way(settings: &File) -> f64 {
    match &settings.work {
        FileWork::Row { way, block, queue, threads, .. }
            if *way == FileWay::Read || settings.flush != Flush::Within =>
        {
            let operations = f64::from(*queue) * f64::from(*threads) * settings.clients.len() as f64;
            block.0 as f64 * operations
        }
        _ => 0.0,
    }
}

/// More than the wire carries did not come over it.
pub(in crate::finding) fn faster_than_wire(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((most, medium)) = allowed(trial, summary) else { return Vec::new() };
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    let hit = summary.goodput_bps.filter(|bps| *bps as f64 > most).map(|bps| {
        let limit = summary.limit.goodput_bps.unwrap_or(0);
        Hit::new(
            format!(
                "{} are more than the {} that {medium} carries: this is no result of the network{}",
                megabytes(bps),
                megabytes(limit),
                why(file)
            ),
            [
                format!("goodput_bps = {bps}"),
                format!("limit.goodput_bps = {limit}"),
                format!("limit.reason = {}", summary.limit.reason),
            ],
        )
    });
    hit.into_iter().collect()
}

/// What explains it, where anything does.
fn why(file: &FileSummary) -> String {
    let mounted = file.facts.file_system.as_deref().filter(|f| is_network(f));
    match (file.cache.resident_percent, mounted) {
        (Some(p), _) if p > RESIDENT_PERCENT => format!(", {p:.1} % of the file lay in this host's memory"),
        (_, Some(mounted)) => format!(", the cache of the mount ({mounted}) answered for it"),
        _ => ", or the medium is another than the one that was named".to_string(),
    }
}

/// Writes that were accepted faster than the wire carries, and sent later.
pub(in crate::finding) fn accepted_by_cache(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((most, medium)) = allowed(trial, summary) else { return Vec::new() };
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let writes = way(&settings.work) == Some(FileWay::Write);
    let accepted = file.accepted_bps.filter(|bps| writes && *bps as f64 > most);
    // Faster than the wire as a whole is the graver rule's.
    let whole = summary.goodput_bps.is_some_and(|bps| bps as f64 > most);
    let hit = |bps: u64| {
        Hit::new(
            format!(
                "writes were accepted at {}, more than {medium} carries: by a cache of this host, which sent them later; only \
                 the durable rate is the network's",
                megabytes(bps)
            ),
            [format!("file.accepted_bps = {bps}"), format!("limit = {most:.0}")],
        )
    };
    accepted.filter(|_| !whole).map(hit).into_iter().collect()
}

/// True for a copy or a row that reads.
fn reads(settings: &File) -> bool {
    way(&settings.work) == Some(FileWay::Read)
}

/// A read that was to pass by the client's cache and found the file there.
pub(in crate::finding) fn from_cache(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    // What is read with O_DIRECT is read from the device, whatever the cache holds.
    let passed_by = settings.access == Access::Direct && file.facts.direct == Some(true);
    let resident = file.cache.resident_percent.filter(|p| *p > RESIDENT_PERCENT);
    let hit = |percent: f64| {
        Hit::new(
            format!(
                "{percent:.1} % of the file lay in this host's page cache before it was read: this is no cold read"
            ),
            [
                format!("file.cache.resident_percent = {percent:.2}"),
                format!("file.cache.how = {}", file.cache.how),
            ],
        )
    };
    let wanted = reads(settings) && settings.access == Access::Direct && !passed_by;
    resident.filter(|_| wanted).map(hit).into_iter().collect()
}

/// Caches that were asked to take part.
pub(in crate::finding) fn cached(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let folder = matches!(settings.place, Place::Folder { .. });
    let mix = matches!(settings.work, FileWork::Mix { .. });
    if settings.access != Access::Cached || !folder || mix {
        return Vec::new();
    }
    let resident = file.cache.resident_percent;
    let held = resident.map_or(String::new(), |p| format!("; {p:.1} % of the file lay in it before"));
    let evidence = resident.map(|p| format!("file.cache.resident_percent = {p:.2}"));
    vec![Hit::new(format!("this host's page cache took part{held}"), evidence)]
}

/// A place with memory of its own in which a file may lie.
fn serves(settings: &File, file: &FileSummary) -> bool {
    let nowhere = matches!(settings.place, Place::Sink { sink: Sink::Null | Sink::Net | Sink::Memory });
    is_remote(settings, file.facts.file_system.as_deref()) && !nowhere
}

/// The file lay in the server's memory, as the agent there saw.
pub(in crate::finding) fn server_cache(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let resident = file.cache.server_resident_percent.filter(|p| *p > RESIDENT_PERCENT);
    let hit = |percent: f64| {
        Hit::new(
            format!(
                "{percent:.1} % of the file lay in the server's memory before it was read: its disk was not measured"
            ),
            [format!("file.cache.server_resident_percent = {percent:.2}")],
        )
    };
    resident.filter(|_| reads(settings) && serves(settings, file)).map(hit).into_iter().collect()
}

/// Nobody looked into the server's memory: then a read is never called cold.
pub(in crate::finding) fn server_cache_unknown(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let unknown = file.cache.server_resident_percent.is_none() && serves(settings, file) && reads(settings);
    let hit = || {
        Hit::new(
            "the server's cache is unknown: what was read may have come from its memory and not from its disk",
            ["file.cache.server_resident_percent = null".to_string()],
        )
    };
    unknown.then(hit).into_iter().collect()
}
