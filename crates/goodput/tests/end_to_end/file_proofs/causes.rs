//! Five causes of a slow copy, planted in random order among controls: verdicts of `goodput file copy`.
//!
//! Client a and server b have disks of their own on a 1 Gbit/s link. The slow host pays for every packet on
//! its own CPU: a CPU share would not include kernel work. In a control "the wire" is right if the copy fills
//! it, and "cannot tell" always is.

use crate::file::Server;
use crate::stage::*;

/// Repeats per cause, and number of controls.
const TIMES: usize = 5;
/// Required correct verdicts of 25.
const RIGHT: usize = 23;
/// Share of the wire's limit that makes "the wire" right in a control.
const FULL: f64 = 0.9;

/// The name in the verdict, and the options of `lab up` that cause it.
struct Cause {
    name: &'static str,
    rate: &'static str,
    disks: [&'static str; 2],
    more: &'static [&'static str],
}

const FAST: [&str; 2] = ["a=2GiB", "b=2GiB"];

const CAUSES: [Cause; 6] = [
    Cause { name: "wire", rate: "200Mbit", disks: FAST, more: &[] },
    Cause { name: "client_cpu", rate: "1Gbit", disks: FAST, more: &["--pin=a", "--packet-cost=a=2000"] },
    Cause { name: "server_cpu", rate: "1Gbit", disks: FAST, more: &["--pin=b", "--packet-cost=b=2000"] },
    Cause { name: "client_disk", rate: "1Gbit", disks: ["a=2GiB@40MB", "b=2GiB"], more: &[] },
    Cause { name: "server_disk", rate: "1Gbit", disks: ["a=2GiB", "b=2GiB@40MB"], more: &[] },
    Cause { name: "nothing", rate: "1Gbit", disks: FAST, more: &[] },
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judged {
    Right,
    Undetermined,
    Wrong,
}

pub fn named() -> CommandOutput {
    let order = shuffled((0..CAUSES.len()).flat_map(|cause| [cause; TIMES]).collect());
    let mut planted = [[0usize; 3]; CAUSES.len()];
    for (at, cause) in order.iter().enumerate() {
        let (judged, told) = run(&CAUSES[*cause], at)?;
        println!("| {} | {} | {judged:?} | {told} |", at + 1, CAUSES[*cause].name);
        planted[*cause][judged as usize] += 1;
    }
    for (cause, [right, open, wrong]) in CAUSES.iter().zip(planted) {
        println!("{}: {right} right, {open} undetermined, {wrong} wrong", cause.name);
    }
    let right: usize = planted[..5].iter().map(|p| p[Judged::Right as usize]).sum();
    let wrong: usize = planted.iter().map(|p| p[Judged::Wrong as usize]).sum();
    must!(wrong == 0, "{wrong} wrong, {planted:?}");
    must!(right >= RIGHT, "{right} of {} right, {planted:?}", 5 * TIMES);
    Ok(())
}

fn run(cause: &Cause, number: usize) -> Result<(Judged, String), Failed> {
    let [client, server] = cause.disks;
    let mut options = vec!["--rate", cause.rate, "--disk", client, "--disk", server];
    options.extend(cause.more);
    let lab = Lab::up(&format!("cause-{number}"), &options)?;
    for (host, folder) in [("a", "/srv/local"), ("b", "/srv/share")] {
        lab.exec(host, ["mkdir", folder])?;
        if cause.name.ends_with("disk") {
            proven(&lab, host, cause)?;
        }
    }
    let server = Server::up(&lab, Path::new("/srv/share"), "")?;
    let at = format!("{} --server {} --server-folder /srv/share", server.from_a(&lab), lab.host("b"));
    let running =
        lab.home.start_line(&format!("file copy {at} --local /srv/local --size 200MB --repeat 3 --json"));
    let document = running.within(Duration::from_secs(600)).ended(0)?.json()?;
    let verdicts = list(&document["file_run"]["verdicts"]);
    must!(!verdicts.is_empty(), "no verdict in {document}");
    let told = verdicts.iter().map(|v| format!("{}: {}", v["way"], v["text"])).collect::<Vec<_>>().join("; ");
    Ok((judged(cause, verdicts, &document), told))
}

/// Wrong if any verdict names another cause, right if every one names this one.
fn judged(cause: &Cause, verdicts: &[Value], document: &Value) -> Judged {
    let names: Vec<Option<&str>> = verdicts.iter().map(|v| v["cause"].as_str()).collect();
    if cause.name == "nothing" {
        let fills = |v: &Value| {
            let mut copies = list(&document["file_run"]["copies"]).iter();
            let copy = copies.find(|c| c["kind"] == "copy" && c["way"] == v["way"]);
            let limit = copy.and_then(|c| c["limit_bps"].as_f64());
            limit.zip(v["rate_bps"].as_f64()).is_some_and(|(limit, rate)| rate >= FULL * limit)
        };
        let measured = |v: &Value| v["cause"].is_null() || v["cause"] == "wire" && fills(v);
        return if verdicts.iter().all(measured) { Judged::Right } else { Judged::Wrong };
    }
    if names.iter().flatten().any(|named| *named != cause.name) {
        Judged::Wrong
    } else if names.iter().all(Option::is_some) {
        Judged::Right
    } else {
        Judged::Undetermined
    }
}

/// Checks a planted disk's rate with fio's direct I/O, if available.
fn proven(lab: &Lab, host: &str, cause: &Cause) -> CommandOutput {
    let slow = cause.disks.iter().any(|d| d.starts_with(host) && d.contains('@'));
    let there = std::process::Command::new("fio").arg("--version").output().is_ok();
    if !slow || !there {
        return Ok(());
    }
    for way in ["write", "read"] {
        let fio = format!(
            "fio --name=proof --filename=/srv/fio --size=80M --rw={way} --bs=1m --direct=1 --output-format=json"
        );
        let document: Value = serde_json::from_str(&lab.exec(host, fio.split(' '))?)?;
        let rate = document["jobs"][0][way]["bw_bytes"].as_f64().unwrap_or(0.0);
        // The bucket's burst, a tenth of a second, passes at once: a twentieth of 80 MB.
        must!((36e6..46e6).contains(&rate), "{way}: {rate} B/s on a disk of 40 MB/s");
    }
    lab.exec(host, ["rm", "/srv/fio"]).map(drop)
}

/// Fisher-Yates shuffle with SplitMix64.
fn shuffled(mut list: Vec<usize>) -> Vec<usize> {
    let typed = std::env::var("GOODPUT_PROVE_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut state: u64 = typed.unwrap_or(5303);
    println!("seed {state}");
    for at in (1..list.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        list.swap(at, ((z ^ (z >> 31)) % (at as u64 + 1)) as usize);
    }
    list
}
