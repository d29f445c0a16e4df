//! Which levels of a factor reach a value, and under which conditions.

use super::cells::{MeasuredCell, select_cells};
use super::{ConclusionDraft, LevelFilter, wording};
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::DataSet;
use goodput_model::{Message, MessageArg};
use goodput_words::message;
use std::cmp::Ordering;

struct LevelReach<'a> {
    name: MessageArg,
    cells: Vec<&'a MeasuredCell>,
    reached: usize,
    best: &'a MeasuredCell,
}

/// Yes means that at least one level reaches the value wherever it was measured.
pub(super) fn answer_value_reached_question(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    value: f64,
    only: &LevelFilter,
) -> Conclusion {
    let all = select_cells(data, measures, only);
    let Some((better, measure)) = measures.first().and_then(|m| Some((data.measures.get(*m)?.better, *m)))
    else {
        return untold(data, measures, factor, only);
    };
    let levels =
        data.factors.iter().find(|a| a.name == factor).map_or(&[] as &[String], |a| a.levels.as_slice());
    let found: Vec<LevelReach<'_>> =
        levels.iter().filter_map(|l| reach(data, factor, l, &all, (value, better))).collect();
    if found.is_empty() {
        return untold(data, measures, factor, only);
    }
    let (reaching, short): (Vec<&LevelReach<'_>>, Vec<&LevelReach<'_>>) =
        found.iter().partition(|r| r.reached > 0);
    let goal = wording::measured_value_arg(data, measure, value);
    let what = wording::append_filter_condition(data, wording::metric_names_arg(data, measures), only);
    let names = |all: &[&LevelReach<'_>], list: fn(Vec<MessageArg>) -> MessageArg| {
        list(all.iter().map(|r| r.name.clone()).collect())
    };
    let (goal_text, higher) = (goal.clone(), better == BetterDirection::Higher);
    let mut said = vec![match reaching.as_slice() {
        [] if higher => message!(rule_reaches_none { factor, goal, what }),
        [] => message!(rule_reaches_none_within { factor, goal, what }),
        [one] => {
            let (name, details) = (one.name.clone(), reached_count(data, one));
            if higher {
                message!(rule_reaches_only { name, goal, what, details })
            } else {
                message!(rule_reaches_only_within { name, goal, what, details })
            }
        }
        several => {
            let each =
                several.iter().map(|r| wording::name_value_message(r.name.clone(), reached_count(data, r)));
            let (names, details) = (names(several, wording::join_with_and), each.collect::<Vec<Message>>());
            if higher {
                message!(rule_reaches_several { names, goal, what, details })
            } else {
                message!(rule_reaches_several_within { names, goal, what, details })
            }
        }
    }];
    said.extend(reaching.iter().filter_map(|r| conditions(data, factor, r, (value, better))));
    if let Some(best) = short.iter().map(|r| r.best).max_by(|a, b| order(a, b, better)) {
        let place = wording::combination_arg(data, &best.place).unwrap_or_default();
        let best = wording::measured_value_arg(data, measure, best.median_value());
        said.push(if reaching.is_empty() {
            message!(rule_reaches_best { best, place })
        } else {
            message!(rule_reaches_short {
                names: names(&short, wording::join_with_and),
                n: short.len(),
                best,
                place,
            })
        });
    }
    let answer = match reaching.as_slice() {
        [] => ConclusionAnswer::No,
        some if some.iter().any(|r| r.reached == r.cells.len()) => ConclusionAnswer::Yes,
        _ => ConclusionAnswer::Mixed,
    };
    let (goal, names) = (goal_text, names(&reaching, wording::join_with_or));
    let try_next = match answer {
        ConclusionAnswer::No => message!(rule_reaches_try_another { goal, factor }),
        ConclusionAnswer::Yes => message!(rule_reaches_try { goal, names }),
        _ => message!(rule_reaches_try_together { goal, names }),
    };
    ConclusionDraft::new("reaches", wording::join_with_semicolons(said).unwrap_or_default())
        .says(answer)
        .on(found.iter().flat_map(|r| r.cells.iter().copied()), found.len())
        .showing(data, found.iter().map(|r| r.best))
        .try_this(try_next)
        .done()
}

fn untold(data: &DataSet, measures: &[usize], factor: &str, only: &LevelFilter) -> Conclusion {
    let what = if measures.is_empty() {
        message!(rule_reaches_this_metric).into()
    } else {
        wording::metric_names_arg(data, measures)
    };
    let why =
        message!(rule_reaches_no_value { factor, what: wording::append_filter_condition(data, what, only) });
    ConclusionDraft::unknown("reaches", why, message!(rule_reaches_try_measure { factor })).done()
}

