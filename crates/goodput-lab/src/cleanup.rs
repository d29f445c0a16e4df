//! Finds running labs, and removes the files and control groups of dead ones.

use crate::group::{self, LeftError};
use crate::name::Name;
use crate::runtime::{Lock, Runtime, RuntimeError};
use crate::state::{LabState, Life, StateError};
use std::collections::BTreeSet;

#[derive(Debug, Default)]
pub struct Labs {
    pub running: Vec<LabState>,
    pub elsewhere: Vec<LabState>,
    /// Files of unknown format, left alone.
    pub unreadable: Vec<StateError>,
    /// Labs whose files were removed.
    pub swept: Vec<String>,
    /// Files and groups that could not be removed.
    pub left: Vec<LeftError>,
}

#[derive(Debug, thiserror::Error)]
pub enum FindError {
    #[error("no lab named {name} is running; {}", running_sentence(running))]
    NoSuchLab { name: Name, running: Vec<Name> },
    #[error("lab {name} was raised in another PID namespace and cannot be judged or entered from here")]
    Elsewhere { name: Name },
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    #[error(transparent)]
    State(#[from] StateError),
}

impl FindError {
    pub fn hint(&self) -> String {
        match self {
            FindError::NoSuchLab { name, running } if running.is_empty() => up_line(name),
            FindError::NoSuchLab { .. } => "goodput lab list".into(),
            FindError::Elsewhere { name } => format!("run goodput where lab {name} was raised"),
            FindError::Runtime(e) => e.hint(),
            FindError::State(e) => e.hint(),
        }
    }
}

fn up_line(name: &Name) -> String {
    if *name == Name::default_lab() {
        "goodput lab up".into()
    } else {
        format!("goodput lab up --name {name}")
    }
}

pub(crate) fn running_sentence(running: &[Name]) -> String {
    match running {
        [] => "none is".into(),
        some => format!("running: {}", some.iter().map(Name::as_str).collect::<Vec<_>>().join(", ")),
    }
}

impl Labs {
    pub fn names(&self) -> Vec<Name> {
        self.running.iter().map(|lab| lab.name.clone()).collect()
    }
}

pub fn list(runtime: &Runtime) -> Result<Labs, RuntimeError> {
    if !runtime.folder().exists() {
        return Ok(Labs { left: group::sweep(), ..Labs::default() });
    }
    let lock = runtime.lock()?;
    let labs = sweep(runtime, &lock)?;
    runtime.tidy();
    Ok(labs)
}

pub fn find(runtime: &Runtime, name: &Name) -> Result<LabState, FindError> {
    // Without the lock, so that a measurement need not wait while another lab starts.
    match LabState::read(runtime, name)? {
        Some(lab) if lab.life() == Life::Running => Ok(lab),
        Some(lab) if lab.life() == Life::Elsewhere => Err(FindError::Elsewhere { name: lab.name }),
        _ => Err(FindError::NoSuchLab { name: name.clone(), running: list(runtime)?.names() }),
    }
}

/// The lock ensures that no lab is just being started.
pub(crate) fn sweep(runtime: &Runtime, _held: &Lock) -> Result<Labs, RuntimeError> {
    let mut labs = Labs { left: group::sweep(), ..Labs::default() };
    let names: BTreeSet<String> = runtime.files()?.into_iter().map(|(lab, _)| lab).collect();
    for text in names {
        let Ok(name) = text.parse::<Name>() else { continue };
        match LabState::read(runtime, &name) {
            Ok(Some(lab)) if lab.life() == Life::Running => labs.running.push(lab),
            Ok(Some(lab)) if lab.life() == Life::Elsewhere => labs.elsewhere.push(lab),
            Ok(_) => {
                runtime.remove(&text)?;
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
    use crate::state::tests::state;
    use std::fs;

    fn folder() -> (tempfile::TempDir, Runtime) {
        let temp = tempfile::tempdir().unwrap();
        let runtime = Runtime::at(&temp.path().join("goodput"));
        drop(runtime.lock().unwrap());
        (temp, runtime)
    }

    fn put(runtime: &Runtime, lab: &LabState) {
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

        let labs = list(&runtime).unwrap();
        assert_eq!(labs.names(), std::slice::from_ref(&living.name));
        assert_eq!(labs.elsewhere, std::slice::from_ref(&elsewhere));
        assert_eq!(labs.swept, ["dead", "orphan"]);
        assert_eq!(labs.unreadable.len(), 1);
        assert!(runtime.key_file(&living.name).exists() && !runtime.key_file(&dead.name).exists());
        assert!(matches!(find(&runtime, &elsewhere.name), Err(FindError::Elsewhere { .. })));
    }

    #[test]
    fn an_unknown_lab_names_the_running_ones() {
        let (_temp, runtime) = folder();
        let missing = "x".parse().unwrap();
        put(&runtime, &state("office"));
        put(&runtime, &state("home"));
        let error = find(&runtime, &missing).unwrap_err();
        assert_eq!(error.to_string(), "no lab named x is running; running: home, office");
        assert_eq!(find(&runtime, &"home".parse().unwrap()).unwrap(), state("home"));
    }

    #[test]
    fn with_the_last_dead_lab_the_folder_goes() {
        let (temp, runtime) = folder();
        let mut dead = state("dead");
        dead.keeper.start_ticks -= 1;
        put(&runtime, &dead);
        let error = find(&runtime, &dead.name).unwrap_err();
        assert_eq!(error.to_string(), "no lab named dead is running; none is");
        assert_eq!(error.hint(), "goodput lab up --name dead");
        assert!(!temp.path().join("goodput").exists());
        assert!(list(&runtime).unwrap().running.is_empty());
    }
}
