//! A client's file work: runs `goodput-file`'s job as the probe's player.

use super::convert_errors::to_probe_error;
use super::load_file;
use super::remote::{RemoteSinkShare, TbenchDataConnection};
use goodput_file::location::{WorkspaceOpenMode, open_workspace_if_permitted};
use goodput_file::operation_mix::create_tbench_job;
use goodput_file::{
    AddressFilter, FileError, FileErrorKind, FileJob, FileJobSpec, JobObserver, JobProgress, JobResult,
    Share, create_file_job,
};
use goodput_model::Nanos;
use goodput_model::file::{File, FileLocation, FileReport, FileWorkload, SinkStorageKind};
use goodput_model::trial::TrialSpec;
use goodput_probe::file::{DataConnectionPool, FileWorker, FileWorkloadResult, WorkloadObserver};
use goodput_probe::{CancelFlag, EndpointMeasurement, ProbeError, TrialObserver, TrialProgress};
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

/// Attempts to find the marker in a workspace that another client is creating.
const MARKING: u32 = 40;
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// `permits` decides about the addresses of a file server.
pub(crate) fn run_connecting_endpoint(
    order: &TrialSpec,
    settings: &File,
    peer: SocketAddr,
    permits: AddressFilter<'_>,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
) -> EndpointMeasurement {
    let mut worker = Worker { settings, client: order.client, permits, job: None };
    goodput_probe::file::run_client(order, settings, peer, observer, cancel, &mut worker)
}

struct Worker<'a> {
    settings: &'a File,
    client: u16,
    permits: AddressFilter<'a>,
    job: Option<Box<dyn FileJob>>,
}

impl Worker<'_> {
    fn open(&self, data: Option<&DataConnectionPool>) -> Result<Box<dyn FileJob>, FileError> {
        let (settings, client) = (self.settings, self.client);
        let load = load_file::read_load_file(&settings.work)?;
        let share: Box<dyn Share> = match (&settings.place, data, &settings.work) {
            (
                FileLocation::Sink { sink: SinkStorageKind::Net },
                Some(data),
                FileWorkload::Mix { players, .. },
            ) => {
                let wires =
                    (0..*players).map(|_| TbenchDataConnection::open(data)).collect::<Result<_, _>>()?;
                return create_tbench_job(settings, client, load, wires);
            }
            // A network sink has no workspace.
            (FileLocation::Sink { sink: SinkStorageKind::Net }, ..) => return Ok(Box::new(NoFileWork)),
            (FileLocation::Sink { .. }, Some(data), _) => Box::new(RemoteSinkShare::open(data)?),
            (place, ..) => {
                let makes = matches!(settings.work, FileWorkload::Prepare { .. });
                let how = if makes { WorkspaceOpenMode::Make } else { WorkspaceOpenMode::Existing };
                match open_workspace_if_permitted(place, &settings.workspace, how, self.permits) {
                    Err(e) if makes && e.trouble == FileErrorKind::Exists && settings.clients.len() > 1 => {
                        open_shared_workspace(place, &settings.workspace, self.permits)?
                    }
                    opened => opened?,
                }
            }
        };
        create_file_job(FileJobSpec { settings, client, share, load })
    }
}

/// Opens a workspace that another client of the trial has just created; its marker may appear a moment later.
fn open_shared_workspace(
    place: &FileLocation,
    workspace: &str,
    permits: AddressFilter<'_>,
) -> Result<Box<dyn Share>, FileError> {
    let open = || open_workspace_if_permitted(place, workspace, WorkspaceOpenMode::Existing, permits);
    for _ in 0..MARKING {
        match open() {
            Err(_) => thread::sleep(RETRY_INTERVAL),
            opened => return opened,
        }
    }
    open()
}

impl FileWorker for Worker<'_> {
    fn prepare(&mut self, data: Option<&DataConnectionPool>) -> Result<(), ProbeError> {
        self.job = Some(self.open(data).map_err(to_probe_error)?);
        Ok(())
    }

    fn run_workload(
        &mut self,
        t0_ns: u64,
        t1_ns: Option<u64>,
        patience: Nanos,
        stage: &WorkloadObserver<'_>,
    ) -> FileWorkloadResult {
        let Some(job) = &mut self.job else { return FileWorkloadResult::default() };
        let JobResult { t1_ns, report, operations, series, notes, threads_ns, broken: failed } =
            job.run(t0_ns, t1_ns, patience, &StageWatch(stage));
        FileWorkloadResult {
            t1_ns,
            report,
            operations,
            series,
            notes,
            threads_ns,
            broken: failed.map(to_probe_error),
        }
    }

    fn finish(&mut self, report: &mut FileReport) -> Result<(), ProbeError> {
        self.job.as_mut().map_or(Ok(()), |job| job.finish(report)).map_err(to_probe_error)
    }
}

struct NoFileWork;

impl FileJob for NoFileWork {
    fn run(&mut self, t0_ns: u64, _: Option<u64>, _: Nanos, watch: &dyn JobObserver) -> JobResult {
        watch.measurement_window_opened(t0_ns);
        watch.measurement_window_closed(t0_ns);
        JobResult { t1_ns: t0_ns, ..JobResult::default() }
    }

    fn finish(&mut self, _: &mut FileReport) -> Result<(), FileError> {
        Ok(())
    }
}

/// Adapts the probe's stage to the job's.
struct StageWatch<'a>(&'a WorkloadObserver<'a>);

impl JobObserver for StageWatch<'_> {
    fn measurement_window_opened(&self, t0_ns: u64) {
        self.0.measurement_window_opened(t0_ns);
    }

    fn progress_updated(&self, seen: JobProgress) {
        let JobProgress { done, elapsed_ns, bytes, operations } = seen;
        self.0.progress_updated(TrialProgress { done, elapsed_ns, bytes, operations });
    }

    fn measurement_window_closed(&self, t1_ns: u64) {
        self.0.measurement_window_closed(t1_ns);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
