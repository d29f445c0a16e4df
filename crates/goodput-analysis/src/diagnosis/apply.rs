//! The settings of a trial with an intervention.

use super::Observation;
use goodput_model::diagnosis::{Intervention, InterventionKind};
use goodput_model::file::{File, FileLocation, MAX_STORAGE_PASSES, SinkStorageKind};
use goodput_model::probe::{StopCondition, Stream, StreamReceiveMethod, TransferDirection};
use goodput_model::{BitRate, Bytes};

pub(super) const MAX_CONNECTIONS: f64 = 128.0;
/// Linux accepts no less (socket(7)).
const MIN_BUFFER: f64 = 2_304.0;
/// TCP_MIN_MSS of Linux.
const MIN_SEGMENT: f64 = 88.0;
/// A tenth of a second for each KiB, far beyond any use.
const MAX_ADDED_NS: f64 = 1e7;
/// Of a path without MSS: that of IPv6 over Ethernet with timestamps.
const USUAL_SEGMENT: u32 = 1_428;

/// `seen` is the observation whose goodput, round trip and CPU use the doses refer to.
pub fn apply_intervention(settings: &Stream, change: Intervention, seen: &Observation) -> Stream {
    let mut changed = Stream { intervention: Some(change), ..settings.clone() };
    let dose = change.dose;
    let connections = f64::from(settings.connections);
    let rate = seen.direction_bps.max(seen.goodput_bps / f64::from(directions(settings)));
    let in_flight = || rate / 8.0 * seen.round_trip_us.unwrap_or(0.0) / 1e6 / connections;
    let buffer = |explicit: Option<Bytes>| {
        let whole = explicit.map_or_else(in_flight, |bytes| bytes.0 as f64);
        Some(Bytes((whole * dose).max(MIN_BUFFER) as u64))
    };
    let added =
        |ns_per_byte: f64| (ns_per_byte * 1024.0 * (1.0 / dose - 1.0)).clamp(0.0, MAX_ADDED_NS) as u32;
    match change.kind {
        InterventionKind::Scout | InterventionKind::Baseline | InterventionKind::Sham => {}
        // Of a copy.
        InterventionKind::MemoryTarget | InterventionKind::Storage => {}
        // Of a host, not of the trial.
        InterventionKind::ReceiveBufferSetting
        | InterventionKind::SendBufferSetting
        | InterventionKind::BacklogSetting => {}
        InterventionKind::ReceiveBuffer => {
            changed.socket.receive_buffer = buffer(settings.socket.receive_buffer);
        }
        InterventionKind::SendBuffer => changed.socket.send_buffer = buffer(settings.socket.send_buffer),
        InterventionKind::Rate if dose == 0.0 => changed.socket.pacing = None,
        InterventionKind::Rate => {
            changed.socket.pacing = Some(BitRate((rate * dose / connections).max(8_000.0) as u64));
        }
        InterventionKind::Connections => {
            changed.connections = (connections * dose).round().clamp(1.0, MAX_CONNECTIONS) as u16;
        }
        InterventionKind::MessageSize => {
            changed.message = Bytes((settings.message.0 as f64 * dose).max(1.0) as u64);
        }
        InterventionKind::SegmentSize => {
            let segment = f64::from(seen.segment_bytes.unwrap_or(USUAL_SEGMENT));
            changed.socket.segment_size = Some((segment * dose).max(MIN_SEGMENT) as u32);
        }
        InterventionKind::SenderCpu => {
            changed.added_cpu_time.sender_ns_per_kib = added(seen.sender.ns_per_byte);
        }
        InterventionKind::ReceiverCpu => {
            changed.added_cpu_time.receiver_ns_per_kib = added(seen.receiver.ns_per_byte);
        }
        InterventionKind::ReceiverCopy => changed.receiver = StreamReceiveMethod::Discard,
        InterventionKind::ReceiverAway => changed.receiver_cpu = seen.receiver.other_cpu,
        InterventionKind::ReceiverBeside => changed.receiver_cpu = seen.receiver.softirq_cpu,
        InterventionKind::OneDirection => changed.direction = TransferDirection::Send,
        InterventionKind::Amount => {
            if let StopCondition::Bytes(bytes) = settings.stop {
                changed.stop = StopCondition::Bytes(Bytes((bytes.0 as f64 * dose).max(1.0) as u64));
            }
        }
    }
    changed
}

/// At the smallest dose of `cause/storage.rs`.
pub const MOST_STORAGE_PASSES: u16 = 4;

/// Of a copy to or from the disk of an agent.
pub fn apply_to_copy(settings: &File, change: Intervention) -> File {
    let mut changed = File { intervention: Some(change), ..settings.clone() };
    match change.kind {
        // It takes and gives data of any amount in the memory of the process. A sink that keeps them has a limit, and
        // each page that it first writes takes time.
        InterventionKind::MemoryTarget => {
            changed.place = FileLocation::Sink { sink: SinkStorageKind::Null };
        }
        InterventionKind::Storage => {
            let passes = (1.0 / change.dose).round().clamp(1.0, f64::from(MAX_STORAGE_PASSES));
            changed.storage_passes = passes as u16;
        }
        _ => {}
    }
    changed
}

fn directions(settings: &Stream) -> u32 {
    settings.direction.one_way_directions().len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    use goodput_model::file::{FileDirection, FileWorkload};

    #[test]
    fn a_copy_goes_to_memory_or_several_times_through_storage() {
        let (way, size, block) = (FileDirection::Read, Bytes(1 << 30), Bytes(1 << 20));
        let place = FileLocation::Sink { sink: SinkStorageKind::Disk { path: Some("/srv".into()) } };
        let work = FileWorkload::Copy { way, size, block, depth: 8, local: None };
        let copy = File::new(vec!["a".into()], place, ".goodput-x".into(), work);
        let changed = |kind, dose| {
            let change = Intervention::new(kind, dose);
            let changed = apply_to_copy(&copy, change);
            assert_eq!((changed.intervention, &changed.work), (Some(change), &copy.work));
            (changed.place, changed.storage_passes)
        };
        let null = FileLocation::Sink { sink: SinkStorageKind::Null };
        assert_eq!(changed(InterventionKind::MemoryTarget, 1.0), (null, 1));
        assert_eq!(changed(InterventionKind::Sham, 1.0), (copy.place.clone(), 1));
        for (dose, passes) in [(0.5, 2), (0.25, 4), (0.3, 3), (0.001, 16), (4.0, 1)] {
            assert_eq!(changed(InterventionKind::Storage, dose), (copy.place.clone(), passes), "{dose}");
        }
    }
}
