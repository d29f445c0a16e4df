//! One server and several clients: counters match the server's adapter.

use crate::stage::*;

/// Payload plus headers against the adapter's counters: each direction with payload, and the sum, which
/// includes acknowledgements, whose number depends on the kernel.
fn agrees_with_adapter(load: &Value) -> CommandOutput {
    let at = |pointer: &str| Ok::<f64, Failed>(number(load, pointer)? as f64);
    let expected = [at("/expected_adapter_bytes/0")?, at("/expected_adapter_bytes/1")?];
    let counted = [at("/adapter/transmit_bytes")?, at("/adapter/receive_bytes")?];
    let payload = [at("/transmit_bps")?, at("/receive_bps")?];
    let near = |expected: f64, counted: f64| (expected / counted - 1.0).abs() < 0.02;
    let each = [0, 1].iter().all(|way| payload[*way] == 0.0 || near(expected[*way], counted[*way]));
    must!(each && near(expected.iter().sum(), counted.iter().sum()), "{load}");
    Ok(())
}

pub fn three_directions() -> CommandOutput {
    let lab = Lab::up("load", &["--clients", "3", "--rate", "100Mbit", "--server-rate", "1Gbit"])?;
    let line = lab.load("c[1-3]", "--size 1KiB,64KiB --time 1s --warm-up 500ms --json");
    let result = lab.home.line(&line).measured()?;
    let trials = list(&result["trials"]);
    let ways: Vec<_> = trials.iter().map(|t| t["load"]["traffic"].as_str().unwrap_or("")).collect();
    must!(ways == ["transmit", "transmit", "receive", "receive", "duplex", "duplex"], "{ways:?}");
    for (trial, way) in trials.iter().zip(ways) {
        let load = &trial["load"];
        must!(number(load, "/clients")? == 3 && load["excluded"] == json!([]), "{load}");
        let (out, back) = (number(load, "/transmit_bps")?, number(load, "/receive_bps")?);
        // Three connections of 100 Mbit/s: 94.15 % is user data.
        let most = 3 * 95_000_000;
        let full = |bps: u64| (most * 8 / 10..most).contains(&bps);
        must!(if way == "receive" { out == 0 } else { full(out) }, "transmit {out} bit/s: {load}");
        must!(if way == "transmit" { back == 0 } else { full(back) }, "receive {back} bit/s: {load}");
        must!(number(trial, "/goodput_bps")?.abs_diff(out + back) <= 2, "{trial}");
        agrees_with_adapter(load)?;
    }
    let shown = lab.home.line("show").ended(0)?.stdout;
    must!(shown.contains("64 KiB") && shown.contains("P/E"), "{shown}");
    Ok(())
}

fn left_out(ran: ProcessRun, host: &str, midway: bool) -> Result<Value, Failed> {
    let result = ran.measured()?;
    let [excluded] = list(&result["load"]["excluded"]) else { return Err(format!("{result}").into()) };
    must!(excluded["host"] == host && excluded["midway"] == midway, "{excluded}");
    must!(excluded["cause"].as_str().is_some_and(|c| !c.is_empty()), "{excluded}");
    Ok(result)
}

pub fn a_client_dies() -> CommandOutput {
    let lab = Lab::up("dies", &["--clients", "3", "--rate", "100Mbit", "--server-rate", "1Gbit"])?;
    let line = lab.load("c[1-3]", "--size 8KiB --direction transmit --time 4s --warm-up 500ms --json");
    let client = lab.home.start_line(&line);
    std::thread::sleep(Duration::from_millis(3_000));
    signal(lab.agent("c2")?, "KILL");
    let result = left_out(client.end(), "c2", true)?;
    let per_client = list(&result["load"]["per_client"]).iter();
    let names: Vec<_> = per_client.map(|c| c["name"].as_str().unwrap_or("")).collect();
    must!(names == ["c1", "c3"], "{names:?}");
    let out = number(&result, "/load/transmit_bps")?;
    must!((150_000_000..190_000_000).contains(&out), "{out} bit/s of two clients at 100 Mbit/s");
    let line = lab.load("c[1-3]", "--size 8KiB --direction receive --time 1s --warm-up 200ms --json");
    left_out(lab.home.line(&line), "c2", false)?;
    Ok(())
}
