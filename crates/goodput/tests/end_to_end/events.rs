//! Lines of `--events` on standard output.

use crate::stage::*;

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

pub fn of_a_stream() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let line = agent.probe("stream", "--time 2s --warm-up 200ms --direction both --events");
    let all = lines(&home.line(&line).ended(0)?)?;
    let told = course(&all);
    must!(told == ["started", "trial_started", "live", "trial_finished", "finished"], "{told:?}");
    let run = all[0]["run"].as_str().ok_or("no run")?;
    must!(all[0]["trials"] == 1 && all[1]["counts"] == true, "{:?}", &all[..2]);
    must!(all[1]["planned"] == 2_200_000_000u64, "{}", all[1]);
    let live = of(&all, "live");
    must!(live.len() >= 10, "{} glimpses", live.len());
    // One more is allowed at the edge of a second.
    let at: Vec<u64> = live.iter().filter_map(|l| l["at_ns"].as_u64()).collect();
    must!(at.windows(12).all(|some| some[11] >= some[0] + 1_000_000_000), "more than ten a second: {at:?}");
    let last = live[live.len() - 1];
    let flows = list(&last["flows"]);
    must!(flows.len() == 2 && flows.iter().all(|f| f["goodput_bps"].as_f64() > Some(0.0)), "{last}");
    must!(flows[0]["from"] == flows[1]["to"] && flows[0]["to"] == flows[1]["from"], "{last}");
    let hosts = list(&last["hosts"]);
    must!(hosts.len() == 2 && hosts.iter().all(|h| h["shared"] == true), "{last}");
    let mut busy = hosts.iter().filter_map(|h| h["busy_percent"].as_f64());
    must!(busy.all(|b| (0.0..=100.5).contains(&b)), "{last}");
    let finished = &all[all.len() - 1];
    must!(finished["exit"] == 0 && finished["failure"].is_null(), "{finished}");
    must!(finished["run"] == run && home.line("show --json").measured()?["run"] == run, "{finished}");
    Ok(())
}

/// Inside a lab only one of two processes writes the lines.
pub fn in_a_lab() -> CommandOutput {
    let lab = Lab::up("events", &[])?;
    let line = format!("request {} --from {} --time 1s --repeat 2 --events", lab.host("b"), lab.host("a"));
    let all = lines(&lab.home.line(&line).ended(0)?)?;
    must!(of(&all, "started").len() == 1 && of(&all, "finished").len() == 1, "{:?}", course(&all));
    must!(of(&all, "trial_finished").len() == 2, "{:?}", course(&all));
    let live = of(&all, "live");
    must!(live.iter().any(|l| l["operations_per_second"].as_f64() > Some(0.0)), "{:?}", live.last());
    must!(live.iter().all(|l| l["flows"][0]["from"] == "b"), "{:?}", live.last());
    let all = lines(&lab.home.line("stream lab:b@no-such-lab --events"))?;
    must!(all.len() == 1 && all[0]["exit"] != 0 && all[0]["failure"]["error"].is_string(), "{all:?}");
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
