//! An asynchronous library's call as a blocking one: a runtime that lives as long as the call does, on the caller's
//! thread.

use std::future::Future;
use std::io;
use std::time::Duration;

/// Runs `work` to its end; `None` when that takes longer than `patience`. What it spawned ends with it.
///
/// # Errors
/// When the system gives no runtime (no file descriptors left, for example).
pub(crate) fn run<T>(patience: Duration, work: impl Future<Output = T>) -> io::Result<Option<T>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(async { tokio::time::timeout(patience, work).await.ok() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_never_ends_is_given_up() {
        assert_eq!(run(Duration::from_secs(60), async { 7 }).expect("a runtime"), Some(7));
        let endless = std::future::pending::<()>();
        assert_eq!(run(Duration::from_millis(20), endless).expect("a runtime"), None);
    }
}
