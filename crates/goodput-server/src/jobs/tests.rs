//! The queue, with a shell script in place of the program.

use super::*;
use crate::live_events::EventReader;
use crate::tests::FakeProgram;
use std::os::unix::fs::PermissionsExt;

const PROGRAM: &str = r#"#!/bin/sh
run=01a1fc42-d27b-7000-8000-0123456789ab
finished() { echo "{\"event\":\"finished\",\"run\":\"$run\",\"exit\":$1,\"failure\":null}"; exit "$1"; }
trap 'finished 130' INT
echo "{\"event\":\"started\",\"run\":\"$run\",\"trials\":1}"
case "$1" in
quick) echo "{\"event\":\"trial_finished\",\"run\":\"$run\",\"trial\":1,\"outcome\":\"complete\",\"cause\":null}" ;;
wait) while [ ! -e "$2" ]; do sleep 0.02; done ;;
ask)
    echo '{"event":"ask","id":"1","factor":"nic","level":"b","text":"swap it","must_show":[],"wrong":null}'
    read -r answer
    echo '{"event":"answered","id":"1"}'
    echo "$answer" >&2
    ;;
checked)
    read -r text
    echo "$* $text" >&2
    ;;
esac
finished 0
"#;

struct Stage {
    folder: tempfile::TempDir,
    jobs: JobQueue,
    hub: EventHub,
}

impl Stage {
    fn new() -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        std::fs::write(&program, PROGRAM).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
        let hub = EventHub::default();
        let door = Arc::new(FakeProgram(program));
        let jobs = JobQueue::new(door, folder.path().into(), Vec::new(), hub.clone());
        Stage { folder, jobs, hub }
    }

    fn waiting(&self) -> Vec<String> {
        words(&["wait", &self.gate().display().to_string()])
    }

    fn gate(&self) -> PathBuf {
        self.folder.path().join("gate")
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        block_on(self.jobs.shut_down());
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(crate::tests::soon(future))
}

fn heard(reader: &EventReader, name: &str, fits: impl Fn(&str) -> bool) -> String {
    block_on(async {
        loop {
            let message = reader.next().await.unwrap();
            if message.name == name && fits(&message.data) {
                return message.data.clone();
            }
        }
    })
}

#[test]
fn one_runs_at_a_time_and_the_others_follow_in_their_order() {
    let stage = Stage::new();
    let first = stage.jobs.enqueue(stage.waiting(), "page").unwrap();
    let second = stage.jobs.enqueue(words(&["quick"]), "schedule nightly").unwrap();
    let third = stage.jobs.enqueue(words(&["quick"]), "page").unwrap();
    use JobState::{Done, Running, Waiting};
    assert_eq!(
        [&first, &second, &third].map(|j| stage.jobs.get(&j.id).unwrap().state),
        [Running, Waiting, Waiting]
    );
    std::fs::write(stage.gate(), "").unwrap();
    let third = block_on(stage.jobs.wait_for_job_end(&third.id)).unwrap();
    let second = block_on(stage.jobs.wait_for_job_end(&second.id)).unwrap();
    assert_eq!((second.state, second.exit, &*second.who), (Done, Some(0), "schedule nightly"));
    assert_eq!(second.run.as_deref(), Some("01a1fc42-d27b-7000-8000-0123456789ab"));
    assert!(second.ended <= third.started, "{second:?} {third:?}");
    let listed = stage.jobs.list();
    assert_eq!(listed.iter().map(|j| &j.id).collect::<Vec<_>>(), [&first, &second, &third].map(|j| &j.id));
}

