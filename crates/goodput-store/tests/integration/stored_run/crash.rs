//! Crashes: acknowledged data survives.

use super::sample;
use goodput_model::Recorder;
use goodput_store::{ReadError, read_run};
use std::fs::{self, OpenOptions};

pub fn a_torn_last_line_takes_nothing_with_it() {
    let trials = sample::trials();
    let (_root, writer) = sample::begun(&trials);
    let log = writer.folder().join("events.jsonl");
    let whole = fs::read(&log).unwrap();
    let last = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;

    for length in (last..whole.len()).rev() {
        OpenOptions::new().write(true).open(&log).unwrap().set_len(length as u64).unwrap();
        let run = read_run(writer.folder()).unwrap();
        assert_eq!(run.trials, trials[..2], "cut at byte {length}");
        assert!(!run.finished);
    }
}

/// Some file systems extend a file before its contents: the tail is zeros then.
pub fn a_tail_of_zeros_takes_nothing_with_it() {
    let (_root, writer) = sample::begun(&sample::trials()[..1]);
    let log = writer.folder().join("events.jsonl");
    let length = fs::metadata(&log).unwrap().len();
    OpenOptions::new().write(true).open(&log).unwrap().set_len(length + 4096).unwrap();
    assert_eq!(read_run(writer.folder()).unwrap().trials.len(), 1);
}

/// A complete line that is no event is reported, not skipped.
pub fn a_damaged_line_in_the_middle_is_named() {
    let (_root, writer) = sample::begun(&sample::trials());
    let log = writer.folder().join("events.jsonl");
    let mut bytes = fs::read(&log).unwrap();
    bytes[3] = 0xff;
    fs::write(&log, bytes).unwrap();
    let e = read_run(writer.folder()).unwrap_err();
    assert!(matches!(e, ReadError::Event { line: 1, .. }), "{e}");
}

/// Chunks without a line (a crash between the two) are ignored.
pub fn chunks_that_no_line_names_are_ignored() {
    let (_root, mut writer) = sample::begun(&[]);
    fs::write(writer.folder().join("samples/2-localhost-round_trips.chunk"), b"half").unwrap();
    writer.record(&sample::trials()[1]).unwrap();
    assert_eq!(read_run(writer.folder()).unwrap().trials, sample::trials()[1..2]);
}
