//! Typed runs on the page of their store: live samples until they end or are killed.

use crate::http::{Events, Server};
use crate::serve::Serving;
use crate::stage::{Home, Lab, list, until};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

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
    must!(list(&now["running"]).iter().any(|run| run["id"] == live["run"]), "{live} {now}");
    Ok(())
}

/// Only the owner can access the sockets.
fn is_private(home: &Home) -> CommandOutput {
    let mode = std::fs::metadata(home.runs().join(".live"))?.permissions().mode();
    must!(mode & 0o777 == 0o700, "{mode:o}");
    Ok(())
}

fn nothing_left(home: &Home, api: &Server) -> CommandOutput {
    until("nothing runs, and no socket is left", SOON, || {
        let now = api.get("/now")?.is(200)?.json()?;
        Ok(now["running"] == json!([]) && !home.runs().join(".live").exists())
    })
}

fn outcome(api: &Server, live: &Value) -> Result<Value, Failed> {
    let runs = api.get("/runs")?.is(200)?.json()?;
    let found = list(&runs["runs"]).iter().find(|run| run["id"] == live["run"]);
    found.map(|run| run["outcome"].clone()).ok_or_else(|| format!("{live} is not in {runs}").into())
}

pub fn to_its_end() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "live", &[])?;
    let (server, api, events) = watched(&home)?;
    let line = format!("stream {} --from {} --time 6s --warm-up 200ms", lab.host("b"), lab.host("a"));
    let typed = home.start_line(&line);
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
