//! A trial that stops by bytes delivers exactly so many, in each direction and over all connections.

use crate::stage::{Home, list, number};
use crate::{CommandOutput, must};

pub fn exact() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    for (bytes, more) in [
        (1_u64, ""),
        (1_000_003, "--size 1000"),
        (50_000_000, "--connections 3 --size 64KiB"),
        (7_777_777, "--direction receive"),
        (12_345_678, "--direction both --connections 2"),
    ] {
        let line = agent.probe("stream", &format!("--bytes {bytes} {more} --json"));
        // The smallest is too short for a rate: counted, with a finding.
        let ran = home.line(&line);
        let code = ran.code();
        must!(code == 0 || code == 1 && bytes < 10_000_000, "{line}: {code} {}", ran.stderr);
        let result = ran.json()?;
        let directions = list(&result["directions"]).len();
        must!(directions == if more.contains("both") { 2 } else { 1 }, "{line}: {result}");
        for i in 0..directions {
            let direction = &result["directions"][i];
            must!(direction["bytes"] == bytes && direction["total_bytes"] == bytes, "{line}: {result}");
        }
        if code == 0 {
            must!(number(&result, "/bytes")? == bytes * directions as u64, "{line}: {result}");
        }
    }
    let line = format!("stream 127.0.0.1 {} --count 100000 --size 777 --json", agent.ports());
    let result = home.line(&line).measured()?;
    must!(number(&result, "/bytes")? == 77_700_000, "{line}: {result}");
    Ok(())
}
