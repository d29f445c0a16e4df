//! What tests of several modules share.

use crate::command_line_program::{CheckedCommand, CommandLineProgram, CommandRefusal};
use crate::forms::{Form, JobPermission};
use crate::schedule::alert::AlertMetricValue;
use crate::schedule::api_documents::ScheduleRequest;
use crate::schedule::recurrence::ScheduleRecurrence;
use goodput_model::RunId;
use goodput_model::event_line::EventLine;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(crate) async fn soon<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), work).await.expect("it never came")
}

pub(crate) async fn until(mut holds: impl FnMut() -> bool) {
    soon(async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

/// Hourly without jitter.
pub(crate) fn schedule_order() -> ScheduleRequest {
    ScheduleRequest {
        name: "nightly".into(),
        line: vec!["stream".into(), "10.0.0.2".into()],
        when: ScheduleRecurrence::Every { seconds: 3600 },
        jitter_seconds: Some(0),
        enabled: true,
        alerts: Vec::new(),
        webhook: None,
    }
}

pub(crate) fn reading(name: &str, value: f64, unit: &str) -> AlertMetricValue {
    AlertMetricValue { name: name.into(), value, unit: unit.into(), text: format!("{value} {unit}") }
}
pub(crate) async fn receiver(answers: &[&str]) -> (SocketAddr, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    let (keep, taken) = unbounded_channel();
    let answers: Vec<String> = answers.iter().map(|answer| format!("HTTP/1.1 {answer}\r\n\r\n")).collect();
    tokio::spawn(async move {
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let (mut text, mut part) = (String::new(), [0; 4096]);
            while body(&text).is_none() {
                let n = stream.read(&mut part).await.unwrap();
                assert!(n > 0, "it ended after {text:?}");
                text.push_str(std::str::from_utf8(&part[..n]).unwrap());
            }
            let _ = keep.send(text);
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    (addr, taken)
}

pub(crate) fn body(request: &str) -> Option<Value> {
    request.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str(body).ok())
}

pub(crate) fn live(run: RunId, done: Option<f64>, elapsed_ns: Option<u64>) -> EventLine {
    let line = json!({
        "event": "live", "run": run, "trial": 1, "at_ns": 1, "elapsed_ns": elapsed_ns, "done": done,
        "operations": 0, "operations_per_second": null, "flows": [], "hosts": [],
    });
    serde_json::from_value(line).unwrap()
}

pub(crate) struct FakeProgram(pub PathBuf);

impl CommandLineProgram for FakeProgram {
    fn version(&self) -> &str {
        "0"
    }

    fn executable(&self) -> &Path {
        &self.0
    }

    fn command_web_forms(&self) -> Vec<Form> {
        Vec::new()
    }

    fn check_command(&self, line: &[String]) -> Result<CheckedCommand, CommandRefusal> {
        let write = line.contains(&"--np-out".to_string()).then_some(JobPermission::Write);
        let input = match line {
            [word, ..] if word == "bad" => {
                return Err(CommandRefusal { error: "no".into(), cause: None, hint: None });
            }
            [word, file] if word == "checked" => std::fs::read_to_string(file).ok(),
            _ => None,
        };
        Ok(CheckedCommand { permissions: write.into_iter().collect(), input })
    }
}
