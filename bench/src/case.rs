//! The claims of the bench; [`crate::ratios`] computes them from readings.

use crate::contender::{Load, MixAt, Program, Receive, size};
use crate::metric::Metric;
use crate::peers::ROWS;
use crate::plan::{BenchPart, Block, FINE_DATAGRAM, Plan};
use goodput_analysis::performance_claim::PerformanceClaim;

#[derive(Debug, Clone)]
pub struct BenchCase {
    pub part: BenchPart,
    pub block: usize,
    pub text: String,
    pub ours: usize,
    /// With several, the best one counts.
    pub peers: Vec<usize>,
    pub metric: Metric,
    pub claim: PerformanceClaim,
    /// False for a ratio that is only printed.
    pub claimed: bool,
}

/// iperf3 at 64 B with offload against without: 1.5 times what its own offload brings (12.3 against 0.57
/// million datagrams per second).
const OFFLOAD_OVER_IPERF3: f64 = 32.0;
/// Share of a CPU for a sender of 10,000 datagrams per second.
const PACED_SHARE: f64 = 0.15;
/// Margin of a drive mark's row against fio, unless the resolution is coarser.
const ROW_MARGIN: f64 = 0.97;
/// Allowed error of its rate.
const PACED_ERROR: f64 = 0.005;

/// Omits claims whose peers are all missing.
pub fn asks(plan: &Plan) -> Vec<BenchCase> {
    let blocks = plan.blocks.iter().enumerate();
    blocks
        .flat_map(|(i, block)| match block.part {
            BenchPart::Stream => stream(i, block),
            BenchPart::Pingpong => pingpong(i, block),
            BenchPart::Request => request(i, block),
            BenchPart::Datagram => datagram(i, block),
            BenchPart::File => file(i, block),
        })
        .filter(|a| !a.peers.is_empty() || a.metric.has_no_peer())
        .collect()
}

fn place(block: &Block, program: Program, nth: usize) -> Option<usize> {
    block.contenders.iter().enumerate().filter(|(_, c)| c.program == program).map(|(i, _)| i).nth(nth)
}

fn places(block: &Block, programs: &[Program]) -> Vec<usize> {
    programs.iter().filter_map(|p| place(block, *p, 0)).collect()
}

fn stream(index: usize, block: &Block) -> Vec<BenchCase> {
    let (Some(plain), Some(coalescing)) =
        (place(block, Program::Goodput, 0), place(block, Program::Goodput, 1))
    else {
        return Vec::new();
    };
    let bytes: u64 = block.id.rsplit('.').next().and_then(|s| s.parse().ok()).unwrap_or(0);
    let cubic = block.id.starts_with("stream.cubic");
    let at = format!("{}, {}", size(bytes), if cubic { "cubic" } else { "default congestion control" });
    let polls = |place: &usize| {
        matches!(block.contenders[*place].load, Load::Stream { receive: Receive::PollAndRead(_), .. })
    };
    let (polling, raw): (Vec<usize>, Vec<usize>) =
        (0..).map_while(|nth| place(block, Program::Raw, nth)).partition(polls);
    let tools = places(block, &[Program::Iperf3, Program::Nuttcp, Program::Riperf3]);
    let ask = |text: &str, ours, peers, metric, claim| BenchCase {
        part: BenchPart::Stream,
        block: index,
        text: format!("stream {text}, {at}"),
        ours,
        peers,
        metric,
        claim,
        claimed: ours == plain,
    };
    let (goodput, cpu) = (Metric::Goodput, Metric::CpuPerByte);
    let mut cases = vec![
        ask("goodput", plain, raw, goodput, PerformanceClaim::AtLeast(0.97)),
        ask("goodput", plain, tools.clone(), goodput, PerformanceClaim::NotBelowOne),
        ask("CPU a byte", plain, tools, cpu, PerformanceClaim::NotAboveOne),
        ask(
            "goodput with receive coalescing",
            coalescing,
            vec![plain],
            goodput,
            PerformanceClaim::NotBelowOne,
        ),
        ask(
            "CPU a byte with receive coalescing",
            coalescing,
            vec![plain],
            cpu,
            PerformanceClaim::NotAboveOne,
        ),
    ];
    // Shows what the receive loop of iperf3 does to a small size: a busy receiver needs no wake-up.
    let iperf3 = places(block, &[Program::Iperf3]);
    cases.extend(polling.into_iter().map(|polling| {
        let text = "goodput of the raw loop with the receiver's calls of iperf3";
        ask(text, polling, iperf3.clone(), goodput, PerformanceClaim::NotBelowOne)
    }));
    cases
}