fn order(a: &MeasuredCell, b: &MeasuredCell, better: BetterDirection) -> Ordering {
    match better {
        BetterDirection::Higher => a.median_value().total_cmp(&b.median_value()),
        BetterDirection::Lower => b.median_value().total_cmp(&a.median_value()),
    }
}

fn reaches(cell: &MeasuredCell, (value, better): (f64, BetterDirection)) -> bool {
    match better {
        BetterDirection::Higher => cell.median_value() >= value,
        BetterDirection::Lower => cell.median_value() <= value,
    }
}

fn reach<'a>(
    data: &DataSet,
    factor: &str,
    level: &str,
    all: &'a [MeasuredCell],
    goal: (f64, BetterDirection),
) -> Option<LevelReach<'a>> {
    let cells: Vec<&MeasuredCell> =
        all.iter().filter(|c| c.place.levels.get(factor).map(String::as_str) == Some(level)).collect();
    let best = cells.iter().copied().max_by(|a, b| order(a, b, goal.1))?;
    let reached = cells.iter().filter(|c| reaches(c, goal)).count();
    Some(LevelReach { name: wording::level_name_arg(data, factor, level), cells, reached, best })
}

fn reached_count(data: &DataSet, reach: &LevelReach<'_>) -> Message {
    let best = wording::measured_value_arg(data, reach.best.place.measure, reach.best.median_value());
    let combinations = wording::combination_count_message(reach.reached, reach.cells.len());
    message!(rule_reaches_count { combinations, best })
}

/// Levels of other factors that prevent a level from reaching the value, each with its best.
fn conditions(
    data: &DataSet,
    factor: &str,
    reach: &LevelReach<'_>,
    goal: (f64, BetterDirection),
) -> Option<Message> {
    if reach.reached == reach.cells.len() {
        return None;
    }
    let measure = reach.best.place.measure;
    let of_axis = |axis: &goodput_model::experiment::data_set::FactorAxis| {
        let at = |level: &String| -> Vec<&MeasuredCell> {
            reach.cells.iter().copied().filter(|c| c.place.levels.get(&axis.name) == Some(level)).collect()
        };
        let never = |level: &&String| {
            let cells = at(level);
            !cells.is_empty() && !cells.iter().any(|c| reaches(c, goal))
        };
        let without: Vec<String> = axis.levels.iter().filter(never).cloned().collect();
        let best = without.iter().flat_map(at).max_by(|a, b| order(a, b, goal.1))?;
        let names = wording::level_names_arg(data, &axis.name, &without);
        let best = wording::measured_value_arg(data, measure, best.median_value());
        Some(message!(rule_reaches_with_best { names, best }))
    };
    let others = data.factors.iter().filter(|a| a.name != factor);
    let never: Vec<Message> = others.filter_map(of_axis).collect();
    let name = reach.name.clone();
    (!never.is_empty()).then(|| message!(rule_reaches_never { name, with: wording::join_with_or(never) }))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::tcp_data_set;
    use super::*;

    fn ask(figure: impl Fn(&str, &str, &str) -> f64) -> (ConclusionAnswer, String) {
        let data = tcp_data_set(|link, os, cpu| Some(figure(link, os, cpu)));
        let found = answer_value_reached_question(&data, &[0], "link", 100e6, &LevelFilter::new());
        (found.answer.unwrap(), found.finding.text.to_string())
    }

    #[test]
    fn one_level_reaches_it_and_needs_the_rest() {
        let found = ask(|link, os, _| match (link, os) {
            ("faster", "new") => 120e6,
            ("faster", _) => 84e6,
            ("fast", _) => 66.8e6,
            _ => 9e6,
        });
        let told = "only faster reaches 100.0 Mbit/s for tcp: in 3 of 6 combinations, best value 120.0 Mbit/s; \
                    faster never meets the goal with old (best value 84.00 Mbit/s); slow and fast do not meet \
                    the goal, best value 66.80 Mbit/s (fast, new, cpu 4)";
        assert_eq!(found, (ConclusionAnswer::Mixed, told.to_string()));
    }

    #[test]
    fn none_and_all() {
        let none = "no link reaches 100.0 Mbit/s for tcp; the best value is 99.00 Mbit/s";
        let all = "slow, fast and faster reach 100.0 Mbit/s for tcp: slow in all 6 of 6";
        for (value, expected, begin) in
            [(99e6, ConclusionAnswer::No, none), (100e6, ConclusionAnswer::Yes, all)]
        {
            let (answer, text) = ask(|_, _, _| value);
            assert!(answer == expected && text.starts_with(begin), "{answer:?}: {text}");
        }
    }
}
