//! Complete load files: golden, hostile, and arbitrary bytes.

use super::*;
use flate2::{Compression, GzBuilder};
use goodput_model::file::{
    CreateDisposition, CreateOptions, ExpectedOpStatus, FileOp, FileOpClass, ScheduledFileOp,
};
use goodput_model::units::Nanos;
use proptest::prelude::*;
use std::io::Write as _;

const EACH: &str = r#"# a comment

Deltree "\clients\client1" NT_STATUS_OK
NTCreateX "\clients\client1\~dmtmp" 0x1 0x2 9938 NT_STATUS_OK
Mkdir "\clients\client1\~dmtmp\PM" *
NTCreateX "\clients\client1\~dmtmp\pm\BDES0.PRN" 0x40 0x1 0 NT_STATUS_OBJECT_NAME_NOT_FOUND
0.25 NTCreateX "\clients\client1\~dmtmp\PM\BDES0.PRN" 0x40 0x5 9939 SUCCESS
1.5 WriteX 9939 65534 1 1 NT_STATUS_OK
ReadX 9939 0x1000 4096 12 NT_STATUS_OK
LockX 9939 2147483539 1 0x0
UnlockX 9939 2147483539 1 NT_STATUS_OK
Flush 9939 NT_STATUS_OK
QUERY_FILE_INFORMATION 9939 1034 NT_STATUS_OK
SET_FILE_INFORMATION 9939 1004 NT_STATUS_OK
QUERY_FS_INFORMATION 1007 NT_STATUS_OK
QUERY_PATH_INFORMATION "\clients\client1\~dmtmp" 1004 0xc0000034
FIND_FIRST "\clients\client1\~dmtmp\PM\<.PRN" 260 1366 1 NT_STATUS_OK
Close 9939 NT_STATUS_OK
Close 9938 NT_STATUS_OK
Rename "\clients\client1\~dmtmp\PM\BDES0.PRN" "\clients\client1\~dmtmp\PM\B" ERROR
unlink "\clients\client1\~dmtmp\PM\B" 0x16 NT_STATUS_OK
RMDIR "\clients\client1\~dmtmp\PM" NT_STATUS_OK
"#;

const FIVE: &str = "LOOP 3\nREPEAT 2\n2.5 Flush 1 *\nSLEEP 1500\nENDLOOP\nSETSP 4\nWAITSP 1 4\nFlush 1 *\n";

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut out = GzBuilder::new().write(Vec::new(), Compression::fast());
    out.write_all(text).unwrap();
    out.finish().unwrap()
}

fn fault(text: &str) -> (u32, String) {
    let error = read_load_file(text.as_bytes()).unwrap_err();
    (error.line, error.why.to_string())
}

fn read(text: &[u8]) -> DbenchLoadFile {
    let (load, warnings) = read_load_file(text).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    load
}

/// Without line numbers, which writing does not keep.
fn bare(mut load: DbenchLoadFile) -> DbenchLoadFile {
    load.ops.iter_mut().for_each(|op| op.line = 0);
    load
}

#[test]
fn every_operation_is_read() {
    let load = read(EACH.as_bytes());
    let path = |p: &str| load.paths.iter().position(|q| q == p).unwrap() as u32;
    assert_eq!((load.paths.len(), load.handles, load.ops.len()), (6, 3, 20), "{:?}", load.paths);
    let seen: Vec<FileOpClass> = load.ops.iter().filter_map(|op| op.op.class()).collect();
    assert!(FileOpClass::ALL.iter().all(|class| seen.contains(class)));
    let pattern = path("clients/client1/~dmtmp/PM/<.PRN");
    let (path, options) = (path("clients/client1/~dmtmp/PM/BDES0.PRN"), CreateOptions(0x40));
    let create = |disposition, handle| FileOp::Create { path, options, disposition, handle };
    let (open, overwrite) = (create(CreateDisposition::Open, 1), create(CreateDisposition::OverwriteIf, 2));
    let expect = ExpectedOpStatus::Status(0xC000_0034);
    assert_eq!(load.ops[3], ScheduledFileOp { at: None, op: open, expect, line: 6 });
    let (at, expect) = (Some(Nanos(250_000_000)), ExpectedOpStatus::Success);
    assert_eq!(load.ops[4], ScheduledFileOp { at, op: overwrite, expect, line: 7 });
    for (n, op) in [
        (5, FileOp::Write { handle: 2, offset: 65534, size: 1, actual: 1 }),
        (6, FileOp::Read { handle: 2, offset: 4096, size: 4096, actual: 12 }),
        (7, FileOp::Lock { handle: 2, offset: 2_147_483_539, size: 1 }),
        (14, FileOp::Find { path: pattern, level: 260, max: 1366, count: 1 }),
    ] {
        assert_eq!((load.ops[n].op, load.ops[n].expect), (op, ExpectedOpStatus::Success));
    }
    assert_eq!(load.ops.iter().map(|op| op.op.payload_bytes().0).sum::<u64>(), 4097);
}

