//! Finds and removes the workspaces of dead processes.

use super::{
    WorkspaceMarker, WorkspaceParent, already_gone, is_workspace_name, marker::process_start_time,
    marker_text, remove_workspace,
};
use crate::{FileError, FileErrorKind, RelPath, Share, sys};
use goodput_model::file::{WORKSPACE_MARKER_FILE, WORKSPACE_PREFIX};
use goodput_words::{Message, message};
use std::fs::{read_dir, read_to_string};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkspaceSelection<'a> {
    Dead,
    /// At the user's request, whoever made it. It must still carry our marker.
    Named(&'a str),
}

/// State of a workspace's maker.
#[derive(Debug, Clone, PartialEq)]
pub enum WorkspaceOwnerState {
    Dead,
    Alive,
    Unknown(Message),
    /// It died before it could mark the empty folder.
    Unmarked,
    /// Without our marker, and why. It is never touched.
    Foreign(Message),
}

#[derive(Debug)]
pub struct InspectedWorkspace {
    pub name: String,
    pub marker: Option<WorkspaceMarker>,
    pub state: WorkspaceOwnerState,
    /// Number of removed entries; `None` when it was kept.
    pub removed: Option<Result<u64, FileError>>,
}

/// Inspects every folder with a workspace's name, removes selected ones. Failures are in the list.
pub fn clean_workspaces(
    target: &dyn WorkspaceParent,
    which: WorkspaceSelection,
) -> Result<Vec<InspectedWorkspace>, FileError> {
    let here = WorkspaceMarker::for_this_process("");
    let mut found = Vec::new();
    let mut entries = target.find_folder_entries(&RelPath::root(), &format!("{WORKSPACE_PREFIX}*"), None)?;
    entries.retain(|e| e.status.folder && is_workspace_name(&e.name));
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in entries {
        match look_at(target, &entry.name, which, &here) {
            Ok(one) => found.push(one),
            Err(bad) if bad.trouble.is_not_found() => {}
            Err(bad) => {
                let state = WorkspaceOwnerState::Unknown("it cannot be opened".into());
                found.push(InspectedWorkspace {
                    name: entry.name,
                    marker: None,
                    state,
                    removed: Some(Err(bad)),
                });
            }
        }
    }
    Ok(found)
}

fn look_at(
    target: &dyn WorkspaceParent,
    name: &str,
    which: WorkspaceSelection,
    here: &WorkspaceMarker,
) -> Result<InspectedWorkspace, FileError> {
    let share = target.open_subfolder(name)?;
    let (marker, state) = state_of(share.as_ref(), name, here)?;
    let wanted = match which {
        WorkspaceSelection::Dead => {
            matches!(state, WorkspaceOwnerState::Dead | WorkspaceOwnerState::Unmarked)
        }
        WorkspaceSelection::Named(one) => one == name && !matches!(state, WorkspaceOwnerState::Foreign(_)),
    };
    let removed = wanted.then(|| match state {
        WorkspaceOwnerState::Unmarked => {
            // Safe: only an empty marker can be lost, because a non-empty folder is not removed.
            already_gone(share.remove_file(&RelPath::parse(WORKSPACE_MARKER_FILE)?))?;
            already_gone(share.remove_folder(&RelPath::root())).map(|()| 1)
        }
        _ => remove_workspace(share.as_ref(), name),
    });
    Ok(InspectedWorkspace { name: name.into(), marker, state, removed })
}

