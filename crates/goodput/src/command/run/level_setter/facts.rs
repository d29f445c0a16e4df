//! Facts of an inventory by their `goodput host --json` paths, and whether they match a level. Pure.

use goodput_model::Message;
use goodput_model::experiment::{Factor, ManualStepCheck};
use goodput_words::{message, non_empty_semicolon_list};
use serde_json::Value;

/// A fact as text, by its path below `inventory`, such as `interfaces.eth0.driver.version` or
/// `sysctls.net.ipv4.tcp_sack`. `value` objects are transparent, an object with a `name` yields it, lists are
/// joined by `, `. The error lists the available facts.
pub fn lookup_inventory_fact(inventory: &Value, path: &str) -> Result<String, Message> {
    let path = path.strip_prefix("inventory.").unwrap_or(path);
    let missing = || message!(error_fact_missing { fact: path, near: near(inventory, path) });
    text(walk(inventory, path).ok_or_else(missing)?, path)
}

fn open(value: &Value) -> &Value {
    match value.as_object() {
        Some(map) if map.len() == 1 && map.contains_key("value") => open(&map["value"]),
        _ => value,
    }
}

fn walk<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    let value = open(value);
    if path.is_empty() {
        return Some(value);
    }
    match value {
        Value::Object(map) => map.iter().find_map(|(key, below)| {
            let rest = path.strip_prefix(key.as_str())?;
            match rest.strip_prefix('.') {
                Some(rest) => walk(below, rest),
                None => rest.is_empty().then(|| open(below)),
            }
        }),
        Value::Array(list) => {
            let (index, rest) = path.split_once('.').unwrap_or((path, ""));
            walk(list.get(index.parse::<usize>().ok()?)?, rest)
        }
        _ => None,
    }
}

fn text(value: &Value, path: &str) -> Result<String, Message> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Null => Ok("none".into()),
        Value::Bool(_) | Value::Number(_) => Ok(value.to_string()),
        Value::Array(list) if list.iter().all(|v| !v.is_object() && !v.is_array()) => {
            let all: Result<Vec<String>, Message> = list.iter().map(|v| text(v, path)).collect();
            all.map(|all| all.join(", "))
        }
        Value::Object(map) => match (map.get("not_available"), map.get("name")) {
            (Some(why), _) => {
                Err(message!(error_fact_not_available { why: why.as_str().unwrap_or_default() }))
            }
            (None, Some(name)) => text(open(name), path),
            (None, None) => Err(message!(error_fact_not_single { fact: path, names: keys(value) })),
        },
        Value::Array(list) => Err(message!(error_fact_is_list { fact: path, count: list.len().to_string() })),
    }
}

fn keys(value: &Value) -> String {
    const SHOWN: usize = 12;
    let all: Vec<&str> = value.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    let more = if all.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", all.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", "))
}

fn near(inventory: &Value, path: &str) -> Message {
    let mut known = path;
    while let Some((shorter, _)) = known.rsplit_once('.') {
        known = shorter;
        if let Some(found) = walk(inventory, known) {
            return match open(found) {
                Value::Object(map) if map.contains_key("not_available") => {
                    message!(part_fact_not_available { fact: known })
                }
                found => message!(part_facts_below { fact: known, names: keys(found) }),
            };
        }
    }
    message!(part_facts_there { names: keys(inventory) })
}

pub fn describe_required_facts(verify: &[ManualStepCheck], level: &str) -> Vec<String> {
    let one = |fact: &ManualStepCheck| {
        Some(format!("{} of {} is {}", fact.fact, fact.on, fact.is.get(level)?.trim()))
    };
    verify.iter().filter_map(one).collect()
}

/// Fails with actual and required value of each fact that differs.
pub fn verify_level_facts(verify: &[ManualStepCheck], level: &str, found: &[Message]) -> Result<(), Message> {
    let wrong = |(check, is): (&ManualStepCheck, &Message)| {
        let (fact, host, should) = (&check.fact, &check.on, check.is.get(level)?);
        (should.trim() != is.trim()).then(|| message!(error_fact_differs { fact, host, is, should }))
    };
    non_empty_semicolon_list(verify.iter().zip(found).filter_map(wrong)).map_or(Ok(()), Err)
}

