//! Shrinks an experiment for `--quick`: fewer repeats and levels, shorter executions. Levels that a question,
//! a requirement or a probe needs are kept.

use crate::error::ExperimentError;
use crate::probe_command;
use goodput_model::Experiment;
use goodput_model::experiment::{ExperimentQuestion, LevelSettingMethod, RepeatPolicy};
use goodput_words::{Message, message};
use std::collections::BTreeMap;

/// Two show a spread.
pub const QUICK_DEFAULT_REPEATS: u32 = 2;

#[derive(Debug, Clone, PartialEq)]
pub struct QuickSettings {
    pub repeats: RepeatPolicy,
    /// Levels to keep, by factor; other factors keep all.
    pub only: BTreeMap<String, Vec<String>>,
    /// Additional words, by probe.
    pub words: BTreeMap<String, String>,
}

pub fn apply_quick_settings(
    experiment: &Experiment,
    quick: &QuickSettings,
) -> Result<Experiment, ExperimentError> {
    let mut small = Experiment { repeats: quick.repeats.clone(), ..experiment.clone() };
    for factor in &mut small.factors {
        let Some(kept) = quick.only.get(&factor.name) else { continue };
        factor.levels.retain(|level| kept.contains(&level.name));
        if factor.levels.len() < 2 {
            let factor = &factor.name;
            let hint = message!(hint_experiment_quick_levels { factor });
            return Err(ExperimentError::new(message!(file_quick_too_few { factor }), hint));
        }
        if let LevelSettingMethod::ByHand { verify, .. } = &mut factor.means {
            verify.iter_mut().for_each(|fact| fact.is.retain(|level, _| kept.contains(level)));
        }
    }
    let kept = ReferencedLevels(&quick.only);
    small.excluded.retain(|levels| levels.iter().all(|(factor, level)| kept.has(factor, level)));
    small.prices.retain(|price| kept.has(&price.factor, &price.level));
    for probe in &mut small.probes {
        kept.narrow(&mut probe.only, &message!(part_experiment_probe { name: &probe.name }))?;
        let words = quick.words.get(&probe.name).map_or("", String::as_str);
        let words_of_quick = |e: ExperimentError| ExperimentError {
            what: message!(error_experiment_quick_words { why: e.what }),
            hint: e.hint,
        };
        probe.run = with_words(&probe.run, words).map_err(words_of_quick)?;
    }
    for requirement in &mut small.requirements {
        let what = message!(part_experiment_requirement { text: &requirement.text });
        kept.narrow(&mut requirement.only, &what)?;
    }
    let asked = message!(part_experiment_a_question);
    for question in &mut small.questions {
        if let ExperimentQuestion::Better { factor, level, than, .. } = &*question {
            [level, than].iter().try_for_each(|level| kept.need(&asked, factor, level))?;
        }
        if let ExperimentQuestion::Group { factor, levels, than: other, .. }
        | ExperimentQuestion::Sum { factor, parts: levels, whole: other, .. } = &*question
        {
            levels.iter().chain([other]).try_for_each(|level| kept.need(&asked, factor, level))?;
        }
        match question {
            ExperimentQuestion::Depends { only, .. }
            | ExperimentQuestion::Better { only, .. }
            | ExperimentQuestion::Beats { only, .. }
            | ExperimentQuestion::Group { only, .. }
            | ExperimentQuestion::Sum { only, .. }
            | ExperimentQuestion::Reaches { only, .. }
            | ExperimentQuestion::Pays { only, .. } => kept.narrow(only, &asked)?,
        }
    }
    Ok(small)
}

struct ReferencedLevels<'q>(&'q BTreeMap<String, Vec<String>>);

impl ReferencedLevels<'_> {
    fn has(&self, factor: &str, level: &String) -> bool {
        self.0.get(factor).is_none_or(|kept| kept.contains(level))
    }

    fn need(&self, what: &Message, factor: &str, level: &String) -> Result<(), ExperimentError> {
        if self.has(factor, level) {
            return Ok(());
        }
        let hint = message!(hint_experiment_quick_add { level, factor });
        Err(ExperimentError::new(message!(error_experiment_quick_leaves_out { what, level, factor }), hint))
    }

    /// Removes other levels from `only`; one level of each factor must remain.
    fn narrow(
        &self,
        only: &mut BTreeMap<String, Vec<String>>,
        what: &Message,
    ) -> Result<(), ExperimentError> {
        for (factor, levels) in only {
            let first = levels.first().cloned().unwrap_or_default();
            levels.retain(|level| self.has(factor, level));
            if levels.is_empty() {
                self.need(what, factor, &first)?;
            }
        }
        Ok(())
    }
}

