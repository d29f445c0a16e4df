//! Stops a lab: kills its keeper, waits, removes its files and control groups. The kernel removes the rest.

use crate::cgroup::{self, CgroupOwner, StaleCgroupRemovalError};
use crate::cleanup::{self, no_lab_named};
use crate::lab_name::LabOrHostName;
use crate::lab_state::LabState;
use crate::process::KillOutcome;
use crate::runtime_folder::{RuntimeFolder, RuntimeFolderError};
use goodput_words::{Message, error_messages, message};
use std::io;
use std::time::Duration;

/// The kernel first waits for every process of the lab.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopLabOutcome {
    Stopped,
    /// Its keeper was dead; its files are removed.
    WasDead,
    /// There was no lab at all.
    NothingRuns,
}

#[derive(Debug)]
pub enum StopLabError {
    /// No lab of this name, but others: the name may be wrong.
    NoSuchLab {
        name: LabOrHostName,
        running: Vec<LabOrHostName>,
    },
    Elsewhere {
        name: LabOrHostName,
    },
    Kill {
        name: LabOrHostName,
        pid: i32,
        source: io::Error,
    },
    Still {
        name: LabOrHostName,
        pid: i32,
    },
    Left(StaleCgroupRemovalError),
    Runtime(RuntimeFolderError),
}

error_messages! {
    StopLabError {
        StopLabError::NoSuchLab { name, running } => no_lab_named(name, running),
        StopLabError::Elsewhere { name } => message!(error_lab_elsewhere_not_down { name }),
        StopLabError::Kill { name, pid, .. } =>
            message!(error_lab_cannot_kill { pid: pid.to_string(), name }),
        StopLabError::Still { name, pid } => {
            let (pid, seconds) = (pid.to_string(), EXIT_TIMEOUT.as_secs());
            message!(error_lab_still_there { pid, name, seconds })
        },
        StopLabError::Left(e) => e.message(),
        StopLabError::Runtime(e) => e.message_with_sources(),
    }
    sources { StopLabError::Kill { source, .. } => source }
    from {
        StaleCgroupRemovalError => StopLabError::Left,
        RuntimeFolderError => StopLabError::Runtime,
    }
}

impl StopLabError {
    pub fn hint(&self) -> Option<Message> {
        Some(match self {
            StopLabError::NoSuchLab { .. } => "goodput lab list".into(),
            StopLabError::Elsewhere { name } => message!(hint_lab_down_elsewhere { name }),
            StopLabError::Kill { pid, .. } | StopLabError::Still { pid, .. } => {
                format!("ps -o user,pid,stat,wchan:20,args -p {pid}").into()
            }
            StopLabError::Left(left) => {
                format!("cat {}/cgroup.procs; losetup --all", left.path.display()).into()
            }
            StopLabError::Runtime(e) => e.hint(),
        })
    }
}

pub fn stop_lab(runtime: &RuntimeFolder, name: &LabOrHostName) -> Result<StopLabOutcome, StopLabError> {
    if !runtime.labs_folder().exists() {
        swept(cgroup::remove_stale_cgroups())?;
        return Ok(StopLabOutcome::NothingRuns);
    }
    let lock = runtime.lock()?;
    let mut labs = cleanup::remove_dead_labs(runtime, &lock)?;
    let result = match labs.running.iter().position(|lab| lab.name == *name) {
        Some(at) => {
            let lab = labs.running.swap_remove(at);
            let pid = lab.keeper.pid;
            let kill = |source| StopLabError::Kill { name: name.clone(), pid, source };
            // Only root has disks; without limits they are flushed as fast as memory.
            let _ = cgroup::remove_disk_limits(&CgroupOwner {
                pid_namespace: lab.pid_namespace,
                keeper: lab.keeper,
            });
            match lab.keeper.kill(EXIT_TIMEOUT).map_err(kill)? {
                KillOutcome::Still => return Err(StopLabError::Still { name: name.clone(), pid }),
                KillOutcome::Gone => Ok(StopLabOutcome::Stopped),
                KillOutcome::WasGone => Ok(StopLabOutcome::WasDead),
            }
        }
        None if labs.swept.iter().any(|swept| swept == name.as_str()) => Ok(StopLabOutcome::WasDead),
        None if labs.elsewhere.iter().any(|lab| lab.name == *name) => {
            return Err(StopLabError::Elsewhere { name: name.clone() });
        }
        None => {
            LabState::read(runtime, name)?;
            let running = labs.running_names();
            if running.is_empty() {
                Ok(StopLabOutcome::NothingRuns)
            } else {
                Err(StopLabError::NoSuchLab { name: name.clone(), running })
            }
        }
    };
    if result.is_ok() {
        runtime.remove_lab(name.as_str())?;
    }
    runtime.remove_if_empty();
    swept(cgroup::remove_stale_cgroups())?;
    result
}

fn swept(left: Vec<StaleCgroupRemovalError>) -> Result<(), StopLabError> {
    left.into_iter().next().map_or(Ok(()), |left| Err(StopLabError::Left(left)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab_state::tests::state;
    use crate::runtime_folder::tests::folder;

    #[test]
    fn a_dead_lab_goes_and_a_second_down_is_fine() {
        let (_temp, runtime) = folder();
        let mut dead = state("dead");
        dead.keeper.start_ticks -= 1;
        dead.write(&runtime.state_file(&dead.name)).unwrap();
        for outcome in [StopLabOutcome::WasDead, StopLabOutcome::NothingRuns] {
            assert_eq!(stop_lab(&runtime, &dead.name).unwrap(), outcome);
        }
    }

    #[test]
    fn a_wrong_name_beside_running_labs_is_an_error() {
        let (_temp, runtime) = folder();
        let (office, mut elsewhere) = (state("office"), state("away"));
        elsewhere.pid_namespace += 1;
        for lab in [&office, &elsewhere] {
            lab.write(&runtime.state_file(&lab.name)).unwrap();
        }
        let error = stop_lab(&runtime, &"ofice".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "no lab named ofice is running; running: office");
        assert!(matches!(stop_lab(&runtime, &elsewhere.name), Err(StopLabError::Elsewhere { .. })));
        assert!(runtime.state_file(&elsewhere.name).exists());
    }
}
