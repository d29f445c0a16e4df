//! Whole command lines: what they mean, how they are refused, and that none of them can make it panic.

use super::*;
use crate::exit::Exit;
use goodput_model::probe::{Direction, PingPongMethod, Stop};
use goodput_model::{BitRate, Bytes, Nanos, Probe};
use proptest::prelude::*;
use std::os::unix::ffi::OsStringExt;

fn read(line: &str) -> Result<Command, NotACommand> {
    let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    parse(&args)
}

fn refused(line: &str) -> Failure {
    match read(line) {
        Err(NotACommand::Refused(f)) => f,
        other => panic!("{line}: {other:?}"),
    }
}

fn measure(line: &str) -> measuring::Measure {
    match read(line) {
        Ok(Command::Measure(m)) => *m,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn clap_finds_no_fault_in_the_table() {
    Typed::command().debug_assert();
}

#[test]
fn a_stream() {
    let m = measure(
        "goodput stream lab:b --from lab:a --direction both --connections 4 --size 64KiB --time 2s --rate 1Gbit",
    );
    let Probe::Stream(s) = m.probe else { panic!() };
    assert_eq!((s.direction, s.connections, s.message), (Direction::Both, 4, Bytes(65536)));
    assert_eq!(s.stop, Stop::Time(Nanos(2_000_000_000)));
    assert_eq!(s.socket.pacing, Some(BitRate(1_000_000_000)));
    assert!(m.options.save && !m.options.json && m.options.repeat == 1);
}

#[test]
fn a_compat_sweep() {
    let m = measure("goodput pingpong 10.0.0.2 --compat --reset --repeats 7 --largest 1048573");
    let Probe::PingPong(p) = m.probe else { panic!() };
    assert_eq!(p.sizes.len(), 103);
    assert!(matches!(p.method, PingPongMethod::Compat { reset: true, repeats: Some(7), trials: 3, .. }));
}

#[test]
fn a_request() {
    let m = measure("goodput request h --kind udp_rr --size 64,1KiB --rate 1000 --spin --count 10 --json");
    let Probe::Request(r) = m.probe else { panic!() };
    assert_eq!((r.request, r.response, r.rate), (Bytes(64), Bytes(1024), Some(1000.0)));
    assert_eq!((r.stop, r.warm_up), (Stop::Count(10), Nanos(0)));
    assert!(m.options.json);
}

#[test]
fn refusals_name_what_was_typed_and_what_is_accepted() {
    for (line, typed, accepted) in [
        ("goodput stream h --size 64K", "64K", "64KiB"),
        ("goodput stream h --rate 100M", "100M", "100Mbit"),
        ("goodput stream h --time 5m", "5m", "5min or 5ms"),
        ("goodput stream h --time 10", "10", "ms"),
        ("goodput stream h --time 2s --bytes 1MB", "--bytes", "goodput stream"),
        ("goodput stream h --connections 129", "129", "1 to 128"),
        ("goodput stream h --size -5", "-5", "1B to 1GiB"),
        ("goodput stream h --size 2GiB", "2GiB", "1B to 1GiB"),
        ("goodput stream h --time 1ns", "1ns", "10ms"),
        ("goodput stream h --direction up", "up", "send or receive or both"),
        ("goodput request h --rate 1 --outstanding 2", "--rate", "leave one"),
        ("goodput request h --kind udp_rr --size 64KiB", "64KiB", "65507"),
        ("goodput pingpong h --reset", "--reset", "--mode"),
        ("goodput pingpong iperf3://h", "iperf3://h", "lab:NAME"),
        ("goodput agent --port 5304", "--port", "6303"),
        ("goodput stream", "<HOST>", "goodput stream"),
        ("goodput strem h", "strem", "stream"),
        ("goodput", "subcommand", "goodput"),
        ("goodput check h", "check", "goodput"),
    ] {
        let f = refused(line);
        let text = f.to_string();
        assert_eq!(f.exit, Exit::Usage, "{line}");
        assert!(text.contains(typed), "{line}: {text}");
        assert!(f.hint.as_deref().unwrap_or("").contains(accepted), "{line}: {text}");
    }
}

#[test]
fn json_is_ours_only_before_a_foreign_command() {
    let args = |line: &str| line.split_whitespace().map(OsString::from).collect::<Vec<_>>();
    assert!(wants_json(&args("goodput strem --json --what")));
    assert!(!wants_json(&args("goodput lab exec a -- cmd --json")));
    assert!(!wants_json(&args("goodput lab exec a cmd --json")));
}

#[test]
fn help_is_text_and_names_the_exit_codes() {
    for line in ["goodput --help", "goodput --version", "goodput stream --help"] {
        assert!(matches!(read(line), Err(NotACommand::Text(_))), "{line}");
    }
    let Err(NotACommand::Text(text)) = read("goodput help exit-codes") else { panic!() };
    assert!(text.contains("130"), "{text}");
}

/// Words that stand in real command lines, so that random ones get past the first check.
fn likely() -> impl Strategy<Value = OsString> {
    let words = [
        "agent",
        "pingpong",
        "stream",
        "request",
        "lab",
        "up",
        "exec",
        "down",
        "list",
        "show",
        "export",
        "report",
        "key",
        "new",
        "demo",
        "keeper",
        "--json",
        "--size",
        "--time",
        "--bytes",
        "--count",
        "--connections",
        "--from",
        "--compat",
        "--mode",
        "native",
        "--rate",
        "--medium",
        "ethernet:1Gbit:1500",
        "--cpus",
        "0-3",
        "--deadline",
        "--label",
        "a=b",
        "--no-delay=off",
        "--sender",
        "batch:8",
        "--kind",
        "udp_rr",
        "--spin",
        "--help",
        "--",
        "10.0.0.1",
        "lab:b@x",
        "64KiB",
        "64K",
        "10s",
        "1Gbit",
        "-1",
        "0",
        "18446744073709551616",
        "1e308",
        "NaN",
        "=",
        "--format",
        "netpipe",
        "--smallest",
        "--largest",
        "--perturbation",
        "--width",
        "--cap",
        "--port",
        "5303",
    ];
    prop::sample::select(words.to_vec()).prop_map(OsString::from)
}

fn word() -> impl Strategy<Value = OsString> {
    prop_oneof![
        4 => likely(),
        1 => prop::collection::vec(any::<u8>(), 0..24).prop_map(OsString::from_vec),
        1 => any::<String>().prop_map(OsString::from),
        1 => "[0-9]{0,40}(\\.[0-9]{0,40})?(B|kB|K|GiB|Gbit|s|min|m|é|١)?".prop_map(OsString::from),
        1 => ("--(size|time|rate|cpus|seed|medium|label)=", any::<String>()).prop_map(|(o, v)| (o + &v).into()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    #[test]
    fn no_arguments_make_it_panic(words in prop::collection::vec(word(), 0..12)) {
        let mut args = vec![OsString::from("goodput")];
        args.extend(words);
        let _ = wants_json(&args);
        if let Err(NotACommand::Refused(f)) = parse(&args) {
            prop_assert_eq!(f.exit, Exit::Usage);
            prop_assert!(!f.error.is_empty());
            prop_assert!(serde_json::to_string(&f.whole_document()).is_ok());
        }
    }
}
