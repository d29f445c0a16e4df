//! SMB shares, tested against Samba.
#![allow(clippy::unwrap_used)]

pub mod killed;
pub mod lanes;
mod operations;
mod trouble;

use crate::samba::{self, PASSWORD, Samba, USER};
use goodput_file::smb::Smb;
use goodput_file::{FileError, Open, RelPath, Share, secret};
use goodput_model::file::Disposition;

pub const STORIES: &[(&str, fn())] = &[
    ("operations", operations::all_of_them),
    ("dispositions", operations::dispositions),
    ("find", operations::find),
    ("dialects", operations::dialects),
    ("signed_and_encrypted", operations::signed_and_encrypted),
    ("guest", operations::guest),
    ("lanes", lanes::round_trip),
    ("lanes_of_two_threads", lanes::two_threads),
    ("another_connection", lanes::another),
    ("wrong_password", trouble::wrong_password),
    ("read_only", trouble::read_only),
    ("full", trouble::full),
    ("file_vanishes", trouble::file_vanishes),
    ("server_killed", trouble::server_killed),
    ("server_deaf", trouble::server_deaf),
    ("nobody_there", trouble::nobody_there),
    ("client_killed", killed::client_killed),
];

fn told(password: &str) {
    secret::set(zeroize::Zeroizing::new(password.to_string()));
}

fn connect(samba: &Samba, share: &str) -> Result<Smb, FileError> {
    told(PASSWORD);
    Smb::connect("127.0.0.1", samba.port, None, Some(USER), share, "")
}

fn data(samba: &Samba) -> Smb {
    connect(samba, samba::DATA).unwrap()
}

pub fn path(text: &str) -> RelPath {
    RelPath::parse(text).unwrap()
}

fn file(disposition: Disposition) -> Open {
    Open { disposition, folder: false, file: true, read_only: false, direct: false }
}

/// Bytes that encode their offset.
pub fn stamped(from: u64, length: usize) -> Vec<u8> {
    (from..from + length as u64).map(|at| (at ^ (at >> 8) ^ (at >> 17)) as u8).collect()
}

pub fn put(share: &dyn Share, name: &str, bytes: &[u8]) {
    let handle = share.open(&path(name), file(Disposition::Create)).unwrap();
    share.write_at(handle, bytes, 0).unwrap();
    share.close(handle).unwrap();
}
