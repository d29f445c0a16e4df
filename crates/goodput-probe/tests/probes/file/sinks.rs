//! Tests of agents' sinks: storage and refusals.

use super::*;
use goodput_model::file::{DiskSpace, FileStatus, FolderEntry, VerificationCounts};
use goodput_probe::file::{RemoteFiles, SinkError};

/// Writes numbered blocks through lanes, flushes, reads back and compares.
struct Copier {
    name: &'static str,
    blocks: u64,
    block: usize,
    depth: usize,
    lane: Option<(RemoteFiles, u64, RemoteIoQueue)>,
}

fn how(disposition: CreateDisposition) -> FileOpenOptions {
    FileOpenOptions { disposition, folder: false, file: true, read_only: false, direct: false }
}

fn byte(offset: u64) -> u8 {
    (offset.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

impl Copier {
    fn go(&mut self, write: bool, mut look: impl FnMut(u64, &[u8])) -> u64 {
        let (_, _, lane) = self.lane.as_mut().unwrap();
        let mut moved = 0;
        let mut offsets = vec![0; self.depth];
        let mut free: Vec<usize> = (0..self.depth).collect();
        let mut left = (0..self.blocks).map(|number| number * self.block as u64).peekable();
        while free.len() < self.depth || left.peek().is_some() {
            while let (Some(slot), Some(offset)) = (free.last().copied(), left.peek().copied()) {
                (free.pop(), left.next());
                if write {
                    lane.buffer(slot).iter_mut().zip(offset..).for_each(|(b, at)| *b = byte(at));
                }
                offsets[slot] = offset;
                lane.submit(slot, offset, self.block, write).unwrap();
            }
            let (slot, n) = lane.wait_for_io_completion(Duration::from_secs(5)).unwrap();
            let n = n.unwrap();
            moved += n as u64;
            look(offsets[slot], &lane.buffer(slot)[..n]);
            free.push(slot);
        }
        moved
    }
}

impl FileWorker for Copier {
    fn prepare(&mut self, data: Option<&DataConnectionPool>) -> Result<(), ProbeError> {
        let remote = data.unwrap().open_remote_files().unwrap();
        let file = remote.open(self.name, how(CreateDisposition::Create)).unwrap();
        let lane = remote.open_io_queue(file, self.block, self.depth).unwrap();
        self.lane = Some((remote, file, lane));
        Ok(())
    }

    fn run_workload(
        &mut self,
        t0_ns: u64,
        _: Option<u64>,
        _: Nanos,
        stage: &WorkloadObserver<'_>,
    ) -> FileWorkloadResult {
        open_window(t0_ns, stage);
        let written = self.go(true, |_, _| {});
        let (remote, file, _) = self.lane.as_ref().unwrap();
        remote.flush(*file).unwrap();
        let t1_ns = now_ns();
        stage.measurement_window_closed(t1_ns);
        let report = FileReport { bytes_written: written, ..FileReport::default() };
        FileWorkloadResult { t1_ns, report, operations: self.blocks, ..FileWorkloadResult::default() }
    }

    fn finish(&mut self, report: &mut FileReport) -> Result<(), ProbeError> {
        let mut wrong = 0;
        let read = self.go(false, |offset, bytes| {
            wrong += bytes.iter().zip(offset..).filter(|(b, at)| **b != byte(*at)).count() as u64;
        });
        report.bytes_read = read;
        report.verified = Some(VerificationCounts { bytes: read, wrong });
        let (remote, file, _) = self.lane.take().unwrap();
        remote.close(file).unwrap();
        Ok(())
    }
}

pub(super) fn matcher(_: &str) -> Box<dyn FnMut(&str) -> bool> {
    Box::new(|_| true)
}

/// A memory sink that claims to wait, so that several threads serve a connection.
struct Waits(MemorySink);

macro_rules! pass_on {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty;)*) => {
        impl SinkStorage for Waits {
            fn may_wait_for_device(&self) -> bool {
                true
            }
            $(fn $name(&self, $($arg: $type),*) -> Result<$result, SinkError> {
                std::thread::sleep(Duration::from_micros(200));
                self.0.$name($($arg),*)
            })*
        }
    };
}

