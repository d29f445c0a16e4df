//! The bus within a process, for tests and the coordinator's agent. Publications and presence run on the
//! caller's thread before it returns: tests are deterministic. Calls run on own threads, as with Zenoh.

use super::{
    BusError, BusRegistration, CallError, CallReply, MessageBus, PresenceStatus, PresenceWatcher,
    PublicationListener, RequestHandler, key_matches,
};
use crate::locked;
use goodput_words::{ErrorMessage, Message, message};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Clones share one bus.
#[derive(Clone, Default)]
pub struct MemoryBus {
    hub: Arc<Mutex<Hub>>,
}

#[derive(Default)]
struct Hub {
    next: u64,
    served: Vec<Entry<Arc<Served>>>,
    listeners: Vec<Entry<Arc<PublicationListener>>>,
    watchers: Vec<Entry<Arc<PresenceWatcher>>>,
    present: Vec<Entry<()>>,
}

#[derive(Clone)]
struct Entry<T> {
    id: u64,
    key: String,
    what: T,
}

struct Served {
    handler: RequestHandler,
    /// Waiting callers, notified when the registration ends; `None` afterwards.
    waiting: Mutex<Option<HashMap<u64, Sender<End>>>>,
}

enum End {
    Answered(Result<Vec<u8>, Message>),
    Died,
}

impl MemoryBus {
    pub fn new() -> MemoryBus {
        MemoryBus::default()
    }

    fn begin(&self, served: &Arc<Served>, payload: &[u8]) -> Result<Receiver<End>, BusError> {
        let (tell, told) = channel();
        let call = self.number();
        match locked(&served.waiting).as_mut() {
            Some(waiting) => waiting.insert(call, tell.clone()),
            // Ended since it was found: the caller sees the dropped sender.
            None => return Ok(told),
        };
        let (served, payload) = (served.clone(), payload.to_vec());
        spawn_thread("goodput-call", move || {
            // The caller may have stopped waiting.
            let _ = tell.send(End::Answered((served.handler)(&payload)));
            if let Some(waiting) = locked(&served.waiting).as_mut() {
                waiting.remove(&call);
            }
        })?;
        Ok(told)
    }

    fn finish(key: &str, told: &Receiver<End>, deadline: Duration) -> Result<Vec<u8>, CallError> {
        match told.recv_timeout(deadline) {
            Ok(End::Answered(Ok(answer))) => Ok(answer),
            Ok(End::Answered(Err(message))) => Err(CallError::Refused { message }),
            Ok(End::Died) | Err(RecvTimeoutError::Disconnected) => Err(CallError::Died { key: key.into() }),
            Err(RecvTimeoutError::Timeout) => Err(CallError::Busy { key: key.into(), deadline }),
        }
    }

    fn add<T: 'static>(&self, list: fn(&mut Hub) -> &mut Vec<Entry<T>>, key: &str, what: T) -> u64 {
        let id = self.number();
        list(&mut locked(&self.hub)).push(Entry { id, key: key.to_string(), what });
        id
    }

    fn number(&self) -> u64 {
        let mut hub = locked(&self.hub);
        hub.next += 1;
        hub.next
    }

    fn notify_watchers(&self, key: &str, presence: PresenceStatus) {
        let watchers = locked(&self.hub).watchers.clone();
        for watcher in watchers.iter().filter(|w| key_matches(&w.key, key)) {
            (watcher.what)(key, presence);
        }
    }
}

impl MessageBus for MemoryBus {
    fn call(&self, key: &str, payload: &[u8], deadline: Duration) -> Result<Vec<u8>, CallError> {
        let found = locked(&self.hub).served.iter().find(|s| key_matches(key, &s.key)).cloned();
        let served = found.ok_or_else(|| CallError::NoAgent { key: key.to_string() })?;
        Self::finish(key, &self.begin(&served.what, payload)?, deadline)
    }

    fn call_all(
        &self,
        pattern: &str,
        payload: &[u8],
        deadline: Duration,
    ) -> Result<Vec<CallReply>, CallError> {
        let until = Instant::now() + deadline;
        let served = locked(&self.hub).served.clone();
        let mut begun = Vec::new();
        for entry in served.iter().filter(|s| key_matches(pattern, &s.key)) {
            begun.push((entry.key.clone(), self.begin(&entry.what, payload)?));
        }
        let left = || until.saturating_duration_since(Instant::now());
        Ok(begun
            .into_iter()
            .filter_map(|(key, told)| Self::finish(&key, &told, left()).ok().map(|payload| (key, payload)))
            .map(|(key, payload)| CallReply { key, payload })
            .collect())
    }

