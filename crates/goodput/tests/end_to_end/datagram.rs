//! Datagrams that add up: loss, copies and a stopped receiver planted between two ends, each held against a counter that
//! is not ours; and the search for the highest rate without loss against a shaper on the way and one at home.

use crate::stage::{Home, Lab, number, proving};
use crate::{Told, must};
use libtest_mimic::Failed;
use serde_json::Value;
use std::time::Duration;

/// Bytes of a UDP header and the default payload: what a rule on the way tells measured datagrams by.
const MEASURED: &str = "udp length 1456";

/// Stops the agent of the host that runs this for 300 ms: the one of its network namespace.
const STAND_STILL: &str = "mine=$(readlink /proc/self/ns/net); for p in /proc/[0-9]*; do \
    [ \"$(readlink $p/ns/net)\" = \"$mine\" ] && [ \"$(cat $p/comm)\" = goodput ] && agent=${p#/proc/}; done; \
    kill -STOP $agent && sleep 0.3; kill -CONT $agent";

/// Two ends with a router between; `second` is added to the link from the router to `b`.
fn row<'a>(home: &'a Home, story: &str, second: &str) -> Result<Lab<'a>, Failed> {
    let topology = format!(
        "[[host]]\nname = 'a'\n[[host]]\nname = 'r'\nforward = true\n[[host]]\nname = 'b'\n\
         [[link]]\nhosts = ['a', 'r']\n[[link]]\nhosts = ['r', 'b']\n{second}\n"
    );
    let file = home.path().join(format!("{story}.toml"));
    std::fs::write(&file, topology)?;
    Lab::up(home, story, &[&file.to_string_lossy()])
}

/// What a command inside a host of the lab prints.
fn inside(home: &Home, lab: &Lab<'_>, host: &str, command: &[&str]) -> Result<String, Failed> {
    let host = lab.host(host);
    let words = ["lab", "exec", &host];
    Ok(home.run(words.iter().chain(command)).ended(0)?.stdout)
}

/// Plants one rule on the way of what the router hands on.
fn plant(home: &Home, lab: &Lab<'_>, rule: &str) -> Told {
    let text = format!(
        "add table ip plant ; add chain ip plant through {{ type filter hook forward priority 0 ; }} ; \
         add rule ip plant through {MEASURED} {rule}"
    );
    inside(home, lab, "r", &["nft", &text]).map(drop)
}

/// What the planted rule counted.
fn planted(home: &Home, lab: &Lab<'_>) -> Result<u64, Failed> {
    let text = inside(home, lab, "r", &["nft", "list", "table", "ip", "plant"])?;
    let after = text.split("counter packets ").nth(1).and_then(|t| t.split(' ').next()?.parse().ok());
    after.ok_or_else(|| format!("no counter in {text}").into())
}

/// A counter of UDP in a host's network namespace.
fn udp_counter(home: &Home, lab: &Lab<'_>, host: &str, name: &str) -> Result<u64, Failed> {
    let text = inside(home, lab, host, &["cat", "/proc/net/snmp"])?;
    let mut lines = text.lines().filter(|l| l.starts_with("Udp:"));
    let (names, values) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let at = names.split_whitespace().position(|n| n == name);
    let value = at.and_then(|at| values.split_whitespace().nth(at)?.parse().ok());
    value.ok_or_else(|| format!("no {name} in {text}").into())
}

fn words<'a>(lab_a: &'a str, lab_b: &'a str, more: &'a str) -> Vec<&'a str> {
    ["datagram", lab_b, "--from", lab_a, "--json"].into_iter().chain(more.split_whitespace()).collect()
}

fn measure(home: &Home, lab: &Lab<'_>, more: &str) -> Result<Value, Failed> {
    let (a, b) = (lab.host("a"), lab.host("b"));
    let result = home.run(words(&a, &b, more)).measured()?;
    must!(result["outcome"] == "complete", "{result}");
    adds_up(&result)?;
    Ok(result)
}

/// The sums that must hold in every account without copies.
fn adds_up(result: &Value) -> Told {
    let at = |field: &str| number(result, &format!("/{field}"));
    must!(at("offered")? == at("refused")? + at("sent")?, "{result}");
    must!(at("sent")? == at("received")? + at("lost/total")?, "{result}");
    must!(at("sent")? > 100, "{result}");
    let error = |f: &Value| f["severity"] == "error";
    must!(!result["findings"].as_array().is_some_and(|all| all.iter().any(error)), "{}", result["findings"]);
    Ok(())
}

