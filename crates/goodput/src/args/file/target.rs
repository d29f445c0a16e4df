//! TARGET: where the files are to lie.
//!
//! ```text
//! /mnt/share, ./here                       a folder
//! smb://[domain;]user@host[:port]/share/path
//! nfs://host[:port]/export/path[?mountport=N]
//! HOST:null, HOST:memory, HOST:disk[=PATH]  what an agent keeps
//! ```
//!
//! `HOST` may be `lab:NAME` everywhere. A password stands nowhere in it.

mod address;
#[cfg(test)]
mod tests;

use crate::args::host_name::HostName;
use crate::args::value::{ValueError, port, shown};
use address::{Address, address, below};
use goodput_model::file::Sink;
use std::path::Path;
use std::str::FromStr;

/// The port of SMB over TCP (MS-SMB2 2.1).
pub const SMB_PORT: u16 = 445;

/// Where the files are to lie, as named by the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A folder, as an absolute path.
    Folder(String),
    /// An SMB share.
    Smb {
        /// The server.
        host: HostName,
        /// Its port.
        port: u16,
        /// Domain or workgroup.
        domain: Option<String>,
        /// User; `None` is a guest.
        user: Option<String>,
        /// The share.
        share: String,
        /// Folder in the share.
        path: String,
    },
    /// An NFS export.
    Nfs {
        /// The server.
        host: HostName,
        /// Port of the NFS service.
        port: Option<u16>,
        /// Port of the mount service.
        mount_port: Option<u16>,
        /// The export.
        export: String,
        /// Folder in the export.
        path: String,
    },
    /// What an agent keeps.
    Sink {
        /// The agent.
        host: HostName,
        /// Where it puts it.
        sink: Sink,
    },
}

impl FromStr for Target {
    type Err = ValueError;

    fn from_str(typed: &str) -> Result<Target, ValueError> {
        if typed.starts_with("\\\\") || typed.starts_with("//") {
            return Err(windows_path(typed));
        }
        if let Some(rest) = scheme(typed, "smb") {
            return smb(rest);
        }
        if let Some(rest) = scheme(typed, "nfs") {
            return nfs(rest);
        }
        if let Some((word, _)) = typed.split_once("://") {
            return Err(refused(format!("{} is no kind of target", shown(word))));
        }
        if let Some((host, sink)) = sink(typed)? {
            return Ok(Target::Sink { host: host.parse()?, sink });
        }
        folder(typed).map(Target::Folder)
    }
}

impl Target {
    /// Reads the TARGET of `--net-only`: a host whose agent answers, however its sink is called.
    pub fn net_only(typed: &str) -> Result<HostName, ValueError> {
        match sink(typed)? {
            Some((host, _)) => host.parse(),
            None if typed.contains('/') => Err(ValueError::new(
                "--net-only needs no files, but an agent",
                "name the host of an agent as TARGET, or leave --net-only out",
            )),
            None => typed.parse(),
        }
    }

    /// The host that the place is at, where it names one.
    pub fn host(&self) -> Option<&HostName> {
        match self {
            Target::Folder(_) => None,
            Target::Smb { host, .. } | Target::Nfs { host, .. } | Target::Sink { host, .. } => Some(host),
        }
    }
}

/// The rest of an address of this scheme, however it is capitalised.
fn scheme<'a>(typed: &'a str, name: &str) -> Option<&'a str> {
    let (word, rest) = typed.split_once("://")?;
    word.eq_ignore_ascii_case(name).then_some(rest)
}

/// A folder as an absolute path.
pub fn folder(typed: &str) -> Result<String, ValueError> {
    let refuse = |why: String| ValueError::new(why, "type the path of a folder, from / on");
    if typed.is_empty() || typed.contains('\0') {
        return Err(refuse("it names nothing".into()));
    }
    if typed.split('/').any(|part| part == "..") {
        // After a link, .. does not lead where it seems to.
        return Err(refuse("it has .. in it".into()));
    }
    let absolute = std::path::absolute(Path::new(typed))
        .map_err(|e| refuse(format!("the present folder is unknown: {e}")))?;
    match absolute.to_str() {
        Some(path) => Ok(path.to_string()),
        None => Err(refuse("the path of the present folder is no text".into())),
    }
}

