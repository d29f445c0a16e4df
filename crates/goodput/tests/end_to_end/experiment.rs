//! `goodput run`: whole, interrupted and resumed experiments.

mod killed;
mod live;
mod log;
mod proof;

use crate::stage::{Home, Lab, ProcessRun, list};
use crate::{CommandOutput, must};
pub use killed::{interrupted, killed};
use libtest_mimic::Failed;
pub use live::ten_comparisons;
use log::Log;
pub use proof::hundred_kills;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(240);

const TOPOLOGY: &str = "[[host]]\nname = \"a\"\n\n[[host]]\nname = \"b\"\n\n[[link]]\nhosts = [\"a\", \"b\"]\nrate = \"100Mbit\"\n";

const STUDY: &str = r#"
title = "Rate and congestion control on one link"
lab = "topology.toml"
repeats = 2
seed = 7
require = ["tcp.goodput_bps >= 1 Mbit/s"]
hosts = { server = "lab:b", client = "lab:a" }
factor = [
  { name = "rate", levels = ["100Mbit", "20Mbit"], lab = "links.1.rate" },
  { name = "cc", levels = ["cubic", "reno"] },
]
[[probe]]
name = "tcp"
run = "stream {server} --from {client} --time 300ms --warm-up 100ms --congestion {cc}"
measures = ["goodput_bps"]
time_limit = "30s"
"#;

/// The folder names the experiment and its lab: two stories at a time need two names.
fn study(home: &Home, name: &str, text: &str) -> Result<PathBuf, Failed> {
    let folder = home.path().join(name);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("experiment.toml"), text)?;
    fs::write(folder.join("topology.toml"), TOPOLOGY)?;
    Ok(folder)
}

fn file(home: &Home, text: &str) -> Result<String, Failed> {
    let path = home.path().join("story.toml");
    fs::write(&path, text)?;
    Ok(path.display().to_string())
}

fn run(home: &Home, args: &[&str]) -> ProcessRun {
    home.start([&["run"][..], args].concat()).within(LONGEST)
}

pub fn whole() -> CommandOutput {
    let home = Home::new();
    let folder = study(&home, "link-study", STUDY)?.display().to_string();
    let document = run(&home, &[&folder, "--json"]).ended(0)?.json()?;
    let experiment = &document["experiment"];
    must!(experiment["name"] == "link-study", "{experiment}");
    let cells = list(&experiment["cells"]);
    must!(cells.len() == 4 && cells.iter().all(|c| c["n"] == 2), "{cells:?}");
    // The link's rates differ widely, so the result is certain.
    for cell in cells {
        let median = cell["median"].as_f64().ok_or("no median")?;
        let slow = cell["levels"]["rate"] == "20Mbit";
        must!(if slow { median < 25e6 } else { median > 40e6 }, "{cell}");
    }
    must!(experiment["requirements"][0]["verdict"] == "met", "{}", experiment["requirements"]);
    must!(list(&document["trials"]).len() == 8, "{}", document["trials"]);
    let log = Log::read(&home)?;
    must!(log.finished && log.ended.len() == 8, "{log:?}");
    let labs = home.line("lab list --json").ended(0)?.stdout;
    must!(!labs.contains("exp-link-study"), "{labs}");

    must!(home.json("show")?["experiment"] == *experiment, "show says something else");
    let text = home.line("show").ended(0)?.stdout;
    must!(text.contains("Rate and congestion control on one link") && text.contains("20Mbit"), "{text}");
    home.line("list").ended(0)?;
    let listed = &home.json("list")?["runs"][0];
    must!(listed["finished"] == true && listed["command"][1] == "run", "{listed}");
    home.run(["compare", "last", "last"]).ended(0)?;
    home.run(["export", "last", "--format", "csv"]).ended(0)?;
    let out = home.path().join("report").display().to_string();
    home.run(["report", "last", "--output", &out]).ended(0)?;
    let page = fs::read_to_string(format!("{out}/report.html"))?;
    must!(page.contains("<svg") && page.contains("20Mbit"), "a page with figures");
    let markdown = home.run(["report", "last", "--format", "markdown"]).ended(0)?.stdout;
    must!(markdown.starts_with("# Rate") && markdown.contains("20Mbit"), "{markdown}");
    run(&home, &[&folder, "--resume"]).ended(2)?;
    Ok(())
}

