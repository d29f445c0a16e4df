//! The runtime folder: where the state, the keys and the logs of running labs lie, and who may change them.
//!
//! Of a lab NAME there are `NAME.json` (the state), `NAME.key` (the key, mode 600), `NAME.log` (the
//! keeper's log) and `NAME.HOST.log` (what each host's command said).

use crate::name::Name;
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long one `lab` command waits for another; longer than raising a lab may take.
const LOCK_WITHIN: Duration = Duration::from_secs(60);

/// The folder of one user's labs. Nothing of it exists while no lab runs.
#[derive(Debug, Clone)]
pub struct Runtime {
    base: PathBuf,
    mode: u32,
}

/// Why the folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// It could not be made, opened or read.
    #[error("cannot use the runtime folder {}", folder.display())]
    Folder { folder: PathBuf, source: io::Error },
    /// A folder in a place where everybody may write has been made by somebody else.
    #[error("the runtime folder {} belongs to user {owner} or is open to others", folder.display())]
    NotOurs { folder: PathBuf, owner: u32 },
    /// Another `lab` command does not come to its end.
    #[error("another lab command has held {} for {} s", folder.display(), LOCK_WITHIN.as_secs())]
    Busy { folder: PathBuf },
}

/// The sole right to change what is in the folder, until it is dropped.
pub(crate) struct Lock(Flock<File>);

impl Lock {
    /// A second handle for another process: if this process is killed, the lock stays with that one.
    pub(crate) fn share(&self) -> io::Result<File> {
        self.0.try_clone()
    }
}

impl Runtime {
    /// `/run/goodput` for root; for others `goodput` under `$XDG_RUNTIME_DIR`, or else a folder of their
    /// own under the folder for temporary files.
    pub fn of_user() -> Runtime {
        let user = nix::unistd::geteuid();
        if user.is_root() {
            return Runtime { base: PathBuf::from("/run/goodput"), mode: 0o755 };
        }
        let base = match std::env::var_os("XDG_RUNTIME_DIR") {
            Some(given) if Path::new(&given).is_absolute() => PathBuf::from(given).join("goodput"),
            _ => std::env::temp_dir().join(format!("goodput-{user}")),
        };
        Runtime { base, mode: 0o700 }
    }

    /// A folder of the caller's choice, for tests.
    pub fn at(base: &Path) -> Runtime {
        Runtime { base: base.to_path_buf(), mode: 0o700 }
    }

    /// Where the labs' files lie.
    pub fn folder(&self) -> PathBuf {
        self.base.join("lab")
    }

    pub(crate) fn state_file(&self, lab: &Name) -> PathBuf {
        self.folder().join(format!("{lab}.json"))
    }

    pub(crate) fn key_file(&self, lab: &Name) -> PathBuf {
        self.folder().join(format!("{lab}.key"))
    }

    pub(crate) fn log_file(&self, lab: &Name) -> PathBuf {
        self.folder().join(format!("{lab}.log"))
    }

    fn failed(&self, source: io::Error) -> RuntimeError {
        RuntimeError::Folder { folder: self.folder(), source }
    }

