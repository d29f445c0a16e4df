//! Failures on a share and their errors.

use super::{connect, data, served, told};
use crate::samba::{self, LITTLE, LOCKED, PASSWORD, SMALL, Samba, USER};
use crate::share::{PATIENCE, READ_ONLY, fill, how, path, put, refused, stamped};
use goodput_file::smb::SmbShare;
use goodput_file::{FileError, FileErrorKind, IoRequest, Share};
use goodput_model::file::CreateDisposition;
use std::fs;
use std::time::{Duration, Instant};

fn said(error: &FileError) -> String {
    format!("{error}: {} {error:?}", error.source)
}

fn among<T>(done: Result<T, FileError>, kinds: [FileErrorKind; 2]) {
    let refused = done.err().unwrap();
    assert!(kinds.contains(&refused.trouble), "{}", said(&refused));
}

pub fn wrong_password() {
    let samba = Samba::start();
    let logon = |user, share| SmbShare::connect("127.0.0.1", samba.port, None, user, share, "", &|_| Ok(()));
    for (password, share, status) in
        [("a-wr0ng-one", samba::DATA, 0xC000_006D), (PASSWORD, "no-such-share", 0xC000_00CC)]
    {
        told(password);
        let refused = refused(logon(Some(USER), share), FileErrorKind::LogOn);
        assert_eq!(refused.status, Some(status));
        assert!(!said(&refused).contains(password), "{}", said(&refused));
    }
    among(logon(None, samba::DATA), [FileErrorKind::LogOn, FileErrorKind::Denied]);
}

pub fn read_only() {
    let samba = Samba::start();
    let share = connect(&samba, LOCKED).unwrap();
    let kinds = [FileErrorKind::ReadOnly, FileErrorKind::Denied];
    among(share.open(&path("new"), how(CreateDisposition::Create)), kinds);
    among(share.make_folder(&path("new")), kinds);
    among(share.remove_file(&path("present")), kinds);
    let handle = share.open(&path("present"), READ_ONLY).unwrap();
    assert_eq!(share.read_at(handle, &mut [0; 8], 0).unwrap(), 5);
    share.close(handle).unwrap();
    assert_eq!(fs::read(samba.locked().join("present")).unwrap(), b"here\n");
}

pub fn full() {
    let samba = Samba::start();
    let share = connect(&samba, LITTLE).unwrap();
    assert!(share.disk_space().unwrap().total <= SMALL);
    let handle = share.open(&path("f"), how(CreateDisposition::Create)).unwrap();
    let (taken, failed) = fill(&share, handle, 1 << 20, 48);
    assert_eq!(failed[0].status, Some(0xC000_007F), "a share of 24 MiB takes no 48");
    assert!(taken <= SMALL && taken > SMALL / 2);
    refused(share.write_at(handle, &vec![1; 4 << 20], 40 << 20), FileErrorKind::Full);
    share.close(handle).unwrap();
    share.remove_file(&path("f")).unwrap();
    put(&share, "g", b"there is room again");
}

pub fn file_vanishes() {
    let samba = Samba::start();
    let share = data(&samba);
    put(&share, "f", &stamped(0, 100_000));
    let handle = share.open(&path("f"), how(CreateDisposition::Open)).unwrap();
    fs::remove_file(samba.data().join("f")).unwrap();
    // Any result is valid for the open file on a POSIX server; the connection survives.
    let _ = share.read_at(handle, &mut [0; 100], 0);
    let _ = share.close(handle);
    refused(share.query_path_status(&path("f")), FileErrorKind::NotFound);
    refused(share.remove_file(&path("f")), FileErrorKind::NotFound);
    put(&share, "g", b"it goes on");
}

pub fn server_killed() {
    let mut samba = Samba::start();
    let share = data(&samba);
    let handle = served(&samba, &share).server_killed(|| samba.kill());
    refused(share.flush(handle), FileErrorKind::Gone);
    refused(share.close(handle), FileErrorKind::Gone);
}

/// A server that hangs: the timeout applies, and nothing is lost when it continues.
pub fn server_deaf() {
    let samba = Samba::start();
    let share = data(&samba);
    let handle = share.open(&path("f"), how(CreateDisposition::Create)).unwrap();
    let mut lane = share.open_io_queue(handle, 1000, 1).unwrap();
    samba.signal("STOP");
    lane.buffer(0).copy_from_slice(&stamped(0, 1000));
    lane.submit(IoRequest { slot: 0, offset: 0, length: 1000, write: true }).unwrap();
    let began = Instant::now();
    refused(lane.wait_for_completion(Duration::from_millis(300)), FileErrorKind::Gone);
    let waited = began.elapsed();
    samba.signal("CONT");
    assert!(waited >= Duration::from_millis(300) && waited < Duration::from_secs(10), "{waited:?}");
    assert_eq!(lane.wait_for_completion(PATIENCE).unwrap().moved.unwrap(), 1000);
    share.close(handle).unwrap();
    assert_eq!(fs::read(samba.data().join("f")).unwrap(), stamped(0, 1000));
}

pub fn nobody_there() {
    let began = Instant::now();
    let bind = || std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let connect = |at: std::net::SocketAddr| {
        let share = SmbShare::connect("127.0.0.1", at.port(), None, None, "x", "", &|_| Ok(()));
        refused(share, FileErrorKind::Gone)
    };
    let closed = bind().local_addr().unwrap();
    connect(closed);
    // A server that accepts and closes.
    let listener = bind();
    let at = listener.local_addr().unwrap();
    let hang_up = std::thread::spawn(move || drop(listener.accept()));
    connect(at);
    hang_up.join().unwrap();
    assert!(began.elapsed() < Duration::from_secs(5));
}
