//! Tests which orders each rule refuses, and the texts of the refusals.

use super::*;
use crate::protocol::LivenessPolicy;
use goodput_model::file::{
    File, FileDirection, FileLocation, FileOperationMixSource, FileWorkload, SinkStorageKind,
};
use goodput_model::probe::{SocketOptions, StopCondition, Stream};
use goodput_model::trial::{TrialSpec, TrialTimeouts};
use goodput_model::{Probe, TrialId, TrialToken};
use proptest::prelude::*;

const ALL: &str = r#"
[coordinators]
names = ["bench1", "key holder"]
addresses = ["10.0.0.0/24"]
[peers]
addresses = ["10.0.0.0/16", "fd00::/8"]
[probes]
allowed = ["stream", "mtu"]
[limits]
rate = "100Mbit"
time = "60s"
connections = 4
bytes = "1GB"
[folders]
allowed = ["/srv/goodput"]
"#;

fn policy(text: &str) -> Policy {
    Policy::from_toml(text, Path::new("/etc/goodput/policy.toml")).unwrap()
}

pub(in super::super) fn start(settings: Stream, peer: Option<&str>) -> StartJobRequest {
    let (trial, token, probe) = (TrialId(1), TrialToken([7; 16]), Probe::Stream(settings));
    let deadlines = TrialTimeouts::default();
    let order = TrialSpec { trial, probe, token, deadlines, cpus: None, live: false, client: 0 };
    let (peer, vigil) = (peer.map(|p| p.parse().unwrap()), LivenessPolicy::default());
    StartJobRequest { lease: "l".into(), order, host: "h".into(), peer, vigil, about: None, live_cpu: false }
}

/// An order for file work, for a client or for the listening end.
pub(in super::super) fn file_start(place: FileLocation, work: FileWorkload, client: bool) -> StartJobRequest {
    let mut start = start(modest(), client.then_some("10.0.0.1:1"));
    let workspace = ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6".into();
    start.order.probe = Probe::File(File::new(vec!["c".into()], place, workspace, work));
    start
}

#[test]
fn work_on_files_stays_in_the_folders_that_are_allowed() {
    let none = Policy::default().with_folders(&[]);
    let some = Policy::default().with_folders(&["/srv/goodput".into()]);
    let folder = |path: &str| FileLocation::Folder { path: path.into() };
    let disk = |path: &str| FileLocation::Sink { sink: SinkStorageKind::Disk { path: Some(path.into()) } };
    let copy = |local: &str| {
        let (way, size, block, local) = (FileDirection::Write, Bytes(1), Bytes(1), Some(local.into()));
        FileWorkload::Copy { way, size, block, depth: 1, local }
    };
    let smb = || {
        let (host, share, path) = ("nas".into(), "s".into(), String::new());
        FileLocation::Smb { host, port: 445, domain: None, user: None, share, path }
    };
    let replay = |path: &str| {
        let load = FileOperationMixSource::LoadFile { path: path.into(), sha256: String::new() };
        let (warm_up, time) = (Nanos(0), Nanos(1));
        FileWorkload::Mix { load, players: 1, warm_up, time, max_errors: 0, rate: None }
    };
    let removal = |place, client| file_start(place, FileWorkload::Remove, client);
    let judged =
        |policy: &Policy, start: &StartJobRequest| policy.check_trial(start, &PeerIdentity::KeyHolder);
    for (inside, outside) in [
        (removal(folder("/srv/goodput/a"), true), removal(folder("/srv"), true)),
        (removal(disk("/srv/goodput"), false), removal(disk("/"), false)),
        (file_start(smb(), copy("/srv/goodput"), true), file_start(smb(), copy("/home/me"), true)),
        (file_start(smb(), replay("/srv/goodput/a"), true), file_start(smb(), replay("/etc/shadow"), true)),
    ] {
        assert_eq!(judged(&some, &inside), Ok(()));
        let refused = judged(&some, &outside).unwrap_err();
        assert_eq!((refused.rule, refused.allowed.as_str()), ("folders.allowed", "are /srv/goodput"));
        let said = judged(&none, &inside).unwrap_err().to_string();
        let asked = "refused by rule folders.allowed: asked for access to /srv/goodput";
        assert!(said.starts_with(asked) && said.contains("goodput agent --allow-dir DIR"), "{said}");
    }
    assert_eq!(judged(&none, &removal(disk("/"), true)), Ok(()));
    assert_eq!(judged(&none, &removal(folder("/"), false)), Ok(()));
    let mut watches = removal(smb(), false);
    if let Probe::File(file) = &mut watches.order.probe {
        file.server_folder = Some("/srv/share".into());
    }
    assert!(judged(&some, &watches).is_err());
    assert_eq!(judged(&Policy::default(), &watches), Ok(()));
}

