//! Returns unused memory to the system when the server is idle, often on a host that measures.
//!
//! glibc would keep tens of MiB: after one large free it raises its mmap threshold, and it has one heap per
//! thread. So the threshold is fixed, there are few heaps, and free pages are trimmed after work.

mod sys;

use crate::shutdown::ShutdownSignal;
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
        stopped.run_until_shutdown(self.give()).await;
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