pub fn failing_line() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let text = format!(
        r#"
title = "An open and a closed port"
repeats = 2
hosts = {{ server = "127.0.0.1" }}
factor = [{{ name = "port", levels = [{}, {}] }}]
[[probe]]
name = "tcp"
run = "stream {{server}} --port {{port}} --time 200ms --warm-up 0s"
measures = ["goodput_bps"]
"#,
        agent.port,
        crate::stage::free_port()
    );
    let document = run(&home, &[&file(&home, &text)?, "--json"]).ended(0)?.json()?;
    let cells = list(&document["experiment"]["cells"]);
    must!(cells.len() == 2, "{cells:?}");
    let (good, bad): (Vec<_>, Vec<_>) = cells.iter().partition(|c| c["n"] == 2);
    must!(good.len() == 1 && bad.len() == 1 && bad[0]["n"] == 0, "{cells:?}");
    must!(bad[0]["failed"].to_string().contains("refuses the connection"), "{}", bad[0]);
    let log = Log::read(&home)?;
    must!(log.finished && log.with_outcome("failed") == 2 && log.with_outcome("done") == 2, "{log:?}");
    // A requirement on a metric without a value.
    let strict = text.replace("repeats = 2", "repeats = 1\nrequire = [\"tcp.goodput_bps >= 1 kbit/s\"]");
    run(&home, &[&file(&home, &strict)?]).ended(1)?;
    Ok(())
}

pub fn timed_out() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let text = format!(
        r#"
title = "Too long"
repeats = 1
order = "file"
hosts = {{ server = "127.0.0.1" }}
factor = [{{ name = "time", levels = ["20s", "200ms"] }}]
[[probe]]
name = "tcp"
run = "stream {{server}} --port {} --time {{time}} --warm-up 0s"
measures = ["goodput_bps"]
time_limit = "3s"
"#,
        agent.port
    );
    let ran = run(&home, &[&file(&home, &text)?]).ended(0)?;
    must!(ran.took < Duration::from_secs(15), "took {:?}", ran.took);
    let log = Log::read(&home)?;
    must!(log.outcomes == ["timed-out", "done"], "{log:?}");
    must!(ran.stderr.contains("did not finish within its time limit"), "{}", ran.stderr);
    // The interrupted measurement saved its data, and its agent serves the next.
    must!(log.trials == 2, "{log:?}");
    Ok(())
}

pub fn checked() -> CommandOutput {
    let home = Home::new();
    let folder = study(&home, "link-study", STUDY)?.display().to_string();
    let text = run(&home, &[&folder, "--check"]).ended(0)?.stdout;
    for words in ["rate: 100Mbit, 20Mbit", "stream lab:b --from lab:a", "4 combinations", "about"] {
        must!(text.contains(words), "{words} in {text}");
    }
    let document = run(&home, &[&folder, "--check", "--json"]).ended(0)?.json()?;
    must!(document["cells"]["least"] == 8 && document["time"]["least_ns"].is_number(), "{document}");
    must!(!home.runs().exists(), "a check records nothing");

    let refused = |text: &str, words: &str| -> CommandOutput {
        study(&home, "link-study", text)?;
        let ran = run(&home, &[&folder, "--check", "--json"]).ended(2)?;
        let error = ran.json()?["error"].clone();
        must!(error.to_string().contains(words) && error["hint"].is_string(), "{words} in {error}");
        Ok(())
    };
    refused(&STUDY.replace("repeats = 2", "repeat = 2"), "line 4")?;
    refused(&STUDY.replace("{cc}", "{ccc}"), "{ccc}")?;
    refused(&STUDY.replace("--congestion", "--congestoin"), "--congestoin")?;
    refused(&STUDY.replace("stream {server}", "lab list {server}"), "probe tcp cannot be run")?;
    refused(&STUDY.replace("links.1.rate", "links.2.rate"), "links.2.rate: the topology has links 1 to 1")?;
    refused(&STUDY.replace("20Mbit", "fast"), "level fast of rate is not accepted")?;
    run(&home, &["/no/such/file", "--check"]).ended(2)?;
    run(&home, &["--resume"]).ended(2)?;
    must!(!home.runs().exists(), "what is refused records nothing");
    Ok(())
}

fn knob_study(lab: &Lab<'_>, repeats: u32) -> String {
    format!(
        r#"
title = "A setting of a host"
repeats = {repeats}
hosts = {{ server = "{}", client = "{}" }}
factor = [
  {{ name = "sack", levels = [0, 1], knob = "sysctl net.ipv4.tcp_sack", on = ["server", "client"] }},
  {{ name = "size", levels = ["1KiB", "4KiB", "16KiB"] }},
]
[[probe]]
name = "rr"
run = "request {{server}} --from {{client}} --time 100ms --warm-up 0s --size {{size}}"
measures = ["transactions_per_second"]
time_limit = "30s"
"#,
        lab.host("b"),
        lab.host("a")
    )
}

fn sack(lab: &Lab<'_>) -> Result<Vec<String>, Failed> {
    let of = |host| lab.exec(host, ["cat", "/proc/sys/net/ipv4/tcp_sack"]);
    Ok(vec![of("a")?, of("b")?])
}
