//! The blocks: contenders, loads, and numbers of pairs.

use super::{AgainstItself, BenchPart, Block};
use crate::contender::{Calls, Contender, Load, MixAt, Program, Receive, Sweep};

/// One more than a decision needs, because failed trials are not repeated.
pub(super) const PAIRS: u32 = 16;
/// A quick look decides nothing.
const QUICK_PAIRS: u32 = 2;
/// For trials that differ by a tenth and more, to decide a bound one twentieth away.
const MANY_PAIRS: u32 = 64;
/// Streams have no separate rounds of peers against themselves.
const STREAM_ROUNDS: u32 = 24;
/// Sizes of one sweep are correlated, so coverage needs many sweeps.
const COVERAGE_SWEEPS: u32 = 80;
const STREAM_SIZES: [u64; 4] = [64, 1 << 10, 8 << 10, 128 << 10];
const READ_SIZES: [u64; 3] = [64 << 10, 128 << 10, 256 << 10];
/// sockperf's smallest message.
const REQUEST_SIZE: u64 = 14;
/// One dominated by the cost of calls, and one that fills a 1500-byte packet like TCP.
const DATAGRAM_SIZES: [u64; 2] = [64, 1448];
const SHARED_FILE: u64 = 600_000_000;
const DRIVE_FILE: u64 = 256 << 20;
/// Against the header loop, in many pairs: trials differ by a sixth, and the bound is a twentieth away.
pub const FINE_DATAGRAM: u64 = 1448;
const PACED_RATE: u32 = 10_000;

pub(super) fn all(quick: bool) -> Vec<Block> {
    let (rounds, many, streams) =
        if quick { (QUICK_PAIRS, QUICK_PAIRS, QUICK_PAIRS) } else { (PAIRS, MANY_PAIRS, STREAM_ROUNDS) };
    let mut blocks = Vec::new();
    for congestion in [Some("cubic"), None] {
        blocks.extend(STREAM_SIZES.map(|size| stream(size, congestion, streams)));
    }
    blocks.extend([
        sweep("pingpong.compat.one-cpu", Sweep::Repeats(if quick { 10 } else { 100 }), true, many),
        coverage(if quick { QUICK_PAIRS } else { COVERAGE_SWEEPS }),
        sweep("pingpong.compat.two-cpus", Sweep::Repeats(if quick { 10 } else { 100 }), false, rounds),
        sweep("pingpong.native", Sweep::Native, true, if quick { 1 } else { rounds }),
        request(rounds),
    ]);
    blocks.extend(DATAGRAM_SIZES.iter().map(|size| datagram(*size, rounds)));
    blocks.push(datagram_against_raw(many));
    blocks.push(paced(rounds));
    blocks.extend([
        file("file.share", Program::Smbclient, Load::Share { bytes: SHARED_FILE }, rounds),
        file("file.folder", Program::Dbench, Load::Mix { at: MixAt::Folder }, rounds),
        file("file.net", Program::Tbench, Load::Mix { at: MixAt::Net }, rounds),
        // Small blocks have two rates, a factor of two apart, by where the loop device's kernel thread runs.
        file("file.drive", Program::Fio, Load::Drive { bytes: DRIVE_FILE }, many),
    ]);
    blocks
}

fn file(id: &str, peer: Program, load: Load, rounds: u32) -> Block {
    let contenders = [peer, Program::Goodput].map(|program| Contender { program, load: load.clone() });
    let against_itself = AgainstItself::First;
    Block { id: id.into(), part: BenchPart::File, contenders: contenders.into(), against_itself, rounds }
}

