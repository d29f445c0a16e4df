//! Opens the target of a trial, limited to its workspace.

use crate::nfs::Nfs;
use crate::smb::Smb;
use crate::workspace::{self, CleanTarget, CleanedWorkspace, Target};
use crate::{FileError, FileErrorKind, Share, Space, folder};
use goodput_model::Bytes;
use goodput_model::file::FileLocation;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    Make,
    Existing,
}

pub fn open_place(place: &FileLocation, workspace: &str, how: Opening) -> Result<Box<dyn Share>, FileError> {
    let target = target(place)?;
    match how {
        Opening::Make => workspace::make(target.as_ref(), workspace),
        Opening::Existing => workspace::open(target.as_ref(), workspace),
    }
}

/// Inspects every workspace of a place and removes the selected ones: see [`workspace::clean`].
pub fn clean_place(place: &FileLocation, which: CleanTarget) -> Result<Vec<CleanedWorkspace>, FileError> {
    workspace::clean(target(place)?.as_ref(), which)
}

fn target(place: &FileLocation) -> Result<Box<dyn Target>, FileError> {
    match place {
        FileLocation::Folder { path } => Ok(Box::new(folder::open_target(path)?)),
        FileLocation::Smb { host, port, domain, user, share, path } => {
            let smb = Smb::connect(host, *port, domain.as_deref(), user.as_deref(), share, path)?;
            Ok(Box::new(smb))
        }
        FileLocation::Nfs { host, port, mount_port, export, path } => {
            Ok(Box::new(Nfs::connect(host, *port, *mount_port, export, path)?))
        }
        FileLocation::Sink { .. } => Err(elsewhere("a sink")),
    }
}

fn elsewhere(what: &str) -> FileError {
    let why = "this kind of place is not opened from here";
    FileError::because(format!("open {what}"), FileErrorKind::NotSupported, why)
}

/// Checks for 5 % more than the file's size, and 1 GiB or a tenth of the file system, whichever is less, for
/// others.
pub fn room_for(size: Bytes, space: &Space) -> Result<(), FileError> {
    const LEFT: u64 = 1 << 30;
    let needed = size.0.saturating_add(size.0 / 20);
    let left = LEFT.min(space.total / 10);
    if needed.checked_add(left).is_some_and(|whole| whole <= space.free) {
        return Ok(());
    }
    let why = format!(
        "{} bytes are free; {needed} are needed (5 % more than the file), and {left} are left to others; ask for a smaller \
         file or name another folder",
        space.free
    );
    Err(FileError::because(format!("write a file of {} bytes", size.0), FileErrorKind::Full, why))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn room_is_left_to_others() {
        let small = Space { total: 1000, free: 1000 };
        assert!(room_for(Bytes(858), &small).is_ok(), "858 and 42 more, and 100 stay");
        let refused = room_for(Bytes(859), &small).unwrap_err();
        assert_eq!(refused.trouble, FileErrorKind::Full);
        let large = Space { total: 1 << 50, free: 3 << 30 };
        assert!(room_for(Bytes(1 << 30), &large).is_ok());
        assert!(room_for(Bytes(2 << 30), &large).is_err());
        assert!(room_for(Bytes(u64::MAX), &Space { total: u64::MAX, free: u64::MAX }).is_err());
        assert!(room_for(Bytes(0), &Space::default()).is_ok());
    }
}
