//! Failures on a share and their errors.

use super::{connect, data, file, path, put, stamped, told};
use crate::samba::{self, LITTLE, LOCKED, PASSWORD, SMALL, Samba, USER};
use goodput_file::smb::Smb;
use goodput_file::{FileError, FileErrorKind, Io, Open, Share};
use goodput_model::file::Disposition;
use std::fs;
use std::time::{Duration, Instant};

fn said(error: &FileError) -> String {
    format!("{error}: {} {error:?}", error.source)
}

pub fn wrong_password() {
    let samba = Samba::start();
    told("a-wr0ng-one");
    let refused = Smb::connect("127.0.0.1", samba.port, None, Some(USER), samba::DATA, "").err().unwrap();
    assert_eq!((refused.trouble, refused.status), (FileErrorKind::LogOn, Some(0xC000_006D)));
    assert!(!said(&refused).contains("a-wr0ng-one"), "{}", said(&refused));
    told(PASSWORD);
    let refused = Smb::connect("127.0.0.1", samba.port, None, Some(USER), "no-such-share", "").err().unwrap();
    assert_eq!((refused.trouble, refused.status), (FileErrorKind::LogOn, Some(0xC000_00CC)));
    assert!(!said(&refused).contains(PASSWORD), "{}", said(&refused));
    let refused = Smb::connect("127.0.0.1", samba.port, None, None, samba::DATA, "").err().unwrap();
    assert!(matches!(refused.trouble, FileErrorKind::LogOn | FileErrorKind::Denied), "{}", said(&refused));
}

pub fn read_only() {
    let samba = Samba::start();
    let share = connect(&samba, LOCKED).unwrap();
    let refused = share.open(&path("new"), file(Disposition::Create)).unwrap_err();
    assert!(matches!(refused.trouble, FileErrorKind::ReadOnly | FileErrorKind::Denied), "{}", said(&refused));
    let refused = share.make_folder(&path("new")).unwrap_err();
    assert!(matches!(refused.trouble, FileErrorKind::ReadOnly | FileErrorKind::Denied), "{}", said(&refused));
    let refused = share.remove_file(&path("present")).unwrap_err();
    assert!(matches!(refused.trouble, FileErrorKind::ReadOnly | FileErrorKind::Denied), "{}", said(&refused));
    let handle = share.open(&path("present"), Open { read_only: true, ..file(Disposition::Open) }).unwrap();
    let mut text = [0; 8];
    assert_eq!(share.read_at(handle, &mut text, 0).unwrap(), 5);
    share.close(handle).unwrap();
    assert_eq!(fs::read(samba.locked().join("present")).unwrap(), b"here\n");
}

pub fn full() {
    let samba = Samba::start();
    let share = connect(&samba, LITTLE).unwrap();
    assert!(share.space().unwrap().total <= SMALL);
    let handle = share.open(&path("f"), file(Disposition::Create)).unwrap();
    let mut lane = share.lane(handle, 1 << 20, 4).unwrap();
    let mut refused = None;
    let mut taken = 0;
    for number in 0..2 * SMALL / (1 << 20) {
        let slot = number as usize % 4;
        if number >= 4 {
            match lane.complete(Duration::from_secs(20)).unwrap().moved {
                Ok(1_048_576) => taken += 1 << 20,
                Ok(short) => assert!(short < 1 << 20),
                Err(error) => {
                    refused.get_or_insert(error);
                }
            }
        }
        while lane.buffer(slot).is_empty() {
            if let Err(error) = lane.complete(Duration::from_secs(20)).unwrap().moved {
                refused.get_or_insert(error);
            }
        }
        lane.submit(Io { slot, offset: number << 20, length: 1 << 20, write: true }).unwrap();
        if refused.is_some() {
            break;
        }
    }
    let refused = refused.expect("a share of 24 MiB takes no 48");
    assert_eq!(
        (refused.trouble, refused.status),
        (FileErrorKind::Full, Some(0xC000_007F)),
        "{}",
        said(&refused)
    );
    assert!(taken <= SMALL && taken > SMALL / 2);
    drop(lane);
    let refused = share.write_at(handle, &vec![1; 4 << 20], 40 << 20).unwrap_err();
    assert_eq!(refused.trouble, FileErrorKind::Full, "{}", said(&refused));
    share.close(handle).unwrap();
    share.remove_file(&path("f")).unwrap();
    put(&share, "g", b"there is room again");
}

