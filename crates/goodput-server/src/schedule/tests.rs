//! Schedules with an in-memory store, a controlled queue, a receiver on loopback, and a simulated clock.

use super::alert::Alert;
use super::history::PastRun;
use super::*;
use crate::problem::Problem;
use crate::tests::{at, body, reading, receiver, schedule_order, soon, until};
use serde_json::{Value, json};
use std::future::ready;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

#[derive(Clone, Default)]
struct Memory {
    kept: Arc<Mutex<BTreeMap<String, Value>>>,
    full: Arc<Mutex<bool>>,
    place: String,
}

impl ScheduleStore for Memory {
    fn load_all(&self) -> BoxFuture<Result<Vec<(String, Value)>, Message>> {
        Box::pin(ready(Ok(lock(&self.kept).clone().into_iter().collect())))
    }

    fn save(&self, name: String, document: Value) -> BoxFuture<Result<(), Message>> {
        let full = *lock(&self.full);
        if !full {
            lock(&self.kept).insert(name, document);
        }
        Box::pin(async move { if full { Err("the disk is full".into()) } else { Ok(()) } })
    }

    fn schedule_owner(&self) -> String {
        self.place.clone()
    }

    fn remove(&self, _: String) -> BoxFuture<Result<(), Message>> {
        Box::pin(ready(Ok(())))
    }
}

struct Begun {
    line: Vec<String>,
    schedule: String,
    end: oneshot::Sender<JobCompletion>,
}

#[derive(Clone)]
struct Queue {
    begun: mpsc::UnboundedSender<Begun>,
    runs: Arc<Mutex<Vec<PastRun>>>,
    closed: Arc<Mutex<bool>>,
}

impl JobRunner for Queue {
    fn validate_command(&self, _: &[String]) -> Result<(), Problem> {
        Ok(())
    }

    fn start_job(&self, line: Vec<String>, schedule: &str) -> Result<StartedJob, Message> {
        if *lock(&self.closed) {
            return Err("the queue is full".into());
        }
        let (end, ended) = oneshot::channel();
        self.begun.send(Begun { line, schedule: schedule.into(), end }).unwrap();
        let ended = Box::pin(async move { ended.await.unwrap() });
        Ok(StartedJob { job: "job-1".into(), ended })
    }

    fn finished_runs(&self, _: String) -> BoxFuture<Result<RunHistory, Message>> {
        let runs = lock(&self.runs).clone();
        Box::pin(async move { Ok(RunHistory { runs, older: 0 }) })
    }
}

struct Stage {
    shelf: Memory,
    queue: Queue,
    begun: mpsc::UnboundedReceiver<Begun>,
    schedules: Scheduler,
}

impl Stage {
    async fn new(shelf: Memory) -> Stage {
        let (send, begun) = mpsc::unbounded_channel();
        let queue = Queue { begun: send, runs: Arc::default(), closed: Arc::default() };
        let schedules = opened(&shelf, &queue).await;
        Stage { shelf, queue, begun, schedules }
    }

    /// With one schedule.
    async fn scheduled(order: ScheduleRequest) -> Stage {
        let stage = Stage::new(Memory::default()).await;
        stage.schedules.add_schedule(order, 1, at(START)).await.unwrap();
        stage
    }

    async fn reopened(&self) -> Scheduler {
        opened(&self.shelf, &self.queue).await
    }

    async fn begun(&mut self) -> Begun {
        soon(self.begun.recv()).await.unwrap()
    }

    async fn turn(&mut self, time: &str, run: &str, value: Option<f64>) {
        self.schedules.start_due_runs(at(time)).await;
        let begun = self.begun().await;
        if let Some(value) = value {
            let figure = Some(reading("goodput_bps", value, "bit/s"));
            lock(&self.queue.runs).push(PastRun { run: run.into(), started: time.into(), figure });
        }
        let exit = Some(if value.is_some() { 0 } else { 3 });
        let run = value.map(|_| run.to_string());
        begun.end.send(JobCompletion { at: at(time), exit, run, reason: None }).unwrap();
        self.until(|s| s.kept.begun.is_none()).await;
    }

    async fn until(&self, is: impl Fn(&Schedule) -> bool) {
        until(|| self.schedules.all().values().all(&is)).await;
    }
}

async fn opened(shelf: &Memory, queue: &Queue) -> Scheduler {
    let poster = WebhookClient {
        loopback: true,
        attempt: Duration::from_secs(5),
        pauses: vec![Duration::from_millis(10), Duration::from_millis(20)],
    };
    Scheduler::load_from_store(Box::new(shelf.clone()), Box::new(queue.clone()), poster).await.unwrap()
}

