//! Hosts: agents, differences, matrix.

use crate::stage::{PLAIN, Stage};
use goodput_model::host::{Fact, Inventory};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;

/// Gives the fixture's stream, which has extreme numbers, 941.4 Mbit/s over 10 s.
pub fn make_plausible(stage: &Stage) {
    let log = stage.store().join(PLAIN).join("events.jsonl");
    let mut changed = fs::read_to_string(&log).unwrap();
    for (from, to) in [
        ("1152921504606846976", "1176750000"),
        (r#""direction":"both""#, r#""direction":"send""#),
        (r#"{"bytes":1099511627776}"#, r#"{"time":10000000000}"#),
    ] {
        assert!(changed.contains(from), "{from}");
        changed = changed.replace(from, to);
    }
    fs::write(&log, changed).unwrap();
}

pub async fn the_matrix_has_the_last_figures_of_each_way(stage: Stage) {
    make_plausible(&stage);
    let matrix = stage.read("hosts/matrix").await;
    let [pair] = &matrix["pairs"].as_array().unwrap()[..] else { panic!("{matrix}") };
    for end in ["from", "to"] {
        assert!(matrix["hosts"].as_array().unwrap().contains(&pair[end]), "{matrix}");
    }
    let goodput = &pair["goodput"];
    assert!(goodput["value"].is_number(), "{matrix}");
    assert_eq!((&goodput["text"], &goodput["run"]), (&json!("941.4 Mbit/s"), &json!(PLAIN)));
}

pub async fn two_hosts_are_held_against_each_other_by_their_records(stage: Stage) {
    let differ =
        async |names: &str| stage.get(&format!("hosts/differences?names={names}")).reader().send().await;
    for wrong in ["", "a", "a,", "a,b,c"] {
        differ(wrong).await.problem(400);
    }
    let unknown = differ("nobody,lab:a").await.problem(404);
    assert!(unknown["error"].as_str().unwrap().contains("inventory found of a host named nobody"));
    stage.get("hosts/differences").reader().send().await.problem(400);
    // The fixture's version recorded no facts.
    differ("lab:a,lab:b").await.problem(404);
    record(&stage);
    let found = differ("lab:a,lab:b").await.document();
    assert_eq!((&found["first"]["name"], &found["first"]["run"]), (&json!("lab:a"), &json!(PLAIN)));
    let differences = found["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 1, "{found}");
    assert_eq!((&differences[0]["first"], &differences[0]["second"]), (&json!("212992"), &json!("4194304")));
    assert!(differ("lab:a,lab:a").await.document()["differences"].as_array().unwrap().is_empty());
}

pub async fn the_last_records_of_hosts_are_told_together(stage: Stage) {
    let records = async |query: &str| stage.get(&format!("hosts/records{query}")).reader().send().await;
    let none = json!({ "records": [] });
    assert_eq!(records("").await.document(), none);
    // The fixture's version recorded no facts.
    assert_eq!(records("?name=lab:a&name=nobody").await.document(), none);
    record(&stage);
    let found = records("?name=lab:b&name=nobody&name=lab:a&name=lab:a").await.document();
    let all = found["records"].as_array().unwrap();
    let names: Vec<&Value> = all.iter().map(|one| &one["record"]["name"]).collect();
    assert_eq!(names, ["lab:a", "lab:b"], "{found}");
    assert_eq!(all[0]["record"]["run"], PLAIN);
    assert_eq!((&all[0]["memory_bytes"], &all[0]["adapters"]), (&Value::Null, &json!([])), "{found}");
    records(&format!("?{}", "name=x&".repeat(65))).await.problem(400);
    records("?names=a").await.problem(400);
}

/// Both ends record a sysctl in which they differ.
fn record(stage: &Stage) {
    let log = stage.store().join(PLAIN).join("events.jsonl");
    let mut lines = String::new();
    for line in fs::read_to_string(&log).unwrap().lines() {
        let mut event: Value = serde_json::from_str(line).unwrap();
        for end in event.pointer_mut("/trial/ends").and_then(Value::as_array_mut).into_iter().flatten() {
            let size = match end["host"].as_str() {
                Some("lab:a") => "212992",
                Some("lab:b") => "4194304",
                _ => continue,
            };
            let sysctls = BTreeMap::from([("net.core.rmem_max".to_string(), Fact::Value(size.to_string()))]);
            end["inventory"] = serde_json::to_value(Inventory { sysctls, ..Inventory::default() }).unwrap();
        }
        lines += &format!("{event}\n");
    }
    fs::write(&log, lines).unwrap();
}
