//! What a place is and does besides keeping files.

use super::{way, work};
use crate::file::place::is_memory;
use crate::finding::Hit;
use goodput_model::file::{Access, FileWork, Place, Sink};
use goodput_model::summary::Summary;
use goodput_model::{Message, Trial};
use goodput_words::message;

/// Memory is no disk. (An agent that keeps nothing is asked for by that name.)
pub(in crate::finding) fn in_memory(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let what = match (&settings.place, file.facts.file_system.as_deref()) {
        (Place::Sink { sink: Sink::Memory }, _) => Some(message!(clause_kept_in_memory)),
        (_, Some(name)) if is_memory(name) => Some(message!(clause_lies_in_memory { name })),
        _ => None,
    };
    let hit = |why: Message| {
        Hit::new(message!(rule_no_disk_text { why }), [format!("place = {}", file.facts.engine)])
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
    let text = match file.cache.how.as_str() {
        "" => message!(rule_direct_not_obtained_text { name }),
        how => message!(rule_direct_not_obtained_text_2 { name, how }),
    };
    vec![Hit::new(text, ["file.facts.direct = false".to_string()])]
}

/// File systems that may store less than was written. What is written is incompressible and never the same twice, but the
/// work of trying is in the figure.
pub(in crate::finding) fn compresses(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let name =
        file.facts.file_system.as_deref().filter(|f| matches!(*f, "btrfs" | "zfs" | "bcachefs" | "f2fs"));
    let option = file.facts.mount.as_deref().filter(|m| m.contains("compress"));
    let hit = |name: &str| {
        Hit::new(
            match option {
                Some(_) => message!(rule_file_system_compresses_text { name }),
                None => message!(rule_file_system_compresses_text_2 { name }),
            },
            option.map(|m| format!("file.facts.mount = {m}")),
        )
    };
    name.filter(|_| way(&settings.work).is_some()).map(hit).into_iter().collect()
}

pub(in crate::finding) fn signed(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    // What is encrypted is protected by that; the other rule says it.
    let on = file.facts.signed == Some(true) && file.facts.encrypted != Some(true);
    let hit = || Hit::new(message!(rule_share_signed_text), ["file.facts.signed = true".to_string()]);
    on.then(hit).into_iter().collect()
}

pub(in crate::finding) fn encrypted(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    let hit = || Hit::new(message!(rule_share_encrypted_text), ["file.facts.encrypted = true".to_string()]);
    (file.facts.encrypted == Some(true)).then(hit).into_iter().collect()
}
