//! Opens a file or folder beneath the workspace, safe against links, devices and races.

use super::files::{DirectIoAlignment, OpenFile};
use crate::{FileOpenOptions, RelPath, sys};
use goodput_model::file::CreateDisposition;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

#[derive(Debug)]
pub(super) enum OpenError {
    System(io::Error),
    Rule(&'static str),
}

impl From<io::Error> for OpenError {
    fn from(source: io::Error) -> OpenError {
        OpenError::System(source)
    }
}

const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;

pub(super) fn path_or_dot(path: &RelPath) -> &str {
    match path.as_str() {
        "" => ".",
        path => path,
    }
}

/// `is_in_memory` is true where the file system has no device for direct I/O.
pub(super) fn open_path(
    root: BorrowedFd,
    path: &RelPath,
    how: FileOpenOptions,
    in_memory: bool,
) -> Result<OpenFile, OpenError> {
    if how.folder {
        return folder(root, path, how.disposition);
    }
    match file(root, path, how, in_memory) {
        Err(OpenError::System(e)) if e.raw_os_error() == Some(libc::EISDIR) && !how.file => {
            folder(root, path, CreateDisposition::Open)
        }
        other => other,
    }
}

fn folder(root: BorrowedFd, path: &RelPath, disposition: CreateDisposition) -> Result<OpenFile, OpenError> {
    match disposition {
        CreateDisposition::Open | CreateDisposition::Overwrite => {}
        CreateDisposition::Create => make_folder(root, path)?,
        CreateDisposition::Supersede | CreateDisposition::OpenIf | CreateDisposition::OverwriteIf => {
            match make_folder(root, path) {
                Err(e) if e.raw_os_error() != Some(libc::EEXIST) => return Err(e.into()),
                _ => {}
            }
        }
    }
    let plain = sys::open_beneath(root, path_or_dot(path), libc::O_RDONLY | libc::O_DIRECTORY, 0)?;
    let path = path.as_str().to_string();
    Ok(OpenFile { plain: plain.into(), direct: None, is_folder: true, read_only: true, path })
}

pub(super) fn make_folder(root: BorrowedFd, path: &RelPath) -> io::Result<()> {
    with_parent_folder(root, path, |parent, name| sys::mkdirat(parent, name, FOLDER_MODE))
}

/// Opens the parent folder first, so that no link leads elsewhere.
pub(super) fn with_parent_folder<T>(
    root: BorrowedFd,
    path: &RelPath,
    act: impl FnOnce(BorrowedFd, &str) -> io::Result<T>,
) -> io::Result<T> {
    match path.split_file_name() {
        (_, "") => Err(io::Error::from_raw_os_error(libc::EBUSY)),
        ("", name) => act(root, name),
        (parent, name) => {
            let parent = sys::open_beneath(root, parent, libc::O_PATH | libc::O_DIRECTORY, 0)?;
            act(parent.as_fd(), name)
        }
    }
}

fn file(
    root: BorrowedFd,
    path: &RelPath,
    how: FileOpenOptions,
    in_memory: bool,
) -> Result<OpenFile, OpenError> {
    use CreateDisposition::{Create, OpenIf, Overwrite, OverwriteIf, Supersede};
    let empties = matches!(how.disposition, Supersede | Overwrite | OverwriteIf);
    let read_only = how.read_only && !empties;
    let mut flags = libc::O_NOCTTY;
    // O_NONBLOCK: a FIFO must not block; it is refused below.
    flags |= if read_only { libc::O_RDONLY | libc::O_NONBLOCK } else { libc::O_RDWR };
    flags |= match how.disposition {
        Create => libc::O_CREAT | libc::O_EXCL,
        Supersede | OpenIf | OverwriteIf => libc::O_CREAT,
        CreateDisposition::Open | Overwrite => 0,
    };
    let plain: File = sys::open_beneath(root, path_or_dot(path), flags, FILE_MODE)?.into();
    let found = sys::fstat(plain.as_fd())?;
    match found.file_type() {
        libc::S_IFREG => {}
        libc::S_IFDIR => return Err(io::Error::from_raw_os_error(libc::EISDIR).into()),
        _ => return Err(OpenError::Rule("it is a device, a pipe or a socket, and only files are worked on")),
    }
    if read_only {
        sys::set_blocking(plain.as_fd())?;
    } else if found.links > 1 {
        let why = "it has a second name (a hard link), so it may belong to another program; goodput writes only to its own files";
        return Err(OpenError::Rule(why));
    }
    // Not by O_TRUNC: the file is inspected before it is truncated.
    if empties && found.length > 0 {
        plain.set_len(0)?;
    }
    let direct = if how.direct && !in_memory { past_the_cache(root, path, read_only, &plain)? } else { None };
    Ok(OpenFile { plain, direct, is_folder: false, read_only, path: path.as_str().to_string() })
}

/// Reopens with O_DIRECT; `None` where it is not supported.
fn past_the_cache(
    root: BorrowedFd,
    path: &RelPath,
    read_only: bool,
    plain: &File,
) -> Result<Option<(File, DirectIoAlignment)>, OpenError> {
    let access = if read_only { libc::O_RDONLY } else { libc::O_RDWR };
    let direct: File = match sys::open_beneath(root, path_or_dot(path), access | libc::O_DIRECT, 0) {
        Ok(file) => file.into(),
        Err(e) if matches!(e.raw_os_error(), Some(libc::EINVAL | libc::EOPNOTSUPP)) => return Ok(None),
        Err(e) => return Err(e.into()),
    };
    if !sys::is_same_file(&direct, plain)? {
        return Err(OpenError::Rule("another process replaced the file"));
    }
    // Without information, a page has always been sufficient (open(2), O_DIRECT).
    let page = sys::page_size() as u32;
    let (memory, offset) = sys::statx(direct.as_fd()).ok().and_then(|m| m.direct).unwrap_or((page, page));
    let sound = memory.is_power_of_two() && offset.is_power_of_two();
    Ok(sound.then_some((direct, DirectIoAlignment { memory, offset })))
}
