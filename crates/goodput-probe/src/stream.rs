//! Bulk TCP in one or both directions over one or more connections. The receiver counts: a byte belongs to
//! the window if its `read` completed inside. See `docs/methods/stream.md`.

mod added_work;
mod receive;
mod send;

use crate::data_listener::TrialRegistration;
use crate::interval_counter::IntervalCounts;
use crate::link::{
    CONTROL_CONNECTION_INDEX, ConnectionDialer, ProbeConnection, abort_connection, control_socket_options,
};
use crate::socket::{self, NonUserDataBytes, TCP_INFO_COLUMNS, TcpInfo};
use crate::time::now_ns;
use crate::traffic_limits::{TrafficCounts, run_within_limits};
use crate::watch::{
    CountsAtWindowEdges, SampleMoment, ThreadCounters, ThreadSupervision, supervise_measurement_window,
};
use crate::{
    CancelFlag, EndpointMeasurement, EndpointTrial, MeasurementResult, ProbeError, TrialProgress, sys,
};
use goodput_model::Series;
use goodput_model::probe::{StopCondition, Stream, TransferDirection};
use goodput_model::trial::{EndpointRole, Flow, IntervalTcpStatistics, MeasurementWindow, TcpStatistics};
use std::net::{Shutdown, SocketAddr};
use std::os::fd::AsRawFd;

pub(crate) fn run_connecting_end(
    trial: EndpointTrial<'_>,
    settings: &Stream,
    peer: SocketAddr,
) -> MeasurementResult {
    validate_settings(settings)?;
    let order = trial.order;
    let mut talk = ProbeConnection::open_control(order, peer)?;
    let dial = ConnectionDialer { peer, order, socket: &settings.socket };
    let count = connection_count(settings);
    let links = (0..count).map(|i| dial.open_without_handshake_status(i)).collect::<Result<_, _>>()?;
    let window = talk.propose_measurement_window(order.probe.measurement_window())?;
    drop(talk);
    Ok(run_with_concurrent_probe::<()>(trial, settings, EndpointRole::Connect, links, window, None).0)
}

pub(crate) fn run_listening_end(
    trial: EndpointTrial<'_>,
    settings: &Stream,
    expected: TrialRegistration,
) -> MeasurementResult {
    validate_settings(settings)?;
    // Before the control connection is answered: then the other end opens the measured ones.
    let congestion = expected.request_congestion_control(&settings.socket);
    let mut talk = ProbeConnection::accept(&expected, trial.order, &control_socket_options())?;
    let mut links = (0..connection_count(settings))
        .map(|_| ProbeConnection::accept_without_handshake_status(&expected, trial.order, &settings.socket))
        .collect::<Result<Vec<_>, _>>()?;
    drop(congestion);
    sort_and_check_connection_indices(&talk, &mut links)?;
    let window = talk.receive_measurement_window(trial.order.probe.measurement_window())?;
    drop(talk);
    Ok(run_with_concurrent_probe::<()>(trial, settings, EndpointRole::Listen, links, window, None).0)
}

/// Sorts accepted connections by their index, and checks that all came, and `talk` first.
pub(crate) fn sort_and_check_connection_indices(
    talk: &ProbeConnection,
    links: &mut [ProbeConnection],
) -> Result<(), ProbeError> {
    links.sort_by_key(|l| l.index);
    let complete = links.iter().enumerate().all(|(i, l)| usize::from(l.index) == i);
    if talk.index == CONTROL_CONNECTION_INDEX && complete {
        return Ok(());
    }
    Err(talk.unexpected_message_error())
}

pub(crate) fn validate_settings(settings: &Stream) -> Result<(), ProbeError> {
    let fail = |why: &str| Err(ProbeError::Settings(why.into()));
    if settings.connections == 0 || settings.message.0 == 0 || settings.read.0 == 0 {
        return fail("connections, message size and read size must be at least 1");
    }
    if settings.connections > 16_384 {
        return fail("at most 16,384 connections in each direction");
    }
    Ok(())
}

/// Of the whole trial; those of the sending direction come first.
fn connection_count(settings: &Stream) -> u16 {
    settings.connections * settings.direction.one_way_directions().len() as u16
}

/// User bytes of connection `nth`, unless the trial ends by time.
fn share(settings: &Stream, nth: u16) -> Option<u64> {
    let n = u64::from(settings.connections);
    let total = match settings.stop {
        StopCondition::Time(_) => return None,
        StopCondition::Bytes(bytes) => bytes.0,
        StopCondition::Count(messages) => {
            let part = messages / n + u64::from(u64::from(nth) < messages % n);
            return Some(part.saturating_mul(settings.message.0));
        }
    };
    Some(total / n + u64::from(u64::from(nth) < total % n))
}

