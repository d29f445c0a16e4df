//! Limits by name.

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
