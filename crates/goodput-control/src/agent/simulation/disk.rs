//! A host's disk: what is not synchronised is lost with the power.

use super::super::result_spool::{ResultFolder, ResultSpool};
use crate::locked;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

#[derive(Debug, Clone, Default)]
pub(super) struct Disk {
    files: Arc<Mutex<BTreeMap<String, File>>>,
    /// A write synchronises only the ones before it.
    acknowledges_early: bool,
}

#[derive(Debug)]
struct File {
    bytes: Vec<u8>,
    is_synchronised: bool,
}

impl Disk {
    pub fn new(acknowledges_early: bool) -> Disk {
        Disk { acknowledges_early, ..Disk::default() }
    }

    pub fn open_spool(&self) -> ResultSpool {
        ResultSpool::with_folder(Box::new(self.clone())).unwrap()
    }

    pub fn has(&self, name: &str) -> bool {
        locked(&self.files).get(name).is_some_and(|file| file.is_synchronised)
    }

    pub fn lose_power(&self) {
        locked(&self.files).retain(|_, file| file.is_synchronised);
    }
}

impl ResultFolder for Disk {
    fn jobs(&self) -> io::Result<Vec<String>> {
        Ok(locked(&self.files).keys().cloned().collect())
    }

    fn read(&self, job: &str, offset: u64, _: u64) -> io::Result<Vec<u8>> {
        let files = locked(&self.files);
        let file = files.get(job).ok_or(io::ErrorKind::NotFound)?;
        Ok(file.bytes[usize::try_from(offset).unwrap()..].to_vec())
    }

    fn write(&self, job: &str, result: &[u8]) -> io::Result<()> {
        let mut files = locked(&self.files);
        files.values_mut().for_each(|file| file.is_synchronised = true);
        let file = File { bytes: result.to_vec(), is_synchronised: !self.acknowledges_early };
        files.insert(job.to_string(), file);
        Ok(())
    }

    fn remove(&self, job: &str) {
        locked(&self.files).remove(job);
    }
}
