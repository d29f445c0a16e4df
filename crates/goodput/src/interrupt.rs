//! Ctrl-C: the first asks the trial under way to end and keeps what it measured, the second ends at once.
//!
//! The signals are blocked in every thread and taken by one that waits for them, so that nothing polls while
//! something is measured. Must therefore be called before any other thread starts, and never before `exec`.

use crate::exit::Exit;
use nix::sys::signal::{SigSet, Signal};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Calls `first` at the first SIGINT or SIGTERM; ends the program at the second.
pub fn watch(first: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let mut set = SigSet::empty();
    set.add(Signal::SIGINT);
    set.add(Signal::SIGTERM);
    set.thread_block()?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        let mut first = Some(first);
        while set.wait().is_ok() {
            match first.take() {
                Some(first) => {
                    ASKED.store(true, Ordering::Relaxed);
                    first();
                }
                None => std::process::exit(Exit::Interrupted.code().into()),
            }
        }
    })?;
    Ok(())
}

/// True once the user has asked to end.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
