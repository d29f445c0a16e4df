//! Foreign files in the target folder, to be left unchanged.

use crate::must;
use crate::stage::Home;
use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub struct Canaries {
    folder: PathBuf,
    before: BTreeMap<PathBuf, Seen>,
}

#[derive(Debug, PartialEq, Eq)]
struct Seen {
    content: Option<Vec<u8>>,
    modified: Option<SystemTime>,
}

impl Canaries {
    /// Creates them, some with names similar to ours.
    pub fn sing(home: &Home, name: &str, count: usize) -> Result<Canaries, Failed> {
        let folder = home.path().join(name);
        fs::create_dir_all(folder.join("sub"))?;
        for number in 0..count {
            let at = if number % 3 == 0 { folder.join("sub") } else { folder.clone() };
            fs::write(at.join(format!("canary-{number}")), number.to_le_bytes().repeat(number % 200 + 1))?;
        }
        for name in ["test", "copy", "goodput-workspace.json", ".goodput-mine", "clients"] {
            fs::write(folder.join(name), name)?;
        }
        Canaries::of(folder)
    }

    pub fn of(folder: PathBuf) -> Result<Canaries, Failed> {
        let before = look(&folder)?;
        Ok(Canaries { folder, before })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn word(&self) -> String {
        self.folder.display().to_string()
    }

    /// Fails if a foreign file changed or another file remains.
    pub fn unharmed(&self) -> Result<(), Failed> {
        let after = look(&self.folder)?;
        for (path, seen) in &self.before {
            match after.get(path) {
                Some(now) if now == seen => {}
                // Our workspace changes the folder's own time.
                Some(now) if now.content.is_none() && seen.content.is_none() => {}
                now => {
                    return Err(format!("{} was {seen:?} and is {now:?}", path.display()).into());
                }
            }
        }
        let new: Vec<_> = after.keys().filter(|path| !self.before.contains_key(*path)).collect();
        must!(new.is_empty(), "left behind: {new:?}");
        Ok(())
    }

    pub fn workspaces(&self) -> Result<Vec<PathBuf>, Failed> {
        workspaces(&self.folder)
    }
}

pub fn workspaces(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let ours = entry.file_name().to_string_lossy().starts_with(".goodput-");
        if ours && entry.file_type()?.is_dir() {
            found.push(entry.path());
        }
    }
    Ok(found)
}

fn look(folder: &Path) -> Result<BTreeMap<PathBuf, Seen>, Failed> {
    let mut seen = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let known = fs::symlink_metadata(&path)?;
            let content = if known.is_file() { Some(fs::read(&path)?) } else { None };
            if known.is_dir() {
                folders.push(path.clone());
            }
            seen.insert(path, Seen { content, modified: known.modified().ok() });
        }
    }
    Ok(seen)
}
