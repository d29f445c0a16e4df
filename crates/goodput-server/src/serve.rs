//! Listens, and answers until it is told to end.
//!
//! Where it may be reached from beyond this machine it wants both TLS and somebody who can log in; no front door can
//! start it otherwise.

mod connection;
mod pem;
mod places;
mod self_signed;
mod tls;

pub use pem::TlsError;
pub use tls::Tls;

use crate::door::Door;
use crate::memory;
use crate::page;
use crate::problem::chain;
use crate::security::host::{Names, own_name};
use crate::security::secrets::Secrets;
use crate::security::{NoRandom, Security};
use crate::state::{OpenError, Settings, State};
use crate::stop::Stopped;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Builder;

/// Threads that answer. What takes long is done elsewhere; two keep one slow answer from holding up another.
const THREADS: usize = 2;
/// How long work that was begun for a request may go on once nobody waits for it.
const LEFTOVER: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listen {
    /// Address and port; port 0 takes a free one.
    pub address: SocketAddr,
    /// `None` speaks in the clear, on loopback only.
    pub tls: Option<Tls>,
    /// Names that this host is called by, beside `localhost`, its addresses and its own name.
    pub names: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    pub url: String,
    /// SHA-256 of the certificate that the program made itself, to be compared with what a browser shows.
    pub fingerprint: Option<String>,
    /// True when nobody can log in, and only the user who started it on this machine is let in.
    pub is_open: bool,
    /// False when the page was not built into the program.
    pub has_page: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// It would be reached from elsewhere in the clear, or by everybody.
    #[error("{address} can be reached from other machines, and there is {missing}")]
    Exposed { address: SocketAddr, missing: &'static str },
    #[error("cannot listen on {address}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Random(#[from] NoRandom),
    #[error("cannot start threads")]
    Threads(#[source] io::Error),
}

impl ServeError {
    /// Why, where the error has more to say.
    pub fn cause(&self) -> Option<String> {
        match self {
            // Their words are the error's own, and what is behind them the cause.
            ServeError::Tls(e) => e.cause(),
            ServeError::Open(e) => std::error::Error::source(e).map(chain),
            other => std::error::Error::source(other).map(chain),
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

/// Serves until `stopped`. `ready` is called once it listens.
///
/// # Errors
/// It does not come to listen; afterwards nothing ends it but `stopped`.
pub fn serve(
    listen: Listen,
    settings: Settings,
    secrets: Secrets,
    door: Arc<dyn Door>,
    stopped: Stopped,
    ready: impl FnOnce(&Ready),
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
    let names = Names::new(listen.names.iter().cloned().chain(own_name()));
    let tls = listen.tls.as_ref().map(|tls| tls.open(&names, listen.address.ip())).transpose()?;
    let security = Security::new(secrets, names, tls.is_some())?;
    memory::settle();
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
        let is_open = security.is_open();
        let state = State::open(settings, door, security, stopped.clone()).await?;
        ready(&Ready {
            url: url(address, tls.is_some(), &listen.names),
            fingerprint: tls.as_ref().and_then(|tls| tls.fingerprint.clone()),
            is_open,
            has_page: page::is_built(),
        });
        let acceptor = tls.map(|tls| tls.acceptor);
        let answering =
            connection::accept(listener, acceptor, crate::router(state.clone()), is_open, stopped);
        tokio::join!(answering, state.close());
        state.index.close().await;
        Ok(())
    });
    // Work that nobody waits for any more does not hold the program.
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
    use crate::door::Refusal;
    use crate::forms::{Form, Leave};
    use crate::hosts::Nowhere;
    use crate::stop::stop;
    use std::path::Path;

    struct NoDoor;

    impl Door for NoDoor {
        fn version(&self) -> &str {
            "0"
        }

        fn program(&self) -> &Path {
            Path::new("/nonexistent")
        }

        fn forms(&self) -> Vec<Form> {
            Vec::new()
        }

        fn check(&self, _: &[String]) -> Result<Vec<Leave>, Refusal> {
            Ok(Vec::new())
        }
    }

    #[test]
    fn nothing_listens_for_other_machines_without_tls_and_a_login() {
        let folder = tempfile::tempdir().unwrap();
        let tried = |tls: Option<Tls>, secrets: Secrets| {
            let address = "0.0.0.0:0".parse().unwrap();
            let listen = Listen { address, tls, names: Vec::new() };
            let settings = Settings {
                store: folder.path().into(),
                index: None,
                cache: None,
                allow: Vec::new(),
                agents: Box::new(Nowhere),
                webhook_loopback: false,
                otlp: None,
            };
            let (_stop, stopped) = stop();
            serve(listen, settings, secrets, Arc::new(NoDoor), stopped, |_| panic!("it listens")).unwrap_err()
        };
        let e = tried(None, Secrets::default());
        assert!(e.to_string().ends_with("there is no TLS"), "{e}");
        let own = Tls::Own { folder: folder.path().join("tls") };
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
