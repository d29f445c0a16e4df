//! Lines of `--events` on standard output.

use crate::knobs::by_hand::{BY_HAND, set_by_hand};
use crate::knobs::levels::{outcomes, steps, written};
use crate::stage::{Home, Lab, ProcessRun, Running, list, running};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(90);

fn lines(ran: &ProcessRun) -> Result<Vec<Value>, Failed> {
    let line = |line: &str| serde_json::from_str(line).map_err(|e| format!("{e} in {line:?}").into());
    ran.stdout.lines().map(line).collect()
}

fn of<'v>(lines: &'v [Value], name: &str) -> Vec<&'v Value> {
    lines.iter().filter(|line| line["event"] == name).collect()
}

fn course(lines: &[Value]) -> Vec<&str> {
    let mut names: Vec<&str> = lines.iter().filter_map(|line| line["event"].as_str()).collect();
    names.dedup();
    names
}

/// One more is allowed at the edge of a second.
fn at_most_ten_a_second(live: &[&Value]) -> CommandOutput {
    let at: Vec<u64> = live.iter().filter_map(|l| l["at_ns"].as_u64()).collect();
    for (i, from) in at.iter().enumerate() {
        let within = at[i..].iter().take_while(|t| **t < from + 1_000_000_000).count();
        must!(within <= 11, "{within} in one second");
    }
    Ok(())
}

pub fn of_a_stream() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let line = agent.probe("stream", "--time 2s --warm-up 200ms --direction both --events");
    let all = lines(&home.line(&line).ended(0)?)?;
    let told = course(&all);
    must!(told == ["started", "trial_started", "live", "trial_finished", "finished"], "{told:?}");
    let run = all[0]["run"].as_str().ok_or("no run")?;
    must!(all[0]["trials"] == 1 && all[1]["counts"] == true, "{:?}", &all[..2]);
    must!(all[1]["planned"] == 2_200_000_000u64, "{}", all[1]);
    let live = of(&all, "live");
    must!(live.len() >= 10, "{} glimpses", live.len());
    at_most_ten_a_second(&live)?;
    let last = live[live.len() - 1];
    let flows = list(&last["flows"]);
    must!(flows.len() == 2 && flows.iter().all(|f| f["goodput_bps"].as_f64() > Some(0.0)), "{last}");
    must!(flows[0]["from"] == flows[1]["to"] && flows[0]["to"] == flows[1]["from"], "{last}");
    let hosts = list(&last["hosts"]);
    must!(hosts.len() == 2 && hosts.iter().all(|h| h["shared"] == true), "{last}");
    let busy: Vec<f64> = hosts.iter().filter_map(|h| h["busy_percent"].as_f64()).collect();
    must!(busy.iter().all(|b| (0.0..=100.5).contains(b)), "{last}");
    let finished = &all[all.len() - 1];
    must!(finished["run"] == run && finished["exit"] == 0, "{finished}");
    must!(finished["failure"].is_null(), "{finished}");
    let kept = home.line("show --json").measured()?;
    must!(kept["run"] == run, "{}", kept["run"]);
    Ok(())
}

/// Inside a lab only one of two processes writes the lines.
pub fn in_a_lab() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "events", &[])?;
    let line = format!("request {} --from {} --time 1s --repeat 2 --events", lab.host("b"), lab.host("a"));
    let ran = home.line(&line).ended(0)?;
    let all = lines(&ran)?;
    must!(of(&all, "started").len() == 1 && of(&all, "finished").len() == 1, "{:?}", course(&all));
    must!(of(&all, "trial_finished").len() == 2, "{:?}", course(&all));
    let live = of(&all, "live");
    must!(live.iter().any(|l| l["operations_per_second"].as_f64() > Some(0.0)), "{:?}", live.last());
    must!(live.iter().all(|l| l["flows"][0]["from"] == "b"), "{:?}", live.last());
    let ran = home.line("stream lab:b@no-such-lab --events");
    must!(ran.code() != 0, "{}", ran.stdout);
    let all = lines(&ran)?;
    must!(all.len() == 1 && all[0]["failure"]["error"].is_string(), "{all:?}");
    Ok(())
}

pub fn of_what_goes_wrong() -> CommandOutput {
    let home = Home::new();
    for (line, code) in [
        ("stream --events", 2),
        ("stream 127.0.0.1 --events --json", 2),
        ("stream 127.0.0.1 --port 1 --events", 3),
        ("run no-such-file.toml --events", 2),
    ] {
        let ran = home.line(line);
        let all = lines(&ran)?;
        let last = all.last().ok_or("no line")?;
        must!(ran.code() == code && last["event"] == "finished" && last["exit"] == code, "{line}: {last}");
        must!(last["failure"]["error"].is_string() && ran.stderr.is_empty(), "{line}: {last} {}", ran.stderr);
    }
    Ok(())
}

struct Answered {
    running: Running,
    all: Vec<Value>,
}

impl Answered {
    fn start(home: &Home, args: &[&str]) -> Answered {
        let mut command = home.command(args);
        command.stdin(Stdio::piped()).stderr(Stdio::null());
        Answered { running: running(command), all: Vec::new() }
    }

    fn until(&mut self, name: &str) -> Result<Value, Failed> {
        loop {
            let line: Value = serde_json::from_str(&self.running.says("", SOON)?)?;
            self.all.push(line.clone());
            if line["event"] == name {
                return Ok(line);
            }
        }
    }

    fn answer(&mut self, question: &Value, answer: &str) -> CommandOutput {
        self.running.input(json!({ "prompt": question["id"], "answer": answer }))
    }
}

pub fn experiment(home: &Home, lab: &Lab<'_>) -> Result<String, Failed> {
    let file = written(home, lab, BY_HAND)?;
    let text = std::fs::read_to_string(&file)?.replace("--time 150ms", "--time 600ms");
    std::fs::write(&file, text)?;
    Ok(file.display().to_string())
}

pub fn of_an_experiment() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "asked", &[])?;
    let file = experiment(&home, &lab)?;
    let mut program = Answered::start(&home, &["run", &file, "--events"]);
    let first = program.until("ask")?;
    must!(first["text"] == "set the client's MTU to 1400" && first["level"] == "1400", "{first}");
    must!(first["must_show"] == json!(["interfaces.eth0.mtu of client is 1400"]), "{first}");
    must!(first["wrong"].is_null(), "{first}");
    program.answer(&first, "done")?;
    let second = program.until("ask")?;
    let wrong = second["wrong"].as_str().unwrap_or_default();
    must!(wrong.contains("is 1500 and should be 1400") && second["id"] != first["id"], "{second}");
    set_by_hand(&lab, "1400")?;
    program.answer(&second, "done")?;
    let finished = program.until("finished")?;
    set_by_hand(&lab, "1500")?;
    must!(finished["run"].is_string(), "{finished}");
    let all = &program.all;
    must!(of(all, "started").len() == 1, "one run: {:?}", course(all));
    let cells = of(all, "cell");
    let done = cells.iter().filter(|c| c["outcome"]["outcome"] == "done").count();
    must!(cells.len() == 4 && done == 2, "{cells:?}");
    must!(cells[3]["done"] == 2 && cells[3]["of_least"] == 2, "{}", cells[3]);
    must!(of(all, "trial_finished").iter().all(|t| t["run"] == finished["run"]), "{:?}", course(all));
    must!(!of(all, "live").is_empty(), "{:?}", course(all));
    must!(outcomes(&steps(&home)?) == ["done", "done"], "{:?}", steps(&home)?);
    Ok(())
}
