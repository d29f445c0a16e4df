//! The end of the server: said once, heard by everything that would otherwise go on.

use tokio::sync::watch;

/// Says that the server is to end.
#[derive(Debug)]
pub struct Stop(watch::Sender<bool>);

#[derive(Debug, Clone)]
pub struct Stopped(watch::Receiver<bool>);

/// Both halves. A [`Stop`] that is dropped says it too.
pub fn stop() -> (Stop, Stopped) {
    let (say, hear) = watch::channel(false);
    (Stop(say), Stopped(hear))
}

impl Stop {
    /// Says it; from any thread, any number of times.
    pub fn now(&self) {
        self.0.send_replace(true);
    }
}

impl Stopped {
    /// True once it has been said.
    pub fn is(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns when it is said. A stream of events ends then, or it would hold the server open.
    pub async fn wait(&self) {
        // An error means that nobody can say it any more, which is the end too.
        let _ = self.0.clone().wait_for(|stopped| *stopped).await;
    }
}
