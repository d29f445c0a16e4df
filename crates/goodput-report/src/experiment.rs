//! The report of an experiment from one [`DataSet`]: tables, figures, comparisons, conclusions, hosts, data.
//!
//! [`ExperimentResults`] holds the analysis; [`ExperimentResults::page`] makes blocks, which [`text`], [`markdown`] and
//! [`crate::html`] write; [`json`] and [`csv`] are for programs. See `docs/reports.md`.

pub mod cell_statistics;
pub mod comparison_tables;
pub mod csv;
mod effect_tables;
mod environment;
pub mod figure;
pub mod forest_plot;
pub mod json;
pub mod markdown;
pub mod metric_unit;
pub mod pivot_table;
mod price_tables;
pub mod run_order;
mod statements;
mod table_dimension;
#[cfg(test)]
pub(crate) mod test_data;
#[cfg(test)]
mod tests;
pub mod text;

use crate::display_text::{DisplayText, comma_list};
use crate::page::user_chosen_names::UserChosenNames;
use crate::page::{AttachedFile, Block, Page, Section, TableVariants};
use cell_statistics::CellStatistics;
use goodput_analysis::experiment::effects::{EffectScale, EffectsAnalysis, analyze_effects};
use goodput_analysis::experiment::level_ranking::{Ranking, rank_levels};
use goodput_analysis::experiment::{comparison, conclusions};
use goodput_model::experiment::comparison::Comparison;
use goodput_model::experiment::conclusion::Conclusion;
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use goodput_model::experiment::execution_record::ExperimentStep;
use goodput_model::run::RunHeader;
use goodput_model::{Experiment, Finding, Message, Trial};
use goodput_words::message;
use pivot_table::TableDetail;
use std::collections::{BTreeMap, BTreeSet};

/// Embedded data in bytes; larger data is referenced by path.
const CARRIED: usize = 12 << 20;

#[derive(Debug, Clone, Copy)]
pub struct ResultsSource<'a> {
    pub data: &'a DataSet,
    /// `None` for published figures.
    pub experiment: Option<&'a Experiment>,
    pub head: Option<&'a RunHeader>,
    pub trials: &'a [Trial],
    pub steps: &'a [ExperimentStep],
    pub held: &'a [RequirementResult],
    /// Findings about the measurement itself.
    pub findings: &'a [Finding],
    pub folder: Option<&'a str>,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RequirementResult {
    pub text: String,
    pub verdict: String,
    pub cells: Vec<(String, DisplayText, String)>,
}

impl<'a> ResultsSource<'a> {
    pub fn from_data(data: &'a DataSet) -> ResultsSource<'a> {
        ResultsSource {
            data,
            experiment: None,
            head: None,
            trials: &[],
            steps: &[],
            held: &[],
            findings: &[],
            folder: None,
        }
    }
}

#[derive(Debug, Clone)]
pub struct ExperimentResults<'a> {
    pub source: ResultsSource<'a>,
    pub cells: Vec<CellStatistics>,
    pub conclusions: Vec<Conclusion>,
    /// Effects by measure; none for curves, or if factors cannot be separated.
    pub effects: Vec<FactorialEffects>,
    /// The first level of each factor against each other level, for scalar metrics.
    pub comparisons: Vec<Comparison>,
    /// Levels of each factor in order over all other combinations: measure, factor, ranking.
    pub rankings: Vec<(usize, String, Ranking)>,
}

#[derive(Debug, Clone)]
pub struct FactorialEffects {
    pub measure: usize,
    pub effects: EffectsAnalysis,
    /// Levels omitted because their factors would be confounded: `pair C-B`.
    pub left_out: Vec<String>,
}

