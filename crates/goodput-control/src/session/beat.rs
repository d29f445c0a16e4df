//! Says to every agent of a trial, while it runs, that its coordinator is still there.
//!
//! A question has its answer to wait for, and on a link that a load has filled that takes a second or more. So this is
//! told without an answer, on a thread that waits for nobody.

use super::queue::Leases;
use crate::protocol::BEAT;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

/// Does `work` while the agents of these leases hear us. It is told whether they do: without a thread they do not.
pub(super) fn during<R>(leases: &Leases<'_>, work: impl FnOnce(bool) -> R) -> R {
    let (end, ended) = channel::<()>();
    thread::scope(|scope| {
        let beat = move || {
            leases.beat();
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(BEAT) {
                leases.beat();
            }
        };
        let beating = thread::Builder::new().name("goodput-beat".into()).spawn_scoped(scope, beat).is_ok();
        let done = work(beating);
        drop(end);
        done
    })
}
