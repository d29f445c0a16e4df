//! `/metrics`: what a Prometheus server is told.

use crate::jobs::JobState;
use crate::metrics::{self, Process, ScheduleMetrics, Snapshot};
use crate::problem::Problem;
use crate::route::{Call, Routes, Text};
use crate::security::Who;
use crate::state::State;
use jiff::Timestamp;

/// The route of metrics.
pub fn routes() -> Routes {
    Routes::new("metrics").get(
        "/metrics",
        Who::Reader,
        "Schedules, agents, jobs and this server, for Prometheus",
        show,
    )
}

async fn show(call: Call) -> Result<Text, Problem> {
    Ok(Text(metrics::text(&snapshot(&call.state))))
}

/// Everything as it stands now. Nothing is asked for: what is known is told.
pub(crate) fn snapshot(state: &State) -> Snapshot {
    let now = Timestamp::now();
    let mut schedules = Vec::new();
    state.schedules.each(|schedule| schedules.push(ScheduleMetrics::of(schedule, now)));
    let jobs = state.jobs.list();
    let count = |name, is: JobState| (name, jobs.iter().filter(|job| job.state == is).count() as u64);
    let hosts = state.hosts.list();
    Snapshot {
        schedules,
        watching: hosts.trouble.is_none(),
        agents: hosts.hosts,
        jobs: vec![
            count("waiting", JobState::Waiting),
            count("running", JobState::Running),
            count("stopping", JobState::Stopping),
        ],
        readers: state.hub.readers() as u64,
        process: Process::now(),
        version: state.door.version().to_string(),
    }
}
