//! `goodput serve`: the page and the API, until it is stopped; and logins.

mod secrets;
mod server_settings;

use super::{credentials, find_run};
use crate::args::serve::{SecretCommand, ServeArgs};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::interrupt;
use goodput_model::trial::TrialTimeouts;
use goodput_server::serve::ServerInfo;
use goodput_server::{ListenSettings, ServeError, ServerSettings, TlsSettings, shutdown_channel};
use goodput_words::ErrorMessage;
use server_settings::JobProgram;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run_serve(order: ServeArgs) -> Result<ExitStatus, Failure> {
    match &order.command {
        None => listen(order),
        Some(SecretCommand::Password { role }) => secrets::set_password(*role, &order.files),
        Some(SecretCommand::Token { role, name }) => secrets::create_token(*role, name, &order.files),
    }
}

/// A second signal ends it at once.
fn listen(order: ServeArgs) -> Result<ExitStatus, Failure> {
    let (end, ended) = shutdown_channel();
    interrupt::install_signal_handler(move || end.trigger())?;
    let otlp = order.otlp_settings();
    let tls = match (order.tls_self, order.tls_cert, order.tls_key) {
        (true, ..) => Some(TlsSettings::Own { folder: own_certificate()? }),
        (false, Some(certificate), Some(key)) => Some(TlsSettings::Files { certificate, key }),
        _ => None,
    };
    let listen = ListenSettings { address: order.listen, tls, names: order.names };
    let store = find_run::runs_root(order.store.as_deref())?;
    let secrets = secrets::read_secrets(&order.files)?;
    let door = Arc::new(JobProgram::for_current_executable(
        &order.credentials,
        order.router.as_ref(),
        &order.allow,
    )?);
    let shown = credentials::find_credentials(&order.credentials)?;
    let deadlines = TrialTimeouts::default();
    let agents = credentials::open_agent_registry(
        shown.as_ref(),
        order.router,
        deadlines,
        "cannot search for agents",
    )?;
    let settings = ServerSettings {
        store,
        index: order.index,
        cache: None,
        allow: order.allow,
        agents: Box::new(agents),
        webhook_loopback: order.webhook_loopback,
        otlp,
    };
    goodput_server::serve(listen, settings, secrets, door, ended, tell).map_err(|e| refused(&e))?;
    Ok(ExitStatus::Done)
}

fn tell(ready: &ServerInfo) {
    eprintln!("serving {}", ready.url);
    if ready.is_open {
        eprintln!(
            "for you on this machine alone: goodput serve password operator sets a password for others"
        );
    }
    if let Some(fingerprint) = &ready.fingerprint {
        eprintln!("the certificate is our own; compare its SHA-256 in the browser: {fingerprint}");
    }
    if !ready.has_page {
        eprintln!("the page was not built into this program, only the API is there: make page build");
    }
}

fn own_certificate() -> Result<PathBuf, Failure> {
    home().map(|home| home.join(".config/goodput/serve-tls")).ok_or_else(|| {
        Failure::new(ExitStatus::CannotMeasure, "no folder available for a certificate")
            .with_cause("HOME is not set")
            .with_hint("specify a certificate with --tls-cert and its key with --tls-key")
    })
}

fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").filter(|h| !h.is_empty()).map(|h| Path::new(&h).to_path_buf())
}

fn refused(error: &ServeError) -> Failure {
    let exit = match error {
        ServeError::Exposed { .. } | ServeError::Tls(_) => ExitStatus::Usage,
        _ => ExitStatus::CannotMeasure,
    };
    Failure { cause: error.cause(), ..Failure::new(exit, error.message()).with_hint(error.hint()) }
}
