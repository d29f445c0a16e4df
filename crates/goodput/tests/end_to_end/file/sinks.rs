//! An agent's sinks: null, memory, disk.

use super::canaries::Canaries;
use super::{line, place, trials};
use crate::stage::{Home, number};
use crate::{CommandOutput, must};

pub fn every_sink() -> CommandOutput {
    let home = Home::new();
    let served = Canaries::sing(&home, "served", 30)?;
    let agent = home.agent(&["--allow-dir", &served.word()])?;
    let disk = format!("disk={}", served.word());
    for (sink, count) in [("null", 2), ("memory", 4), (&disk, 4)] {
        let at = format!("127.0.0.1:{}:{sink}", agent.port);
        let words = format!("copy {at} --size 8MiB --repeat 1 --verify full");
        let (_, trials) = trials(line(&home, &words), count)?;
        for trial in &trials {
            must!(place(trial) == "sink" && number(trial, "/bytes")? == 8 << 20, "{trial}");
            must!(trial["file"]["verified"]["wrong"].as_u64().unwrap_or(0) == 0, "{trial}");
            let hosts = trial["hosts"].as_array().ok_or("no hosts")?;
            must!(hosts.iter().any(|h| h["role"] == "listen"), "the agent is not among {hosts:?}");
        }
        served.unharmed()?;
    }
    let at = format!("127.0.0.1:{}", agent.port);
    let words = format!("replay office {at} --net-only --clients 2 --time 500ms --warm-up 100ms");
    let (_, trials) = trials(line(&home, &words), 1)?;
    must!(trials[0]["probe"]["place"]["sink"]["kind"] == "net", "{}", trials[0]);
    must!(number(&trials[0], "/bytes")? > 0, "{}", trials[0]);
    Ok(())
}
