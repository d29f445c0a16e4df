//! The page cache and bypassing it: claims are verified.

use super::made;
use super::stage::own_mounts;
use crate::share::{how, path};
use goodput_file::{FileOpenOptions, IoRequest, Share};
use goodput_model::file::CreateDisposition;
use std::path::Path;
use std::time::Duration;

const SIZE: u64 = 8 << 20;

fn written(share: &dyn Share, direct: bool) -> goodput_file::FileHandle {
    let name = path(if direct { "direct" } else { "cached" });
    let file = share.open(&name, FileOpenOptions { direct, ..how(CreateDisposition::Create) }).unwrap();
    let mut lane = share.open_io_queue(file, 1 << 20, 2).unwrap();
    for block in 0..SIZE >> 20 {
        lane.buffer(0).fill(block as u8 + 1);
        lane.submit(IoRequest { slot: 0, offset: block << 20, length: 1 << 20, write: true }).unwrap();
        lane.wait_for_completion(Duration::from_secs(10)).unwrap().moved.unwrap();
    }
    file
}

/// Cached data appears in the cache and can be dropped; direct data never appears.
fn a_disk(folder: &Path) {
    let (share, _) = made(folder);
    let share = share.as_ref();
    let cached = written(share, false);
    assert_eq!(share.location_facts().direct, None);
    assert!(share.cached_percent(cached).unwrap() > 99.0);
    assert!(share.drop_cache(cached).unwrap());
    assert!(share.cached_percent(cached).unwrap() < 1.0);
    let direct = written(share, true);
    let facts = share.location_facts();
    if facts.direct != Some(true) {
        eprintln!("skipped: {:?} has no direct access", facts.file_system);
        return;
    }
    assert!(facts.alignment.is_some_and(|a| a.0.is_power_of_two() && a.0 <= 65536), "{facts:?}");
    assert!(share.cached_percent(direct).unwrap() < 1.0, "written past the cache");
    let mut lane = share.open_io_queue(direct, 4096, 1).unwrap();
    lane.submit(IoRequest { slot: 0, offset: 3 << 20, length: 4096, write: false }).unwrap();
    assert_eq!(lane.wait_for_completion(Duration::from_secs(10)).unwrap().moved.unwrap(), 4096);
    assert!(lane.buffer(0).iter().all(|byte| *byte == 4));
    assert!(share.cached_percent(direct).unwrap() < 1.0, "read past the cache");
    let mut buffer = vec![0; SIZE as usize];
    share.read_at(direct, &mut buffer[1..], 1).unwrap();
    assert!(share.cached_percent(direct).unwrap() > 90.0, "what is not aligned goes the usual way");
}

pub fn a_disks_cache_is_looked_into() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    a_disk(dir.path());
}

pub fn direct_access_is_proved_on_ext4() {
    let Some(stage) = own_mounts("direct_access_is_proved_on_ext4") else { return };
    let disk = stage.ext4("disk", 64);
    let (share, _) = made(disk.path());
    written(share.as_ref(), true);
    let facts = share.location_facts();
    assert_eq!((facts.file_system.as_deref(), facts.direct), (Some("ext4"), Some(true)), "{facts:?}");
    assert!(facts.device.as_deref().is_some_and(|d| d.starts_with("7:")), "a loop device: {facts:?}");
    a_disk(disk.path());
}

pub fn memory_says_that_there_is_nothing_to_pass_by() {
    let Some(stage) = own_mounts("memory_has_nothing_to_pass_by") else { return };
    let memory = stage.tmpfs("memory", "size=32m");
    let (share, _) = made(memory.path());
    let file = written(share.as_ref(), true);
    let facts = share.location_facts();
    assert_eq!((facts.file_system.as_deref(), facts.direct), (Some("tmpfs"), Some(false)));
    assert_eq!((facts.alignment, facts.device), (None, None));
    assert!(!share.drop_cache(file).unwrap(), "there is no cache of it");
    assert!(share.cached_percent(file).unwrap() > 99.0);
}
