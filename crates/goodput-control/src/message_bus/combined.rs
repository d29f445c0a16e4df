//! The buses of an agent: its own port, and the routers that it has joined.

use super::MessageBus;
use std::sync::{Arc, PoisonError, RwLock};

pub struct CombinedBus {
    members: RwLock<Vec<Arc<dyn MessageBus>>>,
}

impl CombinedBus {
    pub fn new(bus: Arc<dyn MessageBus>) -> CombinedBus {
        CombinedBus { members: RwLock::new(vec![bus]) }
    }

    pub fn add_bus(&self, bus: Arc<dyn MessageBus>) {
        self.members.write().unwrap_or_else(PoisonError::into_inner).push(bus);
    }

    /// Publishes on all buses. Publications may be lost, so errors are ignored.
    pub fn publish(&self, key: &str, payload: &[u8]) {
        let members = self.members.read().unwrap_or_else(PoisonError::into_inner).clone();
        for bus in members {
            let _ = bus.publish(key, payload);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message_bus::MemoryBus;
    use std::sync::Mutex;

    #[test]
    fn each_bus_also_one_that_came_later_hears_what_is_published() {
        let (near, far) = (MemoryBus::new(), MemoryBus::new());
        let joint = CombinedBus::new(Arc::new(near.clone()));
        joint.add_bus(Arc::new(far.clone()));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let listen = |bus: &MemoryBus, name: &'static str| {
            let heard = heard.clone();
            bus.subscribe("a/*", Box::new(move |_, _| heard.lock().unwrap().push(name))).unwrap()
        };
        let _both = (listen(&near, "near"), listen(&far, "far"));
        joint.publish("a/b", b"");
        assert_eq!(*heard.lock().unwrap(), ["near", "far"]);
    }
}
