//! `lab down` leaves no process, link or file, even if the keeper was killed.

use crate::stage::*;
use std::collections::BTreeSet;

fn links() -> BTreeSet<String> {
    let text = fs::read_to_string("/proc/net/dev").unwrap_or_default();
    text.lines().filter_map(|l| Some(l.split_once(':')?.0.trim().to_string())).collect()
}

pub fn nothing_left() -> CommandOutput {
    let before = links();
    for killed in [false, true] {
        let lab = Lab::up("down", &[])?;
        let labs = lab.home.json("lab list")?;
        let ours = list(&labs["labs"]).iter().find(|l| l["name"] == lab.name.as_str()).ok_or("not listed")?;
        let name = lab.home.line(&format!("lab exec a@{} hostname", lab.name)).ended(0)?.stdout;
        must!(name.trim() == "a", "{name}");
        lab.home.run(["lab", "exec", &lab.host("a"), "--", "sh", "-c", "exit 7"]).ended(7)?;
        if killed {
            signal(number(ours, "/pid")? as u32, "KILL");
        }
        lab.down().ended(0)?;
        must!(!lab.home.json("lab list")?.to_string().contains(&lab.name), "still listed");
        let of_lab = |pid: &u32| {
            let line = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line.contains(&lab.name) && *pid != std::process::id()
        };
        let left: Vec<u32> = processes().filter(of_lab).collect();
        must!(left.is_empty() && links() == before, "{left:?}, {before:?} before, {:?} after", links());
    }
    Ok(())
}
