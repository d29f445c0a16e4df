//! A recorded run reads back identically in every form.

use crate::stage::{Home, list};
use crate::{CommandOutput, must};

pub fn read_back() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let at = agent.ports();
    let stream =
        format!("stream 127.0.0.1 {at} --time 1200ms --warm-up 100ms --label nic=veth --repeat 2 --json");
    let measured = home.line(&stream).ended(0)?.json()?;
    must!(list(&measured["trials"]).len() == 2, "{measured}");
    must!(measured["hosts"][0]["cpu"]["busy_percent"].is_number(), "{}", measured["hosts"]);
    let shown = home.json("show")?;
    must!(shown == measured, "shown {shown}\nmeasured {measured}");
    let request = format!("request 127.0.0.1 {at} --time 300ms --warm-up 50ms");
    let table = home.line(&request).ended(0)?;
    must!(table.stdout.contains("p99"), "{}", table.stdout);
    let sweep = format!("pingpong 127.0.0.1 {at} --largest 4KiB --perturbation 0 --cap 10ms");
    home.line(&sweep).ended(0)?;
    must!(home.line("show").ended(0)?.stdout.lines().count() > 10, "a sweep's table is long");

    let runs = home.json("list")?["runs"].clone();
    must!(list(&runs).len() == 3 && runs[0]["labels"]["nic"] == "veth", "{runs}");
    let table = home.line("list").ended(0)?.stdout;
    must!(table.contains("stream") && table.contains("nic=veth"), "{table}");

    let first = runs[0]["run"].as_str().ok_or("no name")?.to_string();
    let csv = home.run(["export", &first, "--format", "csv"]).ended(0)?.stdout;
    must!(csv.lines().count() > 10 && csv.contains(','), "{csv}");
    let json = home.run(["export", &first, "--format", "json"]).ended(0)?.json()?;
    must!(json == measured, "{json}");
    home.run(["export", &first, "--format", "netpipe"]).ended(2)?;

    let out = home.path().join("report");
    let said = home.json(&format!("report last --output {}", out.display()))?;
    must!(said["file"].is_string(), "{said}");
    let page = std::fs::read_to_string(out.join("report.html"))?;
    must!(page.contains("<svg") && !page.contains("<script"), "a static page with figures");
    must!(!page.contains("src=\"http") && !page.contains("href=\"http"), "nothing is loaded from elsewhere");
    let is_png = |e: std::fs::DirEntry| e.path().extension().is_some_and(|x| x == "png");
    must!(std::fs::read_dir(&out)?.flatten().any(is_png), "no PNG in {}", out.display());
    Ok(())
}

pub fn no_place() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let line = format!("stream 127.0.0.1 {} --time 200ms --runs /proc/no-place --json", agent.ports());
    let document = home.line(&line).ended(4)?.json()?;
    must!(document["error"]["hint"].to_string().contains("--runs"), "{document}");
    Ok(())
}
