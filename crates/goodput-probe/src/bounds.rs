//! What an order may make an end allocate, checked before anything is: a size from outside must not abort an agent.

use crate::ProbeError;
use goodput_model::trial::{MeasurementWindow, TrialSpec};
use goodput_model::{Bytes, Nanos};
use goodput_words::message;

/// Buffers and counted intervals of one end; samples, which arrive over time, are not counted.
const MAX_END_BYTES: u64 = 4 << 30;

/// Of the warm-up, and of the window.
const MAX_TRIAL_TIME: Nanos = Nanos(366 * 24 * 3_600 * Nanos::SECOND.0);

/// Longest delay of the network: connections time out earlier. A window that arrives began at most this long ago,
/// and no error of a clock offset is larger.
pub(crate) const MAX_NETWORK_DELAY: Nanos = Nanos(60 * Nanos::SECOND.0);

pub(crate) fn validate_order(order: &TrialSpec) -> Result<(), ProbeError> {
    let (warm_up, window) = order.probe.measurement_window();
    if warm_up.max(window.unwrap_or_default()) > MAX_TRIAL_TIME {
        let days = MAX_TRIAL_TIME.0 / Nanos::SECOND.0 / 86_400;
        return Err(ProbeError::Settings(message!(error_probe_trial_too_long { days })));
    }
    let settings = order.probe.settings();
    if let Some(why) = settings.limit_error() {
        return Err(ProbeError::Settings(why.into()));
    }
    let Bytes(bytes) = settings.memory_demand();
    if bytes > MAX_END_BYTES {
        let (bytes, most) = (bytes.to_string(), MAX_END_BYTES.to_string());
        return Err(ProbeError::Settings(message!(error_probe_too_much_memory { bytes, most })));
    }
    Ok(())
}

