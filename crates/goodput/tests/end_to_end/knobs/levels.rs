//! Experiments with knobs and commands as levels, in an existing lab.

use super::holder::Holder;
use super::{facts, start, unchanged};
use crate::stage::{Home, Lab, signal};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const LONGEST: Duration = Duration::from_secs(180);

pub fn written(home: &Home, lab: &Lab<'_>, more: &str) -> Result<PathBuf, Failed> {
    let text = format!(
        r#"title = "Levels that are set"
order = "file"
repeats = 1

[hosts]
client = "{}"
server = "{}"

{more}

[[probe]]
name = "tcp"
run = "stream {{server}} --from {{client}} --time 150ms --warm-up 0s"
measures = ["goodput_bps"]
time_limit = "1min"
"#,
        lab.host("a"),
        lab.host("b")
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

fn run(home: &Home, file: &Path, more: &[&str], code: i32) -> Result<crate::stage::ProcessRun, Failed> {
    let file = file.display().to_string();
    let args = ["run", &file].into_iter().chain(more.iter().copied());
    start(home.command(args)).within(LONGEST).ended(code)
}

fn file_factor(home: &Home) -> Result<(PathBuf, String), Failed> {
    let file = home.path().join("speed");
    std::fs::write(&file, "100\n")?;
    let path = file.display();
    let factor = format!(
        r#"[[factor]]
name = "speed"
levels = ["100", "1000"]
command = {{ on = "server", set = "sh -c 'echo $0 > {path}' {{level}}", read = "cat {path}", restore = "sh -c 'echo $0 > {path}' {{before}}" }}
"#
    );
    Ok((file, factor))
}

pub fn knobs_and_commands() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "levels", &[])?;
    let mut a = Holder::of(&home, &lab, "a", &["b"])?;
    let mut b = Holder::of(&home, &lab, "b", &["a"])?;
    let before = [facts(&mut a)?, facts(&mut b)?];
    let (speed, command) = file_factor(&home)?;
    let knob =
        "[[factor]]\nname = \"mtu\"\nlevels = [1500, 1400]\nknob = \"mtu\"\non = [\"client\", \"server\"]\n";
    let file = written(&home, &lab, &format!("{knob}\n{command}"))?;
    run(&home, &file, &[], 0)?;
    let steps = steps(&home)?;
    must!(outcomes(&steps) == ["done", "done", "done", "done"], "{steps:?}");
    let set = of_kind(&steps, "level-set");
    let at = |factor: &str, level: &str| set.iter().find(|s| s["factor"] == factor && s["level"] == level);
    let mtu = at("mtu", "1400").ok_or("no such level")?;
    must!(mtu["obtained"] == json!(["client: 1400", "server: 1400"]), "{mtu}");
    must!(at("speed", "1000").is_some_and(|s| s["obtained"].to_string().contains("1000")), "{set:?}");
    let restored = of_kind(&steps, "restored");
    must!(restored.len() == 2, "{steps:?}");
    must!(std::fs::read_to_string(speed)?.trim() == "100", "the command's way back");
    must!(notes(&home) == 0, "a note was left");
    unchanged(&before[0], &mut a)?;
    unchanged(&before[1], &mut b)
}

pub fn what_is_not_taken_is_a_cell() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "cell", &[])?;
    let mut a = Holder::of(&home, &lab, "a", &["b"])?;
    let before = facts(&mut a)?;
    let lro =
        "[[factor]]\nname = \"lro\"\nlevels = [\"off\", \"on\"]\nknob = \"offload lro\"\non = \"client\"\n";
    let file = written(&home, &lab, lro)?;
    let ran = start(home.command(["run", &file.display().to_string()])).within(LONGEST);
    let steps = steps(&home)?;
    must!(outcomes(&steps) == ["done", "not-set"], "exit {}: {steps:?}", ran.code());
    let cause = of_kind(&steps, "cell-ended")[1]["outcome"]["cause"].to_string();
    must!(cause.contains("lro = on on client") && cause.contains("was set to on and is off"), "{cause}");
    unchanged(&before, &mut a)
}

