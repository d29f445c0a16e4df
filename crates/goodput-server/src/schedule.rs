//! Schedules: a measuring line is repeated, its figures make a history, and rules say when somebody is told.
//!
//! What decides is pure and stands in files of its own: when a turn is due ([`turn`], [`when`]), what becomes of a schedule
//! ([`kept`]), when a rule is told ([`alert`]). [`Schedules`] is what acts: it looks when the next turn is due, hands
//! the line to the queue of jobs, writes down what happened before and after, and posts ([`webhook`]). Where schedules
//! are kept and who measures is behind [`Shelf`] and [`Work`], so that tests need neither; in the server it is the
//! index and the queue of jobs ([`served`]).

pub mod alert;
mod delivery;
pub mod form;
pub mod history;
pub mod kept;
pub mod order;
pub mod served;
pub mod turn;
pub mod webhook;
pub mod webhook_payload;
pub mod when;
mod work;

pub use work::{JobEnd, Shelf, Soon, Started, Work};

use alert::Seen;
use form::{Ended, HistoryDocument, Order, ScheduleDocument};
use history::{Past, Searched};
use jiff::Timestamp;
use kept::{Kept, Schedule};
use order::OrderError;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use webhook::Poster;

/// The label that the runs of a schedule bear; its value is the schedule's name.
pub const LABEL: &str = "schedule";
pub const MOST_SCHEDULES: usize = 500;
/// The longest sleep while there is a schedule: the clock may be set, and the machine may have slept.
const LOOK: Duration = Duration::from_secs(30);
/// The longest sleep while there is none; a new one wakes the sleeper.
const NOTHING: Duration = Duration::from_secs(3600);

#[derive(Clone)]
pub struct Schedules(Arc<Inner>);

struct Inner {
    all: Mutex<BTreeMap<String, Schedule>>,
    shelf: Box<dyn Shelf>,
    work: Box<dyn Work>,
    poster: Poster,
    /// Wakes who waits for the next turn.
    changed: Notify,
    /// One write at a time, so that an older state never lies above a newer one.
    writing: tokio::sync::Mutex<()>,
    /// The server is ending: nothing is begun or judged any more.
    closing: AtomicBool,
    posting: Mutex<BTreeSet<String>>,
    /// The last search of each history, and of which runs it was.
    searched: Mutex<BTreeMap<String, Arc<Searched>>>,
    unread: Option<String>,
    /// Why one could not be written down, the last time it was tried.
    unwritten: Mutex<Option<String>>,
}

impl std::fmt::Debug for Schedules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Schedules").field("count", &self.all().len()).finish_non_exhaustive()
    }
}

impl Schedules {
    /// Those that are kept. Turns that were under way when the server ended are missed.
    ///
    /// # Errors
    /// They cannot be read. A single one that cannot is left where it is and named in [`Schedules::trouble`].
    pub async fn open(
        shelf: Box<dyn Shelf>,
        work: Box<dyn Work>,
        poster: Poster,
    ) -> Result<Schedules, String> {
        let (mut all, mut unread, mut back) = (BTreeMap::new(), None, Vec::new());
        for (name, document) in shelf.all().await? {
            match serde_json::from_value::<Kept>(document) {
                // Another server's: it is measured there.
                Ok(kept) if kept.place != shelf.place() => {}
                Ok(kept) => {
                    let mut schedule = Schedule::of(kept);
                    if schedule.came_back() {
                        back.push(name.clone());
                    }
                    all.insert(name, schedule);
                }
                Err(e) => unread = Some(format!("the schedule {name} cannot be read: {e}")),
            }
        }
        let schedules = Schedules(Arc::new(Inner {
            all: Mutex::new(all),
            shelf,
            work,
            poster,
            changed: Notify::new(),
            writing: tokio::sync::Mutex::new(()),
            closing: AtomicBool::new(false),
            posting: Mutex::default(),
            searched: Mutex::default(),
            unread,
            unwritten: Mutex::default(),
        }));
        for name in back {
            schedules.save(&name).await;
        }
        Ok(schedules)
    }

    /// Begins nothing any more. A turn under way is broken off with the server, and named when it is back.
    pub fn close(&self) {
        self.0.closing.store(true, Ordering::Relaxed);
        self.0.changed.notify_one();
    }

    fn is_closing(&self) -> bool {
        self.0.closing.load(Ordering::Relaxed)
    }

