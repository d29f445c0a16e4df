use super::*;

const fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Requests at time 0, each with its presence and whether it may be shared.
fn requested(clients: &[(&str, &str, bool)]) -> LeaseQueue {
    let mut book = LeaseQueue::default();
    for (name, presence, shared) in clients {
        book.enqueue(name, name, presence, *shared, at(0));
    }
    book
}

fn queued(place: u32, holder: &str) -> Option<QueuePosition> {
    Some(QueuePosition::Queued { place, holder: holder.into() })
}

#[test]
fn a_queue_has_an_end_and_names_too() {
    let mut book = requested(&[("a", "p", false); MAX_LEASES - 1]);
    assert_eq!(book.refusal_reason("b", "p"), None);
    assert!(book.refusal_reason(&"b".repeat(MAX_NAME_BYTES + 1), "p").is_some());
    book.enqueue("b", "b", "p", false, at(0));
    assert!(book.refusal_reason("c", "p").is_some());
}

#[test]
fn eight_clients_take_turns() {
    let names: Vec<String> = (0..8).map(|n| format!("c{n}")).collect();
    let mut book = requested(&names.iter().map(|name| (name.as_str(), "", false)).collect::<Vec<_>>());
    for (n, name) in names.iter().enumerate() {
        assert_eq!(book.position(name), Some(QueuePosition::Granted));
        for (behind, waiting) in names[n + 1..].iter().enumerate() {
            assert_eq!(book.position(waiting), queued(behind as u32 + 1, name));
        }
        book.release(name, at(1));
        assert_eq!(book.position(name), None);
    }
}

#[test]
fn a_stalled_client_loses_its_lease_at_its_deadline() {
    let mut book = requested(&[("a", "", false), ("b", "", false)]);
    assert!(book.renew("b", at(4)));
    assert!(book.remove_expired_leases(at(4)).is_empty());
    assert_eq!(book.remove_expired_leases(at(5)), ["a"]);
    assert_eq!(book.position("b"), Some(QueuePosition::Granted));
    assert!(!book.renew("a", at(5)));
}

#[test]
fn the_next_waits_until_a_leaving_trial_has_ended_but_not_for_ever() {
    let coordinator_lost = || {
        let mut book = requested(&[("a", "pa", false), ("b", "pb", false)]);
        assert!(book.begin_trial("a", LivenessPolicy::Lease, None, at(0)));
        assert!(!book.begin_trial("b", LivenessPolicy::Lease, None, at(0)));
        assert_eq!(book.remove_coordinator("pa", at(0)), ["a"]);
        assert_eq!((book.position("a"), book.position("b")), (None, queued(1, "a")));
        book
    };
    let mut ended = coordinator_lost();
    ended.end_trial("a", at(2));
    assert_eq!(ended.position("b"), Some(QueuePosition::Granted));
    let mut endless = coordinator_lost();
    for second in 1..15 {
        endless.remove_expired_leases(at(second));
        assert!(endless.renew("b", at(second)));
        assert_eq!(endless.position("b"), queued(1, "a"));
    }
    endless.remove_expired_leases(at(15));
    assert_eq!(endless.position("b"), Some(QueuePosition::Granted));
}

#[test]
fn shared_leases_run_together_and_an_exclusive_one_waits_for_all() {
    let mut book = requested(&[("a", "", true), ("b", "", true), ("c", "", false), ("d", "", true)]);
    let granted = Some(QueuePosition::Granted);
    let mut positions = |left: &str| {
        book.release(left, at(1));
        ["b", "c", "d"].map(|lease| book.position(lease))
    };
    assert_eq!(positions("nobody"), [granted.clone(), queued(2, "a"), queued(3, "a")]);
    assert_eq!(positions("a"), [granted.clone(), queued(1, "b"), queued(2, "b")]);
    assert_eq!(positions("b"), [None, granted, queued(1, "c")]);
}

fn job_running(vigil: LivenessPolicy) -> LeaseQueue {
    let mut book = requested(&[("a", "pa", false)]);
    assert!(book.begin_trial("a", vigil, Some(at(60)), at(0)));
    assert!(book.renew("a", at(1)));
    book
}

const NEVER: Duration = Duration::MAX;

#[test]
fn an_orphan_load_is_ended_within_two_seconds() {
    let lost = at(1) + MAX_COORDINATOR_SILENCE;
    assert!(MAX_COORDINATOR_SILENCE < at(2));
    for vigil in [LivenessPolicy::Arrivals, LivenessPolicy::Silence] {
        let mut book = job_running(vigil);
        assert!(book.remove_unresponsive_leases(lost - Duration::from_millis(1), |_| NEVER).is_empty());
        assert_eq!(book.remove_unresponsive_leases(lost, |_| NEVER), ["a"]);
        assert!(
            book.remove_unresponsive_leases(lost, |_| NEVER).is_empty()
                && book.remove_expired_leases(lost).is_empty()
        );
    }
}

