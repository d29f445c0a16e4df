//! Datagram accounting: planted loss, duplicates and a stopped receiver against independent counters; the
//! search for the highest lossless rate against shapers.

use crate::stage::{Home, Lab, finding, list, number, proving, undisturbed};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::Value;
use std::time::Duration;

/// A UDP header and the default payload.
const MEASURED: &str = "udp length 1456";

const TENTH: &str = "numgen random mod 10 == 0 counter drop";
const TENTH_TWICE: &str = "numgen random mod 10 == 0 counter dup to 10.53.1.2 device \"eth1\"";

/// Stops the agent of this network namespace for 300 ms.
const STAND_STILL: &str = "mine=$(readlink /proc/self/ns/net); for p in /proc/[0-9]*; do \
    [ \"$(readlink $p/ns/net)\" = \"$mine\" ] && [ \"$(cat $p/comm)\" = goodput ] && agent=${p#/proc/}; done; \
    kill -STOP $agent && sleep 0.3; kill -CONT $agent";
const SEARCH: Duration = Duration::from_secs(240);

fn row<'a>(home: &'a Home, story: &str, second: &str) -> Result<Lab<'a>, Failed> {
    let topology = format!(
        "[[host]]\nname = 'a'\n[[host]]\nname = 'r'\nforward = true\n[[host]]\nname = 'b'\n\
         [[link]]\nhosts = ['a', 'r']\n[[link]]\nhosts = ['r', 'b']\n{second}\n"
    );
    Lab::of(home, story, &topology)
}

fn plant(lab: &Lab<'_>, rule: &str) -> CommandOutput {
    let text = format!(
        "add table ip plant ; add chain ip plant through {{ type filter hook forward priority 0 ; }} ; \
         add rule ip plant through {MEASURED} {rule}"
    );
    lab.exec("r", ["nft", &text]).map(drop)
}

fn udp_counter(lab: &Lab<'_>, host: &str, name: &str) -> Result<u64, Failed> {
    let text = lab.exec(host, ["cat", "/proc/net/snmp"])?;
    let mut lines = text.lines().filter(|l| l.starts_with("Udp:"));
    let (names, values) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let at = names.split_whitespace().position(|n| n == name);
    let value = at.and_then(|at| values.split_whitespace().nth(at)?.parse().ok());
    value.ok_or_else(|| format!("no {name} in {text}").into())
}

/// A lossy path that drops a tenth, and a receiver that stands still for 300 ms.
fn standing_still(home: &Home, lab: &Lab<'_>) -> Result<Value, Failed> {
    let more = "--plain --rate 20000/s --time 2s --receive-buffer 200KiB";
    let running = home.start_line(&lab.probe("datagram", more));
    std::thread::sleep(Duration::from_millis(2_000));
    lab.exec("b", ["sh", "-c", STAND_STILL])?;
    running.end().measured()
}

fn measure(lab: &Lab<'_>, more: &str) -> Result<Value, Failed> {
    let result = lab.measure("datagram", more)?;
    must!(result["outcome"] == "complete", "{result}");
    adds_up(&result)?;
    Ok(result)
}

fn searched(home: &Home, lab: &Lab<'_>, more: &str) -> Result<Value, Failed> {
    let line = lab.probe("datagram", &format!("--plain --search {more}"));
    home.start_line(&line).within(SEARCH).measured()
}

fn adds_up(result: &Value) -> CommandOutput {
    let at = |field: &str| number(result, &format!("/{field}"));
    must!(at("offered")? == at("refused")? + at("sent")?, "{result}");
    must!(at("sent")? == at("received")? + at("lost/total")?, "{result}");
    must!(at("sent")? > 100, "{result}");
    must!(!list(&result["findings"]).iter().any(|f| f["severity"] == "error"), "{}", result["findings"]);
    Ok(())
}

pub fn stopped_receiver() -> CommandOutput {
    let home = Home::new();
    let lab = row(&home, "udp-stop", "")?;
    plant(&lab, TENTH)?;
    let (errors, dropped) = (udp_counter(&lab, "b", "RcvbufErrors")?, lab.counted("r", "ip plant")?);
    let result = standing_still(&home, &lab)?;
    adds_up(&result)?;
    let errors = udp_counter(&lab, "b", "RcvbufErrors")? - errors;
    let dropped = lab.counted("r", "ip plant")? - dropped;
    must!(errors > 0, "nothing was lost at the socket");
    must!(number(&result, "/lost/receiver_socket")? == errors, "{errors} errors: {}", result["lost"]);
    must!(number(&result, "/lost/path")? == dropped, "{dropped} dropped: {}", result["lost"]);
    Ok(())
}

