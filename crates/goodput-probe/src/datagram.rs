//! UDP datagrams at a rate or at maximum speed, in one or both directions, each accounted for. Definitions:
//! `docs/methods/datagram.md`. No datagram is sent to an address that has not answered a challenge
//! (`data_listener.rs`).

mod arrivals;
mod assemble;
mod header;
mod open;
mod pace;
mod receive;
mod receive_method;
mod record;
mod send;
mod send_method;
mod sequences;
mod totals_exchange;
mod variation;

use crate::data_listener::TrialRegistration;
use crate::link::{CONTROL_CONNECTION_INDEX, ProbeConnection, SocketShutdownHandle, control_socket_options};
use crate::traffic_limits::{TrafficCounts, TrafficLimit, run_within_limits};
use crate::watch::{CountsAtWindowEdges, ThreadCounters, ThreadSupervision, supervise_measurement_window};
use crate::{EndpointMeasurement, EndpointTrial, MeasurementResult, ProbeError, sys};
use assemble::FlowResult;
use goodput_model::Nanos;
use goodput_model::datagram::{Datagram, DatagramRate, MAX_PAYLOAD_IPV4, MAX_PAYLOAD_IPV6};
use goodput_model::probe::{StopCondition, TransferDirection};
use goodput_model::trial::{EndpointRole, MeasurementWindow};
use goodput_words::{Message, message};
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use totals_exchange::{PeerTotals, TotalsExchange};

/// Longest single wait of a measuring thread before it checks its flags.
const STEP: u64 = 50_000_000;
/// Flows per direction: each has a thread, a socket and up to 1 MiB of buffers.
const MAX_FLOWS: u16 = 128;
const MAX_BURST: u32 = 65_536;

pub(crate) fn run_connecting_end(
    trial: EndpointTrial<'_>,
    settings: &Datagram,
    peer: SocketAddr,
) -> MeasurementResult {
    check(settings, peer.ip())?;
    let mut link = ProbeConnection::open_control(trial.order, peer)?;
    let sockets = open::connect_flows(peer, trial.order, flows(settings))?;
    let parts = parts(settings, EndpointRole::Connect, sockets, peer.ip())?;
    check_burst(trial, settings)?;
    let window = link.propose_measurement_window(trial.order.probe.measurement_window())?;
    Ok(run(trial, settings, link, parts, window))
}

pub(crate) fn run_listening_end(
    trial: EndpointTrial<'_>,
    settings: &Datagram,
    expected: TrialRegistration,
) -> MeasurementResult {
    let mut link = ProbeConnection::accept(&expected, trial.order, &control_socket_options())?;
    let peer = link.stream.peer_addr().map_or(expected.local_addr().ip(), |a| a.ip());
    check(settings, peer)?;
    if link.index != CONTROL_CONNECTION_INDEX {
        return Err(link.unexpected_message_error());
    }
    let sockets = open::accept_flows(&expected, trial.order, &link, flows(settings))?;
    let parts = parts(settings, EndpointRole::Listen, sockets, peer)?;
    check_burst(trial, settings)?;
    let window = link.receive_measurement_window(trial.order.probe.measurement_window())?;
    Ok(run(trial, settings, link, parts, window))
}

fn largest(peer: IpAddr) -> u64 {
    if peer.to_canonical().is_ipv4() { MAX_PAYLOAD_IPV4 } else { MAX_PAYLOAD_IPV6 }
}

fn check(settings: &Datagram, peer: IpAddr) -> Result<(), ProbeError> {
    let fail = |why: Message| Err(ProbeError::Settings(why));
    let (size, most) = (settings.size.0, largest(peer));
    if size == 0 || size > most {
        let (size, most) = (size.to_string(), most.to_string());
        return fail(message!(error_probe_datagram_size { size, most }));
    }
    if settings.flows == 0 || settings.flows > MAX_FLOWS {
        return fail(message!(error_probe_datagram_flows { most: MAX_FLOWS.to_string() }));
    }
    if settings.burst == 0 || settings.burst > MAX_BURST {
        return fail(message!(error_probe_datagram_burst { most: MAX_BURST.to_string() }));
    }
    if settings.rate == Some(DatagramRate::Bits(goodput_model::BitRate(0))) {
        return fail(
            "a rate of zero sends nothing: omit the rate to send as fast as the kernel accepts datagrams"
                .into(),
        );
    }
    if settings.datagrams_per_second().is_some_and(|r| !r.is_finite() || r <= 0.0 || r > 1e9) {
        return fail("a rate must be above 0 and at most 1,000,000,000 datagrams a second".into());
    }
    if settings.interval.0 < 1_000_000 {
        return fail("an interval must be of 1 ms or more".into());
    }
    if matches!(
        settings.stop,
        StopCondition::Count(0)
            | StopCondition::Bytes(goodput_model::Bytes(0))
            | StopCondition::Time(Nanos(0))
    ) {
        return fail("a trial of no length has no result".into());
    }
    let socket = &settings.socket;
    if socket.congestion.is_some() || socket.no_delay.is_some() || socket.segment_size.is_some() {
        return fail("UDP has no congestion control, no TCP_NODELAY and no TCP segments".into());
    }
    Ok(())
}

