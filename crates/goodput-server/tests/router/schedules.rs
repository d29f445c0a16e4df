//! Schedules: created, changed, removed; permissions; history.

use crate::stage::{PLAIN, Stage};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use std::fs;

fn nightly() -> Value {
    json!({
        "name": "nightly",
        "line": ["stream", "10.0.0.2", "--time", "5s"],
        "when": { "kind": "calendar", "days": ["monday"], "times": ["03:00"], "zone": "Europe/Berlin" },
        "alerts": [{ "kind": "below", "value": 9e8 }, { "kind": "changed" }],
        "webhook": "https://hooks.example.com/T0/secret",
    })
}

async fn add(stage: &Stage, order: &Value) -> crate::stage::Answer {
    stage.ask(Method::POST, "schedules").operator().json(order).await
}

pub async fn a_schedule_is_made_changed_and_taken_away(stage: Stage) {
    assert_eq!(stage.read("schedules").await, json!({ "schedules": [], "trouble": null }));
    let made = add(&stage, &nightly()).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    assert_eq!(made.headers["location"], "/api/v1/schedules/nightly");
    let made = made.value();
    assert_eq!((&made["id"], &made["enabled"], &made["runs"]), (&json!("nightly"), &json!(true), &json!(0)));
    assert_eq!(made["when_text"], "Monday at 03:00 (Europe/Berlin)");
    assert!(made["next"].is_string() && made["last"].is_null());
    let alert = json!({ "rule": { "kind": "changed" }, "text": "a change in the metric's history", "standing": null });
    assert_eq!(made["alerts"][1], alert);
    add(&stage, &nightly()).await.problem(409);
    let mut changed = nightly();
    changed["when"] = json!({ "kind": "every", "seconds": 900 });
    changed["enabled"] = json!(false);
    let put = stage.ask(Method::PUT, "schedules/nightly").operator().json(&changed).await.document();
    assert_eq!((&put["when_text"], &put["next"]), (&json!("every 15 min"), &Value::Null));
    changed["name"] = json!("weekly");
    stage.ask(Method::PUT, "schedules/nightly").operator().json(&changed).await.problem(422);
    stage.ask(Method::PUT, "schedules/weekly").operator().json(&changed).await.problem(404);
    let gone = stage.ask(Method::DELETE, "schedules/nightly").operator().send().await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    for path in ["schedules/nightly", "schedules/nightly/history"] {
        stage.get(path).reader().send().await.problem(404);
    }
    stage.ask(Method::DELETE, "schedules/nightly").operator().send().await.problem(404);
}

pub async fn a_reader_does_not_see_where_it_posts(stage: Stage) {
    add(&stage, &nightly()).await;
    let seen = stage.get("schedules/nightly").operator().send().await.document();
    assert_eq!(seen["webhook"], "https://hooks.example.com/T0/secret");
    assert_eq!(stage.read("schedules/nightly").await["webhook"], "https://hooks.example.com/…");
}

pub async fn what_cannot_be_a_schedule_is_refused_in_words(stage: Stage) {
    let labelled = json!(["stream", "b", "--label", "schedule=x"]);
    for (place, value, status, words) in [
        ("/name", json!("a b"), 422, "is no name of a schedule"),
        ("/line", json!(["rm", "-rf", "/"]), 422, "this measures nothing"),
        ("/line", labelled, 422, "remove it from the command line"),
        ("/when/times", json!(["3 o'clock"]), 422, "no time of day"),
        ("/webhook", json!("gopher://example.com/"), 422, "is not a webhook URL"),
        ("/jitter_seconds", json!(3600 * 13), 422, "a jitter of"),
        ("/when/kind", json!("cron"), 400, ""),
        ("/alerts", json!([{ "kind": "below" }]), 400, ""),
        ("/line", json!("stream b"), 400, ""),
    ] {
        let mut order = nightly();
        order["jitter_seconds"] = Value::Null;
        *order.pointer_mut(place).unwrap() = value;
        let problem = add(&stage, &order).await.problem(status);
        assert!(problem.to_string().contains(words), "{place}: {problem}");
    }
}

pub async fn the_history_is_that_of_the_runs_with_its_label(stage: Stage) {
    crate::hosts::make_plausible(&stage);
    let head = stage.store().join(PLAIN).join("run.json");
    let mut run: Value = serde_json::from_str(&fs::read_to_string(&head).unwrap()).unwrap();
    run["labels"]["schedule"] = json!("nightly");
    fs::write(&head, run.to_string()).unwrap();
    add(&stage, &nightly()).await;
    let history = stage.read("schedules/nightly/history").await;
    let values = history["values"].as_array().unwrap();
    assert_eq!((values.len(), &values[0]["run"], &history["left_out"]), (1, &json!(PLAIN), &json!(0)));
    assert!(history["cannot_tell"].as_str().unwrap().contains("too few"));
    assert_eq!(history["page"]["title"], "History of nightly");
    let run = stage.read(&format!("runs/{PLAIN}")).await;
    let figure = &run["card"]["figure"];
    assert_eq!(values[0]["text"], "941.4 Mbit/s", "{history}");
    assert_eq!((&values[0]["value"], &history["figure"]), (&figure["value"], &figure["name"]));
}

pub async fn metrics_are_told_without_webhooks(stage: Stage) {
    add(&stage, &nightly()).await;
    let told = stage.get("metrics").reader().send().await;
    assert_eq!(told.status, StatusCode::OK);
    assert!(told.headers["content-type"].to_str().unwrap().starts_with("application/openmetrics-text"));
    let text = told.text();
    for sample in ["goodput_schedule_enabled{schedule=\"nightly\"} 1", "goodput_agents 0"] {
        assert!(text.lines().any(|line| line.trim_end_matches(".0") == sample), "{sample} is not in\n{text}");
    }
    assert!(text.contains("process_resident_memory_bytes ") && text.ends_with("# EOF\n"));
    assert!(!text.contains("hooks.example.com"));
}