#[test]
fn gzip_is_read_as_its_text() {
    let plain = read(EACH.as_bytes());
    let whole = gzip(EACH.as_bytes());
    assert_eq!(read(&whole), plain);
    // Two gzip members in sequence are one file (RFC 1952, section 2.2).
    let (head, tail) = EACH.split_at(400);
    assert_eq!(read(&[gzip(head.as_bytes()), gzip(tail.as_bytes())].concat()), plain);
    for cut in [&whole[..whole.len() / 2], &whole[..2]] {
        let cut = read_load_file(cut).unwrap_err();
        assert!(cut.why.starts_with("the gzip data breaks off"), "{cut}");
    }
}

#[test]
fn loops_sleeps_and_points_of_dbench_5_are_read() {
    let load = read(FIVE.as_bytes());
    let ops: Vec<FileOp> = load.ops.iter().map(|op| op.op).collect();
    let flush = FileOp::Flush { handle: 0 };
    let expected = [
        FileOp::Loop { times: 3 },
        FileOp::Loop { times: 2 },
        flush,
        FileOp::EndLoop,
        FileOp::Sleep { time: Nanos(1_500_000) },
        FileOp::EndLoop,
        FileOp::SetPoint { point: 4 },
        FileOp::WaitPoint { player: 1, point: 4 },
        flush,
    ];
    assert_eq!(ops, expected);
    assert_eq!(load.ops[1].at, Some(Nanos(2_500_000_000)), "the time is that of the first of them");
    assert_eq!(read_load_file(b"REPEAT 0\nFlush 1 *\nREPEAT 1\nFlush 2 *\n").unwrap().0.ops.len(), 1);
}

#[test]
fn what_is_written_is_read_again() {
    for text in [EACH, FIVE] {
        let load = read(text.as_bytes());
        let written = write_load_file(&load).unwrap();
        assert_eq!(bare(read(written.as_bytes())), bare(load), "{written}");
    }
    let mut load = read(EACH.as_bytes());
    for op in [FileOp::Deltree { path: 99 }, FileOp::Close { handle: 3 }] {
        load.ops[0].op = op;
        assert_eq!(write_load_file(&load).unwrap_err().operation, 1);
    }
    load.ops[0].op = FileOp::Deltree { path: 0 };
    load.paths[0] = "a\"b".into();
    assert!(write_load_file(&load).is_err());
}

#[test]
fn badly_formed_lines_are_passed_over_and_shared_paths_named() {
    let bad = [
        "Flush 1",                                   // no status
        "ReadX 1 2 3 NT_STATUS_OK",                  // an argument too few
        "ReadX 1 2 3 4 5 NT_STATUS_OK",              // one too many
        "ReadX 1 -2 3 4 NT_STATUS_OK",               // below zero
        "Mkdir \\clients NT_STATUS_OK",              // a path without quotes
        "Flush \"1\" NT_STATUS_OK",                  // a number in quotes
        "NTCreateX \"\\a\" 0x40 0x6 1 NT_STATUS_OK", // no such disposition
        "READ10 1 2 3 0x0",                          // an operation of another back end
        "1e9 Flush 1 NT_STATUS_OK",                  // a time out of all reason
        "0..5 Flush 1 NT_STATUS_OK",                 // no time
    ];
    let text = format!("{}\nFlush 1 NT_STATUS_OK\nFlush\n", bad.join("\n"));
    let (load, warnings) = read_load_file(text.as_bytes()).unwrap();
    let lines: Vec<u32> = warnings.iter().map(|w| w.line as u32).collect();
    assert_eq!(lines, (1..=bad.len() as u32).collect::<Vec<_>>(), "{warnings:#?}");
    assert_eq!((load.ops.len(), load.ops[0].line), (1, bad.len() as u32 + 1));
    let many = "Flush 1\n".repeat(5_000) + "Flush 1 *\n";
    let (_, warnings) = read_load_file(many.as_bytes()).unwrap();
    assert_eq!(warnings.len(), 1_001);
    assert!(warnings[1_000].text.contains("4000 more"), "{}", warnings[1_000]);
    // A path that all players share.
    let (_, warnings) = read_load_file(b"Flush 1 *\nMKDIR \"\\foo\" SUCCESS\n").unwrap();
    assert!(warnings.len() == 1 && warnings[0].line == 2 && warnings[0].text.contains("foo"), "{warnings:?}");
}

