//! Experiments with knobs and commands as levels, in an existing lab.

use super::settings;
use crate::stage::{Home, Lab, ProcessRun, signal, until};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(180);

pub fn written(home: &Home, lab: &Lab<'_>, more: &str) -> Result<PathBuf, Failed> {
    let hosts = format!("client = \"{}\", server = \"{}\"", lab.host("a"), lab.host("b"));
    text_written(home, 1, &hosts, more, "stream {server} --from {client} --time 150ms --warm-up 0s")
}

fn text_written(home: &Home, repeats: u32, hosts: &str, factors: &str, run: &str) -> Result<PathBuf, Failed> {
    let text = format!(
        r#"title = "Levels that are set"
order = "file"
repeats = {repeats}
hosts = {{ {hosts} }}
{factors}
[[probe]]
name = "tcp"
run = "{run}"
measures = ["goodput_bps"]
time_limit = "1min"
"#
    );
    let file = home.path().join("experiment.toml");
    std::fs::write(&file, text)?;
    Ok(file)
}

pub fn steps(home: &Home) -> Result<Vec<Value>, Failed> {
    let log = std::fs::read_dir(home.runs())?
        .filter_map(Result::ok)
        .map(|entry| entry.path().join("events.jsonl"))
        .find(|path| path.exists())
        .ok_or("no run was kept")?;
    let events = std::fs::read_to_string(log)?;
    let event = |line: &str| serde_json::from_str::<Value>(line).ok();
    let step = |event: Value| find(&event, "step").filter(Value::is_object);
    Ok(events.lines().filter_map(event).filter_map(step).collect())
}

fn find(value: &Value, key: &str) -> Option<Value> {
    match value {
        Value::Object(map) => match map.get(key) {
            Some(found) if found.is_object() => Some(found.clone()),
            _ => map.values().find_map(|below| find(below, key)),
        },
        _ => None,
    }
}

pub fn of_kind<'a>(steps: &'a [Value], kind: &str) -> Vec<&'a Value> {
    steps.iter().filter(|s| s["step"] == kind).collect()
}

pub fn outcomes(steps: &[Value]) -> Vec<String> {
    let ended = of_kind(steps, "cell-ended");
    ended.iter().map(|s| s["outcome"]["outcome"].as_str().unwrap_or_default().to_string()).collect()
}

fn notes(home: &Home) -> usize {
    let entries = std::fs::read_dir(home.runs()).into_iter().flatten().flatten();
    entries.filter(|e| e.file_name().to_string_lossy().starts_with(".levels-")).count()
}

fn run(home: &Home, file: &Path, more: &[&str]) -> Result<ProcessRun, Failed> {
    let file = file.display().to_string();
    home.start(["run", &file].iter().chain(more)).within(LONGEST).ended(0)
}

/// A file with 100 and a factor that sets it.
fn file_factor(home: &Home, on: &str, levels: &str, back: bool) -> Result<(PathBuf, String), Failed> {
    let file = home.path().join("speed");
    std::fs::write(&file, "100\n")?;
    let path = file.display();
    let restore = format!(", restore = \"sh -c 'echo $0 > {path}' {{before}}\"");
    let restore = if back { restore.as_str() } else { "" };
    let factor = format!(
        r#"[[factor]]
name = "speed"
levels = {levels}
command = {{ on = "{on}", set = "sh -c 'echo $0 > {path}' {{level}}", read = "cat {path}"{restore} }}
"#
    );
    Ok((file, factor))
}

fn is_in(file: &Path, value: &str) -> Result<bool, Failed> {
    Ok(std::fs::read_to_string(file)?.trim() == value)
}

