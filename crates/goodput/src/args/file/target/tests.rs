//! Tests of TARGET: accepted and refused values.

use super::*;

fn read(typed: &str) -> FileTarget {
    typed.parse().unwrap_or_else(|e| panic!("{typed}: {e}"))
}

#[test]
fn folders_are_absolute() {
    assert_eq!(read("/mnt/nas"), FileTarget::Folder("/mnt/nas".into()));
    let here = std::env::current_dir().unwrap();
    assert_eq!(read("nas"), FileTarget::Folder(here.join("nas").display().to_string()));
    assert_eq!(read("/a/nas:null"), FileTarget::Folder("/a/nas:null".into()));
}

fn host(typed: &str) -> HostName {
    typed.parse().unwrap()
}

#[test]
fn shares() {
    let smb =
        |user: Option<&str>, domain: Option<&str>, at: &str, port, share: &str, path: &str| FileTarget::Smb {
            host: host(at),
            port,
            domain: domain.map(str::to_string),
            user: user.map(str::to_string),
            share: share.into(),
            path: path.into(),
        };
    assert_eq!(read("smb://ann@nas/media"), smb(Some("ann"), None, "nas", 445, "media", ""));
    assert_eq!(read("SMB://nas/media/a//b/"), smb(None, None, "nas", 445, "media", "a/b"));
    let full = smb(Some("ann"), Some("WORK"), "10.0.0.2", 1445, "my share", "x");
    assert_eq!(read("smb://WORK;ann@10.0.0.2:1445/my%20share/x"), full);
    assert_eq!(read("smb://[fd00::2]:1445/s"), smb(None, None, "fd00::2", 1445, "s", ""));
    assert_eq!(read("smb://ann@lab:b/s"), smb(Some("ann"), None, "lab:b", 445, "s", ""));
    assert_eq!(read("smb://lab:b@test:1445/s"), smb(None, None, "lab:b@test", 1445, "s", ""));
}

#[test]
fn exports() {
    let nfs = |port, mount_port, export: &str, path: &str| FileTarget::Nfs {
        host: host("nas"),
        port,
        mount_port,
        export: export.into(),
        path: path.into(),
    };
    assert_eq!(read("nfs://nas/srv/data"), nfs(None, None, "/srv/data", ""));
    assert_eq!(read("nfs://nas:2050/srv//data?mountport=2051"), nfs(Some(2050), Some(2051), "/srv", "data"));
}

#[test]
fn sinks() {
    let sink = |at: &str, sink| FileTarget::Sink { host: host(at), sink };
    assert_eq!(read("nas:null"), sink("nas", SinkStorageKind::Null));
    assert_eq!(read("lab:b:memory"), sink("lab:b", SinkStorageKind::Memory));
    assert_eq!(read("lab:b@x:disk"), sink("lab:b@x", SinkStorageKind::Disk { path: None }));
    let disk = SinkStorageKind::Disk { path: Some("/a:b".into()) };
    assert_eq!(read("10.0.0.2:6303:disk=/a:b"), sink("10.0.0.2:6303", disk));
    assert!("nas:disk=a".parse::<FileTarget>().is_err() && "nas:disk=/a/../b".parse::<FileTarget>().is_err());
    assert_eq!(FileTarget::parse_agent_host("lab:b"), Ok(host("lab:b")));
    assert_eq!(FileTarget::parse_agent_host("nas:null"), Ok(host("nas")));
    assert!(FileTarget::parse_agent_host("smb://nas/x").is_err());
}

#[test]
fn what_cannot_be_a_target_is_refused_without_a_password() {
    for bad in [
        "",
        "smb://",
        "smb://nas",
        "smb://nas/",
        "smb://@nas/s",
        "smb://;a@nas/s",
        "smb://nas:0/s",
        "smb://nas/s/../t",
        "smb://nas/%zz",
        "nfs://nas",
        "nfs://ann@nas/e",
        "ftp://nas/x",
        ":null",
        "smb://lab:/s",
    ] {
        let error = bad.parse::<FileTarget>().expect_err(bad);
        assert!(!error.cause.is_empty() && !error.hint.is_empty(), "{bad}: {error}");
    }
    let typed = "smb://ann:hunter2@nas/s";
    let failure = typed.parse::<FileTarget>().unwrap_err().into_failure_for_option("TARGET", typed);
    assert!(!failure.to_string().contains("hunter2"), "{failure}");
}
