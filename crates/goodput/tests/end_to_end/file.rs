//! File work: copies, drive marks and mixes in a folder, on a share, at an agent. Every test checks that
//! foreign files in the folder remain unchanged.

mod canaries;
mod clean;
mod folder;
mod share;

use crate::stage::*;
pub use canaries::files_below;
pub use clean::{interrupted, killed, only_ours};
pub use folder::{another_clock, json_everywhere, marked, replayed, why_no_clock};
pub use share::{Server, copied_with_verdict, server_killed, why_no_samba};

fn trials(ran: ProcessRun, count: usize) -> Result<(Value, Vec<Value>), Failed> {
    let document = ran.measured()?;
    let trials = document["trials"].as_array().cloned().unwrap_or_else(|| vec![document.clone()]);
    must!(trials.len() == count, "{} trials instead of {count}: {document}", trials.len());
    must!(trials.iter().all(|trial| trial["outcome"] == "complete"), "{document}");
    Ok((document, trials))
}

fn work(trial: &Value) -> &Value {
    trial.pointer("/probe/work").unwrap_or(&Value::Null)
}

fn place(trial: &Value) -> &str {
    trial.pointer("/probe/place/kind").and_then(Value::as_str).unwrap_or("")
}

fn line(home: &Home, words: &str) -> ProcessRun {
    home.line(&format!("file {words} --json"))
}