fn modest() -> Stream {
    let socket = SocketOptions { pacing: Some(BitRate(10_000_000)), ..SocketOptions::default() };
    Stream { socket, ..Stream::default() }
}

#[test]
fn without_a_file_everything_is_allowed() {
    let free = Policy::default();
    for who in [PeerIdentity::ThisMachine, PeerIdentity::KeyHolder, PeerIdentity::Certificate("x".into())] {
        assert_eq!(free.check_trial(&start(Stream::default(), Some("192.0.2.1:1")), &who), Ok(()));
    }
    assert_eq!((free.admits_path(Path::new("/")), free.max_trial_duration()), (Ok(()), None));
    assert_eq!(policy(""), Policy { file: "/etc/goodput/policy.toml".into(), ..free });
}

#[test]
fn a_refusal_says_the_rule_the_file_and_what_was_asked() {
    let all = policy(ALL);
    let judged = |settings, peer| all.check_trial(&start(settings, peer), &PeerIdentity::KeyHolder);
    for peer in [None, Some("10.0.9.1:5304"), Some("[::ffff:10.0.0.1]:5304"), Some("[fd00::1]:5304")] {
        assert_eq!(judged(modest(), peer), Ok(()), "{peer:?}");
    }
    let at = |rate| SocketOptions { pacing: Some(BitRate(rate)), ..SocketOptions::default() };
    let time = |seconds: u64| StopCondition::Time(Nanos(seconds * 1_000_000_000));
    let fast = Stream { socket: at(1_000_000_000), ..Stream::default() };
    assert_eq!(
        judged(fast, None).unwrap_err().to_string(),
        "refused by rule limits.rate of /etc/goodput/policy.toml: asked for 1Gbit, allowed is at most 100Mbit"
    );
    let long = Stream { stop: time(59), socket: at(100_000_000), connections: 1, ..Stream::default() };
    for (settings, peer, words) in [
        (Stream::default(), None, "limits.rate"),
        (Stream { stop: time(60), ..modest() }, None, "rule limits.time"),
        (Stream { stop: StopCondition::Bytes(Bytes(1)), ..modest() }, None, "however long it takes"),
        (Stream { connections: 5, ..modest() }, None, "5 connections, allowed are at most 4"),
        (Stream { direction: goodput_model::probe::TransferDirection::Both, ..long }, None, "limits.bytes"),
        (modest(), Some("192.0.2.1:5304"), "data to or from 192.0.2.1"),
    ] {
        let refused = judged(settings, peer).unwrap_err().to_string();
        assert!(refused.contains(words), "{refused}");
    }
    // Other probes are refused by name.
    let mut asked = start(modest(), None);
    asked.order.probe = Probe::Request(goodput_model::probe::Request::default());
    let e = all.check_trial(&asked, &PeerIdentity::KeyHolder).unwrap_err();
    assert_eq!((e.rule, e.asked.as_str()), ("probes.allowed", "the probe request"));
    asked.order.probe = Probe::Mtu(goodput_model::mtu::Mtu::default());
    assert_eq!(all.check_trial(&asked, &PeerIdentity::KeyHolder), Ok(()));
}

