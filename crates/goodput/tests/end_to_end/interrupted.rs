//! Ctrl-C ends a trial early and keeps its data.

use crate::stage::{Home, number};
use crate::{CommandOutput, must};
use std::time::Duration;

pub fn once() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let line = format!("stream 127.0.0.1 {} --time 30s --warm-up 100ms --json", agent.ports());
    let client = home.start(line.split_whitespace());
    std::thread::sleep(Duration::from_millis(1500));
    client.signal("INT");
    let ran = client.end();
    must!(ran.took < Duration::from_secs(5), "took {:?}", ran.took);
    let document = ran.ended(130)?.json()?;
    must!(document["outcome"] == "partial", "{document}");
    must!(document["error"]["exit_code"] == 130, "{document}");
    must!(number(&document, "/bytes")? > 0, "{document}");
    let line = format!("stream 127.0.0.1 {} --time 200ms --warm-up 0s --json", agent.ports());
    home.line(&line).ended(0)?;
    Ok(())
}
