//! Authentication and authorization of every request.
//!
//! A request must name this host ([`host`], against DNS rebinding) and keep the rate limit ([`limit`]). It is
//! identified by session cookie ([`session`]), token or password ([`secrets`]), or as a local program of the
//! user ([`local`]) if no login exists. [`Who`] is a route's required role; changes need proof of origin
//! ([`guard`]). See `docs/SECURITY.md`.

pub mod allowed_hosts;
mod caller;
mod guard;
pub(crate) mod headers;
pub mod local_peer;
pub mod password;
pub mod rate_limit;
pub mod secrets;
pub mod session;

pub use caller::{AuthMethod, Caller, ClientId, ConnectionAuth, ConnectionPeer};
pub use guard::{CSRF_HEADER, login_required_error};

use crate::problem::{Problem, ProblemKind};
use crate::{lock, seconds_arg};
use allowed_hosts::AllowedHosts;
use axum::extract::Request;
use axum::http::HeaderMap;
use goodput_words::{error_messages, message};
use rate_limit::{RateLimit, RateLimiter};
use schemars::JsonSchema;
use secrets::Secrets;
use serde::{Deserialize, Serialize};
use session::Sessions;
use std::sync::{Arc, Mutex};
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
    pub fn min_role(self) -> Role {
        match self {
            AccessLevel::Anybody => Role::None,
            AccessLevel::Reader => Role::Reader,
            AccessLevel::Operator => Role::Operator,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            AccessLevel::Anybody => "anybody",
            AccessLevel::Reader => "reader",
            AccessLevel::Operator => "operator",
        }
    }
}

/// Per address: a page load sends a dozen requests.
const REQUESTS: RateLimit = RateLimit { burst: 600, each: Duration::from_millis(10) };
const LOGINS: RateLimit = RateLimit { burst: 5, each: Duration::from_secs(12) };
/// Password checks at once: each takes part of a second of CPU time.
const CHECKED_AT_ONCE: usize = 2;

#[derive(Debug)]
pub struct Authenticator {
    secrets: Secrets,
    names: AllowedHosts,
    over_tls: bool,
    sessions: Mutex<Sessions>,
    requests: Mutex<RateLimiter>,
    logins: Mutex<RateLimiter>,
    checks: Arc<Semaphore>,
    local_csrf: String,
}

impl Authenticator {
    /// `names` are the hosts that requests may name. `over_tls` sets secure cookies. Fails without system
    /// randomness.
    pub fn new(
        secrets: Secrets,
        names: AllowedHosts,
        over_tls: bool,
    ) -> Result<Authenticator, RandomnessError> {
        Ok(Authenticator {
            secrets,
            names,
            over_tls,
            sessions: Mutex::new(Sessions::default()),
            requests: Mutex::new(RateLimiter::new(REQUESTS)),
            logins: Mutex::new(RateLimiter::new(LOGINS)),
            checks: Arc::new(Semaphore::new(CHECKED_AT_ONCE)),
            local_csrf: random_token()?,
        })
    }

    /// True if no login exists: then the local user is the operator.
    pub fn is_login_disabled(&self) -> bool {
        self.secrets.is_empty()
    }

    fn caller(&self, headers: &HeaderMap, peer: ConnectionPeer, now: Instant) -> Caller {
        let found = if let Some(token) = guard::bearer_token(headers) {
            self.secrets
                .role_for_token(token)
                .map(|(role, name)| (role, AuthMethod::Token { name: name.to_string() }))
        } else if let Some(cookie) = guard::cookie_value(headers, session::session_cookie_name(self.over_tls))
        {
            let session = lock(&self.sessions).find(cookie, now);
            session.map(|s| (s.role, AuthMethod::Session { csrf: s.csrf, cookie: cookie.to_string() }))
        } else {
            None
        };
        let local = self.is_login_disabled() && peer.is_ours;
        let (role, how) = match found {
            Some(found) => found,
            None if local => (Role::Operator, AuthMethod::Local { csrf: self.local_csrf.clone() }),
            None => (Role::None, AuthMethod::Stranger),
        };
        Caller { role, how, client: peer.client() }
    }

