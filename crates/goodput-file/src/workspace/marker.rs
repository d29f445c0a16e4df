//! The file in a workspace that identifies its owner.

use crate::{FileError, FileErrorKind};
use goodput_words::{Message, message};
use serde::{Deserialize, Serialize};
use std::fs::read_to_string;

const MAGIC: &str = "goodput workspace, made and removed by goodput; whatever lies here is no user's file";
/// Later versions may add fields and are readable.
const VERSION: u32 = 1;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceMarker {
    /// A constant that distinguishes it from other programs' files.
    pub(super) magic: String,
    pub(super) version: u32,
    /// The folder's name: a copy in another folder is invalid.
    pub workspace: String,
    pub host: String,
    /// `/etc/machine-id`; empty without one.
    pub machine: String,
    /// Changes with each boot.
    pub boot_id: String,
    /// The namespace of `pid`; empty if unknown.
    pub pid_namespace: String,
    pub pid: u32,
    /// Start in ticks since boot (field 22 of `/proc/PID/stat`), to detect a reused PID. 0 if unknown.
    pub started: u64,
}

impl WorkspaceMarker {
    pub fn for_this_process(workspace: &str) -> WorkspaceMarker {
        let line = |path: &str| read_to_string(path).map(|s| s.trim().to_string()).unwrap_or_default();
        let stat = read_to_string("/proc/self/stat").unwrap_or_default();
        let pid = std::process::id();
        // /proc may belong to another PID namespace.
        let ours = stat.split(' ').next() == Some(pid.to_string().as_str());
        let namespace = std::fs::read_link("/proc/self/ns/pid").ok().filter(|_| ours);
        WorkspaceMarker {
            magic: MAGIC.into(),
            version: VERSION,
            workspace: workspace.into(),
            host: line("/proc/sys/kernel/hostname"),
            machine: line("/etc/machine-id"),
            boot_id: line("/proc/sys/kernel/random/boot_id"),
            pid_namespace: namespace.map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
            pid,
            started: if ours { process_start_time(&stat).unwrap_or(0) } else { 0 },
        }
    }

    pub fn to_json(&self) -> Result<String, FileError> {
        let json = serde_json::to_string_pretty(self);
        json.map(|text| text + "\n").map_err(|source| FileError {
            what: "write a marker".into(),
            trouble: FileErrorKind::Other,
            status: None,
            source: source.to_string().into(),
        })
    }

    /// The error says why it is not valid.
    pub(super) fn from_json(text: &[u8], workspace: &str) -> Result<WorkspaceMarker, Message> {
        let marker: WorkspaceMarker = serde_json::from_slice(text)
            .map_err(|e| message!(cause_place_marker_unreadable { why: e.to_string() }))?;
        if marker.magic != MAGIC || marker.version == 0 {
            return Err("its marker is not one of this program's".into());
        }
        if marker.workspace != workspace {
            let owner = format!("{:?}", marker.workspace);
            return Err(message!(cause_place_marker_of_another { owner }));
        }
        Ok(marker)
    }
}

/// Start time from `/proc/PID/stat` (proc_pid_stat(5)); `None` for a zombie or invalid text.
pub(super) fn process_start_time(stat: &str) -> Option<u64> {
    // The program's name is in brackets and may contain any character, also brackets.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    if matches!(fields.next()?, "Z" | "X" | "x") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6";

    #[test]
    fn a_marker_is_read_as_it_was_written_and_only_for_its_folder() {
        let mine = WorkspaceMarker::for_this_process(NAME);
        assert_eq!((mine.pid, mine.boot_id.len()), (std::process::id(), 36), "{mine:?}");
        assert!(mine.started > 0 && mine.pid_namespace.starts_with("pid:["), "{mine:?}");
        let text = mine.to_json().unwrap();
        assert_eq!(WorkspaceMarker::from_json(text.as_bytes(), NAME).unwrap(), mine);
        assert!(WorkspaceMarker::from_json(text.as_bytes(), &NAME.replace('6', "7")).is_err());
        assert!(WorkspaceMarker::from_json(text.replace("made and", "made or").as_bytes(), NAME).is_err());
        for torn in ["", "{", &text[..text.len() / 2], "{}", "null", "\0\0\0"] {
            assert!(WorkspaceMarker::from_json(torn.as_bytes(), NAME).is_err(), "{torn:?}");
        }
    }

    #[test]
    fn a_process_is_known_by_its_start() {
        let stat = "7 (a) b (c)) S 1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4242 1 1 1";
        assert_eq!(process_start_time(stat), Some(4242));
        let ended = stat.replace(") S", ") Z");
        assert_eq!([&ended[..], "", "7 (a) S 1 2"].map(process_start_time), [None; 3]);
    }
}
