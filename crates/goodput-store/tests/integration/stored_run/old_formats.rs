//! Every released format stays readable: a run of each is in `fixtures/runs/`.

use super::sample;
use goodput_model::{Event, Recorder, Run};
use goodput_store::{RunWriter, format, list_runs, read_run};
use goodput_testkit::repository_path;
use serde_json::Value;
use std::fs;

/// Every old value is unchanged; later fields may be added.
fn same(old: &Value, new: &Value, place: &str) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                let place = format!("{place}.{key}");
                same(value, new.get(key).unwrap_or_else(|| panic!("{place} is gone")), &place);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            old.iter().zip(new).enumerate().for_each(|(i, (o, n))| same(o, n, &format!("{place}[{i}]")));
        }
        _ => assert_eq!(old, new, "{place}"),
    }
}

/// The fixture of a version, compared with its values at creation.
fn as_it_was(version: u32) -> Run {
    let root = repository_path("fixtures/runs").join(format!("v{version}"));
    let listing = list_runs(&root).unwrap();
    assert!(listing.unreadable.is_empty(), "{:?}", listing.unreadable);
    assert_eq!(listing.runs.len(), 1);
    let run = read_run(&listing.runs[0].folder).unwrap();
    let expected: Value = serde_json::from_slice(&fs::read(root.join("expected.json")).unwrap()).unwrap();
    same(&expected, &serde_json::to_value(&run).unwrap(), "run");
    assert_eq!(run.head.format, version);
    run
}

pub fn each_version_is_read_as_it_was() {
    let (first, second) = (as_it_was(1), as_it_was(2));
    assert!(first.steps.is_empty() && first.finished);
    assert_eq!(first.trials, second.trials);
}

/// Writes the fixture of the current version: `cargo test -p goodput-store --test integration -- --ignored
/// write_the_fixture`.
pub fn write_the_fixture() {
    let (head, trials, steps) = (sample::head(), sample::trials(), sample::steps());
    let root = repository_path("fixtures/runs").join(format!("v{}", format::RUN_FORMAT_VERSION));
    let _ = fs::remove_dir_all(&root);
    let mut writer = RunWriter::create(&root, head).unwrap();
    for trial in trials {
        let probe = trial.probe.clone();
        writer.append_event(&Event::TrialStarted { trial: trial.id, probe }).unwrap();
        writer.record(&trial).unwrap();
    }
    steps.into_iter().for_each(|step| writer.append_event(&Event::Experiment { step }).unwrap());
    writer.finish().unwrap();
    let run = read_run(writer.folder()).unwrap();
    let text = serde_json::to_string_pretty(&run).unwrap();
    fs::write(root.join("expected.json"), text + "\n").unwrap();
}
