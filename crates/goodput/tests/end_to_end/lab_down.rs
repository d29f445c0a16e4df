//! `lab down` leaves no process, link or file, even if the keeper was killed.

use crate::stage::{Home, Lab};
use crate::{CommandOutput, must};
use std::fs;

fn processes(lab: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(line) = fs::read_to_string(entry.path().join("cmdline")) else { continue };
        let ours = entry.file_name() == std::process::id().to_string().as_str();
        if line.contains(lab) && !ours {
            found.push(line.replace('\0', " "));
        }
    }
    found
}

fn links() -> Vec<String> {
    let mut names: Vec<String> = fs::read_to_string("/proc/net/dev")
        .unwrap_or_default()
        .lines()
        .filter_map(|l| l.split_once(':'))
        .map(|(n, _)| n.trim().to_string())
        .collect();
    names.sort();
    names
}

pub fn nothing_left() -> CommandOutput {
    let home = Home::new();
    let before = links();
    for kill in [false, true] {
        let lab = Lab::up(&home, "down", &[])?;
        let list = home.line("lab list --json").ended(0)?.json()?;
        let ours =
            list["labs"].as_array().into_iter().flatten().find(|l| l["name"] == lab.name.as_str()).cloned();
        let ours = ours.ok_or_else(|| format!("{} is not in {list}", lab.name))?;
        let inside = home.run(["lab", "exec", &format!("a@{}", lab.name), "hostname"]).ended(0)?;
        must!(inside.stdout.trim() == "a", "{}", inside.stdout);
        let code = home.run(["lab", "exec", &format!("a@{}", lab.name), "--", "sh", "-c", "exit 7"]);
        must!(code.code() == 7, "{:?}", code.status);
        if kill {
            let pid = ours["pid"].as_u64().ok_or("no pid")?;
            let killed = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status()?;
            must!(killed.success(), "kill -9 {pid}");
        }
        lab.down().ended(0)?;
        let list = home.line("lab list --json").ended(0)?.json()?;
        must!(!list.to_string().contains(&lab.name), "{list}");
        must!(processes(&lab.name).is_empty(), "{:?}", processes(&lab.name));
        must!(links() == before, "{:?} before, {:?} after", before, links());
    }
    Ok(())
}
