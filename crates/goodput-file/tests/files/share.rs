//! What every share does alike: in a folder, over SMB and over NFS.

use goodput_file::FileErrorKind::{self, Exists, IsFolder, NotEmpty, NotFolder, NotFound, PathNotFound};
use goodput_file::{FileError, FileHandle, FileOpenOptions, IoQueue, IoRequest, RelPath, Share};
use goodput_model::file::CreateDisposition;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub const PATIENCE: Duration = Duration::from_secs(20);

pub fn path(text: &str) -> RelPath {
    RelPath::parse(text).unwrap()
}

pub const fn how(disposition: CreateDisposition) -> FileOpenOptions {
    FileOpenOptions { disposition, folder: false, file: true, read_only: false, direct: false }
}

pub const fn folder(disposition: CreateDisposition) -> FileOpenOptions {
    FileOpenOptions { folder: true, file: false, ..how(disposition) }
}

pub const CREATE_DIRECT: FileOpenOptions = FileOpenOptions { direct: true, ..how(CreateDisposition::Create) };
pub const READ_ONLY: FileOpenOptions = FileOpenOptions { read_only: true, ..how(CreateDisposition::Open) };

/// Bytes that encode their offset.
pub fn stamped(from: u64, length: usize) -> Vec<u8> {
    (from..from + length as u64).map(|at| (at ^ (at >> 8) ^ (at >> 17)) as u8).collect()
}

pub fn put(share: &dyn Share, name: &str, bytes: &[u8]) {
    let handle = share.open(&path(name), how(CreateDisposition::Create)).unwrap();
    share.write_at(handle, bytes, 0).unwrap();
    share.close(handle).unwrap();
}

/// Of each read and write of [`by_call`] and [`by_lane`].
pub const LENGTH: usize = 1000;

/// Bytes moved; those read must be [`stamped`].
pub fn by_call(share: &dyn Share, handle: FileHandle, write: bool) -> Result<usize, FileError> {
    let bytes = stamped(0, LENGTH);
    if write {
        return share.write_at(handle, &bytes, 0).map(|()| LENGTH);
    }
    let mut buffer = [0; LENGTH];
    let moved = share.read_at(handle, &mut buffer, 0)?;
    assert!(buffer[..moved] == bytes[..moved]);
    Ok(moved)
}

pub fn by_lane(
    share: &dyn Share,
    handle: FileHandle,
    write: bool,
    patience: Duration,
) -> Result<usize, FileError> {
    let bytes = stamped(0, LENGTH);
    let mut lane = share.open_io_queue(handle, LENGTH, 1)?;
    if write {
        lane.buffer(0).copy_from_slice(&bytes);
    }
    lane.submit(IoRequest { slot: 0, offset: 0, length: LENGTH, write })?;
    let moved = lane.wait_for_completion(patience)?.moved?;
    assert!(write || lane.buffer(0)[..moved] == bytes[..moved]);
    Ok(moved)
}

pub fn refused<T>(done: Result<T, FileError>, trouble: FileErrorKind) -> FileError {
    let Err(error) = done else { panic!("it was not refused") };
    assert_eq!(error.trouble, trouble, "{error}: {}", error.source);
    error
}

pub struct Served<'a> {
    pub share: &'a dyn Share,
    /// The share on the disk of the server.
    pub folder: PathBuf,
    /// Errors have statuses of SMB.
    pub smb: bool,
}

