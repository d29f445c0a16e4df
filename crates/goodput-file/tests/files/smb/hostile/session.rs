//! A hostile server's lies about what holds for a whole session: credits, sizes, dialects and protection.

use super::*;
use crate::share::{READ_ONLY, read_all, write_all};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const TREE_CONNECT: u16 = 3;
const QUERY_INFO: u16 = 16;
/// Places in an answer (MS-SMB2 2.2.1.2, 2.2.4, 2.2.38).
const SIGNATURE: usize = 48;
const DIALECT: usize = 68;
const MAX_READ: usize = 96;
const MAX_WRITE: usize = 100;
const INFORMATION: usize = 72;

pub fn credits() {
    let samba = serving("");
    let granting = |credits: u16, from: u16| {
        Liar::before(samba.port, move |_, mut answers| {
            each(&mut answers, |answer| {
                if u16_at(answer, COMMAND) >= from {
                    put(answer, CREDITS, credits.to_le_bytes());
                }
            });
            smb(&answers)
        })
    };
    assert_cause(connect(&granting(0, NEGOTIATE)), "credit", "none from the beginning");

    let none = granting(0, CREATE);
    let uses = || {
        let share = connect(&none)?;
        let handle = share.open(&path("f"), ANY)?;
        // A login earns at most 65,535.
        (0..70_000).try_for_each(|_| share.query_handle_status(handle).map(drop))
    };
    assert_cause(uses(), "the server grants", "none after the login");

    let endless = connect(&granting(u16::MAX, CREATE)).unwrap();
    let (read, write) = endless.location_facts().max_io.unwrap();
    assert!(read.0 <= 8 << 20 && write.0 <= 8 << 20, "{read:?} {write:?}");
    round_trip(&samba, &endless);

    // More than 2^32 credits in one answer.
    let flood = liar(&samba, READ, |answer| {
        Told::Bytes([framed(0, &pending(&answer, u16::MAX)).repeat(70_000), framed(0, &answer)].concat())
    });
    assert_eq!(both(&flood, false).map(Result::unwrap), [LENGTH; 2]);
}

fn round_trip(samba: &Samba, share: &SmbShare) {
    let bytes = stamped(5, 9_000_003);
    write_all(share, "all", &bytes, 1 << 20, 3);
    assert!(fs::read(samba.data().join("all")).unwrap() == bytes);
    read_all(share, "all", &bytes, 1 << 20, 3);
}

/// What the login agrees on. SMB 3.1.1 signs it; SMB 2.1 does not.
pub fn logins() {
    for (lines, largest) in [("", false), ("server max protocol = SMB2_10", true)] {
        let samba = serving(lines);
        let cases: [(Change, &str); 4] = [
            (|answer| put(answer, DIALECT, 0x0310_u16.to_le_bytes()), "0x0310"),
            (|answer| put(answer, DIALECT, 0x02FF_u16.to_le_bytes()), "0x02FF"),
            (|answer| put_u32(answer, MAX_READ, 0), "MaxReadSize 0"),
            (|answer| put_u32(answer, MAX_WRITE, 0), "MaxWriteSize 0"),
        ];
        for (change, why) in cases {
            assert_cause(connect(&changing(&samba, NEGOTIATE, change)), why, lines);
        }
        let to = changing(&samba, NEGOTIATE, |answer| {
            put_u32(answer, MAX_READ, u32::MAX);
            put_u32(answer, MAX_WRITE, u32::MAX);
        });
        if !largest {
            cause(connect(&to));
            continue;
        }
        let share = connect(&to).unwrap();
        let (read, write) = share.location_facts().max_io.unwrap();
        assert!(read.0 <= 8 << 20 && write.0 <= 8 << 20, "{read:?} {write:?}");
        round_trip(&samba, &share);
    }
}

