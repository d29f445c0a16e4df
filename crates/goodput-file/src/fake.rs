//! An in-memory share for tests that can inject faults: full, gone, silent, slow.

use crate::clock::now_ns;
use crate::supervise::tests::Watched;
use crate::wildcard::WildcardPattern;
use crate::{
    DiskSpace, FileError, FileErrorKind, FileHandle, FileOpenOptions, FileStatus, FolderEntry, IoCompletion,
    IoQueue, IoRequest, RelPath, Share,
};
use crate::{FileJobSpec, JobResult};
use goodput_model::file::{
    CreateDisposition, File, FileLocation, FileLocationFacts, FileWorkload, VerifyMode,
};
use goodput_model::{Bytes, Nanos};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

type Result<T> = std::result::Result<T, FileError>;

#[derive(Clone, Default)]
pub(crate) struct FakeShare {
    tree: Arc<Mutex<Tree>>,
    pub faults: Arc<InjectedFaults>,
}

/// Faults to inject; zero for never.
#[derive(Default)]
pub(crate) struct InjectedFaults {
    pub full_after: AtomicU64,
    pub gone_after: AtomicU64,
    pub silent_after: AtomicU64,
    pub slow_ns: AtomicU64,
    /// Minimum nanoseconds between two completions of a lane, as on a disk or link of fixed rate.
    pub pace_ns: AtomicU64,
    operations: AtomicU64,
}

#[derive(Default)]
struct Tree {
    names: BTreeMap<String, Node>,
    open: BTreeMap<u64, (String, FileOpenOptions)>,
    next: u64,
    written: u64,
    flushes: u64,
}

#[derive(Clone)]
enum Node {
    Folder,
    File(Vec<u8>),
}

pub(crate) const TEST_WORKSPACE: &str = ".goodput-01890a5d-ac96-774b-bcce-b302099a8057";

pub(crate) fn test_settings(work: FileWorkload) -> File {
    let (clients, workspace) = (vec!["a".into()], TEST_WORKSPACE.into());
    let place = FileLocation::Folder { path: "/nowhere".into() };
    let (verify, interval) = (VerifyMode::Full, Nanos(10_000_000));
    File { verify, seed: 1, interval, ..File::new(clients, place, workspace, work) }
}

pub(crate) const TEST_TIMEOUT: Nanos = Nanos(20 * Nanos::SECOND.0);

/// Of the series whose names begin so.
pub(crate) fn sum_series_column(ran: &JobResult, series: &str, column: &str) -> u64 {
    let found = ran.series.iter().filter(|s| s.name.starts_with(series));
    found.flat_map(|s| s.column(column).unwrap()).sum::<i64>() as u64
}

fn fail<T>(what: &str, path: &str, trouble: FileErrorKind) -> Result<T> {
    Err(FileError::with_reason(format!("{what} {path}"), trouble, "as planted"))
}

/// A limit of zero is none.
fn exceeds(number: u64, limit: &AtomicU64) -> bool {
    let limit = limit.load(SeqCst);
    limit != 0 && number > limit
}

