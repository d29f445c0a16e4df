use super::*;
use crate::tests::at;

fn berlin(days: &[DayOfWeek], times: &[&str]) -> RecurrenceRule {
    let times = times.iter().map(|t| t.to_string()).collect();
    ScheduleRecurrence::Calendar { days: days.to_vec(), times, zone: "Europe/Berlin".into() }
        .to_recurrence_rule()
        .unwrap()
}

#[test]
fn intervals_are_counted_from_the_anchor() {
    let rule = ScheduleRecurrence::Every { seconds: 900 }.to_recurrence_rule().unwrap();
    let anchor = at("2026-03-01T10:07:00Z");
    for (after, next) in [
        ("10:07:00", "10:22:00"),
        ("10:21:59.999", "10:22:00"),
        ("10:22:00", "10:37:00"),
        // A clock that was set back behind the anchor.
        ("10:00:00", "10:07:00"),
    ] {
        let [after, next] = [after, next].map(|time| at(&format!("2026-03-01T{time}Z")));
        assert_eq!(rule.next_occurrence(anchor, after), Some(next), "{after}");
    }
    let passed = rule.occurrences_between(anchor, anchor, at("2026-03-01T10:37:00Z"));
    assert_eq!((passed.count, passed.more), (2, false));
}

#[test]
fn a_calendar_keeps_the_wall_clock_over_the_change_to_summer() {
    // Berlin: UTC+1 until 29 March 2026 02:00, then UTC+2.
    let rule = berlin(&[], &["03:00"]);
    let anchor = at("2026-01-01T00:00:00Z");
    assert_eq!(rule.next_occurrence(anchor, at("2026-03-27T12:00:00Z")), Some(at("2026-03-28T02:00:00Z")));
    assert_eq!(rule.next_occurrence(anchor, at("2026-03-28T02:00:00Z")), Some(at("2026-03-29T01:00:00Z")));
    assert_eq!(rule.next_occurrence(anchor, at("2026-03-29T01:00:00Z")), Some(at("2026-03-30T01:00:00Z")));
}

#[test]
fn a_time_that_the_clock_skips_or_shows_twice_is_one_turn() {
    // 02:30 does not exist on that day and becomes 03:30, so there is one turn.
    let rule = berlin(&[DayOfWeek::Sunday], &["02:30", "03:30", "03:10"]);
    let anchor = at("2026-01-01T00:00:00Z");
    let passed = rule.occurrences_between(anchor, at("2026-03-29T00:00:00Z"), at("2026-03-29T12:00:00Z"));
    assert_eq!((passed.count, passed.first), (2, Some(at("2026-03-29T01:10:00Z"))));
    assert_eq!(passed.last, Some(at("2026-03-29T01:30:00Z")));
    // Berlin: 25 October 2026 03:00 becomes 02:00; 02:30 is 00:30 UTC, then 01:30 UTC.
    let rule = berlin(&[], &["02:30"]);
    assert_eq!(rule.next_occurrence(anchor, at("2026-10-24T23:00:00Z")), Some(at("2026-10-25T00:30:00Z")));
    assert_eq!(rule.next_occurrence(anchor, at("2026-10-25T00:30:00Z")), Some(at("2026-10-26T01:30:00Z")));
}

#[test]
fn years_of_missed_turns_are_not_counted_to_the_end() {
    let rule = berlin(&[], &["03:00", "15:00"]);
    let anchor = at("2020-01-01T00:00:00Z");
    let passed = rule.occurrences_between(anchor, anchor, at("2026-01-01T00:00:00Z"));
    assert!(passed.more && passed.count >= 2 * (MAX_OCCURRENCE_SCAN_DAYS as u64 - 1), "{passed:?}");
    assert_eq!(passed.last, Some(at("2025-12-31T14:00:00Z")));
}

#[test]
fn what_is_no_rule_is_refused_with_what_to_write() {
    let calendar = |times: &[&str], zone: &str| ScheduleRecurrence::Calendar {
        days: Vec::new(),
        times: times.iter().map(|t| t.to_string()).collect(),
        zone: zone.into(),
    };
    assert_eq!(
        ScheduleRecurrence::Every { seconds: 9 }.to_recurrence_rule(),
        Err(RecurrenceError::Interval { seconds: 9 })
    );
    assert!(ScheduleRecurrence::Every { seconds: u64::MAX }.to_recurrence_rule().is_err());
    assert_eq!(calendar(&[], "UTC").to_recurrence_rule(), Err(RecurrenceError::Times { found: 0 }));
    for bad in ["3:00", "24:00", "03:60", "03:00:00", "noon!", ""] {
        let refused = calendar(&[bad], "UTC").to_recurrence_rule();
        assert_eq!(refused, Err(RecurrenceError::Time { text: bad.into() }));
    }
    let e = calendar(&["03:00"], "Mars/Olympus").to_recurrence_rule().unwrap_err();
    assert!(e.to_string().contains("Europe/Berlin"), "{e}");
}

#[test]
fn rules_read_like_sentences() {
    for (seconds, text) in [(900, "every 15 min"), (90, "every 90 s"), (172_800, "every 2 d")] {
        assert_eq!(ScheduleRecurrence::Every { seconds }.describe(), text);
    }
    let calendar = |days: &[DayOfWeek]| {
        ScheduleRecurrence::Calendar { days: days.to_vec(), times: vec!["03:00".into()], zone: "UTC".into() }
            .describe()
    };
    assert_eq!(calendar(&[]), "every day at 03:00 (UTC)");
    assert_eq!(calendar(&WEEK[..5]), "Monday to Friday at 03:00 (UTC)");
    assert_eq!(calendar(&[DayOfWeek::Sunday, DayOfWeek::Monday]), "Monday, Sunday at 03:00 (UTC)");
}

proptest::proptest! {
    /// What comes next, step by step, is what has passed at the end.
    #[test]
    fn next_and_passed_agree(start in 1_700_000_000i64..1_900_000_000, days in 0u8..128, hours in 1i64..400, step in 10i64..100_000) {
        let picked: Vec<DayOfWeek> = WEEK.iter().enumerate().filter(|(i, _)| days >> i & 1 == 1).map(|(_, d)| *d).collect();
        let (after, anchor) = (Timestamp::from_second(start).unwrap(), Timestamp::from_second(start - 5_000).unwrap());
        let until = Timestamp::from_second(start + hours * 3600).unwrap();
        for rule in [berlin(&picked, &["00:00", "02:30", "13:05"]), RecurrenceRule::Every { seconds: step }] {
            let (mut at, mut found) = (after, Vec::new());
            while let Some(next) = rule.next_occurrence(anchor, at).filter(|next| *next <= until) {
                proptest::prop_assert!(next > at);
                found.push(next);
                at = next;
            }
            let passed = rule.occurrences_between(anchor, after, until);
            proptest::prop_assert_eq!(passed.count, found.len() as u64);
            proptest::prop_assert_eq!(passed.first, found.first().copied());
            proptest::prop_assert_eq!(passed.last, found.last().copied());
            proptest::prop_assert_eq!(passed.before_last, found.iter().rev().nth(1).copied());
        }
    }
}
