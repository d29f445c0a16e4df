//! Combines the counts of one end's threads: flows, operations, series.

use super::latency_recorder::LATENCY_KIND_NAMES;
use super::receiver::ReceiveResult;
use super::sender::SendResult;
use super::worker::WorkerSlot;
use super::worker_pool::{WorkerPool, WorkerPoolResult};
use crate::EndpointMeasurement;
use crate::interval_counter::IntervalCounts;
use crate::link::ProbeConnection;
use crate::socket;
use goodput_model::Series;
use goodput_model::probe::TransferDirection;
use goodput_model::trial::{Flow, SocketReport, TcpStatistics};
use std::collections::BTreeMap;

impl WorkerPool<'_> {
    /// Counts of slots with a peer in the result. `control` has socket options for slots without a socket.
    pub fn assemble_result(
        &self,
        home: WorkerPoolResult<'_>,
        in_result: &[bool],
        control: Option<&ProbeConnection>,
        measured: &mut EndpointMeasurement,
    ) {
        let WorkerPoolResult { posts, done, remains, mut windows, slots } = home;
        windows.resize(posts.len(), None);
        measured.threads_ns = done.iter().map(|d| d.cpu_ns).sum();
        let counts = |post: &WorkerSlot<'_>| in_result.get(post.peer).copied().unwrap_or(false);
        let mut operations: BTreeMap<u16, u64> = BTreeMap::new();
        let mut errors: BTreeMap<i32, u64> = BTreeMap::new();
        let mut latencies = [(); 3].map(|()| Latencies::new(self.server));
        let mut cut = 0;
        let rest = done.into_iter().zip(remains).zip(slots).zip(windows);
        for (post, (((done, (socket, tcp)), slots), tcp_window)) in posts.iter().zip(rest) {
            if !counts(post) {
                continue;
            }
            cut += u64::from(done.cut);
            let requests = done.received.as_ref().map_or(0, |r| r.requests);
            let replies = done.times[1].as_ref().map_or(0, |t| t.count);
            *operations.entry(post.duty.worker).or_default() += requests + replies;
            done.errors.iter().for_each(|(errno, n)| *errors.entry(*errno).or_default() += n);
            let socket = socket.or_else(|| {
                control.map(|c| socket::read_effective_socket_options(&c.stream, &self.settings.socket))
            });
            for (of_kind, (slots, times)) in latencies.iter_mut().zip(slots.into_iter().zip(done.times)) {
                if let (Some(slots), Some(times)) = (slots, times) {
                    of_kind.add(post.duty.worker, slots.histogram_columns(times.ended.last));
                }
            }
            let Some(socket) = socket else { continue };
            if let Some(sent) = done.sent {
                let flow = self.sent(post, &sent, socket.clone(), tcp);
                measured.flows.push(Flow { tcp_window, ..flow });
            }
            if let Some(ReceiveResult { account, .. }) = done.received {
                measured.series.push(self.intervals(post.duty.worker, &account));
                let flow = self.received(post, &account, socket, tcp);
                measured.flows.push(Flow { tcp_window, ..flow });
            }
        }
        measured.operations += operations.values().sum::<u64>();
        let (workers, counts) = operations.iter().map(|(w, n)| (i64::from(*w), *n as i64)).unzip();
        measured.series.push(Series::new("operations", vec![("worker", workers), ("count", counts)]));
        measured
            .series
            .extend(latencies.into_iter().zip(LATENCY_KIND_NAMES).filter_map(|(l, name)| l.series(name)));
        if !errors.is_empty() {
            let (errno, counts) = errors.iter().map(|(e, n)| (i64::from(*e), *n as i64)).unzip();
            measured.series.push(Series::new("connection-errors", vec![("errno", errno), ("count", counts)]));
        }
        if cut > 0 {
            measured.notes.push(format!(
                "{cut} connections still had data under way some time after the window and were cut; what was counted \
                 in the window stands"
            ));
        }
    }

    fn sent(
        &self,
        post: &WorkerSlot<'_>,
        sent: &SendResult,
        socket: SocketReport,
        tcp: Option<TcpStatistics>,
    ) -> Flow {
        let SendResult { opened, closed, in_all } = sent;
        Flow {
            index: post.duty.worker,
            direction: if self.server { TransferDirection::Receive } else { TransferDirection::Send },
            before_bytes: opened.bytes,
            window_bytes: closed.bytes - opened.bytes,
            after_bytes: in_all.bytes - closed.bytes,
            calls: closed.calls - opened.calls,
            socket,
            tcp,
            ..Flow::default()
        }
    }

    fn received(
        &self,
        post: &WorkerSlot<'_>,
        a: &IntervalCounts,
        socket: SocketReport,
        tcp: Option<TcpStatistics>,
    ) -> Flow {
        Flow {
            index: post.duty.worker,
            direction: if self.server { TransferDirection::Send } else { TransferDirection::Receive },
            receives: true,
            before_bytes: a.before,
            window_bytes: a.window,
            after_bytes: a.after,
            calls: a.calls,
            first_byte_ns: a.first,
            last_byte_ns: a.last,
            socket,
            tcp,
            ..Flow::default()
        }
    }

    /// Ends are on the server's clock, so all ends have the same intervals.
    fn intervals(&self, worker: u16, account: &IntervalCounts) -> Series {
        let (interval, time) = (self.settings.interval.0, self.settings.time.0);
        let rows = account.ends.len() as u64;
        let whole = account.t1 == self.span.end_ns();
        let end = |(end, row): (&i64, u64)| match row == rows {
            true if whole => time as i64,
            true => *end,
            false => (row * interval) as i64,
        };
        let ends = account.ends.iter().zip(1u64..).map(end).collect();
        Series::new(format!("intervals-{worker}"), vec![("end_ns", ends), ("bytes", account.bytes.clone())])
    }
}

/// Latencies of a kind: a client's workers together, the server's each, as a client may be excluded later.
enum Latencies {
    Together(BTreeMap<(i64, i64), i64>),
    Apart([Vec<i64>; 4]),
}

impl Latencies {
    fn new(server: bool) -> Latencies {
        if server { Latencies::Apart(Default::default()) } else { Latencies::Together(BTreeMap::new()) }
    }

    fn add(&mut self, worker: u16, [slot, value, count]: [Vec<i64>; 3]) {
        match self {
            Latencies::Together(all) => {
                for ((slot, value), count) in slot.into_iter().zip(value).zip(count) {
                    *all.entry((slot, value)).or_default() += count;
                }
            }
            Latencies::Apart([workers, slots, values, counts]) => {
                workers.resize(workers.len() + slot.len(), i64::from(worker));
                slots.extend(slot);
                values.extend(value);
                counts.extend(count);
            }
        }
    }

    fn series(self, name: &str) -> Option<Series> {
        let columns = match self {
            Latencies::Together(all) => vec![
                ("slot", all.keys().map(|k| k.0).collect()),
                ("value_ns", all.keys().map(|k| k.1).collect()),
                ("count", all.values().copied().collect()),
            ],
            Latencies::Apart([workers, slots, values, counts]) => {
                vec![("worker", workers), ("slot", slots), ("value_ns", values), ("count", counts)]
            }
        };
        Some(Series::new(name, columns)).filter(|s| !s.is_empty())
    }
}