/// What leaves at once counts for a policy's rate too; a single datagram cannot be divided. To be called when
/// the connection is open, so that its end tells the other end.
fn check_burst(trial: EndpointTrial<'_>, settings: &Datagram) -> Result<(), ProbeError> {
    let burst = u64::from(pace::burst(settings)).saturating_mul(settings.size.0);
    let admitted = burst <= settings.size.0 || trial.observer.traffic_limits().admits_burst(burst);
    if admitted { Ok(()) } else { Err(ProbeError::LimitReached(TrafficLimit::Rate)) }
}

/// Of the whole trial; those of the sending direction come first.
fn flows(settings: &Datagram) -> u16 {
    settings.flows * settings.direction.one_way_directions().len() as u16
}

/// Datagrams of flow `nth` of a direction, unless the trial ends by time.
fn share(settings: &Datagram, nth: u16) -> Option<u64> {
    let total = match settings.stop {
        StopCondition::Time(_) => return None,
        StopCondition::Bytes(bytes) => bytes.0.div_ceil(settings.size.0),
        StopCondition::Count(datagrams) => datagrams,
    };
    let flows = u64::from(settings.flows);
    Some(total / flows + u64::from(u64::from(nth) < total % flows))
}

struct DatagramEnd {
    socket: UdpSocket,
    index: u16,
    nth: u16,
    direction: TransferDirection,
    receives: bool,
    goal: Option<u64>,
    largest: usize,
    buffer: u64,
    drops_before: Option<u32>,
}

impl DatagramEnd {
    /// Datagrams for which the socket had no room so far.
    fn dropped(&self) -> Option<u64> {
        let now = sys::datagram::socket_drop_count(self.socket.as_fd()).ok()?;
        // The kernel counts modulo 2^32.
        Some(u64::from(now.wrapping_sub(self.drops_before?)))
    }

    fn name(&self, what: &str) -> String {
        let direction = if self.direction == TransferDirection::Receive { "receive" } else { "send" };
        format!("{what}-{direction}-{}", self.nth)
    }
}

fn parts(
    settings: &Datagram,
    role: EndpointRole,
    sockets: Vec<UdpSocket>,
    peer: IpAddr,
) -> Result<Vec<DatagramEnd>, ProbeError> {
    let part = |(index, socket): (u16, UdpSocket)| {
        let (nth, which) = (index % settings.flows, index / settings.flows);
        let direction = settings.direction.one_way_directions()[usize::from(which)];
        let receives = (direction == TransferDirection::Receive) == (role == EndpointRole::Connect);
        let buffer = open::configure_socket(&socket, &settings.socket, receives)?;
        Ok(DatagramEnd {
            buffer,
            // Before the window is agreed: from then on datagrams arrive.
            drops_before: sys::datagram::socket_drop_count(socket.as_fd()).ok(),
            socket,
            index,
            nth,
            direction,
            receives,
            goal: share(settings, nth),
            largest: largest(peer) as usize,
        })
    };
    (0..).zip(sockets).map(part).collect()
}