    /// Begins each turn at its time and delivers what is to be told, until [`Schedules::close`].
    pub async fn run(self) {
        let waiting: Vec<String> =
            self.all().iter().filter(|(_, s)| !s.kept.letters.is_empty()).map(|(n, _)| n.clone()).collect();
        for name in waiting {
            self.deliver(&name);
        }
        while !self.is_closing() {
            let wake = self.turn(Timestamp::now()).await;
            let longest = if self.all().is_empty() { NOTHING } else { LOOK };
            let pause = wake.map_or(longest, |wake| {
                let left = wake.duration_since(Timestamp::now());
                Duration::try_from(left).unwrap_or(Duration::ZERO).min(longest)
            });
            // A little more than nothing: a turn that is not due by a hair is not looked at in a circle.
            let _ =
                tokio::time::timeout(pause.max(Duration::from_millis(5)), self.0.changed.notified()).await;
        }
    }

    /// Begins every turn that is due now; gives the time of the next.
    pub async fn turn(&self, now: Timestamp) -> Option<Timestamp> {
        if self.is_closing() {
            return None;
        }
        let (mut due, mut changed, mut wake) = (Vec::new(), Vec::new(), None::<Timestamp>);
        for (name, schedule) in self.all().iter_mut() {
            let looked = schedule.look(now);
            wake = wake.into_iter().chain(looked.wake).min();
            if let Some(turn) = looked.due {
                schedule.begin(turn);
                due.push((name.clone(), turn, schedule.kept.order.line.clone()));
            }
            if looked.changed {
                changed.push(name.clone());
            }
        }
        // Written down before it begins: a server that dies now does not measure the turn twice.
        for name in changed {
            self.save(&name).await;
        }
        for (name, turn, line) in due {
            self.start(name, turn, line);
        }
        wake
    }

    fn start(&self, name: String, turn: Timestamp, line: Vec<String>) {
        let ended: Soon<JobEnd> = match self.0.work.begin(order::labelled(line, &name), &name) {
            Ok(started) => {
                if let Some(schedule) = self.all().get_mut(&name) {
                    schedule.queued(&started.job);
                }
                started.ended
            }
            Err(why) => {
                let end = JobEnd { at: turn, exit: None, run: None, reason: Some(why) };
                Box::pin(std::future::ready(end))
            }
        };
        let schedules = self.clone();
        tokio::spawn(async move {
            let end = ended.await;
            schedules.ended(&name, turn, end).await;
        });
    }

    /// A turn has ended: its figure is looked up, the rules are judged, and what they say is posted.
    async fn ended(&self, name: &str, turn: Timestamp, end: JobEnd) {
        if self.is_closing() {
            return;
        }
        // Without a stored run there is nothing new to look up.
        let past =
            if end.run.is_some() { self.0.work.runs(name.to_string()).await } else { Ok(Past::default()) };
        let (past, unread) = match past {
            Ok(past) => (past, None),
            Err(why) => (Past::default(), Some(format!("its figure cannot be looked up: {why}"))),
        };
        let own = past.runs.iter().rev().find(|r| Some(&r.run) == end.run.as_ref());
        let figure = own.and_then(|r| r.figure.clone());
        let wants = |s: &Schedule| s.kept.order.alerts.contains(&alert::Alert::Changed);
        let search = own.is_some() && self.all().get(name).is_some_and(wants);
        let searched = if search { Some(self.searched(name, past).await) } else { None };
        let (runs, words) = searched.as_deref().map(Searched::seen).unwrap_or_default();
        let seen: Vec<Seen<'_>> = words.iter().map(|(at, text)| Seen { at: *at, text }).collect();
        let reason = end.reason.or(unread);
        let ended = Ended { turn, at: end.at, run: end.run, exit: end.exit, reason, figure };
        match self.all().get_mut(name) {
            Some(schedule) => schedule.end(ended, &runs, &seen),
            None => return,
        }
        self.save(name).await;
        self.deliver(name);
    }

    pub fn list(&self, now: Timestamp, operator: bool) -> Vec<ScheduleDocument> {
        self.all().values().map(|s| s.document(now, operator)).collect()
    }

    pub fn find(&self, name: &str, now: Timestamp, operator: bool) -> Option<ScheduleDocument> {
        self.all().get(name).map(|s| s.document(now, operator))
    }

    pub fn each(&self, look: impl FnMut(&Schedule)) {
        self.all().values().for_each(look);
    }

