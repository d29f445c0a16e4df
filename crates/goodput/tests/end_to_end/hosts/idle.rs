//! Resources of an idle agent, also while it is watched.

use super::sites::Sites;
use crate::stage::{Home, proving, ready, running};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use std::time::{Duration, Instant};

/// Limits: per cent of one core, packets per second in each direction, memory.
const CORE: f64 = 0.2;
const PACKETS: f64 = 2.0;
const MEMORY_KIB: u64 = 24 << 10;

fn spent(pid: u32) -> Result<(Duration, u64), Failed> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // utime and stime are fields 14 and 15; the name may contain anything (proc(5)).
    let after = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let figures: Vec<u64> = after.split_whitespace().skip(1).map(|f| f.parse().unwrap_or(0)).collect();
    let ticks = figures.get(10).zip(figures.get(11)).map(|(u, s)| u + s).ok_or("no times in stat")?;
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let resident = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).unwrap_or("");
    let resident = resident.split_whitespace().next().and_then(|f| f.parse().ok()).ok_or("no VmRSS")?;
    // USER_HZ is 100 on every Linux.
    Ok((Duration::from_millis(ticks * 10), resident))
}

pub fn as_good_as_not_there() -> CommandOutput {
    let time = Duration::from_secs(if proving() { 600 } else { 10 });
    let home = Home::new();
    home.line("key new").ended(0)?;
    let sites = Sites::pair("idle")?;
    let words = ["agent", "--name", "idle", "--spool", "memory"];
    let agent = ready(sites.command(1, &home, words), "waits for orders")?;
    let mut watch = running(sites.command(0, &home, ["hosts", "--watch"]));
    watch.says("up  idle", Duration::from_secs(20))?;
    // Discovery is not idle time.
    std::thread::sleep(Duration::from_secs(3));
    let (begun, (cpu, _), (came, went)) = (Instant::now(), spent(agent.pid())?, sites.packets(1)?);
    std::thread::sleep(time);
    let ((cpu_after, memory), (came_after, went_after)) = (spent(agent.pid())?, sites.packets(1)?);
    let seconds = begun.elapsed().as_secs_f64();
    let core = (cpu_after - cpu).as_secs_f64() / seconds * 100.0;
    let (received, sent) = ((came_after - came) as f64 / seconds, (went_after - went) as f64 / seconds);
    println!(
        "idle agent, watched for {seconds:.0} s: {core:.3} % of a core, {received:.2} packets/s in, {sent:.2} out, \
         {:.1} MiB",
        memory as f64 / 1024.0
    );
    must!(received < PACKETS && sent < PACKETS, "{received:.2} packets/s in, {sent:.2} out");
    // Short periods have few clock ticks; the memory limit is for release builds.
    must!(!proving() || core < CORE, "{core:.3} % of a core");
    must!(!proving() || memory < MEMORY_KIB, "{memory} KiB");
    watch.signal("INT");
    must!(watch.end().code() == 0, "Ctrl-C ends a watch");
    Ok(())
}
