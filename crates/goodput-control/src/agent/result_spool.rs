//! Stores the last results of an agent, in memory or in a folder, until a coordinator has recorded them.

use crate::protocol::{MAX_RESULT_PAGE_BYTES, ResultOrigin, StoredResult};
use crate::sha256;
use serde::Deserialize;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

const MAX_RESULTS: usize = 16;

#[derive(Debug)]
pub struct ResultSpool {
    folder: Option<PathBuf>,
    results: VecDeque<Entry>,
}

#[derive(Debug)]
struct Entry {
    kept: StoredResult,
    place: ResultLocation,
    /// `None` for a result of an older version.
    origin: Option<ResultOrigin>,
}

/// The origin part of a stored result.
#[derive(Deserialize)]
struct WithOrigin {
    #[serde(default)]
    origin: Option<ResultOrigin>,
}

#[derive(Debug)]
enum ResultLocation {
    Memory(Vec<u8>),
    File(PathBuf),
}

impl ResultSpool {
    /// Opens or creates the folder and reads existing results; without a folder, keeps results in memory.
    pub fn open(folder: Option<PathBuf>) -> io::Result<ResultSpool> {
        let mut results = VecDeque::new();
        if let Some(folder) = &folder {
            fs::create_dir_all(folder)?;
            let mut found = Vec::new();
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                let job =
                    path.file_name().and_then(|n| n.to_str()).and_then(|n| n.strip_suffix(".result.json"));
                if let Some(job) = job {
                    found.push((fs::metadata(&path)?.modified()?, job.to_string(), path.clone()));
                }
            }
            found.sort();
            for (_, job, path) in found {
                let result = fs::read(&path)?;
                let kept = describe(&job, &result);
                let origin = serde_json::from_slice(&result).ok().and_then(|r: WithOrigin| r.origin);
                results.push_back(Entry { kept, place: ResultLocation::File(path), origin });
            }
        }
        let mut spool = ResultSpool { folder, results };
        spool.trim();
        Ok(spool)
    }

    /// Stores a result. If the folder cannot be written, it is kept in memory: a full disk must not lose a
    /// result.
    pub fn store(&mut self, job: &str, result: Vec<u8>, origin: Option<ResultOrigin>) -> StoredResult {
        let kept = describe(job, &result);
        let place = match self.folder.as_ref().map(|f| f.join(format!("{job}.result.json"))) {
            Some(path) if write(&path, &result).is_ok() => ResultLocation::File(path),
            _ => ResultLocation::Memory(result),
        };
        self.results.push_back(Entry { kept: kept.clone(), place, origin });
        self.trim();
        kept
    }

    pub fn list(&self) -> Vec<StoredResult> {
        self.results.iter().map(|r| r.kept.clone()).collect()
    }

    /// Lists results and marks orphans; `present` tells whether a coordinator still exists.
    pub fn list_and_mark_orphans(&self, present: impl Fn(&str) -> bool) -> Vec<StoredResult> {
        let orphaned = |origin: &&ResultOrigin| !present(&origin.presence);
        self.results
            .iter()
            .map(|r| StoredResult {
                orphan: r.origin.as_ref().filter(orphaned).map(ResultOrigin::orphaned_result_summary),
                ..r.kept.clone()
            })
            .collect()
    }

    pub fn get(&self, job: &str) -> Option<&StoredResult> {
        self.results.iter().map(|r| &r.kept).find(|k| k.job == job)
    }

    /// Up to [`PAGE`] bytes of a result; empty at its end, `None` for an unknown job.
    pub fn read_page(&self, job: &str, offset: u64) -> Option<io::Result<Vec<u8>>> {
        let result = self.results.iter().find(|r| r.kept.job == job)?;
        Some(match &result.place {
            ResultLocation::Memory(bytes) => {
                let from = usize::try_from(offset).map_or(bytes.len(), |o| o.min(bytes.len()));
                Ok(bytes[from..].iter().take(MAX_RESULT_PAGE_BYTES).copied().collect())
            }
            ResultLocation::File(path) => read(path, offset),
        })
    }

    pub fn discard(&mut self, job: &str) {
        if let Some(at) = self.results.iter().position(|r| r.kept.job == job) {
            self.drop_at(at);
        }
    }

    fn trim(&mut self) {
        while self.results.len() > MAX_RESULTS {
            self.drop_at(0);
        }
    }

    fn drop_at(&mut self, at: usize) {
        if let Some(Entry { place: ResultLocation::File(path), .. }) = self.results.remove(at) {
            let _ = fs::remove_file(path);
        }
    }
}

