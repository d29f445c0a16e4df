//! One end of one trial, on a thread of its own: measure, report, keep, and only then say that it is over.

use super::Inner;
use super::window::{LivePort, Movement, WindowWatch};
use crate::prober::Listening;
use crate::protocol::{AskStart, Broken, EndResult, Kept, live_key};
use goodput_model::trial::EndReport;
use goodput_probe::{Cancel, Measured, Observer, ProbeError};
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A trial under way on this agent, or over.
pub(super) struct Job {
    pub id: String,
    pub lease: String,
    pub cancel: Cancel,
    pub movement: Arc<Movement>,
    /// True once another trial has run at the same time.
    pub shared: Arc<AtomicBool>,
    /// What was kept, once it is over.
    pub kept: Option<Kept>,
}

/// What this end does.
pub(super) enum Part {
    Connect(SocketAddr),
    Listen(Listening),
}

/// Measures, reports and keeps. Returns what is kept.
pub(super) fn run(
    inner: &Inner,
    id: &str,
    start: AskStart,
    part: Part,
    cancel: &Cancel,
    movement: Arc<Movement>,
    shared: &AtomicBool,
) -> Vec<u8> {
    let live = start.order.live.then(|| LivePort { bus: inner.bus.clone(), key: live_key(&inner.agent, id) });
    let watch = WindowWatch::new(start.order.trial, live, movement);
    let measured = measure(inner, &start, part, &watch, cancel);
    let result = report(inner, start, measured, watch, shared.load(Ordering::Relaxed));
    // Plain data with string keys and finite numbers: there is no way for this to fail; if one is found, an
    // empty result fails its reader loudly.
    serde_json::to_vec(&result).unwrap_or_default()
}

fn measure(inner: &Inner, start: &AskStart, part: Part, watch: &dyn Observer, cancel: &Cancel) -> Measured {
    // A panic in a probe must not take the agent's lease with it: the next client is to be served.
    let outcome = catch_unwind(AssertUnwindSafe(|| match part {
        Part::Connect(peer) => inner.prober.connect(&start.order, peer, watch, cancel),
        Part::Listen(listening) => listening(&start.order, watch, cancel),
    }));
    outcome.unwrap_or_else(|_| Measured {
        broken: Some(ProbeError::Settings("the probe failed by an error of this program (panic)".into())),
        ..Measured::default()
    })
}

fn report(inner: &Inner, start: AskStart, measured: Measured, watch: WindowWatch, shared: bool) -> EndResult {
    let mut notes = measured.notes;
    let cpu = match watch.account() {
        Ok(mut account) => {
            account.probe_threads_ns = measured.threads_ns;
            Some(account)
        }
        Err(why) => {
            notes.push(why);
            None
        }
    };
    let role = start.role();
    EndResult {
        report: EndReport {
            role,
            host: start.host,
            facts: inner.facts.clone(),
            window: measured.window,
            flows: measured.flows,
            operations: measured.operations,
            cpu,
            series: measured.series,
            complete: measured.broken.is_none(),
            notes,
        },
        broken: measured.broken.map(|e| Broken {
            follows: matches!(e, ProbeError::Cancelled | ProbeError::PeerGone { .. }),
            cause: crate::chain(&e),
        }),
        shared,
    }
}