/// Loss on the way is the path's, to one datagram.
pub fn loss_on_the_way() -> Told {
    let home = Home::new();
    let lab = row(&home, "udp-loss", "")?;
    plant(&home, &lab, "numgen random mod 10 == 0 counter drop")?;
    for (more, repeats) in [("--plain --rate 10000/s --time 1s", 2), ("--plain --time 1s", 1)] {
        for _ in 0..repeats {
            let before = planted(&home, &lab)?;
            let result = measure(&home, &lab, more)?;
            let dropped = planted(&home, &lab)? - before;
            must!(number(&result, "/lost/path")? == dropped, "{dropped} dropped: {}", result["lost"]);
            must!(dropped > 100, "{dropped}");
        }
    }
    Ok(())
}

/// A receiver that stands still for 300 ms loses at its socket, to one datagram; together with loss on the way too.
pub fn stopped_receiver() -> Told {
    let home = Home::new();
    let lab = row(&home, "udp-stop", "")?;
    plant(&home, &lab, "numgen random mod 10 == 0 counter drop")?;
    let (errors, dropped) = (udp_counter(&home, &lab, "b", "RcvbufErrors")?, planted(&home, &lab)?);
    let (a, b) = (lab.host("a"), lab.host("b"));
    let running = home.start(words(&a, &b, "--plain --rate 20000/s --time 2s --receive-buffer 200KiB"));
    std::thread::sleep(Duration::from_millis(2_000));
    inside(&home, &lab, "b", &["sh", "-c", STAND_STILL])?;
    let result = running.end().measured()?;
    adds_up(&result)?;
    let errors = udp_counter(&home, &lab, "b", "RcvbufErrors")? - errors;
    let dropped = planted(&home, &lab)? - dropped;
    must!(errors > 0, "nothing was lost at the socket");
    must!(number(&result, "/lost/receiver_socket")? == errors, "{errors} errors: {}", result["lost"]);
    must!(number(&result, "/lost/path")? == dropped, "{dropped} dropped: {}", result["lost"]);
    Ok(())
}

/// Copies made on the way are counted apart, and what is lost stays the same.
pub fn copies_on_the_way() -> Told {
    let home = Home::new();
    let lab = row(&home, "udp-copy", "")?;
    plant(&home, &lab, "numgen random mod 10 == 0 counter dup to 10.53.1.2 device \"eth1\"")?;
    let before = planted(&home, &lab)?;
    let result = measure(&home, &lab, "--plain --rate 10000/s --time 1s")?;
    let copied = planted(&home, &lab)? - before;
    must!(copied > 100 && number(&result, "/duplicates")? == copied, "{copied} copied: {result}");
    must!(number(&result, "/lost/total")? == 0, "{}", result["lost"]);
    Ok(())
}

/// Loss, copies and a receiver that stands still together: who can tell a dropped copy from a dropped datagram gives one
/// number, we give bounds, and the truth lies within them.
pub fn all_at_once() -> Told {
    let home = Home::new();
    let lab = row(&home, "udp-all", "")?;
    let rules = format!(
        "add table ip plant ; add chain ip plant through {{ type filter hook forward priority 0 ; }} ; \
         add rule ip plant through {MEASURED} numgen random mod 10 == 0 counter drop ; \
         add rule ip plant through {MEASURED} numgen random mod 10 == 0 counter dup to 10.53.1.2 device \"eth1\""
    );
    inside(&home, &lab, "r", &["nft", &rules])?;
    let errors = udp_counter(&home, &lab, "b", "RcvbufErrors")?;
    let (a, b) = (lab.host("a"), lab.host("b"));
    let running = home.start(words(&a, &b, "--plain --rate 20000/s --time 2s --receive-buffer 200KiB"));
    std::thread::sleep(Duration::from_millis(2_000));
    inside(&home, &lab, "b", &["sh", "-c", STAND_STILL])?;
    let result = running.end().measured()?;
    let errors = udp_counter(&home, &lab, "b", "RcvbufErrors")? - errors;
    // The first counter of the table is that of what was dropped.
    let dropped = planted(&home, &lab)?;
    must!(errors > 0 && dropped > 100, "{errors} errors, {dropped} dropped");
    let lost = &result["lost"];
    let within = |place: &str, truth: u64| -> Told {
        let bound = |end: &str| number(&result, &format!("/lost/bounds/{place}/{end}"));
        must!(bound("least")? <= truth && truth <= bound("most")?, "{truth} of {place}: {lost}");
        Ok(())
    };
    within("path", dropped)?;
    // What the socket dropped were datagrams and copies of them; of the datagrams at the most so many.
    must!(number(&result, "/lost/bounds/receiver_socket/most")? <= errors, "{errors} errors: {lost}");
    must!(lost["path"].is_null() && lost["receiver_socket"].is_null(), "one number each: {lost}");
    must!(number(&result, "/unresolved")? > 0, "{result}");
    let found =
        result["findings"].as_array().is_some_and(|all| all.iter().any(|f| f["id"] == "loss-unresolved"));
    must!(found, "{}", result["findings"]);
    Ok(())
}

