//! Chooses the job for the settings.

use crate::job::{FileJob, FileJobSpec};
use crate::{FileError, copy, drive_benchmark, operation_mix, prepare, remove};
use goodput_model::file::FileWork;

pub fn create_file_job(order: FileJobSpec<'_>) -> Result<Box<dyn FileJob>, FileError> {
    match order.settings.work {
        FileWork::Prepare { .. } => prepare::create_prepare_job(order),
        FileWork::Copy { .. } => copy::create_copy_job(order),
        FileWork::Row { .. } => drive_benchmark::create_benchmark_job(order),
        FileWork::Mix { .. } => operation_mix::create_mix_job(order),
        FileWork::Remove => remove::create_remove_job(order),
    }
}
