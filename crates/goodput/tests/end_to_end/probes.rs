//! Probes on loopback and in a lab: schedules kept, effects visible, counts and figures that agree.

use crate::stage::*;

const MS: u64 = 1_000_000;

/// Totals by three independent counts: the receiver's, the kernels' (TCP_INFO, without the opening), and the
/// sum of intervals.
pub fn add_up() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let shapes = [
        "--time 100ms",
        "--time 60ms --direction receive --size 1000",
        "--time 60ms --direction both",
        "--time 60ms --connections 4 --size 8KiB",
        "--bytes 20MB",
        "--time 60ms --sender batch:16 --size 100",
        "--time 60ms --sender sendfile",
        "--time 60ms --receiver discard",
    ];
    let runs = if proving() { 200 } else { shapes.len() * 5 };
    for run in 0..runs {
        let shape = shapes[run % shapes.len()];
        let warm_up = if shape.contains("--bytes") { "" } else { "--warm-up 20ms" };
        let line = format!("stream 127.0.0.1 {} {shape} {warm_up} --no-save --json", agent.ports());
        let result = home.line(&line).measured()?;
        must!(result["run"].is_null(), "saved in spite of --no-save: {result}");
        for (i, direction) in list(&result["directions"]).iter().enumerate() {
            let at = |field: &str| number(&result, &format!("/directions/{i}/{field}"));
            let total = at("total_bytes")?;
            let kernels = [at("receiver_tcp/bytes_received")?, at("sender_tcp/bytes_acked")?];
            must!(total > 0 && kernels == [total; 2], "run {run}, {line}: {direction}");
            let intervals = list(&direction["intervals"]).iter();
            let intervals: u64 = intervals.filter_map(|i| i[1].as_u64()).sum();
            must!(intervals == at("bytes")?, "run {run}, {line}: intervals {intervals}, {direction}");
        }
    }
    Ok(())
}

/// A stall of 200 ms in five seconds: an open loop shows it in every affected request, a closed loop once.
pub fn open_and_closed() -> CommandOutput {
    undisturbed(5, || one_stall(true))?;
    undisturbed(5, || one_stall(false))
}

fn one_stall(open: bool) -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let rate = if open { "--rate 1000" } else { "" };
    let line = agent.probe("request", &format!("{rate} --time 5s --warm-up 500ms --json"));
    let client = home.start_line(&line);
    std::thread::sleep(Duration::from_millis(2_500));
    let stopped = Instant::now();
    agent.signal("STOP");
    std::thread::sleep(Duration::from_millis(200));
    agent.signal("CONT");
    let stall = stopped.elapsed().as_nanos() as u64;
    let result = client.end().measured()?;
    let (p99, max) = (number(&result, "/latency_ns/p99")?, number(&result, "/latency_ns/max")?);
    must!(max >= 195 * MS, "open {open}: max {max} ns");
    if open {
        // 50 of 5,000 requests waited for more than three quarters of the stall.
        let expected = stall - 50 * MS;
        must!(p99.abs_diff(expected) <= 20 * MS, "open loop: p99 {p99} ns in a stall of {stall} ns");
    } else {
        must!(p99 < 20 * MS, "closed loop: p99 {p99} ns");
    }
    Ok(())
}