async fn letter(posted: &mut mpsc::UnboundedReceiver<String>) -> Value {
    body(&soon(posted.recv()).await.unwrap()).unwrap()
}

fn alerting(alert: Alert, webhook: impl std::fmt::Display) -> ScheduleRequest {
    ScheduleRequest { alerts: vec![alert], webhook: Some(format!("http://{webhook}/")), ..schedule_order() }
}

fn found(schedules: &Scheduler, now: &str) -> ScheduleDocument {
    schedules.find_schedule_document("nightly", at(now), true).unwrap()
}

const START: &str = "2026-03-01T00:00:00Z";

#[tokio::test]
async fn a_turn_is_a_job_with_the_label_of_its_schedule() {
    let mut stage = Stage::scheduled(schedule_order()).await;
    let next = stage.schedules.start_due_runs(at("2026-03-01T00:59:00Z")).await;
    assert_eq!(next, Some(at("2026-03-01T01:00:00Z")));
    assert!(stage.begun.try_recv().is_err());
    let next = stage.schedules.start_due_runs(at("2026-03-01T01:00:00Z")).await;
    assert_eq!(next, Some(at("2026-03-01T02:00:00Z")));
    let begun = stage.begun().await;
    assert_eq!(begun.line, ["stream", "--label", "schedule=nightly", "10.0.0.2"]);
    assert_eq!(begun.schedule, "nightly");
    assert_eq!(found(&stage.schedules, "2026-03-01T01:00:05Z").job.as_deref(), Some("job-1"));
    stage.schedules.start_due_runs(at("2026-03-01T01:00:30Z")).await;
    assert!(stage.begun.try_recv().is_err());
}

#[tokio::test]
async fn a_server_that_died_in_a_turn_says_so_and_does_not_measure_it_again() {
    let mut stage = Stage::scheduled(schedule_order()).await;
    stage.schedules.start_due_runs(at("2026-03-01T01:00:00Z")).await;
    let _under_way = stage.begun().await;
    let back = stage.reopened().await;
    back.start_due_runs(at("2026-03-01T01:00:21Z")).await;
    assert!(stage.begun.try_recv().is_err());
    let document = found(&back, "2026-03-01T01:00:21Z");
    assert_eq!((document.runs, document.failed, document.job), (0, 0, None));
    assert_eq!(document.missed[0].reason, "the server stopped during the measurement");
}

#[tokio::test]
async fn a_server_that_ends_begins_nothing_and_judges_nothing() {
    let mut stage = Stage::scheduled(schedule_order()).await;
    stage.schedules.start_due_runs(at("2026-03-01T01:00:00Z")).await;
    let begun = stage.begun().await;
    stage.schedules.close();
    assert_eq!(stage.schedules.start_due_runs(at("2026-03-01T02:00:00Z")).await, None);
    begun.end.send(JobCompletion { at: at(START), exit: Some(130), run: None, reason: None }).unwrap();
    tokio::task::yield_now().await;
    soon(stage.schedules.clone().run()).await;
    let document = found(&stage.reopened().await, "2026-03-01T02:00:00Z");
    assert_eq!((document.runs, document.failed, document.missed_turns), (0, 0, 1));
}

#[tokio::test]
async fn a_queue_that_takes_nothing_is_a_failed_turn() {
    let stage = Stage::scheduled(schedule_order()).await;
    *lock(&stage.queue.closed) = true;
    stage.schedules.start_due_runs(at("2026-03-01T01:00:00Z")).await;
    stage.until(|s| s.kept.failed == 1).await;
    let last = found(&stage.schedules, START).last.unwrap();
    assert_eq!((last.exit, last.reason.as_deref()), (None, Some("the queue is full")));
}

