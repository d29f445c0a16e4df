//! Accepts and serves connections up to a limit. HTTP/1.1 only: one page needs few connections.

use super::connection_limits::{ConnectionLimits, ConnectionPermit};
use crate::security::{ConnectionPeer, local_peer};
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
/// Time for current answers at the server's end.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Clone)]
struct Service {
    router: Router,
    tls: Option<TlsAcceptor>,
    /// Whether a loopback connection's user matters.
    ask_whose: bool,
    stopped: ShutdownSignal,
}

pub async fn accept_connections(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    router: Router,
    ask_whose: bool,
    stopped: ShutdownSignal,
) {
    let service = Service { router, tls, ask_whose, stopped: stopped.clone() };
    let places = ConnectionLimits::default();
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stopped.wait() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    // Over the limit it is closed at once.
                    if let Some(place) = places.acquire(peer.ip()) {
                        connections.spawn(service.clone().connected(stream, peer, place));
                    }
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

impl Service {
    async fn connected(self, stream: TcpStream, address: SocketAddr, _place: ConnectionPermit) {
        // Sends small answers at once.
        let _ = stream.set_nodelay(true);
        let is_ours = match (self.ask_whose, stream.local_addr()) {
            (true, Ok(own)) => {
                tokio::task::spawn_blocking(move || local_peer::is_trusted_local_peer(address, own))
                    .await
                    .unwrap_or(false)
            }
            _ => false,
        };
        let peer = ConnectionPeer { address, is_ours };
        match self.tls.clone() {
            None => self.answered(stream, peer).await,
            Some(tls) => {
                if let Ok(Ok(stream)) = timeout(HANDSHAKE, tls.accept(stream)).await {
                    self.answered(stream, peer).await;
                }
            }
        }
    }

    async fn answered(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: ConnectionPeer,
    ) {
        let router = self.router;
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(peer);
            router.clone().oneshot(request.map(Body::new))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        let mut connection = pin!(connection);
        tokio::select! {
            _ = connection.as_mut() => return,
            () = self.stopped.wait() => connection.as_mut().graceful_shutdown(),
        }
        let _ = connection.await;
    }
}
