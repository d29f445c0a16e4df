//! All operations of a share, the statuses of refused ones, and many reads and writes in flight.

use super::{connect, data, served};
use crate::samba::{self, Samba};
use crate::share::{PATIENCE, READ_ONLY, how, path, put, read_all, refused, stamped, write_all};
use goodput_file::smb::SmbShare;
use goodput_file::workspace::WorkspaceParent;
use goodput_file::{FileErrorKind, IoRequest, Share};
use goodput_model::file::CreateDisposition;
use std::fs;

pub fn all_of_them() {
    let samba = Samba::start();
    let share = data(&samba);
    let facts = share.location_facts();
    assert_eq!((facts.engine.as_str(), facts.connections), ("smb 3.1.1", Some(1)));
    assert_eq!((facts.signed, facts.encrypted), (Some(false), Some(false)));
    let (read, write) = facts.max_io.unwrap();
    assert!(read.0 >= 1 << 20 && write.0 >= 1 << 20, "{read:?} {write:?}");
    assert!(facts.free.unwrap().0 > 0);
    // A create and a close.
    served(&samba, &share).operations(Some(2));
    put(&share, "a", &[7; 200]);
    assert!(share.query_path_status(&path("a")).unwrap().allocated.is_some());
    let handle = share.open(&path("a"), READ_ONLY).unwrap();
    let denied = refused(share.write_at(handle, b"x", 0), FileErrorKind::Denied);
    assert_eq!(denied.status, Some(0xC000_0022));
    share.close(handle).unwrap();
    locks(&share, &connect(&samba, samba::DATA).unwrap());
}

fn locks(share: &SmbShare, other: &SmbShare) {
    let [ours, theirs] = [share, other].map(|of| of.open(&path("a"), how(CreateDisposition::Open)).unwrap());
    share.lock_range(ours, 100, 50).unwrap();
    let (locked, written) = (other.lock_range(theirs, 120, 10), other.write_at(theirs, b"locked", 110));
    assert_eq!(refused(locked, FileErrorKind::Locked).status, Some(0xC000_0055));
    assert_eq!(refused(written, FileErrorKind::Locked).status, Some(0xC000_0054));
    other.lock_range(theirs, 150, 10).unwrap();
    share.unlock_range(ours, 100, 50).unwrap();
    other.lock_range(theirs, 120, 10).unwrap();
    assert!(share.unlock_range(ours, 100, 50).is_err(), "it is not locked any more");
    share.close(ours).unwrap();
    other.close(theirs).unwrap();
}

pub fn dialects_signed_and_encrypted() {
    for (lines, engine, signed, encrypted) in [
        ("server max protocol = SMB2_02", "smb 2.0.2", false, false),
        ("server max protocol = SMB2_10", "smb 2.1", false, false),
        ("server max protocol = SMB3_00", "smb 3.0", false, false),
        ("server max protocol = SMB3_02", "smb 3.0.2", false, false),
        ("server signing = mandatory", "smb 3.1.1", true, false),
        ("server signing = mandatory\nserver max protocol = SMB2_10", "smb 2.1", true, false),
        ("server signing = mandatory\nserver max protocol = SMB3_00", "smb 3.0", true, false),
        ("smb encrypt = desired", "smb 3.1.1", false, true),
        ("smb encrypt = required", "smb 3.1.1", false, true),
        ("smb encrypt = required\nserver max protocol = SMB3_00", "smb 3.0", false, true),
    ] {
        let samba = Samba::start_with(lines, &[]);
        let share = data(&samba);
        let facts = share.location_facts();
        assert_eq!(
            (facts.engine.as_str(), facts.signed, facts.encrypted),
            (engine, Some(signed), Some(encrypted)),
            "{lines}"
        );
        let bytes = stamped(3, 5_000_003);
        write_all(&share, "f", &bytes, 1 << 20, 3);
        assert!(fs::read(samba.data().join("f")).unwrap() == bytes, "{lines}");
        read_all(&share, "f", &bytes, 1 << 20, 3);
        let handle = share.open(&path("f"), how(CreateDisposition::Open)).unwrap();
        let mut some = [0; 5000];
        assert_eq!(share.read_at(handle, &mut some, 1_000_000).unwrap(), 5000);
        assert_eq!(some[..], bytes[1_000_000..1_005_000]);
        share.write_at(handle, b"over", 17).unwrap();
        share.close(handle).unwrap();
        assert_eq!(&fs::read(samba.data().join("f")).unwrap()[17..21], b"over");
        share.rename(&path("f"), &path("g")).unwrap();
        share.remove_file(&path("g")).unwrap();
    }
}

pub fn guest() {
    let samba = Samba::start_with("map to guest = bad user\nguest account = nobody\nguest ok = yes", &[]);
    let share = SmbShare::connect("127.0.0.1", samba.port, None, None, samba::DATA, "", &|_| Ok(())).unwrap();
    put(&share, "f", b"from nobody");
    assert_eq!(fs::read(samba.data().join("f")).unwrap(), b"from nobody");
}

pub fn round_trip() {
    let samba = Samba::start();
    let share = data(&samba);
    served(&samba, &share).round_trip(&[(4096, 32), (65_536, 8), (1 << 20, 1), (1 << 20, 8), (20 << 20, 2)]);
    let handle = share.open(&path("f-4096-32"), how(CreateDisposition::Open)).unwrap();
    let mut lane = share.open_io_queue(handle, 4096, 1).unwrap();
    assert_eq!(lane.buffer(0).as_ptr() as usize % 4096, 0);
    let io = IoRequest { slot: 0, offset: 0, length: 10, write: false };
    lane.submit(io).unwrap();
    assert!(lane.buffer(0).is_empty(), "it is under way");
    assert!(lane.submit(io).is_err() && lane.submit(IoRequest { slot: 1, ..io }).is_err());
    assert_eq!(lane.wait_for_completion(PATIENCE).unwrap().moved.unwrap(), 10);
    assert!(lane.submit(IoRequest { length: 4097, ..io }).is_err());
    lane.submit(IoRequest { length: 0, ..io }).unwrap();
    assert_eq!(lane.wait_for_completion(PATIENCE).unwrap().moved.unwrap(), 0);
}

pub fn another_connection() {
    let samba = Samba::start();
    let share = data(&samba);
    share.make_folder(&path("w")).unwrap();
    let below = share.open_subfolder("w").unwrap();
    let other = below.open_another_connection().unwrap();
    drop((share, below));
    put(other.as_ref(), "f", b"through the other");
    assert_eq!(fs::read(samba.data().join("w/f")).unwrap(), b"through the other");
    assert_eq!(other.location_facts().connections, Some(1));
}
