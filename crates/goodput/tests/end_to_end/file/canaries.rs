//! Foreign files in the target folder, to be left unchanged.

use crate::stage::*;
use std::collections::BTreeMap;
use std::time::SystemTime;

pub struct Canaries {
    folder: PathBuf,
    before: BTreeMap<PathBuf, Seen>,
}

/// Content and time of a file; nothing of a folder, whose own time our workspace changes.
pub type Seen = Option<(Vec<u8>, SystemTime)>;

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
        let before = files_below(&folder)?;
        Ok(Canaries { folder, before })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn word(&self) -> String {
        self.folder.display().to_string()
    }

    /// Fails if a foreign file changed or another file remains.
    pub fn unharmed(&self) -> CommandOutput {
        let after = files_below(&self.folder)?;
        let mut paths = self.before.keys().chain(after.keys());
        let changed = paths.find(|path| self.before.get(*path) != after.get(*path));
        must!(changed.is_none(), "{changed:?} is not as it was");
        Ok(())
    }

    pub fn workspaces(&self) -> Result<Vec<PathBuf>, Failed> {
        let ours = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(".goodput-") && path.is_dir()
        };
        Ok(fs::read_dir(&self.folder)?.flatten().map(|entry| entry.path()).filter(ours).collect())
    }
}

/// And folders, which have no content.
pub fn files_below(folder: &Path) -> Result<BTreeMap<PathBuf, Seen>, Failed> {
    let mut seen = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let known = fs::symlink_metadata(&path)?;
        if known.is_dir() {
            seen.extend(files_below(&path)?);
        }
        let file = if known.is_file() { Some((fs::read(&path)?, known.modified()?)) } else { None };
        seen.insert(path, file);
    }
    Ok(seen)
}
