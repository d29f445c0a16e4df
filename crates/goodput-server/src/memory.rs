//! Gives back the memory that work has needed, once it rests: a server is idle most of its days, often on a host that
//! measures.
//!
//! The C library keeps what was freed for whoever asks next, and left alone that may be tens of MiB: a freed block of
//! a million samples makes it map no such block by itself any more, nearly each thread has a heap of its own, and of a
//! heap it gives back nothing but its end. So large blocks are always mapped by themselves, and gone when they are
//! freed; there are few heaps; and what lies free within them is given back after work.

mod sys;

use crate::stop::Stopped;
use futures_util::future::select;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::time::timeout;

/// Work rests when there was none for so long: its answers have been sent by then.
const REST: Duration = Duration::from_secs(5);
/// Where work never rests, memory is given back this often all the same.
const LONGEST: Duration = Duration::from_secs(60);

/// Sets the allocator up for a server; best before there are other threads.
pub(crate) fn settle() {
    sys::settle();
}

/// What work leaves behind, and when it is given back. A clone is the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Leftovers(Arc<Notify>);

impl Leftovers {
    pub(crate) fn worked(&self) {
        self.0.notify_one();
    }

    /// Gives back after work until the server ends.
    pub(crate) async fn run(self, stopped: Stopped) {
        let giving = pin!(self.give());
        let end = pin!(stopped.wait());
        select(giving, end).await;
    }

    async fn give(&self) {
        loop {
            self.0.notified().await;
            let until = Instant::now() + LONGEST;
            while Instant::now() < until && timeout(REST, self.0.notified()).await.is_ok() {}
            // It goes through every heap, and nobody waits for it. There is nothing to be learnt from how it ends.
            let _ = tokio::task::spawn_blocking(sys::give_back).await;
        }
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;
    use crate::metrics::Process;

    #[test]
    fn what_lies_free_between_blocks_in_use_is_given_back() {
        let resident = || Process::now().resident_bytes.unwrap();
        // 64 MiB in blocks too small to be mapped by themselves; then one of 64 stays.
        let mut blocks: Vec<Option<Box<[u8; 1024]>>> =
            (0..65_536).map(|_| Some(Box::new([7; 1024]))).collect();
        let full = resident();
        for (_, block) in blocks.iter_mut().enumerate().filter(|(i, _)| i % 64 != 0) {
            *block = None;
        }
        sys::give_back();
        let left = resident();
        assert!(full - left > 32.0 * 1024.0 * 1024.0, "{full} bytes, then {left}");
        assert_eq!(blocks.iter().flatten().filter(|block| block.iter().all(|b| *b == 7)).count(), 1024);
    }
}
