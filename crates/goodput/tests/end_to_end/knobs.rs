//! Host settings as levels: set, read back and restored, whichever process is killed. Each test ends with the
//! original inventory.

pub mod by_hand;
mod holder;
pub mod levels;

use crate::stage::{Home, Lab, Running, ready, signal};
use crate::{CommandOutput, must};
use goodput_model::host::inventory::Inventory;
use holder::Holder;
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Longer than an agent waits for a silent coordinator.
const SOON: Duration = Duration::from_secs(45);

fn knob(name: &str) -> Value {
    json!({ "by": "knob", "knob": name })
}

fn facts(holder: &mut Holder) -> Result<BTreeMap<String, String>, Failed> {
    let answer = holder.ask(json!({ "ask": "inventory" }))?;
    let inventory: Inventory = serde_json::from_value(answer["inventory"].clone())?;
    Ok(inventory.stable_facts())
}

fn unchanged(before: &BTreeMap<String, String>, holder: &mut Holder) -> CommandOutput {
    let after = facts(holder)?;
    let differs = |name: &&String| before.get(*name) != after.get(*name);
    let names: Vec<&String> = before.keys().chain(after.keys()).filter(differs).collect();
    must!(names.is_empty(), "{names:?}");
    Ok(())
}

fn await_value(holder: &mut Holder, name: &str, value: &str) -> CommandOutput {
    crate::stage::until(&format!("the result for {name} is: {value}"), SOON, || {
        Ok(holder.read(&knob(name))? == value)
    })
}

pub fn set_and_put_back() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "knobs", &[])?;
    let mut a = Holder::of(&home, &lab, "a", "b")?;
    let before = facts(&mut a)?;
    for (name, was, value) in [
        ("mtu", "1500", "1400"),
        ("txqueuelen", "1000", "77"),
        ("offload gro", "", "off"),
        ("offload tx-checksum", "on", "off"),
        ("sysctl net.ipv4.tcp_sack", "1", "0"),
        ("sysctl net.ipv4.tcp_rmem", "", "4096 65536 1048576"),
        ("sysctl net.ipv4.tcp_congestion_control", "", "reno"),
        ("mtu", "1400", "1300"),
    ] {
        let was_really = a.read(&knob(name))?;
        must!(was.is_empty() || was == was_really, "{name} was {was_really}");
        if was_really == value {
            continue;
        }
        let put = a.set(&knob(name), value)?;
        must!(put["before"] == was_really.as_str() && put["obtained"] == value, "{name}: {put}");
        if name == "offload tx-checksum" {
            must!(put["notes"].to_string().contains("tx-tcp-segmentation went from on to off"), "{put}");
        }
        must!(a.read(&knob(name))? == value, "{name}");
    }
    must!(facts(&mut a)? != before, "nothing changed");
    let told = a.restore()?;
    must!(told.iter().all(|b| b["trouble"].is_null()), "{told:?}");
    let is = |b: Option<&Value>, word: &str| b.is_some_and(|b| b["setting"].to_string().contains(word));
    must!(is(told.first(), "sysctl") && is(told.last(), "mtu"), "{told:?}");
    unchanged(&before, &mut a)
}

pub fn not_taken() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "taken", &[])?;
    let mut a = Holder::of(&home, &lab, "a", "b")?;
    let before = facts(&mut a)?;
    for (name, value, said) in [
        // Above the driver's maximum, which the error names.
        ("mtu", "70000", "takes at most 65535"),
        // Unsupported, but accepted by the kernel.
        ("offload lro", "on", "was set to on and is off"),
        ("sysctl net.ipv4.tcp_congestion_control", "nosuch", "no such word"),
        // Machine-wide: not allowed in a lab.
        ("sysctl net.core.rmem_max", "4194304", "knobs.allowed"),
        ("governor", "performance", "knobs.allowed"),
        ("ring rx", "512", "not to be had here"),
        ("mtu", "nine", "type a whole number"),
        ("speed", "10", "there is no knob"),
    ] {
        let e = a.set(&knob(name), value).err().ok_or_else(|| format!("{name} was set to {value}"))?;
        must!(e.message().is_some_and(|m| m.contains(said)), "{name}: {e:?}");
    }
    // The kernel accepts it but waits for another feature.
    a.set(&knob("offload tx-checksum"), "off")?;
    must!(a.read(&knob("offload tso"))? == "off", "tso without checksums");
    let e = a.set(&knob("offload tso"), "on").err().ok_or("tso was set without checksums")?;
    must!(e.message().is_some_and(|m| m.contains("was set to on and is off")), "{e:?}");
    a.restore()?;
    unchanged(&before, &mut a)
}

