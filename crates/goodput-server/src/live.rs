//! Events for whoever watches: one hub, and an inbox for each reader.
//!
//! Whoever tells never waits for a reader. A reader that is slow loses live samples, the oldest first, because the next one
//! says more; anything else is kept for it. One that takes nothing at all for a long while is let go: it comes back, is
//! greeted anew, and asks again for what it shows, so that nothing is lost in silence.

mod inbox;
mod live_event;
mod terminals;

pub use inbox::{Message, Reader};
pub use live_event::{Greeting, LiveEvent, LiveFlow, LiveHost, LiveSample, Recorded};
pub use terminals::Terminals;

use inbox::Inbox;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::Notify;

/// The longest line of a command that is looked at, in bytes. A live sample of a thousand flows is below it.
pub(crate) const LONGEST_LINE: u64 = 1 << 20;
/// Readers at once, all pages together.
pub const MOST_READERS: usize = 200;

/// Where events are told. A clone is the same hub.
#[derive(Debug, Clone, Default)]
pub struct Hub(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    inboxes: Mutex<Vec<Weak<Inbox>>>,
    /// Counts what was told of the runs.
    changes: AtomicU64,
    /// Wakes whoever works only while there are readers.
    arrived: Notify,
}

impl Hub {
    pub fn new() -> Hub {
        Hub::default()
    }

    /// Tells all readers; from any thread, and without waiting.
    pub fn tell(&self, told: &LiveEvent) {
        if matches!(told, LiveEvent::Runs | LiveEvent::Recorded(_)) {
            self.0.changes.fetch_add(1, Ordering::Relaxed);
        }
        let inboxes = self.inboxes();
        if inboxes.is_empty() {
            return;
        }
        // Written once, whatever the number of readers.
        let message = Arc::new(Message::of(told));
        for inbox in inboxes.iter().filter_map(Weak::upgrade) {
            inbox.put(&message);
        }
    }

    /// A new reader, who hears what is told from now on; `None` when there are too many.
    pub fn reader(&self) -> Option<Reader> {
        let mut inboxes = self.inboxes();
        if inboxes.len() >= MOST_READERS {
            return None;
        }
        let inbox = Arc::new(Inbox::default());
        inboxes.push(Arc::downgrade(&inbox));
        self.0.arrived.notify_one();
        Some(Reader::of(inbox))
    }

    pub fn readers(&self) -> usize {
        self.inboxes().len()
    }

    /// Waits until somebody watches. One at a time may wait.
    pub async fn watched(&self) {
        while self.readers() == 0 {
            // Who came since the look just before has left word.
            self.0.arrived.notified().await;
        }
    }

    /// How often it was told that there are other runs, or more in one of them: whoever has read them since the last time
    /// knows what there is.
    pub fn changes(&self) -> u64 {
        self.0.changes.load(Ordering::Relaxed)
    }

    fn inboxes(&self) -> MutexGuard<'_, Vec<Weak<Inbox>>> {
        let mut inboxes = self.0.inboxes.lock().unwrap_or_else(PoisonError::into_inner);
        inboxes.retain(|inbox| inbox.strong_count() > 0);
        inboxes
    }
}

pub fn message(told: &LiveEvent) -> Message {
    Message::of(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_has_gone_makes_room() {
        let hub = Hub::new();
        let mut all: Vec<Reader> = (0..MOST_READERS).map(|_| hub.reader().unwrap()).collect();
        assert!(hub.reader().is_none());
        all.pop();
        assert!(hub.reader().is_some());
        drop(all);
        assert_eq!((hub.changes(), hub.readers()), (0, 0));
        hub.tell(&LiveEvent::Runs);
        hub.tell(&LiveEvent::Hosts);
        assert_eq!(hub.changes(), 1);
    }
}
