//! What the tests of several crates share. Not part of the program.

#![allow(missing_docs, clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

#[cfg(feature = "agent")]
mod agent;
mod child_test;
pub mod csma_cd;
pub mod databases;
pub mod postgres;
mod stored_test_runs;

#[cfg(feature = "agent")]
pub use agent::{loopback_address, start_agent, start_configured_agent};
pub use child_test::ChildTest;
pub use stored_test_runs::{TrialCollector, repository_path, stored_run_path};

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any wait, also on a busy machine.
pub const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// A recently free port of 127.0.0.1, different each time.
pub fn find_free_port() -> u16 {
    static GIVEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    loop {
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        if GIVEN.lock().unwrap_or_else(PoisonError::into_inner).insert(port) {
            return port;
        }
    }
}

/// Polls until true and returns the time; panics after [`TIMEOUT`].
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) -> Duration {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < WAIT_TIMEOUT, "{what}: not within {WAIT_TIMEOUT:?}");
        thread::sleep(Duration::from_millis(5));
    }
    began.elapsed()
}

/// Repeats until one attempt is within the limit, because other load only adds time.
#[track_caller]
pub fn assert_fastest_attempt_within(
    attempts: usize,
    limit: Duration,
    mut attempt: impl FnMut() -> Duration,
) {
    let mut took = Vec::new();
    for _ in 0..attempts {
        took.push(attempt());
        if took.last() < Some(&limit) {
            return;
        }
    }
    panic!("none of {attempts} attempts took less than {limit:?}: {took:?}");
}

pub fn is_empty_folder(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

/// Fails the test with the values found.
#[macro_export]
macro_rules! must {
    ($what:expr, $($found:tt)+) => {
        let holds: bool = $what;
        if !holds {
            return Err(format!("{}: {}", stringify!($what), format!($($found)+)).into());
        }
    };
}

/// Panicking functions as tests without the standard harness. The compiler reports unlisted ones as unused.
#[macro_export]
macro_rules! tests {
    ($($module:ident::$test:ident),* $(,)?) => {
        vec![$(::libtest_mimic::Trial::test(concat!(stringify!($module), "::", stringify!($test)), || {
            $module::$test();
            Ok(())
        })),*]
    };
}
