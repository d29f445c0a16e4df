//! Stores the last results of an agent, in memory or in a folder, until a coordinator has recorded them.

use crate::protocol::{MAX_RESULT_PAGE_BYTES, MAX_STORED_RESULTS, ResultOrigin, StoredResult};
use crate::sha256;
use goodput_host::open_own_file;
use serde::Deserialize;
use std::collections::VecDeque;
use std::fmt::Debug;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

#[derive(Debug, Default)]
pub struct ResultSpool {
    folder: Option<Box<dyn ResultFolder>>,
    results: VecDeque<Entry>,
}

#[derive(Debug)]
struct Entry {
    kept: StoredResult,
    /// `None` for a result in the folder.
    in_memory: Option<Vec<u8>>,
    /// `None` for a result of an older version.
    origin: Option<ResultOrigin>,
}

/// The origin part of a stored result.
#[derive(Deserialize)]
struct WithOrigin {
    #[serde(default)]
    origin: Option<ResultOrigin>,
}

/// Files of results, each named after its job.
pub(super) trait ResultFolder: Debug + Send {
    /// Oldest first.
    fn jobs(&self) -> io::Result<Vec<String>>;
    /// At most `most` bytes.
    fn read(&self, job: &str, offset: u64, most: u64) -> io::Result<Vec<u8>>;
    /// Returns when the result is on disk.
    fn write(&self, job: &str, result: &[u8]) -> io::Result<()>;
    fn remove(&self, job: &str);
}

impl ResultSpool {
    /// Opens or creates the folder and reads existing results; without a folder, keeps results in memory. Files
    /// that another user may have written, and links, are left alone: coordinators could read through them.
    pub fn open(folder: Option<PathBuf>) -> io::Result<ResultSpool> {
        let Some(folder) = folder else { return Ok(ResultSpool::default()) };
        fs::create_dir_all(&folder)?;
        let folder = DiskFolder(folder);
        folder.remove_unfinished();
        ResultSpool::with_folder(Box::new(folder))
    }

    pub(super) fn with_folder(folder: Box<dyn ResultFolder>) -> io::Result<ResultSpool> {
        let mut results = VecDeque::new();
        for job in folder.jobs()? {
            let result = folder.read(&job, 0, u64::MAX)?;
            let kept = describe(&job, &result);
            let origin = serde_json::from_slice(&result).ok().and_then(|r: WithOrigin| r.origin);
            results.push_back(Entry { kept, in_memory: None, origin });
        }
        let mut spool = ResultSpool { folder: Some(folder), results };
        spool.trim();
        Ok(spool)
    }

    /// Stores a result; in memory if the folder cannot be written: a full disk must not lose it.
    pub fn store(&mut self, job: &str, result: Vec<u8>, origin: Option<ResultOrigin>) -> StoredResult {
        let kept = describe(job, &result);
        let is_on_disk = self.folder.as_ref().is_some_and(|folder| folder.write(job, &result).is_ok());
        let in_memory = (!is_on_disk).then_some(result);
        self.results.push_back(Entry { kept: kept.clone(), in_memory, origin });
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

    /// Up to [`MAX_RESULT_PAGE_BYTES`] bytes of a result; empty at its end, `None` for an unknown job.
    pub fn read_page(&self, job: &str, offset: u64) -> Option<io::Result<Vec<u8>>> {
        let result = self.results.iter().find(|r| r.kept.job == job)?;
        Some(match &result.in_memory {
            None => self.folder.as_ref()?.read(job, offset, MAX_RESULT_PAGE_BYTES as u64),
            Some(bytes) => {
                let from = usize::try_from(offset).map_or(bytes.len(), |o| o.min(bytes.len()));
                Ok(bytes[from..].iter().take(MAX_RESULT_PAGE_BYTES).copied().collect())
            }
        })
    }

    pub fn discard(&mut self, job: &str) {
        if let Some(at) = self.results.iter().position(|r| r.kept.job == job) {
            self.drop_at(at);
        }
    }

    fn trim(&mut self) {
        while self.results.len() > MAX_STORED_RESULTS {
            self.drop_at(0);
        }
    }

    fn drop_at(&mut self, at: usize) {
        let removed = self.results.remove(at);
        if let (Some(Entry { in_memory: None, kept, .. }), Some(folder)) = (removed, &self.folder) {
            folder.remove(&kept.job);
        }
    }
}

fn describe(job: &str, result: &[u8]) -> StoredResult {
    StoredResult { job: job.to_string(), length: result.len() as u64, sha256: sha256(result), orphan: None }
}

fn open_result(path: &Path) -> io::Result<File> {
    open_own_file(path, OpenOptions::new().read(true))
}

#[derive(Debug)]
struct DiskFolder(PathBuf);

const SUFFIX: &str = ".result.json";
const UNFINISHED_SUFFIX: &str = ".result.part";

impl DiskFolder {
    fn path(&self, job: &str) -> PathBuf {
        self.0.join(format!("{job}{SUFFIX}"))
    }

