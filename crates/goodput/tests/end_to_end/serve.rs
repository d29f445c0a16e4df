//! `goodput serve`: logins, permissions of readers and operators, and an orderly end.

use crate::http::Server;
use crate::stage::{Home, Running, running};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::json;
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

    let session = stranger.post("/session", &json!({ "password": PASSWORD }))?.is(200)?.json()?;
    must!(session["role"] == "operator" && session["csrf"].is_string(), "{session}");

    // An open event stream does not delay the end.
    let events = reader.events()?;
    events.until("hello", |_| true)?;
    let (status, took) = server.end("INT")?;
    must!(status.code() == Some(0), "{status}");
    must!(took < Duration::from_secs(10), "took {took:?}");
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
