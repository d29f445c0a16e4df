//! Opens files at places that other users can change.

use crate::sys;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

const NOT_REGULAR: &str = "it is not a regular file";

fn refused(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

/// Opens a regular file, also behind links, and fails for a FIFO or a device, on which reading could wait for ever.
pub fn open_regular_file(path: &Path, options: &OpenOptions) -> io::Result<File> {
    // Opening a FIFO must not wait either; what was opened is checked below.
    let file = options.clone().custom_flags(libc::O_NONBLOCK).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(refused(NOT_REGULAR.into())),
    }
}

/// Opens a regular file of this process's user that nobody else can write. Follows no link; `PermissionDenied`
/// says why a file is not used, which is then unchanged. `options` must not truncate.
pub fn open_own_file(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = options.clone().custom_flags(flags).open(path).map_err(|e| match e.raw_os_error() {
        Some(libc::ELOOP) => refused("it is a symbolic link".into()),
        _ => e,
    })?;
    match reason_to_distrust(&file.metadata()?, sys::effective_user_id()) {
        None => Ok(file),
        Some(why) => Err(refused(why)),
    }
}

/// Opens a folder where no other user can exchange files of ours. `PermissionDenied` says why it is not used.
pub(crate) fn open_own_folder(path: &Path) -> io::Result<File> {
    let folder = OpenOptions::new().read(true).custom_flags(libc::O_DIRECTORY).open(path)?;
    let found = folder.metadata()?;
    let (mode, shown) = (found.mode(), path.display());
    // In a sticky folder only the owner of a file can rename and remove it.
    let exchanged = mode & 0o022 != 0 && mode & libc::S_ISVTX == 0;
    match foreign_owner(&found) {
        Some(owner) => Err(refused(format!("its folder {shown} belongs to user {owner}"))),
        None if exchanged => {
            let mode = mode & 0o777;
            Err(refused(format!(
                "other users can change its folder {shown} (mode {mode:03o}); type: chmod go-w {shown}"
            )))
        }
        None => Ok(folder),
    }
}

/// The owner of a file if it is another user, who can change it. Root may change any file.
pub fn foreign_owner(file: &Metadata) -> Option<u32> {
    foreign_to(file.uid(), sys::effective_user_id())
}

fn foreign_to(owner: u32, user: u32) -> Option<u32> {
    (owner != 0 && owner != user).then_some(owner)
}

/// Why another user may have written the file, or may make us write another one through it.
fn reason_to_distrust(file: &Metadata, user: u32) -> Option<String> {
    let (owner, mode) = (file.uid(), file.mode() & 0o777);
    if !file.is_file() {
        return Some(NOT_REGULAR.into());
    }
    if owner != user {
        return Some(format!("it belongs to user {owner}, but this program runs as user {user}"));
    }
    if mode & 0o022 != 0 {
        return Some(format!("other users can change it (mode {mode:03o})"));
    }
    (file.nlink() > 1).then(|| "it is a hard link to another file".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    #[test]
    fn only_root_and_the_user_own_what_is_obeyed() {
        let found = [(0, 7), (7, 7), (7, 0), (8, 7)].map(|(owner, user)| foreign_to(owner, user));
        assert_eq!(found, [None, None, Some(7), Some(8)]);
        assert_eq!(foreign_owner(&std::fs::metadata("/proc/self/exe").unwrap()), None);
    }

    #[test]
    fn a_folder_in_which_others_can_exchange_files_is_refused() {
        let folder = std::env::temp_dir().join(format!("goodput-own-folder-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let opened = |mode: u32| {
            std::fs::set_permissions(&folder, Permissions::from_mode(mode)).unwrap();
            open_own_folder(&folder).map(drop)
        };
        for mode in [0o700, 0o755, 0o1777] {
            assert!(opened(mode).is_ok(), "{mode:o}");
        }
        for mode in [0o775, 0o757] {
            assert!(opened(mode).unwrap_err().to_string().contains("chmod go-w"), "{mode:o}");
        }
        assert!(opened(0o700).is_ok() && open_own_folder(Path::new("/dev/null")).is_err());
        // Only root can give a folder away.
        if std::os::unix::fs::chown(&folder, Some(65_534), None).is_ok() {
            assert!(opened(0o700).unwrap_err().to_string().ends_with("belongs to user 65534"));
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_file_that_another_user_may_have_written_is_refused() {
        let folder = std::env::temp_dir().join(format!("goodput-own-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let (path, other) = (folder.join("file"), folder.join("other"));
        let open = || open_own_file(&path, OpenOptions::new().read(true).write(true));
        let refused = |said: &str| {
            let e = open().unwrap_err();
            assert!(e.kind() == io::ErrorKind::PermissionDenied && e.to_string().starts_with(said), "{e}");
        };
        let mode = |mode: u32| std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        assert_eq!(open().unwrap_err().kind(), io::ErrorKind::NotFound);
        std::fs::write(&other, "x").unwrap();
        symlink(&other, &path).unwrap();
        refused("it is a symbolic link");
        std::fs::remove_file(&path).unwrap();
        std::fs::hard_link(&other, &path).unwrap();
        mode(0o600);
        refused("it is a hard link");
        std::fs::remove_file(&other).unwrap();
        for open_to_others in [0o620, 0o602] {
            mode(open_to_others);
            refused("other users can change it");
        }
        mode(0o644);
        open().unwrap();
        let file = std::fs::metadata(&path).unwrap();
        assert_eq!(reason_to_distrust(&file, file.uid()), None);
        let why = reason_to_distrust(&file, file.uid() + 1).unwrap();
        assert!(why.starts_with(&format!("it belongs to user {}", file.uid())), "{why}");
        let _socket = UnixListener::bind(&other).unwrap();
        let socket = std::fs::metadata(&other).unwrap();
        assert_eq!(reason_to_distrust(&socket, socket.uid()).as_deref(), Some(NOT_REGULAR));
        assert!(open_regular_file(Path::new("/dev/null"), OpenOptions::new().read(true)).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
