//! Work on files: copies, drive marks and mixes; in a folder, on a share, at an agent; and what goes wrong with them.
//!
//! Every story works in a folder that holds canaries: files of somebody else's, compared byte for byte afterwards.

mod canaries;
mod clean;
mod clock;
mod folder;
mod server;
mod share;
mod sinks;
mod words;
mod wrong;

pub use clean::{interrupted, killed, only_ours};
pub use clock::{another_clock, why_no_clock};
pub use folder::{copied, marked, read_back, replayed};
// The long proofs of a lab with disks and shares of CPUs play on the same server.
pub use server::{Server, Shared};
pub use share::{
    copied_with_verdict, full, many_clients, read_only, server_killed, three_ways, why_no_samba,
    wrong_password,
};
pub use sinks::{every_sink, not_allowed};
pub use words::{json_everywhere, refused};
pub use wrong::{file_vanishes, no_room, not_a_folder};

use crate::must;
use crate::stage::{Home, Ran};
use libtest_mimic::Failed;
use serde_json::Value;

/// The trials of a document, of which there must be so many, all complete.
fn trials(ran: Ran, count: usize) -> Result<(Value, Vec<Value>), Failed> {
    let document = ran.measured()?;
    let trials = match document["trials"].as_array() {
        Some(trials) => trials.clone(),
        None => vec![document.clone()],
    };
    must!(trials.len() == count, "{} trials instead of {count}: {document}", trials.len());
    for trial in &trials {
        must!(trial["outcome"] == "complete", "{trial}");
    }
    Ok((document, trials))
}

/// The work of a trial: `copy`, `row` or `mix`, with its settings.
fn work(trial: &Value) -> &Value {
    trial.pointer("/probe/work").unwrap_or(&Value::Null)
}

fn place(trial: &Value) -> &str {
    trial.pointer("/probe/place/kind").and_then(Value::as_str).unwrap_or("")
}

/// A refusal: this code, an error that holds these words, and something to try.
fn refusal(ran: Ran, code: i32, words: &[&str]) -> Result<Value, Failed> {
    let document = ran.ended(code)?.json()?;
    let error = document["error"].to_string();
    for word in words {
        must!(error.contains(word), "no {word:?} in {error}");
    }
    must!(document["error"]["hint"].as_str().is_some_and(|h| !h.is_empty()), "{error}");
    Ok(document)
}

/// Runs one line of `goodput file` with `--json`.
fn line(home: &Home, words: &str) -> Ran {
    home.line(&format!("file {words} --json"))
}
