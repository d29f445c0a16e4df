//! Results as JSON: `--json`'s document with a versioned `experiment`, in measures' units.

use super::cell_statistics::{CellStatistics, cell_anchor_id};
use super::{ExperimentResults, RequirementResult};
use crate::json::{JsonError, document_to_json};
use goodput_analysis::experiment::effects::EffectsAnalysis;
use goodput_analysis::experiment::level_ranking::Ranking;
use goodput_model::Finding;
use goodput_model::experiment::comparison::Comparison;
use goodput_model::experiment::conclusion::Conclusion;
use goodput_model::experiment::data_set::DataSet;
use goodput_model::summary::ResultDocument;
use serde::Serialize;

pub const EXPERIMENT_SCHEMA: &str = "goodput/experiment/1";

#[derive(Serialize)]
struct ExperimentWithDocument<'a> {
    #[serde(flatten)]
    document: &'a ResultDocument,
    experiment: ExperimentSection<'a>,
}

#[derive(Serialize)]
struct ExperimentSection<'a> {
    schema: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    cells: Vec<CellPart<'a>>,
    conclusions: &'a [Conclusion],
    findings: &'a [Finding],
    requirements: &'a [RequirementResult],
    effects: Vec<EffectsPart<'a>>,
    comparisons: &'a [Comparison],
    ranks: Vec<RanksPart<'a>>,
    data: &'a DataSet,
}

#[derive(Serialize)]
struct CellPart<'a> {
    id: String,
    probe: &'a str,
    figure: &'a str,
    unit: &'a str,
    #[serde(flatten)]
    cell: &'a CellStatistics,
}

#[derive(Serialize)]
struct EffectsPart<'a> {
    probe: &'a str,
    figure: &'a str,
    #[serde(flatten)]
    effects: &'a EffectsAnalysis,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    left_out: &'a [String],
}

#[derive(Serialize)]
struct RanksPart<'a> {
    probe: &'a str,
    figure: &'a str,
    factor: &'a str,
    #[serde(flatten)]
    ranking: &'a Ranking,
}

pub fn experiment_to_json(
    document: &ResultDocument,
    results: &ExperimentResults<'_>,
) -> Result<String, JsonError> {
    document_to_json(&ExperimentWithDocument { document, experiment: part(results) })
}

fn part<'a>(results: &'a ExperimentResults<'_>) -> ExperimentSection<'a> {
    let data = results.source.data;
    let heads = |measure: usize| {
        data.measures
            .get(measure)
            .map_or(("", "", ""), |m| (m.probe.as_str(), m.figure.as_str(), m.unit.as_str()))
    };
    let cells = results.cells.iter().enumerate().map(|(number, cell)| {
        let (probe, figure, unit) = heads(cell.measure);
        CellPart { id: cell_anchor_id(number), probe, figure, unit, cell }
    });
    let effects = results.effects.iter().map(|found| {
        let (probe, figure, _) = heads(found.measure);
        EffectsPart { probe, figure, effects: &found.effects, left_out: &found.left_out }
    });
    let ranks = results.rankings.iter().map(|(measure, factor, ranking)| {
        let (probe, figure, _) = heads(*measure);
        RanksPart { probe, figure, factor, ranking }
    });
    ExperimentSection {
        schema: EXPERIMENT_SCHEMA,
        name: results.source.experiment.map(|e| e.name.as_str()),
        cells: cells.collect(),
        conclusions: &results.conclusions,
        findings: results.source.findings,
        requirements: results.source.held,
        effects: effects.collect(),
        comparisons: &results.comparisons,
        ranks: ranks.collect(),
        data,
    }
}

/// The data set, readable by `goodput_model`.
pub fn data_set_to_json(data: &DataSet) -> String {
    serde_json::to_string(data).unwrap_or_default()
}
