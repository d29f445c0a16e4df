//! A host's disk: what is not synchronised is lost with the power.

use super::super::result_spool::{ResultFolder, ResultSpool};
use crate::locked;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

#[derive(Debug, Clone, Default)]
pub(super) struct Disk(Arc<Mutex<Files>>);

#[derive(Debug, Default)]
struct Files {
    on_disk: BTreeMap<String, Vec<u8>>,
    in_memory: BTreeMap<String, Vec<u8>>,
    /// A write synchronises only the ones before it.
    acknowledges_early: bool,
}

impl Disk {
    pub fn new(acknowledges_early: bool) -> Disk {
        Disk(Arc::new(Mutex::new(Files { acknowledges_early, ..Files::default() })))
    }

    pub fn open_spool(&self) -> ResultSpool {
        ResultSpool::with_folder(Some(Box::new(self.clone()))).unwrap()
    }

    pub fn has(&self, name: &str) -> bool {
        locked(&self.0).on_disk.contains_key(name)
    }

    pub fn lose_power(&self) {
        locked(&self.0).in_memory.clear();
    }
}

impl ResultFolder for Disk {
    fn jobs(&self) -> io::Result<Vec<String>> {
        let files = locked(&self.0);
        Ok(files.on_disk.keys().chain(files.in_memory.keys()).cloned().collect())
    }

    fn read(&self, job: &str) -> io::Result<Vec<u8>> {
        let files = locked(&self.0);
        let found = files.on_disk.get(job).or_else(|| files.in_memory.get(job));
        found.cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn write(&self, job: &str, result: &[u8]) -> io::Result<()> {
        let files = &mut *locked(&self.0);
        files.on_disk.append(&mut files.in_memory);
        let to = if files.acknowledges_early { &mut files.in_memory } else { &mut files.on_disk };
        to.insert(job.to_string(), result.to_vec());
        Ok(())
    }

    fn read_page(&self, job: &str, offset: u64) -> io::Result<Vec<u8>> {
        Ok(self.read(job)?.split_off(usize::try_from(offset).unwrap()))
    }

    fn remove(&self, job: &str) {
        let files = &mut *locked(&self.0);
        files.on_disk.remove(job);
        files.in_memory.remove(job);
    }
}
