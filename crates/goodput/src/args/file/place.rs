//! Where `goodput file` works, and from which hosts.

use super::target::{self, Target};
use crate::args::host_name::HostName;
use crate::args::many;
use crate::args::measuring::port;
use crate::failure::Failure;
use clap::Args;
use goodput_lab::LabHost;
use goodput_model::file::Sink;
use std::path::PathBuf;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedPlace {
    /// Where the files are to lie: a folder, smb://user@host/share/folder, nfs://host/export/folder, or HOST:null,
    /// HOST:memory, HOST:disk[=PATH] for what an agent keeps
    #[arg(value_name = "TARGET", required = true)]
    target: Option<String>,
    #[command(flatten)]
    password: TypedPassword,
    /// The hosts that work, if not this machine: an agent on each, or lab:NAME. A folder as TARGET is a folder there
    #[arg(long, value_name = "LIST")]
    from: Option<String>,
    /// An agent on the server of TARGET: shows its CPU, its disk and what the network alone does
    #[arg(long, value_name = "HOST")]
    server: Option<String>,
    /// The folder behind the share, as that agent sees it: it then tells its disk, and empties its cache before reads
    #[arg(long, value_name = "DIR", requires = "server")]
    server_folder: Option<String>,
    /// Control port of the agent at the server [default: 5303]
    #[arg(long, value_name = "PORT")]
    port: Option<String>,
}

/// As typed. A password itself is never typed: every process's arguments can be read by everybody on the machine.
#[derive(Debug, Default, Args)]
pub struct TypedPassword {
    /// File with the password for smb:// [default: GOODPUT_SMB_PASSWORD, GOODPUT_SMB_PASSWORD_FILE, else it is asked for]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

/// Where, and from which hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Where {
    /// Where the files lie.
    pub target: Target,
    /// The hosts that work; none for this machine.
    pub from: Vec<HostName>,
    /// The agent at the server; that of a sink is no other.
    pub server: Option<HostName>,
    /// The folder behind the share, there.
    pub server_folder: Option<String>,
    /// Control port of the agent at the server; `None` is the usual one, or the lab's.
    pub port: Option<u16>,
    /// File with the password.
    pub password_file: Option<PathBuf>,
}

impl TypedPassword {
    /// The file, where one was named.
    pub fn meaning(self) -> Option<PathBuf> {
        self.password_file
    }
}

impl TypedPlace {
    /// What is meant; `net_only` makes TARGET the host of an agent.
    pub fn meaning(self, net_only: bool) -> Result<Where, Failure> {
        let typed = self.target.unwrap_or_default();
        let server = self.server.as_deref().map(|t| HostName::parse("--server", t)).transpose()?;
        let target = match net_only && server.is_none() {
            true => Target::Sink { host: Target::net_only(&typed)?, sink: Sink::Net },
            // With --net-only a share may be named, and beside it the agent that answers for it.
            false => Target::parse(&typed)?,
        };
        if let (Target::Sink { .. }, Some(_), false) = (&target, &server, net_only) {
            return Err(Failure::usage("--server is of no use here")
                .because("TARGET names the agent that keeps the files; it is the server")
                .try_this("leave --server out"));
        }
        let from = self.from.as_deref().map(|t| many::hosts("--from", t)).transpose()?.unwrap_or_default();
        in_one_lab(from.iter().chain(&server).chain(target.host()))?;
        Ok(Where {
            target,
            from,
            server,
            server_folder: self.server_folder.as_deref().map(on_server).transpose()?,
            port: port("--port", self.port.as_deref())?,
            password_file: self.password.meaning(),
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

/// A folder of another host: nobody here can say from where a relative path would start there.
fn on_server(typed: &str) -> Result<String, Failure> {
    if typed.starts_with('/') && !typed.split('/').any(|part| part == "..") {
        return target::folder("--server-folder", typed);
    }
    Err(Failure::usage(format!("--server-folder {} is refused", crate::args::value::shown(typed)))
        .because("it is a folder of another host, which has no present folder")
        .try_this("write its whole path from / on, without .."))
}
