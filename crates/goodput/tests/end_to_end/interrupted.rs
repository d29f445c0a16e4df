//! Ctrl-C ends a trial early and keeps its data.

use crate::stage::{Home, number};
use crate::{CommandOutput, must};
use std::time::Duration;

pub fn once() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let client = home.start_line(&agent.probe("stream", "--time 30s --warm-up 100ms --json"));
    std::thread::sleep(Duration::from_millis(1500));
    client.signal("INT");
    let ran = client.end();
    must!(ran.took < Duration::from_secs(5), "took {:?}", ran.took);
    let document = ran.ended(130)?.json()?;
    must!(document["outcome"] == "partial", "{document}");
    must!(document["error"]["exit_code"] == 130, "{document}");
    must!(number(&document, "/bytes")? > 0, "{document}");
    home.line(&agent.probe("stream", "--time 200ms --warm-up 0s --json")).ended(0)?;
    Ok(())
}
