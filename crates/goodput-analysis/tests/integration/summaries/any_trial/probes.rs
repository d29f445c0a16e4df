//! Arbitrary settings of every probe, and arbitrary file reports.

use super::*;

pub(super) fn probe() -> impl Strategy<Value = Probe> {
    let stop = prop_oneof![
        number().prop_map(|n| StopCondition::Time(Nanos(n))),
        number().prop_map(|n| StopCondition::Bytes(Bytes(n))),
        number().prop_map(StopCondition::Count)
    ];
    let datagram = (direction(), any::<u16>(), number(), stop.clone(), option::of(any::<f64>())).prop_map(
        |(direction, flows, size, stop, rate)| {
            Probe::Datagram(Datagram {
                direction,
                flows: flows % 3,
                size: Bytes(size),
                stop,
                rate: rate.map(DatagramRate::Datagrams),
                ..Datagram::default()
            })
        },
    );
    let stream =
        (direction(), any::<u16>(), number(), stop).prop_map(|(direction, connections, message, stop)| {
            Probe::Stream(Stream {
                direction,
                connections: connections % 3,
                message: Bytes(message),
                stop,
                ..Stream::default()
            })
        });
    let pattern = prop::sample::select(vec![
        PingPongPattern::PingPong,
        PingPongPattern::Streaming,
        PingPongPattern::TwoWay,
    ]);
    let method = prop::sample::select(vec![PingPongMethod::default(), PingPongMethod::netpipe()]);
    let pingpong =
        (method, pattern).prop_map(|(method, pattern)| sample::pingpong(method, pattern, vec![]).probe);
    let latency = (option::of(direction()), any::<u16>(), number()).prop_map(|(load, connections, time)| {
        Probe::Latency(Latency {
            load,
            connections: connections % 3,
            time: Nanos(time),
            ..Latency::default()
        })
    });
    prop_oneof![stream, datagram, pingpong, latency, load(), file(), Just(Probe::Request(Request::default()))]
}

fn load() -> impl Strategy<Value = Probe> {
    let line = ([number(), number(), number()], any::<u8>(), any::<u8>(), any::<u32>()).prop_map(
        |([size, delay, reply], share_percent, reads_percent, burst)| RequestMixLine {
            size: Bytes(size),
            share_percent,
            reads_percent,
            delay: Nanos(delay),
            burst,
            reply: Bytes(reply),
        },
    );
    let mix = (vec(line, 0..3), any::<bool>()).prop_map(|(lines, both_ways)| RequestMix {
        name: "mix".to_string(),
        lines,
        both_ways,
    });
    let worker = (0u16..4, 0u16..4).prop_map(|(client, mix)| LoadWorker { client, mix });
    let settings = (vec(mix, 0..3), vec(worker, 0..4), option::of(any::<u32>()), any::<u64>());
    settings.prop_map(|(mixes, workers, transactions_per_connection, seed)| {
        Probe::Load(Load {
            clients: ["a", "x", ""].map(String::from).to_vec(),
            mixes,
            workers,
            transactions_per_connection,
            seed,
            ..Load::default()
        })
    })
}

fn file() -> impl Strategy<Value = Probe> {
    let way = || prop::sample::select(vec![FileDirection::Write, FileDirection::Read]);
    let local = prop::sample::select(vec![None, Some("/home".to_string())]);
    let copy = (way(), number(), any::<u16>(), local).prop_map(|(way, size, depth, local)| FileWork::Copy {
        way,
        size: Bytes(size),
        block: Bytes(size),
        depth,
        local,
    });
    let row = (way(), number(), any::<u16>(), number()).prop_map(|(way, block, queue, time)| FileWork::Row {
        name: "row".to_string(),
        way,
        pattern: FileAccessPattern::Random,
        block: Bytes(block),
        queue: queue % 3,
        threads: 1,
        size: Bytes(block),
        time: Nanos(time),
    });
    let mix = (any::<u16>(), number()).prop_map(|(players, time)| FileWork::Mix {
        load: FileMixSource::Office { seed: 1 },
        players,
        warm_up: Nanos(time),
        time: Nanos(time),
        max_errors: 0,
        rate: None,
    });
    let work = prop_oneof![copy, row, mix, Just(FileWork::Prepare { file: None }), Just(FileWork::Remove)];
    let place = prop::sample::select(vec![
        FileLocation::Folder { path: "/home".to_string() },
        FileLocation::Sink { sink: AgentSink::Null },
        FileLocation::Sink { sink: AgentSink::Net },
        FileLocation::Nfs {
            host: "x".to_string(),
            port: None,
            mount_port: None,
            export: "/x".to_string(),
            path: String::new(),
        },
    ]);
    (work, place, any::<bool>()).prop_map(|(work, place, cached)| {
        Probe::File(File {
            clients: ["a", "x"].map(String::from).to_vec(),
            place,
            workspace: ".goodput-x".to_string(),
            work,
            access: if cached { CacheMode::Cached } else { CacheMode::Direct },
            flush: FlushMode::End,
            verify: VerifyMode::Sample,
            seed: 1,
            interval: Nanos(1),
            server_folder: None,
        })
    })
}

pub(super) fn file_report() -> impl Strategy<Value = FileReport> {
    let disk = || {
        [number(), number(), number(), number()].prop_map(|[read, written, busy, weighted]| DiskCounters {
            device: "8:0".to_string(),
            read: Bytes(read),
            written: Bytes(written),
            busy: Nanos(busy),
            weighted: Nanos(weighted),
        })
    };
    let class = [number(), number(), number(), number()].prop_map(
        |[count, failed_as_expected, unexpected, bytes]| FileOpClassCounts {
            class: FileOpClass::Read,
            count,
            failed_as_expected,
            unexpected,
            bytes,
        },
    );
    let known = || option::of(number());
    let facts = prop::sample::select(vec![None, Some("tmpfs"), Some("cifs"), Some("btrfs")]);
    (
        [number(), number(), number()],
        [known(), known(), known(), known()],
        (option::of(disk()), option::of(disk())),
        vec(class, 0..3),
        option::of((number(), number())),
        (option::of(0.0f64..100.0), option::of(0.0f64..100.0), facts),
    )
        .prop_map(
            |(
                [bytes_read, bytes_written, stamping_ns],
                [accepted_ns, durable_ns, local_wait_ns, place_wait_ns],
                (local_disk, place_disk),
                classes,
                verified,
                (resident_percent, server_resident_percent, file_system),
            )| FileReport {
                facts: FileLocationFacts {
                    file_system: file_system.map(String::from),
                    direct: Some(false),
                    ..FileLocationFacts::default()
                },
                bytes_read,
                bytes_written,
                accepted_ns,
                durable_ns,
                local_wait_ns,
                place_wait_ns,
                local_disk,
                place_disk,
                classes,
                surprises: vec!["surprise".to_string()],
                requests_per_operation: None,
                cache: CacheResidency { resident_percent, server_resident_percent, how: String::new() },
                verified: verified.map(|(bytes, wrong)| VerificationCounts { bytes, wrong }),
                stamping_ns,
            },
        )
}
