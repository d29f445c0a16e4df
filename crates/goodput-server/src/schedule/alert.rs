//! Alert rules of a schedule: they fire when their condition begins or ceases to hold. Pure.

use goodput_model::MessageArg;
use goodput_report::number_format::format_value_with_unit;
use goodput_words::message_argument::quantity_arg;
use goodput_words::{Message, message};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const MAX_FAILURES_IN_A_ROW: u32 = 1000;
/// Changes closer than the search's minimum segment length are the same change.
const SAME_CHANGE: usize = 5;

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Alert {
    /// The primary metric of a run is below a bound.
    Below {
        /// In the figure's base unit: bit/s, ns, a second.
        value: f64,
    },
    /// The primary metric of a run is above a bound.
    Above {
        /// Likewise.
        value: f64,
    },
    /// The history has a change that it had not before.
    Changed,
    /// So many runs in a row failed.
    Failed {
        /// 1 to 1000.
        #[schemars(range(min = 1, max = 1000))]
        times: u32,
    },
}

/// Whether a rule holds, and since when.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Standing")]
pub struct AlertStatus {
    /// When it began to hold, RFC 3339; `null` while it does not. A change does not last: it is told, and that is all.
    #[schemars(with = "Option<String>")]
    pub since: Option<Timestamp>,
    /// The first run of the last change that was told or was there before the rule.
    pub told: Option<String>,
    /// What was said last.
    #[serde(with = "super::stored_text::option")]
    #[schemars(with = "Option<String>")]
    pub text: Option<Message>,
}

/// What a rule has to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AlertTransition {
    /// It holds now and did not before, or a change was found.
    Raised,
    /// It holds no more.
    Ended,
}

impl AlertTransition {
    pub fn name(self) -> &'static str {
        match self {
            AlertTransition::Raised => "raised",
            AlertTransition::Ended => "ended",
        }
    }
}

/// A figure as the index has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Reading")]
pub struct AlertMetricValue {
    /// Its name in the document: `goodput_bps`.
    pub name: String,
    /// In its base unit.
    pub value: f64,
    /// The base unit: `bit/s`, `ns`, `1/s`, …
    pub unit: String,
    /// As a person reads it.
    pub text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ChangePoint {
    /// The index of its first run in `runs`.
    pub at: usize,
    /// Such as `from 941 Mbit/s to 812 Mbit/s`.
    pub text: Message,
}

/// New information since the last judgement.
#[derive(Debug, Clone)]
pub struct AlertEvaluationInput<'a> {
    pub now: Timestamp,
    /// `None` if the run has no primary metric.
    pub figure: Option<&'a AlertMetricValue>,
    /// Consecutive failed runs up to this one.
    pub failures: u32,
    /// The history's runs in order of time; empty if it was not searched.
    pub runs: &'a [String],
    pub changes: &'a [ChangePoint],
}

impl Alert {
    /// Equal rules share one state.
    pub fn state_key(&self) -> String {
        match self {
            Alert::Below { value } => format!("below {value}"),
            Alert::Above { value } => format!("above {value}"),
            Alert::Changed => "changed".to_string(),
            Alert::Failed { times } => format!("failed {times}"),
        }
    }

    /// Such as `below 900.0 Mbit/s`. `unit` is the metric's base unit, empty if unknown.
    pub fn describe(&self, unit: &str) -> Message {
        match self {
            Alert::Below { value } => message!(served_below { value: bound_arg(*value, unit) }),
            Alert::Above { value } => message!(served_above { value: bound_arg(*value, unit) }),
            Alert::Changed => "a change in the metric's history".into(),
            Alert::Failed { times: 1 } => "a run failed".into(),
            Alert::Failed { times } => message!(served_runs_in_a_row_failed { count: times.to_string() }),
        }
    }

