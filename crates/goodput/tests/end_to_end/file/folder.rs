//! File work in a local folder: copies, a drive mark, a mix, and their stored results.

use super::canaries::Canaries;
use super::{line, place, trials, work};
use crate::stage::{Home, number};
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
            let (accepted, durable) =
                (number(trial, "/file/accepted_ns")?, number(trial, "/file/durable_ns")?);
            must!(0 < accepted && accepted <= durable, "accepted {accepted} ns, durable {durable} ns");
        }
    }
    let at = |folder: &Canaries, local: bool| {
        let path = folder.word();
        let fits = |t: &&serde_json::Value| {
            t["probe"]["place"]["path"] == path.as_str() && work(t)["local"].is_string() == local
        };
        trials.iter().filter(fits).count()
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
        must!(
            iops > 0.0 && (iops * block * 8.0 / rate - 1.0).abs() < 0.001,
            "{iops} × {block} B is not {rate} bit/s"
        );
        must!(number(trial, "/latency_ns/p50")? > 0, "{trial}");
        // Without direct I/O the result must say so.
        let direct = trial["file"]["facts"]["direct"].as_bool();
        let cache = &trial["file"]["cache"];
        let told =
            cache["how"].as_str().is_some_and(|how| !how.is_empty()) || cache["resident_percent"].is_number();
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
        let classes = trial["file"]["classes"].as_array().ok_or("no classes")?;
        must!(classes.len() > 5, "{classes:?}");
        let unexpected: u64 = classes.iter().filter_map(|c| c["unexpected"].as_u64()).sum();
        must!(unexpected == 0, "{}", trial["file"]);
        must!(number(trial, "/bytes")? > 0, "{trial}");
    }
    folder.unharmed()
}

pub fn read_back() -> CommandOutput {
    let home = Home::new();
    let folder = Canaries::sing(&home, "drive", 5)?;
    let words = format!(
        "disk {} --row \"RND4K Q1T1\" --size 4MiB --time 200ms --repeat 1 --label nic=new",
        folder.word()
    );
    // A row's name contains a space, so the words are separated here.
    let mut parts: Vec<&str> = Vec::new();
    for (at, quoted) in words.split('"').enumerate() {
        if at % 2 == 1 { parts.push(quoted) } else { parts.extend(quoted.split_whitespace()) }
    }
    let arguments: Vec<&str> = ["file"].into_iter().chain(parts).collect();
    let told = home.run(&arguments).ended(0)?;
    must!(told.stdout.contains("RND4K Q1T1"), "{}", told.stdout);
    let shown = home.line("show --json").ended(0)?.json()?;
    must!(shown["trials"].as_array().is_some_and(|t| t.len() == 2), "{shown}");
    must!(home.line("show").ended(0)?.stdout.contains("RND4K Q1T1"), "not in the tables");
    let listed = home.line("list --json").ended(0)?.json()?;
    must!(
        listed["runs"][0]["probes"][0] == "file" && listed["runs"][0]["labels"]["nic"] == "new",
        "{listed}"
    );
    must!(home.line("list").ended(0)?.stdout.contains("file"), "not in the list");
    must!(home.line("export --format csv").ended(0)?.stdout.lines().count() > 1, "an empty table");
    home.line("export --format json").ended(0)?.json()?;
    home.line("report --json").ended(0)?.json()?;
    folder.unharmed()
}