impl Served<'_> {
    fn disk(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn refused<T>(&self, done: Result<T, FileError>, trouble: FileErrorKind) {
        let status = match trouble {
            NotFound => 0xC000_0034,
            PathNotFound => 0xC000_003A,
            Exists => 0xC000_0035,
            NotEmpty => 0xC000_0101,
            NotFolder => 0xC000_0103,
            IsFolder => 0xC000_00BA,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(done, trouble).status, self.smb.then_some(status));
    }

    /// Making a folder takes `request_count`, where they are counted.
    pub fn operations(&self, requests: Option<u64>) {
        let (share, there) = (self.share, fs::read_dir(&self.folder).unwrap().count());
        let before = share.request_count();
        share.make_folder(&path("one")).unwrap();
        assert_eq!(share.request_count().map(|after| after - before.unwrap()), requests);
        assert!(self.disk("one").is_dir());
        self.refused(share.make_folder(&path("one")), Exists);
        self.refused(share.make_folder(&path("none/two")), PathNotFound);

        let text = stamped(0, 100_001);
        put(share, "one/a", &text);
        assert_eq!(fs::read(self.disk("one/a")).unwrap(), text);
        let status = share.query_path_status(&path("one/a")).unwrap();
        assert_eq!((status.length, status.folder), (100_001, false));
        for folder in [path("one"), RelPath::root()] {
            assert!(share.query_path_status(&folder).unwrap().folder, "{folder:?}");
        }
        self.refused(share.query_path_status(&path("one/b")), NotFound);
        self.refused(share.query_path_status(&path("two/b")), PathNotFound);

        let handle = share.open(&path("one/a"), how(CreateDisposition::Open)).unwrap();
        assert_eq!(share.query_handle_status(handle).unwrap().length, 100_001);
        let mut some = [0; 1000];
        for (from, length) in [(50_000, 1000), (99_501, 500), (100_001, 0), (1 << 40, 0)] {
            assert_eq!(share.read_at(handle, &mut some, from as u64).unwrap(), length, "at {from}");
            assert_eq!(some[..length], text[from.min(text.len())..][..length]);
        }
        assert_eq!(share.read_at(handle, &mut [], 0).unwrap(), 0);
        share.write_at(handle, b"changed", 10).unwrap();
        share.flush(handle).unwrap();
        let modified = || fs::metadata(self.disk("one/a")).unwrap().modified().unwrap();
        let old = modified();
        std::thread::sleep(Duration::from_millis(20));
        share.set_times_to_now(handle).unwrap();
        share.close(handle).unwrap();
        refused(share.close(handle), FileErrorKind::Other);
        assert!(modified() > old);
        assert_eq!(&fs::read(self.disk("one/a")).unwrap()[10..17], b"changed");

        let rename = |from, to| share.rename(&path(from), &path(to));
        put(share, "one/b", b"22");
        self.refused(rename("one/a", "one/b"), Exists);
        self.refused(rename("one/x", "one/y"), NotFound);
        rename("one/a", "c").unwrap();
        assert!(self.disk("c").is_file() && !self.disk("one/a").exists());
        rename("one", "two").unwrap();
        self.refused(share.remove_folder(&path("two")), NotEmpty);
        self.refused(share.remove_folder(&path("c")), NotFolder);
        self.refused(share.remove_file(&path("two")), IsFolder);
        self.refused(share.remove_file(&path("two/x")), NotFound);
        assert_eq!(fs::read(self.disk("two/b")).unwrap(), b"22");
        share.remove_file(&path("two/b")).unwrap();
        share.remove_folder(&path("two")).unwrap();
        share.remove_file(&path("c")).unwrap();
        assert_eq!(fs::read_dir(&self.folder).unwrap().count(), there);
        let space = share.disk_space().unwrap();
        assert!(space.free > 0 && space.free <= space.total);
    }

    pub fn dispositions(&self) {
        use CreateDisposition::*;
        let share = self.share;
        let open = |name: &str, how| share.open(&path(name), how).and_then(|file| share.close(file));
        for (disposition, makes, left) in [
            (Supersede, true, 0),
            (Open, false, 4),
            (Create, true, 4),
            (OpenIf, true, 4),
            (Overwrite, false, 0),
            (OverwriteIf, true, 0),
        ] {
            let name = &format!("{disposition:?}");
            if makes {
                open(name, how(disposition)).unwrap();
                assert_eq!(fs::read(self.disk(name)).unwrap(), b"");
                share.remove_file(&path(name)).unwrap();
            } else {
                self.refused(open(name, how(disposition)), NotFound);
                assert!(!self.disk(name).exists());
            }
            put(share, name, b"kept");
            match disposition {
                Create => self.refused(open(name, how(disposition)), Exists),
                _ => open(name, how(disposition)).unwrap(),
            }
            assert_eq!(fs::read(self.disk(name)).unwrap().len(), left, "{name}");
        }
        open("folder", folder(Create)).unwrap();
        assert!(self.disk("folder").is_dir());
        self.refused(open("folder", folder(Create)), Exists);
        self.refused(open("folder", how(Open)), IsFolder);
        self.refused(open("Open", folder(Open)), NotFolder);
        for disposition in [Open, Create] {
            self.refused(open("nowhere/below", how(disposition)), PathNotFound);
        }
        let handle = share.open(&path("folder"), folder(Open)).unwrap();
        assert!(share.query_handle_status(handle).unwrap().folder);
    }

    /// `refusals` are those of a missing folder and of a file.
    pub fn find(&self, refusals: [FileErrorKind; 2]) {
        let find = |pattern, most| self.share.find_folder_entries(&path("many"), pattern, most).unwrap();
        self.share.make_folder(&path("many")).unwrap();
        assert!(find("*", None).is_empty());
        for number in 0..1500 {
            fs::write(self.disk(&format!("many/name-{number:04}.txt")), vec![0; number]).unwrap();
        }
        fs::create_dir(self.disk("many/folder")).unwrap();
        let mut all = find("*", None);
        all.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(all.len(), 1501, "in several replies");
        assert!(all[0].name == "folder" && all[0].status.folder);
        assert_eq!((all[900].name.as_str(), all[900].status.length), ("name-0899.txt", 899));
        for (pattern, count) in [("name-00?7.txt", 10), ("<.TXT", 1500), ("*.doc", 0)] {
            assert_eq!(find(pattern, None).len(), count, "{pattern}");
        }
        assert_eq!(find("*", Some(7)).len(), 7);
        for (name, trouble) in ["none", "many/name-0001.txt"].into_iter().zip(refusals) {
            self.refused(self.share.find_folder_entries(&path(name), "*", None), trouble);
        }
    }

    pub fn round_trip(&self, lanes: &[(usize, usize)]) {
        let bytes = stamped(0, 40_000_123);
        for (block, depth) in lanes {
            let bytes = if *block == 4096 { &bytes[..1_000_001] } else { &bytes[..] };
            let name = format!("f-{block}-{depth}");
            write_all(self.share, &name, bytes, *block, *depth);
            assert!(fs::read(self.disk(&name)).unwrap() == bytes, "{name}");
            read_all(self.share, &name, bytes, *block, *depth);
        }
    }

    /// Four threads on one share, each with a lane and small calls.
    pub fn threads(&self) {
        let one = |number: u64| {
            let (bytes, name) = (stamped(number << 30, 9_000_000), format!("t-{number}"));
            let handle = self.share.open(&path(&name), how(CreateDisposition::Create)).unwrap();
            write_open(self.share, handle, &bytes, 300_000, 5);
            for at in (0..bytes.len()).step_by(200_003) {
                let mut some = vec![0; 70_000];
                let read = self.share.read_at(handle, &mut some, at as u64).unwrap();
                assert!(some[..read] == bytes[at..at + read] && read > 0);
                assert_eq!(self.share.query_handle_status(handle).unwrap().length, bytes.len() as u64);
            }
            read_open(self.share, handle, &bytes, 300_000, 5);
            self.share.close(handle).unwrap();
        };
        std::thread::scope(|scope| (0..4).for_each(|number| drop(scope.spawn(move || one(number)))));
    }

    /// The open file of a lane whose server has ended.
    pub fn server_killed(&self, kill: impl FnOnce()) -> FileHandle {
        let handle = self.share.open(&path("f"), how(CreateDisposition::Create)).unwrap();
        let mut lane = self.share.open_io_queue(handle, 1 << 20, 4).unwrap();
        let io = IoRequest { slot: 0, offset: 0, length: 1 << 20, write: true };
        for slot in 0..4 {
            lane.submit(IoRequest { slot, offset: (slot as u64) << 20, ..io }).unwrap();
        }
        kill();
        let mut began = Instant::now();
        let gone = loop {
            assert!(began.elapsed() < PATIENCE, "a dead server is noticed");
            let done = lane.wait_for_completion(Duration::from_secs(5));
            if let Err(error) = done.and_then(|done| lane.submit(IoRequest { slot: done.slot, ..io })) {
                break error;
            }
        };
        assert_eq!(gone.trouble, FileErrorKind::Gone, "{gone}: {}", gone.source);
        began = Instant::now();
        refused(self.share.query_path_status(&path("f")), FileErrorKind::Gone);
        refused(self.share.open_another_connection(), FileErrorKind::Gone);
        assert!(began.elapsed() < Duration::from_secs(3), "a server known to be gone is not waited for");
        handle
    }
}

