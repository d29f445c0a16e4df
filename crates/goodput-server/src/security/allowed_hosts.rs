//! The allowed Host names of a request, against DNS rebinding.
//!
//! In that attack another site's name resolves to our address, so the request names that site. IP addresses
//! cannot be rebound and are always allowed.

use crate::problem::{Problem, ProblemKind};
use axum::http::header::HOST;
use axum::http::{HeaderMap, Uri};
use goodput_words::message;
use std::net::IpAddr;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    pub fn new(more: impl IntoIterator<Item = String>) -> AllowedHosts {
        let more = more.into_iter().map(|name| name.trim_end_matches('.').to_ascii_lowercase());
        let mut names: Vec<String> = std::iter::once("localhost".to_string()).chain(more).collect();
        names.dedup();
        AllowedHosts(names)
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Checks `Host`, or an absolute target (RFC 9112, section 3.2).
    pub fn check_host(&self, target: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        let mut hosts = headers.get_all(HOST).iter();
        let named = match (target.authority(), hosts.next(), hosts.next()) {
            (_, _, Some(_)) => None,
            (Some(authority), _, None) => Some(authority.as_str().to_string()),
            (None, host, None) => host.and_then(|h| h.to_str().ok()).map(str::to_string),
        };
        let Some(named) = named else {
            return Err(Problem::bad_request("the request names no host, or several"));
        };
        if self.has(without_port(&named)) {
            return Ok(());
        }
        Err(Problem::new(ProblemKind::Host, message!(served_not_this_host { host: without_port(&named) }))
            .with_cause("a request must name this host, or strange pages could pass for it")
            .with_hint("use the host's address, or start goodput serve with --host-name NAME"))
    }

    fn has(&self, host: &str) -> bool {
        let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
        let name = host.trim_end_matches('.');
        bare.parse::<IpAddr>().is_ok() || self.0.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// Accepts `host:port`, `[v6]:port` or `host`.
fn without_port(named: &str) -> &str {
    match named.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !is_open_bracket(host) => host,
        _ => named,
    }
}

/// True inside the brackets of an IPv6 address, where a colon precedes no port.
fn is_open_bracket(host: &str) -> bool {
    host.contains('[') && !host.contains(']')
}

pub(crate) fn local_host_name() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_string()).filter(|name| !name.is_empty() && name != "(none)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn a_request_names_one_host() {
        let names = AllowedHosts::new([]);
        assert!(names.check_host(&Uri::from_static("/"), &HeaderMap::new()).is_err());
        let mut two = HeaderMap::new();
        two.append(HOST, HeaderValue::from_static("localhost"));
        two.append(HOST, HeaderValue::from_static("evil.example"));
        assert!(names.check_host(&Uri::from_static("/"), &two).is_err());
        // An absolute target overrides the header.
        let mut own = HeaderMap::new();
        own.insert(HOST, HeaderValue::from_static("localhost"));
        assert!(names.check_host(&Uri::from_static("http://evil.example/"), &own).is_err());
    }
}
