//! Pushes metrics to an OpenTelemetry collector (OTLP over HTTP) at an interval.
//!
//! A failure is logged once, and so is recovery. Lost pushes are not repeated: the next one has current
//! values, and counters are cumulative.

use super::otlp;
use crate::schedule::webhook::{HttpTarget, HttpTargetError, WebhookClient};
use crate::shutdown::ShutdownSignal;
use std::time::Duration;

/// OTLP 1.10, "OTLP/HTTP Request".
const PATH: &str = "/v1/metrics";

/// Bytes of an answer that are read; a partial success is shorter.
const LONGEST_ANSWER: usize = 64 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtlpExporter {
    target: HttpTarget,
    every: Duration,
}

impl OtlpExporter {
    /// `http://HOST:4318` or a full URL with path. Unlike a webhook it may be on loopback, since the person
    /// who starts the server names it.
    pub fn new(url: &str, every: Duration) -> Result<OtlpExporter, HttpTargetError> {
        Ok(OtlpExporter { target: HttpTarget::parse(&whole(url))?, every })
    }

    /// Pushes at once and then at the interval, until the server ends. `say` logs failures.
    pub(crate) async fn run(
        self,
        body: impl Fn() -> Vec<u8> + Send + Sync,
        say: impl Fn(&str) + Send + Sync,
        stopped: ShutdownSignal,
    ) {
        stopped.run_until_shutdown(self.push(&WebhookClient::new(true), &body, &say)).await;
    }

    async fn push(
        &self,
        poster: &WebhookClient,
        body: &(impl Fn() -> Vec<u8> + Sync),
        say: &(impl Fn(&str) + Sync),
    ) {
        // Without the path, which may be secret.
        let shown = self.target.redacted_url();
        let mut fails = false;
        loop {
            let failed = match poster.post_for_answer(&self.target, body(), LONGEST_ANSWER).await {
                Ok((_, answer)) => otlp::rejection(&answer),
                Err(e) => Some(e.to_string()),
            };
            match &failed {
                Some(why) if !fails => {
                    let again = self.every.as_secs_f64();
                    say(&format!("metrics are not taken by {shown}: {why}; tried again every {again} s"));
                }
                None if fails => say(&format!("metrics are taken again by {shown}")),
                _ => {}
            }
            fails = failed.is_some();
            tokio::time::sleep(self.every).await;
        }
    }
}

/// A URL with a query is used unchanged.
fn whole(url: &str) -> String {
    let base = url.trim().trim_end_matches('/');
    if base.contains('?') || base.ends_with(PATH) { base.to_string() } else { format!("{base}{PATH}") }
}

#[cfg(test)]
mod hostile_receiver_tests;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shutdown::shutdown_channel;
    use crate::tests::{receiver, soon, until};
    use std::sync::{Arc, Mutex};

    #[tokio::test]
    async fn what_goes_wrong_is_said_once_and_tried_again() {
        let answers = ["503 Service Unavailable", "404 Not Found", "200 OK", "200 OK"];
        let (addr, mut taken) = receiver(&answers).await;
        let address = format!("http://{addr}");
        let said = Arc::new(Mutex::new(Vec::<String>::new()));
        let (keep, (stop, stopped)) = (said.clone(), shutdown_channel());
        let count = Arc::new(Mutex::new(0));
        let body = move || {
            let mut count = count.lock().unwrap();
            *count += 1;
            format!("{{\"push\":{count}}}").into_bytes()
        };
        let otlp = OtlpExporter::new(&address, Duration::from_millis(5)).unwrap();
        let say = move |sentence: &str| keep.lock().unwrap().push(sentence.to_string());
        let pushing = tokio::spawn(otlp.run(body, say, stopped));
        for n in 1..=4 {
            let request = soon(taken.recv()).await.unwrap();
            let head = request.to_ascii_lowercase();
            assert!(head.starts_with("post /v1/metrics http/1.1\r\n"), "{head}");
            // Each push is made anew.
            assert!(request.ends_with(&format!("\r\n\r\n{{\"push\":{n}}}")), "{request}");
        }
        until(|| said.lock().unwrap().len() == 3).await;
        stop.trigger();
        soon(pushing).await.unwrap();
        let said = said.lock().unwrap().clone();
        assert!(said[0].contains("503") && said[0].contains("tried again every 0.005 s"), "{said:?}");
        assert_eq!(said[1], format!("metrics are taken again by {address}/…"));
        assert!(said[2].starts_with("metrics are not taken by "), "{said:?}");
    }
}
