//! Jobs of `goodput serve`: started, watched, answered and stopped over HTTP.

use crate::http::Server;
use crate::knobs::{by_hand::BY_HAND, levels::written, set_mtu};
use crate::serve::Serving;
use crate::stage::*;

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
}

pub fn is_over(told: &Value, job: &Value) -> bool {
    told["id"] == job["id"] && matches!(told["state"].as_str(), Some("done" | "failed"))
}

pub fn started_and_watched() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let jobs = Jobs::start(&home, &[])?;
    let events = jobs.api.events()?;
    events.until("hello", |hello| hello["version"].is_string())?;
    let job = jobs.stream(&agent, "2s")?;
    must!(job["who"] == "page" && job["line"][0] == "stream", "{job}");
    let told = events.until("job", |told| is_over(told, &job))?;
    let last = &told[told.len() - 1].1;
    must!(last["state"] == "done" && last["exit"] == 0 && last["progress"]["fraction"] == 1.0, "{last}");
    let of = |name: &str| told.iter().filter(|(n, _)| n == name).map(|(_, data)| data).collect::<Vec<_>>();
    let live = of("live");
    must!(live.len() >= 10, "{} live samples", live.len());
    let ours = |l: &&Value| l["job"] == job["id"] && l["run"] == last["run"] && l["trial"] == 1;
    must!(live.iter().all(ours), "{:?}", live[0]);
    let flow = &live[live.len() - 1]["flows"][0];
    let to = flow["to"].as_str().unwrap_or_default();
    must!(flow["goodput_bps"].as_f64() > Some(0.0) && to.starts_with("127.0.0.1"), "{flow}");
    must!(of("recorded") == [&json!({ "run": last["run"], "trial": 1 })], "{:?}", of("recorded"));
    let place = |name: &str| told.iter().position(|(n, _)| n == name);
    must!(place("live") < place("recorded"), "{:?} {:?}", place("live"), place("recorded"));
    let now = jobs.api.get("/now")?.is(200)?.json()?;
    must!(now["jobs"][0]["id"] == job["id"] && now["running"] == json!([]), "{now}");
    jobs.server.end("TERM")
}

pub fn refused() -> CommandOutput {
    let home = Home::new();
    let jobs = Jobs::start(&home, &[])?;
    let refused = |line: Value| jobs.api.post("/jobs", &json!({ "line": line }))?.is(422)?.json();
    for line in [json!(["lab", "exec", "a", "--", "id"]), json!(["agent"]), json!(["stream"])] {
        let problem = refused(line)?;
        must!(problem["error"].is_string() && problem["hint"].is_string(), "{problem}");
    }
    let problem = refused(json!(["stream", "127.0.0.1", "--key-file", "/etc/shadow"]))?;
    must!(problem["hint"].as_str().is_some_and(|hint| hint.contains("--allow files")), "{problem}");
    let file = home.file("writes.toml", experiment("stream {server} --connections {x} --runs /tmp/x", ""))?;
    let named = refused(json!(["run", file]))?;
    must!(named["error"].as_str().is_some_and(|error| error.contains("writes.toml")), "{named}");
    let file =
        home.file("reads.toml", experiment("stream {server} --connections {x} --key-file /etc/shadow", ""))?;
    let problem = refused(json!(["run", file]))?;
    must!(problem["hint"].as_str().is_some_and(|hint| hint.contains("--allow files")), "{problem}");
    let file = home.file(
        "knob.toml",
        experiment("stream {server}", "knob = 'sysctl net.ipv4.tcp_sack'\non = ['server']"),
    )?;
    let problem = refused(json!(["run", file]))?;
    must!(problem["hint"].as_str().is_some_and(|hint| hint.contains("--allow knobs")), "{problem}");
    must!(jobs.api.get("/now")?.is(200)?.json()?["jobs"] == json!([]), "nothing was started");
    jobs.server.end("TERM")?;
    let jobs = Jobs::start(&home, &["--allow", "write"])?;
    let forms = jobs.api.get("/forms")?.is(200)?.body;
    must!(forms.contains("--runs") && !forms.contains("--key-file"), "{forms}");
    jobs.server.end("TERM")
}

