//! Host settings as levels: set, read back and restored. Each test ends with the original inventory.

pub mod by_hand;
mod holder;
pub mod levels;

use crate::stage::{Home, Lab};
use crate::{CommandOutput, must};
use goodput_model::host::inventory::Inventory;
use holder::Holder;
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn knob(name: &str) -> Value {
    json!({ "by": "knob", "knob": name })
}

fn facts(holder: &mut Holder) -> Result<BTreeMap<String, String>, Failed> {
    let answer = holder.ask(json!({ "ask": "inventory" }))?;
    let inventory: Inventory = serde_json::from_value(answer["inventory"].clone())?;
    Ok(inventory.facts())
}

fn unchanged(before: &BTreeMap<String, String>, holder: &mut Holder) -> CommandOutput {
    let after = facts(holder)?;
    let differs = |name: &&String| before.get(*name) != after.get(*name);
    let names: Vec<&String> = before.keys().chain(after.keys()).filter(differs).collect();
    must!(names.is_empty(), "{names:?}");
    Ok(())
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
