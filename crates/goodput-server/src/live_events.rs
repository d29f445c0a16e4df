//! Live events: one hub with an inbox per reader.
//!
//! Publishing never blocks. A slow reader loses the oldest live samples but no other events. A stalled reader
//! is disconnected; it reconnects and reloads everything, so nothing is lost silently.

mod event_inbox;
mod live_event;
mod terminal_runs;

pub use event_inbox::{EventMessage, EventReader};
pub use live_event::{LiveEvent, LiveFlow, LiveHost, LiveSample, ServerVersionEvent, TrialRecordedEvent};
pub use terminal_runs::CliRunWatcher;

use crate::lock;
use event_inbox::EventInbox;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use tokio::sync::Notify;

/// Limit of a command's line in bytes; a live sample of a thousand flows is below it.
pub(crate) const MAX_EVENT_LINE_BYTES: u64 = 1 << 20;
pub const MAX_EVENT_READERS: usize = 200;

#[derive(Debug, Clone, Default)]
pub struct EventHub(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    inboxes: Mutex<Vec<Weak<EventInbox>>>,
    /// Number of changes of the runs.
    changes: AtomicU64,
    /// Wakes tasks that run only while there are readers.
    arrived: Notify,
}

impl EventHub {
    /// Publishes to all readers from any thread, without waiting.
    pub fn publish(&self, told: &LiveEvent) {
        if matches!(told, LiveEvent::Runs | LiveEvent::Recorded(_)) {
            self.0.changes.fetch_add(1, Ordering::Relaxed);
        }
        let inboxes = self.inboxes();
        if inboxes.is_empty() {
            return;
        }
        let message = Arc::new(EventMessage::from_event(told));
        for inbox in inboxes.iter().filter_map(Weak::upgrade) {
            inbox.push(&message);
        }
    }

    /// A reader of future events; `None` at the limit.
    pub fn subscribe(&self) -> Option<EventReader> {
        let mut inboxes = self.inboxes();
        if inboxes.len() >= MAX_EVENT_READERS {
            return None;
        }
        let inbox = Arc::new(EventInbox::default());
        inboxes.push(Arc::downgrade(&inbox));
        self.0.arrived.notify_one();
        Some(EventReader(inbox))
    }

    pub fn reader_count(&self) -> usize {
        self.inboxes().len()
    }

    /// Waits for a reader. Only one task may wait.
    pub async fn wait_for_reader(&self) {
        while self.reader_count() == 0 {
            // A notification since the check above is stored.
            self.0.arrived.notified().await;
        }
    }

    /// Number of changes of the runs so far: unchanged means that nothing must be read again.
    pub fn run_list_change_count(&self) -> u64 {
        self.0.changes.load(Ordering::Relaxed)
    }

    fn inboxes(&self) -> MutexGuard<'_, Vec<Weak<EventInbox>>> {
        let mut inboxes = lock(&self.0.inboxes);
        inboxes.retain(|inbox| inbox.strong_count() > 0);
        inboxes
    }
}