#[test]
fn a_job_that_runs_is_asked_to_end_and_one_that_waits_never_begins() {
    let stage = Stage::new();
    let reader = stage.hub.subscribe().unwrap();
    let first = stage.jobs.enqueue(stage.waiting(), "page").unwrap();
    let second = stage.jobs.enqueue(words(&["quick"]), "page").unwrap();
    heard(&reader, "job", |data| data.contains(&first.id) && data.contains("01a1fc42"));
    stage.jobs.stop_job(&second.id).unwrap();
    stage.jobs.stop_job(&first.id).unwrap();
    let first = block_on(stage.jobs.wait_for_job_end(&first.id)).unwrap();
    assert_eq!((first.state, first.exit), (JobState::Failed, Some(130)));
    let second = stage.jobs.get(&second.id).unwrap();
    assert_eq!((second.state, second.started.as_deref()), (JobState::Failed, None));
    assert!(second.failure.unwrap().error.contains("before it"));
    assert_eq!(stage.jobs.stop_job("none").unwrap_err().kind, ProblemKind::NotFound);
}

#[test]
fn a_question_is_answered_once() {
    let stage = Stage::new();
    let reader = stage.hub.subscribe().unwrap();
    let job = stage.jobs.enqueue(words(&["ask"]), "page").unwrap();
    heard(&reader, "prompt", |data| data.contains(&job.id));
    let asked = stage.jobs.get(&job.id).unwrap().prompt.unwrap();
    assert_eq!((&*asked.id, &*asked.text), ("1", "swap it"));
    let answer =
        |prompt, answer| stage.jobs.answer_prompt(&job.id, prompt, answer).map(drop).map_err(|e| e.kind);
    assert_eq!(answer("2", "done"), Err(ProblemKind::Conflict));
    assert_eq!(answer("1", "maybe"), Err(ProblemKind::Refused));
    assert_eq!(answer("1", "done"), Ok(()));
    let over = block_on(stage.jobs.wait_for_job_end(&job.id)).unwrap();
    assert_eq!((over.state, over.prompt), (JobState::Done, None));
    assert_eq!(over.said, [r#"{"prompt":"1","answer":"done"}"#]);
    assert_eq!(answer("1", "done"), Err(ProblemKind::Conflict));
}

#[test]
fn a_line_is_read_before_it_is_started() {
    let stage = Stage::new();
    let kind = |line: &[&str]| stage.jobs.enqueue(words(line), "page").unwrap_err();
    assert_eq!(kind(&["bad"]).kind, ProblemKind::Refused);
    assert!(kind(&["quick", "--np-out", "x"]).hint.unwrap().contains("--allow write"));
    assert_eq!(kind(&["quick", "a\0b"]).kind, ProblemKind::Request);
    let long = "x".repeat(5000);
    assert_eq!(kind(&["quick", &long]).kind, ProblemKind::Request);
    assert!(stage.jobs.list().is_empty());
}

#[test]
fn a_job_gets_the_text_that_was_checked() {
    let stage = Stage::new();
    let file = stage.folder.path().join("text").display().to_string();
    std::fs::write(&file, "checked").unwrap();
    stage.jobs.enqueue(stage.waiting(), "page").unwrap();
    let job = stage.jobs.enqueue(words(&["checked", &file]), "page").unwrap();
    std::fs::write(&file, "replaced").unwrap();
    std::fs::write(stage.gate(), "").unwrap();
    let over = block_on(stage.jobs.wait_for_job_end(&job.id)).unwrap();
    assert_eq!(over.said, [&*format!("checked {file} --events --source-from-input checked")]);
}

#[test]
fn only_the_last_that_are_over_are_remembered() {
    let mut table = Table::default();
    for n in 0..MAX_FINISHED_JOBS + 3 {
        let mut story = JobTracker::new(n.to_string(), Vec::new(), "page".into(), String::new());
        if n != 1 {
            story.mark_start_failed(String::new(), "x");
        }
        table.entries.push(Entry { story, input: None, child: None });
    }
    table.forget();
    let names: Vec<&str> = table.entries.iter().map(|entry| entry.story.id()).take(3).collect();
    assert_eq!((names, table.entries.len()), (vec!["1", "3", "4"], MAX_FINISHED_JOBS + 1));
}
