//! A written run reads back unchanged.

use super::sample;
use goodput_model::series::{Series, SeriesColumn};
use goodput_model::{Event, Recorder, TrialId};
use goodput_store::{RunWriter, WriteError, find_run, list_runs, read_run, read_run_without_series};
use std::fs;

pub fn a_run_comes_back_as_it_was() {
    let (_root, mut writer) = sample::begun(&[]);
    for trial in sample::trials() {
        let probe = trial.probe.clone();
        writer.append_event(&Event::TrialStarted { trial: trial.id, probe }).unwrap();
        writer.record(&trial).unwrap();
        // "Recorded" means readable from now on.
        assert_eq!(read_run(writer.folder()).unwrap().trials.last(), Some(&trial));
    }
    assert!(!read_run(writer.folder()).unwrap().finished);
    writer.finish().unwrap();
    writer.finish().unwrap();

    let run = read_run(writer.folder()).unwrap();
    assert_eq!((run.head, run.trials, run.finished), (sample::head(), sample::trials(), true));
    assert!(writer.record(&sample::trials()[0]).is_err());
    // The token of data connections is never stored.
    for file in ["run.json", "events.jsonl"] {
        let text = fs::read_to_string(writer.folder().join(file)).unwrap();
        for word in ["token", "secret", "lab_key"] {
            assert!(!text.contains(word), "{file} contains {word}");
        }
    }
}

pub fn lists_open_no_samples() {
    let (root, writer) = sample::begun(&sample::trials()[..1]);
    fs::remove_dir_all(writer.folder().join("samples")).unwrap();
    let listing = list_runs(root.path()).unwrap();
    let [listed] = &listing.runs[..] else { panic!("{} runs", listing.runs.len()) };
    let end = &listed.run.trials[0].ends[1];
    assert!(end.series.is_empty() && end.flows == sample::trials()[0].ends[1].flows, "{end:?}");
    assert_eq!(find_run(root.path(), "last").unwrap(), listed.folder);
    assert_eq!(read_run_without_series(&listed.folder).unwrap(), listed.run);
}

pub fn glimpses_are_not_kept() {
    let (_root, mut writer) = sample::begun(&[]);
    let live = goodput_model::event::LiveProgress {
        trial: TrialId(1),
        done: None,
        elapsed_ns: None,
        bytes: 0,
        operations: 0,
        busy_percent: None,
    };
    writer.append_event(&Event::Live(live)).unwrap();
    writer.append_event(&Event::RunFinished).unwrap();
    assert_eq!(fs::read(writer.folder().join("events.jsonl")).unwrap(), b"");
}

pub fn hosts_with_odd_names_keep_apart() {
    let mut trial = sample::trials().remove(1);
    trial.ends[0].host = "../b".into();
    trial.ends[1].host = "..\nb".into();
    let (_root, writer) = sample::begun(std::slice::from_ref(&trial));
    assert_eq!(read_run(writer.folder()).unwrap().trials, [trial]);
    let files = fs::read_dir(writer.folder().join("samples")).unwrap();
    let mut names: Vec<_> = files.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["2-.._b-round_trips-2.chunk", "2-.._b-round_trips.chunk"]);
}

pub fn what_would_not_read_back_is_refused_at_once() {
    let (_root, mut writer) = sample::begun(&[]);
    let mut trial = sample::trials().remove(2);
    if let goodput_model::Probe::Request(request) = &mut trial.probe {
        request.rate = Some(f64::INFINITY);
    }
    assert!(writer.record(&trial).unwrap_err().cause.contains("read back"));

    let mut ragged = sample::trials().remove(0);
    let columns = [("a", vec![1]), ("b", vec![])];
    let columns = columns.map(|(n, values)| SeriesColumn { name: n.into(), values }).into();
    ragged.ends[0].series = vec![Series { name: "s".into(), columns }];
    let e = writer.record(&ragged).unwrap_err();
    assert!(e.cause.contains("series \"s\" of host \"lab:a\"") && e.cause.contains("column \"b\""), "{e}");

    // Neither is in the log, which continues.
    writer.record(&sample::trials()[0]).unwrap();
    assert_eq!(read_run(writer.folder()).unwrap().trials.len(), 1);
}

pub fn a_run_is_written_once() {
    let (root, writer) = sample::begun(&[]);
    drop(writer);
    assert!(matches!(RunWriter::create(root.path(), sample::head()), Err(WriteError::Io { .. })));
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "a failed attempt leaves nothing");
    assert_eq!(read_run(&root.path().join(sample::RUN)).unwrap().trials, []);
}