/// Both ends: one thread per flow, one for totals, one supervisor.
fn run(
    EndpointTrial { order, observer, cancel }: EndpointTrial<'_>,
    settings: &Datagram,
    mut link: ProbeConnection,
    parts: Vec<DatagramEnd>,
    window: MeasurementWindow,
) -> EndpointMeasurement {
    let counters: Vec<ThreadCounters> = parts.iter().map(|_| ThreadCounters::default()).collect();
    let heard: Vec<AtomicU64> = parts.iter().map(|_| AtomicU64::new(0)).collect();
    let (shared, abort) = (ThreadSupervision::new(parts.len()), AtomicBool::new(false));
    let mut samples = CountsAtWindowEdges::new(parts.len());
    let (tell, told_here) = channel();
    let traffic = || {
        let counted: TrafficCounts = counters.iter().map(ThreadCounters::traffic).sum();
        // They arrived, too.
        let dropped: u64 = parts.iter().filter(|p| p.receives).filter_map(DatagramEnd::dropped).sum();
        let received = counted.received + dropped * settings.size.0;
        TrafficCounts { received, unpaced: parts.len() as u64 * settings.size.0, ..counted }
    };
    let waits = SocketShutdownHandle::new(&link, None);
    let end = || {
        // Both ends learn it at once.
        waits.shut_down_sockets();
        shared.stop.store(true, Ordering::Release);
        abort.store(true, Ordering::Relaxed);
        shared.wake_supervisor();
    };
    let work = || {
        std::thread::scope(|scope| {
            let threads: Vec<_> = parts
                .iter()
                .zip(&counters)
                .zip(&heard)
                .map(|((part, counter), heard)| {
                    let (shared, abort, tell) = (&shared, &abort, tell.clone());
                    scope.spawn(move || {
                        let entered = counter.bind_to_thread(&order.cpus, usize::from(part.index));
                        sys::unshare_descriptor_table(part.socket.as_raw_fd());
                        let end = receive::ReceiveStopSignals { heard, abort };
                        let done = match entered {
                            Err(e) => {
                                shared.deregister_thread(counter, true);
                                FlowResult::Failed(e)
                            }
                            Ok(()) if part.receives => FlowResult::Received(Box::new(receive::run_receiver(
                                part, settings, &window, counter, shared, &end,
                            ))),
                            Ok(()) => {
                                FlowResult::Sent(send::run_sender(part, settings, &window, counter, shared))
                            }
                        };
                        // The receiver may have ended.
                        let _ = tell.send((part.index, done.flow_totals(part.receives)));
                        done
                    })
                })
                .collect();
            drop(tell);
            let farewell = TotalsExchange {
                parts: &parts,
                counters: &counters,
                heard: &heard,
                window: &window,
                progress: order.deadlines.progress,
                shared: &shared,
                abort: &abort,
            };
            let link = &mut link;
            let talk = scope.spawn(move || farewell.exchange_totals(link, told_here));
            supervise_measurement_window(&window, &shared, observer, cancel, |moment| {
                samples.record_counts_at_edge(moment, &counters);
                assemble::compute_progress(&samples, &parts, &counters)
            });
            if cancel.is_cancelled() || shared.has_thread_failed() {
                abort.store(true, Ordering::Relaxed);
            }
            let panicked = |_| FlowResult::Failed(ProbeError::thread_panicked());
            let done = threads.into_iter().map(|t| t.join().unwrap_or_else(panicked)).collect();
            let failed = |_| PeerTotals::from_error(parts.len(), ProbeError::thread_panicked());
            (done, talk.join().unwrap_or_else(failed))
        })
    };
    let (done, told): (Vec<FlowResult>, PeerTotals) = run_within_limits(observer, cancel, traffic, end, work);
    assemble::assemble_result(settings, window, &parts, done, told, &samples, cancel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::{BitRate, Bytes};
    use std::net::{Ipv4Addr, Ipv6Addr};

    #[test]
    fn impossible_settings_are_refused() {
        let (v4, v6) = (IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST));
        let mapped = IpAddr::from(Ipv4Addr::LOCALHOST.to_ipv6_mapped());
        let of = |size| Datagram { size: Bytes(size), ..Datagram::default() };
        assert!(check(&of(65_507), v4).is_ok() && check(&of(1), v4).is_ok());
        assert!(check(&of(65_508), v4).is_err() && check(&of(65_508), mapped).is_err());
        assert!(check(&of(65_527), v6).is_ok() && check(&of(65_528), v6).is_err());
        let rate = |rate| Datagram { rate: Some(rate), ..Datagram::default() };
        for bad in [
            of(0),
            rate(DatagramRate::Bits(BitRate(0))),
            rate(DatagramRate::Datagrams(0.0)),
            rate(DatagramRate::Datagrams(f64::NAN)),
            Datagram { flows: 0, ..Datagram::default() },
            Datagram { burst: 0, ..Datagram::default() },
            Datagram { interval: Nanos(1), ..Datagram::default() },
            Datagram { stop: StopCondition::Count(0), ..Datagram::default() },
        ] {
            assert!(check(&bad, v4).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_count_is_shared_to_the_last_datagram() {
        let (stop, size) = (StopCondition::Bytes(Bytes(9_500)), Bytes(1000));
        let settings = Datagram { flows: 3, size, stop, ..Datagram::default() };
        assert_eq!([0, 1, 2].map(|n| share(&settings, n)), [Some(4), Some(3), Some(3)]);
    }
}
