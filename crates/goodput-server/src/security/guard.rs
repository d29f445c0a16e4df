//! Authorization of a route: the role and, for changes, protection against CSRF.
//!
//! A browser sends cookies with requests of other sites. So a change needs our page's token (`X-CSRF-Token`)
//! and no foreign `Origin` or `Sec-Fetch-Site`. Bearer tokens are never sent automatically: no such proof.

use super::caller::{AuthMethod, Caller};
use super::{AccessLevel, Role};
use crate::problem::{Problem, ProblemKind};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use goodput_words::message;
use sha2::{Digest, Sha256};

/// Proves that a change comes from our own page.
pub const CSRF_HEADER: &str = "x-csrf-token";

impl Caller {
    /// Refuses without a login, with the wrong role, or without the CSRF token.
    pub fn check_access(&self, who: AccessLevel, parts: &Parts) -> Result<(), Problem> {
        if self.role < who.min_role() {
            return Err(match self.role {
                Role::None => login_required_error(),
                _ => Problem::new(ProblemKind::Forbidden, "this action requires the operator role")
                    .with_cause("you are logged in as a reader")
                    .with_hint("log in with the operator's password"),
            });
        }
        let reads = matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
        if reads || matches!(self.how, AuthMethod::Token { .. }) {
            return Ok(());
        }
        own_page(&parts.headers)?;
        if who == AccessLevel::Anybody {
            // A login has no token yet.
            return Ok(());
        }
        let sent = parts.headers.get(CSRF_HEADER).and_then(|v| v.to_str().ok()).unwrap_or("");
        match self.csrf_token() {
            // Comparing digests makes the time independent of the token.
            Some(csrf) if Sha256::digest(csrf) == Sha256::digest(sent) => Ok(()),
            _ => Err(Problem::new(
                ProblemKind::Forbidden,
                "this request does not come from the goodput page",
            )
            .with_cause("its header X-CSRF-Token is missing or wrong")
            .with_hint(
                "send what GET /api/v1/session gives as csrf, or use a token: Authorization: Bearer …",
            )),
        }
    }
}

pub fn login_required_error() -> Problem {
    Problem::new(ProblemKind::Login, "a login is needed")
        .with_hint("log in, or send a token: Authorization: Bearer …")
}

/// Refuses requests of other sites by browser headers; other clients send none.
fn own_page(headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok());
    let foreign = |header: &str, value: &str| {
        Problem::new(ProblemKind::Forbidden, "this request comes from another website")
            .with_cause(message!(served_header_is { header, value: format!("{value:?}") }))
    };
    if let Some(site) = text("sec-fetch-site").filter(|site| !matches!(*site, "same-origin" | "none")) {
        return Err(foreign("Sec-Fetch-Site", site));
    }
    let Some(origin) = text(ORIGIN.as_str()) else { return Ok(()) };
    let host = origin.split_once("://").map_or("", |(_, host)| host);
    if host.is_empty() || text(HOST.as_str()) != Some(host) {
        return Err(foreign("Origin", origin));
    }
    Ok(())
}

/// RFC 6750, section 2.1.
pub fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// RFC 6265, section 5.4: pairs separated by `; `.
pub fn cookie_value<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(COOKIE).into_iter().filter_map(|v| v.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(n, _)| *n == name).map(|(_, value)| value)
}
