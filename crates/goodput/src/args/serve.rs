//! `goodput serve`: the page and the API, and who may log in there.

use super::credentials::{Shown, TypedCredentials};
use super::host_name::{self, plain_name};
use super::value::{self, Bounds, shown};
use crate::failure::Failure;
use clap::{Args, Subcommand, ValueEnum};
use goodput_control::RouterAddress;
use goodput_model::Nanos;
use goodput_server::forms::Leave;
use goodput_server::security::Role;
use goodput_server::{Otlp, Tls};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// The port when none is named.
pub const PORT: u16 = 5380;
/// Between two pushes of metrics when nothing is said.
const OTLP_INTERVAL: Nanos = Nanos(60_000_000_000);
/// How long that may be.
const OTLP_INTERVALS: Bounds<Nanos> =
    Bounds { range: Nanos(1_000_000_000)..=Nanos(86_400_000_000_000), words: "1s to 1440min (a day)" };

/// As typed.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "goodput serve                                   this machine's own page, for the user who types this\n\
    goodput serve password operator                 set a password, then:\n\
    goodput serve --listen 0.0.0.0:5380 --tls-self  for a lab\n\
    goodput serve token reader prometheus           a token for a program\n\
    More: docs/serve.md"
)]
pub struct TypedServe {
    #[command(subcommand)]
    command: Option<TypedSecret>,
    /// Address and port to listen on; any but loopback needs TLS and a password or token [default: 127.0.0.1:5380]
    #[arg(long, value_name = "ADDRESS[:PORT]")]
    listen: Option<String>,
    /// Folder of the runs [default: GOODPUT_RUNS, else ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Index of the runs: sqlite:FILE, or postgres://… for a team [default: index.sqlite in the folder of the runs]
    #[arg(long, value_name = "URL", env = "GOODPUT_INDEX", hide_env_values = true)]
    index: Option<String>,
    /// Certificate in PEM, those of intermediate authorities behind it
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its private key
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Make a certificate that nobody has signed, and print its fingerprint
    #[arg(long, conflicts_with = "tls_cert")]
    tls_self: bool,
    /// A name that this host is called by in a browser, beside its host name; may be repeated
    #[arg(long, value_name = "NAME")]
    host_name: Vec<String>,
    #[command(flatten)]
    files: TypedFiles,
    /// What lines that are started from the page may do besides: write, folders, files, commands; may be repeated
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    allow: Vec<String>,
    /// Post alerts of schedules to addresses of this machine itself, too
    #[arg(long)]
    webhook_loopback: bool,
    /// Push the metrics of schedules and agents to an OpenTelemetry collector (OTLP over HTTP, as JSON)
    #[arg(long, value_name = "URL")]
    otlp: Option<String>,
    /// Time between two pushes [default: 60s]
    #[arg(long, value_name = "TIME", requires = "otlp")]
    otlp_interval: Option<String>,
    /// Router at which agents are present, for the list of hosts and for what is measured from the page
    #[arg(long, value_name = "HOST[:PORT]", env = "GOODPUT_ROUTER")]
    router: Option<String>,
    #[command(flatten)]
    credentials: TypedCredentials,
}

