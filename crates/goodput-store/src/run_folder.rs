//! Opens files of an untrusted run folder: only regular files, through no link, up to a length for each kind.

use crate::format;
use crate::sample_chunk::MAX_CHUNK_VALUES;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const MAX_HEADER_BYTES: u64 = 4 << 20;

pub(crate) const MAX_LOG_BYTES: u64 = 512 << 20;

/// 64 escaped tags of 64 characters, and reserve.
const MAX_TAGS_BYTES: u64 = 64 << 10;

/// The longest varints of the most values, incompressible, with names.
const MAX_CHUNK_BYTES: u64 = 11 * MAX_CHUNK_VALUES;

/// Most bytes of the file of this name, which is one of [`crate::run_files::is_run_file_name`].
pub(crate) fn max_file_bytes(name: &str) -> u64 {
    match name {
        format::RUN_HEADER_FILE => MAX_HEADER_BYTES,
        format::EVENTS_FILE => MAX_LOG_BYTES,
        format::TAGS_FILE => MAX_TAGS_BYTES,
        _ => MAX_CHUNK_BYTES,
    }
}

/// Fails with [`ErrorKind::InvalidInput`] for anything but a regular file, without waiting for a pipe.
pub(crate) fn open(folder: &Path, name: &str) -> io::Result<File> {
    open_with(folder, name, OpenOptions::new().read(true))
}

/// Each part is opened in the folder opened before it, so that a link that replaces one is not followed either.
pub(crate) fn open_with(folder: &Path, name: &str, options: &mut OpenOptions) -> io::Result<File> {
    let mut parent = open_folder(folder)?;
    let mut last = name;
    if let Some((subfolder, rest)) = name.split_once('/') {
        parent = open_folder(&path_in(&parent, subfolder))?;
        last = rest;
    }
    let opened = options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path_in(&parent, last));
    let file = opened.map_err(explain_link)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_a_plain_file()) }
}

/// Of a file that is growing, the part that it had when it was opened.
pub(crate) fn read(folder: &Path, name: &str) -> io::Result<Vec<u8>> {
    let file = open(folder, name)?;
    let length = file.metadata()?.len();
    let most = max_file_bytes(name);
    if length > most {
        let why = format!("it has {length} bytes, and at most {most} are accepted");
        return Err(io::Error::new(ErrorKind::FileTooLarge, why));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length as usize).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn open_folder(path: &Path) -> io::Result<File> {
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW;
    OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(explain_link)
}

/// openat(2) by path (proc_pid_fd(5)).
fn path_in(folder: &File, name: &str) -> PathBuf {
    PathBuf::from(format!("/proc/thread-self/fd/{}/{name}", folder.as_raw_fd()))
}

/// ENXIO is a socket.
fn explain_link(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::ELOOP | libc::ENXIO) => not_a_plain_file(),
        _ => error,
    }
}

fn not_a_plain_file() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "not a plain file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn only_plain_files_below_plain_folders_are_opened() {
        let root = tempfile::tempdir().unwrap();
        let (run, elsewhere) = (root.path().join("run"), root.path().join("elsewhere"));
        fs::create_dir_all(elsewhere.join(format::SAMPLES_FOLDER)).unwrap();
        for name in [format::RUN_HEADER_FILE, "samples/a.chunk"] {
            fs::write(elsewhere.join(name), "x").unwrap();
            assert_eq!(read(&elsewhere, name).unwrap(), b"x");
        }
        let refused = |name| open(&run, name).unwrap_err().kind();
        fs::create_dir_all(run.join(format::EVENTS_FILE)).unwrap();
        symlink(elsewhere.join(format::RUN_HEADER_FILE), run.join(format::RUN_HEADER_FILE)).unwrap();
        let _socket = UnixListener::bind(run.join(format::TAGS_FILE)).unwrap();
        for name in [format::RUN_HEADER_FILE, format::EVENTS_FILE, format::TAGS_FILE] {
            assert_eq!(refused(name), ErrorKind::InvalidInput, "{name}");
        }
        symlink(elsewhere.join(format::SAMPLES_FOLDER), run.join(format::SAMPLES_FOLDER)).unwrap();
        assert!(matches!(refused("samples/a.chunk"), ErrorKind::InvalidInput | ErrorKind::NotADirectory));
        fs::remove_dir_all(&run).unwrap();
        assert_eq!(refused(format::RUN_HEADER_FILE), ErrorKind::NotFound);
        symlink(&elsewhere, &run).unwrap();
        assert!(open(&run, format::RUN_HEADER_FILE).is_err(), "a linked run folder");
    }

    #[test]
    fn a_file_that_is_too_long_is_not_read() {
        let run = tempfile::tempdir().unwrap();
        for name in [format::RUN_HEADER_FILE, format::EVENTS_FILE, format::TAGS_FILE, "a.chunk"] {
            let file = File::create(run.path().join(name)).unwrap();
            file.set_len(max_file_bytes(name) + 1).unwrap();
            assert_eq!(read(run.path(), name).unwrap_err().kind(), ErrorKind::FileTooLarge, "{name}");
        }
    }
}
