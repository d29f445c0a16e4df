//! Operation counts by class, for work of a single class.

use crate::JobResult;
use goodput_model::file::{FileDirection, FileOpClass, FileOpClassCounts};

pub(crate) fn op_class_of_direction(way: FileDirection) -> FileOpClass {
    match way {
        FileDirection::Read => FileOpClass::Read,
        FileDirection::Write => FileOpClass::Write,
    }
}

pub(crate) fn record_op_class_counts(ran: &mut JobResult, class: FileOpClass, flushes: u64) {
    let unexpected = u64::from(ran.broken.is_some());
    let bytes = ran.report.bytes_read + ran.report.bytes_written;
    let of =
        |class, count| FileOpClassCounts { class, count, failed_as_expected: 0, unexpected: 0, bytes: 0 };
    let moved = FileOpClassCounts { unexpected, bytes, ..of(class, ran.operations + unexpected) };
    ran.report.classes =
        [moved, of(FileOpClass::Flush, flushes)].into_iter().filter(|c| c.count > 0).collect();
    if let Some(e) = &ran.broken {
        ran.report.surprises.push(format!("{e}: {}", e.source));
    }
}
