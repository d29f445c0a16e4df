//! Which levels of a factor reach a value, and under which conditions.

use super::cells::{MeasuredCell, select_cells};
use super::{ConclusionDraft, LevelFilter, wording};
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::DataSet;
use std::cmp::Ordering;

struct LevelReach<'a> {
    name: String,
    cells: Vec<&'a MeasuredCell>,
    reached: usize,
    best: &'a MeasuredCell,
}

/// Yes means that at least one level reaches the value wherever it was measured.
pub(super) fn answer_reaches_value(
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
    let (word, never) = match better {
        BetterDirection::Higher => ("reach", "reaches"),
        BetterDirection::Lower => ("stay within", "stays within"),
    };
    let goal = wording::format_measured_value(data, measure, value);
    let context = format!(
        "for {}{}",
        wording::format_probe_lines(data, measures),
        wording::format_level_filter(data, only)
    );
    let mut said = Vec::new();
    match reaching.as_slice() {
        [] => said.push(format!("no {factor} {never} {goal} {context}")),
        [one] => {
            said.push(format!("only {} {never} {goal} {context}: {}", one.name, reached_count(data, one)))
        }
        several => {
            let each: Vec<String> =
                several.iter().map(|r| format!("{} {}", r.name, reached_count(data, r))).collect();
            let names: Vec<&str> = several.iter().map(|r| r.name.as_str()).collect();
            said.push(format!(
                "{} {word} {goal} {context}: {}",
                wording::join_list(&names, "and"),
                each.join(", ")
            ));
        }
    }
    said.extend(reaching.iter().filter_map(|r| conditions(data, factor, r, (value, better))));
    if let Some(best) = short.iter().map(|r| r.best).max_by(|a, b| order(a, b, better)) {
        let names: Vec<&str> = short.iter().map(|r| r.name.as_str()).collect();
        let subject = if reaching.is_empty() {
            "the best value is".to_string()
        } else {
            format!(
                "{} do{} not meet the goal, best value",
                wording::join_list(&names, "and"),
                if names.len() == 1 { "es" } else { "" }
            )
        };
        said.push(format!(
            "{subject} {} ({})",
            wording::format_measured_value(data, measure, best.value()),
            wording::format_combination(data, &best.place)
        ));
    }
    let answer = match reaching.as_slice() {
        [] => ConclusionAnswer::No,
        some if some.iter().any(|r| r.reached == r.cells.len()) => ConclusionAnswer::Yes,
        _ => ConclusionAnswer::Mixed,
    };
    let names: Vec<&str> = reaching.iter().map(|r| r.name.as_str()).collect();
    let try_next = match answer {
        ConclusionAnswer::No => format!("no level meets {goal}: measure another {factor}"),
        ConclusionAnswer::Yes => format!("for {goal} choose {}", wording::join_list(&names, "or")),
        _ => format!(
            "for {goal} choose {}, together with levels of the other factors that meet the goal",
            wording::join_list(&names, "or")
        ),
    };
    ConclusionDraft::new("reaches", said.join("; "))
        .says(answer)
        .on(found.iter().flat_map(|r| r.cells.iter().copied()), found.len())
        .showing(data, found.iter().map(|r| r.best))
        .try_this(try_next)
        .done()
}

fn untold(data: &DataSet, measures: &[usize], factor: &str, only: &LevelFilter) -> Conclusion {
    let what = wording::format_probe_lines(data, measures);
    let why = format!(
        "it cannot be determined which {factor} is fast enough{}: no level has a value of {}",
        wording::format_level_filter(data, only),
        if what.is_empty() { "this metric" } else { &what }
    );
    ConclusionDraft::unknown("reaches", why, &format!("measure a level of {factor}")).done()
}

fn order(a: &MeasuredCell, b: &MeasuredCell, better: BetterDirection) -> Ordering {
    match better {
        BetterDirection::Higher => a.value().total_cmp(&b.value()),
        BetterDirection::Lower => b.value().total_cmp(&a.value()),
    }
}

fn reaches(cell: &MeasuredCell, (value, better): (f64, BetterDirection)) -> bool {
    match better {
        BetterDirection::Higher => cell.value() >= value,
        BetterDirection::Lower => cell.value() <= value,
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
    Some(LevelReach { name: wording::format_level(data, factor, level), cells, reached, best })
}

fn reached_count(data: &DataSet, reach: &LevelReach<'_>) -> String {
    let best = wording::format_measured_value(data, reach.best.place.measure, reach.best.value());
    format!("{}, best value {best}", wording::format_combination_count(reach.reached, reach.cells.len()))
}

/// Levels of other factors that prevent a level from reaching the value, each with its best.
fn conditions(
    data: &DataSet,
    factor: &str,
    reach: &LevelReach<'_>,
    goal: (f64, BetterDirection),
) -> Option<String> {
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
        let names = wording::format_levels(data, &axis.name, &without);
        Some(format!(
            "with {names} (best value {})",
            wording::format_measured_value(data, measure, best.value())
        ))
    };
    let others = data.factors.iter().filter(|a| a.name != factor);
    let never: Vec<String> = others.filter_map(of_axis).collect();
    (!never.is_empty())
        .then(|| format!("{} never meets the goal {}", reach.name, wording::join_list(&never, "or")))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::data;
    use super::*;

    fn ask(figure: impl Fn(&str, &str, &str) -> f64) -> (ConclusionAnswer, String) {
        let data = data(|link, os, cpu| Some(figure(link, os, cpu)));
        let found = answer_reaches_value(&data, &[0], "link", 100e6, &LevelFilter::new());
        (found.answer.unwrap(), found.finding.text.to_string())
    }

    #[test]
    fn one_level_reaches_it_and_needs_the_rest() {
        let (answer, text) = ask(|link, os, _| match (link, os) {
            ("faster", "new") => 120e6,
            ("faster", _) => 84e6,
            ("fast", _) => 66.8e6,
            _ => 9e6,
        });
        assert_eq!(answer, ConclusionAnswer::Mixed);
        assert_eq!(
            text,
            "only faster reaches 100.0 Mbit/s for tcp: in 3 of 6 combinations, best value 120.0 Mbit/s; \
                faster never meets the goal with old (best value 84.00 Mbit/s); slow and fast do not meet the goal, best value 66.80 Mbit/s (fast, new, cpu 4)"
        );
    }

    #[test]
    fn none_and_all() {
        let (answer, text) = ask(|_, _, _| 99e6);
        assert_eq!(answer, ConclusionAnswer::No);
        assert!(
            text.starts_with("no link reaches 100.0 Mbit/s for tcp; the best value is 99.00 Mbit/s"),
            "{text}"
        );
        let (answer, text) = ask(|_, _, _| 100e6);
        assert_eq!(answer, ConclusionAnswer::Yes);
        assert!(
            text.starts_with("slow, fast and faster reach 100.0 Mbit/s for tcp: slow in all 6 of 6"),
            "{text}"
        );
    }
}
