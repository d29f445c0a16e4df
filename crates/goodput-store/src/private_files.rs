//! Runs are for their user and its group, an index for its user alone: runs contain hosts, addresses and commands,
//! an index also the secret addresses of webhooks.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

const OTHERS: u32 = 0o077;

/// Fails if it exists.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o750).create(path)
}

/// With its parents. Existing folders keep their mode.
pub(crate) fn create_private_folders(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o750).create(path)
}

/// Replaces a file of an interrupted attempt, and never writes into one that another user has put in its place.
pub fn create_file_anew(path: &Path, mode: u32) -> io::Result<fs::File> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// Creates an SQLite file with mode 0600 if `creates`, or takes the rights of others from an existing one and its
/// log, whose mode later follows the file's. SQLite itself reports what cannot be opened.
pub(crate) fn make_database_private(file: &Path, creates: bool) {
    if creates {
        // Only a new file: closing a second descriptor of an open database would give back SQLite's locks (fcntl(2)).
        let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    }
    for suffix in ["", "-wal", "-shm"] {
        let mut path = file.as_os_str().to_os_string();
        path.push(suffix);
        let path = PathBuf::from(path);
        if let Ok(meta) = fs::metadata(&path)
            && meta.is_file()
            && meta.permissions().mode() & OTHERS != 0
        {
            let _ = fs::set_permissions(&path, Permissions::from_mode(meta.permissions().mode() & 0o700));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{INDEX_FILE, Index};
    use crate::run_files::RunImport;
    use crate::writer::{RunWriter, new_run_header};
    use goodput_model::RunId;
    use std::collections::BTreeMap;
    use std::io::{Read, Write};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn runs_are_closed_to_other_users() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("data/runs");
        let writer = RunWriter::create(&root, new_run_header("0", Vec::new(), 1, BTreeMap::new())).unwrap();
        let samples = writer.folder().join("samples");
        for path in [root.parent().unwrap(), root.as_path(), writer.folder(), samples.as_path()] {
            assert_eq!(mode(path) & 0o007, 0, "{}", path.display());
        }
        let other = folder.path().join("others");
        let _import = RunImport::start(&other, RunId(uuid::Uuid::now_v7())).unwrap();
        let started = fs::read_dir(&other).unwrap().next().unwrap().unwrap().path();
        assert_eq!((mode(&other) | mode(&started)) & 0o007, 0);
    }

    #[test]
    fn a_private_file_is_not_written_through_what_another_user_put_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::write(place("open"), "").unwrap();
        fs::set_permissions(place("open"), Permissions::from_mode(0o666)).unwrap();
        let mut held = fs::File::open(place("open")).unwrap();
        fs::write(place("other"), "theirs").unwrap();
        std::os::unix::fs::symlink(place("other"), place("link")).unwrap();
        for name in ["open", "link"] {
            fs::write(place("other"), "theirs").unwrap();
            create_file_anew(&place(name), 0o600).unwrap().write_all(b"secret").unwrap();
            assert_eq!(mode(&place(name)), 0o600, "{name}");
            assert_eq!(fs::read(place("other")).unwrap(), b"theirs");
        }
        let mut seen = String::new();
        held.read_to_string(&mut seen).unwrap();
        assert_eq!(seen, "");
    }

    #[test]
    fn an_index_is_for_its_user_alone_also_one_that_was_open_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (root, file) = (folder.path().join("runs"), folder.path().join("runs").join(INDEX_FILE));
        let open = || Index::open_with_cache(None, &root, folder.path());
        for _ in 0..2 {
            runtime.block_on(async {
                let index = open().await.unwrap();
                // Writes create the log.
                index.refresh().await.unwrap();
                for entry in fs::read_dir(&root).unwrap() {
                    let path = entry.unwrap().path();
                    assert_eq!(mode(&path) & OTHERS, 0, "{}", path.display());
                }
                index.close().await;
            });
            fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        }
    }
}
