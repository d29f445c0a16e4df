//! Typed runs on the page of their store: live samples until they end or are killed.

use crate::http::{Events, Server};
use crate::serve::Serving;
use crate::stage::*;
use std::os::unix::fs::PermissionsExt;

const SOON: Duration = Duration::from_secs(60);

fn watched(home: &Home) -> Result<(Serving, Server, Events), Failed> {
    let server = Serving::start(home, &[])?;
    let api = server.with("");
    let events = api.events()?;
    events.until("hello", |hello| hello["version"].is_string())?;
    Ok((server, api, events))
}

fn sample(events: &Events, but: &Value) -> Result<Value, Failed> {
    let fits = |live: &Value| live["run"] != *but && live["flows"][0]["goodput_bps"].as_f64() > Some(0.0);
    Ok(events.until("live", fits)?.pop().unwrap_or_default().1)
}

/// Its own name, no job, and no CPU, which agents were not asked for.
fn is_of_a_terminal(live: &Value, api: &Server) -> CommandOutput {
    let now = api.get("/now")?.is(200)?.json()?;
    must!(live["job"].is_null() && live["trial"] == 1 && live["hosts"] == json!([]), "{live}");
    must!(live["elapsed_ns"].as_u64().is_some_and(|ns| ns > 0), "{live}");
    must!(now["jobs"] == json!([]), "{now}");
    must!(list(&now["running"]).iter().any(|run| run["id"] == live["run"]), "{live} {now}");
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
    let lab = Lab::up("live", &[])?;
    let (server, api, events) = watched(&lab.home)?;
    let line = format!("stream {} --from {} --time 6s --warm-up 200ms", lab.host("b"), lab.host("a"));
    let typed = lab.home.start_line(&line);
    let live = sample(&events, &Value::Null)?;
    is_of_a_terminal(&live, &api)?;
    must!(live["flows"][0]["from"] == "a" && live["flows"][0]["to"] == "b", "{live}");
    let mode = fs::metadata(lab.home.runs().join(".live"))?.permissions().mode();
    must!(mode & 0o777 == 0o700, "only the owner can access the sockets: {mode:o}");
    let bytes = |live: &Value| live["flows"][0]["bytes"].as_u64();
    events.until("live", |later| later["run"] == live["run"] && bytes(later) > bytes(&live))?;
    typed.end().ended(0)?;
    events.until("runs", |_| true)?;
    nothing_left(&lab.home, &api)?;
    must!(outcome(&api, &live)? == "complete", "{live}");
    server.end("TERM")
}

pub fn killed() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let (server, api, events) = watched(&home)?;
    let line = agent.probe("stream", "--time 60s --warm-up 0s");
    let typed = home.start_line(&line);
    let live = sample(&events, &Value::Null)?;
    is_of_a_terminal(&live, &api)?;
    typed.signal("KILL");
    must!(typed.end().status.code().is_none(), "a signal has ended it");
    must!(home.runs().join(".live").exists(), "who is killed cannot clean up");
    nothing_left(&home, &api)?;
    must!(outcome(&api, &live)? == "partial", "{live}");
    let again = home.start_line(&line);
    let next = sample(&events, &live["run"])?;
    is_of_a_terminal(&next, &api)?;
    again.signal("INT");
    again.end().ended(130)?;
    nothing_left(&home, &api)?;
    server.end("TERM")
}

pub fn not_offered() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    for how in ["--json", "--no-save"] {
        let typed = home.start_line(&agent.probe("stream", &format!("--time 2s --warm-up 0s {how}")));
        std::thread::sleep(Duration::from_secs(1));
        must!(!home.runs().join(".live").exists(), "{how}");
        typed.end().ended(0)?;
    }
    Ok(())
}
