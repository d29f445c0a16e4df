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
use crate::security::allowed_hosts::{AllowedHosts, local_host_name};
use crate::security::secrets::Secrets;
use crate::security::{Authenticator, RandomnessError};
use crate::server_state::{ServerSettings, ServerState, StateOpenError};
use crate::shutdown::ShutdownSignal;
use goodput_words::{ErrorMessage, Message, error_messages, message};
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

/// `Exposed`: reachable from other hosts without this protection.
#[derive(Debug)]
pub enum ServeError {
    Exposed { address: SocketAddr, missing: Protection },
    Listen { address: SocketAddr, source: io::Error },
    Tls(TlsError),
    Open(StateOpenError),
    Random(RandomnessError),
    Threads(io::Error),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    Tls,
    Login,
}

error_messages! {
    ServeError {
        ServeError::Exposed { address, missing: Protection::Tls } => {
            message!(error_serving_exposed_without_tls { address: address.to_string() })
        },
        ServeError::Exposed { address, missing: Protection::Login } => {
            message!(error_serving_exposed_without_login { address: address.to_string() })
        },
        ServeError::Listen { address, .. } => message!(error_serving_listen { address: address.to_string() }),
        ServeError::Tls(e) => e.message(),
        ServeError::Open(e) => e.message(),
        ServeError::Random(e) => e.message(),
        ServeError::Threads(_) => message!(error_serving_threads),
    }
    sources { ServeError::Listen { source, .. } | ServeError::Threads(source) => source }
    from {
        TlsError => ServeError::Tls,
        StateOpenError => ServeError::Open,
        RandomnessError => ServeError::Random,
    }
}

impl ServeError {
    pub fn cause(&self) -> Option<Message> {
        match self {
            ServeError::Tls(e) => e.cause(),
            ServeError::Open(StateOpenError::Index(e)) => Some(e.message_with_sources()),
            ServeError::Listen { source, .. } | ServeError::Threads(source) => {
                Some(source.message_with_sources())
            }
            ServeError::Open(StateOpenError::Schedules { .. })
            | ServeError::Exposed { .. }
            | ServeError::Random(_) => None,
        }
    }

    pub fn hint(&self) -> Message {
        match self {
            ServeError::Exposed { missing: Protection::Tls, .. } => message!(hint_serving_tls),
            ServeError::Exposed { missing: Protection::Login, .. } => message!(hint_serving_password),
            ServeError::Listen { .. } => message!(hint_serving_listen),
            ServeError::Tls(e) => e.hint(),
            ServeError::Open(_) => message!(hint_serving_index),
            ServeError::Random(_) | ServeError::Threads(_) => message!(hint_serving_system_log),
        }
    }
}

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
            return exposed(Protection::Tls);
        }
        if secrets.is_empty() {
            return exposed(Protection::Login);
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
