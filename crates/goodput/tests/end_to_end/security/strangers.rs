//! Attacks on every port: no reflection, no access, and clients are served during and after them.

use super::stranger;
use crate::stage::{Home, Lab, Running};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use std::time::{Duration, Instant};

/// Host b on a lab's first link, and an unused address.
const B: &str = "10.53.0.2";
const NOBODY: &str = "10.53.0.77";

fn begin(home: &Home, lab: &Lab<'_>, host: &str, words: &[&str]) -> Result<Running, Failed> {
    let (host, itself) = (lab.host(host), std::env::current_exe()?);
    let itself = itself.to_string_lossy();
    Ok(home.start(["lab", "exec", &host, &itself, stranger::WORD].iter().chain(words)))
}

#[derive(Debug)]
struct Counted {
    datagrams_out: u64,
    messages_out: u64,
    bytes_out: u64,
    bytes_in: u64,
}

fn counted(lab: &Lab<'_>, host: &str) -> Result<Counted, Failed> {
    let snmp = lab.exec(host, ["cat", "/proc/net/snmp"])?;
    let counter = |protocol: &str, name: &str| -> Result<u64, Failed> {
        let mut lines = snmp.lines().filter(|l| l.starts_with(protocol)).map(str::split_whitespace);
        let (names, mut values) = (lines.next().ok_or("no names")?, lines.next().ok_or("no values")?);
        let at = names.clone().position(|n| n == name).ok_or_else(|| format!("no {name} in {snmp}"))?;
        Ok(values.nth(at).ok_or("no value")?.parse()?)
    };
    let devices = lab.exec(host, ["cat", "/proc/net/dev"])?;
    let link = devices.lines().find_map(|l| l.trim().strip_prefix("eth0:")).ok_or("no eth0")?;
    let words: Vec<u64> = link.split_whitespace().filter_map(|w| w.parse().ok()).collect();
    let column = |at: usize| words.get(at).copied().ok_or_else(|| Failed::from(link));
    Ok(Counted {
        datagrams_out: counter("Udp:", "OutDatagrams")?,
        messages_out: counter("Icmp:", "OutMsgs")?,
        bytes_in: column(0)?,
        bytes_out: column(8)?,
    })
}

fn said(text: &str, word: &str) -> Result<u64, Failed> {
    let mut words = text.split_whitespace().skip_while(|w| *w != word);
    words.nth(1).and_then(|n| n.parse().ok()).ok_or_else(|| format!("no {word} in {text}").into())
}

fn served(home: &Home, lab: &Lab<'_>, from: &str, probe: &str) -> Result<Duration, Failed> {
    let (from, to) = (lab.host(from), lab.host("b"));
    let line = format!("{probe} {to} --from {from} --time 200ms --warm-up 0s --no-save --json");
    let ran = home.line(&line).ended(0)?;
    must!(ran.json()?["outcome"] == "complete", "{}", ran.stdout);
    Ok(ran.took)
}

/// The UDP data port never answers without a token, by the counters of the stranger's socket, the host's UDP
/// and ICMP, and the link.
pub fn nothing_reflected() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "reflect", &[])?;
    // Resolves link addresses before counting.
    served(&home, &lab, "a", "stream")?;
    let before = counted(&lab, "b")?;
    let to = format!("{B}:5304");
    let told = begin(&home, &lab, "a", &["datagrams", &to, NOBODY])?.end().ended(0)?.stdout;
    let after = counted(&lab, "b")?;
    let sent = said(&told, "sent")?;
    must!(sent > 1_000_000 && said(&told, "heard")? == 0, "{told}");
    must!(after.bytes_in - before.bytes_in > sent, "{told}: {before:?} {after:?}");
    must!(after.datagrams_out == before.datagrams_out, "{before:?} {after:?}");
    must!(after.messages_out == before.messages_out, "{before:?} {after:?}");
    // ARP requests are no answer to a datagram.
    let out = after.bytes_out - before.bytes_out;
    must!(out < 2_000, "{out} bytes went out: {before:?} {after:?}");
    served(&home, &lab, "a", "stream")?;
    served(&home, &lab, "a", "request --kind udp_rr")?;
    Ok(())
}

/// 400 silent, slow or garbage connections to the data port, then the control port: clients of other
/// addresses are served meanwhile, of the same address afterwards.
pub fn flooded() -> CommandOutput {
    let home = Home::new();
    let topology = "[[host]]\nname = 'a'\n[[host]]\nname = 'b'\n[[host]]\nname = 'c'\n\
                    [[link]]\nhosts = ['a', 'b', 'c']\n";
    let file = home.path().join("three.toml");
    std::fs::write(&file, topology)?;
    let lab = Lab::up(&home, "flood", &[&file.to_string_lossy()])?;
    let quiet = served(&home, &lab, "c", "stream")?;
    for port in ["5304", "5303"] {
        let to = format!("{B}:{port}");
        let flood = begin(&home, &lab, "a", &["connections", &to, "8"])?;
        std::thread::sleep(Duration::from_secs(1));
        for _ in 0..2 {
            served(&home, &lab, "c", "stream --connections 4")?;
        }
        let told = flood.end().ended(0)?.stdout;
        let began = Instant::now();
        served(&home, &lab, "a", "stream")?;
        // The deadlines are 3 s each.
        must!(began.elapsed() < quiet + Duration::from_secs(3), "{:?} after {told}", began.elapsed());
        must!(said(&told, "made")? > 400, "{told}");
        // Garbage and invalid openings get at most one status byte or alert.
        must!(said(&told, "heard")? <= 7 * said(&told, "made")?, "{told}");
    }
    Ok(())
}