pub fn killed_and_gone_on_with() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "again", &[])?;
    let mut a = Holder::of(&home, &lab, "a", &["b"])?;
    let before = facts(&mut a)?;
    let (speed, command) = file_factor(&home)?;
    let knob = "[[factor]]\nname = \"mtu\"\nlevels = [1400, 1300]\nknob = \"mtu\"\non = \"client\"\n";
    let file = written(&home, &lab, &format!("{knob}\n{command}"))?;
    let path = file.display().to_string();
    let first = start(home.command(["run", &path]));
    let until = Instant::now() + LONGEST;
    while a.read(&super::knob("mtu"))? != "1300" {
        must!(Instant::now() < until, "the level never came");
        std::thread::sleep(Duration::from_millis(20));
    }
    signal(first.pid(), "KILL");
    first.end();
    super::await_value(&mut a, "mtu", "1500")?;
    let until = Instant::now() + LONGEST;
    while std::fs::read_to_string(&speed)?.trim() != "100" {
        must!(Instant::now() < until, "the command's level was not put back");
        std::thread::sleep(Duration::from_millis(50));
    }
    unchanged(&before, &mut a)?;
    run(&home, &file, &["--resume"], 0)?;
    let steps = steps(&home)?;
    must!(outcomes(&steps).iter().all(|o| o == "done") && outcomes(&steps).len() == 4, "{steps:?}");
    must!(notes(&home) == 0, "a note was left");
    must!(std::fs::read_to_string(&speed)?.trim() == "100", "put back at the end");
    unchanged(&before, &mut a)
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
    let speed = home.path().join("speed");
    std::fs::write(&speed, "100\n")?;
    let path = speed.display();
    let text = format!(
        r#"title = "A level of this machine"
order = "file"
repeats = 2

[hosts]
here = "localhost"
server = "127.0.0.1:{}"

[[factor]]
name = "speed"
levels = ["1000", "10"]
command = {{ on = "here", set = "sh -c 'echo $0 > {path}' {{level}}", read = "cat {path}" }}

[[probe]]
name = "tcp"
run = "stream {{server}} --time 300ms --warm-up 0s"
measures = ["goodput_bps"]
time_limit = "1min"
"#,
        agent.port
    );
    let file = home.path().join("experiment.toml");
    std::fs::write(&file, text)?;
    let first = start(home.command(["run", &file.display().to_string()]));
    let until = Instant::now() + LONGEST;
    while std::fs::read_to_string(&speed)?.trim() != "1000" {
        must!(Instant::now() < until, "the level never came");
        std::thread::sleep(Duration::from_millis(5));
    }
    // All at once, so that no local process restores.
    let hands = child_of(first.pid(), "level-setter").ok_or("nobody holds the level")?;
    signal(hands, "STOP");
    signal(first.pid(), "KILL");
    signal(hands, "KILL");
    first.end();
    must!(std::fs::read_to_string(&speed)?.trim() == "1000", "who put it back?");
    let journal = home.path().join(".local/state/goodput/knobs.journal");
    must!(std::fs::read_to_string(&journal)?.contains("\"old\":\"100\""), "no journal");
    must!(notes(&home) == 1, "no note that something is changed");
    run(&home, &file, &["--resume"], 0)?;
    let steps = steps(&home)?;
    must!(outcomes(&steps).len() == 4 && outcomes(&steps).iter().all(|o| o == "done"), "{steps:?}");
    must!(of_kind(&steps, "restored").len() == 2, "{steps:?}");
    must!(std::fs::read_to_string(&speed)?.trim() == "100", "put back");
    must!(std::fs::read(&journal)?.is_empty() && notes(&home) == 0, "something is still written down");
    Ok(())
}

pub fn refused_beforehand() -> CommandOutput {
    let home = Home::new();
    for (knob, level, said) in [
        ("speed", "10", "there is no knob"),
        ("mtu", "\"9k\"", "whole number"),
        ("qdisc", "\"fq\"", "only read"),
    ] {
        let text = format!(
            "title = \"x\"\n[hosts]\na = \"127.0.0.1\"\n[[factor]]\nname = \"f\"\nlevels = [1500, {level}]\n\
             knob = \"{knob}\"\non = \"a\"\n[[probe]]\nname = \"p\"\nrun = \"stream {{a}} --time 1s\"\n\
             measures = [\"goodput_bps\"]\ntime_limit = \"1min\"\n"
        );
        let file = home.path().join("experiment.toml");
        std::fs::write(&file, text)?;
        for more in [&["--check"][..], &[]] {
            let ran = run(&home, &file, more, 2)?;
            must!(ran.stderr.contains(said) && ran.stderr.contains("hint:"), "{}", ran.stderr);
        }
    }
    must!(!home.runs().exists() || std::fs::read_dir(home.runs())?.next().is_none(), "a run was begun");
    Ok(())
}
