//! Accepts and serves connections up to a limit. HTTP/1.1 only: one page needs few connections.

use super::connection_limits::{ConnectionLimits, ConnectionPermit};
use super::send_timeout::SendTimeout;
use crate::security::{ConnectionAuth, ConnectionPeer, local_peer};
use crate::shutdown::ShutdownSignal;
use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

/// Time for a request's head, including idle time.
const HEAD: Duration = Duration::from_secs(30);
const HANDSHAKE: Duration = Duration::from_secs(5);
const HEAD_BYTES: usize = 32 << 10;
/// Time in which a client must take some of an answer.
const SEND: Duration = Duration::from_secs(60);
/// Time for current answers at the server's end.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Clone)]
struct Service {
    router: Router,
    tls: Option<TlsAcceptor>,
    stopped: ShutdownSignal,
}

pub async fn accept_connections(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    router: Router,
    is_login_disabled: bool,
    stopped: ShutdownSignal,
) {
    let service = Service { router, tls, stopped: stopped.clone() };
    let places = ConnectionLimits::default();
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stopped.wait() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, address)) => {
                    let peer = identify_peer(&stream, address).await;
                    let auth = ConnectionAuth::default();
                    auth.set(is_login_disabled && peer.is_ours);
                    let place = places.acquire(peer.client(), auth);
                    connections.spawn(service.clone().connected(stream, peer, place));
                }
                // Out of files, or the client has disconnected.
                Err(_) => sleep(Duration::from_millis(50)).await,
            },
        }
    }
    drop(listener);
    let all_ended = async { while connections.join_next().await.is_some() {} };
    let _ = timeout(GRACE, all_ended).await;
    connections.shutdown().await;
}

/// Before a connection gets a slot: other local users must not use up those of the server's user.
async fn identify_peer(stream: &TcpStream, address: SocketAddr) -> ConnectionPeer {
    let is_ours = match stream.local_addr() {
        Ok(own) if own.ip().to_canonical().is_loopback() => {
            tokio::task::spawn_blocking(move || local_peer::is_trusted_local_peer(address, own))
                .await
                .unwrap_or(false)
        }
        _ => false,
    };
    ConnectionPeer { address, is_ours }
}

impl Service {
    async fn connected(self, stream: TcpStream, peer: ConnectionPeer, place: ConnectionPermit) {
        // Sends small answers at once.
        let _ = stream.set_nodelay(true);
        let auth = place.auth.clone();
        let served = async {
            match self.tls.clone() {
                None => self.answered(stream, peer, auth).await,
                Some(tls) => {
                    if let Ok(Ok(stream)) = timeout(HANDSHAKE, tls.accept(stream)).await {
                        self.answered(stream, peer, auth).await;
                    }
                }
            }
        };
        tokio::select! {
            () = served => {}
            () = place.evicted() => {}
        }
    }

    async fn answered(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: ConnectionPeer,
        auth: ConnectionAuth,
    ) {
        let router = self.router;
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(peer);
            request.extensions_mut().insert(auth.clone());
            router.clone().oneshot(request.map(Body::new))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(SendTimeout::new(stream, SEND)), service);
        let mut connection = pin!(connection);
        tokio::select! {
            _ = connection.as_mut() => return,
            () = self.stopped.wait() => connection.as_mut().graceful_shutdown(),
        }
        let _ = connection.await;
    }
}

#[cfg(test)]
mod tests {
    use super::super::connection_limits::MAX_CONNECTIONS_PER_CLIENT;
    use super::*;
    use crate::shutdown::shutdown_channel;
    use crate::tests::soon;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    async fn fetch(from: SocketAddr) -> String {
        let mut stream = TcpStream::connect(from).await.unwrap();
        stream.write_all(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n").await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        text
    }

    #[tokio::test]
    async fn idle_connections_keep_nobody_out() {
        for is_login_disabled in [false, true] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let at = listener.local_addr().unwrap();
            let router = Router::new().route("/", get(|| async { "served" }));
            let (stop, stopped) = shutdown_channel();
            let server = tokio::spawn(accept_connections(listener, None, router, is_login_disabled, stopped));
            soon(async {
                let mut idle = Vec::new();
                // All loopback addresses are one client.
                for _ in 0..2 * MAX_CONNECTIONS_PER_CLIENT {
                    idle.push(TcpStream::connect(at).await.unwrap());
                }
                for _ in 0..100 {
                    assert!(fetch(at).await.ends_with("served"));
                }
            })
            .await;
            stop.trigger();
            soon(server).await.unwrap();
        }
    }
}