    /// The error says why the rule can never be judged.
    pub fn validate(&self) -> Result<(), Message> {
        match self {
            Alert::Below { value } | Alert::Above { value } if !value.is_finite() => {
                Err(message!(served_alert_bound { value: value.to_string() }))
            }
            Alert::Failed { times } if !(1..=MAX_FAILURES_IN_A_ROW).contains(times) => {
                let [most, count] = [MAX_FAILURES_IN_A_ROW, *times].map(|count| count.to_string());
                Err(message!(served_alert_counts { most, count }))
            }
            _ => Ok(()),
        }
    }

    /// Judges the rule: its new state, and the alert, if any. `old` is `None` for a rule that was never
    /// judged.
    pub fn evaluate(
        &self,
        old: Option<&AlertStatus>,
        news: &AlertEvaluationInput<'_>,
    ) -> (AlertStatus, Option<(AlertTransition, Message)>) {
        if let Alert::Changed = self {
            return changed(old, news);
        }
        let standing = old.cloned().unwrap_or_default();
        let Some((holds, text)) = self.holds(news) else { return (standing, None) };
        let turned = match (holds, standing.since) {
            (true, None) => AlertTransition::Raised,
            (false, Some(_)) => AlertTransition::Ended,
            _ => return (standing, None),
        };
        let since = holds.then_some(news.now);
        (AlertStatus { since, told: None, text: Some(text.clone()) }, Some((turned, text)))
    }

    /// Whether the rule holds, and its sentence; `None` if this run does not tell.
    fn holds(&self, news: &AlertEvaluationInput<'_>) -> Option<(bool, Message)> {
        let bound = |value: f64, below: bool| {
            let figure = news.figure.filter(|f| f.value.is_finite())?;
            let holds = if below { figure.value < value } else { figure.value > value };
            let bound = bound_arg(value, &figure.unit);
            let read = quantity_arg(figure.value, &figure.unit, figure.text.clone());
            let what = message!(part_way_figure { way: &figure.name, figure: read });
            let text = match (holds, below) {
                (true, true) => message!(served_is_below { what, bound }),
                (false, true) => message!(served_is_no_longer_below { what, bound }),
                (true, false) => message!(served_is_above { what, bound }),
                (false, false) => message!(served_is_no_longer_above { what, bound }),
            };
            Some((holds, text))
        };
        match self {
            Alert::Below { value } => bound(*value, true),
            Alert::Above { value } => bound(*value, false),
            Alert::Failed { times } => Some(match news.failures {
                0 => (false, "a run has succeeded again".into()),
                1 => (*times <= 1, "the run failed".into()),
                n => (n >= *times, message!(served_runs_in_a_row_failed { count: n.to_string() })),
            }),
            Alert::Changed => None,
        }
    }
}

fn bound_arg(value: f64, unit: &str) -> MessageArg {
    quantity_arg(value, unit, format_value_with_unit(value, unit))
}

