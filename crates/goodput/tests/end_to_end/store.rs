//! The store: search, tags, pruning, moves, backups, and tables for other programs.

use crate::stage::{self, Agent, Home};
use crate::{CommandOutput, must};
use std::fs;

fn names(list: &serde_json::Value) -> Vec<String> {
    stage::list(&list["runs"]).iter().filter_map(|r| r["id"].as_str().map(str::to_string)).collect()
}

fn two_streams(home: &Home, agent: &Agent) -> CommandOutput {
    for label in ["card=a", "card=b"] {
        let more = format!("--time 300ms --warm-up 50ms --label {label}");
        home.line(&agent.probe("stream", &more)).ended(0)?;
    }
    Ok(())
}

pub fn kept() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    let at = agent.ports();
    two_streams(&home, &agent)?;
    home.line(&format!("request 127.0.0.1 {at} --time 200ms --warm-up 50ms")).ended(0)?;

    let all = names(&home.json("store list")?);
    must!(all.len() == 3, "{all:?}");
    let found = home.json("store list card=a --probe stream --since 1h --outcome complete")?;
    must!(names(&found) == [all[2].clone()], "{found}");
    let card = &found["runs"][0];
    must!(card["figure"]["name"] == "goodput_bps" && card["figure"]["unit"] == "bit/s", "{card}");
    let page = home.json("store list --limit 2")?;
    must!(names(&page) == all[..2], "{page}");
    let next = page["next"].as_str().ok_or("no next page")?;
    let rest = home.run(["store", "list", "--after", next, "--json"]).ended(0)?.json()?;
    must!(names(&rest) == all[2..] && rest["next"].is_null(), "{rest}");
    let table = home.line("store list").ended(0)?.stdout;
    must!(table.contains("card=b") && table.contains("bit/s"), "{table}");

    let tagged = home.run(["store", "tag", &all[2], "before the switch", "--json"]).ended(0)?.json()?;
    must!(tagged["tags"] == serde_json::json!(["before the switch"]), "{tagged}");
    home.line("store rebuild").ended(0)?;
    let found = home.run(["store", "list", "--tag", "before the switch", "--json"]).ended(0)?.json()?;
    must!(names(&found) == [all[2].clone()], "{found}");

    let backup = home.path().join("all.tar.zst").display().to_string();
    home.run(["store", "backup", &backup]).ended(0)?;
    home.run(["store", "backup", &backup]).ended(4)?;
    home.line("store prune --yes").ended(2)?;
    let would = home.json("store prune --probe stream")?;
    must!(would["removed"] == serde_json::json!([]), "{would}");
    must!(would["runs"] == serde_json::json!([all[1]]), "the tagged one stays: {would}");
    home.line("store prune --probe stream --yes").ended(0)?;
    let left = home.json("list")?;
    must!(left["runs"].as_array().map(Vec::len) == Some(2), "{left}");

    let archive = home.path().join("archive").display().to_string();
    home.run(["store", "move", "--to", &archive, "--probe", "request"]).ended(0)?;
    let left = names(&home.json("store list")?);
    must!(left == [all[2].clone()], "{left:?}");
    let there = home.run(["store", "list", "--runs", &archive, "--json"]).ended(0)?.json()?;
    must!(names(&there) == [all[0].clone()], "{there}");
    home.run(["show", &all[0], "--runs", &archive]).ended(0)?;

    let restored = home.run(["store", "restore", &backup, "--json"]).ended(0)?.json()?;
    must!(restored["runs"].as_array().map(Vec::len) == Some(3), "{restored}");
    must!(names(&home.json("store list")?) == all, "all are back");
    let refused = home.line("store list --index mysql://x --json").ended(2)?.json()?;
    must!(refused["error"]["hint"].to_string().contains("postgres://"), "{refused}");
    Ok(())
}

pub fn parquet() -> CommandOutput {
    let home = Home::new();
    let agent = home.agent(&[])?;
    home.line(&format!("stream 127.0.0.1 {} --time 300ms --warm-up 50ms", agent.ports())).ended(0)?;
    let refused = home.line("export last --format parquet").ended(2)?;
    must!(refused.stderr.contains("--output"), "{}", refused.stderr);
    for table in ["samples", "figures"] {
        let file = home.path().join(format!("{table}.parquet"));
        let to = file.display().to_string();
        home.run(["export", "last", "--format", "parquet", "--table", table, "--output", &to]).ended(0)?;
        let bytes = fs::read(&file)?;
        // Parquet's magic number at both ends.
        must!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{} bytes", bytes.len());
    }
    Ok(())
}
