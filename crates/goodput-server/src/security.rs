//! Authentication and authorization of every request.
//!
//! A request must name this host ([`host`], against DNS rebinding) and keep the rate limit ([`limit`]). It is
//! identified by session cookie ([`session`]), token or password ([`secrets`]), or as a local program of the
//! user ([`local`]) if no login exists. [`Who`] is a route's required role; changes need proof of origin
//! ([`guard`]). See `docs/SECURITY.md`.

mod caller;
mod guard;
pub(crate) mod headers;
pub mod host;
pub mod limit;
pub mod local;
pub mod password;
pub mod secrets;
pub mod session;

pub use caller::{Caller, How, Peer};
pub use guard::{CSRF_HEADER, login_needed};

use crate::problem::{Kind, Problem};
use axum::extract::Request;
use axum::http::HeaderMap;
use host::Names;
use limit::{Limiter, Rate};
use schemars::JsonSchema;
use secrets::Secrets;
use serde::{Deserialize, Serialize};
use session::Sessions;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// What somebody may do here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Log in.
    None,
    /// See everything, change nothing.
    Reader,
    /// Start, stop, schedule and tag as well.
    Operator,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessLevel {
    Anybody,
    Reader,
    Operator,
}

impl AccessLevel {
    pub fn least(self) -> Role {
        match self {
            AccessLevel::Anybody => Role::None,
            AccessLevel::Reader => Role::Reader,
            AccessLevel::Operator => Role::Operator,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            AccessLevel::Anybody => "anybody",
            AccessLevel::Reader => "reader",
            AccessLevel::Operator => "operator",
        }
    }
}

/// Per address: a page load sends a dozen requests.
const REQUESTS: Rate = Rate { burst: 600, each: Duration::from_millis(10) };
const LOGINS: Rate = Rate { burst: 5, each: Duration::from_secs(12) };
/// Password checks at once: each takes part of a second of CPU time.
const CHECKED_AT_ONCE: usize = 2;

#[derive(Debug)]
pub struct Security {
    secrets: Secrets,
    names: Names,
    over_tls: bool,
    sessions: Mutex<Sessions>,
    requests: Mutex<Limiter>,
    logins: Mutex<Limiter>,
    checks: Semaphore,
    local_csrf: String,
}

impl Security {
    /// `names` are the hosts that requests may name. `over_tls` sets secure cookies. Fails without system
    /// randomness.
    pub fn new(secrets: Secrets, names: Names, over_tls: bool) -> Result<Security, NoRandom> {
        Ok(Security {
            secrets,
            names,
            over_tls,
            sessions: Mutex::new(Sessions::default()),
            requests: Mutex::new(Limiter::new(REQUESTS)),
            logins: Mutex::new(Limiter::new(LOGINS)),
            checks: Semaphore::new(CHECKED_AT_ONCE),
            local_csrf: random_word()?,
        })
    }

    /// True if no login exists: then the local user is the operator.
    pub fn is_open(&self) -> bool {
        self.secrets.is_empty()
    }

    fn caller(&self, headers: &HeaderMap, peer: Peer, now: Instant) -> Caller {
        let address = peer.address.ip().to_canonical();
        let found = if let Some(token) = guard::bearer(headers) {
            self.secrets.token(token).map(|(role, name)| (role, How::Token { name: name.to_string() }))
        } else if let Some(cookie) = guard::cookie(headers, session::cookie_name(self.over_tls)) {
            let session = lock(&self.sessions).find(cookie, now);
            session.map(|s| (s.role, How::Session { csrf: s.csrf, cookie: cookie.to_string() }))
        } else {
            None
        };
        let local = self.is_open() && peer.is_ours;
        let (role, how) = match found {
            Some(found) => found,
            None if local => (Role::Operator, How::Local { csrf: self.local_csrf.clone() }),
            None => (Role::None, How::Stranger),
        };
        Caller { role, how, address }
    }

    /// Opens a session; returns it with its cookie. Fails if the password is wrong, or attempts are too many.
    pub async fn log_in(
        &self,
        password: String,
        address: IpAddr,
        now: Instant,
    ) -> Result<(Caller, String), Problem> {
        if self.is_open() {
            return Err(Problem::new(Kind::Conflict, "there is no password")
                .because("goodput serve was started without one")
                .try_this("set one on the host: goodput serve password operator"));
        }
        lock(&self.logins).may(address, now).map_err(|wait| {
            Problem::new(Kind::TooMany, "too many logins from your address")
                .because("the last ones were wrong")
                .try_this(format!("try again in {} s", wait.as_secs().max(1)))
                .after(wait)
        })?;
        let role = self.check(password).await?;
        let Some(role) = role else {
            lock(&self.logins).count(address, now);
            return Err(Problem::new(Kind::Login, "the password is wrong"));
        };
        let no_random = |e: NoRandom| Problem::internal("no session could be opened", &e);
        let (cookie, session) = lock(&self.sessions).open(role, now).map_err(no_random)?;
        let how = How::Session { csrf: session.csrf, cookie: cookie.clone() };
        Ok((Caller { role, how, address }, session::set_cookie(&cookie, self.over_tls)))
    }

    pub fn log_out(&self, caller: &Caller) -> String {
        if let How::Session { cookie, .. } = &caller.how {
            lock(&self.sessions).close(cookie);
        }
        session::clear_cookie(self.over_tls)
    }

    /// False if the session has ended. Does not count as use of it.
    pub fn has_session(&self, caller: &Caller, now: Instant) -> bool {
        match &caller.how {
            How::Session { cookie, .. } => lock(&self.sessions).knows(cookie, now),
            How::Token { .. } | How::Local { .. } | How::Stranger => true,
        }
    }

    /// Tries the password against each hash, on a separate thread.
    async fn check(&self, password: String) -> Result<Option<Role>, Problem> {
        let busy = || Problem::new(Kind::Busy, "too many logins at once").after(Duration::from_secs(2));
        let permit = tokio::time::timeout(Duration::from_secs(5), self.checks.acquire()).await;
        let Ok(Ok(_permit)) = permit else { return Err(busy()) };
        let secrets = self.secrets.clone();
        tokio::task::spawn_blocking(move || secrets.password(&password))
            .await
            .map_err(|e| Problem::internal("the password could not be checked", &e))
    }
}

pub(crate) fn admit(security: &Security, request: &mut Request, now: Instant) -> Result<(), Problem> {
    let peer = request.extensions().get::<Peer>().copied().unwrap_or_default();
    let address = peer.address.ip().to_canonical();
    lock(&security.requests)
        .take(address, now)
        .map_err(|wait| Problem::new(Kind::TooMany, "too many requests from your address").after(wait))?;
    security.names.admit(request.uri(), request.headers())?;
    let caller = security.caller(request.headers(), peer, now);
    request.extensions_mut().insert(caller);
    Ok(())
}

#[derive(Debug, thiserror::Error)]
#[error("the system gives no random bytes")]
pub struct NoRandom;

/// 256 random bits as 43 characters for a header, cookie or URL.
pub(crate) fn random_word() -> Result<String, NoRandom> {
    let mut bytes = [0; 32];
    let random = ring::rand::SystemRandom::new();
    ring::rand::SecureRandom::fill(&random, &mut bytes).map_err(|_| NoRandom)?;
    Ok(data_encoding::BASE64URL_NOPAD.encode(&bytes))
}

/// Every change is complete before the lock is released, so a panic leaves valid data.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
