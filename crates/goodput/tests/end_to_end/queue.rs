//! Exclusive leases on an agent: other clients learn their position at once and run in turn.

use crate::stage::{Home, finding, list, number};
use crate::{CommandOutput, must};

const CLIENTS: usize = 8;
const ANSWER_MS: u64 = 100;

/// Milliseconds of "answered after N ms" in the first line about the queue.
fn answered_ms(stderr: &str) -> Option<u64> {
    let (_, rest) = stderr.split_once("answered after ")?;
    rest.split_whitespace().next()?.parse().ok()
}

pub fn eight_in_turn() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let line = agent.probe("stream", "--time 300ms --warm-up 50ms --label client=x");
    let clients: Vec<_> = (0..CLIENTS).map(|_| home.start_line(&line)).collect();
    let (mut waited, mut answered) = (0, Vec::new());
    for client in clients {
        let ran = client.end();
        must!([0, 1].contains(&ran.code()), "{:?} {}", ran.status, ran.stderr);
        answered.extend(answered_ms(&ran.stderr));
        if ran.stderr.contains("waiting for ") {
            waited += 1;
            must!(ran.stderr.contains("place "), "{}", ran.stderr);
        }
    }
    // The answer does not wait for the turn; tests of goodput-control check its time.
    must!(answered.iter().any(|ms| *ms < ANSWER_MS), "answered after {answered:?} ms");
    must!(waited >= CLIENTS / 2, "only {waited} of {CLIENTS} had to wait");
    let runs = home.json("list")?;
    must!(list(&runs["runs"]).len() == CLIENTS, "{runs}");
    for run in list(&runs["runs"]) {
        let shown = home.run(["show", run["run"].as_str().unwrap_or(""), "--json"]).measured()?;
        must!(shown["outcome"] == "complete", "{shown}");
        must!(finding(&shown, "shared-run").is_none(), "{shown}");
    }
    Ok(())
}

pub fn together() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let line = agent.probe("stream", "--time 3s --warm-up 50ms --shared --json");
    let clients: Vec<_> = (0..3).map(|_| home.start_line(&line)).collect();
    for client in clients {
        let ran = client.end();
        must!(ran.took.as_millis() < 9000, "took {:?}: one after the other", ran.took);
        let result = ran.measured()?;
        must!(number(&result, "/bytes")? > 0, "{result}");
        must!(result["findings"].to_string().contains("shared-run"), "{}", result["findings"]);
    }
    Ok(())
}
