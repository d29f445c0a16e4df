//! The target of `goodput file`, its client hosts, and how files are opened.

use super::target::{self, FileTarget};
use crate::args::HOSTS_HELP_HEADING;
use crate::args::host_name::{HostList, HostName};
use crate::args::value_parsers::{NamedChoices, ValueError};
use crate::failure::Failure;
use clap::{Args, ValueHint};
use goodput_lab::LabHostRef;
use goodput_model::file::{CacheMode, FlushMode, SinkStorageKind, VerifyMode};
use goodput_words::message;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct TargetArgs {
    /// Target to measure: a folder, smb://user@host/share, nfs://host/export, HOST:disk …
    ///
    /// A folder can be on a mounted disk or share. HOST:null, HOST:memory and HOST:disk[=PATH] measure to an
    /// agent, without a file server.
    #[arg(value_name = "TARGET", required = true)]
    target: Option<String>,
    #[command(flatten)]
    password: PasswordArgs,
    /// Client hosts, each with an agent [default: this machine]
    ///
    /// If TARGET is a folder, it is a path on these hosts.
    #[arg(long, value_name = "LIST")]
    from: Option<HostList>,
    /// Agent on the file server, to measure its CPU usage
    ///
    /// The server's disk and the network without files are measured too.
    #[arg(long, value_name = "HOST")]
    server: Option<HostName>,
    /// Path of the shared folder on the server, to report its disk and to drop its cache before reads
    #[arg(long, value_name = "DIR", requires = "server", value_parser = target::parse_server_folder)]
    #[arg(help_heading = HOSTS_HELP_HEADING, hide_short_help = true, value_hint = ValueHint::DirPath)]
    server_folder: Option<String>,
}

/// A password itself is never an argument: every user of the machine can read those.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct PasswordArgs {
    /// File with the password for smb:// [env: GOODPUT_SMB_PASSWORD, GOODPUT_SMB_PASSWORD_FILE] [default:
    /// prompt]
    #[arg(long, value_name = "FILE", help_heading = HOSTS_HELP_HEADING, hide_short_help = true)]
    pub password_file: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEndpoints {
    pub target: FileTarget,
    /// The client hosts; if empty, this machine is the client.
    pub from: Vec<HostName>,
    pub server: Option<HostName>,
    /// Path of the shared folder on the server.
    pub server_folder: Option<String>,
    pub port: Option<u16>,
    pub password_file: Option<PathBuf>,
}

impl FileEndpoints {
    /// A sink at the agent of a host, with one client.
    pub fn for_sink(
        host: HostName,
        sink: SinkStorageKind,
        from: Option<HostName>,
        port: Option<u16>,
    ) -> Result<FileEndpoints, Failure> {
        in_one_lab(from.iter().chain([&host]))?;
        let (target, from) = (FileTarget::Sink { host, sink }, from.into_iter().collect());
        Ok(FileEndpoints { target, from, server: None, server_folder: None, port, password_file: None })
    }
}

impl TargetArgs {
    /// With `net_only`, TARGET is the host of an agent.
    pub fn validate(self, net_only: bool, port: Option<u16>) -> Result<FileEndpoints, Failure> {
        let TargetArgs { target, password: PasswordArgs { password_file }, from, server, server_folder } =
            self;
        let typed = target.unwrap_or_default();
        let target = match net_only && server.is_none() {
            true => FileTarget::parse_agent_host(&typed)
                .map(|host| FileTarget::Sink { host, sink: SinkStorageKind::Net }),
            // --net-only also accepts a share, and --server names its server's agent.
            false => typed.parse(),
        };
        let target = target.map_err(|e: ValueError| e.into_failure_for_option("TARGET", &typed))?;
        if let (FileTarget::Sink { .. }, Some(_), false) = (&target, &server, net_only) {
            return Err(Failure::usage_error("--server is of no use here")
                .with_cause("TARGET specifies the agent that stores the files, so that agent is the server")
                .with_hint(message!(hint_args_leave_out { option: "--server" })));
        }
        let from = from.map_or_else(Vec::new, |list| list.0);
        in_one_lab(from.iter().chain(&server).chain(target.host()))?;
        Ok(FileEndpoints { target, from, server, server_folder, port, password_file })
    }
}

fn in_one_lab<'a>(hosts: impl Iterator<Item = &'a HostName>) -> Result<(), Failure> {
    let of_labs: Vec<&LabHostRef> = hosts.filter_map(HostName::lab_host).collect();
    match of_labs.windows(2).find(|two| two[0].lab != two[1].lab) {
        None => Ok(()),
        Some(two) => {
            let (host, other) = (two[0].to_string(), two[1].to_string());
            Err(Failure::usage_error("the hosts are in different labs")
                .with_cause(message!(cause_args_another_lab { host, other }))
                .with_hint("specify hosts of one lab"))
        }
    }
}

#[derive(Debug, Args)]
pub struct IoOptionArgs {
    /// Bypass the client's page cache with O_DIRECT, or drop the cache before each trial [default, except for
    /// replay]
    #[arg(long, hide_short_help = true)]
    direct: bool,
    /// Use the client's page cache [default for replay]
    #[arg(long, conflicts_with = "direct", hide_short_help = true)]
    cached: bool,
    /// When to flush written data to disk [default: end; for drive benchmarks as in CrystalDiskMark; for
    /// replay none]
    #[arg(long, value_name = "WHEN", value_parser = FLUSHES, hide_short_help = true)]
    pub flush: Option<FlushMode>,
    /// Amount of data to read back and compare, outside the measured time
    #[arg(long, value_name = "HOW", default_value = "sample", value_parser = VERIFIES, hide_short_help = true)]
    verify: VerifyMode,
}

const FLUSHES: NamedChoices<FlushMode> =
    NamedChoices(&[("none", FlushMode::None), ("end", FlushMode::End), ("each", FlushMode::Each)]);
const VERIFIES: NamedChoices<VerifyMode> =
    NamedChoices(&[("off", VerifyMode::Off), ("sample", VerifyMode::Sample), ("full", VerifyMode::Full)]);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IoOptions {
    pub access: CacheMode,
    pub flush: FlushMode,
    pub verify: VerifyMode,
}

impl IoOptions {
    pub const DISK_DEFAULTS: IoOptions =
        IoOptions { access: CacheMode::Direct, flush: FlushMode::End, verify: VerifyMode::Sample };
    /// A file server's clients use their caches, and the load file says when to flush.
    pub const REPLAY_DEFAULTS: IoOptions =
        IoOptions { access: CacheMode::Cached, flush: FlushMode::None, verify: VerifyMode::Sample };
}

impl IoOptionArgs {
    pub fn with_defaults(&self, usual: IoOptions) -> IoOptions {
        let access = match (self.direct, self.cached) {
            (true, _) => CacheMode::Direct,
            (_, true) => CacheMode::Cached,
            _ => usual.access,
        };
        IoOptions { access, flush: self.flush.unwrap_or(usual.flush), verify: self.verify }
    }
}