impl FakeShare {
    pub fn file_job_spec<'a>(&self, settings: &'a File) -> FileJobSpec<'a> {
        FileJobSpec { settings, client: 0, share: Box::new(self.clone()), load: None }
    }

    /// With a prepared file.
    pub fn with_test_file(size: u64) -> FakeShare {
        let fake = FakeShare::default();
        let settings = test_settings(FileWorkload::Prepare { file: Some(Bytes(size)) });
        let mut job = crate::prepare::create_prepare_job(fake.file_job_spec(&settings)).unwrap();
        let mut ran = job.run(now_ns(), None, TEST_TIMEOUT, &Watched::default());
        job.finish(&mut ran.report).unwrap();
        assert!(ran.broken.is_none());
        assert_eq!((ran.report.bytes_written, fake.open_handle_count()), (size, 0));
        fake
    }

    /// Changes one bit.
    pub fn flip_bit(&self, path: &str, byte: usize) {
        let mut content = self.file_content(path).unwrap();
        content[byte] ^= 4;
        self.insert_file(path, content);
    }

    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap()
    }

    pub fn file_content(&self, path: &str) -> Option<Vec<u8>> {
        match self.tree().names.get(path) {
            Some(Node::File(bytes)) => Some(bytes.clone()),
            _ => None,
        }
    }

    pub fn insert_file(&self, path: &str, bytes: Vec<u8>) {
        self.tree().names.insert(path.to_string(), Node::File(bytes));
    }

    pub fn file_names(&self) -> Vec<String> {
        self.tree().names.keys().cloned().collect()
    }

    pub fn open_handle_count(&self) -> usize {
        self.tree().open.len()
    }

    pub fn flush_count(&self) -> u64 {
        self.tree().flushes
    }

    fn enter(&self, what: &str) -> Result<u64> {
        let number = self.faults.operations.fetch_add(1, SeqCst) + 1;
        if exceeds(number, &self.faults.gone_after) {
            return fail(what, "anything", FileErrorKind::Gone);
        }
        Ok(number)
    }

    fn blocking(&self, what: &str) -> Result<()> {
        self.enter(what)?;
        std::thread::sleep(Duration::from_nanos(self.faults.slow_ns.load(SeqCst)));
        Ok(())
    }

    fn path_of(&self, handle: FileHandle) -> Result<String> {
        match self.tree().open.get(&handle.0) {
            Some((path, _)) => Ok(path.clone()),
            None => fail("use", "a closed handle", FileErrorKind::Other),
        }
    }

    fn remove(&self, path: &str, folder: bool) -> Result<()> {
        self.blocking("remove")?;
        let mut tree = self.tree();
        match tree.names.get(path) {
            None if folder && path.is_empty() => return Ok(()),
            None => return fail("remove", path, FileErrorKind::NotFound),
            Some(Node::File(_)) if folder => return fail("remove", path, FileErrorKind::NotFolder),
            Some(Node::Folder) if !folder => return fail("remove", path, FileErrorKind::IsFolder),
            Some(_) => {}
        }
        tree.names.remove(path);
        Ok(())
    }

    fn read(&self, handle: FileHandle, into: &mut [u8], offset: u64) -> Result<usize> {
        let path = self.path_of(handle)?;
        let tree = self.tree();
        let Some(Node::File(bytes)) = tree.names.get(&path) else {
            return fail("read", &path, FileErrorKind::NotFound);
        };
        let from = bytes.len().min(offset as usize);
        let len = into.len().min(bytes.len() - from);
        into[..len].copy_from_slice(&bytes[from..from + len]);
        Ok(len)
    }

    fn write(&self, handle: FileHandle, data: &[u8], offset: u64) -> Result<()> {
        let path = self.path_of(handle)?;
        let mut tree = self.tree();
        if tree.open.get(&handle.0).is_some_and(|o| o.1.read_only) {
            return fail("write", &path, FileErrorKind::Denied);
        }
        if exceeds(tree.written + data.len() as u64, &self.faults.full_after) {
            return fail("write", &path, FileErrorKind::Full);
        }
        tree.written += data.len() as u64;
        let Some(Node::File(bytes)) = tree.names.get_mut(&path) else {
            return fail("write", &path, FileErrorKind::NotFound);
        };
        let end = offset as usize + data.len();
        bytes.resize(bytes.len().max(end), 0);
        bytes[offset as usize..end].copy_from_slice(data);
        Ok(())
    }
}

impl Share for FakeShare {
    fn location_facts(&self) -> FileLocationFacts {
        FileLocationFacts { engine: "fake".into(), ..FileLocationFacts::default() }
    }

