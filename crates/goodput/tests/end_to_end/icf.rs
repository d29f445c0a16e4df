//! IOmeter's files: check of a configuration, a written plan.

use crate::stage::*;
use goodput_testkit::repository_path;

fn fixture(name: &str) -> String {
    repository_path("fixtures/iometer").join(name).display().to_string()
}

pub fn checked() -> CommandOutput {
    let home = Home::new();
    let mapped = format!("icf check {} --map CLIENT01=lab:c1 --time 2s", fixture("one-client.icf"));
    let load = &home.json(&mapped)?["stages"][0]["load"];
    must!(load["clients"] == json!(["lab:c1"]) && load["time"] == 2_000_000_000u64, "{load}");
    let text = home.line(&format!("icf check {}", fixture("vi-and-seed.icf"))).ended(0)?.stdout;
    must!(text.contains("warning: line ") && text.contains("1 run in which nobody has anything"), "{text}");

    for (line, words) in [
        ("bad-shares.icf", "line 33"),
        ("disk-workers.icf", "--network-only"),
        ("two-servers.icf", "SERVER, SERVER2"),
        ("one-client.icf --map NOBODY=x", "NOBODY"),
    ] {
        for command in ["icf check", "load --icf"] {
            home.line(&format!("{command} {} --json", fixture(line))).refused(2, &[words])?;
        }
    }
    let missing = home.line(&format!("icf check {}", fixture("no-such-file.icf"))).ended(2)?.stderr;
    must!(missing.contains("No such file"), "{missing}");
    let network = home.json(&format!("icf check {} --network-only", fixture("disk-workers.icf")))?;
    must!(list(&network["stages"]).len() == 1, "{network}");
    Ok(())
}

pub fn from_plan() -> CommandOutput {
    let home = Home::new();
    let file = home.path().join("plan.icf").display().to_string();
    let plan = "10.9.0.1 --clients 10.9.0.2,10.9.0.3 --size 64B,4KiB --client-counts 1,2 --time 3s";
    let line = format!("icf from-plan {file} {plan}");
    home.line(&line).ended(0)?;
    let check = home.json(&format!("icf check {file}"))?;
    let stages = list(&check["stages"]);
    let names: Vec<_> = stages.iter().filter_map(|s| s["name"].as_str()).collect();
    must!(names.len() == 12 && names[5] == "transmit 4096 B + receive 4096 B", "{names:?}");
    must!(stages[0]["load"]["clients"] == json!(["10.9.0.2"]), "{}", stages[0]);
    must!(check["warnings"] == json!([]), "{check}");
    let refused = line.replace("64B,4KiB", "64B --one-connection --direction duplex");
    let error = home.line(&format!("{refused} --json")).ended(2)?.json()?["error"].to_string();
    must!(error.contains("two workers instead"), "{error}");
    Ok(())
}
