//! Bulk TCP in one or both directions over one or more connections. The receiver counts: a byte belongs to
//! the window if its `read` completed inside. See `docs/methods/stream.md`.

mod receive;
mod send;

use crate::data_listener::Expected;
use crate::interval_counter::Account;
use crate::link::{CONTROL, Dial, Link, control_options};
use crate::socket::{self, INFO_COLUMNS, Info, Overhead};
use crate::watch::{Counter, SampleMoment, Shared, supervise};
use crate::{Cancel, Measured, Observer, ProbeError, Progress, sys};
use goodput_model::Series;
use goodput_model::probe::{StopCondition, Stream, TransferDirection};
use goodput_model::trial::{EndRole, Flow, MeasurementWindow, TcpStatistics, TrialSpec};
use std::net::{Shutdown, SocketAddr};
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;

pub(crate) fn connect(
    order: &TrialSpec,
    settings: &Stream,
    peer: SocketAddr,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    let control = control_options();
    let opened = check(settings).and_then(|()| {
        let mut talk = Dial { peer, order, socket: &control }.open(CONTROL)?;
        let dial = Dial { peer, order, socket: &settings.socket };
        let links = (0..connection_count(settings))
            .map(|i| dial.open_unanswered(i))
            .collect::<Result<Vec<_>, _>>()?;
        let (warm_up, length) = settings.stop.measurement_window(settings.warm_up);
        let window = talk.agree(warm_up, length)?;
        Ok((links, window))
    });
    run(order, settings, EndRole::Connect, opened, observer, cancel)
}

pub(crate) fn listen(
    order: &TrialSpec,
    settings: &Stream,
    expected: Expected,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    let opened = check(settings).and_then(|()| {
        let mut talk = Link::take(&expected, order, &control_options())?;
        let mut links = (0..connection_count(settings))
            .map(|_| Link::take_unanswered(&expected, order, &settings.socket))
            .collect::<Result<Vec<_>, _>>()?;
        links.sort_by_key(|l| l.index);
        if talk.index != CONTROL || links.iter().enumerate().any(|(i, l)| usize::from(l.index) != i) {
            return Err(talk.out_of_order());
        }
        let window = talk.follow()?;
        Ok((links, window))
    });
    run(order, settings, EndRole::Listen, opened, observer, cancel)
}

pub(crate) fn check(settings: &Stream) -> Result<(), ProbeError> {
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
    settings.connections * settings.direction.single_directions().len() as u16
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
    account: Account,
    /// Bytes and calls over the whole trial.
    sent: (u64, u64),
    tcp: Option<TcpStatistics>,
    zero_copy: Option<(u64, u64)>,
    error: Option<ProbeError>,
}

impl ThreadResult {
    fn failed(window: &MeasurementWindow, error: ProbeError) -> ThreadResult {
        ThreadResult {
            account: Account::empty(window),
            sent: (0, 0),
            tcp: None,
            zero_copy: None,
            error: Some(error),
        }
    }
}

struct Connection {
    link: Link,
    direction: TransferDirection,
    receives: bool,
    /// True at the listening end, which sends the status byte before its data, or after receiving.
    listens: bool,
    goal: Option<u64>,
}

impl Connection {
    fn overhead(&self, fin_sent: bool, fin_received: bool) -> Overhead {
        let link = self.link.overhead(fin_sent, fin_received);
        Overhead {
            acked: link.acked + u64::from(self.listens && !self.receives),
            received: link.received + u64::from(!self.listens && self.receives),
        }
    }
}

fn run(
    order: &TrialSpec,
    settings: &Stream,
    role: EndRole,
    opened: Result<(Vec<Link>, MeasurementWindow), ProbeError>,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    match opened {
        Ok((links, window)) => {
            run_with_extra_thread::<()>(order, settings, role, links, window, None, observer, cancel).0
        }
        Err(e) => Measured::broken(e),
    }
}

/// A measuring thread of another probe beside a stream, in the same window.
pub(crate) struct ExtraThread<'a, T> {
    /// Returns why it broke off, if it did.
    pub work: Work<'a, T>,
    pub unblock: Box<dyn Fn() + 'a>,
}

