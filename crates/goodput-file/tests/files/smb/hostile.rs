//! A hostile server: each lie ends in an error that names the server, or in a count of bytes that passed.

pub mod session;

use super::told;
use crate::liar::{Change, Liar, SOON, Told, framed};
use crate::samba::{self, PASSWORD, Samba, USER};
use crate::share::{LENGTH, PATIENCE, by_call, by_lane, how, path, stamped};
use goodput_file::smb::SmbShare;
use goodput_file::{FileError, FileErrorKind, FileHandle, FileOpenOptions, Share};
use goodput_model::file::CreateDisposition;
use std::fs;
use std::time::{Duration, Instant};

const NEGOTIATE: u16 = 0;
const SESSION_SETUP: u16 = 1;
const CREATE: u16 = 5;
const READ: u16 = 8;
const WRITE: u16 = 9;
/// Places in an answer (MS-SMB2 2.2.1.2, 2.2.20, 2.2.22, 2.2.38).
const STATUS: usize = 8;
const STATUS_PENDING: u32 = 0x103;
const COMMAND: usize = 12;
const CREDITS: usize = 14;
const FLAGS: usize = 16;
const NEXT: usize = 20;
const NUMBER: usize = 24;
const PAYLOAD_AT: usize = 66;
/// Of a read's payload, of the bytes that a write took, and of an information.
const COUNT: usize = 68;
const PAYLOAD: usize = 80;

fn u16_at(message: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(message[at..at + 2].try_into().unwrap())
}

fn u32_at(message: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(message[at..at + 4].try_into().unwrap())
}

fn put<const N: usize>(message: &mut [u8], at: usize, bytes: [u8; N]) {
    message[at..at + N].copy_from_slice(&bytes);
}

fn put_u32(message: &mut [u8], at: usize, value: u32) {
    put(message, at, value.to_le_bytes());
}

fn recount(answer: &mut [u8], change: impl Fn(u32) -> u32) {
    let count = change(u32_at(answer, COUNT));
    put_u32(answer, COUNT, count);
}

fn smb(message: &[u8]) -> Told {
    Told::Bytes(framed(0, message))
}

/// Answers to one command are replaced, but not interim ones, which a busy Samba sends.
fn liar(samba: &Samba, which: u16, lie: impl Fn(Vec<u8>) -> Told + Send + Sync + 'static) -> Liar {
    let answer = move |_: &[u8], answer: Vec<u8>| {
        let is_final = u32_at(&answer, STATUS) != STATUS_PENDING;
        if is_final && u16_at(&answer, COMMAND) == which { lie(answer) } else { smb(&answer) }
    };
    Liar::before(samba.port, answer)
}

fn changing(samba: &Samba, which: u16, change: Change) -> Liar {
    liar(samba, which, move |mut answer| {
        change(&mut answer);
        smb(&answer)
    })
}

/// Every answer of a compound.
fn each(mut answers: &mut [u8], change: impl Fn(&mut [u8])) {
    loop {
        let next = u32_at(answers, NEXT) as usize;
        let end = if next == 0 { answers.len() } else { next };
        let (one, rest) = answers.split_at_mut(end);
        change(one);
        if next == 0 {
            return;
        }
        answers = rest;
    }
}

/// An answer that says that the request is in progress (MS-SMB2 3.2.5.1.5).
fn pending(answer: &[u8], credits: u16) -> Vec<u8> {
    let mut interim = answer[..64].to_vec();
    put_u32(&mut interim, STATUS, STATUS_PENDING);
    put_u32(&mut interim, FLAGS, 0x3);
    put_u32(&mut interim, NEXT, 0);
    put(&mut interim, CREDITS, credits.to_le_bytes());
    interim
}

fn connect(to: &Liar) -> Result<SmbShare, FileError> {
    told(PASSWORD);
    SmbShare::connect("127.0.0.1", to.port, None, Some(USER), samba::DATA, "", &|_| Ok(()))
}

