//! `lab down` leaves no process, link or file, even if the keeper was killed.

use crate::stage::{Home, Lab, list, number};
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
    let text = fs::read_to_string("/proc/net/dev").unwrap_or_default();
    let names = text.lines().filter_map(|l| l.split_once(':')).map(|(n, _)| n.trim().to_string());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

pub fn nothing_left() -> CommandOutput {
    let home = Home::new();
    let before = links();
    for kill in [false, true] {
        let lab = Lab::up(&home, "down", &[])?;
        let labs = home.json("lab list")?;
        let ours = list(&labs["labs"]).iter().find(|l| l["name"] == lab.name.as_str());
        let ours = ours.ok_or_else(|| format!("{} is not in {labs}", lab.name))?;
        let inside = home.run(["lab", "exec", &format!("a@{}", lab.name), "hostname"]).ended(0)?;
        must!(inside.stdout.trim() == "a", "{}", inside.stdout);
        let code = home.run(["lab", "exec", &format!("a@{}", lab.name), "--", "sh", "-c", "exit 7"]);
        must!(code.code() == 7, "{:?}", code.status);
        if kill {
            crate::stage::kill(number(ours, "/pid")? as u32);
        }
        lab.down().ended(0)?;
        let labs = home.json("lab list")?;
        must!(!labs.to_string().contains(&lab.name), "{labs}");
        must!(processes(&lab.name).is_empty(), "{:?}", processes(&lab.name));
        must!(links() == before, "{:?} before, {:?} after", before, links());
    }
    Ok(())
}
