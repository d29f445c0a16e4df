//! Further expectations of EXPECTED.md against full-length medians; not CPU and counters of single windows.

use crate::stage::*;
use std::collections::BTreeMap;

const KIB: u64 = 1 << 10;
/// Excess of a token bucket over its rate in a window, as a share.
const BURST: f64 = 1.001;

type Levels<'a> = &'a [(&'a str, &'a str)];

pub struct Measured<'a>(pub &'a Value);

impl Measured<'_> {
    /// Medians in bit/s (bytes for a path MTU) by message size, 0 where the metric has none: of a probe's
    /// metric with this suffix, at these levels.
    fn medians(&self, probe: &str, figure: &str, levels: Levels<'_>) -> Result<BTreeMap<u64, f64>, Failed> {
        let cells = list(&self.0["cells"]);
        let meant = |cell: &&Value| {
            cell["probe"] == probe
                && cell["figure"].as_str().is_some_and(|f| f.ends_with(figure))
                && levels.iter().all(|(factor, level)| cell["levels"][*factor] == *level)
        };
        let mut found = BTreeMap::new();
        for cell in cells.iter().filter(meant) {
            let median = cell["median"].as_f64().ok_or_else(|| format!("no median: {cell}"))?;
            let before = found.insert(cell["size_bytes"].as_u64().unwrap_or(0), median);
            must!(before.is_none(), "{levels:?} are no single combination of {probe}: {cell}");
        }
        must!(!found.is_empty(), "{probe}.{figure} was not measured at {levels:?}");
        Ok(found)
    }

    fn median(&self, probe: &str, figure: &str, levels: Levels<'_>) -> Result<f64, Failed> {
        let found = self.medians(probe, figure, levels)?;
        found.get(&0).copied().ok_or_else(|| format!("{probe}.{figure} is a curve: {found:?}").into())
    }

    fn statements<'b>(&'b self, ids: &'b [&str]) -> impl Iterator<Item = &'b Value> {
        let all = list(&self.0["conclusions"]);
        all.iter().filter(move |c| c["id"].as_str().is_some_and(|id| ids.contains(&id)))
    }

    /// True if a statement of these kinds has evidence of such a combination.
    fn shown(&self, ids: &[&str], combination: &str) -> bool {
        let mut evidence = self.statements(ids).flat_map(|c| list(&c["evidence"])).filter_map(Value::as_str);
        evidence.any(|e| e.starts_with(combination))
    }

    fn below_limits(&self) -> CommandOutput {
        let above: Vec<&Value> = self.statements(&["above-limit"]).map(|c| &c["text"]).collect();
        must!(above.is_empty(), "{above:?}");
        Ok(())
    }
}

fn greatest(curve: &BTreeMap<u64, f64>) -> f64 {
    curve.values().copied().fold(0.0, f64::max)
}

/// The base falls to a tenth and recovers in part; each single change fixes it; 10 Mbit/s beats 100.
pub fn slow_pc_fast_nic(study: &Measured<'_>) -> CommandOutput {
    const BASE: [(&str, &str); 4] =
        [("chipset", "slow-bus"), ("nic", "small-buffer"), ("link", "100base-tx"), ("tcp", "newreno")];
    const BROKEN: [&str; 3] = ["collapse", "fall", "dip"];
    let with = |factor: &str, level: &str| {
        let changed = BASE.map(|(f, l)| if f == factor { (f, level) } else { (f, l) });
        study.medians("sweep", "goodput_bps", &changed)
    };
    let base = study.medians("sweep", "goodput_bps", &BASE)?;
    let best_before = greatest(&base.range(..8 * KIB).map(|(s, r)| (*s, *r)).collect());
    let lowest = base.range(8 * KIB..=16 * KIB).min_by(|a, b| a.1.total_cmp(b.1));
    let (&at, &lowest) = lowest.ok_or("no size between 8 and 16 KiB")?;
    must!(lowest * 10.0 <= best_before, "{lowest} bit/s at {at} B, {best_before} below: no tenth");
    let later = greatest(&base.range(at + 1..).map(|(s, r)| (*s, *r)).collect());
    must!(later >= 3.0 * lowest, "{later} bit/s above {at} B, {lowest} at it: it does not come back");
    must!(study.shown(&BROKEN, "slow-bus, small-buffer, 100base-tx, newreno"), "the base's fall has no name");
    for (factor, level, words) in
        [("nic", "large-buffer", "slow-bus, large-buffer"), ("chipset", "pci", "pci, small-buffer")]
    {
        let mended = with(factor, level)?;
        must!(!study.shown(&BROKEN, words), "{words} is said to fall as well");
        must!(mended[&at] >= 5.0 * lowest, "{} bit/s with {level}, {lowest} without, at {at} B", mended[&at]);
    }
    let pci = greatest(&with("chipset", "pci")?);
    must!(pci >= 3.0 * greatest(&base), "pci gives {pci} bit/s, the slow bus {}", greatest(&base));
    let sack = with("tcp", "sack")?[&at];
    must!(sack >= 5.0 * lowest, "{sack} bit/s with selective acknowledgements, {lowest} without, at {at} B");
    let ten = with("link", "10base-t")?;
    let overtaken = base.range(4 * KIB..=16 * KIB).any(|(size, rate)| ten[size] >= 2.0 * rate);
    must!(overtaken, "10base-t is nowhere twice as fast: {ten:?} and {base:?}");
    study.below_limits()
}

