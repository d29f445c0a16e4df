//! Logins, logouts, and their limits.

use crate::stage::{OPERATOR, READER, Stage};
use axum::http::Method;
use serde_json::json;
use std::sync::Arc;
use tokio::task::JoinSet;

pub async fn a_session_lasts_until_it_is_ended(stage: Stage) {
    for (password, role) in [(READER, "reader"), (OPERATOR, "operator")] {
        let session = stage.log_in(password).await;
        let known = stage.get("session").cookie(&session).send().await.document();
        assert_eq!(known["role"], role);
        assert_eq!(known["csrf"], session.csrf.as_str());
        assert_eq!(known["program"], "goodput 1.2.3");
        stage.get("runs").cookie(&session).send().await.document();
        stage.ask(Method::DELETE, "session").cookie(&session).send().await.problem(403);
        let gone = stage.ask(Method::DELETE, "session").cookie(&session).csrf(&session).send().await;
        assert!(gone.headers["set-cookie"].to_str().unwrap().contains("Max-Age=0"));
        assert_eq!(gone.document()["role"], "none");
        stage.get("runs").cookie(&session).send().await.problem(401);
    }
}

pub async fn a_cookie_is_for_this_site_alone(stage: Stage) {
    let answer = stage.ask(Method::POST, "session").json(&json!({ "password": READER })).await;
    let cookie = answer.headers["set-cookie"].to_str().unwrap().to_string();
    for part in ["goodput=", "; HttpOnly", "; SameSite=Strict", "; Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let login = stage.ask(Method::POST, "session").header("origin", "http://evil.example");
    login.json(&json!({ "password": READER })).await.problem(403);
}

pub async fn wrong_passwords_run_out(stage: Stage) {
    let stage = &stage;
    let tried = async |password: &str, from: &str| {
        stage.ask(Method::POST, "session").from(from, false).json(&json!({ "password": password })).await
    };
    for _ in 0..5 {
        tried("wrong", "10.0.0.1:1").await.problem(401);
    }
    let refused = tried("wrong", "10.0.0.1:2").await;
    refused.problem(429);
    let wait: u64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=12).contains(&wait), "{wait}");
    tried(OPERATOR, "10.0.0.1:3").await.problem(429);
    for _ in 0..6 {
        assert_eq!(tried(OPERATOR, "10.0.0.2:1").await.document()["role"], "operator");
    }
}

pub async fn simultaneous_wrong_passwords_run_out(stage: Stage) {
    let stage = Arc::new(stage);
    let attempt = |stage: Arc<Stage>| async move {
        let login = stage.ask(Method::POST, "session").from("10.0.0.1:1", false);
        login.json(&json!({ "password": "wrong" })).await.status.as_u16()
    };
    let mut attempts = JoinSet::new();
    for _ in 0..60 {
        attempts.spawn(attempt(stage.clone()));
    }
    let statuses = attempts.join_all().await;
    let checked = statuses.iter().filter(|status| **status == 401).count();
    // On a very slow machine one more becomes free meanwhile.
    assert!((5..=6).contains(&checked), "{statuses:?}");
    assert!(statuses.iter().all(|status| [401, 429].contains(status)), "{statuses:?}");
}

pub async fn other_local_users_use_up_none_of_ours(stage: Stage) {
    let (stage, wrong) = (&stage, json!({ "password": "wrong" }));
    for _ in 0..6 {
        stage.ask(Method::POST, "session").from("127.0.0.1:40001", false).json(&wrong).await;
    }
    let login = |is_ours| stage.ask(Method::POST, "session").from("127.0.0.1:40002", is_ours);
    login(false).json(&json!({ "password": OPERATOR })).await.problem(429);
    assert_eq!(login(true).json(&json!({ "password": OPERATOR })).await.document()["role"], "operator");
}

pub async fn a_token_is_known_or_nobodys(stage: Stage) {
    assert_eq!(stage.get("session").operator().send().await.document()["role"], "operator");
    let session = stage.read("session").await;
    // A token needs no proof.
    assert_eq!((&session["role"], &session["csrf"]), (&json!("reader"), &json!(null)));
    for wrong in ["Bearer ", "Bearer guess", "Basic eDp5"] {
        stage.get("runs").header("authorization", wrong).send().await.problem(401);
    }
    let cookie = stage.log_in(OPERATOR).await;
    stage.get("runs").cookie(&cookie).header("authorization", "Bearer guess").send().await.problem(401);
}

pub async fn without_passwords_the_user_of_this_machine_is_the_operator(stage: Stage) {
    let ours = |method: Method, path: &str| stage.ask(method, path).from("127.0.0.1:40000", true);
    let session = ours(Method::GET, "session").send().await.document();
    assert_eq!((&session["role"], &session["login"]), (&json!("operator"), &json!(false)));
    ours(Method::PUT, "runs/x/tags").send().await.problem(403);
    let csrf = session["csrf"].as_str().unwrap();
    let put = ours(Method::PUT, &format!("runs/{}/tags", crate::stage::RUN)).header("x-csrf-token", csrf);
    assert_eq!(put.json(&json!({ "tags": ["kept"] })).await.document()["tags"], json!(["kept"]));
    stage.get("runs").from("127.0.0.1:40001", false).send().await.problem(401);
    let login = stage.ask(Method::POST, "session").from("127.0.0.1:40001", false);
    let refused = login.json(&json!({ "password": "anything" })).await.problem(409);
    assert!(refused["hint"].as_str().unwrap().contains("goodput serve password"));
}
