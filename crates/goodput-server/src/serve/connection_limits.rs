//! Limits of connections: in total, and per client. A new connection always gets a slot. Beyond a limit another
//! is closed: the oldest unauthenticated one of the client with most of them. So strangers displace each other,
//! and neither logged-in users nor newcomers.

use crate::lock;
use crate::security::{ClientId, ConnectionAuth};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

const MAX_CONNECTIONS: usize = 512;
/// A browser opens six for a page.
pub(super) const MAX_CONNECTIONS_PER_CLIENT: usize = 64;

#[derive(Debug, Clone, Default)]
pub struct ConnectionLimits(Arc<Mutex<Slots>>);

#[derive(Debug, Default)]
struct Slots {
    next: u64,
    /// The oldest first.
    taken: VecDeque<Slot>,
}

#[derive(Debug)]
struct Slot {
    number: u64,
    client: ClientId,
    auth: ConnectionAuth,
    evicted: Arc<Notify>,
}

/// A connection's slot, free again on drop.
#[derive(Debug)]
pub struct ConnectionPermit {
    limits: ConnectionLimits,
    number: u64,
    pub auth: ConnectionAuth,
    evicted: Arc<Notify>,
}

impl ConnectionLimits {
    pub fn acquire(&self, client: ClientId, auth: ConnectionAuth) -> ConnectionPermit {
        let evicted = Arc::new(Notify::new());
        let mut slots = lock(&self.0);
        let own = slots.taken.iter().filter(|slot| slot.client == client).count();
        let surplus = if own >= MAX_CONNECTIONS_PER_CLIENT {
            slots.surplus(|slot| slot.client == client)
        } else if slots.taken.len() >= MAX_CONNECTIONS {
            slots.surplus(|_| true)
        } else {
            None
        };
        if let Some(slot) = surplus.and_then(|at| slots.taken.remove(at)) {
            slot.evicted.notify_one();
        }
        let number = slots.next;
        slots.next += 1;
        slots.taken.push_back(Slot { number, client, auth: auth.clone(), evicted: evicted.clone() });
        ConnectionPermit { limits: self.clone(), number, auth, evicted }
    }
}

impl Slots {
    /// Which of `among` must go: the oldest of the client with most, authenticated only if there is no other.
    fn surplus(&self, among: impl Fn(&Slot) -> bool) -> Option<usize> {
        let all = || self.taken.iter().enumerate().filter(|(_, slot)| among(slot));
        let has_strangers = all().any(|(_, slot)| !slot.auth.is_authenticated());
        let candidates = || all().filter(|(_, slot)| slot.auth.is_authenticated() != has_strangers);
        let mut count: HashMap<ClientId, usize> = HashMap::new();
        candidates().for_each(|(_, slot)| *count.entry(slot.client).or_default() += 1);
        let most = *count.values().max()?;
        candidates().find(|(_, slot)| count.get(&slot.client) == Some(&most)).map(|(at, _)| at)
    }
}

impl ConnectionPermit {
    /// Returns when the slot is needed for another connection.
    pub async fn evicted(&self) {
        self.evicted.notified().await;
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        lock(&self.limits.0).taken.retain(|slot| slot.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn network(n: usize) -> ClientId {
        ClientId::of_network(format!("10.0.{}.{}", n / 256, n % 256).parse().unwrap())
    }

    fn stranger(limits: &ConnectionLimits, n: usize) -> ConnectionPermit {
        limits.acquire(network(n), ConnectionAuth::default())
    }

    fn user(limits: &ConnectionLimits, client: ClientId) -> ConnectionPermit {
        let auth = ConnectionAuth::default();
        auth.set(true);
        limits.acquire(client, auth)
    }

    fn is_evicted(permit: &ConnectionPermit) -> bool {
        permit.evicted().now_or_never().is_some()
    }

    #[test]
    fn a_client_at_its_limit_loses_its_oldest_connection_without_a_login() {
        let limits = ConnectionLimits::default();
        let user = user(&limits, network(1));
        let own: Vec<_> = (1..MAX_CONNECTIONS_PER_CLIENT).map(|_| stranger(&limits, 1)).collect();
        assert!(!own.iter().any(is_evicted));
        let newcomer = stranger(&limits, 1);
        assert!(is_evicted(&own[0]) && !is_evicted(&own[1]) && !is_evicted(&newcomer) && !is_evicted(&user));
        drop((own, newcomer, user));
        assert!(limits.0.lock().unwrap().taken.is_empty());
    }

    #[test]
    fn nine_addresses_of_strangers_keep_nobody_out() {
        let limits = ConnectionLimits::default();
        let user = user(&limits, network(0));
        let held: Vec<_> =
            (0..9 * MAX_CONNECTIONS_PER_CLIENT).map(|n| stranger(&limits, 1 + n % 9)).collect();
        assert_eq!(limits.0.lock().unwrap().taken.len(), MAX_CONNECTIONS);
        let newcomer = stranger(&limits, 10);
        // More strangers displace each other only.
        let more: Vec<_> = (0..2 * MAX_CONNECTIONS).map(|n| stranger(&limits, 1 + n % 9)).collect();
        assert!(!is_evicted(&user) && !is_evicted(&newcomer));
        assert!(held.iter().all(is_evicted) && !is_evicted(&more[2 * MAX_CONNECTIONS - 1]));
        assert_eq!(limits.0.lock().unwrap().taken.len(), MAX_CONNECTIONS);
    }

    #[test]
    fn among_users_only_the_one_with_most_makes_room_and_a_stranger_gets_one_slot() {
        let limits = ConnectionLimits::default();
        let busy: Vec<_> = (0..MAX_CONNECTIONS_PER_CLIENT).map(|_| user(&limits, network(1))).collect();
        let others: Vec<_> =
            (MAX_CONNECTIONS_PER_CLIENT..MAX_CONNECTIONS).map(|n| user(&limits, network(100 + n))).collect();
        let strangers: Vec<_> = (0..9).map(|n| stranger(&limits, 2 + n)).collect();
        assert_eq!(busy.iter().map(is_evicted).filter(|out| *out).count(), 1);
        assert!(!others.iter().any(is_evicted));
        assert_eq!(strangers.iter().map(is_evicted).filter(|out| !out).count(), 1);
    }

    #[test]
    fn local_programs_of_other_users_do_not_displace_ours() {
        let limits = ConnectionLimits::default();
        let ours = limits.acquire(ClientId::Ours, ConnectionAuth::default());
        let local = ClientId::of_network("127.0.0.1".parse().unwrap());
        let other = ClientId::of_network("127.9.9.9".parse().unwrap());
        assert_eq!(local, other, "a host has many loopback addresses");
        let held: Vec<_> = (0..2 * MAX_CONNECTIONS)
            .map(|n| limits.acquire(if n % 2 == 0 { local } else { other }, ConnectionAuth::default()))
            .collect();
        assert!(!is_evicted(&ours));
        assert_eq!(held.iter().filter(|permit| !is_evicted(permit)).count(), MAX_CONNECTIONS_PER_CLIENT);
    }
}