struct ThreadResult {
    account: IntervalCounts,
    /// Bytes and calls over the whole trial.
    sent: (u64, u64),
    tcp: Option<TcpStatistics>,
    zero_copy: Option<(u64, u64)>,
    error: Option<ProbeError>,
}

impl ThreadResult {
    fn failed(window: &MeasurementWindow, error: ProbeError) -> ThreadResult {
        ThreadResult {
            account: IntervalCounts::empty(window),
            sent: (0, 0),
            tcp: None,
            zero_copy: None,
            error: Some(error),
        }
    }
}

struct Connection {
    link: ProbeConnection,
    direction: TransferDirection,
    receives: bool,
    /// True at the listening end, which sends the status byte before its data, or after receiving.
    listens: bool,
    goal: Option<u64>,
}

impl Connection {
    fn overhead(&self, fin_sent: bool, fin_received: bool) -> NonUserDataBytes {
        let link = self.link.non_user_data_bytes(fin_sent, fin_received);
        NonUserDataBytes {
            acked: link.acked + u64::from(self.listens && !self.receives),
            received: link.received + u64::from(!self.listens && self.receives),
        }
    }
}

/// A measuring thread of another probe beside a stream, in the same window.
pub(crate) struct ConcurrentProbe<'a, T> {
    /// Returns why it broke off, if it did.
    pub work: MeasureFn<'a, T>,
    pub unblock: Box<dyn Fn() + 'a>,
}

/// Minimum time for an [`ConcurrentProbe`] after the window.
const MIN_PATIENCE_NS: u64 = 5_000_000_000;

pub(crate) type MeasureFn<'a, T> =
    Box<dyn FnOnce(&ThreadCounters, &ThreadSupervision) -> (T, Option<ProbeError>) + Send + 'a>;

/// Runs a stream's connections and the extra thread in the agreed window.
pub(crate) fn run_with_concurrent_probe<T: Send>(
    EndpointTrial { order, observer, cancel }: EndpointTrial<'_>,
    settings: &Stream,
    role: EndpointRole,
    links: Vec<ProbeConnection>,
    window: MeasurementWindow,
    extra: Option<ConcurrentProbe<'_, T>>,
) -> (EndpointMeasurement, Option<T>) {
    let connections: Vec<Connection> =
        links.into_iter().map(|link| connection(settings, role, link)).collect();
    let threads = connections.len() + usize::from(extra.is_some());
    let counters: Vec<ThreadCounters> = (0..threads).map(|_| ThreadCounters::default()).collect();
    let shared = ThreadSupervision::new(threads);
    let mut samples = Samples::new(threads);
    let (extra_work, unblock) = extra.map_or((None, None), |b| (Some(b.work), Some(b.unblock)));
    let traffic = || -> TrafficCounts {
        let tcp = connections.iter().filter_map(|c| TcpInfo::read(&c.link.stream)).map(|info| info.traffic());
        tcp.chain(counters.iter().map(ThreadCounters::traffic)).sum()
    };
    let end = || {
        connections.iter().for_each(|connection| abort_connection(&connection.link.stream));
        shared.wake_supervisor();
    };
    let work = || {
        std::thread::scope(|scope| {
            let other = extra_work.map(|work| {
                let (shared, counter, place) = (&shared, &counters[connections.len()], connections.len());
                scope.spawn(move || {
                    let _ = counter.bind_to_thread(&order.cpus, place);
                    let (value, error) = work(counter, shared);
                    shared.deregister_thread(counter, error.is_some());
                    (value, error)
                })
            });
            let threads: Vec<_> = connections
                .iter()
                .zip(&counters)
                .map(|(connection, counter)| {
                    let shared = &shared;
                    scope.spawn(move || {
                        let own = settings.receiver_cpu.filter(|_| connection.receives).map(|cpu| vec![cpu]);
                        let cpus = if own.is_some() { &own } else { &order.cpus };
                        let entered = counter.bind_to_thread(cpus, usize::from(connection.link.index));
                        sys::unshare_descriptor_table(connection.link.stream.as_raw_fd());
                        let done = match entered {
                            Err(e) => ThreadResult::failed(&window, e),
                            Ok(()) if connection.receives => {
                                receive::run_receiver(connection, settings, &window, counter, shared)
                            }
                            Ok(()) => send::run_sender(connection, settings, &window, counter, shared),
                        };
                        if done.error.is_some() {
                            let _ = connection.link.stream.shutdown(Shutdown::Both);
                        }
                        shared.deregister_thread(counter, done.error.is_some());
                        done
                    })
                })
                .collect();
            supervise_measurement_window(&window, &shared, observer, cancel, |moment| {
                samples.take(moment, &window, &connections, &counters)
            });
            if cancel.is_cancelled() || shared.has_thread_failed() {
                for connection in &connections {
                    let _ = connection.link.stream.shutdown(Shutdown::Both);
                }
            }
            if let (Some(other), Some(unblock)) = (&other, unblock) {
                // The extra thread may continue after the window, within the usual limit.
                let patience = order.deadlines.progress.0.max(MIN_PATIENCE_NS);
                let until = if window.t1_ns == 0 { u64::MAX } else { window.t1_ns.saturating_add(patience) };
                while !other.is_finished() {
                    if cancel.is_cancelled() || shared.has_thread_failed() || now_ns() >= until {
                        unblock();
                        break;
                    }
                    std::thread::park_timeout(std::time::Duration::from_millis(20));
                }
            }
            let done = threads
                .into_iter()
                .map(|t| {
                    t.join().unwrap_or_else(|_| ThreadResult::failed(&window, ProbeError::thread_panicked()))
                })
                .collect();
            (done, other.map(|t| t.join()))
        })
    };
    let (done, other): (Vec<ThreadResult>, _) = run_within_limits(observer, cancel, traffic, end, work);
    let mut measured = assemble(settings, window, connections, done, samples, cancel);
    let value = match other {
        Some(Ok((value, error))) => {
            measured.broken = measured.broken.or(error);
            Some(value)
        }
        Some(Err(_)) => {
            measured.broken = Some(ProbeError::thread_panicked());
            None
        }
        None => None,
    };
    (measured, value)
}