impl<'a> ExperimentResults<'a> {
    pub fn from_source(source: ResultsSource<'a>) -> ExperimentResults<'a> {
        let data = source.data;
        let cells = cell_statistics::compute_cell_statistics(data);
        let single = |measure: &usize| !data.measures[*measure].over_size;
        let effects = (0..data.measures.len()).filter(single).filter_map(|m| factorial(data, m)).collect();
        let seed = source.head.map_or(0, |h| h.seed);
        let comparisons = comparisons(data, seed);
        let mut ranked = Vec::new();
        for measure in (0..data.measures.len()).filter(single) {
            for axis in &data.factors {
                let first =
                    rank_levels(data, (measure, None), &axis.name, &BTreeMap::new(), seed).into_iter().next();
                ranked.extend(first.map(|r| (measure, axis.name.clone(), r)));
            }
        }
        ExperimentResults {
            source,
            cells,
            conclusions: conclusions::draw_conclusions(data),
            effects,
            comparisons,
            rankings: ranked,
        }
    }

    pub fn build_page(&self) -> Page {
        let source = &self.source;
        let mut sections = vec![
            Section { title: "Conclusions".into(), blocks: statements::conclusion_page_blocks(self) },
            Section {
                title: "Requirements".into(),
                blocks: statements::requirement_page_blocks(source.held),
            },
            Section { title: "Results".into(), blocks: self.tables() },
            Section {
                title: "Effects of the factors".into(),
                blocks: effect_tables::effect_page_blocks(self),
            },
            Section { title: "Values in run order".into(), blocks: self.order() },
            Section { title: "Prices".into(), blocks: price_tables::price_performance_page_blocks(self) },
            Section {
                title: "Test environment".into(),
                blocks: environment::environment_page_blocks(source),
            },
            Section { title: "All data".into(), blocks: self.data() },
        ];
        sections.retain(|s| !s.blocks.is_empty());
        Page { title: self.title(), under: self.under(), sections, names: self.names() }
    }

    fn names(&self) -> Vec<String> {
        let source = &self.source;
        let names =
            UserChosenNames::default().add_from_data_set(source.data).add([source.data.title.clone()]);
        let names = source.head.into_iter().fold(names, UserChosenNames::add_from_run_header);
        source.experiment.into_iter().fold(names, UserChosenNames::add_from_experiment).into_vec()
    }

    fn title(&self) -> DisplayText {
        match self.source.data.title.as_str() {
            "" => "Experiment".into(),
            title => title.into(),
        }
    }

    fn under(&self) -> Vec<DisplayText> {
        let source = &self.source;
        let mut lines = Vec::new();
        if !source.data.source.is_empty() && source.data.source != "measured" {
            lines.push(message!(report_source { source: &source.data.source }).into());
        }
        if let Some(head) = source.head {
            let when = crate::table::runs::format_start_time(&head.started);
            let (version, run) = (&head.version, head.id.to_string());
            lines.push(message!(report_when_program_run { when, version, run }).into());
        }
        lines.push(self.extent().into());
        lines
    }

    fn extent(&self) -> Message {
        let count = |kind: fn(&ObservedValue) -> bool| {
            self.source.data.rows.iter().filter(|r| kind(&r.value)).count()
        };
        let values = count(|v| matches!(v, ObservedValue::Value(_)));
        let failed = count(|v| matches!(v, ObservedValue::Failed(_)));
        let mut parts = vec![
            message!(part_experiment_factors { count: self.source.data.factors.len() }),
            message!(part_experiment_cells { count: self.cells.len() }),
            message!(part_experiment_values { count: values }),
        ];
        parts.extend((failed > 0).then(|| message!(part_experiment_attempts { count: failed })));
        message!(report_experiment_extent { extent: comma_list(parts) })
    }

    fn tables(&self) -> Vec<Block> {
        let data = self.source.data;
        let mut blocks = Vec::new();
        let mut pointed = BTreeSet::new();
        for (number, form) in pivot_table::pivot_layouts(data, &self.cells).iter().enumerate() {
            let short = pivot_table::pivot_table(data, form, TableDetail::Short);
            let mut whole = pivot_table::pivot_table(data, form, TableDetail::Whole);
            // A value in two tables of the source is linked to the first.
            whole.anchors.retain(|anchor| pointed.insert(anchor.id.clone()));
            blocks.push(Block::Table(Box::new(TableVariants { short, whole })));
            blocks.extend(figure::pivot_figures(data, form, number).into_iter().map(Block::figure));
        }
        blocks
    }

    fn order(&self) -> Vec<Block> {
        let data = self.source.data;
        let drawn = primary_measures(data);
        let mut blocks: Vec<Block> = drawn
            .filter_map(|m| run_order::run_order_figure(data, &self.cells, m))
            .map(Block::figure)
            .collect();
        if !blocks.is_empty() {
            let text = "Deviation of each observation from the median of its cell, in run order: a slope or a step is \
                        caused by the hosts, not by the factors.";
            blocks.insert(0, Block::caption(text));
        }
        blocks
    }

    fn data(&self) -> Vec<Block> {
        let name = self.source.experiment.map_or("data", |e| e.name.as_str());
        let stem: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect();
        let carried = |name: String, media, what: &str, text: String| {
            let (fits, what) = (text.len() <= CARRIED, Message::from(what));
            let what = if fits { what } else { message!(report_experiment_file_too_large { what }) };
            AttachedFile { name, media, what: what.into(), bytes: fits.then(|| text.into_bytes()) }
        };
        let files = vec![
            carried(
                format!("{stem}.csv"),
                "text/csv",
                "every observation, one per line, in base units",
                csv::observations_to_csv(self.source.data),
            ),
            carried(
                format!("{stem}.json"),
                "application/json",
                "the same data with factors, units and questions, in the format that goodput reads",
                json::data_set_to_json(self.source.data),
            ),
        ];
        let mut blocks = vec![Block::Files { files }];
        if let Some(folder) = self.source.folder {
            let run = self.source.head.map_or_else(|| folder.to_string(), |h| h.id.to_string());
            blocks.push(Block::paragraph(message!(report_the_run_lies_in { folder, run })));
        }
        blocks
    }
}

/// The first metric of each probe line, without curves.
fn primary_measures(data: &DataSet) -> impl Iterator<Item = usize> {
    let first =
        move |m: &usize| data.measures.iter().position(|other| other.probe == data.measures[*m].probe);
    (0..data.measures.len()).filter(move |m| !data.measures[*m].over_size && first(m) == Some(*m))
}

/// The effect of each factor on a metric. If sparse levels confound factors, it is computed again from the
/// levels with at least half as many observations.
fn factorial(data: &DataSet, measure: usize) -> Option<FactorialEffects> {
    let whole = |effects: &EffectsAnalysis| effects.inseparable.iter().all(|i| i.factors.len() > 1);
    let scale = scale(data, measure);
    let all = analyze_effects(data, measure, None, &BTreeMap::new(), scale).ok();
    if let Some(effects) = all.filter(whole) {
        return Some(FactorialEffects { measure, effects, left_out: Vec::new() });
    }
    let rows =
        || data.rows.iter().filter(|r| r.measure == measure && matches!(r.value, ObservedValue::Value(_)));
    let mut only = BTreeMap::new();
    let mut left_out = Vec::new();
    for axis in &data.factors {
        let count = |level: &String| rows().filter(|r| r.levels.get(&axis.name) == Some(level)).count();
        let counted: Vec<(&String, usize)> = axis.levels.iter().map(|l| (l, count(l))).collect();
        let most = counted.iter().map(|(_, n)| *n).max().unwrap_or(0);
        let (often, seldom): (Vec<_>, Vec<_>) = counted.into_iter().partition(|(_, n)| 2 * n >= most);
        left_out.extend(seldom.iter().filter(|(_, n)| *n > 0).map(|(l, _)| format!("{} {l}", axis.name)));
        only.insert(axis.name.clone(), often.into_iter().map(|(l, _)| l.clone()).collect());
    }
    let effects = analyze_effects(data, measure, None, &only, scale).ok().filter(whole)?;
    Some(FactorialEffects { measure, effects, left_out })
}

/// Ratios where every value has one.
fn scale(data: &DataSet, measure: usize) -> EffectScale {
    let positive = |r: &&goodput_model::experiment::data_set::DataRow| match r.value {
        ObservedValue::Value(v) => v > 0.0,
        _ => true,
    };
    let all = data.rows.iter().filter(|r| r.measure == measure).all(|r| positive(&r));
    if all && data.measures[measure].unit != "%" { EffectScale::Ratio } else { EffectScale::Difference }
}

fn comparisons(data: &DataSet, seed: u64) -> Vec<Comparison> {
    let mut single = data.clone();
    single.rows.retain(|r| r.size_bytes.is_none());
    let mut all = Vec::new();
    for axis in &data.factors {
        let Some((first, others)) = axis.levels.split_first() else { continue };
        for other in others {
            let found = comparison::compare_levels(&single, &axis.name, first, other, seed);
            if found.cells.iter().any(|c| c.change.is_some()) {
                all.push(found);
            }
        }
    }
    all
}
