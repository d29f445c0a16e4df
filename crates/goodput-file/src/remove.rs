//! Removes the workspace at the end of a run.

use crate::clock::now_ns;
use crate::job::{Job, JobOrder, JobProgress, JobResult, Watch};
use crate::{FileError, FileErrorKind, Share, workspace};
use goodput_model::Nanos;
use goodput_model::file::FileReport;

struct Remove {
    share: Box<dyn Share>,
    workspace: String,
}

pub(crate) fn open(order: JobOrder<'_>) -> Result<Box<dyn Job>, FileError> {
    Ok(Box::new(Remove { share: order.share, workspace: order.settings.workspace.clone() }))
}

impl Job for Remove {
    fn run(&mut self, t0_ns: u64, _: Option<u64>, _: Nanos, watch: &dyn Watch) -> JobResult {
        let t0_ns = t0_ns.min(now_ns());
        watch.opened(t0_ns);
        let mut ran = JobResult::default();
        ran.report.facts = self.share.facts();
        match workspace::remove(self.share.as_ref(), &self.workspace) {
            Ok(gone) => ran.operations = gone,
            Err(e) if matches!(e.trouble, FileErrorKind::NotFound | FileErrorKind::PathNotFound) => {}
            Err(e) => ran.broken = Some(e),
        }
        ran.t1_ns = now_ns();
        let elapsed_ns = ran.t1_ns - t0_ns;
        watch.tick(JobProgress { done: Some(1.0), elapsed_ns, bytes: 0, operations: ran.operations });
        watch.closed(ran.t1_ns);
        ran
    }

    fn settle(&mut self, _: &mut FileReport) -> Result<(), FileError> {
        Ok(())
    }
}
