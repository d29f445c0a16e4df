//! Sessions: who has logged in, for how long. They live in memory and end with the server.

use super::{NoRandom, Role, random_word};
use axum::http::HeaderValue;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// A session ends when nobody has used it for so long …
const IDLE: Duration = Duration::from_secs(12 * 60 * 60);
const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Sessions at once; then the one that was unused for longest ends.
const MOST: usize = 256;

#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    pub role: Role,
    /// What his page sends with each change.
    pub csrf: String,
    opened: Instant,
    used: Instant,
}

/// All sessions, by the digest of their cookie: whoever reads our memory's names has no cookie yet.
#[derive(Default)]
pub struct Sessions(HashMap<[u8; 32], Session>);

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sessions({})", self.0.len())
    }
}

impl Sessions {
    /// A new session, and the cookie that shows it.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn open(&mut self, role: Role, now: Instant) -> Result<(String, Session), NoRandom> {
        let (cookie, csrf) = (random_word()?, random_word()?);
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

    /// True while a cookie shows a session; that is no use of it.
    pub fn knows(&self, cookie: &str, now: Instant) -> bool {
        self.0.get(&digest(cookie)).is_some_and(|session| session.lasts(now))
    }

    pub fn close(&mut self, cookie: &str) {
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

/// The cookie's name. With `__Host-` a browser takes it only from this very host and only over TLS
/// (RFC 6265bis, section 4.1.3.2).
pub fn cookie_name(over_tls: bool) -> &'static str {
    if over_tls { "__Host-goodput" } else { "goodput" }
}

/// `Set-Cookie` of a new session: no script reads it, no other site sends it.
pub fn set_cookie(cookie: &str, over_tls: bool) -> String {
    format!("{}={cookie}; {}", cookie_name(over_tls), attributes(over_tls))
}

/// `Set-Cookie` that takes it away.
pub fn clear_cookie(over_tls: bool) -> String {
    format!("{}=; Max-Age=0; {}", cookie_name(over_tls), attributes(over_tls))
}

fn attributes(over_tls: bool) -> &'static str {
    if over_tls { "Path=/; HttpOnly; SameSite=Strict; Secure" } else { "Path=/; HttpOnly; SameSite=Strict" }
}

/// The header of a cookie; its letters are all ours.
pub fn header(cookie: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(cookie).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_by_itself_and_when_it_is_closed() {
        let (mut sessions, now) = (Sessions::default(), Instant::now());
        let hours = |h: u64| now + Duration::from_secs(h * 3600);
        let (cookie, session) = sessions.open(Role::Reader, now).unwrap();
        assert_ne!(cookie, session.csrf);
        assert_eq!(sessions.find(&cookie, hours(11)).unwrap().role, Role::Reader);
        // It was used eleven hours ago, not twenty-two.
        assert!(sessions.find(&cookie, hours(22)).is_some());
        assert!(sessions.find("guess", hours(22)).is_none());
        assert!(sessions.find(&cookie, hours(34)).is_none());
        let (busy, _) = sessions.open(Role::Operator, now).unwrap();
        assert!((1..=16).all(|i| sessions.find(&busy, hours(10 * i)).is_some()));
        assert!(sessions.find(&busy, hours(168)).is_none(), "a week is the longest");
        let (closed, _) = sessions.open(Role::Operator, now).unwrap();
        // To ask is no use.
        assert!(sessions.knows(&closed, hours(11)) && !sessions.knows(&closed, hours(13)));
        sessions.close(&closed);
        assert!(sessions.find(&closed, now).is_none() && !sessions.knows(&closed, now));
    }

    #[test]
    fn the_oldest_makes_room() {
        let (mut sessions, now) = (Sessions::default(), Instant::now());
        let (first, _) = sessions.open(Role::Reader, now).unwrap();
        for _ in 0..MOST {
            sessions.open(Role::Reader, now + Duration::from_secs(1)).unwrap();
        }
        assert_eq!(sessions.0.len(), MOST);
        assert!(sessions.find(&first, now + Duration::from_secs(1)).is_none());
    }
}
