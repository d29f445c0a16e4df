//! Totals by three independent counts: the receiver's, the kernels' (TCP_INFO, without the opening), and the
//! sum of intervals.

use crate::stage::{Home, list, number, proving};
use crate::{CommandOutput, must};

pub fn add_up() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let shapes = [
        "--time 100ms",
        "--time 60ms --direction receive --size 1000",
        "--time 60ms --direction both",
        "--time 60ms --connections 4 --size 8KiB",
        "--bytes 20MB",
        "--time 60ms --sender batch:16 --size 100",
        "--time 60ms --sender sendfile",
        "--time 60ms --receiver discard",
    ];
    let runs = if proving() { 200 } else { shapes.len() * 5 };
    for run in 0..runs {
        let shape = shapes[run % shapes.len()];
        let warm_up = if shape.contains("--bytes") { "" } else { "--warm-up 20ms" };
        let line = format!("stream 127.0.0.1 {} {shape} {warm_up} --no-save --json", agent.ports());
        let result = home.line(&line).measured()?;
        for (i, direction) in list(&result["directions"]).iter().enumerate() {
            let at = |field: &str| number(&result, &format!("/directions/{i}/{field}"));
            let total = at("total_bytes")?;
            must!(total > 0, "run {run}, {line}: {direction}");
            must!(at("receiver_tcp/bytes_received")? == total, "run {run}, {line}: {direction}");
            must!(at("sender_tcp/bytes_acked")? == total, "run {run}, {line}: {direction}");
            let intervals = list(&direction["intervals"]).iter();
            let intervals: u64 = intervals.filter_map(|i| i[1].as_u64()).sum();
            must!(intervals == at("bytes")?, "run {run}, {line}: intervals {intervals}, {direction}");
        }
    }
    Ok(())
}