pub fn file_vanishes() {
    let samba = Samba::start();
    let share = data(&samba);
    put(&share, "f", &stamped(0, 100_000));
    let handle = share.open(&path("f"), file(Disposition::Open)).unwrap();
    fs::remove_file(samba.data().join("f")).unwrap();
    let gone = share.query(&path("f")).unwrap_err();
    assert_eq!(gone.trouble, FileErrorKind::NotFound, "{}", said(&gone));
    // Any result is valid for the open file on a POSIX server; the connection survives.
    let mut some = [0; 100];
    let _ = share.read_at(handle, &mut some, 0);
    let _ = share.close(handle);
    let gone = share.open(&path("f"), file(Disposition::Open)).unwrap_err();
    assert_eq!(gone.trouble, FileErrorKind::NotFound, "{}", said(&gone));
    let gone = share.remove_file(&path("f")).unwrap_err();
    assert_eq!(gone.trouble, FileErrorKind::NotFound, "{}", said(&gone));
    put(&share, "g", b"it goes on");
}

pub fn server_killed() {
    let mut samba = Samba::start();
    let share = data(&samba);
    let handle = share.open(&path("f"), file(Disposition::Create)).unwrap();
    let mut lane = share.lane(handle, 1 << 20, 4).unwrap();
    for slot in 0..4 {
        lane.submit(Io { slot, offset: (slot as u64) << 20, length: 1 << 20, write: true }).unwrap();
    }
    samba.kill();
    let began = Instant::now();
    let mut offset = 4 << 20;
    let gone = loop {
        assert!(began.elapsed() < Duration::from_secs(20), "a dead server is noticed");
        match lane.complete(Duration::from_secs(5)) {
            Err(error) => break error,
            Ok(done) => {
                let io = Io { slot: done.slot, offset, length: 1 << 20, write: true };
                offset += 1 << 20;
                if let Err(error) = lane.submit(io) {
                    break error;
                }
            }
        }
    };
    assert_eq!(gone.trouble, FileErrorKind::Gone, "{}", said(&gone));
    let began = Instant::now();
    for refused in [
        share.flush(handle).unwrap_err(),
        share.query(&path("f")).unwrap_err(),
        share.close(handle).unwrap_err(),
        share.another().err().unwrap(),
    ] {
        assert_eq!(refused.trouble, FileErrorKind::Gone, "{}", said(&refused));
    }
    assert!(began.elapsed() < Duration::from_secs(3), "nobody waits for a server that is known to be gone");
}

/// A server that hangs: the timeout applies, and nothing is lost when it continues.
pub fn server_deaf() {
    let samba = Samba::start();
    let share = data(&samba);
    let handle = share.open(&path("f"), file(Disposition::Create)).unwrap();
    let mut lane = share.lane(handle, 1000, 1).unwrap();
    samba.signal("STOP");
    lane.buffer(0).copy_from_slice(&stamped(0, 1000));
    lane.submit(Io { slot: 0, offset: 0, length: 1000, write: true }).unwrap();
    let began = Instant::now();
    let gone = lane.complete(Duration::from_millis(300)).unwrap_err();
    assert_eq!(gone.trouble, FileErrorKind::Gone, "{}", said(&gone));
    let waited = began.elapsed();
    samba.signal("CONT");
    assert!(waited >= Duration::from_millis(300) && waited < Duration::from_secs(10), "{waited:?}");
    assert_eq!(lane.complete(Duration::from_secs(20)).unwrap().moved.unwrap(), 1000);
    share.close(handle).unwrap();
    assert_eq!(fs::read(samba.data().join("f")).unwrap(), stamped(0, 1000));
}

pub fn nobody_there() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let began = Instant::now();
    let gone = Smb::connect("127.0.0.1", port, None, None, "x", "").err().unwrap();
    assert_eq!(gone.trouble, FileErrorKind::Gone, "{}", said(&gone));
    // A server that accepts and closes.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let hang_up = std::thread::spawn(move || drop(listener.accept()));
    let gone = Smb::connect("127.0.0.1", port, None, None, "x", "").err().unwrap();
    assert_eq!(gone.trouble, FileErrorKind::Gone, "{}", said(&gone));
    hang_up.join().unwrap();
    assert!(began.elapsed() < Duration::from_secs(5));
}
