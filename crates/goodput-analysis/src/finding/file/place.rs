//! What a place is and does besides keeping files.

use super::{way, work};
use crate::file::place::is_memory;
use crate::finding::Hit;
use goodput_model::Trial;
use goodput_model::file::{Access, FileWork, Place, Sink};
use goodput_model::summary::Summary;

/// Memory is no disk. (An agent that keeps nothing is asked for by that name.)
pub(in crate::finding) fn in_memory(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let what = match (&settings.place, file.facts.file_system.as_deref()) {
        (Place::Sink { sink: Sink::Memory }, _) => Some("the agent keeps it in memory".to_string()),
        (_, Some(name)) if is_memory(name) => Some(format!("the file system ({name}) lies in memory")),
        _ => None,
    };
    let hit = |what: String| {
        Hit::new(format!("{what}: no disk was measured"), [format!("place = {}", file.facts.engine)])
    };
    what.map(hit).into_iter().collect()
}

/// O_DIRECT was asked for and not obtained. A mix and a share that is spoken to directly have no use for it.
pub(in crate::finding) fn not_direct(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let asked = settings.access == Access::Direct && matches!(settings.place, Place::Folder { .. });
    let mix = matches!(settings.work, FileWork::Mix { .. });
    if !asked || mix || file.facts.direct != Some(false) {
        return Vec::new();
    }
    let name = file.facts.file_system.as_deref().unwrap_or("this file system");
    let instead =
        if file.cache.how.is_empty() { String::new() } else { format!("; instead: {}", file.cache.how) };
    vec![Hit::new(
        format!("{name} has no direct I/O (O_DIRECT): this host's page cache took part{instead}"),
        ["file.facts.direct = false".to_string()],
    )]
}

/// File systems that may store less than was written. What is written is incompressible and never the same twice, but the
/// work of trying is in the figure.
pub(in crate::finding) fn compresses(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let name =
        file.facts.file_system.as_deref().filter(|f| matches!(*f, "btrfs" | "zfs" | "bcachefs" | "f2fs"));
    let option = file.facts.mount.as_deref().filter(|m| m.contains("compress"));
    let hit = |name: &str| {
        let on = if option.is_some() { "compresses, by its mount options" } else { "may compress" };
        Hit::new(
            format!("{name} {on}: the data is incompressible, but trying costs CPU time"),
            option.map(|m| format!("file.facts.mount = {m}")),
        )
    };
    name.filter(|_| way(&settings.work).is_some()).map(hit).into_iter().collect()
}

/// Each message of the share is signed.
pub(in crate::finding) fn signed(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    // What is encrypted is protected by that; the other rule says it.
    let on = file.facts.signed == Some(true) && file.facts.encrypted != Some(true);
    let hit = || {
        Hit::new(
            "every message is signed, which costs CPU time at both ends",
            ["file.facts.signed = true".to_string()],
        )
    };
    on.then(hit).into_iter().collect()
}

/// Each message of the share is encrypted.
pub(in crate::finding) fn encrypted(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    let hit = || {
        Hit::new(
            "every message is encrypted, which costs CPU time at both ends",
            ["file.facts.encrypted = true".to_string()],
        )
    };
    (file.facts.encrypted == Some(true)).then(hit).into_iter().collect()
}
