//! Delivers webhook payloads in order, with pauses between attempts.

use super::Scheduler;
use super::api_documents::AlertDeliveryAttempt;
use super::webhook::{self, HttpTarget, PostError};
use super::webhook_payload::WebhookPayload;
use crate::{lock, seconds_arg};
use goodput_words::{ErrorMessage, message};
use jiff::Timestamp;

impl Scheduler {
    pub(super) fn deliver_alerts(&self, name: &str) {
        if self.next_payload(name).is_none() || !lock(&self.0.posting).insert(name.to_string()) {
            return;
        }
        let (schedules, name) = (self.clone(), name.to_string());
        tokio::spawn(async move {
            while let Some((letter, address)) = schedules.next_payload(&name) {
                schedules.post(&name, &letter, &address).await;
            }
            lock(&schedules.0.posting).remove(&name);
            // A payload may have arrived since the last check.
            schedules.deliver_alerts(&name);
        });
    }

    async fn post(&self, name: &str, letter: &WebhookPayload, address: &str) {
        let mut pauses = self.0.poster.pauses.iter();
        loop {
            let answered = match HttpTarget::parse(address) {
                Ok(target) => self.0.poster.post(&target, letter.to_json()).await,
                Err(e) => Err(PostError::Never(e.message())),
            };
            let (taken, text, pause) = match answered {
                Ok(status) => (true, webhook::answered(status), None),
                Err(PostError::Never(why)) => (false, message!(served_given_up { why }), None),
                Err(PostError::Again(why)) => match pauses.next() {
                    Some(pause) => {
                        let time = seconds_arg(pause.as_secs_f64());
                        (false, message!(served_tried_again_in { why, time }), Some(*pause))
                    }
                    None => (false, message!(served_given_up { why }), None),
                },
            };
            let delivery = AlertDeliveryAttempt { at: Timestamp::now(), taken, text };
            match self.all().get_mut(name) {
                Some(schedule) => schedule.record_webhook_delivery(&letter.id, delivery, pause.is_none()),
                None => return,
            }
            self.save(name).await;
            match pause {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return,
            }
        }
    }

    fn next_payload(&self, name: &str) -> Option<(WebhookPayload, String)> {
        let all = self.all();
        let kept = &all.get(name)?.kept;
        Some((kept.letters.first()?.clone(), kept.order.webhook.clone()?))
    }
}
