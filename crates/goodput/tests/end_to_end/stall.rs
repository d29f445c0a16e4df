//! A stall of 200 ms in five seconds: an open loop shows it in every affected request, a closed loop once.

use crate::stage::{Home, number, undisturbed};
use crate::{CommandOutput, must};
use std::time::{Duration, Instant};

const MS: u64 = 1_000_000;

pub fn open_and_closed() -> CommandOutput {
    for open in [true, false] {
        undisturbed(5, || one_stall(open))?;
    }
    Ok(())
}

fn one_stall(open: bool) -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let rate = if open { "--rate 1000" } else { "" };
    let line = agent.probe("request", &format!("{rate} --time 5s --warm-up 500ms --json"));
    let client = home.start_line(&line);
    std::thread::sleep(Duration::from_millis(2_500));
    let stopped = Instant::now();
    agent.signal("STOP");
    std::thread::sleep(Duration::from_millis(200));
    agent.signal("CONT");
    let stall = stopped.elapsed().as_nanos() as u64;
    let result = client.end().measured()?;
    let (p99, max) = (number(&result, "/latency_ns/p99")?, number(&result, "/latency_ns/max")?);
    must!(max >= 195 * MS, "open {open}: max {max} ns");
    if open {
        // 50 of 5,000 requests waited for more than three quarters of the stall.
        let expected = stall - 50 * MS;
        must!(p99.abs_diff(expected) <= 20 * MS, "open loop: p99 {p99} ns in a stall of {stall} ns");
    } else {
        must!(p99 < 20 * MS, "closed loop: p99 {p99} ns");
    }
    Ok(())
}
