//! A copy to or from storage.

use super::{EndObservation, Observation, StorageObservation, observe_end};
use goodput_model::file::{FileDirection, FileLocation, FileWorkload};
use goodput_model::probe::{Stream, TransferDirection};
use goodput_model::summary::TrialSummary;
use goodput_model::trial::EndpointRole;
use goodput_model::{File, Trial, TrialOutcome};

/// `None` for other work on files and without a whole copy, which has no rate.
pub(super) fn observe_copy(trial: &Trial, summary: &TrialSummary, settings: &File) -> Option<Observation> {
    let FileWorkload::Copy { way, .. } = &settings.work else { return None };
    // With the flush.
    let goodput_bps = summary.goodput_bps.filter(|_| trial.outcome == TrialOutcome::Complete)? as f64;
    let file = summary.file_summary()?;
    let direction = match way {
        FileDirection::Write => TransferDirection::Send,
        FileDirection::Read => TransferDirection::Receive,
    };
    let end = |role: EndpointRole, receives: bool| {
        let end = trial.endpoint_report(role)?;
        let cpu = summary.hosts.iter().find(|host| host.role == role).and_then(|host| host.cpu.as_ref());
        // The threads that move a copy are not counted one by one.
        let running = cpu.map_or(0.0, |cpu| (cpu.probe_threads_percent / 100.0).min(1.0));
        Some(EndObservation { running, ..observe_end(summary, end, direction, receives) })
    };
    let (sender, receiver) = match way {
        FileDirection::Write => (EndpointRole::Connect, EndpointRole::Listen),
        FileDirection::Read => (EndpointRole::Listen, EndpointRole::Connect),
    };
    let storage_end = match settings.place {
        FileLocation::Folder { .. } => EndpointRole::Connect,
        FileLocation::Smb { .. } | FileLocation::Nfs { .. } | FileLocation::Sink { .. } => {
            EndpointRole::Listen
        }
    };
    let share = |percent: f64| (percent / 100.0).clamp(0.0, 1.0);
    Some(Observation {
        settings: Stream { direction, ..Stream::default() },
        complete: true,
        goodput_bps,
        direction_bps: goodput_bps,
        elapsed_s: summary.elapsed_ns as f64 / 1e9,
        sender: end(sender, false).unwrap_or_default(),
        receiver: end(receiver, true).unwrap_or_default(),
        limit_share: summary.percent_of_limit.map(|percent| percent / 100.0),
        half_duplex: trial.medium.as_ref().is_some_and(|m| m.half_duplex),
        shared_bus: trial.bus.as_ref().is_some_and(|bus| bus.shared),
        storage: Some(StorageObservation {
            host: trial.endpoint_report(storage_end).map(|end| end.host.clone()).unwrap_or_default(),
            busy: file.place_disk.as_ref().map(|disk| share(disk.busy_percent)),
            waited: file.place_wait_percent.map(share),
        }),
        ..Observation::default()
    })
}
