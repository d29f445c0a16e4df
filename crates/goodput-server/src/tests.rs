//! What tests of several modules share.

use crate::forms::{Form, Leave};
use crate::program_interface::{ProgramInterface, Refusal};
use goodput_model::event_line::{EventLine, LiveProgressLine};
use goodput_model::{RunId, TrialId};
use serde_json::Value;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Takes a request with a JSON body for each of the answers.
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
    EventLine::Live(LiveProgressLine {
        run: Some(run),
        trial: TrialId(1),
        at_ns: 1,
        elapsed_ns,
        done,
        operations: 0,
        operations_per_second: None,
        flows: Vec::new(),
        hosts: Vec::new(),
    })
}

pub(crate) struct FakeProgram(pub PathBuf);

impl ProgramInterface for FakeProgram {
    fn version(&self) -> &str {
        "0"
    }

    fn executable(&self) -> &Path {
        &self.0
    }

    fn command_forms(&self) -> Vec<Form> {
        Vec::new()
    }

    fn check_command(&self, line: &[String]) -> Result<Vec<Leave>, Refusal> {
        match line.first().map(String::as_str) {
            Some("bad") => Err(Refusal { error: "no".into(), cause: None, hint: None }),
            _ if line.contains(&"--np-out".to_string()) => Ok(vec![Leave::Write]),
            _ => Ok(Vec::new()),
        }
    }
}
