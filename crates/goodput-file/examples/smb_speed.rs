//! Compares sequential SMB reads and writes of this crate and of `smbclient` on a Samba on loopback.
//!
//! `cargo run --release -p goodput-file --example smb_speed [MB [ROUNDS [BLOCK_KIB DEPTH]]]`
//!
//! Files are on tmpfs. `smbclient` reports its own rate, without start and log-on. Prints medians, and the
//! median of the rounds' ratios.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/files/samba.rs"]
mod samba;

use goodput_file::smb::SmbShare;
use goodput_file::{FileOpenOptions, IoRequest, RelPath, Share, smb_password};
use goodput_model::file::CreateDisposition;
use samba::{DATA, PASSWORD, Samba, USER};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|word| word.parse().unwrap()).collect();
    let number = |at: usize, other: usize| numbers.get(at).copied().unwrap_or(other);
    let (size, rounds) = (number(0, 600) * 1_000_000, number(1, 9));
    let (block, depth) = (number(2, 1024) << 10, number(3, 8));
    if let Some(reason) = samba::why_none() {
        println!("cannot run here: {reason}");
        return;
    }
    let samba = Samba::start_with(&std::env::var("SAMBA_LINES").unwrap_or_default(), &[]);
    let local = tempfile::NamedTempFile::new_in("/dev/shm").unwrap();
    fill(local.path(), size);
    smb_password::set_password(zeroize::Zeroizing::new(PASSWORD.to_string()));
    let share = SmbShare::connect("127.0.0.1", samba.port, None, Some(USER), DATA, "", &|_| Ok(()))
        .unwrap_or_else(|e| panic!("{e}: {} {}", e.source, samba.log()));
    println!("{:?}", share.location_facts());
    println!("{size} bytes, blocks of {} KiB, {depth} under way; MB/s (CPU s of this client)", block >> 10);
    let mut all: Vec<[f64; 4]> = Vec::new();
    for round in 0..rounds + 1 {
        let ours_write = || write(&share, local.path(), size, block, depth);
        let ours_read = || read(&share, size, block, depth);
        let put = || theirs(&samba, &format!("put {} f", local.path().display()));
        let get = || theirs(&samba, "get f /dev/null");
        let (a, b, c, d);
        if round % 2 == 0 {
            (a, b) = (ours_write(), put());
            (c, d) = (ours_read(), get());
        } else {
            (b, a) = (put(), ours_write());
            (d, c) = (get(), ours_read());
        }
        let warm = if round == 0 { " (warm-up, not counted)" } else { "" };
        println!(
            "write {:7.1} ({:.2})  put {:7.1} ({:.2})   read {:7.1} ({:.2})  get {:7.1} ({:.2}){warm}",
            a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1
        );
        if round > 0 {
            all.push([a.0, b.0, c.0, d.0]);
        }
    }
    let of = |at: usize| median(all.iter().map(|row| row[at]).collect());
    println!("medians: write {:.1}, put {:.1}, read {:.1}, get {:.1}", of(0), of(1), of(2), of(3));
    let ratio = |a: usize, b: usize| median(all.iter().map(|row| row[a] / row[b]).collect());
    println!("median ratios: write/put {:.3}, read/get {:.3}", ratio(0, 1), ratio(2, 3));
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    (of[(of.len() - 1) / 2] + of[of.len() / 2]) / 2.0
}

fn fill(path: &std::path::Path, size: usize) {
    let mut file = File::create(path).unwrap();
    let mut state = 1u64;
    let mut left = size;
    while left > 0 {
        let block: Vec<u8> = (0..131_072)
            .flat_map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state.to_le_bytes()
            })
            .collect();
        let now = left.min(block.len());
        file.write_all(&block[..now]).unwrap();
        left -= now;
    }
}

/// CPU seconds of this process: fields 14 and 15 of `/proc/self/stat`, in hundredths.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split(' ').collect();
    (fields[12].parse::<f64>().unwrap() + fields[13].parse::<f64>().unwrap()) / 100.0
}

fn rate(size: usize, began: Instant, cpu_before: f64) -> (f64, f64) {
    (size as f64 / 1e6 / began.elapsed().as_secs_f64(), cpu() - cpu_before)
}

fn write(share: &SmbShare, local: &std::path::Path, size: usize, block: usize, depth: usize) -> (f64, f64) {
    let name = RelPath::parse("f").unwrap();
    let file = File::open(local).unwrap();
    let how = FileOpenOptions {
        disposition: CreateDisposition::OverwriteIf,
        folder: false,
        file: true,
        read_only: false,
        direct: false,
    };
    let (began, before) = (Instant::now(), cpu());
    let handle = share.open(&name, how).unwrap();
    let mut lane = share.open_io_queue(handle, block, depth).unwrap();
    let (mut next, mut free) = (0, depth);
    while next < size || free < depth {
        let slot = if free > 0 && next < size {
            free -= 1;
            depth - 1 - free
        } else {
            let done = lane.wait_for_completion(PATIENCE).unwrap();
            done.moved.unwrap();
            if next >= size {
                free += 1;
                continue;
            }
            done.slot
        };
        let length = block.min(size - next);
        file.read_exact_at(&mut lane.buffer(slot)[..length], next as u64).unwrap();
        lane.submit(IoRequest { slot, offset: next as u64, length, write: true }).unwrap();
        next += length;
    }
    share.close(handle).unwrap();
    rate(size, began, before)
}

fn read(share: &SmbShare, size: usize, block: usize, depth: usize) -> (f64, f64) {
    let name = RelPath::parse("f").unwrap();
    let mut nowhere = File::options().write(true).open("/dev/null").unwrap();
    let how = FileOpenOptions {
        disposition: CreateDisposition::Open,
        folder: false,
        file: true,
        read_only: true,
        direct: false,
    };
    let (began, before) = (Instant::now(), cpu());
    let handle = share.open(&name, how).unwrap();
    let mut lane = share.open_io_queue(handle, block, depth).unwrap();
    let (mut next, mut under_way) = (0, 0);
    for slot in 0..depth.min(size.div_ceil(block)) {
        lane.submit(IoRequest { slot, offset: next as u64, length: block, write: false }).unwrap();
        next += block;
        under_way += 1;
    }
    let mut seen = 0;
    while under_way > 0 {
        let done = lane.wait_for_completion(PATIENCE).unwrap();
        let moved = done.moved.unwrap();
        nowhere.write_all(&lane.buffer(done.slot)[..moved]).unwrap();
        seen += moved;
        under_way -= 1;
        if next < size {
            lane.submit(IoRequest { slot: done.slot, offset: next as u64, length: block, write: false })
                .unwrap();
            next += block;
            under_way += 1;
        }
    }
    assert_eq!(seen, size);
    share.close(handle).unwrap();
    rate(size, began, before)
}

/// The printed rate, `(1234.5 kb/s)` or `(1234.5 KiloBytes/sec)`, both of 1024 bytes; and the CPU time.
fn theirs(samba: &Samba, commands: &str) -> (f64, f64) {
    let mut client = samba.client(DATA, commands);
    let mut child =
        client.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split(' ').collect();
    let cpu = (fields[12].parse::<f64>().unwrap() + fields[13].parse::<f64>().unwrap()) / 100.0;
    assert!(child.wait().unwrap().success(), "{out} {err}");
    let said = format!("{out} {err}");
    let rate = said
        .split('(')
        .filter_map(|part| part.split_once(' ').and_then(|(number, _)| number.parse::<f64>().ok()))
        .next()
        .unwrap_or_else(|| panic!("no rate in {said}"));
    (rate * 1024.0 / 1e6, cpu)
}