/// Checks a window that the other end sent, on this host's clock: it must be that of the order, because threads sleep
/// until the warm-up and have memory for its length.
pub(crate) fn validate_window(
    window: &MeasurementWindow,
    warm_up: Nanos,
    length: Option<Nanos>,
    now: u64,
) -> Result<(), ProbeError> {
    let MeasurementWindow { t0_ns, t1_ns, clock_error_ns, .. } = *window;
    let latest = now.saturating_add(warm_up.0).saturating_add(4 * MAX_NETWORK_DELAY.0);
    let begins = (now.saturating_sub(MAX_NETWORK_DELAY.0)..=latest).contains(&t0_ns);
    let ends = t1_ns == length.map_or(0, |length| t0_ns.saturating_add(length.0));
    if begins && ends && clock_error_ns <= MAX_NETWORK_DELAY.0 {
        return Ok(());
    }
    Err(ProbeError::Settings("the other end sent a window that is not possible".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::datagram::Datagram;
    use goodput_model::file::{File, FileDirection, FileLocation, FileWorkload};
    use goodput_model::load::{Load, LoadWorker, MAX_WORKERS};
    use goodput_model::probe::{
        AddedCpuTime, PingPong, PingPongMethod, PingPongPattern, SocketOptions, StopCondition, Stream,
    };
    use goodput_model::trial::TrialTimeouts;
    use goodput_model::{Probe, TrialId, TrialToken};

    fn order(probe: Probe) -> TrialSpec {
        let (trial, token, deadlines) = (TrialId(1), TrialToken([7; 16]), TrialTimeouts::default());
        TrialSpec { trial, probe, token, deadlines, cpus: None, live: false, client: 0 }
    }

    fn sweep(size: u64, cold: bool) -> Probe {
        Probe::PingPong(PingPong {
            sizes: vec![Bytes(1), Bytes(size)],
            method: PingPongMethod::default(),
            pattern: PingPongPattern::PingPong,
            cold,
            integrity: false,
            socket: SocketOptions::default(),
            sample_cap: 1,
        })
    }

    #[test]
    fn ordinary_and_large_trials_fit() {
        let day = StopCondition::Time(Nanos(24 * 3_600 * Nanos::SECOND.0));
        let sender_ns_per_kib = AddedCpuTime::MAX_NS_PER_KIB;
        let added_cpu_time = AddedCpuTime { sender_ns_per_kib, receiver_ns_per_kib: 0 };
        for probe in [
            Probe::Stream(Stream::default()),
            Probe::Stream(Stream { connections: 16_384, ..Stream::default() }),
            Probe::Stream(Stream { connections: 64, stop: day, ..Stream::default() }),
            Probe::Stream(Stream { added_cpu_time, ..Stream::default() }),
            Probe::Datagram(Datagram { flows: 128, ..Datagram::default() }),
            sweep(1 << 30, true),
        ] {
            assert!(validate_order(&order(probe.clone())).is_ok(), "{probe:?}");
        }
    }

    #[test]
    fn a_window_is_near_and_as_long_as_ordered() {
        let s = Nanos::SECOND.0;
        let now = 1_000 * s;
        let valid = |t0_ns, t1_ns, clock_error_ns, length: Option<u64>| {
            let window = MeasurementWindow { t0_ns, t1_ns, clock_offset_ns: 0, clock_error_ns };
            validate_window(&window, Nanos(1_000 * s), length.map(Nanos), now).is_ok()
        };
        for t0 in [now, now + 1_001 * s, now - s] {
            assert!(valid(t0, 0, s, None) && valid(t0, t0 + s, s, Some(s)), "{t0}");
            assert!(!valid(t0, t0 + s, s, None) && !valid(t0, 0, s, Some(s)), "{t0}");
            assert!(!valid(t0, t0 + 2 * s, s, Some(s)) && !valid(t0, t0 - 1, s, Some(s)), "{t0}");
            assert!(!valid(t0, t0 + s, u64::MAX, Some(s)), "senders would continue for years");
        }
        for t0 in [0, now + 2_000 * s, u64::MAX] {
            assert!(!valid(t0, 0, s, None), "{t0}");
        }
        let early = MeasurementWindow { t0_ns: 1, ..MeasurementWindow::default() };
        assert!(validate_window(&early, Nanos(0), None, 2).is_ok(), "right after the host has started");
    }

    #[test]
    fn an_order_for_more_memory_or_time_is_refused() {
        let huge = Bytes(u64::MAX);
        let forever = Nanos(u64::MAX);
        let receiver_ns_per_kib = AddedCpuTime::MAX_NS_PER_KIB + 1;
        let slow = AddedCpuTime { sender_ns_per_kib: 0, receiver_ns_per_kib };
        let workers = vec![LoadWorker { client: 0, mix: 0 }; MAX_WORKERS];
        let (block, local, place) = (Bytes(64 << 20), None, FileLocation::Folder { path: "/".into() });
        let copy = FileWorkload::Copy { way: FileDirection::Read, size: huge, block, depth: u16::MAX, local };
        for probe in [
            Probe::File(File::new(vec![], place, String::new(), copy)),
            Probe::Stream(Stream { message: huge, ..Stream::default() }),
            Probe::Stream(Stream { read: Bytes(8 << 30), ..Stream::default() }),
            Probe::Stream(Stream { connections: 16_384, message: Bytes(1 << 20), ..Stream::default() }),
            Probe::Stream(Stream { interval: Nanos(1), ..Stream::default() }),
            Probe::Stream(Stream { stop: StopCondition::Time(forever), ..Stream::default() }),
            Probe::Stream(Stream { warm_up: forever, ..Stream::default() }),
            Probe::Stream(Stream { added_cpu_time: slow, ..Stream::default() }),
            Probe::Datagram(Datagram { stop: StopCondition::Time(forever), ..Datagram::default() }),
            Probe::Load(Load { workers: workers.clone(), outstanding: u32::MAX, ..Load::default() }),
            Probe::Load(Load { workers, interval: Nanos(1), ..Load::default() }),
            sweep(u64::MAX, false),
        ] {
            assert!(validate_order(&order(probe.clone())).is_err(), "{probe:?}");
        }
    }
}
