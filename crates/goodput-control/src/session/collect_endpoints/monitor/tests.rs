use super::super::EndpointOutcome;
use super::*;
use crate::protocol::EndpointResult;
use goodput_model::ids::TrialId;
use goodput_model::probe::{Stream, TransferDirection};
use goodput_model::trial::EndpointReport;

const LIMITS: EndpointCollectionTimeouts = EndpointCollectionTimeouts {
    whole: Some(Duration::from_secs(60)),
    still: Duration::from_secs(20),
    behind: Duration::from_secs(15),
};

/// Lives as long as its watch.
fn load() -> &'static Probe {
    Box::leak(Box::new(crate::fake::build_load_probe(&["a", "b", "c"])))
}

fn stream() -> &'static Probe {
    Box::leak(Box::new(Probe::Stream(Stream { direction: TransferDirection::Send, ..Stream::default() })))
}

fn watch(clients: &[&str], probe: &'static Probe) -> EndpointProgressMonitor<'static> {
    let roles =
        clients.iter().map(|host| (EndpointRole::Connect, *host)).chain([(EndpointRole::Listen, "s")]);
    let idle = || EndpointStatus::Idle { cause: None };
    let parts: Vec<EndpointOutcome> = roles
        .map(|(role, host)| EndpointOutcome { role, host: host.into(), ended: idle(), live: None })
        .collect();
    let begun = 0..parts.len();
    EndpointProgressMonitor::new(CollectedEndpointOutcomes { parts, stopped: None }, begun, probe, &LIMITS)
}

fn whole() -> EndpointStatus {
    let report = EndpointReport { complete: true, ..EndpointReport::empty(EndpointRole::Connect, "h") };
    let result = EndpointResult { report, broken: None, shared: false, excluded: vec![], origin: None };
    EndpointStatus::Whole { job: "j".into(), result: Box::new(result) }
}

fn lost() -> EndpointStatus {
    EndpointStatus::Lost { cause: "went away".into() }
}

fn live(bytes: u64) -> LiveProgress {
    let (trial, operations, elapsed_ns) = (TrialId(1), bytes / 10, Some(1));
    LiveProgress { trial, done: None, elapsed_ns, bytes, operations, busy_percent: None }
}

fn seconds(watch: &EndpointProgressMonitor<'_>, s: u64) -> Instant {
    watch.started + Duration::from_secs(s)
}

#[test]
fn a_slow_client_is_waited_for_and_then_named() {
    let mut watch = watch(&["a", "b", "c"], load());
    watch.record_endpoint_end(0, whole(), seconds(&watch, 6));
    watch.record_endpoint_end(3, whole(), seconds(&watch, 7));
    assert_eq!(watch.next_action(seconds(&watch, 21), false), MonitorAction::GoOn);
    assert_eq!(watch.next_action(seconds(&watch, 22), false), MonitorAction::Stop);
    // Asked to stop, given time, then abandoned.
    assert_eq!(watch.next_action(seconds(&watch, 27), false), MonitorAction::GoOn);
    assert_eq!(watch.next_action(seconds(&watch, 28), false), MonitorAction::GiveUp);
    assert_eq!(watch.into_result().stopped.unwrap(), "b, c did not finish within 15 s after the other end");
}

#[test]
fn stillness_everywhere_an_interrupt_and_the_length_of_the_trial_stop_it() {
    let mut still = watch(&["a", "b"], load());
    still.record_stall_duration(0, Duration::from_secs(21));
    still.record_stall_duration(1, Duration::from_secs(21));
    assert_eq!(still.next_action(seconds(&still, 22), false), MonitorAction::GoOn);
    still.record_stall_duration(2, Duration::from_secs(21));
    assert_eq!(still.next_action(seconds(&still, 22), false), MonitorAction::Stop);
    assert_eq!(still.into_result().stopped.unwrap(), "no data was transferred for 21 s");

    let mut one = watch(&["a"], load());
    assert_eq!(one.next_action(seconds(&one, 1), true), MonitorAction::Stop);
    assert_eq!(one.into_result().stopped.unwrap(), "interrupted");
    let mut two = watch(&["a"], load());
    assert_eq!(two.next_action(seconds(&two, 61), false), MonitorAction::Stop);
    assert_eq!(two.into_result().stopped.unwrap(), "the trial did not end within 61 s");
}

#[test]
fn live_samples_are_the_sum_of_the_ends_that_count() {
    let sum = |watch: &mut EndpointProgressMonitor<'_>, at: usize, bytes: u64| {
        watch.record_live_progress(at, live(bytes)).map(|live| (live.bytes, live.operations))
    };
    let mut all = watch(&["a", "b"], load());
    assert_eq!(sum(&mut all, 0, 100), Some((100, 10)));
    assert_eq!(sum(&mut all, 1, 50), Some((150, 15)));
    assert_eq!(sum(&mut all, 2, 1000), Some((1150, 115)));
    assert_eq!(sum(&mut all, 0, 200), Some((1250, 125)));
    // A lost client is not in the sum, and its last sample is ignored.
    let now = seconds(&all, 1);
    all.record_endpoint_end(0, lost(), now);
    assert_eq!(sum(&mut all, 0, 300), None);
    assert_eq!(sum(&mut all, 1, 50), Some((1050, 105)));
    all.record_endpoint_end(1, whole(), now);
    assert_eq!(sum(&mut all, 2, 1010), Some((1060, 106)));

    let mut two = watch(&["a"], stream());
    assert_eq!(sum(&mut two, 0, 100), None);
    assert_eq!(sum(&mut two, 1, 40), Some((40, 4)));
}
