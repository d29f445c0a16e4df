//! Names of places, and which of them are remote.

use goodput_model::file::{MixSource, Place, Sink};
use goodput_model::summary::Summary;
use goodput_model::trial::Role;
use goodput_model::{File, Probe};

/// Without users and passwords: `/mnt/nas`, `smb://nas/share/path`, `nas:null`.
pub fn words(place: &Place, server: Option<&str>) -> String {
    let below = |path: &str| match path.trim_matches('/') {
        "" => String::new(),
        path => format!("/{path}"),
    };
    match place {
        Place::Folder { path } => path.clone(),
        Place::Smb { host, port, share, path, .. } => {
            let port = if *port == 445 { String::new() } else { format!(":{port}") };
            format!("smb://{host}{port}/{share}{}", below(path))
        }
        Place::Nfs { host, port, export, path, .. } => {
            let port = port.map_or_else(String::new, |p| format!(":{p}"));
            format!("nfs://{host}{port}{}{}", below(export), below(path))
        }
        Place::Sink { sink } => {
            let server = server.filter(|s| !s.is_empty()).unwrap_or("an agent");
            match sink {
                Sink::Null => format!("{server}:null"),
                Sink::Memory => format!("{server}:memory"),
                Sink::Disk { path: None } => format!("{server}:disk"),
                Sink::Disk { path: Some(path) } => format!("{server}:disk={path}"),
                Sink::Net => format!("{server}, network only"),
            }
        }
    }
}

pub fn of(summary: &Summary) -> Option<String> {
    let Probe::File(settings) = &summary.probe else { return None };
    let server = summary.hosts.iter().find(|h| h.role == Role::Listen).map(|h| h.name.as_str());
    Some(words(&settings.place, server))
}

/// `office`, or the load file's name.
pub fn load(source: &MixSource) -> String {
    match source {
        MixSource::Office { .. } => "office".to_string(),
        MixSource::LoadFile { path, .. } => path.rsplit(['/', '\\']).next().unwrap_or(path).to_string(),
    }
}

/// Unknown FUSE file systems count: most of them use a network, and their flush sends cached writes.
pub fn is_network(file_system: &str) -> bool {
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

pub fn is_memory(file_system: &str) -> bool {
    matches!(file_system, "tmpfs" | "ramfs")
}

pub fn is_remote(settings: &File, file_system: Option<&str>) -> bool {
    match &settings.place {
        Place::Folder { .. } => file_system.is_some_and(is_network),
        Place::Smb { .. } | Place::Nfs { .. } | Place::Sink { .. } => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_as_they_are_typed() {
        let smb = |port, path: &str| Place::Smb {
            host: "nas".into(),
            port,
            domain: Some("W".into()),
            user: Some("ann".into()),
            share: "media".into(),
            path: path.into(),
        };
        assert_eq!(words(&smb(445, ""), None), "smb://nas/media");
        assert_eq!(words(&smb(4450, "/a/b/"), None), "smb://nas:4450/media/a/b");
        let nfs = Place::Nfs {
            host: "nas".into(),
            port: None,
            mount_port: None,
            export: "/srv".into(),
            path: "x".into(),
        };
        assert_eq!(words(&nfs, None), "nfs://nas/srv/x");
        let sink = |sink| words(&Place::Sink { sink }, Some("nas"));
        assert_eq!((sink(Sink::Null).as_str(), sink(Sink::Net).as_str()), ("nas:null", "nas, network only"));
        assert_eq!(words(&Place::Sink { sink: Sink::Memory }, None), "an agent:memory");
    }

    #[test]
    fn mounts_of_other_hosts_are_known() {
        assert!(is_network("cifs") && is_network("nfs4") && is_network("fuse.sshfs"));
        assert!(!is_network("ext4") && !is_network("fuseblk") && !is_network("tmpfs"));
        assert!(is_memory("tmpfs") && !is_memory("ext4"));
        let file = MixSource::LoadFile { path: "/usr/share/dbench/client.txt".into(), sha256: "0".into() };
        assert_eq!(
            (load(&file).as_str(), load(&MixSource::Office { seed: 1 }).as_str()),
            ("client.txt", "office")
        );
    }
}