pub fn knobs_and_commands() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "levels", &[])?;
    let before = [settings(&lab, "a")?, settings(&lab, "b")?];
    let (speed, command) = file_factor(&home, "server", r#"["100", "1000"]"#, true)?;
    let knob =
        "[[factor]]\nname = \"mtu\"\nlevels = [1500, 1400]\nknob = \"mtu\"\non = [\"client\", \"server\"]\n";
    let file = written(&home, &lab, &format!("{knob}\n{command}"))?;
    run(&home, &file, &[])?;
    let steps = steps(&home)?;
    must!(outcomes(&steps) == ["done", "done", "done", "done"], "{steps:?}");
    let set = of_kind(&steps, "level-set");
    let at = |factor: &str, level: &str| set.iter().find(|s| s["factor"] == factor && s["level"] == level);
    let mtu = at("mtu", "1400").ok_or("no such level")?;
    must!(mtu["obtained"] == json!(["client: 1400", "server: 1400"]), "{mtu}");
    must!(at("speed", "1000").is_some_and(|s| s["obtained"].to_string().contains("1000")), "{set:?}");
    let restored = of_kind(&steps, "restored");
    must!(restored.len() == 2, "{steps:?}");
    must!(is_in(&speed, "100")?, "the command's way back");
    must!(notes(&home) == 0, "a note was left");
    must!([settings(&lab, "a")?, settings(&lab, "b")?] == before, "a setting remains changed");
    Ok(())
}

pub fn what_is_not_taken_is_a_cell() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "cell", &[])?;
    let before = settings(&lab, "a")?;
    let lro =
        "[[factor]]\nname = \"lro\"\nlevels = [\"off\", \"on\"]\nknob = \"offload lro\"\non = \"client\"\n";
    let file = written(&home, &lab, lro)?;
    let ran = home.start(["run", &file.display().to_string()]).within(LONGEST);
    let steps = steps(&home)?;
    must!(outcomes(&steps) == ["done", "not-set"], "exit {}: {steps:?}", ran.code());
    let cause = of_kind(&steps, "cell-ended")[1]["outcome"]["cause"].to_string();
    must!(cause.contains("lro = on on client") && cause.contains("was set to on and is off"), "{cause}");
    must!(settings(&lab, "a")? == before, "a setting remains changed");
    Ok(())
}

/// The child process of this program whose first argument is this word.
fn child_of(parent: u32, word: &str) -> Option<u32> {
    let of_parent = |pid: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let ppid: u32 = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let first = words.split(|b| *b == 0).nth(1)?;
        (ppid == parent && first == word.as_bytes()).then_some(pid)
    };
    let pids = std::fs::read_dir("/proc").ok()?.filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok());
    pids.into_iter().find_map(of_parent)
}

pub fn all_killed_on_this_machine() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let (speed, factor) = file_factor(&home, "here", r#"["1000", "10"]"#, false)?;
    let hosts = format!("here = \"localhost\", server = \"127.0.0.1:{}\"", agent.port);
    let file = text_written(&home, 2, &hosts, &factor, "stream {server} --time 300ms --warm-up 0s")?;
    let first = home.start(["run", &file.display().to_string()]);
    until("the level", LONGEST, || is_in(&speed, "1000"))?;
    // All at once, so that no local process restores.
    let hands = child_of(first.pid(), "level-setter").ok_or("nobody holds the level")?;
    signal(hands, "STOP");
    signal(first.pid(), "KILL");
    signal(hands, "KILL");
    first.end();
    must!(is_in(&speed, "1000")?, "who put it back?");
    let journal = home.path().join(".local/state/goodput/knobs.journal");
    must!(std::fs::read_to_string(&journal)?.contains("\"old\":\"100\""), "no journal");
    must!(notes(&home) == 1, "no note that something is changed");
    run(&home, &file, &["--resume"])?;
    let steps = steps(&home)?;
    must!(outcomes(&steps).len() == 4 && outcomes(&steps).iter().all(|o| o == "done"), "{steps:?}");
    must!(of_kind(&steps, "restored").len() == 2, "{steps:?}");
    must!(is_in(&speed, "100")?, "put back");
    must!(std::fs::read(&journal)?.is_empty() && notes(&home) == 0, "something is still written down");
    Ok(())
}