/// The files that say who may log in.
#[derive(Debug, Args)]
struct TypedFiles {
    /// File with hashes of passwords [default: ~/.config/goodput/passwords, if it is there]
    #[arg(long, value_name = "FILE", global = true)]
    password_file: Option<PathBuf>,
    /// File with hashes of tokens [default: ~/.config/goodput/tokens, if it is there]
    #[arg(long, value_name = "FILE", global = true)]
    token_file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum TypedSecret {
    /// Set the password of a role: asked for on a terminal, else one line of standard input
    Password {
        /// What it lets do
        role: TypedRole,
    },
    /// Make a token for a program and print it once
    Token {
        /// What it lets do
        role: TypedRole,
        /// What it is called; a new token of a name takes the place of the old one
        name: String,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum TypedRole {
    /// See everything, change nothing
    Reader,
    /// Start, stop, schedule and tag as well
    Operator,
}

/// Serve, or say who may log in.
#[derive(Debug, Clone, PartialEq)]
pub enum Serve {
    /// Serve the page and the API.
    Listen(Box<ServeOrder>),
    /// Set a password.
    Password {
        /// Of this role.
        role: Role,
        /// The files.
        files: Files,
    },
    /// Make a token.
    Token {
        /// Of this role.
        role: Role,
        /// Of this name.
        name: String,
        /// The files.
        files: Files,
    },
}

/// How to serve.
#[derive(Debug, Clone, PartialEq)]
pub struct ServeOrder {
    /// Address and port.
    pub address: SocketAddr,
    /// Folder of the runs, when one was named.
    pub store: Option<PathBuf>,
    /// URL of the index, when one was named.
    pub index: Option<String>,
    /// How to do TLS.
    pub tls: TlsOrder,
    /// Names of this host.
    pub names: Vec<String>,
    /// Who may log in.
    pub files: Files,
    /// What jobs may do besides.
    pub allow: Vec<Leave>,
    /// Whether alerts may be posted to this machine itself.
    pub webhook_loopback: bool,
    /// Where metrics are pushed to, if anywhere.
    pub otlp: Option<Otlp>,
    /// Where agents are present.
    pub router: Option<RouterAddress>,
    /// What this side shows to agents.
    pub credentials: Shown,
}

/// How to do TLS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TlsOrder {
    /// Not at all.
    None,
    /// With a certificate of its own making.
    Own,
    /// With these files.
    Files(Tls),
}

/// The files that say who may log in, as far as they were named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    /// Passwords.
    pub passwords: Option<PathBuf>,
    /// Tokens.
    pub tokens: Option<PathBuf>,
}

impl TypedServe {
    /// What is meant.
    pub fn meaning(self) -> Result<Serve, Failure> {
        let files = Files { passwords: self.files.password_file, tokens: self.files.token_file };
        let allow = self.allow.iter().map(|word| leave(word)).collect::<Result<_, _>>()?;
        let otlp = otlp(self.otlp.as_deref(), self.otlp_interval.as_deref())?;
        Ok(match self.command {
            Some(TypedSecret::Password { role }) => Serve::Password { role: role.into(), files },
            Some(TypedSecret::Token { role, name }) => {
                Serve::Token { role: role.into(), name: plain_name("NAME", &name)?, files }
            }
            None => Serve::Listen(Box::new(ServeOrder {
                address: self.listen.map_or(Ok(loopback(PORT)), |typed| address(&typed))?,
                store: self.store,
                index: self.index,
                tls: match (self.tls_self, self.tls_cert, self.tls_key) {
                    (true, ..) => TlsOrder::Own,
                    (false, Some(certificate), Some(key)) => TlsOrder::Files(Tls::Files { certificate, key }),
                    _ => TlsOrder::None,
                },
                names: self.host_name.iter().map(|n| name(n)).collect::<Result<_, _>>()?,
                files,
                allow,
                webhook_loopback: self.webhook_loopback,
                otlp,
                router: host_name::router("--router", self.router.as_deref())?,
                credentials: self.credentials.meaning()?,
            })),
        })
    }
}

impl From<TypedRole> for Role {
    fn from(role: TypedRole) -> Role {
        match role {
            TypedRole::Reader => Role::Reader,
            TypedRole::Operator => Role::Operator,
        }
    }
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

/// An address with a port or without, or a port alone behind a colon.
fn address(typed: &str) -> Result<SocketAddr, Failure> {
    let bare = typed.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(typed);
    if let Ok(address) = typed.parse::<SocketAddr>() {
        return Ok(address);
    }
    if let Ok(ip) = bare.parse::<IpAddr>() {
        return Ok(SocketAddr::new(ip, PORT));
    }
    if let Some(Ok(port)) = typed.strip_prefix(':').map(str::parse) {
        return Ok(loopback(port));
    }
    Err(Failure::usage(format!("--listen {} is refused", shown(typed)))
        .because("it is no address")
        .try_this("for example --listen 127.0.0.1:5380, --listen 0.0.0.0, --listen [::]:443"))
}

/// A name that can stand in a URL and in a certificate.
fn name(typed: &str) -> Result<String, Failure> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let is_name =
        !typed.is_empty() && typed.len() <= 253 && typed.chars().all(fits) && !typed.starts_with('-');
    if is_name {
        return Ok(typed.to_ascii_lowercase());
    }
    Err(Failure::usage(format!("--host-name {} is refused", shown(typed)))
        .because("it is no name of a host")
        .try_this("a name as it stands in the browser, without port: lab7.example.net"))
}

/// Where metrics are pushed to, and how often.
fn otlp(url: Option<&str>, every: Option<&str>) -> Result<Option<Otlp>, Failure> {
    let Some(url) = url else { return Ok(None) };
    let every = match every {
        Some(typed) => value::quantity("--otlp-interval", typed, &OTLP_INTERVALS)?,
        None => OTLP_INTERVAL,
    };
    let otlp = Otlp::new(url, every.duration()).map_err(|_| {
        Failure::usage(format!("--otlp {} is refused", shown(url)))
            .because("it is no address of a collector")
            .try_this("for example --otlp http://localhost:4318, without a name or password before the host")
    })?;
    Ok(Some(otlp))
}

fn leave(word: &str) -> Result<Leave, Failure> {
    word.parse().map_err(|why: String| {
        Failure::usage(format!("--allow {} is refused", shown(word)))
            .because(why)
            .try_this("docs/serve.md says what each of them allows")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, NotACommand, parse};
    use std::ffi::OsString;

    fn serve(line: &str) -> Result<Serve, Failure> {
        let words: Vec<OsString> =
            std::iter::once("goodput").chain(line.split_whitespace()).map(OsString::from).collect();
        match parse(&words) {
            Ok(Command::Serve(order)) => Ok(order),
            Err(NotACommand::Refused(failure)) => Err(failure),
            other => panic!("{other:?}"),
        }
    }

    fn listening(line: &str) -> ServeOrder {
        match serve(line) {
            Ok(Serve::Listen(order)) => *order,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn loopback_unless_an_address_is_named() {
        let address = |line: &str| listening(line).address.to_string();
        assert_eq!(address("serve"), "127.0.0.1:5380");
        assert_eq!(address("serve --listen :8080"), "127.0.0.1:8080");
        assert_eq!(address("serve --listen 10.0.0.7"), "10.0.0.7:5380");
        assert_eq!(address("serve --listen [::]:443"), "[::]:443");
        assert_eq!(address("serve --listen ::1"), "[::1]:5380");
        for wrong in ["serve --listen lab7", "serve --listen 10.0.0.7:99999", "serve --host-name a:1"] {
            assert!(serve(wrong).unwrap_err().hint.is_some(), "{wrong}");
        }
    }

    #[test]
    fn a_certificate_has_a_key_or_is_our_own() {
        assert_eq!(listening("serve --tls-self").tls, TlsOrder::Own);
        let files = Tls::Files { certificate: "c".into(), key: "k".into() };
        assert_eq!(listening("serve --tls-cert c --tls-key k").tls, TlsOrder::Files(files));
        assert!(serve("serve --tls-cert c").is_err());
        assert!(serve("serve --tls-self --tls-cert c --tls-key k").is_err());
    }

    #[test]
    fn metrics_are_pushed_where_a_collector_is_named() {
        let every = |line: &str| listening(line).otlp;
        let otlp = |url: &str, seconds| Otlp::new(url, std::time::Duration::from_secs(seconds)).ok();
        assert_eq!(every("serve"), None);
        assert_eq!(every("serve --otlp http://localhost:4318"), otlp("http://localhost:4318", 60));
        let line = "serve --otlp https://otel.example/v1/metrics --otlp-interval 5min";
        assert_eq!(every(line), otlp("https://otel.example", 300));
        for wrong in
            ["--otlp localhost:4318", "--otlp-interval 5s", "--otlp http://h:4318 --otlp-interval 10"]
        {
            assert!(serve(&format!("serve {wrong}")).unwrap_err().hint.is_some(), "{wrong}");
        }
    }

    #[test]
    fn who_may_log_in() {
        let files = Files { passwords: Some("p".into()), tokens: None };
        let password = Serve::Password { role: Role::Operator, files };
        assert_eq!(serve("serve password operator --password-file p").unwrap(), password);
        let token = serve("serve token reader prometheus").unwrap();
        assert_eq!(
            token,
            Serve::Token { role: Role::Reader, name: "prometheus".into(), files: Files::default() }
        );
        assert!(serve("serve password root").is_err());
        assert!(serve("serve --listen :1 password reader").is_err());
        assert_eq!(listening("serve --allow files,commands").allow, [Leave::Files, Leave::Commands]);
        assert!(serve("serve --allow all").unwrap_err().cause.unwrap().contains("write"));
    }
}
