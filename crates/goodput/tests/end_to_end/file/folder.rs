//! File work in a local folder: copies, a drive mark, a mix, and their stored results.

use super::canaries::Canaries;
use super::{line, place, trials, work};
use crate::stage::{Home, list, number};
use crate::{CommandOutput, must};

pub fn copied() -> CommandOutput {
    let home = Home::new();
    let (there, here) = (Canaries::sing(&home, "there", 30)?, Canaries::sing(&home, "here", 30)?);
    let words = format!("copy {} --local {} --size 8MiB --repeat 2 --verify full", there.word(), here.word());
    let (_, trials) = trials(line(&home, &words), 8)?;
    for trial in &trials {
        must!(number(trial, "/bytes")? == 8 << 20, "{trial}");
        must!(trial["file"]["verified"]["wrong"].as_u64().unwrap_or(0) == 0, "{trial}");
        let (elapsed, rate) = (number(trial, "/elapsed_ns")? as f64, number(trial, "/goodput_bps")? as f64);
        let counted = (8u64 << 20) as f64 * 8e9 / elapsed;
        must!((rate - counted).abs() <= counted * 0.001 + 1.0, "{rate} is not {counted} bit/s");
        if work(trial)["way"] == "write" {
            let accepted = number(trial, "/file/accepted_ns")?;
            must!(0 < accepted && accepted <= number(trial, "/file/durable_ns")?, "{trial}");
        }
    }
    let at = |folder: &Canaries, local: bool| {
        let there = |t: &&serde_json::Value| t["probe"]["place"]["path"] == folder.word();
        trials.iter().filter(there).filter(|t| work(t)["local"].is_string() == local).count()
    };
    must!((at(&there, true), at(&here, false)) == (4, 4), "{trials:?}");
    let checked = trials.iter().filter(|t| t["file"]["verified"]["bytes"].as_u64().unwrap_or(0) > 0).count();
    must!(checked > 0, "nothing was compared: {trials:?}");
    there.unharmed()?;
    here.unharmed()
}

pub fn marked() -> CommandOutput {
    let home = Home::new();
    let folder = Canaries::sing(&home, "drive", 30)?;
    let words = format!("disk {} --profile cdm3 --size 8MiB --time 300ms --repeat 1", folder.word());
    let (_, trials) = trials(line(&home, &words), 8)?;
    let mut seen: Vec<(String, String)> = Vec::new();
    for trial in &trials {
        let (name, way) = (work(trial)["name"].to_string(), work(trial)["way"].to_string());
        must!(!seen.contains(&(name.clone(), way.clone())), "{name} {way} twice");
        seen.push((name, way));
        // IOPS × block must equal the independently counted rate.
        let iops = trial["file"]["operations_per_second"].as_f64().ok_or("no operations a second")?;
        let block = number(trial, "/probe/work/block")? as f64;
        let rate = number(trial, "/goodput_bps")? as f64;
        let same = (iops * block * 8.0 / rate - 1.0).abs() < 0.001;
        must!(iops > 0.0 && same, "{iops} × {block} B is not {rate} bit/s");
        must!(number(trial, "/latency_ns/p50")? > 0, "{trial}");
        // Without direct I/O the result must say so.
        let direct = trial["file"]["facts"]["direct"].as_bool();
        let cache = &trial["file"]["cache"];
        let told = cache["how"].as_str() > Some("") || cache["resident_percent"].is_number();
        must!(direct == Some(true) || told, "{trial}");
    }
    must!(seen.len() == 8, "{seen:?}");
    folder.unharmed()
}

pub fn replayed() -> CommandOutput {
    let home = Home::new();
    let folder = Canaries::sing(&home, "server", 30)?;
    let words = format!("replay office {} --clients 1,2 --time 1s --warm-up 200ms", folder.word());
    let (_, trials) = trials(line(&home, &words), 2)?;
    for (trial, players) in trials.iter().zip([1, 2]) {
        must!(place(trial) == "folder" && work(trial)["players"] == players, "{trial}");
        let classes = list(&trial["file"]["classes"]);
        must!(classes.len() > 5, "{classes:?}");
        let unexpected: u64 = classes.iter().filter_map(|c| c["unexpected"].as_u64()).sum();
        must!(unexpected == 0, "{}", trial["file"]);
        must!(number(trial, "/bytes")? > 0, "{trial}");
    }
    folder.unharmed()
}