/// Minimum time for an [`ExtraThread`] after the window.
const MIN_PATIENCE_NS: u64 = 5_000_000_000;

pub(crate) type Work<'a, T> = Box<dyn FnOnce(&Counter, &Shared) -> (T, Option<ProbeError>) + Send + 'a>;

/// Runs a stream's connections and the extra thread in the agreed window.
#[allow(clippy::too_many_arguments)]
pub(crate) fn run_with_extra_thread<T: Send>(
    order: &TrialSpec,
    settings: &Stream,
    role: EndRole,
    links: Vec<Link>,
    window: MeasurementWindow,
    extra: Option<ExtraThread<'_, T>>,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> (Measured, Option<T>) {
    let connections: Vec<Connection> =
        links.into_iter().map(|link| connection(settings, role, link)).collect();
    let threads = connections.len() + usize::from(extra.is_some());
    let counters: Vec<Counter> = (0..threads).map(|_| Counter::default()).collect();
    let shared = Shared::new(threads);
    let mut samples = Samples::new(threads);
    let (work, unblock) = extra.map_or((None, None), |b| (Some(b.work), Some(b.unblock)));
    let (done, other): (Vec<ThreadResult>, _) = std::thread::scope(|scope| {
        let other = work.map(|work| {
            let (shared, counter, place) = (&shared, &counters[connections.len()], connections.len());
            scope.spawn(move || {
                let _ = counter.enter(&order.cpus, place);
                let (value, error) = work(counter, shared);
                shared.leave(counter, error.is_some());
                (value, error)
            })
        });
        let threads: Vec<_> = connections
            .iter()
            .zip(&counters)
            .map(|(connection, counter)| {
                let shared = &shared;
                scope.spawn(move || {
                    let entered = counter.enter(&order.cpus, usize::from(connection.link.index));
                    sys::own_files(connection.link.stream.as_raw_fd());
                    let done = match entered {
                        Err(e) => ThreadResult::failed(&window, e),
                        Ok(()) if connection.receives => receive::run(connection, settings, &window, counter),
                        Ok(()) => send::run(connection, settings, &window, counter, shared),
                    };
                    if done.error.is_some() {
                        let _ = connection.link.stream.shutdown(Shutdown::Both);
                    }
                    shared.leave(counter, done.error.is_some());
                    done
                })
            })
            .collect();
        supervise(&window, &shared, observer, cancel, |moment, now| {
            samples.take(moment, now, &window, &connections, &counters)
        });
        if cancel.is_cancelled() || shared.stopping_early() {
            for connection in &connections {
                let _ = connection.link.stream.shutdown(Shutdown::Both);
            }
        }
        if let (Some(other), Some(unblock)) = (&other, unblock) {
            // The extra thread may continue after the window, within the usual limit.
            let patience = order.deadlines.progress.0.max(MIN_PATIENCE_NS);
            let until = if window.t1_ns == 0 { u64::MAX } else { window.t1_ns.saturating_add(patience) };
            while !other.is_finished() {
                if cancel.is_cancelled() || shared.stopping_early() || crate::time::now_ns() >= until {
                    unblock();
                    break;
                }
                std::thread::park_timeout(std::time::Duration::from_millis(20));
            }
        }
        let done = threads
            .into_iter()
            .map(|t| {
                t.join().unwrap_or_else(|_| {
                    ThreadResult::failed(&window, ProbeError::Settings("a measuring thread panicked".into()))
                })
            })
            .collect();
        (done, other.map(|t| t.join()))
    });
    let mut measured = assemble(settings, window, connections, done, samples, cancel);
    let value = match other {
        Some(Ok((value, error))) => {
            measured.broken = measured.broken.or(error);
            Some(value)
        }
        Some(Err(_)) => {
            measured.broken = Some(ProbeError::Settings("a measuring thread panicked".into()));
            None
        }
        None => None,
    };
    (measured, value)
}

