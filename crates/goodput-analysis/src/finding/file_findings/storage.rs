//! Rules about properties of a place.

use super::{way, work};
use crate::file_results::location::is_memory_file_system;
use crate::finding::Hit;
use goodput_model::file::{CacheMode, FileLocation, FileWorkload, SinkStorageKind};
use goodput_model::summary::TrialSummary;
use goodput_model::{Message, Trial};
use goodput_words::message;

/// The null sink is requested by name, so it needs no rule.
pub(in crate::finding) fn check_memory_file_system(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let what = match (&settings.place, file.facts.file_system.as_deref()) {
        (FileLocation::Sink { sink: SinkStorageKind::Memory }, _) => Some(message!(clause_kept_in_memory)),
        (_, Some(name)) if is_memory_file_system(name) => Some(message!(clause_lies_in_memory { name })),
        _ => None,
    };
    let hit = |why: Message| {
        Hit::new(message!(rule_no_disk_text { why }), [format!("place = {}", file.facts.engine)])
    };
    what.map(hit).into_iter().collect()
}

/// A mix, and a share without a mount, have no use for O_DIRECT.
pub(in crate::finding) fn check_not_direct_io(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let asked = settings.access == CacheMode::Direct && matches!(settings.place, FileLocation::Folder { .. });
    let mix = matches!(settings.work, FileWorkload::Mix { .. });
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

/// File systems that may compress or deduplicate: trying costs time, although data is unique and random.
pub(in crate::finding) fn check_compressing_file_system(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
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

pub(in crate::finding) fn check_smb_signing_enabled(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    // Encryption implies protection; the other rule reports it.
    let on = file.facts.signed == Some(true) && file.facts.encrypted != Some(true);
    let hit = || Hit::new(message!(rule_share_signed_text), ["file.facts.signed = true".to_string()]);
    on.then(hit).into_iter().collect()
}

pub(in crate::finding) fn check_smb_encryption_enabled(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    let hit = || Hit::new(message!(rule_share_encrypted_text), ["file.facts.encrypted = true".to_string()]);
    (file.facts.encrypted == Some(true)).then(hit).into_iter().collect()
}