/// A folder of another host: a relative path would have no starting point there.
pub fn folder_on_server(typed: &str) -> Result<String, ValueError> {
    if typed.starts_with('/') && !typed.split('/').any(|part| part == "..") {
        return folder(typed);
    }
    Err(ValueError::new(
        "it is a folder of another host, which has no present folder",
        "write its whole path from / on, without ..",
    ))
}

/// `HOST:null`, `HOST:memory`, `HOST:disk`, `HOST:disk=PATH`: the host and the sink. A slash before the sink makes it a
/// folder's path.
fn sink(typed: &str) -> Result<Option<(&str, Sink)>, ValueError> {
    if let Some((host, path)) = typed.split_once(":disk=")
        && !host.contains('/')
    {
        if !path.starts_with('/') || path.split('/').any(|part| part == "..") {
            return Err(ValueError::new(
                "the agent knows no folder that it could start from",
                "write the folder's whole path from / on, without .., as in nas:disk=/srv/goodput",
            ));
        }
        return Ok(Some((host, Sink::Disk { path: Some(path.to_string()) })));
    }
    let Some((host, word)) = typed.rsplit_once(':').filter(|(host, _)| !host.contains('/')) else {
        return Ok(None);
    };
    Ok(match word {
        "null" => Some((host, Sink::Null)),
        "memory" => Some((host, Sink::Memory)),
        "disk" => Some((host, Sink::Disk { path: None })),
        _ => None,
    })
}

fn smb(rest: &str) -> Result<Target, ValueError> {
    let Address { user, host, port, path } = address(rest)?;
    let (domain, user) = match user {
        None => (None, None),
        Some(user) => match user.split_once(';') {
            Some((domain, user)) => (Some(domain.to_string()), Some(user.to_string())),
            None => (None, Some(user)),
        },
    };
    if user.as_deref() == Some("") || domain.as_deref() == Some("") {
        return Err(refused("the user has no name"));
    }
    let (share, path) = path.split_once('/').unwrap_or((&path, ""));
    if share.is_empty() {
        let hint = "type smb://user@host/SHARE, or smb://user@host/SHARE/folder";
        return Err(ValueError::new("it names no share", hint));
    }
    let path = below(path)?;
    Ok(Target::Smb { host, port: port.unwrap_or(SMB_PORT), domain, user, share: share.to_string(), path })
}

fn nfs(rest: &str) -> Result<Target, ValueError> {
    let (rest, mount_port) = match rest.split_once("?mountport=") {
        Some((rest, typed)) => (rest, Some(port(typed)?)),
        None => (rest, None),
    };
    let Address { user, host, port, path } = address(rest)?;
    if user.is_some() {
        let why = "NFS version 3 has no log-on; the server goes by addresses";
        return Err(ValueError::new(why, "type nfs://host/export"));
    }
    // Where the export ends the server alone knows; it mounts a folder within an export as well. Two slashes say it.
    let (export, path) = path.split_once("//").unwrap_or((&path, ""));
    let export = below(export)?;
    if export.is_empty() {
        return Err(ValueError::new("it names no export", "type nfs://host/export/folder"));
    }
    Ok(Target::Nfs { host, port, mount_port, export: format!("/{export}"), path: below(path)? })
}

fn windows_path(typed: &str) -> ValueError {
    let address = typed.trim_start_matches(['\\', '/']).replace('\\', "/");
    let hint = match typed.starts_with('/') {
        true => format!("type smb://{address} for the share, or a single slash for a folder"),
        false => format!("type smb://{address}, with the user before it: smb://USER@{address}"),
    };
    ValueError::new("it is how Windows writes a share", hint)
}

fn refused(why: impl Into<String>) -> ValueError {
    ValueError::new(
        why,
        "type a folder (/mnt/nas), smb://user@host/share/folder, nfs://host/export/folder, or HOST:null, HOST:memory, \
         HOST:disk for an agent",
    )
}
