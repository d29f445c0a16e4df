//! Host settings as levels: set, read back and restored, whichever process is killed. Each test ends with the
//! original inventory.

pub mod by_hand;
pub mod diagnosis;
pub mod levels;

use crate::stage::*;
use goodput_model::host::inventory::Inventory;
use std::collections::BTreeSet;
use std::process::Stdio;

/// Longer than an agent waits for a silent coordinator.
const SOON: Duration = Duration::from_secs(60);

/// A `goodput level-setter` process, driven as by `goodput run`.
pub struct Holder(Running);

impl Holder {
    fn of(home: &Home, lab: &Lab, host: &str, other: &str) -> Result<Holder, Failed> {
        Holder::start(home, &[&lab.host(host), "--towards", &lab.host(other)])
    }

    fn start(home: &Home, args: &[&str]) -> Result<Holder, Failed> {
        let mut command = home.command(["level-setter"].iter().chain(args));
        command.stdin(Stdio::piped()).stderr(Stdio::inherit());
        let mut holder = Holder(running(command));
        let ready = holder.hear()?;
        must!(ready["answer"] == "ready", "{ready}");
        Ok(holder)
    }

    fn pid(&self) -> u32 {
        self.0.pid()
    }

    fn hear(&mut self) -> Result<Value, Failed> {
        Ok(serde_json::from_str(&self.0.says("", SOON)?)?)
    }

    fn ask(&mut self, question: Value) -> Result<Value, Failed> {
        self.0.input(question)?;
        let answer = self.hear()?;
        match answer["answer"].as_str() {
            Some("refused") => Err(answer["why"]["text"].as_str().unwrap_or_default().into()),
            _ => Ok(answer),
        }
    }

    fn read(&mut self, subject: &Value) -> Result<String, Failed> {
        let answer = self.ask(json!({ "ask": "read", "subject": subject }))?;
        Ok(answer["value"].as_str().unwrap_or("not to be read").to_string())
    }

    fn set(&mut self, subject: &Value, value: &str) -> Result<Value, Failed> {
        Ok(self.ask(json!({ "ask": "set", "subject": subject, "value": value }))?["put"].clone())
    }

    fn refuses(&mut self, subject: &Value, value: &str, words: &[&str]) -> CommandOutput {
        let e = self.set(subject, value).err().ok_or_else(|| format!("{subject} was set to {value}"))?;
        let said = e.message().unwrap_or_default();
        must!(words.iter().all(|word| said.contains(word)), "{subject}: {said}");
        Ok(())
    }

    fn restore(&mut self) -> Result<Vec<Value>, Failed> {
        let answer = self.ask(json!({ "ask": "restore" }))?;
        Ok(answer["told"].as_array().cloned().unwrap_or_default())
    }
}

fn knob(name: &str) -> Value {
    json!({ "by": "knob", "knob": name })
}

fn facts(holder: &mut Holder) -> Result<BTreeSet<(String, String)>, Failed> {
    let answer = holder.ask(json!({ "ask": "inventory" }))?;
    let inventory: Inventory = serde_json::from_value(answer["inventory"].clone())?;
    Ok(inventory.flatten_stable_facts().into_iter().collect())
}

/// A story in a lab of its own, whose host a has the same facts afterwards.
fn in_lab(name: &str, story: impl FnOnce(&Home, &Lab, &mut Holder) -> CommandOutput) -> CommandOutput {
    let lab = Lab::up(name, &[])?;
    let mut a = Holder::of(&lab.home, &lab, "a", "b")?;
    let before = facts(&mut a)?;
    story(&lab.home, &lab, &mut a)?;
    let after = facts(&mut a)?;
    must!(after == before, "{:?}", after.symmetric_difference(&before));
    Ok(())
}

fn await_value(holder: &mut Holder, name: &str, value: &str) -> CommandOutput {
    until(&format!("the result for {name} is: {value}"), SOON, || Ok(holder.read(&knob(name))? == value))
}

pub fn set_mtu(lab: &Lab, mtu: &str) -> CommandOutput {
    lab.exec("a", ["ip", "link", "set", "eth0", "mtu", mtu]).map(drop)
}

pub fn set_and_put_back() -> CommandOutput {
    in_lab("knobs", |_, _, a| {
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
            let said = put["notes"].to_string().contains("tx-tcp-segmentation went from on to off");
            must!(said || name != "offload tx-checksum", "{put}");
            must!(a.read(&knob(name))? == value, "{name}");
        }
        let told = a.restore()?;
        must!(told.iter().all(|b| b["trouble"].is_null()), "{told:?}");
        let is = |b: Option<&Value>, word: &str| b.is_some_and(|b| b["setting"].to_string().contains(word));
        must!(is(told.first(), "sysctl") && is(told.last(), "mtu"), "{told:?}");
        Ok(())
    })
}