/// The same account over IPv6.
pub fn over_ipv6() -> Told {
    let home = Home::new();
    let lab = row(&home, "udp-six", "")?;
    let rule = format!(
        "add table ip6 plant ; add chain ip6 plant through {{ type filter hook forward priority 0 ; }} ; \
         add rule ip6 plant through {MEASURED} numgen random mod 10 == 0 counter drop"
    );
    inside(&home, &lab, "r", &["nft", &rule])?;
    let a = lab.host("a");
    let result = home.run(words(&a, "fd53:676f:6f64:1::2", "--plain --rate 10000/s --time 1s")).measured()?;
    adds_up(&result)?;
    let text = inside(&home, &lab, "r", &["nft", "list", "table", "ip6", "plant"])?;
    let dropped =
        text.split("counter packets ").nth(1).and_then(|t| t.split(' ').next()?.parse::<u64>().ok());
    must!(Some(number(&result, "/lost/path")?) == dropped, "{dropped:?} dropped: {}", result["lost"]);
    // The rule would see fragments, too.
    inside(&home, &lab, "r", &["nft", "delete", "table", "ip6", "plant"])?;
    // 1,452 B is what fills 1,500 over IPv6; one more goes out in fragments, and arrives whole all the same.
    for size in ["1452", "1453", "65527"] {
        let more = format!("--plain --rate 200/s --size {size} --time 500ms");
        let result = home.run(words(&a, "fd53:676f:6f64:1::2", &more)).measured()?;
        must!(number(&result, "/received")? > 50 && result["lost"]["total"] == 0, "{size}: {result}");
    }
    Ok(())
}

/// Below 8 bytes there is no sequence, below 16 no time: what cannot be checked is named, the sums hold.
pub fn short() -> Told {
    let home = Home::new();
    let agent = home.agent(&[])?;
    for (size, numbered) in [(1, false), (7, false), (8, true), (15, true)] {
        let line = format!(
            "datagram 127.0.0.1 {} --size {size} --plain --rate 5000/s --burst 1 --time 200ms --warm-up 50ms --no-save --json",
            agent.ports()
        );
        let result = home.line(&line).measured()?;
        let at = |field: &str| number(&result, &format!("/{field}"));
        must!(at("offered")? == at("refused")? + at("sent")? && at("sent")? > 100, "{size}: {result}");
        must!(at("received")? <= at("sent")?, "{size}: {result}");
        // Without a sequence a copy cannot be told from the datagram that it hides the loss of.
        must!(result["lost"]["total"].is_null() != numbered, "{size}: {}", result["lost"]);
        must!(result["duplicates"].is_null() != numbered, "{size}: {}", result["duplicates"]);
        let own = &result["directions"][0]["datagrams"];
        let missing = own["not_available"].to_string();
        must!(own["jitter_ns"].is_null() && missing.contains("jitter"), "{size}: {own}");
        must!(missing.contains("duplicates") != numbered, "{size}: {missing}");
    }
    Ok(())
}

/// With UDP_SEGMENT and UDP_GRO the sums stay exact, and the calls are few.
pub fn offloaded() -> Told {
    let home = Home::new();
    let agent = home.agent(&[])?;
    for more in ["", "--direction both --flows 2", "--direction receive --size 64", "--no-offload", "--plain"]
    {
        let line = format!(
            "datagram 127.0.0.1 {} {more} --time 200ms --warm-up 50ms --no-save --json",
            agent.ports()
        );
        let result = home.line(&line).measured()?;
        adds_up(&result)?;
        must!(result["duplicates"] == 0 && result["reordered"] == 0, "{more}: {result}");
        let first = &result["directions"][0]["datagrams"];
        let by = if more == "--plain" { "plain" } else { "mmsg" };
        if more == "--plain" || more == "--no-offload" {
            must!(first["sent_by"] == by && first["received_by"] == by, "{more}: {first}");
        }
    }
    Ok(())
}

