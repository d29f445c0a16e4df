//! `goodput serve`: the page and the API, until it is stopped; and logins.

mod secrets;
mod server_settings;

use super::{credentials, find_run};
use crate::args::credentials::ChosenCredentials;
use crate::args::serve::{SecretCommand, ServeArgs};
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::interrupt;
use goodput_control::identity::LocalRole;
use goodput_control::{Registry, RouterAddress};
use goodput_model::trial::Deadlines;
use goodput_server::serve::Ready;
use goodput_server::{Listen, ServeError, Settings, Tls, stop};
use server_settings::Program;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(order: ServeArgs) -> Result<Exit, Failure> {
    match &order.command {
        None => listen(order),
        Some(SecretCommand::Password { role }) => secrets::set_password(*role, &order.files),
        Some(SecretCommand::Token { role, name }) => secrets::new_token(*role, name, &order.files),
    }
}

/// A second signal ends it at once.
fn listen(order: ServeArgs) -> Result<Exit, Failure> {
    let (end, ended) = stop();
    interrupt::watch(move || end.now())
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "cannot wait for signals", &e))?;
    let otlp = order.otlp();
    let tls = match (order.tls_self, order.tls_cert, order.tls_key) {
        (true, ..) => Some(Tls::Own { folder: own_certificate()? }),
        (false, Some(certificate), Some(key)) => Some(Tls::Files { certificate, key }),
        _ => None,
    };
    let listen = Listen { address: order.listen, tls, names: order.names };
    let store = find_run::root(order.store.as_deref())?;
    let secrets = secrets::read(&order.files)?;
    let door = Arc::new(Program::here(&order.credentials, order.router.as_ref(), &order.allow)?);
    let agents = Box::new(registry(&order.credentials, order.router)?);
    let settings = Settings {
        store,
        index: order.index,
        cache: None,
        allow: order.allow,
        agents,
        webhook_loopback: order.webhook_loopback,
        otlp,
    };
    goodput_server::serve(listen, settings, secrets, door, ended, tell).map_err(|e| refused(&e))?;
    Ok(Exit::Done)
}

fn registry(shown: &ChosenCredentials, router: Option<RouterAddress>) -> Result<Registry, Failure> {
    let shown = credentials::find(shown)?;
    let identity = shown.map(|s| s.identity(LocalRole::Coordinator, "coordinator")).transpose();
    let identity = identity.map_err(|e| failure::control("cannot look for agents", &e.into()))?.map(Arc::new);
    Ok(Registry::new(identity, router, Deadlines::default()))
}

fn tell(ready: &Ready) {
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
        Failure::new(Exit::CannotMeasure, "there is no place for a certificate")
            .because("HOME is not set")
            .try_this("name one with --tls-cert and --tls-key")
    })
}

fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").filter(|h| !h.is_empty()).map(|h| Path::new(&h).to_path_buf())
}

fn refused(error: &ServeError) -> Failure {
    let exit = match error {
        ServeError::Exposed { .. } | ServeError::Tls(_) => Exit::Usage,
        _ => Exit::CannotMeasure,
    };
    let mut failure = Failure::new(exit, error.to_string()).try_this(error.hint());
    failure.cause = error.cause();
    failure
}
