//! Properties of every text and every plan.

use super::fixtures::text;
use super::generate::plan;
use crate::iometer::*;
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::units::{Bytes, Nanos};
use proptest::collection::vec;
use proptest::prelude::*;

const FILES: [&str; 9] = [
    "one-client.icf",
    "duplex.icf",
    "cycle-workers.icf",
    "six-fields-1998.icf",
    "old-keys-1998.icf",
    "blanks-and-comments.icf",
    "vi-and-seed.icf",
    "disk-workers.icf",
    "connection-rate.icf",
];

fn digest(bytes: &[u8]) {
    let text = decode_text(bytes);
    let lines = text.lines().count().max(1);
    match read_icf(&text) {
        Err(e) => assert!((1..=lines).contains(&e.line) && !e.to_string().is_empty(), "{e}"),
        Ok((plan, warnings)) => {
            assert!(warnings.iter().all(|w| (1..=lines).contains(&w.line)), "{warnings:?}");
            let _ = plan.all_runs();
            for disk in [
                DiskWorkerPolicy::Refuse,
                DiskWorkerPolicy::LeaveOut,
                DiskWorkerPolicy::Below("/nowhere".into()),
            ] {
                let settings = StageSettings { disk, time: Some(Nanos(1)), ..StageSettings::default() };
                if let Ok(stages) = plan.plan_stages(&settings) {
                    for stage in stages {
                        sound(&stage);
                    }
                }
            }
            if let Ok(written) = write_icf(&plan) {
                assert_eq!(read_icf(&written).unwrap().0, plan);
            }
        }
    }
}

fn sound(stage: &TestStage) {
    let load = &stage.load;
    assert_eq!(load.workers.len(), stage.workers.len());
    for worker in &load.workers {
        assert!(
            usize::from(worker.client) < load.clients.len() && usize::from(worker.mix) < load.mixes.len()
        );
    }
    for mix in &load.mixes {
        let sum: u32 = mix.lines.iter().map(|l| u32::from(l.share_percent)).sum();
        assert_eq!(sum, 100);
        assert!(mix.lines.iter().all(|l| l.size.0 > 0 && l.burst > 0 && l.reads_percent <= 100));
    }
}

#[derive(Debug, Clone)]
enum Change {
    Byte(u8),
    Cut(usize),
    Twice(usize),
    DropLine,
    Insert(&'static str),
}

fn change() -> impl Strategy<Value = (usize, Change)> {
    let pieces = [
        "'",
        "\n",
        "\n\n",
        "\t",
        ",",
        "-1",
        "0",
        "99999999999999999999",
        "'End worker\n",
        "Version 1.1.0\n",
        "'MANAGER LIST\n",
        "'ACCESS SPECIFICATIONS\n",
        "'Worker\n",
        "CYCLE_WORKERS\n",
        "\u{feff}",
        "é",
        "\0",
    ];
    let what = prop_oneof![
        any::<u8>().prop_map(Change::Byte),
        (1usize..60).prop_map(Change::Cut),
        (1usize..200).prop_map(Change::Twice),
        Just(Change::DropLine),
        proptest::sample::select(pieces.to_vec()).prop_map(Change::Insert),
    ];
    (0usize..1000, what)
}

fn apply(bytes: &mut Vec<u8>, at: usize, change: &Change) {
    let at = at * bytes.len() / 1000;
    let end = |length: usize| (at + length).min(bytes.len());
    match change {
        Change::Byte(b) => bytes.iter_mut().skip(at).take(1).for_each(|old| *old = *b),
        Change::Cut(n) => {
            bytes.drain(at..end(*n));
        }
        Change::Twice(n) => {
            let piece = bytes[at..end(*n)].to_vec();
            bytes.splice(at..at, piece);
        }
        Change::DropLine => {
            let rest = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n + 1);
            bytes.drain(at..rest);
        }
        Change::Insert(text) => {
            bytes.splice(at..at, text.bytes());
        }
    }
}

fn loads() -> impl Strategy<Value = (usize, Vec<Load>)> {
    let point = (0u32..19, 0usize..3, 1u16..5);
    (vec(point, 1..8), 1u64..100, 0u64..10, proptest::option::of(0u32..9)).prop_map(
        |(points, time, warm_up, transactions_per_connection)| {
            let load = |&(power, way, clients): &(u32, usize, u16)| {
                let size = Bytes(1 << power);
                let both = vec![RequestMix::transmit_only(size), RequestMix::receive_only(size)];
                let mixes =
                    [vec![RequestMix::transmit_only(size)], vec![RequestMix::receive_only(size)], both][way]
                        .clone();
                let of = |client| (0..mixes.len() as u16).map(move |mix| LoadWorker { client, mix });
                Load {
                    clients: (0..clients).map(|c| format!("10.0.0.{}", c + 2)).collect(),
                    workers: (0..clients).flat_map(of).collect(),
                    mixes,
                    transactions_per_connection,
                    time: Nanos(time * 1_000_000_000),
                    warm_up: Nanos(warm_up * 1_000_000_000),
                    ..Load::default()
                }
            };
            (4, points.iter().map(load).collect())
        },
    )
}

pub(super) fn host(address: &str) -> IometerHost {
    IometerHost { host: address.into(), name: address.into(), address: address.into() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..400), version in any::<bool>()) {
        let mut text = if version { b"Version 1.1.0\n".to_vec() } else { Vec::new() };
        text.extend(bytes);
        digest(&text);
    }

    #[test]
    fn a_damaged_file_is_read_or_refused(
        file in proptest::sample::select(FILES.to_vec()),
        changes in vec(change(), 1..6),
    ) {
        let mut bytes = text(file).into_bytes();
        for (at, change) in &changes {
            apply(&mut bytes, *at, change);
        }
        digest(&bytes);
    }

    #[test]
    fn what_is_written_is_read_the_same(plan in plan()) {
        let text = write_icf(&plan).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let (back, _) = read_icf(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(back, plan);
    }

    #[test]
    fn points_come_back((clients, loads) in loads()) {
        let clients: Vec<IometerHost> = (0..clients).map(|c| host(&format!("10.0.0.{}", c + 2))).collect();
        let plan = IometerPlan::from_loads("points", &host("10.0.0.1"), &clients, &loads)
            .map_err(|e| TestCaseError::fail(e.to_string()))?;
        let text = write_icf(&plan).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let (back, warnings) = read_icf(&text).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(&back, &plan);
        prop_assert!(warnings.is_empty(), "{:?}", warnings);
        let stages = back.plan_stages(&StageSettings::default()).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let again: Vec<Load> = stages.into_iter().map(|s| s.load).collect();
        prop_assert_eq!(again, loads);
    }
}

#[test]
fn every_prefix_of_a_file_is_read_or_refused() {
    for file in FILES {
        let bytes = text(file).into_bytes();
        for end in 0..bytes.len() {
            digest(&bytes[..end]);
        }
    }
}
