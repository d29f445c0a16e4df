//! Several writers of one log, in turn and never concurrently.

use super::sample;
use goodput_model::{Event, Recorder, TrialId};
use goodput_store::{RunLock, RunWriter, WriteError, read_run, read_trials};
use std::fs::{self, OpenOptions};
use std::time::Duration;

const NOW: Duration = Duration::ZERO;

pub fn what_several_write_is_one_run() {
    let (steps, trials) = (sample::steps(), sample::trials());
    let (_root, mut first) = sample::begun(&trials[..1]);
    let folder = first.folder().to_path_buf();
    first.append_event(&Event::Experiment { step: steps[0].clone() }).unwrap();
    drop(first);

    let mut second = RunWriter::open_for_append(&folder, NOW).unwrap();
    assert_eq!(second.id(), sample::head().id);
    let (first_trials, end) = second.trials_from_offset(0).unwrap();
    assert_eq!(first_trials, [TrialId(1)]);
    second.record(&trials[1]).unwrap();
    assert_eq!(second.trials_from_offset(end).unwrap().0, [TrialId(2)]);
    assert_eq!(second.last_recorded_trial().unwrap(), Some(TrialId(2)));
    drop(second);

    let mut third = RunWriter::open_for_append(&folder, NOW).unwrap();
    for step in &steps[1..] {
        third.append_event(&Event::Experiment { step: step.clone() }).unwrap();
        assert_eq!(read_run(&folder).unwrap().steps.last(), Some(step));
    }
    assert_eq!(third.last_recorded_trial().unwrap(), Some(TrialId(2)), "behind the steps");
    third.finish().unwrap();
    drop(third);

    assert_eq!(read_trials(&folder, &[TrialId(2), TrialId(9)]).unwrap(), trials[1..2]);
    let run = read_run(&folder).unwrap();
    assert_eq!((run.head, run.trials, run.steps), (sample::head(), trials[..2].to_vec(), steps));
    assert!(run.finished);
    assert!(matches!(RunWriter::open_for_append(&folder, NOW), Err(WriteError::Finished { .. })));
}

pub fn two_writers_exclude_each_other() {
    let (_root, first) = sample::begun(&[]);
    let folder = first.folder().to_path_buf();
    assert!(matches!(RunWriter::open_for_append(&folder, NOW), Err(WriteError::Busy { .. })));
    let hold = RunLock::acquire(&folder, NOW).unwrap();
    assert!(matches!(RunLock::acquire(&folder, NOW), Err(WriteError::Busy { .. })));
    drop(hold);
    RunLock::acquire(&folder, NOW).unwrap();
    let waiting = std::thread::spawn({
        let folder = folder.clone();
        move || RunWriter::open_for_append(&folder, Duration::from_secs(20)).map(drop)
    });
    drop(first);
    waiting.join().unwrap().unwrap();
    RunWriter::open_for_append(&folder, NOW).unwrap();
}

/// After a crash the next events are on lines of their own.
pub fn a_torn_last_line_is_cut_off() {
    let (_root, writer) = sample::begun(&sample::trials()[..2]);
    let folder = writer.folder().to_path_buf();
    let step = sample::steps().remove(1);
    drop(writer);
    let log = folder.join("events.jsonl");
    let whole = fs::read(&log).unwrap();
    let last = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;
    for length in [last + 1, last + 200, whole.len() - 1] {
        fs::write(&log, &whole[..length]).unwrap();
        let mut again = RunWriter::open_for_append(&folder, NOW).unwrap();
        assert_eq!(again.trials_from_offset(0).unwrap().0, [TrialId(1)]);
        again.append_event(&Event::Experiment { step: step.clone() }).unwrap();
        drop(again);
        let run = read_run(&folder).unwrap();
        assert_eq!((run.trials.len(), run.steps.as_slice()), (1, std::slice::from_ref(&step)));
    }
    // Some file systems leave zeros after the last line.
    let length = fs::metadata(&log).unwrap().len();
    OpenOptions::new().write(true).open(&log).unwrap().set_len(length + 4096).unwrap();
    drop(RunWriter::open_for_append(&folder, NOW).unwrap());
    assert_eq!(fs::metadata(&log).unwrap().len(), length);
}

/// Lines longer than a block, and a partial one as long.
pub fn long_lines_are_cut_off_as_well() {
    let mut trial = sample::trials().remove(0);
    trial.ends[0].notes = vec!["x".repeat(200_000)];
    let (_root, writer) = sample::begun(std::slice::from_ref(&trial));
    let folder = writer.folder().to_path_buf();
    assert_eq!(writer.last_recorded_trial().unwrap(), Some(trial.id));
    drop(writer);
    let log = folder.join("events.jsonl");
    let whole = fs::read(&log).unwrap();
    for (left, last, kept) in [
        ([&whole[..], &whole[..whole.len() - 1]].concat(), Some(trial.id), &whole[..]),
        (whole[..whole.len() - 1].to_vec(), None, b""),
    ] {
        fs::write(&log, left).unwrap();
        assert_eq!(RunWriter::open_for_append(&folder, NOW).unwrap().last_recorded_trial().unwrap(), last);
        assert_eq!(fs::read(&log).unwrap(), kept);
    }
}

pub fn nothing_is_added_to_a_run_of_another_format() {
    let (root, writer) = sample::begun(&[]);
    let folder = writer.folder().to_path_buf();
    drop(writer);
    let head = folder.join("run.json");
    let text = fs::read_to_string(&head).unwrap();
    for format in ["1", "999"] {
        let ours = format!("\"format\": {}", goodput_store::format::RUN_FORMAT_VERSION);
        fs::write(&head, text.replace(&ours, &format!("\"format\": {format}"))).unwrap();
        assert!(RunWriter::open_for_append(&folder, NOW).is_err(), "format {format}");
    }
    assert!(RunWriter::open_for_append(root.path(), NOW).is_err());
}