/// The schedule is kept, and the effect of a load is visible.
pub fn idle_and_loaded() -> CommandOutput {
    let lab = Lab::up("latency", &["--rate", "50Mbit"])?;
    let result = lab.measure("latency", "--time 1s --warm-up 500ms --congestion cubic")?;
    let trials = list(&result["trials"]);
    let loads: Vec<_> = trials.iter().map(|t| t["probe"]["load"].as_str().unwrap_or("idle")).collect();
    must!(loads == ["idle", "send", "receive", "both"], "{loads:?}");
    let idle = number(&trials[0], "/latency_ns/p50")?;
    must!(trials[0]["goodput_bps"].is_null() && trials[0]["limit"]["goodput_bps"].is_null(), "{}", trials[0]);
    for trial in trials {
        let of = |name: &str| number(trial, &format!("/probes/{name}"));
        let (answered, lost) = (of("answered")?, of("lost")?);
        // In 1 s one each 5 ms.
        must!(of("sent")? == 200 && answered + lost == 200, "{}", trial["probes"]);
        must!(number(trial, "/latency_ns/count")? == answered, "{}", trial["latency_ns"]);
    }
    for trial in &trials[1..] {
        let loaded = number(trial, "/latency_ns/p50")?;
        must!(loaded > idle + MS, "idle {idle} ns, loaded {loaded} ns");
        let share = trial["percent_of_limit"].as_f64().ok_or("no share of the limit")?;
        must!((50.0..100.5).contains(&share), "{share} % of the limit");
    }
    let shown = lab.home.line("show").ended(0)?.stdout;
    must!(shown.contains("Idle and loaded latency"), "{shown}");
    Ok(())
}

/// A compat sweep measures NetPIPE's 103 sizes and writes NetPIPE's format.
pub fn np_out() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let file = home.path().join("np.out");
    let more = format!("--compat --repeats 4 --np-out {} --json", file.display());
    let result = home.line(&agent.probe("pingpong", &more)).measured()?;
    let points = list(&result["points"]);
    must!(points.len() == 103 && points[102]["size_bytes"] == 786_435, "{points:?}");
    let text = fs::read_to_string(&file)?;
    let sizes = text.lines().map(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    must!(sizes.eq(points.iter().map(|point| point["size_bytes"].as_u64())), "{text}");
    let exported = home.line("export last --format netpipe").ended(0)?.stdout;
    must!(exported == text, "{exported}");
    Ok(())
}

/// The hosts of a lab share one clock, so the offset is 0 within its bound.
pub fn one_clock() -> CommandOutput {
    let lab = Lab::up("clock", &[])?;
    let result = lab.measure("clock", "--time 1s")?;
    let clock = &result["clock"];
    let offset = clock["offset_ns"].as_i64().ok_or_else(|| format!("no offset in {result}"))?;
    must!(offset.unsigned_abs() <= number(clock, "/error_ns")?, "{clock}");
    must!(number(clock, "/round_trip_ns")? > 0 && list(&clock["intervals"]).len() >= 5, "{clock}");
    let csv = lab.home.line("export --format csv --table metrics").ended(0)?.stdout;
    must!(csv.contains(&format!("1,clock.offset_ns,{offset},ns\n")), "{csv}");
    // The default is the table with the most detail.
    let csv = lab.home.line("export --format csv").ended(0)?.stdout;
    must!(csv.starts_with("trial,at_ns,offset_ns,error_ns\n") && csv.lines().count() >= 6, "{csv}");
    Ok(())
}

pub fn limits_by_name() -> CommandOutput {
    let home = Home::new();
    let listed = home.json("limits")?;
    let has = |name: &str| list(&listed["media"]).iter().any(|m| m["name"] == name);
    must!(has("atm155-lane") && has("csa"), "{listed}");
    // Mbit/s of TCP with timestamps over IPv4; MB/s for a bus.
    for (line, unit, expected) in [
        ("--medium 1000base-t", 1e6, "941.48"),
        ("--medium atm155-lane", 1e6, "127.86"),
        ("--medium 1000base-t --vlan --ip 6 --no-timestamps", 1e6, "933.85"),
        ("--medium pci-x-133", 8e6, "1066.40"),
    ] {
        let result = home.line(&format!("limits {line} --json")).measured()?;
        let bps = number(&result, "/limits/0/traffic/0/goodput_bps")? as f64;
        must!(format!("{:.2}", bps / unit) == expected, "{line}: {bps}");
    }
    let text = home.line("limits --medium 1000base-t --medium disk:55MB").ended(0)?.stdout;
    must!(text.ends_with("bounded by disk:55MB: 440.00 Mbit/s.\n"), "{text}");
    let both = home.line("limits --medium 10gbase-t --bus pci-32-33 --json").measured()?;
    must!(both["bounded_by"] == "pci-32-33", "{both}");
    Ok(())
}
