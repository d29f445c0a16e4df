//! Writes the file that copies and rows read later; timed and verified, but not a measurement.

use crate::copy::Copy;
use crate::job::{Job, JobOrder, JobResult, Watch};
use crate::work::{is_generated_data, test_file};
use crate::{FileError, Open, RelPath, Share};
use goodput_model::Nanos;
use goodput_model::file::{CreateDisposition, FileReport, FileWork};

pub(crate) fn open(order: JobOrder<'_>) -> Result<Box<dyn Job>, FileError> {
    let FileWork::Prepare { file } = &order.settings.work else {
        return Ok(Box::new(EmptyJob { share: order.share }));
    };
    match file.filter(|size| size.0 > 0) {
        None => Ok(Box::new(EmptyJob { share: order.share })),
        Some(size) if is_generated_data(&order.settings.place) => {
            lengthen(order.share.as_ref(), &test_file(order.client)?, size.0)?;
            Ok(Box::new(EmptyJob { share: order.share }))
        }
        Some(size) => Ok(Box::new(Copy::of_test_file(order, size.0)?)),
    }
}

/// Writes only the last byte, on a place that stores only lengths.
fn lengthen(share: &dyn Share, path: &RelPath, size: u64) -> Result<(), FileError> {
    let disposition = CreateDisposition::Create;
    let handle =
        share.open(path, Open { disposition, folder: false, file: true, read_only: false, direct: false })?;
    let written = share.write_at(handle, &[0], size - 1);
    written.and(share.close(handle))
}

/// For a workspace without a file, or a place that stores nothing.
struct EmptyJob {
    share: Box<dyn Share>,
}

impl Job for EmptyJob {
    fn run(&mut self, t0_ns: u64, _: Option<u64>, _: Nanos, watch: &dyn Watch) -> JobResult {
        watch.opened(t0_ns);
        watch.closed(t0_ns);
        let mut ran = JobResult { t1_ns: t0_ns, ..JobResult::default() };
        ran.report.facts = self.share.facts();
        ran
    }

    fn settle(&mut self, _: &mut FileReport) -> Result<(), FileError> {
        Ok(())
    }
}
