//! Media of a lab measured by the program: half-duplex Ethernet against arithmetic and an independent model,
//! ATM cells, a shared bus, loss, delay and a silent switch.
//!
//! Short forms tolerate a busy machine, which can only reduce goodput; exact forms need GOODPUT_PROVE.

use crate::stage::*;
use goodput_testkit::csma_cd::{EthernetTraffic, simulate};

/// Published values for TCP with large messages between PCs of the time; printed beside ours.
const PUBLISHED: &str = "published for 10BASE-T: 8.65 to 8.99 Mbit/s";
const COLLISIONS_AND_DEFERRALS: [&str; 2] = ["relay.access.collisions", "relay.access.deferred"];
/// Attempts of a proof on a disturbed machine.
const TRIES: usize = 3;

fn mbit(result: &Value) -> Result<f64, Failed> {
    Ok(number(result, "/goodput_bps")? as f64 / 1e6)
}

/// What the relay's finding says, and its counters of these names.
fn relayed<'a>(result: &'a Value, names: &[&str]) -> Result<(&'a str, Vec<u64>), Failed> {
    let relay = finding(result, "relayed").ok_or_else(|| format!("no relay in {}", result["findings"]))?;
    let lines: Vec<&str> = list(&relay["evidence"]).iter().filter_map(Value::as_str).collect();
    let counter =
        |name: &&str| lines.iter().find(|l| l.starts_with(*name))?.rsplit(" = ").next()?.parse::<u64>().ok();
    let counters: Option<Vec<u64>> = names.iter().map(counter).collect();
    Ok((
        relay["text"].as_str().unwrap_or(""),
        counters.ok_or_else(|| format!("not all {names:?} in {relay}"))?,
    ))
}

fn on_time(result: &Value) -> bool {
    finding(result, "relay-late").is_none()
}

fn stamps(lab: &Lab, on: bool) -> CommandOutput {
    let order = format!("echo {} > /proc/sys/net/ipv4/tcp_timestamps", u8::from(on));
    for host in ["a", "b"] {
        lab.exec(host, ["sh", "-c", &order])?;
    }
    Ok(())
}

/// Repeats a few times until the relay was on time and `good` accepts the result; reports repeats.
fn until(
    measure: impl Fn() -> Result<Value, Failed>,
    good: impl Fn(&Value) -> Result<bool, Failed>,
) -> Result<Value, Failed> {
    let mut last = measure()?;
    for _ in 1..TRIES {
        if on_time(&last) && good(&last)? {
            break;
        }
        println!("measured again: {:.3} Mbit/s, relay on time: {}", mbit(&last)?, on_time(&last));
        last = measure()?;
    }
    Ok(last)
}

/// Mbit/s of TCP on half-duplex 10 Mbit/s with one acknowledgement per two segments and no collisions.
fn turns(user: f64, ack: f64) -> f64 {
    10.0 * 2.0 * user / (2.0 * 1538.0 + ack)
}

/// The model's result for bulk TCP with backoff and a window in segments.
fn modelled(user: u64, ack: u64, window: u64) -> f64 {
    let traffic = EthernetTraffic {
        data_frame: 1514,
        user_bytes: user,
        ack_frame: Some(ack),
        window,
        response: 500,
        propagation: goodput_lab::link_relay::csma::PROPAGATION_DELAY_BITS,
    };
    (1..=5).map(|seed| 10.0 * simulate(traffic, 200_000_000, seed).share).sum::<f64>() / 5.0
}

/// A stream with a fixed receive window, and that window in bytes by `ss`, as `window` of the result. A sender
/// continues until the window is full, so turns depend on it.
fn windowed(lab: &Lab) -> Result<Value, Failed> {
    let more = "--congestion reno --receive-buffer 128KiB --warm-up 3s --time 20s";
    let running = lab.home.start_line(&lab.probe("stream", more));
    std::thread::sleep(Duration::from_secs(13));
    let seen = lab.exec("a", ["ss", "-tin", "dport", "=", ":5304"])?;
    let window = seen.split("snd_wnd:").nth(1).and_then(|t| t.split_whitespace().next()?.parse::<u64>().ok());
    let mut result = running.end().measured()?;
    result["window"] = window.ok_or_else(|| format!("no window in {seen}"))?.into();
    Ok(result)
}

pub fn a_hub() -> CommandOutput {
    let lab = Lab::up("hub", &["--medium", "10base-t"])?;
    let result = lab.measure("stream", "--congestion reno --time 3s")?;
    let (rate, (text, counters)) = (mbit(&result)?, relayed(&result, &COLLISIONS_AND_DEFERRALS)?);
    println!("{rate:.3} Mbit/s, {PUBLISHED}; {text}");
    must!(rate <= turns(1448.0, 90.0) * 1.005 && rate > 4.0, "{rate} Mbit/s; {text}");
    must!(counters[0] > 100 && counters[1] > 10, "{text}");
    must!(result["limit"]["medium"] == "10base-t", "{}", result["limit"]);
    let limit = number(&result, "/limit/goodput_bps")? as f64 / 1e6;
    must!((limit / turns(1448.0, 90.0) - 1.0).abs() < 1e-3, "limit {limit}");
    let labs = lab.home.json("lab list")?;
    let ours = list(&labs["labs"]).iter().find(|l| l["name"] == lab.name.as_str()).ok_or("not listed")?;
    must!(number(ours, "/relays/0/access/collisions")? > 100, "{ours}");
    must!(ours["links"][0]["medium"]["half_duplex"] == true, "{ours}");
    Ok(())
}