pub fn write_all(share: &dyn Share, name: &str, bytes: &[u8], block: usize, depth: usize) {
    let handle = share.open(&path(name), how(CreateDisposition::Create)).unwrap();
    write_open(share, handle, bytes, block, depth);
    share.close(handle).unwrap();
}

pub fn write_open(share: &dyn Share, handle: FileHandle, bytes: &[u8], block: usize, depth: usize) {
    let mut lane = share.open_io_queue(handle, block, depth).unwrap();
    let mut idle: Vec<usize> = (0..depth).collect();
    let mut blocks = bytes.chunks(block).zip((0..).step_by(block)).peekable();
    let mut lengths = vec![0; depth];
    while idle.len() < depth || blocks.peek().is_some() {
        while let (Some(slot), Some((part, offset))) = (idle.last().copied(), blocks.peek().copied()) {
            lane.buffer(slot)[..part.len()].copy_from_slice(part);
            lengths[slot] = part.len();
            lane.submit(IoRequest { slot, offset, length: part.len(), write: true }).unwrap();
            (idle.pop(), blocks.next());
        }
        let done = lane.wait_for_completion(PATIENCE).unwrap();
        assert_eq!(done.moved.unwrap(), lengths[done.slot]);
        assert_eq!(lane.buffer(done.slot).len(), block);
        idle.push(done.slot);
    }
    share.flush(handle).unwrap();
}

