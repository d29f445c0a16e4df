//! Measures a disk before use: direct I/O, one request at a time. The throttle admits 0.1 s worth at once and
//! then holds requests (block/blk-throttle.c), so the rate is taken from one pause to another.

use super::DirectIoSpeed;
use crate::topology::Disk;
use goodput_model::Bytes;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

const LONGEST: Duration = Duration::from_millis(900);
const ENOUGH: u64 = 128 << 20;
const PAUSES: usize = 5;
/// A request that took so much longer than the one before was throttled.
const PAUSE: Duration = Duration::from_millis(10);
/// Of direct I/O; at least the block size of any disk.
const ALIGNMENT: usize = 4096;
const LARGEST: u64 = 1 << 20;

/// The file disappears when it is closed.
pub(super) fn create_temp_file(folder: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).custom_flags(libc::O_TMPFILE | libc::O_DIRECT).open(folder)
}

pub(super) fn measure_speed(file: &File, disk: &Disk) -> io::Result<DirectIoSpeed> {
    let request = request(disk.rate);
    let span = (disk.size.0 / 4).min(ENOUGH) / request * request;
    let mut buffer = vec![0x5a; request as usize + ALIGNMENT];
    let from = buffer.as_ptr().align_offset(ALIGNMENT);
    let block = &mut buffer[from..from + request as usize];
    let write = time(request, |n| file.write_all_at(block, n * request % span))?;
    // Unwritten parts read as zeros without touching the disk.
    let written = span.min(file.metadata()?.len()) / request * request;
    let read = time(request, |n| file.read_exact_at(block, n * request % written))?;
    Ok(DirectIoSpeed { write, read })
}

/// Sequential reads of one block, spread over the file, each second.
pub(super) fn measure_iops(file: &File) -> io::Result<u32> {
    let blocks = file.metadata()?.len() / ALIGNMENT as u64;
    let mut buffer = vec![0u8; 2 * ALIGNMENT];
    let from = buffer.as_ptr().align_offset(ALIGNMENT);
    let block = &mut buffer[from..from + ALIGNMENT];
    // A prime step visits all blocks.
    let read = |n: u64| file.read_exact_at(block, (n + 1) * 7919 % blocks.max(1) * ALIGNMENT as u64);
    Ok(u32::try_from(time(1, read)?.0).unwrap_or(u32::MAX))
}

/// A hundredth of a second's worth, between one block and the largest request.
fn request(rate: Option<Bytes>) -> u64 {
    let wanted = rate.map_or(LARGEST, |rate| rate.0 / 100);
    wanted.next_multiple_of(ALIGNMENT as u64).min(LARGEST)
}

fn time(request: u64, mut act: impl FnMut(u64) -> io::Result<()>) -> io::Result<Bytes> {
    let begun = Instant::now();
    let mut done = vec![Duration::ZERO];
    let mut pauses = 0;
    while begun.elapsed() < LONGEST && pauses < PAUSES && done.len() as u64 * request <= ENOUGH {
        act(done.len() as u64 - 1)?;
        let last = done[done.len() - 1];
        done.push(begun.elapsed());
        pauses += usize::from(done[done.len() - 1] - last > PAUSE);
    }
    Ok(rate(&done, request))
}

/// From the completion times of requests; the first is the start.
fn rate(done: &[Duration], request: u64) -> Bytes {
    let paused = |at: &usize| done[*at] - done[at - 1] > PAUSE;
    let pauses: Vec<usize> = (1..done.len()).filter(paused).collect();
    let (from, to) = match pauses.as_slice() {
        [first, _, .., last] => (*first, *last),
        _ => (0, done.len() - 1),
    };
    let bytes = (to - from) as u64 * request;
    let time = (done[to] - done[from]).as_secs_f64();
    Bytes(if time > 0.0 { (bytes as f64 / time) as u64 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_whole_blocks() {
        assert_eq!(request(None), LARGEST);
        assert_eq!(request(Some(Bytes(1_000_000))), 12_288);
        assert_eq!(request(Some(Bytes(40_000_000))), 401_408);
        assert_eq!(request(Some(Bytes(100_000_000_000))), LARGEST);
    }

    #[test]
    fn bursts_are_measured_from_pause_to_pause_and_a_steady_disk_over_all() {
        // Four requests at once, then a pause, as seen at 40 MB/s.
        let ms = [0, 0, 1, 1, 108, 108, 108, 108, 212, 212, 212, 212, 316, 316, 316, 316, 420];
        let done: Vec<Duration> = ms.into_iter().map(Duration::from_millis).collect();
        let found = rate(&done, 1 << 20).0 as f64;
        assert!((found / 40.33e6 - 1.0).abs() < 0.01, "{found}");
        // A steady disk is measured over all.
        let done: Vec<Duration> = (0..11).map(Duration::from_millis).collect();
        assert_eq!(rate(&done, 1000), Bytes(1_000_000));
        assert_eq!(rate(&done[..1], 1000), Bytes(0));
        let slow: Vec<Duration> = (0..4).map(|n| Duration::from_millis(n * 100)).collect();
        assert_eq!(rate(&slow, 1000), Bytes(10_000));
    }
}
