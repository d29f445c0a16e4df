//! A job's state from its command's events.

use super::*;
use goodput_model::{RunId, TrialId};
use std::collections::BTreeMap;

fn story() -> JobTracker {
    let line = ["stream", "b"].map(String::from).to_vec();
    let mut story = JobTracker::new("j".into(), line, "page".into(), "2026-01-01T00:00:00Z".into());
    story.mark_started("2026-01-01T00:00:01Z".into());
    story
}

fn run() -> RunId {
    RunId("01a1fc42-d27b-7000-8000-0123456789ab".parse().unwrap())
}

fn live(done: Option<f64>, elapsed_ns: Option<u64>) -> EventLine {
    crate::tests::live(run(), done, elapsed_ns)
}

fn begins(title: &str) -> EventLine {
    let (trial, planned) = (TrialId(1), Some(Nanos(4 * Nanos::SECOND.0)));
    EventLine::TrialStarted { trial, probe: "stream".into(), title: title.into(), planned, counts: true }
}

fn over() -> EventLine {
    EventLine::TrialFinished { run: Some(run()), trial: TrialId(1), outcome: "complete".into(), cause: None }
}

fn names(told: &[LiveEvent]) -> Vec<String> {
    told.iter().map(|t| serde_json::to_value(t).unwrap()["event"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a_job_goes_from_its_start_to_its_end() {
    let mut story = story();
    let t = Instant::now();
    let told = story.apply_event(EventLine::Started { run: Some(run()), trials: Some(2) }, t);
    assert_eq!(names(&told), ["runs", "job"]);
    assert_eq!(story.snapshot(t).run, Some(run().to_string()));
    assert_eq!(names(&story.apply_event(begins("trial 1 of 2: stream"), t)), ["job"]);
    assert_eq!(names(&story.apply_event(live(Some(0.5), Some(2_500_000_000)), t)), ["live"]);
    let job = story.snapshot(t);
    assert_eq!(
        (job.progress.fraction, job.progress.text.as_str()),
        (Some(0.25), "trial 1 of 2: stream, 2.5 s")
    );
    assert_eq!(names(&story.apply_event(over(), t)), ["recorded", "job"]);
    assert_eq!(story.snapshot(t).progress.fraction, Some(0.5));
    story.apply_event(EventLine::Finished { run: Some(run()), exit: 0, failure: None }, t);
    story.mark_finished("2026-01-01T00:00:09Z".into(), JobExit { exit: Some(0), how: Message::default() });
    let job = story.snapshot(t);
    assert_eq!((job.state, job.exit, job.failure), (JobState::Done, Some(0), None));
    assert_eq!(job.progress.fraction, Some(1.0));
}

#[test]
fn a_job_that_only_moves_on_is_told_once_a_second() {
    let mut story = story();
    let t = Instant::now();
    story.apply_event(begins("stream"), t);
    let mut told = 0;
    for tenth in 1..=30 {
        let at = t + Duration::from_millis(100 * tenth);
        told += names(&story.apply_event(live(None, None), at)).iter().filter(|n| *n == "job").count();
    }
    assert_eq!(told, 3);
}

#[test]
fn without_live_samples_time_or_cells_tell_how_far_it_is() {
    let mut trial = story();
    let t = Instant::now();
    trial.apply_event(EventLine::Started { run: None, trials: Some(1) }, t);
    let fraction = |of: &JobTracker, after| of.snapshot(t + Duration::from_secs(after)).progress.fraction;
    assert_eq!(fraction(&trial, 0), Some(0.0));
    trial.apply_event(begins("stream"), t);
    assert_eq!([1, 9].map(|after| fraction(&trial, after)), [Some(0.25), Some(1.0)]);
    let mut story = story();
    let cell = |done, outcome| {
        EventLine::Cell(CellProgressLine {
            number: done + 1,
            block: 1,
            levels: BTreeMap::from([("rate".to_string(), "20Mbit".to_string())]),
            probe: "tcp".into(),
            outcome,
            done,
            of_least: 4,
            of_most: 4,
            left: None,
        })
    };
    story.apply_event(cell(1, None), t);
    let job = story.snapshot(t);
    assert_eq!(
        (job.progress.fraction, job.progress.text.as_str()),
        (Some(0.25), "cell 2 of 4: tcp, rate 20Mbit")
    );
    story.apply_event(cell(2, Some(CellOutcome::Failed { cause: "refused".into() })), t);
    assert_eq!(story.snapshot(t).said, ["cell 3, tcp, rate 20Mbit: failed: refused"]);
}

#[test]
fn a_failure_is_told_as_the_command_told_it_or_as_it_ended() {
    let failed = |said: Option<FailureLine>, end: JobExit| {
        let mut story = story();
        let t = Instant::now();
        story.apply_event(EventLine::Finished { run: None, exit: 3, failure: said }, t);
        story.mark_finished("2026-01-01T00:00:09Z".into(), end);
        let job = story.snapshot(t);
        assert_eq!(job.state, JobState::Failed);
        job.failure.unwrap()
    };
    let said = FailureLine { error: "no route".into(), cause: Some("x".into()), hint: Some("y".into()) };
    let three = JobExit { exit: Some(3), how: "exit status: 3".into() };
    let expected =
        CommandRefusal { error: "no route".into(), cause: Some("x".into()), hint: Some("y".into()) };
    assert_eq!(failed(Some(said), three), expected);
    let killed = failed(None, JobExit { exit: None, how: "signal: 9 (SIGKILL)".into() });
    assert_eq!(killed.cause.as_deref(), Some("signal: 9 (SIGKILL)"));
}
