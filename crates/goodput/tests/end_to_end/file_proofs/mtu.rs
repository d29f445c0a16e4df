//! Jumbo frames where packets are expensive: the article's table by `goodput compare`. The server's disk is
//! limited in operations, so small requests wait for it and large ones for packets, as at the article's NAS.

use crate::file::Server;
use crate::stage::*;

/// nftables rules per packet in the server, about 20 µs: a sequential transfer pays for each packet, a 4 KiB
/// request that waits for the disk hardly notices.
const COST: &str = "b=2000";
const DISK: &str = "b=1GiB@1000iops";
/// The article's MTUs, and the first again as a control.
const RUNS: [&str; 3] = ["1500", "7150", "1500"];

/// Sequential transfers gain and 4K does not; the control shows no change.
pub fn jumbo_frames() -> CommandOutput {
    let options = format!("--rate 1Gbit --mtu 7150 --pin b --packet-cost {COST} --disk a=1GiB --disk {DISK}");
    let lab = Lab::up("mtu", &options.split(' ').collect::<Vec<_>>())?;
    lab.exec("b", ["mkdir", "/srv/share"])?;
    let server = Server::up(&lab, Path::new("/srv/share"), "sync always = yes\n")?;
    for mtu in RUNS {
        for host in ["a", "b"] {
            lab.exec(host, ["ip", "link", "set", "dev", "eth0", "mtu", mtu])?;
        }
        mark(&lab, &server)?;
    }
    let listed = lab.home.json("list")?;
    let mut runs: Vec<&str> = list(&listed["runs"]).iter().filter_map(|r| r["run"].as_str()).collect();
    // UUIDv7 names sort by time.
    runs.sort();
    must!(runs.len() == RUNS.len(), "{listed}");
    let compare = |second: &str| lab.home.json(&format!("compare {} {second}", runs[0]));
    let (jumbo, again) = (compare(runs[1])?, compare(runs[2])?);
    for (row, gains) in [("Seq", true), ("4K", false)] {
        for way in ["read", "write"] {
            let (change, low, high, verdict) = goodput(&jumbo, way, row)?;
            println!("{way} {row}, 1500 to 7150: {change:+.1} %, {low:+.1} to {high:+.1} %: {verdict}");
            let holds = match gains {
                true => verdict == "better" && low > 20.0,
                false => low > -10.0 && high < 10.0,
            };
            must!(holds, "{way} {row}: {change} %, {low} to {high}, {verdict}");
            let (change, low, high, verdict) = goodput(&again, way, row)?;
            println!("{way} {row}, 1500 to 1500: {change:+.1} %, {low:+.1} to {high:+.1} %: {verdict}");
            must!(low > -10.0 && high < 10.0, "{way} {row} again: {change} %, {low} to {high}");
        }
    }
    Ok(())
}

fn mark(lab: &Lab, server: &Server) -> CommandOutput {
    let at = format!("{} --server {} --server-folder /srv/share", server.from_a(lab), lab.host("b"));
    let words =
        format!("file disk {at} --profile cdm3 --row Seq --row 4K --size 256MiB --time 1s --repeat 8 --json");
    lab.home.start_line(&words).within(Duration::from_secs(300)).ended(0).map(drop)
}

fn goodput(compared: &Value, way: &str, row: &str) -> Result<(f64, f64, f64, String), Failed> {
    let name = format!("{way} {row} at ");
    let is = |r: &&Value| {
        r["quantity"] == "payload_bps" && r["what"].as_str().is_some_and(|what| what.starts_with(&name))
    };
    let mut results = list(&compared["results"]).iter();
    let change = &results.find(is).ok_or_else(|| format!("no {name} in {compared}"))?["change"];
    let part = |part: &Value| part.as_f64().ok_or_else(|| Failed::from(format!("{name}: {change}")));
    let interval = &change["interval_percent"];
    let verdict = change["verdict"].as_str().ok_or("no verdict")?.to_string();
    Ok((part(&change["percent"])?, part(&interval[0])?, part(&interval[1])?, verdict))
}
