//! Main effects and two-factor interactions of full, fractional and incomplete designs, with blocks removed.
//! `docs/methods/effects.md`. Estimates are least squares with contrasts that sum to zero: for a full
//! two-level design the classical differences of means. What a design cannot separate is reported as an
//! alias.

mod alias;
mod error;
mod model;

use super::least_squares::Columns;
use crate::interval::{Interval, t_quantile};
use error::{Error, replicates};
use goodput_model::experiment::data::{DataSet, Observed};
use model::{Coded, Model};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Logarithms: effects are factors, 1.25 for a quarter more. For rates and times, whose noise grows with
    /// them.
    Ratio,
    /// The metric's own unit. For percentages and whatever may be 0.
    Difference,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effects {
    pub scale: Scale,
    /// Mean of all levels: geometric on the scale of ratios.
    pub mean: f64,
    /// Main effects in the order of the factors, then interactions.
    pub terms: Vec<Term>,
    pub inseparable: Vec<Inseparable>,
    pub observations: usize,
    pub blocks: usize,
    pub noise: Noise,
    /// Of one observation on the scale (of the logarithm for ratios); `None` without degrees of freedom.
    pub deviation: Option<f64>,
    pub degrees: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noise {
    Repeats,
    /// Higher-order interactions are taken for noise, without repeats.
    HigherOrder,
    Nothing,
}

/// A main effect or an interaction of two factors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Term {
    pub factors: Vec<String>,
    /// Deviation of each level, or pair of levels, due to this term.
    pub deviations: Vec<Deviation>,
    /// Second level against the first, of two-level factors: difference or ratio. Of an interaction half the
    /// change of one factor's effect when the other changes.
    pub effect: Option<Estimate>,
    pub degrees: usize,
    pub sum_of_squares: f64,
    pub f: Option<f64>,
    pub p: Option<f64>,
    /// Aliased terms of up to three factors.
    pub aliases: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Deviation {
    pub levels: Vec<String>,
    pub by: Estimate,
}

/// 95 % interval by Student's t.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    pub value: f64,
    /// `None` without a noise estimate.
    pub interval: Option<Interval>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inseparable {
    pub factors: Vec<String>,
    /// Factors of each aliased term, also `blocks` and `mean`.
    pub from: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoEffects {
    #[error("no factor has two measured levels here")]
    NothingVaries,
    #[error("a value of 0 or less has no logarithm; compare differences")]
    NotPositive,
}

/// Effects on one measure, where each factor in `only` has one of the named levels. `size_bytes` selects one
/// size of a curve. Fails when nothing varies, or on logarithms of values that are not positive.
pub fn effects(
    data: &DataSet,
    measure: usize,
    size_bytes: Option<u64>,
    only: &BTreeMap<String, Vec<String>>,
    scale: Scale,
) -> Result<Effects, NoEffects> {
    let asked = |row: &&goodput_model::experiment::data::Row| {
        row.measure == measure
            && row.size_bytes == size_bytes
            && only.iter().all(|(f, levels)| row.levels.get(f).is_some_and(|l| levels.contains(l)))
    };
    let mut coded = Coded::new(&data.factors);
    for row in data.rows.iter().filter(asked) {
        if let Observed::Value(value) = row.value
            && value.is_finite()
        {
            let y = match scale {
                Scale::Ratio if value <= 0.0 => return Err(NoEffects::NotPositive),
                Scale::Ratio => value.ln(),
                Scale::Difference => value,
            };
            coded.push(&row.levels, row.block, y);
        }
    }
    coded.finish();
    estimated(&coded, scale).ok_or(NoEffects::NothingVaries)
}

fn estimated(coded: &Coded, scale: Scale) -> Option<Effects> {
    if coded.factors.is_empty() {
        return None;
    }
    let mut columns = Columns::default();
    let model = Model::build(coded, &mut columns);
    let fit = columns.fit(&coded.values);
    let inverse = columns.inverse();
    let error = replicates(coded).or_else(|| Error::of(&fit.residuals, columns.len(), Noise::HigherOrder));
    let t = error.as_ref().and_then(|e| t_quantile(0.95, e.degrees as f64));
    let tell = |value: f64, unit_variance: f64| {
        let half = t.zip(error.as_ref()).map(|(t, e)| t * e.deviation * unit_variance.max(0.0).sqrt());
        Estimate {
            value: scale.told(value),
            interval: half
                .map(|half| Interval { low: scale.told(value - half), high: scale.told(value + half) }),
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
                .pairs(coded)
                .into_iter()
                .map(|(levels, weights)| Deviation { levels, by: of(&weights) })
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
            Term {
                factors: term.names(coded),
                deviations,
                effect: term.contrast(coded).map(|weights| of(&weights)),
                degrees,
                sum_of_squares,
                f,
                p,
                aliases: term.aliases.clone(),
            }
        })
        .collect();
    Some(Effects {
        scale,
        mean: scale.told(fit.coefficients[0]),
        terms,
        inseparable: model.inseparable,
        observations: coded.values.len(),
        blocks: coded.blocks(),
        noise: error.as_ref().map_or(Noise::Nothing, |e| e.noise),
        deviation: error.as_ref().map(|e| e.deviation),
        degrees: error.as_ref().map_or(0, |e| e.degrees),
    })
}

impl Scale {
    fn told(self, value: f64) -> f64 {
        match self {
            Scale::Ratio => value.exp(),
            Scale::Difference => value,
        }
    }
}

/// b' C⁻¹ b: the sum of squares explained by coefficients b with covariances C (error variance 1).
fn quadratic(b: &[f64], c: &[Vec<f64>]) -> f64 {
    let mut columns = Columns::default();
    for j in 0..b.len() {
        columns.add(&c.iter().map(|row| row[j]).collect::<Vec<_>>());
    }
    let solved = columns.fit(b).coefficients;
    b.iter().zip(solved).map(|(b, x)| b * x).sum()
}

#[cfg(test)]
mod tests;