#[tokio::test]
async fn an_alert_is_posted_at_its_beginning_and_end_and_tried_again() {
    let (addr, mut posted) = receiver(&["503 X", "200 X", "204 X"]).await;
    let mut stage = Stage::scheduled(alerting(Alert::Below { value: 9e8 }, addr)).await;
    stage.turn("2026-03-01T01:00:00Z", "r1", Some(8e8)).await;
    let (first, again) = (letter(&mut posted).await, letter(&mut posted).await);
    assert_eq!(first, again, "the second attempt is the same letter");
    assert_eq!(first["schema"], "goodput/alert/1");
    assert_eq!((&first["state"], &first["run"]), (&json!("raised"), &json!("r1")));
    assert_eq!(first["rule"], json!({ "kind": "below", "value": 9e8 }));
    assert_eq!(first["figure"]["value"], json!(8e8));
    assert_eq!(first["text"], "nightly: goodput_bps 800000000 bit/s is below 900.0 Mbit/s");
    stage.until(|s| s.kept.letters.is_empty()).await;
    stage.turn("2026-03-01T02:00:00Z", "r2", Some(7e8)).await;
    stage.turn("2026-03-01T03:00:00Z", "r3", Some(9.5e8)).await;
    let ended = letter(&mut posted).await;
    assert_eq!((&ended["state"], &ended["run"]), (&json!("ended"), &json!("r3")));
    stage.until(|s| s.kept.told.as_ref().is_some_and(|t| t.taken && t.text.contains("204"))).await;
}

#[tokio::test]
async fn a_letter_that_nobody_takes_is_given_up_and_said() {
    let (addr, mut posted) = receiver(&["500 X"; 3]).await;
    let mut stage = Stage::scheduled(alerting(Alert::Failed { times: 1 }, addr)).await;
    stage.turn("2026-03-01T01:00:00Z", "r1", None).await;
    for _ in 0..3 {
        assert_eq!(letter(&mut posted).await["state"], "raised");
    }
    stage.until(|s| s.kept.letters.is_empty()).await;
    let told = found(&stage.schedules, START).told.unwrap();
    assert!(!told.taken && told.text.starts_with("given up: "), "{told:?}");
}

#[tokio::test]
async fn a_letter_outlives_the_server() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let order = alerting(Alert::Failed { times: 1 }, silent.local_addr().unwrap());
    let mut stage = Stage::scheduled(order).await;
    let shelf = stage.shelf.clone();
    stage.turn("2026-03-01T01:00:00Z", "r1", None).await;
    stage.until(|s| s.kept.letters.len() == 1).await;
    until(|| lock(&shelf.kept)["nightly"]["letters"].as_array().is_some_and(|l| l.len() == 1)).await;
    let (addr, mut posted) = receiver(&["200 X"]).await;
    lock(&shelf.kept).get_mut("nightly").unwrap()["order"]["webhook"] = json!(format!("http://{addr}/"));
    let running = tokio::spawn(stage.reopened().await.run());
    assert_eq!(letter(&mut posted).await["state"], "raised");
    running.abort();
}

#[tokio::test]
async fn a_shelf_that_is_full_is_said_and_stops_nothing() {
    let mut stage = Stage::scheduled(schedule_order()).await;
    assert_eq!(stage.schedules.last_storage_error(), None);
    *lock(&stage.shelf.full) = true;
    stage.turn("2026-03-01T01:00:00Z", "r1", Some(9e8)).await;
    until(|| stage.schedules.last_storage_error().is_some_and(|t| t.contains("the disk is full"))).await;
}

#[tokio::test]
async fn servers_that_share_a_shelf_measure_their_own() {
    let shelf = Memory { place: "one:/runs".into(), ..Memory::default() };
    let mut first = Stage::new(shelf.clone()).await;
    let mut second = Stage::new(Memory { place: "two:/runs".into(), ..shelf.clone() }).await;
    first.schedules.add_schedule(schedule_order(), 1, at(START)).await.unwrap();
    let taken = second.schedules.add_schedule(schedule_order(), 2, at(START)).await;
    assert!(matches!(taken, Err(ScheduleRequestError::Taken { .. })));
    let own = ScheduleRequest { name: "other".into(), ..schedule_order() };
    second.schedules.add_schedule(own, 2, at(START)).await.unwrap();
    for stage in [&mut first, &mut second] {
        stage.schedules = stage.reopened().await;
        stage.schedules.start_due_runs(at("2026-03-01T01:00:00Z")).await;
    }
    assert_eq!(first.begun().await.schedule, "nightly");
    assert_eq!(second.begun().await.schedule, "other");
    assert!(first.begun.try_recv().is_err() && second.begun.try_recv().is_err());
}

#[tokio::test]
async fn one_that_cannot_be_read_does_not_hide_the_others() {
    let stage = Stage::scheduled(schedule_order()).await;
    let shelf = &stage.shelf;
    lock(&shelf.kept).insert("broken".into(), json!({ "order": 7 }));
    let back = stage.reopened().await;
    assert_eq!(back.list_schedule_documents(at(START), true).len(), 1);
    assert!(back.last_storage_error().is_some_and(|t| t.contains("broken cannot be read")));
    assert!(lock(&shelf.kept).contains_key("broken"));
}