/// Each change is reported once; those before the first judgement never.
fn changed(
    old: Option<&AlertStatus>,
    news: &AlertEvaluationInput<'_>,
) -> (AlertStatus, Option<(AlertTransition, Message)>) {
    let Some(last) = news.changes.last() else { return (old.cloned().unwrap_or_default(), None) };
    let run = news.runs.get(last.at).cloned();
    let Some(old) = old else { return (AlertStatus { told: run, ..AlertStatus::default() }, None) };
    // `None` too if the reported change lies before the searched runs.
    let told = old.told.as_ref().and_then(|told| news.runs.iter().position(|run| run == told));
    if told.is_some_and(|place| last.at < place + SAME_CHANGE) {
        return (old.clone(), None);
    }
    let text = message!(served_history_has_changed { how: &last.text });
    (AlertStatus { since: None, told: run, text: Some(text.clone()) }, Some((AlertTransition::Raised, text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::reading;

    fn news<'a>(
        second: i64,
        figure: Option<&'a AlertMetricValue>,
        failures: u32,
    ) -> AlertEvaluationInput<'a> {
        let now = Timestamp::from_second(second).unwrap();
        AlertEvaluationInput { now, figure, failures, runs: &[], changes: &[] }
    }

    fn told(alert: Alert, course: &[(Option<f64>, u32)]) -> Vec<(usize, AlertTransition)> {
        let mut standing = None;
        let mut told = Vec::new();
        for (i, (value, failures)) in course.iter().enumerate() {
            let figure = value.map(|value| reading("goodput_bps", value, "bit/s"));
            let (next, word) = alert.evaluate(standing.as_ref(), &news(i as i64, figure.as_ref(), *failures));
            standing = Some(next);
            told.extend(word.map(|(turned, _)| (i, turned)));
        }
        told
    }

    #[test]
    fn a_bound_is_told_when_it_is_crossed_and_not_between() {
        let course: Vec<_> = [9e8, 8e8, 7e8, 8.5e8, 9e8, 8e8].map(|v| (Some(v), 0)).to_vec();
        let found = told(Alert::Below { value: 8.5e8 }, &course);
        assert_eq!(
            found,
            [(1, AlertTransition::Raised), (3, AlertTransition::Ended), (5, AlertTransition::Raised)]
        );
        let found = told(Alert::Above { value: 8.5e8 }, &course);
        assert_eq!(
            found,
            [
                (0, AlertTransition::Raised),
                (1, AlertTransition::Ended),
                (4, AlertTransition::Raised),
                (5, AlertTransition::Ended)
            ]
        );
    }

    #[test]
    fn bounds_need_a_figure_and_failures_count_in_a_row() {
        let course = [(Some(7e8), 0), (None, 1), (Some(f64::NAN), 0), (Some(7e8), 0), (Some(9e8), 0)];
        let found = told(Alert::Below { value: 8e8 }, &course);
        assert_eq!(found, [(0, AlertTransition::Raised), (4, AlertTransition::Ended)]);
        let course = [0, 1, 2, 3, 4, 0, 1].map(|n| (None, n));
        assert_eq!(
            told(Alert::Failed { times: 3 }, &course),
            [(3, AlertTransition::Raised), (5, AlertTransition::Ended)]
        );
        let found = told(Alert::Failed { times: 1 }, &course);
        assert_eq!(
            found,
            [(1, AlertTransition::Raised), (5, AlertTransition::Ended), (6, AlertTransition::Raised)]
        );
    }

    #[test]
    fn a_change_is_told_once_though_it_moves_a_little() {
        let runs: Vec<String> = (0..40).map(|i| format!("run{i}")).collect();
        let see = |standing: Option<&AlertStatus>, at: &[usize]| {
            let change = |at: &usize| ChangePoint { at: *at, text: "from a to b".into() };
            let changes: Vec<_> = at.iter().map(change).collect();
            let news = AlertEvaluationInput { runs: &runs, changes: &changes, ..news(0, None, 0) };
            let (standing, word) = Alert::Changed.evaluate(standing, &news);
            (standing, word.is_some())
        };
        let (standing, first) = see(None, &[]);
        let (standing, second) = see(Some(&standing), &[20]);
        let (standing, third) = see(Some(&standing), &[21]);
        let (standing, fourth) = see(Some(&standing), &[21, 30]);
        let (_, fifth) = see(Some(&standing), &[21]);
        assert_eq!([first, second, third, fourth, fifth], [false, true, false, true, false]);
        let (standing, old) = see(None, &[10]);
        assert!(!old && see(Some(&standing), &[10, 20]).1);
    }

    #[test]
    fn a_bound_that_is_no_number_is_refused() {
        assert!(Alert::Below { value: f64::NAN }.validate().is_err());
        assert!(Alert::Failed { times: 0 }.validate().is_err());
        assert!(Alert::Failed { times: 1 }.validate().is_ok());
        assert!(serde_json::from_str::<Alert>(r#"{"kind":"below","value":1,"unit":"x"}"#).is_err());
    }
}
