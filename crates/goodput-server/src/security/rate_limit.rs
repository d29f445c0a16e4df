//! Rate limit per address: a token bucket.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::{Duration, Instant};

/// Above this the address idle for longest is forgotten.
const REMEMBERED: usize = 4096;

/// A burst, and one more after each interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    pub burst: u32,
    pub each: Duration,
}

#[derive(Debug)]
pub struct RateLimiter {
    rate: RateLimit,
    full_at: HashMap<IpAddr, Instant>,
}

impl RateLimiter {
    pub fn new(rate: RateLimit) -> RateLimiter {
        RateLimiter { rate, full_at: HashMap::new() }
    }

    /// Takes one token, or returns the time until the next.
    pub fn take_token(&mut self, address: IpAddr, now: Instant) -> Result<(), Duration> {
        self.check_token_available(address, now)?;
        self.record_attempt(address, now);
        Ok(())
    }

    /// Like [`RateLimiter::take`] without taking.
    pub fn check_token_available(&self, address: IpAddr, now: Instant) -> Result<(), Duration> {
        let until_full = self
            .full_at
            .get(&network(address))
            .map_or(Duration::ZERO, |full| full.saturating_duration_since(now));
        // One token is left while at most `burst - 1` are used.
        let most = self.rate.each * (self.rate.burst - 1);
        if until_full <= most { Ok(()) } else { Err(until_full - most) }
    }

    pub fn record_attempt(&mut self, address: IpAddr, now: Instant) {
        let network = network(address);
        if self.full_at.len() >= REMEMBERED && !self.full_at.contains_key(&network) {
            self.forget(now);
        }
        let full = self.full_at.entry(network).or_insert(now);
        *full = (*full).max(now) + self.rate.each;
    }

    /// Forgets addresses with a full bucket; if there are none, the fullest.
    fn forget(&mut self, now: Instant) {
        self.full_at.retain(|_, full| *full > now);
        if self.full_at.len() >= REMEMBERED
            && let Some(least) = self.full_at.iter().min_by_key(|(_, full)| **full).map(|(a, _)| *a)
        {
            self.full_at.remove(&least);
        }
    }
}

/// An IPv6 host has a /64, which counts as one address.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from(u128::from(v6) & !u128::from(u64::MAX))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: RateLimit = RateLimit { burst: 3, each: Duration::from_secs(10) };

    #[test]
    fn a_burst_and_then_one_at_a_time() {
        let (mut limiter, began) = (RateLimiter::new(RATE), Instant::now());
        let a: IpAddr = "10.0.0.1".parse().unwrap();
        let at = |s| began + Duration::from_secs(s);
        for _ in 0..3 {
            assert_eq!(limiter.take_token(a, at(0)), Ok(()));
        }
        assert_eq!(limiter.take_token(a, at(0)), Err(Duration::from_secs(10)));
        assert_eq!(limiter.take_token(a, at(4)), Err(Duration::from_secs(6)));
        assert_eq!(limiter.take_token("10.0.0.2".parse().unwrap(), at(4)), Ok(()));
        assert_eq!(limiter.take_token(a, at(10)), Ok(()));
        assert_eq!(limiter.take_token(a, at(10)), Err(Duration::from_secs(10)));
        for _ in 0..3 {
            assert_eq!(limiter.take_token(a, at(1_000)), Ok(()));
        }
        assert!(limiter.take_token(a, at(1_000)).is_err());
    }

    #[test]
    fn a_whole_network_of_ipv6_is_one_address_and_memory_is_bounded() {
        let (mut limiter, now) = (RateLimiter::new(RATE), Instant::now());
        for i in 0..3 {
            assert!(limiter.take_token(format!("2001:db8::{i}").parse().unwrap(), now).is_ok());
        }
        assert!(limiter.take_token("2001:db8::ffff".parse().unwrap(), now).is_err());
        assert!(limiter.take_token("2001:db8:0:1::1".parse().unwrap(), now).is_ok());
        let (mut limiter, now) = (RateLimiter::new(RATE), Instant::now());
        for i in 0..(REMEMBERED as u32 + 100) {
            limiter.record_attempt(IpAddr::from(i.to_be_bytes()), now);
        }
        assert!(limiter.full_at.len() <= REMEMBERED);
    }
}
