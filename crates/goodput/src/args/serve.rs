//! `goodput serve`: the page, the API and logins.

use super::HOSTS_HELP_HEADING;
use super::credentials::CredentialSource;
use super::host_name::{parse_host_name, parse_router_address};
use super::value_parsers::{self, NamedChoices, ValueError};
use clap::{Args, Subcommand, ValueHint};
use goodput_control::AgentRouterAddress;
use goodput_model::Nanos;
use goodput_server::OtlpExporter;
use goodput_server::forms::JobPermission;
use goodput_server::security::Role;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

const PORT: u16 = 5380;
const METRICS: &str = "Metrics and alerts";

#[derive(Debug, Clone, PartialEq, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_long_help = "Examples:
  goodput serve                                   this machine's own page, for the user who starts it
  goodput serve password operator                 set a password, then:
  goodput serve --listen 0.0.0.0:5380 --tls-self  for a lab

A program needs a token: goodput serve token reader prometheus. More: docs/serve.md")]
pub struct ServeArgs {
    #[command(subcommand)]
    pub command: Option<SecretCommand>,
    /// Address to listen on
    ///
    /// Any address other than loopback requires TLS and a password or token.
    #[arg(long, value_name = "ADDRESS[:PORT]", default_value = "127.0.0.1:5380", value_parser = address)]
    pub listen: SocketAddr,
    /// Folder of the stored runs [env: GOODPUT_RUNS] [default: ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, hide_short_help = true)]
    pub store: Option<PathBuf>,
    /// Database with the index of the runs: sqlite:FILE, or postgres://… for shared use [default:
    /// index.sqlite in the run folder]
    #[arg(long, value_name = "URL", env = "GOODPUT_INDEX", hide_env_values = true, hide_short_help = true)]
    pub index: Option<String>,
    /// TLS certificate file in PEM format, including intermediate certificates
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// Private key file of the TLS certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Create and use a self-signed TLS certificate
    #[arg(long, conflicts_with = "tls_cert")]
    pub tls_self: bool,
    /// Additional host name under which browsers open the page; may be repeated
    #[arg(long = "host-name", value_name = "NAME", value_parser = name, hide_short_help = true)]
    pub names: Vec<String>,
    #[command(flatten)]
    pub files: LoginFiles,
    /// What a measurement started from the web page may also do: write, folders, files, knobs, commands
    ///
    /// write: write files on this machine, or store runs in another folder. folders: measure in folders of this
    /// machine. files: read files of this machine, such as keys and configurations. knobs: change settings of this
    /// machine in experiments, and of hosts with why --allow-knob. commands: run commands on hosts, in experiments
    /// whose levels are set by commands.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = leave)]
    pub allow: Vec<JobPermission>,
    /// Allow alert webhooks to post to addresses of this machine
    #[arg(long, help_heading = METRICS, hide_short_help = true)]
    pub webhook_loopback: bool,
    /// URL of an OpenTelemetry collector that receives metrics of schedules and agents (OTLP/HTTP, JSON)
    #[arg(long, value_name = "URL", value_parser = collector, help_heading = METRICS, hide_short_help = true)]
    otlp: Option<String>,
    /// Interval between two metric exports
    #[arg(long, value_name = "TIME", default_value = "60s", requires = "otlp", value_parser = value_parsers::OTLP_PUSH_INTERVAL_RANGE)]
    #[arg(help_heading = METRICS, hide_short_help = true)]
    otlp_interval: Nanos,
    /// Router used for the host list and for measurements started from the page
    #[arg(long, value_name = "HOST[:PORT]", env = "GOODPUT_ROUTER", value_parser = parse_router_address)]
    #[arg(help_heading = HOSTS_HELP_HEADING, hide_short_help = true)]
    pub router: Option<AgentRouterAddress>,
    #[command(flatten)]
    pub credentials: CredentialSource,
}