    fn serve(&self, key: &str, handler: RequestHandler) -> Result<BusRegistration, BusError> {
        let served = Arc::new(Served { handler, waiting: Mutex::new(Some(HashMap::new())) });
        let id = self.add(|hub| &mut hub.served, key, served.clone());
        let hub = self.hub.clone();
        Ok(BusRegistration::new(DropGuard(move || {
            locked(&hub).served.retain(|s| s.id != id);
            for waiting in locked(&served.waiting).take().unwrap_or_default().into_values() {
                let _ = waiting.send(End::Died);
            }
        })))
    }

    fn publish(&self, key: &str, payload: &[u8]) -> Result<(), BusError> {
        let listeners = locked(&self.hub).listeners.clone();
        for listener in listeners.iter().filter(|l| key_matches(&l.key, key)) {
            (listener.what)(key, payload);
        }
        Ok(())
    }

    fn subscribe(&self, pattern: &str, listener: PublicationListener) -> Result<BusRegistration, BusError> {
        let id = self.add(|hub| &mut hub.listeners, pattern, Arc::new(listener));
        let hub = self.hub.clone();
        Ok(BusRegistration::new(DropGuard(move || locked(&hub).listeners.retain(|l| l.id != id))))
    }

    fn announce_presence(&self, key: &str) -> Result<BusRegistration, BusError> {
        let id = self.add(|hub| &mut hub.present, key, ());
        self.notify_watchers(key, PresenceStatus::Up);
        let (bus, key) = (self.clone(), key.to_string());
        Ok(BusRegistration::new(DropGuard(move || {
            locked(&bus.hub).present.retain(|p| p.id != id);
            bus.notify_watchers(&key, PresenceStatus::Down);
        })))
    }

    fn list_present_keys(&self, pattern: &str, _deadline: Duration) -> Result<Vec<String>, BusError> {
        let hub = locked(&self.hub);
        Ok(hub.present.iter().filter(|p| key_matches(pattern, &p.key)).map(|p| p.key.clone()).collect())
    }

    fn watch_presence(&self, pattern: &str, watcher: PresenceWatcher) -> Result<BusRegistration, BusError> {
        let present = locked(&self.hub).present.clone();
        for entry in present.iter().filter(|p| key_matches(pattern, &p.key)) {
            watcher(&entry.key, PresenceStatus::Up);
        }
        let id = self.add(|hub| &mut hub.watchers, pattern, Arc::new(watcher));
        let hub = self.hub.clone();
        Ok(BusRegistration::new(DropGuard(move || locked(&hub).watchers.retain(|w| w.id != id))))
    }
}

struct DropGuard<F: Fn()>(F);

impl<F: Fn()> Drop for DropGuard<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

pub(super) fn spawn_thread(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), BusError> {
    let started = thread::Builder::new().name(name.into()).spawn(work);
    started
        .map(drop)
        .map_err(|e| BusError { what: message!(error_thread_named { name }), cause: e.message() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    const TIMEOUT: Duration = Duration::from_secs(5);

    #[test]
    fn the_ways_to_fail_stay_apart() {
        let bus = MemoryBus::new();
        assert!(matches!(bus.call("a/b", b"", TIMEOUT), Err(CallError::NoAgent { .. })));

        let _no = bus.serve("a/no", Box::new(|_| Err("not today".into()))).unwrap();
        assert_eq!(bus.call("a/no", b"", TIMEOUT), Err(CallError::Refused { message: "not today".into() }));

        let (release, held) = mpsc::channel::<()>();
        let held = Mutex::new(held);
        let wait: RequestHandler = Box::new(move |_| {
            let _ = held.lock().unwrap().recv();
            Ok(vec![])
        });
        let slow = bus.serve("a/slow", wait).unwrap();
        assert!(matches!(bus.call("a/slow", b"", Duration::from_millis(1)), Err(CallError::Busy { .. })));

        let caller = bus.clone();
        let call = thread::spawn(move || caller.call("a/slow", b"", TIMEOUT));
        while locked(&locked(&bus.hub).served[1].what.waiting).as_ref().map_or(0, HashMap::len) < 2 {
            thread::yield_now();
        }
        drop(slow);
        assert!(matches!(call.join().unwrap(), Err(CallError::Died { .. })));
        drop(release);
    }
}
