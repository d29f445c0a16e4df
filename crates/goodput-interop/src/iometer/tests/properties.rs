//! Properties of every text and every plan.

use super::fixtures::text;
use super::generate::plan;
use crate::iometer::*;
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::units::{Bytes, Nanos};
use proptest::collection::vec;
use proptest::prelude::*;

fn files() -> Vec<String> {
    let names = "one-client duplex cycle-workers six-fields-1998 old-keys-1998 blanks-and-comments \
                 vi-and-seed disk-workers connection-rate";
    names.split(' ').map(|name| format!("{name}.icf")).collect()
}

fn digest(bytes: &[u8]) {
    let text = decode_text(bytes);
    let lines = text.lines().count().max(1);
    match read_icf(&text) {
        Err(e) => assert!((1..=lines).contains(&e.line) && !e.to_string().is_empty(), "{e}"),
        Ok((plan, warnings)) => {
            assert!(warnings.iter().all(|w| (1..=lines).contains(&w.line)), "{warnings:?}");
            let _ = plan.all_runs();
            let below = DiskWorkerPolicy::Below("/nowhere".into());
            for disk in [DiskWorkerPolicy::Refuse, DiskWorkerPolicy::LeaveOut, below] {
                let settings = StageSettings { disk, time: Some(Nanos(1)), ..StageSettings::default() };
                plan.build_test_stages(&settings).unwrap_or_default().iter().for_each(sound);
            }
            if let Ok(written) = write_icf(&plan) {
                assert_eq!(read_icf(&written).unwrap().0, plan);
            }
        }
    }
}

fn sound(stage: &TestStage) {
    let load = &stage.load;
    for worker in &load.workers {
        let (client, mix) = (usize::from(worker.client), usize::from(worker.mix));
        assert!(client < load.clients.len() && mix < load.mixes.len());
    }
    for mix in &load.mixes {
        let sum: u32 = mix.lines.iter().map(|l| u32::from(l.share_percent)).sum();
        assert_eq!(sum, 100);
        assert!(mix.lines.iter().all(|l| l.size.0 > 0 && l.burst > 0 && l.reads_percent <= 100));
    }
}

#[derive(Debug, Clone)]
enum Change {
    /// So many bytes.
    Replace(usize, Vec<u8>),
    Twice(usize),
    DropLine,
}

fn change() -> impl Strategy<Value = (usize, Change)> {
    let pieces = "'|\n|\n\n|\t|,|-1|0|99999999999999999999|'End worker\n|Version 1.1.0\n|'MANAGER LIST\n|\
                  'ACCESS SPECIFICATIONS\n|'Worker\n|CYCLE_WORKERS\n|\u{feff}|é|\0";
    let pieces = proptest::sample::select(pieces.split('|').collect::<Vec<_>>());
    let what = prop_oneof![
        any::<u8>().prop_map(|byte| Change::Replace(1, vec![byte])),
        (1usize..60).prop_map(|length| Change::Replace(length, Vec::new())),
        pieces.prop_map(|piece| Change::Replace(0, piece.into())),
        (1usize..200).prop_map(Change::Twice),
        Just(Change::DropLine),
    ];
    (0usize..1000, what)
}

fn apply(bytes: &mut Vec<u8>, at: usize, change: Change) {
    let at = at * bytes.len() / 1000;
    let end = |length: usize| (at + length).min(bytes.len());
    let (old, new) = match change {
        Change::Replace(length, new) => (at..end(length), new),
        Change::Twice(length) => (at..at, bytes[at..end(length)].to_vec()),
        Change::DropLine => {
            let line = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| n + 1);
            (at..end(line), Vec::new())
        }
    };
    bytes.splice(old, new);
}

/// All mixes for each client.
pub(super) fn point(clients: u16, mixes: Vec<RequestMix>) -> Load {
    let of = |client| (0..mixes.len() as u16).map(move |mix| LoadWorker { client, mix });
    Load {
        clients: (0..clients).map(|c| format!("10.9.0.{}", c + 2)).collect(),
        workers: (0..clients).flat_map(of).collect(),
        mixes,
        ..Load::default()
    }
}

fn loads() -> impl Strategy<Value = (usize, Vec<Load>)> {
    let size_way_clients = (0u32..19, 0usize..3, 1u16..5);
    (vec(size_way_clients, 1..8), 1u64..100, 0u64..10, proptest::option::of(0u32..9)).prop_map(
        |(points, time, warm_up, transactions_per_connection)| {
            let load = |&(power, way, clients): &(u32, usize, u16)| {
                let size = Bytes(1 << power);
                let both = vec![RequestMix::transmit_only(size), RequestMix::receive_only(size)];
                let mixes = [&both[..1], &both[1..], &both[..]][way].to_vec();
                let (time, warm_up) = (Nanos(time * 1_000_000_000), Nanos(warm_up * 1_000_000_000));
                Load { transactions_per_connection, time, warm_up, ..point(clients, mixes) }
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
        file in proptest::sample::select(files()),
        changes in vec(change(), 1..6),
    ) {
        let mut bytes = text(&file).into_bytes();
        for (at, change) in changes {
            apply(&mut bytes, at, change);
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
        let clients: Vec<IometerHost> = (0..clients).map(|c| host(&format!("10.9.0.{}", c + 2))).collect();
        let plan = IometerPlan::from_load_points("points", &host("10.9.0.1"), &clients, &loads)
            .map_err(|e| TestCaseError::fail(e.to_string()))?;
        let text = write_icf(&plan).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let (back, warnings) = read_icf(&text).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(&back, &plan);
        prop_assert!(warnings.is_empty(), "{:?}", warnings);
        let stages = back.build_test_stages(&StageSettings::default()).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let again: Vec<Load> = stages.into_iter().map(|s| s.load).collect();
        prop_assert_eq!(again, loads);
    }
}

#[test]
fn every_prefix_of_a_file_is_read_or_refused() {
    for file in files() {
        let bytes = text(&file).into_bytes();
        for end in 0..bytes.len() {
            digest(&bytes[..end]);
        }
    }
}
