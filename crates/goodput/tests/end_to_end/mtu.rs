//! The largest packet in each direction: reported limits, silent limits, and the ends' own.

use crate::stage::{Home, Lab, ProcessRun, finding, number};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::Value;
use std::time::Duration;

/// Limit of a whole command, control included.
const LONGEST: Duration = Duration::from_secs(15);
const UNSPOKEN: &str = "add table inet plant ; add chain inet plant out { type filter hook output priority 0 ; } ; \
    add rule inet plant out icmp type destination-unreachable drop ; \
    add rule inet plant out icmpv6 type packet-too-big drop";
const ONE_PER_CENT: &str = "add table inet loss ; add chain inet loss through { type filter hook forward priority 0 ; } ; \
    add rule inet loss through numgen random mod 100 < 1 drop";

/// `ends` bytes on the outer links, `middle` between the routers.
fn chain<'a>(home: &'a Home, story: &str, ends: u32, middle: u32) -> Result<Lab<'a>, Failed> {
    let topology = format!(
        "[[host]]\nname = 'a'\n[[host]]\nname = 'r1'\nforward = true\n[[host]]\nname = 'r2'\nforward = true\n\
         [[host]]\nname = 'b'\n[[link]]\nhosts = ['a', 'r1']\nmtu = {ends}\n\
         [[link]]\nhosts = ['r1', 'r2']\nmtu = {middle}\n[[link]]\nhosts = ['r2', 'b']\nmtu = {ends}\n"
    );
    Lab::of(home, story, &topology)
}

fn measure(home: &Home, lab: &Lab<'_>, to: &str, more: &str, code: i32) -> Result<Value, Failed> {
    let ran = home.line(&format!("mtu {to} --from {} --json {more}", lab.host("a"))).ended(code)?;
    must!(ran.took < LONGEST, "took {:?}", ran.took);
    let result = ran.json()?;
    must!(result["outcome"] == "complete", "{result}");
    Ok(result)
}

fn both_are(result: &Value, mtu: u64, outcome: &str) -> CommandOutput {
    both_are_largest(result, mtu)?;
    for way in 0..2 {
        let direction = &result["path_mtu"]["directions"][way];
        must!(direction["outcome"] == outcome, "{direction}");
        must!(direction["fails"] == mtu + 1, "{direction}");
    }
    Ok(())
}

/// A middle link of 1,400 bytes: reported by its router, then silent, uncached each time and with under 1 %
/// loss.
pub fn middle_link() -> CommandOutput {
    let home = Home::new();
    let lab = chain(&home, "middle", 1500, 1400)?;
    let b = lab.host("b");
    let v6 = "fd53:676f:6f64:2::2";
    let told = measure(&home, &lab, &b, "", 0)?;
    both_are(&told, 1400, "told")?;
    let by = |way: usize| told["path_mtu"]["directions"][way]["by"].clone();
    must!((by(0), by(1)) == ("10.53.0.2".into(), "10.53.2.1".into()), "{}", told["path_mtu"]);
    must!(!finding(&told, "mtu-black-hole").is_some(), "{}", told["findings"]);
    both_are(&measure(&home, &lab, v6, "", 0)?, 1400, "told")?;

    for router in ["r1", "r2"] {
        lab.exec(router, ["nft", UNSPOKEN])?;
    }
    for loss in [false, true] {
        if loss {
            lab.exec("r1", ["nft", ONE_PER_CENT])?;
        }
        for to in [b.as_str(), v6] {
            for end in ["a", "b"] {
                lab.exec(end, ["ip", "route", "flush", "cache"])?;
                lab.exec(end, ["ip", "-6", "route", "flush", "cache"])?;
            }
            let silent = measure(&home, &lab, to, "", 0)?;
            both_are(&silent, 1400, "black_hole")?;
            must!(finding(&silent, "mtu-black-hole").is_some(), "{}", silent["findings"]);
            for way in 0..2 {
                let cold = number(&silent, &format!("/path_mtu/directions/{way}/interface/route_mtu"))?;
                must!(cold == 1500, "the cache is not cold: {silent}");
            }
        }
    }
    Ok(())
}

/// A silent limit of 1,280 bytes does not block control and results.
pub fn control_survives() -> CommandOutput {
    let home = Home::new();
    let lab = chain(&home, "narrow", 9000, 1280)?;
    for router in ["r1", "r2"] {
        lab.exec(router, ["nft", UNSPOKEN])?;
    }
    both_are(&measure(&home, &lab, &lab.host("b"), "", 0)?, 1280, "black_hole")
}

