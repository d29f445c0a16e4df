//! Jobs, forms and event streams. Jobs run `/bin/false`: exit code 1 is measured with a failed requirement.

use crate::stage::{NONE, READER, RUN, Stage};
use axum::body::Body;
use axum::http::{Method, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::time::Duration;

fn line() -> Value {
    json!({ "line": ["stream", "10.0.0.2", "--time", "1s"] })
}

struct Reading {
    body: Body,
    text: String,
}

impl Reading {
    async fn of(stage: &Stage) -> Reading {
        let answer = stage.get("live").reader().open().await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        Reading { body: answer.into_body(), text: String::new() }
    }

    async fn next(&mut self, name: &str) -> Value {
        let reading = async {
            loop {
                while let Some((event, rest)) = self.text.split_once("\n\n") {
                    let (event, rest) = (event.to_string(), rest.to_string());
                    self.text = rest;
                    let part = |key: &str| event.lines().find_map(|line| line.strip_prefix(key));
                    if part("event: ") == Some(name) {
                        return serde_json::from_str(part("data: ").unwrap()).unwrap();
                    }
                }
                let frame = self.body.frame().await.expect("the stream goes on").unwrap();
                self.text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
            }
        };
        tokio::time::timeout(Duration::from_secs(60), reading).await.expect(name)
    }
}

pub async fn a_job_is_started_by_an_operator_and_seen_by_a_reader(stage: Stage) {
    let mut events = Reading::of(&stage).await;
    assert_eq!(events.next("hello").await, json!({ "version": "1.2.3" }));
    let made = stage.ask(Method::POST, "jobs").operator().json(&line()).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    let job = made.value();
    let id = job["id"].as_str().unwrap();
    assert_eq!(made.headers["location"], format!("/api/v1/jobs/{id}").as_str());
    assert_eq!((&job["who"], &job["line"]), (&json!("page"), &line()["line"]));
    let mut told = events.next("job").await;
    while told["state"] != "done" {
        assert_eq!(told["id"], id);
        told = events.next("job").await;
    }
    events.next("runs").await;
    let seen = stage.read(&format!("jobs/{id}")).await;
    assert_eq!((&seen["state"], &seen["exit"]), (&json!("done"), &json!(1)));
    assert!(seen["started"].is_string() && seen["ended"].is_string(), "{seen}");
    let now = stage.read("now").await;
    assert_eq!((&now["jobs"][0]["id"], &now["running"]), (&json!(id), &json!([])));
    let path = format!("jobs/{id}");
    assert_eq!(stage.ask(Method::DELETE, &path).operator().send().await.status, StatusCode::NO_CONTENT);
    let answer = json!({ "prompt": "1", "answer": "done" });
    stage.ask(Method::POST, &format!("{path}/answer")).operator().json(&answer).await.problem(409);
}

pub async fn what_is_no_job_and_no_line_is_refused(stage: Stage) {
    let post = async |body: Value| stage.ask(Method::POST, "jobs").operator().json(&body).await;
    post(json!({ "line": [] })).await.problem(422);
    post(json!({ "line": "stream" })).await.problem(400);
    post(json!({ "line": ["stream"], "who": "schedule x" })).await.problem(400);
    assert_eq!(stage.read("now").await["jobs"], json!([]));
    for method in [Method::GET, Method::DELETE] {
        stage.ask(method.clone(), &format!("jobs/{NONE}")).operator().send().await.problem(404);
        stage.ask(method, "jobs/nothing").operator().send().await.problem(400);
    }
}

pub async fn a_line_is_checked_and_not_started(stage: Stage) {
    let check = async |body: Value| stage.ask(Method::POST, "forms/check").reader().json(&body).await;
    let fine = check(line()).await.document();
    assert_eq!(fine, json!({ "ok": true, "error": null, "cause": null, "hint": null }));
    let wrong = check(json!({ "line": ["agent"] })).await.document();
    assert_eq!((&wrong["ok"], &wrong["error"]), (&json!(false), &json!("this measures nothing")));
    assert_eq!(stage.read("forms").await, json!([]));
    assert_eq!(stage.read("now").await["jobs"], json!([]));
}

pub async fn too_many_readers_are_sent_away(stage: Stage) {
    let mut open = Vec::new();
    for _ in 0..goodput_server::live_events::MAX_EVENT_READERS {
        open.push(Reading::of(&stage).await);
    }
    stage.get("live").reader().send().await.problem(503);
    open.pop();
    Reading::of(&stage).await.next("hello").await;
}

pub async fn whoever_has_logged_out_hears_nothing_more(stage: Stage) {
    let session = stage.log_in(READER).await;
    let answer = stage.get("live").cookie(&session).open().await;
    let mut events = Reading { body: answer.into_body(), text: String::new() };
    events.next("hello").await;
    let path = format!("runs/{RUN}/tags");
    let tag = async |tag: &str| {
        stage.ask(Method::PUT, &path).operator().json(&json!({ "tags": [tag] })).await.document()
    };
    tag("one").await;
    events.next("runs").await;
    stage.ask(Method::DELETE, "session").cookie(&session).csrf(&session).send().await.document();
    tag("two").await;
    let rest = tokio::time::timeout(Duration::from_secs(60), events.body.collect());
    rest.await.expect("the stream ends").unwrap();
}
