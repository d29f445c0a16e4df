//! All operations of a share, and the statuses of refused ones.

use super::{connect, data, file, path, put, stamped};
use crate::samba::{self, Samba};
use goodput_file::smb::Smb;
use goodput_file::{FileError, FileErrorKind, Open, RelPath, Share};
use goodput_model::file::Disposition;
use std::fs;

const NOT_FOUND: u32 = 0xC000_0034;
const PATH_NOT_FOUND: u32 = 0xC000_003A;
const COLLISION: u32 = 0xC000_0035;

fn refused<T>(done: Result<T, FileError>, trouble: FileErrorKind, status: u32) {
    let Err(error) = done else { panic!("it was not refused") };
    assert_eq!((error.trouble, error.status), (trouble, Some(status)), "{error}: {}", error.source);
}

pub fn all_of_them() {
    let samba = Samba::start();
    let share = data(&samba);
    let before = share.requests().unwrap();

    let facts = share.facts();
    assert_eq!(
        (facts.engine.as_str(), facts.signed, facts.encrypted),
        ("smb 3.1.1", Some(false), Some(false))
    );
    assert_eq!(facts.connections, Some(1));
    let (read, write) = facts.max_io.unwrap();
    assert!(read.0 >= 1 << 20 && write.0 >= 1 << 20, "{read:?} {write:?}");
    assert!(facts.free.unwrap().0 > 0);

    share.make_folder(&path("one")).unwrap();
    assert_eq!(share.requests().unwrap() - before, 2, "a create and a close");
    assert!(samba.data().join("one").is_dir());
    refused(share.make_folder(&path("one")), FileErrorKind::Exists, COLLISION);
    refused(share.make_folder(&path("none/two")), FileErrorKind::PathNotFound, PATH_NOT_FOUND);

    let text = stamped(0, 100_000);
    put(&share, "one/a", &text);
    assert_eq!(fs::read(samba.data().join("one/a")).unwrap(), text);
    let status = share.query(&path("one/a")).unwrap();
    assert_eq!((status.length, status.folder), (100_000, false));
    assert!(status.allocated.is_some());
    assert!(share.query(&path("one")).unwrap().folder);
    assert!(share.query(&RelPath::root()).unwrap().folder);
    refused(share.query(&path("one/b")), FileErrorKind::NotFound, NOT_FOUND);
    refused(share.query(&path("two/b")), FileErrorKind::PathNotFound, PATH_NOT_FOUND);

    let handle = share.open(&path("one/a"), Open { read_only: true, ..file(Disposition::Open) }).unwrap();
    assert_eq!(share.query_open(handle).unwrap().length, 100_000);
    let mut some = [0; 1000];
    assert_eq!(share.read_at(handle, &mut some, 50_000).unwrap(), 1000);
    assert_eq!(some, text[50_000..51_000]);
    assert_eq!(share.read_at(handle, &mut some, 99_500).unwrap(), 500);
    assert_eq!(share.read_at(handle, &mut some, 100_000).unwrap(), 0);
    assert_eq!(share.read_at(handle, &mut some, 1 << 40).unwrap(), 0);
    assert_eq!(share.read_at(handle, &mut [], 0).unwrap(), 0);
    let denied = share.write_at(handle, b"x", 0).unwrap_err();
    assert_eq!((denied.trouble, denied.status), (FileErrorKind::Denied, Some(0xC000_0022)));
    share.close(handle).unwrap();
    assert_eq!(share.close(handle).unwrap_err().trouble, FileErrorKind::Other);

    let handle = share.open(&path("one/a"), file(Disposition::Open)).unwrap();
    share.write_at(handle, b"changed", 10).unwrap();
    share.flush(handle).unwrap();
    let old = fs::metadata(samba.data().join("one/a")).unwrap().modified().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    share.touch(handle).unwrap();
    share.close(handle).unwrap();
    assert!(fs::metadata(samba.data().join("one/a")).unwrap().modified().unwrap() > old);
    assert_eq!(&fs::read(samba.data().join("one/a")).unwrap()[10..17], b"changed");

    locks(&share, &connect(&samba, samba::DATA).unwrap());

    put(&share, "one/b", b"");
    refused(share.rename(&path("one/a"), &path("one/b")), FileErrorKind::Exists, COLLISION);
    refused(share.rename(&path("one/x"), &path("one/y")), FileErrorKind::NotFound, NOT_FOUND);
    share.rename(&path("one/a"), &path("c")).unwrap();
    assert!(samba.data().join("c").is_file() && !samba.data().join("one/a").exists());

    refused(share.remove_folder(&path("one")), FileErrorKind::NotEmpty, 0xC000_0101);
    assert!(samba.data().join("one/b").is_file());
    refused(share.remove_folder(&path("c")), FileErrorKind::NotFolder, 0xC000_0103);
    refused(share.remove_file(&path("one")), FileErrorKind::IsFolder, 0xC000_00BA);
    refused(share.remove_file(&path("one/x")), FileErrorKind::NotFound, NOT_FOUND);
    share.remove_file(&path("one/b")).unwrap();
    share.remove_folder(&path("one")).unwrap();
    share.remove_file(&path("c")).unwrap();
    assert_eq!(fs::read_dir(samba.data()).unwrap().count(), 0);
    let space = share.space().unwrap();
    assert!(space.free > 0 && space.free <= space.total);
}

