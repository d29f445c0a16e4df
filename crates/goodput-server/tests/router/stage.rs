//! The tests' server with its own folder and database, and requests to it.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use data_encoding::BASE64URL_NOPAD;
use goodput_server::forms::Form;
use goodput_server::hosts::NoAgentSource;
use goodput_server::security::allowed_hosts::AllowedHosts;
use goodput_server::security::secrets::{Secrets, new_token};
use goodput_server::security::{Authenticator, ConnectionPeer, Role};
use goodput_server::{
    CheckedCommand, CommandLineProgram, CommandRefusal, ServerSettings, ServerState, ShutdownTrigger,
    shutdown_channel,
};
use goodput_testkit::databases::TestDatabase;
use goodput_testkit::stored_run_path;
use serde_json::Value;
use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tower::ServiceExt;

pub const OPERATOR: &str = "correct horse battery";
pub const READER: &str = "staple of the reader";
/// `fixtures/runs`: version 2 with an experiment's steps, and version 1 under another name.
pub const RUN: &str = "01a1fc42-d27b-7000-8000-0123456789ab";
pub const PLAIN: &str = "01a1fc42-d27c-7000-8000-0123456789ab";
pub const NONE: &str = "01930000-0000-7000-8000-00000000aaaa";

pub struct Stage {
    pub folder: tempfile::TempDir,
    url: Option<String>,
    router: Router,
    pub tokens: [String; 2],
    _stop: ShutdownTrigger,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

pub struct Ask<'s> {
    stage: &'s Stage,
    request: Request<Body>,
    peer: ConnectionPeer,
}

pub struct Session {
    pub cookie: String,
    pub csrf: String,
}

struct FakeProgram;

impl CommandLineProgram for FakeProgram {
    fn version(&self) -> &str {
        "1.2.3"
    }

    fn executable(&self) -> &Path {
        Path::new("/bin/false")
    }

    fn command_web_forms(&self) -> Vec<Form> {
        Vec::new()
    }

    fn check_command(&self, line: &[String]) -> Result<CheckedCommand, CommandRefusal> {
        match line.first().map(String::as_str) {
            Some("stream") => Ok(CheckedCommand::default()),
            _ => Err(CommandRefusal { error: "this measures nothing".into(), cause: None, hint: None }),
        }
    }
}

impl Stage {
    pub async fn new(on: TestDatabase) -> Stage {
        Stage::known(on.create_database_url(), true).await
    }

    pub async fn beside(&self) -> Stage {
        Stage::known(self.url.clone(), false).await
    }

    async fn known(url: Option<String>, with_runs: bool) -> Stage {
        let [reader, operator] = [Role::Reader, Role::Operator].map(|role| new_token(role, "test").unwrap());
        let passwords = format!("operator {}\nreader {}\n", quick_hash(OPERATOR), quick_hash(READER));
        let secrets = Secrets::parse(&passwords, &format!("{}\n{}\n", reader.1, operator.1)).unwrap();
        Stage::with(url, secrets, [reader.0, operator.0], with_runs).await
    }

    pub async fn open(on: TestDatabase) -> Stage {
        Stage::with(on.create_database_url(), Secrets::default(), [String::new(), String::new()], true).await
    }

