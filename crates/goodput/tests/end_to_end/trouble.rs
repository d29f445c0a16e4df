//! What goes wrong: refused arguments, hosts that cannot be reached, ends that are killed or interrupted.

use crate::stage::*;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

pub fn refused_arguments() -> CommandOutput {
    let home = Home::new();
    for line in [
        "pingpong h --smallest 2KiB --largest 1KiB",
        "load lab:server --clients 10.0.0.2",
        "show no-such-run",
        "key",
        "",
    ] {
        let plain = home.line(line);
        must!(plain.stdout.is_empty() && plain.stderr.starts_with("error: "), "{line}: {}", plain.stderr);
        plain.refused(2, &[])?;
        home.line(&format!("{line} --json")).refused(2, &[])?;
    }
    // Bytes that are no text.
    for bytes in [&b"\xff\xfe"[..], b"--size=\xff", b"-\xc3\x28"] {
        let bytes = OsString::from_vec(bytes.to_vec());
        let ran = home.run(["stream".into(), bytes, "--json".into(), "--deadline=20ms".into()]);
        must!([2, 3].contains(&ran.code()) && !ran.stderr.contains("panicked"), "{}", ran.stderr);
        ran.json()?;
    }
    home.json("stream --help").map(drop)
}

/// An error within the deadline and some time for the start of the program.
pub fn unreachable() -> CommandOutput {
    let closed = format!("stream 127.0.0.1 --port {} --json", find_free_port());
    let unknown = "stream no-such-host.invalid --deadline 5s --json".to_string();
    for (line, most, words) in [
        (closed, Duration::from_millis(3_500), &["refuses", "goodput agent"][..]),
        (unknown, Duration::from_millis(7_500), &["no-such-host.invalid"]),
    ] {
        let ran = Home::new().line(&line);
        must!(ran.took < most, "took {:?}", ran.took);
        ran.refused(3, words)?;
    }
    Ok(())
}

/// The other end reports it within its deadline, and data is saved.
pub fn peer_killed() -> CommandOutput {
    for probe in ["stream", "stream --direction receive", "request", "pingpong"] {
        let (home, agent) = Home::with_agent()?;
        let time = if probe.starts_with("pingpong") { "" } else { "--time 20s --warm-up 100ms" };
        let client = home.start_line(&agent.probe(probe, &format!("{time} --deadline 2s --json")));
        std::thread::sleep(Duration::from_millis(1500));
        agent.signal("KILL");
        let ran = client.end().ended(5)?;
        must!(ran.took < Duration::from_secs(8), "{probe}: took {:?}", ran.took);
        let document = ran.json()?;
        must!(document["outcome"] == "partial" && document["error"]["exit_code"] == 5, "{probe}: {document}");
        let shown = home.line("show --json").measured()?;
        must!(shown["outcome"] == "partial" && shown["run"] == document["run"], "{probe}: {shown}");
    }
    Ok(())
}

/// Ctrl-C ends a trial early and keeps its data.
pub fn interrupted() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let client = home.start_line(&agent.probe("stream", "--time 30s --warm-up 100ms --json"));
    std::thread::sleep(Duration::from_millis(1500));
    client.signal("INT");
    let ran = client.end().ended(130)?;
    must!(ran.took < Duration::from_secs(5), "took {:?}", ran.took);
    let document = ran.json()?;
    must!(document["outcome"] == "partial" && document["error"]["exit_code"] == 130, "{document}");
    must!(number(&document, "/bytes")? > 0, "{document}");
    home.json(&agent.probe("stream", "--time 200ms --warm-up 0s")).map(drop)
}

/// The trials until then are kept, and prove nothing.
pub fn peer_of_a_diagnosis_killed() -> CommandOutput {
    let (home, agent) = Home::with_agent()?;
    let mut client = home.start_line(&agent.probe("why", "--deadline 2s --events"));
    for _ in 0..3 {
        client.says("trial_finished", Duration::from_secs(60))?;
    }
    agent.signal("KILL");
    // During a trial, or between two.
    let ran = client.end();
    must!([3, 5].contains(&ran.code()), "{}{}", ran.stdout, ran.stderr);
    let shown = home.line("show --json").measured()?;
    must!(shown["diagnosis"]["verdict"] == "not_proven", "{shown}");
    must!(number(&shown, "/diagnosis/trials")? >= 3, "{shown}");
    Ok(())
}
