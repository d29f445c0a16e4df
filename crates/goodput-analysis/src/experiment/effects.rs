//! Main effects and two-factor interactions of full, fractional and incomplete designs, with blocks removed.
//! `docs/methods/effects.md`. Estimates are least squares with contrasts that sum to zero: for a full
//! two-level design the classical differences of means. What a design cannot separate is reported as an
//! alias.

mod alias;
mod error;
mod model;

use super::least_squares::DesignMatrix;
use crate::confidence_interval::{ConfidenceInterval, t_quantile};
use error::{ErrorVarianceEstimate, error_variance_from_replicates};
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use goodput_words::error_messages;
use model::{CodedObservations, EffectsModel};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EffectScale {
    /// Effects are factors: 1.25 for a quarter more. For rates and times, whose noise grows with them.
    Ratio,
    /// The metric's own unit. For percentages and whatever may be 0.
    Difference,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EffectsAnalysis {
    pub scale: EffectScale,
    /// Mean of all levels: geometric on the scale of ratios.
    pub mean: f64,
    /// Main effects in the order of the factors, then interactions.
    pub terms: Vec<EffectTerm>,
    pub inseparable: Vec<AliasedTerm>,
    pub observations: usize,
    pub blocks: usize,
    pub noise: ErrorVarianceSource,
    /// Of one observation on the scale (of the logarithm for ratios); `None` without degrees of freedom.
    pub deviation: Option<f64>,
    pub degrees: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorVarianceSource {
    Repeats,
    /// Higher-order interactions are taken for noise, without repeats.
    HigherOrder,
    Nothing,
}

/// A main effect or an interaction of two factors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EffectTerm {
    pub factors: Vec<String>,
    /// Deviation of each level, or pair of levels, due to this term.
    pub deviations: Vec<LevelDeviation>,
    /// Second level against the first, of two-level factors: difference or ratio. Of an interaction half the
    /// change of one factor's effect when the other changes.
    pub effect: Option<EffectEstimate>,
    pub degrees: usize,
    pub sum_of_squares: f64,
    pub f: Option<f64>,
    pub p: Option<f64>,
    /// Aliased terms of up to three factors.
    pub aliases: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelDeviation {
    pub levels: Vec<String>,
    pub by: EffectEstimate,
}

/// 95 % interval by Student's t.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EffectEstimate {
    pub value: f64,
    /// `None` without a noise estimate.
    pub interval: Option<ConfidenceInterval>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AliasedTerm {
    pub factors: Vec<String>,
    /// Factors of each aliased term, also `blocks` and `mean`.
    pub from: Vec<Vec<String>>,
}

/// Not shown to a user, so its text is English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EffectsError {
    NothingVaries,
    NotPositive,
}

error_messages! {
    EffectsError {
        EffectsError::NothingVaries => "no factor has two measured levels here",
        EffectsError::NotPositive => "a value of 0 or less has no logarithm; compare differences",
    }
}

/// Effects on one measure, where each factor in `only` has one of the named levels. `size_bytes` selects one
/// size of a curve. Fails when nothing varies, or on logarithms of values that are not positive.
pub fn analyze_effects(
    data: &DataSet,
    measure: usize,
    size_bytes: Option<u64>,
    only: &BTreeMap<String, Vec<String>>,
    scale: EffectScale,
) -> Result<EffectsAnalysis, EffectsError> {
    let asked = |row: &&goodput_model::experiment::data_set::DataRow| {
        row.measure == measure
            && row.size_bytes == size_bytes
            && only.iter().all(|(f, levels)| row.levels.get(f).is_some_and(|l| levels.contains(l)))
    };
    let mut coded = CodedObservations::new(&data.factors);
    for row in data.rows.iter().filter(asked) {
        if let ObservedValue::Value(value) = row.value
            && value.is_finite()
        {
            let y = match scale {
                EffectScale::Ratio if value <= 0.0 => return Err(EffectsError::NotPositive),
                EffectScale::Ratio => value.ln(),
                EffectScale::Difference => value,
            };
            coded.push_observation(&row.levels, row.block, y);
        }
    }
    coded.remove_constant_factors();
    estimated(&coded, scale).ok_or(EffectsError::NothingVaries)
}

fn estimated(coded: &CodedObservations, scale: EffectScale) -> Option<EffectsAnalysis> {
    if coded.factors.is_empty() {
        return None;
    }
    let mut columns = DesignMatrix::default();
    let model = EffectsModel::build(coded, &mut columns);
    let fit = columns.fit(&coded.values);
    let inverse = columns.normal_matrix_inverse();
    let error = error_variance_from_replicates(coded).or_else(|| {
        ErrorVarianceEstimate::from_residuals(
            &fit.residuals,
            columns.column_count(),
            ErrorVarianceSource::HigherOrder,
        )
    });
    let t = error.as_ref().and_then(|e| t_quantile(0.95, e.degrees as f64));
    let tell = |value: f64, unit_variance: f64| {
        let half = t.zip(error.as_ref()).map(|(t, e)| t * e.deviation * unit_variance.max(0.0).sqrt());
        EffectEstimate {
            value: scale.told(value),
            interval: half.map(|half| ConfidenceInterval {
                low: scale.told(value - half),
                high: scale.told(value + half),
            }),
        }
    };
    let terms = model
        .terms
        .iter()
        .map(|term| {
            let own: Vec<f64> = term.place.clone().map(|i| fit.coefficients[i]).collect();
            let own_inverse: Vec<Vec<f64>> =
                term.place.clone().map(|i| term.place.clone().map(|j| inverse[i][j]).collect()).collect();
            let of = |weights: &[f64]| {
                let value = weights.iter().zip(&own).map(|(w, b)| w * b).sum();
                let variance: f64 = weights
                    .iter()
                    .enumerate()
                    .map(|(i, w)| w * weights.iter().zip(&own_inverse[i]).map(|(v, c)| v * c).sum::<f64>())
                    .sum();
                tell(value, variance)
            };
            let deviations = term
                .level_weights(coded)
                .into_iter()
                .map(|(levels, weights)| LevelDeviation { levels, by: of(&weights) })
                .collect();
            let sum_of_squares = quadratic(&own, &own_inverse);
            let degrees = own.len();
            let f = error
                .as_ref()
                .filter(|e| e.deviation > 0.0)
                .map(|e| sum_of_squares / degrees as f64 / e.deviation.powi(2))
                .filter(|f| f.is_finite() && *f >= 0.0);
            let p = f
                .zip(error.as_ref())
                .and_then(|(f, e)| Some(FisherSnedecor::new(degrees as f64, e.degrees as f64).ok()?.sf(f)));
            EffectTerm {
                factors: term.factor_names(coded),
                deviations,
                effect: term.effect_weights(coded).map(|weights| of(&weights)),
                degrees,
                sum_of_squares,
                f,
                p,
                aliases: term.aliases.clone(),
            }
        })
        .collect();
    Some(EffectsAnalysis {
        scale,
        mean: scale.told(fit.coefficients[0]),
        terms,
        inseparable: model.inseparable,
        observations: coded.values.len(),
        blocks: coded.block_count(),
        noise: error.as_ref().map_or(ErrorVarianceSource::Nothing, |e| e.noise),
        deviation: error.as_ref().map(|e| e.deviation),
        degrees: error.as_ref().map_or(0, |e| e.degrees),
    })
}

impl EffectScale {
    fn told(self, value: f64) -> f64 {
        match self {
            EffectScale::Ratio => value.exp(),
            EffectScale::Difference => value,
        }
    }
}

/// b' C⁻¹ b: the sum of squares explained by coefficients b with covariances C (error variance 1).
fn quadratic(b: &[f64], c: &[Vec<f64>]) -> f64 {
    let mut columns = DesignMatrix::default();
    for j in 0..b.len() {
        columns.add_column(&c.iter().map(|row| row[j]).collect::<Vec<_>>());
    }
    let solved = columns.fit(b).coefficients;
    b.iter().zip(solved).map(|(b, x)| b * x).sum()
}

#[cfg(test)]
mod tests;
