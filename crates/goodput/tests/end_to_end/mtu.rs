//! The largest packet in each direction: reported limits, silent limits, and the ends' own.

use crate::stage::*;

/// Limit of a whole command, control included.
const LONGEST: Duration = Duration::from_secs(15);
const UNSPOKEN: &str = "add table inet plant ; add chain inet plant out { type filter hook output priority 0 ; } ; \
    add rule inet plant out icmp type destination-unreachable drop ; \
    add rule inet plant out icmpv6 type packet-too-big drop";
const ONE_PER_CENT: &str = "add table inet loss ; add chain inet loss through { type filter hook forward priority 0 ; } ; \
    add rule inet loss through numgen random mod 100 < 1 drop";

const B_BY_IPV6: &str = "fd53:676f:6f64:2::2";

/// `ends` bytes on the outer links, `middle` between the routers.
fn chain(story: &str, ends: u32, middle: u32) -> Result<Lab, Failed> {
    let topology = format!(
        "[[host]]\nname = 'a'\n[[host]]\nname = 'r1'\nforward = true\n[[host]]\nname = 'r2'\nforward = true\n\
         [[host]]\nname = 'b'\n[[link]]\nhosts = ['a', 'r1']\nmtu = {ends}\n\
         [[link]]\nhosts = ['r1', 'r2']\nmtu = {middle}\n[[link]]\nhosts = ['r2', 'b']\nmtu = {ends}\n"
    );
    Lab::of(story, &topology)
}

fn silence(lab: &Lab) -> CommandOutput {
    ["r1", "r2"].iter().try_for_each(|router| lab.exec(router, ["nft", UNSPOKEN]).map(drop))
}

fn measure(lab: &Lab, to: &str, more: &str) -> Result<Value, Failed> {
    let ran = lab.home.line(&format!("mtu {to} --from {} --json {more}", lab.host("a"))).ended(0)?;
    must!(ran.took < LONGEST, "took {:?}", ran.took);
    let result = ran.json()?;
    must!(result["outcome"] == "complete", "{result}");
    Ok(result)
}

fn both_are(result: &Value, mtu: u64, outcome: &str) -> CommandOutput {
    let path = &result["path_mtu"];
    must!(path["forward"] == mtu && path["reverse"] == mtu, "{path}");
    let is = |direction: &Value| direction["outcome"] == outcome && direction["fails"] == mtu + 1;
    must!([0usize, 1].iter().all(|way| is(&path["directions"][way])), "{path}");
    Ok(())
}

/// A middle link of 1,400 bytes: reported by its router, then silent, uncached and with under 1 % loss.
pub fn middle_link() -> CommandOutput {
    let lab = chain("middle", 1500, 1400)?;
    let b = lab.host("b");
    let told = measure(&lab, &b, "")?;
    both_are(&told, 1400, "told")?;
    let by = [0usize, 1].map(|way| told["path_mtu"]["directions"][way]["by"].as_str());
    must!(by == [Some("10.53.0.2"), Some("10.53.2.1")], "{}", told["path_mtu"]);
    must!(!finding(&told, "mtu-black-hole").is_some(), "{}", told["findings"]);
    both_are(&measure(&lab, B_BY_IPV6, "")?, 1400, "told")?;

    silence(&lab)?;
    for loss in [false, true] {
        if loss {
            lab.exec("r1", ["nft", ONE_PER_CENT])?;
        }
        for to in [b.as_str(), B_BY_IPV6] {
            for end in ["a", "b"] {
                lab.exec(end, ["ip", "route", "flush", "cache"])?;
                lab.exec(end, ["ip", "-6", "route", "flush", "cache"])?;
            }
            let silent = measure(&lab, to, "")?;
            both_are(&silent, 1400, "black_hole")?;
            must!(finding(&silent, "mtu-black-hole").is_some(), "{}", silent["findings"]);
            let cold = |way: &usize| silent["path_mtu"]["directions"][way]["interface"]["route_mtu"] == 1500;
            must!([0, 1].iter().all(cold), "the cache is not cold: {silent}");
        }
    }
    Ok(())
}

