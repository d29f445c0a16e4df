//! TARGET: a folder, `smb://[domain;]user@host[:port]/share/path`,
//! `nfs://host[:port]/export/path[?mountport=N]`, or an agent's sink `HOST:null|memory|disk[=PATH]`. `HOST`
//! may be `lab:NAME`; a password is never part of it.

mod address;
#[cfg(test)]
mod tests;

use crate::args::host_name::HostName;
use crate::args::value_parsers::{ValueError, parse_port, quote_value};
use address::{SmbAddress, normalize_relative_path, parse_smb_address};
use goodput_model::Message;
use goodput_model::file::{SMB_PORT, SinkStorageKind};
use goodput_words::{ErrorMessage, message};
use std::path::Path;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileTarget {
    Folder(String),
    Smb {
        host: HostName,
        port: u16,
        domain: Option<String>,
        /// `None` is a guest.
        user: Option<String>,
        share: String,
        path: String,
    },
    Nfs {
        host: HostName,
        port: Option<u16>,
        mount_port: Option<u16>,
        export: String,
        path: String,
    },
    Sink {
        host: HostName,
        sink: SinkStorageKind,
    },
}

impl FromStr for FileTarget {
    type Err = ValueError;

    fn from_str(typed: &str) -> Result<FileTarget, ValueError> {
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
            return Err(refused(message!(cause_args_target_kind { word: quote_value(word) })));
        }
        if let Some((host, sink)) = sink(typed)? {
            return Ok(FileTarget::Sink { host: host.parse()?, sink });
        }
        parse_folder(typed).map(FileTarget::Folder)
    }
}

impl FileTarget {
    /// Reads the TARGET of `--net-only`: an agent's host, with or without a sink.
    pub fn parse_agent_host(typed: &str) -> Result<HostName, ValueError> {
        match sink(typed)? {
            Some((host, _)) => host.parse(),
            None if typed.contains('/') => Err(ValueError::new(
                "--net-only needs no files, but an agent",
                "name the host of an agent as TARGET, or leave --net-only out",
            )),
            None => typed.parse(),
        }
    }

    pub fn host(&self) -> Option<&HostName> {
        match self {
            FileTarget::Folder(_) => None,
            FileTarget::Smb { host, .. } | FileTarget::Nfs { host, .. } | FileTarget::Sink { host, .. } => {
                Some(host)
            }
        }
    }
}

fn scheme<'a>(typed: &'a str, name: &str) -> Option<&'a str> {
    let (word, rest) = typed.split_once("://")?;
    word.eq_ignore_ascii_case(name).then_some(rest)
}

pub fn parse_folder(typed: &str) -> Result<String, ValueError> {
    let refuse = |why: Message| ValueError::new(why, "type the path of a folder, from / on");
    if typed.is_empty() || typed.contains('\0') {
        return Err(refuse("it names nothing".into()));
    }
    if typed.split('/').any(|part| part == "..") {
        // After a symbolic link, `..` leads elsewhere.
        return Err(refuse("it has .. in it".into()));
    }
    let absolute = std::path::absolute(Path::new(typed))
        .map_err(|e| refuse(message!(cause_args_present_folder { why: e.message() })))?;
    match absolute.to_str() {
        Some(path) => Ok(path.to_string()),
        None => Err(refuse("the path of the present folder is no text".into())),
    }
}

/// A relative path on another host would have no starting point.
pub fn parse_server_folder(typed: &str) -> Result<String, ValueError> {
    if typed.starts_with('/') && !typed.split('/').any(|part| part == "..") {
        return parse_folder(typed);
    }
    Err(ValueError::new(
        "it is a folder of another host, which has no present folder",
        "write its whole path from / on, without ..",
    ))
}

/// `HOST:null`, `HOST:memory`, `HOST:disk`, `HOST:disk=PATH`; a slash before the sink makes it a folder's
/// path.
fn sink(typed: &str) -> Result<Option<(&str, SinkStorageKind)>, ValueError> {
    if let Some((host, path)) = typed.split_once(":disk=")
        && !host.contains('/')
    {
        if !path.starts_with('/') || path.split('/').any(|part| part == "..") {
            return Err(ValueError::new(
                "the agent knows no folder that it could start from",
                "write the folder's whole path from / on, without .., as in nas:disk=/srv/goodput",
            ));
        }
        return Ok(Some((host, SinkStorageKind::Disk { path: Some(path.to_string()) })));
    }
    let Some((host, word)) = typed.rsplit_once(':').filter(|(host, _)| !host.contains('/')) else {
        return Ok(None);
    };
    Ok(match word {
        "null" => Some((host, SinkStorageKind::Null)),
        "memory" => Some((host, SinkStorageKind::Memory)),
        "disk" => Some((host, SinkStorageKind::Disk { path: None })),
        _ => None,
    })
}

fn smb(rest: &str) -> Result<FileTarget, ValueError> {
    let SmbAddress { user, host, port, path } = parse_smb_address(rest)?;
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
    let path = normalize_relative_path(path)?;
    Ok(FileTarget::Smb { host, port: port.unwrap_or(SMB_PORT), domain, user, share: share.to_string(), path })
}

fn nfs(rest: &str) -> Result<FileTarget, ValueError> {
    let (rest, mount_port) = match rest.split_once("?mountport=") {
        Some((rest, typed)) => (rest, Some(parse_port(typed)?)),
        None => (rest, None),
    };
    let SmbAddress { user, host, port, path } = parse_smb_address(rest)?;
    if user.is_some() {
        let why = "NFS version 3 has no log-on; the server goes by addresses";
        return Err(ValueError::new(why, message!(hint_args_type { value: "nfs://host/export" })));
    }
    // Only the server knows where the export ends; two slashes in the path say it.
    let (export, path) = path.split_once("//").unwrap_or((&path, ""));
    let export = normalize_relative_path(export)?;
    if export.is_empty() {
        let hint = message!(hint_args_type { value: "nfs://host/export/folder" });
        return Err(ValueError::new("it names no export", hint));
    }
    Ok(FileTarget::Nfs {
        host,
        port,
        mount_port,
        export: format!("/{export}"),
        path: normalize_relative_path(path)?,
    })
}

fn windows_path(typed: &str) -> ValueError {
    let address = typed.trim_start_matches(['\\', '/']).replace('\\', "/");
    let hint = match typed.starts_with('/') {
        true => message!(hint_args_smb_or_slash { address }),
        false => message!(hint_args_smb_with_user { address }),
    };
    ValueError::new("it is how Windows writes a share", hint)
}

fn refused(why: impl Into<Message>) -> ValueError {
    ValueError::new(
        why,
        "type a folder (/mnt/nas), smb://user@host/share/folder, nfs://host/export/folder, or HOST:null, HOST:memory, \
         HOST:disk for an agent",
    )
}