pub fn a_bus() -> CommandOutput {
    let lab = Lab::up("bus", &["--medium", "100base-tx", "--bus", "b=120Mbit"])?;
    let one = lab.measure("stream", "--time 2s")?;
    let both = lab.measure("stream", "--direction both --time 2s")?;
    let (one_rate, both_rate) = (mbit(&one)?, mbit(&both)?);
    println!("one way {one_rate:.1} Mbit/s, both ways {both_rate:.1} Mbit/s on a bus of 120");
    must!(one_rate < 94.7 && both_rate < 121.0, "{one_rate}, {both_rate}: both ways share 120 Mbit/s");
    let bounds = [one, both].map(|result| result["limit"]["bounded_by"].clone());
    must!(bounds == ["100base-tx", "bus 120 Mbit/s"], "{bounds:?}");
    Ok(())
}

pub fn proven_ethernet() -> CommandOutput {
    {
        let lab = Lab::up("turns", &["--medium", "10base-t", "--no-collisions"])?;
        for (on, user, ack) in [(true, 1448.0, 90.0), (false, 1460.0, 84.0)] {
            stamps(&lab, on)?;
            let theory = turns(user, ack);
            let near = |r: &Value| Ok((mbit(r)? / theory - 1.0).abs() < 0.02);
            let result = until(|| lab.measure("stream", "--congestion reno --time 10s"), near)?;
            let text = relayed(&result, &[])?.0;
            println!("turns, timestamps {on}: {:.3} of {theory:.3} Mbit/s; {text}", mbit(&result)?);
            must!(on_time(&result) && near(&result)?, "{} of {theory}", mbit(&result)?);
        }
        let theory = 10.0 * 1472.0 / 1538.0;
        let near = |r: &Value| Ok((mbit(r)? / theory - 1.0).abs() < 0.01);
        let result = until(|| lab.measure("datagram", "--size 1472B --plain --time 10s"), near)?;
        println!("one-way UDP: {:.3} of {theory:.3} Mbit/s; {}", mbit(&result)?, relayed(&result, &[])?.0);
        must!(near(&result)?, "{} of {theory}", mbit(&result)?);
    }
    {
        let lab = Lab::up("backoff", &["--medium", "10base-t"])?;
        for (on, user, ack, frame) in [(true, 1448, 90.0, 66), (false, 1460, 84.0, 54)] {
            stamps(&lab, on)?;
            let ceiling = turns(user as f64, ack);
            let model = |r: &Value| Ok::<f64, Failed>(modelled(user, frame, number(r, "/window")? / user));
            let near = |r: &Value| Ok((mbit(r)? / model(r)? - 1.0).abs() < 0.02);
            let result = until(|| windowed(&lab), near)?;
            let (rate, (text, counters)) = (mbit(&result)?, relayed(&result, &COLLISIONS_AND_DEFERRALS)?);
            println!(
                "backoff, timestamps {on}: {rate:.3} Mbit/s, model {:.3}, {PUBLISHED}; {text}",
                model(&result)?
            );
            must!(rate <= ceiling, "{rate} above {ceiling}");
            must!(counters[0] > 1_000 && counters[1] > 100, "{text}");
            must!(on_time(&result) && near(&result)?, "{rate}; {text}");
        }
    }
    let lab = Lab::up("full", &["--medium", "100base-tx"])?;
    let near = |r: &Value| Ok((mbit(r)? / 94.148 - 1.0).abs() < 0.005);
    let result = until(|| lab.measure("stream", "--time 10s"), near)?;
    println!("100base-tx full duplex: {:.3} of 94.148 Mbit/s", mbit(&result)?);
    must!(near(&result)?, "{}", mbit(&result)?);
    Ok(())
}

/// ATM: 32 cells a packet over LANE, 192 over Classical IP.
pub fn proven_atm() -> CommandOutput {
    for (medium, theory) in [("atm155-lane", 127.86), ("atm155-ipoa", 134.34)] {
        let lab = Lab::up("atm", &["--medium", medium])?;
        let near = |r: &Value| Ok((mbit(r)? / theory - 1.0).abs() < 0.01);
        let result = until(|| lab.measure("stream", "--time 10s"), near)?;
        println!("{medium}: {:.2} of {theory} Mbit/s", mbit(&result)?);
        must!(near(&result)?, "{} of {theory}", mbit(&result)?);
    }
    Ok(())
}

/// A link shaped to 100 Mbit/s carries 1448 of 1538 bytes on the wire: 94.15 Mbit/s.
pub fn within_half_a_per_cent() -> CommandOutput {
    const THEORY: f64 = 100e6 * 1448.0 / 1538.0;
    let lab = Lab::up("rate", &["--rate", "100Mbit"])?;
    // Other load delays the shaper's timer and only reduces goodput: the best of three must reach the
    // minimum, all must keep the maximum.
    let (time, wanted) = if proving() { ("10s", 0.995) } else { ("2s", 0.5) };
    let mut seen = Vec::new();
    let result = loop {
        let result = lab.measure("stream", &format!("--time {time}"))?;
        let share = number(&result, "/goodput_bps")? as f64 / THEORY;
        seen.push(share);
        must!(share < 1.005, "shares of the theory: {seen:?}");
        if share > wanted {
            break result;
        }
        must!(seen.len() < 3, "shares of the theory: {seen:?}");
    };
    let limit = number(&result, "/limit/goodput_bps")? as f64;
    must!((limit / THEORY - 1.0).abs() < 0.001, "limit {limit}: {}", result["limit"]);
    must!(result["hosts"][0]["cpu"]["scope"] == "shared", "{}", result["hosts"]);
    Ok(())
}