pass_on! {
    open(path: &str, how: FileOpenOptions) -> u64;
    close(handle: u64) -> ();
    read_at(handle: u64, into: &mut [u8], offset: u64) -> usize;
    write_at(handle: u64, data: &[u8], offset: u64) -> ();
    flush(handle: u64) -> ();
    stat_path(path: &str) -> FileStatus;
    stat_handle(handle: u64) -> FileStatus;
    set_times_to_now(handle: u64) -> ();
    storage_space() -> DiskSpace;
    list_matching_entries(folder: &str, pattern: &str, most: Option<usize>) -> Vec<FolderEntry>;
    make_folder(path: &str) -> ();
    remove_folder(path: &str) -> ();
    remove_file(path: &str) -> ();
    rename(from: &str, to: &str) -> ();
    lock_range(handle: u64, offset: u64, length: u64) -> ();
    unlock_range(handle: u64, offset: u64, length: u64) -> ();
}

#[test]
fn what_is_written_to_a_sink_in_memory_is_there_and_counted_at_both_ends() {
    let settings = settings(2, FileLocation::Sink { sink: SinkStorageKind::Memory }, copy());
    for (block, blocks, depth) in [(4096, 500, 32), (1 << 20, 12, 4), (5000, 40, 1)] {
        let total = block as u64 * blocks;
        let plain = MemorySink::with_size_limit(64 << 20, matcher);
        let slow = Waits(MemorySink::with_size_limit(64 << 20, matcher));
        let keepers: [&dyn SinkStorage; 2] = [&plain, &slow];
        for keeper in keepers {
            let copier = |name| -> Fake { Box::new(Copier { name, blocks, block, depth, lane: None }) };
            let (clients, server) =
                run_with(&settings, vec![(0, copier("a")), (1, copier("b"))], Some(keeper));
            assert!(server.broken.is_none() && server.excluded.is_empty(), "{:?}", server.excluded);
            for client in &clients {
                assert!(client.broken.is_none(), "{:?}", client.broken);
                let verified = client.file.as_ref().unwrap().verified;
                assert_eq!(verified, Some(VerificationCounts { bytes: total, wrong: 0 }));
                let of = |direction| client.flows.iter().filter(move |f| f.direction == direction);
                let sent = of(TransferDirection::Send).map(|f| f.window_bytes).sum::<u64>();
                let back = of(TransferDirection::Receive).map(|f| f.after_bytes).sum::<u64>();
                assert_eq!((sent, back), (total, total), "in the window, and after it");
            }
            let arrived = server.flows.iter().filter(|f| f.receives);
            assert_eq!(arrived.map(|f| f.total_bytes()).sum::<u64>(), 2 * total);
            // In so short a window the first operations may precede it.
            assert!(server.operations > 0);
        }
    }
}

/// Runs all operations of a sink, including refused ones.
fn operate(data: &DataConnectionPool) {
    let remote = data.open_remote_files().unwrap();
    remote.make_folder("d").unwrap();
    let file = remote.open("d/f", how(CreateDisposition::OpenIf)).unwrap();
    remote.write_at(file, b"hello", 3).unwrap();
    let mut back = [9; 20];
    assert_eq!((remote.read_at(file, &mut back, 0).unwrap(), &back[..8]), (8, &b"\0\0\0hello"[..]));
    assert_eq!(remote.stat_path("d/f").unwrap().length, 8);
    assert_eq!(remote.stat_handle(file).unwrap().length, 8);
    assert!(remote.stat_path("d").unwrap().folder);
    remote.set_times_to_now(file).unwrap();
    remote.flush(file).unwrap();
    remote.lock_range(file, 1, 2).unwrap();
    let other = remote.reconnect().unwrap();
    let again = other.open("d/f", how(CreateDisposition::Open)).unwrap();
    assert_eq!(other.lock_range(again, 0, 9).unwrap_err().code, FileErrorKind::Locked);
    remote.unlock_range(file, 1, 2).unwrap();
    other.lock_range(again, 0, 9).unwrap();
    assert_eq!(remote.list_matching_entries("d", "*", None).unwrap()[0].name, "f");
    assert_eq!(remote.list_matching_entries("d", "*", Some(0)).unwrap().len(), 0);
    assert!(remote.storage_space().unwrap().free > 0);
    assert_eq!(remote.remove_folder("d").unwrap_err().code, FileErrorKind::NotEmpty);
    for bad in ["../x", "/etc/passwd", "d/../../x", "d//f", "c:"] {
        let queried = remote.stat_path(bad).unwrap_err();
        let renamed = remote.rename("d/f", bad).unwrap_err();
        let made = remote.open(bad, how(CreateDisposition::OpenIf)).unwrap_err();
        assert_eq!([queried, renamed, made].map(|e| e.code), [FileErrorKind::Forbidden; 3], "{bad}");
    }
    let full = remote.write_at(file, &vec![1; 9 << 20], 0).unwrap_err();
    assert!(full.code == FileErrorKind::Full && full.why.contains("memory sink"), "{full:?}");
    remote.rename("d/f", "d/g").unwrap();
    remote.close(file).unwrap();
    other.close(again).unwrap();
    assert_eq!(remote.close(file).unwrap_err().code, FileErrorKind::Other, "twice");
    remote.remove_file("d/g").unwrap();
    remote.remove_folder("d").unwrap();
    let file = remote.open("x", how(CreateDisposition::Create)).unwrap();
    let mut lane = remote.open_io_queue(file, 4096, 2).unwrap();
    for (slot, length) in [(5, 1), (0, 5000)] {
        assert_eq!(lane.submit(slot, 0, length, true).unwrap_err().code, FileErrorKind::Other);
    }
    lane.submit(0, 0, 4096, false).unwrap();
    let done = lane.wait_for_io_completion(Duration::from_secs(5)).unwrap();
    assert_eq!(done, (0, Ok(0)), "the end of the file");
}

