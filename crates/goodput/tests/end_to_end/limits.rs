//! Limits by name, and a result compared with its medium.

use crate::stage::{Home, list, number};
use crate::{CommandOutput, must};

pub fn by_name() -> CommandOutput {
    let home = Home::new();
    let listed = home.json("limits")?;
    let has = |name: &str| list(&listed["media"]).iter().any(|m| m["name"] == name);
    must!(has("atm155-lane") && has("csa"), "{listed}");
    // Mbit/s of TCP with timestamps over IPv4; MB/s for a bus.
    for (line, unit, expected) in [
        ("--medium 1000base-t", 1e6, "941.48"),
        ("--medium 1000base-t:9000", 1e6, "990.04"),
        ("--medium 10base-t", 1e6, "9.15"),
        ("--medium atm155-lane", 1e6, "127.86"),
        ("--medium 1000base-t --vlan --ip 6 --no-timestamps", 1e6, "933.85"),
        ("--medium pci-x-133", 8e6, "1066.40"),
    ] {
        let result = home.line(&format!("limits {line} --json")).measured()?;
        let bps = number(&result, "/limits/0/traffic/0/goodput_bps")? as f64;
        must!(format!("{:.2}", bps / unit) == expected, "{line}: {bps}");
    }
    let text = home.line("limits --medium 1000base-t --medium disk:55MB").ended(0)?;
    must!(text.stdout.ends_with("bounded by disk:55MB: 440.00 Mbit/s.\n"), "{}", text.stdout);
    let both = home.line("limits --medium 10gbase-t --bus pci-32-33 --json").measured()?;
    must!(both["bounded_by"] == "pci-32-33", "{both}");
    Ok(())
}

pub fn of_a_result() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let short = "--medium 100gbase-r --time 200ms --warm-up 50ms --no-save --json";
    let result = home.line(&agent.probe("stream", &format!("--rate 1Gbit {short}"))).measured()?;
    let (goodput, limit) = (number(&result, "/goodput_bps")?, number(&result, "/limit/goodput_bps")?);
    must!(result["limit"]["medium"] == "100gbase-r", "{}", result["limit"]);
    let share = result["percent_of_limit"].as_f64().ok_or("no share")?;
    must!((share - goodput as f64 * 100.0 / limit as f64).abs() < 1e-6, "{share} of {goodput} and {limit}");
    for (probe, more) in [("stream", ""), ("datagram", "--rate 1Gbit"), ("latency", "--load send")] {
        let line = agent.probe(probe, &format!("{more} --bus isa-8 {short}"));
        let result = home.line(&line).ended(1)?.json()?;
        let limit = &result["limit"];
        must!(limit["bounded_by"] == "isa-8" && limit["medium"] == "100gbase-r", "{probe}: {limit}");
        must!(number(&result, "/limit/goodput_bps")? == 22_213_328, "{probe}: {limit}");
        must!(limit["reason"].to_string().contains("100gbase-r allows more"), "{probe}: {limit}");
        let findings = result["findings"].to_string();
        must!(findings.contains("more than the 22.21 Mbit/s that isa-8 allows"), "{findings}");
    }
    let line = agent.probe("request", "--medium 1g --time 100ms --no-save --json");
    let result = home.line(&line).measured()?;
    must!(result["limit"]["goodput_bps"].is_null() && result["limit"]["reason"].is_string(), "{result}");
    Ok(())
}
