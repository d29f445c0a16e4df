//! Lost confirmations: each probe that opens UDP still begins.

use crate::stage::{Home, Lab};
use crate::{CommandOutput, must};

/// Drops the first two confirmations of each trial on arrival at `a`: one byte and 8 of UDP header. A drop on
/// output of `b` would return an error.
const PLANT: &str = "table ip plant { } ; delete table ip plant ; add table ip plant ; \
    add chain ip plant in { type filter hook input priority 0 ; } ; \
    add rule ip plant in udp length 9 numgen inc mod 1000000 < 2 counter drop";

pub fn lost_twice() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "word", &[])?;
    let (a, b) = (lab.host("a"), lab.host("b"));
    for probe in [
        "request --kind udp_rr --size 64 --time 200ms --warm-up 50ms",
        "latency --load idle --time 200ms --warm-up 50ms",
        "latency --load both --connections 1 --time 200ms --warm-up 50ms",
        "datagram --rate 1000/s --flows 2 --time 200ms --warm-up 50ms",
        "mtu",
    ] {
        lab.exec("a", ["nft", PLANT])?;
        let result = home.line(&format!("{probe} {b} --from {a} --no-save --json")).measured()?;
        must!(result["outcome"] == "complete", "{probe}: {result}");
        must!(lab.counted("a", "ip plant")? == 2, "{probe}: nothing was dropped");
    }
    Ok(())
}
