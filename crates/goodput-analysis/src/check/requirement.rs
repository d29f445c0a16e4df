//! Whether a check meets a requirement on one of its metrics.

use goodput_model::check::{PathCheck, RequirementOutcome};
use goodput_model::experiment::MetricRequirement;
use goodput_model::metric::unit_of_metric;
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;
use goodput_words::number_format::format_value_with_unit;

pub fn judge_requirement(check: &PathCheck, requirement: &MetricRequirement) -> RequirementOutcome {
    let unit = unit_of_metric(&requirement.figure);
    let quantity = |value: f64| quantity_arg(value, unit, format_value_with_unit(value, unit));
    let measured = check.metric(&requirement.figure).filter(|value| value.is_finite());
    let met = measured.is_some_and(|value| requirement.relation.is_satisfied(value, requirement.value));
    let text = requirement.text.as_str();
    let sentence = match measured {
        None => message!(check_requirement_not_measured { requirement: text }),
        Some(value) if met => {
            message!(check_requirement_met { requirement: text, measured: quantity(value) })
        }
        Some(value) => message!(check_requirement_not_met {
            requirement: text,
            measured: quantity(value),
            required: quantity(requirement.value),
        }),
    };
    RequirementOutcome {
        requirement: requirement.text.clone(),
        metric: requirement.figure.clone(),
        required: requirement.value,
        measured,
        met,
        sentence,
    }
}