/// A shaper of 100 Mbit/s on the way: 1448 of 1514 bytes and 24 more for each frame.
pub fn highest_rate_without_loss() -> Told {
    const LIMIT: f64 = 100e6 * 1448.0 / (1448.0 + 28.0 + 14.0 + 24.0);
    let home = Home::new();
    let lab = row(&home, "udp-search", "rate = '100Mbit'")?;
    let (searches, wanted) = if proving() { (10, 9) } else { (1, 1) };
    let mut seen = Vec::new();
    let mut near = 0;
    for _ in 0..searches {
        let (a, b) = (lab.host("a"), lab.host("b"));
        let result = home.run(words(&a, &b, "--plain --search --time 5s")).measured()?;
        let found = &result["search"];
        let share = number(found, "/rate_bps").unwrap_or(0) as f64 / LIMIT;
        seen.push(share);
        near += u32::from(found["outcome"] == "lossless" && (0.99..1.01).contains(&share));
        must!(result["lost"]["total"] == 0, "not lossless: {found}, {}", result["lost"]);
    }
    must!(near >= wanted, "shares of the limit: {seen:?}");
    Ok(())
}

/// Both ways at once each has the shaper to itself; and 0.05 % of loss planted is within a stated 0.1 %.
pub fn other_searches() -> Told {
    const LIMIT: f64 = 100e6 * 1448.0 / (1448.0 + 28.0 + 14.0 + 24.0);
    let home = Home::new();
    let lab = row(&home, "udp-goals", "rate = '100Mbit'")?;
    let (a, b) = (lab.host("a"), lab.host("b"));
    let check = |more: &str| -> Result<Value, Failed> {
        let result = home.run(words(&a, &b, &format!("--plain --search --time 3s {more}"))).measured()?;
        let found = &result["search"];
        let share = number(found, "/rate_bps")? as f64 / LIMIT;
        must!(found["outcome"] == "lossless" && (0.97..1.01).contains(&share), "{more}: {share} of {found}");
        Ok(result)
    };
    // From b the link is shaped at its own interface, so a search that way alone would be held back there; both ways at
    // once pass only at a rate that passes each.
    let both =
        home.run(words(&a, &b, "--plain --search --time 3s --direction both --rate 90Mbit")).measured()?;
    let found = &both["search"];
    must!(
        found["outcome"] == "lossless" && both["directions"].as_array().map(Vec::len) == Some(2),
        "{found}"
    );
    must!((0.99..1.01).contains(&(number(found, "/rate_bps")? as f64 / 90e6)), "{found}");
    plant(&home, &lab, "numgen inc mod 2000 == 0 counter drop")?;
    let result = check("--loss 0.1%")?;
    must!(planted(&home, &lab)? > 0, "nothing was planted");
    let lost = number(&result, "/lost/total")? as f64 / number(&result, "/sent")? as f64;
    must!(lost > 0.0 && lost <= 0.001, "{lost}: {}", result["lost"]);
    Ok(())
}

/// A shaper on the sender's own interface says nothing of the path.
pub fn held_back_at_home() -> Told {
    let home = Home::new();
    let lab = Lab::up(&home, "udp-home", &["--rate", "100Mbit"])?;
    let (a, b) = (lab.host("a"), lab.host("b"));
    let result = home.run(words(&a, &b, "--plain --search --time 2s")).measured()?;
    let found = &result["search"];
    must!(found["outcome"] == "held_back_at_sender", "{found}");
    let share = number(found, "/rate_bps")? as f64 / (100e6 * 1448.0 / 1514.0);
    must!((0.98..1.01).contains(&share), "{share}: {found}");
    // At a rate that it cannot carry, the interface refuses or holds back, and nothing is lost on the path.
    let result = measure(&home, &lab, "--plain --rate 150Mbit --time 2s")?;
    must!(number(&result, "/lost/path")? == 0, "{}", result["lost"]);
    let held = |f: &Value| f["id"] == "held-back-at-sender";
    must!(result["findings"].as_array().is_some_and(|all| all.iter().any(held)), "{}", result["findings"]);
    Ok(())
}

/// What UDP cannot carry, rates of zero, and a rate whose unit is missing.
pub fn refused() -> Told {
    let home = Home::new();
    for (bad, words) in [
        ("--size 65508", "65507 B over IPv4"),
        ("--rate 0", "nothing is sent"),
        ("--rate 0bit", "nothing is sent"),
        ("--size 0", "carries nothing to count"),
        ("--medium token-ring", "goodput limits"),
        ("--medium 1000base-t:67", "68"),
        ("--rate 10000", "two readings"),
        ("--loss 0.1%", "--search"),
    ] {
        let refused = home.line(&format!("datagram 127.0.0.1 {bad} --json")).ended(2)?.json()?;
        must!(refused["error"].to_string().contains(words), "{bad}: {refused}");
    }
    Ok(())
}