    fn open(&self, path: &RelPath, how: FileOpenOptions) -> Result<FileHandle> {
        self.blocking("open")?;
        let mut tree = self.tree();
        let name = path.as_str().to_string();
        let (parent, _) = path.split_file_name();
        if !parent.is_empty() && !matches!(tree.names.get(parent), Some(Node::Folder)) {
            return fail("open", &name, FileErrorKind::PathNotFound);
        }
        let fresh = || if how.folder { Node::Folder } else { Node::File(Vec::new()) };
        let found = if name.is_empty() { Some(Node::Folder) } else { tree.names.get(&name).cloned() };
        match (&found, how.disposition) {
            (None, CreateDisposition::Open | CreateDisposition::Overwrite) => {
                return fail("open", &name, FileErrorKind::NotFound);
            }
            (Some(_), CreateDisposition::Create) => return fail("create", &name, FileErrorKind::Exists),
            (Some(Node::Folder), _) if how.file => return fail("open", &name, FileErrorKind::IsFolder),
            (Some(Node::File(_)), _) if how.folder => return fail("open", &name, FileErrorKind::NotFolder),
            (Some(Node::Folder), _) | (Some(_), CreateDisposition::Open | CreateDisposition::OpenIf) => {}
            _ => drop(tree.names.insert(name.clone(), fresh())),
        }
        tree.next += 1;
        let number = tree.next;
        tree.open.insert(number, (name, how));
        Ok(FileHandle(number))
    }

    fn close(&self, handle: FileHandle) -> Result<()> {
        self.blocking("close")?;
        match self.tree().open.remove(&handle.0) {
            Some(_) => Ok(()),
            None => fail("close", "a closed handle", FileErrorKind::Other),
        }
    }

    fn open_io_queue(&self, handle: FileHandle, block: usize, depth: usize) -> Result<Box<dyn IoQueue>> {
        self.path_of(handle)?;
        let buffers = (0..depth).map(|_| vec![0; block]).collect();
        let (share, under_way) = (self.clone(), VecDeque::new());
        Ok(Box::new(FakeLane { share, handle, buffers, under_way, last_due: 0 }))
    }

    fn read_at(&self, handle: FileHandle, buffer: &mut [u8], offset: u64) -> Result<usize> {
        self.blocking("read")?;
        self.read(handle, buffer, offset)
    }

    fn write_at(&self, handle: FileHandle, data: &[u8], offset: u64) -> Result<()> {
        self.blocking("write")?;
        self.write(handle, data, offset)
    }

    fn flush(&self, handle: FileHandle) -> Result<()> {
        self.blocking("flush")?;
        self.path_of(handle)?;
        self.tree().flushes += 1;
        Ok(())
    }

    fn query_path_status(&self, path: &RelPath) -> Result<FileStatus> {
        self.blocking("query")?;
        match self.tree().names.get(path.as_str()) {
            _ if path.as_str().is_empty() => Ok(FileStatus { folder: true, ..FileStatus::default() }),
            Some(node) => Ok(status(node)),
            None => fail("query", path.as_str(), FileErrorKind::NotFound),
        }
    }

    fn query_handle_status(&self, handle: FileHandle) -> Result<FileStatus> {
        let path = self.path_of(handle)?;
        self.query_path_status(&RelPath::parse(&path)?)
    }

    fn set_times_to_now(&self, handle: FileHandle) -> Result<()> {
        self.blocking("touch")?;
        self.path_of(handle).map(drop)
    }

    fn disk_space(&self) -> Result<DiskSpace> {
        // Reports free space even with `full_after`, as with a quota.
        Ok(DiskSpace { total: 1 << 40, free: 1 << 40 })
    }

