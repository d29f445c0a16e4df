use super::*;
use crate::tests::{experiment, factor, probe};
use goodput_model::experiment::RepeatPolicy;

const SECOND: u64 = Nanos::SECOND.0;

/// `stream` lines take ten seconds, others an unknown time.
fn time(words: &[String]) -> Option<Nanos> {
    (words[0] == "stream").then_some(Nanos(10 * SECOND))
}

fn sample() -> Experiment {
    let mut e = experiment(vec![factor("cc", &["cubic", "bbr"]), factor("nic", &["a", "b", "c"])]);
    e.factors[1].hard_to_change = true;
    e.factors[1].means = LevelSettingMethod::ByHand { ask: "put {level} in".into(), verify: vec![] };
    e.probes[0].run = "stream {server} --from {client} --congestion {cc}".into();
    e.repeats = RepeatPolicy { warm_up: 1, least: 3, most: 5, width_percent: Some(3.0) };
    e
}

fn explained(e: &Experiment) -> ExperimentPlanExplanation {
    explain_experiment(e, &ExecutionPlan::from_experiment(e).unwrap(), time).unwrap()
}

#[test]
fn executions_and_time_are_counted_from_the_plan() {
    let e = sample();
    let plan = ExecutionPlan::from_experiment(&e).unwrap();
    let mut asked = 0;
    let counting = |words: &[String]| {
        asked += 1;
        time(words)
    };
    let explained = explain_experiment(&e, &plan, counting).unwrap();
    assert_eq!((explained.combinations, explained.executions), (6, (24, 36)));
    assert_eq!(explained.time, Some((Nanos(240 * SECOND), Nanos(360 * SECOND))));
    assert_eq!(asked, 6);
    let line = &explained.lines[0];
    assert_eq!(line.example, "stream lab:b --from lab:a --congestion cubic");
    assert_eq!((line.combinations, line.time), (6, Some((Nanos(10 * SECOND), Nanos(10 * SECOND)))));
    let changes = explained.factors[1].changes;
    assert!((9..=12).contains(&changes), "{changes}");
    assert_eq!(explained.factors[1].how, "by hand, not verified");
}

#[test]
fn an_unknown_time_is_told() {
    let mut e = sample();
    e.probes.push(probe("path", &["path_mtu.forward"]));
    e.probes[1].run = "mtu {server}".into();
    let explained = explained(&e);
    assert_eq!((explained.time, explained.lines[1].time), (None, None));
    let idle =
        "path is run at each level of cc, which its line does not use; only = { cc = … } runs it at one";
    assert!(explained.notes.iter().any(|note| note == idle), "{:?}", explained.notes);
}

#[test]
fn what_costs_something_is_said() {
    let mut e = sample();
    e.probes[0].time_limit = Nanos(5 * SECOND);
    let notes = explained(&e).notes.join("\n");
    for sentence in [
        "3 repeats of one pair cannot show a difference at 5 %: the least that they can reach is 25 %",
        "tcp may take no longer than it takes: raise its time_limit",
        "nobody looks whether nic was done: by_hand has no verify",
        "nic is put in place",
    ] {
        assert!(notes.contains(sentence), "{sentence} is not in\n{notes}");
    }
    e.order.shuffled = false;
    e.design = ExperimentDesign::OneAtATime;
    let notes = explained(&e).notes.join("\n");
    assert!(notes.contains("the order is that of the file") && notes.contains("work together"), "{notes}");
}

#[test]
fn a_fraction_says_what_it_confounds() {
    let mut e = experiment(["a", "b", "c"].map(|n| factor(n, &["0", "1"])).into());
    e.design = ExperimentDesign::Fractional { generators: vec!["C=AB".into()] };
    let explained = explained(&e);
    assert_eq!(explained.combinations, 4);
    assert!(explained.design.starts_with("2^(3−1) fraction of resolution III"));
    assert_eq!(explained.confounded, ["a = b×c", "b = a×c", "c = a×b"]);
}