#[test]
fn a_sink_does_all_that_it_is_asked_and_nothing_outside_the_workspace() {
    let settings = settings(1, FileLocation::Sink { sink: SinkStorageKind::Memory }, copy());
    let memory = MemorySink::with_size_limit(8 << 20, matcher);
    let (clients, server) = run_with(&settings, vec![(0, Box::new(Preparer(operate)))], Some(&memory));
    assert!(clients[0].broken.is_none() && server.broken.is_none(), "{:?}", clients[0].broken);
}

/// Takes until it is refused, and again after giving one back; another connection has its own.
fn hoard(data: &DataConnectionPool) {
    let remote = data.open_remote_files().unwrap();
    let file = remote.open("a", how(CreateDisposition::Create)).unwrap();
    let lock = |at| remote.lock_range(file, at, 1);
    let locks = (0..5_000).take_while(|at| lock(*at).is_ok()).count();
    assert_eq!((locks, lock(5_000).unwrap_err().code), (1_024, FileErrorKind::Other));
    remote.unlock_range(file, 0, 1).unwrap();
    lock(0).unwrap();
    let open = |remote: &RemoteFiles| remote.open("a", how(CreateDisposition::Open));
    let opened = (0..5_000).map_while(|_| open(&remote).ok()).collect::<Vec<_>>();
    assert_eq!(opened.len(), 1_023);
    remote.close(opened[0]).unwrap();
    open(&remote).unwrap();
    open(&data.open_remote_files().unwrap()).unwrap();
}

#[test]
fn a_connection_opens_and_locks_a_limited_number_of_files() {
    let settings = settings(1, FileLocation::Sink { sink: SinkStorageKind::Memory }, copy());
    let memory = MemorySink::with_size_limit(8 << 20, matcher);
    let (clients, server) = run_with(&settings, vec![(0, Box::new(Preparer(hoard)))], Some(&memory));
    assert!(clients[0].broken.is_none() && server.broken.is_none(), "{:?}", clients[0].broken);
}

#[test]
fn net_moves_exactly_the_bytes_that_a_mix_would() {
    let settings = settings(1, FileLocation::Sink { sink: SinkStorageKind::Net }, copy());
    let exchange = |data: &DataConnectionPool| {
        let mut net = data.open_tbench_connection().unwrap();
        let mut exchange = |request, reply| net.exchange_messages(request, reply, Duration::from_secs(5));
        let sizes = [(8, 8), (74, 87), (59, 59 + 61_440), (59 + 65_536, 55), (41, 39), (1 << 20, 4)];
        sizes.into_iter().for_each(|(request, reply)| exchange(request, reply).unwrap());
        assert_eq!(exchange(7, 8).unwrap_err().code, FileErrorKind::Gone);
    };
    let (clients, server) = run(&settings, vec![(0, Box::new(Preparer(exchange)))]);
    assert!(clients[0].broken.is_none() && server.broken.is_none(), "{:?}", clients[0].broken);
    let total = |end: &EndpointMeasurement, receives: bool| -> u64 {
        end.flows.iter().filter(|f| f.receives == receives).map(|f| f.total_bytes()).sum()
    };
    let sent = 8 + 74 + 59 + 59 + 65_536 + 41 + (1 << 20);
    let back = 8 + 87 + 59 + 61_440 + 55 + 39 + 4;
    assert_eq!((total(&clients[0], false), total(&clients[0], true)), (sent, back));
    assert_eq!((total(&server, true), total(&server, false)), (sent, back));
}
