//! Opens the target of a trial, limited to its workspace.

use crate::nfs::NfsShare;
use crate::smb::SmbShare;
use crate::tcp::AddressFilter;
use crate::workspace::{self, InspectedWorkspace, WorkspaceParent, WorkspaceSelection};
use crate::{DiskSpace, FileError, FileErrorKind, Share, folder};
use goodput_model::Bytes;
use goodput_model::file::FileLocation;
use goodput_words::message;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkspaceOpenMode {
    Make,
    Existing,
}

/// As [`open_workspace_if_permitted`], on any server.
pub fn open_workspace_at_location(
    place: &FileLocation,
    workspace: &str,
    how: WorkspaceOpenMode,
) -> Result<Box<dyn Share>, FileError> {
    open_workspace_if_permitted(place, workspace, how, &|_| Ok(()))
}

/// Opens a workspace; connects only to addresses of a server that the filter permits, also later.
pub fn open_workspace_if_permitted(
    place: &FileLocation,
    workspace: &str,
    how: WorkspaceOpenMode,
    permits: AddressFilter<'_>,
) -> Result<Box<dyn Share>, FileError> {
    let target = target(place, permits)?;
    match how {
        WorkspaceOpenMode::Make => workspace::create_workspace(target.as_ref(), workspace),
        WorkspaceOpenMode::Existing => workspace::open_workspace(target.as_ref(), workspace),
    }
}

/// Inspects every workspace of a place and removes the selected ones: see [`workspace::clean`].
pub fn clean_workspaces_at_location(
    place: &FileLocation,
    which: WorkspaceSelection,
) -> Result<Vec<InspectedWorkspace>, FileError> {
    workspace::clean_workspaces(target(place, &|_| Ok(()))?.as_ref(), which)
}

fn target(place: &FileLocation, permits: AddressFilter<'_>) -> Result<Box<dyn WorkspaceParent>, FileError> {
    match place {
        FileLocation::Folder { path } => Ok(Box::new(folder::open_target_folder(path)?)),
        FileLocation::Smb { host, port, domain, user, share, path } => {
            let (domain, user) = (domain.as_deref(), user.as_deref());
            let smb = SmbShare::connect(host, *port, domain, user, share, path, permits)?;
            Ok(Box::new(smb))
        }
        FileLocation::Nfs { host, port, mount_port, export, path } => {
            let nfs = NfsShare::connect(host, *port, *mount_port, export, path, permits)?;
            Ok(Box::new(nfs))
        }
        FileLocation::Sink { .. } => {
            let why = "this kind of place is not opened from here";
            Err(FileError::with_reason("open a sink", FileErrorKind::NotSupported, why))
        }
    }
}

/// Checks for 5 % more than the file, and for others the lesser of 1 GiB and a tenth of the file system.
pub fn check_free_space(size: Bytes, space: &DiskSpace) -> Result<(), FileError> {
    const LEFT: u64 = 1 << 30;
    let needed = size.0.saturating_add(size.0 / 20);
    let left = LEFT.min(space.total / 10);
    if needed.checked_add(left).is_some_and(|whole| whole <= space.free) {
        return Ok(());
    }
    let [free, needed, left] = [space.free, needed, left].map(|bytes| bytes.to_string());
    let what = message!(part_attempt_write_file { bytes: size.0.to_string() });
    let why = message!(cause_place_free_space { free, needed, left });
    Err(FileError::with_reason(what, FileErrorKind::Full, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_left_to_others() {
        let small = DiskSpace { total: 1000, free: 1000 };
        assert!(check_free_space(Bytes(858), &small).is_ok(), "858 and 42 more, and 100 stay");
        let refused = check_free_space(Bytes(859), &small).unwrap_err();
        assert_eq!(refused.trouble, FileErrorKind::Full);
        let large = DiskSpace { total: 1 << 50, free: 3 << 30 };
        assert!(check_free_space(Bytes(1 << 30), &large).is_ok());
        assert!(check_free_space(Bytes(2 << 30), &large).is_err());
        assert!(check_free_space(Bytes(u64::MAX), &DiskSpace { total: u64::MAX, free: u64::MAX }).is_err());
        assert!(check_free_space(Bytes(0), &DiskSpace::default()).is_ok());
    }
}
