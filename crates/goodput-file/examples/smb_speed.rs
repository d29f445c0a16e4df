//! Compares whole files written and read by our SMB transport, the `smb2` crate's own client, and `smbclient`.
//!
//! `cargo run --release --locked -p goodput-file --example smb_speed [MB [ROUNDS [BLOCK_KIB DEPTH]]]`
//!
//! Starts a Samba on loopback and tmpfs, or takes `SMB_SERVER="PORT SHARE USER PASSWORD"`. The crate's fastest
//! way is chosen before the rounds; round 0 is not counted. `smbclient` reports its own rate.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/files/samba.rs"]
mod samba;

use goodput_file::smb::SmbShare;
use goodput_file::{FileOpenOptions, IoRequest, RelPath, Share, smb_password};
use goodput_model::file::CreateDisposition;
use samba::{DATA, PASSWORD, Samba, USER};
use smb2::{ClientConfig, ReadAhead, SmbClient, Tree, UPLOAD_CHUNK_SIZE, WriteBehind};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};

type Smb2 = (SmbClient, Tree, Runtime);

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|word| word.parse().unwrap()).collect();
    let number = |at: usize, other: usize| numbers.get(at).copied().unwrap_or(other);
    let (size, rounds) = (number(0, 600) * 1_000_000, number(1, 9));
    let (block, depth) = (number(2, 1024) << 10, number(3, 8));
    let given = std::env::var("SMB_SERVER").ok();
    let lines = std::env::var("SAMBA_LINES").unwrap_or_default();
    let samba = given.is_none().then(|| Samba::start_with(&lines, &[]));
    let own = samba.as_ref().map(|samba| format!("{} {DATA} {USER} {PASSWORD}", samba.port));
    let given = given.or(own).unwrap();
    let server: [&str; 4] = given.split(' ').collect::<Vec<&str>>().try_into().unwrap();
    let file = tempfile::NamedTempFile::new_in(std::env::var("TMPDIR").unwrap_or("/dev/shm".into())).unwrap();
    let mut random = File::open("/dev/urandom").unwrap().take(size as u64);
    std::io::copy(&mut random, &mut file.as_file()).unwrap();
    let local = file.path();
    smb_password::set_password(zeroize::Zeroizing::new(server[3].to_string()));
    let port = server[0].parse().unwrap();
    let share = SmbShare::connect("127.0.0.1", port, None, Some(server[2]), server[1], "", &|_| Ok(()))
        .unwrap_or_else(|e| panic!("{e}: {}", e.source));
    let mut clients = [false, true].map(|threads| connect(server, threads));
    println!("ours {:?}; smb2 {:?}", share.location_facts(), clients[0].0.diagnostics().primary.signing);
    // So that no write waits for the removal of what the file held.
    let remove = || drop(share.remove_file(&RelPath::parse("f").unwrap()));
    let mut best: [(f64, Way); 2] = Default::default();
    for (client, smb2) in clients.iter_mut().enumerate() {
        let chunks = [1 << 18, 1 << 19, 1 << 20, 1 << 22].into_iter();
        let ways = chunks.flat_map(|chunk| [0, 4, 8, 32].map(|depth| Way { client, chunk, depth }));
        for way in ways.chain([Way { client, chunk: 0, depth: 0 }]) {
            remove();
            for (best, from) in best.iter_mut().zip([Some(local), None]) {
                let rate = theirs(smb2, from, size, way);
                *best = if rate > best.0 { (rate, way) } else { *best };
            }
        }
    }
    println!("smb2's fastest: put {:?}, get {:?}", best[0], best[1]);
    println!("{size} bytes, {depth} times {} KiB; MB/s of ours, smb2, smbclient", block >> 10);
    let mut all: Vec<[[f64; 3]; 2]> = Vec::new();
    for round in 0..=rounds {
        let mut row = [[0.0; 3]; 2];
        for who in (0..3).map(|turn| (round + turn) % 3) {
            remove();
            for (at, from) in [Some(local), None].into_iter().enumerate() {
                row[at][who] = match (who, best[at].1) {
                    (0, _) => ours(&share, from, size, block, depth),
                    (1, way) => theirs(&mut clients[way.client], from, size, way),
                    _ => smbclient(server, from),
                };
            }
        }
        println!("{round}: put {:7.1?}  get {:7.1?}", row[0], row[1]);
        all.extend((round > 0).then_some(row));
    }
    for (at, what) in ["put", "get"].into_iter().enumerate() {
        let of = |value: fn([f64; 3]) -> f64| median(all.iter().map(|row| value(row[at])).collect());
        let medians = [of(|row| row[0]), of(|row| row[1]), of(|row| row[2])];
        let ratios = [of(|row| row[1] / row[2]), of(|row| row[0] / row[2])];
        println!("{what}: medians {medians:.1?}; median ratios smb2/smbclient, ours/smbclient {ratios:.3?}");
    }
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    (of[(of.len() - 1) / 2] + of[of.len() / 2]) / 2.0
}

/// The local file to write, or where to put what is read.
fn open(from: Option<&Path>) -> File {
    from.map_or_else(|| File::create("/dev/null"), File::open).unwrap()
}