/// The slow disk limits a copy to 33 MB/s; the bus limits the fast CPU in both directions.
pub fn gigabit_bottleneck(study: &Measured<'_>) -> CommandOutput {
    const BUS: f64 = 800e6;
    const DISK: f64 = 264e6;
    for cpu in ["slow-cpu", "fast-cpu"] {
        let copy = study.median("copy", "rate_bps.median", &[("disk", "slow-disk"), ("cpu", cpu)])?;
        must!((copy / DISK - 1.0).abs() <= 0.05, "{cpu}: a copy of {copy} bit/s from a disk of {DISK}");
    }
    let rate = |probe, bus| study.median(probe, "goodput_bps", &[("cpu", "fast-cpu"), ("bus", bus)]);
    let (pci, csa, both) = (rate("tcp", "pci")?, rate("tcp", "csa")?, rate("duplex", "pci")?);
    must!(pci <= BUS * BURST && both <= BUS * BURST, "{pci} and {both} bit/s on a bus of {BUS}");
    must!(csa > BUS, "{csa} bit/s past the bus, which gives {BUS}");
    study.below_limits()
}

/// UDP exceeds TCP over LANE by the header sizes; nothing exceeds its medium.
pub fn atm_vs_ethernet(study: &Measured<'_>) -> CommandOutput {
    // docs/methods/limits.md: at an MTU of 1500, UDP's 8 bytes against TCP's 32 with timestamps.
    const HEADERS: f64 = 129.98 / 127.86;
    let rate =
        |probe| study.median(probe, "goodput_bps", &[("link", "atm155-lane"), ("packet-cost", "cheap")]);
    let more = rate("udp")? / rate("tcp")?;
    must!((more / HEADERS - 1.0).abs() < 0.01, "UDP is {more} times TCP where headers make {HEADERS}");
    study.below_limits()
}

pub fn jumbo_frames(study: &Measured<'_>) -> CommandOutput {
    for (mtu, bytes) in [("1500", 1500.0), ("7150", 7150.0)] {
        for way in ["path_mtu.forward", "path_mtu.reverse"] {
            let passes = study.median("path", way, &[("mtu", mtu)])?;
            must!((passes - bytes).abs() < 0.5, "an MTU of {mtu} was set, and {passes} B pass: {way}");
        }
    }
    study.below_limits()
}

/// Every curve saturates at a reported size; both directions together reach the bus.
pub fn server_adapters(study: &Measured<'_>) -> CommandOutput {
    const BUS: f64 = 1066e6;
    let saturates: Vec<&str> = study.statements(&["saturates"]).filter_map(|c| c["text"].as_str()).collect();
    must!(saturates.iter().any(|t| t.starts_with("load saturates in all")), "{saturates:?}");
    for cost in ["cheap", "dear"] {
        let levels = [("adapter", "on-board"), ("direction", "duplex"), ("packet-cost", cost)];
        let most = greatest(&study.medians("load", "goodput_bps", &levels)?);
        must!(most <= BUS * BURST, "{most} bit/s both ways on a bus of {BUS}");
    }
    for adapter in ["card", "on-board"] {
        // Where both directions have the smallest requests, expensive packets only move the CPU between them.
        for (direction, smallest) in [("transmit", 64), ("receive", 64), ("duplex", 128)] {
            let with = |cost| {
                let levels = [("adapter", adapter), ("direction", direction), ("packet-cost", cost)];
                study.medians("load", "pe_index", &levels)
            };
            let (cheap, dear) = (with("cheap")?, with("dear")?);
            for (size, dear) in dear.range(smallest..) {
                let cheap = cheap.get(size).ok_or_else(|| format!("no {size} B with cheap packets"))?;
                must!(dear < cheap, "{adapter}, {direction}, {size} B: P/E {dear} dear, {cheap} cheap");
            }
        }
    }
    study.below_limits()
}
