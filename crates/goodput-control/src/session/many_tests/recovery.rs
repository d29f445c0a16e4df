//! Recovery of a dead coordinator's results by the next one.

use super::*;
use goodput_model::ids::RunId;
use goodput_testkit::TrialCollector;

fn run_id() -> RunId {
    serde_json::from_str(r#""0190163d-8694-739b-aea5-966c26f8ad90""#).unwrap()
}

/// Kills a coordinator during trial 7, and waits until all agents have kept their results.
fn orphaned(lab: &Lab) {
    let (session, lines) = lab.session();
    let plan = TrialPlan { trial: TrialId(7), run: Some(run_id()), client: "the dead".into(), ..lab.plan() };
    thread::scope(|scope| {
        scope.spawn(|| {
            let trial = run(&session, &plan).unwrap();
            assert!(trial.ends.is_empty(), "a dead coordinator has nothing: {trial:?}");
        });
        lab.await_all();
        lines.iter().for_each(FakeConnection::kill_coordinator);
        wait_until(|| lab.all().all(|host| host.kept() == 1));
    });
}

#[test]
fn the_next_coordinator_brings_home_what_a_dead_one_left() {
    let lab = Lab::of(3);
    orphaned(&lab);
    let (session, _lines) = lab.session();
    let left = session.orphaned_trials();
    assert_eq!(left.len(), 1, "{left:?}");
    let left = &left[0];
    let origin = &left.origin;
    assert_eq!((origin.run, origin.trial, origin.probe.as_str()), (Some(run_id()), TrialId(7), "load"));
    assert_eq!((origin.by.as_str(), left.hosts.len()), ("the dead", 4));
    let described = left.describe();
    assert!(described.contains("trial 7 (load), ordered by the dead at 2"), "{described}");
    let mut shelf = TrialCollector::default();
    let recovered = session.recover_trials(&mut shelf).unwrap();
    let trial = &recovered[0].trial;
    assert_eq!((recovered.len(), &shelf.0[..]), (1, &[trial.clone()][..]));
    assert_eq!((trial.id, &trial.probe), (TrialId(1), &lab.plan().probe));
    assert_eq!((ends(trial), excluded(trial)), (vec!["c0", "c1", "c2", "s"], vec![]));
    let cause = partial(trial);
    assert!(cause.starts_with("the coordinator (the dead) disconnected before the trial was recorded"));
    assert!(cause.ends_with("the coordinator of the trial disconnected"), "{cause}");
    for end in &trial.ends {
        assert!(end.operations == 3 && !end.complete);
        assert!(end.notes.iter().any(|n| n.contains("trial 7 (load)")), "{:?}", end.notes);
    }
    assert!(session.orphaned_trials().is_empty() && session.recover_trials(&mut shelf).unwrap().is_empty());
    assert!(lab.all().all(|host| host.kept() == 0 && host.is_free()));
    // It can measure afterwards.
    lab.open_gates();
    assert_eq!(run(&session, &lab.plan()).unwrap().outcome, TrialOutcome::Complete);
}

#[test]
fn what_is_not_recorded_stays_and_two_do_not_both_bring_it_home() {
    let lab = Lab::of(2);
    orphaned(&lab);
    let (session, _lines) = lab.session();
    assert!(matches!(session.recover_trials(&mut fake::FullDiskRecorder), Err(ControlError::Record(_))));
    lab.open_gates();
    assert_eq!(run(&session, &lab.plan()).unwrap().outcome, TrialOutcome::Complete);
    assert!(lab.all().all(|host| host.kept() == 1), "the next trial leaves them");
    let (other, _more) = lab.session();
    let hosts: Vec<Vec<String>> = thread::scope(|scope| {
        let homes = [&session, &other]
            .map(|session| scope.spawn(|| session.recover_trials(&mut TrialCollector::default()).unwrap()));
        homes.map(|home| home.join().unwrap().into_iter().flat_map(|r| r.left.hosts).collect()).to_vec()
    });
    // The two may share the work, but nothing is recovered twice.
    let mut hosts = hosts.concat();
    hosts.sort();
    assert_eq!(hosts, ["c0", "c1", "s"]);
    assert!(lab.all().all(|host| host.kept() == 0 && host.is_free()));
}

#[test]
fn a_part_alone_is_brought_home_and_says_what_is_missing() {
    let lab = Lab::of(2);
    orphaned(&lab);
    lab.server.kill();
    let server = Host::new("s", Arc::default());
    let clients = vec![("c1".to_string(), Ok(fake::connect_agent(&lab.clients[1].bus, "c1")))];
    let session = of(fake::connect_agent(&server.bus, "s"), clients, false).unwrap();
    let recovered = session.recover_trials(&mut TrialCollector::default()).unwrap();
    let trial = &recovered[0].trial;
    assert_eq!(ends(trial), ["c1"]);
    assert!(partial(trial).contains("the server (s) left nothing with the hosts that were asked"));
    assert_eq!(excluded(trial), [("c0", true)]);
    assert_eq!(lab.clients[0].kept(), 1);
}

#[test]
fn what_a_living_coordinator_has_not_recorded_is_not_for_others() {
    let lab = Lab::of(1);
    lab.open_gates();
    let (living, _lines) = lab.session();
    let (cancel, mut full) = (CancelFlag::default(), fake::FullDiskRecorder);
    let e = living.run_trial(&lab.plan(), &mut full, &mut |_| {}, &cancel).unwrap_err();
    assert!(matches!(e, ControlError::Record(_)) && lab.all().all(|host| host.kept() == 1));
    let (next, _more) = lab.session();
    assert!(next.orphaned_trials().is_empty());
    assert!(next.recover_trials(&mut TrialCollector::default()).unwrap().is_empty());
    drop(living);
    let recovered = next.recover_trials(&mut TrialCollector::default()).unwrap();
    assert_eq!(recovered[0].trial.outcome, TrialOutcome::Complete);
    assert_eq!(ends(&recovered[0].trial), ["c0", "s"]);
}

#[test]
fn an_agent_at_work_for_somebody_is_left_alone() {
    let lab = Lab::of(1);
    orphaned(&lab);
    let (session, _lines) = lab.session();
    let end = fake::connect_agent(&lab.clients[0].bus, "c0");
    assert!(is_lease_granted(&end));
    let recovered = session.recover_trials(&mut TrialCollector::default()).unwrap();
    assert_eq!(ends(&recovered[0].trial), ["s"]);
    assert_eq!((lab.clients[0].kept(), lab.server.kept()), (1, 0));
}
