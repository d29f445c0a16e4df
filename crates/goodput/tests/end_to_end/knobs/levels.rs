//! Experiments with knobs and commands as levels, in an existing lab.

use super::{Holder, await_value, facts, in_lab, knob};
use crate::experiment::{log::Log, one_probe};
use crate::stage::*;

const LONGEST: Duration = Duration::from_secs(180);

pub fn written(home: &Home, lab: &Lab, factors: &str) -> Result<String, Failed> {
    let hosts = format!("client = \"{}\", server = \"{}\"", lab.host("a"), lab.host("b"));
    let line = "stream {server} --from {client} --time 150ms --warm-up 0s";
    home.file("experiment.toml", one_probe(1, &hosts, factors, line))
}

fn knob_factor(name: &str, levels: &str, knob: &str, on: &str) -> String {
    format!("[[factor]]\nname = \"{name}\"\nlevels = [{levels}]\nknob = \"{knob}\"\non = [{on}]\n")
}

/// What the run of an experiment leaves while something is changed.
fn notes(home: &Home) -> usize {
    let entries = fs::read_dir(home.runs()).into_iter().flatten().flatten();
    entries.filter(|e| e.file_name().to_string_lossy().starts_with(".levels-")).count()
}

fn run(home: &Home, args: &[&str]) -> Result<Log, Failed> {
    home.start(["run"].iter().chain(args)).within(LONGEST).ended(0)?;
    Log::read(home)
}

/// A file with 100 and a factor that sets it.
fn file_factor(home: &Home, on: &str, levels: &str, back: bool) -> Result<(String, String), Failed> {
    let path = home.file("speed", "100\n")?;
    let restore = format!(", restore = \"sh -c 'echo $0 > {path}' {{before}}\"");
    let restore = if back { restore.as_str() } else { "" };
    let factor = format!(
        r#"[[factor]]
name = "speed"
levels = {levels}
command = {{ on = "{on}", set = "sh -c 'echo $0 > {path}' {{level}}", read = "cat {path}"{restore} }}
"#
    );
    Ok((path, factor))
}

fn is_in(file: &str, value: &str) -> Result<bool, Failed> {
    Ok(fs::read_to_string(file)?.trim() == value)
}

pub fn knobs_and_commands() -> CommandOutput {
    in_lab("levels", |home, lab, _| {
        let mut b = Holder::of(home, lab, "b", "a")?;
        let before = facts(&mut b)?;
        let (speed, command) = file_factor(home, "server", r#"["100", "1000"]"#, true)?;
        let knob = knob_factor("mtu", "1500, 1400", "mtu", r#""client", "server""#);
        let log = run(home, &[&written(home, lab, &format!("{knob}\n{command}"))?])?;
        must!(log.all_done(4), "{log:?}");
        let set = log.of_kind("level-set");
        let at =
            |factor: &str, level: &str| set.iter().find(|s| s["factor"] == factor && s["level"] == level);
        let mtu = at("mtu", "1400").ok_or("no such level")?;
        must!(mtu["obtained"] == json!(["client: 1400", "server: 1400"]), "{mtu}");
        must!(at("speed", "1000").is_some_and(|s| s["obtained"].to_string().contains("1000")), "{set:?}");
        must!(log.of_kind("restored").len() == 2, "{log:?}");
        must!(is_in(&speed, "100")? && notes(home) == 0, "the command's way back");
        must!(facts(&mut b)? == before, "{before:?}");
        Ok(())
    })
}

pub fn what_is_not_taken_is_a_cell() -> CommandOutput {
    in_lab("cell", |home, lab, _| {
        let lro = knob_factor("lro", r#""off", "on""#, "offload lro", r#""client""#);
        home.start(["run", &written(home, lab, &lro)?]).within(LONGEST);
        let cause = Log::read(home)?.second_not_set()?;
        must!(cause.contains("lro = on on client") && cause.contains("was set to on and is off"), "{cause}");
        Ok(())
    })
}

pub fn killed_and_gone_on_with() -> CommandOutput {
    in_lab("again", |home, lab, a| {
        let before = facts(a)?;
        let (speed, command) = file_factor(home, "server", r#"["100", "1000"]"#, true)?;
        let mtu = knob_factor("mtu", "1400, 1300", "mtu", r#""client""#);
        let file = written(home, lab, &format!("{mtu}\n{command}"))?;
        let first = home.start(["run", &file]);
        until("the level", LONGEST, || Ok(a.read(&knob("mtu"))? == "1300"))?;
        first.signal("KILL");
        first.end();
        await_value(a, "mtu", "1500")?;
        until("the command's level is put back", LONGEST, || is_in(&speed, "100"))?;
        must!(facts(a)? == before, "{before:?}");
        let log = run(home, &[&file, "--resume"])?;
        must!(log.all_done(4), "{log:?}");
        must!(is_in(&speed, "100")? && notes(home) == 0, "put back at the end");
        Ok(())
    })
}

pub fn all_killed_on_this_machine() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let (speed, factor) = file_factor(&home, "here", r#"["1000", "10"]"#, false)?;
    let hosts = format!("here = \"localhost\", server = \"127.0.0.1:{}\"", agent.port);
    let text = one_probe(2, &hosts, &factor, "stream {server} --time 300ms --warm-up 0s");
    let file = home.file("experiment.toml", text)?;
    let first = home.start(["run", &file]);
    until("the level", LONGEST, || is_in(&speed, "1000"))?;
    // All at once, so that no local process restores.
    let holds = |pid: &u32| {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        words.split(|b| *b == 0).nth(1) == Some(&b"level-setter"[..])
    };
    let hands = children_of(first.pid()).into_iter().find(holds).ok_or("nobody holds the level")?;
    signal(hands, "STOP");
    signal(first.pid(), "KILL");
    signal(hands, "KILL");
    first.end();
    must!(is_in(&speed, "1000")?, "who put it back?");
    let journal = home.path().join(".local/state/goodput/knobs.journal");
    must!(fs::read_to_string(&journal)?.contains("\"old\":\"100\""), "no journal");
    must!(notes(&home) == 1, "no note that something is changed");
    let log = run(&home, &[&file, "--resume"])?;
    must!(log.all_done(4) && log.of_kind("restored").len() == 2, "{log:?}");
    must!(is_in(&speed, "100")?, "put back");
    must!(fs::read(&journal)?.is_empty() && notes(&home) == 0, "something is still written down");
    Ok(())
}

pub fn refused_beforehand() -> CommandOutput {
    let home = Home::new();
    for (knob, level, said) in [("speed", "10", "there is no knob"), ("qdisc", "\"fq\"", "only read")] {
        let factor = knob_factor("f", &format!("1500, {level}"), knob, "\"a\"");
        let text = one_probe(1, "a = \"127.0.0.1\"", &factor, "stream {a} --time 1s");
        let file = home.file("experiment.toml", text)?;
        home.run(["run", &file, "--check"]).refused(2, &[said])?;
        home.run(["run", &file]).refused(2, &[said])?;
    }
    must!(!home.runs().exists() || fs::read_dir(home.runs())?.next().is_none(), "a run was begun");
    Ok(())
}
