//! A hostile server: each lie ends in an error that names the server, or in a count of bytes that passed.

use super::connect_at;
use super::server::{Ganesha, PORT};
use crate::liar::{Change, LAST, Liar, SOON, Told, framed};
use crate::share::{LENGTH, PATIENCE, by_call, by_lane, how, path, stamped};
use goodput_file::nfs::NfsShare;
use goodput_file::{FileError, FileErrorKind, FileHandle, Share};
use goodput_model::file::CreateDisposition;
use std::fs;

/// Procedures (RFC 1813, 3.3).
const GETATTR: u32 = 1;
const READ: u32 = 6;
const WRITE: u32 = 7;
const FSINFO: u32 = 19;
/// Of the procedure in a call, and of the result behind its status in a reply (RFC 5531, 9).
const PROCEDURE: usize = 20;
const RESULT: usize = 28;

const MAX_READ_WRITE: u64 = 8 << 20;

fn u32_at(message: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(message[at..at + 4].try_into().unwrap())
}

fn put(message: &mut [u8], at: usize, value: u32) {
    message[at..at + 4].copy_from_slice(&value.to_be_bytes());
}

/// Behind optional attributes.
fn behind(message: &[u8], at: usize, length: usize) -> usize {
    at + 4 + if u32_at(message, at) == 1 { length } else { 0 }
}

/// Count, end of the file, and length of a read's data.
fn read_result(answer: &[u8]) -> usize {
    behind(answer, RESULT, 84)
}

/// Replaces a read's data by some first ones of them.
fn shorten(answer: &mut Vec<u8>, length: usize, eof: u32) {
    let at = read_result(answer);
    put(answer, at, length as u32);
    put(answer, at + 4, eof);
    put(answer, at + 8, length as u32);
    answer.truncate(at + 12 + length);
}

fn recount_written(answer: &mut [u8], change: impl Fn(u32) -> u32) {
    let at = behind(answer, behind(answer, RESULT, 24), 84);
    let count = change(u32_at(answer, at));
    put(answer, at, count);
}

fn rpc(message: &[u8]) -> Told {
    Told::Bytes(framed(LAST, message))
}

/// Answers of one procedure are replaced.
fn liar(which: u32, lie: impl Fn(Vec<u8>) -> Told + Send + Sync + 'static) -> Liar {
    let answer = move |asked: &[u8], answer: Vec<u8>| match u32_at(asked, PROCEDURE) == which {
        true => lie(answer),
        false => rpc(&answer),
    };
    Liar::before(PORT, answer)
}

fn changing(which: u32, change: Change) -> Liar {
    liar(which, move |mut answer| {
        change(&mut answer);
        rpc(&answer)
    })
}

fn opened(server: &Ganesha, to: &Liar) -> (NfsShare, FileHandle) {
    let share = connect_at(server, to.port);
    let handle = share.open(&path("f"), how(CreateDisposition::Open)).unwrap();
    (share, handle)
}

/// By a call and by a lane, each on its own connection.
fn both(server: &Ganesha, to: &Liar, write: bool) -> [Result<usize, FileError>; 2] {
    let [(one, file), (other, same)] = [opened(server, to), opened(server, to)];
    [by_call(&one, file, write), by_lane(&other, same, write, PATIENCE)]
}

fn assert_cause<T>(done: Result<T, FileError>, why: &str, lie: &str) {
    let Err(error) = done else { panic!("{lie}: it is believed") };
    assert_eq!(error.trouble, FileErrorKind::Gone, "{lie}: {error}: {}", error.source);
    assert!(error.what.to_string().contains("nfs://127.0.0.1/"), "{lie}: {error}");
    let said = error.source.to_string();
    assert!(said.contains(why), "{lie}: {said}");
}

fn serving() -> Ganesha {
    let server = Ganesha::start();
    fs::write(server.folder().join("f"), stamped(0, 5 * LENGTH)).unwrap();
    server
}