/// Writes blocks one by one; the bytes that were taken, and the refusals, each for want of space.
pub fn fill(share: &dyn Share, handle: FileHandle, block: usize, blocks: usize) -> (u64, Vec<FileError>) {
    let mut lane = share.open_io_queue(handle, block, 4).unwrap();
    let (mut taken, mut failed) = (0, Vec::new());
    for number in 0..blocks {
        let (slot, offset) = (number % 4, (number * block) as u64);
        lane.submit(IoRequest { slot, offset, length: block, write: true }).unwrap();
        match lane.wait_for_completion(PATIENCE).unwrap().moved {
            Ok(moved) => taken += moved as u64,
            bad => failed.push(refused(bad, FileErrorKind::Full)),
        }
    }
    (taken, failed)
}

pub fn read_all(share: &dyn Share, name: &str, bytes: &[u8], block: usize, depth: usize) {
    let handle = share.open(&path(name), how(CreateDisposition::Open)).unwrap();
    read_open(share, handle, bytes, block, depth);
    share.close(handle).unwrap();
}

pub fn read_open(share: &dyn Share, handle: FileHandle, bytes: &[u8], block: usize, depth: usize) {
    let mut lane = share.open_io_queue(handle, block, depth).unwrap();
    let mut offsets = vec![0; depth];
    let mut left = (0..=bytes.len() + block).step_by(block);
    let mut begin = |lane: &mut dyn IoQueue, slot: usize, offsets: &mut Vec<usize>| {
        let Some(offset) = left.next() else { return 0 };
        offsets[slot] = offset;
        lane.submit(IoRequest { slot, offset: offset as u64, length: block, write: false }).unwrap();
        1
    };
    let mut under_way: usize = (0..depth).map(|slot| begin(lane.as_mut(), slot, &mut offsets)).sum();
    let mut seen = 0;
    while under_way > 0 {
        let done = lane.wait_for_completion(PATIENCE).unwrap();
        let (from, moved) = (offsets[done.slot], done.moved.unwrap());
        assert_eq!(moved, bytes.len().saturating_sub(from).min(block), "at {from}");
        assert!(lane.buffer(done.slot)[..moved] == bytes[from.min(bytes.len())..][..moved], "at {from}");
        seen += moved;
        under_way = under_way - 1 + begin(lane.as_mut(), done.slot, &mut offsets);
    }
    assert_eq!(seen, bytes.len());
}
