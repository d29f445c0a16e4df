//! File work in a local folder and at an agent: a drive mark, a mix, unrelated clocks, JSON in every case.

use super::canaries::Canaries;
use super::{line, place, trials, work};
use crate::stage::*;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

pub fn marked() -> CommandOutput {
    let home = Home::new();
    let folder = Canaries::sing(&home, "drive", 30)?;
    let words = format!("disk {} --profile cdm3 --size 8MiB --time 300ms --repeat 1", folder.word());
    let (_, trials) = trials(line(&home, &words), 8)?;
    let rows = trials.iter().map(|trial| format!("{} {}", work(trial)["name"], work(trial)["way"]));
    let rows: BTreeSet<String> = rows.collect();
    must!(rows.len() == 8, "{rows:?}");
    for trial in &trials {
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
        let unexpected: u64 = classes.iter().filter_map(|c| c["unexpected"].as_u64()).sum();
        must!(classes.len() > 5 && unexpected == 0, "{classes:?}");
        must!(number(trial, "/bytes")? > 0, "{trial}");
    }
    folder.unharmed()
}

/// A program with its own clock.
const AHEAD: [&str; 8] =
    ["unshare", "--time", "--monotonic", "86400", "--boottime", "86400", "--fork", "--kill-child"];

pub fn why_no_clock() -> Option<String> {
    let tried = Command::new(AHEAD[0]).args(&AHEAD[1..]).arg("true").output();
    let can = tried.is_ok_and(|tried| tried.status.success());
    (!can).then(|| "no time namespace by unshare --time".into())
}

/// All times are of the monotonic clock, which a step of the wall clock does not move. Here the monotonic clocks
/// of client and agent are a day apart (time_namespaces(7)).
pub fn another_clock() -> CommandOutput {
    let home = Home::new();
    let served = Canaries::sing(&home, "served", 5)?;
    let (control, data) = (find_free_port(), find_free_port());
    let words =
        format!("agent --spool memory --port {control} --data-port {data} --allow-dir {}", served.word());
    let agent = running(home.command_by(&AHEAD, words.split(' ')));
    let is_up = || Ok(std::net::TcpStream::connect(("127.0.0.1", data)).is_ok());
    until("the agent is up", Duration::from_secs(20), is_up)?;
    let words =
        format!("copy 127.0.0.1:{control}:disk={} --size 8MiB --repeat 1 --verify full", served.word());
    let outcome = trials(line(&home, &words), 4);
    agent.signal("KILL");
    drop(agent.end());
    for trial in outcome?.1 {
        must!(number(&trial, "/bytes")? == 8 << 20, "{trial}");
        let elapsed = number(&trial, "/elapsed_ns")?;
        must!((1..30_000_000_000).contains(&elapsed), "{elapsed} ns");
    }
    served.unharmed()
}

/// Also of refusals, and no password in any output.
pub fn json_everywhere() -> CommandOutput {
    let home = Home::new();
    let folder = Canaries::sing(&home, "theirs", 5)?;
    let theirs = folder.word();
    let agent = home.agent(&[])?;
    let at = format!("127.0.0.1:{}", agent.port);
    let mixes = "--net-only --clients 2 --time 300ms --warm-up 100ms";
    let bad = home.file("bad.txt", "Mkdir \"clients\" SUCCESS\nUnlink \"..\\passwd\" 0x0 SUCCESS\n")?;
    for (words, code, said) in [
        (format!("{theirs} --size 1MiB --time 50ms --repeat 1"), 0, ""),
        (format!("copy {at}:null --size 8MiB --repeat 1"), 0, "sink"),
        (format!("replay office {at} {mixes}"), 0, "\"net\""),
        (format!("clean {theirs}"), 0, ""),
        (format!("clean {theirs}/nowhere"), 2, ""),
        ("smb://ann:hunter2@nas/media".to_string(), 2, "password"),
        ("replay /no/such/loadfile /tmp".to_string(), 2, "office"),
        (format!("replay {bad} {theirs}"), 2, "line 2"),
        // Nothing listens on the discard port.
        ("copy smb://127.0.0.1:9/share --size 1MiB --deadline 1s".to_string(), 3, ""),
        ("copy 127.0.0.1:9:null --size 1MiB --deadline 1s".to_string(), 3, ""),
        (format!("copy {theirs} --from 127.0.0.1:9 --deadline 1s"), 3, ""),
    ] {
        let ran = line(&home, &words);
        let (document, text) = (ran.json()?, format!("{}{}", ran.stdout, ran.stderr));
        let fits = document["schema"].is_string() || document["error"].is_object();
        must!(fits && (code == 0 || document["error"]["exit_code"] == code), "{words}: {document}");
        must!(text.contains(said) && !text.contains("hunter2"), "{words}: {text}");
        must!(ran.stderr.is_empty(), "{words}: {}", ran.stderr);
        if code == 0 { ran.measured().map(drop)? } else { ran.ended(code).map(drop)? }
    }
    // As text, the command ends with one verdict, possibly "unknown".
    let told = home.line(&format!("file {theirs} --size 1MiB --time 50ms --repeat 1")).ended(0)?;
    must!(told.stdout.contains("SEQ1M Q8T1"), "{}", told.stdout);
    let password = home.file("password", "hunter2\n")?;
    fs::set_permissions(&password, fs::Permissions::from_mode(0o644))?;
    let share = "smb://ann@127.0.0.1:9/share --size 1MiB --deadline 1s";
    let said = line(&home, &format!("copy {share} --password-file {password}"));
    must!([2, 3].contains(&said.code()) && !said.stdout.contains("hunter2"), "{}", said.stdout);
    folder.unharmed()
}
