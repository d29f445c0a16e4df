//! File work: copies, drive marks and mixes in a folder, on a share, at an agent. Every test checks that
//! foreign files in the folder remain unchanged.

mod canaries;
mod clean;
mod clock;
mod folder;
mod server;
mod share;
mod sinks;
mod words;

pub use clean::{interrupted, killed, only_ours};
pub use clock::{another_clock, why_no_clock};
pub use folder::{copied, marked, replayed};
pub use server::{Server, Shared};
pub use share::{copied_with_verdict, server_killed, why_no_samba};
pub use sinks::every_sink;
pub use words::{json_everywhere, refused};

use crate::must;
use crate::stage::{Home, ProcessRun};
use libtest_mimic::Failed;
use serde_json::Value;

fn trials(ran: ProcessRun, count: usize) -> Result<(Value, Vec<Value>), Failed> {
    let document = ran.measured()?;
    let trials = document["trials"].as_array().cloned().unwrap_or_else(|| vec![document.clone()]);
    must!(trials.len() == count, "{} trials instead of {count}: {document}", trials.len());
    for trial in &trials {
        must!(trial["outcome"] == "complete", "{trial}");
    }
    Ok((document, trials))
}

fn work(trial: &Value) -> &Value {
    trial.pointer("/probe/work").unwrap_or(&Value::Null)
}

fn place(trial: &Value) -> &str {
    trial.pointer("/probe/place/kind").and_then(Value::as_str).unwrap_or("")
}

/// A refusal with this code, these words in its error, and a hint.
fn refusal(ran: ProcessRun, code: i32, words: &[&str]) -> Result<Value, Failed> {
    let document = ran.ended(code)?.json()?;
    let error = document["error"].to_string();
    for word in words {
        must!(error.contains(word), "no {word:?} in {error}");
    }
    must!(document["error"]["hint"].as_str().is_some_and(|h| !h.is_empty()), "{error}");
    Ok(document)
}

fn line(home: &Home, words: &str) -> ProcessRun {
    home.line(&format!("file {words} --json"))
}
