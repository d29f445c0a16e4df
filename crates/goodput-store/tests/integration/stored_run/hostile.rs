//! Damaged and hostile runs.

use super::sample;
use goodput_store::{ReadError, read_run, read_run_without_series};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const CHUNK: &str = "samples/1-lab_b-intervals.chunk";

fn stored() -> (tempfile::TempDir, PathBuf) {
    let (root, mut writer) = sample::begun(&sample::trials()[..1]);
    writer.finish().unwrap();
    let folder = writer.folder().to_path_buf();
    (root, folder)
}

fn replace(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{from} is not in {text}");
    fs::write(file, text.replacen(from, to, 1)).unwrap();
}

pub fn a_reference_out_of_the_run_is_refused() {
    for bad in ["samples/../run.json", "/etc/hostname", "../x.chunk", "samples/../../x.chunk"] {
        let (_root, folder) = stored();
        replace(&folder.join("events.jsonl"), CHUNK, bad);
        for error in [read_run(&folder).unwrap_err(), read_run_without_series(&folder).unwrap_err()] {
            assert!(matches!(error, ReadError::Reference { line: 1, .. }), "{error}");
            assert!(error.to_string().contains(bad), "{error}");
        }
    }
}

pub fn a_changed_chunk_is_named() {
    let (_root, folder) = stored();
    let path = folder.join(CHUNK);
    let good = fs::read(&path).unwrap();
    let what = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        match read_run(&folder).unwrap_err() {
            ReadError::Changed { path: named, what, .. } if named == path => what,
            other => panic!("{other}"),
        }
    };
    assert_eq!(what(&good[..good.len() - 1]), "length");
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert_eq!(what(&flipped), "SHA-256");
    fs::remove_file(&path).unwrap();
    assert!(matches!(read_run(&folder).unwrap_err(), ReadError::Io { path: p, .. } if p == path));
    assert_eq!(read_run_without_series(&folder).unwrap().trials.len(), 1);
}

pub fn a_log_that_lies_about_a_chunk_is_caught() {
    for (from, to, caught) in [
        ("\"rows\":2", "\"rows\":3", "number of rows"),
        ("\"name\":\"intervals\"", "\"name\":\"round_trips\"", "name"),
    ] {
        let (_root, folder) = stored();
        replace(&folder.join("events.jsonl"), from, to);
        let e = read_run(&folder).unwrap_err();
        assert!(matches!(e, ReadError::Changed { what, .. } if what == caught), "{e}");
    }
}

#[cfg(unix)]
pub fn a_link_instead_of_a_chunk_is_refused() {
    let (root, folder) = stored();
    let elsewhere = root.path().join("elsewhere");
    fs::rename(folder.join(CHUNK), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, folder.join(CHUNK)).unwrap();
    assert!(matches!(read_run(&folder).unwrap_err(), ReadError::Io { .. }));
}

pub fn a_link_or_a_pipe_instead_of_a_file_is_refused() {
    for name in ["run.json", "events.jsonl"] {
        let (root, folder) = stored();
        let elsewhere = root.path().join("elsewhere");
        fs::rename(folder.join(name), &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, folder.join(name)).unwrap();
        assert!(matches!(read_run(&folder).unwrap_err(), ReadError::Io { .. }), "{name}");
        assert!(!goodput_store::run_files::is_run_being_written(&folder));
        fs::remove_file(folder.join(name)).unwrap();
        assert!(Command::new("mkfifo").arg(folder.join(name)).status().unwrap().success());
        assert!(matches!(read_run(&folder).unwrap_err(), ReadError::Io { .. }), "{name}");
        assert!(!goodput_store::run_files::is_run_being_written(&folder));
    }
}

pub fn one_chunk_belongs_to_one_series() {
    let (_root, folder) = stored();
    let log = folder.join("events.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let trial = text.lines().find(|line| line.contains(CHUNK)).unwrap();
    fs::write(&log, format!("{trial}\n{trial}\n")).unwrap();
    for error in [read_run(&folder).unwrap_err(), read_run_without_series(&folder).unwrap_err()] {
        assert!(matches!(error, ReadError::Reference { line: 2, .. }), "{error}");
    }
}

pub fn a_later_format_is_refused_with_a_sentence() {
    let (_root, folder) = stored();
    let error = |head: &str| {
        fs::write(folder.join("run.json"), head).unwrap();
        read_run(&folder).unwrap_err()
    };
    let e = error("{\"format\": 7, \"everything else\": \"is new\"}");
    assert!(matches!(e, ReadError::Version { theirs: 7, ours: 2, .. }));
    let words = "has run format 7, but this program reads 1 to 2: install a newer goodput";
    assert!(e.to_string().ends_with(words), "{e}");
    assert!(matches!(error("{\"format\": 0}"), ReadError::Version { theirs: 0, .. }));
    assert!(matches!(error("{\"format\": 1}"), ReadError::Head { .. }));
    fs::remove_file(folder.join("run.json")).unwrap();
    assert!(matches!(read_run(&folder).unwrap_err(), ReadError::NotARun { .. }));
}

pub fn any_log_is_answered() {
    let config = ProptestConfig { cases: 64, ..ProptestConfig::default() };
    proptest!(config, |(bytes: Vec<u8>, at: prop::sample::Index, byte: u8)| {
        let (_root, folder) = stored();
        let log = folder.join("events.jsonl");
        let mut whole = fs::read(&log).unwrap();
        let i = at.index(whole.len());
        whole[i] = byte;
        fs::write(&log, &whole).unwrap();
        let _ = read_run(&folder);
        fs::write(&log, &bytes).unwrap();
        let _ = read_run(&folder);
        fs::write(folder.join("run.json"), &bytes).unwrap();
        let _ = read_run(&folder);
    });
}
