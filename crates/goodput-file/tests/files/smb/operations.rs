//! All operations of a share, and the statuses of refused ones.

use super::{connect, data, served};
use crate::samba::{self, Samba};
use crate::share::{how, path, put, read_all, refused, stamped, write_all};
use goodput_file::smb::SmbShare;
use goodput_file::{FileErrorKind, FileOpenOptions, Share};
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
    assert!(share.query_path(&path("a")).unwrap().allocated.is_some());
    let handle =
        share.open(&path("a"), FileOpenOptions { read_only: true, ..how(CreateDisposition::Open) }).unwrap();
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

pub fn dispositions() {
    let samba = Samba::start();
    served(&samba, &data(&samba)).dispositions();
}

pub fn find() {
    let samba = Samba::start();
    served(&samba, &data(&samba)).find([FileErrorKind::NotFound, FileErrorKind::NotFolder]);
}

pub fn dialects() {
    for (option, engine) in
        [("SMB2_02", "smb 2.0.2"), ("SMB2_10", "smb 2.1"), ("SMB3_00", "smb 3.0"), ("SMB3_02", "smb 3.0.2")]
    {
        let samba = Samba::start_with(&format!("server max protocol = {option}"), &[]);
        let share = data(&samba);
        assert_eq!(share.location_facts().engine, engine);
        let bytes = stamped(7, 3_000_001);
        put(&share, "f", &bytes);
        assert!(fs::read(samba.data().join("f")).unwrap() == bytes, "{engine}");
        read_all(&share, "f", &bytes, 1 << 20, 4);
    }
}

pub fn signed_and_encrypted() {
    for (lines, signed, encrypted) in [
        ("server signing = mandatory", true, false),
        ("server signing = mandatory\nserver max protocol = SMB2_10", true, false),
        ("server signing = mandatory\nserver max protocol = SMB3_00", true, false),
        ("smb encrypt = desired", false, true),
        ("smb encrypt = required", false, true),
        ("smb encrypt = required\nserver max protocol = SMB3_00", false, true),
    ] {
        let samba = Samba::start_with(lines, &[]);
        let share = data(&samba);
        let facts = share.location_facts();
        assert_eq!((facts.signed, facts.encrypted), (Some(signed), Some(encrypted)), "{lines}");
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
    let share = SmbShare::connect("127.0.0.1", samba.port, None, None, samba::DATA, "").unwrap();
    put(&share, "f", b"from nobody");
    assert_eq!(fs::read(samba.data().join("f")).unwrap(), b"from nobody");
}