pub fn reads() {
    let server = serving();
    let cases: [(&str, Change, Result<usize, &str>); 5] = [
        (
            "more than was asked",
            |answer| {
                shorten(answer, LENGTH, 0);
                let at = read_result(answer);
                put(answer, at + 8, LENGTH as u32 + 4);
                answer.extend([7; 4]);
            },
            Err("the payload of a read does not fit"),
        ),
        (
            "more than the message has",
            |answer| {
                let at = read_result(answer);
                put(answer, at + 8, u32::MAX);
            },
            Err(""),
        ),
        ("a tenth at a time", |answer| shorten(answer, LENGTH / 10, 0), Ok(LENGTH)),
        ("a tenth, and the end", |answer| shorten(answer, LENGTH / 10, 1), Ok(LENGTH / 10)),
        ("nothing", |answer| shorten(answer, 0, 0), Ok(0)),
    ];
    for (lie, change, expected) in cases {
        for read in both(&server, &changing(READ, change), false) {
            match expected {
                Ok(moved) => assert_eq!(read.unwrap(), moved, "{lie}"),
                Err(why) => assert_cause(read, why, lie),
            }
        }
    }
}

pub fn writes() {
    let server = serving();
    let lies: [(&str, Change); 2] = [
        ("one byte more", |answer| recount_written(answer, |count| count + 1)),
        ("the largest count", |answer| recount_written(answer, |_| u32::MAX)),
    ];
    for (lie, change) in lies {
        for written in both(&server, &changing(WRITE, change), true) {
            assert_cause(written, "of 1000 written bytes", lie);
        }
    }
    fs::write(server.folder().join("f"), vec![0; LENGTH]).unwrap();
    let half: Change = |answer| recount_written(answer, |count| count.div_ceil(2));
    assert_eq!(both(&server, &changing(WRITE, half), true).map(Result::unwrap), [LENGTH; 2]);
    assert!(fs::read(server.folder().join("f")).unwrap() == stamped(0, LENGTH));
    for written in both(&server, &changing(WRITE, |answer| recount_written(answer, |_| 0)), true) {
        assert_eq!(written.unwrap_err().trouble, FileErrorKind::Full);
    }
}

pub fn lengths_and_numbers() {
    let server = serving();
    for length in [(64 << 20) + 4097, !LAST] {
        let to = liar(READ, move |_| Told::Bytes((LAST | length).to_be_bytes().to_vec()));
        for read in both(&server, &to, false) {
            assert_cause(read, &format!("announces a reply of {length} bytes"), "a length");
        }
    }
    for bytes in [0, 4, 50, 200] {
        let to = liar(READ, move |answer| Told::Last(framed(LAST, &answer)[..bytes].to_vec()));
        for read in both(&server, &to, false) {
            assert_cause(read, "", "the end in a message");
        }
    }
    let other: Change = |answer| answer[0] ^= 1;
    for read in both(&server, &changing(READ, other), false) {
        assert_cause(read, "makes no sense", "another number");
    }
    let quiet = liar(READ, |_| Told::Bytes((LAST | (64 << 20)).to_be_bytes().to_vec()));
    let (share, handle) = opened(&server, &quiet);
    assert_cause(by_lane(&share, handle, false, SOON), "did not answer in time", "a length and nothing");

    let twice = liar(READ, |answer| Told::Bytes(framed(LAST, &answer).repeat(2)));
    let (share, handle) = opened(&server, &twice);
    assert_eq!(by_call(&share, handle, false).unwrap(), LENGTH);
    assert_cause(by_call(&share, handle, false), "makes no sense", "the answer of the first call");
    assert_eq!(by_lane(&share, handle, false, PATIENCE).unwrap(), LENGTH, "on a new connection");
}

/// A file of 2^63 bytes, and the limits of a request.
pub fn sizes() {
    let server = serving();
    let huge: Change =
        |answer| answer[RESULT + 20..RESULT + 28].copy_from_slice(&(1_u64 << 63).to_be_bytes());
    let (share, handle) = opened(&server, &changing(GETATTR, huge));
    assert_eq!(share.query_handle_status(handle).unwrap().length, 1 << 63);
    assert_eq!(share.read_at(handle, &mut [0; LENGTH], 5 * LENGTH as u64).unwrap(), 0);
    let limits: [(Change, u64); 2] =
        [(|answer| limit(answer, 0), 512), (|answer| limit(answer, u32::MAX), MAX_READ_WRITE)];
    for (change, most) in limits {
        let (share, handle) = opened(&server, &changing(FSINFO, change));
        let (read, write) = share.location_facts().max_io.unwrap();
        assert_eq!((read.0, write.0), (most, most));
        assert_eq!(by_lane(&share, handle, false, PATIENCE).unwrap(), LENGTH);
    }
}

/// Rtmax and wtmax.
fn limit(answer: &mut [u8], value: u32) {
    let at = behind(answer, RESULT, 84);
    put(answer, at, value);
    put(answer, at + 12, value);
}
