//! Requests refused before they are parsed.

use crate::stage::{RUN, Stage};
use axum::http::Method;

pub async fn another_host_is_meant(stage: Stage) {
    for host in ["evil.example", "localhost.evil.example:5380", "lab8"] {
        let refused = stage.get("session").header("host", host).send().await;
        assert!(refused.problem(421)["hint"].as_str().unwrap().contains("--host-name"), "{host}");
        stage.get("/").header("host", host).send().await.problem(421);
        stage.get("runs").operator().header("host", host).send().await.problem(421);
    }
    for host in ["localhost", "127.0.0.1:9", "[::1]:5380", "LAB7:5380", "10.0.0.7"] {
        stage.get("session").header("host", host).send().await.document();
    }
}

pub async fn too_many_requests_of_one_address(stage: Stage) {
    let mut refused = None;
    for n in 0..2_000 {
        let answer = stage.get("session").from("10.0.0.3:1", false).send().await;
        if answer.status == 429 {
            answer.problem(429);
            assert!(answer.headers.contains_key("retry-after"));
            refused = Some(n);
            break;
        }
    }
    // At least the burst is accepted, whatever the machine's speed.
    assert!(refused.is_some_and(|n| n >= 600), "{refused:?}");
    stage.get("session").from("10.0.0.4:1", false).send().await.document();
}

pub async fn every_answer_tells_browsers_to_be_careful(stage: Stage) {
    for answer in [
        stage.get("/").send().await,
        stage.get("/nothing").send().await,
        stage.get("session").send().await,
        stage.get("runs").send().await,
        stage.get("runs").header("host", "evil.example").send().await,
        stage.get(&format!("runs/{RUN}/download/html")).reader().send().await,
    ] {
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["x-frame-options"], "DENY");
        assert_eq!(answer.headers["referrer-policy"], "no-referrer");
        assert!(!answer.headers.contains_key("access-control-allow-origin"));
    }
    assert_eq!(stage.get("session").send().await.headers["cache-control"], "no-store");
}

pub async fn methods_and_paths_that_are_not_there(stage: Stage) {
    stage.ask(Method::PATCH, "runs").operator().send().await.problem(405);
    stage.ask(Method::TRACE, "session").operator().send().await.problem(405);
    stage.ask(Method::TRACE, "session").send().await.problem(405);
    stage.ask(Method::POST, "/").send().await.problem(405);
    for path in ["nothing", "runs/", "/api", "/api/v2/runs", "/api/v1"] {
        stage.get(path).reader().send().await.problem(404);
    }
    for path in ["/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/.git/config", "/app.js/x"] {
        stage.get(path).send().await.problem(404);
    }
}
