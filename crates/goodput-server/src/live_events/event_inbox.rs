//! The queue of events for one reader.

use super::LiveEvent;
use crate::jobs::Job;
use crate::lock;
use crate::translate::Localize;
use goodput_words::{Language, Translator};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::Notify;

pub const MAX_QUEUED_LIVE_SAMPLES: usize = 64;
pub const MAX_QUEUED_MESSAGES: usize = 4096;

#[derive(Debug, PartialEq)]
pub struct EventMessage {
    pub name: String,
    /// JSON on one line, in English; `null` without data.
    pub data: String,
    pub may_be_missing: bool,
    /// Of all events only jobs have texts for people.
    job: Option<Box<Job>>,
}

impl EventMessage {
    pub fn from_event(told: &LiveEvent) -> EventMessage {
        // Plain data with string keys and finite numbers cannot fail.
        let value = serde_json::to_value(told).unwrap_or_default();
        let name = value["event"].as_str().unwrap_or_default().to_string();
        // Events without data are not dispatched (WHATWG HTML, section 9.2.6).
        EventMessage {
            name,
            data: value["data"].to_string(),
            may_be_missing: matches!(told, LiveEvent::Live(_)),
            job: match told {
                LiveEvent::Job(job) => Some(Box::new(job.clone())),
                _ => None,
            },
        }
    }

    /// The data in a reader's language.
    pub fn localized_data(&self, words: &Translator) -> Cow<'_, str> {
        match &self.job {
            Some(job) if words.language() != Language::English => {
                let job = job.clone().localized(words);
                Cow::Owned(serde_json::to_value(&job).unwrap_or_default().to_string())
            }
            _ => Cow::Borrowed(&self.data),
        }
    }
}

#[derive(Debug, Default)]
pub struct EventInbox {
    waiting: Mutex<Waiting>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    messages: VecDeque<Arc<EventMessage>>,
    live: usize,
    disconnected: bool,
}

impl EventInbox {
    pub(super) fn push(&self, message: &Arc<EventMessage>) {
        self.waiting().put(message);
        self.arrived.notify_one();
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        lock(&self.waiting)
    }
}

impl Waiting {
    fn put(&mut self, message: &Arc<EventMessage>) {
        if self.disconnected {
            return;
        }
        if message.may_be_missing {
            if self.live == MAX_QUEUED_LIVE_SAMPLES
                && let Some(oldest) = self.messages.iter().position(|m| m.may_be_missing)
            {
                self.messages.remove(oldest);
                self.live -= 1;
            }
            self.live += 1;
        } else if self.messages.len() - self.live >= MAX_QUEUED_MESSAGES {
            *self = Waiting { disconnected: true, ..Waiting::default() };
            return;
        }
        self.messages.push_back(message.clone());
    }

    fn take(&mut self) -> Option<Arc<EventMessage>> {
        let message = self.messages.pop_front()?;
        self.live -= usize::from(message.may_be_missing);
        Some(message)
    }
}

#[derive(Debug)]
pub struct EventReader(pub(super) Arc<EventInbox>);

impl EventReader {
    /// The next event. `None` if so many were missed that the reader must reload everything.
    pub async fn next(&self) -> Option<Arc<EventMessage>> {
        loop {
            {
                let mut waiting = self.0.waiting();
                if let Some(message) = waiting.take() {
                    return Some(message);
                }
                if waiting.disconnected {
                    return None;
                }
            }
            self.0.arrived.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::JobProgress;
    use crate::translate::translator;
    use goodput_words::{Message, message};

    fn message(data: usize, may_be_missing: bool) -> Arc<EventMessage> {
        Arc::new(EventMessage { name: "x".into(), data: data.to_string(), may_be_missing, job: None })
    }

    fn taken(waiting: &mut Waiting) -> Vec<String> {
        std::iter::from_fn(|| waiting.take()).map(|m| m.data.clone()).collect()
    }

    #[test]
    fn a_job_is_told_in_the_readers_language() {
        let progress = JobProgress { fraction: None, text: "Results".into() };
        let warning = message!(line_warning { said: Message::from("Results") });
        let job = Job { said: vec![warning.into()], progress, ..Job::default() };
        let message = EventMessage::from_event(&LiveEvent::Job(job));
        let told = |language| -> serde_json::Value {
            serde_json::from_str(&message.localized_data(translator(language))).unwrap()
        };
        assert_eq!(told(Language::English)["progress"]["text"], "Results");
        let russian = told(Language::Russian);
        assert_eq!(russian["progress"]["text"], "Результаты");
        assert_eq!(russian["said"][0], "предупреждение: Результаты");
    }

    #[test]
    fn a_slow_reader_loses_the_oldest_live_samples_and_one_that_takes_nothing_is_let_go() {
        let mut waiting = Waiting::default();
        for n in 0..3 * MAX_QUEUED_LIVE_SAMPLES {
            waiting.put(&message(n, n % 3 != 0));
        }
        let expected: Vec<String> = (0..3 * MAX_QUEUED_LIVE_SAMPLES)
            .filter(|n| n % 3 == 0 || *n >= 3 * MAX_QUEUED_LIVE_SAMPLES - MAX_QUEUED_LIVE_SAMPLES * 3 / 2)
            .map(|n| n.to_string())
            .collect();
        assert_eq!(taken(&mut waiting), expected);
        assert_eq!(waiting.live, 0);
        (0..MAX_QUEUED_LIVE_SAMPLES).for_each(|n| waiting.put(&message(n, true)));
        assert_eq!(taken(&mut waiting).len(), MAX_QUEUED_LIVE_SAMPLES);
        let mut waiting = Waiting::default();
        (0..MAX_QUEUED_MESSAGES).for_each(|n| waiting.put(&message(n, false)));
        assert_eq!((waiting.messages.len(), waiting.disconnected), (MAX_QUEUED_MESSAGES, false));
        waiting.put(&message(0, false));
        assert_eq!((waiting.messages.len(), waiting.disconnected), (0, true));
        waiting.put(&message(1, true));
        assert_eq!(waiting.take(), None);
    }
}