/// The files that say who may log in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct LoginFiles {
    /// File with password hashes [default: ~/.config/goodput/passwords, if it exists]
    #[arg(long = "password-file", value_name = "FILE", global = true, hide_short_help = true)]
    pub passwords: Option<PathBuf>,
    /// File with token hashes [default: ~/.config/goodput/tokens, if it exists]
    #[arg(long = "token-file", value_name = "FILE", global = true, hide_short_help = true)]
    pub tokens: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum SecretCommand {
    /// Set the password for a user role of the web page
    ///
    /// The password is read from a terminal prompt, or as one line from standard input.
    Password {
        /// reader sees everything and changes nothing; operator also starts, stops, schedules and tags
        #[arg(value_parser = ROLES)]
        role: Role,
    },
    /// Create an API token for a program and print it once
    Token {
        /// reader sees everything and changes nothing; operator also starts, stops, schedules and tags
        #[arg(value_parser = ROLES)]
        role: Role,
        /// Name of the token; a new one replaces the old one of this name
        #[arg(value_parser = parse_host_name)]
        name: String,
    },
}

const ROLES: NamedChoices<Role> = NamedChoices(&[("reader", Role::Reader), ("operator", Role::Operator)]);

impl ServeArgs {
    pub fn otlp_settings(&self) -> Option<OtlpExporter> {
        OtlpExporter::new(self.otlp.as_deref()?, self.otlp_interval.to_duration()).ok()
    }
}

/// An address with or without a port, or `:PORT`.
fn address(typed: &str) -> Result<SocketAddr, ValueError> {
    let bare = typed.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(typed);
    let without_port = || Some(SocketAddr::new(bare.parse().ok()?, PORT));
    let port_alone =
        || Some(SocketAddr::from((Ipv4Addr::LOCALHOST, typed.strip_prefix(':')?.parse::<u16>().ok()?)));
    typed.parse().ok().or_else(without_port).or_else(port_alone).ok_or_else(|| {
        let hint = "for example --listen 127.0.0.1:5380, --listen 0.0.0.0, --listen [::]:443";
        ValueError::new("it is no address", hint)
    })
}

/// A name that is valid in a URL and in a certificate.
fn name(typed: &str) -> Result<String, ValueError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let is_name =
        !typed.is_empty() && typed.len() <= 253 && typed.chars().all(fits) && !typed.starts_with('-');
    if is_name {
        return Ok(typed.to_ascii_lowercase());
    }
    Err(ValueError::new(
        "it is no name of a host",
        "a name as it stands in the browser, without port: lab7.example.net",
    ))
}

fn collector(url: &str) -> Result<String, ValueError> {
    OtlpExporter::new(url, Nanos::SECOND.to_duration()).map(|_| url.to_string()).map_err(|_| {
        ValueError::new(
            "it is no address of a collector",
            "for example --otlp http://localhost:4318, without a name or password before the host",
        )
    })
}

fn leave(word: &str) -> Result<JobPermission, ValueError> {
    word.parse::<JobPermission>()
        .map_err(|why| ValueError::new(why, "docs/serve.md says what each of them allows"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, tests::parsed};
    use crate::failure::Failure;

    fn listening(line: &str) -> ServeArgs {
        serve(line).unwrap()
    }

    fn serve(line: &str) -> Result<ServeArgs, Failure> {
        match parsed(&format!("goodput {line}"))? {
            Command::Serve(args) => Ok(*args),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn loopback_unless_an_address_is_named() {
        let address = |line: &str| listening(line).listen.to_string();
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
        assert!(listening("serve --tls-self").tls_self);
        let args = listening("serve --tls-cert c --tls-key k");
        assert_eq!((args.tls_cert, args.tls_key), (Some("c".into()), Some("k".into())));
        assert!(serve("serve --tls-cert c").is_err());
        assert!(serve("serve --tls-self --tls-cert c --tls-key k").is_err());
    }

    #[test]
    fn metrics_are_pushed_where_a_collector_is_named() {
        let every = |line: &str| listening(line).otlp_settings();
        let otlp = |url: &str, seconds| OtlpExporter::new(url, std::time::Duration::from_secs(seconds)).ok();
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
        let args = listening("serve password operator --password-file p");
        assert_eq!(args.files, LoginFiles { passwords: Some("p".into()), tokens: None });
        assert_eq!(args.command, Some(SecretCommand::Password { role: Role::Operator }));
        let token = SecretCommand::Token { role: Role::Reader, name: "prometheus".into() };
        assert_eq!(listening("serve token reader prometheus").command, Some(token));
        assert!(serve("serve password root").is_err());
        assert!(serve("serve --listen :1 password reader").is_err());
        assert_eq!(
            listening("serve --allow files,commands").allow,
            [JobPermission::Files, JobPermission::Commands]
        );
        assert!(serve("serve --allow all").unwrap_err().cause.unwrap().contains("write"));
    }
}
