//! The runtime folder: state, keys and logs of running labs, with a lock. Files of a lab NAME: `NAME.json`
//! (state), `NAME.key` (mode 600), `NAME.log` (keeper), and `NAME.HOST.log` (output of each host's command).

use crate::lab_name::LabOrHostName;
use goodput_words::{Message, error_messages, message};
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use serde::{Deserialize, Serialize};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longer than starting a lab may take.
const LOCK_WITHIN: Duration = Duration::from_secs(60);

/// Of one user. Nothing of it exists while no lab runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RuntimeFolder {
    base: PathBuf,
    mode: u32,
}

#[derive(Debug)]
pub enum RuntimeFolderError {
    Folder {
        folder: PathBuf,
        source: io::Error,
    },
    NotOurs {
        folder: PathBuf,
        owner: u32,
    },
    Read {
        path: PathBuf,
        source: io::Error,
    },
    /// Of another version of this program, or no state at all.
    Form {
        path: PathBuf,
        source: serde_json::Error,
    },
    Busy {
        folder: PathBuf,
    },
}

error_messages! {
    RuntimeFolderError {
        RuntimeFolderError::Folder { folder, .. } =>
            message!(error_lab_runtime_folder { folder: folder.display().to_string() }),
        RuntimeFolderError::NotOurs { folder, owner } => {
            let (folder, owner) = (folder.display().to_string(), owner.to_string());
            message!(error_lab_runtime_folder_not_ours { folder, owner })
        },
        RuntimeFolderError::Read { path, .. } =>
            message!(error_cannot_read { path: path.display().to_string() }),
        RuntimeFolderError::Form { path, .. } =>
            message!(error_lab_state_form { path: path.display().to_string() }),
        RuntimeFolderError::Busy { folder } => {
            let folder = folder.display().to_string();
            message!(error_lab_folder_busy { folder, seconds: LOCK_WITHIN.as_secs() })
        },
    }
    sources {
        RuntimeFolderError::Folder { source, .. } | RuntimeFolderError::Read { source, .. } => source,
        RuntimeFolderError::Form { source, .. } => source,
    }
}

pub(crate) struct RuntimeLock(Flock<File>);

impl RuntimeLock {
    /// For another process: if this process is killed, that one keeps the lock.
    pub(crate) fn clone_for_child(&self) -> io::Result<File> {
        self.0.try_clone()
    }
}

/// `None` for what does not exist.
pub(crate) fn none_if_not_found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

impl RuntimeFolder {
    /// `/run/goodput` for root; else `goodput` under `$XDG_RUNTIME_DIR`, or a folder under the temporary one.
    pub fn for_user() -> RuntimeFolder {
        let user = nix::unistd::geteuid();
        if user.is_root() {
            return RuntimeFolder { base: PathBuf::from("/run/goodput"), mode: 0o755 };
        }
        let base = match std::env::var_os("XDG_RUNTIME_DIR") {
            Some(given) if Path::new(&given).is_absolute() => PathBuf::from(given).join("goodput"),
            _ => std::env::temp_dir().join(format!("goodput-{user}")),
        };
        RuntimeFolder { base, mode: 0o700 }
    }

    pub fn new(base: &Path) -> RuntimeFolder {
        RuntimeFolder { base: base.to_path_buf(), mode: 0o700 }
    }

    pub fn labs_folder(&self) -> PathBuf {
        self.base.join("lab")
    }

    pub(crate) fn state_file(&self, lab: &LabOrHostName) -> PathBuf {
        self.labs_folder().join(format!("{lab}.json"))
    }

    pub(crate) fn key_file(&self, lab: &LabOrHostName) -> PathBuf {
        self.labs_folder().join(format!("{lab}.key"))
    }

    pub(crate) fn log_file(&self, lab: &LabOrHostName) -> PathBuf {
        self.labs_folder().join(format!("{lab}.log"))
    }

    fn failed(&self, source: io::Error) -> RuntimeFolderError {
        RuntimeFolderError::Folder { folder: self.labs_folder(), source }
    }

    /// Lab names and paths.
    pub(crate) fn lab_files(&self) -> Result<Vec<(String, PathBuf)>, RuntimeFolderError> {
        self.check_owner()?;
        let entries = none_if_not_found(fs::read_dir(self.labs_folder())).map_err(|e| self.failed(e))?;
        let mut files = Vec::new();
        for entry in entries.into_iter().flatten() {
            let path = entry.map_err(|e| self.failed(e))?.path();
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
            if let Some((lab, _)) = name.split_once('.') {
                files.push((lab.to_string(), path.clone()));
            }
        }
        files.sort();
        Ok(files)
    }

    /// Missing files are no error.
    pub(crate) fn remove_lab(&self, lab: &str) -> Result<(), RuntimeFolderError> {
        for (owner, path) in self.lab_files()? {
            if owner == lab {
                none_if_not_found(fs::remove_file(&path)).map_err(|e| self.failed(e))?;
            }
        }
        Ok(())
    }

    /// Removes the folders if empty. Called with the lock held.
    pub(crate) fn remove_if_empty(&self) {
        let _ = fs::remove_dir(self.labs_folder()).and_then(|()| fs::remove_dir(&self.base));
    }

