//! Returns unused memory to the system when the server is idle, often on a host that measures.
//!
//! glibc would keep tens of MiB: after one large free it raises its mmap threshold, and it has one heap per
//! thread. So the threshold is fixed, there are few heaps, and free pages are trimmed after work.

mod sys;

use crate::shutdown::ShutdownSignal;
use futures_util::future::select;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::time::timeout;

/// Idle time before trimming.
const REST: Duration = Duration::from_secs(5);
const LONGEST: Duration = Duration::from_secs(60);

/// Configures the allocator; call before other threads start.
pub(crate) fn configure_allocator() {
    sys::configure_allocator();
}

#[derive(Debug, Clone, Default)]
pub(crate) struct MemoryTrimmer(Arc<Notify>);

impl MemoryTrimmer {
    pub(crate) fn record_activity(&self) {
        self.0.notify_one();
    }

    pub(crate) async fn run(self, stopped: ShutdownSignal) {
        let giving = pin!(self.give());
        let end = pin!(stopped.wait());
        select(giving, end).await;
    }

    async fn give(&self) {
        loop {
            self.0.notified().await;
            let until = Instant::now() + LONGEST;
            while Instant::now() < until && timeout(REST, self.0.notified()).await.is_ok() {}
            // Trimming walks every heap, and its result does not matter.
            let _ = tokio::task::spawn_blocking(sys::trim_heap).await;
        }
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;
    use crate::metrics::ProcessMetrics;

    #[test]
    fn what_lies_free_between_blocks_in_use_is_given_back() {
        let resident = || ProcessMetrics::current().resident_bytes.unwrap();
        // 64 MiB in blocks below the mmap threshold; one of 64 stays.
        let mut blocks: Vec<Option<Box<[u8; 1024]>>> =
            (0..65_536).map(|_| Some(Box::new([7; 1024]))).collect();
        let full = resident();
        for (_, block) in blocks.iter_mut().enumerate().filter(|(i, _)| i % 64 != 0) {
            *block = None;
        }
        sys::trim_heap();
        let left = resident();
        assert!(full - left > 32.0 * 1024.0 * 1024.0, "{full} bytes, then {left}");
        assert_eq!(blocks.iter().flatten().filter(|block| block.iter().all(|b| *b == 7)).count(), 1024);
    }
}