fn stream(size: u64, congestion: Option<&str>, rounds: u32) -> Block {
    let contender = |program, receive| {
        let load = Load::Stream { size, congestion: congestion.map(String::from), receive };
        Contender { program, load }
    };
    let mut contenders = vec![contender(Program::Iperf3, Receive::Default)];
    if congestion.is_none() {
        contenders.push(contender(Program::Nuttcp, Receive::Default));
    }
    contenders.push(contender(Program::Riperf3, Receive::Default));
    contenders.extend(READ_SIZES.map(|read| contender(Program::Raw, Receive::Read(read))));
    if size == STREAM_SIZES[0] {
        // Only printed, no peer of a claim.
        contenders.push(contender(Program::Raw, Receive::PollAndRead(size)));
    }
    contenders.extend([Receive::Default, Receive::Coalescing].map(|r| contender(Program::Goodput, r)));
    let id = format!("stream.{}.{size}", congestion.unwrap_or("default"));
    Block { id, part: BenchPart::Stream, contenders, against_itself: AgainstItself::Successive, rounds }
}

/// Without a peer.
fn coverage(rounds: u32) -> Block {
    let load = Load::Sweep { method: Sweep::Native, one_cpu: true };
    Block {
        id: "pingpong.coverage".into(),
        part: BenchPart::Pingpong,
        contenders: vec![Contender { program: Program::Goodput, load }],
        against_itself: AgainstItself::Successive,
        rounds,
    }
}

fn sweep(id: &str, method: Sweep, one_cpu: bool, rounds: u32) -> Block {
    let native = method == Sweep::Native;
    let contenders = vec![
        // Against the native sweep NPtcp uses its defaults.
        Contender {
            program: Program::NpTcp,
            load: Load::Sweep { method: if native { Sweep::Compat } else { method }, one_cpu },
        },
        Contender { program: Program::Goodput, load: Load::Sweep { method, one_cpu } },
    ];
    let against_itself = if native { AgainstItself::Successive } else { AgainstItself::First };
    // One more, so that successive runs make as many ratios.
    let rounds = rounds + u32::from(native && rounds > 1);
    Block { id: id.into(), part: BenchPart::Pingpong, contenders, against_itself, rounds }
}

fn request(rounds: u32) -> Block {
    let contender = |program, spin| Contender { program, load: Load::Request { size: REQUEST_SIZE, spin } };
    let contenders = vec![
        contender(Program::Sockperf, false),
        contender(Program::Goodput, false),
        contender(Program::Qperf, false),
        contender(Program::Goodput, true),
    ];
    Block {
        id: "request.tcp".into(),
        part: BenchPart::Request,
        contenders,
        against_itself: AgainstItself::First,
        rounds,
    }
}

fn datagram(size: u64, rounds: u32) -> Block {
    let contender = |program, calls| Contender { program, load: Load::Datagram { size, calls, rate: None } };
    let contenders = vec![
        contender(Program::Iperf3, Calls::Plain),
        contender(Program::Goodput, Calls::Plain),
        contender(Program::Raw, Calls::Offload),
        contender(Program::Goodput, Calls::Offload),
        contender(Program::Raw, Calls::Bare),
    ];
    Block {
        id: format!("datagram.{size}"),
        part: BenchPart::Datagram,
        contenders,
        against_itself: AgainstItself::First,
        rounds,
    }
}

fn datagram_against_raw(rounds: u32) -> Block {
    let load = Load::Datagram { size: FINE_DATAGRAM, calls: Calls::Offload, rate: None };
    let contenders =
        [Program::Raw, Program::Goodput].map(|program| Contender { program, load: load.clone() });
    Block {
        id: format!("datagram.raw.{FINE_DATAGRAM}"),
        part: BenchPart::Datagram,
        contenders: contenders.into(),
        against_itself: AgainstItself::First,
        rounds,
    }
}

fn paced(rounds: u32) -> Block {
    let load = Load::Datagram { size: DATAGRAM_SIZES[1], calls: Calls::Offload, rate: Some(PACED_RATE) };
    Block {
        id: "datagram.paced".into(),
        part: BenchPart::Datagram,
        contenders: vec![Contender { program: Program::Goodput, load }],
        against_itself: AgainstItself::Successive,
        rounds,
    }
}
