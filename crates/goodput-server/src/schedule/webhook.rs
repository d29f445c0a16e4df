//! Posts alerts: one JSON POST with a time limit and retries.
//!
//! Users choose the address, so only `http` and `https` are allowed, without redirects. Addresses of this host
//! and of cloud metadata services are refused after name resolution, on the address that is then connected (DNS
//! rebinding).

use crate::seconds_arg;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HOST, USER_AGENT};
use axum::http::{Request, StatusCode, Uri};
use goodput_words::{ErrorMessage, Message, error_messages, message};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::client::TlsStream;

const ATTEMPT: Duration = Duration::from_secs(10);
const PAUSES: [Duration; 4] =
    [Duration::from_secs(2), Duration::from_secs(10), Duration::from_secs(60), Duration::from_secs(300)];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpTarget {
    secure: bool,
    host: String,
    port: u16,
    authority: String,
    path: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpTargetError {
    Unreadable { text: String },
    Login,
}

error_messages! {
    HttpTargetError {
        HttpTargetError::Unreadable { text } => {
            message!(served_no_webhook_address { text: format!("{text:?}") })
        },
        HttpTargetError::Login => message!(served_webhook_login),
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum PostError {
    /// Another attempt may succeed.
    Again(Message),
    Never(Message),
}

error_messages! { PostError { PostError::Again(why) | PostError::Never(why) => why } }

#[derive(Debug, Clone)]
pub struct WebhookClient {
    pub loopback: bool,
    pub attempt: Duration,
    pub pauses: Vec<Duration>,
}

impl WebhookClient {
    /// 10 s per attempt, five attempts within about six minutes.
    pub fn new(loopback: bool) -> WebhookClient {
        WebhookClient { loopback, attempt: ATTEMPT, pauses: PAUSES.to_vec() }
    }

    /// One attempt; returns the status. [`PostError`] says whether to retry.
    pub async fn post(&self, target: &HttpTarget, body: Vec<u8>) -> Result<StatusCode, PostError> {
        self.post_for_answer(target, body, 0).await.map(|(status, _)| status)
    }

    /// As [`WebhookClient::post`], with at most the first `most` bytes of the answer to a successful request.
    pub(crate) async fn post_for_answer(
        &self,
        target: &HttpTarget,
        body: Vec<u8>,
        most: usize,
    ) -> Result<(StatusCode, Vec<u8>), PostError> {
        match tokio::time::timeout(self.attempt, self.attempt(target, body, most)).await {
            Ok(answered) => answered,
            Err(_) => {
                let time = seconds_arg(self.attempt.as_secs_f64());
                Err(PostError::Again(message!(part_no_answer_within { time })))
            }
        }
    }

    async fn attempt(
        &self,
        target: &HttpTarget,
        body: Vec<u8>,
        most: usize,
    ) -> Result<(StatusCode, Vec<u8>), PostError> {
        let stream = self.connect(target).await?;
        let (status, answer) = if target.secure {
            let stream = secured(stream, &target.host).await?;
            exchange(stream, target, body, most).await
        } else {
            exchange(stream, target, body, most).await
        }?;
        judged(status).map(|status| (status, answer))
    }

    async fn connect(&self, target: &HttpTarget) -> Result<TcpStream, PostError> {
        let again = |e: std::io::Error| {
            let what = message!(error_unreachable { address: target.redacted_url() });
            PostError::Again(message!(list_colon { what, why: e.message() }))
        };
        let found = tokio::net::lookup_host((target.host.as_str(), target.port)).await.map_err(again)?;
        let (mut allowed, mut refused): (Vec<SocketAddr>, Option<Message>) = (Vec::new(), None);
        for addr in found {
            match self.refusal_reason(addr.ip()) {
                None => allowed.push(addr),
                Some(why) => refused = refused.or(Some(why)),
            }
        }
        if let (Some(why), true) = (refused, allowed.is_empty()) {
            return Err(PostError::Never(why));
        }
        let mut last = PostError::Again(message!(served_webhook_no_address { host: &target.host }));
        for addr in allowed {
            match TcpStream::connect(addr).await {
                Ok(stream) => return Ok(stream),
                Err(e) => last = again(e),
            }
        }
        Err(last)
    }

    fn refusal_reason(&self, typed: IpAddr) -> Option<Message> {
        let (ip, address) = (plain(typed), typed.to_string());
        if ip.is_unspecified() || ip.is_multicast() || of_the_link(ip) || is_metadata_service(ip) {
            return Some(message!(served_webhook_address_of_nobody { address }));
        }
        let reason = || message!(served_webhook_own_host { address });
        // Also as typed: a 6to4 address of this host is not the IPv4 address inside it.
        (!self.loopback && (is_of_this_host(ip) || is_of_this_host(typed))).then(reason)
    }
}

/// Metadata services outside the link-local addresses, which hand out credentials of the host: Alibaba Cloud,
/// Oracle Cloud (classic) and Azure, and by IPv6 all services of Amazon, Google, Oracle, Alibaba, Akamai and Scaleway.
fn is_metadata_service(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => matches!(ip.octets(), [100, 100, 100, 200] | [192, 0, 0, 192] | [168, 63, 129, 16]),
        IpAddr::V6(ip) => matches!(
            ip.segments(),
            [0xfd00, 0xec2, ..]
                | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254]
                | [0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe]
                | [0xfd00, 0x100, 0, 0, 0, 0, 0x100, 0x200]
                | [0xfd00, 0xa9fe, 0xa9fe, 0, 0, 0, 0, 1]
                | [0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42]
        ),
    }
}

/// The IPv4 address inside a mapped, compatible (RFC 4291), NAT64 (RFC 6052, RFC 8215) or 6to4 (RFC 3056) address.
fn plain(ip: IpAddr) -> IpAddr {
    let ip = ip.to_canonical();
    let IpAddr::V6(v6) = ip else { return ip };
    let (high, low) = match v6.segments() {
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => (high, low),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x64, 0xff9b, 1, _, _, _, high, low] => (high, low),
        [0x2002, high, low, ..] => (high, low),
        _ => return ip,
    };
    Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)).into()
}