/// A silent limit of 1,280 bytes does not block control and results.
pub fn control_survives() -> CommandOutput {
    let lab = chain("narrow", 9000, 1280)?;
    silence(&lab)?;
    both_are(&measure(&lab, &lab.host("b"), "")?, 1280, "black_hole")
}

/// Routes of 1,300 bytes there and 1,400 back; then silent in one direction only.
pub fn each_direction() -> CommandOutput {
    let topology = "[[host]]\nname = 'a'\n[[host]]\nname = 'r'\nforward = true\n[[host]]\nname = 'b'\n\
        [[link]]\nhosts = ['a', 'r']\n[[link]]\nhosts = ['r', 'b']\n";
    let lab = Lab::of("each", topology)?;
    for (net, interface, mtu) in [("10.53.1.0/24", "eth1", "1300"), ("10.53.0.0/24", "eth0", "1400")] {
        let route = format!("ip route change {net} dev {interface} proto kernel scope link mtu {mtu}");
        lab.exec("r", route.split(' '))?;
    }
    let check = |result: &Value, outcomes: [&str; 2]| -> CommandOutput {
        let path = &result["path_mtu"];
        must!(path["forward"] == 1300 && path["reverse"] == 1400, "{path}");
        must!([0usize, 1].iter().all(|way| path["directions"][way]["outcome"] == outcomes[*way]), "{path}");
        must!(finding(result, "mtu-asymmetric").is_some(), "{}", result["findings"]);
        Ok(())
    };
    check(&measure(&lab, &lab.host("b"), "")?, ["told", "told"])?;
    // Drops only the router's messages to b.
    let to_b = UNSPOKEN.replace("out icmp type", "out ip daddr 10.53.1.2 icmp type");
    lab.exec("r", ["nft", &to_b])?;
    check(&measure(&lab, &lab.host("b"), "")?, ["told", "black_hole"])
}

/// ICMP echo to a host without agent, reported and silent, IPv4 and IPv6; without privilege; without a reply.
pub fn by_echo() -> CommandOutput {
    let lab = chain("echo", 1500, 1400)?;
    let b = lab.host("b");
    let alone = "add table inet alone ; add chain inet alone in { type filter hook input priority 0 ; } ; \
        add rule inet alone in meta l4proto { tcp, udp } drop";
    lab.exec("b", ["nft", alone])?;
    let check = |to: &str, outcome: &str, payload: u64| -> CommandOutput {
        let result = measure(&lab, to, "--icmp")?;
        let path = &result["path_mtu"];
        must!(path["forward"] == 1400 && path["reverse"].is_null(), "{path}");
        let why = path["reverse_not_available"].as_str().unwrap_or_default();
        must!(why.starts_with("not available without an agent on "), "{path}");
        let there = &path["directions"][0];
        must!(there["outcome"] == outcome && there["fails"] == 1401, "{there}");
        must!(there["udp_payload_bytes"] == payload && there["echo"]["socket"].is_string(), "{there}");
        must!(there["interface"]["name"] == "eth0" && there["interface"]["mtu"] == 1500, "{there}");
        Ok(())
    };
    check(&b, "told", 1372)?;
    check(B_BY_IPV6, "told", 1352)?;
    let shown = lab.home.line("show").ended(0)?;
    must!(shown.stdout.contains("1,400 − 48 = 1,352 B passes, 1,353 B is too large"), "{}", shown.stdout);
    silence(&lab)?;
    lab.exec("r1", ["nft", ONE_PER_CENT])?;
    check(&b, "black_hole", 1372)?;
    check(B_BY_IPV6, "black_hole", 1352)?;

    let deaf = "add rule inet alone in icmp type echo-request drop";
    lab.exec("b", ["nft", deaf])?;
    let a = lab.host("a");
    let silent = lab.home.line(&format!("mtu {b} --from {a} --icmp --json"));
    silent.refused(3, &["no answer to an ICMP echo", "omit --icmp"])?;

    // Without CAP_NET_RAW and without a group that may send echo, as in a new network namespace.
    let line = format!("lab exec {a} setpriv --bounding-set -net_raw --inh-caps -net_raw {PROGRAM}");
    let ran = lab.home.line(&format!("{line} mtu 10.53.0.2 --icmp --no-save --json"));
    ran.refused(4, &["CAP_NET_RAW", "ping_group_range"])
}