/// A file of 2^63 bytes on a disk of 2^64, and informations that are too short.
pub fn sizes() {
    let samba = serving("");
    let huge: Change = |answers| {
        each(answers, |answer| match u16_at(answer, COMMAND) == QUERY_INFO {
            true if u32_at(answer, COUNT) == 56 => put(answer, INFORMATION + 40, (1_u64 << 63).to_le_bytes()),
            true if u32_at(answer, COUNT) == 32 => put(answer, INFORMATION, [0xFF; 32]),
            _ => {}
        });
    };
    let to = Liar::before(samba.port, move |_, mut answers| {
        huge(&mut answers);
        smb(&answers)
    });
    let (share, handle) = opened(&to);
    let space = share.disk_space().unwrap();
    assert_eq!((space.total, space.free), (u64::MAX, u64::MAX));
    for status in [share.query_path_status(&path("f")), share.query_handle_status(handle)] {
        assert_eq!(status.unwrap().length, 1 << 63);
    }
    for offset in [5 * LENGTH as u64, 1 << 62, (1 << 63) - 1] {
        let read = share.read_at(handle, &mut [0; LENGTH], offset);
        assert!(!matches!(read, Ok(1..)), "{read:?}");
    }

    let short = changing(&samba, QUERY_INFO, |answer| {
        if u32_at(answer, COUNT) == 56 {
            put_u32(answer, COUNT, 40);
        }
    });
    let (share, handle) = opened(&short);
    assert_cause(share.query_handle_status(handle), "makes no sense", "too short");
}

/// Each answer twice.
pub fn repetitions() {
    let samba = serving("");
    let twice = Liar::before(samba.port, |_, answer| {
        // Behind the login, whose reader may end in the middle of a message.
        let times = if u16_at(&answer, COMMAND) > TREE_CONNECT { 2 } else { 1 };
        Told::Bytes(framed(0, &answer).repeat(times))
    });
    let share = connect(&twice).unwrap();
    round_trip(&samba, &share);
    let handle = share.open(&path("f"), READ_ONLY).unwrap();
    assert_eq!(by_call(&share, handle, false).unwrap(), LENGTH);
    assert_eq!(by_lane(&share, handle, false, PATIENCE).unwrap(), LENGTH);
}

pub fn signatures() {
    let samba = serving("server signing = mandatory");
    let lies: [(&str, Change); 4] = [
        ("another signature", |answer| answer[SIGNATURE] ^= 1),
        ("another payload", |answer| *answer.last_mut().unwrap() ^= 1),
        ("no signature", |answer| put(answer, SIGNATURE, [0; 16])),
        ("no signature, as announced", |answer| {
            put(answer, SIGNATURE, [0; 16]);
            answer[FLAGS] &= !0x8;
        }),
    ];
    for (lie, change) in lies {
        for (command, write) in [(READ, false), (WRITE, true)] {
            for moved in both(&changing(&samba, command, change), write) {
                assert_cause(moved, "could not be protected or trusted", lie);
            }
        }
        let last = liar(&samba, SESSION_SETUP, move |mut answer| {
            if u32_at(&answer, STATUS) == 0 {
                change(&mut answer);
            }
            smb(&answer)
        });
        cause(connect(&last));
    }
}

pub fn encryption() {
    let samba = serving("smb encrypt = required");
    let answers: [(&str, fn(Vec<u8>) -> Told, &str); 2] = [
        (
            "another byte",
            |mut answer| {
                *answer.last_mut().unwrap() ^= 1;
                smb(&answer)
            },
            "could not be protected or trusted",
        ),
        (
            "plain answers to every request",
            |_| Told::Bytes((0..256).flat_map(|number| framed(0, &plain_read(number))).collect()),
            "it is not encrypted",
        ),
    ];
    for (lie, answer, why) in answers {
        let lies = Arc::new(AtomicBool::new(false));
        let begun = Arc::clone(&lies);
        let to = Liar::before(samba.port, move |_, message| {
            if begun.load(Ordering::SeqCst) { answer(message) } else { smb(&message) }
        });
        let (share, handle) = opened(&to);
        assert_eq!(share.location_facts().encrypted, Some(true));
        lies.store(true, Ordering::SeqCst);
        assert_cause(by_lane(&share, handle, false, PATIENCE), why, lie);
        cause(by_call(&share, handle, false));
    }
}

/// An answer to a read, with the bytes of `f`.
fn plain_read(number: u64) -> Vec<u8> {
    let mut answer = vec![0; PAYLOAD];
    put(&mut answer, 0, *b"\xFESMB");
    put(&mut answer, 4, 64_u16.to_le_bytes());
    put(&mut answer, COMMAND, READ.to_le_bytes());
    put(&mut answer, CREDITS, 1_u16.to_le_bytes());
    put_u32(&mut answer, FLAGS, 1);
    put(&mut answer, NUMBER, number.to_le_bytes());
    answer[64] = 17;
    answer[PAYLOAD_AT] = PAYLOAD as u8;
    put_u32(&mut answer, COUNT, LENGTH as u32);
    answer.extend(stamped(0, LENGTH));
    answer
}
