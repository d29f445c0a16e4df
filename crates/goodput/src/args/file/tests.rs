//! Command lines of `goodput file`: what they mean and how they are refused.

use super::target::FileTarget;
use super::*;
use crate::args::{
    Command, ProbeInvocation,
    tests::{parsed, refused},
};
use goodput_model::file::{CacheMode, FileDirection, FlushMode, SinkStorageKind, VerifyMode};
use goodput_model::{Bytes, Nanos};

fn measure(line: &str) -> FileMeasurement {
    match parsed(line) {
        Ok(Command::Probe(ProbeInvocation::File(order))) => *order,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn a_target_alone_is_a_copy_and_then_a_drive_mark() {
    let order = measure("goodput file /mnt/nas");
    let sized = measure("goodput file /mnt/nas --size 64MiB --time 1s --repeat 2 --local /home");
    let parts = |order: &FileMeasurement| match &order.parts[..] {
        [FileBenchmark { work: FileTask::Copy(c), how }, FileBenchmark { work: FileTask::Disk(d), .. }] => {
            assert_eq!((how.access, how.flush), (CacheMode::Direct, FlushMode::End));
            assert_eq!(how.verify, VerifyMode::Sample);
            (c.clone(), d.clone())
        }
        other => panic!("{other:?}"),
    };
    let (copy, disk) = parts(&order);
    assert_eq!((copy.size, copy.block, copy.depth), (Bytes(600_000_000), Bytes(1 << 20), 8));
    assert_eq!((disk.profile.name, disk.size, disk.rows.len()), ("cdm8", Bytes(1 << 30), 4));
    assert_eq!((disk.uncounted, order.rounds), (1, 5));
    let (copy, disk) = parts(&sized);
    assert_eq!((copy.size, disk.size, disk.time), (Bytes(64 << 20), Bytes(64 << 20), Nanos(1_000_000_000)));
    assert_eq!((disk.uncounted, sized.rounds, copy.local.as_deref()), (0, 2, Some("/home")));
}

#[test]
fn a_copy_with_an_agent_at_the_server() {
    let order = measure(
        "goodput file copy smb://ann@nas/media --server nas --server-folder /srv/media --order write --cached --flush each \
         --depth 1 --block 64KiB --json",
    );
    assert!(matches!(&order.at.target, FileTarget::Smb { share, .. } if share == "media"));
    assert_eq!(order.at.server_folder.as_deref(), Some("/srv/media"));
    assert_eq!(order.order, ReadWriteOrder { ways: &[FileDirection::Write], random: true });
    let how = IoOptions { access: CacheMode::Cached, flush: FlushMode::Each, verify: VerifyMode::Sample };
    assert_eq!(order.parts[0].how, how);
    assert!(order.options.json && order.parts.len() == 1);
}

#[test]
fn a_replay_goes_through_its_clients() {
    let order = measure("goodput file replay office nas:memory --from a,b --clients 1,2,4 --time 5s");
    let [FileBenchmark { work: FileTask::Replay(plan), how }] = &order.parts[..] else { panic!("{order:?}") };
    assert_eq!((&plan.clients.0[..], order.rounds), (&[1, 2, 4][..], 1));
    assert_eq!(plan.warm_up_or_default(), Nanos::SECOND);
    assert_eq!((how.access, how.flush, order.at.from.len()), (CacheMode::Cached, FlushMode::None, 2));
    let net = measure("goodput file replay client.txt nas --net-only");
    assert!(matches!(net.at.target, FileTarget::Sink { sink: SinkStorageKind::Net, .. }));
    let beside = measure("goodput file replay office smb://nas/media --net-only --server nas");
    assert!(matches!(beside.at.target, FileTarget::Smb { .. }));
}

#[test]
fn rows_are_chosen_by_name_and_kept_in_order() {
    let article = find_profile("cdm3").unwrap();
    let names = |typed: &[&str]| -> Result<Vec<&str>, Failure> {
        let typed: Vec<String> = typed.iter().map(|t| t.to_string()).collect();
        Ok(chosen(article, &typed)?.iter().map(|row| row.name).collect())
    };
    assert_eq!(names(&["4k qd32", "Seq"]), Ok(vec!["Seq", "4K QD32"]));
    assert_eq!(names(&[]).map(|rows| rows.len()), Ok(4));
    assert!(names(&["RND4K"]).unwrap_err().hint.is_some_and(|h| h.contains("\"4K QD32\"")));
}

#[test]
fn cleaning_is_told_what() {
    let clean = |line: &str| match parsed(line) {
        Ok(Command::Probe(ProbeInvocation::CleanFiles(args))) => args,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(clean("goodput file clean /mnt/nas").workspace_selection(), WorkspaceSelection::Dead);
    assert_eq!(
        clean("goodput file clean /mnt/nas --list").workspace_selection(),
        WorkspaceSelection::Named("")
    );
    let named = clean("goodput file clean /mnt/nas --workspace x");
    assert_eq!(named.workspace_selection(), WorkspaceSelection::Named("x"));
    assert!(refused("goodput file clean nas:disk").hint.is_some_and(|h| h.contains("on nas")));
}

#[test]
fn what_does_not_fit_together_is_refused_with_a_hint() {
    for (typed, word) in [
        ("replay office", "TARGET"),
        ("\\\\nas\\media", "smb://nas/media"),
        ("nfs://ann@nas/media", "addresses"),
        ("nas:disk=relative", "whole path"),
        ("copy /tmp --size 64K", "64KiB"),
        ("copy /tmp --size 1B", "4KiB"),
        ("copy /tmp --block 1GiB", "64MiB"),
        ("copy /tmp --depth 0", "1 to 1024"),
        ("copy /tmp --flush often", "each"),
        ("copy /tmp --verify some", "sample"),
        ("copy /tmp --order backwards", "write-read"),
        ("copy /tmp --cached --direct", "--direct"),
        ("copy /tmp --server-folder /srv", "--server"),
        ("copy /tmp --server a --server-folder srv", "whole path"),
        ("copy nas:null --server nas", "leave --server out"),
        ("copy /tmp --local /tmp --from a,b", "one client"),
        ("disk /tmp --profile cdm99", "cdm8"),
        ("disk /tmp --row 5K", "RND4K Q1T1"),
        ("replay office /tmp --clients 2,1", "ascending"),
        ("replay office /tmp --from a,b --clients 3", "evenly"),
        ("replay office smb://nas/media --net-only", "agent"),
        ("--json copy /tmp", "/tmp"),
        ("copy /tmp --block 5000B", "4KiB"),
        ("copy lab:a:null --from lab:b@other", "lab"),
        ("clean /tmp --from nas", "--from"),
    ] {
        let failure = refused(&format!("goodput file {typed}"));
        assert!(failure.hint.is_some() && failure.to_string().contains(word), "{typed}: {failure}");
    }
}