/// Replaces the value of an option that the line has already; appends others.
fn with_words(line: &str, words: &str) -> Result<String, ExperimentError> {
    let (mut parts, added) = (
        probe_command::split_arguments_keeping_quotes(line)?,
        probe_command::split_arguments_keeping_quotes(words)?,
    );
    let mut groups: Vec<Vec<&str>> = Vec::new();
    for word in &added {
        match groups.last_mut() {
            Some(group) if !is_option(word) => group.push(word),
            _ => groups.push(vec![word]),
        }
    }
    for group in groups {
        let name = option_name(group[0]);
        let mut place = None;
        while let Some(at) =
            parts.iter().position(|p| is_option(group[0]) && is_option(p) && option_name(p) == name)
        {
            // `--time 5s` is two words, `--time=5s` one.
            let values = if parts[at].contains('=') {
                0
            } else {
                group.len() - 1 + usize::from(group[0].contains('='))
            };
            let end = (at + 1 + values).min(parts.len());
            parts.drain(at..end);
            place.get_or_insert(at);
        }
        let place = place.unwrap_or(parts.len()).min(parts.len());
        parts.splice(place..place, group);
    }
    Ok(parts.join(" "))
}

fn is_option(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c == '-' || c.is_ascii_alphabetic()))
}

fn option_name(word: &str) -> &str {
    word.split('=').next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{experiment, factor};
    use goodput_model::experiment::FactorLevels;

    fn quick(only: &[(&str, &[&str])]) -> QuickSettings {
        let list = |levels: &[&str]| levels.iter().map(|l| (*l).to_string()).collect();
        QuickSettings {
            repeats: RepeatPolicy { warm_up: 0, least: 2, most: 2, width_percent: None },
            only: only.iter().map(|(factor, levels)| ((*factor).to_string(), list(levels))).collect(),
            words: BTreeMap::new(),
        }
    }

    #[test]
    fn options_get_their_new_value_in_their_place() {
        for (line, words, quick) in [
            ("stream {b} --time 5s --nodelay", "--time 1s", "stream {b} --time 1s --nodelay"),
            ("stream --time=5s {b}", "--time 1s", "stream --time 1s {b}"),
            ("stream --time 5s {b}", "--time=1s", "stream --time=1s {b}"),
            ("stream {b}", "--time 1s --cold", "stream {b} --time 1s --cold"),
            ("stream {b} --label 'a b'", "--time 1s", "stream {b} --label 'a b' --time 1s"),
            ("stream {b} --cold", "--cold", "stream {b} --cold"),
            ("stream {b}", " ", "stream {b}"),
        ] {
            assert_eq!(with_words(line, words).unwrap(), quick);
        }
        assert!(with_words("stream {b}", "--label 'x").is_err());
    }

    #[test]
    fn levels_are_kept_and_everything_that_names_them_follows() {
        let mut e = experiment(vec![factor("mtu", &["1500", "4000", "9000"]), factor("cc", &["a", "b"])]);
        e.excluded = vec![FactorLevels::from([("mtu".into(), "4000".into())])];
        e.probes[0].only = BTreeMap::from([("mtu".into(), vec!["4000".into(), "9000".into()])]);
        let small = apply_quick_settings(&e, &quick(&[("mtu", &["1500", "9000"])])).unwrap();
        assert_eq!((small.factors[0].levels.len(), small.excluded.len(), small.repeats.most), (2, 0, 2));
        assert_eq!(small.probes[0].only["mtu"], ["9000"]);
        assert_eq!(small.questions, e.questions);
    }

    #[test]
    fn what_is_asked_must_remain() {
        let mut e = experiment(vec![factor("mtu", &["1500", "4000", "9000"])]);
        e.questions = vec![ExperimentQuestion::Better {
            probe: "tcp".into(),
            factor: "mtu".into(),
            level: "9000".into(),
            than: "1500".into(),
            only: BTreeMap::new(),
        }];
        let small = |e: &Experiment, levels: &[&str]| apply_quick_settings(e, &quick(&[("mtu", levels)]));
        let refused = small(&e, &["1500", "4000"]).unwrap_err();
        assert_eq!(refused.to_string(), "quick leaves out what a question needs, level 9000 of mtu");
        let refused = small(&e, &["1500"]).unwrap_err();
        assert_eq!(refused.what, "the [quick] form leaves factor mtu with fewer than two levels");
        e.probes[0].only = BTreeMap::from([("mtu".into(), vec!["4000".into()])]);
        let refused = small(&e, &["1500", "9000"]).unwrap_err();
        assert_eq!(refused.hint, "add 4000 to mtu in only of [quick]");
    }
}
