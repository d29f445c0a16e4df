//! Ctrl-C: the first interrupts the trial and keeps its data, the second ends the program.
//!
//! Signals are blocked in every thread and one thread waits for them, so nothing polls. Call before any other
//! thread starts, and never before `exec`.

use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure};
use goodput_control::CancelFlag;
use nix::sys::signal::{SigSet, Signal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Calls `first` at the first SIGINT or SIGTERM; ends the program at the second.
pub fn install_signal_handler(first: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    wait_for_signals(first).or_failure(ExitStatus::CannotMeasure, "cannot wait for signals")
}

/// Set at the first signal.
pub fn create_signal_cancel_flag() -> Result<CancelFlag, Failure> {
    let cancel = CancelFlag::default();
    let on_signal = cancel.clone();
    install_signal_handler(move || on_signal.cancel())?;
    Ok(cancel)
}

/// Receives something at the first signal, or when the signal thread has ended.
pub fn signal_channel() -> Result<Receiver<()>, Failure> {
    let (end, ended) = channel();
    install_signal_handler(move || _ = end.send(()))?;
    Ok(ended)
}

fn wait_for_signals(first: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let set = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM]);
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
