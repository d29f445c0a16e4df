//! An end that is killed midway: the other reports it within its deadline, and data is saved.

use crate::stage::Home;
use crate::{CommandOutput, must};
use std::time::Duration;

pub fn killed() -> CommandOutput {
    for probe in ["stream", "stream --direction receive", "request", "pingpong"] {
        let home = Home::new();
        let agent = home.agent(&[])?;
        let time = if probe.starts_with("pingpong") { "" } else { "--time 20s --warm-up 100ms" };
        let client = home.start_line(&agent.probe(probe, &format!("{time} --deadline 2s --json")));
        std::thread::sleep(Duration::from_millis(1500));
        agent.signal("KILL");
        let ran = client.end();
        must!(ran.took < Duration::from_secs(8), "{probe}: took {:?}", ran.took);
        let ran = ran.ended(5)?;
        let document = ran.json()?;
        must!(document["outcome"] == "partial", "{probe}: {document}");
        must!(document["error"]["exit_code"] == 5, "{probe}: {document}");
        let run = document["run"].as_str().ok_or("the run has no name")?.to_string();
        let shown = home.run(["show", &run, "--json"]).measured()?;
        must!(shown["outcome"] == "partial", "{probe}: {shown}");
    }
    Ok(())
}
