//! Live samples of a run for local watchers, over a socket beside the runs, `.live/<run>`.
//!
//! The recording command has a [`LiveSocket`]; programs of the same user find it ([`live_runs`]) and read lines
//! ([`connect`], [`goodput_model::event_line`]). Without readers it costs one system call per
//! [`LiveSocket::accept_readers`];
//! a slow reader loses lines.
//!
//! The folder has mode 0700 and exists only while needed; [`remove_stale_sockets`] removes sockets of killed commands.
//! Socket names hold in every network namespace (unix(7)), so a command inside a lab is found too.

use crate::catalog::parse_run_id;
use crate::run_files;
use goodput_model::RunId;
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::net;
use std::path::{Path, PathBuf};
use tokio::net::UnixStream;

pub const LIVE_SOCKET_FOLDER: &str = ".live";

const MAX_READERS: usize = 16;

/// `sun_path` has 108 bytes with the final zero (unix(7)).
const LONGEST_NAME: usize = 107;

/// Another command may remove the empty folder before the socket is in it.
const ATTEMPTS: usize = 3;

#[derive(Debug)]
pub struct LiveSocket {
    listener: net::UnixListener,
    folder: PathBuf,
    socket: PathBuf,
    readers: Vec<net::UnixStream>,
}

impl LiveSocket {
    /// Offers a run below `root`, and removes leftovers. Fails without socket support, or if the folder is
    /// not private; the run continues.
    pub fn open(root: &Path, run: RunId) -> io::Result<LiveSocket> {
        remove_stale_sockets(root);
        let folder = root.join(LIVE_SOCKET_FOLDER);
        let mut listener = listening(&folder, run);
        for _ in 1..ATTEMPTS {
            if matches!(&listener, Err(e) if e.kind() == ErrorKind::NotFound) {
                listener = listening(&folder, run);
            }
        }
        let socket = folder.join(run.to_string());
        let offer = LiveSocket { listener: listener?, folder, socket, readers: Vec::new() };
        offer.listener.set_nonblocking(true)?;
        Ok(offer)
    }

    /// Accepts new readers; true if there are any. Never waits.
    pub fn accept_readers(&mut self) -> bool {
        while let Ok((reader, _)) = self.listener.accept() {
            if self.readers.len() < MAX_READERS && reader.set_nonblocking(true).is_ok() {
                self.readers.push(reader);
            }
        }
        !self.readers.is_empty()
    }

    /// Sends a line with newline to all readers. Never waits: a full buffer loses the line.
    pub fn send_line(&mut self, line: &[u8]) {
        self.readers.retain_mut(|reader| match reader.write(line) {
            // A partial line would corrupt the next one: disconnect this reader.
            Ok(written) => written == line.len(),
            Err(e) => matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        });
    }
}

impl Drop for LiveSocket {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.socket);
        // Not empty if another command offers a run.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Includes leftovers of killed commands.
pub fn live_runs(root: &Path) -> Vec<RunId> {
    let entries = fs::read_dir(root.join(LIVE_SOCKET_FOLDER)).into_iter().flatten().flatten();
    let mut runs: Vec<RunId> =
        entries.filter_map(|entry| parse_run_id(entry.file_name().to_str()?)).collect();
    runs.sort_unstable();
    runs
}

/// Lines until the command ends. [`ErrorKind::NotFound`] or [`ErrorKind::ConnectionRefused`] if not offered.
pub async fn connect_to_live_run(root: &Path, run: RunId) -> io::Result<UnixStream> {
    let (path, _open_folder) = short_path(&root.join(LIVE_SOCKET_FOLDER), run)?;
    UnixStream::connect(path).await
}

/// Removes sockets of runs that nobody writes; ignores failures.
pub fn remove_stale_sockets(root: &Path) {
    let folder = root.join(LIVE_SOCKET_FOLDER);
    for run in live_runs(root) {
        if !run_files::is_run_being_written(&root.join(run.to_string())) {
            let _ = fs::remove_file(folder.join(run.to_string()));
        }
    }
    let _ = fs::remove_dir(folder);
}

fn listening(folder: &Path, run: RunId) -> io::Result<net::UnixListener> {
    private(folder)?;
    let (path, _open_folder) = short_path(folder, run)?;
    net::UnixListener::bind(path)
}

/// Creates the folder with mode 0700; an existing one must have it.
fn private(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
        made => return made,
    }
    let meta = fs::symlink_metadata(folder)?;
    if meta.is_dir() && meta.permissions().mode() & 0o077 == 0 {
        return Ok(());
    }
    let why = format!("{} is not for its owner alone", folder.display());
    Err(io::Error::new(ErrorKind::PermissionDenied, why))
}