    pub(crate) fn lock(&self) -> Result<RuntimeLock, RuntimeFolderError> {
        let since = Instant::now();
        loop {
            if let Some(lock) = self.try_lock()? {
                return Ok(lock);
            }
            if since.elapsed() > LOCK_WITHIN {
                return Err(RuntimeFolderError::Busy { folder: self.labs_folder() });
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// `None` when another process has the lock or has just removed the folder.
    fn try_lock(&self) -> Result<Option<RuntimeLock>, RuntimeFolderError> {
        let folder = self.labs_folder();
        let created = DirBuilder::new().recursive(true).mode(self.mode).create(&folder);
        none_if_not_found(created).map_err(|e| self.failed(e))?;
        let Some(file) = none_if_not_found(File::open(&folder)).map_err(|e| self.failed(e))? else {
            return Ok(None);
        };
        self.check_owner()?;
        let lock = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(lock) => lock,
            Err((_, Errno::EWOULDBLOCK)) => return Ok(None),
            Err((_, e)) => return Err(self.failed(e.into())),
        };
        // The previous holder may have removed the folder; then the lock is useless.
        let held = lock.metadata().map_err(|e| self.failed(e))?.ino();
        let there = fs::metadata(&folder).map(|m| m.ino()).ok();
        Ok((there == Some(held)).then_some(RuntimeLock(lock)))
    }

    /// Before anything in it is believed: the fallback is in a world-writable folder.
    pub(crate) fn check_owner(&self) -> Result<(), RuntimeFolderError> {
        let user = nix::unistd::geteuid().as_raw();
        for folder in [self.base.clone(), self.labs_folder()] {
            let found = none_if_not_found(fs::symlink_metadata(&folder)).map_err(|e| self.failed(e))?;
            let Some(found) = found else { return Ok(()) };
            if !found.is_dir() || found.uid() != user || found.mode() & 0o022 != 0 {
                return Err(RuntimeFolderError::NotOurs { folder, owner: found.uid() });
            }
        }
        Ok(())
    }
}

impl RuntimeFolderError {
    pub fn hint(&self) -> Message {
        match self {
            RuntimeFolderError::Folder { folder, .. } => format!("ls -ld {}", folder.display()).into(),
            RuntimeFolderError::NotOurs { .. } => "set XDG_RUNTIME_DIR to a folder of your own".into(),
            RuntimeFolderError::Read { path, .. } => format!("ls -l {}", path.display()).into(),
            RuntimeFolderError::Form { path, .. } => {
                message!(hint_lab_state_form { path: path.display().to_string() })
            }
            RuntimeFolderError::Busy { folder } => format!("fuser -v {}", folder.display()).into(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::lab_state::LabState;
    use std::os::unix::fs::PermissionsExt;

    pub(crate) fn folder() -> (tempfile::TempDir, RuntimeFolder) {
        let temp = tempfile::tempdir().unwrap();
        let runtime = RuntimeFolder::new(&temp.path().join("goodput"));
        drop(runtime.lock().unwrap());
        (temp, runtime)
    }

    #[test]
    fn one_lab_is_removed_without_its_namesakes() {
        let (_temp, runtime) = folder();
        let lock = runtime.lock().unwrap();
        for file in ["a.json", "a.key", "a.b.log", "ab.json", "a-b.key"] {
            fs::write(runtime.labs_folder().join(file), "").unwrap();
        }
        runtime.remove_lab("a").unwrap();
        runtime.remove_lab("a").unwrap();
        let left: Vec<String> = runtime.lab_files().unwrap().into_iter().map(|(lab, _)| lab).collect();
        assert_eq!(left, ["a-b", "ab"]);
        runtime.remove_if_empty();
        assert!(runtime.labs_folder().exists());
        runtime.remove_lab("ab").unwrap();
        runtime.remove_lab("a-b").unwrap();
        runtime.remove_if_empty();
        drop(lock);
        assert!(!runtime.base.exists());
    }

    #[test]
    fn one_command_at_a_time_in_a_folder_of_ours() {
        let (_temp, runtime) = folder();
        let lock = runtime.lock().unwrap();
        assert!(runtime.try_lock().unwrap().is_none());
        drop(lock);
        assert!(runtime.try_lock().unwrap().is_some());
        let (_temp, runtime) = folder();
        let lab = "a".parse().unwrap();
        fs::write(runtime.state_file(&lab), "{}").unwrap();
        for folder in [runtime.base.clone(), runtime.labs_folder()] {
            fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
            assert!(matches!(runtime.lock(), Err(RuntimeFolderError::NotOurs { .. })));
            assert!(matches!(runtime.lab_files(), Err(RuntimeFolderError::NotOurs { .. })));
            assert!(matches!(LabState::read(&runtime, &lab), Err(RuntimeFolderError::NotOurs { .. })));
            fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
        }
        assert!(matches!(LabState::read(&runtime, &lab), Err(RuntimeFolderError::Form { .. })));
        // Only root can give a folder away.
        if std::os::unix::fs::chown(&runtime.base, Some(65_534), None).is_ok() {
            assert!(matches!(runtime.lab_files(), Err(RuntimeFolderError::NotOurs { owner: 65_534, .. })));
        }
    }
}