/// Why the server is given up; the error names it.
fn cause<T>(done: Result<T, FileError>) -> String {
    let Err(error) = done else { panic!("a lie is believed") };
    assert_eq!(error.trouble, FileErrorKind::Gone, "{error}: {}", error.source);
    assert!(error.what.to_string().contains("smb://127.0.0.1/data"), "{error}");
    error.source.to_string()
}

fn assert_cause<T>(done: Result<T, FileError>, why: &str, lie: &str) {
    let said = cause(done);
    assert!(said.contains(why), "{lie}: {said}");
}

const ANY: FileOpenOptions = how(CreateDisposition::OpenIf);

fn opened(to: &Liar) -> (SmbShare, FileHandle) {
    let share = connect(to).unwrap();
    let handle = share.open(&path("f"), ANY).unwrap();
    (share, handle)
}

/// By a call and by a lane, each on its own connection.
fn both(to: &Liar, write: bool) -> [Result<usize, FileError>; 2] {
    let [(one, file), (other, same)] = [opened(to), opened(to)];
    [by_call(&one, file, write), by_lane(&other, same, write, PATIENCE)]
}

/// A Samba with a file `f`.
fn serving(lines: &str) -> Samba {
    let samba = Samba::start_with(lines, &[]);
    fs::write(samba.data().join("f"), stamped(0, 5 * LENGTH)).unwrap();
    samba
}

pub fn reads() {
    let samba = serving("");
    let (more, outside) = ("more bytes than were asked for", "the payload of a read does not fit");
    let cases: [(&str, Change, Result<usize, &str>); 9] = [
        (
            "more than was asked",
            |answer| {
                answer.push(7);
                put_u32(answer, COUNT, LENGTH as u32 + 1);
            },
            Err(more),
        ),
        (
            "less than was asked",
            |answer| {
                answer.pop();
                put_u32(answer, COUNT, LENGTH as u32 - 1);
            },
            Ok(LENGTH - 1),
        ),
        ("less than the message has", |answer| put_u32(answer, COUNT, LENGTH as u32 - 1), Ok(LENGTH - 1)),
        (
            "nothing",
            |answer| {
                answer.truncate(PAYLOAD);
                put_u32(answer, COUNT, 0);
            },
            Ok(0),
        ),
        ("more than the message has", |answer| put_u32(answer, COUNT, LENGTH as u32 + 1), Err(outside)),
        ("the largest count", |answer| put_u32(answer, COUNT, u32::MAX), Err(outside)),
        ("behind the message", |answer| answer[PAYLOAD_AT] = 255, Err(outside)),
        ("the header as payload", |answer| answer[PAYLOAD_AT] = 0, Err(outside)),
        ("the fixed part as payload", |answer| answer[PAYLOAD_AT] = PAYLOAD as u8 - 1, Err(outside)),
    ];
    for (lie, change, expected) in cases {
        for read in both(&changing(&samba, READ, change), false) {
            match expected {
                Ok(moved) => assert_eq!(read.unwrap(), moved, "{lie}"),
                Err(why) => assert_cause(read, why, lie),
            }
        }
    }
}

pub fn writes() {
    let samba = serving("");
    let lies: [(&str, Change); 2] = [
        ("one byte more", |answer| recount(answer, |count| count + 1)),
        ("the largest count", |answer| recount(answer, |_| u32::MAX)),
    ];
    for (lie, change) in lies {
        for written in both(&changing(&samba, WRITE, change), true) {
            assert_cause(written, "of 1000 written bytes", lie);
        }
    }
    fs::write(samba.data().join("f"), vec![0; LENGTH]).unwrap();
    let half: Change = |answer| recount(answer, |count| count.div_ceil(2));
    let [call, lane] = both(&changing(&samba, WRITE, half), true).map(Result::unwrap);
    assert_eq!((call, lane), (LENGTH, LENGTH / 2), "the call writes the rest");
    assert!(fs::read(samba.data().join("f")).unwrap() == stamped(0, LENGTH));

    let [call, lane] = both(&changing(&samba, WRITE, |answer| recount(answer, |_| 0)), true);
    assert_eq!((call.unwrap_err().trouble, lane.unwrap()), (FileErrorKind::Full, 0));

    let as_read: Change = |answer| {
        put(answer, COMMAND, READ.to_le_bytes());
        answer[PAYLOAD_AT] = PAYLOAD as u8;
        put_u32(answer, COUNT, 0);
    };
    let [call, lane] = both(&changing(&samba, WRITE, as_read), true);
    assert_cause(call, "makes no sense", "a read's answer");
    assert_cause(lane, "it answers a write as if it were a read", "a read's answer");
}

