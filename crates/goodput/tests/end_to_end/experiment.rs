//! `goodput run`: whole, interrupted and resumed experiments.

mod killed;
mod live;
pub mod log;

use crate::stage::*;
pub use killed::{hundred_kills, interrupted, killed};
pub use live::ten_comparisons;
use log::Log;

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
fn study(home: &Home, name: &str, text: &str) -> Result<String, Failed> {
    home.file(&format!("{name}/topology.toml"), TOPOLOGY)?;
    home.file(&format!("{name}/experiment.toml"), text)?;
    Ok(home.path().join(name).display().to_string())
}

pub fn one_probe(repeats: u32, hosts: &str, factors: &str, line: &str) -> String {
    format!(
        r#"title = "One probe"
order = "file"
repeats = {repeats}
hosts = {{ {hosts} }}
{factors}
[[probe]]
name = "tcp"
run = "{line}"
measures = ["goodput_bps"]
time_limit = "1min"
"#
    )
}

fn run(home: &Home, args: &[&str]) -> ProcessRun {
    home.start([&["run"][..], args].concat()).within(LONGEST)
}

pub fn whole() -> CommandOutput {
    let home = Home::new();
    let folder = study(&home, "link-study", STUDY)?;
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
    let listed = &home.json("list")?["runs"][0];
    must!(listed["finished"] == true && listed["command"][1] == "run", "{listed}");
    home.line("compare last last").ended(0)?;
    home.line("export last --format csv").ended(0)?;
    let out = home.path().join("report").display().to_string();
    home.run(["report", "last", "--output", &out]).ended(0)?;
    must!(fs::read_to_string(format!("{out}/report.html"))?.contains("<svg"), "a page with figures");
    let markdown = home.line("report last --format markdown").ended(0)?.stdout;
    must!(markdown.starts_with("# Rate") && markdown.contains("20Mbit"), "{markdown}");
    run(&home, &[&folder, "--resume"]).ended(2).map(drop)
}

pub fn failing_line() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let ports = format!("factor = [{{ name = \"port\", levels = [{}, {}] }}]", agent.port, find_free_port());
    let line = "stream {server} --port {port} --time 200ms --warm-up 0s";
    let text = one_probe(2, "server = \"127.0.0.1\"", &ports, line);
    let document = run(&home, &[&home.file("story.toml", &text)?, "--json"]).ended(0)?.json()?;
    let cells = list(&document["experiment"]["cells"]);
    let (good, bad): (Vec<_>, Vec<_>) = cells.iter().partition(|c| c["n"] == 2);
    must!(good.len() == 1 && bad.len() == 1 && bad[0]["n"] == 0, "{cells:?}");
    must!(bad[0]["failed"].to_string().contains("refuses the connection"), "{}", bad[0]);
    let log = Log::read(&home)?;
    must!(log.finished && log.with_outcome("failed") == 2 && log.with_outcome("done") == 2, "{log:?}");
    // A requirement on a metric without a value.
    let strict = text.replace("repeats = 2", "repeats = 1\nrequire = [\"tcp.goodput_bps >= 1 kbit/s\"]");
    run(&home, &[&home.file("story.toml", strict)?]).ended(1).map(drop)
}

pub fn timed_out() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let times = "factor = [{ name = \"time\", levels = [\"20s\", \"200ms\"] }]";
    let line = format!("stream {{server}} --port {} --time {{time}} --warm-up 0s", agent.port);
    let text = one_probe(1, "server = \"127.0.0.1\"", times, &line).replace("1min", "3s");
    let ran = run(&home, &[&home.file("story.toml", text)?]).ended(0)?;
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
    let folder = study(&home, "link-study", STUDY)?;
    let text = run(&home, &[&folder, "--check"]).ended(0)?.stdout;
    for words in ["rate: 100Mbit, 20Mbit", "stream lab:b --from lab:a", "4 combinations", "about"] {
        must!(text.contains(words), "{words} in {text}");
    }
    let document = run(&home, &[&folder, "--check", "--json"]).ended(0)?.json()?;
    must!(document["cells"]["least"] == 8 && document["time"]["least_ns"].is_number(), "{document}");
    must!(!home.runs().exists(), "a check records nothing");

    for (typed, wrong, said) in [
        ("repeats = 2", "repeat = 2", "line 4"),
        ("--congestion", "--congestoin", "--congestoin"),
        ("links.1.rate", "links.2.rate", "links.2.rate: the topology has links 1 to 1"),
        ("20Mbit", "fast", "level fast of rate is not accepted"),
    ] {
        study(&home, "link-study", &STUDY.replace(typed, wrong))?;
        run(&home, &[&folder, "--check", "--json"]).refused(2, &[said])?;
    }
    run(&home, &["/no/such/file", "--check"]).ended(2)?;
    run(&home, &["--resume"]).ended(2)?;
    must!(!home.runs().exists(), "what is refused records nothing");
    Ok(())
}

fn knob_study(lab: &Lab, repeats: u32) -> String {
    let hosts = format!("server = \"{}\", client = \"{}\"", lab.host("b"), lab.host("a"));
    let factors = r#"factor = [
  { name = "sack", levels = [0, 1], knob = "sysctl net.ipv4.tcp_sack", on = ["server", "client"] },
  { name = "size", levels = ["1KiB", "4KiB", "16KiB"] },
]"#;
    let line = "request {server} --from {client} --time 100ms --warm-up 0s --size {size}";
    one_probe(repeats, &hosts, factors, line).replace("goodput_bps", "transactions_per_second")
}

fn sack(lab: &Lab) -> Result<[String; 2], Failed> {
    let of = |host| lab.exec(host, ["cat", "/proc/sys/net/ipv4/tcp_sack"]);
    Ok([of("a")?, of("b")?])
}