pub fn coordinator_killed() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "lost", &[])?;
    let mut watcher = Holder::of(&home, &lab, "a", "b")?;
    let before = facts(&mut watcher)?;
    let mut lost = Holder::of(&home, &lab, "a", "b")?;
    lost.set(&knob("mtu"), "1300")?;
    lost.set(&knob("txqueuelen"), "50")?;
    must!(watcher.read(&knob("mtu"))? == "1300", "not set");
    let e = watcher.set(&knob("mtu"), "1400").err().ok_or("two held one knob")?;
    must!(e.message().is_some_and(|m| m.contains("is held by")), "{e:?}");
    signal(lost.pid(), "KILL");
    await_value(&mut watcher, "mtu", "1500")?;
    let told = watcher.restore()?;
    must!(told.len() == 2 && told.iter().all(|b| b["trouble"].is_null()), "{told:?}");
    unchanged(&before, &mut watcher)
}

fn beside(home: &Home, lab: &Lab<'_>, host: &str) -> Result<Running, Failed> {
    let spool = home.path().join("spool");
    let words = format!(
        "lab exec {} -- {} agent --port 6303 --data-port 6304 --policy none --allow-knob namespace --spool {} \
         --key-file {} --hidden",
        lab.host(host),
        env!("CARGO_BIN_EXE_goodput"),
        spool.display(),
        lab.key_file()?
    );
    ready(home.command(words.split(' ')), "waits for orders")
}

pub fn agent_killed() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "killed", &[])?;
    let mut watcher = Holder::of(&home, &lab, "a", "b")?;
    let before = facts(&mut watcher)?;
    let agent = beside(&home, &lab, "a")?;
    let mut a = Holder::start(&home, &[&lab.host("a"), "--port", "6303", "--towards", &lab.host("b")])?;
    a.set(&knob("mtu"), "1300")?;
    a.set(&knob("sysctl net.ipv4.tcp_sack"), "0")?;
    drop(agent);
    while a.read(&knob("mtu")).is_ok() {
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(a);
    must!(watcher.read(&knob("mtu"))? == "1300", "it is still changed");
    let journal = home.path().join("spool/knobs.journal");
    must!(std::fs::read_to_string(&journal)?.lines().count() >= 4, "a journal");
    lab.exec("a", ["ip", "link", "set", "eth0", "mtu", "1280"])?;
    let mut agent = beside(&home, &lab, "a")?;
    let told = [agent.says("", SOON)?, agent.says("", SOON)?];
    must!(told[0].contains("tcp_sack was restored to 1"), "{told:?}");
    must!(told[1].contains("mtu of eth0 was not restored") && told[1].contains("somebody else"), "{told:?}");
    must!(watcher.read(&knob("mtu"))? == "1280", "another hand's setting was undone");
    must!(std::fs::read(&journal)?.is_empty(), "the journal is done");
    lab.exec("a", ["ip", "link", "set", "eth0", "mtu", "1500"])?;
    unchanged(&before, &mut watcher)
}

pub fn foreign_change() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "other", &[])?;
    let mut a = Holder::of(&home, &lab, "a", "b")?;
    let before = facts(&mut a)?;
    a.set(&knob("mtu"), "1400")?;
    a.set(&knob("txqueuelen"), "50")?;
    lab.exec("a", ["ip", "link", "set", "eth0", "mtu", "1300"])?;
    let told = a.restore()?;
    let troubles: Vec<&str> = told.iter().filter_map(|b| b["trouble"].as_str()).collect();
    must!(troubles.len() == 1 && told.len() == 2, "{told:?}");
    must!(["1300", "1400", "1500", "it is left"].iter().all(|w| troubles[0].contains(w)), "{troubles:?}");
    must!(a.read(&knob("mtu"))? == "1300", "another hand's setting was undone");
    lab.exec("a", ["ip", "link", "set", "eth0", "mtu", "1500"])?;
    unchanged(&before, &mut a)
}

pub fn not_allowed() -> CommandOutput {
    let home = Home::new();
    home.line("key new").ended(0)?;
    let agent = home.agent(&[])?;
    let mut a = Holder::start(&home, &["127.0.0.1", "--port", &agent.port.to_string()])?;
    let e = a.set(&knob("sysctl net.ipv4.tcp_sack"), "0").err().ok_or("set without leave")?;
    let said = e.message().unwrap_or_default();
    must!(said.contains("knobs.allowed") && said.contains("--allow-knob"), "{said}");
    let command = json!({ "by": "command", "set": ["true", "{level}"] });
    let e = a.set(&command, "1").err().ok_or("run without leave")?;
    must!(e.message().is_some_and(|m| m.contains("commands.allowed")), "{e:?}");
    // Refused without a journal, although allowed.
    let allowed = home.agent(&["--allow-command", "true"])?;
    let mut b = Holder::start(&home, &["127.0.0.1", "--port", &allowed.port.to_string()])?;
    let e = b.set(&command, "1").err().ok_or("set without a journal")?;
    must!(e.message().is_some_and(|m| m.contains("nothing is set")), "{e:?}");
    for (option, said) in [("--allow-knob=speed", "no knob"), ("--allow-command= ", "no command")] {
        let ran = home.run(["agent", option]).ended(2)?;
        must!(ran.stderr.contains(said) && ran.stderr.contains("hint:"), "{}", ran.stderr);
    }
    Ok(())
}
