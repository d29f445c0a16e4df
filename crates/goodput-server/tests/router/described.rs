//! Every described route is accessible only to its roles.

use crate::stage::{NONE, OPERATOR, READER, Stage};
use axum::http::Method;
use serde_json::Value;

fn all() -> Vec<(Method, String, String)> {
    let document = goodput_server::openapi::build_openapi_document();
    let mut routes = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let method = method.to_ascii_uppercase().parse().unwrap();
            let path = path.replace("{id}", NONE).replace("{form}", "json");
            assert!(!path.contains('{'), "{path}");
            routes.push((method, path[1..].to_string(), operation["x-role"].as_str().unwrap().to_string()));
        }
    }
    routes
}

pub async fn a_stranger_gets_nothing_but_the_session(stage: Stage) {
    let mut open = Vec::new();
    for (method, path, role) in all() {
        let answer = stage.ask(method.clone(), &path).send().await;
        if role == "anybody" {
            open.push(format!("{method} {path}"));
            assert_ne!(answer.status, 401, "{method} {path}");
        } else {
            answer.problem(401);
            assert_eq!(answer.headers["www-authenticate"], "Bearer realm=\"goodput\"", "{method} {path}");
        }
    }
    assert_eq!(open, ["GET session", "POST session"]);
    stage.get("nothing").send().await.problem(401);
    stage.ask(Method::PATCH, "runs").send().await.problem(401);
    let session = stage.get("session").send().await.document();
    assert_eq!(session["role"], "none");
    assert_eq!((&session["csrf"], &session["program"]), (&Value::Null, &Value::Null));
}

pub async fn a_reader_changes_nothing(stage: Stage) {
    let session = stage.log_in(READER).await;
    for (method, path, role) in all() {
        let ask = || stage.ask(method.clone(), &path);
        if role == "operator" {
            ask().reader().send().await.problem(403);
            ask().cookie(&session).csrf(&session).send().await.problem(403);
        }
    }
}

pub async fn a_change_by_cookie_needs_its_proof(stage: Stage) {
    let (operator, other) = (stage.log_in(OPERATOR).await, stage.log_in(OPERATOR).await);
    for (method, path, role) in all() {
        if method == Method::GET || role == "anybody" {
            continue;
        }
        let ask = || stage.ask(method.clone(), &path).cookie(&operator);
        ask().send().await.problem(403);
        ask().csrf(&other).send().await.problem(403);
        ask().header("x-csrf-token", "").send().await.problem(403);
        ask().csrf(&operator).header("origin", "http://evil.example").send().await.problem(403);
        ask().csrf(&operator).header("origin", "null").send().await.problem(403);
        for site in ["cross-site", "same-site"] {
            ask().csrf(&operator).header("sec-fetch-site", site).send().await.problem(403);
        }
    }
}

pub async fn whoever_may_ask_is_answered_without_a_fault(stage: Stage) {
    for (method, path, _) in all() {
        if method != Method::GET {
            continue;
        }
        for answer in [
            stage.get(&path).reader().send().await,
            stage.get(&path).operator().send().await,
            stage.get(&format!("{path}?unknown=1")).reader().send().await,
        ] {
            assert!(!answer.status.is_server_error(), "{path}: {}", answer.text());
        }
        stage.get(&format!("{path}?no-such-parameter=1")).reader().send().await.problem(400);
    }
}

pub async fn a_body_that_is_none_is_refused_in_words(stage: Stage) {
    let document = goodput_server::openapi::build_openapi_document();
    for (method, path, role) in all() {
        let pattern = path.replace(NONE, "{id}").replace("/json", "/{form}");
        let operation = &document["paths"][format!("/{pattern}")][method.as_str().to_ascii_lowercase()];
        if role == "anybody" || operation["requestBody"].is_null() {
            continue;
        }
        let ask = || stage.ask(method.clone(), &path).operator();
        ask().body("{}").await.problem(415);
        let json = || ask().header("content-type", "application/json");
        json().body("{").await.problem(400);
        json().body("[]").await.problem(400);
        json().body(r#"{"no-such-field":1}"#).await.problem(400);
        json().body(vec![b' '; 300 << 10]).await.problem(413);
    }
}

pub async fn the_description_is_served(stage: Stage) {
    let served = stage.read("openapi.json").await;
    assert_eq!(served["openapi"], "3.1.0");
    assert_eq!(served, goodput_server::openapi::build_openapi_document());
}
