//! Chooses the job for the settings.

use crate::job::{FileJob, FileJobSpec};
use crate::{FileError, copy, drive_benchmark, mix, prepare, remove};
use goodput_model::file::FileWork;

pub fn create_job(order: FileJobSpec<'_>) -> Result<Box<dyn FileJob>, FileError> {
    match order.settings.work {
        FileWork::Prepare { .. } => prepare::create_prepare_job(order),
        FileWork::Copy { .. } => copy::create_copy_job(order),
        FileWork::Row { .. } => drive_benchmark::create_benchmark_job(order),
        FileWork::Mix { .. } => mix::create_mix_job(order),
        FileWork::Remove => remove::create_remove_job(order),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JobResult;
    use crate::clock::now_ns;
    use crate::fake::{TEST_TIMEOUT, TEST_WORKSPACE, test_settings};
    use crate::location::{WorkspaceMode, open_location};
    use crate::supervise::tests::Watched;
    use goodput_model::file::{
        File, FileAccessPattern, FileDirection, FileLocation, FlushMode, VerificationCounts,
    };
    use goodput_model::{Bytes, Nanos};

    const SIZE: u64 = (3 << 20) + 777;
    const BLOCK: Bytes = Bytes(64 << 10);

    fn trial(place: &FileLocation, work: FileWork, flush: FlushMode) -> JobResult {
        let settings = File { place: place.clone(), flush, ..test_settings(work) };
        let share = open_location(place, TEST_WORKSPACE, WorkspaceMode::Existing).unwrap();
        let mut job = create_job(FileJobSpec { settings: &settings, client: 0, share, load: None }).unwrap();
        let t0 = now_ns() + 2_000_000;
        let t1 =
            goodput_model::probe::ProbeSettings::measurement_window(&settings).1.map(|length| t0 + length.0);
        let mut ran = job.run(t0, t1, TEST_TIMEOUT, &Watched::default());
        job.finish(&mut ran.report).unwrap();
        assert!(ran.broken.is_none(), "{:?}", ran.broken);
        ran
    }

    #[test]
    fn a_whole_run_in_a_folder_leaves_nothing() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = |dir: &tempfile::TempDir| dir.path().to_str().unwrap().to_string();
        let place = FileLocation::Folder { path: path(&folder) };
        drop(open_location(&place, TEST_WORKSPACE, WorkspaceMode::Make).unwrap());
        let size = Bytes(SIZE);
        let copy = |way, local, flush| {
            trial(&place, FileWork::Copy { way, size, block: BLOCK, depth: 4, local }, flush)
        };
        let wrong = |ran: &JobResult| ran.report.verified.map(|v| v.wrong);
        let prepared = trial(&place, FileWork::Prepare { file: Some(size) }, FlushMode::End);
        assert_eq!(prepared.report.bytes_written, SIZE);
        for way in [FileDirection::Write, FileDirection::Read] {
            for local in [None, Some(path(&other)), Some(path(&folder))] {
                let ran = copy(way, local, FlushMode::End);
                assert_eq!(ran.report.bytes_read + ran.report.bytes_written, SIZE);
                assert_eq!(wrong(&ran), Some(0));
            }
        }
        let left = std::fs::read_dir(other.path()).unwrap().count();
        assert_eq!(left, 0, "the local workspace went with its copy");
        let (random, sequential) = (FileAccessPattern::Random, FileAccessPattern::Sequential);
        for (way, pattern) in [(FileDirection::Write, random), (FileDirection::Read, sequential)] {
            let (name, block, time) = ("X".to_string(), Bytes(4096), Nanos(60_000_000));
            let row = FileWork::Row { name, way, pattern, block, queue: 8, threads: 2, size, time };
            let ran = trial(&place, row, FlushMode::Within);
            assert!(ran.operations > 0);
            assert_eq!(wrong(&ran), Some(0));
        }
        let last = copy(FileDirection::Write, None, FlushMode::None);
        let all = Some(VerificationCounts { bytes: SIZE, wrong: 0 });
        assert_eq!((last.report.verified, last.report.durable_ns), (all, None));
        assert_eq!(trial(&place, FileWork::Remove, FlushMode::None).operations, 3);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