pub fn infer_level_from_facts(
    factor: &Factor,
    verify: &[ManualStepCheck],
    found: &[Message],
) -> Option<String> {
    if verify.is_empty() {
        return None;
    }
    let mut fitting =
        factor.levels.iter().filter(|level| verify_level_facts(verify, &level.name, found).is_ok());
    let first = fitting.next()?;
    fitting.next().is_none().then(|| first.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::experiment::{FactorLevel, LevelSettingMethod};
    use serde_json::json;
    use std::collections::BTreeMap;

    fn inventory() -> Value {
        json!({
            "machine": { "kernel": { "value": "6.12" }, "memory_bytes": { "value": 4096 } },
            "sysctls": { "net.ipv4.tcp_rmem": { "value": "4096 131072 6291456" }, "net.ipv4.tcp": { "value": "x" } },
            "interfaces": { "value": { "eth0": {
                "mtu": 9000, "lower": null, "kind": "device",
                "driver": { "value": { "name": "igb", "version": "5.6" } },
                "pci": { "not_available": "it has no slot" },
                "link": { "value": { "asked": ["1000baseT/Full", "100baseT/Full"], "autonegotiation": true } },
                "interrupts": { "value": [{ "name": "rx-0" }, { "name": "tx-0" }] },
            } } },
        })
    }

    #[test]
    fn facts_are_found_by_their_paths() {
        for (path, value) in [
            ("machine.kernel", "6.12"),
            ("machine.memory_bytes", "4096"),
            ("interfaces.eth0.mtu", "9000"),
            ("inventory.interfaces.eth0.mtu", "9000"),
            ("interfaces.eth0.driver", "igb"),
            ("interfaces.eth0.driver.version", "5.6"),
            ("interfaces.eth0.lower", "none"),
            ("interfaces.eth0.link.asked", "1000baseT/Full, 100baseT/Full"),
            ("interfaces.eth0.link.autonegotiation", "true"),
            ("interfaces.eth0.interrupts.1", "tx-0"),
            ("interfaces.eth0.interrupts.1.name", "tx-0"),
            ("sysctls.net.ipv4.tcp_rmem", "4096 131072 6291456"),
            ("sysctls.net.ipv4.tcp", "x"),
        ] {
            assert_eq!(lookup_inventory_fact(&inventory(), path), Ok(value.into()), "{path}");
        }
    }

    #[test]
    fn what_is_not_there_is_said_with_what_is() {
        for (path, said) in [
            ("interfaces.eth1.mtu", "below interfaces are eth0"),
            ("interfaces.eth0.speed", "below interfaces.eth0 are"),
            ("interfaces.eth0.pci", "not available: it has no slot"),
            ("interfaces.eth0.pci.speed", "interfaces.eth0.pci is not available"),
            ("interfaces.eth0", "is no single fact"),
            ("interfaces.eth0.interrupts", "list of 2"),
            ("nothing", "there are interfaces, machine, sysctls"),
            ("", "no single fact"),
        ] {
            let e = lookup_inventory_fact(&inventory(), path).unwrap_err();
            assert!(e.contains(said), "{path}: {e}");
        }
    }

    #[test]
    fn facts_are_held_against_a_level() {
        let is =
            BTreeMap::from([("a".to_string(), "igb".to_string()), ("b".to_string(), "r8169".to_string())]);
        let verify = [ManualStepCheck { on: "server".into(), fact: "interfaces.eth0.driver".into(), is }];
        let found = [Message::from("igb")];
        assert_eq!(describe_required_facts(&verify, "b"), ["interfaces.eth0.driver of server is r8169"]);
        assert_eq!(verify_level_facts(&verify, "a", &found), Ok(()));
        let said = verify_level_facts(&verify, "b", &found).unwrap_err();
        assert_eq!(said, "interfaces.eth0.driver of server is igb and should be r8169");
        let level = |name: &str| FactorLevel { name: name.into(), value: name.into() };
        let means = LevelSettingMethod::ByHand { ask: "x".into(), verify: verify.to_vec() };
        let factor =
            Factor { name: "nic".into(), levels: vec![level("a"), level("b")], means, hard_to_change: true };
        assert_eq!(infer_level_from_facts(&factor, &verify, &found).as_deref(), Some("a"));
        assert_eq!(infer_level_from_facts(&factor, &verify, &[Message::from("else")]), None);
        assert_eq!(infer_level_from_facts(&factor, &[], &[]), None);
    }
}