/// The kernel sends to an address of this host from that address, or from a loopback one. Sends nothing.
fn is_of_this_host(ip: IpAddr) -> bool {
    ip.is_loopback() || source_address(ip).is_ok_and(|from| from == ip || from.is_loopback())
}

fn source_address(to: IpAddr) -> std::io::Result<IpAddr> {
    let any: IpAddr = if to.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0))?;
    socket.connect((to, 9))?;
    Ok(socket.local_addr()?.ip())
}

/// Link-local and broadcast addresses: cloud metadata services use them (RFC 3927, RFC 4291 section 2.5.6).
fn of_the_link(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_link_local() || ip.is_broadcast(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    }
}

fn judged(status: StatusCode) -> Result<StatusCode, PostError> {
    match status.as_u16() {
        200..300 => Ok(status),
        300..400 => Err(PostError::Never(message!(served_webhook_redirect { status: status.to_string() }))),
        // Retry on timeout, too early, too many, server error (RFC 9110 section 15.5.9, RFC 8470, RFC 6585).
        408 | 425 | 429 | 500..600 => Err(PostError::Again(answered(status))),
        _ => Err(PostError::Never(answered(status))),
    }
}

pub(super) fn answered(status: StatusCode) -> Message {
    message!(served_it_answered { status: status.to_string() })
}

async fn secured(stream: TcpStream, host: &str) -> Result<TlsStream<TcpStream>, PostError> {
    let no_tls = |why: Message| message!(served_webhook_no_tls { host, why });
    let never = |e: &dyn std::error::Error| PostError::Never(no_tls(e.to_string().into()));
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| never(&e))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_string()).map_err(|e| never(&e))?;
    let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
    connector.connect(name, stream).await.map_err(|e| PostError::Again(no_tls(e.message())))
}

async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    target: &HttpTarget,
    body: Vec<u8>,
    most: usize,
) -> Result<(StatusCode, Vec<u8>), PostError> {
    let again = |e: hyper::Error| {
        let (address, why) = (target.redacted_url(), Message::from(e.to_string()));
        PostError::Again(message!(served_webhook_broke { address, why }))
    };
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(again)?;
    let request = Request::post(&target.path)
        .header(HOST, &target.authority)
        .header(USER_AGENT, concat!("goodput/", env!("CARGO_PKG_VERSION")))
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body))
        .map_err(|e| PostError::Never(message!(served_webhook_unwritable { why: e.to_string() })))?;
    // Drives the connection, and ends with this function, also at its deadline.
    let mut moving = JoinSet::new();
    moving.spawn(connection);
    let response = sender.send_request(request).await.map_err(again)?;
    let status = response.status();
    let most = if status.is_success() { most } else { 0 };
    Ok((status, read_start(response.into_body(), most).await))
}

/// What comes until the end, a broken connection, or `most` bytes.
async fn read_start(mut body: Incoming, most: usize) -> Vec<u8> {
    let mut taken = Vec::new();
    while taken.len() < most
        && let Some(Ok(frame)) = body.frame().await
    {
        if let Ok(data) = frame.into_data() {
            taken.extend_from_slice(&data);
        }
    }
    taken.truncate(most);
    taken
}

impl HttpTarget {
    pub fn parse(text: &str) -> Result<HttpTarget, HttpTargetError> {
        let unreadable = || HttpTargetError::Unreadable { text: text.to_string() };
        let uri: Uri = text.trim().parse().map_err(|_| unreadable())?;
        let secure = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(unreadable()),
        };
        let authority = uri.authority().ok_or_else(unreadable)?;
        if authority.as_str().contains('@') {
            return Err(HttpTargetError::Login);
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_string();
        let behind = authority.as_str().strip_prefix(authority.host()).unwrap_or_default();
        let port = match behind.strip_prefix(':') {
            None => Some(if secure { 443 } else { 80 }),
            Some(digits) => digits.parse::<u16>().ok().filter(|port| *port > 0),
        };
        let port = port.filter(|_| !host.is_empty()).ok_or_else(unreadable)?;
        let path = uri.path_and_query().map_or("/", |p| p.as_str());
        let path = if path.starts_with('/') { path.to_string() } else { format!("/{path}") };
        Ok(HttpTarget { secure, host, port, authority: authority.to_string(), path })
    }

    /// Without the path, which is often secret: `https://hooks.example.com/…`.
    pub fn redacted_url(&self) -> String {
        format!("{}://{}/…", if self.secure { "https" } else { "http" }, self.authority)
    }
}

#[cfg(test)]
mod tests;
