//! Notes before an experiment runs: valid choices with disadvantages.

use super::ExperimentPlanExplanation;
use crate::probe_command;
use goodput_model::Experiment;
use goodput_model::experiment::{ExperimentDesign, LevelSettingMethod};

/// 2/2⁶ = 3.1 % is the least p-value of the sign-flip test with six blocks.
const PAIRS_FOR_FIVE_PER_CENT: u32 = 6;

pub(super) fn explanation_notes(
    experiment: &Experiment,
    explained: &ExperimentPlanExplanation,
) -> Vec<String> {
    let mut notes = Vec::new();
    repeats(experiment, &mut notes);
    lines(experiment, explained, &mut notes);
    for (factor, facts) in experiment.factors.iter().zip(&explained.factors) {
        let name = &factor.name;
        if factor.hard_to_change && experiment.order.shuffled {
            notes.push(format!(
                "{name} is put in place {} times only, so that its effect is known less well than those of factors that change freely",
                facts.changes
            ));
        }
        match &factor.means {
            LevelSettingMethod::Command { restore: None, .. } => {
                notes.push(format!(
                    "what was there before is not put back for {name}: its command has no restore"
                ));
            }
            LevelSettingMethod::Command { read: None, .. } => {
                notes.push(format!("nobody looks whether {name} took effect: its command has no read"));
            }
            LevelSettingMethod::ByHand { verify, .. } if verify.is_empty() => {
                notes.push(format!("nobody looks whether {name} was done: by_hand has no verify"));
            }
            _ => {}
        }
    }
    notes
}

fn repeats(experiment: &Experiment, notes: &mut Vec<String>) {
    let repeats = experiment.repeats.least;
    if repeats < PAIRS_FOR_FIVE_PER_CENT && !experiment.factors.is_empty() {
        let least = 100.0 * 2.0 / f64::from(1u32 << repeats);
        notes.push(format!(
            "{repeats} repeats of one pair cannot show a difference at 5 %: the least that they can reach is {:.0} %",
            least.min(100.0)
        ));
    }
    if !experiment.order.shuffled && !experiment.factors.is_empty() {
        notes.push(
            "the order is that of the file, so that drift of the surroundings looks like the effect of a factor".into(),
        );
    }
    if matches!(experiment.design, ExperimentDesign::Fractional { .. }) && !experiment.excluded.is_empty() {
        notes.push(
            "exclude takes combinations out of the fraction, whose effects are then no longer clear of each other".into(),
        );
    }
    if experiment.design == ExperimentDesign::OneAtATime && experiment.factors.len() > 1 {
        notes.push("factors that work together are not seen when only one changes at a time".into());
    }
}

fn lines(experiment: &Experiment, explained: &ExperimentPlanExplanation, notes: &mut Vec<String>) {
    for (probe, facts) in experiment.probes.iter().zip(&explained.lines) {
        let name = &probe.name;
        if facts.combinations == 0 {
            notes.push(format!("{name} runs at no combination"));
        }
        if facts.time.is_some_and(|(_, longest)| longest >= facts.time_limit) {
            notes.push(format!("{name} may take no longer than it takes: raise its time_limit"));
        }
        let stands = probe_command::placeholder_names(&probe.run);
        let idle = experiment.factors.iter().filter(|factor| {
            let one_level = probe.only.get(&factor.name).is_some_and(|levels| levels.len() == 1);
            factor.means == LevelSettingMethod::Argument
                && !one_level
                && !stands.contains(&factor.name.as_str())
        });
        for factor in idle {
            let factor = &factor.name;
            notes.push(format!(
                "{name} is run at each level of {factor}, which its line does not use; only = {{ {factor} = … }} runs it at one"
            ));
        }
    }
}
