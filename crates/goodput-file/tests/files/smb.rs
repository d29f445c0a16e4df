//! SMB shares, tested against Samba.

mod hostile;
pub mod killed;
mod operations;
mod trouble;

use crate::liar::bounded;
use crate::samba::{self, PASSWORD, Samba, USER};
use crate::share::Served;
use goodput_file::smb::SmbShare;
use goodput_file::{FileError, FileErrorKind, smb_password};

pub const STORIES: &[(&str, fn())] = &[
    ("operations", operations::all_of_them),
    ("dispositions", || alike(|served| served.dispositions())),
    ("find", || alike(|served| served.find([FileErrorKind::NotFound, FileErrorKind::NotFolder]))),
    ("dialects_signed_and_encrypted", operations::dialects_signed_and_encrypted),
    ("guest", operations::guest),
    ("lanes", operations::round_trip),
    ("lanes_of_four_threads", || alike(|served| served.threads())),
    ("another_connection", operations::another_connection),
    ("wrong_password", trouble::wrong_password),
    ("read_only", trouble::read_only),
    ("full", trouble::full),
    ("file_vanishes", trouble::file_vanishes),
    ("server_killed", trouble::server_killed),
    ("server_deaf", trouble::server_deaf),
    ("nobody_there", trouble::nobody_there),
    ("client_killed", killed::client_killed),
    ("hostile_reads", || bounded(hostile::reads)),
    ("hostile_writes", || bounded(hostile::writes)),
    ("hostile_lengths", || bounded(hostile::lengths)),
    ("hostile_silence", || bounded(hostile::silence)),
    ("hostile_deadlines", || bounded(hostile::deadlines)),
    ("hostile_credits", || bounded(hostile::session::credits)),
    ("hostile_logins", || bounded(hostile::session::logins)),
    ("hostile_sizes", || bounded(hostile::session::sizes)),
    ("hostile_repetitions", || bounded(hostile::session::repetitions)),
    ("hostile_signatures", || bounded(hostile::session::signatures)),
    ("hostile_encryption", || bounded(hostile::session::encryption)),
];

fn alike(story: fn(&Served)) {
    let samba = Samba::start();
    story(&served(&samba, &data(&samba)));
}

fn told(password: &str) {
    smb_password::set_password(zeroize::Zeroizing::new(password.to_string()));
}

fn connect(samba: &Samba, share: &str) -> Result<SmbShare, FileError> {
    told(PASSWORD);
    SmbShare::connect("127.0.0.1", samba.port, None, Some(USER), share, "", &|_| Ok(()))
}

fn data(samba: &Samba) -> SmbShare {
    connect(samba, samba::DATA).unwrap()
}

fn served<'a>(samba: &Samba, share: &'a SmbShare) -> Served<'a> {
    Served { share, folder: samba.data(), smb: true }
}
