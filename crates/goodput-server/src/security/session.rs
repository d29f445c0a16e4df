//! Login sessions, in memory only.

use super::{RandomnessError, Role, random_token};
use axum::http::HeaderValue;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::time::{Duration, Instant};

const IDLE: Duration = Duration::from_secs(12 * 60 * 60);
const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Above this the session unused for longest ends.
const MOST: usize = 256;

#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    pub role: Role,
    pub csrf: String,
    opened: Instant,
    used: Instant,
}

/// By digest of the cookie, so that memory does not contain cookies.
#[derive(Default)]
pub struct Sessions(HashMap<[u8; 32], Session>);

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sessions({})", self.0.len())
    }
}

impl Sessions {
    /// A new session and its cookie; fails without system randomness.
    pub fn create(&mut self, role: Role, now: Instant) -> Result<(String, Session), RandomnessError> {
        let (cookie, csrf) = (random_token()?, random_token()?);
        self.0.retain(|_, session| session.lasts(now));
        if self.0.len() >= MOST
            && let Some(oldest) = self.0.iter().min_by_key(|(_, s)| s.used).map(|(key, _)| *key)
        {
            self.0.remove(&oldest);
        }
        let session = Session { role, csrf, opened: now, used: now };
        self.0.insert(digest(&cookie), session.clone());
        Ok((cookie, session))
    }

    pub fn find(&mut self, cookie: &str, now: Instant) -> Option<Session> {
        let key = digest(cookie);
        let session = self.0.get_mut(&key)?;
        if !session.lasts(now) {
            self.0.remove(&key);
            return None;
        }
        session.used = now;
        Some(session.clone())
    }

    /// Does not count as use of the session.
    pub fn contains(&self, cookie: &str, now: Instant) -> bool {
        self.0.get(&digest(cookie)).is_some_and(|session| session.lasts(now))
    }

    pub fn remove(&mut self, cookie: &str) {
        self.0.remove(&digest(cookie));
    }
}

impl Session {
    fn lasts(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.used) < IDLE
            && now.saturating_duration_since(self.opened) < LONGEST
    }
}

fn digest(cookie: &str) -> [u8; 32] {
    Sha256::digest(cookie).into()
}

/// `__Host-` restricts the cookie to this host and TLS (RFC 6265bis, section 4.1.3.2).
pub fn session_cookie_name(over_tls: bool) -> &'static str {
    if over_tls { "__Host-goodput" } else { "goodput" }
}

/// HttpOnly and SameSite.
pub fn build_session_cookie(cookie: &str, over_tls: bool) -> String {
    format!("{}={cookie}; {}", session_cookie_name(over_tls), attributes(over_tls))
}

pub fn build_expired_cookie(over_tls: bool) -> String {
    format!("{}=; Max-Age=0; {}", session_cookie_name(over_tls), attributes(over_tls))
}

fn attributes(over_tls: bool) -> &'static str {
    if over_tls { "Path=/; HttpOnly; SameSite=Strict; Secure" } else { "Path=/; HttpOnly; SameSite=Strict" }
}

pub fn cookie_to_header_value(cookie: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(cookie).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_by_itself_and_when_it_is_closed_and_the_oldest_makes_room() {
        let (mut sessions, now) = (Sessions::default(), Instant::now());
        let hours = |h: u64| now + Duration::from_secs(h * 3600);
        let (cookie, session) = sessions.create(Role::Reader, now).unwrap();
        assert_ne!(cookie, session.csrf);
        assert_eq!(sessions.find(&cookie, hours(11)).unwrap().role, Role::Reader);
        assert!(sessions.find(&cookie, hours(22)).is_some());
        assert!(sessions.find("guess", hours(22)).is_none());
        assert!(sessions.find(&cookie, hours(34)).is_none());
        let (busy, _) = sessions.create(Role::Operator, now).unwrap();
        assert!((1..=16).all(|i| sessions.find(&busy, hours(10 * i)).is_some()));
        assert!(sessions.find(&busy, hours(168)).is_none(), "a week is the longest");
        let (closed, _) = sessions.create(Role::Operator, now).unwrap();
        // A check does not count as use.
        assert!(sessions.contains(&closed, hours(11)) && !sessions.contains(&closed, hours(13)));
        sessions.remove(&closed);
        assert!(sessions.find(&closed, now).is_none() && !sessions.contains(&closed, now));
        let (mut sessions, now) = (Sessions::default(), Instant::now());
        let (first, _) = sessions.create(Role::Reader, now).unwrap();
        for _ in 0..MOST {
            sessions.create(Role::Reader, now + Duration::from_secs(1)).unwrap();
        }
        assert_eq!(sessions.0.len(), MOST);
        assert!(sessions.find(&first, now + Duration::from_secs(1)).is_none());
    }
}
