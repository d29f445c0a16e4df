//! Whole command lines: what they mean, how they are refused, and that none of them causes a panic.

use super::*;
use crate::exit::ExitStatus;
use crate::own_args::has_option;
use goodput_model::datagram::{DatagramRate, SegmentationOffload};
use goodput_model::probe::{PingPongMethod, StopCondition, TransferDirection, WaitMode};
use goodput_model::{BitRate, Bytes, Nanos, Probe};
use goodput_words::Translator;
use proptest::prelude::*;
use std::os::unix::ffi::OsStringExt;

/// What a command line means, or why it is refused; for the tests of each command's arguments, too.
pub fn parsed(line: &str) -> Result<Command, Failure> {
    let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    parse(&args).map_err(|outcome| match outcome {
        ParseOutcome::Refused(failure) => failure,
        ParseOutcome::Text(text) => panic!("{line}: {text}"),
    })
}

pub fn refused(line: &str) -> Failure {
    parsed(line).expect_err(line)
}

fn measure(line: &str) -> measure_args::MeasureInvocation {
    match parsed(line) {
        Ok(Command::Probe(ProbeInvocation::Measure(m))) => *m,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn clap_finds_no_fault_in_the_table() {
    Arguments::command().debug_assert();
}

#[test]
fn defaults_are_those_of_the_model() {
    let probe = |line: &str| measure(line).probe;
    assert_eq!(probe("goodput stream h"), Probe::Stream(Default::default()));
    assert_eq!(probe("goodput request h"), Probe::Request(Default::default()));
    assert_eq!(probe("goodput mtu h"), Probe::Mtu(Default::default()));
    let Probe::Datagram(d) = probe("goodput datagram h") else { panic!() };
    let default = goodput_model::Datagram::default();
    assert_eq!(d, goodput_model::Datagram { burst: default.default_burst(), ..default });
    assert_eq!(probe("goodput latency h --load idle"), Probe::Latency(Default::default()));
    let Ok(Command::Probe(ProbeInvocation::Load(load))) = parsed("goodput load h --clients a") else {
        panic!()
    };
    assert_eq!(load.settings, Default::default());
    let load::LoadPlanSource::Grid { grid, .. } = load.source else { panic!() };
    assert_eq!(*grid, Default::default());
}

#[test]
fn a_runs_resolution_is_asked_for_with_a_change_or_without() {
    let asked = |line: &str| match parsed(line) {
        Ok(Command::Show(show)) => (show.which.run, show.resolution),
        other => panic!("{other:?}"),
    };
    assert_eq!(asked("goodput show"), ("last".into(), None));
    // The following word is the run, unless it is joined by `=`.
    assert_eq!(asked("goodput show --resolution 01a1"), ("01a1".into(), Some(None)));
    assert_eq!(asked("goodput show --resolution=2.5%"), ("last".into(), Some(Some(2.5))));
    for wrong in ["3", "0%", "x%"] {
        assert_eq!(refused(&format!("goodput show --resolution={wrong}")).exit, ExitStatus::Usage, "{wrong}");
    }
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
    assert_eq!((r.stop, r.warm_up), (StopCondition::Count(10), Nanos(0)));
    assert!(m.options.json);
}

#[test]
fn latency_is_a_trial_for_each_load() {
    let m = measure("goodput latency h --interval 10ms --connections 2");
    let loads: Vec<_> = std::iter::once(&m.probe)
        .chain(&m.then)
        .map(|p| match p {
            Probe::Latency(l) => (l.load, l.connections, l.interval),
            _ => panic!("{p:?}"),
        })
        .collect();
    use TransferDirection::{Both, Receive, Send};
    let each = |load| (load, 2, Nanos(10_000_000));
    assert_eq!(loads, [None, Some(Send), Some(Receive), Some(Both)].map(each));
    assert!(measure("goodput latency h --load receive").then.is_empty());
}

#[test]
fn limits_of_named_media() {
    let Ok(Command::Limits(none)) = parsed("goodput limits") else { panic!() };
    assert!(none.media.is_empty());
    let line = "goodput limits --medium 100base-tx --medium 1000base-t:1500:full --medium csa --mtu 9000 --ip 6 \
                --vlan --duplex half --no-timestamps --rtt 25ms --window 64kB --datagram 100 --json";
    let Ok(Command::Limits(limits)) = parsed(line) else { panic!("{line}") };
    let [limits::MediumSelection::Network(one), limits::MediumSelection::Network(other), _] =
        &limits.media[..]
    else {
        panic!()
    };
    assert_eq!((one.link.mtu, one.link.half_duplex), (9000, true));
    assert_eq!((other.link.mtu, other.link.half_duplex), (1500, false));
    assert!(limits.json && !limits.traffic.timestamps && limits.traffic.datagram == Some(100));
}

#[test]
fn datagrams() {
    let m = measure(
        "goodput datagram h --size 64 --rate 10kpps --burst 4 --flows 2 --direction both --plain --spin --time 2s",
    );
    let Probe::Datagram(d) = m.probe else { panic!() };
    assert_eq!((d.size, d.rate, d.burst), (Bytes(64), Some(DatagramRate::Datagrams(10_000.0)), 4));
    assert_eq!((d.flows, d.direction, d.offload), (2, TransferDirection::Both, SegmentationOffload::Plain));
    assert_eq!((d.wait, d.stop, d.search), (WaitMode::Spin, StopCondition::Time(Nanos(2_000_000_000)), None));
    let m = measure("goodput datagram fd00::2 --size 65527 --lossless --loss 0.1% --rate 1Gbit --time 5s");
    let Probe::Datagram(d) = m.probe else { panic!() };
    let search = d.search.unwrap();
    assert_eq!((search.loss_percent, search.full), (0.1, Nanos(5_000_000_000)));
    assert_eq!(search.ceiling, Some(DatagramRate::Bits(BitRate(1_000_000_000))));
    assert_eq!((search.short, d.warm_up), (Nanos::SECOND, Nanos(300_000_000)));
}

#[test]
fn refusals_name_what_was_typed_and_what_is_accepted() {
    for (line, typed, accepted) in [
        ("goodput stream h --rate 100M", "100M", "100Mbit"),
        ("goodput stream h --time 5m", "5m", "5min or 5ms"),
        ("goodput stream h --time 10", "10", "ms"),
        ("goodput stream h --time 2s --bytes 1MB", "--bytes", "goodput stream"),
        ("goodput stream h --connections 129", "129", "1 to 128"),
        ("goodput stream h --size 2GiB", "2GiB", "1B to 1GiB"),
        ("goodput stream h --time 1ns", "1ns", "10ms"),
        ("goodput stream h --direction up", "up", "send or receive or both"),
        ("goodput request h --rate 1 --outstanding 2", "--outstanding", "goodput request"),
        ("goodput request h --kind udp_rr --size 64KiB", "64KiB", "65507"),
        ("goodput datagram h --loss 0.1%", "--search", "goodput datagram"),
        ("goodput datagram h --search --size 7", "7", "--size 8B"),
        ("goodput datagram h --search --count 5", "--count", "goodput datagram"),
        ("goodput datagram h --search --warm-up 0s", "warm-up", "100ms"),
        ("goodput datagram h --burst 4", "--burst", "--rate"),
        ("goodput datagram h --plain --no-offload", "--no-offload", "goodput datagram"),
        ("goodput datagram h --flows 0", "0", "1 to 128"),
        ("goodput pingpong h --reset", "--reset", "--mode"),
        ("goodput pingpong iperf3://h", "iperf3://h", "lab:NAME"),
        ("goodput agent --port 5304", "--port", "6303"),
        ("goodput latency h --load up", "up", "idle or send"),
        ("goodput latency h --interval 1us", "1us", "10us"),
        ("goodput latency h --size 4", "4", "8B to 65507B"),
        ("goodput latency h --interval 10us --time 60min", "probes", "probe less frequently"),
        ("goodput load h", "clients", "--clients"),
        ("goodput load h --clients h", "among its clients", "--clients"),
        ("goodput limits --medium 1000base-t --mtu 67", "67", "68"),
        ("goodput limits --medium 1000base-t --mtu 1279 --ip 6", "1279", "1280"),
        ("goodput limits --medium 1000base-t:1279 --ip 6", "1000base-t:1279", "1280"),
        ("goodput limits --medium 1000base-t --duplex half", "1000base-t", "100base-tx"),
        ("goodput limits --medium atm155-lane --vlan", "atm155-lane", "--vlan"),
        ("goodput limits --medium atm155-lane --mtu 65535", "atm155-lane", "18174"),
        ("goodput limits --mtu 9000", "--mtu", "--medium"),
        ("goodput limits --medium 1000base-t --window 64kB", "--rtt", "goodput limits"),
        ("goodput stream", "<HOST>", "goodput stream"),
        ("goodput strem h", "strem", "stream"),
        ("goodput", "subcommand", "goodput"),
    ] {
        let f = refused(line);
        assert_eq!(f.exit, ExitStatus::Usage, "{line}");
        let hint = f.hint.as_deref().unwrap_or("");
        assert!(f.to_string().contains(typed) && hint.contains(accepted), "{line}: {f}");
    }
}

#[test]
fn what_clap_says_can_be_translated() {
    for (line, message) in [
        ("goodput strem h", "error-unrecognized-subcommand"),
        ("goodput stream h --what", "error-unexpected-argument"),
        ("goodput stream", "error-args-required"),
        ("goodput stream h --bytes 1MB --count 2", "error-args-conflict"),
        ("goodput stream h --connections 1 --connections 2", "error-args-repeated"),
        ("goodput stream h --rate", "error-args-value-missing"),
        ("goodput stream h --direction", "error-args-value-missing-of"),
    ] {
        assert_eq!(refused(line).error.id(), message, "{line}");
    }
    let hint = refused("goodput strem h").hint.unwrap();
    let russian = Translator::new(Language::Russian).format_message(&hint);
    assert!(hint.contains("similar") && !russian.contains("similar"), "{hint}: {russian}");
}

#[test]
fn json_is_ours_only_before_a_foreign_command() {
    let args = |line: &str| line.split_whitespace().map(OsString::from).collect::<Vec<_>>();
    assert!(has_option(&args("goodput strem --json --what"), "--json"));
    assert!(!has_option(&args("goodput lab exec a -- cmd --json"), "--json"));
    assert!(!has_option(&args("goodput lab exec a cmd --json"), "--json"));
}

#[test]
fn help_is_text_and_names_the_exit_codes() {
    for line in ["--help", "--version", "stream --help", "help exit-codes"] {
        let args: Vec<OsString> =
            ["goodput"].into_iter().chain(line.split(' ')).map(OsString::from).collect();
        let Err(ParseOutcome::Text(text)) = parse(&args) else { panic!("{line}") };
        assert!(text.contains("130") || line != "help exit-codes", "{text}");
    }
}

/// Words of real command lines, so that random lines pass the first check.
fn likely() -> impl Strategy<Value = OsString> {
    let words = "agent pingpong stream request datagram --search --loss 0.1% 10kpps --plain lab up exec down \
                 list show export report key new demo keeper --json --size --time --bytes --count \
                 --connections --from --compat --mode native --rate --medium ethernet:1Gbit:1500 limits \
                 latency --load idle,both --interval 100base-tx:half pcie3-x4 --mtu --vlan=2 --ip --cpus 0-3 \
                 --deadline --label a=b --no-delay=off --sender batch:8 --kind udp_rr --spin --help -- \
                 10.0.0.1 lab:b@x 64KiB 64K 10s 1Gbit -1 0 18446744073709551616 1e308 NaN = --format netpipe \
                 --smallest --largest file copy disk replay clean office smb://ann@nas/media nas:null \
                 --profile --local --perturbation --width --cap --port 5303";
    prop::sample::select(words.split_whitespace().collect::<Vec<_>>()).prop_map(OsString::from)
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
        let _ = has_option(&args, "--json");
        if let Err(ParseOutcome::Refused(f)) = parse(&args) {
            prop_assert_eq!(f.exit, ExitStatus::Usage);
            prop_assert!(!f.error.is_empty());
            prop_assert!(serde_json::to_string(&f.result_document()).is_ok());
        }
    }
}