    async fn with(url: Option<String>, secrets: Secrets, tokens: [String; 2], with_runs: bool) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("runs");
        if with_runs {
            fs::create_dir(&store).unwrap();
            copy(&stored_run_path("v2"), &store.join(RUN));
            copy(&stored_run_path("v1"), &store.join(PLAIN));
            let head = store.join(PLAIN).join("run.json");
            fs::write(&head, fs::read_to_string(&head).unwrap().replace(RUN, PLAIN)).unwrap();
        }
        let security = Authenticator::new(secrets, AllowedHosts::new(["lab7".to_string()]), false).unwrap();
        let settings = ServerSettings {
            store,
            index: url.clone(),
            cache: Some(folder.path().join("cache")),
            allow: Vec::new(),
            agents: Box::new(NoAgentSource),
            webhook_loopback: false,
            otlp: None,
        };
        let (stop, stopped) = shutdown_channel();
        let state = ServerState::open(settings, Arc::new(FakeProgram), security, stopped).await.unwrap();
        if url.is_some() {
            // Loads all files of the runs now, since a request does not wait long.
            state.index.refresh().await.unwrap();
        }
        Stage { folder, url, router: goodput_server::build_router(state), tokens, _stop: stop }
    }

    pub fn get(&self, path: &str) -> Ask<'_> {
        self.ask(Method::GET, path)
    }

    /// The document that a reader gets.
    pub async fn read(&self, path: &str) -> Value {
        self.get(path).reader().send().await.document()
    }

    pub fn ask(&self, method: Method, path: &str) -> Ask<'_> {
        let path = if path.starts_with('/') { path.to_string() } else { format!("/api/v1/{path}") };
        let mut request = Request::new(Body::empty());
        *request.method_mut() = method;
        *request.uri_mut() = path.parse().unwrap();
        request.headers_mut().insert("host", HeaderValue::from_static("localhost:5380"));
        let peer = ConnectionPeer { address: "10.0.0.9:40000".parse().unwrap(), is_ours: false };
        Ask { stage: self, request, peer }
    }

    pub async fn log_in(&self, password: &str) -> Session {
        let answer =
            self.ask(Method::POST, "session").json(&serde_json::json!({ "password": password })).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let cookie = answer.headers["set-cookie"].to_str().unwrap();
        Session {
            cookie: cookie.split(';').next().unwrap().to_string(),
            csrf: answer.value()["csrf"].as_str().unwrap().to_string(),
        }
    }

    pub fn store(&self) -> PathBuf {
        self.folder.path().join("runs")
    }
}

impl Ask<'_> {
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.request.headers_mut().insert(HeaderName::from_static(name), value.parse().unwrap());
        self
    }

    /// `is_ours` for a program of the server's user.
    pub fn from(mut self, address: &str, is_ours: bool) -> Self {
        self.peer = ConnectionPeer { address: address.parse().unwrap(), is_ours };
        self
    }

    pub fn reader(self) -> Self {
        let token = format!("Bearer {}", self.stage.tokens[0]);
        self.header("authorization", &token)
    }

    pub fn operator(self) -> Self {
        let token = format!("Bearer {}", self.stage.tokens[1]);
        self.header("authorization", &token)
    }

    pub fn cookie(self, session: &Session) -> Self {
        self.header("cookie", &session.cookie)
    }

    pub fn csrf(self, session: &Session) -> Self {
        self.header("x-csrf-token", &session.csrf)
    }

    pub async fn json(self, value: &Value) -> Answer {
        self.header("content-type", "application/json").body(value.to_string()).await
    }

    pub async fn open(mut self) -> Response<Body> {
        self.request.extensions_mut().insert(self.peer);
        self.stage.router.clone().oneshot(self.request).await.unwrap()
    }

    pub async fn body(mut self, body: impl Into<Body>) -> Answer {
        *self.request.body_mut() = body.into();
        let (parts, body) = self.open().await.into_parts();
        let is_stream = parts.headers.get("content-type").is_some_and(|t| t == "text/event-stream");
        let bytes = if is_stream { Vec::new() } else { to_bytes(body, usize::MAX).await.unwrap().to_vec() };
        Answer { status: parts.status, headers: parts.headers, bytes }
    }

    pub async fn send(self) -> Answer {
        self.body(Body::empty()).await
    }
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn value(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    /// Fails unless it is a problem document of this status.
    #[track_caller]
    pub fn problem(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        assert_eq!(self.headers["content-type"], "application/problem+json");
        let value = self.value();
        assert_eq!(value["status"], status);
        assert!(!value["error"].as_str().unwrap().is_empty());
        value
    }

    /// Fails unless it is a document of status 200.
    #[track_caller]
    pub fn document(&self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text());
        assert_eq!(self.headers["content-type"], "application/json");
        self.value()
    }
}

fn quick_hash(password: &str) -> String {
    let (rounds, salt, mut hash) = (NonZeroU32::new(10).unwrap(), b"saltsalt", [0; 32]);
    let algorithm = ring::pbkdf2::PBKDF2_HMAC_SHA256;
    ring::pbkdf2::derive(algorithm, rounds, salt, password.as_bytes(), &mut hash);
    format!("pbkdf2-sha256:10:{}:{}", BASE64URL_NOPAD.encode(salt), BASE64URL_NOPAD.encode(&hash))
}

fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-r").args([from, to]).status().unwrap().success());
}
