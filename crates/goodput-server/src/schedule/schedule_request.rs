//! Validates a schedule's order.

use super::api_documents::ScheduleRequest;
use super::due_occurrence::MAX_JITTER_SECONDS;
use super::webhook::HttpTarget;
use super::{JobRunner, MAX_SCHEDULES, SCHEDULE_LABEL_KEY};
use crate::problem::{Problem, ProblemKind};
use crate::seconds_arg;
use goodput_words::{ErrorMessage, Message, error_messages, message};

const LONGEST_NAME: usize = 64;
const LONGEST_LINE: (usize, usize) = (200, 16 << 10);
const MAX_ALERTS: usize = 20;

#[derive(Debug)]
pub enum ScheduleRequestError {
    Invalid { why: Message },
    Line(Problem),
    Taken { name: String },
    Unknown { name: String },
    Renamed { from: String, to: String },
    TooMany,
    ScheduleStore { why: Message },
}

error_messages! {
    ScheduleRequestError {
        ScheduleRequestError::Invalid { why } | ScheduleRequestError::ScheduleStore { why } => why,
        ScheduleRequestError::Line(problem) => &problem.error,
        ScheduleRequestError::Taken { name } => message!(served_schedule_called_already { name }),
        ScheduleRequestError::Unknown { name } => message!(served_no_schedule_called { name }),
        ScheduleRequestError::Renamed { from, to } => {
            message!(served_schedule_cannot_be_called { from, to })
        },
        ScheduleRequestError::TooMany => message!(served_schedules_already { count: MAX_SCHEDULES }),
    }
}

impl ScheduleRequest {
    /// The error is the first invalid part.
    pub fn validate(&self, work: &dyn JobRunner) -> Result<(), ScheduleRequestError> {
        let invalid = |why: Message| ScheduleRequestError::Invalid { why };
        if !is_name(&self.name) {
            let (name, most) = (format!("{:?}", self.name), LONGEST_NAME);
            return Err(invalid(message!(served_no_schedule_name { name, most })));
        }
        let bytes: usize = self.line.iter().map(String::len).sum();
        if self.line.is_empty() || self.line.len() > LONGEST_LINE.0 || bytes > LONGEST_LINE.1 {
            let [words, bytes, most_words, most_bytes] =
                [self.line.len(), bytes, LONGEST_LINE.0, LONGEST_LINE.1].map(|count| count.to_string());
            return Err(invalid(message!(served_line_length {
                mostWords: most_words,
                mostBytes: most_bytes,
                words,
                bytes,
            })));
        }
        // It is set automatically.
        if bears_label(&self.line) {
            return Err(invalid(message!(served_label_set_by_schedule { label: SCHEDULE_LABEL_KEY })));
        }
        let rule = self.when.to_recurrence_rule().map_err(|e| invalid(e.message()))?;
        let most = (rule.shortest_interval() / 2).min(u64::from(MAX_JITTER_SECONDS));
        if let Some(asked) = self.jitter_seconds.filter(|asked| u64::from(*asked) > most) {
            let (jitter, most) = (seconds_arg(asked.into()), seconds_arg(most as f64));
            return Err(invalid(message!(served_jitter { jitter, most })));
        }
        if self.alerts.len() > MAX_ALERTS {
            let count = self.alerts.len().to_string();
            return Err(invalid(message!(served_too_many_alerts { most: MAX_ALERTS, count })));
        }
        self.alerts.iter().try_for_each(|alert| alert.validate().map_err(invalid))?;
        if let Some(address) = &self.webhook {
            HttpTarget::parse(address).map_err(|e| invalid(e.message()))?;
        }
        work.validate_command(&add_schedule_label(self.line.clone(), &self.name))
            .map_err(ScheduleRequestError::Line)
    }
}

/// Valid in a path, a label and a file name.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(plain)
}

fn bears_label(line: &[String]) -> bool {
    let own = |word: &str| word.split('=').next() == Some(SCHEDULE_LABEL_KEY);
    let apart = line.windows(2).any(|pair| pair[0] == "--label" && own(&pair[1]));
    apart || line.iter().filter_map(|word| word.strip_prefix("--label=")).any(own)
}

/// The label follows the command directly, since the line may end in a list of words.
pub fn add_schedule_label(mut line: Vec<String>, name: &str) -> Vec<String> {
    let at = line.len().min(1);
    line.splice(at..at, ["--label".to_string(), format!("{SCHEDULE_LABEL_KEY}={name}")]);
    line
}

impl From<ScheduleRequestError> for Problem {
    fn from(e: ScheduleRequestError) -> Problem {
        let text = e.message();
        match e {
            ScheduleRequestError::Line(problem) => problem,
            ScheduleRequestError::Unknown { .. } => {
                Problem::not_found(text).with_hint("GET /api/v1/schedules lists those that there are")
            }
            ScheduleRequestError::Taken { .. } => Problem::new(ProblemKind::Conflict, text)
                .with_hint("choose another name, or change the existing schedule"),
            ScheduleRequestError::Renamed { .. } => Problem::new(ProblemKind::Refused, text)
                .with_hint("create a new schedule, and delete this one"),
            ScheduleRequestError::TooMany => {
                Problem::new(ProblemKind::Conflict, text).with_hint("delete a schedule that is not needed")
            }
            ScheduleRequestError::ScheduleStore { .. } => {
                Problem::new(ProblemKind::Internal, "the schedules cannot be read or written")
                    .with_cause(text)
            }
            ScheduleRequestError::Invalid { .. } => Problem::new(ProblemKind::Refused, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_word_everywhere() {
        for good in ["nightly", "Nas-1", "a", "10.0.0.2_tcp", &"x".repeat(64)] {
            assert!(is_name(good), "{good}");
        }
        for bad in ["", "-a", ".hidden", "a b", "a/b", "ä", "a=b", &"x".repeat(65)] {
            assert!(!is_name(bad), "{bad}");
        }
    }
}