    /// Every file of the folder that belongs to a lab: the lab's name as text, and the path.
    pub(crate) fn files(&self) -> Result<Vec<(String, PathBuf)>, RuntimeError> {
        let entries = match fs::read_dir(self.folder()) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
            Err(e) => return Err(self.failed(e)),
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(|e| self.failed(e))?.path();
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
            if let Some((lab, _)) = name.split_once('.') {
                files.push((lab.to_string(), path.clone()));
            }
        }
        files.sort();
        Ok(files)
    }

    /// Removes what belongs to one lab. Files that are gone already are no error.
    pub(crate) fn remove(&self, lab: &str) -> Result<(), RuntimeError> {
        for (owner, path) in self.files()? {
            if owner == lab {
                match fs::remove_file(&path) {
                    Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(self.failed(e)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Removes the folders if nothing is in them any more. Called with the lock held.
    pub(crate) fn tidy(&self) {
        // A folder with something in it refuses, and that is the answer wanted.
        let _ = fs::remove_dir(self.folder()).and_then(|()| fs::remove_dir(&self.base));
    }

    /// Waits for the sole right to change the folder; makes it if it is not there.
    pub(crate) fn lock(&self) -> Result<Lock, RuntimeError> {
        let since = Instant::now();
        loop {
            if let Some(lock) = self.try_lock()? {
                return Ok(lock);
            }
            if since.elapsed() > LOCK_WITHIN {
                return Err(RuntimeError::Busy { folder: self.folder() });
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The lock, or `None` when somebody else has it or has just removed the folder.
    fn try_lock(&self) -> Result<Option<Lock>, RuntimeError> {
        let folder = self.folder();
        DirBuilder::new()
            .recursive(true)
            .mode(self.mode)
            .create(&folder)
            .or_else(|e| if e.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(e) })
            .map_err(|e| self.failed(e))?;
        let file = match File::open(&folder) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(self.failed(e)),
        };
        self.check_owner()?;
        let lock = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(lock) => lock,
            Err((_, Errno::EWOULDBLOCK)) => return Ok(None),
            Err((_, e)) => return Err(self.failed(e.into())),
        };
        // Whoever had it before may have removed the folder; then this is a lock on nothing.
        let held = lock.metadata().map_err(|e| self.failed(e))?.ino();
        let there = fs::metadata(&folder).map(|m| m.ino()).ok();
        Ok((there == Some(held)).then_some(Lock(lock)))
    }

    /// The fallback lies where everybody may write, so its owner and mode are checked.
    fn check_owner(&self) -> Result<(), RuntimeError> {
        let Ok(base) = fs::symlink_metadata(&self.base) else { return Ok(()) };
        let ours = base.is_dir() && base.uid() == nix::unistd::geteuid().as_raw() && base.mode() & 0o022 == 0;
        if ours {
            Ok(())
        } else {
            Err(RuntimeError::NotOurs { folder: self.base.clone(), owner: base.uid() })
        }
    }
}

impl RuntimeError {
    pub fn hint(&self) -> String {
        match self {
            RuntimeError::Folder { folder, .. } => format!("ls -ld {}", folder.display()),
            RuntimeError::NotOurs { .. } => "set XDG_RUNTIME_DIR to a folder of your own".into(),
            RuntimeError::Busy { folder } => format!("fuser -v {}", folder.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn runtime(temp: &tempfile::TempDir) -> Runtime {
        Runtime::at(&temp.path().join("goodput"))
    }

    #[test]
    fn one_lab_is_removed_without_its_namesakes() {
        let temp = tempfile::tempdir().unwrap();
        let runtime = runtime(&temp);
        let lock = runtime.lock().unwrap();
        for file in ["a.json", "a.key", "a.b.log", "ab.json", "a-b.key"] {
            fs::write(runtime.folder().join(file), "").unwrap();
        }
        runtime.remove("a").unwrap();
        runtime.remove("a").unwrap();
        let left: Vec<String> = runtime.files().unwrap().into_iter().map(|(lab, _)| lab).collect();
        assert_eq!(left, ["a-b", "ab"]);
        runtime.tidy();
        assert!(runtime.folder().exists());
        runtime.remove("ab").unwrap();
        runtime.remove("a-b").unwrap();
        runtime.tidy();
        drop(lock);
        assert!(!temp.path().join("goodput").exists());
    }

    #[test]
    fn one_command_at_a_time() {
        let temp = tempfile::tempdir().unwrap();
        let runtime = runtime(&temp);
        let lock = runtime.lock().unwrap();
        assert!(runtime.try_lock().unwrap().is_none());
        drop(lock);
        assert!(runtime.try_lock().unwrap().is_some());
    }

    #[test]
    fn a_folder_open_to_others_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let runtime = runtime(&temp);
        fs::create_dir(temp.path().join("goodput")).unwrap();
        fs::set_permissions(temp.path().join("goodput"), fs::Permissions::from_mode(0o777)).unwrap();
        assert!(matches!(runtime.lock(), Err(RuntimeError::NotOurs { .. })));
    }

    #[test]
    fn no_folder_means_no_labs() {
        let temp = tempfile::tempdir().unwrap();
        assert_eq!(runtime(&temp).files().unwrap(), []);
    }
}