#[test]
fn silence_behind_a_full_queue_is_no_loss_while_data_arrives() {
    let full = |_: &str| Duration::from_millis(10);
    let mut book = job_running(LivenessPolicy::Arrivals);
    assert!(book.remove_unresponsive_leases(at(5), full).is_empty());
    // But the lease has an end.
    for second in 5..16 {
        let silent = book.remove_unresponsive_leases(at(second), full);
        assert!(silent.is_empty() && book.remove_expired_leases(at(second)).is_empty());
    }
    assert!(
        book.remove_unresponsive_leases(at(1) + MAX_COORDINATOR_SILENCE_WHILE_DATA_ARRIVES, full).is_empty()
    );
    assert_eq!(book.remove_expired_leases(at(1) + MAX_COORDINATOR_SILENCE_WHILE_DATA_ARRIVES), ["a"]);
    let mut book = job_running(LivenessPolicy::Arrivals);
    assert!(
        book.remove_unresponsive_leases(at(2), full).is_empty()
            && book.remove_expired_leases(at(5)).is_empty()
    );
    assert_eq!(book.remove_expired_leases(at(1) + LEASE_TTL), ["a"]);
    // Here arriving data is no sign of the coordinator.
    assert_eq!(job_running(LivenessPolicy::Silence).remove_unresponsive_leases(at(5), full), ["a"]);
}

#[test]
fn heartbeats_without_requests_do_not_keep_a_lease_for_ever() {
    let mut book = job_running(LivenessPolicy::Silence);
    let last = at(1) + MAX_TIME_WITHOUT_REQUEST;
    for second in 2..=60 {
        book.record_unsigned_contact("a", at(second));
        assert!(book.remove_unresponsive_leases(at(second), |_| NEVER).is_empty());
        assert!(book.remove_expired_leases(at(second)).is_empty());
    }
    book.record_unsigned_contact("a", last);
    assert_eq!(book.remove_expired_leases(last), ["a"]);

    let mut book = job_running(LivenessPolicy::Silence);
    book.record_unsigned_contact("a", at(40));
    assert!(book.renew("a", at(44)));
    book.record_unsigned_contact("a", at(70));
    assert!(book.remove_expired_leases(at(74)).is_empty());
}

#[test]
fn a_host_that_is_late_itself_does_not_take_its_own_deafness_for_silence() {
    let mut book = job_running(LivenessPolicy::Silence);
    book.record_pause(at(0), at(2));
    assert!(book.remove_unresponsive_leases(at(3), |_| NEVER).is_empty());
    assert_eq!(book.remove_unresponsive_leases(at(2) + MAX_COORDINATOR_SILENCE, |_| NEVER), ["a"]);
    // Renewed at 1 s.
    let mut book = job_running(LivenessPolicy::Silence);
    book.record_pause(at(4), at(5));
    assert!(book.remove_unresponsive_leases(at(6), |_| NEVER).is_empty());
    assert!(book.remove_expired_leases(at(9)).is_empty());
    assert_eq!(book.remove_expired_leases(at(10)), ["a"]);
    // Leaving until 25 s, or longer if its trial could not run meanwhile.
    book.enqueue("b", "b", "", false, at(24));
    book.record_pause(at(20), at(44));
    assert_eq!((book.remove_expired_leases(at(44)).len(), book.position("b")), (0, queued(1, "a")));
}

#[test]
fn silence_is_no_loss_where_another_host_heard_or_no_trial_runs() {
    let mut book = job_running(LivenessPolicy::Silence);
    book.record_unsigned_contact("a", at(4));
    assert!(
        book.remove_unresponsive_leases(at(5), |_| NEVER).is_empty()
            && book.remove_expired_leases(at(8)).is_empty()
    );
    book.record_unsigned_contact("a", at(2));
    assert_eq!(book.remove_unresponsive_leases(at(4) + MAX_COORDINATOR_SILENCE, |_| NEVER), ["a"]);

    assert!(job_running(LivenessPolicy::Lease).remove_unresponsive_leases(at(5), |_| NEVER).is_empty());
    let mut book = job_running(LivenessPolicy::Silence);
    assert!(book.is_trial_running());
    book.end_trial("a", at(2));
    assert!(!book.is_trial_running() && book.remove_unresponsive_leases(at(5), |_| NEVER).is_empty());
}

#[test]
fn who_waits_is_told_how_long_already_and_how_long_still() {
    let mut book = LeaseQueue::default();
    book.enqueue("a", "a", "", false, at(10));
    book.enqueue("b", "b", "", false, at(11));
    assert_eq!(book.holder_lease_times(at(12)), LeaseTimes { held_for: at(2), left: None });
    book.begin_trial("a", LivenessPolicy::Lease, Some(at(6)), at(13));
    assert_eq!(book.holder_lease_times(at(14)), LeaseTimes { held_for: at(4), left: Some(at(5)) });
    assert_eq!(book.holder_lease_times(at(60)).left, Some(at(0)));
    let busy = AgentState::Busy { client: "a".into(), since_ms: 4000, left_ms: Some(5000), waiting: 1 };
    assert_eq!(book.agent_state(at(14)), busy);
    book.release("a", at(15));
    assert_eq!(book.position("b"), queued(1, "a"));
    book.end_trial("a", at(16));
    assert_eq!(book.holder_lease_times(at(17)).held_for, at(1));
}