pub fn copies_on_the_way() -> CommandOutput {
    let home = Home::new();
    let lab = row(&home, "udp-copy", "")?;
    plant(&lab, TENTH_TWICE)?;
    let before = lab.counted("r", "ip plant")?;
    let result = measure(&lab, "--plain --rate 10000/s --time 1s")?;
    let copied = lab.counted("r", "ip plant")? - before;
    must!(copied > 100 && number(&result, "/duplicates")? == copied, "{copied} copied: {result}");
    must!(number(&result, "/lost/total")? == 0, "{}", result["lost"]);
    Ok(())
}

pub fn over_ipv6() -> CommandOutput {
    let home = Home::new();
    let lab = row(&home, "udp-six", "")?;
    let rule = format!(
        "add table ip6 plant ; add chain ip6 plant through {{ type filter hook forward priority 0 ; }} ; \
         add rule ip6 plant through {MEASURED} {TENTH}"
    );
    lab.exec("r", ["nft", &rule])?;
    let line = format!("datagram fd53:676f:6f64:1::2 --from {} --plain --json", lab.host("a"));
    let result = home.line(&format!("{line} --rate 10000/s --time 1s")).measured()?;
    adds_up(&result)?;
    let dropped = lab.counted("r", "ip6 plant")?;
    must!(number(&result, "/lost/path")? == dropped, "{dropped} dropped: {}", result["lost"]);
    // The rule would also match fragments.
    lab.exec("r", ["nft", "delete", "table", "ip6", "plant"])?;
    // 1,452 B fills 1,500 over IPv6; one byte more is sent in fragments.
    for size in ["1452", "1453", "65527"] {
        let result = home.line(&format!("{line} --rate 200/s --size {size} --time 500ms")).measured()?;
        must!(number(&result, "/received")? > 50 && result["lost"]["total"] == 0, "{size}: {result}");
    }
    Ok(())
}

/// 1448 of 1514 bytes are payload; each frame adds 24.
const LIMIT: f64 = 100e6 * 1448.0 / (1448.0 + 28.0 + 14.0 + 24.0);

pub fn highest_rate_without_loss() -> CommandOutput {
    let home = Home::new();
    let lab = row(&home, "udp-search", "rate = '100Mbit'")?;
    let (searches, wanted) = if proving() { (10, 9) } else { (5, 1) };
    let mut seen = Vec::new();
    // A busy machine can only make a search find less.
    for _ in 0..searches {
        let result = searched(&home, &lab, "--time 5s")?;
        let share = number(&result["search"], "/rate_bps").unwrap_or(0) as f64 / LIMIT;
        must!(share < 1.01, "{share}: {}", result["search"]);
        must!(result["lost"]["total"] == 0, "not lossless: {}, {}", result["search"], result["lost"]);
        seen.push(if result["search"]["outcome"] == "lossless" { share } else { 0.0 });
        if seen.iter().filter(|share| **share > 0.99).count() >= wanted {
            return Ok(());
        }
    }
    Err(format!("shares of the limit: {seen:?}").into())
}

/// A shaper on the sender's own interface says nothing about the path.
pub fn held_back_at_home() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "udp-home", &["--rate", "100Mbit"])?;
    undisturbed(5, || {
        let result = searched(&home, &lab, "--time 2s")?;
        let found = &result["search"];
        let share = number(found, "/rate_bps")? as f64 / (100e6 * 1448.0 / 1514.0);
        must!(share < 1.01, "{share}: {found}");
        must!(found["outcome"] == "held_back_at_sender" && share > 0.98, "{share}: {found}");
        Ok(())
    })?;
    // Above its rate the interface refuses or delays, and the path loses nothing.
    let result = measure(&lab, "--plain --rate 150Mbit --time 2s")?;
    must!(number(&result, "/lost/path")? == 0, "{}", result["lost"]);
    must!(finding(&result, "held-back-at-sender").is_some(), "{}", result["findings"]);
    Ok(())
}
