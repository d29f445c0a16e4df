//! A client's file work: runs `goodput-file`'s job as the probe's player.

use super::convert_errors::to_probe_error;
use super::load_file;
use super::remote::{NetworkWire, RemoteSinkShare};
use goodput_file::mix::net_job;
use goodput_file::place::{Opening, open_place};
use goodput_file::{FileError, FileErrorKind, Job, JobOrder, JobProgress, JobResult, Share, Watch, job};
use goodput_model::Nanos;
use goodput_model::file::{AgentSink, File, FileLocation, FileReport, FileWork};
use goodput_model::trial::TrialSpec;
use goodput_probe::file::{Data, Played, Player, Stage};
use goodput_probe::{Cancel, Measured, Observer, ProbeError, Progress};
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

/// Attempts to find the marker in a workspace that another client is creating.
const MARKING: u32 = 40;
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

pub(crate) fn run_connecting_end(
    order: &TrialSpec,
    settings: &File,
    peer: SocketAddr,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    let mut worker = Worker { settings, client: order.client, job: None };
    goodput_probe::file::work(order, settings, peer, observer, cancel, &mut worker)
}

struct Worker<'a> {
    settings: &'a File,
    client: u16,
    job: Option<Box<dyn Job>>,
}

impl Worker<'_> {
    fn open(&self, data: Option<&Data>) -> Result<Box<dyn Job>, FileError> {
        let (settings, client) = (self.settings, self.client);
        let load = load_file::load_file(&settings.work)?;
        let share: Box<dyn Share> = match (&settings.place, data, &settings.work) {
            (FileLocation::Sink { sink: AgentSink::Net }, Some(data), FileWork::Mix { players, .. }) => {
                let wires = (0..*players).map(|_| NetworkWire::open(data)).collect::<Result<_, _>>()?;
                return net_job(settings, client, load, wires);
            }
            // A network sink has no workspace.
            (FileLocation::Sink { sink: AgentSink::Net }, ..) => return Ok(Box::new(NoFileWork)),
            (FileLocation::Sink { .. }, Some(data), _) => Box::new(RemoteSinkShare::open(data)?),
            (place, ..) => {
                let makes = matches!(settings.work, FileWork::Prepare { .. });
                let how = if makes { Opening::Make } else { Opening::Existing };
                match open_place(place, &settings.workspace, how) {
                    Err(e) if makes && e.trouble == FileErrorKind::Exists && settings.clients.len() > 1 => {
                        open_shared_workspace(place, &settings.workspace)?
                    }
                    opened => opened?,
                }
            }
        };
        job(JobOrder { settings, client, share, load })
    }
}

/// Opens a workspace that another client of the trial has just created; its marker may appear a moment later.
fn open_shared_workspace(place: &FileLocation, workspace: &str) -> Result<Box<dyn Share>, FileError> {
    for _ in 0..MARKING {
        match open_place(place, workspace, Opening::Existing) {
            Err(_) => thread::sleep(RETRY_INTERVAL),
            opened => return opened,
        }
    }
    open_place(place, workspace, Opening::Existing)
}

impl Player for Worker<'_> {
    fn prepare(&mut self, data: Option<&Data>) -> Result<(), ProbeError> {
        self.job = Some(self.open(data).map_err(to_probe_error)?);
        Ok(())
    }

    fn play(&mut self, t0_ns: u64, t1_ns: Option<u64>, patience: Nanos, stage: &Stage<'_>) -> Played {
        let Some(job) = &mut self.job else { return Played::default() };
        let JobResult { t1_ns, report, operations, series, notes, threads_ns, broken: failed } =
            job.run(t0_ns, t1_ns, patience, &StageWatch(stage));
        Played { t1_ns, report, operations, series, notes, threads_ns, broken: failed.map(to_probe_error) }
    }

    fn settle(&mut self, report: &mut FileReport) -> Result<(), ProbeError> {
        self.job.as_mut().map_or(Ok(()), |job| job.settle(report)).map_err(to_probe_error)
    }
}

struct NoFileWork;

impl Job for NoFileWork {
    fn run(&mut self, t0_ns: u64, _: Option<u64>, _: Nanos, watch: &dyn Watch) -> JobResult {
        watch.opened(t0_ns);
        watch.closed(t0_ns);
        JobResult { t1_ns: t0_ns, ..JobResult::default() }
    }

    fn settle(&mut self, _: &mut FileReport) -> Result<(), FileError> {
        Ok(())
    }
}

/// Adapts the probe's stage to the job's.
struct StageWatch<'a>(&'a Stage<'a>);

impl Watch for StageWatch<'_> {
    fn opened(&self, t0_ns: u64) {
        self.0.opened(t0_ns);
    }

    fn tick(&self, seen: JobProgress) {
        let JobProgress { done, elapsed_ns, bytes, operations } = seen;
        self.0.tick(Progress { done, elapsed_ns, bytes, operations });
    }

    fn closed(&self, t1_ns: u64) {
        self.0.closed(t1_ns);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
