//! Tests between two servers ordered by a third host, with every probe.

use crate::stage::Home;
use crate::{CommandOutput, must};

pub fn every_kind() -> CommandOutput {
    let home = Home::new();
    let (one, other) = (home.agent(&["--name", "one"])?, home.agent(&["--name", "other"])?);
    for probe in [
        "stream --time 200ms --direction both --connections 2 --warm-up 50ms",
        "stream --time 200ms --warm-up 50ms --congestion cubic --no-delay --rate 1Gbit --send-buffer 64KiB",
        "request --time 200ms --warm-up 50ms",
        "request --time 200ms --warm-up 50ms --kind udp_rr --size 64,1KiB",
        "request --time 200ms --warm-up 50ms --kind tcp_crr",
        "request --time 200ms --warm-up 50ms --outstanding 8 --spin",
        "latency --load both --connections 1 --time 200ms --warm-up 50ms",
        "mtu --largest 9000 --tries 5",
        "pingpong --largest 64 --cap 5ms",
        "pingpong --largest 1KiB --perturbation 0 --cap 5ms --streaming",
        "pingpong --largest 1KiB --perturbation 0 --cap 5ms --two-way --integrity",
        "pingpong --largest 64 --compat --reset --repeats 3",
        "pingpong --largest 4KiB --perturbation 0 --cap 5ms --cold",
    ] {
        let line = format!("{probe} 127.0.0.1:{} --from 127.0.0.1:{} --no-save --json", other.port, one.port);
        let result = home.line(&line).measured()?;
        must!(result["outcome"] == "complete", "{line}: {result}");
        must!(result["run"].is_null(), "{line}: {result}");
        must!(result["hosts"].as_array().map(Vec::len) == Some(2), "{line}: {result}");
    }
    Ok(())
}
