use super::super::alert::AlertTransition;
use super::*;
use crate::tests::{at, reading, schedule_order};

fn order() -> ScheduleRequest {
    ScheduleRequest {
        alerts: vec![Alert::Below { value: 9e8 }, Alert::Failed { times: 2 }],
        webhook: Some("https://hooks.example.com/secret".into()),
        ..schedule_order()
    }
}

fn schedule() -> Schedule {
    Schedule::new(order(), 1, at("2026-03-01T00:00:00Z"))
}

fn turn(schedule: &mut Schedule, turn: &str, value: Option<f64>) {
    let turn = at(turn);
    schedule.start_occurrence(turn);
    let figure = value.map(|value| reading("goodput_bps", value, "bit/s"));
    let exit = Some(if value.is_some() { 0 } else { 3 });
    schedule.finish_occurrence(
        ScheduleExecutionOutcome { turn, at: turn, run: None, exit, reason: None, figure, diagnosis: None },
        &[],
        &[],
    );
}

#[test]
fn what_is_written_down_is_read_back() {
    let mut schedule = schedule();
    schedule.check_due(at("2026-03-01T05:30:00Z"));
    turn(&mut schedule, "2026-03-01T06:00:00Z", Some(8e8));
    schedule.start_occurrence(at("2026-03-01T07:00:00Z"));
    schedule.record_job("job");
    let text = serde_json::to_string(&schedule.kept).unwrap();
    let back = Schedule::from_stored(serde_json::from_str(&text).unwrap());
    assert_eq!(back, schedule);
    assert!(back.kept.missed_turns == 5 && back.kept.letters.len() == 1);
}

#[test]
fn a_restart_names_what_it_broke_off_and_what_it_missed() {
    let mut schedule = schedule();
    let begun = at("2026-03-01T01:00:00Z");
    schedule.check_due(begun);
    schedule.start_occurrence(begun);
    let mut back = Schedule::from_stored(schedule.kept.clone());
    let now = at("2026-03-01T14:20:00Z");
    assert!(back.mark_interrupted_occurrence_missed() && !back.mark_interrupted_occurrence_missed());
    let looked = back.check_due(now);
    assert_eq!((looked.due, looked.wake), (None, Some(at("2026-03-01T15:00:00Z"))));
    let [gap, broken] = &back.kept.missed[..] else { panic!("{:?}", back.kept.missed) };
    assert_eq!((gap.count, gap.from, gap.to), (13, at("2026-03-01T02:00:00Z"), at("2026-03-01T14:00:00Z")));
    assert_eq!(gap.reason, "the server was not running at the scheduled time");
    assert_eq!((broken.from, &*broken.reason), (begun, "the server stopped during the measurement"));
    assert!(!back.check_due(now).changed);
    assert_eq!((back.kept.missed_turns, back.kept.runs, back.kept.failed), (14, 0, 0));
}

#[test]
fn a_turn_does_not_overtake_the_one_before_it() {
    let mut schedule = schedule();
    assert_eq!(schedule.check_due(at("2026-03-01T01:00:00Z")).due, Some(at("2026-03-01T01:00:00Z")));
    schedule.start_occurrence(at("2026-03-01T01:00:00Z"));
    let second = schedule.check_due(at("2026-03-01T02:00:00Z"));
    assert_eq!((second.due, second.changed), (None, true));
    assert_eq!(schedule.kept.missed[0].reason, "the previous run had not ended");
    turn(&mut schedule, "2026-03-01T01:00:00Z", Some(9.5e8));
    assert_eq!(schedule.check_due(at("2026-03-01T03:00:00Z")).due, Some(at("2026-03-01T03:00:00Z")));
}

#[test]
fn an_unmet_requirement_is_a_result() {
    let mut schedule = schedule();
    let turn = at("2026-03-01T01:00:00Z");
    let ended = ScheduleExecutionOutcome {
        turn,
        at: turn,
        run: None,
        exit: Some(1),
        reason: None,
        figure: None,
        diagnosis: None,
    };
    schedule.finish_occurrence(ended, &[], &[]);
    assert_eq!((schedule.kept.runs, schedule.kept.failed), (1, 0));
}

#[test]
fn a_rest_is_no_miss() {
    let mut schedule = schedule();
    schedule.update_from_request(ScheduleRequest { enabled: false, ..order() }, at("2026-03-01T00:10:00Z"));
    let rest = schedule.check_due(at("2026-03-02T00:00:00Z"));
    assert_eq!((rest.due, rest.wake, rest.changed), (None, None, false));
    schedule.update_from_request(order(), at("2026-03-02T00:20:00Z"));
    let looked = schedule.check_due(at("2026-03-02T00:21:00Z"));
    assert_eq!((looked.wake, schedule.kept.missed_turns), (Some(at("2026-03-02T01:20:00Z")), 0));
}

#[test]
fn letters_do_not_pile_up_for_ever() {
    let mut schedule = schedule();
    for i in 0..200 {
        let turn_at = format!("2026-03-0{}T{:02}:{:02}:00Z", i / 100 + 1, i % 100 / 10, i % 10);
        turn(&mut schedule, &turn_at, Some(if i % 2 == 0 { 8e8 } else { 9.5e8 }));
    }
    assert_eq!(schedule.kept.letters.len(), LETTERS);
    assert_eq!(schedule.kept.letters.last().map(|l| l.state), Some(AlertTransition::Ended));
}