fn connection(settings: &Stream, role: EndRole, link: Link) -> Connection {
    let (nth, which) = (link.index % settings.connections, link.index / settings.connections);
    let direction = settings.direction.single_directions()[usize::from(which)];
    let receives = (direction == TransferDirection::Receive) == (role == EndRole::Connect);
    let listens = role == EndRole::Listen;
    Connection { link, direction, receives, listens, goal: share(settings, nth) }
}

struct Samples {
    /// Bytes and calls of each connection at the window's edges.
    opened: Vec<(u64, u64)>,
    closed: Vec<(u64, u64)>,
    cpu: (u64, u64),
    /// Of the extra thread before the window.
    operations: u64,
    info: Vec<Vec<(i64, [i64; INFO_COLUMNS.len()])>>,
}

impl Samples {
    fn new(n: usize) -> Samples {
        let counts = vec![(0, 0); n];
        Samples {
            opened: counts.clone(),
            closed: counts,
            cpu: (0, 0),
            operations: 0,
            info: vec![Vec::new(); n],
        }
    }

    fn take(
        &mut self,
        moment: SampleMoment,
        now: u64,
        window: &MeasurementWindow,
        connections: &[Connection],
        counters: &[Counter],
    ) -> Progress {
        let edge = match moment {
            SampleMoment::Opened => Some((&mut self.opened, &mut self.cpu.0)),
            SampleMoment::Closed => Some((&mut self.closed, &mut self.cpu.1)),
            SampleMoment::Tick | SampleMoment::After => None,
        };
        if let Some((counts, cpu)) = edge {
            *counts = counters.iter().map(Counter::get).collect();
            *cpu = counters.iter().map(Counter::cpu_ns).sum();
        }
        let operations = counters.get(connections.len()).map_or(0, |c| c.operations.load(Ordering::Relaxed));
        if moment == SampleMoment::Opened {
            self.operations = operations;
        }
        let mut progress =
            Progress { operations: operations.saturating_sub(self.operations), ..Progress::default() };
        let mut goals = Some((0, 0));
        for (i, (connection, counter)) in connections.iter().zip(counters).enumerate() {
            let (bytes, _) = counter.get();
            if connection.receives {
                progress.bytes += bytes.saturating_sub(self.opened[i].0);
            } else if let Some(info) = Info::take(&connection.link.stream) {
                self.info[i].push((now.saturating_sub(window.t0_ns) as i64, info.row()));
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
    cancel: &Cancel,
) -> Measured {
    let mut measured =
        Measured { window, threads_ns: samples.cpu.1.saturating_sub(samples.cpu.0), ..Measured::default() };
    let by_time = window.t1_ns != 0;
    let received = || connections.iter().zip(&done).filter(|(p, _)| p.receives).map(|(_, d)| &d.account);
    let at_hand: Vec<&Account> = if received().next().is_some() {
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
            let (opened, closed) =
                if by_time { (samples.opened[i], samples.closed[i]) } else { ((0, 0), done.sent) };
            (closed.0.saturating_sub(opened.0), closed.1.saturating_sub(opened.1))
        };
        let total = a.before + a.window + a.after;
        let before = if connection.receives {
            a.before
        } else {
            total.min(if by_time { samples.opened[i].0 } else { 0 })
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
            socket: socket::report(&connection.link.stream, &settings.socket),
            tcp: done.tcp,
            zero_copy: done.zero_copy,
            tcp_window: None,
            datagrams: None,
        });
        if measured.broken.is_none() {
            measured.broken = done.error;
        }
    }
    if cancel.is_cancelled() {
        measured.broken = Some(ProbeError::Cancelled);
    }
    measured
}

fn direction_name(direction: TransferDirection) -> &'static str {
    if direction == TransferDirection::Receive { "receive" } else { "send" }
}

fn info_series(name: String, rows: &[(i64, [i64; INFO_COLUMNS.len()])]) -> Series {
    let mut columns = vec![("t_ns", rows.iter().map(|r| r.0).collect())];
    for (i, column) in INFO_COLUMNS.into_iter().enumerate() {
        columns.push((column, rows.iter().map(|r| r.1[i]).collect()));
    }
    Series::new(name, columns)
}
