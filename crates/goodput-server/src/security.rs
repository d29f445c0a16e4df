//! Who asks, and what he may: looked at before anything else of a request.
//!
//! Every request goes through the gate: it must name this host ([`host`], against DNS rebinding), its address must not
//! ask too often ([`limit`]), and it is found out who sends it: a session's cookie ([`session`]), a token or a password
//! from the operator's files ([`secrets`]), or, where there are none, a program of the user who started the server on this
//! machine ([`local`]). Each route says whom it lets in ([`Who`]); what changes something must besides come from our own
//! page ([`guard`]). What is protected and what is not stands in `docs/SECURITY.md`.

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

/// Whom a route lets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Anybody,
    Reader,
    Operator,
}

impl Who {
    pub fn least(self) -> Role {
        match self {
            Who::Anybody => Role::None,
            Who::Reader => Role::Reader,
            Who::Operator => Role::Operator,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Who::Anybody => "anybody",
            Who::Reader => "reader",
            Who::Operator => "operator",
        }
    }
}

/// Requests of one address: a page opens with a dozen and then asks now and then.
const REQUESTS: Rate = Rate { burst: 600, each: Duration::from_millis(10) };
const LOGINS: Rate = Rate { burst: 5, each: Duration::from_secs(12) };
/// Passwords that are checked at once: each costs a CPU for part of a second.
const CHECKED_AT_ONCE: usize = 2;

/// What the guard knows and remembers.
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
    /// With these secrets, for requests that name one of these hosts. `over_tls` makes cookies that no browser sends
    /// in the clear.
    ///
    /// # Errors
    /// The system gives no random bytes.
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

    /// True when nobody can log in: then the user who started the server on this machine is its operator.
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

    /// Opens a session for whoever knows a password; the answer is the session and its cookie.
    ///
    /// # Errors
    /// Wrong, too often, or too many at once.
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

    /// Ends the caller's session; the answer takes its cookie away.
    pub fn log_out(&self, caller: &Caller) -> String {
        if let How::Session { cookie, .. } = &caller.how {
            lock(&self.sessions).close(cookie);
        }
        session::clear_cookie(self.over_tls)
    }

    /// False for a caller whose session has ended since he was let in. To ask is no use of the session.
    pub fn still_knows(&self, caller: &Caller, now: Instant) -> bool {
        match &caller.how {
            How::Session { cookie, .. } => lock(&self.sessions).knows(cookie, now),
            How::Token { .. } | How::Local { .. } | How::Stranger => true,
        }
    }

    /// Tries the password against each that is set, on a thread where it disturbs nobody.
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

/// Lets a request through with its caller, or says why not.
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

/// The system gives no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random bytes")]
pub struct NoRandom;

/// 256 random bits as 43 letters that a header, a cookie and an address may hold.
pub(crate) fn random_word() -> Result<String, NoRandom> {
    let mut bytes = [0; 32];
    let random = ring::rand::SystemRandom::new();
    ring::rand::SecureRandom::fill(&random, &mut bytes).map_err(|_| NoRandom)?;
    Ok(data_encoding::BASE64URL_NOPAD.encode(&bytes))
}

/// Nothing is left half done while a lock is held, so a thread that panicked there has spoilt nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
