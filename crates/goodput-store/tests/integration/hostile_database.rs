//! PostgreSQL servers that are silent, break off, send garbage or offer no encryption: an error, and the run is kept.
//! The deadlines are not waited for: the clock is moved once the server has been asked.

use crate::lying_postgres::*;
use crate::runs::plan;
use goodput_store::index::Index;
use goodput_store::run_files::file_digests;
use goodput_testkit::WAIT_TIMEOUT;
use std::io::{Read, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Opens and refreshes the index of a folder with one run, which must keep the run and fail with these `parts` in the
/// error. When the server says that it was asked, more time than each deadline passes at once.
#[track_caller]
fn assert_refused(url: String, asked: Option<UnboundedReceiver<()>>, parts: &[&str]) {
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("runs");
        let run = plan(1).write(&root);
        let before = file_digests(&run).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let error = runtime.block_on(async {
            if let Some(mut asked) = asked {
                tokio::spawn(async move {
                    asked.recv().await.unwrap();
                    tokio::time::pause();
                    tokio::time::advance(Duration::from_secs(301)).await;
                });
            }
            match Index::open_with_cache(Some(&url), &root, &folder.path().join("cache")).await {
                Ok(index) => index.refresh().await.unwrap_err(),
                Err(error) => error,
            }
        });
        assert_eq!(file_digests(&run).unwrap(), before, "the run is kept");
        let _ = tell.send(format!("{error}: {error:?}"));
    });
    let text = told.recv_timeout(WAIT_TIMEOUT).expect("it panicked or hangs");
    assert!(parts.iter().all(|part| text.contains(part)), "{parts:?} in {text:?}");
    assert!(!text.contains(PASSWORD), "{text}");
}

pub fn a_login_without_an_answer_ends_at_its_deadline() {
    let (ask, asked) = unbounded_channel();
    let url = serve(move |mut stream| {
        read_body(&mut stream)?;
        let _ = ask.send(());
        wait_for_end(&mut stream)
    });
    assert_refused(url, Some(asked), &["cannot open the index", "did not answer within 10 s"]);
}

pub fn a_statement_without_an_answer_ends_at_its_deadline() {
    for statement in ["SELECT number", "INSERT INTO part"] {
        let (ask, asked) = unbounded_channel();
        let url = serve_until(statement, move |stream| {
            let _ = ask.send(());
            wait_for_end(stream)
        });
        assert_refused(url, Some(asked), &["the run index", "did not answer within 300 s"]);
    }
}

pub fn an_upload_that_is_broken_off_is_an_error() {
    assert_refused(serve_until("INSERT INTO part", |_| Ok(())), None, &["cannot write the run index"]);
}

/// Not what makes sqlx panic or wait: `docs/SECURITY.md`.
pub fn garbage_for_a_login_is_an_error() {
    let garbage: [Vec<u8>; 7] = [
        // The end of the connection.
        Vec::new(),
        vec![0xff; 4096],
        message(b'R', &99u32.to_be_bytes()),
        message(b'R', b"\0\0\0\x0aUNKNOWN\0\0"),
        message(b'Z', b"?"),
        message(b'S', b"no end"),
        message(b'E', b"Vsevere\0\0"),
    ];
    for bytes in garbage {
        let url = serve(move |mut stream| {
            read_body(&mut stream)?;
            stream.write_all(&bytes)
        });
        assert_refused(url, None, &["cannot open the index postgres://lab@127.0.0.1:"]);
    }
}

pub fn garbage_for_rows_is_an_error() {
    let garbage: [Vec<u8>; 3] = [
        message(b'D', b""),
        row(&[b"id", b"signature", b"complete", b""]),
        row(&[b"id", b"signature", b"complete", b"nine byte"]),
    ];
    for bytes in garbage {
        let url = serve_until("SELECT f.run", move |stream| {
            stream.write_all(&bytes)?;
            wait_for_end(stream)
        });
        assert_refused(url, None, &["cannot read the run index"]);
    }
}

/// `docs/store.md`: the parameter `sslmode` requires an encrypted connection.
pub fn no_password_leaves_without_the_encryption_that_was_required() {
    for mode in ["require", "verify-ca", "verify-full"] {
        for offer in [b"N".as_slice(), b"S not TLS", b"?"] {
            let (tell, told) = mpsc::channel();
            let url = serve(move |mut stream| {
                let mut taken = vec![0; 8];
                stream.read_exact(&mut taken)?;
                // Asks for the password.
                stream.write_all(&[offer, &message(b'R', &3u32.to_be_bytes())].concat())?;
                // The end may be a reset.
                let _ = stream.read_to_end(&mut taken);
                let _ = tell.send(taken);
                Ok(())
            });
            let url = url.replace("sslmode=disable", &format!("sslmode={mode}"));
            assert_refused(url, None, &["cannot open the index"]);
            let taken = told.recv_timeout(WAIT_TIMEOUT).unwrap();
            // SSLRequest.
            assert_eq!(taken[..8], [0, 0, 0, 8, 4, 210, 22, 47]);
            let leaks = taken.windows(PASSWORD.len()).any(|part| part == PASSWORD.as_bytes());
            assert!(!leaks, "{mode}: the password was sent");
            assert!(offer.starts_with(b"S") || taken.len() == 8, "{mode}: {taken:?}");
        }
    }
}
