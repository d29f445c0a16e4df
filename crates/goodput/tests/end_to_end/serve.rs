//! `goodput serve`: logins, permissions of readers and operators, and an orderly end.

use crate::http::Server;
use crate::stage::*;
use std::process::{ExitStatus, Stdio};

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

    pub fn with(&self, headers: &str) -> Server {
        Server { address: self.address.clone(), headers: headers.to_string() }
    }

    /// Whoever starts it is its operator.
    pub fn operator(&self) -> Result<Server, Failed> {
        let session = self.with("").get("/session")?.is(200)?.json()?;
        must!(session["role"] == "operator", "{session}");
        let csrf = session["csrf"].as_str().ok_or("no token against forgery")?;
        Ok(self.with(&format!("X-CSRF-Token: {csrf}\r\n")))
    }

    pub fn end(self, name: &str) -> CommandOutput {
        self.running.signal(name);
        let began = Instant::now();
        let status = self.running.within(SOON).status;
        must!(status.success() && began.elapsed() < SOON, "{status} after {:?}", began.elapsed());
        Ok(())
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
    let measured = home.json(&agent.probe("stream", "--time 200ms --warm-up 0s --label nic=a"))?;
    let run = measured["run"].as_str().ok_or("no run")?;

    let server = Serving::start(&home, &[])?;
    let stranger = server.with("");
    let refused = stranger.get("/runs")?.is(401)?.json()?;
    must!(refused["type"] == "urn:goodput:problem:login" && refused["hint"].is_string(), "{refused}");
    must!(stranger.get("/session")?.is(200)?.json()?["role"] == "none", "a stranger has no role");
    stranger.post("/session", &json!({ "password": "wrong password" }))?.is(401)?;

    let reader = server.with(&format!("Authorization: Bearer {token}\r\n"));
    let runs = reader.get("/runs?label=nic%3Da")?.is(200)?.json()?;
    let run_1 = &runs["runs"][0];
    must!(run_1["id"] == run && run_1["figure"]["value"].as_f64() > Some(0.0), "{runs}");
    let page = reader.get(&format!("/runs/{run}"))?.is(200)?.json()?;
    must!(!list(&page["page"]["sections"]).is_empty(), "{page}");
    reader.post("/jobs", &json!({ "line": ["mtu", "127.0.0.1"] }))?.is(403)?;

    let session = stranger.post("/session", &json!({ "password": PASSWORD }))?.is(200)?.json()?;
    must!(session["role"] == "operator" && session["csrf"].is_string(), "{session}");

    // An open event stream does not delay the end.
    let events = reader.events()?;
    events.until("hello", |_| true)?;
    let began = Instant::now();
    server.end("INT")?;
    must!(began.elapsed() < SOON / 2, "took {:?}", began.elapsed());
    Ok(())
}

pub fn refused() -> CommandOutput {
    let home = Home::new();
    let reachable = ["can be reached from other machines"];
    home.line("serve --listen 0.0.0.0:0").refused(2, &reachable)?;
    home.line("serve --listen 0.0.0.0:0 --tls-self").refused(2, &reachable)?;
    home.line("serve --password-file /nonexistent/passwords").refused(2, &["goodput serve password"])?;
    must!(typed(&home, "reader", "short")?.code() == Some(2), "a short password is refused");
    home.line("serve token reader a/b").ended(2).map(drop)
}
