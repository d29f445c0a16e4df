//! Live events of runs begun at a terminal, read from sockets beside the runs ([`live_socket`]).
//!
//! Only while a reader is connected: one directory listing per second. Jobs have no such sockets, so nothing
//! is published twice.

use super::{EventHub, LiveEvent, LiveSample, MAX_EVENT_LINE_BYTES};
use crate::lock;
use crate::shutdown::ShutdownSignal;
use goodput_model::RunId;
use goodput_model::event_line::EventLine;
use goodput_store::live_socket;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};

/// Interval of searches for new runs.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const MOST: usize = 16;

#[derive(Debug, Clone)]
pub struct CliRunWatcher(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    root: PathBuf,
    hub: EventHub,
    followed: Mutex<BTreeSet<RunId>>,
}

impl CliRunWatcher {
    pub fn new(root: PathBuf, hub: EventHub) -> CliRunWatcher {
        CliRunWatcher(Arc::new(Inner { root, hub, followed: Mutex::default() }))
    }

    /// Follows runs while there are readers, until the server ends.
    pub async fn run(self, stopped: ShutdownSignal) {
        stopped.run_until_shutdown(self.follow()).await;
    }

    async fn follow(&self) {
        loop {
            self.0.hub.wait_for_reader().await;
            let root = self.0.root.clone();
            let offered = tokio::task::spawn_blocking(move || live_socket::live_runs(&root)).await;
            offered.unwrap_or_default().into_iter().for_each(|run| self.begin(run));
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    fn begin(&self, run: RunId) {
        let begins = {
            let mut followed = self.followed();
            followed.len() < MOST && followed.insert(run)
        };
        if begins {
            let terminals = self.clone();
            tokio::spawn(async move {
                terminals.hear(run).await;
                terminals.followed().remove(&run);
            });
        }
    }

    async fn hear(&self, run: RunId) {
        let hub = &self.0.hub;
        // The command was killed, or runs on another host.
        let Ok(stream) = live_socket::connect_to_live_run(&self.0.root, run).await else { return };
        hub.publish(&LiveEvent::Runs);
        let mut from = BufReader::new(stream);
        let mut line = Vec::new();
        while hub.reader_count() > 0 {
            line.clear();
            match (&mut from).take(MAX_EVENT_LINE_BYTES).read_until(b'\n', &mut line).await {
                Ok(1..) => {}
                _ => {
                    // The command has ended: the run has changed.
                    hub.publish(&LiveEvent::Runs);
                    return;
                }
            }
            if let Some(sample) = sample(run, &line) {
                hub.publish(&LiveEvent::Live(sample));
            }
        }
    }

    fn followed(&self) -> MutexGuard<'_, BTreeSet<RunId>> {
        lock(&self.0.followed)
    }
}

/// Other kinds of lines are ignored, for compatibility with newer versions.
fn sample(run: RunId, line: &[u8]) -> Option<LiveSample> {
    match serde_json::from_slice(line).ok()? {
        EventLine::Live(live) if live.run == Some(run) => Some(LiveSample::from_progress_line(None, live)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live_events::EventReader;
    use crate::shutdown::shutdown_channel;
    use crate::tests::{soon, until};
    use goodput_store::live_socket::LiveSocket;
    use serde_json::Value;

    fn run(n: u32) -> RunId {
        RunId(format!("01930000-0000-7000-8000-{n:012}").parse().unwrap())
    }

    fn line(run: RunId) -> Vec<u8> {
        let live = crate::tests::live(run, None, Some(2));
        [serde_json::to_vec(&live).unwrap(), b"\n".to_vec()].concat()
    }

    async fn next(reader: &EventReader) -> (String, Value) {
        let told = soon(reader.next()).await.unwrap();
        (told.name.clone(), serde_json::from_str(&told.data).unwrap())
    }

    #[tokio::test]
    async fn a_run_is_heard_while_somebody_watches() {
        let root = tempfile::tempdir().unwrap();
        let hub = EventHub::default();
        let (_stop, stopped) = shutdown_channel();
        let terminals = CliRunWatcher::new(root.path().into(), hub.clone());
        tokio::spawn(terminals.clone().run(stopped));
        let mut offer = LiveSocket::open(root.path(), run(1)).unwrap();
        let reader = hub.subscribe().unwrap();
        until(|| offer.accept_readers()).await;
        assert_eq!(next(&reader).await, ("runs".into(), Value::Null));
        offer.send_line(b"{\"event\":\"weather\",\"temperature\":21}\n");
        offer.send_line(b"no line of ours\n");
        offer.send_line(&line(run(2)));
        offer.send_line(&line(run(1)));
        let (name, told) = next(&reader).await;
        assert_eq!((name.as_str(), &told["job"]), ("live", &Value::Null));
        assert_eq!((&told["run"], &told["trial"]), (&run(1).to_string().into(), &1.into()));
        // Without readers it is closed until the next one.
        drop(reader);
        until(|| {
            offer.send_line(&line(run(1)));
            !offer.accept_readers()
        })
        .await;
        until(|| terminals.followed().is_empty()).await;
        let reader = hub.subscribe().unwrap();
        until(|| offer.accept_readers()).await;
        assert_eq!(next(&reader).await.0, "runs");
        drop(offer);
        assert_eq!(next(&reader).await.0, "runs");
        until(|| terminals.followed().is_empty()).await;
    }
}
