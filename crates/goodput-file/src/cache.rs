//! The client's page cache before a measurement: emptied where it must be bypassed, and inspected.

use crate::{FileHandle, Share};
use goodput_model::file::{CacheMode, CacheResidency};

pub(crate) fn drop_file_cache(
    share: &dyn Share,
    handle: FileHandle,
    access: CacheMode,
    file: &str,
    notes: &mut Vec<String>,
) -> CacheResidency {
    let mut how = String::new();
    if access == CacheMode::Direct {
        match share.drop_cache(handle) {
            Ok(true) => how = format!("the page cache was asked to let go of {file}"),
            Ok(false) => {}
            Err(e) => notes
                .push(format!("the page cache could not be asked to let go of {file}: {e}: {}", e.source)),
        }
    }
    let resident_percent = share.cached_percent(handle);
    let direct = share.location_facts().direct == Some(true);
    match resident_percent {
        Some(percent) if percent > 0.0 && access == CacheMode::Direct && !direct => notes.push(format!(
            "{percent:.1} % of {file} lay in this host's page cache when it was read: that part did not come from the place"
        )),
        _ => {}
    }
    CacheResidency { resident_percent, server_resident_percent: None, how }
}