    /// What a killed agent was writing.
    fn remove_unfinished(&self) {
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let is_unfinished = entry.file_name().to_str().is_some_and(|n| n.ends_with(UNFINISHED_SUFFIX));
            if is_unfinished && open_result(&entry.path()).is_ok() {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl ResultFolder for DiskFolder {
    fn jobs(&self) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let path = entry?.path();
            let job = path.file_name().and_then(|n| n.to_str()).and_then(|n| n.strip_suffix(SUFFIX));
            let Some(job) = job else { continue };
            let Ok(file) = open_result(&path) else { continue };
            found.push((file.metadata()?.modified()?, job.to_string()));
        }
        found.sort();
        Ok(found.into_iter().map(|(_, job)| job).collect())
    }

    fn read(&self, job: &str, offset: u64, most: u64) -> io::Result<Vec<u8>> {
        let mut file = open_result(&self.path(job))?;
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Atomic: written to a temporary file, then renamed.
    fn write(&self, job: &str, result: &[u8]) -> io::Result<()> {
        let path = self.path(job);
        let beside = self.0.join(format!("{job}{UNFINISHED_SUFFIX}"));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
        let written = file
            .write_all(result)
            .and_then(|()| file.sync_all())
            .and_then(|()| fs::rename(&beside, &path))
            .inspect_err(|_| drop(fs::remove_file(&beside)));
        // Without it a power cut may lose the new name. Some file systems cannot.
        let _ = File::open(&self.0).and_then(|folder| folder.sync_all());
        written
    }

    fn remove(&self, job: &str) {
        let _ = fs::remove_file(self.path(job));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use goodput_model::ids::TrialId;
    use goodput_model::probe::{Probe, Stream};

    pub(in crate::agent) fn origin(presence: &str) -> ResultOrigin {
        let about = serde_json::json!({
            "attempt": "x", "by": "c", "ordered": "2000-01-01T00:00:00Z", "connecting": ["a"], "listening": "b"
        });
        ResultOrigin {
            about: serde_json::from_value(about).unwrap(),
            presence: presence.into(),
            trial: TrialId(7),
            probe: Probe::Stream(Stream::default()),
            client: 0,
        }
    }

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
        // Of an agent that was killed while it wrote.
        fs::write(folder.path().join("b.result.part"), "res").unwrap();
        assert_eq!(open().list().len(), 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        next.discard("a");
        assert!(open().list().is_empty());

        let mut spool = ResultSpool::open(None).unwrap();
        for n in 0..MAX_STORED_RESULTS + 2 {
            spool.store(&n.to_string(), vec![], None);
        }
        assert_eq!(spool.list().len(), MAX_STORED_RESULTS);
        assert!(spool.get("1").is_none() && spool.get("2").is_some());
    }

    #[test]
    fn a_result_that_cannot_be_written_is_kept_in_memory_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = ResultSpool::open(Some(folder.path().to_path_buf())).unwrap();
        fs::create_dir(folder.path().join("a.result.json")).unwrap();
        spool.store("a", b"result".to_vec(), None);
        assert_eq!(whole(&spool, "a"), b"result");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn nothing_is_read_through_a_link_or_from_others() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let open = || ResultSpool::open(Some(folder.path().to_path_buf())).unwrap();
        open().store("a", b"result".to_vec(), None);
        fs::write(place("secret"), "secret").unwrap();
        std::os::unix::fs::symlink(place("secret"), place("link.result.json")).unwrap();
        std::os::unix::fs::symlink(place("nothing"), place("dangling.result.json")).unwrap();
        fs::write(place("open.result.json"), "forged").unwrap();
        fs::set_permissions(place("open.result.json"), std::os::unix::fs::PermissionsExt::from_mode(0o666))
            .unwrap();
        let spool = open();
        assert_eq!(spool.list().iter().map(|kept| kept.job.as_str()).collect::<Vec<_>>(), ["a"]);
        fs::remove_file(place("a.result.json")).unwrap();
        std::os::unix::fs::symlink(place("secret"), place("a.result.json")).unwrap();
        assert!(spool.read_page("a", 0).unwrap().is_err());
    }

    #[test]
    fn what_waits_for_another_coordinator_is_told_also_by_the_next_agent() {
        let origin = origin("p");
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
