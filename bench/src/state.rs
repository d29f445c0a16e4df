//! The state of a bench: one JSON line per trial, so that an interrupted bench continues. The file name has a
//! fingerprint of part, plan, programs and machine.

use crate::contender::Reading;
use crate::error::BenchError;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub key: String,
    /// Unix time of the end, in seconds.
    pub at: u64,
    /// Busy share without load, in CPUs.
    pub idle: f64,
    /// Of host B and host A.
    pub commands: (String, String),
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Records(HashMap<String, Record>);

impl Records {
    /// Read-only; skips invalid lines.
    pub fn read(path: &Path) -> Result<Records, BenchError> {
        let wrong = |source| BenchError::File { what: format!("cannot read {}", path.display()), source };
        Ok(Records::parse(&fs::read_to_string(path).map_err(wrong)?))
    }

    fn parse(text: &str) -> Records {
        let records = text.lines().filter_map(|l| serde_json::from_str::<Record>(l).ok());
        Records(records.map(|r| (r.key.clone(), r)).collect())
    }

    pub fn get(&self, key: &str) -> Option<&Record> {
        self.0.get(key)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    #[cfg(test)]
    pub fn insert(&mut self, record: Record) {
        self.0.insert(record.key.clone(), record);
    }
}

#[derive(Debug)]
pub struct State {
    file: File,
    path: PathBuf,
    records: Records,
}

impl State {
    /// Drops a partial last line: its trial runs again.
    pub fn open(folder: &Path, name: &str, fingerprint: u64) -> Result<State, BenchError> {
        let path = folder.join(format!("{name}-{fingerprint:016x}.jsonl"));
        let wrong = |source| BenchError::File { what: format!("cannot keep {}", path.display()), source };
        fs::create_dir_all(folder).map_err(wrong)?;
        let text = fs::read_to_string(&path).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(wrong)?;
        file.set_len(whole.len() as u64).map_err(wrong)?;
        Ok(State { file, path, records: Records::parse(whole) })
    }

    /// Flushed before the next trial begins.
    pub fn add(&mut self, record: Record) -> Result<(), BenchError> {
        let wrong =
            |source| BenchError::File { what: format!("cannot write {}", self.path.display()), source };
        let mut line = serde_json::to_vec(&record).map_err(|e| wrong(e.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(wrong)?;
        self.file.sync_data().map_err(wrong)?;
        self.records.0.insert(record.key.clone(), record);
        Ok(())
    }

    pub fn records(&self) -> &Records {
        &self.records
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// FNV-1a, 64 bit (Fowler, Noll, Vo): stable across versions.
pub fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for part in parts {
        // A terminator, so that ("ab", "c") and ("a", "bc") differ.
        for byte in part.iter().chain(&[0xff]) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(key: &str) -> Record {
        let reading = Some(Reading { goodput_bps: Some(1e9), ..Reading::default() });
        let commands = ("s".into(), "c".into());
        Record { key: key.into(), at: 1, idle: 0.01, commands, reading, error: None }
    }

    #[test]
    fn resumes_after_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = State::open(folder.path(), "trials", 7).unwrap();
        state.add(record("a")).unwrap();
        state.add(record("b")).unwrap();
        let path = state.path().to_path_buf();
        drop(state);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}{{\"key\":\"c\",\"at")).unwrap();
        let mut state = State::open(folder.path(), "trials", 7).unwrap();
        assert_eq!(state.records().get("a"), Some(&record("a")));
        assert!(state.records().get("c").is_none());
        state.add(record("c")).unwrap();
        assert_eq!(State::open(folder.path(), "trials", 7).unwrap().records().len(), 3);
        assert_eq!(State::open(folder.path(), "trials", 8).unwrap().records().len(), 0);
        assert_eq!(Records::read(&path).unwrap().len(), 3);
        assert!(Records::read(&folder.path().join("not-there")).is_err());
    }

    #[test]
    fn a_record_without_the_later_figures_is_read() {
        let line = r#"{"key":"stream.cubic.64/together/0/iperf3","at":1,"idle":0.01,"commands":["s","c"],"reading":{"goodput_bps":173400000.0,"total_bytes":21675000,"cpu_ns_per_byte":74.08,"wall_s":1.2}}"#;
        let records = Records::parse(line);
        let reading = records.get("stream.cubic.64/together/0/iperf3").unwrap().reading.as_ref().unwrap();
        assert_eq!((reading.total_bytes, reading.datagrams_per_second), (Some(21_675_000), None));
    }

    #[test]
    fn fingerprints_as_published() {
        // FNV-1a test vectors of Noll's page: "" and, including our terminator, "a\xff".
        assert_eq!(fingerprint([] as [&[u8]; 0]), 0xcbf2_9ce4_8422_2325);
        assert_ne!(fingerprint([&b"ab"[..], b"c"]), fingerprint([&b"a"[..], b"bc"]));
    }
}
