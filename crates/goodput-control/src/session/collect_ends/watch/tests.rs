use super::super::EndOutcome;
use super::*;
use crate::protocol::EndResult;
use goodput_model::id::TrialId;
use goodput_model::load::{Load, Mix, Worker};
use goodput_model::probe::{Direction, Stream};
use goodput_model::trial::EndReport;
use goodput_model::units::Bytes;

const LIMITS: Limits = Limits {
    whole: Some(Duration::from_secs(60)),
    still: Duration::from_secs(20),
    behind: Duration::from_secs(15),
};

/// Lives as long as its watch.
fn load() -> &'static Probe {
    let clients: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
    let workers = (0..3).map(|client| Worker { client, mix: 0 }).collect();
    let load = Load { clients, workers, mixes: vec![Mix::receive(Bytes(64))], ..Load::default() };
    Box::leak(Box::new(Probe::Load(load)))
}

fn stream() -> &'static Probe {
    Box::leak(Box::new(Probe::Stream(Stream { direction: Direction::Send, ..Stream::default() })))
}

fn watch(clients: &[&str], probe: &'static Probe) -> Watch<'static> {
    let roles = clients.iter().map(|host| (Role::Connect, *host)).chain([(Role::Listen, "s")]);
    let idle = || Ended::Idle { cause: None };
    let parts: Vec<EndOutcome> =
        roles.map(|(role, host)| EndOutcome { role, host: host.into(), ended: idle(), live: None }).collect();
    let begun = 0..parts.len();
    Watch::new(GatherResult { parts, stopped: None }, begun, probe, &LIMITS)
}

fn whole() -> Ended {
    let report = EndReport { complete: true, ..EndReport::bare(Role::Connect, "h") };
    let result = EndResult { report, broken: None, shared: false, excluded: vec![], origin: None };
    Ended::Whole { job: "j".into(), result: Box::new(result) }
}

fn lost() -> Ended {
    Ended::Lost { cause: "went away".into() }
}

fn live(bytes: u64) -> Live {
    let (trial, operations, elapsed_ns) = (TrialId(1), bytes / 10, Some(1));
    Live { trial, done: None, elapsed_ns, bytes, operations, busy_percent: None }
}

fn seconds(watch: &Watch<'_>, s: u64) -> Instant {
    watch.started + Duration::from_secs(s)
}

#[test]
fn a_slow_client_is_waited_for_and_then_named() {
    let mut watch = watch(&["a", "b", "c"], load());
    watch.ended(0, whole(), seconds(&watch, 6));
    watch.ended(3, whole(), seconds(&watch, 7));
    assert_eq!(watch.decide(seconds(&watch, 21), false), Decision::GoOn);
    assert_eq!(watch.decide(seconds(&watch, 22), false), Decision::Stop);
    // Asked to stop, given time, then abandoned.
    assert_eq!(watch.decide(seconds(&watch, 27), false), Decision::GoOn);
    assert_eq!(watch.decide(seconds(&watch, 28), false), Decision::GiveUp);
    assert_eq!(watch.gathered().stopped.unwrap(), "b, c did not end within 15 s of the other end");
}

#[test]
fn stillness_counts_only_where_something_runs_and_everywhere() {
    let mut watch = watch(&["a", "b"], load());
    watch.still(0, Duration::from_secs(21));
    watch.still(1, Duration::from_secs(21));
    assert_eq!(watch.decide(seconds(&watch, 22), false), Decision::GoOn);
    watch.still(2, Duration::from_secs(21));
    assert_eq!(watch.decide(seconds(&watch, 22), false), Decision::Stop);
    assert_eq!(watch.gathered().stopped.unwrap(), "nothing moved for 21 s");
}

#[test]
fn an_interrupt_and_the_length_of_the_trial_stop_it() {
    let mut one = watch(&["a"], load());
    assert_eq!(one.decide(seconds(&one, 1), true), Decision::Stop);
    assert_eq!(one.gathered().stopped.unwrap(), "interrupted");
    let mut two = watch(&["a"], load());
    assert_eq!(two.decide(seconds(&two, 61), false), Decision::Stop);
    assert_eq!(two.gathered().stopped.unwrap(), "the trial was not over after 61 s");
}

#[test]
fn live_samples_are_the_sum_of_the_ends_that_count() {
    let sum = |watch: &mut Watch<'_>, at: usize, bytes: u64| {
        watch.live(at, live(bytes)).map(|live| (live.bytes, live.operations))
    };
    let mut all = watch(&["a", "b"], load());
    assert_eq!(sum(&mut all, 0, 100), Some((100, 10)));
    assert_eq!(sum(&mut all, 1, 50), Some((150, 15)));
    assert_eq!(sum(&mut all, 2, 1000), Some((1150, 115)));
    assert_eq!(sum(&mut all, 0, 200), Some((1250, 125)));
    // A lost client is not in the sum, and its last sample is ignored.
    let now = seconds(&all, 1);
    all.ended(0, lost(), now);
    assert_eq!(sum(&mut all, 0, 300), None);
    assert_eq!(sum(&mut all, 1, 50), Some((1050, 105)));
    all.ended(1, whole(), now);
    assert_eq!(sum(&mut all, 2, 1010), Some((1060, 106)));

    let mut two = watch(&["a"], stream());
    assert_eq!(sum(&mut two, 0, 100), None);
    assert_eq!(sum(&mut two, 1, 40), Some((40, 4)));
}