fn connection(settings: &Stream, role: EndpointRole, link: ProbeConnection) -> Connection {
    let (nth, which) = (link.index % settings.connections, link.index / settings.connections);
    let direction = settings.direction.one_way_directions()[usize::from(which)];
    let receives = (direction == TransferDirection::Receive) == (role == EndpointRole::Connect);
    let listens = role == EndpointRole::Listen;
    Connection { link, direction, receives, listens, goal: share(settings, nth) }
}

struct Samples {
    edges: CountsAtWindowEdges,
    /// Of each connection at each edge of the window, with the time.
    readings: [Vec<Option<(u64, TcpStatistics)>>; 2],
    info: Vec<Vec<(i64, [i64; TCP_INFO_COLUMNS.len()])>>,
}

impl Samples {
    fn new(n: usize) -> Samples {
        let readings = [vec![None; n], vec![None; n]];
        Samples { edges: CountsAtWindowEdges::new(n), readings, info: vec![Vec::new(); n] }
    }

    fn tcp_window(&self, connection: usize) -> Option<IntervalTcpStatistics> {
        let [opened, closed] = self.readings.each_ref().map(|readings| readings[connection]);
        Some(IntervalTcpStatistics::from_readings(opened?, closed?))
    }

    fn take(
        &mut self,
        moment: SampleMoment,
        window: &MeasurementWindow,
        connections: &[Connection],
        counters: &[ThreadCounters],
    ) -> TrialProgress {
        self.edges.record_counts_at_edge(moment, counters);
        // Of the extra thread.
        let operations = counters.get(connections.len()).zip(self.edges.opened.get(connections.len()));
        let operations =
            operations.map_or(0, |(now, opened)| now.all_counter_values().2.saturating_sub(opened.2));
        let mut progress = TrialProgress { operations, ..TrialProgress::default() };
        let mut goals = Some((0, 0));
        let edge = moment.edge();
        for (i, (connection, counter)) in connections.iter().zip(counters).enumerate() {
            let asked = edge.is_some() || !connection.receives;
            let info = asked.then(|| TcpInfo::read(&connection.link.stream)).flatten();
            // The reading waits for the socket's lock, which a thread without a CPU may hold.
            let now = now_ns();
            let (bytes, _) = counter.byte_and_syscall_counts();
            if let (Some(edge), Some(info)) = (edge, info) {
                let tcp = info.user_data_statistics(connection.overhead(false, false));
                self.readings[edge][i] = Some((now, tcp));
            }
            if connection.receives {
                progress.bytes += bytes.saturating_sub(self.edges.opened[i].0);
            } else if let Some(info) = info {
                self.info[i].push((now.saturating_sub(window.t0_ns) as i64, info.time_series_row()));
            }
            goals = goals.zip(connection.goal).map(|((did, all), goal)| (did + bytes, all + goal));
        }
        progress.done = goals.filter(|g| g.1 > 0).map(|(did, all)| did as f64 / all as f64);
        progress
    }
}