fn locks(share: &Smb, other: &Smb) {
    let (ours, theirs) = (
        share.open(&path("one/a"), file(Disposition::Open)).unwrap(),
        other.open(&path("one/a"), file(Disposition::Open)).unwrap(),
    );
    share.lock(ours, 100, 50).unwrap();
    refused(other.lock(theirs, 120, 10), FileErrorKind::Locked, 0xC000_0055);
    refused(other.write_at(theirs, b"locked", 110), FileErrorKind::Locked, 0xC000_0054);
    other.lock(theirs, 150, 10).unwrap();
    share.unlock(ours, 100, 50).unwrap();
    other.lock(theirs, 120, 10).unwrap();
    assert!(share.unlock(ours, 100, 50).is_err(), "it is not locked any more");
    share.close(ours).unwrap();
    other.close(theirs).unwrap();
}

pub fn dispositions() {
    let samba = Samba::start();
    let share = data(&samba);
    let here = samba.data().join("f");
    let open = |disposition| {
        let handle = share.open(&path("f"), file(disposition))?;
        share.close(handle)
    };
    refused(open(Disposition::Open), FileErrorKind::NotFound, NOT_FOUND);
    refused(open(Disposition::Overwrite), FileErrorKind::NotFound, NOT_FOUND);
    for makes in [Disposition::Create, Disposition::OpenIf, Disposition::OverwriteIf, Disposition::Supersede]
    {
        open(makes).unwrap();
        assert_eq!(fs::read(&here).unwrap(), b"");
        fs::write(&here, "kept").unwrap();
        match makes {
            Disposition::Create => refused(open(makes), FileErrorKind::Exists, COLLISION),
            _ => open(makes).unwrap(),
        }
        let left = fs::read(&here).unwrap().len();
        assert_eq!(left > 0, matches!(makes, Disposition::Create | Disposition::OpenIf), "{makes:?}");
        fs::remove_file(&here).unwrap();
    }
    fs::write(&here, "gone").unwrap();
    open(Disposition::Overwrite).unwrap();
    assert_eq!(fs::read(&here).unwrap(), b"");
    fs::create_dir(samba.data().join("d")).unwrap();
    refused(share.open(&path("d"), file(Disposition::Open)), FileErrorKind::IsFolder, 0xC000_00BA);
    let folder = Open { folder: true, file: false, ..file(Disposition::Open) };
    refused(share.open(&path("f"), folder), FileErrorKind::NotFolder, 0xC000_0103);
    let handle = share.open(&path("d"), folder).unwrap();
    assert!(share.query_open(handle).unwrap().folder);
    share.close(handle).unwrap();
    let handle = share.open(&path("e"), Open { disposition: Disposition::Create, ..folder }).unwrap();
    share.close(handle).unwrap();
    assert!(samba.data().join("e").is_dir());
}

pub fn find() {
    let samba = Samba::start();
    let share = data(&samba);
    share.make_folder(&path("many")).unwrap();
    assert!(share.find(&path("many"), "*", None).unwrap().is_empty());
    for number in 0..1500 {
        fs::write(samba.data().join(format!("many/name-{number:04}.txt")), vec![0; number]).unwrap();
    }
    fs::create_dir(samba.data().join("many/folder")).unwrap();
    let mut all = share.find(&path("many"), "*", None).unwrap();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(all.len(), 1501, "in several replies");
    assert!(all[0].name == "folder" && all[0].status.folder);
    assert_eq!((all[900].name.as_str(), all[900].status.length), ("name-0899.txt", 899));
    assert_eq!(share.find(&path("many"), "*", Some(7)).unwrap().len(), 7);
    assert_eq!(share.find(&path("many"), "name-00?7.txt", None).unwrap().len(), 10);
    assert_eq!(share.find(&path("many"), "<.txt", None).unwrap().len(), 1500);
    assert!(share.find(&path("many"), "*.doc", None).unwrap().is_empty());
    refused(share.find(&path("none"), "*", None), FileErrorKind::NotFound, NOT_FOUND);
    refused(share.find(&path("many/name-0001.txt"), "*", None), FileErrorKind::NotFolder, 0xC000_0103);
}

pub fn dialects() {
    for (option, engine) in
        [("SMB2_02", "smb 2.0.2"), ("SMB2_10", "smb 2.1"), ("SMB3_00", "smb 3.0"), ("SMB3_02", "smb 3.0.2")]
    {
        let samba = Samba::start_with(&format!("server max protocol = {option}"), &[]);
        let share = data(&samba);
        assert_eq!(share.facts().engine, engine);
        let bytes = stamped(7, 3_000_001);
        put(&share, "f", &bytes);
        assert!(fs::read(samba.data().join("f")).unwrap() == bytes, "{engine}");
        super::lanes::read_all(&share, "f", &bytes, 1 << 20, 4);
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
        let facts = share.facts();
        assert_eq!((facts.signed, facts.encrypted), (Some(signed), Some(encrypted)), "{lines}");
        let bytes = stamped(3, 5_000_003);
        super::lanes::write_all(&share, "f", &bytes, 1 << 20, 3);
        assert!(fs::read(samba.data().join("f")).unwrap() == bytes, "{lines}");
        super::lanes::read_all(&share, "f", &bytes, 1 << 20, 3);
        let handle = share.open(&path("f"), file(Disposition::Open)).unwrap();
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
    let share = Smb::connect("127.0.0.1", samba.port, None, None, samba::DATA, "").unwrap();
    put(&share, "f", b"from nobody");
    assert_eq!(fs::read(samba.data().join("f")).unwrap(), b"from nobody");
}