pub fn not_taken() -> CommandOutput {
    in_lab("taken", |_, _, a| {
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
            a.refuses(&knob(name), value, &[said])?;
        }
        // The kernel accepts it but waits for another feature.
        a.set(&knob("offload tx-checksum"), "off")?;
        must!(a.read(&knob("offload tso"))? == "off", "tso without checksums");
        a.refuses(&knob("offload tso"), "on", &["was set to on and is off"])?;
        a.restore().map(drop)
    })
}

pub fn coordinator_killed() -> CommandOutput {
    in_lab("lost", |home, lab, watcher| {
        let mut lost = Holder::of(home, lab, "a", "b")?;
        lost.set(&knob("mtu"), "1300")?;
        lost.set(&knob("txqueuelen"), "50")?;
        must!(watcher.read(&knob("mtu"))? == "1300", "not set");
        watcher.refuses(&knob("mtu"), "1400", &["is held by"])?;
        signal(lost.pid(), "KILL");
        await_value(watcher, "mtu", "1500")?;
        let told = watcher.restore()?;
        must!(told.len() == 2 && told.iter().all(|b| b["trouble"].is_null()), "{told:?}");
        Ok(())
    })
}

fn beside(home: &Home, lab: &Lab, host: &str) -> Result<Running, Failed> {
    let words = format!(
        "lab exec {} -- {} agent --port 6303 --data-port 6304 --policy none --allow-knob namespace --spool {} \
         --key-file {} --hidden",
        lab.host(host),
        PROGRAM,
        home.path().join("spool").display(),
        lab.key_file()?
    );
    ready(home.command(words.split(' ')), "waits for orders")
}

pub fn agent_killed() -> CommandOutput {
    in_lab("killed", |home, lab, watcher| {
        let agent = beside(home, lab, "a")?;
        let mut a = Holder::start(home, &[&lab.host("a"), "--port", "6303", "--towards", &lab.host("b")])?;
        a.set(&knob("mtu"), "1300")?;
        a.set(&knob("sysctl net.ipv4.tcp_sack"), "0")?;
        drop(agent);
        until("the agent is gone", SOON, || Ok(a.read(&knob("mtu")).is_err()))?;
        drop(a);
        must!(watcher.read(&knob("mtu"))? == "1300", "it is still changed");
        let journal = home.path().join("spool/knobs.journal");
        must!(fs::read_to_string(&journal)?.lines().count() >= 4, "a journal");
        set_mtu(lab, "1280")?;
        let mut agent = beside(home, lab, "a")?;
        let told = [agent.says("", SOON)?, agent.says("", SOON)?];
        must!(told[0].contains("tcp_sack was restored to 1"), "{told:?}");
        must!(told[1].contains("mtu of eth0 was not restored"), "{told:?}");
        must!(told[1].contains("somebody else"), "{told:?}");
        must!(watcher.read(&knob("mtu"))? == "1280", "another hand's setting was undone");
        must!(fs::read(&journal)?.is_empty(), "the journal is done");
        set_mtu(lab, "1500")
    })
}

pub fn foreign_change() -> CommandOutput {
    in_lab("other", |_, lab, a| {
        a.set(&knob("mtu"), "1400")?;
        a.set(&knob("txqueuelen"), "50")?;
        set_mtu(lab, "1300")?;
        let told = a.restore()?;
        let troubles: Vec<&str> = told.iter().filter_map(|b| b["trouble"]["text"].as_str()).collect();
        must!(troubles.len() == 1 && told.len() == 2, "{told:?}");
        must!(["1300", "1400", "1500", "it is left"].iter().all(|w| troubles[0].contains(w)), "{troubles:?}");
        must!(a.read(&knob("mtu"))? == "1300", "another hand's setting was undone");
        set_mtu(lab, "1500")
    })
}

pub fn not_allowed() -> CommandOutput {
    let home = Home::with_key()?;
    let holder = |agent: &Agent| Holder::start(&home, &["127.0.0.1", "--port", &agent.port.to_string()]);
    let agent = home.agent(&[])?;
    let mut a = holder(&agent)?;
    a.refuses(&knob("sysctl net.ipv4.tcp_sack"), "0", &["knobs.allowed", "--allow-knob"])?;
    let command = json!({ "by": "command", "set": ["true", "{level}"] });
    a.refuses(&command, "1", &["commands.allowed"])?;
    // Refused without a journal, although allowed.
    let allowed = home.agent(&["--allow-command", "true"])?;
    holder(&allowed)?.refuses(&command, "1", &["nothing is set"])?;
    home.run(["agent", "--allow-knob=speed"]).refused(2, &["no knob"])?;
    home.run(["agent", "--allow-command= "]).refused(2, &["no command"])
}
