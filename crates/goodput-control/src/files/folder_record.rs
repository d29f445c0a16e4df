//! The listening host's folder: counts its block device over the window and drops the page cache before cold
//! reads.

use crate::locked;
use goodput_file::disk_meter::DiskStatsMeter;
use goodput_file::{FileHandle, FileOpenOptions, RelPath, Share};
use goodput_model::Nanos;
use goodput_model::file::{CacheResidency, FileLocationFacts, FileReport, WORKSPACE_MARKER_FILE};
use goodput_probe::{TrafficLimits, TrialObserver, TrialProgress};
use goodput_words::ErrorMessage;
use std::sync::{Mutex, PoisonError};

const MAX_FILES: usize = 10_000;

#[derive(Default)]
pub(super) struct FolderMeasurements {
    meter: Mutex<DiskStatsMeter>,
    report: Mutex<FileReport>,
    notes: Mutex<Vec<String>>,
}

impl FolderMeasurements {
    pub fn set_location_facts(&self, facts: FileLocationFacts) {
        *locked(&self.meter) = DiskStatsMeter::new(facts.device.clone());
        locked(&self.report).facts = facts;
    }

    pub fn add_note(&self, text: String) {
        locked(&self.notes).push(text);
    }

    pub fn drop_caches(&self, share: &dyn Share) {
        let mut files = Vec::new();
        if let Err(e) = list(share, RelPath::root(), &mut files) {
            let why = e.message_with_sources();
            self.add_note(format!("this host's page cache could not be looked into: {why}"));
            return;
        }
        let (mut bytes, mut before, mut after, mut asked) = (0.0, 0.0, 0.0, 0u64);
        for (path, length) in &files {
            let seen = cool(share, path);
            let Ok((was, is)) = seen else {
                let why = seen.err().map(|e| e.message_with_sources()).unwrap_or_default();
                self.add_note(format!(
                    "the page cache could not be asked to let go of {}: {why}",
                    path.as_str()
                ));
                continue;
            };
            let (Some(was), Some(is)) = (was, is) else { continue };
            let weight = *length as f64;
            (bytes, before, after, asked) =
                (bytes + weight, before + was * weight, after + is * weight, asked + 1);
        }
        if bytes > 0.0 {
            let (before, after) = (before / bytes, after / bytes);
            locked(&self.report).cache = CacheResidency {
                resident_percent: None,
                server_resident_percent: Some(after),
                how: format!(
                    "this host's page cache was asked to let go of {asked} files: {before:.1} % of them lay in it, then \
                     {after:.1} %"
                ),
            };
        }
    }

    /// Folder facts, device counters, cached share, and notes for the user.
    pub fn into_report(self) -> (FileReport, Vec<String>) {
        fn taken<T>(mutex: Mutex<T>) -> T {
            mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
        }
        let place_disk = taken(self.meter).measured_disk_counters();
        (FileReport { place_disk, ..taken(self.report) }, taken(self.notes))
    }
}

fn list(
    share: &dyn Share,
    folder: RelPath,
    into: &mut Vec<(RelPath, u64)>,
) -> Result<(), goodput_file::FileError> {
    for entry in share.find_folder_entries(&folder, "*", None)? {
        if into.len() >= MAX_FILES {
            return Ok(());
        }
        let name = match folder.as_str() {
            "" => entry.name,
            folder => format!("{folder}/{}", entry.name),
        };
        let path = RelPath::parse(&name)?;
        if entry.status.folder {
            list(share, path, into)?;
        } else if entry.status.length > 0 && name != WORKSPACE_MARKER_FILE {
            into.push((path, entry.status.length));
        }
    }
    Ok(())
}

/// Drops one file's cache; returns its cached share before and after in per cent.
fn cool(share: &dyn Share, path: &RelPath) -> Result<(Option<f64>, Option<f64>), goodput_file::FileError> {
    let file: FileHandle = share.open(path, FileOpenOptions::EXISTING_FILE)?;
    let before = share.cached_percent(file);
    let dropped = share.drop_cache(file);
    let after = share.cached_percent(file);
    let closed = share.close(file);
    dropped?;
    closed?;
    Ok((before, after))
}

/// Counts the device at the window's edges.
pub(super) struct DiskObserver<'a> {
    pub site: &'a FolderMeasurements,
    pub observer: &'a dyn TrialObserver,
}

impl TrialObserver for DiskObserver<'_> {
    fn before_measurement_window(&self) {
        self.observer.before_measurement_window();
    }

    fn measurement_window_opened(&self, t0_ns: u64) {
        self.observer.measurement_window_opened(t0_ns);
        locked(&self.site.meter).start();
    }

    fn progress_updated(&self, progress: TrialProgress) {
        self.observer.progress_updated(progress);
    }

    fn measurement_window_closed(&self, t1_ns: u64) {
        self.observer.measurement_window_closed(t1_ns);
        locked(&self.site.meter).finish();
    }

    fn after_measurement_window(&self) {
        self.observer.after_measurement_window();
    }

    fn time_since_coordinator_message(&self) -> Option<Nanos> {
        self.observer.time_since_coordinator_message()
    }

    fn traffic_limits(&self) -> TrafficLimits {
        self.observer.traffic_limits()
    }

    fn record_coordinator_contact_by_peer(&self, ago: Nanos) {
        self.observer.record_coordinator_contact_by_peer(ago);
    }
}