/// A path that is short enough for a socket; it is valid while the folder is open.
fn short_path(folder: &Path, run: RunId) -> io::Result<(PathBuf, Option<File>)> {
    let path = folder.join(run.to_string());
    if path.as_os_str().len() <= LONGEST_NAME {
        return Ok((path, None));
    }
    // An open folder has a short path (proc_pid_fd(5)).
    let open = File::open(folder)?;
    let path = PathBuf::from(format!("/proc/self/fd/{}/{run}", open.as_raw_fd()));
    Ok((path, Some(open)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writer::{RunWriter, new_run_header};
    use std::collections::BTreeMap;
    use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};

    fn run(n: u32) -> RunId {
        RunId(format!("01930000-0000-7000-8000-{n:012}").parse().unwrap())
    }

    fn done<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }

    async fn looking(root: &Path, run: RunId) -> BufReader<UnixStream> {
        BufReader::new(connect_to_live_run(root, run).await.unwrap())
    }

    async fn heard(reader: &mut BufReader<UnixStream>) -> String {
        let mut line = String::new();
        reader.read_line(&mut line).await.unwrap();
        line
    }

    #[test]
    fn what_is_told_is_heard_by_those_who_look_on() {
        let root = tempfile::tempdir().unwrap();
        done(async {
            let mut offer = LiveSocket::open(root.path(), run(1)).unwrap();
            let folder = root.path().join(LIVE_SOCKET_FOLDER);
            assert_eq!(live_runs(root.path()), [run(1)]);
            assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
            assert!(!offer.accept_readers());
            offer.send_line(b"nobody hears this\n");
            let mut first = looking(root.path(), run(1)).await;
            assert!(offer.accept_readers());
            offer.send_line(b"one\n");
            let mut second = looking(root.path(), run(1)).await;
            assert!(offer.accept_readers());
            offer.send_line(b"two\n");
            assert_eq!([heard(&mut first).await, heard(&mut first).await], ["one\n", "two\n"]);
            assert_eq!(heard(&mut second).await, "two\n");
            drop(first);
            offer.send_line(b"three\n");
            assert!(offer.accept_readers(), "the second still looks on");
            drop(offer);
            assert_eq!([heard(&mut second).await, heard(&mut second).await], ["three\n", ""]);
            assert!(!folder.exists());
            assert_eq!(
                connect_to_live_run(root.path(), run(1)).await.unwrap_err().kind(),
                ErrorKind::NotFound
            );
        });
    }

    #[test]
    fn a_reader_that_does_not_read_loses_lines_and_holds_up_nobody() {
        const TOLD: usize = 20_000;
        let line = [[b'x'; 999].as_slice(), &b"\n"[..]].concat();
        let root = tempfile::tempdir().unwrap();
        done(async {
            let mut offer = LiveSocket::open(root.path(), run(1)).unwrap();
            let mut reader = looking(root.path(), run(1)).await;
            assert!(offer.accept_readers());
            (0..TOLD).for_each(|_| offer.send_line(&line));
            drop(offer);
            let mut text = Vec::new();
            reader.read_to_end(&mut text).await.unwrap();
            let lines = text.len() / line.len();
            assert!(lines > 0 && lines < TOLD, "{lines}");
            assert!(text.chunks(line.len()).all(|chunk| chunk == line), "only whole lines arrive");
        });
    }

    #[test]
    fn what_a_killed_command_leaves_is_taken_away() {
        let root = tempfile::tempdir().unwrap();
        private(&root.path().join(LIVE_SOCKET_FOLDER)).unwrap();
        drop(net::UnixListener::bind(root.path().join(LIVE_SOCKET_FOLDER).join(run(1).to_string())).unwrap());
        assert_eq!(live_runs(root.path()), [run(1)]);
        assert_eq!(
            done(connect_to_live_run(root.path(), run(1))).unwrap_err().kind(),
            ErrorKind::ConnectionRefused
        );
        let head = new_run_header("0", Vec::new(), 1, BTreeMap::new());
        let writer = RunWriter::create(root.path(), head).unwrap();
        let offer = LiveSocket::open(root.path(), writer.id()).unwrap();
        assert_eq!(live_runs(root.path()), [writer.id()]);
        remove_stale_sockets(root.path());
        assert_eq!(live_runs(root.path()), [writer.id()], "what is being written stays");
        drop(offer);
        assert!(!root.path().join(LIVE_SOCKET_FOLDER).exists());
    }

    #[test]
    fn a_folder_with_a_long_name_will_do() {
        let short = tempfile::tempdir().unwrap();
        let root = short.path().join("x".repeat(200));
        fs::create_dir(&root).unwrap();
        done(async {
            let _offer = LiveSocket::open(&root, run(1)).unwrap();
            looking(&root, run(1)).await;
        });
    }

    #[test]
    fn nothing_is_offered_where_others_may_look() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join(LIVE_SOCKET_FOLDER);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("notes"), "").unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(LiveSocket::open(root.path(), run(1)).unwrap_err().kind(), ErrorKind::PermissionDenied);
        assert!(live_runs(root.path()).is_empty());
    }
}
