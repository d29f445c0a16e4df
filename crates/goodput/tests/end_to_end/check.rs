//! `goodput check` in a lab: every figure, its requirements, and what `show` says of the stored run.

use crate::stage::*;

const MEASURED: [&str; 13] = [
    "path_mtu_send_bytes",
    "path_mtu_receive_bytes",
    "idle_latency_p50_ns",
    "loaded_latency_send_p50_ns",
    "loaded_latency_receive_p50_ns",
    "tcp_send_bps",
    "tcp_receive_bps",
    "tcp_both_send_bps",
    "tcp_both_receive_bps",
    "limit_bps",
    "percent_of_limit_send",
    "percent_of_limit_receive",
    "half_size_bytes",
];

/// May be `null` on a busy machine.
const MEMBERS: [&str; 9] = [
    "from",
    "to",
    "udp_lossless_bps",
    "saturation_size_bytes",
    "cpu_from",
    "cpu_to",
    "notes",
    "not_measured",
    "udp_confirmed",
];

pub fn gigabit() -> CommandOutput {
    let lab = Lab::up("check", &["--rate", "1Gbit"])?;
    let ran = lab.home.line(&lab.probe("check", "")).ended(0)?;
    must!(ran.took < Duration::from_secs(60), "it took {:?}", ran.took);
    let document = ran.json()?;
    let check = &document["check"];
    let missing = MEASURED.iter().find(|name| !check[**name].is_number());
    must!(missing.is_none(), "no {missing:?} in {check}");
    let missing = MEMBERS.iter().find(|name| check.get(**name).is_none());
    must!(missing.is_none(), "no {missing:?} in {check}");
    must!(check["path_mtu_send_bytes"] == 1500 && check["to"] == "b", "{check}");
    let share = check["percent_of_limit_send"].as_f64().unwrap_or_default();
    // The lab's link relay sends what it could not send while it had no CPU.
    must!((1.0..110.0).contains(&share), "{share} % of the limit");
    let next = check["next"].as_str().unwrap_or_default();
    must!(next.contains(&lab.host("b")) && next.contains(&lab.host("a")), "{next}");
    // The stored run says the same.
    let shown = lab.home.json("show")?;
    must!(shown["check"]["tcp_send_bps"] == check["tcp_send_bps"], "{}", shown["check"]);
    let text = lab.home.line("show").ended(0)?.stdout;
    must!(text.contains("Figures of the path") && text.lines().count() <= 24, "{text}");

    let line = format!("check {} --from {}", lab.host("b"), lab.host("a"));
    let ran = lab.home.line(&format!("{line} --require tcp_send_bps>=10Gbit")).ended(1)?;
    must!(ran.stdout.contains("requirement not met: tcp_send_bps>=10Gbit: measured "), "{}", ran.stdout);
    must!(ran.stderr.contains("step 1 of 7: path MTU search"), "{}", ran.stderr);
    lab.home.line(&format!("{line} --require tcp_bps>=1Gbit")).refused(2, &["tcp_bps", "tcp_send_bps"])
}