fn pingpong(index: usize, block: &Block) -> Vec<BenchCase> {
    let Some(ours) = place(block, Program::Goodput, 0) else { return Vec::new() };
    let ask = |text: String, metric, claim, claimed| BenchCase {
        part: BenchPart::Pingpong,
        block: index,
        text,
        ours,
        peers: places(block, &[Program::NpTcp]),
        metric,
        claim,
        claimed,
    };
    match block.id.as_str() {
        "pingpong.native" => vec![
            ask("native sweep, wall time".into(), Metric::Wall, PerformanceClaim::AtMost(0.4), true),
            ask(
                "native sweep, spread between sweeps".into(),
                Metric::Spread,
                PerformanceClaim::NotAboveOne,
                true,
            ),
        ],
        "pingpong.coverage" => {
            let wanted = PerformanceClaim::Within(0.93, 0.97);
            let mut asks = vec![ask(
                "native sweep, coverage of its 95 % intervals".into(),
                Metric::Coverage,
                wanted,
                true,
            )];
            let text = "native sweep, coverage, all sweeps brought to one speed".to_string();
            asks.push(ask(text, Metric::CoverageAtOneSpeed, wanted, false));
            asks.extend([1, 2, 5, 10, 20].map(|later| {
                let text = format!("native sweep, 95 % intervals against the sweep {later} later");
                ask(text, Metric::Agreement(later), wanted, false)
            }));
            asks
        }
        id => {
            // With both ends on one CPU no wake-up from idle hides the programs' own difference.
            let claimed = id.ends_with("one-cpu");
            let on = if claimed { "one CPU" } else { "two CPUs" };
            let all = Metric::Times(65, u64::MAX);
            let text = format!("compat sweep, {on}, time of sizes above 64 B");
            let mut asks = vec![ask(text, all, PerformanceClaim::Within(0.95, 1.05), claimed)];
            for k in 1..6 {
                let (from, to) = (10u64.pow(k), 10u64.pow(k + 1));
                // The claim is for sizes above 64 bytes.
                let text = format!("compat sweep, {on}, time of {} to {} B", from.max(65), to - 1);
                asks.push(ask(
                    text,
                    Metric::Times(from.max(65), to),
                    PerformanceClaim::AtMost(1.05),
                    claimed,
                ));
            }
            asks
        }
    }
}

fn request(index: usize, block: &Block) -> Vec<BenchCase> {
    let (Some(sleeping), Some(spinning)) =
        (place(block, Program::Goodput, 0), place(block, Program::Goodput, 1))
    else {
        return Vec::new();
    };
    let mut asks = Vec::new();
    for program in [Program::Sockperf, Program::Qperf] {
        let ask = |text: &str, ours, metric, claim| BenchCase {
            part: BenchPart::Request,
            block: index,
            text: text.into(),
            ours,
            peers: places(block, &[program]),
            metric,
            claim,
            claimed: true,
        };
        asks.push(ask(
            "request median round trip, sleeping",
            sleeping,
            Metric::RoundTrip,
            PerformanceClaim::NotAboveOne,
        ));
        asks.push(ask("request rate, sleeping", sleeping, Metric::Rate, PerformanceClaim::NotBelowOne));
        asks.push(ask("request rate, spinning", spinning, Metric::Rate, PerformanceClaim::AtLeast(2.0)));
    }
    asks
}

fn datagram(index: usize, block: &Block) -> Vec<BenchCase> {
    if block.id.starts_with("datagram.raw.") {
        return against_header_loop(index, block);
    }
    let (plain, offload) = match (place(block, Program::Goodput, 0), place(block, Program::Goodput, 1)) {
        (Some(plain), Some(offload)) => (plain, offload),
        (Some(ours), None) => return paced(index, ours),
        (None, _) => return Vec::new(),
    };
    let iperf3 = places(block, &[Program::Iperf3]);
    let raw = |nth| -> Vec<usize> { place(block, Program::Raw, nth).into_iter().collect() };
    let bytes: u64 = block.id.rsplit('.').next().and_then(|s| s.parse().ok()).unwrap_or(0);
    let (at, both) = (size(bytes), "with offload against without");
    let ask = |text: String, ours, peers: Vec<usize>, metric, claim, claimed| BenchCase {
        part: BenchPart::Datagram,
        block: index,
        text,
        ours,
        peers,
        metric,
        claim,
        claimed,
    };
    let (rate, cpu) = (Metric::Datagrams, Metric::CpuPerDatagram);
    let one_each = PerformanceClaim::AtLeast(1.2);
    let near_raw = PerformanceClaim::AtLeast(0.95);
    let small = bytes == 64;
    let over_iperf3 =
        if small { PerformanceClaim::AtLeast(OFFLOAD_OVER_IPERF3) } else { PerformanceClaim::NotBelowOne };
    let mut asks = vec![
        ask(format!("datagrams, {at}, --plain"), plain, iperf3.clone(), rate, one_each, true),
        ask(format!("datagrams, {at}"), offload, raw(0), rate, near_raw, bytes != FINE_DATAGRAM),
        ask(format!("datagrams, {at}, {both}"), offload, iperf3.clone(), rate, over_iperf3, small),
        ask(
            format!("CPU a datagram, {at}, --plain"),
            plain,
            iperf3.clone(),
            cpu,
            PerformanceClaim::NotAboveOne,
            true,
        ),
        ask(
            format!("CPU a datagram, {at}, {both}"),
            offload,
            iperf3.clone(),
            cpu,
            PerformanceClaim::NotAboveOne,
            true,
        ),
        ask(format!("datagrams, {at}, second ceiling"), offload, raw(1), rate, near_raw, false),
    ];
    // The reachable maximum.
    for (nth, which) in [(0, "ceiling"), (1, "second ceiling")] {
        if let Some(ceiling) = place(block, Program::Raw, nth) {
            let text = format!("{which}: {}, {at}, {both}", block.contenders[ceiling]);
            asks.push(ask(text, ceiling, iperf3.clone(), rate, over_iperf3, false));
        }
    }
    asks
}

