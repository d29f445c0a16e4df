//! Validates a schedule's order.

use super::api_documents::ScheduleRequest;
use super::due_occurrence::MAX_JITTER_SECONDS;
use super::webhook::HttpTarget;
use super::{JobRunner, MAX_SCHEDULES, SCHEDULE_LABEL_KEY};
use crate::problem::{Problem, ProblemKind};

const LONGEST_NAME: usize = 64;
const LONGEST_LINE: (usize, usize) = (200, 16 << 10);
const MAX_ALERTS: usize = 20;

#[derive(Debug, thiserror::Error)]
pub enum ScheduleRequestError {
    #[error("{why}")]
    Invalid { why: String },
    #[error("{}", .0.error)]
    Line(Problem),
    #[error("a schedule named {name} already exists")]
    Taken { name: String },
    #[error("no schedule named {name} found")]
    Unknown { name: String },
    #[error("the schedule {from} cannot be renamed to {to}: its existing runs contain the old name")]
    Renamed { from: String, to: String },
    #[error("the maximum of {} schedules is reached", MAX_SCHEDULES)]
    TooMany,
    #[error("{why}")]
    ScheduleStore { why: String },
}

impl ScheduleRequest {
    /// The error is the first invalid part.
    pub fn validate(&self, work: &dyn JobRunner) -> Result<(), ScheduleRequestError> {
        let invalid = |why: String| ScheduleRequestError::Invalid { why };
        if !is_name(&self.name) {
            return Err(invalid(format!(
                "{:?} is no name of a schedule: letters, digits, '.', '-' and '_', beginning with one of the \
                 first two, 64 at most",
                self.name
            )));
        }
        let bytes: usize = self.line.iter().map(String::len).sum();
        if self.line.is_empty() || self.line.len() > LONGEST_LINE.0 || bytes > LONGEST_LINE.1 {
            return Err(invalid(format!(
                "a line has 1 to {} words and at most {} bytes: it has {} words and {bytes} bytes",
                LONGEST_LINE.0,
                LONGEST_LINE.1,
                self.line.len()
            )));
        }
        // It is set automatically.
        if bears_label(&self.line) {
            return Err(invalid(format!(
                "the schedule sets the label {SCHEDULE_LABEL_KEY}: remove it from the command line"
            )));
        }
        let rule = self.when.to_recurrence_rule().map_err(|e| invalid(e.to_string()))?;
        let most = (rule.shortest_interval() / 2).min(u64::from(MAX_JITTER_SECONDS));
        if let Some(asked) = self.jitter_seconds.filter(|asked| u64::from(*asked) > most) {
            return Err(invalid(format!(
                "a jitter of {asked} s is more than {most} s, half of the time between two turns and an hour \
                 at most"
            )));
        }
        if self.alerts.len() > MAX_ALERTS {
            let found = self.alerts.len();
            return Err(invalid(format!("a schedule has {MAX_ALERTS} rules at most: it has {found}")));
        }
        self.alerts.iter().try_for_each(|alert| alert.validate().map_err(invalid))?;
        if let Some(address) = &self.webhook {
            HttpTarget::parse(address).map_err(|e| invalid(e.to_string()))?;
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
        let text = e.to_string();
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
