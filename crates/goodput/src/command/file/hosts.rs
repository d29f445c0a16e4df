//! The hosts of file work: clients, server agent, and the target as each client sees it.

use super::super::resolve_host;
use crate::args::file::FileEndpoints;
use crate::args::file::target::FileTarget;
use crate::args::host_name::HostName;
use crate::exit::ExitStatus;
use crate::failure::{self, Failure};
use crate::lab_exec;
use goodput_control::{AgentRegistry, HostAddress, NamedHost, SessionHosts, preflight};
use goodput_model::file::FileLocation;
use goodput_model::trial::TrialTimeouts;
use goodput_words::{Message, message};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};

/// Resolves all participants. All must be present: work spread over fewer hosts would differ. This process
/// may work in the folders that the user typed.
pub fn resolve_hosts(
    at: &FileEndpoints,
    place: &FileLocation,
    local: Option<&String>,
    lab: Option<&lab_exec::LabContext>,
    registry: &AgentRegistry,
) -> Result<SessionHosts, Failure> {
    let named = |option: &str, host: &HostName, port: Option<u16>| {
        resolve_host::resolve_named_host(option, host, port, lab, registry)
    };
    let clients = if client_runs_locally(at, lab) { &[][..] } else { &at.from };
    let server = match (&at.server, &at.target) {
        (Some(server), _) => Some(named("--server", server, at.port)?),
        (None, FileTarget::Sink { host, .. }) => Some(named("TARGET", host, at.port)?),
        (None, _) => None,
    };
    let clients: Vec<NamedHost> =
        clients.iter().map(|host| named("--from", host, None)).collect::<Result<_, Failure>>()?;
    Ok(SessionHosts { server, clients, strict: true, folders: allowed(place, local) })
}

/// True if this process does the work: no host is named, or a lab host in which this process runs.
pub fn client_runs_locally(at: &FileEndpoints, lab: Option<&lab_exec::LabContext>) -> bool {
    at.from.is_empty() || (lab.is_some() && at.from.len() == 1)
}

pub fn resolve_target(
    target: &FileTarget,
    lab: Option<&lab_exec::LabContext>,
) -> Result<FileLocation, Failure> {
    Ok(match target.clone() {
        FileTarget::Folder(path) => FileLocation::Folder { path },
        FileTarget::Smb { host, port, domain, user, share, path } => {
            FileLocation::Smb { host: server(&host, lab)?, port, domain, user, share, path }
        }
        FileTarget::Nfs { host, port, mount_port, export, path } => {
            FileLocation::Nfs { host: server(&host, lab)?, port, mount_port, export, path }
        }
        FileTarget::Sink { sink, .. } => FileLocation::Sink { sink },
    })
}

/// A file server's name as the clients resolve it; a lab host's address.
fn server(host: &HostName, lab: Option<&lab_exec::LabContext>) -> Result<String, Failure> {
    match host {
        HostName::Name(name) => Ok(name.clone()),
        HostName::Address(address) => Ok(address.host.clone()),
        HostName::Lab(host) => {
            let found = lab.and_then(|lab| lab.host_address(&host.host));
            found.map(|at| at.host).ok_or_else(|| resolve_host::lab_host_unreachable_failure(host, lab))
        }
    }
}

fn allowed(place: &FileLocation, local: Option<&String>) -> Vec<PathBuf> {
    let here = match place {
        FileLocation::Folder { path } => Some(path),
        FileLocation::Smb { .. } | FileLocation::Nfs { .. } | FileLocation::Sink { .. } => None,
    };
    here.into_iter().chain(local).map(PathBuf::from).collect()
}

/// Rejects impossible targets early; only if this process does the work.
pub fn ensure_target_usable(
    place: &FileLocation,
    local: Option<&String>,
    deadlines: &TrialTimeouts,
) -> Result<(), Failure> {
    if let Some(local) = local {
        folder("--local", local)?;
    }
    match place {
        FileLocation::Folder { path } => folder("TARGET", path),
        FileLocation::Smb { host, port, .. } => {
            answers(message!(part_file_smb_server), host, *port, deadlines)
        }
        FileLocation::Nfs { host, port: Some(port), .. } => {
            answers(message!(part_file_nfs_server), host, *port, deadlines)
        }
        FileLocation::Nfs { .. } | FileLocation::Sink { .. } => Ok(()),
    }
}

/// Creating the workspace later shows whether the folder is writable.
fn folder(option: &str, path: &str) -> Result<(), Failure> {
    let what = || Failure::usage_error(message!(error_option_path_unworkable { option, path }));
    match std::fs::metadata(Path::new(path)) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(found) if found.is_file() => {
            Err(what().with_cause("the path is a file; goodput never overwrites existing files").with_hint(
                "specify the folder that contains the file; goodput works in a new subfolder of that folder",
            ))
        }
        Ok(_) => Err(what()
            .with_cause("the path is not a folder; goodput never opens device files")
            .with_hint("specify a folder of the file system on that device")),
        Err(e) => {
            let failure = Failure::from_error(ExitStatus::Usage, what().error, &e);
            let bare = path.rsplit('/').next().unwrap_or_default();
            Err(match e.kind() {
                std::io::ErrorKind::NotFound => {
                    failure.with_hint(message!(hint_file_make_folder { name: bare }))
                }
                _ => failure.with_hint("choose another folder"),
            })
        }
    }
}

/// A wrong name or port is reported at once, with its own exit code.
fn answers(what: Message, host: &str, port: u16, deadlines: &TrialTimeouts) -> Result<(), Failure> {
    let at = HostAddress::new(host.to_string(), port);
    let found = preflight::resolve_host(&at, deadlines.resolve.to_duration()).map_err(|e| {
        failure::failure_from_control_error(message!(error_cannot_reach_the { what: &what }), &e.into())
    })?;
    let refused = |e: &std::io::Error, at: &SocketAddr| {
        let silent = message!(error_file_server_silent { what: &what, address: at.to_string() });
        Failure::from_error(ExitStatus::Unreachable, silent, e).with_hint(
            "check whether the server runs, and whether a firewall blocks it; specify another port as host:PORT",
        )
    };
    let mut trouble = None;
    for at in &found {
        match TcpStream::connect_timeout(at, deadlines.connect.to_duration()) {
            Ok(_) => return Ok(()),
            Err(e) => trouble = trouble.or(Some(refused(&e, at))),
        }
    }
    Err(trouble.unwrap_or_else(|| {
        Failure::new(ExitStatus::Unreachable, message!(error_file_server_no_address { what, host }))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_folder_is_told_apart() {
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name).display().to_string();
        std::fs::write(path("file"), b"theirs").unwrap();
        assert!(folder("TARGET", &path("")).is_ok());
        let told = |typed: &str| folder("TARGET", typed).unwrap_err().to_string();
        assert!(told(&path("file")).contains("is a file"), "{}", told(&path("file")));
        assert!(told("/dev/null").contains("device files"), "{}", told("/dev/null"));
        assert!(told(&path("nas")).contains("smb://nas/SHARE"), "{}", told(&path("nas")));
    }

    #[test]
    fn only_what_was_typed_is_allowed() {
        let place = FileLocation::Folder { path: "/a".into() };
        assert_eq!(allowed(&place, Some(&"/b".to_string())), [PathBuf::from("/a"), PathBuf::from("/b")]);
        let sink = FileLocation::Sink {
            sink: goodput_model::file::SinkStorageKind::Disk { path: Some("/srv".into()) },
        };
        assert!(allowed(&sink, None).is_empty());
    }
}