    fn find_folder_entries(
        &self,
        folder: &RelPath,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>> {
        self.blocking("find")?;
        let tree = self.tree();
        let below = if folder.as_str().is_empty() { String::new() } else { format!("{}/", folder.as_str()) };
        let mut pattern = WildcardPattern::new(pattern);
        let inside = tree.names.iter().filter_map(|(name, node)| Some((name.strip_prefix(&below)?, node)));
        let own = inside.filter(|(name, _)| !name.contains('/') && pattern.matches(name));
        let entries = own.map(|(name, node)| FolderEntry { name: name.to_string(), status: status(node) });
        Ok(entries.take(most.unwrap_or(usize::MAX)).collect())
    }

    fn make_folder(&self, path: &RelPath) -> Result<()> {
        let disposition = CreateDisposition::Create;
        let how = FileOpenOptions { disposition, folder: true, file: false, read_only: false, direct: false };
        let handle = self.open(path, how)?;
        self.close(handle)
    }

    fn remove_folder(&self, path: &RelPath) -> Result<()> {
        let below = format!("{}/", path.as_str());
        let inside = |name: &String| path.as_str().is_empty() || name.starts_with(&below);
        if self.tree().names.keys().any(inside) {
            return fail("remove", path.as_str(), FileErrorKind::NotEmpty);
        }
        self.remove(path.as_str(), true)
    }

    fn remove_file(&self, path: &RelPath) -> Result<()> {
        self.remove(path.as_str(), false)
    }

    /// Of a file.
    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<()> {
        self.blocking("rename")?;
        let (mut tree, from, to) = (self.tree(), from.as_str(), to.as_str());
        if tree.names.contains_key(to) {
            return fail("rename to", to, FileErrorKind::Exists);
        }
        let Some(node) = tree.names.remove(from) else {
            return fail("rename", from, FileErrorKind::NotFound);
        };
        tree.names.insert(to.to_string(), node);
        Ok(())
    }

    fn lock_range(&self, handle: FileHandle, _: u64, _: u64) -> Result<()> {
        self.blocking("lock")?;
        self.path_of(handle).map(drop)
    }

    fn unlock_range(&self, handle: FileHandle, _: u64, _: u64) -> Result<()> {
        self.blocking("unlock")?;
        self.path_of(handle).map(drop)
    }

    fn request_count(&self) -> Option<u64> {
        Some(self.faults.operations.load(SeqCst))
    }

    fn open_another_connection(&self) -> Result<Box<dyn Share>> {
        Ok(Box::new(self.clone()))
    }
}

fn status(node: &Node) -> FileStatus {
    match node {
        Node::Folder => FileStatus { folder: true, ..FileStatus::default() },
        Node::File(bytes) => FileStatus { length: bytes.len() as u64, ..FileStatus::default() },
    }
}

struct FakeLane {
    share: FakeShare,
    handle: FileHandle,
    buffers: Vec<Vec<u8>>,
    under_way: VecDeque<(u64, IoCompletion)>,
    last_due: u64,
}

impl IoQueue for FakeLane {
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        assert!(self.under_way.iter().all(|(_, d)| d.slot != slot), "buffer {slot} is under way");
        &mut self.buffers[slot]
    }

    fn submit(&mut self, io: IoRequest) -> Result<()> {
        assert!(self.under_way.iter().all(|(_, d)| d.slot != io.slot), "buffer {} is under way", io.slot);
        let number = self.share.enter(if io.write { "write" } else { "read" })?;
        let buffer = &mut self.buffers[io.slot][..io.length];
        let moved = match io.write {
            true => self.share.write(self.handle, buffer, io.offset).map(|()| io.length),
            false => self.share.read(self.handle, buffer, io.offset),
        };
        let faults = &self.share.faults;
        let paced = self.last_due + faults.pace_ns.load(SeqCst);
        self.last_due = paced.max(now_ns() + faults.slow_ns.load(SeqCst));
        let due = if exceeds(number, &faults.silent_after) { u64::MAX } else { self.last_due };
        self.under_way.push_back((due, IoCompletion { slot: io.slot, moved }));
        Ok(())
    }

    fn wait_for_completion(&mut self, patience: Duration) -> Result<IoCompletion> {
        let Some((due, _)) = self.under_way.front() else {
            return fail("wait for", "nothing under way", FileErrorKind::Other);
        };
        let wait = Duration::from_nanos(due.saturating_sub(now_ns()));
        std::thread::sleep(wait.min(patience));
        match self.under_way.pop_front() {
            Some((_, done)) if wait <= patience => Ok(done),
            still => {
                self.under_way.extend(still);
                self.under_way.rotate_right(1);
                fail("wait for", "an answer", FileErrorKind::Gone)
            }
        }
    }
}
