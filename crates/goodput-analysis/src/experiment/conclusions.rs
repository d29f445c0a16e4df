//! Conclusions of an experiment: statements with numbers, evidence and advice.
//!
//! The modules `depends`, `pairwise_comparison`, `group`, `sum_of_levels`, `reaches` and `price_performance` answer
//! questions of the experiment ([`ExperimentQuestion`]). `ranking`, `crossing`, `shapes`, `ceiling` and
//! `not_measured_cells` apply to every experiment. `wording` formats the arguments of the messages; `level_subsets` finds what combinations have in
//! common.
//!
//! With one value for each combination a statement counts combinations and names the exceptions; with repeats
//! only significant differences count. `docs/methods/conclusions.md`.

mod ceiling;
mod cells;
mod contrast;
mod crossing;
mod depends;
#[cfg(test)]
mod fixture;
mod group;
mod level_subsets;
mod not_measured_cells;
mod pairwise_comparison;
mod price_performance;
mod ranking;
mod reaches;
mod shapes;
mod sum_of_levels;
mod wording;

use crate::ungrouped_arg;
use cells::MeasuredCell;
use goodput_model::experiment::ExperimentQuestion;
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::{DataSet, DataSetMetric};
use goodput_model::{Finding, Message, Severity};
use goodput_words::message;
use std::collections::BTreeMap;

type LevelFilter = BTreeMap<String, Vec<String>>;

/// A change of this share or less over all levels of a factor is no dependence.
pub const MAX_NEGLIGIBLE_CHANGE: f64 = 0.05;
pub const MIN_RELEVANT_LEVEL_DIFFERENCE: f64 = 0.02;

/// The answers to the questions in their order, then the general statements. Deterministic.
pub fn draw_conclusions(data: &DataSet) -> Vec<Conclusion> {
    let mut all: Vec<Conclusion> = Vec::new();
    for (at, question) in data.questions.iter().enumerate() {
        all.push(Conclusion { question: Some(at), ..answer(data, question) });
    }
    let general = (ranking::factor_ranking_conclusions(data).into_iter())
        .chain(depends::dependence_conclusions(data))
        .chain(pairwise_comparison::two_level_factor_conclusions(data))
        .chain(ranking::best_level_conclusions(data))
        .chain(crossing::curve_crossing_conclusions(data))
        .chain(shapes::curve_shape_conclusions(data))
        .chain(ceiling::medium_limit_conclusions(data))
        .chain(not_measured_cells::failed_cell_conclusions(data))
        .chain(not_measured_cells::unmeasured_cell_conclusions(data));
    for conclusion in general {
        if !all.iter().any(|known| known.finding.text == conclusion.finding.text) {
            all.push(conclusion);
        }
    }
    all
}

fn answer(data: &DataSet, question: &ExperimentQuestion) -> Conclusion {
    match question {
        ExperimentQuestion::Depends { probe, on, only } => {
            depends::answer_dependence_question(data, &measures(data, probe), on, only)
        }
        ExperimentQuestion::Better { probe, factor, level, than, only } => {
            pairwise_comparison::compare_two_levels(data, &measures(data, probe), factor, (level, than), only)
        }
        ExperimentQuestion::Beats { probe, than, only } => {
            pairwise_comparison::compare_two_probes(data, (probe, than), only)
        }
        ExperimentQuestion::Group { probe, factor, levels, than, only } => {
            group::answer_group_comparison(data, &measures(data, probe), factor, (levels, than), only)
        }
        ExperimentQuestion::Sum { probe, factor, parts, whole, only } => {
            sum_of_levels::answer_sum_comparison(data, &measures(data, probe), factor, (parts, whole), only)
        }
        ExperimentQuestion::Reaches { probe, factor, value, only } => {
            reaches::answer_value_reached_question(data, &measures(data, probe), factor, *value, only)
        }
        ExperimentQuestion::Pays { probe, factor, only } => {
            price_performance::answer_price_performance(data, &measures(data, probe), factor, only)
        }
    }
}

/// The measures that a probe line of a question means: its primary metric, another as `load.pe_index`, or for
/// `*` every line's metric that is the first line's primary one.
fn measures(data: &DataSet, probe: &str) -> Vec<usize> {
    let heads = || data.measures.iter().enumerate();
    if probe == "*" {
        return measures_like_first(data);
    }
    let primary_metric = heads().find(|(_, m)| m.probe == probe);
    let named = |m: &DataSetMetric| Some(probe.strip_prefix(&m.probe)?.strip_prefix('.')? == m.figure);
    let exact = || heads().find(|(_, m)| named(m) == Some(true));
    primary_metric.or_else(exact).map(|(at, _)| at).into_iter().collect()
}

