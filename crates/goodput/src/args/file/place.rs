//! The target of `goodput file`, its client hosts, and how files are opened.

use super::target::{self, Target};
use crate::args::HOSTS;
use crate::args::host_name::{HostList, HostName};
use crate::args::value::{Choices, ValueError};
use crate::failure::Failure;
use clap::{Args, ValueHint};
use goodput_lab::LabHost;
use goodput_model::file::{Access, Flush, Sink, Verify};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// Folder, smb://user@host/share, nfs://host/export, HOST:disk …
    ///
    /// The files are in a folder on a mounted disk or a share. HOST:null, HOST:memory and HOST:disk[=PATH] are at an agent, without a file server.
    #[arg(value_name = "TARGET", required = true)]
    target: Option<String>,
    #[command(flatten)]
    password: PasswordArgs,
    /// Clients, with an agent each [default: this machine]
    ///
    /// A folder as TARGET is a folder on these hosts.
    #[arg(long, value_name = "LIST")]
    from: Option<HostList>,
    /// Agent on the server of TARGET, for the server's CPU
    ///
    /// It also reports the server's disk and the network alone.
    #[arg(long, value_name = "HOST")]
    server: Option<HostName>,
    /// Folder behind the share on the server, whose disk is reported and whose cache is emptied before reads
    #[arg(long, value_name = "DIR", requires = "server", value_parser = target::folder_on_server)]
    #[arg(help_heading = HOSTS, hide_short_help = true, value_hint = ValueHint::DirPath)]
    server_folder: Option<String>,
}

/// A password itself is never an argument: every user of the machine can read those.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct PasswordArgs {
    /// File with the password for smb:// [default: GOODPUT_SMB_PASSWORD, GOODPUT_SMB_PASSWORD_FILE, else it is asked for]
    #[arg(long, value_name = "FILE", help_heading = HOSTS, hide_short_help = true)]
    pub password_file: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Where {
    pub target: Target,
    /// The client hosts; empty is this machine.
    pub from: Vec<HostName>,
    pub server: Option<HostName>,
    /// The shared folder as the server sees it.
    pub server_folder: Option<String>,
    pub port: Option<u16>,
    pub password_file: Option<PathBuf>,
}

impl PlaceArgs {
    /// With `net_only`, TARGET is the host of an agent.
    pub fn checked(self, net_only: bool, port: Option<u16>) -> Result<Where, Failure> {
        let typed = self.target.unwrap_or_default();
        let target = match net_only && self.server.is_none() {
            true => Target::net_only(&typed).map(|host| Target::Sink { host, sink: Sink::Net }),
            // --net-only also accepts a share, and --server names its server's agent.
            false => typed.parse(),
        };
        let target = target.map_err(|e: ValueError| e.of("TARGET", &typed))?;
        if let (Target::Sink { .. }, Some(_), false) = (&target, &self.server, net_only) {
            return Err(Failure::usage("--server is of no use here")
                .because("TARGET names the agent that keeps the files; it is the server")
                .try_this("leave --server out"));
        }
        let from = self.from.map_or_else(Vec::new, |list| list.0);
        in_one_lab(from.iter().chain(&self.server).chain(target.host()))?;
        Ok(Where {
            target,
            from,
            server: self.server,
            server_folder: self.server_folder,
            port,
            password_file: self.password.password_file,
        })
    }
}

fn in_one_lab<'a>(hosts: impl Iterator<Item = &'a HostName>) -> Result<(), Failure> {
    let of_labs: Vec<&LabHost> = hosts
        .filter_map(|host| match host {
            HostName::Lab(host) => Some(host),
            HostName::Address(_) | HostName::Name(_) => None,
        })
        .collect();
    match of_labs.windows(2).find(|two| two[0].lab != two[1].lab) {
        None => Ok(()),
        Some(two) => Err(Failure::usage("the hosts are in different labs")
            .because(format!("{} is in another one than {}", two[0], two[1]))
            .try_this("name hosts of one lab")),
    }
}

#[derive(Debug, Args)]
pub struct HowArgs {
    /// Bypass the client's caches: O_DIRECT, or caches emptied beforehand [default, but for replay]
    #[arg(long, hide_short_help = true)]
    direct: bool,
    /// Use the client's caches [default of replay]
    #[arg(long, conflicts_with = "direct", hide_short_help = true)]
    cached: bool,
    /// When written data is flushed to the disk [default: end; of a drive mark as its version does; of replay none]
    #[arg(long, value_name = "WHEN", value_parser = FLUSHES, hide_short_help = true)]
    pub flush: Option<Flush>,
    /// How much is read back and compared, outside the measured time
    #[arg(long, value_name = "HOW", default_value = "sample", value_parser = VERIFIES, hide_short_help = true)]
    verify: Verify,
}

const FLUSHES: Choices<Flush> = Choices(&[("none", Flush::None), ("end", Flush::End), ("each", Flush::Each)]);
const VERIFIES: Choices<Verify> =
    Choices(&[("off", Verify::Off), ("sample", Verify::Sample), ("full", Verify::Full)]);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct How {
    pub access: Access,
    pub flush: Flush,
    pub verify: Verify,
}

impl How {
    pub const OF_BYTES: How = How { access: Access::Direct, flush: Flush::End, verify: Verify::Sample };
    /// A file server's clients use their caches, and the load file says when to flush.
    pub const OF_A_MIX: How = How { access: Access::Cached, flush: Flush::None, verify: Verify::Sample };
}

impl HowArgs {
    pub fn over(&self, usual: How) -> How {
        let access = match (self.direct, self.cached) {
            (true, _) => Access::Direct,
            (_, true) => Access::Cached,
            _ => usual.access,
        };
        How { access, flush: self.flush.unwrap_or(usual.flush), verify: self.verify }
    }
}
