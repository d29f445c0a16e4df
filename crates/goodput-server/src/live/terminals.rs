//! Runs that were begun at a terminal: what their commands tell by the sockets beside the runs ([`goodput_store::live`]) is
//! passed on to whoever watches.
//!
//! They are looked for and read only while somebody watches: each second one list of a folder that is hardly ever there.
//! Jobs of a server offer nothing of the kind, so that nothing is told twice.

use super::{Hub, LONGEST_LINE, LiveEvent, LiveSample};
use crate::stop::Stopped;
use futures_util::future::select;
use goodput_model::RunId;
use goodput_model::event_line::EventLine;
use goodput_store::live;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};

/// Between two looks for runs that have begun.
const LOOK: Duration = Duration::from_secs(1);
/// Runs that are followed at once.
const MOST: usize = 16;
/// Follows runs that were begun at a terminal. A clone follows the same ones.
#[derive(Debug, Clone)]
pub struct Terminals(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    root: PathBuf,
    hub: Hub,
    followed: Mutex<BTreeSet<RunId>>,
}

impl Terminals {
    /// Of the runs below this folder; told to this hub.
    pub fn new(root: PathBuf, hub: Hub) -> Terminals {
        Terminals(Arc::new(Inner { root, hub, followed: Mutex::default() }))
    }

    /// Follows them whenever somebody watches, until the server ends.
    pub async fn run(self, stopped: Stopped) {
        let following = pin!(self.follow());
        let end = pin!(stopped.wait());
        select(following, end).await;
    }

    async fn follow(&self) {
        loop {
            self.0.hub.watched().await;
            let root = self.0.root.clone();
            let offered = tokio::task::spawn_blocking(move || live::offered(&root)).await;
            offered.unwrap_or_default().into_iter().for_each(|run| self.begin(run));
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Begins to follow a run, unless it is followed already.
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

    /// Hears a run to its end, or until nobody watches any more.
    async fn hear(&self, run: RunId) {
        let hub = &self.0.hub;
        // Nobody may answer: the command was killed, or it runs on another host.
        let Ok(stream) = live::look(&self.0.root, run).await else { return };
        hub.tell(&LiveEvent::Runs);
        let mut from = BufReader::new(stream);
        let mut line = Vec::new();
        while hub.readers() > 0 {
            line.clear();
            match (&mut from).take(LONGEST_LINE).read_until(b'\n', &mut line).await {
                Ok(1..) => {}
                _ => {
                    // The command has ended, or is no more: the run stands otherwise than before.
                    hub.tell(&LiveEvent::Runs);
                    return;
                }
            }
            if let Some(sample) = sample(run, &line) {
                hub.tell(&LiveEvent::Live(sample));
            }
        }
    }

    fn followed(&self) -> MutexGuard<'_, BTreeSet<RunId>> {
        self.0.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a line tells of this run. Lines of other kinds are passed over: a newer version may have more to tell.
fn sample(run: RunId, line: &[u8]) -> Option<LiveSample> {
    match serde_json::from_slice(line).ok()? {
        EventLine::Live(live) if live.run == Some(run) => Some(LiveSample::of(None, live)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::{Message, Reader};
    use crate::stop::stop;
    use goodput_model::TrialId;
    use goodput_model::event_line::LiveLine;
    use goodput_store::live::Offer;
    use serde_json::Value;

    const SOON: Duration = Duration::from_secs(60);

    fn run(n: u32) -> RunId {
        RunId(format!("01930000-0000-7000-8000-{n:012}").parse().unwrap())
    }

    fn line(run: RunId) -> Vec<u8> {
        let live = EventLine::Live(LiveLine {
            run: Some(run),
            trial: TrialId(1),
            at_ns: 1,
            elapsed_ns: Some(2),
            done: None,
            operations: 0,
            operations_per_second: None,
            flows: Vec::new(),
            hosts: Vec::new(),
        });
        [serde_json::to_vec(&live).unwrap(), b"\n".to_vec()].concat()
    }

    /// Waits for what comes about elsewhere.
    async fn until(mut is: impl FnMut() -> bool) {
        let waiting = async {
            while !is() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(SOON, waiting).await.expect("it never came");
    }

    async fn next(reader: &Reader) -> (String, Value) {
        let told: Arc<Message> = tokio::time::timeout(SOON, reader.next()).await.unwrap().unwrap();
        (told.name.clone(), serde_json::from_str(&told.data).unwrap())
    }

    #[tokio::test]
    async fn a_run_is_heard_while_somebody_watches() {
        let root = tempfile::tempdir().unwrap();
        let hub = Hub::new();
        let (_stop, stopped) = stop();
        let terminals = Terminals::new(root.path().into(), hub.clone());
        tokio::spawn(terminals.clone().run(stopped));
        let mut offer = Offer::open(root.path(), run(1)).unwrap();
        let reader = hub.reader().unwrap();
        until(|| offer.admit()).await;
        assert_eq!(next(&reader).await, ("runs".into(), Value::Null));
        offer.tell(b"{\"event\":\"weather\",\"temperature\":21}\n");
        offer.tell(b"no line of ours\n");
        offer.tell(&line(run(2)));
        offer.tell(&line(run(1)));
        let (name, told) = next(&reader).await;
        assert_eq!((name.as_str(), &told["job"]), ("live", &Value::Null));
        assert_eq!((&told["run"], &told["trial"]), (&run(1).to_string().into(), &1.into()));
        // Nobody watches any more: it is left alone, and taken up again by the next who does.
        drop(reader);
        until(|| {
            offer.tell(&line(run(1)));
            !offer.admit()
        })
        .await;
        until(|| terminals.followed().is_empty()).await;
        let reader = hub.reader().unwrap();
        until(|| offer.admit()).await;
        assert_eq!(next(&reader).await.0, "runs");
        // Its end is told as well.
        drop(offer);
        assert_eq!(next(&reader).await.0, "runs");
        until(|| terminals.followed().is_empty()).await;
    }

    #[tokio::test]
    async fn a_name_at_which_nobody_answers_is_nothing() {
        let root = tempfile::tempdir().unwrap();
        let kept = Offer::open(root.path(), run(1)).unwrap();
        // As a killed command leaves it: the name is there, the socket is not.
        let folder = root.path().join(live::FOLDER);
        drop(std::os::unix::net::UnixListener::bind(folder.join(run(2).to_string())).unwrap());
        let hub = Hub::new();
        let reader = hub.reader().unwrap();
        let terminals = Terminals::new(root.path().into(), hub.clone());
        terminals.hear(run(2)).await;
        assert!(reader.ready().is_none());
        drop(kept);
        terminals.hear(run(1)).await;
        assert!(reader.ready().is_none());
    }
}