#[test]
fn peers_are_judged_by_their_address_however_it_is_written() {
    let judged = |rules: &str, peer: &str| {
        let rules = policy(&format!("[peers]\naddresses = [{rules}]"));
        rules.check_trial(&start(modest(), Some(peer)), &PeerIdentity::KeyHolder).is_ok()
    };
    let v4 = r#""10.0.0.0/16""#;
    for peer in ["10.0.9.1:1", "[::ffff:10.0.9.1]:1", "[::ffff:a00:901]:1", "[0:0:0:0:0:ffff:a00:901%7]:1"] {
        assert!(judged(v4, peer) && judged(r#""::ffff:10.0.0.0/112""#, peer), "{peer}");
        assert!(!judged(r#""::/0""#, peer) && !judged(r#""fd00::/8", "10.1.0.0/16""#, peer), "{peer}");
    }
    for peer in ["[::ffff:10.1.0.1]:1", "[::10.0.9.1]:1", "[64:ff9b::10.0.9.1]:1", "[2002:a00:901::1]:1"] {
        assert!(!judged(v4, peer), "{peer}");
    }
    // A zone selects a link and changes nothing.
    for peer in ["[fe80::1]:1", "[fe80::1%1]:1", "[fe80::1%4294967295]:1"] {
        assert!(judged(r#""fe80::/10""#, peer) && judged(r#""fe80::1""#, peer), "{peer}");
        assert!(!judged(r#""fe80::2", "::1", "fd00::/8""#, peer), "{peer}");
    }
    // The kernel connects these to this host.
    for (peer, own) in [("0.0.0.0:1", "127.0.0.1"), ("[::]:1", "::1"), ("[::ffff:0.0.0.0]:1", "127.0.0.1")] {
        assert!(judged(&format!("{own:?}"), peer), "{peer}");
        assert!(!judged(r#""0.0.0.0", "::", "0.0.0.0/2""#, peer), "{peer}");
    }
}

#[test]
fn who_may_order_is_told_apart() {
    let all = policy(ALL);
    assert_eq!(all.admits_coordinator(&PeerIdentity::Certificate("bench1".into())), Ok(()));
    let e = all.admits_coordinator(&PeerIdentity::Certificate("web7".into())).unwrap_err();
    assert_eq!((e.rule, e.asked.as_str()), ("coordinators.names", "orders by the certificate \"web7\""));
    assert!(all.admits_coordinator(&PeerIdentity::ThisMachine).is_err());
    assert!(all.admits_coordinator(&PeerIdentity::Certificate(LAB_KEY_HOLDER_NAME.into())).is_err());
    assert!(policy("[coordinators]\nnames = []").admits_coordinator(&PeerIdentity::KeyHolder).is_err());
}

#[test]
fn folders_are_whole_parts_of_a_path() {
    // Those of the command line come beside those of the file.
    let both = policy(ALL).with_folders(&["/mnt".into()]);
    for (folder, allowed) in [
        ("/srv/goodput/a/b", true),
        ("/mnt/x", true),
        ("/srv/goodput2", false),
        ("/srv", false),
        ("/srv/goodput/../other", false),
        ("goodput", false),
        ("/etc", false),
    ] {
        assert_eq!(both.admits_path(Path::new(folder)).is_ok(), allowed, "{folder}");
    }
}

#[test]
fn a_wrong_line_is_named() {
    for (text, lines, words) in [
        ("[limits]\nrates = \"1Mbit\"", 2..=2, "rates"),
        ("[limit]\n", 1..=1, "unknown field `limit`"),
        ("[limits]\n\nrate = \"100M\"", 3..=3, "100Mbit"),
        ("[peers]\naddresses = [\"10.0.0.0/8\",\n \"10.0.0.7/24\"]", 2..=3, "10.0.0.0/24"),
        ("[probes]\nallowed = [\"steam\"]", 2..=2, "probe \"steam\""),
        ("[folders]\nallowed = [\"tmp\"]", 2..=2, "whole path"),
        ("[coordinators]\nnames = [\" \"]", 2..=2, "nobody"),
    ] {
        let refused = Policy::from_toml(text, Path::new("p"));
        let Err(PolicyError::Line { line, why, .. }) = refused else { panic!("{text}: {refused:?}") };
        assert!(lines.contains(&line) && why.contains(words), "{text}: {line} {why}");
    }
}

#[test]
fn a_file_that_others_can_change_is_refused_with_what_to_type() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("policy.toml");
    let set_mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    std::fs::write(&file, ALL).unwrap();
    set_mode(0o664);
    let hint = Policy::read_file(&file).unwrap_err().hint();
    assert_eq!(hint.as_str(), format!("chmod go-w {}", file.display()));
    set_mode(0o644);
    assert_eq!(Policy::read_file(&file).unwrap().connections, Some(4));
    // Only root can give a file away.
    if std::os::unix::fs::chown(&file, Some(65_534), None).is_ok() {
        let refused = Policy::read_file(&file).unwrap_err();
        assert!(matches!(refused, PolicyError::Owner { owner: 65_534, .. }), "{refused}");
        assert_eq!(refused.hint().as_str(), format!("chown root {}", file.display()));
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in ".{0,200}", prefix in "[0-9a-f.:/]{0,40}") {
        let file = Path::new("p");
        let _ = Policy::from_toml(&text, file);
        let _ = Policy::from_toml(&format!("{ALL}{text}"), file);
        let _ = Policy::from_toml(&format!("[peers]\naddresses = [{prefix:?}]"), file);
    }
}

#[test]
fn a_policy_is_printed_rule_by_rule() {
    let text = policy(ALL).to_string();
    assert!(text.contains("  limits.rate             100Mbit\n"), "{text}");
    assert!(policy("[coordinators]\nnames = []").to_string().contains("coordinators.names      nothing"));
    assert!(Policy::default().with_folders(&[]).to_string().contains("folders.allowed         nothing"));
    assert!(Policy::default().to_string().starts_with("no policy file"));
}
