//! Typed runs on the page of their store: live samples until they end or are killed.

use crate::http::{Events, Server};
use crate::serve::Serving;
use crate::stage::{Home, Lab};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(60);

fn watched(home: &Home) -> Result<(Serving, Server, Events), Failed> {
    let server = Serving::start(home, &[])?;
    let api = server.with(&[]);
    let events = api.events()?;
    events.until("hello", |hello| hello["version"].is_string())?;
    Ok((server, api, events))
}

fn sample(events: &Events, but: &Value) -> Result<Value, Failed> {
    let fits = |live: &Value| {
        let rate = live["flows"][0]["goodput_bps"].as_f64();
        live["run"] != *but && rate.is_some_and(|rate| rate > 0.0)
    };
    let heard = events.until("live", fits)?;
    heard.last().map(|(_, live)| live.clone()).ok_or_else(|| "no live sample".into())
}

/// Its own name, no job, and no CPU, which agents were not asked for.
fn is_of_a_terminal(live: &Value, now: &Value) -> CommandOutput {
    must!(live["job"].is_null() && live["trial"] == 1 && live["hosts"] == json!([]), "{live}");
    must!(live["elapsed_ns"].as_u64().is_some_and(|ns| ns > 0), "{live}");
    must!(now["jobs"] == json!([]), "{now}");
    let running = now["running"].as_array().cloned().unwrap_or_default();
    must!(running.iter().any(|run| run["id"] == live["run"]), "{live} {now}");
    Ok(())
}

/// Only the owner can access the sockets.
fn is_private(home: &Home) -> CommandOutput {
    let mode = std::fs::metadata(home.runs().join(".live"))?.permissions().mode();
    must!(mode & 0o777 == 0o700, "{mode:o}");
    Ok(())
}

fn nothing_left(home: &Home, api: &Server) -> CommandOutput {
    let until = Instant::now() + SOON;
    loop {
        let now = api.get("/now")?.is(200)?.json()?;
        let left = home.runs().join(".live").exists();
        if now["running"] == json!([]) && !left {
            return Ok(());
        }
        must!(Instant::now() < until, "{now}, sockets left: {left}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn outcome(api: &Server, live: &Value) -> Result<Value, Failed> {
    let runs = api.get("/runs")?.is(200)?.json()?;
    let found = runs["runs"].as_array().into_iter().flatten().find(|run| run["id"] == live["run"]);
    found.map(|run| run["outcome"].clone()).ok_or_else(|| format!("{live} is not in {runs}").into())
}

pub fn to_its_end() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "live", &[])?;
    let (server, api, events) = watched(&home)?;
    let (a, b) = (lab.host("a"), lab.host("b"));
    let typed = home.start(["stream", &b, "--from", &a, "--time", "6s", "--warm-up", "200ms"]);
    let live = sample(&events, &Value::Null)?;
    is_of_a_terminal(&live, &api.get("/now")?.is(200)?.json()?)?;
    must!(live["flows"][0]["from"] == "a" && live["flows"][0]["to"] == "b", "{live}");
    is_private(&home)?;
    let bytes = |live: &Value| live["flows"][0]["bytes"].as_u64();
    events.until("live", |later| later["run"] == live["run"] && bytes(later) > bytes(&live))?;
    typed.end().ended(0)?;
    events.until("runs", |_| true)?;
    nothing_left(&home, &api)?;
    must!(outcome(&api, &live)? == "complete", "{live}");
    server.end("TERM")?;
    Ok(())
}

pub fn killed() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let (server, api, events) = watched(&home)?;
    let line = format!("stream 127.0.0.1 {} --time 60s --warm-up 0s", agent.ports());
    let typed = home.start(line.split_whitespace());
    let live = sample(&events, &Value::Null)?;
    is_of_a_terminal(&live, &api.get("/now")?.is(200)?.json()?)?;
    typed.signal("KILL");
    must!(typed.end().status.code().is_none(), "a signal has ended it");
    must!(home.runs().join(".live").exists(), "who is killed cannot clean up");
    nothing_left(&home, &api)?;
    must!(outcome(&api, &live)? == "partial", "{live}");
    let again = home.start(line.split_whitespace());
    let next = sample(&events, &live["run"])?;
    is_of_a_terminal(&next, &api.get("/now")?.is(200)?.json()?)?;
    again.signal("INT");
    again.end().ended(130)?;
    nothing_left(&home, &api)?;
    server.end("TERM")?;
    Ok(())
}

pub fn not_offered() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    for how in ["--json", "--no-save"] {
        let line = format!("stream 127.0.0.1 {} --time 2s --warm-up 0s {how}", agent.ports());
        let typed = home.start(line.split_whitespace());
        std::thread::sleep(Duration::from_secs(1));
        must!(!home.runs().join(".live").exists(), "{how}");
        typed.end().ended(0)?;
    }
    Ok(())
}
