//! Jobs of `goodput serve`: started, watched, answered and stopped over HTTP.

use crate::events::experiment;
use crate::http::{Events, Server};
use crate::knobs::by_hand::set_by_hand;
use crate::stage::{Agent, Home, Lab, free_port, signal};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(60);

struct Serving {
    child: Child,
    api: Server,
}

impl Serving {
    fn start(home: &Home, more: &[&str]) -> Result<Serving, Failed> {
        let address = format!("127.0.0.1:{}", free_port());
        let mut command = home.command(["serve", "--listen", &address]);
        let child = command.args(more).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let mut serving = Serving { child, api: Server { address, headers: Vec::new() } };
        let until = Instant::now() + SOON;
        while TcpStream::connect(&serving.api.address).is_err() {
            must_run(&mut serving.child)?;
            if Instant::now() > until {
                return Err("the server does not listen".into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let session = serving.api.get("/session")?.is(200)?.json()?;
        if session["role"] != "operator" {
            return Err(format!("whoever starts it is its operator: {session}").into());
        }
        let csrf = session["csrf"].as_str().ok_or("no token against forgery")?.to_string();
        serving.api.headers.push(("X-CSRF-Token".into(), csrf));
        Ok(serving)
    }

    fn job(&self, words: &[&str]) -> Result<Value, Failed> {
        self.api.post("/jobs", &json!({ "line": words }))?.is(201)?.json()
    }

    fn over(&self, events: &Events, job: &Value) -> Result<(Vec<(String, Value)>, Value), Failed> {
        let is_over = |told: &Value| {
            told["id"] == job["id"] && matches!(told["state"].as_str(), Some("done" | "failed"))
        };
        let told = events.until("job", is_over)?;
        let last = told.last().map(|(_, job)| job.clone()).unwrap_or_default();
        Ok((told, last))
    }

    fn end(mut self) -> CommandOutput {
        signal(self.child.id(), "TERM");
        let until = Instant::now() + SOON;
        loop {
            if self.child.try_wait()?.is_some() {
                return Ok(());
            }
            if Instant::now() > until {
                return Err("the server does not end".into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn must_run(child: &mut Child) -> CommandOutput {
    match child.try_wait()? {
        None => Ok(()),
        Some(status) => Err(format!("the server ended: {status}").into()),
    }
}

fn stream<'a>(port: &'a str, time: &'a str) -> [&'a str; 8] {
    ["stream", "127.0.0.1", "--port", port, "--time", time, "--warm-up", "200ms"]
}

fn port(agent: &Agent) -> String {
    agent.port.to_string()
}

pub fn started_and_watched() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let serving = Serving::start(&home, &[])?;
    let events = serving.api.events()?;
    events.until("hello", |hello| hello["version"].is_string())?;
    let job = serving.job(&stream(&port(&agent), "2s"))?;
    must!(job["who"] == "page" && job["line"][0] == "stream", "{job}");
    let (told, last) = serving.over(&events, &job)?;
    must!(last["state"] == "done" && last["exit"] == 0 && last["progress"]["fraction"] == 1.0, "{last}");
    let of = |name: &str| told.iter().filter(|(n, _)| n == name).map(|(_, data)| data).collect::<Vec<_>>();
    let live = of("live");
    must!(live.len() >= 10, "{} live samples", live.len());
    must!(
        live.iter().all(|l| l["job"] == job["id"] && l["run"] == last["run"] && l["trial"] == 1),
        "{:?}",
        live[0]
    );
    let flow = &live[live.len() - 1]["flows"][0];
    let to = flow["to"].as_str().unwrap_or_default();
    must!(flow["goodput_bps"].as_f64().is_some_and(|b| b > 0.0) && to.starts_with("127.0.0.1"), "{flow}");
    must!(of("recorded") == [&json!({ "run": last["run"], "trial": 1 })], "{:?}", of("recorded"));
    let place = |name: &str| told.iter().position(|(n, _)| n == name);
    must!(place("live") < place("recorded"), "{:?} {:?}", place("live"), place("recorded"));
    let run = last["run"].as_str().ok_or("no run")?;
    let runs = serving.api.get("/runs")?.is(200)?.json()?;
    must!(runs["runs"][0]["id"] == run && runs["runs"][0]["outcome"] == "complete", "{runs}");
    let now = serving.api.get("/now")?.is(200)?.json()?;
    must!(now["jobs"][0]["id"] == job["id"] && now["jobs"][0]["state"] == "done", "{now}");
    must!(now["running"] == json!([]), "{now}");
    serving.end()
}

pub fn stopped_and_in_turn() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let serving = Serving::start(&home, &[])?;
    let events = serving.api.events()?;
    let long = serving.job(&stream(&port(&agent), "60s"))?;
    let next = serving.job(&stream(&port(&agent), "300ms"))?;
    must!(next["state"] == "waiting", "{next}");
    let never = serving.job(&stream(&port(&agent), "300ms"))?;
    let id = |job: &Value| job["id"].as_str().unwrap_or_default().to_string();
    serving.api.delete(&format!("/jobs/{}", id(&never)))?.is(204)?;
    events.until("live", |live| live["job"] == long["id"])?;
    serving.api.delete(&format!("/jobs/{}", id(&long)))?.is(204)?;
    let (_, long) = serving.over(&events, &long)?;
    must!(long["state"] == "failed" && long["exit"] == 130, "{long}");
    must!(long["failure"]["error"] == "interrupted", "{long}");
    let (_, next) = serving.over(&events, &next)?;
    must!(next["state"] == "done", "{next}");
    let never = serving.api.get(&format!("/jobs/{}", id(&never)))?.is(200)?.json()?;
    must!(never["state"] == "failed" && never["started"].is_null(), "{never}");
    let partial = serving.api.get("/runs?outcome=partial")?.is(200)?.json()?;
    must!(partial["runs"][0]["id"] == long["run"], "{partial} {long}");
    serving.api.delete("/jobs/01a1fc42-d27b-7000-8000-0123456789ab")?.is(404)?;
    serving.end()
}

pub fn refused() -> CommandOutput {
    let home = Home::new();
    let serving = Serving::start(&home, &[])?;
    let refused = |line: Value| serving.api.post("/jobs", &json!({ "line": line }))?.is(422)?.json();
    for line in
        [json!(["lab", "up"]), json!(["lab", "exec", "a", "--", "id"]), json!(["agent"]), json!(["stream"])]
    {
        let problem = refused(line.clone())?;
        must!(problem["error"].is_string() && problem["hint"].is_string(), "{line}: {problem}");
    }
    for (line, leave) in [
        (json!(["file", "/tmp"]), "folders"),
        (json!(["pingpong", "127.0.0.1", "--np-out", "/tmp/x"]), "write"),
        (json!(["stream", "127.0.0.1", "--key-file", "/etc/shadow"]), "files"),
    ] {
        let problem = refused(line.clone())?;
        let hint = problem["hint"].as_str().unwrap_or_default();
        must!(hint.contains(&format!("--allow {leave}")), "{line}: {problem}");
        let checked = serving.api.post("/forms/check", &json!({ "line": line }))?.is(200)?.json()?;
        must!(checked["ok"] == false && checked["hint"] == problem["hint"], "{checked}");
    }
    let fine = json!({ "line": ["stream", "127.0.0.1", "--time", "1s"] });
    must!(serving.api.post("/forms/check", &fine)?.is(200)?.json()?["ok"] == true, "a plain line");
    let forms = serving.api.get("/forms")?.is(200)?.json()?;
    let of = |name: &str| forms.as_array().into_iter().flatten().find(|f| f["command"] == name).cloned();
    let stream = of("stream").ok_or("no form of stream")?.to_string();
    must!(
        stream.contains("--time") && !stream.contains("--runs") && !stream.contains("--key-file"),
        "{stream}"
    );
    must!(serving.api.get("/now")?.is(200)?.json()?["jobs"] == json!([]), "nothing was started");
    // Refused without the page's CSRF header.
    let bare = Server { address: serving.api.address.clone(), headers: Vec::new() };
    bare.post("/jobs", &fine)?.is(403)?;
    serving.end()?;
    let serving = Serving::start(&home, &["--allow", "write"])?;
    let forms = serving.api.get("/forms")?.is(200)?.body;
    must!(forms.contains("--runs") && !forms.contains("--key-file"), "{forms}");
    serving.end()
}

pub fn asked_and_answered() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "page", &[])?;
    let file = experiment(&home, &lab)?;
    let serving = Serving::start(&home, &[])?;
    let events = serving.api.events()?;
    let job = serving.job(&["run", &file])?;
    let id = job["id"].as_str().ok_or("no job")?;
    let asked = |wrong: bool| {
        events.until("job", |told| {
            let prompt = &told["prompt"];
            told["id"] == job["id"] && prompt.is_object() && prompt["wrong"].is_string() == wrong
        })
    };
    let told = asked(false)?;
    must!(told.iter().any(|(name, data)| name == "prompt" && data["job"] == id), "{told:?}");
    let prompt = told.last().map(|(_, job)| job["prompt"].clone()).unwrap_or_default();
    must!(prompt["text"] == "set the client's MTU to 1400" && prompt["must_show"][0].is_string(), "{prompt}");
    let run = told.last().map(|(_, job)| job["run"].clone()).unwrap_or_default();
    let document = serving
        .api
        .get(&format!("/runs/{}/experiment", run.as_str().unwrap_or_default()))?
        .is(200)?
        .json()?;
    must!(document["prompt"]["text"] == prompt["text"], "{}", document["prompt"]);
    let answer = |prompt: &Value, answer: &str| {
        serving.api.post(&format!("/jobs/{id}/answer"), &json!({ "prompt": prompt["id"], "answer": answer }))
    };
    answer(&json!({ "id": "77" }), "done")?.is(409)?;
    set_by_hand(&lab, "1400")?;
    answer(&prompt, "done")?.is(204)?;
    let (told, last) = serving.over(&events, &job)?;
    set_by_hand(&lab, "1500")?;
    must!(told.iter().any(|(name, _)| name == "live"), "live samples of its measurements are passed on");
    must!(told.iter().any(|(name, data)| name == "recorded" && data["run"] == last["run"]), "{last}");
    // Both cells are measured; a manual level that remains is no failure.
    must!(last["state"] == "done", "{last}");
    answer(&prompt, "done")?.is(409)?;
    serving.end()
}

/// Neither an orderly end nor a kill of the server leaves a measurement running.
pub fn nothing_left() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    for killed in [false, true] {
        let mut serving = Serving::start(&home, &[])?;
        let events = serving.api.events()?;
        let job = serving.job(&stream(&port(&agent), "60s"))?;
        events.until("live", |live| live["job"] == job["id"])?;
        let children = children_of(serving.child.id());
        must!(!children.is_empty(), "a job is a child of the server");
        if killed {
            serving.child.kill()?;
            serving.child.wait()?;
        } else {
            serving.end()?;
        }
        let until = Instant::now() + SOON;
        while children.iter().any(|pid| lives(*pid)) {
            must!(Instant::now() < until, "{children:?} are still there, killed {killed}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let list = home.line("list --json").ended(0)?.json()?;
    must!(list["runs"].as_array().map(Vec::len) == Some(2), "{list}");
    Ok(())
}

fn children_of(pid: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|child| parent_of(*child) == Some(pid)).collect()
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The process name may contain anything.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}
