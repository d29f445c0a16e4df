//! Jobs of `goodput serve`: started, watched, answered and stopped over HTTP.

use crate::events::experiment;
use crate::http::{Events, Server};
use crate::knobs::by_hand::set_by_hand;
use crate::serve::Serving;
use crate::stage::{Agent, Home, Lab, list, until};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(60);

struct Jobs {
    server: Serving,
    api: Server,
}

impl Jobs {
    fn start(home: &Home, more: &[&str]) -> Result<Jobs, Failed> {
        let server = Serving::start(home, more)?;
        let api = server.operator()?;
        Ok(Jobs { server, api })
    }

    fn job(&self, words: &[&str]) -> Result<Value, Failed> {
        self.api.post("/jobs", &json!({ "line": words }))?.is(201)?.json()
    }

    fn stream(&self, agent: &Agent, time: &str) -> Result<Value, Failed> {
        let line = agent.probe("stream", &format!("--time {time} --warm-up 200ms"));
        self.job(&line.split(' ').collect::<Vec<_>>())
    }

    fn over(&self, events: &Events, job: &Value) -> Result<(Vec<(String, Value)>, Value), Failed> {
        let told = events.until("job", |told| is_over(told, job))?;
        let last = told.last().map(|(_, job)| job.clone()).unwrap_or_default();
        Ok((told, last))
    }

    fn end(self) -> CommandOutput {
        self.server.end("TERM").map(drop)
    }
}

pub fn is_over(told: &Value, job: &Value) -> bool {
    told["id"] == job["id"] && matches!(told["state"].as_str(), Some("done" | "failed"))
}

pub fn started_and_watched() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let jobs = Jobs::start(&home, &[])?;
    let events = jobs.api.events()?;
    events.until("hello", |hello| hello["version"].is_string())?;
    let job = jobs.stream(&agent, "2s")?;
    must!(job["who"] == "page" && job["line"][0] == "stream", "{job}");
    let (told, last) = jobs.over(&events, &job)?;
    must!(last["state"] == "done" && last["exit"] == 0 && last["progress"]["fraction"] == 1.0, "{last}");
    let of = |name: &str| told.iter().filter(|(n, _)| n == name).map(|(_, data)| data).collect::<Vec<_>>();
    let live = of("live");
    must!(live.len() >= 10, "{} live samples", live.len());
    let ours = |l: &&Value| l["job"] == job["id"] && l["run"] == last["run"] && l["trial"] == 1;
    must!(live.iter().all(ours), "{:?}", live[0]);
    let flow = &live[live.len() - 1]["flows"][0];
    let to = flow["to"].as_str().unwrap_or_default();
    must!(flow["goodput_bps"].as_f64().is_some_and(|b| b > 0.0) && to.starts_with("127.0.0.1"), "{flow}");
    must!(of("recorded") == [&json!({ "run": last["run"], "trial": 1 })], "{:?}", of("recorded"));
    let place = |name: &str| told.iter().position(|(n, _)| n == name);
    must!(place("live") < place("recorded"), "{:?} {:?}", place("live"), place("recorded"));
    let run = last["run"].as_str().ok_or("no run")?;
    let runs = jobs.api.get("/runs")?.is(200)?.json()?;
    must!(runs["runs"][0]["id"] == run && runs["runs"][0]["outcome"] == "complete", "{runs}");
    let now = jobs.api.get("/now")?.is(200)?.json()?;
    must!(now["jobs"][0]["id"] == job["id"] && now["jobs"][0]["state"] == "done", "{now}");
    must!(now["running"] == json!([]), "{now}");
    jobs.end()
}

pub fn refused() -> CommandOutput {
    let home = Home::new();
    let jobs = Jobs::start(&home, &[])?;
    let refused = |line: Value| jobs.api.post("/jobs", &json!({ "line": line }))?.is(422)?.json();
    for line in ["lab up", "lab exec a -- id", "agent", "stream"] {
        let problem = refused(json!(line.split(' ').collect::<Vec<_>>()))?;
        must!(problem["error"].is_string() && problem["hint"].is_string(), "{line}: {problem}");
    }
    let problem = refused(json!(["stream", "127.0.0.1", "--key-file", "/etc/shadow"]))?;
    must!(problem["hint"].as_str().is_some_and(|hint| hint.contains("--allow files")), "{problem}");
    must!(jobs.api.get("/now")?.is(200)?.json()?["jobs"] == json!([]), "nothing was started");
    jobs.end()?;
    let jobs = Jobs::start(&home, &["--allow", "write"])?;
    let forms = jobs.api.get("/forms")?.is(200)?.body;
    must!(forms.contains("--runs") && !forms.contains("--key-file"), "{forms}");
    jobs.end()
}

pub fn asked_and_answered() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "page", &[])?;
    let file = experiment(&home, &lab)?;
    let jobs = Jobs::start(&home, &[])?;
    let events = jobs.api.events()?;
    let job = jobs.job(&["run", &file])?;
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
    let path = format!("/runs/{}/experiment", run.as_str().unwrap_or_default());
    let document = jobs.api.get(&path)?.is(200)?.json()?;
    must!(document["prompt"]["text"] == prompt["text"], "{}", document["prompt"]);
    let answer = |prompt: &Value, answer: &str| {
        jobs.api.post(&format!("/jobs/{id}/answer"), &json!({ "prompt": prompt["id"], "answer": answer }))
    };
    answer(&json!({ "id": "77" }), "done")?.is(409)?;
    set_by_hand(&lab, "1400")?;
    answer(&prompt, "done")?.is(204)?;
    let (told, last) = jobs.over(&events, &job)?;
    set_by_hand(&lab, "1500")?;
    must!(told.iter().any(|(name, _)| name == "live"), "live samples of its measurements are passed on");
    must!(told.iter().any(|(name, data)| name == "recorded" && data["run"] == last["run"]), "{last}");
    // Both cells are measured; a manual level that remains is no failure.
    must!(last["state"] == "done", "{last}");
    answer(&prompt, "done")?.is(409)?;
    jobs.end()
}

/// Neither an orderly end nor a kill of the server leaves a measurement running.
pub fn nothing_left() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    for killed in [false, true] {
        let jobs = Jobs::start(&home, &[])?;
        let events = jobs.api.events()?;
        let job = jobs.stream(&agent, "60s")?;
        events.until("live", |live| live["job"] == job["id"])?;
        let children = children_of(jobs.server.running.pid());
        must!(!children.is_empty(), "a job is a child of the server");
        if killed {
            drop(jobs)
        } else {
            jobs.end()?
        }
        let gone = || Ok(!children.iter().any(|pid| lives(*pid)));
        until(&format!("{children:?} end, killed {killed}"), SOON, gone)?;
    }
    let runs = home.json("list")?;
    must!(list(&runs["runs"]).len() == 2, "{runs}");
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
