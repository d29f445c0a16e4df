//! Several buses as one: an agent is reachable on its own port and through routers.

use super::{
    BusError, CallError, CallReply, MessageBus, PresenceStatus, PresenceWatcher, PublicationListener,
    Registration, RequestHandler,
};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// Publishes on all buses. Registrations cover only the buses that exist at that moment.
#[derive(Default)]
pub struct CombinedBus {
    members: RwLock<Vec<Arc<dyn MessageBus>>>,
}

impl CombinedBus {
    pub fn new(bus: Arc<dyn MessageBus>) -> CombinedBus {
        CombinedBus { members: RwLock::new(vec![bus]) }
    }

    pub fn add(&self, bus: Arc<dyn MessageBus>) {
        self.members.write().unwrap_or_else(PoisonError::into_inner).push(bus);
    }

    fn members(&self) -> Vec<Arc<dyn MessageBus>> {
        self.members.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn each(
        &self,
        register: impl Fn(&dyn MessageBus) -> Result<Registration, BusError>,
    ) -> Result<Registration, BusError> {
        let held: Result<Vec<Registration>, BusError> =
            self.members().iter().map(|b| register(&**b)).collect();
        Ok(Registration::new(held?))
    }
}

impl MessageBus for CombinedBus {
    fn call(&self, key: &str, payload: &[u8], deadline: Duration) -> Result<Vec<u8>, CallError> {
        let mut last = CallError::NoAgent { key: key.to_string() };
        for bus in self.members() {
            match bus.call(key, payload, deadline) {
                Err(e @ CallError::NoAgent { .. }) => last = e,
                other => return other,
            }
        }
        Err(last)
    }

    fn call_all(
        &self,
        pattern: &str,
        payload: &[u8],
        deadline: Duration,
    ) -> Result<Vec<CallReply>, CallError> {
        let mut answers: Vec<CallReply> = Vec::new();
        for bus in self.members() {
            let more = bus.call_all(pattern, payload, deadline)?;
            answers.extend(
                more.into_iter().filter(|a| !answers.iter().any(|b| b.key == a.key)).collect::<Vec<_>>(),
            );
        }
        Ok(answers)
    }

    fn serve(&self, key: &str, handler: RequestHandler) -> Result<Registration, BusError> {
        let handler = Arc::new(handler);
        self.each(|bus| {
            let handler = handler.clone();
            bus.serve(key, Box::new(move |payload| handler(payload)))
        })
    }

    fn publish(&self, key: &str, payload: &[u8]) -> Result<(), BusError> {
        let told: Vec<Result<(), BusError>> =
            self.members().iter().map(|b| b.publish(key, payload)).collect();
        told.into_iter().collect()
    }

    fn subscribe(&self, pattern: &str, listener: PublicationListener) -> Result<Registration, BusError> {
        let listener = Arc::new(listener);
        self.each(|bus| {
            let listener = listener.clone();
            bus.subscribe(pattern, Box::new(move |key, payload| listener(key, payload)))
        })
    }

    fn announce_presence(&self, key: &str) -> Result<Registration, BusError> {
        self.each(|bus| bus.announce_presence(key))
    }

    fn list_present(&self, pattern: &str, deadline: Duration) -> Result<Vec<String>, BusError> {
        let mut keys = Vec::new();
        for bus in self.members() {
            keys.extend(bus.list_present(pattern, deadline)?);
        }
        keys.sort();
        keys.dedup();
        Ok(keys)
    }

    fn watch_presence(&self, pattern: &str, watcher: PresenceWatcher) -> Result<Registration, BusError> {
        let watcher = Arc::new(watcher);
        self.each(|bus| {
            let watcher = watcher.clone();
            bus.watch_presence(pattern, Box::new(move |key, presence: PresenceStatus| watcher(key, presence)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message_bus::MemoryBus;
    use std::sync::Mutex;

    const TIMEOUT: Duration = Duration::from_secs(10);

    #[test]
    fn each_bus_also_one_that_came_later_is_called_and_hears_what_is_published() {
        let (near, far) = (MemoryBus::new(), MemoryBus::new());
        let joint = CombinedBus::new(Arc::new(near.clone()));
        joint.add(Arc::new(far.clone()));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let listen = |bus: &MemoryBus, name: &'static str| {
            let heard = heard.clone();
            bus.subscribe("a/*", Box::new(move |_, _| heard.lock().unwrap().push(name))).unwrap()
        };
        let _both = (listen(&near, "near"), listen(&far, "far"));
        joint.publish("a/b", b"").unwrap();
        assert_eq!(*heard.lock().unwrap(), ["near", "far"]);

        assert!(matches!(joint.call("a/b", b"", TIMEOUT), Err(CallError::NoAgent { .. })));
        let _served = far.serve("a/b", Box::new(|p| Ok(p.to_vec()))).unwrap();
        assert_eq!(joint.call("a/b", b"x", TIMEOUT).unwrap(), b"x");
        assert_eq!(joint.call_all("a/*", b"x", TIMEOUT).unwrap().len(), 1);
        let here = joint.announce_presence("here/1").unwrap();
        assert_eq!(far.list_present("here/*", TIMEOUT).unwrap(), ["here/1"]);
        assert_eq!(joint.list_present("here/*", TIMEOUT).unwrap(), ["here/1"]);
        drop(here);
        assert!(far.list_present("here/*", TIMEOUT).unwrap().is_empty());
    }
}
