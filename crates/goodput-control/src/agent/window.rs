//! What an agent does at the edges of a trial's window and while it is open: CPU snapshots, live samples,
//! and a note of when anything last moved.

use crate::bus::Bus;
use goodput_host::HostError;
use goodput_host::cpu::Snapshot;
use goodput_model::event::Live;
use goodput_model::host::CpuAccount;
use goodput_model::id::TrialId;
use goodput_probe::{Observer, Progress};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When anything last moved in a trial, readable while it runs.
#[derive(Debug)]
pub struct Movement {
    last: Mutex<(Instant, u64)>,
}

impl Movement {
    pub(super) fn new() -> Movement {
        Movement { last: Mutex::new((Instant::now(), 0)) }
    }

    /// Time since anything moved.
    pub(super) fn still(&self) -> Duration {
        locked(&self.last).0.elapsed()
    }

    fn note(&self, moved: u64) {
        let mut last = locked(&self.last);
        if last.1 != moved {
            *last = (Instant::now(), moved);
        }
    }
}

/// Where live samples are told.
pub struct LivePort {
    /// The bus.
    pub bus: Arc<dyn Bus>,
    /// The job's key.
    pub key: String,
}

/// Watches one trial's window.
pub struct WindowWatch {
    trial: TrialId,
    live: Option<LivePort>,
    movement: Arc<Movement>,
    edges: Mutex<Edges>,
}

#[derive(Default)]
struct Edges {
    opened: Option<Result<Snapshot, HostError>>,
    closed: Option<Result<Snapshot, HostError>>,
}

impl WindowWatch {
    /// A watch; `live` is `None` when nothing may be told during the window.
    pub fn new(trial: TrialId, live: Option<LivePort>, movement: Arc<Movement>) -> WindowWatch {
        WindowWatch { trial, live, movement, edges: Mutex::default() }
    }

    /// The CPU account of the window, or why there is none.
    pub fn account(self) -> Result<CpuAccount, String> {
        let edges = self.edges.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (edges.opened, edges.closed) {
            (Some(Ok(opened)), Some(Ok(closed))) => Ok(opened.account(&closed)),
            (Some(Err(e)), _) | (_, Some(Err(e))) => Err(format!("no CPU figure: {}", crate::chain(&e))),
            (None, _) => Err("no CPU figure: the window did not open".to_string()),
            (_, None) => Err("no CPU figure: the window did not close".to_string()),
        }
    }
}

impl Observer for WindowWatch {
    fn opened(&self, _t0_ns: u64) {
        let snapshot = Snapshot::take();
        locked(&self.edges).opened = Some(snapshot);
    }

    fn tick(&self, progress: Progress) {
        self.movement.note(progress.bytes.wrapping_add(progress.operations));
        let Some(port) = &self.live else { return };
        let live = Live {
            trial: self.trial,
            done: progress.done,
            elapsed_ns: Some(progress.elapsed_ns),
            bytes: progress.bytes,
            operations: progress.operations,
        };
        // Live samples may be lost; a result never depends on one.
        if let Ok(text) = serde_json::to_vec(&live) {
            let _ = port.bus.publish(&port.key, &text);
        }
    }

    fn closed(&self, _t1_ns: u64) {
        let snapshot = Snapshot::take();
        locked(&self.edges).closed = Some(snapshot);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch() -> WindowWatch {
        WindowWatch::new(TrialId(1), None, Arc::new(Movement::new()))
    }

    #[test]
    fn an_account_needs_both_edges() {
        assert!(watch().account().unwrap_err().contains("did not open"));
        let half = watch();
        half.opened(0);
        assert!(half.account().unwrap_err().contains("did not close"));
        let whole = watch();
        whole.opened(0);
        whole.closed(1);
        let account = whole.account().unwrap();
        assert!(account.closed_ns.0 >= account.opened_ns.1);
    }
}
