//! Arbitrary settings of every probe, and arbitrary file reports.

use super::*;

pub(super) fn probe(c: &mut Chance) -> Probe {
    match c.below(7) {
        0 => Probe::Stream(Stream {
            direction: direction(c),
            connections: c.below(3) as u16,
            message: Bytes(c.number()),
            stop: stop(c),
            ..Stream::default()
        }),
        1 => Probe::Datagram(Datagram {
            direction: direction(c),
            flows: c.below(3) as u16,
            size: Bytes(c.number()),
            stop: stop(c),
            rate: c.maybe(|c| DatagramRate::Datagrams(c.finite())),
            ..Datagram::default()
        }),
        2 => {
            let method = c.one_of(&[PingPongMethod::default(), PingPongMethod::netpipe_compatible()]);
            let patterns = [PingPongPattern::PingPong, PingPongPattern::Streaming, PingPongPattern::TwoWay];
            sample::pingpong(method, c.one_of(&patterns), vec![]).probe
        }
        3 => Probe::Latency(Latency {
            load: c.maybe(direction),
            connections: c.below(3) as u16,
            time: Nanos(c.number()),
            ..Latency::default()
        }),
        4 => load(c),
        5 => file(c),
        _ => Probe::Request(Request::default()),
    }
}

fn stop(c: &mut Chance) -> StopCondition {
    let n = c.number();
    c.one_of(&[StopCondition::Time(Nanos(n)), StopCondition::Bytes(Bytes(n)), StopCondition::Count(n)])
}

fn load(c: &mut Chance) -> Probe {
    let line = |c: &mut Chance| {
        let ([size, reply], delay, burst) = (c.numbers().map(Bytes), Nanos(c.number()), c.any());
        let [share_percent, reads_percent] = [c.any() as u8, c.any() as u8];
        RequestMixLine { size, share_percent, reads_percent, delay, burst, reply }
    };
    let mix = |c: &mut Chance| {
        let (lines, both_ways) = (c.fewer_than(3, line), c.heads());
        RequestMix { name: "mix".to_string(), lines, both_ways }
    };
    Probe::Load(Load {
        clients: ["a", "x", ""].map(String::from).to_vec(),
        mixes: c.fewer_than(3, mix),
        workers: c.fewer_than(4, |c| LoadWorker { client: c.below(4) as u16, mix: c.below(4) as u16 }),
        transactions_per_connection: c.maybe(Chance::any),
        seed: c.number(),
        ..Load::default()
    })
}

fn file(c: &mut Chance) -> Probe {
    let (size, time) = (Bytes(c.number()), Nanos(c.number()));
    let way = c.one_of(&[FileDirection::Write, FileDirection::Read]);
    let work = match c.below(5) {
        0 => {
            let (depth, local) = (c.any() as u16, c.maybe(|_| "/home".to_string()));
            FileWorkload::Copy { way, size, block: size, depth, local }
        }
        1 => {
            let (name, pattern, queue) = ("row".to_string(), FileAccessPattern::Random, c.below(3) as u16);
            FileWorkload::Row { name, way, pattern, block: size, queue, threads: 1, size, time }
        }
        2 => {
            let (load, players) = (FileOperationMixSource::Office { seed: 1 }, c.any() as u16);
            FileWorkload::Mix { load, players, warm_up: time, time, max_errors: 0, rate: None }
        }
        3 => FileWorkload::Prepare { file: None },
        _ => FileWorkload::Remove,
    };
    let [host, export] = ["x", "/x"].map(String::from);
    let place = c.one_of(&[
        FileLocation::Folder { path: "/home".to_string() },
        FileLocation::Sink { sink: SinkStorageKind::Null },
        FileLocation::Sink { sink: SinkStorageKind::Net },
        FileLocation::Nfs { host, port: None, mount_port: None, export, path: String::new() },
    ]);
    let access = c.one_of(&[CacheMode::Cached, CacheMode::Direct]);
    let clients = ["a", "x"].map(String::from).to_vec();
    Probe::File(File { clients, access, ..super::super::file::settings(place, work) })
}

pub(super) fn file_report(c: &mut Chance) -> FileReport {
    let disk = |c: &mut Chance| {
        let ([read, written], [busy, weighted]) = (c.numbers().map(Bytes), c.numbers().map(Nanos));
        DiskCounters { device: "8:0".to_string(), read, written, busy, weighted }
    };
    let class = |c: &mut Chance| {
        let [count, failed_as_expected, unexpected, bytes] = c.numbers();
        FileOpClassCounts { class: FileOpClass::Read, count, failed_as_expected, unexpected, bytes }
    };
    let percent = |c: &mut Chance| c.below(100) as f64;
    let (resident_percent, server_resident_percent) = (c.maybe(percent), c.maybe(percent));
    let file_system = c.maybe(|c| c.one_of(&["tmpfs", "cifs", "btrfs"]).to_string());
    let [accepted_ns, durable_ns, local_wait_ns, place_wait_ns] = c.known();
    let times = FileReport { accepted_ns, durable_ns, local_wait_ns, place_wait_ns, ..FileReport::default() };
    let [bytes_read, bytes_written, stamping_ns] = c.numbers();
    FileReport {
        facts: FileLocationFacts { file_system, direct: Some(false), ..FileLocationFacts::default() },
        bytes_read,
        bytes_written,
        local_disk: c.maybe(disk),
        place_disk: c.maybe(disk),
        classes: c.fewer_than(3, class),
        surprises: vec!["surprise".to_string()],
        cache: CacheResidency { resident_percent, server_resident_percent, how: String::new() },
        verified: c.maybe(|c| VerificationCounts { bytes: c.number(), wrong: c.number() }),
        stamping_ns,
        ..times
    }
}
