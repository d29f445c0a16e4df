//! Names of places, and which of them are remote.

use goodput_model::file::{FileLocation, FileOperationMixSource, SMB_PORT, SinkStorageKind};
use goodput_model::summary::TrialSummary;
use goodput_model::trial::EndpointRole;
use goodput_model::{File, Message, Probe};
use goodput_words::message;

const NETWORK_ONLY: &str = ", network only";

/// Without users and passwords: `/mnt/nas`, `smb://nas/share/path`, `nas:null`.
pub fn format_location(place: &FileLocation, server: Option<&str>) -> String {
    let below = |path: &str| match path.trim_matches('/') {
        "" => String::new(),
        path => format!("/{path}"),
    };
    match place {
        FileLocation::Folder { path } => path.clone(),
        FileLocation::Smb { host, port, share, path, .. } => {
            let port = if *port == SMB_PORT { String::new() } else { format!(":{port}") };
            format!("smb://{host}{port}/{share}{}", below(path))
        }
        FileLocation::Nfs { host, port, export, path, .. } => {
            let port = port.map_or_else(String::new, |p| format!(":{p}"));
            format!("nfs://{host}{port}{}{}", below(export), below(path))
        }
        FileLocation::Sink { sink } => {
            let server = server.filter(|s| !s.is_empty()).unwrap_or("an agent");
            match sink {
                SinkStorageKind::Null => format!("{server}:null"),
                SinkStorageKind::Memory => format!("{server}:memory"),
                SinkStorageKind::Disk { path: None } => format!("{server}:disk"),
                SinkStorageKind::Disk { path: Some(path) } => format!("{server}:disk={path}"),
                SinkStorageKind::Net => format!("{server}{NETWORK_ONLY}"),
            }
        }
    }
}

/// A formatted location as a text for a person.
pub fn location_text(location: &str) -> Message {
    match location.strip_suffix(NETWORK_ONLY) {
        Some(server) => message!(report_place_net_only { server }),
        None => location.into(),
    }
}

pub fn summary_location(summary: &TrialSummary) -> Option<String> {
    let Probe::File(settings) = &summary.probe else { return None };
    let server = summary.hosts.iter().find(|h| h.role == EndpointRole::Listen).map(|h| h.name.as_str());
    Some(format_location(&settings.place, server))
}

/// `office`, or the load file's name.
pub fn workload_mix_name(source: &FileOperationMixSource) -> String {
    match source {
        FileOperationMixSource::Office { .. } => "office".to_string(),
        FileOperationMixSource::LoadFile { path, .. } => {
            path.rsplit(['/', '\\']).next().unwrap_or(path).to_string()
        }
    }
}

/// Unknown FUSE file systems count: most of them use a network, and their flush sends cached writes.
pub fn is_network_file_system(file_system: &str) -> bool {
    const NETWORK: [&str; 13] = [
        "cifs",
        "smb3",
        "smbfs",
        "nfs",
        "nfs4",
        "9p",
        "ceph",
        "afs",
        "glusterfs",
        "lustre",
        "beegfs",
        "orangefs",
        "gfs2",
    ];
    NETWORK.contains(&file_system) || file_system.starts_with("fuse.")
}

pub fn is_memory_file_system(file_system: &str) -> bool {
    matches!(file_system, "tmpfs" | "ramfs")
}

pub fn has_remote_files(settings: &File, file_system: Option<&str>) -> bool {
    match &settings.place {
        FileLocation::Folder { .. } => file_system.is_some_and(is_network_file_system),
        FileLocation::Smb { .. } | FileLocation::Nfs { .. } | FileLocation::Sink { .. } => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_as_they_are_typed() {
        let smb = |port, path: &str| FileLocation::Smb {
            host: "nas".into(),
            port,
            domain: Some("W".into()),
            user: Some("ann".into()),
            share: "media".into(),
            path: path.into(),
        };
        assert_eq!(format_location(&smb(445, ""), None), "smb://nas/media");
        assert_eq!(format_location(&smb(4450, "/a/b/"), None), "smb://nas:4450/media/a/b");
        let (host, export, path) = ("nas".into(), "/srv".into(), "x".into());
        let nfs = FileLocation::Nfs { host, port: None, mount_port: None, export, path };
        assert_eq!(format_location(&nfs, None), "nfs://nas/srv/x");
        let sink = |sink, host| format_location(&FileLocation::Sink { sink }, host);
        assert_eq!(sink(SinkStorageKind::Null, Some("nas")), "nas:null");
        let net = sink(SinkStorageKind::Net, Some("nas"));
        assert_eq!(net, "nas, network only");
        assert_eq!(location_text(&net), message!(report_place_net_only { server: "nas" }));
        assert_eq!(sink(SinkStorageKind::Memory, None), "an agent:memory");
    }

    #[test]
    fn mounts_of_other_hosts_are_known() {
        assert!(["cifs", "nfs4", "fuse.sshfs"].into_iter().all(is_network_file_system));
        assert!(!["ext4", "fuseblk", "tmpfs"].into_iter().any(is_network_file_system));
        assert!(is_memory_file_system("tmpfs") && !is_memory_file_system("ext4"));
        assert_eq!(workload_mix_name(&FileOperationMixSource::Office { seed: 1 }), "office");
    }
}
