//! The shutdown signal of the server and its tasks.

use tokio::sync::watch;

#[derive(Debug)]
pub struct Stop(watch::Sender<bool>);

#[derive(Debug, Clone)]
pub struct Stopped(watch::Receiver<bool>);

/// Dropping a [`Stop`] stops too.
pub fn stop() -> (Stop, Stopped) {
    let (say, hear) = watch::channel(false);
    (Stop(say), Stopped(hear))
}

impl Stop {
    pub fn now(&self) {
        self.0.send_replace(true);
    }
}

impl Stopped {
    pub fn is(&self) -> bool {
        *self.0.borrow()
    }

    /// Event streams end then too, else they would delay the server's end.
    pub async fn wait(&self) {
        // A dropped sender means the end too.
        let _ = self.0.clone().wait_for(|stopped| *stopped).await;
    }
}
