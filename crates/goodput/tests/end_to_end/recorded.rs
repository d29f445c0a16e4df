//! Recorded runs: read back identically in every form, searched, tagged, pruned, moved and restored.

use crate::stage::*;

pub fn read_back() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let measured =
        home.json(&agent.probe("stream", "--time 1200ms --warm-up 100ms --label nic=veth --repeat 2"))?;
    must!(list(&measured["trials"]).len() == 2, "{measured}");
    must!(measured["hosts"][0]["cpu"]["busy_percent"].is_number(), "{}", measured["hosts"]);
    let shown = home.json("show")?;
    must!(shown == measured, "shown {shown}\nmeasured {measured}");
    let table = home.line(&agent.probe("request", "--time 300ms --warm-up 50ms")).ended(0)?.stdout;
    must!(table.contains("p99"), "{table}");
    home.line(&agent.probe("pingpong", "--largest 4KiB --perturbation 0 --cap 10ms")).ended(0)?;
    must!(home.line("show").ended(0)?.stdout.lines().count() > 10, "a sweep's table is long");

    let runs = home.json("list")?["runs"].clone();
    must!(list(&runs).len() == 3 && runs[0]["labels"]["nic"] == "veth", "{runs}");
    let table = home.line("list").ended(0)?.stdout;
    must!(table.contains("stream") && table.contains("nic=veth"), "{table}");

    let first = runs[0]["run"].as_str().ok_or("no name")?;
    let export = |format: &str| home.line(&format!("export {first} --format {format}"));
    let csv = export("csv").ended(0)?.stdout;
    must!(csv.lines().count() > 10 && csv.contains(','), "{csv}");
    must!(export("json").ended(0)?.json()? == measured, "exported as it was measured");
    export("netpipe").ended(2)?;
    export("parquet").refused(2, &["--output"])?;
    for table in ["samples", "figures"] {
        let to = home.path().join(table);
        export(&format!("parquet --table {table} --output {}", to.display())).ended(0)?;
        // Parquet's magic number.
        must!(fs::read(&to)?.starts_with(b"PAR1"), "{table}");
    }

    let out = home.path().join("report");
    let said = home.json(&format!("report last --output {}", out.display()))?;
    must!(said["file"].is_string(), "{said}");
    let page = fs::read_to_string(out.join("report.html"))?;
    must!(page.contains("<svg") && !page.contains("<script"), "a static page with figures");
    must!(!page.contains("src=\"http") && !page.contains("href=\"http"), "nothing is loaded from elsewhere");
    let is_png = |e: fs::DirEntry| e.path().extension().is_some_and(|x| x == "png");
    must!(fs::read_dir(&out)?.flatten().any(is_png), "no PNG in {}", out.display());
    Ok(())
}

pub fn no_place() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    home.line(&agent.probe("stream", "--time 200ms --runs /proc/no-place --json")).refused(4, &["--runs"])
}

fn names(document: &Value) -> Vec<&str> {
    list(&document["runs"]).iter().filter_map(|run| run["id"].as_str()).collect()
}

pub fn kept() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    for probe in ["stream --label card=a", "stream --label card=b", "request"] {
        home.line(&agent.probe(probe, "--time 300ms --warm-up 50ms")).ended(0)?;
    }

    let listed = home.json("store list")?;
    let all = names(&listed);
    must!(all.len() == 3, "{listed}");
    let found = home.json("store list card=a --probe stream --since 1h --outcome complete")?;
    let card = &found["runs"][0];
    must!(names(&found) == all[2..] && card["figure"]["name"] == "goodput_bps", "{found}");
    let page = home.json("store list --limit 2")?;
    let rest = home.json(&format!("store list --after {}", page["next"].as_str().ok_or("no next page")?))?;
    must!(names(&page) == all[..2] && names(&rest) == all[2..] && rest["next"].is_null(), "{page} {rest}");
    let table = home.line("store list").ended(0)?.stdout;
    must!(table.contains("card=b") && table.contains("bit/s"), "{table}");

    let tagged = home.run(["store", "tag", all[2], "before the switch", "--json"]).ended(0)?.json()?;
    must!(tagged["tags"] == json!(["before the switch"]), "{tagged}");
    home.line("store rebuild").ended(0)?;
    let found = home.run(["store", "list", "--tag", "before the switch", "--json"]).ended(0)?.json()?;
    must!(names(&found) == all[2..], "{found}");

    let backup = home.path().join("all.tar.zst").display().to_string();
    home.run(["store", "backup", &backup]).ended(0)?;
    home.run(["store", "backup", &backup]).ended(4)?;
    let would = home.json("store prune --probe stream")?;
    let nothing_yet = would["removed"] == json!([]);
    must!(nothing_yet && would["runs"] == json!([all[1]]), "the tagged one stays: {would}");
    home.line("store prune --probe stream --yes").ended(0)?;

    let archive = home.path().join("archive").display().to_string();
    home.run(["store", "move", "--to", &archive, "--probe", "request"]).ended(0)?;
    let (left, there) = (home.json("store list")?, home.json(&format!("store list --runs {archive}"))?);
    must!(names(&left) == all[2..] && names(&there) == all[..1], "{left} {there}");
    home.run(["show", all[0], "--runs", &archive]).ended(0)?;

    let restored = home.json(&format!("store restore {backup}"))?;
    must!(list(&restored["runs"]).len() == 3, "{restored}");
    must!(names(&home.json("store list")?) == all, "all are back");
    home.line("store list --index mysql://x --json").refused(2, &["postgres://"])
}
