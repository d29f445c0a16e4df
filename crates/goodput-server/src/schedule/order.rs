//! Validates a schedule's order.

use super::due_turn::MAX_JITTER;
use super::form::Order;
use super::recurrence::WhenError;
use super::webhook::{Target, TargetError};
use super::{LABEL, MAX_SCHEDULES, Work};
use crate::problem::{Kind, Problem};

const LONGEST_NAME: usize = 64;
const LONGEST_LINE: (usize, usize) = (200, 16 << 10);
const MAX_ALERTS: usize = 20;

#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    #[error(
        "{name:?} is no name of a schedule: letters, digits, '.', '-' and '_', beginning with one of the first two, 64 at most"
    )]
    Name { name: String },
    #[error("{}", .0.error)]
    Line(Problem),
    #[error("{why}")]
    NoLine { why: String },
    /// The label that names the schedule is set automatically.
    #[error("the label {} is set by the schedule itself: leave it out of the line", LABEL)]
    Label,
    #[error(transparent)]
    When(#[from] WhenError),
    #[error(
        "a jitter of {asked} s is more than {most} s, half of the time between two turns and an hour at most"
    )]
    Jitter { asked: u32, most: u64 },
    #[error("{why}")]
    Alert { why: String },
    #[error(transparent)]
    Webhook(#[from] TargetError),
    #[error("there is a schedule called {name} already")]
    Taken { name: String },
    #[error("there is no schedule called {name}")]
    Unknown { name: String },
    #[error("the schedule {from} cannot be called {to}: its runs bear its name")]
    Renamed { from: String, to: String },
    #[error("there are {} schedules already", MAX_SCHEDULES)]
    TooMany,
    #[error("{why}")]
    ScheduleStore { why: String },
}

impl Order {
    /// The error is the first invalid part.
    pub fn check(&self, work: &dyn Work) -> Result<(), OrderError> {
        if !is_name(&self.name) {
            return Err(OrderError::Name { name: self.name.clone() });
        }
        let bytes: usize = self.line.iter().map(String::len).sum();
        if self.line.is_empty() || self.line.len() > LONGEST_LINE.0 || bytes > LONGEST_LINE.1 {
            let why = format!(
                "a line has 1 to {} words and at most {} bytes: it has {} words and {bytes} bytes",
                LONGEST_LINE.0,
                LONGEST_LINE.1,
                self.line.len()
            );
            return Err(OrderError::NoLine { why });
        }
        if bears_label(&self.line) {
            return Err(OrderError::Label);
        }
        let rule = self.when.rule()?;
        let most = (rule.shortest() / 2).min(u64::from(MAX_JITTER));
        if let Some(asked) = self.jitter_seconds.filter(|asked| u64::from(*asked) > most) {
            return Err(OrderError::Jitter { asked, most });
        }
        if self.alerts.len() > MAX_ALERTS {
            let why = format!("a schedule has {MAX_ALERTS} rules at most: it has {}", self.alerts.len());
            return Err(OrderError::Alert { why });
        }
        for alert in &self.alerts {
            alert.check().map_err(|why| OrderError::Alert { why })?;
        }
        if let Some(address) = &self.webhook {
            Target::read(address)?;
        }
        work.check(&labelled(self.line.clone(), &self.name)).map_err(OrderError::Line)
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
    let own = |word: &str| word.split('=').next() == Some(LABEL);
    let apart = line.windows(2).any(|pair| pair[0] == "--label" && own(&pair[1]));
    apart || line.iter().filter_map(|word| word.strip_prefix("--label=")).any(own)
}

/// The label follows the command directly, since the line may end in a list of words.
pub fn labelled(mut line: Vec<String>, name: &str) -> Vec<String> {
    let at = line.len().min(1);
    line.splice(at..at, ["--label".to_string(), format!("{LABEL}={name}")]);
    line
}

impl From<OrderError> for Problem {
    fn from(e: OrderError) -> Problem {
        let text = e.to_string();
        match e {
            OrderError::Line(problem) => problem,
            OrderError::Unknown { .. } => {
                Problem::not_found(text).try_this("GET /api/v1/schedules lists those that there are")
            }
            OrderError::Taken { .. } => {
                Problem::new(Kind::Conflict, text).try_this("give it another name, or change that one")
            }
            OrderError::Renamed { .. } => {
                Problem::new(Kind::Refused, text).try_this("make a new schedule, and take this one away")
            }
            OrderError::TooMany => {
                Problem::new(Kind::Conflict, text).try_this("take away one that is not needed")
            }
            OrderError::ScheduleStore { .. } => {
                Problem::new(Kind::Internal, "the schedules cannot be read or written").because(text)
            }
            _ => Problem::new(Kind::Refused, text),
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
