//! The final state of every connection: socket options and TCP_INFO.

use super::worker::{Done, Wire, WorkerSlot};
use super::worker_pool::{FinalSocketState, WorkerPool};
use crate::link::Link;
use crate::socket::{self, Info, Overhead};
use crate::sys;
use crate::time::{now_ns, sleep_until};
use goodput_model::trial::TcpStatistics;
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;

/// Limit for the last acknowledgements of all connections.
const SETTLE_NS: u64 = 500_000_000;

impl WorkerPool<'_> {
    /// Options and counters of each slot's connection. Then abandoned connections are reset, to free
    /// bandwidth.
    pub fn farewell(&self, posts: &[WorkerSlot<'_>], done: &mut [Done]) -> Vec<FinalSocketState> {
        let settled = now_ns().saturating_add(SETTLE_NS);
        let cut = |post: &WorkerSlot<'_>| {
            self.peers.get(post.peer).is_none_or(|p| p.abandon.load(Ordering::Acquire))
        };
        let remains = |(post, done): (&WorkerSlot<'_>, &mut Done)| match &post.wire {
            Wire::Kept(link) => {
                let report = socket::report(&link.stream, &self.settings.socket);
                (Some(report), self.account(link, cut(post), settled))
            }
            Wire::Opens(_) | Wire::Accepts(..) => (done.socket.take(), None),
        };
        let remains = posts.iter().zip(done).map(remains).collect();
        for post in posts.iter().filter(|p| cut(p)) {
            if let Wire::Kept(link) = &post.wire {
                sys::dissolve(link.stream.as_raw_fd());
            }
        }
        remains
    }

    /// The kernel's counters once our FIN, and so all before it, is acknowledged; of an abandoned connection
    /// as they are.
    fn account(&self, link: &Link, cut: bool, settled: u64) -> Option<TcpStatistics> {
        loop {
            let info = Info::take(&link.stream)?;
            if info.fin_acked() || cut || now_ns() >= settled {
                let kernel = link.overhead(info.fin_acked(), info.fin_received());
                // The status byte of the opening bypassed the Link.
                let (out, inn) = (u64::from(self.server), u64::from(!self.server));
                let overhead = Overhead { acked: kernel.acked + out, received: kernel.received + inn };
                return Some(info.account(overhead));
            }
            sleep_until(now_ns() + 200_000);
        }
    }
}
