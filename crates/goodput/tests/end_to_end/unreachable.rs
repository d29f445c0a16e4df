//! An unreachable host is an error within its deadline, with exit code 3.

use crate::stage::{Home, ProcessRun, free_port};
use crate::{CommandOutput, must};
use std::time::Duration;

/// Time for the program's start and a slow machine.
const SLACK: Duration = Duration::from_millis(2500);

fn refused(ran: ProcessRun, within: Duration, words: &[&str]) -> CommandOutput {
    let took = ran.took;
    let ran = ran.ended(3)?;
    must!(took < within + SLACK, "took {took:?}");
    let document = ran.json()?;
    must!(document["error"]["exit_code"] == 3, "{document}");
    must!(document["error"]["hint"].is_string(), "{document}");
    let text = document["error"].to_string().to_lowercase();
    for word in words {
        must!(text.contains(word), "no {word:?} in {text}");
    }
    Ok(())
}

pub fn port_closed() -> CommandOutput {
    let line = format!("stream 127.0.0.1 --port {} --json", free_port());
    refused(Home::new().line(&line), Duration::from_secs(1), &["refuses", "goodput agent"])
}

pub fn unknown_name() -> CommandOutput {
    let line = "stream no-such-host.invalid --deadline 5s --json";
    refused(Home::new().line(line), Duration::from_secs(5), &["no-such-host.invalid"])
}