/// Routes of 1,300 bytes there and 1,400 back; then silent in one direction only.
pub fn each_direction() -> CommandOutput {
    let home = Home::new();
    let topology = "[[host]]\nname = 'a'\n[[host]]\nname = 'r'\nforward = true\n[[host]]\nname = 'b'\n\
        [[link]]\nhosts = ['a', 'r']\n[[link]]\nhosts = ['r', 'b']\n";
    let lab = Lab::of(&home, "each", topology)?;
    for (net, interface, mtu) in [("10.53.1.0/24", "eth1", "1300"), ("10.53.0.0/24", "eth0", "1400")] {
        let route = format!("ip route change {net} dev {interface} proto kernel scope link mtu {mtu}");
        lab.exec("r", route.split(' '))?;
    }
    let check = |result: &Value, outcomes: [&str; 2]| -> CommandOutput {
        let sizes = (number(result, "/path_mtu/forward")?, number(result, "/path_mtu/reverse")?);
        must!(sizes == (1300, 1400), "{}", result["path_mtu"]);
        for (way, outcome) in outcomes.iter().enumerate() {
            must!(result["path_mtu"]["directions"][way]["outcome"] == *outcome, "{}", result["path_mtu"]);
        }
        must!(finding(result, "mtu-asymmetric").is_some(), "{}", result["findings"]);
        Ok(())
    };
    check(&measure(&home, &lab, &lab.host("b"), "", 0)?, ["told", "told"])?;
    // Drops only the router's messages to b.
    let to_b = UNSPOKEN.replace("out icmp type", "out ip daddr 10.53.1.2 icmp type");
    lab.exec("r", ["nft", &to_b])?;
    check(&measure(&home, &lab, &lab.host("b"), "", 0)?, ["told", "black_hole"])
}

/// ICMP echo to a host without an agent, reported and silent, IPv4 and IPv6; without the privilege; without a
/// reply.
pub fn by_echo() -> CommandOutput {
    let home = Home::new();
    let lab = chain(&home, "echo", 1500, 1400)?;
    let b = lab.host("b");
    let v6 = "fd53:676f:6f64:2::2";
    let alone = "add table inet alone ; add chain inet alone in { type filter hook input priority 0 ; } ; \
        add rule inet alone in meta l4proto { tcp, udp } drop";
    lab.exec("b", ["nft", alone])?;
    let check = |to: &str, outcome: &str, payload: u64| -> CommandOutput {
        let result = measure(&home, &lab, to, "--icmp", 0)?;
        let path = &result["path_mtu"];
        must!(number(&result, "/path_mtu/forward")? == 1400 && path["reverse"].is_null(), "{path}");
        let why = path["reverse_not_available"].as_str().unwrap_or_default();
        must!(why.starts_with("not available without an agent on "), "{path}");
        let there = &path["directions"][0];
        must!(there["outcome"] == outcome && there["fails"] == 1401, "{there}");
        must!(there["udp_payload_bytes"] == payload && there["echo"]["socket"].is_string(), "{there}");
        must!(there["interface"]["name"] == "eth0" && there["interface"]["mtu"] == 1500, "{there}");
        Ok(())
    };
    check(&b, "told", 1372)?;
    check(v6, "told", 1352)?;
    let shown = home.line("show").ended(0)?;
    must!(shown.stdout.contains("1,400 − 48 = 1,352 passes, 1,353 does not"), "{}", shown.stdout);
    for router in ["r1", "r2"] {
        lab.exec(router, ["nft", UNSPOKEN])?;
    }
    lab.exec("r1", ["nft", ONE_PER_CENT])?;
    check(&b, "black_hole", 1372)?;
    check(v6, "black_hole", 1352)?;

    let deaf = "add rule inet alone in icmp type echo-request drop";
    lab.exec("b", ["nft", deaf])?;
    let a = lab.host("a");
    let silent = home.line(&format!("mtu {b} --from {a} --icmp --json"));
    refused(silent, 3, ["no answer to an ICMP echo", "omit --icmp"])?;

    // Without CAP_NET_RAW and without a group that may send echo, as in a new network namespace.
    let program = home.command([""]).get_program().to_string_lossy().into_owned();
    let line = format!("lab exec {a} setpriv --bounding-set -net_raw --inh-caps -net_raw {program}");
    let ran = home.line(&format!("{line} mtu 10.53.0.2 --icmp --no-save --json"));
    refused(ran, 4, ["CAP_NET_RAW", "ping_group_range"])
}

fn refused(ran: ProcessRun, code: i32, words: [&str; 2]) -> CommandOutput {
    let error = &ran.ended(code)?.json()?["error"];
    let [cause, hint] = ["cause", "hint"].map(|part| error[part].to_string());
    must!(cause.contains(words[0]) && hint.contains(words[1]), "{error}");
    Ok(())
}

fn both_are_largest(result: &Value, mtu: u64) -> CommandOutput {
    for way in ["forward", "reverse"] {
        must!(number(result, &format!("/path_mtu/{way}"))? == mtu, "{}", result["path_mtu"]);
    }
    Ok(())
}
