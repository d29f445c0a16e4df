//! Chooses the job for the settings.

use crate::job::{FileJob, FileJobSpec};
use crate::{FileError, copy, drive_benchmark, operation_mix, prepare, remove};
use goodput_model::file::FileWorkload;

pub fn create_file_job(order: FileJobSpec<'_>) -> Result<Box<dyn FileJob>, FileError> {
    match order.settings.work {
        FileWorkload::Prepare { .. } => prepare::create_prepare_job(order),
        FileWorkload::Copy { .. } => copy::create_copy_job(order),
        FileWorkload::Row { .. } => drive_benchmark::create_benchmark_job(order),
        FileWorkload::Mix { .. } => operation_mix::create_mix_job(order),
        FileWorkload::Remove => remove::create_remove_job(order),
    }
}
