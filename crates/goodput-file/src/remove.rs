//! Removes the workspace at the end of a run.

use crate::clock::now_ns;
use crate::job::{FileJob, FileJobSpec, JobObserver, JobProgress, JobResult};
use crate::{FileError, Share, workspace};
use goodput_model::Nanos;

struct Remove {
    share: Box<dyn Share>,
    workspace: String,
}

pub(crate) fn create_remove_job(order: FileJobSpec<'_>) -> Result<Box<dyn FileJob>, FileError> {
    Ok(Box::new(Remove { share: order.share, workspace: order.settings.workspace.clone() }))
}

impl FileJob for Remove {
    fn run(&mut self, t0_ns: u64, _: Option<u64>, _: Nanos, watch: &dyn JobObserver) -> JobResult {
        let t0_ns = t0_ns.min(now_ns());
        watch.measurement_window_opened(t0_ns);
        let mut ran = JobResult::default();
        ran.report.facts = self.share.location_facts();
        match workspace::remove_workspace(self.share.as_ref(), &self.workspace) {
            Ok(gone) => ran.operations = gone,
            Err(e) if e.trouble.is_not_found() => {}
            Err(e) => ran.broken = Some(e),
        }
        ran.t1_ns = now_ns();
        let elapsed_ns = ran.t1_ns - t0_ns;
        watch.progress_updated(JobProgress {
            done: Some(1.0),
            elapsed_ns,
            bytes: 0,
            operations: ran.operations,
        });
        watch.measurement_window_closed(ran.t1_ns);
        ran
    }
}