fn experiment(line: &str, means: &str) -> String {
    format!(
        "title = 'x'\nrepeats = 1\nhosts = {{ server = '127.0.0.1' }}\n[[factor]]\nname = 'x'\nlevels = ['1', '2']\n\
         {means}\n[[probe]]\nname = 'tcp'\nrun = '{line}'\nmeasures = ['goodput_bps']\n"
    )
}

/// A file that is replaced while its job waits changes nothing.
pub fn runs_what_was_checked() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let jobs = Jobs::start(&home, &[])?;
    let events = jobs.api.events()?;
    let line = agent.probe("stream", "--connections {x} --time 200ms --warm-up 0s");
    let file = home.file("checked.toml", experiment(&line, ""))?;
    jobs.stream(&agent, "2s")?;
    let job = jobs.job(&["run", &file])?;
    must!(job["state"] == "waiting", "{job}");
    let trace = |level: &str| home.path().join(format!("trace{level}"));
    let means = format!("command = {{ on = 'server', set = 'touch {}{{level}}' }}", trace("").display());
    home.file("checked.toml", experiment(&line, &means))?;
    let told = events.until("job", |told| is_over(told, &job))?;
    let last = &told[told.len() - 1].1;
    must!(last["run"].is_string() && !trace("1").exists() && !trace("2").exists(), "{last}");
    // As it is now, it is not accepted.
    let problem = jobs.api.post("/jobs", &json!({ "line": ["run", file] }))?.is(422)?.json()?;
    must!(problem["hint"].as_str().is_some_and(|hint| hint.contains("--allow commands")), "{problem}");
    jobs.server.end("TERM")
}

pub fn asked_and_answered() -> CommandOutput {
    let lab = Lab::up("page", &[])?;
    let text = fs::read_to_string(written(&lab.home, &lab, BY_HAND)?)?;
    let file = lab.home.file("experiment.toml", text.replace("--time 150ms", "--time 600ms"))?;
    let jobs = Jobs::start(&lab.home, &[])?;
    let events = jobs.api.events()?;
    let job = jobs.job(&["run", &file])?;
    let id = job["id"].as_str().ok_or("no job")?;
    let told = events.until("job", |told| told["id"] == job["id"] && told["prompt"].is_object())?;
    must!(told.iter().any(|(name, data)| name == "prompt" && data["job"] == id), "{told:?}");
    let asking = &told[told.len() - 1].1;
    let prompt = &asking["prompt"];
    must!(prompt["text"] == "set the client's MTU to 1400" && prompt["must_show"][0].is_string(), "{prompt}");
    must!(prompt["wrong"].is_null(), "{prompt}");
    let path = format!("/runs/{}/experiment", asking["run"].as_str().unwrap_or_default());
    let document = jobs.api.get(&path)?.is(200)?.json()?;
    must!(document["prompt"]["text"] == prompt["text"], "{}", document["prompt"]);
    let answer = |prompt: &Value, answer: &str| {
        jobs.api.post(&format!("/jobs/{id}/answer"), &json!({ "prompt": prompt["id"], "answer": answer }))
    };
    answer(&json!({ "id": "77" }), "done")?.is(409)?;
    set_mtu(&lab, "1400")?;
    answer(prompt, "done")?.is(204)?;
    let told = events.until("job", |told| is_over(told, &job))?;
    let last = &told[told.len() - 1].1;
    set_mtu(&lab, "1500")?;
    must!(told.iter().any(|(name, _)| name == "live"), "live samples of its measurements are passed on");
    must!(told.iter().any(|(name, data)| name == "recorded" && data["run"] == last["run"]), "{last}");
    // Both cells are measured; a manual level that remains is no failure.
    must!(last["state"] == "done", "{last}");
    answer(prompt, "done")?.is(409)?;
    jobs.server.end("TERM")
}

/// Neither an orderly end nor a kill of the server leaves a measurement running.
pub fn nothing_left() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
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
            jobs.server.end("TERM")?
        }
        // Gone, or a zombie.
        let ended = |pid: &u32| stat(*pid).first().is_none_or(|state| ["Z", "X"].contains(&state.as_str()));
        let gone = || Ok(children.iter().all(ended));
        until(&format!("{children:?} end, killed {killed}"), SOON, gone)?;
    }
    must!(list(&home.json("list")?["runs"]).len() == 2, "both runs are kept");
    Ok(())
}
