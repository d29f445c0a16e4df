//! IOmeter's files: check of a configuration, a written plan.

use crate::stage::{Home, list};
use crate::{CommandOutput, must};
use goodput_testkit::repository_path;

fn fixture(name: &str) -> String {
    repository_path("fixtures/iometer").join(name).display().to_string()
}

pub fn checked() -> CommandOutput {
    let home = Home::new();
    let curve = home.json(&format!("icf check {}", fixture("cycle-workers.icf")))?;
    let workers = list(&curve["stages"]).iter().map(|s| list(&s["load"]["workers"]).len());
    let counts: Vec<_> = workers.collect();
    must!(counts == [1, 2, 4, 5, 1, 2, 4, 5], "{counts:?}");
    must!(curve["test_type"] == "CYCLE_WORKERS" && curve["warnings"] == serde_json::json!([]), "{curve}");

    let mapped = format!("icf check {} --map CLIENT01=lab:c1 --time 2s", fixture("one-client.icf"));
    let load = &home.json(&mapped)?["stages"][0]["load"];
    must!(load["clients"] == serde_json::json!(["lab:c1"]) && load["time"] == 2_000_000_000u64, "{load}");
    let text = home.line(&format!("icf check {}", fixture("vi-and-seed.icf"))).ended(0)?.stdout;
    must!(text.contains("warning: line ") && text.contains("1 run in which nobody has anything"), "{text}");

    for (line, words) in [
        ("bad-shares.icf", "line 33"),
        ("bad-size-33-bits.icf", "line 32"),
        ("bad-client-is-server.icf", "line 53"),
        ("no-test-setup.icf", "--time 10s"),
        ("disk-workers.icf", "--network-only"),
        ("two-servers.icf", "SERVER, SERVER2"),
        ("one-client.icf --map NOBODY=x", "NOBODY"),
        ("no-such-file.icf", "No such file"),
    ] {
        for command in ["icf check", "load --icf"] {
            let refused = home.line(&format!("{command} {} --json", fixture(line))).ended(2)?;
            let error = refused.json()?["error"].to_string();
            must!(error.contains(words), "{command} {line}: {error}");
        }
    }
    let network = home.json(&format!("icf check {} --network-only", fixture("disk-workers.icf")))?;
    must!(list(&network["stages"]).len() == 1, "{network}");
    Ok(())
}

pub fn from_plan() -> CommandOutput {
    let home = Home::new();
    let file = home.path().join("plan.icf");
    let line = format!(
        "icf from-plan {} 10.9.0.1 --clients 10.9.0.2,10.9.0.3 --size 64B,4KiB --client-counts 1,2 --time 3s",
        file.display()
    );
    home.line(&line).ended(0)?;
    let check = home.json(&format!("icf check {}", file.display()))?;
    let stages = list(&check["stages"]);
    let names: Vec<_> = stages.iter().filter_map(|s| s["name"].as_str()).collect();
    let once = "transmit 64 B, transmit 4096 B, receive 64 B, receive 4096 B, transmit 64 B + receive 64 B, \
                transmit 4096 B + receive 4096 B";
    must!(names.join(", ") == [once, once].join(", "), "{names:?}");
    must!(stages[0]["load"]["clients"] == serde_json::json!(["10.9.0.2"]), "{}", stages[0]);
    must!(check["warnings"] == serde_json::json!([]), "{check}");
    let refused = line.replace("64B,4KiB", "64B --one-connection --direction duplex");
    let error = home.line(&format!("{refused} --json")).ended(2)?.json()?["error"].to_string();
    must!(error.contains("two workers instead"), "{error}");
    Ok(())
}
