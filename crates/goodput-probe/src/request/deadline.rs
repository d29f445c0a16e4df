//! A transaction's deadline, kept by a thread that does not measure: SO_RCVTIMEO sets a timer at every wait,
//! 1 % of a local round trip. Instead, the connection is shut down after too long without progress.

use crate::ProbeError;
use crate::link::ProbeConnection;
use goodput_model::Nanos;
use goodput_model::probe::{Request, RequestKind, WaitMode};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) struct TransactionDeadline {
    /// False where the socket's own timeout is kept: spinning, another socket, or other supervision.
    ours: bool,
    limit: Nanos,
    exhausted: AtomicBool,
}

pub(super) struct DeadlineWatch<'a> {
    patience: &'a TransactionDeadline,
    operations: u64,
    since_ns: Option<u64>,
}

impl TransactionDeadline {
    pub fn new(settings: &Request, limit: Nanos) -> TransactionDeadline {
        let one_at_a_time = settings.rate.is_none() && settings.outstanding == 1;
        let ours =
            settings.transport == RequestKind::TcpRr && settings.wait == WaitMode::Sleep && one_at_a_time;
        TransactionDeadline { ours, limit, exhausted: AtomicBool::new(false) }
    }

    pub fn start_watch(&self) -> DeadlineWatch<'_> {
        DeadlineWatch { patience: self, operations: 0, since_ns: None }
    }

    /// Removes the socket's timeout; if that fails it stays, at its cost.
    pub fn disable_socket_timeout(&self, stream: &TcpStream) {
        if self.ours {
            let _ = stream.set_read_timeout(None);
        }
    }

    /// Restores the socket's timeout; a connection shut down for silence has missed its deadline.
    pub fn restore_socket_timeout(
        &self,
        link: &ProbeConnection,
        result: Result<(), ProbeError>,
    ) -> Result<(), ProbeError> {
        if self.ours {
            let _ = link.stream.set_read_timeout(Some(self.limit.to_duration()));
        }
        match self.exhausted.load(Ordering::Acquire) {
            true => Err(link.convert_io_error("the next transaction", ErrorKind::TimedOut.into())),
            false => result,
        }
    }
}

impl DeadlineWatch<'_> {
    /// True once nothing has completed for too long.
    pub fn is_exceeded(&mut self, operations: u64, now_ns: u64) -> bool {
        if !self.patience.ours {
            return false;
        }
        let since = *self.since_ns.get_or_insert(now_ns);
        if operations != self.operations {
            (self.operations, self.since_ns) = (operations, Some(now_ns));
            return false;
        }
        let over = now_ns.saturating_sub(since) >= self.patience.limit.0;
        if over {
            self.patience.exhausted.store(true, Ordering::Release);
        }
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_counted_from_the_last_operation() {
        let patience = TransactionDeadline::new(&Request::default(), Nanos(100));
        let mut watch = patience.start_watch();
        assert!(!watch.is_exceeded(0, 1_000));
        assert!(!watch.is_exceeded(0, 1_099));
        assert!(!watch.is_exceeded(5, 1_150), "something came");
        assert!(!watch.is_exceeded(5, 1_249));
        assert!(!patience.exhausted.load(Ordering::Acquire));
        assert!(watch.is_exceeded(5, 1_250));
        assert!(patience.exhausted.load(Ordering::Acquire));
    }
}
