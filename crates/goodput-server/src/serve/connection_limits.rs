//! Limits of connections: in total, and per address.

use crate::lock;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};

const ALTOGETHER: usize = 512;
/// A browser opens six for a page.
const OF_ONE: usize = 64;

#[derive(Debug, Clone, Default)]
pub struct ConnectionLimits(Arc<Mutex<HashMap<IpAddr, usize>>>);

#[derive(Debug)]
pub struct ConnectionPermit {
    places: ConnectionLimits,
    address: IpAddr,
}

impl ConnectionLimits {
    pub fn acquire(&self, address: IpAddr) -> Option<ConnectionPermit> {
        let address = network(address);
        let mut taken = lock(&self.0);
        if taken.values().sum::<usize>() >= ALTOGETHER {
            return None;
        }
        let own = taken.entry(address).or_default();
        if *own >= OF_ONE {
            return None;
        }
        *own += 1;
        Some(ConnectionPermit { places: self.clone(), address })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut taken = lock(&self.places.0);
        if let Some(own) = taken.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

/// An IPv6 host has a /64, which counts as one address.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from(u128::from(v6) & !u128::from(u64::MAX))),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_few_and_are_given_back() {
        let places = ConnectionLimits::default();
        let from = |n: u8| IpAddr::from([10, 0, 0, n]);
        let own: Vec<ConnectionPermit> = (0..OF_ONE).map_while(|_| places.acquire(from(1))).collect();
        assert_eq!(own.len(), OF_ONE);
        assert!(places.acquire(from(1)).is_none());
        let others: Vec<ConnectionPermit> = (2..=255).filter_map(|n| places.acquire(from(n))).collect();
        assert_eq!(others.len(), 254);
        drop(own);
        let again: Vec<ConnectionPermit> = (0..OF_ONE).map_while(|_| places.acquire(from(1))).collect();
        assert_eq!(again.len(), OF_ONE);
        drop((others, again));
        assert!(places.0.lock().unwrap().is_empty());
        let all: Vec<ConnectionPermit> =
            (0..=255).cycle().take(ALTOGETHER).filter_map(|n| places.acquire(from(n))).collect();
        assert_eq!(all.len(), ALTOGETHER);
        assert!(places.acquire("2001:db8::1".parse().unwrap()).is_none());
    }
}
