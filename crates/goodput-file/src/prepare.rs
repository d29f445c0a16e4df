//! Writes the file that copies and rows read later; timed and verified, but not a measurement.

use crate::copy::CopyJob;
use crate::job::{FileJob, FileJobSpec, JobObserver, JobResult};
use crate::work::{location_generates_read_data, test_file_path};
use crate::{FileError, FileOpenOptions, RelPath, Share};
use goodput_model::Nanos;
use goodput_model::file::FileWorkload;

pub(crate) fn create_prepare_job(order: FileJobSpec<'_>) -> Result<Box<dyn FileJob>, FileError> {
    let FileWorkload::Prepare { file } = &order.settings.work else {
        return Ok(Box::new(EmptyJob { share: order.share }));
    };
    match file.filter(|size| size.0 > 0) {
        None => Ok(Box::new(EmptyJob { share: order.share })),
        Some(size) if location_generates_read_data(&order.settings.place) => {
            lengthen(order.share.as_ref(), &test_file_path(order.client)?, size.0)?;
            Ok(Box::new(EmptyJob { share: order.share }))
        }
        Some(size) => Ok(Box::new(CopyJob::for_test_file_creation(order, size.0)?)),
    }
}

/// Writes only the last byte, on a place that stores only lengths.
fn lengthen(share: &dyn Share, path: &RelPath, size: u64) -> Result<(), FileError> {
    let handle = share.open(path, FileOpenOptions::NEW_FILE)?;
    let written = share.write_at(handle, &[0], size - 1);
    written.and(share.close(handle))
}

/// For a workspace without a file, or a place that stores nothing.
struct EmptyJob {
    share: Box<dyn Share>,
}

impl FileJob for EmptyJob {
    fn run(&mut self, t0_ns: u64, _: Option<u64>, _: Nanos, watch: &dyn JobObserver) -> JobResult {
        watch.measurement_window_opened(t0_ns);
        watch.measurement_window_closed(t0_ns);
        let mut ran = JobResult { t1_ns: t0_ns, ..JobResult::default() };
        ran.report.facts = self.share.location_facts();
        ran
    }
}