fn assemble(
    settings: &Stream,
    window: MeasurementWindow,
    connections: Vec<Connection>,
    done: Vec<ThreadResult>,
    samples: Samples,
    cancel: &CancelFlag,
) -> EndpointMeasurement {
    let mut measured = EndpointMeasurement {
        window,
        threads_ns: samples.edges.window_cpu_ns(),
        ..EndpointMeasurement::default()
    };
    let by_time = window.t1_ns != 0;
    let received = || connections.iter().zip(&done).filter(|(p, _)| p.receives).map(|(_, d)| &d.account);
    let at_hand: Vec<&IntervalCounts> = if received().next().is_some() {
        received().collect()
    } else {
        done.iter().map(|d| &d.account).collect()
    };
    if !by_time {
        // From t0 to the receiver's last byte. The sender of a one-way trial knows only its last
        // acknowledgement; its window is for CPU accounting, not goodput.
        measured.window.t0_ns = at_hand.iter().map(|a| a.t0).min().unwrap_or(window.t0_ns);
        measured.window.t1_ns = at_hand.iter().map(|a| a.t1).max().unwrap_or(window.t0_ns);
    }
    if by_time && (cancel.is_cancelled() || done.iter().any(|d| d.error.is_some())) {
        // Broken off: the window ends with the counting, for a valid partial rate.
        let counted = done.iter().map(|d| d.account.t1).max().unwrap_or(window.t1_ns);
        measured.window.t1_ns = counted.clamp(window.t0_ns, window.t1_ns);
    }
    for (i, (connection, done)) in connections.iter().zip(done).enumerate() {
        let name = |what: &str| {
            format!(
                "{what}-{}-{}",
                direction_name(connection.direction),
                connection.link.index % settings.connections
            )
        };
        let a = done.account;
        let (window_bytes, calls) = if connection.receives {
            measured
                .series
                .push(Series::new(name("intervals"), vec![("end_ns", a.ends), ("bytes", a.bytes)]));
            (a.window, a.calls)
        } else {
            measured.series.push(info_series(name("tcp-info"), &samples.info[i]));
            // Without a fixed end, everything sent is in the window.
            let (sent, edges) = ((done.sent.0, done.sent.1, 0), &samples.edges);
            let (opened, closed) =
                if by_time { (edges.opened[i], edges.closed[i]) } else { ((0, 0, 0), sent) };
            (closed.0.saturating_sub(opened.0), closed.1.saturating_sub(opened.1))
        };
        let total = a.before + a.window + a.after;
        let before = if connection.receives {
            a.before
        } else {
            total.min(if by_time { samples.edges.opened[i].0 } else { 0 })
        };
        measured.operations += window_bytes / settings.message.0;
        measured.flows.push(Flow {
            index: connection.link.index,
            direction: connection.direction,
            receives: connection.receives,
            before_bytes: before,
            window_bytes,
            after_bytes: total.saturating_sub(before + window_bytes),
            calls,
            first_byte_ns: a.first,
            last_byte_ns: a.last,
            socket: socket::read_effective_socket_options(&connection.link.stream, &settings.socket),
            tcp: done.tcp,
            tcp_window: if by_time { samples.tcp_window(i) } else { None },
            thread: samples.edges.thread_time(i),
            zero_copy: done.zero_copy,
            ..Flow::default()
        });
        measured.broken = measured.broken.or(done.error);
    }
    measured.broken = cancel.cancelled_error().or(measured.broken);
    measured
}

fn direction_name(direction: TransferDirection) -> &'static str {
    if direction == TransferDirection::Receive { "receive" } else { "send" }
}

fn info_series(name: String, rows: &[(i64, [i64; TCP_INFO_COLUMNS.len()])]) -> Series {
    let mut columns = vec![("t_ns", rows.iter().map(|r| r.0).collect())];
    for (i, column) in TCP_INFO_COLUMNS.into_iter().enumerate() {
        columns.push((column, rows.iter().map(|r| r.1[i]).collect()));
    }
    Series::new(name, columns)
}
