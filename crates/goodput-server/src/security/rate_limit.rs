//! Rate limit per client: a token bucket.

use super::ClientId;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Above this the client idle for longest is forgotten.
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
    full_at: HashMap<ClientId, Instant>,
}

impl RateLimiter {
    pub fn new(rate: RateLimit) -> RateLimiter {
        RateLimiter { rate, full_at: HashMap::new() }
    }

    /// Takes one token, or returns the time until the next.
    pub fn take_token(&mut self, client: ClientId, now: Instant) -> Result<(), Duration> {
        let full = self.full_at.get(&client).copied().unwrap_or(now).max(now);
        // One token is left while at most `burst - 1` are used.
        let most = self.rate.each * (self.rate.burst - 1);
        let until_full = full.saturating_duration_since(now);
        if until_full > most {
            return Err(until_full - most);
        }
        if self.full_at.len() >= REMEMBERED && !self.full_at.contains_key(&client) {
            self.forget(now);
        }
        self.full_at.insert(client, full + self.rate.each);
        Ok(())
    }

    /// Undoes [`RateLimiter::take_token`].
    pub fn return_token(&mut self, client: ClientId) {
        if let Some(full) = self.full_at.get_mut(&client) {
            *full = full.checked_sub(self.rate.each).unwrap_or(*full);
        }
    }

    /// Forgets clients with a full bucket; if there are none, the fullest.
    fn forget(&mut self, now: Instant) {
        self.full_at.retain(|_, full| *full > now);
        if self.full_at.len() >= REMEMBERED
            && let Some(least) = self.full_at.iter().min_by_key(|(_, full)| **full).map(|(client, _)| *client)
        {
            self.full_at.remove(&least);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: RateLimit = RateLimit { burst: 3, each: Duration::from_secs(10) };

    fn client(address: &str) -> ClientId {
        ClientId::of_network(address.parse().unwrap())
    }

    #[test]
    fn a_burst_and_then_one_at_a_time() {
        let (mut limiter, began) = (RateLimiter::new(RATE), Instant::now());
        let a = client("10.0.0.1");
        let at = |s| began + Duration::from_secs(s);
        for _ in 0..3 {
            assert_eq!(limiter.take_token(a, at(0)), Ok(()));
        }
        assert_eq!(limiter.take_token(a, at(0)), Err(Duration::from_secs(10)));
        assert_eq!(limiter.take_token(a, at(4)), Err(Duration::from_secs(6)));
        assert_eq!(limiter.take_token(client("10.0.0.2"), at(4)), Ok(()));
        assert_eq!(limiter.take_token(a, at(10)), Ok(()));
        assert_eq!(limiter.take_token(a, at(10)), Err(Duration::from_secs(10)));
        for _ in 0..3 {
            assert_eq!(limiter.take_token(a, at(1_000)), Ok(()));
        }
        assert!(limiter.take_token(a, at(1_000)).is_err());
    }

    #[test]
    fn a_token_that_is_returned_can_be_taken_again() {
        let (mut limiter, now) = (RateLimiter::new(RATE), Instant::now());
        let (a, ours) = (client("127.0.0.1"), ClientId::Ours);
        (0..3).for_each(|_| limiter.take_token(a, now).unwrap());
        limiter.return_token(a);
        assert_eq!(limiter.take_token(a, now), Ok(()));
        assert!(limiter.take_token(a, now).is_err());
        limiter.return_token(ours);
        assert_eq!(limiter.take_token(ours, now), Ok(()), "other local users do not use up our tokens");
    }

    #[test]
    fn a_whole_network_of_ipv6_is_one_address_and_memory_is_bounded() {
        let (mut limiter, now) = (RateLimiter::new(RATE), Instant::now());
        for i in 0..3 {
            assert!(limiter.take_token(client(&format!("2001:db8::{i}")), now).is_ok());
        }
        assert!(limiter.take_token(client("2001:db8::ffff"), now).is_err());
        assert!(limiter.take_token(client("2001:db8:0:1::1"), now).is_ok());
        let (mut limiter, now) = (RateLimiter::new(RATE), Instant::now());
        for i in 0..(REMEMBERED as u32 + 100) {
            let _ = limiter.take_token(ClientId::of_network(i.to_be_bytes().into()), now);
        }
        assert!(limiter.full_at.len() <= REMEMBERED);
    }
}
