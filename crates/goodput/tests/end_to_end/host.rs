//! Host records: inventory, counters of both ends, differences between runs.

use crate::stage::*;

fn counted(result: &Value, end: usize, counter: &str) -> Result<u64, Failed> {
    number(result, &format!("/hosts/{end}/counters/interfaces/value/eth0/{counter}"))
}

pub fn counters_and_differences() -> CommandOutput {
    let lab = Lab::up("host", &[])?;
    let document = lab.home.json("host")?;
    must!(document["schema"] == "goodput/host/1", "{document}");
    let measure = || lab.measure("stream", "--time 1500ms --warm-up 100ms");
    let result = measure()?;
    let (sent, received) = (counted(&result, 0, "tx_bytes")?, counted(&result, 1, "rx_bytes")?);
    // Their windows differ by some hundred µs.
    must!((sent as f64 / received as f64 - 1.0).abs() < 0.02, "sent {sent}, received {received}");
    let user = number(&result, "/bytes")?;
    let whole = received as f64 / user as f64;
    must!((0.98..1.10).contains(&whole), "{user} B of user data, {received} B on the interface");
    for counters in list(&result["hosts"]).iter().map(|host| &host["counters"]) {
        must!(counters["activity"]["value"]["context_switches"].as_u64() > Some(0), "{counters}");
        must!(counters["softnet"]["value"].is_array(), "{counters}");
        must!(counters["kernel_messages"].is_object(), "{counters}");
    }
    must!(!finding(&result, "queue-drops").is_some(), "{}", result["findings"]);

    measure()?;
    let listed = lab.home.json("list")?;
    let runs: Vec<&str> = list(&listed["runs"]).iter().filter_map(|r| r["run"].as_str()).collect();
    must!(runs.len() == 2, "{listed}");
    let same = lab.home.json(&format!("compare {} {}", runs[0], runs[1]))?;
    must!(list(&same["hosts"]).iter().all(|host| host["differences"] == json!([])), "{same}");

    for host in ["a", "b"] {
        lab.exec(host, ["ip", "link", "set", "dev", "eth0", "mtu", "1400"])?;
    }
    let tbf = "tc qdisc add dev eth0 root tbf rate 50mbit burst 20kb limit 20kb";
    lab.exec("a", tbf.split(' '))?;
    let held = measure()?;
    must!(counted(&held, 0, "qdisc_drops")? > 0, "{}", held["hosts"][0]["counters"]["interfaces"]);
    must!(finding(&held, "queue-drops").is_some(), "{}", held["findings"]);
    let differs = lab.home.json(&format!("compare {} last", runs[0]))?;
    let names = |end: usize| -> Vec<&str> {
        list(&differs["hosts"][end]["differences"]).iter().filter_map(|d| d["name"].as_str()).collect()
    };
    must!(names(1) == ["interfaces.eth0.mtu"] && names(0).contains(&"interfaces.eth0.mtu"), "{differs}");
    must!(names(0).iter().all(|n| n.contains("mtu") || n.contains("qdiscs")), "{differs}");
    must!(differs["hosts"][1]["differences"][0]["second"] == "1400", "{differs}");
    Ok(())
}