/// Announced lengths, and the end of the connection inside a message.
pub fn lengths() {
    let samba = serving("");
    for length in [0, 63, 1 << 24, u32::MAX] {
        let to = liar(&samba, READ, move |_| Told::Bytes(length.to_be_bytes().to_vec()));
        for read in both(&to, false) {
            assert_cause(read, &format!("it is announced with {length} bytes"), "a length");
        }
    }
    for bytes in [0, 4, 50, 200] {
        let to = liar(&samba, READ, move |answer| {
            Told::Last(framed(0, &answer).into_iter().take(bytes).collect())
        });
        let (share, handle) = opened(&to);
        for read in [by_lane(&share, handle, false, PATIENCE), by_call(&share, handle, false)] {
            cause(read);
        }
        for done in [share.flush(handle), share.close(handle)] {
            cause(done);
        }
    }
}

/// Answers that never come: the caller's patience counts, whatever else arrives.
pub fn silence() {
    let samba = serving("");
    let lies: [(&str, fn(Vec<u8>) -> Told); 5] = [
        ("nothing but a length", |_| Told::Bytes(0xFF_FFFF_u32.to_be_bytes().to_vec())),
        ("another message id", |mut answer| {
            let number = u64::from_le_bytes(answer[NUMBER..NUMBER + 8].try_into().unwrap());
            put(&mut answer, NUMBER, (number + (1 << 40)).to_le_bytes());
            smb(&answer)
        }),
        ("the message id of notifications", |mut answer| {
            put(&mut answer, NUMBER, u64::MAX.to_le_bytes());
            smb(&answer)
        }),
        ("pending once", |answer| smb(&pending(&answer, 1))),
        ("pending for ever", |answer| Told::Endlessly(framed(0, &pending(&answer, 1)).repeat(1000))),
    ];
    for (lie, answer) in lies {
        let (share, handle) = opened(&liar(&samba, READ, answer));
        let began = Instant::now();
        assert_cause(by_lane(&share, handle, false, SOON), "did not answer in time", lie);
        assert!(began.elapsed() < PATIENCE, "{lie}");
    }
}

/// The deadline of connecting and of calls is 30 s.
pub fn deadlines() {
    let samba = serving("");
    let quiet = |which| liar(&samba, which, |_| Told::Bytes(vec![0, 0xFF, 0xFF, 0xFF]));
    let elsewhere: Change = |answers| {
        each(answers, |answer| put(answer, NUMBER, (1_u64 << 40).to_le_bytes()));
    };
    let cases = [
        ("a length and nothing, at first", quiet(NEGOTIATE), ""),
        ("a length and nothing", quiet(CREATE), "did not answer in time"),
        ("pending", liar(&samba, SESSION_SETUP, |answer| smb(&pending(&answer, 1))), ""),
        ("other message ids", changing(&samba, CREATE, elsewhere), "did not answer in time"),
        (
            "a part of a message",
            liar(&samba, CREATE, |answer| Told::Bytes([&[0_u8, 0xFF, 0xFF, 0xFF][..], &answer[..]].concat())),
            "stopped sending in the middle of a message",
        ),
    ];
    let began = Instant::now();
    std::thread::scope(|scope| {
        for (lie, to, why) in &cases {
            scope.spawn(move || assert_cause(connect(to), why, lie));
        }
    });
    assert!(began.elapsed() < Duration::from_secs(120));
}