/// The measures with the metric and the unit of the first.
fn measures_like_first(data: &DataSet) -> Vec<usize> {
    let Some(first) = data.measures.first() else { return Vec::new() };
    let heads = data.measures.iter().enumerate();
    heads.filter(|(_, m)| m.figure == first.figure && m.unit == first.unit).map(|(at, _)| at).collect()
}

struct ConclusionDraft {
    id: &'static str,
    severity: Severity,
    answer: Option<ConclusionAnswer>,
    text: Message,
    evidence: Vec<Message>,
    rows: Vec<usize>,
    sure: Message,
    try_next: Message,
}

impl ConclusionDraft {
    fn new(id: &'static str, text: Message) -> ConclusionDraft {
        ConclusionDraft {
            id,
            severity: Severity::Note,
            answer: None,
            text,
            evidence: Vec::new(),
            rows: Vec::new(),
            sure: Message::default(),
            try_next: Message::default(),
        }
    }

    fn unknown(id: &'static str, why: Message, try_next: Message) -> ConclusionDraft {
        let draft = ConclusionDraft::new(id, why).says(ConclusionAnswer::Unknown).try_this(try_next);
        ConclusionDraft { sure: message!(sure_none), ..draft }
    }

    fn says(self, answer: ConclusionAnswer) -> ConclusionDraft {
        ConclusionDraft { answer: Some(answer), ..self }
    }

    fn on<'a>(
        mut self,
        cells: impl IntoIterator<Item = &'a MeasuredCell>,
        comparisons: usize,
    ) -> ConclusionDraft {
        let mut least = usize::MAX;
        for cell in cells {
            least = least.min(cell.values.len());
            self.rows.extend(&cell.rows);
        }
        self.rows.sort_unstable();
        self.rows.dedup();
        self.sure = sure(least, comparisons);
        self
    }

    fn showing<'a>(
        mut self,
        data: &DataSet,
        cells: impl IntoIterator<Item = &'a MeasuredCell>,
    ) -> ConclusionDraft {
        for cell in cells {
            let line = wording::evidence_line(data, cell);
            if !self.evidence.contains(&line) {
                self.evidence.push(line);
            }
        }
        self
    }

    fn try_this(self, try_next: Message) -> ConclusionDraft {
        ConclusionDraft { try_next, ..self }
    }

    fn done(mut self) -> Conclusion {
        let values = message!(part_conclusion_values { count: self.rows.len() });
        self.evidence.insert(0, message!(list_semicolon { first: values, then: self.sure.clone() }));
        let finding = Finding {
            id: self.id.to_string(),
            severity: self.severity,
            text: self.text,
            evidence: self.evidence,
            try_next: self.try_next,
        };
        Conclusion { finding, answer: self.answer, question: None, sure: self.sure, rows: self.rows }
    }
}

fn sure(repeats: usize, comparisons: usize) -> Message {
    let m = ungrouped_arg(comparisons as f64, 0, "");
    match repeats {
        usize::MAX => message!(sure_none),
        1 => message!(sure_one),
        n if comparisons == 1 => message!(sure_repeats_one { n, m }),
        n => message!(sure_repeats { n, m }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_is_named_by_its_line_or_with_its_figure() {
        let data = fixture::two_probe_data_set(|_, _, _, _| None);
        let named = ["tcp", "udp", "udp.goodput_bps"].map(|probe| measures(&data, probe));
        assert_eq!(named, [[0], [1], [1]]);
        assert_eq!((measures(&data, "*"), measures(&data, "sctp")), (vec![0, 1], vec![]));
    }

    #[test]
    fn nothing_measured_says_nothing_and_does_not_fail() {
        let empty = DataSet::default();
        assert!(draw_conclusions(&empty).is_empty());
        let mut data = fixture::tcp_data_set(|_, _, _| None);
        data.questions = fixture::all_question_kinds();
        let all = draw_conclusions(&data);
        assert!(all.len() >= data.questions.len());
        let mut answers = all.iter().take(data.questions.len());
        assert!(answers.all(|c| c.answer == Some(ConclusionAnswer::Unknown)), "{all:#?}");
    }

    proptest::proptest! {
        #[test]
        fn any_figures_can_be_concluded_from(values in proptest::collection::vec(proptest::option::of(proptest::num::f64::ANY), 18)) {
            let next = std::cell::Cell::new(0);
            let mut data = fixture::tcp_data_set(|_, _, _| { let at = next.get(); next.set(at + 1); values[at % values.len()] });
            data.questions = fixture::all_question_kinds();
            for conclusion in draw_conclusions(&data) {
                proptest::prop_assert!(!conclusion.finding.text.is_empty() && !conclusion.sure.is_empty());
                proptest::prop_assert!(!conclusion.finding.text.contains("NaN"), "{}", conclusion.finding.text);
            }
        }
    }
}
