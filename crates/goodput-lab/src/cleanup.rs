//! Finds running labs, and removes the files and control groups of dead ones.

use crate::cgroup::{self, StaleCgroupRemovalError};
use crate::lab_name::LabOrHostName;
use crate::lab_state::{LabLiveness, LabState};
use crate::runtime_folder::{RuntimeFolder, RuntimeFolderError, RuntimeLock};
use goodput_words::{Message, error_messages, message};
use std::collections::BTreeSet;

#[derive(Debug, Default)]
pub struct LabList {
    pub running: Vec<LabState>,
    pub elsewhere: Vec<LabState>,
    /// Files of unknown format, left alone.
    pub unreadable: Vec<RuntimeFolderError>,
    /// Labs whose files were removed.
    pub swept: Vec<String>,
    /// Files and groups that could not be removed.
    pub left: Vec<StaleCgroupRemovalError>,
}

#[derive(Debug)]
pub enum FindLabError {
    NoSuchLab { name: LabOrHostName, running: Vec<LabOrHostName> },
    Elsewhere { name: LabOrHostName },
    Runtime(RuntimeFolderError),
}

error_messages! {
    FindLabError {
        FindLabError::NoSuchLab { name, running } => no_lab_named(name, running),
        FindLabError::Elsewhere { name } => message!(error_lab_elsewhere_not_entered { name }),
        FindLabError::Runtime(e) => e.message_with_sources(),
    }
    from { RuntimeFolderError => FindLabError::Runtime }
}

impl FindLabError {
    pub fn hint(&self) -> Message {
        match self {
            FindLabError::NoSuchLab { name, running } if running.is_empty() => up_line(name),
            FindLabError::NoSuchLab { .. } => "goodput lab list".into(),
            FindLabError::Elsewhere { name } => message!(hint_lab_run_elsewhere { name }),
            FindLabError::Runtime(e) => e.hint(),
        }
    }
}

fn up_line(name: &LabOrHostName) -> Message {
    if *name == LabOrHostName::default_lab() {
        "start the lab: goodput lab up".into()
    } else {
        format!("goodput lab up --name {name}").into()
    }
}

pub(crate) fn no_lab_named(name: &LabOrHostName, running: &[LabOrHostName]) -> Message {
    let others = match running {
        [] => Message::from("none is"),
        some => message!(part_lab_running { names: some.iter().collect::<Vec<_>>() }),
    };
    message!(error_lab_not_running { name, others })
}

impl LabList {
    pub fn running_names(&self) -> Vec<LabOrHostName> {
        self.running.iter().map(|lab| lab.name.clone()).collect()
    }
}

pub fn list_labs(runtime: &RuntimeFolder) -> Result<LabList, RuntimeFolderError> {
    if !runtime.labs_folder().exists() {
        return Ok(LabList { left: cgroup::remove_stale_cgroups(), ..LabList::default() });
    }
    let lock = runtime.lock()?;
    let labs = remove_dead_labs(runtime, &lock)?;
    runtime.remove_if_empty();
    Ok(labs)
}

pub fn find_lab(runtime: &RuntimeFolder, name: &LabOrHostName) -> Result<LabState, FindLabError> {
    // Without the lock, so that a measurement need not wait while another lab starts.
    match LabState::read(runtime, name)? {
        Some(lab) if lab.liveness() == LabLiveness::Running => Ok(lab),
        Some(lab) if lab.liveness() == LabLiveness::Elsewhere => {
            Err(FindLabError::Elsewhere { name: lab.name })
        }
        _ => {
            Err(FindLabError::NoSuchLab { name: name.clone(), running: list_labs(runtime)?.running_names() })
        }
    }
}

/// The lock ensures that no lab is just being started.
pub(crate) fn remove_dead_labs(
    runtime: &RuntimeFolder,
    _held: &RuntimeLock,
) -> Result<LabList, RuntimeFolderError> {
    let mut labs = LabList { left: cgroup::remove_stale_cgroups(), ..LabList::default() };
    let names: BTreeSet<String> = runtime.lab_files()?.into_iter().map(|(lab, _)| lab).collect();
    for text in names {
        let Ok(name) = text.parse::<LabOrHostName>() else { continue };
        match LabState::read(runtime, &name) {
            Ok(Some(lab)) if lab.liveness() == LabLiveness::Running => labs.running.push(lab),
            Ok(Some(lab)) if lab.liveness() == LabLiveness::Elsewhere => labs.elsewhere.push(lab),
            Ok(_) => {
                runtime.remove_lab(&text)?;
                labs.swept.push(text);
            }
            Err(e) => labs.unreadable.push(e),
        }
    }
    Ok(labs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab_state::tests::state;
    use crate::runtime_folder::tests::folder;
    use std::fs;

    fn put(runtime: &RuntimeFolder, lab: &LabState) {
        lab.write(&runtime.state_file(&lab.name)).unwrap();
        fs::write(runtime.key_file(&lab.name), "secret").unwrap();
    }

    #[test]
    fn dead_labs_go_and_living_ones_stay() {
        let (_temp, runtime) = folder();
        let living = state("living");
        let mut dead = state("dead");
        dead.keeper.start_ticks -= 1;
        let mut elsewhere = state("elsewhere");
        elsewhere.pid_namespace += 1;
        [&living, &dead, &elsewhere].iter().for_each(|lab| put(&runtime, lab));
        fs::write(runtime.key_file(&"orphan".parse().unwrap()), "secret").unwrap();
        fs::write(runtime.state_file(&"strange".parse().unwrap()), "{}").unwrap();

        let labs = list_labs(&runtime).unwrap();
        assert_eq!(labs.running_names(), std::slice::from_ref(&living.name));
        assert_eq!((&labs.elsewhere[..], labs.unreadable.len()), (std::slice::from_ref(&elsewhere), 1));
        assert_eq!(labs.swept, ["dead", "orphan"]);
        assert!(runtime.key_file(&living.name).exists() && !runtime.key_file(&dead.name).exists());
        assert!(matches!(find_lab(&runtime, &elsewhere.name), Err(FindLabError::Elsewhere { .. })));
    }

    #[test]
    fn a_lab_that_is_not_found_names_the_running_ones() {
        let (_temp, runtime) = folder();
        ["office", "home"].into_iter().for_each(|name| put(&runtime, &state(name)));
        let error = find_lab(&runtime, &"x".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "no lab named x is running; running: home, office");
        assert_eq!(find_lab(&runtime, &"home".parse().unwrap()).unwrap(), state("home"));
        let (temp, runtime) = folder();
        let mut dead = state("dead");
        dead.keeper.start_ticks -= 1;
        put(&runtime, &dead);
        let error = find_lab(&runtime, &dead.name).unwrap_err();
        assert_eq!(error.to_string(), "no lab named dead is running; none is");
        assert_eq!(error.hint(), "goodput lab up --name dead");
        assert!(!temp.path().join("goodput").exists());
        assert!(list_labs(&runtime).unwrap().running.is_empty());
    }
}
