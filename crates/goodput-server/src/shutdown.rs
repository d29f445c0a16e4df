//! The shutdown signal of the server and its tasks.

use futures_util::future::select;
use std::pin::pin;
use tokio::sync::watch;

#[derive(Debug)]
pub struct ShutdownTrigger(watch::Sender<bool>);

#[derive(Debug, Clone)]
pub struct ShutdownSignal(watch::Receiver<bool>);

/// Dropping a [`ShutdownTrigger`] stops too.
pub fn shutdown_channel() -> (ShutdownTrigger, ShutdownSignal) {
    let (say, hear) = watch::channel(false);
    (ShutdownTrigger(say), ShutdownSignal(hear))
}

impl ShutdownTrigger {
    pub fn trigger(&self) {
        self.0.send_replace(true);
    }
}

impl ShutdownSignal {
    /// Event streams end then too, else they would delay the server's end.
    pub async fn wait(&self) {
        // A dropped sender means the end too.
        let _ = self.0.clone().wait_for(|stopped| *stopped).await;
    }

    /// Drops the task at the server's end.
    pub(crate) async fn run_until_shutdown(&self, task: impl Future<Output = ()>) {
        select(pin!(task), pin!(self.wait())).await;
    }
}
