//! `goodput serve`: logins, permissions of readers and operators, and an orderly end.

use crate::http::Server;
use crate::stage::{Home, Running, running};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

const PASSWORD: &str = "correct horse battery";
const SOON: Duration = Duration::from_secs(20);

pub struct Serving {
    pub running: Running,
    pub address: String,
}

impl Serving {
    pub fn start(home: &Home, more: &[&str]) -> Result<Serving, Failed> {
        let mut running = home.start(["serve", "--listen", "127.0.0.1:0"].iter().chain(more));
        let notice = running.says("://", SOON)?;
        let address = notice.split("://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_default().to_string();
        Ok(Serving { running, address })
    }

    pub fn with(&self, headers: &[(&str, &str)]) -> Server {
        let headers = headers.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        Server { address: self.address.clone(), headers }
    }

    /// Whoever starts it is its operator.
    pub fn operator(&self) -> Result<Server, Failed> {
        let session = self.with(&[]).get("/session")?.is(200)?.json()?;
        must!(session["role"] == "operator", "{session}");
        let csrf = session["csrf"].as_str().ok_or("no token against forgery")?;
        Ok(self.with(&[("X-CSRF-Token", csrf)]))
    }

    pub fn end(self, name: &str) -> Result<(ExitStatus, Duration), Failed> {
        self.running.signal(name);
        let began = Instant::now();
        let status = self.running.end_within(SOON).status;
        must!(began.elapsed() < SOON, "the server did not end: {status}");
        Ok((status, began.elapsed()))
    }
}

fn typed(home: &Home, role: &str, password: &str) -> Result<ExitStatus, Failed> {
    let mut command = home.command(["serve", "password", role]);
    command.stdin(Stdio::piped());
    let mut running = running(command);
    running.input(password)?;
    Ok(running.end().status)
}

pub fn who_is_let_in() -> CommandOutput {
    let home = Home::new();
    must!(typed(&home, "operator", PASSWORD)?.success(), "a password is set");
    let token = home.line("serve token reader script").ended(0)?.stdout.trim().to_string();
    let agent = home.agent(&[])?;
    let run = home.json(&agent.probe("stream", "--time 200ms --warm-up 0s --label nic=a"))?["run"].clone();
    let run = run.as_str().ok_or("no run")?.to_string();

    let server = Serving::start(&home, &[])?;
    let stranger = server.with(&[]);
    let refused = stranger.get("/runs")?.is(401)?.json()?;
    must!(refused["type"] == "urn:goodput:problem:login" && refused["hint"].is_string(), "{refused}");
    must!(stranger.get("/session")?.is(200)?.json()?["role"] == "none", "a stranger has no role");
    stranger.post("/session", &json!({ "password": "wrong password" }))?.is(401)?;

    let bearer = format!("Bearer {token}");
    let reader = server.with(&[("Authorization", &bearer)]);
    let runs = reader.get("/runs?label=nic%3Da")?.is(200)?.json()?;
    must!(runs["runs"][0]["id"] == run.as_str(), "{runs}");
    must!(runs["runs"][0]["figure"]["value"].as_f64().is_some_and(|v| v > 0.0), "{runs}");
    let page = reader.get(&format!("/runs/{run}"))?.is(200)?.json()?;
    must!(page["page"]["sections"].as_array().is_some_and(|s| !s.is_empty()), "{page}");
    reader.post("/jobs", &json!({ "line": ["mtu", "127.0.0.1"] }))?.is(403)?;

    let (cookie, csrf) = log_in(&server)?;
    let operator = server.with(&[("Cookie", &cookie), ("X-CSRF-Token", &csrf)]);
    must!(operator.get("/session")?.is(200)?.json()?["role"] == "operator", "the password is the operator's");
    server.with(&[("Cookie", &cookie)]).post("/forms/check", &json!({ "line": [] }))?.is(403)?;
    operator.post("/forms/check", &json!({ "line": ["stream", "127.0.0.1"] }))?.is(200)?;
    operator.delete("/session")?.is(200)?;
    operator.get("/runs")?.is(401)?;

    // An open event stream does not delay the end.
    let events = reader.events()?;
    events.until("hello", |_| true)?;
    let (status, took) = server.end("INT")?;
    must!(status.code() == Some(0), "{status}");
    must!(took < Duration::from_secs(10), "took {took:?}");
    Ok(())
}

fn log_in(server: &Serving) -> Result<(String, String), Failed> {
    let body = json!({ "password": PASSWORD }).to_string();
    let mut stream = TcpStream::connect(&server.address)?;
    write!(
        stream,
        "POST /api/v1/session HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    )?;
    let text = std::io::read_to_string(stream)?;
    let (head, body) = text.split_once("\r\n\r\n").ok_or("no body")?;
    let cookie = head.lines().find_map(|l| l.strip_prefix("set-cookie: ")).ok_or_else(|| text.clone())?;
    must!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let csrf = serde_json::from_str::<Value>(body)?["csrf"].as_str().ok_or("no csrf")?.to_string();
    Ok((cookie.split(';').next().unwrap_or("").to_string(), csrf))
}

pub fn without_a_password() -> CommandOutput {
    let home = Home::new();
    let server = Serving::start(&home, &[])?;
    server.operator()?.get("/runs")?.is(200)?;
    // DNS rebinding: another Host name is refused.
    let mut rebound = TcpStream::connect(&server.address)?;
    write!(rebound, "GET /api/v1/runs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")?;
    let text = std::io::read_to_string(rebound)?;
    must!(text.starts_with("HTTP/1.1 421 "), "{text}");
    let (status, _) = server.end("TERM")?;
    must!(status.code() == Some(0), "{status}");
    Ok(())
}

pub fn refused() -> CommandOutput {
    let home = Home::new();
    for line in ["serve --listen 0.0.0.0:0", "serve --listen 0.0.0.0:0 --tls-self"] {
        let ran = home.line(line).ended(2)?;
        let said = ran.stderr;
        must!(said.contains("can be reached from other machines") && said.contains("hint: "), "{said}");
    }
    let ran = home.line("serve --password-file /nonexistent/passwords").ended(2)?;
    must!(ran.stderr.contains("goodput serve password"), "{}", ran.stderr);
    must!(typed(&home, "reader", "short")?.code() == Some(2), "a short password is refused");
    home.line("serve token reader a/b").ended(2)?;
    Ok(())
}