#[test]
fn what_could_do_harm_is_refused_with_its_number() {
    for line in [
        r#"Deltree "\..\x" NT_STATUS_OK"#,
        r#"NTCreateX "\\host\share" 0x40 0x5 1 NT_STATUS_OK"#,
        r#"Rename "\a" "C:\x" NT_STATUS_OK"#,
        r#"Deltree "\goodput-workspace.json" NT_STATUS_OK"#,
    ] {
        let (at, found) = fault(&format!("Flush 1 *\n{line}\n"));
        assert!(at == 2 && found.contains(" is refused: "), "{line:?}: {found}");
    }
    for (line, made_up) in [
        ("WRITEPATTERN 0123", true),
        ("RANDOMSTRING 0 \"\\[abc]\"", true),
        ("ReadX 1 * 4096 4096 *", true),
        ("ReadX 1 *%1024 4096 4096 *", true),
        ("ReadX 1 +4096 4096 4096 *", true),
        ("LOOP *", true),
        ("SMBunlink \"\\a\" *", false),
    ] {
        let (at, found) = fault(&format!("Flush 1 *\n{line}\n"));
        assert_eq!((at, found.contains("is made up")), (2, made_up), "{line}: {found}");
    }
    for bad in ["LOOP", "LOOP 0", "LOOP x", "ENDLOOP", "WAITSP 1", "SLEEP -1", "REPEAT 2\nSLEEP 1"] {
        let (at, found) = fault(&format!("{bad}\nFlush 1 *\n"));
        assert!(at <= 2 && found.starts_with(char::is_uppercase), "{bad}: {found}");
    }
    assert_eq!(["Flush 1 *\nLOOP 2\nFlush 1 *\n", "Flush 1 *\nREPEAT 2\n"].map(|text| fault(text).0), [2, 2]);
}

#[test]
fn what_is_too_much_is_refused_with_its_number() {
    let (at, found) = fault(&format!("Flush 1 *\nMkdir \"\\{}\" *\n", "x".repeat(2_000)));
    assert!(at == 2 && found.ends_with(" are read"), "{found}");
    for line in
        ["ReadX 1 0 67108865 1 *", "WriteX 1 1099511627776 1 1 *", "WriteX 1 18446744073709551615 1 1 *"]
    {
        let (at, found) = fault(&format!("Flush 1 *\n{line}\n"));
        assert!(at == 2 && found.ends_with(" is played"), "{line}: {found}");
    }
    let handles: String = (0..=MAX_HANDLES).map(|h| format!("Close {h} *\n")).collect();
    assert_eq!(fault(&handles).0, MAX_HANDLES as u32 + 1);
    let paths: String = (0..=MAX_PATHS).map(|p| format!("Mkdir \"\\{p}\" *\n")).collect();
    assert_eq!(fault(&paths).0, MAX_PATHS as u32 + 1);
    assert_eq!(fault(&"LOOP 2\n".repeat(9)), (9, "loops stand in loops: at most 8 are read".to_string()));
    let nothing = "no line of the file is an operation of a load file".to_string();
    assert_eq!(fault(""), (1, nothing.clone()));
    assert_eq!(fault("# nothing\nSLEEP 1\nFlush\n"), (3, nothing));
}

