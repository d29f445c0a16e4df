//! Listens and serves until it is stopped.
//!
//! Beyond loopback it requires both TLS and a login.

mod connection;
mod connection_limits;
mod pem;
mod self_signed;
mod send_timeout;
mod tls;

pub use pem::TlsError;
pub use tls::TlsSettings;

use crate::allocator;
use crate::command_line_program::CommandLineProgram;
use crate::page;
use crate::problem::error_chain;
use crate::security::allowed_hosts::{AllowedHosts, local_host_name};
use crate::security::secrets::Secrets;
use crate::security::{Authenticator, RandomnessError};
use crate::server_state::{ServerSettings, ServerState, StateOpenError};
use crate::shutdown::ShutdownSignal;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Builder;

/// Request threads. Long work runs elsewhere; two prevent one slow answer from blocking another.
const THREADS: usize = 2;
/// Time for remaining work after the end.
const LEFTOVER: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListenSettings {
    /// Port 0 selects a free one.
    pub address: SocketAddr,
    /// `None` is plain HTTP, on loopback only.
    pub tls: Option<TlsSettings>,
    pub names: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerInfo {
    pub url: String,
    /// SHA-256 of the self-signed certificate, to be compared with the browser's.
    pub fingerprint: Option<String>,
    /// True if no login exists and only the local user is admitted.
    pub is_open: bool,
    /// False if the program contains no page.
    pub has_page: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Reachable from other hosts without TLS, or without a login.
    #[error("{address} can be reached from other machines, and there is {missing}")]
    Exposed { address: SocketAddr, missing: &'static str },
    #[error("cannot listen on {address}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error(transparent)]
    Open(#[from] StateOpenError),
    #[error(transparent)]
    Random(#[from] RandomnessError),
    #[error("cannot start threads")]
    Threads(#[source] io::Error),
}

impl ServeError {
    pub fn cause(&self) -> Option<String> {
        match self {
            // The text is the error's own; its sources are the cause.
            ServeError::Tls(e) => e.cause(),
            ServeError::Open(e) => std::error::Error::source(e).map(error_chain),
            other => std::error::Error::source(other).map(error_chain),
        }
    }

    pub fn hint(&self) -> String {
        match self {
            ServeError::Exposed { missing, .. } if *missing == NO_TLS => {
                "add --tls-cert FILE --tls-key FILE, or --tls-self; or leave --listen out and reach it by ssh -L \
                 5380:localhost:5380"
                    .into()
            }
            ServeError::Exposed { .. } => "set one first: goodput serve password operator".into(),
            ServeError::Listen { .. } => "choose another with --listen ADDRESS:PORT".into(),
            ServeError::Tls(e) => e.hint(),
            ServeError::Open(_) => {
                "goodput store rebuild makes it anew from the runs; --index names another".into()
            }
            ServeError::Random(_) | ServeError::Threads(_) => "see the system's log".into(),
        }
    }
}

const NO_TLS: &str = "no TLS";
const NO_LOGIN: &str = "no password and no token";

/// Serves until `stopped`. `ready` is called once it listens; later nothing fails.
pub fn serve(
    listen: ListenSettings,
    settings: ServerSettings,
    secrets: Secrets,
    door: Arc<dyn CommandLineProgram>,
    stopped: ShutdownSignal,
    ready: impl FnOnce(&ServerInfo),
) -> Result<(), ServeError> {
    if !listen.address.ip().is_loopback() {
        let exposed = |missing| Err(ServeError::Exposed { address: listen.address, missing });
        if listen.tls.is_none() {
            return exposed(NO_TLS);
        }
        if secrets.is_empty() {
            return exposed(NO_LOGIN);
        }
    }
    let names = AllowedHosts::new(listen.names.iter().cloned().chain(local_host_name()));
    let tls = listen.tls.as_ref().map(|tls| tls.load(&names, listen.address.ip())).transpose()?;
    let security = Authenticator::new(secrets, names, tls.is_some())?;
    allocator::configure_allocator();
    let runtime = Builder::new_multi_thread()
        .worker_threads(THREADS)
        .thread_name("serve")
        .enable_all()
        .build()
        .map_err(ServeError::Threads)?;
    let served = runtime.block_on(async {
        let cannot = |source| ServeError::Listen { address: listen.address, source };
        let listener = TcpListener::bind(listen.address).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let is_open = security.is_login_disabled();
        let state = ServerState::open(settings, door, security, stopped.clone()).await?;
        ready(&ServerInfo {
            url: url(address, tls.is_some(), &listen.names),
            fingerprint: tls.as_ref().and_then(|tls| tls.fingerprint.clone()),
            is_open,
            has_page: page::is_page_embedded(),
        });
        let acceptor = tls.map(|tls| tls.acceptor);
        let answering = connection::accept_connections(
            listener,
            acceptor,
            crate::build_router(state.clone()),
            is_open,
            stopped,
        );
        tokio::join!(answering, state.close());
        state.index.close().await;
        Ok(())
    });
    // Remaining work does not delay the program's end.
    runtime.shutdown_timeout(LEFTOVER);
    served
}

fn url(address: SocketAddr, over_tls: bool, names: &[String]) -> String {
    let scheme = if over_tls { "https" } else { "http" };
    let host = match names.first() {
        Some(name) if !address.ip().is_loopback() => format!("{name}:{}", address.port()),
        _ if address.ip().is_unspecified() => format!("localhost:{}", address.port()),
        _ => address.to_string(),
    };
    format!("{scheme}://{host}/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::NoAgentSource;
    use crate::shutdown::shutdown_channel;
    use crate::tests::FakeProgram;

    #[test]
    fn nothing_listens_for_other_machines_without_tls_and_a_login() {
        let folder = tempfile::tempdir().unwrap();
        let tried = |tls: Option<TlsSettings>, secrets: Secrets| {
            let address = "0.0.0.0:0".parse().unwrap();
            let listen = ListenSettings { address, tls, names: Vec::new() };
            let settings = ServerSettings {
                store: folder.path().into(),
                index: None,
                cache: None,
                allow: Vec::new(),
                agents: Box::new(NoAgentSource),
                webhook_loopback: false,
                otlp: None,
            };
            let (_stop, stopped) = shutdown_channel();
            let door = Arc::new(FakeProgram("/nonexistent".into()));
            serve(listen, settings, secrets, door, stopped, |_| panic!("it listens")).unwrap_err()
        };
        let e = tried(None, Secrets::default());
        assert!(e.to_string().ends_with("there is no TLS"), "{e}");
        let own = TlsSettings::Own { folder: folder.path().join("tls") };
        let e = tried(Some(own), Secrets::default());
        assert!(e.to_string().ends_with("no password and no token"), "{e}");
        assert!(e.hint().contains("goodput serve password"));
    }

    #[test]
    fn an_address_for_a_browser() {
        let address = |text: &str| text.parse().unwrap();
        assert_eq!(url(address("127.0.0.1:5380"), false, &[]), "http://127.0.0.1:5380/");
        assert_eq!(url(address("[::1]:80"), true, &[]), "https://[::1]:80/");
        assert_eq!(url(address("0.0.0.0:5380"), true, &[]), "https://localhost:5380/");
        assert_eq!(url(address("0.0.0.0:5380"), true, &["lab7".into()]), "https://lab7:5380/");
    }
}