/// Chunk 0: the crate's functions for whole files. Depth 0: as many requests as it finds right.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    client: usize,
    chunk: u32,
    depth: usize,
}

fn connect([port, share, user, password]: [&str; 4], threads: bool) -> Smb2 {
    let mut builder = if threads { Builder::new_multi_thread() } else { Builder::new_current_thread() };
    let runtime = builder.enable_all().build().unwrap();
    let (addr, username) = (format!("127.0.0.1:{port}"), user.to_string());
    let (password, compression) = (password.to_string(), false);
    let config = ClientConfig { addr, username, password, compression, ..ClientConfig::default() };
    let mut client = runtime.block_on(SmbClient::connect(config)).unwrap();
    let tree = runtime.block_on(client.connect_share(share)).unwrap();
    client.connection().set_write_budget(256 << 20);
    (client, tree, runtime)
}

/// Writes a local file, or reads.
fn theirs((client, tree, runtime): &mut Smb2, from: Option<&Path>, size: usize, way: Way) -> f64 {
    let (mut local, mut part, fixed) = (open(from), vec![0u8; way.chunk as usize], way.depth > 0);
    let behind = if fixed { WriteBehind::Fixed(way.depth) } else { WriteBehind::Adaptive };
    let ahead = if fixed { ReadAhead::Fixed(way.depth) } else { ReadAhead::Adaptive };
    let began = Instant::now();
    let moved = runtime.block_on(async {
        if from.is_some() && way.chunk == 0 {
            let mut next = || {
                let mut part = Vec::with_capacity(UPLOAD_CHUNK_SIZE as usize);
                let read = (&mut local).take(UPLOAD_CHUNK_SIZE.into()).read_to_end(&mut part);
                Some(read.map(|_| part))
            };
            client.write_file_streamed(tree, "f", &mut next).await.unwrap()
        } else if from.is_some() {
            let writer = client.create_file_writer(tree, "f").await.unwrap();
            let mut writer = writer.with_chunk_size(way.chunk).with_write_behind(behind);
            let mut length = part.len();
            while length > 0 {
                length = local.read(&mut part).unwrap();
                writer.write_chunk(&part[..length]).await.unwrap();
            }
            writer.finish().await.unwrap()
        } else if way.chunk == 0 {
            let whole = client.read_file_pipelined(tree, "f").await.unwrap();
            local.write_all(&whole).unwrap();
            whole.len() as u64
        } else {
            let download = client.open_file_download(tree, "f").await.unwrap();
            let mut download = download.with_chunk_size(way.chunk).with_read_ahead(ahead);
            while let Some(part) = download.next_chunk().await {
                local.write_all(&part.unwrap()).unwrap();
            }
            download.bytes_received()
        }
    });
    assert_eq!(moved, size as u64);
    size as f64 / 1e6 / began.elapsed().as_secs_f64()
}

/// Writes a local file, or reads.
fn ours(share: &SmbShare, from: Option<&Path>, size: usize, block: usize, depth: usize) -> f64 {
    let (mut local, write) = (open(from), from.is_some());
    let disposition = if write { CreateDisposition::OverwriteIf } else { CreateDisposition::Open };
    let how = FileOpenOptions { disposition, folder: false, file: true, read_only: !write, direct: false };
    let (began, name) = (Instant::now(), RelPath::parse("f").unwrap());
    let handle = share.open(&name, how).unwrap();
    let mut lane = share.open_io_queue(handle, block, depth).unwrap();
    let (mut free, mut next, mut moved): (Vec<usize>, _, _) = ((0..depth).collect(), 0, 0);
    while moved < size {
        if let Some(slot) = free.pop_if(|_| next < size) {
            let length = block.min(size - next);
            if write {
                local.read_exact_at(&mut lane.buffer(slot)[..length], next as u64).unwrap();
            }
            lane.submit(IoRequest { slot, offset: next as u64, length, write }).unwrap();
            next += length;
        } else {
            let done = lane.wait_for_completion(Duration::from_secs(60)).unwrap();
            let length = done.moved.unwrap();
            if !write {
                local.write_all(&lane.buffer(done.slot)[..length]).unwrap();
            }
            moved += length;
            free.push(done.slot);
        }
    }
    share.close(handle).unwrap();
    size as f64 / 1e6 / began.elapsed().as_secs_f64()
}

/// The printed rate, `(1234.5 kb/s)` or `(1234.5 KiloBytes/sec)`, both of 1024 bytes.
fn smbclient([port, share, user, password]: [&str; 4], from: Option<&Path>) -> f64 {
    let orders = from.map_or("get f /dev/null".to_string(), |local| format!("put {} f", local.display()));
    let (share, who) = (format!("//127.0.0.1/{share}"), format!("{user}%{password}"));
    let mut client = Command::new("smbclient");
    let done = client.arg(share).args(["-p", port, "-U"]).arg(who).arg("-c").arg(orders).output().unwrap();
    let said = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
    assert!(done.status.success(), "{said}");
    let rate = said.split('(').find_map(|part| part.split_once(' ')?.0.parse::<f64>().ok());
    rate.unwrap_or_else(|| panic!("no rate in {said}")) * 1024.0 / 1e6
}
