//! Attacks on every port: no reflection, no access, and clients are served during and after them.

use super::{idle, stranger};
use crate::stage::*;

/// Host b on a lab's first link, and an unused address.
const B: &str = "10.53.0.2";
const NOBODY: &str = "10.53.0.77";

fn begin(lab: &Lab, host: &str, words: &[&str]) -> Result<Running, Failed> {
    let (host, itself) = (lab.host(host), std::env::current_exe()?);
    let itself = itself.to_string_lossy();
    Ok(lab.home.start(["lab", "exec", &host, &itself, stranger::WORD].iter().chain(words)))
}

/// Datagrams and ICMP messages sent, bytes received and sent.
fn counted(lab: &Lab, host: &str) -> Result<[u64; 4], Failed> {
    let text = lab.exec(host, ["cat", "/proc/net/snmp"])?;
    let links = link_counters(&lab.exec(host, ["cat", "/proc/net/dev"])?);
    Ok([snmp(&text, "Udp", "OutDatagrams")?, snmp(&text, "Icmp", "OutMsgs")?, links[0], links[8]])
}

fn said(text: &str, word: &str) -> Result<u64, Failed> {
    let mut words = text.split_whitespace().skip_while(|w| *w != word);
    words.nth(1).and_then(|n| n.parse().ok()).ok_or_else(|| format!("no {word} in {text}").into())
}

fn served(lab: &Lab, from: &str, probe: &str) -> Result<Duration, Failed> {
    let (from, to) = (lab.host(from), lab.host("b"));
    let line = format!("{probe} {to} --from {from} --time 200ms --warm-up 0s --no-save --json");
    let ran = lab.home.line(&line).ended(0)?;
    must!(ran.json()?["outcome"] == "complete", "{}", ran.stdout);
    Ok(ran.took)
}

/// The UDP data port never answers without a token, by the counters of the stranger's socket, the host's UDP
/// and ICMP, and the link.
pub fn nothing_reflected() -> CommandOutput {
    let lab = Lab::up("reflect", &[])?;
    // Resolves link addresses before counting.
    served(&lab, "a", "stream")?;
    let before = counted(&lab, "b")?;
    let to = format!("{B}:5304");
    let told = begin(&lab, "a", &["datagrams", &to, NOBODY])?.end().ended(0)?.stdout;
    let after = counted(&lab, "b")?;
    let sent = said(&told, "sent")?;
    must!(sent > 1_000_000 && said(&told, "heard")? == 0, "{told}");
    let [datagrams, messages, came, went] = [0, 1, 2, 3].map(|at| after[at] - before[at]);
    // ARP requests are no answer to a datagram.
    let silent = (datagrams, messages) == (0, 0) && went < 2_000;
    must!(came > sent && silent, "{told}: {before:?} {after:?}");
    served(&lab, "a", "stream")?;
    served(&lab, "a", "request --kind udp_rr").map(drop)
}

/// 400 silent, slow or garbage connections to the data port, then the control port: clients of other
/// addresses are served meanwhile, of the same address afterwards. The long form adds idle connections.
pub fn flooded() -> CommandOutput {
    let topology = "[[host]]\nname = 'a'\n[[host]]\nname = 'b'\n[[host]]\nname = 'c'\n\
                    [[link]]\nhosts = ['a', 'b', 'c']\n";
    let lab = Lab::of("flood", topology)?;
    let quiet = served(&lab, "c", "stream")?;
    for port in ["5304", "5303"] {
        let to = format!("{B}:{port}");
        let flood = begin(&lab, "a", &["connections", &to, "8"])?;
        std::thread::sleep(Duration::from_secs(1));
        served(&lab, "c", "stream --connections 4")?;
        served(&lab, "c", "stream --connections 4")?;
        let told = flood.end().ended(0)?.stdout;
        let began = Instant::now();
        served(&lab, "a", "stream")?;
        // The deadlines are 3 s each.
        must!(began.elapsed() < quiet + Duration::from_secs(3), "{:?} after {told}", began.elapsed());
        must!(said(&told, "made")? > 400, "{told}");
        // Garbage and invalid openings get at most one status byte or alert.
        must!(said(&told, "heard")? <= 7 * said(&told, "made")?, "{told}");
    }
    if proving() { idle::nine_addresses(&lab) } else { Ok(()) }
}
