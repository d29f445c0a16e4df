//! Hosts: agents, differences, matrix.

use crate::stage::{PLAIN, Stage, TestDatabase};
use goodput_model::host::{Fact, Inventory};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;

/// Gives the fixture's stream, which has extreme numbers, 941.4 Mbit/s over 10 s.
pub fn make_plausible(stage: &Stage) {
    let log = stage.store().join(PLAIN).join("events.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let mut changed = text;
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

pub async fn the_matrix_has_the_last_figures_of_each_way(on: TestDatabase) {
    let stage = Stage::new(on).await;
    make_plausible(&stage);
    let matrix = stage.get("hosts/matrix").reader().send().await.document();
    let hosts: Vec<&str> = matrix["hosts"].as_array().unwrap().iter().map(|h| h.as_str().unwrap()).collect();
    assert_eq!(matrix["pairs"].as_array().unwrap().len(), 1, "{matrix}");
    assert_eq!(matrix["pairs"][0]["goodput"]["text"], "941.4 Mbit/s", "{matrix}");
    for pair in matrix["pairs"].as_array().unwrap() {
        for end in ["from", "to"] {
            assert!(hosts.contains(&pair[end].as_str().unwrap()), "{matrix}");
        }
        let goodput = &pair["goodput"];
        assert!(goodput["value"].is_number() && goodput["text"].is_string() && goodput["run"].is_string());
        stage.get(&format!("runs/{}", goodput["run"].as_str().unwrap())).reader().send().await.document();
    }
}

pub async fn two_hosts_are_held_against_each_other_by_their_records(on: TestDatabase) {
    let stage = Stage::new(on).await;
    let differ =
        async |names: &str| stage.get(&format!("hosts/differences?names={names}")).reader().send().await;
    for wrong in ["", "a", "a,", "a,b,c"] {
        differ(wrong).await.problem(400);
    }
    let unknown = differ("nobody,lab:a").await.problem(404);
    assert!(
        unknown["error"].as_str().unwrap().contains("no record found of a host named nobody"),
        "{unknown}"
    );
    stage.get("hosts/differences").reader().send().await.problem(400);
    // The fixture's version recorded no facts.
    differ("lab:a,lab:b").await.problem(404);
    record(&stage, &[("lab:a", "212992"), ("lab:b", "4194304")]);
    let found = differ("lab:a,lab:b").await.document();
    assert_eq!((&found["first"]["name"], &found["first"]["run"]), (&json!("lab:a"), &json!(PLAIN)));
    let differences = found["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 1, "{found}");
    assert_eq!((&differences[0]["first"], &differences[0]["second"]), (&json!("212992"), &json!("4194304")));
    assert!(differ("lab:a,lab:a").await.document()["differences"].as_array().unwrap().is_empty());
}

pub async fn the_last_records_of_hosts_are_told_together(on: TestDatabase) {
    let stage = Stage::new(on).await;
    let records = async |query: &str| stage.get(&format!("hosts/records{query}")).reader().send().await;
    let none = json!({ "records": [] });
    assert_eq!(records("").await.document(), none);
    // The fixture's version recorded no facts.
    assert_eq!(records("?name=lab:a&name=nobody").await.document(), none);
    record(&stage, &[("lab:a", "212992"), ("lab:b", "4194304")]);
    let found = records("?name=lab:b&name=nobody&name=lab:a&name=lab:a").await.document();
    let all = found["records"].as_array().unwrap();
    let names: Vec<&Value> = all.iter().map(|one| &one["record"]["name"]).collect();
    assert_eq!(names, ["lab:a", "lab:b"], "{found}");
    assert_eq!(all[0]["record"]["run"], PLAIN);
    assert_eq!((&all[0]["memory_bytes"], &all[0]["adapters"]), (&Value::Null, &json!([])), "{found}");
    let many = "name=x&".repeat(65);
    records(&format!("?{many}")).await.problem(400);
    records("?names=a").await.problem(400);
}

fn record(stage: &Stage, hosts: &[(&str, &str)]) {
    let log = stage.store().join(PLAIN).join("events.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut event: Value = serde_json::from_str(line).unwrap();
        for end in event.pointer_mut("/trial/ends").and_then(Value::as_array_mut).into_iter().flatten() {
            let known = hosts.iter().find(|(name, _)| end["host"] == *name);
            if let Some((_, rmem)) = known {
                let sysctls =
                    BTreeMap::from([("net.core.rmem_max".to_string(), Fact::Value(rmem.to_string()))]);
                end["inventory"] =
                    serde_json::to_value(Inventory { sysctls, ..Inventory::default() }).unwrap();
            }
        }
        lines.push(event.to_string());
    }
    fs::write(&log, lines.join("\n") + "\n").unwrap();
}
