//! Ctrl-C: the first interrupts the trial and keeps its data, the second ends the program.
//!
//! Signals are blocked in every thread and one thread waits for them, so nothing polls. Call before any other
//! thread starts, and never before `exec`.

use crate::exit::ExitStatus;
use nix::sys::signal::{SigSet, Signal};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Calls `first` at the first SIGINT or SIGTERM; ends the program at the second.
pub fn install_signal_handler(first: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
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
                None => std::process::exit(ExitStatus::Interrupted.code().into()),
            }
        }
    })?;
    Ok(())
}

pub fn is_interrupted() -> bool {
    ASKED.load(Ordering::Relaxed)
}