fn state_of(
    share: &dyn Share,
    name: &str,
    here: &WorkspaceMarker,
) -> Result<(Option<WorkspaceMarker>, WorkspaceOwnerState), FileError> {
    let text = match marker_text(share) {
        Ok(text) => text,
        Err(bad) if bad.trouble == FileErrorKind::NotFound => Vec::new(),
        Err(bad) => return Err(bad),
    };
    match WorkspaceMarker::from_json(&text, name) {
        Ok(marker) => {
            let state = fate(&marker, here, look_for);
            Ok((Some(marker), state))
        }
        Err(_) if text.is_empty() => {
            let alone = share
                .find_folder_entries(&RelPath::root(), "*", None)?
                .iter()
                .all(|e| e.name == WORKSPACE_MARKER_FILE);
            let why = "it has no marker, but files";
            Ok((
                None,
                if alone { WorkspaceOwnerState::Unmarked } else { WorkspaceOwnerState::Foreign(why.into()) },
            ))
        }
        Err(why) => Ok((None, WorkspaceOwnerState::Foreign(why))),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MarkerCheck {
    Alive,
    Gone,
    Hidden,
}

/// Determines the maker's state as seen from `here`.
fn fate(
    marker: &WorkspaceMarker,
    here: &WorkspaceMarker,
    look: impl Fn(&WorkspaceMarker, &WorkspaceMarker) -> MarkerCheck,
) -> WorkspaceOwnerState {
    if !marker.boot_id.is_empty() && marker.boot_id == here.boot_id {
        return match look(marker, here) {
            MarkerCheck::Alive => WorkspaceOwnerState::Alive,
            MarkerCheck::Gone => WorkspaceOwnerState::Dead,
            MarkerCheck::Hidden => WorkspaceOwnerState::Unknown(message!(cause_place_hidden_maker {
                process: marker.pid.to_string(),
                host: &marker.host,
            })),
        };
    }
    let same_machine = !marker.machine.is_empty()
        && (&marker.machine, &marker.host) == (&here.machine, &here.host)
        && !marker.boot_id.is_empty();
    if same_machine {
        // The host has rebooted since.
        return WorkspaceOwnerState::Dead;
    }
    let (process, host) = (marker.pid.to_string(), format!("{:?}", marker.host));
    WorkspaceOwnerState::Unknown(message!(cause_place_maker_elsewhere { process, host }))
}

fn look_for(marker: &WorkspaceMarker, here: &WorkspaceMarker) -> MarkerCheck {
    if marker.started == 0 || marker.pid_namespace.is_empty() || here.pid_namespace.is_empty() {
        return MarkerCheck::Hidden;
    }
    if marker.pid_namespace != here.pid_namespace {
        return look_below(marker, here);
    }
    match read_to_string(format!("/proc/{}/stat", marker.pid)) {
        Ok(stat) if process_start_time(&stat) == Some(marker.started) => MarkerCheck::Alive,
        Ok(_) => MarkerCheck::Gone,
        // Other users' processes may be hidden (proc(5), hidepid), but not their existence.
        Err(_) if sys::process_exists(marker.pid) => MarkerCheck::Hidden,
        Err(_) => MarkerCheck::Gone,
    }
}

/// Looks for a process in another PID namespace. Only the initial one sees all (pid_namespaces(7)).
fn look_below(marker: &WorkspaceMarker, here: &WorkspaceMarker) -> MarkerCheck {
    // PROC_PID_INIT_INO of linux/proc_ns.h.
    let sees_all = here.pid_namespace == "pid:[4026531836]" && read_to_string("/proc/1/stat").is_ok();
    let Some(processes) = read_dir("/proc").ok().filter(|_| sees_all) else { return MarkerCheck::Hidden };
    for process in processes.flatten() {
        if !process.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit) {
            continue;
        }
        let path = process.path();
        let stat = read_to_string(path.join("stat")).unwrap_or_default();
        if process_start_time(&stat) != Some(marker.started) {
            continue;
        }
        // PIDs from our namespace down to its own. If two processes share both, the workspace is kept.
        let status = read_to_string(path.join("status")).unwrap_or_default();
        let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:")).unwrap_or_default();
        if numbers.split_ascii_whitespace().next_back() == Some(marker.pid.to_string().as_str()) {
            return MarkerCheck::Alive;
        }
    }
    MarkerCheck::Gone
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker(host: &str, machine: &str, boot: &str) -> WorkspaceMarker {
        let (host, machine, boot_id) = (host.into(), machine.into(), boot.into());
        WorkspaceMarker { host, machine, boot_id, pid: 7, ..WorkspaceMarker::default() }
    }

    #[test]
    fn a_maker_is_dead_only_when_that_is_certain() {
        let here = marker("a", "m", "now");
        let of = |m: WorkspaceMarker, sight| fate(&m, &here, move |_, _| sight);
        assert_eq!(of(marker("a", "m", "now"), MarkerCheck::Alive), WorkspaceOwnerState::Alive);
        assert_eq!(of(marker("a", "m", "now"), MarkerCheck::Gone), WorkspaceOwnerState::Dead);
        assert!(matches!(of(marker("a", "m", "now"), MarkerCheck::Hidden), WorkspaceOwnerState::Unknown(_)));
        let restarted = of(marker("a", "m", "before"), MarkerCheck::Alive);
        assert_eq!(restarted, WorkspaceOwnerState::Dead, "the host was started again");
        for (host, machine, boot) in [("b", "m", "x"), ("a", "n", "x"), ("a", "", "x"), ("a", "m", "")] {
            let other = of(marker(host, machine, boot), MarkerCheck::Gone);
            assert!(matches!(other, WorkspaceOwnerState::Unknown(_)), "{host} {machine} {boot}");
        }
    }

    #[test]
    fn this_process_lives_and_another_with_its_number_does_not() {
        let mine = WorkspaceMarker::for_this_process("");
        assert_eq!(look_for(&mine, &mine), MarkerCheck::Alive);
        let seen = |marker: WorkspaceMarker| look_for(&marker, &mine);
        assert_eq!(seen(WorkspaceMarker { started: mine.started - 1, ..mine.clone() }), MarkerCheck::Gone);
        assert_eq!(seen(WorkspaceMarker { started: 0, ..mine.clone() }), MarkerCheck::Hidden);
        let [elsewhere, inner] =
            ["pid:[1]", "pid:[2]"].map(|name| WorkspaceMarker { pid_namespace: name.into(), ..mine.clone() });
        assert_eq!(look_for(&elsewhere, &inner), MarkerCheck::Hidden);
    }
}
