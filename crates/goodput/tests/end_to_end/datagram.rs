//! Datagram accounting: planted loss, duplicates and a stopped receiver against independent counters; the
//! search for the highest lossless rate against shapers.

use crate::stage::*;

/// A UDP header and the default payload.
const MEASURED: &str = "udp length 1456";

const TENTH: &str = "numgen random mod 10 == 0 counter drop";
const TENTH_TWICE: &str = "numgen random mod 10 == 0 counter dup to 10.53.1.2 device \"eth1\"";

/// Stops the agent of this network namespace for 300 ms.
const STAND_STILL: &str = "mine=$(readlink /proc/self/ns/net); for p in /proc/[0-9]*; do \
    [ \"$(readlink $p/ns/net)\" = \"$mine\" ] && [ \"$(cat $p/comm)\" = goodput ] && agent=${p#/proc/}; done; \
    kill -STOP $agent && sleep 0.3; kill -CONT $agent";
const SEARCH: Duration = Duration::from_secs(240);

fn row(story: &str, second: &str) -> Result<Lab, Failed> {
    let topology = format!(
        "[[host]]\nname = 'a'\n[[host]]\nname = 'r'\nforward = true\n[[host]]\nname = 'b'\n\
         [[link]]\nhosts = ['a', 'r']\n[[link]]\nhosts = ['r', 'b']\n{second}\n"
    );
    Lab::of(story, &topology)
}

/// A rule at the router for the measured datagrams, with a counter in `ip plant` or `ip6 plant`.
fn plant(lab: &Lab, family: &str, rule: &str) -> CommandOutput {
    let text = format!(
        "add table {family} plant ; add chain {family} plant through {{ type filter hook forward priority 0 ; }} ; \
         add rule {family} plant through {MEASURED} {rule}"
    );
    lab.exec("r", ["nft", &text]).map(drop)
}

fn measure(lab: &Lab, more: &str) -> Result<Value, Failed> {
    let result = lab.measure("datagram", more)?;
    adds_up(&result)?;
    Ok(result)
}

fn searched(lab: &Lab, more: &str) -> Result<Value, Failed> {
    let line = lab.probe("datagram", &format!("--plain --search {more}"));
    lab.home.start_line(&line).within(SEARCH).measured()
}

fn adds_up(result: &Value) -> CommandOutput {
    let at = |field: &str| number(result, &format!("/{field}"));
    must!(at("offered")? == at("refused")? + at("sent")?, "{result}");
    must!(at("sent")? == at("received")? + at("lost/total")?, "{result}");
    must!(at("sent")? > 100 && result["outcome"] == "complete", "{result}");
    must!(!list(&result["findings"]).iter().any(|f| f["severity"] == "error"), "{}", result["findings"]);
    Ok(())
}

/// A lossy path that drops a tenth, and a receiver that stands still for 300 ms.
pub fn stopped_receiver() -> CommandOutput {
    let lab = row("udp-stop", "")?;
    plant(&lab, "ip", TENTH)?;
    let errors = || snmp(&lab.exec("b", ["cat", "/proc/net/snmp"])?, "Udp", "RcvbufErrors");
    let before = errors()?;
    let more = "--plain --rate 20000/s --time 2s --receive-buffer 200KiB";
    let running = lab.home.start_line(&lab.probe("datagram", more));
    std::thread::sleep(Duration::from_millis(2_000));
    lab.exec("b", ["sh", "-c", STAND_STILL])?;
    let result = running.end().measured()?;
    adds_up(&result)?;
    let (errors, dropped) = (errors()? - before, lab.counted("r", "ip plant")?);
    must!(errors > 0, "nothing was lost at the socket");
    must!(number(&result, "/lost/receiver_socket")? == errors, "{errors} errors: {}", result["lost"]);
    must!(number(&result, "/lost/path")? == dropped, "{dropped} dropped: {}", result["lost"]);
    Ok(())
}

pub fn copies_on_the_way() -> CommandOutput {
    let lab = row("udp-copy", "")?;
    plant(&lab, "ip", TENTH_TWICE)?;
    let result = measure(&lab, "--plain --rate 10000/s --time 1s")?;
    let copied = lab.counted("r", "ip plant")?;
    must!(copied > 100 && number(&result, "/duplicates")? == copied, "{copied} copied: {result}");
    must!(number(&result, "/lost/total")? == 0, "{}", result["lost"]);
    Ok(())
}

pub fn over_ipv6() -> CommandOutput {
    let lab = row("udp-six", "")?;
    plant(&lab, "ip6", TENTH)?;
    let line = format!("datagram fd53:676f:6f64:1::2 --from {} --plain --json", lab.host("a"));
    let result = lab.home.line(&format!("{line} --rate 10000/s --time 1s")).measured()?;
    adds_up(&result)?;
    let dropped = lab.counted("r", "ip6 plant")?;
    must!(number(&result, "/lost/path")? == dropped, "{dropped} dropped: {}", result["lost"]);
    // The rule would also match fragments.
    lab.exec("r", ["nft", "delete", "table", "ip6", "plant"])?;
    // 1,452 B fills 1,500 over IPv6; one byte more is sent in fragments.
    for size in ["1452", "1453", "65527"] {
        let result = lab.home.line(&format!("{line} --rate 200/s --size {size} --time 500ms")).measured()?;
        must!(number(&result, "/received")? > 50 && result["lost"]["total"] == 0, "{size}: {result}");
    }
    Ok(())
}

/// 1448 of 1514 bytes are payload; each frame adds 24.
const LIMIT: f64 = 100e6 * 1448.0 / (1448.0 + 28.0 + 14.0 + 24.0);

pub fn highest_rate_without_loss() -> CommandOutput {
    let lab = row("udp-search", "rate = '100Mbit'")?;
    let (searches, wanted) = if proving() { (10, 9) } else { (5, 1) };
    let mut seen = Vec::new();
    // A busy machine can only make a search find less.
    for _ in 0..searches {
        let result = searched(&lab, "--time 5s")?;
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
    let lab = Lab::up("udp-home", &["--rate", "100Mbit"])?;
    // A busy machine can only reduce the rate.
    let least = if proving() { 0.98 } else { 0.9 };
    undisturbed(5, || {
        let result = searched(&lab, "--time 2s")?;
        let found = &result["search"];
        let share = number(found, "/rate_bps")? as f64 / (100e6 * 1448.0 / 1514.0);
        let expected = found["outcome"] == "held_back_at_sender" && (least..1.01).contains(&share);
        must!(expected, "{share}: {found}");
        Ok(())
    })?;
    // Above its rate the interface refuses or delays, and the path loses nothing.
    let result = measure(&lab, "--plain --rate 150Mbit --time 2s")?;
    must!(number(&result, "/lost/path")? == 0, "{}", result["lost"]);
    must!(finding(&result, "held-back-at-sender").is_some(), "{}", result["findings"]);
    Ok(())
}
