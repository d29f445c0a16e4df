//! Runs futures without own threads: the waiting caller drives them, so CPU time is attributed to it.

use crate::operation_error::OperationError;
use std::future::{Future, poll_fn};
use std::task::Poll;
use std::time::Duration;

pub(crate) struct TokioRuntime(Option<tokio::runtime::Runtime>);

impl TokioRuntime {
    pub(crate) fn new() -> Result<TokioRuntime, OperationError> {
        let made = tokio::runtime::Builder::new_current_thread().enable_all().build();
        made.map(|runtime| TokioRuntime(Some(runtime)))
            .map_err(|error| OperationError::from_socket_error(&error))
    }

    /// Fails with [`crate::FileErrorKind::Gone`] after `patience`.
    pub(crate) fn block_on_with_timeout<T>(
        &self,
        patience: Duration,
        work: impl Future<Output = T>,
    ) -> Result<T, OperationError> {
        let timed = self.block_on(async { tokio::time::timeout(patience, work).await });
        timed.map_err(|_| OperationError::connection_lost("the server did not answer in time"))
    }

    /// Polls `work` once; returns its result if it is complete.
    pub(crate) fn poll_once<T>(&self, work: &mut (impl Future<Output = T> + Unpin)) -> Option<T> {
        self.block_on(async {
            let begun = poll_fn(|context| {
                Poll::Ready(match std::pin::Pin::new(&mut *work).poll(context) {
                    Poll::Ready(done) => Some(done),
                    Poll::Pending => None,
                })
            });
            begun.await
        })
    }

    #[expect(clippy::unreachable, reason = "it is taken only when dropped")]
    fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        match &self.0 {
            Some(runtime) => runtime.block_on(work),
            None => unreachable!("a runtime is taken only when it is dropped"),
        }
    }
}

impl Drop for TokioRuntime {
    /// Does not wait, so a share may be dropped anywhere.
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileErrorKind;

    #[test]
    fn work_that_never_ends_is_given_up_and_work_that_was_begun_goes_on() {
        let (runtime, long) = (TokioRuntime::new().unwrap(), Duration::from_secs(60));
        let endless = std::future::pending::<()>();
        let given_up = runtime.block_on_with_timeout(Duration::from_millis(20), endless).unwrap_err();
        assert_eq!(given_up.trouble, FileErrorKind::Gone);
        let mut work = Box::pin(async {
            tokio::task::yield_now().await;
            7
        });
        assert_eq!(runtime.poll_once(&mut work), None);
        assert_eq!(runtime.block_on_with_timeout(long, work).unwrap(), 7);
    }
}