    /// Why schedules could not be written down or read, the last time it was tried; `None` while they can.
    pub fn trouble(&self) -> Option<String> {
        lock(&self.0.unwritten).clone().or_else(|| self.0.unread.clone())
    }

    /// Makes a new one. `seed` is random, and another one on each server.
    ///
    /// # Errors
    /// It cannot be one, or the name is taken.
    pub async fn add(&self, order: Order, seed: u64, now: Timestamp) -> Result<(), OrderError> {
        order.check(&*self.0.work)?;
        let name = order.name.clone();
        let place = self.0.shelf.place();
        if !place.is_empty() {
            let kept = self.0.shelf.all().await.map_err(|why| OrderError::Shelf { why })?;
            if kept.iter().any(|(known, _)| *known == name) {
                return Err(OrderError::Taken { name });
            }
        }
        {
            let mut all = self.all();
            if all.contains_key(&name) {
                return Err(OrderError::Taken { name });
            }
            if all.len() >= MOST_SCHEDULES {
                return Err(OrderError::TooMany);
            }
            let mut schedule = Schedule::new(order, seed, now);
            schedule.kept.place = place;
            all.insert(name.clone(), schedule);
        }
        self.save(&name).await;
        self.0.changed.notify_one();
        Ok(())
    }

    /// Puts another order in the place of one.
    ///
    /// # Errors
    /// It cannot be one, it has another name, or there is none of this name.
    pub async fn replace(&self, name: &str, order: Order, now: Timestamp) -> Result<(), OrderError> {
        order.check(&*self.0.work)?;
        if order.name != name {
            return Err(OrderError::Renamed { from: name.to_string(), to: order.name });
        }
        match self.all().get_mut(name) {
            Some(schedule) => schedule.replace(order, now),
            None => return Err(OrderError::Unknown { name: name.to_string() }),
        }
        self.save(name).await;
        self.0.changed.notify_one();
        Ok(())
    }

    /// Takes one away. A turn under way is measured to its end; its runs stay.
    ///
    /// # Errors
    /// There is none of this name, or it cannot be taken away.
    pub async fn remove(&self, name: &str) -> Result<(), OrderError> {
        let _alone = self.0.writing.lock().await;
        if !self.all().contains_key(name) {
            return Err(OrderError::Unknown { name: name.to_string() });
        }
        self.0.shelf.remove(name.to_string()).await.map_err(|why| OrderError::Shelf { why })?;
        self.all().remove(name);
        lock(&self.0.searched).remove(name);
        self.0.changed.notify_one();
        Ok(())
    }

    /// The history of one; `None` if there is none of this name.
    ///
    /// # Errors
    /// The runs cannot be looked up.
    pub async fn history(&self, name: &str) -> Result<Option<HistoryDocument>, String> {
        if !self.all().contains_key(name) {
            return Ok(None);
        }
        let past = self.0.work.runs(name.to_string()).await?;
        let searched = self.searched(name, past).await;
        Ok(Some(searched.document(name)))
    }

    /// What the search says of these runs; once searched, it is not searched again until there is another run.
    async fn searched(&self, name: &str, past: Past) -> Arc<Searched> {
        if let Some(known) = lock(&self.0.searched).get(name).filter(|known| known.is_of(&past)) {
            return known.clone();
        }
        let seed = self.all().get(name).map_or(0, |s| s.kept.seed);
        let work = move || Arc::new(Searched::of(past, seed));
        // The search takes part of a second of a CPU: not on a thread that answers requests.
        let found = tokio::task::spawn_blocking(work).await.unwrap_or_default();
        if self.all().contains_key(name) {
            lock(&self.0.searched).insert(name.to_string(), found.clone());
        }
        found
    }

    /// Writes down how one stands now.
    async fn save(&self, name: &str) {
        let _alone = self.0.writing.lock().await;
        let document = self.all().get(name).map(|s| serde_json::to_value(&s.kept));
        let written = match document {
            None => return,
            Some(Err(e)) => Err(e.to_string()),
            Some(Ok(document)) => self.0.shelf.put(name.to_string(), document).await,
        };
        let trouble = written.err().map(|why| format!("the schedule {name} cannot be written down: {why}"));
        *lock(&self.0.unwritten) = trouble;
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Schedule>> {
        lock(&self.0.all)
    }
}

/// What is behind a lock; whoever panicked with it in his hand left it whole, because every change is one call.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
