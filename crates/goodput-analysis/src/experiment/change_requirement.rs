//! Requirements on a comparison of two runs: `tcp.goodput_bps change >= -2 %`. Every cell that both runs have
//! is checked. A change on the right side whose interval crosses the limit is met, but not sure. A metric
//! that the runs do not share is not measured, which is not met.

use goodput_model::Message;
use goodput_model::experiment::ComparisonOperator;
use goodput_model::experiment::comparison::{ChangeUnit, ComparedCell};
use goodput_words::{error_messages, message};
use serde::Serialize;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeRequirement {
    pub text: String,
    /// With the probe line's name or without: `tcp.goodput_bps`, `goodput_bps`.
    pub figure: String,
    pub relation: ComparisonOperator,
    /// Limit in per cent of the first run.
    pub percent: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ChangeRequirementParseError {
    pub what: Message,
    pub hint: Message,
}

error_messages! { ChangeRequirementParseError { ChangeRequirementParseError { what, .. } => what } }

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeRequirementStatus {
    Met,
    NotMet,
    NotMeasured,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ObservedChange {
    pub probe: String,
    pub figure: String,
    pub place: Message,
    /// Of the first run; `None` where it is unknown.
    pub percent: Option<f64>,
    pub interval: Option<(f64, f64)>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeRequirementEvaluation {
    #[serde(flatten)]
    pub required: ChangeRequirement,
    pub outcome: ChangeRequirementStatus,
    /// True where all intervals are on the same side of the limit as their changes.
    pub sure: bool,
    pub cells: usize,
    /// The deciding change in per cent: farthest on the wrong side, or nearest to it. `None` without a value.
    pub worst: Option<f64>,
    #[serde(serialize_with = "goodput_model::message::english::serialize")]
    pub at: Message,
}

impl FromStr for ChangeRequirement {
    type Err = ChangeRequirementParseError;

    fn from_str(text: &str) -> Result<ChangeRequirement, ChangeRequirementParseError> {
        const EXAMPLE: &str = "\"tcp.goodput_bps change >= -2 %\"";
        let refused = |what: Message| {
            let hint = message!(hint_experiment_write { example: EXAMPLE });
            ChangeRequirementParseError { what, hint }
        };
        let typed = || format!("{text:?}");
        // Longer signs first, so that `>=` is not read as `>`.
        let signs = [
            (">=", ComparisonOperator::AtLeast),
            ("<=", ComparisonOperator::AtMost),
            (">", ComparisonOperator::Above),
            ("<", ComparisonOperator::Below),
        ];
        let found = signs.iter().find_map(|(sign, relation)| Some((text.split_once(sign)?, *relation)));
        let Some(((left, right), relation)) = found else {
            return Err(refused(message!(error_experiment_compares_nothing { text: typed() })));
        };
        let Some(figure) = left.trim().strip_suffix("change").map(str::trim).filter(|f| !f.is_empty()) else {
            return Err(refused(message!(error_change_requirement_no_change { text: typed() })));
        };
        let number = right.trim().strip_suffix('%').map(str::trim_end).and_then(|n| n.parse::<f64>().ok());
        let Some(percent) = number.filter(|n| n.is_finite()) else {
            return Err(refused(message!(error_change_requirement_no_percent { text: typed() })));
        };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(ChangeRequirement { text, figure: figure.to_string(), relation, percent })
    }
}

impl ChangeRequirement {
    fn means(&self, probe: &str, figure: &str) -> bool {
        self.figure == figure
            || self.figure.strip_prefix(probe).and_then(|r| r.strip_prefix('.')) == Some(figure)
    }

    pub fn evaluate(&self, changes: &[ObservedChange]) -> ChangeRequirementEvaluation {
        let meant: Vec<&ObservedChange> =
            changes.iter().filter(|c| self.means(&c.probe, &c.figure)).collect();
        let margin = |percent: f64| match self.relation {
            ComparisonOperator::AtLeast | ComparisonOperator::Above => percent - self.percent,
            ComparisonOperator::AtMost | ComparisonOperator::Below => self.percent - percent,
        };
        let known = meant.iter().filter_map(|c| Some((*c, c.percent?)));
        let worst = known.min_by(|a, b| margin(a.1).total_cmp(&margin(b.1)));
        let holds = |percent: f64| self.relation.is_satisfied(percent, self.percent);
        let missing = meant.iter().any(|c| c.percent.is_none());
        let outcome = match worst {
            Some((_, percent)) if !holds(percent) => ChangeRequirementStatus::NotMet,
            Some(_) if !missing => ChangeRequirementStatus::Met,
            _ => ChangeRequirementStatus::NotMeasured,
        };
        let certain = |c: &&ObservedChange, wanted: bool| {
            c.interval.is_some_and(|(low, high)| holds(low) == wanted && holds(high) == wanted)
        };
        let sure = match outcome {
            ChangeRequirementStatus::Met => meant.iter().all(|c| certain(c, true)),
            ChangeRequirementStatus::NotMet => meant.iter().any(|c| certain(c, false)),
            ChangeRequirementStatus::NotMeasured => false,
        };
        ChangeRequirementEvaluation {
            required: self.clone(),
            outcome,
            sure,
            cells: meant.len(),
            worst: worst.map(|(_, percent)| percent),
            at: worst.map(|(c, _)| c.place.clone()).unwrap_or_default(),
        }
    }
}

/// The changes in per cent; others are left out.
pub fn observed_changes(cells: &[ComparedCell]) -> Vec<ObservedChange> {
    let one = |cell: &ComparedCell| {
        let percent = cell.scale == ChangeUnit::Percent;
        let mut place: Vec<String> = cell.levels.values().cloned().collect();
        place.extend(cell.size_bytes.map(|size| format!("{size} B")));
        ObservedChange {
            probe: cell.probe.clone(),
            figure: cell.figure.clone(),
            place: place.join(", ").into(),
            percent: cell.change.filter(|_| percent),
            interval: cell.interval.filter(|_| percent),
        }
    };
    cells.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(figure: &str, percent: Option<f64>, reach: f64) -> ObservedChange {
        let [probe, figure, place] = ["tcp", figure, "mtu 1500"].map(String::from);
        let interval = percent.map(|p| (p - reach, p + reach));
        ObservedChange { probe, figure, place: place.into(), percent, interval }
    }

    #[test]
    fn a_change_is_held_to_a_share() {
        use ChangeRequirementStatus::{Met, NotMeasured, NotMet};
        let r: ChangeRequirement = "tcp.goodput_bps  change >= -2 %".parse().unwrap();
        assert_eq!((r.text.as_str(), r.percent), ("tcp.goodput_bps change >= -2 %", -2.0));
        assert_eq!(r.figure, "tcp.goodput_bps");
        let goodput = |percent, reach| change("goodput_bps", percent, reach);
        for (changes, outcome, sure, worst) in [
            (vec![goodput(Some(1.0), 0.5)], Met, true, Some(1.0)),
            (vec![goodput(Some(-1.5), 1.0)], Met, false, Some(-1.5)),
            (vec![goodput(Some(3.0), 0.5), goodput(Some(-4.0), 0.5)], NotMet, true, Some(-4.0)),
            (vec![change("pe_index", Some(-9.0), 0.1)], NotMeasured, false, None),
        ] {
            let j = r.evaluate(&changes);
            assert_eq!((j.outcome, j.sure, j.worst), (outcome, sure, worst), "{changes:?}");
        }
        assert_eq!(r.evaluate(&[goodput(Some(3.0), 0.5), goodput(None, 0.0)]).outcome, NotMeasured);
    }

    #[test]
    fn less_is_held_the_other_way_round() {
        let r: ChangeRequirement = "latency_ns.p99 change < 5%".parse().unwrap();
        let j = r.evaluate(&[2.0, 4.5].map(|percent| change("latency_ns.p99", Some(percent), 1.0)));
        let found = (j.outcome, j.sure, j.worst, j.cells);
        assert_eq!(found, (ChangeRequirementStatus::Met, false, Some(4.5), 2));
    }

    #[test]
    fn what_cannot_be_read_says_what_to_type() {
        for text in ["x.goodput_bps change", "x >= 2 %", "change > 1 %", "x change > 5", "x change > many %"]
        {
            let refused = text.parse::<ChangeRequirement>().unwrap_err();
            assert!(refused.hint.contains("change >= -2 %"), "{text}: {refused}");
        }
    }
}