fn describe(job: &str, result: &[u8]) -> StoredResult {
    StoredResult { job: job.to_string(), length: result.len() as u64, sha256: sha256(result), orphan: None }
}

/// Atomic: written to a temporary file, then renamed.
fn write(path: &PathBuf, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("part");
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

fn read(path: &PathBuf, offset: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut page = Vec::new();
    file.take(MAX_RESULT_PAGE_BYTES as u64).read_to_end(&mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::ids::TrialId;
    use goodput_model::probe::{Probe, Stream};

    fn whole(spool: &ResultSpool, job: &str) -> Vec<u8> {
        let mut all = Vec::new();
        loop {
            let page = spool.read_page(job, all.len() as u64).unwrap().unwrap();
            if page.is_empty() {
                return all;
            }
            assert!(page.len() <= MAX_RESULT_PAGE_BYTES);
            all.extend(page);
        }
    }

    #[test]
    fn a_large_result_comes_back_whole_in_pages() {
        let result: Vec<u8> = (0..MAX_RESULT_PAGE_BYTES * 2 + 17).map(|i| (i % 251) as u8).collect();
        let folder = tempfile::tempdir().unwrap();
        for folder in [None, Some(folder.path().to_path_buf())] {
            let mut spool = ResultSpool::open(folder).unwrap();
            let kept = spool.store("a", result.clone(), None);
            let fetched = whole(&spool, "a");
            assert_eq!((kept.length, kept.sha256), (result.len() as u64, sha256(&fetched)));
            assert_eq!(fetched, result);
        }
    }

    #[test]
    fn the_next_agent_finds_what_was_left_and_the_oldest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let open = || ResultSpool::open(Some(folder.path().to_path_buf())).unwrap();
        let kept = open().store("a", b"result".to_vec(), None);
        let mut next = open();
        assert_eq!(next.list(), [kept]);
        assert_eq!(whole(&next, "a"), b"result");
        next.discard("a");
        assert!(open().list().is_empty());

        let mut spool = ResultSpool::open(None).unwrap();
        for n in 0..MAX_RESULTS + 2 {
            spool.store(&n.to_string(), vec![], None);
        }
        assert_eq!(spool.list().len(), MAX_RESULTS);
        assert!(spool.get("1").is_none() && spool.get("2").is_some());
    }

    #[test]
    fn what_waits_for_another_coordinator_is_told_also_by_the_next_agent() {
        let about = serde_json::json!({
            "attempt": "x", "by": "c", "ordered": "2000-01-01T00:00:00Z", "connecting": ["a"], "listening": "b"
        });
        let origin = ResultOrigin {
            about: serde_json::from_value(about).unwrap(),
            presence: "p".into(),
            trial: TrialId(7),
            probe: Probe::Stream(Stream::default()),
            client: 0,
        };
        let folder = tempfile::tempdir().unwrap();
        let open = || ResultSpool::open(Some(folder.path().to_path_buf())).unwrap();
        let text = serde_json::to_vec(&serde_json::json!({ "report": {}, "origin": origin })).unwrap();
        let mut first = open();
        first.store("a", text, Some(origin.clone()));
        first.store("old", b"{}".to_vec(), None);
        for spool in [first, open()] {
            let orphans = |present: bool| {
                let listed = spool.list_and_mark_orphans(|who| present && who == "p");
                listed.into_iter().filter_map(|k| k.orphan).collect::<Vec<_>>()
            };
            assert!(orphans(true).is_empty());
            assert_eq!(orphans(false), [origin.orphaned_result_summary()]);
        }
        let summary = origin.orphaned_result_summary();
        assert_eq!((summary.probe.as_str(), summary.trial), ("stream", TrialId(7)));
    }
}
