//! The final state of every connection: socket options and TCP_INFO.

use super::worker::{WorkerConnection, WorkerResult, WorkerSlot};
use super::worker_pool::{FinalSocketState, WorkerPool};
use crate::link::ProbeConnection;
use crate::socket::{self, NonUserDataBytes, TcpInfo};
use crate::sys;
use crate::time::{now_ns, sleep_until};
use goodput_model::trial::TcpStatistics;
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;

/// Limit for the last acknowledgements of all connections.
const SETTLE_NS: u64 = 500_000_000;

impl WorkerPool<'_> {
    /// Options and counters of each slot's connection. Then resets abandoned ones, to free bandwidth.
    pub fn collect_final_socket_states(
        &self,
        posts: &[WorkerSlot<'_>],
        done: &mut [WorkerResult],
    ) -> Vec<FinalSocketState> {
        let settled = now_ns().saturating_add(SETTLE_NS);
        let cut = |post: &WorkerSlot<'_>| {
            self.peers.get(post.peer).is_none_or(|p| p.abandon.load(Ordering::Acquire))
        };
        let remains = |(post, done): (&WorkerSlot<'_>, &mut WorkerResult)| match &post.wire {
            WorkerConnection::Kept(link) => {
                let report = socket::read_effective_socket_options(&link.stream, &self.settings.socket);
                (Some(report), self.account(link, cut(post), settled))
            }
            WorkerConnection::Opens(_) | WorkerConnection::Accepts(..) => (done.socket.take(), None),
        };
        let remains = posts.iter().zip(done).map(remains).collect();
        for post in posts.iter().filter(|p| cut(p)) {
            if let WorkerConnection::Kept(link) = &post.wire {
                sys::reset_connection(link.stream.as_raw_fd());
            }
        }
        remains
    }

    /// The kernel's counters once our FIN, so all, is acknowledged; of an abandoned connection as they are.
    fn account(&self, link: &ProbeConnection, cut: bool, settled: u64) -> Option<TcpStatistics> {
        loop {
            let info = TcpInfo::read(&link.stream)?;
            if info.is_fin_acked() || cut || now_ns() >= settled {
                let kernel = link.non_user_data_bytes(info.is_fin_acked(), info.is_fin_received());
                // The status byte of the opening bypassed the Link.
                let (out, inn) = (u64::from(self.server), u64::from(!self.server));
                let overhead =
                    NonUserDataBytes { acked: kernel.acked + out, received: kernel.received + inn };
                return Some(info.user_data_statistics(overhead));
            }
            sleep_until(now_ns() + 200_000);
        }
    }
}
