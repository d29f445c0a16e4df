//! Host records: inventory, counters of both ends, differences between runs.

use crate::stage::{Home, Lab, finding, list, number};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::Value;

fn counted(result: &Value, end: usize, counter: &str) -> Result<u64, Failed> {
    number(result, &format!("/hosts/{end}/counters/interfaces/value/eth0/{counter}"))
}

fn measure(lab: &Lab<'_>) -> Result<Value, Failed> {
    lab.measure("stream", "--time 1500ms --warm-up 100ms")
}

pub fn counters_and_differences() -> CommandOutput {
    let home = Home::new();
    let document = home.json("host")?;
    must!(document["schema"] == "goodput/host/1", "{document}");
    let lab = Lab::up(&home, "host", &[])?;
    let result = measure(&lab)?;
    let (sent, received) = (counted(&result, 0, "tx_bytes")?, counted(&result, 1, "rx_bytes")?);
    // Their windows differ by some hundred µs.
    must!((sent as f64 / received as f64 - 1.0).abs() < 0.02, "sent {sent}, received {received}");
    let user = number(&result, "/bytes")?;
    let whole = received as f64 / user as f64;
    must!((0.98..1.10).contains(&whole), "{user} B of user data, {received} B on the interface");
    for end in 0..2 {
        let counters = &result["hosts"][end]["counters"];
        must!(counters["activity"]["value"]["context_switches"].as_u64() > Some(0), "{counters}");
        must!(counters["softnet"]["value"].is_array(), "{counters}");
        must!(counters["kernel_messages"].is_object(), "{counters}");
    }
    must!(!finding(&result, "queue-drops").is_some(), "{}", result["findings"]);

    measure(&lab)?;
    let listed = home.json("list")?;
    let runs: Vec<&str> = list(&listed["runs"]).iter().filter_map(|r| r["run"].as_str()).collect();
    must!(runs.len() == 2, "{listed}");
    let same = home.json(&format!("compare {} {}", runs[0], runs[1]))?;
    for end in 0..2 {
        must!(same["hosts"][end]["differences"] == serde_json::json!([]), "{same}");
    }

    for host in ["a", "b"] {
        lab.exec(host, ["ip", "link", "set", "dev", "eth0", "mtu", "1400"])?;
    }
    let tbf = "tc qdisc add dev eth0 root tbf rate 50mbit burst 20kb limit 20kb";
    lab.exec("a", tbf.split(' '))?;
    let held = measure(&lab)?;
    must!(counted(&held, 0, "qdisc_drops")? > 0, "{}", held["hosts"][0]["counters"]["interfaces"]);
    must!(finding(&held, "queue-drops").is_some(), "{}", held["findings"]);
    let differs = home.json(&format!("compare {} last", runs[0]))?;
    let names = |end: usize| -> Vec<&str> {
        list(&differs["hosts"][end]["differences"]).iter().filter_map(|d| d["name"].as_str()).collect()
    };
    must!(names(1) == ["interfaces.eth0.mtu"], "{differs}");
    must!(names(0).contains(&"interfaces.eth0.mtu"), "{differs}");
    must!(names(0).iter().all(|n| n.contains("mtu") || n.contains("qdiscs")), "{differs}");
    must!(differs["hosts"][1]["differences"][0]["second"] == "1400", "{differs}");
    Ok(())
}