fn file(index: usize, block: &Block) -> Vec<BenchCase> {
    let Some(ours) = place(block, Program::Goodput, 0) else { return Vec::new() };
    let peers: Vec<usize> = block.peers().collect();
    let ask = |text: String, metric, claim| BenchCase {
        part: BenchPart::File,
        block: index,
        text,
        ours,
        peers: peers.clone(),
        metric,
        claim,
        claimed: true,
    };
    match &block.contenders[ours].load {
        Load::Share { .. } => vec![
            ask("600 MB written over SMB".into(), Metric::Written, PerformanceClaim::NotBelowOne),
            ask("600 MB read over SMB".into(), Metric::ReadBack, PerformanceClaim::NotBelowOne),
        ],
        Load::Mix { at: MixAt::Folder } => vec![
            ask("dbench's load in a folder".into(), Metric::Mix, PerformanceClaim::AtLeast(0.95)),
            ask(
                "user CPU an operation, dbench's load in a folder".into(),
                Metric::UserCpu,
                PerformanceClaim::NotAboveOne,
            ),
        ],
        Load::Mix { at: MixAt::Net } => {
            let text = "dbench's load without files, 1 Gbit/s".into();
            vec![ask(text, Metric::Mix, PerformanceClaim::Within(0.95, 1.05))]
        }
        Load::Drive { .. } => ROWS
            .iter()
            .map(|row| {
                ask(
                    format!("drive mark, {}", row.name),
                    Metric::Row(row.name),
                    PerformanceClaim::AtLeast(ROW_MARGIN),
                )
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn against_header_loop(index: usize, block: &Block) -> Vec<BenchCase> {
    let Some(ours) = place(block, Program::Goodput, 0) else { return Vec::new() };
    vec![BenchCase {
        part: BenchPart::Datagram,
        block: index,
        text: format!("datagrams, {}, many pairs", size(FINE_DATAGRAM)),
        ours,
        peers: places(block, &[Program::Raw]),
        metric: Metric::Datagrams,
        claim: PerformanceClaim::AtLeast(0.95),
        claimed: true,
    }]
}

/// Without a peer: each metric has a bound.
fn paced(index: usize, ours: usize) -> Vec<BenchCase> {
    let ask = |text: &str, metric, bound, claimed| BenchCase {
        part: BenchPart::Datagram,
        block: index,
        text: format!("10,000 datagrams a second, {text}"),
        ours,
        peers: Vec::new(),
        metric,
        claim: PerformanceClaim::AtMost(bound),
        claimed,
    };
    vec![
        ask("CPU of the sending program", Metric::SenderShare, PACED_SHARE, true),
        ask("rate error", Metric::RateError, PACED_ERROR, true),
        ask("all CPU time on the sender's core", Metric::SenderCpuShare, PACED_SHARE, false),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_of_the_issue_are_all_there() {
        let asks = asks(&Plan::new(&Program::ALL, false));
        let claimed = |part| asks.iter().filter(|a| a.part == part && a.claimed).count();
        // Four sizes with two congestion controls: the raw loop, the best peer, its CPU.
        assert_eq!(claimed(BenchPart::Stream), 4 * 2 * 3);
        // All sizes, five decades; wall time, spread, coverage.
        assert_eq!(claimed(BenchPart::Pingpong), 6 + 3);
        assert_eq!(claimed(BenchPart::Request), 2 * 3);
        // Two sizes: plain and its CPU, offload and its CPU, the raw loop; 32 times at 64 B; CPU and error at
        // a rate.
        assert_eq!(claimed(BenchPart::Datagram), 2 * 4 + 1 + 2);
        // Written and read over SMB; dbench's rate and CPU; tbench's rate; four rows, read and written.
        assert_eq!(claimed(BenchPart::File), 2 + 2 + 1 + 8);
    }
}