    /// Opens a session; returns it with its cookie. Fails if the password is wrong, or attempts are too many.
    pub async fn log_in(
        &self,
        password: String,
        client: ClientId,
        now: Instant,
    ) -> Result<(Caller, String), Problem> {
        if self.is_login_disabled() {
            return Err(Problem::new(ProblemKind::Conflict, "no password is configured")
                .with_cause("goodput serve was started without a password")
                .with_hint("set a password on the host: goodput serve password operator"));
        }
        // Taken before the password is checked, because checks of other attempts run at the same time.
        lock(&self.logins).take_token(client, now).map_err(|wait| {
            let time = seconds_arg(wait.as_secs().max(1) as f64);
            Problem::new(ProblemKind::TooMany, "too many logins from your address")
                .with_cause("the last login attempts failed")
                .with_hint(message!(served_try_again_in { time }))
                .with_retry_after(wait)
        })?;
        let checked = self.check(password).await;
        if !matches!(checked, Ok(None)) {
            lock(&self.logins).return_token(client);
        }
        let Some(role) = checked? else {
            return Err(Problem::new(ProblemKind::Login, "the password is wrong"));
        };
        let no_random = |e: RandomnessError| Problem::internal_error("no session could be opened", &e);
        let (cookie, session) = lock(&self.sessions).create(role, now).map_err(no_random)?;
        let how = AuthMethod::Session { csrf: session.csrf, cookie: cookie.clone() };
        Ok((Caller { role, how, client }, session::build_session_cookie(&cookie, self.over_tls)))
    }

    pub fn log_out(&self, caller: &Caller) -> String {
        if let AuthMethod::Session { cookie, .. } = &caller.how {
            lock(&self.sessions).remove(cookie);
        }
        session::build_expired_cookie(self.over_tls)
    }

    /// False if the session has ended. Does not count as use of it.
    pub fn has_session(&self, caller: &Caller, now: Instant) -> bool {
        match &caller.how {
            AuthMethod::Session { cookie, .. } => lock(&self.sessions).contains(cookie, now),
            AuthMethod::Token { .. } | AuthMethod::Local { .. } | AuthMethod::Stranger => true,
        }
    }

    /// Tries the password against each hash, on a separate thread.
    async fn check(&self, password: String) -> Result<Option<Role>, Problem> {
        let busy = || {
            Problem::new(ProblemKind::Busy, "too many logins at once")
                .with_retry_after(Duration::from_secs(2))
        };
        let permit = tokio::time::timeout(Duration::from_secs(5), self.checks.clone().acquire_owned()).await;
        let Ok(Ok(permit)) = permit else { return Err(busy()) };
        let secrets = self.secrets.clone();
        tokio::task::spawn_blocking(move || {
            // Held here, because the check continues when the client disconnects.
            let _permit = permit;
            secrets.role_for_password(&password)
        })
        .await
        .map_err(|e| Problem::foreign_error("the password could not be checked", &e))
    }
}

pub(crate) fn authenticate_request(
    security: &Authenticator,
    request: &mut Request,
    now: Instant,
) -> Result<(), Problem> {
    let peer = request.extensions().get::<ConnectionPeer>().copied().unwrap_or_default();
    lock(&security.requests).take_token(peer.client(), now).map_err(|wait| {
        Problem::new(ProblemKind::TooMany, "too many requests from your address").with_retry_after(wait)
    })?;
    security.names.check_host(request.uri(), request.headers())?;
    let caller = security.caller(request.headers(), peer, now);
    if let Some(auth) = request.extensions().get::<ConnectionAuth>() {
        auth.set(caller.role > Role::None);
    }
    request.extensions_mut().insert(caller);
    Ok(())
}

#[derive(Debug)]
pub struct RandomnessError;

error_messages! { RandomnessError { RandomnessError => message!(error_no_random) } }

/// 256 random bits as 43 characters for a header, cookie or URL.
pub(crate) fn random_token() -> Result<String, RandomnessError> {
    let mut bytes = [0; 32];
    let random = ring::rand::SystemRandom::new();
    ring::rand::SecureRandom::fill(&random, &mut bytes).map_err(|_| RandomnessError)?;
    Ok(data_encoding::BASE64URL_NOPAD.encode(&bytes))
}
