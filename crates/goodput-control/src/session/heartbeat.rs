//! Sends heartbeats to every agent during a trial. They are published without an answer, which a full link
//! would delay by seconds, on their own thread.

use super::trial_leases::TrialLeases;
use crate::protocol::HEARTBEAT_INTERVAL;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

/// Runs `work` with heartbeats; its argument is false when there was no thread for them.
pub(super) fn run_with_heartbeats<R>(leases: &TrialLeases<'_>, work: impl FnOnce(bool) -> R) -> R {
    let (end, ended) = channel::<()>();
    thread::scope(|scope| {
        let beat = move || {
            leases.send_heartbeats();
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(HEARTBEAT_INTERVAL) {
                leases.send_heartbeats();
            }
        };
        let beating = thread::Builder::new().name("goodput-beat".into()).spawn_scoped(scope, beat).is_ok();
        let done = work(beating);
        drop(end);
        done
    })
}