fn sound(load: &DbenchLoadFile) {
    let mut open = 0i64;
    for ScheduledFileOp { op, .. } in &load.ops {
        assert!(op.path_indices().into_iter().flatten().all(|path| (path as usize) < load.paths.len()));
        assert!(op.handle_index().is_none_or(|handle| handle < load.handles));
        assert!(op.payload_bytes() <= goodput_model::file::MAX_BLOCK_SIZE);
        open += match op {
            FileOp::Loop { times } => i64::from(*times > 0),
            FileOp::EndLoop => -1,
            _ => 0,
        };
        assert!(open >= 0);
        if let FileOp::Read { size, offset, .. } | FileOp::Write { size, offset, .. } = op {
            assert!(offset + u64::from(*size) <= MAX_FILE_BYTES);
        }
    }
    assert_eq!(open, 0);
    for path in load.paths.iter().filter(|p| !p.is_empty()) {
        assert!(path.split('/').all(|part| !matches!(part, "" | "." | "..")), "{path:?}");
        assert!(!path.contains(['\\', ':', '\0']), "{path:?}");
    }
}

fn digest(bytes: &[u8]) {
    match read_load_file(bytes) {
        Ok((load, warnings)) => {
            sound(&load);
            assert!(warnings.len() <= 1_002);
            // Ignored lines may have left unused names, which writing drops.
            let again = |load| bare(read_load_file(write_load_file(load).unwrap().as_bytes()).unwrap().0);
            let first = again(&load);
            assert_eq!(first.ops.len(), load.ops.len());
            assert_eq!(again(&first), first);
        }
        Err(e) => assert!(e.line > 0 && !e.to_string().is_empty()),
    }
}

fn word() -> impl Strategy<Value = String> {
    let odd = r#""\..\a" "\a:b" "" " * +1 *%3 -1 0x 1e400 nan LOOP 4294967296"#;
    let known = [EACH, FIVE, odd].into_iter().flat_map(str::split_whitespace);
    prop_oneof![
        4 => proptest::sample::select(known.map(String::from).collect::<Vec<_>>()),
        1 => "[ -~]{0,12}",
    ]
}

/// The load file of dbench 4.0 is not shipped (GPL); counts are from grep and awk.
#[test]
#[ignore = "needs /usr/share/dbench/client.txt of Debian's package dbench"]
fn the_load_file_of_dbench_4_is_read_whole() {
    let text = std::fs::read("/usr/share/dbench/client.txt").unwrap();
    let load = read(&text);
    let of = |wanted: &dyn Fn(&ScheduledFileOp) -> bool| load.ops.iter().filter(|op| wanted(op)).count();
    let counts = FileOpClass::ALL.map(|class| of(&|op| op.op.class() == Some(class)));
    // In the order of OpClass::ALL.
    let expected = [
        79_230, 58_200, 124_199, 39_502, 5_553, 258, 258, 16_000, 3_355, 1, 0, 2, 27_765, 71_814, 12_585,
        13_168, 6_454,
    ];
    assert_eq!((counts, load.ops.len()), (expected, 458_344));
    let bytes = [FileOpClass::Read, FileOpClass::Write].map(|class| {
        let of = load.ops.iter().filter(|op| op.op.class() == Some(class));
        of.map(|op| op.op.payload_bytes().0).sum::<u64>()
    });
    assert_eq!(bytes, [1_472_088_767, 1_015_974_170]);
    assert_eq!(of(&|op| op.expect != ExpectedOpStatus::Success), 59_743);
    let patterns = load.paths.iter().filter(|path| path.contains(['*', '<', '>', '?'])).count();
    assert_eq!(load.paths.len() - patterns, 249);
    assert!(load.ops.iter().all(|op| op.at.is_none()));
    assert_eq!(read(&gzip(&text)), load);
    assert_eq!(bare(read(write_load_file(&load).unwrap().as_bytes())), bare(load));
}

proptest! {
    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        digest(&bytes);
        digest(&gzip(&bytes));
    }

    #[test]
    fn any_words_are_answered(lines in proptest::collection::vec(proptest::collection::vec(word(), 0..7), 0..40)) {
        let text: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
        digest(text.join("\n").as_bytes());
    }

    #[test]
    fn a_damaged_file_is_answered(at in 0usize..1_000, byte in any::<u8>(), cut in 0usize..1_000) {
        let mut text = EACH.as_bytes().to_vec();
        let place = at * text.len() / 1_000;
        text[place] = byte;
        digest(&text);
        digest(&text[..cut * text.len() / 1_000]);
        let mut packed = gzip(EACH.as_bytes());
        let place = at * packed.len() / 1_000;
        packed[place] = byte;
        digest(&packed);
    }
}
