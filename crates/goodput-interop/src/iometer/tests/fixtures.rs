//! The content and the warnings of each fixture.

use crate::iometer::*;
use goodput_model::load::{Load, LoadWorker, RequestMix, TrafficPattern};
use goodput_model::units::{Bytes, Nanos};

pub(super) fn text(name: &str) -> String {
    let path = format!("{}/../../fixtures/iometer/{name}", env!("CARGO_MANIFEST_DIR"));
    decode_text(&std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}")))
}

fn plan(name: &str) -> (IometerPlan, Vec<LineWarning>) {
    read_icf(&text(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn quiet(name: &str) -> IometerPlan {
    let (plan, warnings) = plan(name);
    assert_eq!(warnings, [], "{name}");
    plan
}

/// A file with one warning.
fn warned(name: &str, words: &str) -> IometerPlan {
    let (plan, warnings) = plan(name);
    assert!(warnings.len() == 1 && warnings[0].text.contains(words), "{name}: {warnings:?}");
    plan
}

fn stages(plan: &IometerPlan) -> Vec<TestStage> {
    plan.build_test_stages(&StageSettings::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// 1 KiB written.
pub(in crate::iometer) const LINE: AccessSpecLine = AccessSpecLine {
    size: 1024,
    share_percent: 100,
    reads_percent: 0,
    random_percent: 0,
    delay_ms: 0,
    burst: 1,
    align: 0,
    reply: 0,
};

fn seconds(s: u64) -> Nanos {
    Nanos(s * 1_000_000_000)
}

#[test]
fn the_whole_case_in_little_space() {
    let plan = quiet("one-client.icf");
    assert_eq!(read_version(&text("one-client.icf")).unwrap().to_string(), "1.1.0");
    let spec = |name: &str, reads_percent| AccessSpec {
        name: name.into(),
        assignment: AccessSpecDefaultAssignment::None,
        lines: vec![AccessSpecLine { reads_percent, ..LINE }],
    };
    assert_eq!(plan.specs, [spec("tx 1K", 0), spec("rx 1K", 100)]);
    assert_eq!(plan.description, "transmit then receive, one client");
    assert_eq!((plan.run_time, plan.ramp_up), (seconds(10), seconds(2)));
    let managers = plan.managers.iter().map(|m| (m.id, m.name.as_str(), m.address.as_str(), m.workers.len()));
    assert_eq!(managers.collect::<Vec<_>>(), [(1, "SERVER", "10.9.0.1", 1), (2, "CLIENT01", "10.9.0.2", 0)]);
    let worker = &plan.managers[0].workers[0];
    let target = WorkerTarget { address: "10.9.0.2".into(), manager: 1 };
    assert_eq!((worker.name.as_str(), worker.target()), ("to client01", Some(&target)));
    assert_eq!(worker.specs, [Some(0), Some(1)]);
    assert_eq!((worker.outstanding, worker.fixed_seed), (1, None));
    assert_eq!((plan.test, plan.record), (TestType::Normal, RecordResultsMode::All));
    assert_eq!((plan.worker_cycling, plan.queue_end), (CycleSteps::default(), 32));
    assert_eq!(plan.queue_cycling, IometerPlan::default().queue_cycling);

    let stages = stages(&plan);
    assert_eq!(stages.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["tx 1K", "rx 1K"]);
    let expected = Load {
        clients: vec!["10.9.0.2".into()],
        mixes: vec![RequestMix { name: "tx 1K".into(), ..RequestMix::transmit_only(Bytes(1024)) }],
        workers: vec![LoadWorker { client: 0, mix: 0 }],
        time: seconds(10),
        warm_up: seconds(2),
        ..Load::default()
    };
    assert_eq!(stages[0].load, expected);
    assert_eq!((stages[0].server_host.as_str(), &stages[0].clients[..]), ("10.9.0.1", &[1][..]));
    assert_eq!(stages[1].load.traffic_pattern(), TrafficPattern::Receive);
}

#[test]
fn duplex_is_two_workers_a_client() {
    let stages = stages(&quiet("duplex.icf"));
    assert_eq!(stages.len(), 3);
    for (stage, size) in stages.iter().zip([64, 4096, 262_144]) {
        assert_eq!(stage.load.traffic_pattern(), TrafficPattern::Duplex);
        assert_eq!(stage.load.single_request_size(), Some(Bytes(size)));
        let worker = |client, mix| LoadWorker { client, mix };
        assert_eq!(stage.load.workers, [worker(0, 0), worker(0, 1), worker(1, 0), worker(1, 1)]);
        assert_eq!(stage.name, format!("transmit {size} + receive {size}"));
    }
}

#[test]
fn cycling_is_the_inner_loop() {
    let stages = stages(&quiet("cycle-workers.icf"));
    let seen: Vec<_> = stages.iter().map(|s| (s.load.workers.len(), s.name.as_str())).collect();
    let expected = |name| [1, 2, 4, 5].map(|workers| (workers, name));
    assert_eq!(seen, [expected("tx 1K"), expected("rx 1K")].concat());
    for (stage, run) in stages.iter().zip(1..) {
        assert_eq!((stage.run, stage.cycle[0].1 as usize), (run, stage.load.workers.len()));
    }
    assert_eq!(stages[1].load.clients, ["10.9.0.2", "10.9.0.3"]);
}

#[test]
fn workers_on_the_clients_are_turned_round() {
    let stages = stages(&quiet("clients-as-servers.icf"));
    let clients: Vec<&[usize]> = stages.iter().map(|s| &s.clients[..]).collect();
    assert_eq!(clients, [&[1][..], &[1, 2], &[1, 2, 3]].repeat(2));
    assert!(stages.iter().all(|s| s.server == 0));
    assert_eq!(stages[0].load.traffic_pattern(), TrafficPattern::Receive);
    let line = stages[3].load.mixes[0].lines[0];
    assert_eq!((line.reads_percent, line.reply, line.burst), (33, Bytes(128), 2));
    assert_eq!(line.delay, Nanos(10_000_000));
}

#[test]
fn connections_are_opened_anew() {
    let load = &stages(&quiet("connection-rate.icf"))[0].load;
    assert_eq!((load.transactions_per_connection, load.mixes[0].lines.len()), (Some(5), 2));
    assert_eq!(load.traffic_pattern(), TrafficPattern::Duplex);
}

#[test]
fn spellings_of_1998_and_mixed_case() {
    let plan = quiet("old-keys-1998.icf");
    assert_eq!((plan.run_time, plan.ramp_up, plan.queue_end), (seconds(90), seconds(3), 16));
    assert_eq!((plan.test, plan.record), (TestType::Normal, RecordResultsMode::All));
    assert_eq!(plan.queue_cycling.growth, StepGrowth::Exponential);
    assert_eq!(stages(&plan).len(), 2);
    let plan = quiet("mixed-case.icf");
    assert_eq!((plan.description.as_str(), plan.managers.len(), stages(&plan).len()), ("Mixed Case", 2, 2));
}

#[test]
fn specifications_without_names_get_iometers() {
    let plan = warned("six-fields-1998.icf", "0 %");
    let made = ["2 KiB random 67% reads", "512 B sequential reads", "64 KiB sequential writes", "Untitled 1"];
    assert_eq!(plan.specs.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), made);
    assert!(plan.specs.iter().all(|s| s.assignment == AccessSpecDefaultAssignment::All));
    assert_eq!((plan.specs[2].lines[0].delay_ms, plan.specs[2].lines[0].burst), (5, 4));
    assert_eq!(plan.specs[3].lines.iter().map(|l| l.share_percent).collect::<Vec<_>>(), [60, 40]);
    assert_eq!(plan.managers[0].workers[0].specs, [Some(0), Some(1), Some(2), Some(3)]);
    // Default assignments hold where a worker has none.
    let plan = warned("default-assignment.icf", "");
    assert_eq!(plan.managers[0].workers[0].specs, [Some(0), Some(2)]);
}

#[test]
fn names_that_stand_twice() {
    let plan = warned("duplicate-names.icf", "replaces");
    assert_eq!(plan.specs.len(), 2);
    assert_eq!((plan.specs[0].name.as_str(), plan.specs[0].lines[0].size), ("TX 1k", 2048));
    let targets: Vec<usize> = plan.managers[0].workers.iter().map(|w| w.target().unwrap().manager).collect();
    assert_eq!(targets, [1, 2]);
    let map = |name: &str| plan.hosts_by_manager(&[(name.to_string(), "h".to_string())]);
    assert!(map("client").unwrap_err().why.contains("several managers \"client\": CLIENT#"));
    assert_eq!(map("Client#2").unwrap(), ["10.9.0.1", "10.9.0.2", "h"]);
    let e = map("nobody").unwrap_err();
    assert_eq!(e.to_string(), "the file has no manager \"nobody\"; it has SERVER, CLIENT, CLIENT");
}

#[test]
fn blanks_and_comments_are_told_and_passed_over() {
    let (plan, warnings) = plan("blanks-and-comments.icf");
    let mut same = quiet("one-client.icf");
    same.description = "blank lines and comments".into();
    (same.run_time, same.ramp_up) = (seconds(5), seconds(1));
    assert_eq!(plan, same);
    // Covers every tolerated deviation: blank lines, remarks, indented and unknown keys, stray data.
    let text = text("blanks-and-comments.icf");
    let at = |wanted: &str| text.lines().position(|l| l == wanted).unwrap() + 1;
    let names = at("\ttx 1K") + 1;
    let expected = [1, 9, 11, 13, 19, 32, 35, at("   "), names, at("stray data")];
    assert_eq!(warnings.iter().map(|w| w.line).collect::<Vec<_>>(), expected, "{warnings:#?}");
}

#[test]
fn what_goodput_does_not_have_is_told() {
    let (plan, warnings) = plan("vi-and-seed.icf");
    let [worker] = &plan.managers[0].workers[..] else { panic!("{:?}", plan.managers) };
    assert_eq!((worker.name.as_str(), worker.target().map(|t| t.manager)), ("tcp", Some(1)));
    assert_eq!((&worker.specs[..], worker.fixed_seed), (&[Some(0), None, Some(1)][..], Some(42)));
    let told = " is of VI,fixed seed,16 outstanding,--map SERVER=10.9.0.1,no such spec,one target,is empty";
    for word in told.split(',') {
        let count = warnings.iter().filter(|w| w.text.contains(word)).count();
        assert_eq!(count, 1, "{word}: {warnings:#?}");
    }
    let runs: Vec<u32> = stages(&plan).iter().map(|s| s.run).collect();
    assert_eq!((runs, plan.all_runs().unwrap().len()), (vec![1, 3], 3));
}

#[test]
fn disks_need_a_folder() {
    let plan = quiet("disk-workers.icf");
    let e = plan.build_test_stages(&StageSettings::default()).unwrap_err();
    assert!(e.hint.contains("--network-only"), "{}", e.hint);
    let with = |disk| StageSettings { disk, ..StageSettings::default() };
    let stages = plan.build_test_stages(&with(DiskWorkerPolicy::LeaveOut)).unwrap();
    assert_eq!((stages.len(), stages[0].disk.len(), stages[0].load.workers.len()), (1, 0, 1));
    let stages = plan.build_test_stages(&with(DiskWorkerPolicy::Below("/tmp/work".into()))).unwrap();
    let depths: Vec<u32> = stages.iter().map(|s| s.disk[0].outstanding).collect();
    assert_eq!(depths, [1, 2, 4, 8, 16, 32]);
    let first = &stages[0];
    assert_eq!((first.disk[0].files, first.disk[1].files, first.load.workers.len()), (2, 1, 1));
}

#[test]
fn a_file_without_run_time_needs_one() {
    let (plan, warnings) = plan("no-test-setup.icf");
    assert!(warnings.iter().any(|w| w.text.contains("no TEST SETUP")), "{warnings:?}");
    let e = plan.build_test_stages(&StageSettings::default()).unwrap_err();
    assert!(e.why.contains("no run time"), "{e}");
    let timed = StageSettings { time: Some(seconds(7)), ..StageSettings::default() };
    assert_eq!(plan.build_test_stages(&timed).unwrap()[0].load.time, seconds(7));
}

#[test]
fn hosts_are_mapped_and_what_cannot_be_run_is_refused() {
    let mapped = |to: &str| {
        let map = vec![("client01".into(), to.into())];
        StageSettings { map, ..StageSettings::default() }
    };
    let stages = quiet("one-client.icf").build_test_stages(&mapped("lab:c1")).unwrap();
    assert_eq!(stages[0].load.clients, ["lab:c1"]);
    let mut large = quiet("connection-rate.icf");
    large.specs[0].lines[1].size = 64 << 20;
    assert!(large.build_test_stages(&StageSettings::default()).is_ok());
    large.specs[0].lines[1].size += 1;
    let plain = StageSettings::default;
    for (plan, settings, words) in [
        (quiet("one-client.icf"), mapped("10.9.0.1"), "managers SERVER and CLIENT01 are both at 10.9.0.1"),
        (quiet("two-servers.icf"), plain(), "run 1 has more than one server at once: SERVER, SERVER2"),
        (large, plain(), "line 2 of the access specification \"ask 100 get 1000\" has 67108865 bytes"),
        (quiet("disk-workers.icf"), plain(), "SERVER: Worker 1, CLIENT01: Worker 2"),
    ] {
        let e = plan.build_test_stages(&settings).unwrap_err();
        assert!(e.to_string().contains(words), "{e}");
    }
}

#[test]
fn what_is_refused_names_its_line() {
    for (name, line, words) in [
        ("bad-shares.icf", 33, "the shares of \"mix\" add up to 90 %, not to 100 %"),
        ("bad-size-33-bits.icf", 32, "size is 4294967296, outside 1 to 4294967295"),
        ("bad-fields.icf", 32, "has 8 fields here, this one has 6"),
        ("bad-letter.icf", 32, "size is \"64K\", which is not a whole number"),
        ("bad-spec-name.icf", 50, "is assigned \"mix\", and the file has no access specification"),
        ("bad-target-manager.icf", 53, "is on manager 2,CLIENT01, which the file does not have"),
        ("bad-client-is-server.icf", 53, "the client would be the server"),
        ("bad-test-type.icf", 26, "'Test Type is \"CYCLE_CLIENTS\"; known are NORMAL, CYCLE_TARGETS"),
        ("no-manager-list.icf", 38, "the file has no section MANAGER LIST"),
        ("no-specs.icf", 63, "the file has no section ACCESS SPECIFICATIONS"),
    ] {
        let e = read_icf(&text(name)).unwrap_err();
        assert!(e.line == line && e.to_string().contains(words) && !e.hint.is_empty(), "{name}: {e}");
    }
    for no_icf in ["", "hello\n", "{\"a\": 1}", "\n\n", "Version 1\n"] {
        let e = read_icf(no_icf).unwrap_err();
        assert!(e.why.ends_with("with which an .icf begins"), "{no_icf:?}: {e}");
    }
}
